//! Times that the engine would not take: arithmetic that needs ICU, identities read as times.

use crate::body::{PartitionToken, PartitionValue, TokenPlace};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Bracket, Lexer, Token, TokenKind};
use crate::script::{Grain, Partitioned, Script};
use crate::source::Span;

/// Functions and keywords whose value is a TIMESTAMP WITH TIME ZONE.
const NOW: [&str; 4] = [
    "now",
    "get_current_timestamp",
    "transaction_timestamp",
    "current_timestamp",
];
/// Types that a text is read as a time by.
const TIMES: [&str; 4] = ["timestamp", "date", "datetime", "timestamptz"];

pub(super) fn check(text: &str, script: &Script, out: &mut Vec<Diagnostic>) {
    let no_time = no_time(script);
    for statement in &script.body.statements {
        let wanted = no_time && !statement.tokens.is_empty();
        if !wanted && !mentions_interval(statement.span.slice(text)) {
            continue;
        }
        let tokens: Vec<Token> = Lexer::new(&text[..statement.span.end], statement.span.start)
            .filter(|token| !token.kind.is_trivia())
            .collect();
        arithmetic(text, &tokens, out);
        if wanted {
            for token in &statement.tokens {
                if let Some(whole) = whole_identity(&tokens, token) {
                    identity_as_time(text, &tokens, whole, out);
                }
            }
        }
    }
}

/// The literal that is nothing but the identity. That of a typed literal keeps its quotes, so that
/// the token inside does not cover them.
fn whole_identity(tokens: &[Token], token: &PartitionToken) -> Option<Span> {
    match (token.value, token.place) {
        (PartitionValue::Identity, TokenPlace::Literal) => Some(token.span),
        (PartitionValue::Identity, TokenPlace::InString) => {
            let at = tokens.partition_point(|lexical| lexical.span.end <= token.span.start);
            tokens
                .get(at)
                .map(|literal| literal.span)
                .filter(|literal| literal.len() == token.span.len() + 2)
        }
        (PartitionValue::Identity, TokenPlace::InEscapeString | TokenPlace::InDollarString)
        | (PartitionValue::Start | PartitionValue::End, _) => None,
    }
}

/// Spares most scripts the second reading.
fn mentions_interval(statement: &str) -> bool {
    statement
        .as_bytes()
        .windows(8)
        .any(|word| word.eq_ignore_ascii_case(b"interval"))
}

/// Whether the identities of the script's partition are no literals of a time.
fn no_time(script: &Script) -> bool {
    match script
        .header
        .partition
        .as_ref()
        .map(|partition| &partition.value)
    {
        // The identities of `dynamic` are the caller's; nothing is known about them.
        None | Some(Partitioned::Dynamic { .. }) => false,
        Some(Partitioned::Time(time)) => match time.grain {
            Grain::Daily => time
                .format
                .as_ref()
                .is_some_and(|format| format.value != Grain::Daily.default_format()),
            Grain::Hourly | Grain::Weekly | Grain::Monthly => true,
        },
    }
}

/// `now() - INTERVAL …`, `INTERVAL … + now()` is left alone: it is rare, and its end is hard to see.
fn arithmetic(text: &str, tokens: &[Token], out: &mut Vec<Diagnostic>) {
    for at in 0..tokens.len() {
        if !NOW.iter().any(|name| tokens[at].is_word(text, name)) {
            continue;
        }
        // `t.now` is a column.
        if at > 0 && tokens[at - 1].kind == TokenKind::Dot {
            continue;
        }
        let call = match tokens.get(at + 1..at + 3) {
            Some([open, close])
                if open.kind == TokenKind::Open(Bracket::Round)
                    && close.kind == TokenKind::Close(Bracket::Round) =>
            {
                2
            }
            Some(_) | None if tokens[at].is_word(text, "current_timestamp") => 0,
            Some(_) | None => continue,
        };
        let Some([sign, interval]) = tokens.get(at + call + 1..at + call + 3) else {
            continue;
        };
        if matches!(sign.text(text), "+" | "-") && interval.is_word(text, "interval") {
            let end = tokens[at + call].span.end;
            let span = Span::new(tokens[at].span.start, end);
            out.push(
                Diagnostic::new(
                    Code::LM119,
                    Span::new(span.start, interval.span.end),
                    format!(
                        "`{}` with an interval needs the engine's ICU extension",
                        span.slice(text)
                    ),
                )
                .hint(format!("write `{}::TIMESTAMP`", span.slice(text)))
                .fix("Cast to TIMESTAMP", Span::at(end), "::TIMESTAMP"),
            );
        }
    }
}

/// `TIMESTAMP '{partition}'`, `{partition}::DATE`, `CAST({partition} AS TIMESTAMP)`.
fn identity_as_time(text: &str, tokens: &[Token], identity: Span, out: &mut Vec<Diagnostic>) {
    let is_time = |token: Option<&Token>| {
        token.is_some_and(|token| TIMES.iter().any(|name| token.is_word(text, name)))
    };
    let first = tokens.partition_point(|token| token.span.start < identity.start);
    let behind = tokens.partition_point(|token| token.span.start < identity.end);
    let before = first.checked_sub(1).and_then(|at| tokens.get(at));
    let span = if is_time(before) {
        before.map_or(identity, |token| token.span.to(identity))
    } else if tokens
        .get(behind)
        .is_some_and(|token| token.text(text) == "::" || token.is_word(text, "as"))
        && is_time(tokens.get(behind + 1))
    {
        tokens
            .get(behind + 1)
            .map_or(identity, |token| identity.to(token.span))
    } else {
        return;
    };
    let found = Diagnostic::new(
        Code::LM120,
        span,
        "the partition's identity is read as a time, which it is not",
    )
    .hint("write `{partition_start}`, or compare `wm_partition(<column>)` with `{partition}`");
    // `CAST(… AS …)` keeps its parentheses; a time cast to a time is fine.
    let replaced = if span.end == identity.end
        || tokens
            .get(behind)
            .is_some_and(|token| token.text(text) == "::")
    {
        span
    } else {
        identity
    };
    out.push(found.fix(
        "Change to `{partition_start}`",
        replaced,
        "{partition_start}",
    ));
}
