//! `s3:///key`: the storage's place is put in front of the key, in the literals that name files.
//!
//! These are the ones that parsing takes for s3 objects (`FROM '…'`, `read_parquet(['…'])`, `COPY … TO '…'`) and the target
//! of an ATTACH. The same text in a comment or in another literal is not the script's naming of a file: it stays.

use super::sql::{Piece, UserSql};
use super::{PlanError, RunContext};
use crate::asset::AssetKind;
use crate::body::{Access, PartitionValue, SetupKind, StatementKind};
use crate::script::Script;
use crate::source::Span;

/// What is replaced by the storage's place.
const DEFAULT: &str = "s3:///";

/// A literal that names a file of the default storage.
struct File<'a> {
    /// The literal, quotes included.
    literal: Span,
    /// What stands behind `s3:///`.
    key: &'a str,
    is_written: bool,
}

/// The files of the default storage that a script names, and where that is.
pub(super) struct Files<'a> {
    /// The script's text.
    pub(super) text: &'a str,
    /// With a `/` at its end.
    root: String,
    /// In text order; none when nobody knows where the storage is.
    files: Vec<File<'a>>,
}

impl<'a> Files<'a> {
    pub(super) fn of(text: &'a str, script: &'a Script, context: &RunContext) -> Self {
        let root = context.storage.as_deref();
        Self {
            text,
            root: [root.unwrap_or_default().trim_end_matches('/'), "/"].concat(),
            files: root.map(|_| named(script)).unwrap_or_default(),
        }
    }

    /// Puts the storage in front of the keys in a statement.
    pub(super) fn place(&self, user: UserSql) -> Result<UserSql, PlanError> {
        let starts_before = |at: usize| move |file: &File<'_>| file.literal.start < at;
        let from = self.files.partition_point(starts_before(user.span.start));
        let to = self.files.partition_point(starts_before(user.span.end));
        let mut replaced = Vec::new();
        for file in &self.files[from..to] {
            replaced.extend(replacement(self.text, file, &self.root)?);
        }
        if replaced.is_empty() {
            return Ok(user);
        }
        Ok(UserSql {
            span: user.span,
            pieces: exchanged(user.pieces, replaced),
        })
    }

    /// The folders that files are written into; none on S3. Below a folder two keys must not be one file, and none may be
    /// outside.
    pub(super) fn folders(&self, context: &RunContext) -> Result<Vec<String>, PlanError> {
        let mut folders = Vec::new();
        if self.root.contains("://") {
            return Ok(folders);
        }
        let identity = context.partition.as_ref().map(|slice| slice.value.as_str());
        for file in &self.files {
            let key = match identity {
                Some(identity) => file.key.replace(PartitionValue::Identity.token(), identity),
                None => file.key.to_owned(),
            };
            let (folder, name) = key.rsplit_once('/').unwrap_or(("", &key));
            let is_outside = |part: &str| matches!(part, "." | "..");
            let is_wrong = |part: &str| part.is_empty() || is_outside(part);
            if is_outside(name) || (key.contains('/') && folder.split('/').any(is_wrong)) {
                let why = "has no file of its own below the storage's folder";
                return Err(PlanError::storage_key(&key, why, file.literal)
                    .hint("leave out `.`, `..` and empty parts"));
            }
            if file.is_written {
                folders.push([&self.root, folder].concat());
            }
        }
        crate::sort::by_text(&mut folders, |folder| folder);
        folders.dedup();
        Ok(folders)
    }
}

/// The literals of a script in text order.
fn named(script: &Script) -> Vec<File<'_>> {
    let mut files = Vec::new();
    for used in &script.body.assets {
        if used.asset.kind != AssetKind::S3Object {
            continue;
        }
        let Some(key) = used.asset.path.strip_prefix('/') else {
            continue;
        };
        files.extend(used.spans.iter().map(|&literal| File {
            literal,
            key,
            is_written: used.access != Access::Read,
        }));
    }
    for statement in &script.body.statements {
        if let StatementKind::Setup(SetupKind::Attach(attach)) = &statement.kind
            && let Some(key) = attach.target.value.strip_prefix(DEFAULT)
        {
            files.push(File {
                literal: attach.target.span,
                key,
                is_written: false,
            });
        }
    }
    crate::sort::by(&mut files, |file| [file.literal.start, 0, 0]);
    files
}

/// The pieces with each of these stretches of the script exchanged for a text.
fn exchanged(pieces: Vec<Piece>, replaced: Vec<(Span, String)>) -> Vec<Piece> {
    let mut replaced = replaced.into_iter().peekable();
    let mut out = Vec::with_capacity(pieces.len() + 2 * replaced.len());
    for piece in pieces {
        let Piece::Source { span, text: source } = piece else {
            out.push(piece);
            continue;
        };
        let push = |out: &mut Vec<Piece>, from: usize, to: usize| {
            let kept = Span::new(from, to);
            if !kept.is_empty() {
                let text = source[from - span.start..to - span.start].to_owned();
                out.push(Piece::Source { span: kept, text });
            }
        };
        let mut at = span.start;
        while let Some((stretch, text)) = replaced.next_if(|(stretch, _)| stretch.end <= span.end) {
            push(&mut out, at, stretch.start);
            at = stretch.end;
            out.push(Piece::Substituted {
                span: stretch,
                text,
            });
        }
        push(&mut out, at, span.end);
    }
    out
}

/// Where `s3:///` stands in a literal, and what it becomes there. A literal that spells it with escapes stays as it is: the
/// engine finds no bucket in it.
fn replacement(
    text: &str,
    file: &File<'_>,
    root: &str,
) -> Result<Option<(Span, String)>, PlanError> {
    let literal = file.literal.slice(text);
    let Some(at) = literal.find(DEFAULT) else {
        return Ok(None);
    };
    let place = match &literal[..at] {
        "'" => root.replace('\'', "''"),
        "\"" => root.replace('"', "\"\""),
        "e'" | "E'" => root.replace('\\', "\\\\").replace('\'', "''"),
        open if open.starts_with('$') && open.ends_with('$') => {
            if root.contains(open) {
                let why =
                    "stands in a dollar-quoted literal, which the storage's place would close";
                return Err(
                    PlanError::storage_key(file.key, why, file.literal).hint("use `'…'` quotes")
                );
            }
            root.to_owned()
        }
        _ => return Ok(None),
    };
    let start = file.literal.start + at;
    Ok(Some((Span::new(start, start + DEFAULT.len()), place)))
}
