//! How assets are spelled.

use super::{Asset, AssetKind, LakeTable};

impl Asset {
    /// Reads an asset as annotations spell it; `None` when `uri` is no asset.
    ///
    /// Schemes are case-sensitive, the path is the verbatim rest (no slash is merged), and an empty
    /// path is no asset. The word `ducklake` alone is none either: see [`Asset::parse_target`].
    ///
    /// ```
    /// use parser_core::asset::{Asset, AssetKind};
    /// assert_eq!(Asset::parse_uri("s3:///raw/x"), Some(Asset::new(AssetKind::S3Object, "/raw/x")));
    /// assert_eq!(Asset::parse_uri("$res:u/me/db"), Some(Asset::new(AssetKind::Resource, "u/me/db")));
    /// assert_eq!(Asset::parse_uri("ducklake://"), None);
    /// ```
    #[must_use]
    pub fn parse_uri(uri: &str) -> Option<Self> {
        if uri == "datatable" {
            return Some(Self::new(AssetKind::Datatable, LakeTable::MAIN));
        }
        let (kind, path) = match uri.strip_prefix("$res:") {
            Some(path) => (AssetKind::Resource, path),
            None => AssetKind::ALL
                .into_iter()
                .find_map(|kind| Some((kind, uri.strip_prefix(kind.scheme())?)))?,
        };
        // `s3:///` names the default storage and no key.
        let empty = path.is_empty() || (kind == AssetKind::S3Object && path == "/");
        (!empty).then(|| Self::new(kind, path))
    }

    /// Reads an asset where the word `ducklake` alone may stand for the lake `main`: the target of
    /// `materialize`, and the tables of `relationships` and `column`.
    #[must_use]
    pub fn parse_target(uri: &str) -> Option<Self> {
        if uri == "ducklake" {
            Some(Self::new(AssetKind::Ducklake, LakeTable::MAIN))
        } else {
            Self::parse_uri(uri)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(uri: &str) -> Option<(&'static str, String)> {
        Asset::parse_uri(uri).map(|asset| (asset.kind.as_str(), asset.path))
    }

    #[test]
    fn each_spelling_of_the_table() {
        for (uri, kind, path) in [
            ("ducklake://lake/table", "ducklake", "lake/table"),
            (
                "ducklake://lake/schema.table",
                "ducklake",
                "lake/schema.table",
            ),
            ("ducklake://main", "ducklake", "main"),
            ("datatable://db/table", "datatable", "db/table"),
            ("datatable", "datatable", "main"),
            ("s3:///key", "s3object", "/key"),
            ("s3:////key", "s3object", "//key"),
            ("s3://store/key", "s3object", "store/key"),
            ("s3:///raw/{partition}/x", "s3object", "/raw/{partition}/x"),
            ("$res:f/db", "resource", "f/db"),
            ("res://f/db", "resource", "f/db"),
            ("volume://v/p", "volume", "v/p"),
            ("dbt://project/schema/table", "dbt", "project/schema/table"),
        ] {
            assert_eq!(read(uri), Some((kind, path.to_owned())), "{uri}");
        }
    }

    #[test]
    fn no_assets() {
        for uri in [
            "",
            "ducklake",
            "ducklake://",
            "ducklake:/a/b",
            "Ducklake://a/b",
            "s3://",
            "s3:///",
            "datatable://",
            "$res:",
            "res://",
            "volume://",
            "dbt://",
            "a/b",
            " s3:///x",
            "http://x/y",
        ] {
            assert_eq!(read(uri), None, "{uri}");
        }
        assert_eq!(
            Asset::parse_target("ducklake"),
            Some(Asset::new(AssetKind::Ducklake, "main"))
        );
    }

    #[test]
    fn display_reads_back() {
        for uri in [
            "ducklake://a/b.c",
            "datatable",
            "s3:////k",
            "s3://st/k",
            "$res:p",
            "volume://v",
            "dbt://p/s/t",
        ] {
            let asset = Asset::parse_uri(uri).unwrap();
            assert_eq!(Asset::parse_uri(&asset.to_string()), Some(asset));
        }
    }

    #[test]
    fn lake_tables() {
        let table = |uri| Asset::parse_uri(uri).unwrap().lake_table().map(|t| t.uri());
        assert_eq!(
            table("ducklake://a/main.b").as_deref(),
            Some("ducklake://a/b")
        );
        assert_eq!(
            table("ducklake://a/s.b").as_deref(),
            Some("ducklake://a/s.b")
        );
        for none in [
            "ducklake://a",
            "ducklake://a/",
            "ducklake:///b",
            "ducklake://a/b/c",
            "ducklake://a/x.y.z",
            "ducklake://a/.b",
            "s3://a/b",
        ] {
            assert_eq!(table(none), None, "{none}");
        }
    }

    #[test]
    fn partition_tokens_are_stripped() {
        for (uri, path) in [
            ("s3:///raw/{partition}/x", "/raw/x"),
            ("s3:///raw/{partition}/", "/raw"),
            ("s3:///raw/day={partition}/x.csv", "/raw/day=/x.csv"),
            ("s3:///raw//x/", "/raw//x/"),
        ] {
            assert_eq!(
                Asset::parse_uri(uri).unwrap().without_partition().path,
                path
            );
        }
    }
}
