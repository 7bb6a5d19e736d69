//! Words for one of a few choices, and things that are texts in JSON.

use thiserror::Error;

/// A word that names none of a few choices.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{known}, not '{found}'")]
pub struct UnknownName {
    /// The choices there are, in words.
    pub known: &'static str,
    /// The word.
    pub found: String,
}

/// Gives the values of an enum their names: `ALL`, `name`, `Display`, `FromStr` and texts in JSON. The sentence says
/// which there are when a name is refused.
#[macro_export]
macro_rules! named {
    ($type:ident, $known:literal, $($variant:ident $name:literal),+ $(,)?) => {
        impl $type {
            /// All of them.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $($type::$variant => $name),+ }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> Result<Self, $crate::UnknownName> {
                let found = $type::ALL.iter().find(|value| value.name() == text);
                found.copied().ok_or_else(|| $crate::UnknownName {
                    known: $known,
                    found: text.chars().take(40).collect(),
                })
            }
        }

        $crate::text_in_json!($type);
    };
}

/// Implements serde by way of `Display` and `FromStr`.
#[macro_export]
macro_rules! text_in_json {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
