//! The parser for JavaScript: wire objects across wasm-bindgen, no rule of its own.
//!
//! What a function returns has the same JSON text as the native wire form, byte for byte:
//! `JSON.stringify(parse(text, { lineage: true }))` is what `lakemill parse` prints. The corpus holds both to it.

mod text;
mod value;
mod zones;

use std::fmt;

use js_sys::{JSON, JsString, Uint32Array};
use parser_core::wire::value::{Read, Value};
use parser_core::wire::{
    self, CompletionContext, Fix, ParseOptions, PlanOptions, PlanReply, ScriptFile,
};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::text::utf8;
use crate::zones::HostZones;

#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// Parses a script: its typed annotations and statements, with what is malformed in it.
///
/// # Errors
/// When the options are malformed.
#[wasm_bindgen(unchecked_return_type = "Parsed")]
pub fn parse(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsString,
    #[wasm_bindgen(unchecked_optional_param_type = "ParseOptions")] options: &JsValue,
) -> Result<JsValue, JsError> {
    parsed(&wire::parse_to_json(&utf8(text)?, &parse_options(options)?))
}

/// Parses a script and checks it against the rules of a run, with the time zones that this host knows.
///
/// # Errors
/// When the options are malformed.
#[wasm_bindgen(unchecked_return_type = "Parsed")]
pub fn validate(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsString,
    #[wasm_bindgen(unchecked_optional_param_type = "ParseOptions")] options: &JsValue,
) -> Result<JsValue, JsError> {
    let options = parse_options(options)?;
    parsed(&wire::validate_to_json(&utf8(text)?, &HostZones, &options))
}

/// Plans a script: the statements that a run would execute, stage by stage, or why there are none.
///
/// # Errors
/// When the options are malformed.
#[wasm_bindgen(unchecked_return_type = "PlanReply")]
pub fn plan(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsString,
    #[wasm_bindgen(unchecked_optional_param_type = "PlanOptions")] options: &JsValue,
) -> Result<JsValue, JsError> {
    object(&planned(text, options)?)
}

/// Plans a script and renders all stages as one SQL text; empty when there is no plan.
///
/// # Errors
/// When the options are malformed.
#[wasm_bindgen(js_name = planSql, unchecked_return_type = "string")]
pub fn plan_sql(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsString,
    #[wasm_bindgen(unchecked_optional_param_type = "PlanOptions")] options: &JsValue,
) -> Result<JsValue, JsError> {
    Ok(JsValue::from_str(&planned(text, options)?.sql()))
}

/// What may be written at an offset in UTF-16 units, the likeliest first.
///
/// # Errors
/// When the context is malformed.
#[wasm_bindgen(unchecked_return_type = "Completion[]")]
pub fn complete(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsString,
    offset: usize,
    #[wasm_bindgen(unchecked_optional_param_type = "Partial<CompletionContext>")] context: &JsValue,
) -> Result<JsValue, JsError> {
    let context: CompletionContext = read("completion context", context)?.unwrap_or_default();
    object(&wire::complete_to_wire(&utf8(text)?, offset, context))
}

/// What is to say about an offset in UTF-16 units: findings there, and the meaning of what stands there.
///
/// # Errors
/// None for any text; the type is that of the boundary.
#[wasm_bindgen(unchecked_return_type = "Hover | undefined")]
pub fn hover(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsString,
    offset: usize,
) -> Result<JsValue, JsError> {
    match wire::hover_to_wire(&utf8(text)?, offset, &HostZones) {
        Some(found) => object(&found),
        None => Ok(JsValue::UNDEFINED),
    }
}

/// What is to say about the column at an offset in UTF-16 units: what it is computed from, with the types that the context
/// knows. In `@lakemill/parser/lineage`.
///
/// # Errors
/// When the context is malformed.
#[cfg(feature = "lineage")]
#[wasm_bindgen(js_name = hoverColumn, unchecked_return_type = "Hover | undefined")]
pub fn hover_column(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsString,
    offset: usize,
    #[wasm_bindgen(unchecked_optional_param_type = "Partial<CompletionContext>")] context: &JsValue,
) -> Result<JsValue, JsError> {
    let context: CompletionContext = read("completion context", context)?.unwrap_or_default();
    match wire::hover_column_to_wire(&utf8(text)?, offset, context) {
        Some(found) => small_object(&found),
        None => Ok(JsValue::UNDEFINED),
    }
}

/// Where the name at an offset in UTF-16 units is defined in the script: a common table, a temp table, an alias of a table, a
/// column or a database, a macro, a window. In `@lakemill/parser/lineage`.
///
/// # Errors
/// None for any text; the type is that of the boundary.
#[cfg(feature = "lineage")]
#[wasm_bindgen(unchecked_return_type = "Range | undefined")]
pub fn definition(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsString,
    offset: usize,
) -> Result<JsValue, JsError> {
    match wire::definition_to_wire(&utf8(text)?, offset) {
        Some(range) => small_object(&range),
        None => Ok(JsValue::UNDEFINED),
    }
}

/// The semantic tokens of a script, three numbers each: first UTF-16 unit, length in UTF-16 units, and the index of its
/// class in `tokenClasses()`. In text order, none across lines.
///
/// # Errors
/// When the text is no string.
#[wasm_bindgen(js_name = semanticTokens, unchecked_return_type = "Uint32Array")]
pub fn semantic_tokens(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsString,
) -> Result<JsValue, JsError> {
    let tokens = wire::semantic_tokens_to_wire(&utf8(text)?);
    Ok(Uint32Array::new_from_slice(&tokens).into())
}

/// Names of the classes of semantic tokens.
///
/// # Errors
/// None; the type is that of the boundary.
#[wasm_bindgen(js_name = tokenClasses, unchecked_return_type = "string[]")]
pub fn token_classes() -> Result<JsValue, JsError> {
    object(&wire::token_classes())
}

/// The graph of a set of scripts: who writes, reads and tests what, the order of a run, and cycles.
///
/// # Errors
/// When the files are malformed.
#[wasm_bindgen(unchecked_return_type = "ProjectGraph")]
pub fn graph(
    #[wasm_bindgen(unchecked_param_type = "ScriptFile[]")] files: &JsValue,
) -> Result<JsValue, JsError> {
    let files: Vec<ScriptFile> = read("files", files)?.unwrap_or_default();
    object(&wire::graph_to_wire(&files))
}

/// The text with the edits of a diagnostic's fix, which was found in this very text.
///
/// # Errors
/// When the fix is malformed.
#[wasm_bindgen(js_name = applyFix, unchecked_return_type = "string")]
pub fn apply_fix(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsString,
    #[wasm_bindgen(unchecked_param_type = "Fix")] fix: &JsValue,
) -> Result<JsValue, JsError> {
    let fix: Option<Fix> = read("fix", fix)?;
    let text = utf8(text)?;
    Ok(JsValue::from_str(&match fix {
        Some(fix) => wire::apply_fix(&text, &fix),
        None => text,
    }))
}

/// The version of the parser, which is also the version of the npm package.
///
/// # Errors
/// None; the type is that of the boundary.
#[wasm_bindgen(unchecked_return_type = "string")]
pub fn version() -> Result<JsValue, JsError> {
    Ok(JsValue::from_str(env!("CARGO_PKG_VERSION")))
}

/// Nothing else asks for lineage, so that without the feature its code is not in the module.
#[inline(always)]
fn parse_options(options: &JsValue) -> Result<ParseOptions, JsError> {
    let options: ParseOptions = read("parse options", options)?.unwrap_or_default();
    if options.lineage && !cfg!(feature = "lineage") {
        return Err(JsError::new(
            "parse options: column lineage is in `@lakemill/parser/lineage`",
        ));
    }
    Ok(ParseOptions {
        lineage: cfg!(feature = "lineage") && options.lineage,
    })
}

fn planned(text: &JsString, options: &JsValue) -> Result<PlanReply, JsError> {
    let options: PlanOptions = read("plan options", options)?.unwrap_or_default();
    Ok(wire::plan_to_wire(&utf8(text)?, &options))
}

/// What `value` says; nothing for `undefined` and `null`.
fn read<T: Read>(what: &str, value: &JsValue) -> Result<Option<T>, JsError> {
    let Some(plain) = plain(what, value)? else {
        return Ok(None);
    };
    match plain.into() {
        Ok(read) => Ok(Some(read)),
        Err(misread) => Err(refused(what, &misread)),
    }
}

/// Through JSON text and back, which leaves plain objects without what is `undefined` or a function. Nothing for `undefined`
/// and `null`.
#[inline(never)]
fn plain(what: &str, value: &JsValue) -> Result<Option<Value>, JsError> {
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    let text = JSON::stringify(value).ok().filter(|text| text.is_string());
    match text.and_then(|text| JSON::parse(&String::from(text)).ok()) {
        Some(plain) => Ok(Some(value::plain(&plain))),
        // Also for a symbol and a function, of which JSON makes nothing.
        None => Err(refused(what, &"not a plain object")),
    }
}

#[inline(never)]
fn refused(what: &str, why: &dyn fmt::Display) -> JsError {
    JsError::new(&[what, ": ", &why.to_string()].concat())
}

/// As a plain object that is filled member by member: for few members, and none whose name comes from a script.
#[cfg(feature = "lineage")]
fn small_object(value: &impl Serialize) -> Result<JsValue, JsError> {
    Ok(value.serialize(&serde_wasm_bindgen::Serializer::json_compatible())?)
}

/// As a plain object, through the JSON text of the native wire form: an object that is filled member by member would lose
/// one of the name `__proto__`.
fn object(value: &impl Serialize) -> Result<JsValue, JsError> {
    parsed(&wire::json::text(value))
}

fn parsed(json: &str) -> Result<JsValue, JsError> {
    // It is JSON always, and a JavaScript text has at most 2^29 characters, or somewhat more.
    JSON::parse(json).map_err(|_| JsError::new("the answer is too long for JavaScript"))
}
