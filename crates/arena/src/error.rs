//! What can go wrong in the arena.

use crate::Openings;
use crate::sqlite::FileProblem;
use kalahari_agents::{AgentError, AgentSpec};
use kalahari_games::{GameSpec, IllegalMove, MoveTextError, PositionError};
use kalahari_record::{RecordError, ReplayError};
use kalahari_terms::Failure;
use thiserror::Error;

/// Why a match cannot be played, kept or read.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// There is no such agent for this game.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// There are no such openings.
    #[error("bad openings: {0}")]
    Openings(#[from] OpeningsError),
    /// A text is not a record of a game.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A record's moves cannot be played.
    #[error("bad record: {0}")]
    Replay(#[from] ReplayError),
    /// A store does not accept a game without a result.
    #[error("the game is not finished")]
    Unfinished,
    /// The store cannot be used.
    #[error("store {file}: {problem}")]
    Store {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: FileProblem,
    },
    /// The match asks for something impossible.
    #[error(transparent)]
    Match(#[from] MatchProblem),
    /// A judge of openings has failed.
    #[error("cannot judge openings: {0}")]
    Judge(#[from] Failure),
    /// The request to stop came before there was anything to show.
    #[error("interrupted")]
    Interrupted,
    /// Pictures could not be drawn or written.
    #[error("pictures in {directory}: {problem}")]
    Pictures {
        /// The directory for the pictures.
        directory: String,
        /// The error from drawing or writing them.
        problem: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// What is wrong with openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// Not a number of moves.
    #[error("'{0}' is not a number of moves from 0 to {most}", most = Openings::LONGEST)]
    Length(String),
    /// Neither a known word nor a file.
    #[error("'{name}' is not start, random:K, balanced:K or a file")]
    File {
        /// The word.
        name: String,
        /// Why it cannot be read as a file.
        source: std::io::Error,
    },
    /// A word that does not name openings, where files are not accepted.
    #[error("'{0}' is not start, random:K or balanced:K")]
    Word(String),
    /// A file without openings.
    #[error("{0} has no openings")]
    Empty(String),
    /// An opening of a file is wrong.
    #[error("{name}, opening {number}: {problem}")]
    Line {
        /// The file.
        name: String,
        /// The opening's number, from 1.
        number: usize,
        /// What is wrong with it.
        problem: Box<LineProblem>,
    },
}

/// What is wrong with an opening.
#[derive(Debug, Error)]
pub enum LineProblem {
    /// It is neither a position nor a list of moves.
    #[error("{position}; {mv}")]
    Neither {
        /// Why it is not a position.
        position: PositionError,
        /// Why it is not a move.
        mv: MoveTextError,
    },
    /// A move is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The opening ends the game, so there is nothing left to play.
    #[error("the game is over: '{0}'")]
    Over(String),
}

/// What is impossible about a match or a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatchProblem {
    /// The match has no games.
    #[error("a match needs at least one game")]
    NoGames,
    /// The game has no points, so there is no majority.
    #[error("{0} counts no points, so a game cannot end by majority")]
    NoMajority(GameSpec),
    /// There are fewer than two agents.
    #[error("a tournament needs at least two agents")]
    FewAgents,
    /// The pairings of a swiss tournament are known only as it proceeds.
    #[error(
        "a swiss tournament cannot be played in pieces: who meets whom depends on earlier rounds; round-robin and gauntlet can"
    )]
    SwissPlan,
    /// An agent cannot play against itself.
    #[error("{0} is entered twice")]
    Twice(AgentSpec),
    /// A ladder of one game says nothing about another.
    #[error("the ladder is for {ladder}, not for {game}")]
    OtherLadder {
        /// The ladder's game.
        ladder: GameSpec,
        /// The game that was asked for.
        game: GameSpec,
    },
    /// Two agents have the same name and could not be told apart.
    #[error("two agents are called '{0}'; give them names, such as mybot=py:bot.py")]
    SameName(String),
}
