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

/// By hash, with linear probing: the place of a keyword in [`Keyword::ALL`] plus one, or 0.
const TABLE: [u8; SLOTS] = {
    let mut table = [0; SLOTS];
    let mut place = 0;
    while place < Keyword::ALL.len() {
        let word = Keyword::ALL[place].1.as_bytes();
        let mut hash = Hash::new();
        let mut at = 0;
        while at < word.len() {
            hash = hash.with(word[at]);
            at += 1;
        }
        let mut slot = hash.slot();
        while table[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        place += 1;
        table[slot] = place as u8;
    }
    table
};

/// The longest keyword, and so the longest word that is looked up.
const LONGEST: usize = {
    let mut longest = 0;
    let mut place = 0;
    while place < Keyword::ALL.len() {
        let len = Keyword::ALL[place].1.len();
        longest = if len > longest { len } else { longest };
        place += 1;
    }
    longest
};

/// Of a word, byte by byte; the case of letters does not count.
#[derive(Clone, Copy)]
pub(crate) struct Hash(u32);

impl Hash {
    pub(crate) const fn new() -> Self {
        Self(0)
    }

    pub(crate) const fn with(self, byte: u8) -> Self {
        // The bit that tells a small letter from its capital.
        Self(self.0.wrapping_mul(31).wrapping_add((byte | 0x20) as u32))
    }

    const fn slot(self) -> usize {
        // The top bits of a product depend on all bits of the factor.
        (self.0.wrapping_mul(0x9E37_79B9) >> (32 - SLOTS.ilog2())) as usize
    }
}

impl Keyword {
    /// The keyword that an unquoted word spells, whatever its case.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        let word = word.as_bytes();
        if word.len() > LONGEST {
            return None;
        }
        let hash = word.iter().fold(Hash::new(), |hash, &byte| hash.with(byte));
        Self::find(word, hash)
    }

    /// The same, for a word whose hash is known.
    pub(crate) fn find(word: &[u8], hash: Hash) -> Option<Self> {
        if word.len() > LONGEST {
            return None;
        }
        let mut slot = hash.slot();
        loop {
            let place = usize::from(TABLE[slot]).checked_sub(1)?;
            let (keyword, spelling) = Self::ALL.get(place)?;
            if spelling.as_bytes().eq_ignore_ascii_case(word) {
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

    /// Whether the engine reserves it, so that nothing has its name unquoted.
    #[must_use]
    pub const fn is_reserved(self) -> bool {
        (self as usize) < Self::RESERVED
    }
}
