//! The annotation keywords.

use super::spelling::one_edit_apart;

macro_rules! keywords {
    ($( $variant:ident $word:literal $shape:literal, )*) => {
        /// The first word of an annotation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Keyword { $( #[doc = concat!("`", $word, "`")] $variant, )* }

        impl Keyword {
            /// Every keyword.
            pub const ALL: &'static [Self] = &[$( Self::$variant, )*];

            /// As written in scripts.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $word, )* }
            }

            /// The line's shape, for hints.
            pub(crate) const fn shape(self) -> &'static str {
                match self { $( Self::$variant => $shape, )* }
            }
        }
    };
}

keywords! {
    Pipeline "pipeline" "pipeline",
    Macros "macros" "macros",
    Use "use" "use <folder/script>",
    Partitioned "partitioned" "partitioned daily|hourly|weekly|monthly [tz=] [format=] [start=]` or `partitioned dynamic key=<path>",
    Freshness "freshness" "freshness <n>[s|m|h|d]",
    Debounce "debounce" "debounce <n>[s|m|h|d]",
    Trigger "trigger" "trigger all|any",
    Tag "tag" "tag <word>",
    Retry "retry" "retry <attempts> [<n>[s|m|h|d]]",
    Materialize "materialize" "materialize [manual] ducklake://<lake>/<table> [append] [history] [key=] [track=] [deletes=] [on_schema_change=]",
    DataTest "data_test" "data_test unique|not_null <column>",
    Column "column" "column <output> <- <asset>.<column>",
    Measure "measure" "measure <name> = <expression> [where <predicate>]",
    Dimension "dimension" "dimension <name> = <expression>",
    Mute "mute" "mute <asset>` or `mute all",
    On "on" "on <asset> [debounce=]",
}

impl Keyword {
    /// The keyword that `word` is.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|keyword| keyword.as_str() == word)
    }

    /// Keywords that `word` is one edit away from.
    pub(crate) fn near(word: &str) -> impl Iterator<Item = Self> {
        Self::ALL
            .iter()
            .copied()
            .filter(move |keyword| one_edit_apart(word, keyword.as_str()))
    }
}
