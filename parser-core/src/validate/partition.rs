//! Rules of the `partitioned` line.

use super::Zones;
use crate::diagnostic::{Code, Diagnostic};
use crate::partition::{Grid, format};
use crate::script::{Grain, Header, Partitioned, TimePartition};

pub(super) fn check(header: &Header, zones: &dyn Zones, out: &mut Vec<Diagnostic>) {
    let Some(partition) = &header.partition else {
        return;
    };
    match &partition.value {
        Partitioned::Time(time) => {
            zone(time, zones, out);
            identity_format(time, out);
            start(time, out);
        }
        // The identity is the caller's; nothing about it is known here.
        Partitioned::Dynamic { .. } => {}
    }
}

fn zone(time: &TimePartition, zones: &dyn Zones, out: &mut Vec<Diagnostic>) {
    let Some(tz) = &time.tz else { return };
    if !zones.is_known(&tz.value) {
        out.push(
            Diagnostic::new(
                Code::LM110,
                tz.span,
                format!("`{}` is no known time zone", tz.value),
            )
            .hint("write the name of an IANA zone, such as `Europe/Paris`"),
        );
        return;
    }
    match time.grain {
        Grain::Hourly if zones.has_fold(&tz.value) => out.push(
            Diagnostic::new(Code::LM113, tz.span, format!("an hour comes twice in `{}` when the clock is set back, and both have one identity", tz.value))
                .hint("leave `tz=` out to count hours in UTC"),
        ),
        // A slice of a day or more holds both hours, whatever the clock does.
        Grain::Hourly | Grain::Daily | Grain::Weekly | Grain::Monthly => {}
    }
}

fn identity_format(time: &TimePartition, out: &mut Vec<Diagnostic>) {
    let Some(written) = &time.format else { return };
    if let Err(problem) = format::check(&written.value, time.grain) {
        out.push(
            Diagnostic::new(Code::LM112, written.span, problem.to_string()).hint(format!(
                "the default for `{}` is `{}`",
                time.grain.as_str(),
                time.grain.default_format()
            )),
        );
    }
}

fn start(time: &TimePartition, out: &mut Vec<Diagnostic>) {
    let Some(start) = &time.start else { return };
    // Identities of the default format are dates too, whatever the script's own format is.
    let default = TimePartition {
        format: None,
        ..time.clone()
    };
    let read = [time, &default]
        .into_iter()
        .find_map(|time| Grid::new(time).parse_time(&start.value));
    if read.is_none() {
        out.push(
            Diagnostic::new(
                Code::LM111,
                start.span,
                format!(
                    "`{}` is no start of a `{}` partition",
                    start.value,
                    time.grain.as_str()
                ),
            )
            .hint("write a date, such as `2024-01-01`"),
        );
    }
}
