//! The nets that are part of the program. In a browser only the first one is: the page loads the others when they are needed
//! and [adds](give_net) them.

use crate::{Net, NetFile, Shape};
use kalahari_games::kalah::KalahSpec;
use kalahari_storage::FileError;
use std::path::Path;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// Files of the folder `nets` of this crate: their names, and those whose contents are part of the program.
macro_rules! shipped {
    ($first:literal, $($file:literal,)*) => {
        const NAMES: &[&str] = &[$first, $($file),*];
        #[cfg(not(target_family = "wasm"))]
        const SHIPPED: &[(&str, &[u8])] = &[
            ($first, include_bytes!(concat!("../nets/", $first))),
            $(($file, include_bytes!(concat!("../nets/", $file)))),*
        ];
        #[cfg(target_family = "wasm")]
        const SHIPPED: &[(&str, &[u8])] = &[($first, include_bytes!(concat!("../nets/", $first)))];
    };
}

shipped![
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

/// Read once, when one is first asked for; others may be added later.
static NETS: LazyLock<RwLock<Vec<Arc<Net>>>> = LazyLock::new(|| {
    let read = |&(name, bytes): &(&str, &[u8])| {
        let file = NetFile::read(Path::new(name), bytes).expect("a test reads every shipped net");
        Arc::new(file.net)
    };
    RwLock::new(SHIPPED.iter().map(read).collect())
});

fn nets() -> Vec<Arc<Net>> {
    NETS.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The shapes of the program's nets.
pub fn shipped_nets() -> impl Iterator<Item = Shape> {
    nets().into_iter().map(|net| net.shape())
}

/// The program's net for a game, if there is one.
pub fn shipped_net(game: KalahSpec) -> Option<Arc<Net>> {
    let nets = NETS.read().unwrap_or_else(PoisonError::into_inner);
    nets.iter().find(|net| net.shape().fits(game)).cloned()
}

/// The names and contents of the files that are part of the program.
pub fn shipped_files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    SHIPPED.iter().copied()
}

/// The name of the file of a game's net, if that net is not part of the program and has not been added yet.
pub fn missing_net(game: KalahSpec) -> Option<&'static str> {
    let name = format!("kalah-{}-{}.net", game.pits(), game.rule());
    let name = NAMES.iter().find(|known| **known == name)?;
    let has_shape = |net: &Arc<Net>| {
        let shape = net.shape();
        shape.pits() == game.pits() && shape.rule() == game.rule()
    };
    (!nets().iter().any(has_shape)).then_some(name)
}

/// Adds a net to those of the program, for all players made from now on.
pub fn give_net(name: &str, bytes: &[u8]) -> Result<Shape, FileError> {
    let net = NetFile::read(Path::new(name), bytes)?.net;
    let shape = net.shape();
    let mut nets = NETS.write().unwrap_or_else(PoisonError::into_inner);
    if !nets.iter().any(|known| known.shape() == shape) {
        nets.push(Arc::new(net));
    }
    Ok(shape)
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
    fn all_nets_are_there_and_can_be_given_again() {
        let names: Vec<&str> = shipped_files().map(|(name, _)| name).collect();
        assert_eq!(names, NAMES);
        for game in [
            "kalah:6x4",
            "kalah:12x12",
            "kalah:9x4",
            "kalah:6x4:standard+majority",
        ] {
            assert_eq!(missing_net(game.parse().expect("a game")), None, "{game}");
        }
        let before = shipped_nets().count();
        for (name, bytes) in shipped_files() {
            give_net(name, bytes).expect(name);
            assert!(give_net(name, &bytes[1..]).is_err());
        }
        assert_eq!(shipped_nets().count(), before);
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
