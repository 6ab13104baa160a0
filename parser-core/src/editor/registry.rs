//! The documented registry of annotations, their options and values: the one source of what
//! completion offers, what the hover says and what the reference page prints.

mod table;

use std::fmt::Write as _;

use crate::body::PartitionValue;
use crate::header::Keyword;
use crate::script::NativeTrigger;

/// What an annotation is.
#[derive(Clone, Copy, Debug)]
pub struct Annotation {
    /// The shape of its line.
    pub syntax: &'static str,
    /// One paragraph: what it does.
    pub doc: &'static str,
    /// Header lines that show it, without their `--`.
    pub example: &'static str,
    /// What a second line of it does.
    pub repeats: Repeats,
    /// Words that may stand first behind the keyword.
    pub words: &'static [Word],
    /// Flags and `name=value` options.
    pub options: &'static [AnnotationOption],
}

/// What a second line with the same keyword does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// The first well-formed line counts.
    First,
    /// The last line counts.
    Last,
    /// Every line counts.
    Every,
}

/// A word with a meaning of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// As written.
    pub word: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// A flag or `name=value`.
#[derive(Clone, Copy, Debug)]
pub struct AnnotationOption {
    /// Its name.
    pub name: &'static str,
    /// What stands behind its `=`.
    pub takes: Takes,
    /// What it does.
    pub doc: &'static str,
    /// The first words with which it may stand; empty for all.
    pub with: &'static [&'static str],
}

/// What stands behind an option's `=`.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// Nothing: it is a flag.
    Nothing,
    /// A comma list of columns of the target.
    Columns,
    /// One of these words.
    One(&'static [Word]),
    /// An IANA time zone.
    TimeZone,
    /// A strftime format.
    Format,
    /// The identity of a slice.
    Slice,
    /// A duration.
    Duration,
    /// A path into the caller's payload.
    Path,
}

impl Annotation {
    /// What `keyword` is.
    #[must_use]
    pub const fn of(keyword: Keyword) -> &'static Self {
        table::annotation(keyword)
    }

    /// Its option of this name.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&'static AnnotationOption> {
        self.options.iter().find(|option| option.name == name)
    }

    /// Its first word that is spelled so.
    #[must_use]
    pub fn word(&self, word: &str) -> Option<&'static Word> {
        self.words.iter().find(|known| known.word == word)
    }
}

impl Repeats {
    /// In words.
    #[must_use]
    pub const fn doc(self) -> &'static str {
        match self {
            Self::First => "The first well-formed line counts.",
            Self::Last => "The last line counts.",
            Self::Every => "May stand more than once.",
        }
    }
}

impl AnnotationOption {
    /// As it is shown: `key=`, or the flag's name.
    #[must_use]
    pub fn label(&self) -> String {
        match self.takes {
            Takes::Nothing => self.name.to_owned(),
            Takes::Columns
            | Takes::One(_)
            | Takes::TimeZone
            | Takes::Format
            | Takes::Slice
            | Takes::Duration
            | Takes::Path => format!("{}=", self.name),
        }
    }

    /// Its syntax: `deletes=close|ignore`.
    #[must_use]
    pub fn syntax(&self) -> String {
        let value = match self.takes {
            Takes::Nothing => return self.name.to_owned(),
            Takes::Columns => "<column>[,<column>…]".to_owned(),
            Takes::One(words) => words
                .iter()
                .map(|word| word.word)
                .collect::<Vec<_>>()
                .join("|"),
            Takes::TimeZone => "<time zone>".to_owned(),
            Takes::Format => "<strftime format>".to_owned(),
            Takes::Slice => "<slice>".to_owned(),
            Takes::Duration => "<n>[s|m|h|d]".to_owned(),
            Takes::Path => "<path>".to_owned(),
        };
        format!("{}={value}", self.name)
    }

    /// The words that its value is one of.
    #[must_use]
    pub const fn values(&self) -> &'static [Word] {
        match self.takes {
            Takes::One(words) => words,
            Takes::Nothing
            | Takes::Columns
            | Takes::TimeZone
            | Takes::Format
            | Takes::Slice
            | Takes::Duration
            | Takes::Path => &[],
        }
    }
}

/// What starts a run, in words.
#[must_use]
pub const fn trigger_doc(kind: NativeTrigger) -> &'static str {
    match kind {
        NativeTrigger::Schedule => {
            "A clock: `on schedule` runs at the times that the configuration gives."
        }
        NativeTrigger::Webhook => "A request to the script's own address.",
        NativeTrigger::Email => "A mail to the script's own address.",
        NativeTrigger::Kafka => "A message of a Kafka topic.",
        NativeTrigger::Mqtt => "A message of an MQTT topic.",
        NativeTrigger::Nats => "A message of a NATS subject.",
        NativeTrigger::Postgres => "A change of a PostgreSQL table.",
        NativeTrigger::Sqs => "A message of an SQS queue.",
        NativeTrigger::Gcp => "A message of a Google Cloud Pub/Sub topic.",
        NativeTrigger::Amqp => "A message of an AMQP queue.",
        NativeTrigger::DataUpload => "A file that a person uploads.",
    }
}

/// What a token of the body stands for.
#[must_use]
pub const fn partition_doc(value: PartitionValue) -> &'static str {
    match value {
        PartitionValue::Identity => {
            "The identity of the slice that a run writes, as a text: `2026-11-29` in a daily partition, the caller's value in a dynamic one. In an expression it becomes a whole literal; inside quotes it is spliced in, escaped."
        }
        PartitionValue::Start => {
            "The first instant of the slice, inclusive, as a UTC timestamp. A dynamic partition has none."
        }
        PartitionValue::End => {
            "The first instant after the slice, exclusive, as a UTC timestamp. A dynamic partition has none."
        }
    }
}

/// The reference of all annotations, as Markdown.
#[must_use]
pub fn reference() -> String {
    let mut page = String::from("# Annotations\n");
    for &keyword in Keyword::ALL {
        let annotation = Annotation::of(keyword);
        // Writing to a String does not fail.
        let _ = write!(page, "\n## `{}`\n\n{}", keyword.as_str(), markdown(keyword));
        if !annotation.words.is_empty() {
            page.push_str("\n| word | meaning |\n|---|---|\n");
            for word in annotation.words {
                let _ = writeln!(page, "| `{}` | {} |", word.word, cell(word.doc));
            }
        }
        if !annotation.options.is_empty() {
            page.push_str("\n| option | meaning |\n|---|---|\n");
            for option in annotation.options {
                let _ = writeln!(
                    page,
                    "| `{}` | {} |",
                    cell(&option.syntax()),
                    cell(option.doc)
                );
                for word in option.values() {
                    let _ = writeln!(
                        page,
                        "| `{}={}` | {} |",
                        option.name,
                        word.word,
                        cell(word.doc)
                    );
                }
            }
        }
    }
    page
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Syntax, paragraph and example of one annotation, as Markdown.
#[must_use]
pub fn markdown(keyword: Keyword) -> String {
    let annotation = Annotation::of(keyword);
    let example: String = annotation
        .example
        .lines()
        .map(|line| format!("-- {line}\n"))
        .collect();
    format!(
        "```sql\n-- {}\n```\n\n{} {}\n\nExample:\n\n```sql\n{example}```\n",
        annotation.syntax,
        annotation.doc,
        annotation.repeats.doc()
    )
}
