//! A training learns, can be resumed, and its integer net has nearly the same values.

use kalahari_games::kalah::CaptureRule;
use kalahari_net::Shape;
use kalahari_search::Rng;
use kalahari_storage::Trouble;
use kalahari_train::{Difference, Sample, Samples, Settings, Training, quantised};

/// Positions of 3 pits with a known value: two seeds for every own pit whose last seed would end in the store, minus one.
fn lesson() -> Samples {
    let mut rng = Rng::new(3);
    let mut samples = Samples::default();
    for game in 0..4_000 {
        let pits: Vec<u16> = (0..6).map(|_| rng.below(6) as u16).collect();
        let extra = (0..3).filter(|&pit| pits[pit] == 3 - pit as u16).count();
        samples.add(game, Sample::new(&pits, 2.0 * extra as f32 - 1.0));
    }
    samples
}

fn shape() -> Shape {
    Shape::new(3, CaptureRule::Standard, 36, 16).expect("a shape")
}

fn settings() -> Settings {
    Settings {
        rounds: 12,
        batch: 64,
        rate: 0.01,
        rng_seed: 5,
    }
}

#[test]
fn a_training_learns_and_its_integers_agree() {
    let samples = lesson();
    assert!(samples.held_out.len() > 100, "{}", samples.held_out.len());
    let mut training = Training::new(shape(), settings());
    while !training.is_finished() {
        training.round(&samples, &mut || false).expect("finished");
    }
    let last = training.history().last().expect("a round");
    assert!(last.held_out.root_square < 0.1, "{last:?}");
    let net = quantised(training.net()).expect("sound");
    let difference = Difference::between(training.net(), &net, &samples);
    assert!(
        difference.mean <= 0.05 && difference.largest <= 0.5,
        "{difference:?}"
    );
}

#[test]
fn a_training_resumes_where_it_was() {
    let samples = lesson();
    let print = samples.fingerprint();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.training");
    let resume = || Training::resume(&file, shape(), settings(), print);
    assert_eq!(resume().expect("a missing file is not an error"), None);
    let mut whole = Training::new(shape(), settings());
    let mut parts = whole.clone();
    for _ in 0..3 {
        whole.round(&samples, &mut || false).expect("finished");
        parts.round(&samples, &mut || false).expect("finished");
        parts.save(&file, print).expect("written");
        // Stopped within a round: the work of that round is lost.
        let mut asked = 0;
        let mut give_up = || {
            asked += 1;
            asked > 5
        };
        assert_eq!(parts.round(&samples, &mut give_up), None);
        parts = resume().expect("read").expect("there");
    }
    assert_eq!(whole, parts);

    let other = Settings {
        rate: 0.02,
        ..settings()
    };
    let foreign = |found: Result<Option<Training>, kalahari_storage::FileError>| {
        assert!(matches!(
            found.expect_err("foreign").trouble,
            Trouble::Foreign(_)
        ));
    };
    foreign(Training::resume(&file, shape(), other, print));
    foreign(Training::resume(&file, shape(), settings(), print ^ 1));
    let bytes = std::fs::read(&file).expect("bytes");
    for length in [0, 9, 70, bytes.len() - 1] {
        std::fs::write(&file, &bytes[..length]).expect("written");
        let error = resume().expect_err("damaged");
        assert!(
            matches!(error.trouble, Trouble::Damaged(_)),
            "{length}: {error}"
        );
    }
    // Extra bytes, with the right checksum.
    for more in 1..4 {
        let mut longer = bytes[..bytes.len() - 4].to_vec();
        longer.resize(longer.len() + more, 0);
        longer.extend(crc32fast::hash(&longer).to_le_bytes());
        std::fs::write(&file, longer).expect("written");
        let error = resume().expect_err("longer");
        assert!(matches!(error.trouble, Trouble::Damaged(_)), "{error}");
    }
}
