//! Columns of assets that are known from elsewhere.

use crate::asset::Asset;

/// The columns of assets, as far as they are known: from a lake's catalog, or from the scripts that write them.
#[derive(Clone, Debug, Default)]
pub struct Schemas {
    /// By [`Asset::id`], sorted.
    known: Vec<(String, Vec<String>)>,
}

impl Schemas {
    /// No asset's columns are known.
    #[must_use]
    pub const fn new() -> Self {
        Self { known: Vec::new() }
    }

    /// Sets all columns of an asset, in their order.
    pub fn insert(&mut self, asset: &Asset, columns: Vec<String>) {
        let id = asset.id();
        match self.place(&id) {
            Ok(at) => self.known[at].1 = columns,
            Err(at) => self.known.insert(at, (id, columns)),
        }
    }

    /// The columns of an asset, if they are known.
    #[must_use]
    pub fn columns(&self, asset: &Asset) -> Option<&[String]> {
        if self.known.is_empty() {
            return None;
        }
        let at = self.place(&asset.id()).ok()?;
        self.known.get(at).map(|(_, columns)| columns.as_slice())
    }

    fn place(&self, id: &str) -> Result<usize, usize> {
        self.known
            .binary_search_by(|(known, _)| known.as_str().cmp(id))
    }
}
