//! How many bytes a second the stages of reading a script take: `cargo bench -p parser-core`.
//!
//! The text is a managed script as an analyst writes it, with 8 annotations and 1,000 columns in its SELECT.

use std::fmt::Write as _;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use parser_core::wire;

fn main() {
    divan::main();
}

/// 8 annotations above one SELECT with `columns` columns; 1,000 of them are 77 KB.
fn script(columns: usize) -> String {
    let mut text = String::from(
        "-- pipeline\n\
         -- materialize ducklake://analytics/orders key=id\n\
         -- partitioned daily tz=Europe/Paris start=2024-01-01\n\
         -- data_test unique id\n\
         -- data_test not_null id\n\
         -- data_test accepted_values status = open,paid,\"sent back\"\n\
         -- column total <- ducklake://warehouse/lines.amount\n\
         -- freshness 1h\n\
         ATTACH 'ducklake://warehouse' AS wh;\n\
         WITH lines AS (SELECT * FROM wh.order_lines WHERE ordered >= '{partition_start}')\nSELECT\n",
    );
    for column in 0..columns {
        let _ = writeln!(
            text,
            "  coalesce(l.amount_{column}, 0) * 1.2e0 AS total_{column}, -- the net amount, {column}"
        );
    }
    text.push_str("  l.id\nFROM lines l\nJOIN wh.customers c ON c.id = l.customer_id\nWHERE c.country IN ('FR', 'DE')\n");
    text
}

#[divan::bench]
fn lex(bencher: Bencher<'_, '_>) {
    let text = script(1_000);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| parser_core::lex::Lexer::new(black_box(&text), 0).count());
}

#[divan::bench]
fn parse(bencher: Bencher<'_, '_>) {
    let text = script(1_000);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| parser_core::parse(black_box(&text)));
}

#[divan::bench]
fn lineage(bencher: Bencher<'_, '_>) {
    let text = script(1_000);
    let parsed = parser_core::parse(&text);
    let schemas = parser_core::lineage::Schemas::new();
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        parser_core::lineage::trace(black_box(&text), &parsed.script, &schemas)
            .known()
            .count()
    });
}

#[divan::bench]
fn parse_to_wire(bencher: Bencher<'_, '_>) {
    let text = script(1_000);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| wire::parse_with(black_box(&text), &wire::ParseOptions::default()));
}

#[divan::bench]
fn wire_to_json(bencher: Bencher<'_, '_>) {
    let text = script(1_000);
    let parsed = wire::parse_with(&text, &wire::ParseOptions::default());
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| serde_json::to_string(black_box(&parsed)));
}
