//! The values of tokens, and what must hold after they are spliced in.

use super::SubstituteError;
use crate::body::{PartitionToken, PartitionValue, Statement, TokenPlace};
use crate::lex::{Lexer, TokenKind};
use crate::partition::{Bounds, CivilTime, Slice, timestamp_text};
use crate::source::Span;

/// The token's value as plain text.
pub(super) fn of(token: &PartitionToken, slice: Option<&Slice>) -> Result<String, SubstituteError> {
    let (span, name) = (token.span, token.value.token());
    let slice = slice.ok_or(SubstituteError::NoSlice { token: name, span })?;
    let bound = |pick: fn(&Bounds) -> CivilTime| match &slice.bounds {
        Some(bounds) => Ok(timestamp_text(pick(bounds))),
        None => Err(SubstituteError::NoBounds { token: name, span }),
    };
    match token.value {
        PartitionValue::Identity if slice.value.contains('\0') => {
            Err(SubstituteError::Nul { span })
        }
        PartitionValue::Identity => Ok(slice.value.clone()),
        PartitionValue::Start => bound(|bounds| bounds.start),
        PartitionValue::End => bound(|bounds| bounds.end),
    }
}

/// The SQL literal of a value.
pub(super) fn literal(value: PartitionValue, text: &str) -> String {
    let quoted = text.replace('\'', "''");
    match value {
        PartitionValue::Identity => format!("'{quoted}'"),
        PartitionValue::Start | PartitionValue::End => format!("TIMESTAMP '{quoted}'"),
    }
}

/// Refuses values that end the dollar-quoted string they stand in, by themselves or together with
/// the text next to them.
pub(super) fn check_dollar_strings(
    text: &str,
    statement: &Statement,
    slice: Option<&Slice>,
) -> Result<(), SubstituteError> {
    let in_dollar = |token: &&PartitionToken| token.place == TokenPlace::InDollarString;
    let mut tokens = statement.tokens.iter().filter(in_dollar).peekable();
    if tokens.peek().is_none() {
        return Ok(());
    }
    let literals = Lexer::new(text, statement.span.start)
        .take_while(|token| token.span.start < statement.span.end)
        .filter(|token| token.kind == TokenKind::DollarString);
    for literal in literals {
        let Some(first) = tokens.peek().map(|token| token.span) else {
            break;
        };
        let mut filled = String::new();
        let mut at = literal.span.start;
        while let Some(token) = tokens.next_if(|token| token.span.end <= literal.span.end) {
            filled.push_str(Span::new(at, token.span.start).slice(text));
            filled.push_str(&of(token, slice)?);
            at = token.span.end;
        }
        filled.push_str(Span::new(at, literal.span.end).slice(text));
        if Lexer::new(&filled, 0)
            .next()
            .is_some_and(|token| token.span.end < filled.len())
        {
            let value = slice.map(|slice| slice.value.clone()).unwrap_or_default();
            return Err(SubstituteError::ClosesDollarString { value, span: first });
        }
    }
    Ok(())
}
