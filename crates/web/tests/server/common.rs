//! A server in a thread, and clients of both kinds.

use futures_util::{SinkExt, StreamExt};
use kalahari_web::{Hosting, Limits, ServeOptions, Server};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// A server that ends when this is dropped.
pub(crate) struct Running {
    /// The address that clients connect to.
    pub(crate) address: SocketAddr,
    /// The token that clients present.
    pub(crate) token: Option<String>,
    /// The owner's address of a server that can be reached from other machines.
    pub(crate) owner: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Starts a server with limits that tests can change.
    pub(crate) fn start(store: Option<PathBuf>, change: impl FnOnce(&mut Limits)) -> Self {
        let mut limits = Limits::default();
        change(&mut limits);
        Running::with(ServeOptions {
            port: 0,
            store,
            live: None,
            agents: Vec::new(),
            limits,
            hosting: None,
        })
    }

    /// Starts a server.
    pub(crate) fn with(options: ServeOptions) -> Self {
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async {
                let server = Server::bind(options).await.expect("a free port");
                let seen = (server.address(), server.hosted(), server.invitation());
                tell.send(seen).expect("the caller waits");
                let until = async {
                    let _ = stopped.await;
                };
                server.run(until).await.expect("a clean end");
            });
        });
        let (owner, hosted, invitation) = told.recv().expect("the server listens");
        Running {
            address: hosted.unwrap_or(owner),
            token: invitation.and_then(|link| Some(link.rsplit_once('/')?.1.to_owned())),
            owner,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Starts a server that accepts invited people on another address of this machine; clients have the invitation. Its files are in
    /// `folder`.
    pub(crate) fn hosted(folder: &Path, change: impl FnOnce(&mut ServeOptions)) -> Self {
        let mut options = ServeOptions {
            hosting: Some(Hosting {
                host: [127, 0, 0, 2].into(),
                names: Vec::new(),
                keep: folder.join("hosting.json"),
                renew: false,
            }),
            ..ServeOptions::default()
        };
        change(&mut options);
        Running::with(options)
    }

    /// The same server, with the owner as client.
    pub(crate) fn as_owner(&self) -> Self {
        Running {
            address: self.owner,
            token: None,
            owner: self.owner,
            stop: None,
            thread: None,
        }
    }

    /// The same server for clients with another token.
    pub(crate) fn showing(&self, token: Option<&str>) -> Self {
        Running {
            address: self.address,
            token: token.map(str::to_owned),
            owner: self.owner,
            stop: None,
            thread: None,
        }
    }

    /// Starts a server with the usual options.
    pub(crate) fn usual() -> Self {
        Running::start(None, |_| {})
    }

    /// Ends the server and waits for it.
    pub(crate) fn end(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server did not panic");
        }
    }

    /// Sends bytes, and nothing more, and reads all that comes back.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Answer {
        self.exchange(bytes, true)
    }

    /// Sends bytes and reads all that comes back. `hang_up` says that nothing more will be sent.
    fn exchange(&self, request: &[u8], hang_up: bool) -> Answer {
        let mut stream = TcpStream::connect(self.address).expect("the server listens");
        let time = Some(Duration::from_secs(20));
        stream.set_read_timeout(time).expect("a time");
        // A server that refuses early may close before all is sent.
        let _ = stream.write_all(request);
        if hang_up {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        Answer::read(&bytes)
    }

    /// Sends a request with these headers in addition to the usual ones.
    pub(crate) fn request(&self, line: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut head = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
        if !headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("host"))
        {
            head += &format!("Host: {}\r\n", self.address);
        }
        if let Some(token) = &self.token {
            head += &format!("Authorization: Bearer {token}\r\n");
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            head += &format!("Content-Length: {}\r\n", body.len());
        }
        head += "\r\n";
        self.exchange(&[head.as_bytes(), body].concat(), false)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request(&format!("GET {path}"), &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        let headers = [("Content-Type", "application/json")];
        let line = format!("POST {path}");
        self.request(&line, &headers, body.to_string().as_bytes())
    }

    /// Opens a socket.
    pub(crate) async fn socket(&self) -> Client {
        self.try_socket().await.expect("a socket")
    }

    /// Opens a socket; `None` if the server refuses it.
    pub(crate) async fn try_socket(&self) -> Option<Client> {
        let url = format!("ws://{}/api/v1/ws", self.address);
        let mut request = url.into_client_request().expect("a request");
        if let Some(token) = &self.token {
            let value = format!("Bearer {token}").parse().expect("a header");
            request.headers_mut().insert("authorization", value);
        }
        let (stream, _) = tokio_tungstenite::connect_async(request).await.ok()?;
        Some(Client { stream })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }
}

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    /// 0 if there was no answer at all.
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    fn read(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        Answer {
            status: status.unwrap_or(0),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// The JSON of an answer with status 200.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.json()
    }

    /// The status, code and field of a refusal.
    #[track_caller]
    pub(crate) fn refusal(&self) -> (u16, String, Option<String>) {
        let error = self.json()["error"].clone();
        let text = |name: &str| error[name].as_str().map(str::to_owned);
        assert!(text("message").is_some_and(|message| !message.is_empty()));
        (self.status, text("code").expect("a code"), text("field"))
    }
}

/// A client of the socket.
pub(crate) struct Client {
    pub(crate) stream: WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>,
}

impl Client {
    pub(crate) async fn send(&mut self, frame: &Value) {
        let text = frame.to_string();
        self.send_text(text).await;
    }

    pub(crate) async fn send_text(&mut self, text: impl Into<String>) {
        let message = Message::Text(text.into().into());
        self.stream.send(message).await.expect("an open socket");
    }

    /// The next frame of JSON; `None` if the server closes the socket or sends nothing for a long time.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            let message = tokio::time::timeout(Duration::from_secs(30), self.stream.next());
            match message.await.ok()?? {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// All frames with this id, up to `done` or `error`.
    pub(crate) async fn until_done(&mut self, id: u64) -> Vec<Value> {
        let mut frames = Vec::new();
        while let Some(frame) = self.next().await {
            if frame["id"] != json!(id) {
                continue;
            }
            let last = frame["type"] == "done" || frame["type"] == "error";
            frames.push(frame);
            if last {
                return frames;
            }
        }
        panic!("the connection ended: {frames:?}");
    }
}

/// Runs the work of a client to its end.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(work)
}

/// The memory of this process in MiB, where the system provides it.
pub(crate) fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib >> 10)
}
