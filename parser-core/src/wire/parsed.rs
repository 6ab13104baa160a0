//! What `parse` gives, as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::source::Range;

/// Derives what every object of the shape has.
macro_rules! objects {
    ($( $(#[$meta:meta])* pub struct $name:ident { $( $(#[$field_meta:meta])* pub $field:ident: $type:ty, )* } )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
        pub struct $name { $( $(#[$field_meta])* pub $field: $type, )* }
    )* };
}

/// Declares a string enum, and its conversion from the core's when there is one of the same variants.
macro_rules! words {
    ($( $(#[$meta:meta])* pub enum $name:ident $(from $core:path)? { $( $variant:ident = $word:literal, )* } )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
        pub enum $name { $( #[doc = $word] #[serde(rename = $word)] $variant, )* }

        impl $name {
            /// As it stands in the JSON.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $word, )* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        words!(@from $name [$($core)?] $( $variant )*);
    )* };
    (@from $name:ident [] $( $variant:ident )*) => {};
    (@from $name:ident [$core:path] $( $variant:ident )*) => {
        impl From<$core> for $name {
            fn from(core: $core) -> Self {
                use $core as Core;
                match core { $( Core::$variant => Self::$variant, )* }
            }
        }
    };
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

objects! {
    /// A parsed script.
    pub struct Parsed {
        /// Version of the shape.
        pub version: u32,
        /// The annotations.
        pub header: Header,
        /// The SQL below them.
        pub body: Body,
        /// Findings in text order.
        pub diagnostics: Vec<Diagnostic>,
    }

    /// The annotations of a script.
    pub struct Header {
        /// `pipeline`
        #[serde(default, skip_serializing_if = "is_false")]
        pub pipeline: bool,
        /// `macros`
        #[serde(default, skip_serializing_if = "is_false")]
        pub macros: bool,
        /// `use`
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub uses: Vec<String>,
        /// `partitioned`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub partition: Option<Partition>,
        /// `freshness`, as written
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub freshness: Option<String>,
        /// `debounce`, as written
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub debounce: Option<String>,
        /// `trigger`; absent for `any`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub trigger: Option<Join>,
        /// `tag`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tag: Option<String>,
        /// `retry`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub retry: Option<Retry>,
        /// `materialize`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub materialize: Option<Materialize>,
        /// `data_test`
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub data_tests: Vec<DataTest>,
        /// `column`
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub columns: Vec<ColumnLineage>,
        /// `measure`
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub measures: Vec<Measure>,
        /// `dimension`
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub dimensions: Vec<Dimension>,
        /// `mute`
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub mutes: Vec<Mute>,
        /// `on`
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub triggers: Vec<Trigger>,
        /// The header's extent.
        pub range: Range,
        /// Where the annotations of one plain value stand.
        #[serde(default, skip_serializing_if = "is_default")]
        pub ranges: HeaderRanges,
    }

    /// Where the annotations of one plain value stand.
    #[derive(Default)]
    pub struct HeaderRanges {
        /// `pipeline`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub pipeline: Option<Range>,
        /// `macros`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub macros: Option<Range>,
        /// Of each of `uses`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub uses: Vec<Range>,
        /// `freshness`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub freshness: Option<Range>,
        /// `debounce`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub debounce: Option<Range>,
        /// `trigger`, also for `any`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub trigger: Option<Range>,
        /// `tag`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tag: Option<Range>,
    }

    /// An asset.
    pub struct Asset {
        /// What it is stored as.
        pub kind: AssetKind,
        /// Its path.
        pub path: String,
        /// Where it stands, when that is not the range of the object that holds it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub range: Option<Range>,
    }

    /// `partitioned …`
    pub struct Partition {
        /// Its grain, or `dynamic`.
        pub kind: PartitionKind,
        /// Of `dynamic`: where the identity stands in the payload.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub key: Option<String>,
        /// IANA time zone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tz: Option<String>,
        /// strftime format of the identity.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub format: Option<String>,
        /// First slice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub start: Option<String>,
        /// The annotation.
        pub range: Range,
        /// Where the values stand.
        #[serde(default, skip_serializing_if = "is_default")]
        pub ranges: PartitionRanges,
    }

    /// Where a partition's values stand.
    #[derive(Default)]
    pub struct PartitionRanges {
        /// `key=`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub key: Option<Range>,
        /// `tz=`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tz: Option<Range>,
        /// `format=`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub format: Option<Range>,
        /// `start=`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub start: Option<Range>,
    }

    /// `retry …`
    pub struct Retry {
        /// Attempts.
        pub count: u32,
        /// Pause between them, as written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub delay: Option<String>,
        /// The annotation.
        pub range: Range,
    }

    /// `materialize …`
    pub struct Materialize {
        /// Who writes.
        pub mode: Mode,
        /// The target.
        pub asset: Asset,
        /// The flag `append`.
        #[serde(default, skip_serializing_if = "is_false")]
        pub append: bool,
        /// `key=`
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub key: Vec<String>,
        /// The flag `history`, or `scd2`.
        #[serde(default, skip_serializing_if = "is_false")]
        pub history: bool,
        /// `track=`
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub track: Vec<String>,
        /// `deletes=close`
        #[serde(default, skip_serializing_if = "is_false")]
        pub close_deleted: bool,
        /// `on_schema_change=`; absent for `warn`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub on_schema_change: Option<OnSchemaChange>,
        /// The annotation.
        pub range: Range,
        /// Where options and flags stand.
        #[serde(default, skip_serializing_if = "is_default")]
        pub ranges: MaterializeRanges,
    }

    /// Where the options and flags of `materialize` stand.
    #[derive(Default)]
    pub struct MaterializeRanges {
        /// `append`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub append: Option<Range>,
        /// Of each key column.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub key: Vec<Range>,
        /// `history`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub history: Option<Range>,
        /// Of each tracked column.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub track: Vec<Range>,
        /// `on_schema_change=`, also for `warn`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub on_schema_change: Option<Range>,
    }

    /// A column of an asset.
    pub struct ColumnRef {
        /// The asset.
        pub asset: Asset,
        /// The column.
        pub column: String,
        /// Where the reference stands.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub range: Option<Range>,
    }

    /// Where the texts of a data test stand.
    #[derive(Default)]
    pub struct DataTestRanges {
        /// The tested column.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub column: Option<Range>,
        /// Of each accepted value.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub values: Vec<Range>,
        /// The script's path.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub path: Option<Range>,
    }

    /// An output column and what it is computed from.
    pub struct ColumnLineage {
        /// The output column.
        pub column: String,
        /// Its inputs.
        pub inputs: Vec<ColumnRef>,
        /// Where it is declared or computed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub range: Option<Range>,
        /// Where the output column stands.
        #[serde(default, skip_serializing_if = "is_default")]
        pub ranges: ColumnRanges,
    }

    /// Where a lineage's output column stands.
    #[derive(Default)]
    pub struct ColumnRanges {
        /// The output column.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub column: Option<Range>,
    }

    /// `measure …`
    pub struct Measure {
        /// Its name.
        pub name: String,
        /// SQL expression.
        pub expr: String,
        /// SQL predicate.
        #[serde(rename = "where", default, skip_serializing_if = "Option::is_none")]
        pub filter: Option<String>,
        /// The annotation.
        pub range: Range,
        /// Where the texts stand.
        #[serde(default, skip_serializing_if = "is_default")]
        pub ranges: MeasureRanges,
    }

    /// `dimension …`
    pub struct Dimension {
        /// Its name.
        pub name: String,
        /// SQL expression.
        pub expr: String,
        /// The annotation.
        pub range: Range,
        /// Where the texts stand.
        #[serde(default, skip_serializing_if = "is_default")]
        pub ranges: MeasureRanges,
    }

    /// Where the texts of a measure or dimension stand.
    #[derive(Default)]
    pub struct MeasureRanges {
        /// The name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub name: Option<Range>,
        /// The expression.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub expr: Option<Range>,
        /// The predicate.
        #[serde(rename = "where", default, skip_serializing_if = "Option::is_none")]
        pub filter: Option<Range>,
    }

    /// `mute …`
    pub struct Mute {
        /// `mute all`
        #[serde(default, skip_serializing_if = "is_false")]
        pub all: bool,
        /// `mute <asset>`
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub asset: Option<Asset>,
        /// The annotation.
        pub range: Range,
    }

    /// `on …`
    pub struct Trigger {
        /// `asset`, or the native kind.
        pub kind: TriggerKind,
        /// Of `asset`: which.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub asset: Option<Asset>,
        /// Of `asset`: its debounce, as written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub debounce: Option<String>,
        /// Of a native kind: its options.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub options: BTreeMap<String, String>,
        /// The annotation.
        pub range: Range,
    }

    /// The SQL below the header.
    pub struct Body {
        /// Statements in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub statements: Vec<Statement>,
        /// Assets read and written.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub assets: Vec<AssetUse>,
        /// From the header's end to the text's end.
        pub range: Range,
    }

    /// One statement.
    pub struct Statement {
        /// Its part in a managed script.
        pub kind: StatementKind,
        /// Of `setup` and `output`: `attach`, `select` …
        #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
        pub of: Option<String>,
        /// Of `write`: its leading words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub verb: Option<String>,
        /// Base tables as written: catalog, schema and name as far as given.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub tables: Vec<Vec<String>>,
        /// Partition tokens that are replaced.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub tokens: Vec<Token>,
        /// The statement without its `;`.
        pub range: Range,
        /// Where its names stand.
        #[serde(default, skip_serializing_if = "is_default")]
        pub ranges: StatementRanges,
    }

    /// Where the names of a statement stand.
    #[derive(Default)]
    pub struct StatementRanges {
        /// Of each of `tables`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub tables: Vec<Range>,
    }

    /// A partition token.
    pub struct Token {
        /// Which value it stands for.
        pub value: TokenValue,
        /// What is replaced.
        pub range: Range,
    }

    /// An asset that the body uses.
    pub struct AssetUse {
        /// What it is stored as.
        pub kind: AssetKind,
        /// Its path.
        pub path: String,
        /// How it is used.
        pub access: Access,
        /// Each place that names it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub ranges: Vec<Range>,
    }

    /// A finding.
    pub struct Diagnostic {
        /// Stable code.
        pub code: String,
        /// Its name.
        pub name: String,
        /// How bad it is.
        pub severity: Severity,
        /// One sentence: what is wrong.
        pub message: String,
        /// Where.
        pub range: Range,
        /// Places that explain it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub related: Vec<Related>,
        /// What to write instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub hint: Option<String>,
        /// A mechanical mend.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub fix: Option<Fix>,
    }

    /// A place that explains a finding.
    pub struct Related {
        /// What stands there.
        pub message: String,
        /// Where.
        pub range: Range,
    }

    /// Edits that mend a finding.
    pub struct Fix {
        /// What they do.
        pub title: String,
        /// In text order, without overlap.
        pub edits: Vec<TextEdit>,
    }

    /// Replace `range` by `text`.
    pub struct TextEdit {
        /// The new text.
        pub text: String,
        /// What is replaced.
        pub range: Range,
    }
}

/// `data_test …`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[allow(missing_docs)] // the fields are those of the annotation
pub enum DataTest {
    /// No value twice.
    Unique {
        column: String,
        range: Range,
        ranges: DataTestRanges,
    },
    /// No NULL.
    NotNull {
        column: String,
        range: Range,
        ranges: DataTestRanges,
    },
    /// Only listed values.
    AcceptedValues {
        column: String,
        values: Vec<String>,
        range: Range,
        ranges: DataTestRanges,
    },
    /// Each value stands in another table's column.
    Relationships {
        column: String,
        to: ColumnRef,
        range: Range,
        ranges: DataTestRanges,
    },
    /// A script that returns violating rows.
    Custom {
        path: String,
        range: Range,
        ranges: DataTestRanges,
    },
}

words! {
    /// What an asset is stored as.
    pub enum AssetKind from crate::asset::AssetKind {
        Ducklake = "ducklake", Datatable = "datatable", S3Object = "s3object", Resource = "resource",
        Volume = "volume", Dbt = "dbt",
    }

    /// Kind of a partition.
    pub enum PartitionKind {
        Hourly = "hourly", Daily = "daily", Weekly = "weekly", Monthly = "monthly", Dynamic = "dynamic",
    }

    /// How inputs join.
    pub enum Join { All = "all", Any = "any", }

    /// Who writes.
    pub enum Mode { Managed = "managed", Manual = "manual", }

    /// What happens when columns differ.
    pub enum OnSchemaChange { Warn = "warn", Ignore = "ignore", Fail = "fail", Sync = "sync", }

    /// Kind of a trigger.
    pub enum TriggerKind {
        Asset = "asset", Schedule = "schedule", Webhook = "webhook", Email = "email", Kafka = "kafka", Mqtt = "mqtt",
        Nats = "nats", Postgres = "postgres", Sqs = "sqs", Gcp = "gcp", Amqp = "amqp", DataUpload = "data_upload",
    }

    /// A statement's part in a managed script.
    pub enum StatementKind {
        Setup = "setup", Output = "output", Write = "write", Transaction = "transaction", Other = "other",
    }

    /// Which value a partition token stands for.
    pub enum TokenValue { Identity = "identity", Start = "start", End = "end", }

    /// How an asset is used.
    pub enum Access { Read = "r", Write = "w", ReadWrite = "rw", }

    /// How bad a finding is.
    pub enum Severity from crate::diagnostic::Severity {
        Error = "error", Warning = "warning", Info = "info", Hint = "hint",
    }
}

impl From<crate::script::NativeTrigger> for TriggerKind {
    fn from(kind: crate::script::NativeTrigger) -> Self {
        use crate::script::NativeTrigger as Native;
        match kind {
            Native::Schedule => Self::Schedule,
            Native::Webhook => Self::Webhook,
            Native::Email => Self::Email,
            Native::Kafka => Self::Kafka,
            Native::Mqtt => Self::Mqtt,
            Native::Nats => Self::Nats,
            Native::Postgres => Self::Postgres,
            Native::Sqs => Self::Sqs,
            Native::Gcp => Self::Gcp,
            Native::Amqp => Self::Amqp,
            Native::DataUpload => Self::DataUpload,
        }
    }
}
