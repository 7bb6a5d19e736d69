//! Refusals of the HTTP interface.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kalahari_agents::NoAnswer;
use kalahari_wire::Problem;
use serde::Serialize;
use utoipa::ToSchema;

/// A refusal: a status and what to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) problem: Problem,
}

/// The body of every refusal.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Refusal {
    error: Problem,
}

/// The result of a handler.
pub(crate) type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        ApiError {
            status,
            problem: Problem::new(code, message),
        }
    }

    /// Something in the request makes no sense (422).
    pub(crate) fn bad(code: &'static str, message: impl Into<String>) -> Self {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        ApiError::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    pub(crate) fn at(mut self, field: impl Into<String>) -> Self {
        self.problem = self.problem.at(field);
        self
    }
}

impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        let status = match problem.code {
            "not_found" | "no_rooms" => StatusCode::NOT_FOUND,
            "taken" | "stale" | "not_your_turn" | "no_offer" | "alone" => StatusCode::CONFLICT,
            "not_yours" => StatusCode::FORBIDDEN,
            "internal" => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        ApiError { status, problem }
    }
}

impl From<NoAnswer> for ApiError {
    fn from(error: NoAnswer) -> Self {
        let message = error.to_string();
        match error {
            NoAnswer::NoThread => ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message),
            // Messages about this machine may name its files.
            NoAnswer::Agent(_) => {
                eprintln!("kalahari: {message}");
                ApiError::internal("the player cannot be made; the server's terminal says why")
            }
            NoAnswer::Failed(_) | NoAnswer::Panicked => ApiError::internal(message),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (
            self.status,
            Json(Refusal {
                error: self.problem,
            }),
        )
            .into_response();
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            let second = HeaderValue::from_static("1");
            response.headers_mut().insert(header::RETRY_AFTER, second);
        }
        response
    }
}
