//! The identities that the core writes are those that the engine's `strftime` gives, so that
//! `wm_partition(ts) = {partition}` holds for every row of a slice.

#![allow(clippy::unwrap_used)] // in tests, the helpers included
#![allow(clippy::disallowed_methods, reason = "the test asks the engine itself")]

use parser_core::partition::{CivilTime, Grid, civil_time};
use parser_core::script::{Grain, TimePartition};
use parser_core::source::{Span, Spanned};

const FORMATS: [(Grain, &str); 12] = [
    (Grain::Hourly, "%Y-%m-%dT%H"),
    (Grain::Hourly, "%d.%m.%Y %I%p"),
    (Grain::Hourly, "%Y%j/%-H"),
    (Grain::Daily, "%Y-%m-%d"),
    (Grain::Daily, "%-d/%-m/%Y"),
    (Grain::Daily, "%A, %B %d, %Y"),
    (Grain::Daily, "%a %b %-d %Y"),
    (Grain::Daily, "%G-W%V-%u"),
    (Grain::Daily, "%Y day %-j 100%%"),
    (Grain::Weekly, "%G-W%V"),
    (Grain::Monthly, "%Y-%m"),
    (Grain::Monthly, "%B %Y"),
];

fn grid(grain: Grain, format: &str) -> Grid {
    let format = Some(Spanned::new(format.to_owned(), Span::default()));
    Grid::new(&TimePartition {
        grain,
        tz: None,
        format,
        start: None,
    })
}

fn read(text: &str) -> CivilTime {
    let part = |range: std::ops::Range<usize>| text[range].parse::<u8>().unwrap();
    civil_time(
        text[0..4].parse().unwrap(),
        part(5..7),
        part(8..10),
        part(11..13),
        part(14..16),
        part(17..19),
    )
    .unwrap()
}

#[test]
fn the_engine_formats_alike() {
    let engine = duckdb::Connection::open_in_memory().unwrap();
    for (grain, format) in FORMATS {
        let grid = grid(grain, format);
        // Steps of a prime number of minutes over 60 years, and the days round each New Year.
        let mut statement = engine
            .prepare(
                "SELECT strftime(moment, '%Y-%m-%d %H:%M:%S'), strftime(moment, ?) FROM (
                   SELECT TIMESTAMP '1990-01-01' + INTERVAL (i * 7919) MINUTE AS moment FROM range(4000) t(i)
                   UNION ALL
                   SELECT make_timestamp(1990 + y, 12, 25, 13, 0, 0) + INTERVAL (d) DAY
                   FROM range(60) t(y), range(14) u(d))",
            )
            .unwrap();
        let rows = statement
            .query_map([format], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
            })
            .unwrap();
        let mut seen = 0;
        for row in rows {
            let (at, identity) = row.unwrap();
            assert_eq!(
                grid.slice_at(read(&at)).unwrap().value,
                identity,
                "{format} at {at}"
            );
            seen += 1;
        }
        assert_eq!(seen, 4_840);
    }
}
