//! Who can be played against. A client names one of these and nothing else.

use kalahari_agents::{AgentKind, AgentSpec, LEVEL_PATIENCE, LEVELS, OptionKey};
use serde::Serialize;
use utoipa::ToSchema;

/// An opponent. Which fields are set depends on its kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Opponent {
    /// What a client names.
    pub agent: String,
    /// What it is.
    pub kind: OpponentKind,
    /// Of a level: how many moves it looks ahead.
    pub level: Option<u32>,
    /// The longest that it thinks about a move; null if only the program itself knows.
    pub time_ms: Option<u64>,
}

/// What an opponent is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OpponentKind {
    /// Looks a number of moves ahead.
    Level,
    /// The strongest player.
    Engine,
    /// Monte Carlo tree search.
    Mcts,
    /// Proven best moves where they can be proven.
    Perfect,
    /// A program of the server's owner.
    Own,
}

/// Opponents that are not levels, and their milliseconds per move.
const NAMED: [(AgentKind, OpponentKind, u64); 3] = [
    (AgentKind::Engine, OpponentKind::Engine, 500),
    (AgentKind::Mcts, OpponentKind::Mcts, 500),
    (AgentKind::Perfect, OpponentKind::Perfect, PROOF_MS),
];

/// How long `perfect` may try to prove a move, in milliseconds.
pub const PROOF_MS: u64 = 4_000;

/// The opponents that every back end has, the weakest first.
pub fn all() -> Vec<Opponent> {
    let level = |level: u32| Opponent {
        agent: AgentSpec::of_level(level).to_string(),
        kind: OpponentKind::Level,
        level: Some(level),
        time_ms: Some(LEVEL_PATIENCE.as_millis() as u64),
    };
    let named = NAMED.map(|(agent, kind, time_ms)| Opponent {
        agent: agent.name().to_owned(),
        kind,
        level: None,
        time_ms: Some(time_ms),
    });
    (0..=LEVELS).map(level).chain(named).collect()
}

/// The agent of an opponent's name; `None` if there is no such opponent.
pub fn agent(name: &str) -> Option<AgentSpec> {
    let asked: AgentSpec = name.parse().ok()?;
    let is_level = (0..=LEVELS).any(|level| AgentSpec::of_level(level) == asked);
    let is_named = NAMED
        .iter()
        .any(|(kind, ..)| AgentSpec::plain(*kind) == asked);
    (is_level || is_named).then(|| limited(&asked))
}

/// Programs of the server's owner, by the names that clients know: a client cannot start anything else.
#[derive(Clone, Debug, Default)]
pub struct OwnAgents(Vec<(String, AgentSpec)>);

impl OwnAgents {
    /// These agents; each is called by its file, without the folder.
    pub fn new(agents: impl IntoIterator<Item = AgentSpec>) -> Self {
        let mut named: Vec<(String, AgentSpec)> = Vec::new();
        for agent in agents {
            let name = format!("own:{}", file_of(&agent));
            let taken = |name: &str| named.iter().any(|(other, _)| other == name);
            let free = (2..).map(|number| format!("{name}-{number}"));
            let name = std::iter::once(name.clone())
                .chain(free)
                .find(|name| !taken(name));
            named.extend(name.map(|name| (name, agent)));
        }
        OwnAgents(named)
    }

    /// The agent of a name.
    pub fn agent(&self, name: &str) -> Option<AgentSpec> {
        let found = self.0.iter().find(|(own, _)| own == name);
        found.map(|(_, agent)| agent.clone())
    }

    /// These agents as clients see them.
    pub fn opponents(&self) -> impl Iterator<Item = Opponent> {
        self.0.iter().map(|(name, _)| Opponent {
            agent: name.clone(),
            kind: OpponentKind::Own,
            level: None,
            time_ms: None,
        })
    }
}

/// The name of an agent's file, or the whole agent if it has none.
fn file_of(agent: &AgentSpec) -> String {
    if !agent.kind().is_foreign() {
        return agent.to_string();
    }
    let command = agent.arguments();
    let file = command.split([' ', ',']).next().unwrap_or(command);
    let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
    file.split('.').next().unwrap_or(file).to_owned()
}

/// The engine as an opponent.
pub fn engine() -> AgentSpec {
    limited(&AgentSpec::plain(AgentKind::Engine))
}

/// An opponent that thinks no longer than a person waits.
fn limited(opponent: &AgentSpec) -> AgentSpec {
    match opponent.kind() {
        AgentKind::Perfect => opponent.with(OptionKey::Threads, 1),
        AgentKind::Level => opponent.for_a_person(),
        _ => opponent.with(OptionKey::Time, "500ms"),
    }
}
