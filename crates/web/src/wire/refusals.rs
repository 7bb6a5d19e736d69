//! The refusals that belong to a request of any kind, for the description of the interface.

use crate::error::Refusal;
use std::collections::BTreeMap;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

/// Any request may be refused like this.
pub(crate) struct Always;

/// A request with a body may also be refused like this.
pub(crate) struct OfBodies;

const ALWAYS: [(u16, &str); 5] = [
    (400, "The request cannot be read"),
    (401, "It needs an invitation"),
    (
        403,
        "It comes from another site, or is meant for another host",
    ),
    (408, "It took too long"),
    (429, "Too many of them: try again in a second"),
];

const OF_BODIES: [(u16, &str); 3] = [
    (413, "The body is too long"),
    (415, "The content type is not JSON"),
    (422, "What is wrong with it, and where"),
];

impl IntoResponses for Always {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        refusals(&ALWAYS)
    }
}

impl IntoResponses for OfBodies {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut all = refusals(&OF_BODIES);
        all.extend(Always::responses());
        all
    }
}

fn refusals(list: &[(u16, &str)]) -> BTreeMap<String, RefOr<Response>> {
    let refusal = |&(status, about): &(u16, &str)| {
        let schema = Ref::from_schema_name(Refusal::name());
        let content = ContentBuilder::new().schema(Some(schema)).build();
        let response = ResponseBuilder::new()
            .description(about)
            .content("application/json", content);
        (status.to_string(), response.build().into())
    };
    list.iter().map(refusal).collect()
}
