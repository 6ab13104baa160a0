//! How long a run may take.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use parser_core::script::DurationText;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// `90s`, `30m`, `1h`, `1d`; a bare number is in seconds. At least a second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeout(DurationText);

/// A text that is none.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` is no time-out: write a number above zero with `s`, `m`, `h` or `d` directly behind it, such as `90s` or `1h`"
)]
pub struct NoTimeout(String);

impl Timeout {
    /// Its length.
    #[must_use]
    pub const fn duration(&self) -> Duration {
        Duration::from_secs(self.0.seconds)
    }
}

impl FromStr for Timeout {
    type Err = NoTimeout;

    fn from_str(text: &str) -> Result<Self, NoTimeout> {
        DurationText::parse(text)
            .filter(|found| found.seconds > 0)
            .map(Self)
            .ok_or_else(|| NoTimeout(text.to_owned()))
    }
}

impl fmt::Display for Timeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)?;
        if self.0.text.ends_with(|c: char| c.is_ascii_digit()) {
            f.write_str("s")?;
        }
        Ok(())
    }
}

impl Serialize for Timeout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.text)
    }
}

impl<'de> Deserialize<'de> for Timeout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // A variable of the environment that is a bare number does not come as a text.
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a duration, such as \"30m\"")]
        enum Written {
            Text(String),
            Seconds(i64),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Text(text) => text,
            Written::Seconds(seconds) => seconds.to_string(),
        };
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{project, refused};
    use super::*;

    #[test]
    fn a_time_out_is_a_duration_above_zero() {
        for (written, shown, seconds) in [
            ("'30m'", "30m", 1800),
            ("'90'", "90s", 90),
            ("90", "90s", 90),
        ] {
            let (_folder, project) = project(&format!("[run]\ntimeout = {written}\n"));
            let timeout = project.config.run.timeout.unwrap();
            assert_eq!(timeout.to_string(), shown);
            assert_eq!(timeout.duration(), Duration::from_secs(seconds));
        }
        for written in ["'0'", "0", "-5", "'1 h'", "'1w'", "''"] {
            let error = refused(&format!("[run]\ntimeout = {written}\n"));
            assert!(
                error.contains("is no time-out") && error.contains("timeout"),
                "{error}"
            );
        }
        let error = refused("[run]\ntimeout = true\n");
        assert!(error.contains("a duration, such as"), "{error}");
    }
}
