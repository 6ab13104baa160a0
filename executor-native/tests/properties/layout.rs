//! A table whose script changes how it cuts its slices: each row is there once, in the slice of the script of the day.

use parser_core::partition::{Grid, civil_time};
use parser_core::script::Partitioned;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;

use crate::world::World;

/// Lines that cut the same rows differently. Of the third, some slices have names that the second knows, too.
const LAYOUTS: [&str; 7] = [
    "partitioned daily",
    "partitioned monthly",
    "partitioned daily format=%Y-%d-%m",
    "partitioned weekly",
    "partitioned hourly start=2024-02-01",
    "partitioned dynamic key=tenant",
    "partitioned dynamic key=$.other",
];
const TENANTS: [&str; 3] = ["a", "2024-02", "it's"];

/// A row of the source: its id is its place.
#[derive(Clone, Debug)]
struct Event {
    day: u8,
    hour: u8,
    tenant: &'static str,
}

impl Event {
    fn at(&self) -> String {
        format!(
            "2024-{:02}-{:02} {:02}:00:00",
            1 + self.day / 28,
            1 + self.day % 28,
            self.hour
        )
    }

    fn slice(&self, layout: &str) -> String {
        let script = parser_core::parse(&format!("-- {layout}")).script;
        match script.header.partition.unwrap().value {
            Partitioned::Dynamic { .. } => self.tenant.to_owned(),
            Partitioned::Time(time) => {
                let (month, day) = (1 + self.day / 28, 1 + self.day % 28);
                let at = civil_time(2024, month, day, self.hour, 0, 0).unwrap();
                Grid::new(&time).slice_at(at).unwrap().value
            }
        }
    }
}

/// A layout, and the event whose slice is written under it.
type Step = (&'static str, Index);

fn sequences() -> impl Strategy<Value = (Vec<Event>, Vec<Step>)> {
    let event = (0u8..80, 0u8..24, select(&TENANTS[..]));
    let event = event.prop_map(|(day, hour, tenant)| Event { day, hour, tenant });
    let step = (select(&LAYOUTS[..]), any::<Index>());
    (
        prop::collection::vec(event, 1..8),
        prop::collection::vec(step, 2..6),
    )
}

fn one(world: &mut World, (events, steps): &(Vec<Event>, Vec<Step>)) -> TestCaseResult {
    let source: Vec<String> = events
        .iter()
        .enumerate()
        .map(|(id, event)| {
            let tenant = event.tenant.replace('\'', "''");
            format!("({id}, TIMESTAMP '{}', '{tenant}')", event.at())
        })
        .collect();
    // Of each event that was written, the step that wrote it last.
    let mut written = vec![None; events.len()];
    let mut before: Option<&str> = None;
    for (number, (layout, which)) in steps.iter().enumerate() {
        let (column, condition) = if layout.contains("dynamic") {
            ("tenant", "tenant")
        } else {
            ("ts", "wm_partition(ts)")
        };
        let text = format!(
            "{}\n-- {layout}\nSELECT id, ts, tenant, {number} AS step FROM (VALUES {}) AS s(id, ts, tenant) \
             WHERE {condition} = {{partition}}\n",
            world.materialize(),
            source.join(", ")
        );
        let event = which.get(events);
        let asked = event.slice(layout);
        // Slices before the start can be kept, not written.
        let can_run = !layout.contains("start=") || event.day >= 28;
        if before.is_some_and(|before| before != *layout) {
            if can_run {
                let refused = world.run(&text, Some(&asked))?.unwrap_err();
                prop_assert!(refused.contains("lakemill rebuild"), "{refused}");
            }
            let summary = world.rebuild(&text, column)?;
            let summary = summary.map_err(TestCaseError::fail)?;
            prop_assert!(summary.changed);
        }
        if can_run {
            let summary = world.run(&text, Some(&asked))?;
            summary.map_err(TestCaseError::fail)?;
            for (event, step) in events.iter().zip(&mut written) {
                if event.slice(layout) == asked {
                    *step = Some(number);
                }
            }
            before = Some(layout);
        } else if before.is_some() {
            before = Some(layout);
        }
        if before.is_none() {
            continue;
        }
        let again = world.rebuild(&text, column)?.map_err(TestCaseError::fail)?;
        prop_assert!(!again.changed, "there was nothing to rebuild");
        let rows = world.rows("", &["id", "step", "_wm_partition", "ts", "tenant"]);
        let mut expected: Vec<_> = events
            .iter()
            .enumerate()
            .zip(&written)
            .filter_map(|((id, event), step)| {
                let texts = [
                    id.to_string(),
                    (*step)?.to_string(),
                    event.slice(layout),
                    event.at(),
                    event.tenant.to_owned(),
                ];
                Some(texts.map(Some).to_vec())
            })
            .collect();
        expected.sort();
        crate::same("rows", &rows, &expected)?;
    }
    Ok(())
}

#[test]
fn each_row_stays_once_whatever_cuts_the_slices() {
    crate::check(6, &sequences(), one);
}
