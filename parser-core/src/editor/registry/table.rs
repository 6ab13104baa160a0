//! The texts. An annotation that is added to the grammar does not compile until it stands here.

use super::{Annotation, AnnotationOption, Repeats, Takes, Word, trigger_doc};
use crate::header::Keyword;
use crate::script::NativeTrigger;

const fn word(word: &'static str, doc: &'static str) -> Word {
    Word { word, doc }
}

const fn option(name: &'static str, takes: Takes, doc: &'static str) -> AnnotationOption {
    AnnotationOption {
        name,
        takes,
        doc,
        with: &[],
    }
}

const GRAINS: &[&str] = &["hourly", "daily", "weekly", "monthly"];

const KINDS: &[Word] = &[
    word(
        "daily",
        "One slice per calendar day; its identity is `%Y-%m-%d`, as in `2026-11-29`.",
    ),
    word(
        "hourly",
        "One slice per clock hour; its identity is `%Y-%m-%dT%H`, as in `2026-11-29T14`.",
    ),
    word(
        "weekly",
        "One slice per ISO week, from Monday; its identity is `%G-W%V`, as in `2026-W48`.",
    ),
    word(
        "monthly",
        "One slice per calendar month; its identity is `%Y-%m`, as in `2026-11`.",
    ),
    word(
        "dynamic",
        "The caller names the slice: `key=` says where its identity stands in the payload.",
    ),
];

const JOINS: &[Word] = &[
    word("any", "Each input that arrives starts a run. The default."),
    word("all", "A run starts when every input has arrived."),
];

const MODES: &[Word] = &[
    word(
        "manual",
        "The script's statements run as written and write by themselves; lakemill records success or failure only.",
    ),
    word("scd2", "The older spelling of the flag `history`."),
];

const TESTS: &[Word] = &[
    word(
        "unique",
        "`unique <column>`: no value stands in two rows. NULLs are exempt.",
    ),
    word("not_null", "`not_null <column>`: no row has NULL."),
    word(
        "accepted_values",
        "`accepted_values <column> = a,b,\"c,d\"`: every non-NULL value is one of the list.",
    ),
    word(
        "relationships",
        "`relationships <column> -> <asset>.<column>`: every non-NULL value stands in the other column.",
    ),
    word(
        "row_count",
        "`row_count >= <number>`, or `<=`, `=`, `<>`, `>`, `<`: so many rows there are.",
    ),
    word(
        "freshness",
        "`freshness <column> <= 1d`: the newest value is no older. Without a value it fails. Times are UTC.",
    ),
    word(
        "expression",
        "`expression \"<SQL>\"`: no row makes it false. NULL passes.",
    ),
];

const SEVERITIES: &[Word] = &[
    word("error", "A violation fails the run. The default."),
    word("warn", "A violation is told, and the run goes on."),
];

const DATA_TEST: &[AnnotationOption] = &[option(
    "severity",
    Takes::One(SEVERITIES),
    "What a violation does.",
)];

const MUTES: &[Word] = &[word("all", "No read of the script triggers it.")];

const DELETES: &[Word] = &[
    word(
        "ignore",
        "A key that vanishes from the source keeps its current version. The default.",
    ),
    word(
        "close",
        "A key that vanishes from the source has its current version closed.",
    ),
];

const CHANGES: &[Word] = &[
    word(
        "warn",
        "Extra columns are left out and missing ones become NULL, with a warning. The default.",
    ),
    word(
        "ignore",
        "Extra columns are left out and missing ones become NULL, silently.",
    ),
    word(
        "fail",
        "The run fails before it writes and lists the differences.",
    ),
    word(
        "sync",
        "The table is altered in the same transaction: columns are added, dropped and widened.",
    ),
];

const fn native(kind: NativeTrigger) -> Word {
    word(kind.as_str(), trigger_doc(kind))
}

const NATIVES: &[Word] = &{
    let mut words = [word("", ""); NativeTrigger::ALL.len()];
    let mut at = 0;
    while at < words.len() {
        words[at] = native(NativeTrigger::ALL[at]);
        at += 1;
    }
    words
};

const MATERIALIZE: &[AnnotationOption] = &[
    option(
        "key",
        Takes::Columns,
        "One column, or a comma list, that identifies a row. Rows with a key that is staged again are replaced; with `history` they get a new version. Several staged rows of one key fail the run. A NULL in the key matches nothing, so its row is inserted each time; with `history` it matches NULL.",
    ),
    option(
        "append",
        Takes::Nothing,
        "Rows are inserted and none is replaced. Wins over `key=`.",
    ),
    option(
        "history",
        Takes::Nothing,
        "Every version of a row is kept (SCD 2) with `valid_from`, `valid_to` (UTC) and `is_current`; a view `<table>_current` shows the present, and data tests see only that. The SELECT gives one row per key, as it is now; its columns stay those of the first run. Needs `key=`.",
    ),
    option(
        "track",
        Takes::Columns,
        "With `history`: the columns whose change makes a new version. All but the key when absent. When only others change, the current version keeps its old values.",
    ),
    option(
        "deletes",
        Takes::One(DELETES),
        "With `history`: what happens to a key that vanishes from the source.",
    ),
    option(
        "on_schema_change",
        Takes::One(CHANGES),
        "What happens when the columns of the SELECT differ from those of the table.",
    ),
];

const PARTITIONED: &[AnnotationOption] = &[
    AnnotationOption {
        name: "tz",
        takes: Takes::TimeZone,
        doc: "The IANA time zone in which the calendar counts; UTC when absent.",
        with: GRAINS,
    },
    AnnotationOption {
        name: "start",
        takes: Takes::Slice,
        doc: "The first slice: a backfill begins there, and a run of an earlier one is refused.",
        with: GRAINS,
    },
    AnnotationOption {
        name: "format",
        takes: Takes::Format,
        doc: "The strftime format of the identity. It must tell the slices of the grain apart.",
        with: GRAINS,
    },
    AnnotationOption {
        name: "key",
        takes: Takes::Path,
        doc: "Where the identity stands in the caller's payload: `$.tenant`, `tenant`, `a.b`.",
        with: &["dynamic"],
    },
];

const DEBOUNCE: &[AnnotationOption] = &[option(
    "debounce",
    Takes::Duration,
    "How long the trigger waits for more of the same before it starts a run.",
)];

macro_rules! annotations {
    ($( $variant:ident { $repeats:ident, $words:expr, $options:expr, $syntax:literal, $doc:literal, $example:literal } )*) => {
        pub(super) const fn annotation(keyword: Keyword) -> &'static Annotation {
            match keyword {
                $( Keyword::$variant => const { &Annotation {
                    syntax: $syntax,
                    doc: $doc,
                    example: $example,
                    repeats: Repeats::$repeats,
                    words: $words,
                    options: $options,
                } }, )*
            }
        }
    };
}

annotations! {
    Pipeline { First, &[], &[],
        "pipeline",
        "The script belongs to a pipeline. Stands alone on its line.",
        "pipeline" }
    Macros { First, &[], &[],
        "macros",
        "The script is a library of macros and holds nothing but `CREATE MACRO`. Stands alone on its line.",
        "macros" }
    Use { Every, &[], &[],
        "use <folder/script>",
        "Loads a macro library before the script runs. The path is relative to the folder of scripts.",
        "use lib/stats" }
    Partitioned { First, KINDS, PARTITIONED,
        "partitioned daily|hourly|weekly|monthly [tz=] [format=] [start=], or: partitioned dynamic key=<path>",
        "Cuts the table into slices, each the unit of a run, of its state and of a backfill. A run replaces its own slice; `{partition}` in the body stands for the slice's identity.",
        "partitioned daily tz=Europe/Paris start=2024-01-01" }
    Freshness { First, &[], &[],
        "freshness <n>[s|m|h|d]",
        "The age that the table is expected never to exceed. A bare number counts seconds.",
        "freshness 6h" }
    Debounce { First, &[], &[],
        "debounce <n>[s|m|h|d]",
        "How long triggers wait for more of the same before a run starts, unless `on` has a `debounce=` of its own.",
        "debounce 30s" }
    Trigger { Last, JOINS, &[],
        "trigger any|all",
        "How several `on` inputs join.",
        "trigger all" }
    Tag { First, &[], &[],
        "tag <word>",
        "Only workers with this tag run the script. One word of at most 50 bytes.",
        "tag heavy" }
    Retry { First, &[], &[],
        "retry <attempts> [<n>[s|m|h|d]]",
        "How often a failed run is tried again, and how long it waits before.",
        "retry 3 10s" }
    Materialize { First, MODES, MATERIALIZE,
        "materialize [manual] ducklake://<lake>/<table> [append] [history] [key=] [track=] [deletes=] [on_schema_change=]",
        "Writes the rows of the script's last statement into a table of a lake, as one snapshot: all rows are replaced, or those of a `key=` or of the partition, or they are appended, or versions are kept as a history.",
        "materialize ducklake://shop/orders key=id" }
    DataTest { Every, TESTS, DATA_TEST,
        "data_test unique|not_null|accepted_values|relationships|row_count|freshness|expression …, or the path of a script; [severity=]",
        "Checks the rows that were written. A violation fails the run and stops what is downstream. A script of your own returns the violating rows of `_wm_target`.",
        "data_test unique id\ndata_test relationships customer_id -> ducklake://shop/customers.id" }
    Column { Every, &[], &[],
        "column <output> <- <asset>.<column>[, …]",
        "Declares what a column is computed from, where the SQL does not tell.",
        "column total <- ducklake://shop/orders.amount" }
    Measure { Every, &[], &[],
        "measure <name> = <expression> [where <predicate>]",
        "Names an aggregate over the table for the semantic layer. The first of a name counts.",
        "measure revenue = sum(amount) where not is_refund" }
    Dimension { Every, &[], &[],
        "dimension <name> = <expression>",
        "Names an expression to group by for the semantic layer. The first of a name counts.",
        "dimension region = upper(region)" }
    Mute { Every, MUTES, &[],
        "mute <asset>, or: mute all",
        "A read of this asset does not trigger the script by itself.",
        "mute ducklake://shop/rates" }
    On { Every, NATIVES, DEBOUNCE,
        "on <asset> [debounce=], or: on <kind> [name=value …]",
        "Starts a run when the asset changes, or when something outside happens.",
        "on ducklake://shop/raw debounce=5s" }
}
