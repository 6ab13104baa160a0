//! Tables of texts with a `|` where the cursor is.

mod columns;
mod hovers;
mod offers;
mod totality;

use super::*;
use crate::asset::Asset;

/// The text without its `|`, and where that stood.
fn cursor(marked: &str) -> (String, usize) {
    let at = marked.find('|').expect("a cursor");
    (format!("{}{}", &marked[..at], &marked[at + 1..]), at)
}

/// A shop: two lakes, a table with columns, zones and a test.
fn shop() -> CompletionContext {
    let asset = |uri: &str, columns: &[(&str, &str)]| KnownAsset {
        asset: Asset::parse_uri(uri).expect("an asset"),
        columns: columns
            .iter()
            .map(|(name, data_type)| KnownColumn {
                name: (*name).to_owned(),
                data_type: (*data_type).to_owned(),
                values: match *name {
                    "name" => vec!["Ann".to_owned(), "Bo, jr".to_owned()],
                    _ => Vec::new(),
                },
            })
            .collect(),
    };
    CompletionContext {
        lakes: vec!["shop".to_owned(), "crm".to_owned()],
        assets: vec![
            asset(
                "ducklake://shop/orders",
                &[
                    ("id", "BIGINT"),
                    ("customer_id", "BIGINT"),
                    ("order day", "DATE"),
                ],
            ),
            asset(
                "ducklake://crm/sales.customers",
                &[("id", "BIGINT"), ("name", "VARCHAR")],
            ),
            asset("s3:///raw/orders.csv", &[]),
        ],
        time_zones: ["Europe/Paris", "Europe/Prague", "UTC"]
            .map(str::to_owned)
            .to_vec(),
        tests: vec!["tests/sane".to_owned()],
        libraries: vec!["lib/stats".to_owned(), "lib/text".to_owned()],
    }
}
