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
