//! What games depend on besides their spec: the program that plays them and the files that its agents use.
//!
//! A match or a tuning run that is continued with another program or with an edited bot would count games of different players
//! as games of one. So a store keeps the identity with each match or run, and begins a new one if the identity has changed,
//! unless it is told to mix them.

use crate::ArenaError;
use kalahari_agents::{AgentSpec, Fingerprint, fingerprint};
use kalahari_games::{AnyGame, GameSpec};
use kalahari_search::bench::SIGNATURE;
use kalahari_search::engine::PROVING;
use rusqlite::types::FromSql;
use rusqlite::{Connection, ToSql};
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// What games depend on besides their spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The version of the program.
    pub program: String,
    /// The signature of its search: see [`SIGNATURE`].
    pub search: u64,
    /// The version of what the signature does not cover: see [`PROVING`].
    #[serde(default)]
    pub proving: u32,
    /// The tablebases, books and programs that its agents use.
    pub files: Fingerprint,
}

impl Identity {
    /// The current identity of games of these agents on this machine.
    pub fn of(agents: &[AgentSpec], game: GameSpec) -> Result<Self, ArenaError> {
        let game = AnyGame::new(game);
        let mut files = Fingerprint::default();
        for agent in agents {
            files.extend(fingerprint(agent, &game)?);
        }
        Ok(Identity {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            search: SIGNATURE,
            proving: PROVING,
            files,
        })
    }

    /// What has changed since an earlier identity, as text.
    pub fn changes(&self, earlier: &Identity) -> Vec<String> {
        let mut changes = Vec::new();
        if self.program != earlier.program {
            changes.push(format!(
                "the program was {} and is {}",
                earlier.program, self.program
            ));
        }
        if (self.search, self.proving) != (earlier.search, earlier.proving) {
            changes.push("the engine's search has changed".to_owned());
        }
        changes.extend(self.files.changes(&earlier.files));
        changes
    }

    /// A text that covers everything that decides how games go: the key of their spec, and this identity.
    pub fn key_with(&self, spec: &str) -> String {
        format!("{spec} | {}", self.text())
    }

    /// The identity as a store keeps it.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Looks for a match or run of a store to continue. Returns the id of its row, or `None` if a new one begins, and a note for
/// the user, if there is one. `noun` is the note's word for a row of `table`.
///
/// The table has the columns `id`, `spec` (the key of the spec), `identity` (missing in rows of older programs), `mixed`
/// (whether games of more than one identity are in it) and `created`.
pub fn resume<I: FromSql + ToSql + Display>(
    connection: &Connection,
    (table, noun): (&str, &str),
    spec: &str,
    now: &Identity,
    mix: bool,
) -> rusqlite::Result<(Option<I>, Option<String>)> {
    let mut query = connection.prepare(&format!(
        "SELECT id, identity FROM {table} WHERE spec = ? ORDER BY created DESC, rowid DESC"
    ))?;
    let rows = query.query_map([spec], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let kept: Vec<(I, Option<String>)> = rows.collect::<Result<_, _>>()?;
    let text = now.text();
    let mut latest = None;
    for (id, identity) in kept {
        if identity.as_ref() == Some(&text) {
            return Ok((Some(id), None));
        }
        latest.get_or_insert((id, identity));
    }
    let Some((id, identity)) = latest else {
        return Ok((None, None));
    };
    let changes = match identity.map(|text| serde_json::from_str(&text)) {
        Some(Ok(earlier)) => now.changes(&earlier).join(", "),
        _ => "the store does not say which program and files played it".to_owned(),
    };
    if !mix {
        let note = format!(
            "a new {noun} begins after {noun} {id}: {changes} (--mix continues the old one)"
        );
        return Ok((None, Some(note)));
    }
    connection.execute(&format!("UPDATE {table} SET mixed = 1 WHERE id = ?"), [&id])?;
    let note = format!("{noun} {id} continues, although {changes}");
    Ok((Some(id), Some(note)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_named() {
        let earlier = Identity {
            program: "0.0.1".to_owned(),
            search: 1,
            proving: 1,
            files: Fingerprint::default(),
        };
        let mut now = earlier.clone();
        assert!(now.changes(&earlier).is_empty());
        now.program = "0.0.2".to_owned();
        now.search = 2;
        now.files.insert("bot.py", "sha256:12");
        let changes = now.changes(&earlier).join(", ");
        for word in ["was 0.0.1 and is 0.0.2", "search", "bot.py"] {
            assert!(changes.contains(word), "{changes}");
        }
        let text = now.text();
        assert_eq!(serde_json::from_str::<Identity>(&text).expect(&text), now);
    }
}
