//! `kalahari kgp connect`: an agent as a client of another person's server.

use crate::play::score_text;
use crate::{draw, interrupt, output};
use clap::Args;
use kalahari_agents::{AgentSpec, Player};
use kalahari_arena::{GameRecord, Store, who};
use kalahari_club::{Ended, Ledger, Turn, VisitEvent, VisitOptions, guest_match, visit};
use kalahari_games::{AnyGame, Verdict};
use kalahari_kgp::Address;
use kalahari_terms::parse_duration;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// Play on a server of the Kalah Game Protocol
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalahari kgp connect localhost
  kalahari kgp connect wss://kalah.kwarc.info/socket --name kalahari --token secret
  kalahari kgp connect ws://localhost:2671 --agent mcts --db games.db --json

The first move goes out at once and better ones follow until the server says stop; an agent with limits of its own
(engine:time=1s) ends its turn when it has reached them. Lost connections are restored after a growing pause.
Ctrl-C leaves. A server does not say how games end: a game whose result cannot be worked out is not kept.")]
pub(crate) struct Connect {
    /// Where: HOST, HOST:PORT, ws://HOST/socket or wss://HOST/socket
    #[arg(value_name = "ADDRESS")]
    address: Address,

    /// The agent that plays (see `kalahari agents`)
    #[arg(long, value_name = "A", default_value = "engine")]
    agent: AgentSpec,

    /// The name to play under
    #[arg(long, value_name = "N")]
    name: Option<String>,

    /// A secret that shows that the name is yours
    #[arg(long, value_name = "T")]
    token: Option<String>,

    /// Think while the opponent does
    #[arg(long)]
    ponder: bool,

    /// Connect again if the server has asked nothing for this long
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "2m")]
    quiet: Duration,

    /// Exit when the connection ends
    #[arg(long)]
    once: bool,

    /// Keep games whose result is known in this SQLite file
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// Draw the board at every move
    #[arg(long, conflicts_with = "json")]
    board: bool,

    /// Print one line of JSON for everything that happens
    #[arg(long)]
    json: bool,
}

impl Connect {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        // A faulty agent is reported before the server is called.
        let usual = AnyGame::new("kalah:6x6:standard+majority".parse()?);
        Player::new(&self.agent, &usual, 0)?;
        let stop = interrupt::meant_to_end();
        let options = VisitOptions {
            address: self.address,
            agent: self.agent,
            name: self.name,
            token: self.token,
            ponder: self.ponder,
            quiet: self.quiet,
            once: self.once,
        };
        let store = self.db.as_deref().map(Store::open).transpose()?;
        let mut ledger = store.map(|store| Ledger::new(Some(store)));
        let mut trouble = None;
        visit(&options, &stop, &mut |event| {
            let shown = show(&event, self.json, self.board);
            let kept = match (&event, &mut ledger) {
                (VisitEvent::Ended(ended), Some(ledger)) => keep(&options, ended, ledger),
                _ => Ok(()),
            };
            if let Err(error) = shown.and(kept) {
                // A store or a terminal that fails is a reason to leave.
                trouble.get_or_insert(error);
                stop.request();
            }
        })?;
        trouble.map_or(Ok(()), Err)
    }
}

/// Puts a game whose result is known into the store.
fn keep(options: &VisitOptions, ended: &Ended, ledger: &mut Ledger) -> anyhow::Result<()> {
    let Some(spec) = guest_match(options, ended.record.game, &ended.opponent) else {
        return Ok(());
    };
    if ended.verdict.is_none() {
        return Ok(());
    }
    let seating = u32::from(!ended.we_first);
    let (match_id, number) = ledger.next(&spec, Some(seating))?;
    let mut players = spec.agents.each_ref().map(who);
    players.rotate_left(seating as usize);
    ledger.add(&GameRecord {
        players,
        match_id,
        number,
        ..ended.record.clone()
    })?;
    Ok(())
}

fn show(event: &VisitEvent, json: bool, board: bool) -> anyhow::Result<()> {
    if json {
        return output::print_json(&to_json(event));
    }
    let text = match event {
        VisitEvent::Connected => "connected\n".to_owned(),
        VisitEvent::Away {
            reason,
            pause: Some(pause),
        } => format!("{reason}; trying again in {} s\n", pause.as_secs()),
        VisitEvent::Away {
            reason,
            pause: None,
        } => format!("{reason}\n"),
        VisitEvent::Complaint(problem) => format!("the server says: {}\n", one_line(problem)),
        VisitEvent::Moved(turn) => {
            let mut text = moved(turn);
            if board {
                text += &draw::board(&turn.after);
            }
            text
        }
        VisitEvent::Ended(ended) => format!("game {}: {}\n", ended.game, result(ended)),
    };
    output::print(&text)
}

/// What a server says, without characters that could spoil a terminal.
fn one_line(text: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().take(200).map(clean).collect()
}

fn moved(turn: &Turn) -> String {
    let score = turn
        .score
        .map(|score| format!(", {}", score_text::short(score)));
    let depth = match turn.depth {
        0 => String::new(),
        depth => format!(", depth {depth}"),
    };
    format!(
        "game {} ({}): move {}, pit {}{}{depth}, {:.2} s\n",
        turn.game,
        turn.spec,
        turn.ply,
        turn.mv,
        score.unwrap_or_default(),
        turn.took.as_secs_f64()
    )
}

fn result(ended: &Ended) -> String {
    let word = match ended.verdict {
        Some(Verdict::Win) => "won",
        Some(Verdict::Draw) => "drawn",
        Some(Verdict::Loss) => "lost",
        None => "over, the result is not known",
    };
    let margin = ended
        .record
        .margin
        .map(|margin| format!(" by {}", margin.abs()));
    let margin = margin.filter(|_| ended.verdict != Some(Verdict::Draw));
    let detail = &ended.record.detail;
    let detail = match detail.is_empty() {
        true => String::new(),
        false => format!(" ({detail})"),
    };
    format!("{word}{}{detail}", margin.unwrap_or_default())
}

fn to_json(event: &VisitEvent) -> Value {
    match event {
        VisitEvent::Connected => json!({"event": "connected"}),
        VisitEvent::Away { reason, pause } => json!({
            "event": "away",
            "reason": reason,
            "pause_s": pause.map(|pause| pause.as_secs_f64()),
        }),
        VisitEvent::Complaint(problem) => json!({"event": "error", "words": problem}),
        VisitEvent::Moved(turn) => json!({
            "event": "move",
            "game": turn.game,
            "spec": turn.spec,
            "opponent": turn.opponent,
            "ply": turn.ply,
            "move": turn.mv,
            "position": turn.before.to_string(),
            "after": turn.after.to_string(),
            "score": turn.score.map(score_text::short),
            "depth": turn.depth,
            "took_ms": turn.took.as_millis() as u64,
        }),
        VisitEvent::Ended(ended) => json!({
            "event": "end",
            "game": ended.game,
            "spec": ended.record.game,
            "opponent": ended.opponent,
            "result": match ended.verdict {
                Some(Verdict::Win) => Some("won"),
                Some(Verdict::Draw) => Some("drawn"),
                Some(Verdict::Loss) => Some("lost"),
                None => None,
            },
            "first": ended.we_first,
            "margin": ended.record.margin.map(|margin| if ended.we_first { margin } else { -margin }),
            "moves": ended.record.moves_text(),
            "words": result(ended),
        }),
    }
}
