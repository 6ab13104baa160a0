//! Assets: the tables, objects and resources that scripts read and write (grammar: assets).

mod uri;

use std::fmt;

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
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Ducklake,
        Self::Datatable,
        Self::S3Object,
        Self::Resource,
        Self::Volume,
        Self::Dbt,
    ];

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

    /// The scheme of its URIs, `://` included.
    #[must_use]
    pub const fn scheme(self) -> &'static str {
        match self {
            Self::Ducklake => "ducklake://",
            Self::Datatable => "datatable://",
            Self::S3Object => "s3://",
            Self::Resource => "res://",
            Self::Volume => "volume://",
            Self::Dbt => "dbt://",
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

/// The token that stands for a partition in a path.
const PARTITION: &str = "{partition}";

impl Asset {
    /// The asset `kind` at `path`.
    #[must_use]
    pub fn new(kind: AssetKind, path: impl Into<String>) -> Self {
        Self {
            kind,
            path: path.into(),
        }
    }

    /// The parts of a DuckLake path: `lake/table` or `lake/schema.table`.
    ///
    /// `None` for other kinds, for a lake without a table, and for more or empty parts.
    ///
    /// ```
    /// use parser_core::asset::Asset;
    /// let table = Asset::parse_uri("ducklake://shop/crm.customer").and_then(|asset| asset.lake_table());
    /// assert_eq!(table.map(|t| (t.lake, t.schema, t.table)), Some(("shop".into(), "crm".into(), "customer".into())));
    /// ```
    #[must_use]
    pub fn lake_table(&self) -> Option<LakeTable> {
        if self.kind != AssetKind::Ducklake {
            return None;
        }
        let (lake, name) = self.path.split_once('/')?;
        let (schema, table) = name.split_once('.').unwrap_or((LakeTable::MAIN, name));
        let whole = |part: &str| !part.is_empty() && !part.contains('/') && part.trim() == part;
        (whole(lake) && whole(schema) && whole(table) && !table.contains('.')).then(|| LakeTable {
            lake: lake.to_owned(),
            schema: schema.to_owned(),
            table: table.to_owned(),
        })
    }

    /// The identity by which assets are compared: their URI, for DuckLake in lower case and without
    /// the schema `main`, since DuckDB compares names so.
    ///
    /// ```
    /// use parser_core::asset::Asset;
    /// let id = |uri| Asset::parse_uri(uri).map(|asset| asset.id());
    /// assert_eq!(id("ducklake://Shop/main.Orders"), id("ducklake://shop/orders"));
    /// assert_ne!(id("s3:///A"), id("s3:///a"));
    /// ```
    #[must_use]
    pub fn id(&self) -> String {
        match self.kind {
            AssetKind::Ducklake => match self.lake_table() {
                Some(table) => table.uri().to_ascii_lowercase(),
                None => self.to_string().to_ascii_lowercase(),
            },
            AssetKind::Datatable
            | AssetKind::S3Object
            | AssetKind::Resource
            | AssetKind::Volume
            | AssetKind::Dbt => self.to_string(),
        }
    }

    /// Whether `{partition}` stands in its path.
    #[must_use]
    pub fn has_partition(&self) -> bool {
        self.path.contains(PARTITION)
    }

    /// The asset without `{partition}`: segments that are nothing else go, and so do trailing
    /// slashes; inside a longer segment the token alone goes. Without a token nothing changes.
    ///
    /// ```
    /// use parser_core::asset::Asset;
    /// let stripped = Asset::parse_uri("s3:///raw/{partition}/x").map(|asset| asset.without_partition().path);
    /// assert_eq!(stripped.as_deref(), Some("/raw/x"));
    /// ```
    #[must_use]
    pub fn without_partition(&self) -> Self {
        if !self.has_partition() {
            return self.clone();
        }
        let mut kept: Vec<String> = Vec::new();
        for mut segment in self.path.split('/').filter(|segment| *segment != PARTITION) {
            let mut own = String::new();
            while let Some((before, after)) = crate::source::search::split_once(segment, PARTITION)
            {
                own.push_str(before);
                segment = after;
            }
            own.push_str(segment);
            kept.push(own);
        }
        let path = kept.join("/");
        Self {
            kind: self.kind,
            path: path.trim_end_matches('/').to_owned(),
        }
    }
}

impl LakeTable {
    /// The schema of a path that names none.
    pub const MAIN: &'static str = "main";

    /// Its URI; the schema `main` is left out.
    #[must_use]
    pub fn uri(&self) -> String {
        if self.schema.eq_ignore_ascii_case(Self::MAIN) {
            format!("ducklake://{}/{}", self.lake, self.table)
        } else {
            format!("ducklake://{}/{}.{}", self.lake, self.schema, self.table)
        }
    }
}

/// As a URI that [`Asset::parse_uri`] reads back.
impl fmt::Display for Asset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind.scheme(), self.path)
    }
}
