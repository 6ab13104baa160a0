//! What JavaScript hands over.

use js_sys::{Array, Object};
use parser_core::wire::value::Value;
use wasm_bindgen::{JsCast, JsValue};

/// `plain`, which came out of `JSON.parse`, as a value of ours.
pub(crate) fn plain(plain: &JsValue) -> Value {
    if let Some(text) = plain.as_string() {
        Value::Text(text)
    } else if let Some(number) = plain.as_f64() {
        Value::Number(number)
    } else if let Some(flag) = plain.as_bool() {
        Value::Bool(flag)
    } else if plain.is_null() {
        Value::Null
    } else if let Some(list) = plain.dyn_ref::<Array>() {
        Value::List(list.iter().map(|item| self::plain(&item)).collect())
    } else {
        let members = Object::entries(plain.unchecked_ref());
        Value::Object(members.iter().filter_map(|member| entry(&member)).collect())
    }
}

/// `[name, value]`
fn entry(member: &JsValue) -> Option<(String, Value)> {
    let pair = member.dyn_ref::<Array>()?;
    Some((pair.get(0).as_string()?, plain(&pair.get(1))))
}
