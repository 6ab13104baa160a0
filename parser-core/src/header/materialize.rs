//! `materialize …`

use super::annotation::{Comment, dropped, dropping};
use super::keyword::Keyword;
use super::options::{Accepted, Options, shortened, unknown_value};
use super::piece::Piece;
use super::reference::{Bare, asset};
use super::spelling::nearest;
use super::token::{Token, tokens};
use crate::diagnostic::{Code, Diagnostic, TextEdit};
use crate::script::{Materialize, Mode, OnSchemaChange};
use crate::source::{Span, Spanned};

const ACCEPTED: Accepted = Accepted {
    names: Some(&["key", "track", "deletes", "on_schema_change"]),
    lists: &["key", "track"],
    // Mode words are no flags, but read as one they can be told from remarks.
    flags: &["append", "history", "manual", "scd2"],
};

const MODES: [&str; 2] = ["manual", "scd2"];

/// What follows `materialize`.
pub(super) fn read(comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<Materialize> {
    let (first, more) = comment.rest.word();
    let mode_word = matches!(first.text(), "manual" | "scd2").then_some(first);
    let (target, more) = if mode_word.is_some() {
        more.word()
    } else {
        (first, more)
    };
    if let Some(why) = unfit_target(mode_word, target) {
        out.push(dropped(
            Code::LM002,
            Keyword::Materialize,
            comment.span,
            &why,
        ));
        return None;
    }
    let target = match asset(target, Bare::Allowed, Code::LM002) {
        Ok(target) => target,
        Err(mut found) => {
            dropping(&mut found, Keyword::Materialize);
            // A misspelled mode word stands where the target is looked for.
            let mode = nearest(first.text(), &MODES).filter(|_| mode_word.is_none());
            out.push(match mode.filter(|_| !more.is_empty()) {
                Some(mode) => found
                    .hint(format!("the mode is spelled `{mode}`"))
                    .change(first.span(), mode),
                None => found,
            });
            return None;
        }
    };
    let options = Options::read(comment, more, &ACCEPTED, out);
    let manual = mode_word.is_some_and(|word| word.text() == "manual");
    let scd2 = mode_word
        .filter(|word| word.text() == "scd2")
        .map(Piece::span);
    let found = Materialize {
        mode: if manual { Mode::Manual } else { Mode::Managed },
        asset: target,
        append: options.flag("append"),
        history: options.flag("history").or(scd2),
        key: options.list("key", out),
        track: options.list("track", out),
        close_deleted: close_deleted(options.get("deletes"), out),
        on_schema_change: on_schema_change(options.get("on_schema_change"), out),
    };
    let late = options.flag("manual").or(options.flag("scd2"));
    out.extend(late.map(|word| mode_behind_target(word, comment, found.asset.span, mode_word)));
    if let (Some(append), Some(key)) = (found.append, options.get("key")) {
        out.push(
            Diagnostic::new(
                Code::LM016,
                append,
                "`append` wins over `key=`: rows are inserted and none is replaced",
            )
            .hint("keep one of them")
            .related(key.span(), "this key has no effect"),
        );
    }
    Some(found)
}

/// A mode word behind the target has no effect: the run would do what the line does not say.
fn mode_behind_target(
    word: Span,
    comment: Comment<'_>,
    target: Span,
    mode_word: Option<Piece<'_>>,
) -> Diagnostic {
    let (before, tail) = comment
        .rest
        .split_at(word.start - comment.rest.span().start);
    let text = tail.word().0.text();
    let found = Diagnostic::new(
        Code::LM026,
        word,
        format!("the mode `{text}` stands behind the target and has no effect"),
    )
    .hint(format!("write `materialize {text} <target>`"));
    if mode_word.is_some() {
        return found;
    }
    let removed = Span::new(before.trim_end().span().end, word.end);
    let edits = vec![
        TextEdit {
            span: Span::at(target.start),
            text: format!("{text} "),
        },
        TextEdit {
            span: removed,
            text: String::new(),
        },
    ];
    found.fix_all("Move before the target", edits)
}

/// Why no target can stand where `target` stands; `None` when it may be one.
fn unfit_target(mode_word: Option<Piece<'_>>, target: Piece<'_>) -> Option<String> {
    match (mode_word, target.text()) {
        (_, "") => Some("the target is missing".to_owned()),
        (Some(first), second @ ("manual" | "scd2")) => Some(format!(
            "`{}` and `{second}` are two modes, and one is allowed",
            first.text()
        )),
        (_, text) => match tokens(target).next() {
            Some(Token::Pair(_)) => Some(format!("`{}` stands before the target", shortened(text))),
            Some(Token::Word(_) | Token::Quoted { .. }) | None => ACCEPTED
                .flags
                .contains(&text)
                .then(|| format!("`{text}` stands before the target")),
        },
    }
}

fn close_deleted(value: Option<Piece<'_>>, out: &mut Vec<Diagnostic>) -> bool {
    match value.map(|value| (value, value.text())) {
        None | Some((_, "ignore")) => false,
        Some((_, "close")) => true,
        Some((value, _)) => {
            out.push(unknown_value(
                "deletes",
                value,
                &["close", "ignore"],
                "ignore",
            ));
            false
        }
    }
}

fn on_schema_change(
    value: Option<Piece<'_>>,
    out: &mut Vec<Diagnostic>,
) -> Option<Spanned<OnSchemaChange>> {
    let value = value?;
    let change = match value.text() {
        "warn" => OnSchemaChange::Warn,
        "ignore" => OnSchemaChange::Ignore,
        "fail" => OnSchemaChange::Fail,
        "sync" => OnSchemaChange::Sync,
        _ => {
            out.push(unknown_value(
                "on_schema_change",
                value,
                &["warn", "ignore", "fail", "sync"],
                "warn",
            ));
            return None;
        }
    };
    Some(Spanned::new(change, value.span()))
}
