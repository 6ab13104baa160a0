//! What the objects and words of the shape have in common.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

/// Derives what every object of the shape has.
macro_rules! objects {
    ($( $(#[$meta:meta])* pub struct $name:ident { $( $(#[$field_meta:meta])* pub $field:ident: $type:ty, )* } )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
        pub struct $name { $( $(#[$field_meta])* pub $field: $type, )* }
    )* };
}

/// Declares a string enum, and its conversion from the core's when there is one of the same variants.
macro_rules! words {
    ($( $(#[$meta:meta])* pub enum $name:ident $(from $core:path)? { $( $variant:ident = $word:literal, )* } )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
        pub enum $name { $( #[doc = $word] #[serde(rename = $word)] $variant, )* }

        impl $name {
            /// As it stands in the JSON.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $word, )* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        words!(@from $name [$($core)?] $( $variant )*);
    )* };
    (@from $name:ident [] $( $variant:ident )*) => {};
    (@from $name:ident [$core:path] $( $variant:ident )*) => {
        impl From<$core> for $name {
            fn from(core: $core) -> Self {
                use $core as Core;
                match core { $( Core::$variant => Self::$variant, )* }
            }
        }
    };
}

/// Declares an object that callers hand over: each member with its name in the JSON, `or default` when it may be left out.
/// Other members are refused.
macro_rules! inputs {
    ($( $(#[$meta:meta])* pub struct $name:ident { $( $(#[$field_meta:meta])* pub $field:ident: $type:ty = $key:literal $(or $default:ident)?, )* } )*) => { $(
        #[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
        $(#[$meta])*
        pub struct $name { $(
            $(#[$field_meta])*
            #[cfg_attr(feature = "tsify", serde(rename = $key $(, $default)?))]
            pub $field: $type,
        )* }

        reads!($name { $( $field: $key $(or $default)?, )* } and nothing else);

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = $crate::wire::value::Value::deserialize(deserializer)?;
                value.into().map_err(serde::de::Error::custom)
            }
        }
    )* };
}

/// Implements [`Read`](super::value::Read) for an object.
macro_rules! reads {
    ($name:ident { $( $field:ident: $key:literal $(or $default:ident)?, )* } $($all:ident nothing else)?) => {
        impl $crate::wire::value::Read for $name {
            fn read(
                value: $crate::wire::value::Value,
                path: &$crate::wire::value::Path<'_>,
            ) -> Result<Self, $crate::wire::value::Misread> {
                const NAMES: &[&str] = &[$( $key ),*];
                let all = reads!(@all $($all)?);
                let mut members = $crate::wire::value::Members::of(value, path, NAMES, all)?;
                $( let $field = reads!(@member members $($default)?)?; )*
                Ok(Self { $( $field ),* })
            }
        }
    };
    (@all and) => { true };
    (@all) => { false };
    (@member $members:ident) => { $members.required() };
    (@member $members:ident default) => { $members.optional() };
}

/// An object with names from the script, in the order of a JavaScript object's members: array indices by number, then the
/// rest. Its JSON text is then the same on both sides of the boundary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "BTreeMap<String, String>")]
pub struct Pairs(Vec<(String, String)>);

impl Pairs {
    /// Of names that differ.
    pub(super) fn new(mut pairs: Vec<(String, String)>) -> Self {
        crate::sort::by_text(&mut pairs, |(name, _)| name);
        let (mut indices, others): (Vec<_>, Vec<_>) = pairs
            .into_iter()
            .partition(|(name, _)| is_array_index(name));
        // They have no leading zeros, and those of one length are in order already.
        crate::sort::by(&mut indices, |(name, _)| [name.len(), 0, 0]);
        indices.extend(others);
        Self(indices)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names and texts, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &String)> {
        self.0.iter().map(|(name, text)| (name, text))
    }
}

impl From<BTreeMap<String, String>> for Pairs {
    fn from(pairs: BTreeMap<String, String>) -> Self {
        Self::new(pairs.into_iter().collect())
    }
}

impl Serialize for Pairs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// `0` to `4294967294`, written as JavaScript writes them.
fn is_array_index(name: &str) -> bool {
    let digits = name.bytes().all(|byte| byte.is_ascii_digit());
    let plain = digits && (name == "0" || !name.starts_with('0'));
    let last = u64::from(u32::MAX);
    plain && name.parse::<u64>().is_ok_and(|index| index < last)
}

pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

pub(super) use {inputs, objects, reads, words};
