//! What waits to be sent to a client. Nobody who puts something in has to wait, and a client that does not read
//! makes it no larger than it may be.

use kalahari_wire::frames::Say;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;

/// The most frames that wait for a client.
const MOST: usize = 4_096;

/// The frames that wait.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    frames: Mutex<Frames>,
    news: Notify,
}

#[derive(Debug, Default)]
struct Frames {
    waiting: VecDeque<Say>,
    full: bool,
}

/// The client has let too many frames wait.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Outbox {
    /// Puts a frame in. News of an analysis takes the place of older news that still waits.
    pub(crate) fn put(&self, frame: Say) {
        let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        let older = frame.replaces_info_of().and_then(|id| {
            let mut waiting = frames.waiting.iter();
            waiting.position(|old| old.replaces_info_of() == Some(id))
        });
        match older {
            Some(place) => frames.waiting[place] = frame,
            None if frames.waiting.len() >= MOST => frames.full = true,
            None => frames.waiting.push_back(frame),
        }
        drop(frames);
        self.news.notify_one();
    }

    /// The next frame, as soon as there is one.
    pub(crate) async fn next(&self) -> Result<Say, Full> {
        loop {
            {
                let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
                if frames.full {
                    return Err(Full);
                }
                if let Some(frame) = frames.waiting.pop_front() {
                    return Ok(frame);
                }
            }
            self.news.notified().await;
        }
    }
}
