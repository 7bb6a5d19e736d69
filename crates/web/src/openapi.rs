//! The description of the interface for programs, made from the code.

use crate::error::Refusal;
use crate::routes;
use crate::socket;
use axum::Json;
use kalahari_wire::frames::{Ask, Say};
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Kalahari",
        description = "Kalah and Isolation: rules, analysis, reviews, puzzles. Frames of the socket are `Ask` and `Say`."
    ),
    paths(
        routes::meta::meta,
        routes::line::line,
        routes::setup::setup,
        routes::puzzles::list,
        routes::puzzles::one,
        routes::puzzles::attempt,
        routes::arena::overview,
        routes::arena::games,
        routes::arena::plot,
        routes::live::games,
        routes::rooms::open,
        routes::rooms::one,
        routes::rooms::sit,
        routes::rooms::play,
        routes::rooms::act,
        routes::invite::invitation,
        socket::connect,
    ),
    components(schemas(Ask, Say, Refusal))
)]
struct Description;

/// The description.
pub(crate) async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(Description::openapi())
}
