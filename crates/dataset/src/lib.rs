//! Labelled positions, for training and for analysis.
//!
//! A [`Recipe`] says where positions come from ([`Source`]) and what labels them ([`Labels`]). [`build`] makes its shards: numbered files
//! of rows, Parquet or CSV, each of which depends only on the recipe and its number, and a [`Manifest`] beside them.
//! [`Shard::read`] reads a shard back as [`Row`]s and checks all of it.
//!
//! `docs/data.md` describes the columns.

#![forbid(unsafe_code)]

mod build;
mod collection;
mod csv_file;
mod error;
mod format;
mod in_order;
mod label;
mod manifest;
mod merge;
mod parquet_file;
mod recipe;
mod row;
mod shard;
mod source;
mod survey;
mod table;

pub use build::{Build, Listener, News, build, build_files, collect, identity};
pub use collection::Collection;
pub use error::{DatasetError, MANIFEST, RecipeError, SHARD};
pub use format::Format;
pub use manifest::{Entry, MANIFEST_FILE, Manifest};
pub use merge::{Merged, merge};
pub use recipe::{Labels, MOST_ROWS, Range, Recipe, Share, Source, things};
pub use row::{Label, LabelSource, Row, key, left};
pub use shard::{Shard, ShardFile, read_shards, shard_files};
pub use source::StoredGames;
pub use survey::{Survey, survey};
pub use table::Column;
