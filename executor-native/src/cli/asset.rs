//! An asset as it is named on the command line: `ducklake://lake/table`, or `lake/table` for short.

use parser_core::asset::{Asset, AssetKind, LakeTable};

use super::failure::Failure;
use crate::state::AssetKey;

/// A table of a lake, and its key in the records.
pub(super) struct Named {
    pub(super) key: AssetKey,
    pub(super) table: LakeTable,
}

pub(super) fn named(text: &str) -> Result<Named, Failure> {
    let path = text.strip_prefix("ducklake://").unwrap_or(text);
    let asset = Asset {
        kind: AssetKind::Ducklake,
        path: path.to_owned(),
    };
    let table = asset.lake_table().ok_or_else(|| {
        Failure::Usage(format!(
            "`{text}` is no asset: write `lake/table` or `ducklake://lake/table`"
        ))
    })?;
    Ok(Named {
        key: AssetKey {
            kind: AssetKind::Ducklake.as_str().to_owned(),
            path: path.to_owned(),
        },
        table,
    })
}

/// The table as SQL names it when its lake is attached under its own name: `shop.orders`, `shop.crm."order lines"`.
pub(super) fn qualified(table: &LakeTable) -> String {
    let mut parts = vec![table.lake.as_str()];
    if !table.schema.eq_ignore_ascii_case(LakeTable::MAIN) {
        parts.push(&table.schema);
    }
    parts.push(&table.table);
    let quoted: Vec<String> = parts.into_iter().map(quoted).collect();
    quoted.join(".")
}

/// Quoted unless the name reads the same without quotes.
fn quoted(name: &str) -> String {
    let simple = name.starts_with(|first: char| first.is_ascii_lowercase() || first == '_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if simple && !parser_core::body::is_reserved(name) {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_where_sql_needs_it() {
        for (path, name) in [
            ("shop/orders_2", "shop.orders_2"),
            ("shop/main.orders", "shop.orders"),
            ("shop/crm.Orders", "shop.crm.\"Orders\""),
            ("shop/select", "shop.\"select\""),
        ] {
            let found = named(path).map(|asset| qualified(&asset.table));
            assert_eq!(found.ok().as_deref(), Some(name));
        }
    }
}
