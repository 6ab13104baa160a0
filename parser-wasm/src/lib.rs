//! The parser for JavaScript: wire objects across wasm-bindgen, no rule of its own.

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the parser, which is also the version of the npm package.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
