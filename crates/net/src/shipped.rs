//! The nets that are part of the program.

use crate::{Net, NetFile, Shape};
use kalahari_games::kalah::KalahSpec;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// Files of the folder `nets` of this crate.
macro_rules! shipped {
    ($($file:literal,)*) => {
        &[$(($file, include_bytes!(concat!("../nets/", $file)))),*]
    };
}

const SHIPPED: &[(&str, &[u8])] = shipped![
    "kalah-6-standard.net",
    "kalah-6-empty-capture.net",
    "kalah-6-pre-move-empty.net",
    "kalah-4-standard.net",
    "kalah-5-standard.net",
    "kalah-7-standard.net",
    "kalah-8-standard.net",
    "kalah-10-standard.net",
    "kalah-12-standard.net",
];

/// Read once, when the first is asked for.
static NETS: LazyLock<Vec<Arc<Net>>> = LazyLock::new(|| {
    let read = |&(name, bytes): &(&str, &[u8])| {
        let file = NetFile::read(Path::new(name), bytes).expect("a test reads every shipped net");
        Arc::new(file.net)
    };
    SHIPPED.iter().map(read).collect()
});

/// The shapes of the program's nets.
pub fn shipped_nets() -> impl Iterator<Item = Shape> {
    NETS.iter().map(|net| net.shape())
}

/// The program's net for a game, if there is one.
pub fn shipped_net(game: KalahSpec) -> Option<Arc<Net>> {
    NETS.iter().find(|net| net.shape().fits(game)).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_net_is_small_and_named_after_its_boards() {
        for (name, bytes) in SHIPPED {
            assert!(bytes.len() < 200_000, "{name}");
            let file = NetFile::read(Path::new(name), bytes).expect(name);
            let shape = file.net.shape();
            let expected = format!("kalah-{}-{}.net", shape.pits(), shape.rule());
            assert_eq!(*name, expected);
            assert_eq!(file.to_bytes(), *bytes, "{name}");
            assert!(file.origin.positions > 0, "{name}");
        }
    }

    #[test]
    fn a_game_gets_its_own_net() {
        for (game, pits) in [
            ("kalah:6x6", Some(6)),
            ("kalah:12x12", Some(12)),
            ("kalah:9x4", None),
        ] {
            let game: KalahSpec = game.parse().expect("a game");
            assert_eq!(
                shipped_net(game).map(|net| net.shape().pits()),
                pits,
                "{game}"
            );
        }
        let large: KalahSpec = "kalah:6x20".parse().expect("a game");
        assert_eq!(shipped_net(large), None, "more seeds than the net has seen");
    }
}
