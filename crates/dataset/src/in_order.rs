//! Numbered work on many threads, with results in the order of the numbers.

use kalahari_terms::Stop;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

/// Does items of work number 0, 1, 2, ... on `threads` threads, each with its own worker, until `take` breaks off, `end` is
/// reached, an item fails or `stop` is requested. `take` gets the results in the order of the numbers, so what it makes of
/// them does not depend on the threads.
///
/// `work` gets a [`Stop`] that is requested as soon as no more results are wanted. It returns `None` if it was stopped.
pub(crate) fn in_order<W, T: Send, E: Send>(
    threads: usize,
    end: u64,
    stop: &Stop,
    worker: impl Fn() -> Result<W, E> + Sync,
    work: impl Fn(&mut W, u64, &Stop) -> Result<Option<T>, E> + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) -> Result<(), E> {
    let (next, enough) = (AtomicU64::new(0), stop.child());
    let (sender, results) = mpsc::sync_channel(4 * threads.max(1));
    let run = |sender: mpsc::SyncSender<(u64, Result<Option<T>, E>)>| {
        let mut worker = match worker() {
            Ok(worker) => worker,
            Err(error) => {
                let _ = sender.send((0, Err(error)));
                return;
            }
        };
        while !enough.is_requested() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= end {
                return;
            }
            let result = work(&mut worker, number, &enough);
            // The receiver is gone once no more results are wanted.
            if sender.send((number, result)).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            scope.spawn(|| run(sender));
        }
        drop(sender);
        let (mut early, mut wanted) = (BTreeMap::new(), 0);
        for (number, result) in results {
            let result = result.inspect_err(|_| enough.request())?;
            early.insert(number, result);
            while let Some(result) = early.remove(&wanted) {
                wanted += 1;
                if result.is_none_or(|result| take(result).is_break()) {
                    enough.request();
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: usize, end: u64, most: usize) -> Vec<u64> {
        let mut found = Vec::new();
        let worker = || Ok::<_, String>(());
        let work = |(): &mut (), number: u64, _: &Stop| Ok(Some(number * number));
        let take = |square| {
            found.push(square);
            match found.len() < most {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        in_order(threads, end, &Stop::new(), worker, work, take).expect("no failure");
        found
    }

    #[test]
    fn results_come_in_order_whatever_the_threads() {
        let one = squares(1, u64::MAX, 100);
        assert_eq!(one[..4], [0, 1, 4, 9]);
        assert_eq!(one.len(), 100);
        assert_eq!(squares(7, u64::MAX, 100), one);
        assert_eq!(squares(3, 10, 100), one[..10]);
        assert!(squares(3, 0, 100).is_empty());
    }

    #[test]
    fn a_failure_ends_all() {
        let work = |(): &mut (), number: u64, _: &Stop| match number {
            17 => Err("no 17".to_owned()),
            number => Ok(Some(number)),
        };
        let take = |_| ControlFlow::Continue(());
        let result = in_order(3, u64::MAX, &Stop::new(), || Ok(()), work, take);
        assert_eq!(result, Err("no 17".to_owned()));
        let worker = || Err::<(), _>("no worker");
        let work = |(): &mut (), _: u64, _: &Stop| Ok(Some(()));
        let result = in_order(3, u64::MAX, &Stop::new(), worker, work, |()| {
            ControlFlow::Break(())
        });
        assert_eq!(result, Err("no worker"));
    }

    #[test]
    fn a_request_to_stop_ends_all() {
        let stop = Stop::new();
        let mut taken = 0;
        let take = |_| {
            taken += 1;
            if taken == 5 {
                stop.request();
            }
            ControlFlow::Continue(())
        };
        let work = |(): &mut (), number: u64, stop: &Stop| {
            Ok::<_, String>((!stop.is_requested()).then_some(number))
        };
        in_order(2, u64::MAX, &stop, || Ok(()), work, take).expect("no failure");
        assert!(taken >= 5);
    }
}
