//! Scripts on their way in.

use js_sys::JsString;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    type TextEncoder;
    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;
    /// Fills as much of `into` as whole characters of `text` do.
    #[wasm_bindgen(method, js_name = encodeInto)]
    fn encode_into(this: &TextEncoder, text: &JsString, into: &mut [u8]) -> Encoded;

    type Encoded;
    /// UTF-16 units read.
    #[wasm_bindgen(method, getter)]
    fn read(this: &Encoded) -> u32;
    /// Bytes written.
    #[wasm_bindgen(method, getter)]
    fn written(this: &Encoded) -> u32;
}

thread_local! {
    static ENCODER: TextEncoder = TextEncoder::new();
}

/// The most bytes that a UTF-16 unit can take.
const WIDEST: usize = 3;

/// The text as UTF-8, U+FFFD for each half of a character that stands alone.
///
/// The host encodes a long text at once and right into our memory, where wasm-bindgen's own way walks over it unit by unit in
/// JavaScript: that took as long as lexing.
///
/// # Errors
/// When it is no text: JavaScript hands over anything.
pub(crate) fn utf8(text: &JsString) -> Result<String, JsError> {
    // Asked for its length, something else throws past our own clean-up.
    if !text.is_string() {
        return Err(JsError::new("the text is no string"));
    }
    let units = text.length();
    // Most scripts are ASCII: one byte a unit.
    let mut bytes = vec![0; units as usize];
    ENCODER.with(|encoder| {
        let encoded = encoder.encode_into(text, &mut bytes);
        let (read, mut written) = (encoded.read(), encoded.written() as usize);
        if read < units {
            bytes.resize(written + (units - read) as usize * WIDEST, 0);
            let rest = text.slice(read, units);
            written += encoder.encode_into(&rest, &mut bytes[written..]).written() as usize;
        }
        bytes.truncate(written);
    });
    // An encoder gives nothing but UTF-8.
    Ok(String::from_utf8(bytes).unwrap_or_default())
}
