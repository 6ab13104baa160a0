//! The typed script: what `parse` makes of a text.

use crate::asset::Asset;
use crate::body::{Body, Reading};

use crate::diagnostic::Diagnostic;
use crate::plan::TARGET_ALIAS;
use crate::source::{Span, Spanned};

/// A script and what was found wrong in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The typed script. What is malformed is absent here and present in `diagnostics`.
    pub script: Script,
    /// Findings in text order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Header and body of one script.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The annotations.
    pub header: Header,
    /// The SQL below them.
    pub body: Body,
}

impl Script {
    /// Whether it is a data test that other scripts name: it materializes nothing and reads `_wm_target`, the table that is
    /// tested. Its partition is theirs.
    #[must_use]
    pub fn is_data_test(&self) -> bool {
        let statements = &self.body.statements;
        self.header.materialize.is_none()
            && statements
                .iter()
                .any(|statement| statement.names_in(TARGET_ALIAS))
    }
}

/// The annotations of a script (grammar: annotations).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// The header's extent: from the text's start to the first line that is no comment.
    pub span: Span,
    /// `pipeline`
    pub pipeline: Option<Span>,
    /// `macros`
    pub macros: Option<Span>,
    /// `use <path>`, deduplicated
    pub uses: Vec<Spanned<String>>,
    /// `partitioned …`
    pub partition: Option<Spanned<Partitioned>>,
    /// `freshness <duration>`
    pub freshness: Option<Spanned<DurationText>>,
    /// `debounce <duration>`
    pub debounce: Option<Spanned<DurationText>>,
    /// `trigger all|any`
    pub trigger: Option<Spanned<Join>>,
    /// `tag <x>`
    pub tag: Option<Spanned<String>>,
    /// `retry <n> [delay]`
    pub retry: Option<Spanned<Retry>>,
    /// `materialize …`
    pub materialize: Option<Spanned<Materialize>>,
    /// `data_test …`, duplicates kept
    pub data_tests: Vec<Spanned<DataTest>>,
    /// `column <out> <- …`
    pub columns: Vec<Spanned<ColumnLineage>>,
    /// `measure …`
    pub measures: Vec<Spanned<Measure>>,
    /// `dimension …`
    pub dimensions: Vec<Spanned<Dimension>>,
    /// `mute …`
    pub mutes: Vec<Spanned<Mute>>,
    /// `on …`
    pub triggers: Vec<Spanned<Trigger>>,
}

/// A duration: its text as written and its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DurationText {
    /// As written: `1h`, `90`.
    pub text: String,
    /// Length in seconds.
    pub seconds: u64,
}

impl DurationText {
    /// Reads `<n>[s|m|h|d]`; a bare number is in seconds.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim_end_matches(['s', 'm', 'h', 'd']);
        let scale = match &text[digits.len()..] {
            "" | "s" => 1,
            "m" => 60,
            "h" => 3_600,
            "d" => 86_400,
            _ => return None,
        };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let seconds = digits.parse::<u64>().ok()?.checked_mul(scale)?;
        Some(Self {
            text: text.to_owned(),
            seconds,
        })
    }
}

/// How several `on` inputs join.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// Each input starts a run.
    #[default]
    Any,
    /// A run starts when all inputs have arrived.
    All,
}

/// `retry <n> [delay]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Attempts after the first; at least 1.
    pub count: u32,
    /// Pause between attempts.
    pub delay: Option<DurationText>,
}

/// `partitioned …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Partitioned {
    /// A calendar grain.
    Time(TimePartition),
    /// The caller names the partition.
    Dynamic {
        /// Where the identity stands in the payload: `$.tenant`, `tenant`, `a.b`.
        key: Spanned<String>,
    },
}

/// A partition by calendar grain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimePartition {
    /// Its grain.
    pub grain: Grain,
    /// IANA zone; UTC when absent.
    pub tz: Option<Spanned<String>>,
    /// strftime format of the identity; [`Grain::default_format`] when absent.
    pub format: Option<Spanned<String>>,
    /// First slice, as written.
    pub start: Option<Spanned<String>>,
}

/// Calendar grain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grain {
    /// Clock hour.
    Hourly,
    /// Calendar day.
    Daily,
    /// ISO week, from Monday.
    Weekly,
    /// Calendar month.
    Monthly,
}

impl Grain {
    /// Its keyword.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hourly => "hourly",
            Self::Daily => "daily",
            Self::Weekly => "weekly",
            Self::Monthly => "monthly",
        }
    }

    /// The strftime format that identities have by default. The one source for the
    /// `wm_partition` macro and for the identity itself.
    #[must_use]
    pub const fn default_format(self) -> &'static str {
        match self {
            Self::Hourly => "%Y-%m-%dT%H",
            Self::Daily => "%Y-%m-%d",
            Self::Weekly => "%G-W%V",
            Self::Monthly => "%Y-%m",
        }
    }
}

/// `materialize …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Materialize {
    /// Who writes.
    pub mode: Mode,
    /// The target as written; validation says whether it can be materialised.
    pub asset: Spanned<Asset>,
    /// The flag `append`.
    pub append: Option<Span>,
    /// The flag `history`, or the mode word `scd2`.
    pub history: Option<Span>,
    /// `key=`: one or more columns; empty when absent.
    pub key: Vec<Spanned<String>>,
    /// `track=`; empty when absent (then all non-key columns).
    pub track: Vec<Spanned<String>>,
    /// `deletes=close`
    pub close_deleted: bool,
    /// `on_schema_change=`
    pub on_schema_change: Option<Spanned<OnSchemaChange>>,
}

/// Who writes the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// lakemill generates the write.
    Managed,
    /// The script writes itself; only its success is recorded.
    Manual,
}

/// What happens when the SELECT's columns differ from the table's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnSchemaChange {
    /// Drop extra columns, fill missing ones with NULL, say so.
    #[default]
    Warn,
    /// The same, silently.
    Ignore,
    /// Fail before writing.
    Fail,
    /// Alter the table in the same transaction.
    Sync,
}

impl OnSchemaChange {
    /// Its option value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Ignore => "ignore",
            Self::Fail => "fail",
            Self::Sync => "sync",
        }
    }
}

/// `data_test …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataTest {
    /// What it looks for.
    pub rule: Rule,
    /// What a violation does.
    pub severity: Severity,
}

/// What a violated data test does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Severity {
    /// It fails the run.
    #[default]
    Error,
    /// It is told, and the run goes on.
    Warn,
}

/// What a data test looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// No value twice.
    Unique {
        /// The tested column.
        column: Spanned<String>,
    },
    /// No NULL.
    NotNull {
        /// The tested column.
        column: Spanned<String>,
    },
    /// Only listed values.
    AcceptedValues {
        /// The tested column.
        column: Spanned<String>,
        /// The list; never empty.
        values: Vec<Spanned<String>>,
    },
    /// Each non-NULL value stands in another table's column.
    Relationships {
        /// The tested column.
        column: Spanned<String>,
        /// Where the values must stand.
        to: ColumnRef,
    },
    /// Only so many rows.
    RowCount {
        /// How the number of rows stands to `rows`.
        comparison: Comparison,
        /// At most [`i64::MAX`], as the engine counts.
        rows: u64,
    },
    /// A newest value that is no older than this.
    Freshness {
        /// The tested column.
        column: Spanned<String>,
        /// The age that it may have.
        age: DurationText,
    },
    /// A predicate that no row makes false.
    Expression {
        /// SQL, without the quotes round it.
        sql: Spanned<String>,
    },
    /// A script that returns violating rows.
    Custom {
        /// Its path.
        path: Spanned<String>,
    },
}

/// How a number is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `<>`
    NotEqual,
    /// `=`
    Equal,
    /// `>`
    More,
    /// `<`
    Less,
}

impl Comparison {
    /// Every one, those of two characters first.
    pub const ALL: [Self; 6] = [
        Self::AtLeast,
        Self::AtMost,
        Self::NotEqual,
        Self::Equal,
        Self::More,
        Self::Less,
    ];

    /// Its operator in SQL.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AtLeast => ">=",
            Self::AtMost => "<=",
            Self::NotEqual => "<>",
            Self::Equal => "=",
            Self::More => ">",
            Self::Less => "<",
        }
    }
}

impl Rule {
    /// The test's name in reports: its kind, and what of the line tells it from others.
    #[must_use]
    pub fn name(&self) -> String {
        let (kind, column) = match self {
            Self::Unique { column } => ("unique ", column),
            Self::NotNull { column } => ("not_null ", column),
            Self::AcceptedValues { column, .. } => ("accepted_values ", column),
            Self::Relationships { column, to } => {
                return format!(
                    "relationships {} -> {}.{}",
                    column.value, to.asset, to.column
                );
            }
            Self::RowCount { comparison, rows } => {
                let rows = rows.to_string();
                return ["row_count ", comparison.as_str(), " ", &rows].concat();
            }
            Self::Freshness { column, age } => {
                return ["freshness ", &column.value, " <= ", &age.text].concat();
            }
            Self::Expression { sql } => ("expression ", sql),
            Self::Custom { path } => ("", path),
        };
        [kind, &column.value].concat()
    }
}

/// A column of an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnRef {
    /// The asset.
    pub asset: Asset,
    /// The column.
    pub column: String,
    /// Where the reference stands.
    pub span: Span,
}

/// `column <out> <- <asset>.<col>, …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnLineage {
    /// The output column.
    pub column: Spanned<String>,
    /// Its inputs; never empty.
    pub inputs: Vec<ColumnRef>,
}

/// `measure <name> = <expr> [where <pred>]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Its name.
    pub name: Spanned<String>,
    /// SQL expression.
    pub expr: Spanned<String>,
    /// SQL predicate.
    pub filter: Option<Spanned<String>>,
}

/// `dimension <name> = <expr>`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// Its name.
    pub name: Spanned<String>,
    /// SQL expression.
    pub expr: Spanned<String>,
}

/// `mute <asset>` or `mute all`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mute {
    /// No automatic trigger at all.
    All,
    /// None from this asset.
    Asset(Asset),
}

/// `on …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// An asset changed.
    Asset {
        /// Which.
        asset: Spanned<Asset>,
        /// Its debounce.
        debounce: Option<DurationText>,
    },
    /// Something outside.
    Native {
        /// What.
        kind: NativeTrigger,
        /// `name=value` options, last of a name wins.
        options: Vec<(String, String)>,
    },
}

/// Kinds of trigger from outside the lake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each variant is its keyword
pub enum NativeTrigger {
    Schedule,
    Webhook,
    Email,
    Kafka,
    Mqtt,
    Nats,
    Postgres,
    Sqs,
    Gcp,
    Amqp,
    DataUpload,
}

impl NativeTrigger {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::Schedule,
        Self::Webhook,
        Self::Email,
        Self::Kafka,
        Self::Mqtt,
        Self::Nats,
        Self::Postgres,
        Self::Sqs,
        Self::Gcp,
        Self::Amqp,
        Self::DataUpload,
    ];

    /// Its keyword.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Schedule => "schedule",
            Self::Webhook => "webhook",
            Self::Email => "email",
            Self::Kafka => "kafka",
            Self::Mqtt => "mqtt",
            Self::Nats => "nats",
            Self::Postgres => "postgres",
            Self::Sqs => "sqs",
            Self::Gcp => "gcp",
            Self::Amqp => "amqp",
            Self::DataUpload => "data_upload",
        }
    }
}

/// Parses a script. Total: any text gives a script, never a panic or an error.
///
/// Findings of the grammar (header and body) are in the result; rules that need more than the
/// text's grammar are in [`crate::validate::validate`].
#[must_use]
pub fn parse(text: &str) -> Parsed {
    let mut diagnostics = Vec::new();
    let header = crate::header::read(text, &mut diagnostics);
    let Reading {
        body,
        comment_lines,
    } = crate::body::read_with_comments(text, header.span.end, &mut diagnostics);
    crate::header::read_below(text, header.span.end, &comment_lines, &mut diagnostics);
    crate::diagnostic::in_text_order(&mut diagnostics);
    Parsed {
        script: Script { header, body },
        diagnostics,
    }
}
