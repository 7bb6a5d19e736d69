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
    match tokio::time::timeout(PATIENCE, connect(address)).await {
        Ok(connected) => connected,
        Err(_) => Err(CallError::Silent(address.clone())),
    }
}

async fn connect(address: &Address) -> Result<(LineReader, LineWriter), CallError> {
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
        Transport::SecureWebSocket => (secure(address, stream).await?, "wss"),
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

/// TLS with the certificates that browsers trust.
async fn secure(address: &Address, stream: TcpStream) -> Result<AnyBytes, CallError> {
    let insecure = |problem: String| CallError::Secure {
        address: address.clone(),
        problem,
    };
    let roots = RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
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
