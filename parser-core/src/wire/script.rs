//! From the typed script to the JSON text of [`Parsed`](super::Parsed), without the objects between: what the browser asks
//! for most. The objects are made by `convert` for those who look into them; a test holds both to the same text.

use std::borrow::Cow;

use serde::Serialize;

use super::finding;
use super::json::Json;
use super::shape::Pairs;
use crate::asset::Asset;
use crate::body::{AssetUse, Body, PartitionValue, Statement, StatementKind};
use crate::diagnostic::Diagnostic;
use crate::lineage::Lineage;
use crate::script::{
    ColumnLineage, ColumnRef, DataTest, Header, Join, Materialize, Mode, Mute, OnSchemaChange,
    Partitioned, Rule, Script, Severity, Trigger,
};
use crate::source::{LineIndex, Span, Spanned};

/// The JSON text of [`Parsed::new`](super::Parsed::new).
#[must_use]
pub(super) fn text(
    text: &str,
    script: &Script,
    diagnostics: &[Diagnostic],
    lineage: Option<&Lineage<'_>>,
) -> String {
    let index = LineIndex::new(text);
    let mut writer = Writer {
        json: Json::default(),
        index: &index,
    };
    writer.object(|to| {
        to.key("version").value(&super::VERSION);
        to.key("header").object(|to| to.header(&script.header));
        to.key("body").object(|to| to.body(&script.body, lineage));
        to.key("diagnostics").list(diagnostics, |to, found| {
            let found = finding::Diagnostic::new(to.index, found);
            to.value(&found);
        });
    });
    writer.json.finish()
}

/// Writes the members of one object after the other.
struct Writer<'a> {
    json: Json,
    index: &'a LineIndex,
}

/// The shapes that all objects are made of. Members that may be absent write nothing when they are.
impl Writer<'_> {
    fn key(&mut self, name: &'static str) -> &mut Self {
        self.json.key(name);
        self
    }

    fn value(&mut self, value: &impl Serialize) {
        self.json.value(value);
    }

    fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.json.open('{');
        members(self);
        self.json.close('}');
    }

    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.json.open('[');
        for item in items {
            self.json.separate();
            each(self, item);
        }
        self.json.close(']');
    }

    /// A list of objects, absent when empty.
    fn objects<T>(
        &mut self,
        name: &'static str,
        items: &[T],
        mut members: impl FnMut(&mut Self, &T),
    ) {
        if !items.is_empty() {
            self.key(name)
                .list(items, |to, item| to.object(|to| members(to, item)));
        }
    }

    #[inline(never)]
    fn text(&mut self, name: &'static str, text: &str) {
        self.json.key(name);
        self.json.text(text);
    }

    fn some_text(&mut self, name: &'static str, text: Option<&String>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    fn some_spanned(&mut self, name: &'static str, text: Option<&Spanned<String>>) {
        self.some_text(name, text.map(|text| &text.value));
    }

    #[inline(never)]
    fn texts(&mut self, name: &'static str, texts: &[Spanned<String>]) {
        if !texts.is_empty() {
            self.key(name)
                .list(texts, |to, text| to.json.text(&text.value));
        }
    }

    #[inline(never)]
    fn flag(&mut self, name: &'static str, is_set: bool) {
        if is_set {
            self.key(name).value(&true);
        }
    }

    /// A place; always there.
    #[inline(never)]
    fn place(&mut self, name: &'static str, span: Span) {
        self.json.key(name);
        self.at(span);
    }

    #[inline(never)]
    fn at(&mut self, span: Span) {
        let range = self.index.range(span);
        self.json.value(&range);
    }

    fn range(&mut self, span: Span) {
        self.place("range", span);
    }

    #[inline(never)]
    fn some_place(&mut self, name: &'static str, span: Option<Span>) {
        if let Some(span) = span {
            self.place(name, span);
        }
    }

    fn of<T>(&mut self, name: &'static str, found: Option<&Spanned<T>>) {
        self.some_place(name, found.map(|found| found.span));
    }

    fn places<T>(&mut self, name: &'static str, items: &[T], span: impl Fn(&T) -> Span) {
        if !items.is_empty() {
            self.key(name).list(items, |to, item| to.at(span(item)));
        }
    }

    #[inline(never)]
    fn each(&mut self, name: &'static str, texts: &[Spanned<String>]) {
        self.places(name, texts, |text| text.span);
    }

    /// Where the plain members of an object stand; absent when there are none.
    fn ranges(&mut self, members: impl FnOnce(&mut Self)) {
        let before = self.json.len();
        self.key("ranges").json.open('{');
        let inside = self.json.len();
        members(self);
        if self.json.len() == inside {
            self.json.truncate(before);
        } else {
            self.json.close('}');
        }
    }
}

/// The annotations.
impl Writer<'_> {
    fn header(&mut self, header: &Header) {
        self.flag("pipeline", header.pipeline.is_some());
        self.flag("macros", header.macros.is_some());
        self.texts("uses", &header.uses);
        if let Some(found) = &header.partition {
            self.key("partition").object(|to| to.partition(found));
        }
        for (name, found) in [
            ("freshness", &header.freshness),
            ("debounce", &header.debounce),
        ] {
            self.some_text(name, found.as_ref().map(|found| &found.value.text));
        }
        match header.trigger.as_ref().map(|found| found.value) {
            Some(Join::All) => self.text("trigger", "all"),
            Some(Join::Any) | None => {}
        }
        self.some_spanned("tag", header.tag.as_ref());
        if let Some(found) = &header.retry {
            self.key("retry").object(|to| {
                to.key("count").value(&found.value.count);
                let delay = found.value.delay.as_ref();
                to.some_text("delay", delay.map(|delay| &delay.text));
                to.range(found.span);
            });
        }
        if let Some(found) = &header.materialize {
            self.key("materialize").object(|to| to.materialize(found));
        }
        self.objects("dataTests", &header.data_tests, Self::data_test);
        self.objects("columns", &header.columns, Self::column);
        self.objects("measures", &header.measures, |to, found| {
            let filter = found.value.filter.as_ref();
            to.expression(&found.value.name, &found.value.expr, filter, found.span);
        });
        self.objects("dimensions", &header.dimensions, |to, found| {
            to.expression(&found.value.name, &found.value.expr, None, found.span);
        });
        self.objects("mutes", &header.mutes, |to, found| {
            match &found.value {
                Mute::All => to.flag("all", true),
                Mute::Asset(asset) => to.asset("asset", asset, None),
            }
            to.range(found.span);
        });
        self.objects("triggers", &header.triggers, Self::trigger);
        self.range(header.span);
        self.ranges(|to| {
            to.some_place("pipeline", header.pipeline);
            to.some_place("macros", header.macros);
            to.each("uses", &header.uses);
            to.of("freshness", header.freshness.as_ref());
            to.of("debounce", header.debounce.as_ref());
            to.of("trigger", header.trigger.as_ref());
            to.of("tag", header.tag.as_ref());
        });
    }

    fn asset(&mut self, name: &'static str, asset: &Asset, span: Option<Span>) {
        self.key(name).object(|to| {
            to.text("kind", asset.kind.as_str());
            to.text("path", &asset.path);
            to.some_place("range", span);
        });
    }

    fn partition(&mut self, found: &Spanned<Partitioned>) {
        match &found.value {
            Partitioned::Time(time) => {
                let values = [
                    ("tz", time.tz.as_ref()),
                    ("format", time.format.as_ref()),
                    ("start", time.start.as_ref()),
                ];
                self.text("kind", time.grain.as_str());
                for (name, value) in values {
                    self.some_spanned(name, value);
                }
                self.range(found.span);
                self.ranges(|to| {
                    for (name, value) in values {
                        to.of(name, value);
                    }
                });
            }
            Partitioned::Dynamic { key } => {
                self.text("kind", "dynamic");
                self.text("key", &key.value);
                self.range(found.span);
                self.ranges(|to| to.place("key", key.span));
            }
        }
    }

    fn materialize(&mut self, found: &Spanned<Materialize>) {
        let line = &found.value;
        let mode = match line.mode {
            Mode::Managed => "managed",
            Mode::Manual => "manual",
        };
        self.text("mode", mode);
        self.asset("asset", &line.asset.value, Some(line.asset.span));
        self.flag("append", line.append.is_some());
        self.texts("key", &line.key);
        self.flag("history", line.history.is_some());
        self.texts("track", &line.track);
        self.flag("closeDeleted", line.close_deleted);
        match line.on_schema_change.as_ref().map(|change| change.value) {
            None | Some(OnSchemaChange::Warn) => {}
            Some(change) => self.text("onSchemaChange", change.as_str()),
        }
        self.range(found.span);
        self.ranges(|to| {
            to.some_place("append", line.append);
            to.each("key", &line.key);
            to.some_place("history", line.history);
            to.each("track", &line.track);
            to.of("onSchemaChange", line.on_schema_change.as_ref());
        });
    }

    fn reference(&mut self, found: &ColumnRef) {
        self.asset("asset", &found.asset, None);
        self.text("column", &found.column);
        self.range(found.span);
    }

    fn data_test(&mut self, found: &Spanned<DataTest>) {
        let (kind, plain) = match &found.value.rule {
            Rule::Unique { column } => ("unique", Some(("column", column))),
            Rule::NotNull { column } => ("not_null", Some(("column", column))),
            Rule::AcceptedValues { column, .. } => ("accepted_values", Some(("column", column))),
            Rule::Relationships { column, .. } => ("relationships", Some(("column", column))),
            Rule::RowCount { .. } => ("row_count", None),
            Rule::Freshness { column, .. } => ("freshness", Some(("column", column))),
            Rule::Expression { sql } => ("expression", Some(("expression", sql))),
            Rule::Custom { path } => ("custom", Some(("path", path))),
        };
        self.text("type", kind);
        if let Some((name, text)) = plain {
            self.text(name, &text.value);
        }
        let mut listed: &[Spanned<String>] = &[];
        match &found.value.rule {
            Rule::AcceptedValues { values, .. } => {
                listed = values;
                self.texts("values", values);
            }
            Rule::Relationships { to: target, .. } => {
                self.key("to").object(|to| to.reference(target));
            }
            Rule::RowCount { comparison, rows } => {
                self.text("comparison", comparison.as_str());
                self.key("rows").value(rows);
            }
            Rule::Freshness { age, .. } => self.text("age", &age.text),
            Rule::Unique { .. }
            | Rule::NotNull { .. }
            | Rule::Expression { .. }
            | Rule::Custom { .. } => {}
        }
        match found.value.severity {
            Severity::Error => {}
            Severity::Warn => self.text("severity", "warn"),
        }
        self.range(found.span);
        self.ranges(|to| {
            if let Some((name, text)) = plain {
                to.place(name, text.span);
            }
            to.each("values", listed);
        });
    }

    fn column(&mut self, found: &Spanned<ColumnLineage>) {
        let column = &found.value.column;
        self.text("column", &column.value);
        self.key("inputs").list(&found.value.inputs, |to, input| {
            to.object(|to| to.reference(input));
        });
        self.range(found.span);
        self.ranges(|to| to.place("column", column.span));
    }

    fn expression(
        &mut self,
        name: &Spanned<String>,
        expression: &Spanned<String>,
        filter: Option<&Spanned<String>>,
        span: Span,
    ) {
        self.text("name", &name.value);
        self.text("expr", &expression.value);
        self.some_spanned("where", filter);
        self.range(span);
        self.ranges(|to| {
            to.place("name", name.span);
            to.place("expr", expression.span);
            to.of("where", filter);
        });
    }

    fn trigger(&mut self, found: &Spanned<Trigger>) {
        match &found.value {
            Trigger::Asset { asset, debounce } => {
                self.text("kind", "asset");
                self.asset("asset", &asset.value, Some(asset.span));
                self.some_text("debounce", debounce.as_ref().map(|found| &found.text));
            }
            Trigger::Native { kind, options } => {
                self.text("kind", kind.as_str());
                if !options.is_empty() {
                    self.key("options").value(&Pairs::new(options.clone()));
                }
            }
        }
        self.range(found.span);
    }
}

/// The SQL.
impl Writer<'_> {
    fn body(&mut self, body: &Body, lineage: Option<&Lineage<'_>>) {
        self.objects("statements", &body.statements, Self::statement);
        let mut place = 0;
        self.objects("assets", &body.assets, |to, asset| {
            let columns = lineage.and_then(|lineage| lineage.reads.get(place)?.as_deref());
            place += 1;
            to.asset_use(asset, columns.unwrap_or_default());
        });
        if let Some(lineage) = lineage {
            let known: Vec<_> = lineage.known().collect();
            self.objects("lineage", &known, |to, &(column, span, inputs)| {
                to.text("column", column);
                to.key("inputs").list(inputs, |to, input| {
                    to.object(|to| {
                        to.asset("asset", input.asset, None);
                        to.text("column", &input.column);
                        to.range(input.span);
                    });
                });
                to.range(span);
            });
        }
        self.range(body.span);
    }

    fn statement(&mut self, statement: &Statement) {
        let (kind, of) = match &statement.kind {
            StatementKind::Output(output) => ("output", Some(output.as_str())),
            StatementKind::Setup(setup) => ("setup", Some(setup.as_str())),
            StatementKind::Write { .. } => ("write", None),
            StatementKind::Transaction => ("transaction", None),
            StatementKind::Other => ("other", None),
        };
        self.text("kind", kind);
        if let Some(of) = of {
            self.text("type", of);
        }
        if let StatementKind::Write { verb } = &statement.kind {
            self.text("verb", verb);
        }
        if !statement.tables.is_empty() {
            self.key("tables").list(&statement.tables, |to, table| {
                to.list(&table.parts, |to, part| to.json.text(&part.value));
            });
        }
        self.objects("tokens", &statement.tokens, |to, token| {
            let value = match token.value {
                PartitionValue::Identity => "identity",
                PartitionValue::Start => "start",
                PartitionValue::End => "end",
            };
            to.text("value", value);
            to.range(token.span);
        });
        self.range(statement.span);
        self.ranges(|to| to.places("tables", &statement.tables, |table| table.span));
    }

    fn asset_use(&mut self, found: &AssetUse, columns: &[Cow<'_, str>]) {
        self.text("kind", found.asset.kind.as_str());
        self.text("path", &found.asset.path);
        self.text("access", found.access.as_str());
        if !columns.is_empty() {
            self.key("columns")
                .list(columns, |to, column| to.json.text(column));
        }
        self.places("ranges", &found.spans, |span| *span);
    }
}
