//! In the body: columns behind a table's alias, `{partition}`, lakes in ATTACH. Only what is certain.

use super::offers::Offers;
use super::{Completion, CompletionKind};
use crate::asset::{Asset, AssetKind};
use crate::body::{
    AttachedAsset, Body, PartitionValue, SetupKind, Statement, StatementKind, is_reserved,
};
use crate::editor::context::CompletionContext;
use crate::editor::keywords::is_no_alias;
use crate::editor::registry::partition_doc;
use crate::lex::{Bracket, Lexer, Token, TokenKind, Unterminated, is_in_name};
use crate::script::{Partitioned, Script};
use crate::source::Span;

/// Completes at byte `offset` of the body.
pub(super) fn complete(
    text: &str,
    offset: usize,
    script: &Script,
    context: &CompletionContext,
) -> Vec<Completion> {
    let tokens: Vec<Token> = Lexer::new(text, script.body.span.start)
        .take_while(|token| token.span.start < offset)
        .collect();
    let Some((last, before)) = tokens.split_last() else {
        return Vec::new();
    };
    match last.kind {
        TokenKind::LineComment | TokenKind::Unterminated(Unterminated::Comment) => Vec::new(),
        TokenKind::BlockComment if offset < last.span.end => Vec::new(),
        TokenKind::String
        | TokenKind::EscapeString
        | TokenKind::DollarString
        | TokenKind::Unterminated(Unterminated::String | Unterminated::DollarString)
            if offset < last.span.end || matches!(last.kind, TokenKind::Unterminated(_)) =>
        {
            let in_attach = attach(text, offset, last, before, context);
            in_attach.unwrap_or_else(|| partition(text, offset, script))
        }
        _ => match qualifier(text, offset, &tokens) {
            Some((name, start)) => members(text, offset, start, &name, context),
            None => partition(text, offset, script),
        },
    }
}

/// `{par`: the tokens that stand for the slice.
fn partition(text: &str, offset: usize, script: &Script) -> Vec<Completion> {
    let Some(partitioned) = &script.header.partition else {
        return Vec::new();
    };
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = text[..offset].trim_end_matches(is_word);
    if !before.ends_with('{') {
        return Vec::new();
    }
    let tail = &text[offset..];
    let after = tail.trim_start_matches(is_word);
    let end = text.len() - after.strip_prefix('}').unwrap_or(after).len();
    let mut offers = Offers::new(text, Span::new(before.len() - 1, end), offset);
    for value in PartitionValue::ALL {
        let fits = match (&partitioned.value, value) {
            (Partitioned::Time(_), _) | (_, PartitionValue::Identity) => true,
            (Partitioned::Dynamic { .. }, PartitionValue::Start | PartitionValue::End) => false,
        };
        if let Some(offer) = fits
            .then(|| offers.add(CompletionKind::Partition, value.token()))
            .flatten()
        {
            offer.documentation = Some(partition_doc(value).to_owned());
        }
    }
    offers.finish()
}

/// Inside the literal of an ATTACH: the lakes.
fn attach(
    text: &str,
    offset: usize,
    literal: &Token,
    before: &[Token],
    context: &CompletionContext,
) -> Option<Vec<Completion>> {
    let statement = before
        .rsplit(|token| token.kind == TokenKind::Semicolon)
        .next()?;
    let mut words = statement.iter().filter(|token| !token.kind.is_trivia());
    let is_attach =
        words.next()?.is_word(text, "attach") && words.all(|token| token.kind == TokenKind::Word);
    let start = literal.span.start + literal.text(text).find('\'')? + 1;
    if !is_attach || offset < start {
        return None;
    }
    let tail = &text[offset..];
    let len = tail
        .find(|c: char| c.is_whitespace() || matches!(c, '\'' | ';'))
        .unwrap_or(tail.len());
    let mut offers = Offers::new(text, Span::new(start, offset + len), offset);
    for lake in context.lake_names() {
        let uri = format!("{}{lake}", AssetKind::Ducklake.scheme());
        if let Some(offer) = offers.add(CompletionKind::Lake, uri)
            && matches!(literal.kind, TokenKind::Unterminated(_))
        {
            offer.insert_text.push('\'');
        }
    }
    Some(offers.finish())
}

/// The name before the dot before the place, and where the word behind the dot begins.
fn qualifier(text: &str, offset: usize, tokens: &[Token]) -> Option<(String, usize)> {
    let (start, before) = match tokens.split_last()? {
        (word, before) if word.kind == TokenKind::Word => (word.span.start, before),
        _ => (offset, tokens),
    };
    match before {
        [.., deeper, _, dot] if dot.kind == TokenKind::Dot && deeper.kind == TokenKind::Dot => None,
        [.., name, dot] if dot.kind == TokenKind::Dot && dot.span.end == start => {
            Some((name.name(text)?, start))
        }
        _ => None,
    }
}

/// What `name.` may be followed by: columns when it names a table of the statement, tables when it
/// names a lake.
fn members(
    text: &str,
    offset: usize,
    start: usize,
    name: &str,
    context: &CompletionContext,
) -> Vec<Completion> {
    // A name that ends in a dot would take the next keyword with it: a word is put there.
    let whole = format!("{}x{}", &text[..offset], &text[offset..]);
    let body = crate::parse(&whole).script.body;
    let tail = &text[offset..];
    let len = tail.find(|c| !is_in_name(c)).unwrap_or(tail.len());
    let mut offers = Offers::new(text, Span::new(start, offset + len), offset);
    let statement = body
        .statements
        .iter()
        .find(|statement| statement.span.start <= offset && offset < statement.span.end);
    match statement.map(|statement| table(&whole, statement, &body, name)) {
        Some(Found::Table(asset)) => {
            offers.columns(context.columns(&asset), |name| Some(identifier(name)));
        }
        Some(Found::Uncertain) => {}
        Some(Found::None) | None => tables(&mut offers, &body, name, context),
    }
    offers.finish()
}

/// What a name means in a statement.
enum Found {
    Table(Asset),
    /// Several tables, or a common table.
    Uncertain,
    None,
}

fn table(text: &str, statement: &Statement, body: &Body, name: &str) -> Found {
    let mut found = Found::None;
    for used in &body.assets {
        for span in used
            .spans
            .iter()
            .filter(|span| statement.span.start <= span.start && span.end <= statement.span.end)
        {
            let named = alias(text, span.end).or_else(|| own_name(statement, *span));
            if !named.is_some_and(|named| named.eq_ignore_ascii_case(name)) {
                continue;
            }
            match &found {
                Found::None => found = Found::Table(used.asset.clone()),
                Found::Table(asset) if asset.id() == used.asset.id() => {}
                Found::Table(_) | Found::Uncertain => return Found::Uncertain,
            }
        }
    }
    if matches!(found, Found::Table(_)) && is_common_table(text, statement.span, name) {
        return Found::Uncertain;
    }
    found
}

/// `t AS a` and `t a`: the alias of a table that ends at byte `end`.
fn alias(text: &str, end: usize) -> Option<String> {
    let mut tokens = Lexer::new(text, end).filter(|token| !token.kind.is_trivia());
    let token = tokens.next()?;
    if token.is_word(text, "as") {
        return tokens.next()?.name(text);
    }
    if token.kind == TokenKind::Word && is_no_alias(token.text(text)) {
        return None;
    }
    token.name(text)
}

fn own_name(statement: &Statement, span: Span) -> Option<String> {
    let table = statement.tables.iter().find(|table| table.span == span)?;
    table.parts.last().map(|part| part.value.clone())
}

/// `name AS (` or `name(…) AS (` somewhere in the statement.
fn is_common_table(text: &str, statement: Span, name: &str) -> bool {
    let tokens: Vec<Token> = Lexer::new(text, statement.start)
        .take_while(|token| token.span.end <= statement.end)
        .filter(|token| !token.kind.is_trivia())
        .collect();
    let open = TokenKind::Open(Bracket::Round);
    (0..tokens.len()).any(|at| {
        let is_name = tokens[at]
            .name(text)
            .is_some_and(|found| found.eq_ignore_ascii_case(name));
        let after = match tokens.get(at + 1) {
            Some(token) if token.kind == open => {
                let close = TokenKind::Close(Bracket::Round);
                let closing = tokens[at..].iter().position(|token| token.kind == close);
                closing.map_or(tokens.len(), |closing| at + closing + 1)
            }
            Some(_) | None => at + 1,
        };
        let behind = tokens.get(after..).unwrap_or_default();
        is_name
            && behind
                .first()
                .is_some_and(|token| token.is_word(text, "as"))
            && behind
                .iter()
                .skip(1)
                .find(|token| !token.is_word(text, "not") && !token.is_word(text, "materialized"))
                .is_some_and(|token| token.kind == open)
    })
}

/// The known tables of the lake that the script attaches as `alias`.
fn tables(offers: &mut Offers<'_>, body: &Body, alias: &str, context: &CompletionContext) {
    let attached = body.statements.iter().rev().find_map(|statement| {
        let StatementKind::Setup(SetupKind::Attach(attach)) = &statement.kind else {
            return None;
        };
        attach
            .alias_name()
            .eq_ignore_ascii_case(alias)
            .then_some(attach.asset.as_ref()?)
    });
    let Some(AttachedAsset::Lake(lake)) = attached else {
        return;
    };
    for known in &context.assets {
        let Some(table) = known
            .asset
            .lake_table()
            .filter(|table| table.lake.eq_ignore_ascii_case(lake))
        else {
            continue;
        };
        let (schema, name) = (identifier(&table.schema), identifier(&table.table));
        let spelled = if table.schema.eq_ignore_ascii_case("main") {
            name
        } else {
            format!("{schema}.{name}")
        };
        if let Some(offer) = offers.add(CompletionKind::Asset, spelled) {
            offer.detail = Some(known.asset.to_string());
        }
    }
}

/// A name as SQL takes it.
pub(super) fn identifier(name: &str) -> String {
    let mut bytes = name.bytes();
    let is_plain = bytes
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !is_reserved(name);
    if is_plain {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}
