//! The engine's JSON: its numbers may be none of JSON's.

use serde_json::Value;

/// Reads what `to_json` gives. `NaN`, `Infinity` and `-Infinity`, which JSON does not have, become texts.
///
/// # Errors
/// When it is no JSON otherwise.
pub fn json(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| match with_texts(text) {
        Some(mended) => serde_json::from_str(&mended),
        None => Err(error),
    })
}

/// The same with quotes round such numbers; `None` when there is none.
fn with_texts(text: &str) -> Option<String> {
    const NUMBERS: [&str; 3] = ["NaN", "Infinity", "-Infinity"];
    let mut mended = String::with_capacity(text.len() + 16);
    let mut rest = text;
    let mut in_text = false;
    while let Some(c) = rest.chars().next() {
        let number = NUMBERS
            .iter()
            .find(|number| !in_text && rest.starts_with(**number));
        if let Some(number) = number {
            mended.push('"');
            mended.push_str(number);
            mended.push('"');
            rest = &rest[number.len()..];
            continue;
        }
        // What a backslash stands before is part of a text, a quote too.
        let len = match c {
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            _ => c.len_utf8(),
        };
        in_text ^= c == '"';
        mended.push_str(&rest[..len]);
        rest = &rest[len..];
    }
    (mended.len() > text.len()).then_some(mended)
}

#[cfg(test)]
mod tests {
    use super::json;

    #[test]
    fn numbers_that_json_lacks_are_texts() {
        let read = json(r#"[{"a":NaN,"NaN":[-Infinity,Infinity],"t":"a \"NaN\\"},1.5]"#);
        assert_eq!(
            read.expect("it reads"),
            serde_json::json!([{ "a": "NaN", "NaN": ["-Infinity", "Infinity"], "t": "a \"NaN\\" }, 1.5])
        );
        assert!(json("[1,").is_err());
        assert!(json("[nan]").is_err());
    }
}
