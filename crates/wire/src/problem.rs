//! What is wrong with a request that is refused.

use kalahari_games::{IllegalMove, PositionError, SpecError};
use kalahari_study::LineError;
use serde::Serialize;
use utoipa::ToSchema;

/// What is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// A short name that programs can look at.
    #[schema(example = "bad_move")]
    pub code: &'static str,
    /// What is wrong and what would be right, in English, for clients other than the page.
    pub message: String,
    /// Which part of the request is wrong, such as `moves[3]`.
    pub field: Option<String>,
    /// Where a text goes wrong, counted in characters from 1.
    pub at: Option<usize>,
    /// The move, agent or text that is refused.
    pub what: Option<String>,
}

/// What a question gives.
pub type WireResult<T> = Result<T, Problem>;

impl Problem {
    /// A problem of a kind.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Problem {
            code,
            message: message.into(),
            field: None,
            at: None,
            what: None,
        }
    }

    /// The same, with the part of the request that is wrong.
    pub fn at(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// The same, with what is refused.
    pub fn of(mut self, what: impl Into<String>) -> Self {
        self.what = Some(what.into());
        self
    }

    /// The same, with the field placed inside the field `outer`.
    pub fn inside(mut self, outer: &str) -> Self {
        self.field = Some(match self.field {
            Some(field) => format!("{outer}.{field}"),
            None => outer.to_owned(),
        });
        self
    }

    fn in_text(mut self, text: String, at: usize) -> Self {
        self.what = Some(text);
        self.at = Some(at);
        self
    }
}

impl From<SpecError> for Problem {
    fn from(error: SpecError) -> Self {
        Problem::new("bad_game", error.to_string())
            .at("game")
            .in_text(error.text, error.at)
    }
}

impl From<PositionError> for Problem {
    fn from(error: PositionError) -> Self {
        Problem::new("bad_position", error.to_string())
            .at("start")
            .in_text(error.text, error.at)
    }
}

impl From<LineError> for Problem {
    fn from(error: LineError) -> Self {
        let message = error.to_string();
        match error {
            LineError::Start(error) => error.into(),
            LineError::Move { index, problem } => Problem::new("bad_move", message)
                .at(format!("moves[{index}]"))
                .in_text(problem.text, problem.at),
            LineError::Illegal { index, problem } => {
                let (IllegalMove::GameOver { mv } | IllegalMove::Forbidden { mv, .. }) = problem;
                Problem::new("bad_move", message)
                    .at(format!("moves[{index}]"))
                    .of(mv)
            }
        }
    }
}
