//! From the typed script to the wire form.

use std::borrow::Cow;

use super::ParseOptions;
use super::parsed as wire;
use super::shape::Pairs;
use crate::asset::Asset;
use crate::body::{AssetUse, Body, PartitionValue, Statement, StatementKind};
use crate::diagnostic::Diagnostic;
use crate::lineage::{Input, Lineage, Schemas, trace};
use crate::script::{
    self, ColumnLineage, ColumnRef, DataTest, Dimension, DurationText, Header, Join, Materialize,
    Measure, Mode, Mute, OnSchemaChange, Partitioned, Retry, Rule, Script, Trigger,
};
use crate::source::{LineIndex, Range, Span, Spanned};

/// Turns spans into ranges.
struct Place<'a>(&'a LineIndex);

impl wire::Parsed {
    /// The wire form of `script`, which is what parsing makes of `text`.
    #[must_use]
    pub fn new(
        text: &str,
        script: &Script,
        diagnostics: &[Diagnostic],
        options: &ParseOptions,
    ) -> Self {
        let (index, schemas) = (LineIndex::new(text), Schemas::new());
        let place = Place(&index);
        let lineage = options.lineage.then(|| trace(text, script, &schemas));
        Self {
            version: super::VERSION,
            header: place.header(&script.header),
            body: place.body(&script.body, lineage.as_ref()),
            diagnostics: diagnostics
                .iter()
                .map(|found| place.diagnostic(found))
                .collect(),
        }
    }
}

impl wire::Diagnostic {
    /// The wire form of `found`, a finding about the text that `index` indexes.
    #[must_use]
    pub fn new(index: &LineIndex, found: &Diagnostic) -> Self {
        Place(index).diagnostic(found)
    }
}

fn texts(list: &[Spanned<String>]) -> Vec<String> {
    list.iter().map(|text| text.value.clone()).collect()
}

fn value(text: &Option<Spanned<String>>) -> Option<String> {
    text.as_ref().map(|text| text.value.clone())
}

fn duration(found: &Option<Spanned<DurationText>>) -> Option<String> {
    found.as_ref().map(|found| found.value.text.clone())
}

impl Place<'_> {
    fn at(&self, span: Span) -> Range {
        self.0.range(span)
    }

    fn each<T>(&self, list: &[Spanned<T>]) -> Vec<Range> {
        list.iter().map(|found| self.at(found.span)).collect()
    }

    fn of<T>(&self, found: &Option<Spanned<T>>) -> Option<Range> {
        found.as_ref().map(|found| self.at(found.span))
    }

    fn header(&self, header: &Header) -> wire::Header {
        let ranges = wire::HeaderRanges {
            pipeline: header.pipeline.map(|span| self.at(span)),
            macros: header.macros.map(|span| self.at(span)),
            uses: self.each(&header.uses),
            freshness: self.of(&header.freshness),
            debounce: self.of(&header.debounce),
            trigger: self.of(&header.trigger),
            tag: self.of(&header.tag),
        };
        wire::Header {
            pipeline: header.pipeline.is_some(),
            macros: header.macros.is_some(),
            uses: texts(&header.uses),
            partition: header.partition.as_ref().map(|found| self.partition(found)),
            freshness: duration(&header.freshness),
            debounce: duration(&header.debounce),
            trigger: header.trigger.as_ref().and_then(|found| match found.value {
                Join::All => Some(wire::Join::All),
                Join::Any => None,
            }),
            tag: value(&header.tag),
            retry: header.retry.as_ref().map(|found| self.retry(found)),
            materialize: header
                .materialize
                .as_ref()
                .map(|found| self.materialize(found)),
            data_tests: header
                .data_tests
                .iter()
                .map(|found| self.data_test(found))
                .collect(),
            columns: header
                .columns
                .iter()
                .map(|found| self.column(found))
                .collect(),
            measures: header
                .measures
                .iter()
                .map(|found| self.measure(found))
                .collect(),
            dimensions: header
                .dimensions
                .iter()
                .map(|found| self.dimension(found))
                .collect(),
            mutes: header.mutes.iter().map(|found| self.mute(found)).collect(),
            triggers: header
                .triggers
                .iter()
                .map(|found| self.trigger(found))
                .collect(),
            range: self.at(header.span),
            ranges,
        }
    }

    fn asset(&self, asset: &Asset, span: Option<Span>) -> wire::Asset {
        wire::Asset {
            kind: asset.kind.into(),
            path: asset.path.clone(),
            range: span.map(|span| self.at(span)),
        }
    }

    fn partition(&self, found: &Spanned<Partitioned>) -> wire::Partition {
        let range = self.at(found.span);
        match &found.value {
            Partitioned::Time(time) => wire::Partition {
                kind: time.grain.into(),
                key: None,
                tz: value(&time.tz),
                format: value(&time.format),
                start: value(&time.start),
                range,
                ranges: wire::PartitionRanges {
                    key: None,
                    tz: self.of(&time.tz),
                    format: self.of(&time.format),
                    start: self.of(&time.start),
                },
            },
            Partitioned::Dynamic { key } => wire::Partition {
                kind: wire::PartitionKind::Dynamic,
                key: Some(key.value.clone()),
                tz: None,
                format: None,
                start: None,
                range,
                ranges: wire::PartitionRanges {
                    key: Some(self.at(key.span)),
                    ..wire::PartitionRanges::default()
                },
            },
        }
    }

    fn retry(&self, found: &Spanned<Retry>) -> wire::Retry {
        wire::Retry {
            count: found.value.count,
            delay: found.value.delay.as_ref().map(|delay| delay.text.clone()),
            range: self.at(found.span),
        }
    }

    fn materialize(&self, found: &Spanned<Materialize>) -> wire::Materialize {
        let line = &found.value;
        wire::Materialize {
            mode: match line.mode {
                Mode::Managed => wire::Mode::Managed,
                Mode::Manual => wire::Mode::Manual,
            },
            asset: self.asset(&line.asset.value, Some(line.asset.span)),
            append: line.append.is_some(),
            key: texts(&line.key),
            history: line.history.is_some(),
            track: texts(&line.track),
            close_deleted: line.close_deleted,
            on_schema_change: line.on_schema_change.as_ref().and_then(|change| {
                match change.value {
                    OnSchemaChange::Warn => None,
                    OnSchemaChange::Ignore => Some(wire::OnSchemaChange::Ignore),
                    OnSchemaChange::Fail => Some(wire::OnSchemaChange::Fail),
                    OnSchemaChange::Sync => Some(wire::OnSchemaChange::Sync),
                }
            }),
            range: self.at(found.span),
            ranges: wire::MaterializeRanges {
                append: line.append.map(|span| self.at(span)),
                key: self.each(&line.key),
                history: line.history.map(|span| self.at(span)),
                track: self.each(&line.track),
                on_schema_change: self.of(&line.on_schema_change),
            },
        }
    }

    fn reference(&self, found: &ColumnRef) -> wire::ColumnRef {
        wire::ColumnRef {
            asset: self.asset(&found.asset, None),
            column: found.column.clone(),
            range: Some(self.at(found.span)),
        }
    }

    fn data_test(&self, found: &Spanned<DataTest>) -> wire::DataTest {
        let range = self.at(found.span);
        let ranges = |column: &Spanned<String>, values: &[Spanned<String>]| wire::DataTestRanges {
            column: Some(self.at(column.span)),
            values: self.each(values),
            ..wire::DataTestRanges::default()
        };
        let severity = match found.value.severity {
            script::Severity::Error => None,
            script::Severity::Warn => Some(wire::TestSeverity::Warn),
        };
        match &found.value.rule {
            Rule::Unique { column } => wire::DataTest::Unique {
                column: column.value.clone(),
                severity,
                range,
                ranges: ranges(column, &[]),
            },
            Rule::NotNull { column } => wire::DataTest::NotNull {
                column: column.value.clone(),
                severity,
                range,
                ranges: ranges(column, &[]),
            },
            Rule::AcceptedValues { column, values } => wire::DataTest::AcceptedValues {
                column: column.value.clone(),
                values: texts(values),
                severity,
                range,
                ranges: ranges(column, values),
            },
            Rule::Relationships { column, to } => wire::DataTest::Relationships {
                column: column.value.clone(),
                to: self.reference(to),
                severity,
                range,
                ranges: ranges(column, &[]),
            },
            Rule::RowCount { comparison, rows } => wire::DataTest::RowCount {
                comparison: (*comparison).into(),
                rows: *rows,
                severity,
                range,
            },
            Rule::Freshness { column, age } => wire::DataTest::Freshness {
                column: column.value.clone(),
                age: age.text.clone(),
                severity,
                range,
                ranges: ranges(column, &[]),
            },
            Rule::Expression { sql } => wire::DataTest::Expression {
                expression: sql.value.clone(),
                severity,
                range,
                ranges: wire::DataTestRanges {
                    expression: Some(self.at(sql.span)),
                    ..wire::DataTestRanges::default()
                },
            },
            Rule::Custom { path } => wire::DataTest::Custom {
                path: path.value.clone(),
                severity,
                range,
                ranges: wire::DataTestRanges {
                    path: Some(self.at(path.span)),
                    ..wire::DataTestRanges::default()
                },
            },
        }
    }

    fn column(&self, found: &Spanned<ColumnLineage>) -> wire::ColumnLineage {
        wire::ColumnLineage {
            column: found.value.column.value.clone(),
            inputs: found
                .value
                .inputs
                .iter()
                .map(|input| self.reference(input))
                .collect(),
            range: Some(self.at(found.span)),
            ranges: wire::ColumnRanges {
                column: Some(self.at(found.value.column.span)),
            },
        }
    }

    fn measure(&self, found: &Spanned<Measure>) -> wire::Measure {
        let Measure { name, expr, filter } = &found.value;
        wire::Measure {
            name: name.value.clone(),
            expr: expr.value.clone(),
            filter: value(filter),
            range: self.at(found.span),
            ranges: wire::MeasureRanges {
                name: Some(self.at(name.span)),
                expr: Some(self.at(expr.span)),
                filter: self.of(filter),
            },
        }
    }

    fn dimension(&self, found: &Spanned<Dimension>) -> wire::Dimension {
        let Dimension { name, expr } = &found.value;
        wire::Dimension {
            name: name.value.clone(),
            expr: expr.value.clone(),
            range: self.at(found.span),
            ranges: wire::MeasureRanges {
                name: Some(self.at(name.span)),
                expr: Some(self.at(expr.span)),
                filter: None,
            },
        }
    }

    fn mute(&self, found: &Spanned<Mute>) -> wire::Mute {
        let range = self.at(found.span);
        match &found.value {
            Mute::All => wire::Mute {
                all: true,
                asset: None,
                range,
            },
            Mute::Asset(asset) => wire::Mute {
                all: false,
                asset: Some(self.asset(asset, None)),
                range,
            },
        }
    }

    fn trigger(&self, found: &Spanned<Trigger>) -> wire::Trigger {
        let range = self.at(found.span);
        match &found.value {
            Trigger::Asset { asset, debounce } => wire::Trigger {
                kind: wire::TriggerKind::Asset,
                asset: Some(self.asset(&asset.value, Some(asset.span))),
                debounce: debounce.as_ref().map(|debounce| debounce.text.clone()),
                options: Pairs::default(),
                range,
            },
            Trigger::Native { kind, options } => wire::Trigger {
                kind: (*kind).into(),
                asset: None,
                debounce: None,
                options: Pairs::new(options.clone()),
                range,
            },
        }
    }

    fn body(&self, body: &Body, lineage: Option<&Lineage<'_>>) -> wire::Body {
        wire::Body {
            statements: body
                .statements
                .iter()
                .map(|statement| self.statement(statement))
                .collect(),
            assets: body
                .assets
                .iter()
                .enumerate()
                .map(|(place, asset)| {
                    let columns = lineage.and_then(|lineage| lineage.reads.get(place)?.as_deref());
                    self.asset_use(asset, columns)
                })
                .collect(),
            lineage: lineage
                .into_iter()
                .flat_map(Lineage::known)
                .map(|(column, span, inputs)| wire::ColumnLineage {
                    column: column.to_owned(),
                    inputs: inputs.iter().map(|input| self.input(input)).collect(),
                    range: Some(self.at(span)),
                    ranges: wire::ColumnRanges::default(),
                })
                .collect(),
            range: self.at(body.span),
        }
    }

    fn input(&self, input: &Input<'_>) -> wire::ColumnRef {
        wire::ColumnRef {
            asset: self.asset(input.asset, None),
            column: input.column.clone().into_owned(),
            range: Some(self.at(input.span)),
        }
    }

    fn statement(&self, statement: &Statement) -> wire::Statement {
        let (kind, of, verb) = match &statement.kind {
            StatementKind::Output(output) => (
                wire::StatementKind::Output,
                Some(output.as_str().to_owned()),
                None,
            ),
            StatementKind::Setup(setup) => (
                wire::StatementKind::Setup,
                Some(setup.as_str().to_owned()),
                None,
            ),
            StatementKind::Write { verb } => (wire::StatementKind::Write, None, Some(verb.clone())),
            StatementKind::Transaction => (wire::StatementKind::Transaction, None, None),
            StatementKind::Other => (wire::StatementKind::Other, None, None),
        };
        let name = |table: &crate::body::TableName| {
            table.parts.iter().map(|part| part.value.clone()).collect()
        };
        wire::Statement {
            kind,
            of,
            verb,
            tables: statement.tables.iter().map(name).collect(),
            tokens: statement
                .tokens
                .iter()
                .map(|token| wire::Token {
                    value: match token.value {
                        PartitionValue::Identity => wire::TokenValue::Identity,
                        PartitionValue::Start => wire::TokenValue::Start,
                        PartitionValue::End => wire::TokenValue::End,
                    },
                    range: self.at(token.span),
                })
                .collect(),
            range: self.at(statement.span),
            ranges: wire::StatementRanges {
                tables: statement
                    .tables
                    .iter()
                    .map(|table| self.at(table.span))
                    .collect(),
            },
        }
    }

    fn asset_use(&self, found: &AssetUse, columns: Option<&[Cow<'_, str>]>) -> wire::AssetUse {
        wire::AssetUse {
            kind: found.asset.kind.into(),
            path: found.asset.path.clone(),
            access: match found.access {
                crate::body::Access::Read => wire::Access::Read,
                crate::body::Access::Write => wire::Access::Write,
                crate::body::Access::ReadWrite => wire::Access::ReadWrite,
            },
            columns: columns
                .unwrap_or_default()
                .iter()
                .map(|column| column.clone().into_owned())
                .collect(),
            ranges: found.spans.iter().map(|span| self.at(*span)).collect(),
        }
    }

    fn diagnostic(&self, found: &Diagnostic) -> wire::Diagnostic {
        wire::Diagnostic {
            code: found.code.id().to_owned(),
            name: found.code.name().to_owned(),
            severity: found.severity.into(),
            message: found.message.clone(),
            range: self.at(found.span),
            related: found
                .related
                .iter()
                .map(|related| wire::Related {
                    message: related.message.clone(),
                    range: self.at(related.span),
                })
                .collect(),
            hint: found.hint.clone(),
            fix: found.fix.as_ref().map(|fix| wire::Fix {
                title: fix.title.clone(),
                edits: fix
                    .edits
                    .iter()
                    .map(|edit| wire::TextEdit {
                        text: edit.text.clone(),
                        range: self.at(edit.span),
                    })
                    .collect(),
            }),
        }
    }
}

impl From<script::Grain> for wire::PartitionKind {
    fn from(grain: script::Grain) -> Self {
        match grain {
            script::Grain::Hourly => Self::Hourly,
            script::Grain::Daily => Self::Daily,
            script::Grain::Weekly => Self::Weekly,
            script::Grain::Monthly => Self::Monthly,
        }
    }
}
