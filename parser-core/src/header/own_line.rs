//! Options on a line of their own, as older scripts and other tools have them: `unique_key id`,
//! `append`, `on_schema_change=fail`. They belong on the `materialize` or the `partitioned` line.

use super::annotation::Comment;
use crate::diagnostic::{Code, Diagnostic, Fix, TextEdit};
use crate::lex::is_in_name;
use crate::script::{Header, Partitioned};
use crate::source::Span;

/// The lines that options belong on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Materialize,
    Partitioned,
}

/// A line with one option.
#[derive(Debug)]
struct OwnLine {
    span: Span,
    removal: TextEdit,
    /// As it is written on its owner's line.
    option: String,
    /// Its first word.
    word: &'static str,
    name: &'static str,
    owner: Owner,
}

/// What the value of an option on its own line must be, so that prose is left alone.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// Nothing at all.
    None,
    /// Columns by plain names; the sign `=` may be missing.
    Columns,
    /// Columns by plain names.
    ListedColumns,
    /// One of these.
    One(&'static [&'static str]),
    /// One word.
    Word,
}

/// First word, name of the option, its value and its owner.
const OPTIONS: [(&str, &str, Value, Owner); 9] = [
    ("unique_key", "key", Value::Columns, Owner::Materialize),
    ("append", "append", Value::None, Owner::Materialize),
    ("key", "key", Value::ListedColumns, Owner::Materialize),
    ("track", "track", Value::ListedColumns, Owner::Materialize),
    (
        "deletes",
        "deletes",
        Value::One(&["close", "ignore"]),
        Owner::Materialize,
    ),
    (
        "on_schema_change",
        "on_schema_change",
        Value::One(&["warn", "ignore", "fail", "sync"]),
        Owner::Materialize,
    ),
    ("tz", "tz", Value::Word, Owner::Partitioned),
    ("format", "format", Value::Word, Owner::Partitioned),
    ("start", "start", Value::Word, Owner::Partitioned),
];

/// Such lines of one header.
#[derive(Debug, Default)]
pub(super) struct OwnLines {
    found: Vec<OwnLine>,
}

impl OwnLines {
    /// Takes `comment` when it is such a line.
    pub(super) fn read(&mut self, comment: Comment<'_>) -> bool {
        let whole = comment.text.text();
        let len = whole
            .find(|c: char| !c.is_ascii_alphabetic() && c != '_')
            .unwrap_or(whole.len());
        let (word, behind) = whole.split_at(len);
        let behind = behind.trim_start();
        let (has_sign, text) = match behind.strip_prefix(['=', ':']) {
            Some(text) => (true, text.trim_start()),
            None => (false, behind),
        };
        let Some((word, name, value, owner)) =
            OPTIONS.iter().find_map(|(first, name, takes, owner)| {
                let value = takes.read(has_sign, text).filter(|_| *first == word)?;
                Some((*first, *name, value, *owner))
            })
        else {
            return false;
        };
        self.found.push(OwnLine {
            span: comment.span,
            removal: comment.removal(),
            option: if value.is_empty() {
                name.to_owned()
            } else {
                format!("{name}={value}")
            },
            word,
            name,
            owner,
        });
        true
    }

    /// Diagnoses them. Without the line that they belong on they are ordinary comments.
    pub(super) fn report(self, header: &Header, out: &mut Vec<Diagnostic>) {
        // Looked up once, not for each line: there may be many of both.
        let line = |span: Option<Span>| {
            span.map(|span| OwnerLine {
                span,
                // Behind an open quote an option would become a part of the quoted text.
                is_open: out.iter().any(|found| {
                    found.code == Code::LM014
                        && span.start <= found.span.start
                        && found.span.end <= span.end
                }),
            })
        };
        let materialize = line(header.materialize.as_ref().map(|found| found.span));
        let partitioned = line(
            header
                .partition
                .as_ref()
                .filter(|found| matches!(found.value, Partitioned::Time(_)))
                .map(|found| found.span),
        );
        for line in self.found {
            let owner = match line.owner {
                Owner::Materialize => materialize,
                Owner::Partitioned => partitioned,
            };
            out.extend(owner.map(|owner| line.finding(header, owner)));
        }
    }
}

/// The line that options belong on.
#[derive(Clone, Copy, Debug)]
struct OwnerLine {
    span: Span,
    /// Whether a quote on it is never closed.
    is_open: bool,
}

impl Value {
    /// The value as it is written behind `name=`, when `text` is one.
    fn read(self, has_sign: bool, text: &str) -> Option<String> {
        let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
        match self {
            Self::None => (text.is_empty() && !has_sign).then(String::new),
            Self::ListedColumns if !has_sign => None,
            Self::Columns | Self::ListedColumns => {
                let columns: Vec<&str> = text.split(',').map(str::trim).collect();
                let name = |column: &&str| !column.is_empty() && column.chars().all(is_in_name);
                columns.iter().all(name).then(|| columns.join(","))
            }
            Self::One(words) => words.contains(&text).then(|| text.to_owned()),
            Self::Word => (has_sign && is_word(text)).then(|| text.to_owned()),
        }
    }
}

impl OwnLine {
    fn finding(self, header: &Header, owner: OwnerLine) -> Diagnostic {
        let keyword = match self.owner {
            Owner::Materialize => "materialize",
            Owner::Partitioned => "partitioned",
        };
        let mut found = Diagnostic::new(
            Code::LM020,
            self.span,
            format!("this `{}` line is an ordinary comment", self.word),
        )
        .related(owner.span, "the option belongs here");
        let is_double = stands(header, self.name);
        found.hint = Some(if is_double {
            format!("the `{keyword}` line has `{}` already", self.name)
        } else {
            format!("write `{}` on the `{keyword}` line", self.option)
        });
        if owner.is_open {
            return found;
        }
        let (title, edits) = if is_double {
            ("Remove the line".to_owned(), vec![self.removal])
        } else {
            let added = TextEdit {
                span: Span::at(owner.span.end),
                text: format!(" {}", self.option),
            };
            let mut edits = vec![self.removal, added];
            crate::sort::by(&mut edits, |edit| [edit.span.start, edit.span.end, 0]);
            (
                format!("Move to the `{keyword}` line as `{}`", self.option),
                edits,
            )
        };
        found.fix = Some(Fix { title, edits });
        found
    }
}

/// Whether the option stands on its owner's line already.
fn stands(header: &Header, name: &str) -> bool {
    let line = header.materialize.as_ref().map(|line| &line.value);
    let time = header
        .partition
        .as_ref()
        .and_then(|line| match &line.value {
            Partitioned::Time(time) => Some(time),
            Partitioned::Dynamic { .. } => None,
        });
    match name {
        "append" => line.is_some_and(|line| line.append.is_some()),
        "key" => line.is_some_and(|line| !line.key.is_empty()),
        "track" => line.is_some_and(|line| !line.track.is_empty()),
        "deletes" => line.is_some_and(|line| line.close_deleted),
        "on_schema_change" => line.is_some_and(|line| line.on_schema_change.is_some()),
        "tz" => time.is_some_and(|time| time.tz.is_some()),
        "format" => time.is_some_and(|time| time.format.is_some()),
        _ => time.is_some_and(|time| time.start.is_some()),
    }
}
