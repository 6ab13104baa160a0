//! Secrets come from the environment by reference, and leave again in no message.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::ConfigError;

/// What stands before the name of an environment variable.
const REFERENCE: &str = "env:";

/// What a setting of the configuration says, as far as secrets are concerned.
#[derive(Clone, Copy, Debug)]
pub(super) enum Holds {
    /// An address, which may have a password in it.
    Address,
    /// The secret itself.
    Secret,
}

/// Refuses a secret that is written out, and a reference to no variable.
///
/// # Errors
/// [`ConfigError::PlainSecret`], [`ConfigError::NoVariable`]
pub(super) fn refuse_written(setting: &str, text: &str, holds: Holds) -> Result<(), ConfigError> {
    let is_written = match (text.strip_prefix(REFERENCE), holds) {
        (Some(name), _) if name.trim().is_empty() => {
            return Err(ConfigError::NoVariable(setting.to_owned()));
        }
        (Some(_), _) => false,
        (None, Holds::Address) => !passwords(text).is_empty(),
        (None, Holds::Secret) => true,
    };
    if is_written {
        return Err(ConfigError::PlainSecret(setting.to_owned()));
    }
    Ok(())
}

/// A text that was read through `env:NAME`. Its `Debug` and `Display` show stars.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Reads `env:NAME` from the environment; any other text is taken as it is and is no secret. `setting` is where it
    /// stands, for messages.
    ///
    /// # Errors
    /// [`ConfigError::Variable`] when the variable is not set, or is no text.
    pub fn resolve(setting: &str, text: &str) -> Result<Self, ConfigError> {
        let Some(name) = text.strip_prefix(REFERENCE) else {
            return Ok(Self(text.to_owned()));
        };
        let value = std::env::var(name).map_err(|_| ConfigError::Variable {
            setting: setting.to_owned(),
            name: name.to_owned(),
        })?;
        remember(&value);
        Ok(Self(value))
    }

    /// A text that is no secret by itself, where one may stand.
    #[must_use]
    pub(super) fn plain(text: &str) -> Self {
        Self(text.to_owned())
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
    for (start, end) in passwords(value) {
        let password = value[start..end].trim_matches('\'');
        if password.len() >= 4 {
            known.insert(password.to_owned());
        }
    }
}

/// Where passwords stand in a text: the value behind `password =` in any case and spacing (`sslpassword`, `PGPASSWORD`
/// too), and what stands between `:` and `@` of a URI's user.
fn passwords(text: &str) -> Vec<(usize, usize)> {
    const KEY: &str = "password";
    let mut found = Vec::new();
    // ASCII lower case keeps every offset.
    let lower = text.to_ascii_lowercase();
    let mut at = 0;
    while let Some(key) = lower[at..].find(KEY).map(|offset| at + offset) {
        at = key + KEY.len();
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start().len();
        if !rest[blank..].starts_with('=') {
            continue;
        }
        let value = &rest[blank + 1..];
        let start = at + blank + 1 + (value.len() - value.trim_start().len());
        let value = &text[start..];
        let end = match value.strip_prefix('\'') {
            // Quotes and backslashes inside are escaped by a backslash.
            Some(quoted) => {
                let mut escaped = false;
                quoted
                    .char_indices()
                    .find(|&(_, c)| {
                        let ends = c == '\'' && !escaped;
                        escaped = c == '\\' && !escaped;
                        ends
                    })
                    .map_or(value.len(), |(end, _)| end + 2)
            }
            None => value
                .find(|c: char| c.is_whitespace() || matches!(c, ')' | ';' | '"' | '\'' | '&'))
                .unwrap_or(value.len()),
        };
        found.push((start, start + end));
        at = start + end;
    }
    let mut at = 0;
    while let Some(scheme) = text[at..].find("://").map(|offset| at + offset + 3) {
        at = scheme;
        let rest = &text[scheme..];
        let authority = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | '"' | '\''))
            .map_or(rest, |end| &rest[..end]);
        if let Some((user, _)) = authority.rsplit_once('@')
            && let Some((name, password)) = user.split_once(':')
            && !password.is_empty()
        {
            let start = scheme + name.len() + 1;
            found.push((start, start + password.len()));
        }
    }
    found.sort_unstable();
    found
}

/// `text` with every known secret and everything that looks like a password replaced by stars.
#[must_use]
pub fn mask(text: &str) -> String {
    let mut masked = text.to_owned();
    let known = known().lock().unwrap_or_else(PoisonError::into_inner);
    // The longest first: a whole connection text before the password in it.
    let mut secrets: Vec<&String> = known.iter().collect();
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    for secret in secrets {
        if masked.contains(secret.as_str()) {
            masked = masked.replace(secret.as_str(), "****");
        }
    }
    let mut out = String::with_capacity(masked.len());
    let mut done = 0;
    for (start, end) in passwords(&masked) {
        if start >= done {
            out.push_str(&masked[done..start]);
            out.push_str("****");
            done = end;
        }
    }
    out.push_str(&masked[done..]);
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
        for (text, masked) in [
            (
                "at \"postgresql://u:hunter2@127.0.0.1:1/x\": refused",
                "at \"postgresql://u:****@127.0.0.1:1/x\": refused",
            ),
            ("postgres://u:p@ss:w@h/x", "postgres://u:****@h/x"),
            (
                "host=a password = hunter2 port=1",
                "host=a password = **** port=1",
            ),
            ("PASSWORD=hunter2;", "PASSWORD=****;"),
            ("sslpassword='it\\'s x' user=b", "sslpassword=**** user=b"),
            ("a password is needed", "a password is needed"),
            ("s3://bucket/key@2", "s3://bucket/key@2"),
            ("http://127.0.0.1:9000/x", "http://127.0.0.1:9000/x"),
            ("naïve 🦆 password=ü", "naïve 🦆 password=****"),
        ] {
            assert_eq!(mask(text), masked);
        }
    }

    #[test]
    fn the_password_of_a_connection_text_is_masked_by_itself() {
        remember("postgres:postgresql://u:correct-horse@h/db");
        remember("host=h password='battery staple'");
        assert_eq!(
            mask("no entry for correct-horse or battery staple"),
            "no entry for **** or ****"
        );
    }

    #[test]
    fn debug_shows_nothing() {
        let secret = Secret("dbname=x".into());
        assert_eq!(format!("{secret:?} {secret}"), "**** ****");
    }

    #[test]
    fn an_unset_variable_is_named() {
        let error = Secret::resolve("state.url", "env:LAKEMILL_TEST_UNSET")
            .unwrap_err()
            .to_string();
        assert!(error.contains("`LAKEMILL_TEST_UNSET`"), "{error}");
        assert!(error.contains("`state.url`"), "{error}");
    }
}
