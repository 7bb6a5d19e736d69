//! The page and the server behind it: `kalahari serve`.
//!
//! The page knows no rules; the server says what is legal and what a move does. `API.md` describes the
//! interface. The server listens on this machine only, unless it is set up to accept invited people ([`Hosting`]); it reads
//! and writes no file that a client names, and shares its two searches fairly among all who wait.

#![forbid(unsafe_code)]

/// Prints to standard error. The standard macro panics if nobody can read that, and a full log must not end long work.
macro_rules! eprintln {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

mod access;
mod app;
mod arena;
mod body;
mod error;
mod guard;
mod openapi;
mod page;
mod patient;
mod qr;
mod readers;
mod rooms;
mod routes;
mod server;
mod socket;
mod token;
mod wire;

pub use access::{NotAName, PublicName};
pub use app::{GuestLimits, Limits};
pub use guard::own_hosts;
pub use page::{JoinError, SiteError, write_site};
pub use qr::QrCode;
#[doc(hidden)]
pub use readers::read_anything;
pub use rooms::KeepError;
pub use server::{Hosting, ServeError, ServeOptions, Server};
pub use token::NoChance;
