//! Integer nets checked against a slow, plain computation, and their files against damage.

use kalahari_games::Game;
use kalahari_games::kalah::{Board, CaptureRule, Kalah, Packed, Side, Wide};
use kalahari_net::{
    BUCKETS, CONTENTS, LANES, Lanes, Net, NetFile, Origin, POINT, Shape, Unsound, Weights, bucket,
};
use kalahari_storage::{Damage, Foreign, Trouble};
use std::path::Path;

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as i64
    }

    fn around_zero(&mut self, size: i64) -> i64 {
        self.below(2 * size + 1) - size
    }
}

fn lanes(numbers: &mut Numbers, shape: Shape, size: i64) -> Vec<Lanes> {
    let mut all = vec![Lanes::ZERO; shape.groups()];
    for unit in 0..shape.hidden() {
        all[unit / LANES].0[unit % LANES] = numbers.around_zero(size) as i16;
    }
    all
}

fn some_net(pits: usize, hidden: usize, seed: u64) -> Net {
    let shape = Shape::new(pits, CaptureRule::Standard, 480, hidden).expect("a shape");
    let numbers = &mut Numbers(seed);
    let mut rows = vec![[Lanes::ZERO; CONTENTS]; shape.groups() * shape.inputs()];
    for input in 0..shape.inputs() {
        #[expect(clippy::needless_range_loop, reason = "a row of many groups")]
        for content in 0..CONTENTS {
            for (group, row) in lanes(numbers, shape, 1_000).into_iter().enumerate() {
                rows[group * shape.inputs() + input][content] = row;
            }
        }
    }
    let limits = lanes(numbers, shape, 3_000);
    let limits = limits.into_iter().map(|group| Lanes(group.0.map(i16::abs)));
    let weights = Weights {
        rows,
        bias: lanes(numbers, shape, 2_000),
        limits: limits.collect(),
        outputs: std::array::from_fn(|_| lanes(numbers, shape, 3_000)),
        direct: (0..shape.inputs())
            .map(|_| std::array::from_fn(|_| numbers.around_zero(1_000_000) as i32))
            .collect(),
        constants: std::array::from_fn(|_| numbers.around_zero(1_000_000) as i32),
        shift: 20,
    };
    Net::new(shape, weights).expect("sound")
}

/// The value of a position, computed one number at a time in 64 bits.
fn slow_value<B: Board>(net: &Net, board: &B) -> i32 {
    let (shape, weights) = (net.shape(), net.weights());
    let pits = [Side::Mover, Side::Opponent].into_iter();
    let pits = pits.flat_map(|side| (0..shape.pits()).map(move |pit| (side, pit)));
    let contents: Vec<usize> = pits
        .map(|(side, pit)| (board.pit(side, pit) as usize).min(CONTENTS - 1))
        .collect();
    let row = bucket(board.seeds_in_play());
    let mut value = i64::from(weights.constants[row]);
    for (input, &content) in contents.iter().enumerate() {
        value += i64::from(weights.direct[input][content]);
    }
    for unit in 0..shape.hidden() {
        let (group, lane) = (unit / LANES, unit % LANES);
        let mut sum = i64::from(weights.bias[group].0[lane]);
        for (input, &content) in contents.iter().enumerate() {
            sum += i64::from(weights.rows[group * shape.inputs() + input][content].0[lane]);
        }
        let active = sum.clamp(0, i64::from(weights.limits[group].0[lane]));
        value += active * i64::from(weights.outputs[row][group].0[lane]);
    }
    let scaled = (value as f64 * f64::from(POINT) / f64::from(1 << weights.shift) + 0.5).floor();
    let most = f64::from(POINT) * f64::from(board.seeds_in_play());
    scaled.clamp(-most, most) as i32
}

#[test]
fn vectors_compute_what_plain_numbers_do() {
    for pits in 1..=12 {
        for (hidden, seeds) in [(1, 3), (32, 6), (64, 12), (77, 20)] {
            let net = some_net(pits, hidden, (pits * hidden) as u64);
            let spec = format!("kalah:{pits}x{seeds}").parse().expect("a game");
            let game = Kalah::<Wide>::wide(spec);
            let packed = Kalah::<Packed>::new(spec).ok();
            let mut position = game.start();
            let mut numbers = Numbers(7);
            while !game.is_over(&position) {
                let value = net.future(&position);
                assert_eq!(value, slow_value(&net, &position), "{spec} {hidden}");
                if let Some(packed) = &packed {
                    let twin = packed.position(&game.setup(&position)).expect("the same");
                    assert_eq!(net.future(&twin), value, "{spec} {hidden}");
                }
                let count = game.count_moves(&position) as i64;
                let mv = game.moves(&position).nth(numbers.below(count) as usize);
                position = game.play_unchecked(&position, mv.expect("a move"));
            }
        }
    }
}

#[test]
fn sums_that_could_overflow_are_refused() {
    let net = some_net(6, 64, 1);
    let (shape, good) = (net.shape(), net.weights().clone());
    let refused = |change: &dyn Fn(&mut Weights)| {
        let mut weights = good.clone();
        change(&mut weights);
        Net::new(shape, weights).expect_err("unsound")
    };
    assert_eq!(refused(&|w| w.bias[0].0[3] = i16::MIN), Unsound::Overflow);
    assert_eq!(refused(&|w| w.direct[0][0] = i32::MAX), Unsound::Overflow);
    assert_eq!(
        refused(&|w| w.constants[BUCKETS - 1] = i32::MIN),
        Unsound::Overflow
    );
    assert_eq!(refused(&|w| w.limits[1].0[0] = -1), Unsound::Limit);
    assert_eq!(refused(&|w| w.shift = 0), Unsound::Shift);
    assert_eq!(refused(&|w| w.bias.clear()), Unsound::Count);
}

#[test]
fn files_round_trip_and_damage_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("some.net");
    let origin = Origin {
        positions: 5,
        rounds: 6,
        error: 7,
    };
    let file = NetFile {
        net: some_net(3, 40, 9),
        origin,
    };
    file.save(&path).expect("written");
    assert_eq!(NetFile::open(&path).expect("read"), file);
    let bytes = file.to_bytes();
    let trouble = |bytes: &[u8]| {
        NetFile::read(Path::new("x"), bytes)
            .expect_err("bad")
            .trouble
    };
    for length in [0, 5, 8, 20, 43, 44, bytes.len() - 1] {
        assert!(
            matches!(trouble(&bytes[..length]), Trouble::Damaged(_)),
            "{length}"
        );
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(
        trouble(&longer),
        Trouble::Damaged(Damage::Length { .. })
    ));
    for place in [50, 1_000, bytes.len() - 2] {
        let mut bytes = bytes.clone();
        bytes[place] ^= 1;
        assert!(
            matches!(trouble(&bytes), Trouble::Damaged(Damage::Checksum { .. })),
            "{place}"
        );
    }
    let mut other = bytes.clone();
    other[8] = 9;
    let version = Foreign::Version { found: 9, known: 1 };
    assert!(matches!(trouble(&other), Trouble::Foreign(found) if found == version));
    assert!(matches!(
        trouble(b"something else"),
        Trouble::Foreign(Foreign::Kind)
    ));
    let missing = NetFile::open(&folder.path().join("none.net")).expect_err("missing");
    assert!(missing.is_missing());
}

#[cfg(unix)]
#[test]
fn an_endless_file_is_not_read() {
    let error = NetFile::open(Path::new("/dev/zero")).expect_err("a device");
    assert!(
        matches!(error.trouble, Trouble::Foreign(Foreign::Kind)),
        "{error}"
    );
}
