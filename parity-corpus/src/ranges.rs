//! What every range of the wire form has to be, computed a second time and naively: UTF-16 offsets and bytes name the same
//! text, and lines and columns are what counting characters gives.

use parser_core::source::Range;
use serde::Serialize;
use serde_json::Value;

/// Where each byte of a text lies, found by walking its characters.
pub struct Places<'t> {
    text: &'t str,
    units: Vec<u16>,
    /// Of each character's first byte, and of the text's end: UTF-16 offset, line, column. The other bytes have none.
    of_bytes: Vec<Option<(usize, usize, usize)>>,
}

impl<'t> Places<'t> {
    /// Walks `text`.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let mut of_bytes = vec![None; text.len() + 1];
        let (mut utf16, mut line, mut column) = (0, 1, 1);
        let mut characters = text.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            of_bytes[at] = Some((utf16, line, column));
            utf16 += character.len_utf16();
            let after = characters.peek().map(|(_, next)| *next);
            if character == '\n' || (character == '\r' && after != Some('\n')) {
                (line, column) = (line + 1, 1);
            } else {
                column += character.len_utf16();
            }
        }
        of_bytes[text.len()] = Some((utf16, line, column));
        Self {
            text,
            units: text.encode_utf16().collect(),
            of_bytes,
        }
    }

    /// What is wrong with one range; nothing when all of it agrees.
    ///
    /// # Errors
    /// The disagreement.
    pub fn check(&self, range: &Range) -> Result<(), String> {
        let bytes = self
            .text
            .get(range.start..range.end)
            .ok_or_else(|| format!("{range:?} is no slice of the text"))?;
        let slice = self
            .units
            .get(range.utf16_start..range.utf16_end)
            .map(String::from_utf16)
            .and_then(Result::ok)
            .ok_or_else(|| format!("{range:?} is no UTF-16 slice of the text"))?;
        if bytes != slice {
            return Err(format!("{range:?} names {bytes:?} and {slice:?}"));
        }
        for (at, said) in [
            (
                range.start,
                (range.utf16_start, range.start_line, range.start_column),
            ),
            (
                range.end,
                (range.utf16_end, range.end_line, range.end_column),
            ),
        ] {
            let counted = self.of_bytes[at];
            if counted != Some(said) {
                return Err(format!(
                    "byte {at} is at {counted:?}, {range:?} says {said:?}"
                ));
            }
        }
        Ok(())
    }

    /// Checks every range of a wire form, however deep it lies, and says how many there are.
    ///
    /// # Errors
    /// The first disagreement.
    pub fn check_all(&self, wire: &impl Serialize) -> Result<usize, String> {
        let value = serde_json::to_value(wire).map_err(|error| error.to_string())?;
        self.walk(&value)
    }

    fn walk(&self, value: &Value) -> Result<usize, String> {
        match value {
            Value::Object(members) if members.contains_key("utf16Start") => {
                let range: Range =
                    serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
                self.check(&range).map(|()| 1)
            }
            Value::Object(members) => members.values().map(|member| self.walk(member)).sum(),
            Value::Array(items) => items.iter().map(|item| self.walk(item)).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(0),
        }
    }
}
