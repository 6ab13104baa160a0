//! Columns of the body: hover, and where a name is defined. What asks for these brings the code of lineage with it.

use super::{CompletionContext, Hover, boundary};
use crate::lineage::{ColumnAt, Input, NameAt, Schemas, look};
use crate::source::Span;

/// What is to say about the column that is named at byte `offset` of `text`: what it is computed from, with the types that
/// `context` knows.
#[must_use]
pub fn hover_column(text: &str, offset: usize, context: &CompletionContext) -> Option<Hover> {
    let script = crate::parse(text).script;
    let mut schemas = Schemas::new();
    for known in &context.assets {
        if !known.columns.is_empty() {
            let names = known.columns.iter().map(|column| column.name.clone());
            schemas.insert(&known.asset, names.collect());
        }
    }
    let NameAt { span, column, .. } = look(text, &script, &schemas, boundary(text, offset))?;
    Some(Hover {
        span,
        markdown: Some(column_doc(&column?, context)),
        findings: Vec::new(),
    })
}

/// Where the name at byte `offset` of `text` is defined in it: a common table, a temp table, an alias of a table, a column or
/// a database, a macro, a window.
#[must_use]
pub fn definition(text: &str, offset: usize) -> Option<Span> {
    let script = crate::parse(text).script;
    let schemas = Schemas::new();
    look(text, &script, &schemas, boundary(text, offset))?.defined
}

fn column_doc(column: &ColumnAt<'_>, context: &CompletionContext) -> String {
    let mut doc = ["**Column** `", &column.name, "`"].concat();
    match column.inputs.as_deref() {
        None => doc.push_str("\n\nWhat it is computed from is not certain."),
        Some([]) => doc.push_str("\n\nIt is computed from no column."),
        Some([input]) if column.is_input => {
            doc.push_str(" of `");
            doc.push_str(&input.asset.to_string());
            doc.push('`');
            push_type(&mut doc, input, context);
        }
        Some(inputs) => {
            doc.push_str("\n\nComputed from");
            for input in inputs {
                doc.push_str("\n- `");
                doc.push_str(&input.asset.to_string());
                doc.push('.');
                doc.push_str(&input.column);
                doc.push('`');
                push_type(&mut doc, input, context);
            }
        }
    }
    doc
}

/// `: DECIMAL(18,2)`, where it is known.
fn push_type(doc: &mut String, input: &Input<'_>, context: &CompletionContext) {
    let columns = context.columns(input.asset);
    let known = columns
        .iter()
        .find(|column| column.name.eq_ignore_ascii_case(&input.column));
    if let Some(column) = known {
        doc.push_str(": ");
        doc.push_str(&column.data_type);
    }
}
