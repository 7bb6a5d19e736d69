//! The data behind every picture, as CSV.

use super::data::GameData;
use super::versions::Versions;
use std::fmt::Display;

/// A row. Fields with commas, quotation marks or line breaks are quoted.
fn row(fields: &[&dyn Display]) -> String {
    let quoted = fields.iter().map(|field| {
        let field = field.to_string();
        match field.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", field.replace('"', "\"\"")),
            false => field,
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

/// A number with three decimal places; empty if it is not finite.
fn number(value: f64) -> String {
    match value.is_finite() {
        true => format!("{value:.3}"),
        false => String::new(),
    }
}

/// Players: ratings, results, times, forfeits.
pub(super) fn players(data: &GameData) -> String {
    let mut text = "player,elo,error,won,drawn,lost,milliseconds_a_move,forfeits_on_time,forfeits_by_illegal_moves,forfeits_by_crashes\n".to_owned();
    for player in &data.players {
        let [won, drawn, lost] = player.results;
        let millis = player.millis.map_or(String::new(), number);
        text += &row(&[
            &player.name,
            &number(player.elo),
            &number(player.error),
            &won,
            &drawn,
            &lost,
            &millis,
            &player.forfeits.time,
            &player.forfeits.illegal,
            &player.forfeits.crash,
        ]);
    }
    text
}

/// Who scored what against whom, from both sides.
pub(super) fn meetings(data: &GameData) -> String {
    let mut text = "player,opponent,won,drawn,lost,score\n".to_owned();
    for one in 0..data.players.len() {
        for two in 0..data.players.len() {
            if let (Some([won, drawn, lost]), Some(score)) =
                (data.meeting(one, two), data.score(one, two))
            {
                let [one, two] = [one, two].map(|player| &data.players[player].name);
                text += &row(&[one, two, &won, &drawn, &lost, &number(score)]);
            }
        }
    }
    text
}

/// Openings and the first player's score from each.
pub(super) fn openings(data: &GameData) -> String {
    let mut text = "opening,games,score_of_first_player\n".to_owned();
    for opening in &data.openings {
        text += &row(&[&opening.name, &opening.games, &number(opening.score)]);
    }
    text
}

/// One number per game.
pub(super) fn values(name: &str, values: &[i64]) -> String {
    let mut text = format!("{name}\n");
    for value in values {
        text += &row(&[value]);
    }
    text
}

/// Ratings of versions.
pub(super) fn versions(data: &GameData) -> String {
    let mut text = "agent,version,elo,error,games\n".to_owned();
    for (name, line) in Versions(data).lines() {
        for (version, player) in line {
            let games: u64 = player.results.iter().sum();
            text += &row(&[
                &name,
                &version,
                &number(player.elo),
                &number(player.error),
                &games,
            ]);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_are_quoted() {
        assert_eq!(
            row(&[&"a,b", &1, &"say \"x\""]),
            "\"a,b\",1,\"say \"\"x\"\"\"\n"
        );
        assert_eq!(number(f64::INFINITY), "");
        assert_eq!(values("margin", &[3, -2]), "margin\n3\n-2\n");
    }
}
