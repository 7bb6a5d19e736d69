//! A player's number.

use kalahari_games::Player;
use serde::Serialize;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A player: 0 moves first, 1 second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Who(u8);

impl From<Player> for Who {
    fn from(player: Player) -> Self {
        Who(player.index() as u8)
    }
}

impl PartialSchema for Who {
    fn schema() -> RefOr<Schema> {
        let schema = ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::Integer))
            .description(Some("A player: 0 moves first, 1 second"))
            .enum_values(Some([0, 1]));
        Schema::Object(schema.build()).into()
    }
}

impl ToSchema for Who {}
