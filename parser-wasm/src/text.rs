//! Scripts on their way in.

use js_sys::{JsString, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    type TextEncoder;
    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;
    #[wasm_bindgen(method)]
    fn encode(this: &TextEncoder, text: &JsString) -> Uint8Array;
}

thread_local! {
    static ENCODER: TextEncoder = TextEncoder::new();
}

/// The text as UTF-8, U+FFFD for each half of a character that stands alone.
///
/// The host encodes a long text at once, where wasm-bindgen's own way walks over it unit by unit in JavaScript: that took
/// as long as lexing.
pub(crate) fn utf8(text: &JsString) -> String {
    let bytes = ENCODER.with(|encoder| encoder.encode(text)).to_vec();
    // An encoder gives nothing but UTF-8.
    String::from_utf8(bytes).unwrap_or_default()
}
