//! The words that the engine reserves, and those that have a part in where tables are named.

macro_rules! keywords {
    (reserved { $( $reserved:ident $reserved_word:literal; )* } others { $( $other:ident $other_word:literal; )* }) => {
        /// An unquoted word that reading looks for. To the engine a quoted one is a name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)] // each variant is its word
        pub enum Keyword {
            $( $reserved, )*
            $( $other, )*
        }

        impl Keyword {
            const ALL: &'static [(Self, &'static str)] = &[
                $( (Self::$reserved, $reserved_word), )*
                $( (Self::$other, $other_word), )*
            ];
            const RESERVED: usize = [$( $reserved_word ),*].len();
        }
    };
}

keywords! {
    // `duckdb_keywords()`, category `reserved`.
    reserved {
        All "all";
        Analyse "analyse";
        Analyze "analyze";
        And "and";
        Any "any";
        Array "array";
        As "as";
        Asc "asc";
        Asymmetric "asymmetric";
        Both "both";
        Case "case";
        Cast "cast";
        Check "check";
        Collate "collate";
        Column "column";
        Constraint "constraint";
        Create "create";
        Default "default";
        Deferrable "deferrable";
        Desc "desc";
        Describe "describe";
        Distinct "distinct";
        Do "do";
        Else "else";
        End "end";
        Except "except";
        False "false";
        Fetch "fetch";
        For "for";
        Foreign "foreign";
        From "from";
        Group "group";
        Having "having";
        In "in";
        Initially "initially";
        Intersect "intersect";
        Into "into";
        Lambda "lambda";
        Lateral "lateral";
        Leading "leading";
        Limit "limit";
        Not "not";
        Null "null";
        Offset "offset";
        On "on";
        Only "only";
        Or "or";
        Order "order";
        Pivot "pivot";
        PivotLonger "pivot_longer";
        PivotWider "pivot_wider";
        Placing "placing";
        Primary "primary";
        Qualify "qualify";
        References "references";
        Returning "returning";
        Select "select";
        Show "show";
        Some "some";
        Summarize "summarize";
        Symmetric "symmetric";
        Table "table";
        Then "then";
        To "to";
        Trailing "trailing";
        True "true";
        Union "union";
        Unique "unique";
        Unpivot "unpivot";
        Using "using";
        Variadic "variadic";
        When "when";
        Where "where";
        Window "window";
        With "with";
    }
    others {
        Alter "alter";
        Comment "comment";
        Copy "copy";
        Delete "delete";
        Drop "drop";
        Insert "insert";
        Join "join";
        Materialized "materialized";
        Merge "merge";
        Recursive "recursive";
        Set "set";
        Truncate "truncate";
        Update "update";
        Values "values";
    }
}

const SLOTS: usize = 512;

/// By slot, with linear probing: the place of a keyword in [`Keyword::ALL`] plus one, or 0.
const TABLE: [u8; SLOTS] = {
    let mut table = [0; SLOTS];
    let mut place = 0;
    while place < Keyword::ALL.len() {
        let mut slot = slot(Keyword::ALL[place].1.as_bytes());
        while table[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        place += 1;
        table[slot] = place as u8;
    }
    table
};

/// Where the search for a word begins. Its length, first two and last byte tell keywords apart well enough, and cost the
/// same for any word; the case of letters does not count. The word has a byte at least.
const fn slot(word: &[u8]) -> usize {
    // The bit that tells a small letter from its capital.
    const CASE: u32 = 0x0020_2020;
    let last = word.len() - 1;
    let second = word[if last > 0 { 1 } else { 0 }];
    let key = u32::from_be_bytes([last as u8, word[0], second, word[last]]) | CASE;
    // The top bits of a product depend on all bits of the factor.
    (key.wrapping_mul(0x9E37_79B9) >> (32 - SLOTS.ilog2())) as usize
}

impl Keyword {
    /// The keyword that an unquoted word spells, whatever its case.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::find(word.as_bytes())
    }

    /// The same, for its bytes.
    #[inline]
    pub(crate) fn find(word: &[u8]) -> Option<Self> {
        if word.is_empty() {
            return None;
        }
        let mut slot = slot(word);
        loop {
            let place = usize::from(TABLE[slot]).checked_sub(1)?;
            let (keyword, spelling) = Self::ALL.get(place)?;
            if spelling.len() == word.len() && spelling.as_bytes().eq_ignore_ascii_case(word) {
                return Some(*keyword);
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// Every keyword.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::ALL.iter().map(|(keyword, _)| *keyword)
    }

    /// Its word, in lower case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Whether a query begins with it. With VALUES one begins only before a bracket.
    #[must_use]
    pub const fn begins_query(self) -> bool {
        matches!(
            self,
            Self::Select
                | Self::From
                | Self::With
                | Self::Table
                | Self::Pivot
                | Self::PivotWider
                | Self::Unpivot
                | Self::PivotLonger
                | Self::Desc
                | Self::Describe
                | Self::Summarize
                | Self::Show
        )
    }

    /// Whether it has a part in which tables a query names: what begins a query, joins two, or comes before a table where
    /// none stood before.
    #[must_use]
    pub const fn leads_to_tables(self) -> bool {
        self.begins_query()
            || matches!(
                self,
                Self::Values
                    | Self::Union
                    | Self::Except
                    | Self::Intersect
                    | Self::Using
                    | Self::To
            )
    }

    /// Whether the engine reserves it, so that nothing has its name unquoted.
    #[must_use]
    pub const fn is_reserved(self) -> bool {
        (self as usize) < Self::RESERVED
    }
}
