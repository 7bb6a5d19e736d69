//! `/invite/TOKEN`: opens an invitation; `/api/v1/invitation`: the link for others.

use crate::access::Visitor;
use crate::app::Shared;
use crate::error::{ApiError, ApiResult, Refusal};
use crate::guard::stranger;
use crate::qr::QrCode;
use crate::wire::refusals::Always;
use crate::wire::rooms::{InvitationAnswer, InvitationQuery};
use axum::Json;
use axum::extract::{Extension, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// Exchanges the token of an invitation for a cookie, and leads to the page. The part of the link after `#` stays with the browser.
pub(crate) async fn enter(
    State(app): State<Shared>,
    Extension(visitor): Extension<Visitor>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Response {
    let Some(access) = &app.access else {
        return ApiError::not_found("there is nothing here").into_response();
    };
    let Some(owner) = access.token(&token) else {
        return stranger(access, visitor.address, false);
    };
    let onwards = [
        (header::LOCATION, "/".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    // The owner who opens the others' link stays the owner.
    if visitor.owner && !owner {
        return (StatusCode::SEE_OTHER, onwards).into_response();
    }
    let host = headers.get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    let cookie = [(header::SET_COOKIE, access.cookie(&token, host))];
    (StatusCode::SEE_OTHER, cookie, onwards).into_response()
}

/// The link of the invitation, as text and as a QR code.
#[utoipa::path(
    get,
    path = "/api/v1/invitation",
    operation_id = "invitation",
    params(InvitationQuery),
    responses((status = 200, body = InvitationAnswer), (status = 404, body = Refusal), Always)
)]
pub(crate) async fn invitation(
    State(app): State<Shared>,
    query: Result<Query<InvitationQuery>, axum::extract::rejection::QueryRejection>,
) -> ApiResult<Json<InvitationAnswer>> {
    let Some(access) = &app.access else {
        let message = "invitations are off: start the server with --host ADDRESS";
        return Err(ApiError::new(StatusCode::NOT_FOUND, "no_rooms", message));
    };
    let Query(query) =
        query.map_err(|_| ApiError::bad("bad_request", "room must be a name").at("room"))?;
    let mut link = access.link();
    if let Some(room) = query.room {
        if room.len() > 40 || !room.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(ApiError::not_found("there is no such room").at("room"));
        }
        link += &format!("#/room?id={room}");
    }
    let code = QrCode::new(&link).map(|code| code.rows());
    Ok(Json(InvitationAnswer {
        code: code.unwrap_or_default(),
        link,
    }))
}
