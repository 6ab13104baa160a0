//! The parser for JavaScript: wire objects across wasm-bindgen, no rule of its own.
//!
//! What a function returns has the same JSON text as the native wire form, byte for byte: `JSON.stringify(parse(text))` is
//! what `lakemill parse` prints. The corpus holds both to it.

mod zones;

use parser_core::wire::{self, PlanOptions, PlanReply};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::zones::HostZones;

/// Parses a script: its typed annotations and statements, with what is malformed in it.
///
/// # Errors
/// None for any text; the type is that of the boundary.
#[wasm_bindgen(unchecked_return_type = "Parsed")]
pub fn parse(text: &str) -> Result<JsValue, JsError> {
    object(&wire::parse_to_wire(text))
}

/// Parses a script and checks it against the rules of a run, with the time zones that this host knows.
///
/// # Errors
/// None for any text; the type is that of the boundary.
#[wasm_bindgen(unchecked_return_type = "Parsed")]
pub fn validate(text: &str) -> Result<JsValue, JsError> {
    object(&wire::validate_to_wire(text, &HostZones))
}

/// Plans a script: the statements that a run would execute, stage by stage, or why there are none.
///
/// # Errors
/// When the options are malformed.
#[wasm_bindgen(unchecked_return_type = "PlanReply")]
pub fn plan(
    text: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "PlanOptions")] options: JsValue,
) -> Result<JsValue, JsError> {
    object(&planned(text, options)?)
}

/// Plans a script and renders all stages as one SQL text; empty when there is no plan.
///
/// # Errors
/// When the options are malformed.
#[wasm_bindgen(js_name = planSql)]
pub fn plan_sql(
    text: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "PlanOptions")] options: JsValue,
) -> Result<String, JsError> {
    Ok(planned(text, options)?.sql())
}

/// The version of the parser, which is also the version of the npm package.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

fn planned(text: &str, options: JsValue) -> Result<PlanReply, JsError> {
    Ok(wire::plan_to_wire(text, &plan_options(options)?))
}

/// Through JSON text, so that an unknown key is refused as it is natively: reading the object itself would only look for
/// the known ones.
fn plan_options(options: JsValue) -> Result<PlanOptions, JsError> {
    if options.is_undefined() || options.is_null() {
        return Ok(PlanOptions::default());
    }
    let malformed = |reason: &str| JsError::new(&format!("plan options: {reason}"));
    let json = js_sys::JSON::stringify(&options).map_err(|_| malformed("not a plain object"))?;
    serde_json::from_str(&String::from(json)).map_err(|error| malformed(&error.to_string()))
}

/// Maps become objects and nothing becomes a `Map`, `undefined` or a big integer: the object is what `JSON.parse` would
/// make of the native text.
fn object(value: &impl Serialize) -> Result<JsValue, JsError> {
    Ok(value.serialize(&Serializer::json_compatible())?)
}
