//! Memory for tables, and files that are written whole or not at all.
//!
//! - [`Words`] and [`Pages`]: zeroed memory from the system, in large pages; [`prefetch`] loads a place into the cache.
//! - [`spare_memory`]: how much memory is available; [`room_for`] refuses more.
//! - [`Bijection`]: scrambles codes without losing any.
//! - [`replace`] and [`write_whole`]: the only way to write a file; [`open_alone`] locks one; [`remove_stale_drafts`]
//!   cleans up after writers that were killed. [`read_file`] and [`refuse_non_files`]: never wait for a pipe or a device.
//!   [`FileBytes`]: a file as a slice; `name_shortened_files` reports a file that another program shortens.
//! - [`FileError`]: what is wrong with a file, and what to do. [`data_home`] and [`cache_home`]: where files live.
//! - [`check_processor`]: whether this machine can run the program at all.

mod alone;
mod bijection;
mod error;
mod file_bytes;
mod home;
mod memory;
mod pages;
mod prefetch;
mod processor;
mod regular;
mod replace;
mod shortened;
mod words;

pub use alone::{open_alone, open_if_free};
pub use bijection::Bijection;
pub use error::{Contradiction, Damage, FileError, FileKind, Foreign, Trouble};
pub use file_bytes::FileBytes;
pub use home::{cache_home, data_home};
pub use memory::{NoRoom, give_back, keep_little, room_for, spare_memory};
pub use pages::Pages;
pub use prefetch::prefetch;
pub use processor::{OldProcessor, check_processor};
pub use regular::{read_file, refuse_non_files};
pub use replace::{check_place, draft_name, remove_stale_drafts, replace, write_whole};
#[cfg(unix)]
pub use shortened::name_shortened_files;
pub use words::Words;
