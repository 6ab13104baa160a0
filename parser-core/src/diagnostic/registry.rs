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
}
