//! Lines of older scripts that are options of `materialize` today: `unique_key id`, `append`.

use super::annotation::Comment;
use crate::diagnostic::{Code, Diagnostic, Fix, TextEdit};
use crate::script::Materialize;
use crate::source::{Span, Spanned};

/// Such lines of one header.
#[derive(Debug, Default)]
pub(super) struct Legacy {
    found: Vec<(Span, String, &'static str)>,
}

impl Legacy {
    /// Takes `comment` when it is such a line.
    pub(super) fn read(&mut self, comment: Comment<'_>) -> bool {
        let columns: Vec<&str> = comment.rest.text().split(',').map(str::trim).collect();
        let name = |column: &&str| {
            !column.is_empty() && column.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        match comment.word.text() {
            "unique_key" if columns.iter().all(name) => {
                self.found.push((
                    comment.span,
                    format!("key={}", columns.join(",")),
                    "unique_key",
                ));
                true
            }
            "append" if comment.rest.is_empty() => {
                self.found
                    .push((comment.span, "append".to_owned(), "append"));
                true
            }
            _ => false,
        }
    }

    /// Diagnoses them. Without a `materialize` line they are ordinary comments.
    pub(super) fn report(
        self,
        materialize: Option<&Spanned<Materialize>>,
        out: &mut Vec<Diagnostic>,
    ) {
        let Some(materialize) = materialize else {
            return;
        };
        let stands = |option: &str| {
            if option == "append" {
                materialize.value.append.is_some()
            } else {
                !materialize.value.key.is_empty()
            }
        };
        for (span, option, word) in self.found {
            let mut found = Diagnostic::new(
                Code::LM020,
                span,
                format!("this `{word}` line is an ordinary comment"),
            )
            .hint(format!("write `{option}` on the `materialize` line"))
            .related(materialize.span, "the option belongs here");
            let mut edits = vec![TextEdit {
                span,
                text: String::new(),
            }];
            if !stands(&option) {
                edits.push(TextEdit {
                    span: Span::at(materialize.span.end),
                    text: format!(" {option}"),
                });
                edits.sort_by_key(|edit| edit.span);
            }
            found.fix = Some(Fix {
                title: format!("Move to the `materialize` line as `{option}`"),
                edits,
            });
            out.push(found);
        }
    }
}
