//! Assets: the tables, objects and resources that scripts read and write (spec: grammar, "Assets").

/// What an asset is stored as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AssetKind {
    /// A table of a DuckLake: `ducklake://lake/table`.
    Ducklake,
    /// A PostgreSQL table: `datatable://db/table`.
    Datatable,
    /// An object of an S3-compatible store: `s3:///key`, `s3://store/key`.
    S3Object,
    /// A named resource: `$res:path`, `res://path`.
    Resource,
    /// A file of a volume: `volume://v/p`.
    Volume,
    /// A dbt model: `dbt://project/schema/table`.
    Dbt,
}

impl AssetKind {
    /// Its name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ducklake => "ducklake",
            Self::Datatable => "datatable",
            Self::S3Object => "s3object",
            Self::Resource => "resource",
            Self::Volume => "volume",
            Self::Dbt => "dbt",
        }
    }
}

/// An asset: kind and path. Equality is exact; DuckLake names are compared case-insensitively by
/// [`Asset::id`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Asset {
    /// What it is stored as.
    pub kind: AssetKind,
    /// Its path: `lake/table`, `/key`, `store/key`, `main`.
    pub path: String,
}

/// The parts of a DuckLake path, as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LakeTable {
    /// The lake's name.
    pub lake: String,
    /// The schema; `main` when the path names none.
    pub schema: String,
    /// The table's name.
    pub table: String,
}
