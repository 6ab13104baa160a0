//! Diagnostics for people: the place in the script, underlined, and what to write instead.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use parser_core::diagnostic::{Diagnostic, Severity};
use parser_core::source::{LineIndex, Span};

use crate::config::{ScriptFile, Unreadable};
use crate::run::RunError;

/// One diagnostic as text, with colours; the output drops them where they are not wanted.
pub(super) fn render(file: &ScriptFile, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
        Severity::Hint => Level::HELP,
    };
    let mut snippet = Snippet::source(file.text.as_str())
        .path(file.name.as_str())
        .annotation(mark(AnnotationKind::Primary, diagnostic.span, file));
    for related in &diagnostic.related {
        snippet = snippet.annotation(
            mark(AnnotationKind::Context, related.span, file).label(related.message.as_str()),
        );
    }
    let mut group = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.info().id)
        .element(snippet);
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(hint.as_str()));
    }
    print(&[group])
}

/// A failed run as text; with its place in the script when it has one.
pub(super) fn render_run(file: &ScriptFile, error: &RunError) -> String {
    if let RunError::Plan(error) = error {
        return render(file, &error.diagnostic());
    }
    let (error, cause) = match error {
        RunError::Outside { error, cause } => (error.as_ref(), Some(cause.to_string())),
        other => (other, None),
    };
    let message = crate::config::mask(&error.to_string());
    let Some(span) = error.span() else {
        let title = Level::ERROR.primary_title(format!("{}: {message}", file.name));
        return print(&[match cause {
            Some(cause) => title.element(Level::HELP.message(cause)),
            None => Group::with_title(title),
        }]);
    };
    // The engine's texts go over several lines; the first is the message.
    let (title, more) = message.split_once('\n').unwrap_or((&message, ""));
    let mut title = Level::ERROR.primary_title(title.to_owned());
    if let Some(code) = error.code() {
        title = title.id(code.info().id);
    }
    let mut group = title.element(
        Snippet::source(file.text.as_str())
            .path(file.name.as_str())
            .annotation(mark(AnnotationKind::Primary, span, file)),
    );
    if !more.trim().is_empty() {
        group = group.element(Level::NOTE.message(more.trim().to_owned()));
    }
    let hint = match error {
        RunError::Script { hint, .. } => hint.clone(),
        _ => None,
    };
    if let Some(help) = cause.or(hint) {
        group = group.element(Level::HELP.message(help));
    }
    print(&[group])
}

fn mark<'a>(kind: AnnotationKind, span: Span, file: &ScriptFile) -> Annotation<'a> {
    // An empty span is widened to one character, so that there is something to underline.
    let end = if span.is_empty() {
        file.text
            .get(span.start..)
            .and_then(|rest| rest.chars().next())
            .map_or(span.end, |c| span.start + c.len_utf8())
    } else {
        span.end
    };
    kind.span(span.start..end)
}

fn print(groups: &[Group<'_>]) -> String {
    Renderer::styled()
        .decor_style(DecorStyle::Unicode)
        .render(groups)
}

/// One diagnostic as JSON.
#[derive(Debug, serde::Serialize)]
#[serde(untagged)]
pub(super) enum Located {
    /// The wire form, and whose it is.
    Script {
        path: String,
        #[serde(flatten)]
        diagnostic: parser_core::wire::Diagnostic,
    },
    /// Of a file whose text is not known: it has no code and no range.
    File {
        path: String,
        severity: &'static str,
        message: String,
    },
}

pub(super) fn located(file: &ScriptFile, index: &LineIndex, diagnostic: &Diagnostic) -> Located {
    Located::Script {
        path: file.name.clone(),
        diagnostic: parser_core::wire::Diagnostic::new(index, diagnostic),
    }
}

pub(super) fn unreadable(file: &Unreadable) -> Located {
    Located::File {
        path: file.name.clone(),
        severity: Severity::Error.as_str(),
        message: file.to_string(),
    }
}
