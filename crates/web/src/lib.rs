//! The page and the server behind it: `kalahari serve`.
//!
//! The page knows no rules; the server says what is legal and what a move does. `API.md` describes the
//! interface. The server listens on this machine only, reads and writes no file that a client names, and
//! shares its two searches fairly among all who wait.

#![forbid(unsafe_code)]

mod app;
mod arena;
mod body;
mod error;
mod guard;
mod openapi;
mod page;
mod patient;
mod readers;
mod routes;
mod server;
mod socket;
mod wire;

pub use app::Limits;
pub use guard::own_hosts;
pub use page::{JoinError, SiteError, write_site};
#[doc(hidden)]
pub use readers::read_anything;
pub use server::{ServeError, ServeOptions, Server};
