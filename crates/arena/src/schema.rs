//! The tables of a store of games.
//!
//! ```text
//! agents    id, spec
//! matches   id (16 hex digits), key, game, agent_a, agent_b, openings, seed, limits, adjudicate, created,
//!           spec, identity (JSON), mixed, checksum, name_a, name_b, names_checksum
//! openings  id, game, start, moves, position
//! runs      id, experiment (a file's text, empty without one), command, program, commit_id, machine, began, checksum
//! run_matches  run, match, began
//! games     match, place (from 0: pair = place / 2, seating = place % 2), number (from 1, as tables show it), opening, first, second,
//!           result, margin, score_a (0, 0.5, 1), margin_a, ending, detail,
//!           book, plies, moves, times, opinions, seconds, played, checksum
//! ```
//!
//! A game is one row and is written in one transaction, so a program that is killed leaves only complete games.
//! A match and a place name a game; writing it again changes nothing. `moves`, `times` and `opinions` are
//! lists separated by blanks, one entry per move, `-` for none: texts of moves, microseconds, scores as in a
//! record. `margin` is the first player's, `margin_a` the match's first agent's. `checksum` covers the row with the texts
//! of its agents and its opening's start; it is 0 where an older program wrote none. Reading a row that does not match it is an error.
//!
//! `name_a` and `name_b` are the names of the agents when the match was last played, empty in rows of older programs.
//! `spec` says what was asked for, `identity` which program and files played it (missing where an older program
//! began the match), `key` is both. A match that is `mixed` also has games of other identities.

use crate::sqlite::FileKind;

/// The kind of file. The number spells "KALA" in ASCII.
pub(crate) const KIND: FileKind = FileKind {
    name: "a store of games",
    application: 0x4b41_4c41,
    versions: &[
        "
CREATE TABLE agents (
    id INTEGER PRIMARY KEY,
    spec TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    agent_a INTEGER NOT NULL REFERENCES agents,
    agent_b INTEGER NOT NULL REFERENCES agents,
    openings TEXT NOT NULL,
    seed TEXT NOT NULL,
    limits TEXT NOT NULL,
    adjudicate TEXT NOT NULL,
    created INTEGER NOT NULL
) STRICT;
CREATE TABLE openings (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    start TEXT NOT NULL,
    moves TEXT NOT NULL,
    position TEXT NOT NULL,
    UNIQUE (game, start, moves)
) STRICT;
CREATE TABLE games (
    match TEXT NOT NULL REFERENCES matches,
    number INTEGER NOT NULL,
    opening INTEGER NOT NULL REFERENCES openings,
    first INTEGER NOT NULL REFERENCES agents,
    second INTEGER NOT NULL REFERENCES agents,
    result TEXT NOT NULL,
    margin INTEGER,
    score_a REAL NOT NULL,
    margin_a INTEGER,
    ending TEXT NOT NULL,
    detail TEXT NOT NULL,
    book INTEGER NOT NULL,
    plies INTEGER NOT NULL,
    moves TEXT NOT NULL,
    times TEXT NOT NULL,
    opinions TEXT NOT NULL,
    seconds REAL NOT NULL,
    played INTEGER NOT NULL,
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;
",
        "
ALTER TABLE matches ADD COLUMN spec TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN identity TEXT;
ALTER TABLE matches ADD COLUMN mixed INTEGER NOT NULL DEFAULT 0;
UPDATE matches SET spec = key;
",
        "
ALTER TABLE matches ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
",
        "
ALTER TABLE matches ADD COLUMN name_a TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN name_b TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN names_checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games RENAME COLUMN number TO place;
ALTER TABLE games ADD COLUMN number INTEGER GENERATED ALWAYS AS (place + 1) VIRTUAL;
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    experiment TEXT NOT NULL,
    command TEXT NOT NULL,
    program TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    machine TEXT NOT NULL,
    began INTEGER NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE run_matches (
    run INTEGER NOT NULL REFERENCES runs,
    match TEXT NOT NULL REFERENCES matches,
    began INTEGER NOT NULL,
    PRIMARY KEY (run, match)
) STRICT, WITHOUT ROWID;
",
    ],
};
