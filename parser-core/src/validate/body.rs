//! Rules that hold between header and body.

use crate::diagnostic::{Code, Diagnostic};
use crate::script::Script;

/// Names by which a body can reach its partition without a token.
const PARTITION_NAMES: [&str; 2] = ["wm_partition", "_wm_partition"];

pub(super) fn check(text: &str, script: &Script, out: &mut Vec<Diagnostic>) {
    partition_use(text, script, out);
}

fn partition_use(text: &str, script: &Script, out: &mut Vec<Diagnostic>) {
    let tokens = || {
        script
            .body
            .statements
            .iter()
            .flat_map(|statement| &statement.tokens)
    };
    match &script.header.partition {
        None => {
            for token in tokens() {
                out.push(
                    Diagnostic::new(
                        Code::LM114,
                        token.span,
                        format!(
                            "`{}` stands in a script without partitions",
                            token.span.slice(text)
                        ),
                    )
                    .hint("add a `partitioned` line, or remove the token"),
                );
            }
        }
        Some(partition) if script.header.materialize.is_some() && tokens().next().is_none() => {
            let body = script.body.span.slice(text);
            if !script.body.statements.is_empty()
                && !PARTITION_NAMES.iter().any(|name| body.contains(name))
            {
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
        Some(_) => {}
    }
}
