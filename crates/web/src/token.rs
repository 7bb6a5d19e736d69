//! Secrets that cannot be guessed: invitations and seats.

use std::fmt;

/// The letters of secrets. Those that look alike are left out, so that a link can also be read aloud and typed.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// This many letters of 5 bits each: 130 bits.
const LENGTH: usize = 26;

/// The system gives no random numbers.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random numbers: {0}")]
pub struct NoChance(getrandom::Error);

/// A secret. It is never shown by accident: `Debug` hides it.
#[derive(Clone, Copy)]
pub(crate) struct Token([u8; LENGTH]);

impl Token {
    /// A new one, from the system's random numbers.
    pub(crate) fn new() -> Result<Self, NoChance> {
        letters().map(Token)
    }

    /// The secret of a text; `None` if the text cannot be a secret.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let bytes: [u8; LENGTH] = text.as_bytes().try_into().ok()?;
        let known = bytes.iter().all(|byte| LETTERS.contains(byte));
        known.then_some(Token(bytes))
    }

    /// Whether a text is this secret. How long that takes does not depend on where they differ.
    pub(crate) fn is(&self, text: &str) -> bool {
        let Some(other) = Token::read(text) else {
            return false;
        };
        let pairs = self.0.iter().zip(other.0);
        let difference = pairs.fold(0, |all, (own, other)| all | (own ^ other));
        std::hint::black_box(difference) == 0
    }

    /// The secret itself.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// `N` random letters.
pub(crate) fn letters<const N: usize>() -> Result<[u8; N], NoChance> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(NoChance)?;
    // Every letter is as likely as any other: 256 is a multiple of 32.
    Ok(bytes.map(|byte| LETTERS[usize::from(byte % 32)]))
}
