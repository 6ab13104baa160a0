//! Hover over columns, and where names are defined.

use crate::asset::Asset;
use crate::editor::{CompletionContext, KnownAsset, KnownColumn, definition, hover_column};

const TEXT: &str = "\
-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
ATTACH 'ducklake://far';
CREATE TEMP TABLE fees AS SELECT id, amount FROM dl.fees;
CREATE TEMP MACRO gross(net) AS net * 1.2;
WITH base AS (SELECT o.id, o.net + o.tax AS \"total net\" FROM dl.orders o)
SELECT b.id, gross(b.\"total net\") AS total, f.amount, total * 2 twice, rank() OVER w AS place, x.y
FROM base b JOIN fees f USING (id), far.x AS x, (VALUES (1)) v(one)
WINDOW w AS (ORDER BY one)
ORDER BY total";

/// The offset of the `|` in a part of the text.
fn place(at: &str) -> usize {
    let (before, behind) = at.split_once('|').expect("a place");
    let start = TEXT.find(&[before, behind].concat()).expect("in the text");
    start + before.len()
}

fn column(name: &str, data_type: &str) -> KnownColumn {
    KnownColumn {
        name: name.to_owned(),
        data_type: data_type.to_owned(),
        values: Vec::new(),
    }
}

fn context() -> CompletionContext {
    let known = |uri: &str, columns: &[(&str, &str)]| KnownAsset {
        asset: Asset::parse_target(uri).expect("an asset"),
        columns: columns
            .iter()
            .map(|(name, data_type)| column(name, data_type))
            .collect(),
    };
    CompletionContext {
        assets: vec![
            known(
                "ducklake://shop/orders",
                &[
                    ("id", "BIGINT"),
                    ("Net", "DECIMAL(18,2)"),
                    ("tax", "DOUBLE"),
                ],
            ),
            known("ducklake://far/x", &[("y", "VARCHAR")]),
        ],
        ..CompletionContext::default()
    }
}

#[test]
fn a_column_tells_what_it_is_computed_from() {
    for (at, expected) in [
        (
            "o.n|et",
            "`net`: **Column** `net` of `ducklake://shop/orders`: DECIMAL(18,2)",
        ),
        ("|o.id", "none"),
        (
            "AS \"total n|et\"",
            "`\"total net\"`: **Column** `total net`\n\nComputed from\n- `ducklake://shop/orders.Net`: DECIMAL(18,2)\n- `ducklake://shop/orders.tax`: DOUBLE",
        ),
        (
            "AS tot|al",
            "`total`: **Column** `total`\n\nComputed from\n- `ducklake://shop/orders.Net`: DECIMAL(18,2)\n- `ducklake://shop/orders.tax`: DOUBLE",
        ),
        (
            "b.i|d",
            "`id`: **Column** `id`\n\nComputed from\n- `ducklake://shop/orders.id`: BIGINT",
        ),
        (
            "f.amoun|t",
            "`amount`: **Column** `amount`\n\nComputed from\n- `ducklake://shop/fees.amount`",
        ),
        (
            "BY on|e",
            "`one`: **Column** `one`\n\nIt is computed from no column.",
        ),
        (
            "AS pl|ace",
            "`place`: **Column** `place`\n\nIt is computed from no column.",
        ),
        ("x.|y", "`y`: **Column** `y` of `ducklake://far/x`: VARCHAR"),
        ("ra|nk()", "none"),
        ("ATT|ACH 'ducklake://far'", "none"),
        ("|-- mat", "none"),
    ] {
        let found = hover_column(TEXT, place(at), &context());
        let shown = found.map_or("none".to_owned(), |found| {
            format!(
                "`{}`: {}",
                found.span.slice(TEXT),
                found.markdown.unwrap_or_default()
            )
        });
        assert_eq!(shown, expected, "{at}");
    }
}

#[test]
fn what_is_not_certain_is_told_so() {
    let text = "ATTACH 'ducklake://l' AS l; SELECT a FROM l.t JOIN l.u ON t.i = u.i";
    let at = text.find("a FROM").expect("in the text");
    let found = hover_column(text, at, &CompletionContext::default()).expect("a column");
    assert_eq!(
        found.markdown.as_deref(),
        Some("**Column** `a`\n\nWhat it is computed from is not certain.")
    );
}

#[test]
fn a_name_leads_to_where_it_is_defined() {
    for (at, expected) in [
        ("FROM d|l.fees", "AS |dl;"),
        ("|far.x", "ATTACH |'ducklake://far'"),
        ("dl.fe|es;", "none"),
        ("JOIN f|ees", "TABLE |fees"),
        ("FROM b|ase", "WITH |base"),
        ("|b.id", "base |b "),
        ("b.i|d", "o.|id"),
        ("f.am|ount", "id, |amount FROM"),
        ("|o.net", "dl.orders |o)"),
        ("o.n|et", "none"),
        ("gro|ss(b", "MACRO |gross"),
        ("b.\"tot|al net\"", "AS |\"total net\""),
        ("BY tot|al", "AS |total,"),
        ("OVER |w", "WINDOW |w"),
        ("|x.y", "AS |x,"),
        ("BY on|e", "v(|one"),
    ] {
        let found = definition(TEXT, place(at));
        let expected = (expected != "none").then(|| place(expected));
        assert_eq!(found.map(|span| span.start), expected, "{at}");
    }
    let text = "ATTACH 'ducklake://l' AS \"my lake\";\nUSE \"my lake\";\nDETACH \"my lake\"";
    for at in [text.find("USE").expect("in the text") + 6, text.len() - 3] {
        let found = definition(text, at).expect("a place");
        assert_eq!(found.slice(text), "\"my lake\"");
    }
}
