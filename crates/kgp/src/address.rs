//! The address of a host: `HOST[:PORT]`, `ws://HOST[:PORT][/PATH]` or `wss://...`.

use kalahari_protocol::kgp::{PORT, SOCKET_PATH};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How lines are transmitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transport {
    /// Plain TCP.
    Tcp,
    /// A WebSocket.
    WebSocket,
    /// A WebSocket inside TLS.
    SecureWebSocket,
}

/// The address of a host.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// How lines are transmitted.
    pub transport: Transport,
    /// A host name or an IP address; an IPv6 address is stored without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The path of the WebSocket; empty for plain TCP.
    pub path: String,
}

/// Why a text is not an address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "bad address '{text}': {problem}; it looks like HOST, HOST:PORT, ws://HOST/socket or wss://HOST/socket"
)]
pub struct AddressError {
    text: String,
    problem: &'static str,
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let wrong = |problem| AddressError {
            text: text.chars().filter(|c| !c.is_control()).take(80).collect(),
            problem,
        };
        let (transport, rest, default_port) = if let Some(rest) = text.strip_prefix("ws://") {
            (Transport::WebSocket, rest, 80)
        } else if let Some(rest) = text.strip_prefix("wss://") {
            (Transport::SecureWebSocket, rest, 443)
        } else if text.contains("://") {
            return Err(wrong("only ws:// and wss:// are supported"));
        } else {
            (Transport::Tcp, text, PORT)
        };
        let (place, path) = match (transport, rest.find('/')) {
            (Transport::Tcp, None) => (rest, ""),
            (Transport::Tcp, Some(_)) => {
                return Err(wrong("only ws:// and wss:// addresses have a path"));
            }
            (_, None) => (rest, SOCKET_PATH),
            (_, Some(slash)) => rest.split_at(slash),
        };
        let (host, port) = match place.strip_prefix('[') {
            Some(inside) => {
                let (host, after) = inside.split_once(']').ok_or(wrong("a ] is missing"))?;
                match after.strip_prefix(':') {
                    Some(port) => (host, Some(port)),
                    None if after.is_empty() => (host, None),
                    None => return Err(wrong("only a colon and a port may follow the ]")),
                }
            }
            None => match place.rsplit_once(':') {
                Some((host, _)) if host.contains(':') => {
                    return Err(wrong("an IPv6 address must be in brackets"));
                }
                Some((host, port)) => (host, Some(port)),
                None => (place, None),
            },
        };
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '%');
        if host.is_empty() || !host.chars().all(fits) {
            return Err(wrong(
                "the host's name is missing or has a character that is not allowed",
            ));
        }
        if path
            .chars()
            .any(|c| c.is_control() || c.is_whitespace() || !c.is_ascii())
        {
            return Err(wrong("the path has a character that is not allowed"));
        }
        let port = match port {
            None => default_port,
            Some(port) => port
                .parse()
                .ok()
                .filter(|port| *port > 0)
                .ok_or(wrong("a port is a number from 1 to 65535"))?,
        };
        Ok(Address {
            transport,
            host: host.to_owned(),
            port,
            path: path.to_owned(),
        })
    }
}

impl Address {
    /// Host and port as one text.
    pub fn authority(&self) -> String {
        match self.host.contains(':') {
            true => format!("[{}]:{}", self.host, self.port),
            false => format!("{}:{}", self.host, self.port),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.transport {
            Transport::Tcp => "",
            Transport::WebSocket => "ws://",
            Transport::SecureWebSocket => "wss://",
        };
        write!(f, "{scheme}{}{}", self.authority(), self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_written() {
        for (text, full) in [
            ("localhost", "localhost:2671"),
            ("127.0.0.1:99", "127.0.0.1:99"),
            ("[::1]", "[::1]:2671"),
            ("[::1]:5", "[::1]:5"),
            ("ws://a.b", "ws://a.b:80/socket"),
            ("wss://a.b/", "wss://a.b:443/"),
            ("wss://a.b:1/x/y", "wss://a.b:1/x/y"),
        ] {
            let address: Address = text.parse().expect(text);
            assert_eq!(address.to_string(), full);
            assert_eq!(full.parse(), Ok(address));
        }
        for text in [
            "",
            ":5",
            "a:0",
            "a:x",
            "a:99999",
            "::1",
            "[::1",
            "[::1]5",
            "a/b",
            "http://a",
            "a b",
            "ws://",
            "ws://a/ b",
            "a\n",
        ] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
