//! Rules that hold between header and body.

use crate::body::{managed, partition_tokens};
use crate::diagnostic::{Code, Diagnostic};
use crate::script::{Mode, Script};

/// Part of every name by which a body can reach its partition without a token: the variables
/// `wm_partition`, `wm_partition_start` … and the macro.
const PARTITION_NAME: &str = "wm_partition";

pub(super) fn check(text: &str, script: &Script, out: &mut Vec<Diagnostic>) {
    let partition = script.header.partition.as_ref();
    out.extend(partition_tokens::check(
        &script.body,
        partition.map(|found| &found.value),
    ));
    let Some(line) = &script.header.materialize else {
        return;
    };
    match line.value.mode {
        Mode::Managed => out.extend(managed::check(text, &script.body)),
        Mode::Manual => {}
    }
    let Some(partition) = partition else { return };
    if !script.body.statements.is_empty() && !uses_partition(text, script) {
        out.push(
            Diagnostic::new(
                Code::LM115,
                partition.span,
                "the body does not use the partition, so each slice gets the same rows",
            )
            .hint("filter by `wm_partition(<time column>) = {partition}`"),
        );
    }
}

fn uses_partition(text: &str, script: &Script) -> bool {
    script.body.statements.iter().any(|statement| {
        !statement.tokens.is_empty() || statement.span.slice(text).contains(PARTITION_NAME)
    })
}
