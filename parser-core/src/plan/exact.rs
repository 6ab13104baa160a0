//! Whether a column's type can hold a value as it is written: the engine rounds what has more decimals.

/// Whether no digit of `text` is lost in this type, which is spelled as the engine spells it. What is no value of the type
/// at all loses none: the engine refuses it.
pub(super) fn holds(text: &str, data_type: &str) -> bool {
    let is_date = data_type == "DATE";
    let places = match data_type {
        "DATE" | "TIMESTAMP_S" => 0,
        "TIMESTAMP_MS" => 3,
        "TIMESTAMP" | "TIMESTAMP WITH TIME ZONE" | "TIME" => 6,
        other if other.ends_with("INT") || other.ends_with("INTEGER") => 0,
        other => match other.strip_prefix("DECIMAL(").and_then(scale) {
            Some(scale) => scale,
            None => return true,
        },
    };
    // Digits behind the point, or of a date's time; none before it is reached.
    let mut decimals: Option<usize> = None;
    for (at, byte) in text.trim().bytes().enumerate() {
        match (byte, &mut decimals) {
            (b'0'..=b'9', Some(count)) => {
                *count += 1;
                if byte != b'0' && *count > places {
                    return false;
                }
            }
            (b'0'..=b'9', None) | (b'-' | b'+', None) => {}
            (b' ' | b'T', None) if is_date => decimals = Some(0),
            (b'.', None) if !is_date => decimals = Some(0),
            (b' ' | b'T' | b':', None) if at > 0 => {}
            (_, Some(_)) if is_date => {}
            // A zone; or what is no such value.
            (_, _) => return true,
        }
    }
    true
}

/// Of `18,2)`: the 2.
fn scale(rest: &str) -> Option<usize> {
    let (_, scale) = rest.strip_suffix(')')?.split_once(',')?;
    scale.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn what_would_be_rounded_is_not_held() {
        for (text, data_type, is_held) in [
            ("1.3", "DECIMAL(3,1)", true),
            ("1.30", "DECIMAL(3,1)", true),
            ("1.25", "DECIMAL(3,1)", false),
            ("-.25", "DECIMAL(3,1)", false),
            ("2", "DECIMAL(3,1)", true),
            ("1", "INTEGER", true),
            ("1.0", "UBIGINT", true),
            ("1.", "TINYINT", true),
            ("1.5", "HUGEINT", false),
            ("1.5", "DOUBLE", true),
            ("1.55", "VARCHAR", true),
            ("two.5", "INTEGER", true),
            ("2024-01-01", "DATE", true),
            ("2024-01-01 00:00:00", "DATE", true),
            ("2024-01-01T12:00:00", "DATE", false),
            ("infinity", "DATE", true),
            ("2024-01-01 12:00:00.5", "TIMESTAMP_S", false),
            ("2024-01-01 12:00:00.5", "TIMESTAMP_MS", true),
            ("2024-01-01 12:00:00.0005", "TIMESTAMP_MS", false),
            (
                "2024-01-01 12:00:00.1234567+02",
                "TIMESTAMP WITH TIME ZONE",
                false,
            ),
            ("12:00:00.123456", "TIME", true),
        ] {
            assert_eq!(holds(text, data_type), is_held, "{text} as {data_type}");
        }
    }
}
