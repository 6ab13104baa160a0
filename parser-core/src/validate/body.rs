//! Rules that hold between header and body.

use super::time;
use crate::body::{SetupKind, StatementKind, managed, partition_tokens};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::Lexer;
use crate::script::{Mode, Partitioned, Script};

/// Part of every name by which a body can reach its partition without a token: the variables
/// `wm_partition`, `wm_partition_start` … and the macro.
const PARTITION_NAME: &str = "wm_partition";

pub(super) fn check(text: &str, script: &Script, out: &mut Vec<Diagnostic>) {
    let partition = script.header.partition.as_ref();
    macro_library(text, script, out);
    aliases(script, out);
    time::check(text, script, out);
    if !script.is_data_test() {
        out.extend(partition_tokens::check(
            &script.body,
            partition.map(|found| &found.value),
        ));
    }
    let Some(line) = &script.header.materialize else {
        return;
    };
    match line.value.mode {
        Mode::Managed => out.extend(managed::check(text, &script.body)),
        Mode::Manual => {}
    }
    let Some(partition) = partition else { return };
    // A macro of a library may use it; a library is another script.
    let known = script.header.uses.is_empty() && !script.body.statements.is_empty();
    if known && !uses_partition(text, script) {
        out.push(
            Diagnostic::new(
                Code::LM115,
                partition.span,
                "the body does not use the partition, so each slice gets the same rows",
            )
            .hint(match &partition.value {
                Partitioned::Time(_) => "filter by `wm_partition(<time column>) = {partition}`",
                Partitioned::Dynamic { .. } => "filter by `<key column> = {partition}`",
            }),
        );
    }
}

/// Names that lakemill attaches lakes under.
const RESERVED_ALIAS: &str = "_wm_";

fn aliases(script: &Script, out: &mut Vec<Diagnostic>) {
    for statement in &script.body.statements {
        let StatementKind::Setup(SetupKind::Attach(attach)) = &statement.kind else {
            continue;
        };
        let alias = attach.alias_name();
        if alias.to_ascii_lowercase().starts_with(RESERVED_ALIAS) {
            let span = attach
                .alias
                .as_ref()
                .map_or(attach.target.span, |alias| alias.span);
            out.push(
                Diagnostic::new(
                    Code::LM124,
                    span,
                    format!(
                        "the alias `{alias}` is reserved: a run attaches lakes under such names"
                    ),
                )
                .hint("give it an alias that does not begin with `_wm_`"),
            );
        }
    }
}

fn uses_partition(text: &str, script: &Script) -> bool {
    script.body.statements.iter().any(|statement| {
        !statement.tokens.is_empty() || statement.span.slice(text).contains(PARTITION_NAME)
    })
}

/// A library holds `CREATE [OR REPLACE] [TEMP] MACRO` (or `FUNCTION`) only.
fn macro_library(text: &str, script: &Script, out: &mut Vec<Diagnostic>) {
    if script.header.macros.is_none() {
        return;
    }
    for statement in &script.body.statements {
        let words: Vec<String> = Lexer::new(statement.span.slice(text), 0)
            .filter(|token| !token.kind.is_trivia())
            .take(5)
            .map(|token| token.text(statement.span.slice(text)).to_ascii_uppercase())
            .collect();
        let object = words
            .iter()
            .skip(1)
            .find(|word| !matches!(word.as_str(), "OR" | "REPLACE" | "TEMP" | "TEMPORARY"));
        let is_macro = words.first().is_some_and(|word| word == "CREATE")
            && object.is_some_and(|word| matches!(word.as_str(), "MACRO" | "FUNCTION"));
        if !is_macro {
            out.push(
                Diagnostic::new(
                    Code::LM121,
                    statement.span,
                    "a macro library holds a statement that creates no macro",
                )
                .hint("keep `CREATE MACRO` statements only, or remove the `macros` line"),
            );
        }
    }
}
