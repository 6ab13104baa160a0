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

            /// Its registry entry. What the browser loads asks for [`id`](Self::id), [`name`](Self::name) and
            /// [`severity`](Self::severity) alone, so that the texts are not in it.
            #[must_use]
            pub const fn info(self) -> CodeInfo {
                match self {
                    $( Code::$id => CodeInfo {
                        id: self.id(),
                        name: self.name(),
                        severity: self.severity(),
                        title: $title,
                        explanation: $explanation,
                        example: $example,
                        mend: $mend,
                    }, )*
                }
            }

            /// `LM001`
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $( Code::$id => stringify!($id), )*
                }
            }

            /// Its name in kebab case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $( Code::$id => $name, )*
                }
            }

            /// Its severity, unless the finding says otherwise.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self {
                    $( Code::$id => Severity::$severity, )*
                }
            }
        }
    };
}

codes! {
    LM001 "unknown-keyword" Warning
        "An annotation keyword is misspelled"
        "The first word of a header comment is one edit away from a keyword, or is what other tools write for it (`test`, `partition`, `materialized`), and what follows looks like that annotation. Any other unknown word is an ordinary comment."
        "-- materialise ducklake://shop/orders\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id";
    LM002 "malformed-materialize" Error
        "A `materialize` line is malformed"
        "A `materialize` line takes at most one mode word (`manual` or `scd2`), then the target, then options. A line that does not is dropped, so that a typo never becomes a write that nobody meant."
        "-- materialize manual scd2 ducklake://shop/orders\nSELECT 1 AS id"
        => "-- materialize scd2 ducklake://shop/orders key=id\nSELECT 1 AS id";
    LM003 "malformed-partitioned" Error
        "A `partitioned` line is malformed"
        "A partition is `hourly`, `daily`, `weekly` or `monthly`, or `dynamic` with `key=`. Other grains do not exist. The line is dropped, and the next well-formed one counts."
        "-- materialize ducklake://shop/orders\n-- partitioned quarterly\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\n-- partitioned monthly\nSELECT 1 AS id WHERE '{partition}' <> ''";
    LM004 "malformed-data-test" Error
        "A `data_test` line is malformed"
        "A `data_test` line names a built-in test with what it needs, or the path of a test script alone. A malformed line is dropped: a check that is absent is seen, one that is read wrongly is not."
        "-- materialize ducklake://shop/orders\n-- data_test unique id, name\nSELECT 1 AS id, 'a' AS name"
        => "-- materialize ducklake://shop/orders\n-- data_test unique id\nSELECT 1 AS id, 'a' AS name";
    LM005 "malformed-trigger" Warning
        "An `on` line is malformed"
        "An `on` line names an asset, or a native trigger with nothing but `name=value` options behind it. Anything else drops the line."
        "-- on kafka f/topic\nSELECT 1 AS id"
        => "-- on kafka topic=orders\nSELECT 1 AS id";
    LM006 "malformed-annotation" Warning
        "An annotation is malformed"
        "The line begins with a keyword, and what follows is not what the annotation takes. The line is dropped. When it is meant as prose, another first word makes it an ordinary comment."
        "-- retry never\nSELECT 1 AS id"
        => "-- retry 3 10s\nSELECT 1 AS id";
    LM007 "invalid-duration" Warning
        "A duration is malformed"
        "A duration is a whole number with `s`, `m`, `h` or `d` directly behind it; a bare number counts seconds. A text that is none counts as absent."
        "-- freshness soon\nSELECT 1 AS id"
        => "-- freshness 6h\nSELECT 1 AS id";
    LM008 "unknown-option" Warning
        "An option is unknown"
        "Each annotation has a fixed set of options. An unknown one is ignored."
        "-- materialize ducklake://shop/orders keys=id\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders key=id\nSELECT 1 AS id";
    LM009 "stray-words" Warning
        "Words that mean nothing stand on an annotation"
        "Behind its fixed words an annotation takes options and flags. Other words are ignored; they never become part of a path or a value."
        "-- on s3:///raw/orders.csv uploaded by the shop\nSELECT 1 AS id"
        => "-- uploaded by the shop\n-- on s3:///raw/orders.csv\nSELECT 1 AS id";
    LM010 "spaced-option" Warning
        "Spaces stand around the `=` of an option"
        "An option is one token, `name=value`. With spaces around the `=` it is none, and it is ignored."
        "-- materialize ducklake://shop/orders key = id\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders key=id\nSELECT 1 AS id";
    LM011 "spaced-list" Warning
        "A space stands in a list"
        "A bare value ends at white space, and a quoted one at its closing quote, so the rest of the list is lost. Remove the space, or put quotes round the whole list: `key=\"id,order id\"`."
        "-- materialize ducklake://shop/orders key=id history track=name, tier\nSELECT 1 AS id, 'a' AS name, 'b' AS tier"
        => "-- materialize ducklake://shop/orders key=id history track=name,tier\nSELECT 1 AS id, 'a' AS name, 'b' AS tier";
    LM012 "empty-option" Warning
        "An option has no value"
        "An option without a value counts as absent."
        "-- materialize ducklake://shop/orders key=\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders key=id\nSELECT 1 AS id";
    LM013 "duplicate-option" Warning
        "An option stands twice"
        "When an option stands more than once on a line, the last one counts."
        "-- materialize ducklake://shop/orders key=id key=name\nSELECT 1 AS id, 'a' AS name"
        => "-- materialize ducklake://shop/orders key=id,name\nSELECT 1 AS id, 'a' AS name";
    LM014 "unterminated-quote" Warning
        "A quote is not closed"
        "A quoted value without its closing quote runs to the end of the line and swallows what follows."
        "-- materialize ducklake://shop/orders key=\"order id\nSELECT 1 AS \"order id\""
        => "-- materialize ducklake://shop/orders key=\"order id\"\nSELECT 1 AS \"order id\"";
    LM015 "unknown-option-value" Warning
        "An option has an unknown value"
        "`deletes` takes `close` or `ignore`; `on_schema_change` takes `warn`, `ignore`, `fail` or `sync`. For any other value the default counts."
        "-- materialize ducklake://shop/orders append on_schema_change=drop\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders append on_schema_change=sync\nSELECT 1 AS id";
    LM016 "append-wins" Warning
        "`append` and `key=` stand together"
        "`append` inserts rows and replaces none, so the key has no effect. `append` wins."
        "-- materialize ducklake://shop/orders append key=id\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders key=id\nSELECT 1 AS id";
    LM017 "repeated-annotation" Warning
        "An annotation of one value stands twice"
        "Most annotations count once: the first well-formed line wins, for `trigger` the last one. The other lines have no effect."
        "-- tag heavy\n-- tag light\nSELECT 1 AS id"
        => "-- tag heavy\nSELECT 1 AS id";
    LM018 "missing-scheme" Error
        "An asset has no scheme"
        "An asset is a URI. A bare `lake/table` is none, and the annotation is dropped."
        "-- materialize shop/orders\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id";
    LM019 "annotation-below-header" Info
        "An annotation stands below the header"
        "Annotations count above the first statement only; below it they are ordinary comments."
        "SELECT 1 AS id;\n-- materialize ducklake://shop/orders\n"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id;\n";
    LM020 "older-style-line" Warning
        "An option stands on a line of its own"
        "Older scripts and other tools have `unique_key`, `append` or `on_schema_change=` on lines of their own. Here they are options of the `materialize` line, `tz=`, `format=` and `start=` of the `partitioned` line, and on a line of their own they mean nothing."
        "-- materialize ducklake://shop/orders\n-- unique_key id\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders key=id\nSELECT 1 AS id";
    LM021 "test-path-near-built-in" Warning
        "The path of a test script is close to a built-in test"
        "A single word behind `data_test` is the path of a test script. This one is close to the name of a built-in test, which needs a column."
        "-- materialize ducklake://shop/orders\n-- data_test uniqe\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\n-- data_test unique id\nSELECT 1 AS id";
    LM022 "malformed-lineage-input" Warning
        "An input of a `column` line is malformed"
        "Each input of a `column` line is `<asset>.<column>`. A malformed one is dropped alone; the others count."
        "-- column total <- ducklake://shop/orders.amount, nonsense\nSELECT 1 AS total"
        => "-- column total <- ducklake://shop/orders.amount\nSELECT 1 AS total";
    LM023 "malformed-lineage" Warning
        "A `column` line is malformed"
        "A `column` line is an output column, `<-`, and at least one well-formed input. Otherwise it is dropped."
        "-- column total ducklake://shop/orders.amount\nSELECT 1 AS total"
        => "-- column total <- ducklake://shop/orders.amount\nSELECT 1 AS total";
    LM024 "malformed-semantic-entry" Warning
        "A `measure` or `dimension` line is malformed"
        "A measure is a name, `=` and an expression, with a predicate behind `where` if wanted; a dimension is a name, `=` and an expression. Otherwise the line is dropped."
        "-- measure revenue sum(amount)\nSELECT 1 AS amount"
        => "-- measure revenue = sum(amount)\nSELECT 1 AS amount";
    LM025 "empty-list-item" Warning
        "A list has an empty item"
        "Empty items of a list are ignored."
        "-- materialize ducklake://shop/orders key=id,,name\nSELECT 1 AS id, 'a' AS name"
        => "-- materialize ducklake://shop/orders key=id,name\nSELECT 1 AS id, 'a' AS name";
    LM026 "mode-behind-target" Error
        "A mode word stands behind the target"
        "The mode words `manual` and `scd2` stand before the target. Behind it they have no effect, and the run would write what the line does not say."
        "-- materialize ducklake://shop/orders manual\nSELECT 1 AS id"
        => "-- materialize manual ducklake://shop/orders\nSELECT 1 AS id";
    LM100 "target-not-ducklake" Error
        "The target is no DuckLake table"
        "Only tables of a DuckLake can be materialized: other stores have no snapshots, and nothing could be written atomically there."
        "-- materialize datatable://main/orders\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id";
    LM101 "target-without-table" Error
        "The target names no table"
        "A lake alone cannot be written; the target needs a table."
        "-- materialize ducklake://shop\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id";
    LM102 "target-path-malformed" Error
        "The target is no `lake/table` or `lake/schema.table`"
        "A target has a lake, at most one schema, and a table, none of them empty, and no `{partition}`: slices of one table are written with `partitioned`."
        "-- materialize ducklake://shop/a.b.orders\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/b.orders\nSELECT 1 AS id";
    LM103 "reserved-table-name" Error
        "The target's name is reserved"
        "Names that end in `_current` are reserved: a table with history has a view of that name that shows its current rows."
        "-- materialize ducklake://shop/customers_current\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/customers_now\nSELECT 1 AS id";
    LM104 "dbt-needs-manual" Error
        "A dbt model is materialized without `manual`"
        "A dbt model is written by dbt; its success can be recorded, its write cannot be managed."
        "-- materialize dbt://shop/marts/orders\nSELECT 1 AS id"
        => "-- materialize manual dbt://shop/marts/orders\nSELECT 1 AS id";
    LM105 "history-without-key" Error
        "History has no key"
        "History keeps the versions of each key, so it needs `key=`."
        "-- materialize ducklake://shop/orders history\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders key=id history\nSELECT 1 AS id";
    LM106 "history-partitioned" Error
        "History is partitioned"
        "A table with history compares the whole source with the whole table; slices of it would close the versions of each other."
        "-- materialize ducklake://shop/orders key=id history\n-- partitioned daily\nSELECT 1 AS id WHERE '{partition}' <> ''"
        => "-- materialize ducklake://shop/orders key=id history\nSELECT 1 AS id";
    LM107 "tracked-key" Error
        "`track=` names a key column"
        "A key cannot change: rows with another key are another entity. Tracked columns are those that are not in the key."
        "-- materialize ducklake://shop/orders key=id history track=id\nSELECT 1 AS id, 'a' AS name"
        => "-- materialize ducklake://shop/orders key=id history track=name\nSELECT 1 AS id, 'a' AS name";
    LM108 "repeated-column" Error
        "A column stands twice in a list"
        "Columns of `key=` and `track=` are distinct; names are compared without regard to case, as the engine does."
        "-- materialize ducklake://shop/orders key=id,ID\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders key=id\nSELECT 1 AS id";
    LM109 "data-test-on-manual" Error
        "A data test stands on a manual script"
        "Tests check what a managed write has just written. A manual script writes by itself, and what it wrote is not known."
        "-- materialize manual ducklake://shop/orders\n-- data_test unique id\nCREATE TABLE t AS SELECT 1 AS id"
        => "-- materialize manual ducklake://shop/orders\nCREATE TABLE t AS SELECT 1 AS id";
    LM110 "unknown-time-zone" Error
        "A time zone is unknown"
        "`tz=` is the name of a zone of the IANA database, such as `Europe/Paris`. UTC counts when it is absent."
        "-- materialize ducklake://shop/orders\n-- partitioned daily tz=Europe/Pariss\nSELECT 1 AS id WHERE '{partition}' <> ''"
        => "-- materialize ducklake://shop/orders\n-- partitioned daily tz=Europe/Paris\nSELECT 1 AS id WHERE '{partition}' <> ''";
    LM111 "invalid-start" Error
        "A `start=` is no date"
        "`start=` is the first slice: an identity of the partition, or a date with or without time."
        "-- materialize ducklake://shop/orders\n-- partitioned daily start=2024-13-01\nSELECT 1 AS id WHERE '{partition}' <> ''"
        => "-- materialize ducklake://shop/orders\n-- partitioned daily start=2024-12-01\nSELECT 1 AS id WHERE '{partition}' <> ''";
    LM112 "unfit-format" Error
        "A `format=` does not fit the grain"
        "The format makes the identity of each slice: each slice of the grain needs one, and no two the same. Only specifiers that the engine and the planner write alike are taken."
        "-- materialize ducklake://shop/orders\n-- partitioned daily format=%Y-%m\nSELECT 1 AS id WHERE '{partition}' <> ''"
        => "-- materialize ducklake://shop/orders\n-- partitioned daily format=%Y-%m-%d\nSELECT 1 AS id WHERE '{partition}' <> ''";
    LM113 "hour-comes-twice" Warning
        "Two hours of the year share an identity"
        "When the zone's clock is set back, one hour comes twice, and both have the same identity: they land in one slice. In UTC each hour comes once."
        "-- materialize ducklake://shop/orders\n-- partitioned hourly tz=Europe/Paris\nSELECT 1 AS id WHERE '{partition}' <> ''"
        => "-- materialize ducklake://shop/orders\n-- partitioned hourly\nSELECT 1 AS id WHERE '{partition}' <> ''";
    LM115 "partition-unused" Warning
        "A partitioned script does not use its partition"
        "Without a partition token or variable in the body each slice gets the same rows, and the table holds them once per slice."
        "-- materialize ducklake://shop/orders\n-- partitioned daily\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\n-- partitioned daily\nSELECT 1 AS id WHERE '{partition}' <> ''";
    LM116 "inert-option" Warning
        "An option has no effect"
        "`track=` and `deletes=` belong to history; `on_schema_change=` counts where old rows are kept, so not for a whole table that is replaced, and not for history, where a difference always fails. On a manual script no strategy option has an effect, since the script writes by itself."
        "-- materialize ducklake://shop/orders key=id track=name\nSELECT 1 AS id, 'a' AS name"
        => "-- materialize ducklake://shop/orders key=id\nSELECT 1 AS id, 'a' AS name";
    LM117 "data-test-without-materialize" Warning
        "A data test stands on a script that materializes nothing"
        "Tests check the table that the script has written. Without a `materialize` line they never run."
        "-- data_test unique id\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\n-- data_test unique id\nSELECT 1 AS id";
    LM118 "asset-materialized-twice" Error
        "Two scripts materialize one asset"
        "Each table has one script that writes it; two would overwrite each other."
        "-- In orders.sql, and in shop.sql too:\n-- materialize ducklake://shop/orders\nSELECT 1 AS id"
        => "-- In orders.sql only:\n-- materialize ducklake://shop/orders\nSELECT 1 AS id";
    LM119 "timestamptz-arithmetic" Hint
        "Arithmetic on TIMESTAMP WITH TIME ZONE"
        "Adding an interval to `now()` and its like needs the engine's ICU extension, which is not there everywhere. As TIMESTAMP, which is UTC here, it works without."
        "-- materialize ducklake://shop/orders\nSELECT now() - INTERVAL 7 DAY AS since"
        => "-- materialize ducklake://shop/orders\nSELECT now()::TIMESTAMP - INTERVAL 7 DAY AS since";
    LM120 "partition-as-time" Warning
        "`{partition}` is read as a time"
        "The identity of an hour, a week or a month is no literal that the engine reads as a time: `TIMESTAMP '2026-W27'` fails. `{partition_start}` and `{partition_end}` are times, and `wm_partition(<column>)` gives the identity of a time."
        "-- materialize ducklake://shop/orders\n-- partitioned weekly\nSELECT 1 AS id WHERE now()::TIMESTAMP > TIMESTAMP '{partition}'"
        => "-- materialize ducklake://shop/orders\n-- partitioned weekly\nSELECT 1 AS id WHERE now()::TIMESTAMP > {partition_start}";
    LM121 "macro-library-statement" Error
        "A macro library does more than create macros"
        "A script with `macros` is loaded before others; it holds `CREATE MACRO` statements only."
        "-- macros\nSELECT 1 AS id"
        => "-- macros\nCREATE MACRO one() AS 1";
    LM122 "dependency-cycle" Error
        "Scripts need each other in a circle"
        "A script runs after all that it reads, is triggered by or tests against. In a circle none can be the first, so none of them is run; the other scripts are."
        "-- In a.sql, while b.sql reads a:\n-- materialize ducklake://shop/a\nATTACH 'ducklake://shop' AS dl;\nFROM dl.b"
        => "-- In a.sql, while b.sql reads a:\n-- materialize ducklake://shop/a\nATTACH 'ducklake://shop' AS dl;\nFROM dl.raw";
    LM123 "test-reference-not-a-table" Error
        "A data test refers to what is no table"
        "A `relationships` test compares with the column of a table: of a DuckLake, with lake and table, or of a PostgreSQL database. Objects and lakes alone have no rows to compare with."
        "-- materialize ducklake://shop/orders\n-- data_test relationships sku -> s3:///skus.sku\nSELECT 1 AS sku"
        => "-- materialize ducklake://shop/orders\n-- data_test relationships sku -> ducklake://shop/skus.sku\nSELECT 1 AS sku";
    LM124 "reserved-alias" Error
        "An alias is reserved"
        "A run attaches the target and the tables that tests refer to under names that begin with `_wm_`, apart from what the script attaches."
        "-- materialize ducklake://shop/orders\nATTACH 'ducklake://shop' AS _wm_target;\nFROM _wm_target.raw"
        => "-- materialize ducklake://shop/orders\nATTACH 'ducklake://shop' AS shop;\nFROM shop.raw";
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
    LM217 "unbalanced-brackets" Error
        "A bracket of the output statement has no partner"
        "Managed mode wraps the statement in parentheses. A closing one too many would end them early, and what follows would be read as something else."
        "-- materialize ducklake://shop/orders\nSELECT 1 AS id) UNION (SELECT 2"
        => "-- materialize ducklake://shop/orders\n(SELECT 1 AS id) UNION (SELECT 2)";
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
        "The table's layout does not fit the script"
        "A table that was built without `_wm_partition` cannot take single slices, and one that was built with it would get rows of no partition from an unpartitioned script. `lakemill rebuild` gives the table the layout of its script. Likewise a history needs the columns of its versions, and a table that has them would lose versions to a script without `history`."
        "-- partitioned daily\n-- materialize ducklake://shop/orders\nSELECT {partition} AS day"
        => "-- partitioned daily\n-- materialize ducklake://shop/orders_daily\nSELECT {partition} AS day";
    LM307 "key-column-missing" Error
        "A key or tracked column is not in the SELECT or the table"
        "Rows are matched by the key, so both sides must have it; columns of `track=` are compared, so the SELECT must have them."
        "-- materialize ducklake://shop/orders key=order_id\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders key=id\nSELECT 1 AS id";
    LM308 "reserved-column" Error
        "The SELECT has a column that lakemill adds itself"
        "`_wm_partition` is written by lakemill, last in each partitioned table; `valid_from`, `valid_to` and `is_current` in each table with history."
        "-- materialize ducklake://shop/orders\nSELECT 1 AS _wm_partition"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS part";
    LM309 "duplicate-column" Error
        "The SELECT has a column twice"
        "The engine would rename the second one silently (`id`, `id_1`). Column names are compared without regard to case."
        "-- materialize ducklake://shop/orders\nSELECT 1 AS id, 2 AS id"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id, 2 AS other_id";
    LM310 "unstorable-type" Error
        "A column's type cannot be stored in a DuckLake"
        "Fixed-size arrays, UNION, ENUM, BIT, BIGNUM, TIME_NS, unnamed rows, the zone of a TIME WITH TIME ZONE, and an INTERVAL inside another type have no place in the format. A HUGEINT is stored as DOUBLE and an INTERVAL to the millisecond: neither can be a key, and values that would come back changed fail the run. It fails before anything is written."
        "-- materialize ducklake://shop/vectors\nSELECT [1, 2]::INTEGER[2] AS v"
        => "-- materialize ducklake://shop/vectors\nSELECT [1, 2]::INTEGER[] AS v";
    LM311 "schema-change" Error
        "The SELECT's columns differ from the table's"
        "Strategies that keep old rows cannot derive the table's shape anew. `on_schema_change=fail` stops the run; `warn` and `ignore` write the columns that both have; `sync` adds and drops columns of the table, and gives one a type that holds all of its values. A table with history keeps the columns of its first run whatever the option says, since versions of different shapes cannot be compared."
        "-- materialize ducklake://shop/orders append on_schema_change=fail\nSELECT 1 AS id, 2 AS new_column"
        => "-- materialize ducklake://shop/orders append\nSELECT 1 AS id, 2 AS new_column";
    LM312 "test-column-missing" Error
        "A data test names a column that the table does not have"
        "The test could never say anything, so the run fails before anything is written."
        "-- materialize ducklake://shop/orders\n-- data_test unique order_id\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\n-- data_test unique id\nSELECT 1 AS id";
    LM313 "test-not-runnable" Error
        "A data test cannot be run"
        "What it refers to, its script or its SQL does not allow it; the run fails rather than pass a test that did not run."
        "-- materialize ducklake://shop/orders\n-- data_test relationships sku -> s3:///raw/skus.parquet.sku\nSELECT 1 AS sku"
        => "-- materialize ducklake://shop/orders\n-- data_test relationships sku -> ducklake://crm/skus.sku\nSELECT 1 AS sku";
    LM314 "single-attachment" Error
        "A lake on a DuckDB file can be attached only once"
        "The engine opens a DuckDB file once per process, so reading it read-only or pinned beside writing it is impossible. SQLite and PostgreSQL catalogs have no such limit."
        "-- materialize ducklake://shop/orders\nATTACH 'ducklake://shop' AS dl (SNAPSHOT_VERSION 3);\nFROM dl.orders"
        => "[lakes.shop]\ncatalog = \"sqlite:shop.sqlite\"";
    LM316 "target-not-a-table" Error
        "The target is no table of a lake"
        "A managed script writes one table of a DuckLake: `ducklake://lake/table` or `ducklake://lake/schema.table`."
        "-- materialize ducklake://shop\nSELECT 1 AS id"
        => "-- materialize ducklake://shop/orders\nSELECT 1 AS id";
    LM317 "unknown-datatable" Error
        "The script attaches a database that is not declared"
        "`datatable://NAME` is the PostgreSQL database of `[datatables.NAME]` in lakemill.toml. Its `url` is `env:VARIABLE`, so that no password stands in a file."
        "-- materialize ducklake://shop/customers\nATTACH 'datatable://cmr' AS crm;\nFROM crm.customers"
        => "-- materialize ducklake://shop/customers\nATTACH 'datatable://crm' AS crm;\nFROM crm.customers";
    LM318 "storage-key" Error
        "A key of `s3:///` has no place in the default storage"
        "With a folder as storage a key is the path of a file below it, so `..` would lead out of it, and `a//b` and `a/b` would be one file. On S3 each of these is an object of its own."
        "-- materialize ducklake://shop/orders\nFROM 's3:///raw/../orders.parquet'"
        => "-- materialize ducklake://shop/orders\nFROM 's3:///orders.parquet'";
    LM319 "foreign-slices" Error
        "The table has slices that the script does not cut"
        "Where the grain, the `format=`, or the kind or key of `partitioned` has changed, no run would replace the slices that are there, and their rows would stand beside the new ones. The same holds for values of `_wm_partition` that another tool wrote and that are no slices of the script. It fails before anything is written. `lakemill rebuild` cuts the rows anew."
        "-- partitioned monthly\n-- materialize ducklake://shop/orders_daily\nSELECT {partition} AS month"
        => "-- partitioned monthly\n-- materialize ducklake://shop/orders_monthly\nSELECT {partition} AS month";
}
