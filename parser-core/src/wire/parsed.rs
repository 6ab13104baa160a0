//! What `parse` gives, as JSON: the envelope and the header.

use serde::{Deserialize, Serialize};

pub use super::finding::*;
pub use super::shape::Pairs;
use super::shape::{is_default, is_false, objects, words};
pub use super::statements::*;
use crate::source::Range;

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
        /// The SQL.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub expression: Option<Range>,
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
        #[serde(default, skip_serializing_if = "Pairs::is_empty")]
        #[cfg_attr(feature = "tsify", tsify(type = "Record<string, string>"))]
        pub options: Pairs,
        /// The annotation.
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
        #[serde(default, skip_serializing_if = "Option::is_none")]
        severity: Option<TestSeverity>,
        range: Range,
        ranges: DataTestRanges,
    },
    /// No NULL.
    NotNull {
        column: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        severity: Option<TestSeverity>,
        range: Range,
        ranges: DataTestRanges,
    },
    /// Only listed values.
    AcceptedValues {
        column: String,
        values: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        severity: Option<TestSeverity>,
        range: Range,
        ranges: DataTestRanges,
    },
    /// Each value stands in another table's column.
    Relationships {
        column: String,
        to: ColumnRef,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        severity: Option<TestSeverity>,
        range: Range,
        ranges: DataTestRanges,
    },
    /// Only so many rows.
    RowCount {
        comparison: Comparison,
        rows: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        severity: Option<TestSeverity>,
        range: Range,
    },
    /// A newest value that is no older.
    Freshness {
        column: String,
        age: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        severity: Option<TestSeverity>,
        range: Range,
        ranges: DataTestRanges,
    },
    /// An SQL expression that no row makes false.
    Expression {
        expression: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        severity: Option<TestSeverity>,
        range: Range,
        ranges: DataTestRanges,
    },
    /// A script that returns violating rows.
    Custom {
        path: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        severity: Option<TestSeverity>,
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

    /// How a number of rows is compared.
    pub enum Comparison from crate::script::Comparison {
        AtLeast = ">=", AtMost = "<=", NotEqual = "<>", Equal = "=", More = ">", Less = "<",
    }

    /// What a violated data test does, when it does not fail the run.
    pub enum TestSeverity { Warn = "warn", }

    /// What happens when columns differ.
    pub enum OnSchemaChange { Warn = "warn", Ignore = "ignore", Fail = "fail", Sync = "sync", }

    /// Kind of a trigger.
    pub enum TriggerKind {
        Asset = "asset", Schedule = "schedule", Webhook = "webhook", Email = "email", Kafka = "kafka", Mqtt = "mqtt",
        Nats = "nats", Postgres = "postgres", Sqs = "sqs", Gcp = "gcp", Amqp = "amqp", DataUpload = "data_upload",
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
