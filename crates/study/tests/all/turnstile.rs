//! The turnstile: two searches at once, fair shares, moves first.

use kalahari_agents::Turn;
use kalahari_study::turnstile::{PLACES, Rank, Turnstile, Visitor};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Works until the time is up, notes the most workers inside at once, and returns how long it ran.
fn work(visitor: &Visitor, inside: &AtomicUsize, most: &AtomicUsize, time: Duration) -> Duration {
    let end = Instant::now() + time;
    visitor.enter();
    while Instant::now() < end {
        let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
        most.fetch_max(now, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(1));
        inside.fetch_sub(1, Ordering::SeqCst);
        visitor.give_way();
    }
    let ran = visitor.ran();
    visitor.leave();
    ran
}

#[test]
fn two_run_at_once_and_every_search_gets_a_share() {
    let turnstile = Arc::new(Turnstile::default());
    let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let shares: Vec<Duration> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|_| {
                let visitor = Visitor::new(&turnstile, Rank::Thought);
                let (inside, most) = (&inside, &most);
                scope.spawn(move || work(&visitor, inside, most, Duration::from_millis(1_500)))
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"))
            .collect()
    });
    assert!(most.load(Ordering::SeqCst) <= PLACES);
    for share in &shares {
        // At least one slice: how many more depends on the machine's load.
        assert!(*share >= Duration::from_millis(40), "{shares:?}");
    }
}

#[test]
fn a_move_goes_ahead_of_thoughts() {
    let turnstile = Arc::new(Turnstile::default());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            let visitor = Visitor::new(&turnstile, Rank::Thought);
            scope.spawn(move || {
                let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
                work(&visitor, &inside, &most, Duration::from_millis(600))
            });
        }
        std::thread::sleep(Duration::from_millis(200));
        let begin = Instant::now();
        let visitor = Visitor::new(&turnstile, Rank::Move);
        visitor.enter();
        let waited = begin.elapsed();
        visitor.leave();
        // Eight thoughts of a slice each would take longer.
        assert!(waited < Duration::from_millis(150), "{waited:?}");
    });
}

#[test]
fn a_stopped_search_leaves_the_queue_at_once() {
    let turnstile = Arc::new(Turnstile::default());
    let places = [Rank::Thought; PLACES].map(|rank| Visitor::new(&turnstile, rank));
    places.iter().for_each(Turn::enter);
    let waiting = Visitor::new(&turnstile, Rank::Thought);
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            waiting.enter();
            waiting.leave();
        });
        std::thread::sleep(Duration::from_millis(20));
        waiting.call_out();
        thread.join().expect("no panic");
    });
    places.iter().for_each(Turn::leave);
    assert_eq!(turnstile.count(), (0, 0));
}

#[test]
fn a_search_waits_no_longer_than_it_has_time() {
    let turnstile = Arc::new(Turnstile::default());
    let places = [Rank::Thought; PLACES].map(|rank| Visitor::new(&turnstile, rank));
    places.iter().for_each(Turn::enter);
    let time = Duration::from_millis(30);
    let late = Visitor::waiting_within(&turnstile, Rank::Thought, time);
    let begin = Instant::now();
    late.enter();
    assert!(begin.elapsed() >= time);
    assert_eq!(late.ran(), Duration::ZERO);
    late.leave();
    places.iter().for_each(Turn::leave);
    assert_eq!(turnstile.count(), (0, 0));
}
