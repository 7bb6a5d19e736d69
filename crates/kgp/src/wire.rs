//! Lines of bounded length over a TCP connection or a WebSocket.

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use kalahari_protocol::kgp::LONGEST_LINE;
use std::collections::VecDeque;
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};

/// Bytes in both directions: a TCP connection, or TLS over one.
pub(crate) trait Bytes: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Bytes for T {}

/// A boxed stream of bytes.
pub(crate) type AnyBytes = Box<dyn Bytes>;

/// What a reader returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line without its end. Bytes that are not UTF-8 are replaced.
    Line(String),
    /// A line that was longer than the protocol allows; it has been skipped.
    TooLong,
    /// The other side has closed the connection.
    End,
}

/// Reads lines. Its memory is bounded.
pub struct LineReader(Reading);

enum Reading {
    Plain {
        source: ReadHalf<AnyBytes>,
        lines: Lines,
    },
    Frames {
        source: SplitStream<WebSocketStream<AnyBytes>>,
        lines: Lines,
    },
}

/// Writes lines, each with its line end and without buffering.
pub struct LineWriter(Writing);

enum Writing {
    Plain(WriteHalf<AnyBytes>),
    Frames(SplitSink<WebSocketStream<AnyBytes>, Message>),
}

/// Lines over bytes.
pub(crate) fn plain(bytes: AnyBytes) -> (LineReader, LineWriter) {
    let (source, sink) = tokio::io::split(bytes);
    let lines = Lines::default();
    (
        LineReader(Reading::Plain { source, lines }),
        LineWriter(Writing::Plain(sink)),
    )
}

/// Lines over the frames of a WebSocket.
pub(crate) fn frames(socket: WebSocketStream<AnyBytes>) -> (LineReader, LineWriter) {
    let (sink, source) = socket.split();
    let lines = Lines::default();
    (
        LineReader(Reading::Frames { source, lines }),
        LineWriter(Writing::Frames(sink)),
    )
}

/// The memory limits of a WebSocket.
pub(crate) fn frame_limits() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(8 << 10)
        .write_buffer_size(0)
        .max_write_buffer_size(64 << 10)
        .max_message_size(Some(2 * LONGEST_LINE))
        .max_frame_size(Some(2 * LONGEST_LINE))
}

fn broken(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

impl LineReader {
    /// The next line. The future may be dropped while it waits: nothing is lost.
    pub async fn next(&mut self) -> io::Result<Heard> {
        loop {
            match &mut self.0 {
                Reading::Plain { source, lines } => {
                    if let Some(heard) = lines.next() {
                        return Ok(heard);
                    }
                    let mut chunk = [0; 4096];
                    match source.read(&mut chunk).await? {
                        0 => return Ok(Heard::End),
                        count => lines.take_in(&chunk[..count]),
                    }
                }
                Reading::Frames { source, lines } => {
                    if let Some(heard) = lines.next() {
                        return Ok(heard);
                    }
                    match source.next().await.transpose().map_err(broken)? {
                        None | Some(Message::Close(_)) => return Ok(Heard::End),
                        Some(Message::Text(text)) => {
                            lines.take_in(text.as_bytes());
                            // A frame is a whole command, with or without a line end.
                            lines.take_in(b"\n");
                        }
                        Some(Message::Binary(_)) => {
                            return Err(io::Error::other("a WebSocket frame is not text"));
                        }
                        Some(_) => return Ok(Heard::Line(String::new())),
                    }
                }
            }
        }
    }
}

impl LineWriter {
    /// Writes a line and its end.
    pub async fn line(&mut self, line: &str) -> io::Result<()> {
        let text = format!("{line}\r\n");
        match &mut self.0 {
            Writing::Plain(sink) => {
                sink.write_all(text.as_bytes()).await?;
                sink.flush().await
            }
            Writing::Frames(sink) => sink.send(Message::text(text)).await.map_err(broken),
        }
    }

    /// Closes the connection cleanly.
    pub async fn close(&mut self) {
        // This fails if the other side has already closed the connection.
        let _ = match &mut self.0 {
            Writing::Plain(sink) => sink.shutdown().await.ok(),
            Writing::Frames(sink) => sink.close().await.ok(),
        };
    }
}

/// Splits bytes into lines. Empty lines are left out.
#[derive(Debug, Default)]
struct Lines {
    ready: VecDeque<Heard>,
    line: Vec<u8>,
    /// Whether the rest of a line that is too long is being skipped.
    skipping: bool,
}

impl Lines {
    fn next(&mut self) -> Option<Heard> {
        self.ready.pop_front()
    }

    fn take_in(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, ended) = match part.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (part, false),
            };
            if !self.skipping && self.line.len() + text.len() >= LONGEST_LINE {
                self.ready.push_back(Heard::TooLong);
                self.line = Vec::new();
                self.skipping = true;
            }
            if !self.skipping {
                self.line.extend_from_slice(text);
            }
            if ended {
                self.skipping = false;
                let text = String::from_utf8_lossy(&self.line);
                let text = text.trim();
                if !text.is_empty() {
                    self.ready.push_back(Heard::Line(text.to_owned()));
                }
                self.line.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(chunks: &[&[u8]]) -> Vec<Heard> {
        let mut lines = Lines::default();
        for chunk in chunks {
            lines.take_in(chunk);
        }
        std::iter::from_fn(|| lines.next()).collect()
    }

    fn line(text: &str) -> Heard {
        Heard::Line(text.to_owned())
    }

    #[test]
    fn all_line_ends_and_partial_lines_are_accepted() {
        assert_eq!(
            cut(&[b"a\r\nb\n\n", b"c", b"d\r", b"\n", b"e"]),
            [line("a"), line("b"), line("cd")]
        );
        assert_eq!(cut(&[b"\xff\n"]), [line("\u{fffd}")]);
    }

    #[test]
    fn long_lines_are_skipped() {
        let long = vec![b'x'; LONGEST_LINE];
        let chunks: Vec<&[u8]> = vec![&long, &long, b"\nnext\n"];
        assert_eq!(cut(&chunks), [Heard::TooLong, line("next")]);
        let fits = vec![b'x'; LONGEST_LINE - 1];
        assert_eq!(cut(&[&fits, b"\n"]).len(), 1);
        assert_ne!(cut(&[&fits, b"\n"]), [Heard::TooLong]);
    }
}
