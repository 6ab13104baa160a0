//! What the caller knows and a script's text does not tell.

use crate::asset::{Asset, AssetKind};

/// Lakes, assets, zones and tests that completion may offer. All parts may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompletionContext {
    /// Names of lakes.
    pub lakes: Vec<String>,
    /// Known assets; those of a lake need not have their lake in `lakes`.
    pub assets: Vec<KnownAsset>,
    /// IANA names.
    pub time_zones: Vec<String>,
    /// Paths of test scripts.
    pub tests: Vec<String>,
    /// Paths of macro libraries.
    pub libraries: Vec<String>,
}

/// An asset and its columns as last captured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownAsset {
    /// The asset.
    pub asset: Asset,
    /// Its columns in order; empty when they are not known.
    pub columns: Vec<KnownColumn>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownColumn {
    /// Its name.
    pub name: String,
    /// Its type, `DECIMAL(18,2)`.
    pub data_type: String,
    /// Values that it is known to have, as texts.
    pub values: Vec<String>,
}

impl CompletionContext {
    /// The columns of `asset`; of a history's view `<table>_current` those of the table.
    pub(super) fn columns(&self, asset: &Asset) -> &[KnownColumn] {
        let find = |id: &str| {
            self.assets.iter().find(|known| {
                !known.columns.is_empty() && known.asset.without_partition().id() == id
            })
        };
        let id = asset.without_partition().id();
        find(&id)
            .or_else(|| id.strip_suffix("_current").and_then(find))
            .map_or(&[], |known| &known.columns)
    }

    /// Names of all lakes, those that only an asset names too, in order of first mention.
    pub(super) fn lake_names(&self) -> Vec<&str> {
        let of_assets = self
            .assets
            .iter()
            .filter(|known| known.asset.kind == AssetKind::Ducklake)
            .filter_map(|known| known.asset.path.split('/').next());
        let mut names: Vec<&str> = Vec::new();
        for name in self.lakes.iter().map(String::as_str).chain(of_assets) {
            if !names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                names.push(name);
            }
        }
        names
    }
}
