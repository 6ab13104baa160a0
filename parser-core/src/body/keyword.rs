//! The words that the reader of references looks for.

macro_rules! keywords {
    ($( $variant:ident $word:literal; )*) => {
        /// A word with a part in where tables are named.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Keyword {
            $( $variant, )*
        }

        fn lookup(lower: &[u8]) -> Option<Keyword> {
            match lower {
                $( $word => Some(Keyword::$variant), )*
                _ => None,
            }
        }
    };
}

keywords! {
    Alter b"alter";
    As b"as";
    Comment b"comment";
    Copy b"copy";
    Create b"create";
    Delete b"delete";
    Desc b"desc";
    Describe b"describe";
    Drop b"drop";
    Except b"except";
    From b"from";
    Group b"group";
    Having b"having";
    Insert b"insert";
    Intersect b"intersect";
    Into b"into";
    Join b"join";
    Lateral b"lateral";
    Limit b"limit";
    Materialized b"materialized";
    Merge b"merge";
    Not b"not";
    Offset b"offset";
    On b"on";
    Only b"only";
    Order b"order";
    Pivot b"pivot";
    PivotLonger b"pivot_longer";
    PivotWider b"pivot_wider";
    Qualify b"qualify";
    Recursive b"recursive";
    Returning b"returning";
    Select b"select";
    Set b"set";
    Show b"show";
    Summarize b"summarize";
    Table b"table";
    To b"to";
    Truncate b"truncate";
    Union b"union";
    Unpivot b"unpivot";
    Update b"update";
    Using b"using";
    Values b"values";
    Where b"where";
    Window b"window";
    With b"with";
}

const LONGEST: usize = "pivot_longer".len();

impl Keyword {
    /// The keyword that an unquoted word spells, whatever its case.
    pub(super) fn of(word: &str) -> Option<Self> {
        let mut lower = [0; LONGEST];
        let lower = lower.get_mut(..word.len())?;
        lower.copy_from_slice(word.as_bytes());
        lower.make_ascii_lowercase();
        lookup(lower)
    }
}

/// Words that the engine reserves, so that no table has their name unquoted
/// (`duckdb_keywords()`, category `reserved`; those that stand where a table may stand are handled
/// before this list is asked).
const RESERVED: [&str; 75] = [
    "all",
    "analyse",
    "analyze",
    "and",
    "any",
    "array",
    "as",
    "asc",
    "asymmetric",
    "both",
    "case",
    "cast",
    "check",
    "collate",
    "column",
    "constraint",
    "create",
    "default",
    "deferrable",
    "desc",
    "describe",
    "distinct",
    "do",
    "else",
    "end",
    "except",
    "false",
    "fetch",
    "for",
    "foreign",
    "from",
    "group",
    "having",
    "in",
    "initially",
    "intersect",
    "into",
    "lambda",
    "lateral",
    "leading",
    "limit",
    "not",
    "null",
    "offset",
    "on",
    "only",
    "or",
    "order",
    "pivot",
    "pivot_longer",
    "pivot_wider",
    "placing",
    "primary",
    "qualify",
    "references",
    "returning",
    "select",
    "show",
    "some",
    "summarize",
    "symmetric",
    "table",
    "then",
    "to",
    "trailing",
    "true",
    "union",
    "unique",
    "unpivot",
    "using",
    "variadic",
    "when",
    "where",
    "window",
    "with",
];

/// Whether the engine reserves the word.
pub fn is_reserved(word: &str) -> bool {
    RESERVED
        .iter()
        .any(|reserved| reserved.eq_ignore_ascii_case(word))
}
