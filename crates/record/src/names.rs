//! Names for the values of enums, and types that are strings in JSON.

use thiserror::Error;

/// A word that is not the name of any value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{known}, not '{found}'")]
pub struct UnknownName {
    /// A sentence that lists the valid names.
    pub known: &'static str,
    /// The word that was found.
    pub found: String,
}

/// Gives the values of an enum names: `ALL`, `name`, `Display`, `FromStr` and strings in JSON. The sentence lists the
/// names in the error for an unknown one.
#[macro_export]
macro_rules! named {
    ($type:ident, $known:literal, $($variant:ident $name:literal),+ $(,)?) => {
        impl $type {
            /// All values.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

            /// The name of the value.
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
