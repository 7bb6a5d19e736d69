//! Tablebases checked against a full negamax.

use kalahari_exact::tablebase::{TableSpec, Tablebase};
use kalahari_games::Player;
use kalahari_games::kalah::{CaptureRule, Kalah, KalahSetup, KalahSpec, Packed, Wide};
use kalahari_oracle::{ArrayKalah, KalahNegamax};
use kalahari_terms::Stop;

/// A small, portable generator (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end
    }
}

/// Distributes the seeds one by one; every second board gets most of them in one pit, so that sowings lap.
fn any_setup(random: &mut Random, pits: usize, seeds: usize) -> KalahSetup {
    let mut houses = vec![0; 2 * pits + 2];
    let pit = |random: &mut Random| {
        let place = random.below(2 * pits);
        place + usize::from(place >= pits)
    };
    let heap = pit(random);
    let heaped = random.below(2) * random.below(seeds + 1);
    houses[heap] += heaped as u16;
    for _ in heaped..seeds {
        houses[pit(random)] += 1;
    }
    houses[pits] = random.below(9) as u16;
    houses[2 * pits + 1] = random.below(9) as u16;
    let player = Player::BOTH[random.below(2)];
    KalahSetup { houses, player }
}

fn check(pits: usize, seeds: usize, positions: usize) {
    for rule in CaptureRule::ALL {
        let table_spec = TableSpec::new(pits, rule).expect("a family");
        let table = Tablebase::build(table_spec, seeds, &Stop::new()).expect("built");
        let spec = KalahSpec::new(pits, 4, rule).expect("a game");
        let packed = Kalah::<Packed>::new(spec).expect("fits").with_any_total();
        let wide = Kalah::wide(spec).with_any_total();
        let mut oracle = KalahNegamax::default();
        let mut random = Random(0x9E37_79B9 + pits as u64);
        for _ in 0..positions {
            let on_board = 1 + random.below(seeds);
            let setup = any_setup(&mut random, pits, on_board);
            let expected = oracle.final_margin(&ArrayKalah::from_setup(spec, &setup));
            let position: Packed = packed.position(&setup).expect("a position");
            assert_eq!(
                table.final_margin(&packed, &position),
                Some(expected),
                "{rule} {setup}"
            );
            let position: Wide = wide.position(&setup).expect("a position");
            assert_eq!(table.final_margin(&wide, &position), Some(expected));
        }
    }
}

#[test]
fn one_to_three_pits() {
    check(1, 40, 300);
    check(2, 24, 1000);
    check(3, 16, 1000);
}

#[test]
fn four_and_five_pits() {
    check(4, 13, 600);
    check(5, 12, 400);
}

#[test]
fn six_pits() {
    check(6, 12, 300);
}

#[test]
fn six_pits_with_laps() {
    for rule in CaptureRule::ALL {
        let table_spec = TableSpec::new(6, rule).expect("a family");
        let table = Tablebase::build(table_spec, 13, &Stop::new()).expect("built");
        let spec = KalahSpec::new(6, 4, rule).expect("a game");
        let game = Kalah::<Packed>::new(spec).expect("fits").with_any_total();
        let mut oracle = KalahNegamax::default();
        let mut random = Random(77);
        for extra in [0, 0, 0, 0, 1] {
            let mut setup = any_setup(&mut random, 6, extra);
            let heap = random.below(6);
            setup.houses[heap] += 9 + random.below(3) as u16;
            setup.houses[12] += 1 - setup.houses[12].min(1);
            let expected = oracle.final_margin(&ArrayKalah::from_setup(spec, &setup));
            let position = game.position(&setup).expect("a position");
            let found = table.final_margin(&game, &position);
            assert_eq!(found, Some(expected), "{rule} {setup}");
        }
    }
}

#[test]
fn positions_of_other_families_are_unknown() {
    let spec: TableSpec = "kalah:4:standard".parse().expect("a name");
    let table = Tablebase::build(spec, 8, &Stop::new()).expect("built");
    let ask = |name: &str, position: &str| {
        let game = Kalah::<Packed>::new(name.parse().expect("a name")).expect("fits");
        let setup: KalahSetup = position.parse().expect("a setup");
        let game = game.with_any_total();
        let position = game.position(&setup).expect("a position");
        table.future_margin(&game, &position)
    };
    assert_eq!(
        ask("kalah:4x1", "1 1 1 1 0 1 1 1 1 0 0").map(|_| ()),
        Some(())
    );
    assert_eq!(ask("kalah:4x1", "2 1 1 1 0 1 1 1 1 0 0"), None);
    assert_eq!(
        ask("kalah:4x1:empty-capture", "1 1 1 1 0 1 1 1 1 0 0"),
        None
    );
    assert_eq!(ask("kalah:3x1", "1 1 1 0 1 1 1 0 0"), None);
    assert_eq!(ask("kalah:4x1", "0 0 0 0 5 1 1 1 1 0 0"), Some(0));
}

#[test]
fn names() {
    let good = |text: &str| text.parse::<TableSpec>().expect("a name").to_string();
    assert_eq!(good("kalah:6"), "kalah:6:standard");
    assert_eq!(good("kalah:1:pre-move-empty"), "kalah:1:pre-move-empty");
    for bad in [
        "",
        "kalah",
        "kalah:",
        "kalah:7",
        "kalah:0",
        "kalah:6x4",
        "kalah:6:x",
        "kalah:6:standard:",
        "kalah:+6",
    ] {
        assert!(bad.parse::<TableSpec>().is_err(), "{bad}");
    }
}
