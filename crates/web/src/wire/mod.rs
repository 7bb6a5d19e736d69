//! What only a server has to say, as JSON; what any back end says is in `kalahari-wire`.

pub(crate) mod arena;
pub(crate) mod live;
pub(crate) mod refusals;
pub(crate) mod rooms;
