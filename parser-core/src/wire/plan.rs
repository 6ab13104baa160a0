//! The wire form of a plan: what `lakemill plan --json` and the browser's preview show.

use serde::Serialize;

use super::parsed::Diagnostic;
use super::shape::{inputs, reads};
use super::value::{Misread, Path, Read, Value, word};
use crate::plan::sql::Column;
use crate::plan::{
    self, Catalog, LakeSource, Observed, Plan, PlanError, PublishMode, RunContext, Staging,
    Statement, TargetShape,
};
use crate::render;
use crate::script::Script;
use crate::source::{LineIndex, Range};

inputs! {
    /// What a preview assumes in place of a lake. All parts may be left out.
    #[derive(Clone, Debug, Default)]
    pub struct PlanOptions {
        /// The partition to write, such as `2024-06-19`. A `partitioned` script needs one.
        pub partition: Option<String> = "partition" or default,
        /// Columns of the SELECT, as DESCRIBE would give them.
        #[cfg_attr(feature = "tsify", tsify(type = "Column[] | undefined"))]
        pub output: Vec<Column> = "output" or default,
        /// The target as it is; absent when left out. `"same"` is the table as an earlier run of this script left it.
        #[cfg_attr(feature = "tsify", tsify(type = "Target | undefined"))]
        pub target: Option<WireTarget> = "target" or default,
        /// Lakes by name, each with what its catalog is stored in.
        #[cfg_attr(feature = "tsify", tsify(type = "Record<string, Catalog> | undefined"))]
        pub lakes: Vec<(String, WireCatalog)> = "lakes" or default,
        /// What the catalogs of lakes that are not listed are stored in; `sqlite` when left out.
        #[cfg_attr(feature = "tsify", tsify(type = "Catalog | undefined"))]
        pub catalog: WireCatalog = "catalog" or default,
        /// Whether a lake that is not listed is undeclared instead.
        #[cfg_attr(feature = "tsify", tsify(type = "boolean | undefined"))]
        pub strict_lakes: bool = "strictLakes" or default,
        /// The databases that `datatable://` may name; any when left out.
        #[cfg_attr(feature = "tsify", tsify(type = "string[] | undefined"))]
        pub datatables: Option<Vec<String>> = "datatables" or default,
        /// Where the keys of `s3:///key` are: a folder, or `s3://bucket/prefix`. They stay as they are written when it is left out.
        pub storage: Option<String> = "storage" or default,
    }

    /// A table that exists.
    #[derive(Clone, Debug, Default)]
    #[cfg_attr(feature = "tsify", tsify(rename = "Table"))]
    pub struct WireTable {
        /// Its columns in order, `_wm_partition` included.
        #[cfg_attr(feature = "tsify", tsify(type = "Column[] | undefined"))]
        pub columns: Vec<Column> = "columns" or default,
        /// What it is partitioned by.
        #[cfg_attr(feature = "tsify", tsify(type = "string[] | undefined"))]
        pub partitioned_by: Vec<String> = "partitionedBy" or default,
        /// In place of these two: what the SELECT gave when an earlier run of this script left the table.
        #[cfg_attr(feature = "tsify", tsify(type = "Column[] | undefined"))]
        pub output: Option<Vec<Column>> = "output" or default,
        /// Whether it is a view, which has neither.
        #[cfg_attr(feature = "tsify", tsify(type = "boolean | undefined"))]
        pub view: bool = "view" or default,
    }
}

// What DESCRIBE gives has more members.
reads!(Column {
    name: "name",
    data_type: "type",
});

/// The target of a preview: `"same"`, or a table.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "Target", type = "\"same\" | Table")
)]
pub enum WireTarget {
    /// As an earlier run of this script left it.
    Same,
    /// This table.
    Table(WireTable),
}

impl Read for WireTarget {
    fn read(value: Value, path: &Path<'_>) -> Result<Self, Misread> {
        match value {
            Value::Text(_) => word(&value, path, &["same"]).map(|_| Self::Same),
            Value::Object(_) => WireTable::read(value, path).map(Self::Table),
            other => Err(path.expected("`same` or a table", &other)),
        }
    }
}

/// What a lake's catalog is stored in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "Catalog"),
    serde(rename_all = "lowercase")
)]
pub enum WireCatalog {
    /// A SQLite file.
    #[default]
    Sqlite,
    /// A DuckDB file.
    Duckdb,
    /// A PostgreSQL database.
    Postgres,
}

impl Read for WireCatalog {
    fn read(value: Value, path: &Path<'_>) -> Result<Self, Misread> {
        let at = word(&value, path, &["sqlite", "duckdb", "postgres"])?;
        Ok([Self::Sqlite, Self::Duckdb, Self::Postgres][at])
    }
}

/// A plan, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct PlanReply {
    /// Version of this shape.
    pub version: u32,
    /// How the target is written; absent when nothing is planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "tsify",
        tsify(
            type = "\"replace\" | \"replace_partition\" | \"merge\" | \"append\" | \"history\" | \"manual\""
        )
    )]
    pub strategy: Option<String>,
    /// `lake/table`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The partition that is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// Statements by stage, in order; absent when nothing is planned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "tsify", tsify(type = "Stage[]"))]
    pub stages: Vec<WireStage>,
    /// Remarks; absent when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Why there is no plan; absent when there is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
}

/// One stage of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(rename = "Stage"))]
pub struct WireStage {
    /// `open` attaches the lakes, `setup` is the script's own, `stage` evaluates the SELECT, `publish` writes in one
    /// transaction, `verify` runs the data tests, `finish` cleans up.
    #[cfg_attr(
        feature = "tsify",
        tsify(type = "\"open\" | \"setup\" | \"stage\" | \"publish\" | \"verify\" | \"finish\"")
    )]
    pub name: &'static str,
    /// Its statements.
    #[cfg_attr(feature = "tsify", tsify(type = "PlanStatement[]"))]
    pub statements: Vec<WireStatement>,
}

/// One statement of a plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "PlanStatement")
)]
pub struct WireStatement {
    /// The SQL, without a final `;`.
    pub sql: String,
    /// The part of the script that it carries, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
}

/// Version of [`PlanReply`].
const VERSION: u32 = 1;

/// Plans a script as the options describe its surroundings.
#[must_use]
pub fn plan_to_wire(text: &str, options: &PlanOptions) -> PlanReply {
    let script = crate::parse(text).script;
    match planned(text, &script, options) {
        Ok(plan) => plan_reply(text, &plan, options.partition.clone()),
        Err(error) => PlanReply {
            version: VERSION,
            strategy: None,
            target: None,
            partition: None,
            stages: Vec::new(),
            warnings: Vec::new(),
            diagnostics: vec![Diagnostic::new(&LineIndex::new(text), &error.diagnostic())],
        },
    }
}

fn planned(text: &str, script: &Script, options: &PlanOptions) -> Result<Plan, PlanError> {
    let context = context(script, options)?;
    let preparation = plan::prepare(text, script, &context)?;
    let partition = script.header.partition.as_ref().map(|line| &line.value);
    let created = |output: &[Column]| match &preparation.write {
        Some(write) => TargetShape::created(output, write, script),
        None => TargetShape::Absent,
    };
    let target = match &options.target {
        None => TargetShape::Absent,
        Some(WireTarget::Same) => created(&options.output),
        Some(WireTarget::Table(table)) if table.view => TargetShape::View,
        Some(WireTarget::Table(table)) => match &table.output {
            Some(output) => created(output),
            None => TargetShape::Table {
                columns: table.columns.clone(),
                partitioned_by: table.partitioned_by.clone(),
                cut_by: partition.map(plan::cut_by),
            },
        },
    };
    let observed = Observed {
        // The run that made the table made its view.
        current_view: match target {
            TargetShape::Absent => TargetShape::Absent,
            TargetShape::Table { .. } | TargetShape::View => TargetShape::View,
        },
        target,
        output: options.output.clone(),
        ..Observed::default()
    };
    plan::build(preparation, script, &context, &observed)
}

/// The context of a preview: the job and the paths are placeholders.
fn context(script: &Script, options: &PlanOptions) -> Result<RunContext, PlanError> {
    let named = if options.strict_lakes {
        Vec::new()
    } else {
        plan::lakes(script)
    };
    let named = named.into_iter().map(|name| (name, options.catalog));
    // What the options list comes later and counts.
    let lakes = named
        .chain(options.lakes.iter().cloned())
        .map(|(name, kind)| {
            let source = lake(&name, kind);
            (name, source)
        });
    Ok(RunContext {
        job: "00000000-0000-7000-8000-000000000000".to_owned(),
        author: "preview".to_owned(),
        script_path: "script.sql".to_owned(),
        content_hash: String::new(),
        lakes: lakes.collect(),
        datatables: options
            .datatables
            .clone()
            .unwrap_or_else(|| plan::datatables(script)),
        storage: options.storage.clone(),
        partition: options
            .partition
            .as_deref()
            .map(|value| plan::slice(script, value))
            .transpose()?,
        publish: PublishMode::CommitThenTest,
        staging: Staging::WhereNeeded,
    })
}

fn lake(name: &str, kind: WireCatalog) -> LakeSource {
    let catalog = match kind {
        WireCatalog::Sqlite => Catalog::Sqlite(format!("{name}.sqlite")),
        WireCatalog::Duckdb => Catalog::DuckDb(format!("{name}.ducklake")),
        WireCatalog::Postgres => Catalog::Postgres {
            dsn: format!("dbname={name}"),
            secret: None,
        },
    };
    LakeSource {
        catalog,
        data_path: format!("{name}/"),
    }
}

/// The wire form of a plan.
#[must_use]
pub fn plan_reply(text: &str, plan: &Plan, partition: Option<String>) -> PlanReply {
    let index = LineIndex::new(text);
    let stage = |name, statements: &[Statement]| WireStage {
        name,
        statements: statements
            .iter()
            .map(|statement| WireStatement {
                sql: render::render(statement).sql().to_owned(),
                range: statement.user_span().map(|span| index.range(span)),
            })
            .collect(),
    };
    let mut stages = vec![
        stage("open", &plan.preparation.open),
        stage("setup", &plan.preparation.setup),
        stage("stage", &plan.stage),
        stage("publish", &plan.publish),
    ];
    let write = plan.preparation.write.as_ref();
    if let Some(checks) =
        write.and_then(|write| render::checks(&plan.checks, &write.target.table_ref, &write.scope))
    {
        stages.push(WireStage {
            name: "verify",
            statements: vec![WireStatement {
                sql: checks.sql().to_owned(),
                range: None,
            }],
        });
    }
    stages.push(stage("finish", &plan.finish));
    let unseen = plan.checks.iter().filter(|check| check.probe.is_script());
    let unseen = unseen.map(|check| {
        [
            "the query of the data test `",
            &check.name,
            "` is not shown",
        ]
        .concat()
    });
    stages.retain(|stage| !stage.statements.is_empty());
    PlanReply {
        version: VERSION,
        strategy: write.map(|write| write.strategy.as_str().to_owned()),
        target: write.map(|write| write.target.asset_path.clone()),
        partition,
        stages,
        warnings: plan.warnings.iter().cloned().chain(unseen).collect(),
        diagnostics: Vec::new(),
    }
}

impl PlanReply {
    /// The plan as one SQL text, a comment above each stage.
    #[must_use]
    pub fn sql(&self) -> String {
        let mut text = String::new();
        for stage in &self.stages {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str("-- ");
            text.push_str(stage.name);
            text.push('\n');
            for statement in &stage.statements {
                text.push_str(&statement.sql);
                text.push_str(";\n");
            }
        }
        text
    }
}
