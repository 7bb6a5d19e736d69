//! Connections to other hosts.

use crate::wire::{AnyBytes, frame_limits, frames, plain};
use crate::{Address, LineReader, LineWriter, Transport};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto};
use tokio_tungstenite::client_async_with_config;

/// How long it may take to make a connection.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why a host could not be reached.
#[derive(Debug, Error)]
pub enum CallError {
    /// There is no host at this address, or the connection was lost.
    #[error("cannot connect to {address}: {source}")]
    Connect {
        /// The address.
        address: Address,
        /// What the system says.
        source: io::Error,
    },
    /// It took too long.
    #[error("{0} does not answer")]
    Silent(Address),
    /// TLS failed.
    #[error("no secure connection to {address}: {problem}")]
    Secure {
        /// The address.
        address: Address,
        /// What is wrong.
        problem: String,
    },
    /// The host did not accept a WebSocket connection.
    #[error("no WebSocket at {address}: {problem}")]
    WebSocket {
        /// The address.
        address: Address,
        /// What is wrong.
        problem: String,
    },
}

/// Connects to a host.
pub async fn call(address: &Address) -> Result<(LineReader, LineWriter), CallError> {
    match tokio::time::timeout(PATIENCE, connect(address, browser_roots())).await {
        Ok(connected) => connected,
        Err(_) => Err(CallError::Silent(address.clone())),
    }
}

/// The certificates that browsers trust.
fn browser_roots() -> RootCertStore {
    RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    }
}

async fn connect(
    address: &Address,
    roots: RootCertStore,
) -> Result<(LineReader, LineWriter), CallError> {
    let refused = |source| CallError::Connect {
        address: address.clone(),
        source,
    };
    let stream = TcpStream::connect((address.host.as_str(), address.port)).await;
    let stream = stream.map_err(refused)?;
    stream.set_nodelay(true).map_err(refused)?;
    let (bytes, scheme): (AnyBytes, &str) = match address.transport {
        Transport::Tcp => return Ok(plain(Box::new(stream))),
        Transport::WebSocket => (Box::new(stream), "ws"),
        Transport::SecureWebSocket => (secure(address, stream, roots).await?, "wss"),
    };
    let url = format!("{scheme}://{}{}", address.authority(), address.path);
    let socket = client_async_with_config(url, bytes, Some(frame_limits())).await;
    match socket {
        Ok((socket, _)) => Ok(frames(socket)),
        Err(error) => Err(CallError::WebSocket {
            address: address.clone(),
            problem: error.to_string(),
        }),
    }
}

/// TLS with a host whose certificate is signed by one of the roots.
async fn secure(
    address: &Address,
    stream: TcpStream,
    roots: RootCertStore,
) -> Result<AnyBytes, CallError> {
    let insecure = |problem: String| CallError::Secure {
        address: address.clone(),
        problem,
    };
    let config = ClientConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| insecure(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(address.host.clone());
    let name = name.map_err(|error| insecure(error.to_string()))?;
    let stream = TlsConnector::from(Arc::new(config))
        .connect(name, stream)
        .await;
    let stream = stream.map_err(|error| insecure(error.to_string()))?;
    Ok(Box::new(stream))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Heard;
    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpListener;
    use tokio_rustls::TlsAcceptor;
    use tokio_rustls::rustls::ServerConfig;
    use tokio_rustls::rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
    use tokio_tungstenite::accept_async;

    /// A certificate for `localhost` that signs itself, valid for a thousand years, and its key. Both are for these tests only.
    const CERTIFICATE: &[u8] = include_bytes!("../tests/data/localhost.crt");
    const KEY: &[u8] = include_bytes!("../tests/data/localhost.key");

    /// What a host does with a connection.
    #[derive(Clone, Copy)]
    enum Manner {
        /// It returns every line over TLS, with a word in front.
        Secure,
        /// It speaks another protocol, without TLS.
        Web,
    }

    /// Serves one connection; returns the address `wss://localhost:PORT/socket`.
    async fn host(manner: Manner) -> Address {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a guest");
            match manner {
                Manner::Secure => {
                    // The guest may refuse the certificate.
                    if let Ok(stream) = acceptor().accept(stream).await {
                        let socket = accept_async(Box::new(stream) as AnyBytes).await;
                        let (mut reader, mut writer) = frames(socket.expect("a WebSocket"));
                        while let Ok(Heard::Line(line)) = reader.next().await {
                            let answer = format!("heard {line}");
                            writer.line(&answer).await.expect("it is read");
                        }
                    }
                }
                Manner::Web => {
                    let answer = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
                    stream.write_all(answer).await.expect("it is read");
                }
            }
        });
        let address = format!("wss://localhost:{port}/socket");
        address.parse().expect("an address")
    }

    fn acceptor() -> TlsAcceptor {
        let provider = Arc::new(crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(
                vec![CertificateDer::from(CERTIFICATE)],
                PrivatePkcs8KeyDer::from(KEY).into(),
            );
        TlsAcceptor::from(Arc::new(config.expect("a certificate and its key")))
    }

    /// Roots that sign our test host.
    fn own_roots() -> RootCertStore {
        let mut roots = RootCertStore::empty();
        let added = roots.add(CertificateDer::from(CERTIFICATE));
        added.expect("a certificate");
        roots
    }

    /// The error of a connection that must fail, as a user reads it.
    fn refusal(result: Result<(LineReader, LineWriter), CallError>) -> String {
        match result {
            Ok(_) => panic!("it was accepted"),
            Err(error @ CallError::Secure { .. }) => error.to_string(),
            Err(error) => panic!("{error}"),
        }
    }

    #[tokio::test]
    async fn lines_go_over_tls() {
        let address = host(Manner::Secure).await;
        let connected = connect(&address, own_roots()).await;
        let (mut reader, mut writer) = connected.expect("a connection");
        writer.line("1 kgp 1 0 0").await.expect("sent");
        let heard = reader.next().await.expect("an answer");
        assert_eq!(heard, Heard::Line("heard 1 kgp 1 0 0".to_owned()));
    }

    #[tokio::test]
    async fn a_certificate_that_nobody_trusts_is_refused() {
        let address = host(Manner::Secure).await;
        let told = refusal(call(&address).await);
        let begin = format!("no secure connection to {address}: ");
        assert!(told.starts_with(&begin), "{told}");
        assert!(told.contains("certificate: UnknownIssuer"), "{told}");
    }

    #[tokio::test]
    async fn a_certificate_for_another_host_is_refused() {
        let address = host(Manner::Secure).await;
        let other = Address {
            host: "127.0.0.1".to_owned(),
            ..address
        };
        let told = refusal(connect(&other, own_roots()).await);
        assert!(told.contains("certificate not valid for name"), "{told}");
        assert!(told.contains("localhost"), "{told}");
    }

    #[tokio::test]
    async fn a_host_without_tls_is_named() {
        let address = host(Manner::Web).await;
        let told = refusal(connect(&address, own_roots()).await);
        assert!(told.contains(&address.to_string()), "{told}");
    }

    #[tokio::test]
    async fn a_host_without_a_websocket_is_named() {
        let secure = host(Manner::Web).await;
        let address = Address {
            transport: Transport::WebSocket,
            ..secure
        };
        let error = match call(&address).await {
            Ok(_) => panic!("it was accepted"),
            Err(error) => error,
        };
        assert!(matches!(error, CallError::WebSocket { .. }), "{error}");
        assert!(error.to_string().contains("400"), "{error}");
    }
}
