//! What an editor asks about a case.

use parser_core::source::Range;
use parser_core::wire::{self, Completion, Hover};
use serde::Serialize;

use crate::Case;
use crate::snapshot::KnownZones;

/// The answers, in the order of the questions.
#[derive(Debug, Serialize)]
pub struct Answers {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    complete: Vec<Completed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hover: Vec<Hovered>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    columns: Vec<Hovered>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    definitions: Vec<Defined>,
    /// `<class> <text>`
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<Vec<String>>,
}

#[derive(Debug, Serialize)]
struct Completed {
    at: String,
    offers: Vec<Completion>,
}

#[derive(Debug, Serialize)]
struct Hovered {
    at: String,
    hover: Option<Hover>,
}

#[derive(Debug, Serialize)]
struct Defined {
    at: String,
    definition: Option<Range>,
}

/// What `case` asks; `None` when it asks nothing.
///
/// # Errors
/// When a place is not in the text.
pub fn answers(case: &Case) -> Result<Option<Answers>, String> {
    let asked = &case.options;
    let asks_places = [
        &asked.complete,
        &asked.hover,
        &asked.columns,
        &asked.definitions,
    ];
    if asks_places.iter().all(|places| places.is_empty()) && !asked.tokens {
        return Ok(None);
    }
    let text = &case.text;
    let complete = asked.complete.iter().map(|at| {
        Ok(Completed {
            offers: wire::complete_to_wire(text, place(text, at)?, asked.context.clone()),
            at: at.clone(),
        })
    });
    let hover = asked.hover.iter().map(|at| {
        Ok(Hovered {
            hover: wire::hover_to_wire(text, place(text, at)?, &KnownZones),
            at: at.clone(),
        })
    });
    let columns = asked.columns.iter().map(|at| {
        Ok(Hovered {
            hover: wire::hover_column_to_wire(text, place(text, at)?, asked.context.clone()),
            at: at.clone(),
        })
    });
    let definitions = asked.definitions.iter().map(|at| {
        Ok(Defined {
            definition: wire::definition_to_wire(text, place(text, at)?),
            at: at.clone(),
        })
    });
    Ok(Some(Answers {
        complete: complete.collect::<Result<_, String>>()?,
        hover: hover.collect::<Result<_, String>>()?,
        columns: columns.collect::<Result<_, String>>()?,
        definitions: definitions.collect::<Result<_, String>>()?,
        tokens: asked.tokens.then(|| tokens(text)),
    }))
}

/// The UTF-16 offset of the `|` of `at`.
fn place(text: &str, at: &str) -> Result<usize, String> {
    let (before, behind) = at
        .split_once('|')
        .ok_or_else(|| format!("no `|` in `{at}`"))?;
    let start = text
        .find(&format!("{before}{behind}"))
        .ok_or_else(|| format!("`{at}` is not in the text"))?;
    Ok(text[..start + before.len()].encode_utf16().count())
}

fn tokens(text: &str) -> Vec<String> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let classes = wire::token_classes();
    wire::semantic_tokens_to_wire(text)
        .chunks_exact(3)
        .map(|token| {
            let [start, len, class] = [0, 1, 2].map(|at| token[at] as usize);
            let covered = String::from_utf16_lossy(&units[start..start + len]);
            format!("{} {covered}", classes[class])
        })
        .collect()
}
