//! What waits to be sent to a client. Putting something in never waits, and the box has a limit for clients that
//! do not read.

use kalahari_wire::frames::{RoomNews, Say};
use kalahari_wire::room::RoomView;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
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
    waiting: VecDeque<Frame>,
    full: bool,
}

/// A frame that waits.
#[derive(Debug)]
enum Frame {
    Own(Say),
    /// The state of a room, shared with others who get it, too.
    Room(u64, Arc<RoomView>),
}

impl Frame {
    fn replaces_info_of(&self) -> Option<u64> {
        match self {
            Frame::Own(say) => say.replaces_info_of(),
            Frame::Room(id, _) => Some(*id),
        }
    }
}

/// The client has let too many frames wait.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Outbox {
    /// Puts a frame in. News of an analysis takes the place of older news that still waits.
    pub(crate) fn put(&self, frame: Say) {
        self.put_frame(Frame::Own(frame));
    }

    /// Puts in the state of a room. It takes the place of older news of the room that still waits.
    pub(crate) fn put_room(&self, id: u64, view: Arc<RoomView>) {
        self.put_frame(Frame::Room(id, view));
    }

    fn put_frame(&self, frame: Frame) {
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
                    drop(frames);
                    return Ok(match frame {
                        Frame::Own(say) => say,
                        Frame::Room(id, view) => Say::Room(Box::new(RoomNews {
                            id,
                            view: Arc::unwrap_or_clone(view),
                        })),
                    });
                }
            }
            self.news.notified().await;
        }
    }
}
