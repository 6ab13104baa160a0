//! What callers of `parse` and `validate` ask for.

use super::shape::{inputs, reads};

inputs! {
    /// What of a parsed script is asked for.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct ParseOptions {
        /// `body.lineage`, and the `columns` of `body.assets`. On a long SELECT they take longer than all the rest, and an
        /// editor has no need of them at each key stroke.
        #[cfg_attr(feature = "tsify", tsify(type = "boolean | undefined"))]
        pub lineage: bool = "lineage" or default,
    }
}
