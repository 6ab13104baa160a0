//! The registry of codes. Codes are never reused; a code that goes out of use stays listed.

use super::Severity;

/// What `lakemill explain` and the hover print about a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeInfo {
    /// Stable id, `LM001`.
    pub id: &'static str,
    /// Kebab-case name.
    pub name: &'static str,
    /// Default severity.
    pub severity: Severity,
    /// Title of a few words.
    pub title: &'static str,
    /// One paragraph: the rule and why it is there.
    pub explanation: &'static str,
    /// A script that triggers it.
    pub example: &'static str,
    /// The same script, mended.
    pub mend: &'static str,
}

macro_rules! codes {
    ($( $id:ident $name:literal $severity:ident $title:literal $explanation:literal $example:literal => $mend:literal; )*) => {
        /// A diagnostic code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $( #[doc = $title] $id, )*
        }

        impl Code {
            /// Every code, in order of id.
            pub const ALL: &'static [Code] = &[$( Code::$id ),*];

            /// Its registry entry.
            #[must_use]
            pub const fn info(self) -> CodeInfo {
                match self {
                    $( Code::$id => CodeInfo {
                        id: stringify!($id),
                        name: $name,
                        severity: Severity::$severity,
                        title: $title,
                        explanation: $explanation,
                        example: $example,
                        mend: $mend,
                    }, )*
                }
            }
        }
    };
}

codes! {
    LM001 "unknown-keyword" Warning
        "An annotation keyword is misspelled"
        "The first word of a header comment is one edit away from a keyword, and what follows looks like that annotation. Any other unknown word is an ordinary comment."
        "-- materialise ducklake://shop/orders\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id";
    LM200 "unterminated-string" Error
        "A string is never closed"
        "A string literal (`'…'`, `E'…'`, `$$…$$`) reaches to the end of the script, so nothing after its opening is read as SQL."
        "SELECT 'abc AS name"
        => "SELECT 'abc' AS name";
    LM201 "unterminated-comment" Error
        "A block comment is never closed"
        "A `/* … */` comment reaches to the end of the script. Block comments nest: each `/*` inside one needs its own `*/`."
        "SELECT 1 AS id /* from here on"
        => "SELECT 1 AS id /* from here on */";
    LM202 "unterminated-identifier" Error
        "A quoted identifier is never closed"
        "A `\"…\"` identifier reaches to the end of the script."
        "SELECT 1 AS \"order id"
        => "SELECT 1 AS \"order id\"";
    LM203 "unknown-character" Error
        "A character has no meaning in SQL"
        "Outside strings, comments and quoted identifiers the engine knows no backslash, vertical tab or other control character. A NUL ends the text for it wherever it stands."
        "SELECT 1 \\ 2 AS id"
        => "SELECT 1 // 2 AS id";
    LM210 "empty-script" Error
        "A managed script has no statement"
        "In managed mode the rows of the last statement are written. A script with a header alone has none."
        "-- materialize ducklake://shop/orders\n"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id";
    LM211 "no-output" Error
        "A managed script returns no rows"
        "In managed mode the rows of the last statement are written: a SELECT, FROM, VALUES, TABLE, PIVOT or UNPIVOT, with or without WITH. A script of setup statements alone has none."
        "-- materialize ducklake://shop/orders\nCREATE TEMP TABLE raw AS SELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\nCREATE TEMP TABLE raw AS SELECT 1 AS id;\nFROM raw";
    LM212 "several-outputs" Error
        "A managed script returns rows more than once"
        "Managed mode writes the rows of exactly one statement, so a second SELECT has nowhere to go."
        "-- materialize ducklake://shop/orders\nSELECT 1 AS id;\nSELECT 2 AS id"
        => "-- materialize ducklake://shop/orders\nWITH a AS (SELECT 1 AS id)\nFROM a UNION ALL SELECT 2";
    LM213 "statement-after-output" Error
        "A statement stands after the output"
        "In managed mode the output is the last statement; what stands after it would run after the rows are known and change nothing."
        "-- materialize ducklake://shop/orders\nSELECT 1 AS id;\nSET threads = 2"
        => "-- materialize ducklake://shop/orders\nSET threads = 2;\nSELECT 1 AS id";
    LM214 "write-in-managed-script" Error
        "A managed script writes by itself"
        "Managed mode makes one transaction of the write, the tests and the record of the run. A write of the script's own would stand outside of it. Writes to temp objects of the script are fine."
        "-- materialize ducklake://shop/orders\nCREATE TABLE raw AS SELECT 1 AS id;\nFROM raw"
        => "-- materialize ducklake://shop/orders\nCREATE TEMP TABLE raw AS SELECT 1 AS id;\nFROM raw";
    LM215 "unexpected-statement" Error
        "A statement is neither setup nor output"
        "Before the output managed mode takes ATTACH, DETACH of what the script attached, INSTALL, LOAD, SET, RESET, PRAGMA, USE, CREATE TEMP … and writes to temp objects. Anything else is refused, because what it changes is not known."
        "-- materialize ducklake://shop/orders\nCALL refresh();\nSELECT 1 AS id"
        => "-- materialize manual ducklake://shop/orders\nCALL refresh();\nSELECT 1 AS id";
    LM216 "transaction-control" Error
        "A managed script controls the transaction"
        "Managed mode begins and commits the transaction that publishes the rows; a COMMIT of the script would publish half of it."
        "-- materialize ducklake://shop/orders\nBEGIN;\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id";
    LM220 "partition-token-without-partition" Error
        "A partition token stands in a script without partition"
        "`{partition}`, `{partition_start}` and `{partition_end}` are replaced by the slice of a run. Without `partitioned` in the header a run has no slice."
        "-- materialize ducklake://shop/orders\nSELECT '{partition}' AS day"
        => "-- materialize ducklake://shop/orders\n-- partitioned daily\nSELECT '{partition}' AS day";
    LM221 "bounds-of-dynamic-partition" Error
        "A dynamic partition has no start and end"
        "The identity of a dynamic partition is a value that the caller gives, not a time. Only `{partition}` has a value."
        "-- materialize ducklake://shop/orders\n-- partitioned dynamic key=tenant\nSELECT {partition_start} AS since"
        => "-- materialize ducklake://shop/orders\n-- partitioned dynamic key=tenant\nSELECT {partition} AS tenant";

    // Plan: LM300 onwards. They need a lake or a partition, so `check` alone does not report them.
    LM300 "unknown-lake" Error
        "A lake is not declared"
        "As soon as lakemill.toml declares lakes, a script may name only these, so that a typo does not create a new, empty lake. With no lake declared, every name is an embedded lake under `.lakemill/`."
        "-- materialize ducklake://shpo/orders\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id";
    LM301 "no-partition-given" Error
        "A partitioned script needs a partition"
        "A `partitioned` script writes one slice a run, so the run must say which."
        "-- partitioned daily\n-- materialize ducklake://shop/orders\nSELECT {partition} AS day"
        => "lakemill run orders.sql --partition 2024-06-19";
    LM302 "partition-given-to-unpartitioned" Error
        "A partition was given to a script without `partitioned`"
        "Without `partitioned` the whole table is written, so a partition has no meaning; refusing it avoids replacing everything by one slice."
        "-- materialize ducklake://shop/orders\nSELECT 1 AS id"
        => "-- partitioned daily\n-- materialize ducklake://shop/orders\nSELECT 1 AS id, {partition} AS day";
    LM303 "no-such-partition" Error
        "The partition is not one of the script's"
        "A time partition is named by its identity: `2024-06-19` daily, `2024-06-19T13` hourly, `2024-W25` weekly, `2024-06` monthly, or as `format=` says. Partitions before `start=` do not exist."
        "lakemill run orders.sql --partition 19.6.2024"
        => "lakemill run orders.sql --partition 2024-06-19";
    LM304 "partition-token" Error
        "A `{partition}` token cannot be replaced"
        "`{partition}` needs a partitioned script; `{partition_start}` and `{partition_end}` need a time partition; inside a dollar-quoted literal the value must not close the literal."
        "-- partitioned dynamic key=tenant\n-- materialize ducklake://shop/orders\nSELECT {partition_start} AS at"
        => "-- partitioned dynamic key=tenant\n-- materialize ducklake://shop/orders\nSELECT {partition} AS tenant";
    LM305 "target-is-view" Error
        "The target's name belongs to a view"
        "lakemill writes tables. A view of that name is left alone."
        "-- materialize ducklake://shop/orders_view\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id";
    LM306 "partition-layout" Error
        "The table's partition layout does not fit the script"
        "A table that was built without `_wm_partition` cannot take single slices, and one that was built with it would get rows of no partition from an unpartitioned script."
        "-- partitioned daily\n-- materialize ducklake://shop/orders\nSELECT {partition} AS day"
        => "-- partitioned daily\n-- materialize ducklake://shop/orders_daily\nSELECT {partition} AS day";
    LM307 "key-column-missing" Error
        "A key column is not in the SELECT or the table"
        "Rows are matched by the key, so both sides must have it."
        "-- materialize ducklake://shop/orders key=order_id\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders key=id\nSELECT 1 AS id";
    LM308 "reserved-column" Error
        "The SELECT has a column that lakemill adds itself"
        "`_wm_partition` is written by lakemill, last in each partitioned table."
        "-- materialize ducklake://shop/orders\nSELECT 1 AS _wm_partition"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS part";
    LM309 "duplicate-column" Error
        "The SELECT has a column twice"
        "The engine would rename the second one silently (`id`, `id_1`). Column names are compared without regard to case."
        "-- materialize ducklake://shop/orders\nSELECT 1 AS id, 2 AS id"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id, 2 AS other_id";
    LM310 "unstorable-type" Error
        "A column's type cannot be stored in a DuckLake"
        "Fixed-size arrays, UNION, ENUM, BIT, BIGNUM, TIME_NS and unnamed rows have no place in the format. The run fails before anything is written."
        "-- materialize ducklake://shop/vectors\nSELECT [1, 2]::INTEGER[2] AS v"
        => "-- materialize ducklake://shop/vectors\nSELECT [1, 2]::INTEGER[] AS v";
    LM311 "schema-change" Error
        "The SELECT's columns differ from the table's"
        "Strategies that keep old rows cannot derive the table's shape anew. `on_schema_change=fail` stops the run; `warn` and `ignore` write the columns that both have."
        "-- materialize ducklake://shop/orders append on_schema_change=fail\nSELECT 1 AS id, 2 AS new_column"
        => "-- materialize ducklake://shop/orders append\nSELECT 1 AS id, 2 AS new_column";
    LM312 "test-column-missing" Error
        "A data test names a column that the table does not have"
        "The test could never say anything, so the run fails before anything is written."
        "-- materialize ducklake://shop/orders\n-- data_test unique order_id\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\n-- data_test unique id\nSELECT 1 AS id";
    LM313 "test-not-runnable" Error
        "A data test cannot be run"
        "Its kind or the asset that it refers to is not supported; the run fails rather than pass a test that did not run."
        "-- materialize ducklake://shop/orders\n-- data_test relationships sku -> s3:///skus.sku\nSELECT 1 AS sku"
        => "-- materialize ducklake://shop/orders\n-- data_test relationships sku -> ducklake://shop/skus.sku\nSELECT 1 AS sku";
    LM314 "single-attachment" Error
        "A lake on a DuckDB file can be attached only once"
        "The engine opens a DuckDB file once per process, so reading it read-only or pinned beside writing it is impossible. SQLite and PostgreSQL catalogs have no such limit."
        "-- materialize ducklake://shop/orders\nATTACH 'ducklake://shop' AS dl (SNAPSHOT_VERSION 3);\nFROM dl.orders"
        => "[lakes.shop]\ncatalog = \"sqlite:shop.sqlite\"";
    LM315 "not-there-yet" Error
        "This version does not do that"
        "The annotation is understood and checked, but running it is not built yet. The run fails rather than do something else."
        "-- materialize ducklake://shop/dim key=id history\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/dim key=id\nSELECT 1 AS id";
    LM316 "target-not-a-table" Error
        "The target is no table of a lake"
        "A managed script writes one table of a DuckLake: `ducklake://lake/table` or `ducklake://lake/schema.table`."
        "-- materialize ducklake://shop\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id";
}
