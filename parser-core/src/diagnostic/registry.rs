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
}
