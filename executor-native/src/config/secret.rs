//! Secrets come from the environment by reference, and leave again in no message.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::ConfigError;

/// A text that was read through `env:NAME`. Its `Debug` and `Display` show stars.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Reads `env:NAME` from the environment; any other text is taken as it is and is no secret.
    ///
    /// # Errors
    /// [`ConfigError::Variable`] when the variable is not set.
    pub fn resolve(text: &str) -> Result<Self, ConfigError> {
        let Some(name) = text.strip_prefix("env:") else {
            return Ok(Self(text.to_owned()));
        };
        let value = std::env::var(name).map_err(|_| ConfigError::Variable(name.to_owned()))?;
        remember(&value);
        Ok(Self(value))
    }

    /// The text itself, for the engine.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("****")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("****")
    }
}

fn known() -> &'static Mutex<BTreeSet<String>> {
    static KNOWN: OnceLock<Mutex<BTreeSet<String>>> = OnceLock::new();
    KNOWN.get_or_init(Mutex::default)
}

/// Notes a value that must not appear in messages. A short one is not noted: masking it would eat ordinary words.
fn remember(value: &str) {
    let mut known = known().lock().unwrap_or_else(PoisonError::into_inner);
    if value.len() >= 4 {
        known.insert(value.to_owned());
    }
    // A connection text is quoted by engines in parts: its password alone must be masked too.
    for part in value.split_whitespace() {
        if let Some(password) = part.strip_prefix("password=") {
            let password = password.trim_matches('\'');
            if password.len() >= 4 {
                known.insert(password.to_owned());
            }
        }
    }
}

/// `text` with every known secret, and every `password=…`, replaced by stars.
#[must_use]
pub fn mask(text: &str) -> String {
    let mut masked = text.to_owned();
    let known = known().lock().unwrap_or_else(PoisonError::into_inner);
    for secret in known.iter().rev() {
        if masked.contains(secret.as_str()) {
            masked = masked.replace(secret.as_str(), "****");
        }
    }
    let mut rest = masked.as_str();
    let mut out = String::with_capacity(masked.len());
    while let Some(at) = rest.find("password=") {
        let value = at + "password=".len();
        let end = rest[value..]
            .find(|c: char| c.is_whitespace() || c == ')' || c == ';')
            .map_or(rest.len(), |length| value + length);
        out.push_str(&rest[..value]);
        out.push_str("****");
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_masked() {
        assert_eq!(
            mask("cannot connect: host=a password=hunter2 port=1"),
            "cannot connect: host=a password=**** port=1"
        );
        assert_eq!(mask("no secret here"), "no secret here");
    }

    #[test]
    fn debug_shows_nothing() {
        let secret = Secret("dbname=x".into());
        assert_eq!(format!("{secret:?} {secret}"), "**** ****");
    }

    #[test]
    fn an_unset_variable_is_named() {
        let error = Secret::resolve("env:LAKEMILL_TEST_UNSET")
            .unwrap_err()
            .to_string();
        assert!(error.contains("LAKEMILL_TEST_UNSET"), "{error}");
    }
}
