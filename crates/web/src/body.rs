//! The body of a request: JSON, and nothing that is not asked for.

use crate::error::ApiError;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

/// A JSON body. Another content type is refused, so that no form of another site can post here.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            let message = "the body has to be JSON, with Content-Type: application/json";
            let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            return Err(ApiError::new(status, "unsupported", message));
        }
        let bytes =
            Bytes::from_request(request, state)
                .await
                .map_err(|error| match error.status() {
                    StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(
                        StatusCode::PAYLOAD_TOO_LARGE,
                        "too_large",
                        "the body is too long",
                    ),
                    _ => ApiError::new(
                        StatusCode::BAD_REQUEST,
                        "bad_request",
                        "the body could not be read",
                    ),
                })?;
        serde_json::from_slice(&bytes).map(Body).map_err(|error| {
            let status = match error.is_data() {
                true => StatusCode::UNPROCESSABLE_ENTITY,
                false => StatusCode::BAD_REQUEST,
            };
            ApiError::new(status, "bad_json", error.to_string())
        })
    }
}
