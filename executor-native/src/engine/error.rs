//! What the engine reports, with its class: never told by the text, which may be in any language.

use parser_core::source::Span;
use serde::Deserialize;

use crate::config::mask;

/// An error of the engine.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EngineError {
    /// The engine did not open.
    #[error("the engine does not open: {0}")]
    Open(Fault),
    /// An extension is missing or broken.
    #[error(
        "the engine's extension `{name}` does not load ({fault}); searched {searched}. Run `lakemill doctor --install-extensions`, or set `[engine] extension_directory`"
    )]
    Extension {
        /// Which.
        name: &'static str,
        /// Folders, for the message.
        searched: String,
        /// What the engine said.
        fault: Fault,
    },
    /// A statement failed.
    #[error("{0}")]
    Statement(Fault),
    /// It was stopped from outside.
    #[error("interrupted")]
    Interrupted,
    /// A result is not what the question asks for.
    #[error("the engine answered with an unexpected shape: {0}")]
    Shape(String),
}

/// One failed statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its class.
    pub class: Class,
    /// The engine's text, secrets masked.
    pub message: String,
    /// Byte offset in the statement, when the engine knows one.
    pub position: Option<usize>,
    /// Where in the script it is, when the statement is the script's.
    pub span: Option<Span>,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

/// The engine's exception types, as far as something here depends on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Stopped by [`crate::engine::Engine::interrupt_handle`].
    Interrupt,
    /// Two transactions do not go together.
    Transaction,
    /// A file, a network or a catalog database.
    Io,
    /// A name is unknown.
    Catalog,
    /// A statement does not fit its tables.
    Binder,
    /// It is no SQL.
    Parser,
    /// A value does not convert.
    Conversion,
    /// A constraint is violated.
    Constraint,
    /// Wrong input to a function.
    InvalidInput,
    /// A setting or an option is refused.
    Permission,
    /// The engine found itself inconsistent: the instance is lost.
    Internal,
    /// Memory ran out.
    OutOfMemory,
    /// Anything else.
    Other,
}

impl Class {
    /// Whether it is the statement that is wrong (a name, a type, a value, what it may do), and not what it was run on.
    #[must_use]
    pub const fn blames_the_statement(self) -> bool {
        match self {
            Self::Catalog
            | Self::Binder
            | Self::Parser
            | Self::Conversion
            | Self::InvalidInput
            | Self::Permission
            // Such as what the engine has not implemented.
            | Self::Other => true,
            Self::Interrupt
            | Self::Transaction
            | Self::Io
            | Self::Constraint
            | Self::Internal
            | Self::OutOfMemory => false,
        }
    }
}

#[derive(Deserialize)]
struct Reported {
    exception_type: Option<String>,
    exception_message: Option<String>,
    position: Option<serde_json::Value>,
}

impl Fault {
    fn read(text: &str) -> Self {
        // The crate may put words of its own before the engine's JSON.
        let json = text.find('{').map(|at| &text[at..]);
        let reported = json.and_then(|json| {
            serde_json::Deserializer::from_str(json)
                .into_iter::<Reported>()
                .next()
                .and_then(Result::ok)
        });
        let Some(Reported {
            exception_type: Some(kind),
            exception_message: message,
            position,
        }) = reported
        else {
            return Self {
                class: Class::Other,
                message: mask(text),
                position: None,
                span: None,
            };
        };
        let position = position.and_then(|value| match value {
            serde_json::Value::String(text) => text.parse().ok(),
            other => other.as_u64().and_then(|at| usize::try_from(at).ok()),
        });
        Self {
            class: class(&kind),
            message: mask(&plain(message.as_deref().unwrap_or(&kind))),
            position,
            span: None,
        }
    }
}

/// An extension may put the error of another engine into its own message, as JSON.
fn plain(message: &str) -> String {
    let inner = message.find("{\"exception_type\"").and_then(|at| {
        let mut json = serde_json::Deserializer::from_str(&message[at..]).into_iter::<Reported>();
        let reported = json.next()?.ok()?;
        let text = plain(&reported.exception_message?);
        Some([&message[..at], &text, &message[at + json.byte_offset()..]].concat())
    });
    inner.unwrap_or_else(|| message.to_owned())
}

fn class(kind: &str) -> Class {
    match kind.to_ascii_uppercase().as_str() {
        "INTERRUPT" => Class::Interrupt,
        "TRANSACTIONCONTEXT" => Class::Transaction,
        "IO" | "HTTP" | "NETWORK" | "CONNECTION" => Class::Io,
        "CATALOG" => Class::Catalog,
        "BINDER" => Class::Binder,
        "PARSER" | "SYNTAX" => Class::Parser,
        "CONVERSION" | "OUT OF RANGE" | "MISMATCH TYPE" | "DECIMAL" => Class::Conversion,
        "CONSTRAINT" => Class::Constraint,
        "INVALID INPUT" | "INVALID TYPE" | "PARAMETER NOT ALLOWED" => Class::InvalidInput,
        "PERMISSION" => Class::Permission,
        "INTERNAL" | "FATAL" => Class::Internal,
        "OUT OF MEMORY" => Class::OutOfMemory,
        _ => Class::Other,
    }
}

impl From<duckdb::Error> for Fault {
    fn from(error: duckdb::Error) -> Self {
        match error {
            duckdb::Error::DuckDBFailure(_, Some(text)) => Self::read(&text),
            other => Self::read(&other.to_string()),
        }
    }
}

impl From<duckdb::Error> for EngineError {
    fn from(error: duckdb::Error) -> Self {
        let fault = Fault::from(error);
        if fault.class == Class::Interrupt {
            Self::Interrupted
        } else {
            Self::Statement(fault)
        }
    }
}

impl EngineError {
    /// The fault behind it.
    #[must_use]
    pub fn into_fault(self) -> Fault {
        match self {
            Self::Open(fault) | Self::Extension { fault, .. } | Self::Statement(fault) => fault,
            Self::Interrupted => Fault {
                class: Class::Interrupt,
                message: "interrupted".to_owned(),
                position: None,
                span: None,
            },
            Self::Shape(message) => Fault {
                class: Class::Other,
                message,
                position: None,
                span: None,
            },
        }
    }

    /// The fault of a statement that is wrong by itself.
    ///
    /// # Errors
    /// This error, when it is something else.
    pub fn of_the_statement(self) -> Result<Fault, Self> {
        match self {
            Self::Statement(fault) if fault.class.blames_the_statement() => Ok(fault),
            Self::Open(_)
            | Self::Extension { .. }
            | Self::Statement(_)
            | Self::Interrupted
            | Self::Shape(_) => Err(self),
        }
    }

    /// The class, when a statement failed.
    #[must_use]
    pub fn class(&self) -> Class {
        match self {
            Self::Open(fault) | Self::Extension { fault, .. } | Self::Statement(fault) => {
                fault.class
            }
            Self::Interrupted => Class::Interrupt,
            Self::Shape(_) => Class::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_errors_are_read() {
        let fault = Fault::read(
            r#"{"exception_type":"Catalog","exception_message":"Table x does not exist","position":"14"}"#,
        );
        assert_eq!((fault.class, fault.position), (Class::Catalog, Some(14)));
        assert_eq!(fault.message, "Table x does not exist");
    }

    #[test]
    fn a_statement_is_blamed_for_what_is_its_own() {
        let blamed = |kind: &str| {
            let text = format!(r#"{{"exception_type":"{kind}","exception_message":"m"}}"#);
            EngineError::Statement(Fault::read(&text))
                .of_the_statement()
                .is_ok()
        };
        for kind in [
            "Binder",
            "Catalog",
            "Conversion",
            "Invalid Input",
            "Not implemented",
        ] {
            assert!(blamed(kind), "{kind}");
        }
        for kind in [
            "IO",
            "HTTP",
            "Out of Memory",
            "FATAL",
            "INTERNAL",
            "INTERRUPT",
        ] {
            assert!(!blamed(kind), "{kind}");
        }
        assert!(EngineError::Interrupted.of_the_statement().is_err());
    }

    #[test]
    fn an_error_within_a_message_is_read() {
        let fault = Fault::read(
            r#"{"exception_type":"IO","exception_message":"Failed to probe: {\"exception_type\":\"Invalid\",\"exception_message\":\"disk I/O error\"}: here"}"#,
        );
        assert_eq!(fault.message, "Failed to probe: disk I/O error: here");
    }

    #[test]
    fn other_texts_stay_readable() {
        let fault = Fault::read("something else {");
        assert_eq!(
            (fault.class, fault.message.as_str()),
            (Class::Other, "something else {")
        );
    }
}
