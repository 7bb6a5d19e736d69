//! A game as a row of a store.

use crate::sqlite::{FileProblem, check_row, checksum, now};
use crate::stats::half_points;
use kalahari_games::{GameSpec, Verdict};
use kalahari_record::Who;
use kalahari_record::{
    Ending, GameRecord, MoveReader, RecordProblem, RecordedMove, ScoreText, read_result, words,
};
use rusqlite::{Row, ToSql};
use std::fmt::Display;

/// What a store keeps of a game. The table holds numbers of agents and openings instead of their texts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GameRow {
    pub(crate) match_id: String,
    pub(crate) number: u32,
    pub(crate) start: String,
    pub(crate) first: String,
    pub(crate) second: String,
    result: String,
    margin: Option<i32>,
    score_a: f64,
    margin_a: Option<i32>,
    ending: String,
    detail: String,
    book: i64,
    plies: i64,
    moves: String,
    times: String,
    opinions: String,
    seconds: f64,
    played: i64,
}

/// The columns that [`GameRow::read`] reads, of the tables `g` (games), `o` (openings), `f` and `s` (first and second agent).
pub(crate) const COLUMNS: &str = "g.match, g.place, o.start, f.spec, s.spec, g.result, g.margin, g.score_a, g.margin_a,
    g.ending, g.detail, g.book, g.plies, g.moves, g.times, g.opinions, g.seconds, g.played, g.checksum";

impl GameRow {
    /// The row of a game that has just been finished, with this verdict for the match's first agent.
    pub(crate) fn new(record: &GameRecord, verdict: Verdict) -> Self {
        let start = record.start.as_ref().map(ToString::to_string);
        let [first, second] = record.players.each_ref().map(|player| player.agent.clone());
        let sign = record.seat_of_a().sign();
        GameRow {
            match_id: record.match_id.clone(),
            number: record.number,
            start: start.unwrap_or_default(),
            first,
            second,
            result: record.result_text().to_owned(),
            margin: record.margin,
            score_a: f64::from(half_points(verdict)) / 2.0,
            margin_a: record.margin.map(|margin| margin * sign),
            ending: record.ending.name().to_owned(),
            detail: record.detail.clone(),
            book: record.book as i64,
            plies: record.moves.len() as i64,
            moves: record.moves_text(),
            times: words(&record.moves, |mv| mv.micros),
            opinions: words(&record.moves, |mv| mv.score.map(ScoreText)),
            seconds: record.seconds(),
            played: now(),
        }
    }

    /// All its values, in the order of [`COLUMNS`]. An unknown margin is written as `-`.
    fn with_values<T>(&self, of: impl FnOnce(&[&dyn Display]) -> T) -> T {
        let known =
            |margin: Option<i32>| margin.map_or("-".to_owned(), |margin| margin.to_string());
        of(&[
            &self.match_id,
            &self.number,
            &self.start,
            &self.first,
            &self.second,
            &self.result,
            &known(self.margin),
            &self.score_a.to_bits(),
            &known(self.margin_a),
            &self.ending,
            &self.detail,
            &self.book,
            &self.plies,
            &self.moves,
            &self.times,
            &self.opinions,
            &self.seconds.to_bits(),
            &self.played,
        ])
    }

    /// The checksum of all its values.
    pub(crate) fn checksum(&self) -> u32 {
        self.with_values(checksum)
    }

    /// The values of a row of the table `games`, given the numbers of its opening and of its agents, and its checksum.
    pub(crate) fn with_params<T>(
        &self,
        [opening, first, second]: [i64; 3],
        checksum: u32,
        of: impl FnOnce(&[&dyn ToSql]) -> T,
    ) -> T {
        of(&[
            &self.match_id,
            &self.number,
            &opening,
            &first,
            &second,
            &self.result,
            &self.margin,
            &self.score_a,
            &self.margin_a,
            &self.ending,
            &self.detail,
            &self.book,
            &self.plies,
            &self.moves,
            &self.times,
            &self.opinions,
            &self.seconds,
            &self.played,
            &checksum,
        ])
    }

    /// Reads [`COLUMNS`] and compares the checksum.
    pub(crate) fn read(row: &Row<'_>) -> Result<Self, FileProblem> {
        let read = GameRow {
            match_id: row.get(0)?,
            number: row.get(1)?,
            start: row.get(2)?,
            first: row.get(3)?,
            second: row.get(4)?,
            result: row.get(5)?,
            margin: row.get(6)?,
            score_a: row.get(7)?,
            margin_a: row.get(8)?,
            ending: row.get(9)?,
            detail: row.get(10)?,
            book: row.get(11)?,
            plies: row.get(12)?,
            moves: row.get(13)?,
            times: row.get(14)?,
            opinions: row.get(15)?,
            seconds: row.get(16)?,
            played: row.get(17)?,
        };
        let kept = row.get(18)?;
        read.with_values(|values| check_row(kept, values, read.name()))?;
        Ok(read)
    }

    /// The name of the game for messages.
    fn name(&self) -> String {
        format!(
            "game {} of match {}",
            u64::from(self.number) + 1,
            self.match_id
        )
    }

    /// The record of the game, given its match's game, seed and names of agents.
    pub(crate) fn record(
        self,
        game: GameSpec,
        rng_seed: u64,
        names: &[String; 2],
    ) -> Result<GameRecord, FileProblem> {
        let name = self.name();
        let damaged = |problem: RecordProblem| FileProblem::Damaged(format!("{name}: {problem}"));
        let start = Some(self.start.as_str()).filter(|start| !start.is_empty());
        let ending: Ending = self
            .ending
            .parse()
            .map_err(|e| damaged(RecordProblem::Ending(e)))?;
        let (mut reader, start) = MoveReader::new(game, start).map_err(|e| damaged(e.into()))?;
        let mut times = self.times.split(' ');
        let mut opinions = self.opinions.split(' ');
        let moves = self.moves.split(' ').filter(|mv| !mv.is_empty()).map(|mv| {
            let micros = times.next().and_then(|time| time.parse().ok());
            let opinion = opinions.next().filter(|text| !matches!(*text, "" | "-"));
            reader.read(mv, micros, opinion)
        });
        let moves: Result<Vec<RecordedMove>, RecordProblem> = moves.collect();
        let moves = moves.map_err(damaged)?;
        // In even-numbered games the match's first agent moves first.
        let seat_of_a = (self.number % 2) as usize;
        let players =
            [(self.first, seat_of_a), (self.second, 1 - seat_of_a)].map(|(agent, side)| Who {
                name: names[side].clone(),
                agent,
            });
        Ok(GameRecord {
            game,
            players,
            start,
            book: usize::try_from(self.book).unwrap_or(0).min(moves.len()),
            moves,
            winner: read_result(&self.result, ending).map_err(damaged)?,
            margin: self.margin,
            ending,
            detail: self.detail,
            match_id: self.match_id,
            number: self.number,
            rng_seed,
        })
    }
}
