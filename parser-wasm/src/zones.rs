//! Time zones, as the browser or Node knows them.

use js_sys::{Date, Object, Reflect};
use parser_core::validate::Zones;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// `Intl.DateTimeFormat`; its constructor throws for a zone that it does not know.
    #[wasm_bindgen(js_namespace = Intl, js_name = DateTimeFormat)]
    type DateTimeFormat;

    #[wasm_bindgen(constructor, catch, js_namespace = Intl, js_class = "DateTimeFormat")]
    fn new(locale: &str, options: &Object) -> Result<DateTimeFormat, JsValue>;

    #[wasm_bindgen(method)]
    fn format(this: &DateTimeFormat, milliseconds: f64) -> String;
}

/// The zone database of the JavaScript host.
pub(crate) struct HostZones;

/// The years in which a clock that is set back counts.
const YEARS: std::ops::RangeInclusive<u32> = 2018..=2037;

impl Zones for HostZones {
    fn is_known(&self, name: &str) -> bool {
        formatter(name).is_some()
    }

    /// Compares the distance to UTC from month to month. Every change of summer time shows, the shortest being Morocco's
    /// pause of a month.
    fn has_fold(&self, name: &str) -> bool {
        let Some(formatter) = formatter(name) else {
            return false;
        };
        let mut before = i32::MIN;
        for year in YEARS {
            for month in 0..12 {
                let first = Date::utc(f64::from(year), f64::from(month));
                let offset = offset_minutes(&formatter.format(first));
                if offset < before {
                    return true;
                }
                before = offset;
            }
        }
        false
    }
}

fn formatter(name: &str) -> Option<DateTimeFormat> {
    // Newer hosts also take a bare distance to UTC, which is no zone.
    if name.starts_with(['+', '-']) {
        return None;
    }
    let options = Object::new();
    for (option, value) in [("timeZone", name), ("timeZoneName", "longOffset")] {
        Reflect::set(&options, &option.into(), &value.into()).ok()?;
    }
    DateTimeFormat::new("en-US", &options).ok()
}

/// The distance to UTC at the end of `1/1/2026, GMT-05:00`; plain `GMT` is none.
fn offset_minutes(formatted: &str) -> i32 {
    let mut sign = 1;
    let mut numbers = [0; 2];
    let mut at = 0;
    for byte in formatted.bytes() {
        match byte {
            b'T' => (sign, numbers, at) = (1, [0; 2], 0),
            b'-' => sign = -1,
            b':' => at = 1,
            b'0'..=b'9' => numbers[at] = numbers[at] * 10 + i32::from(byte - b'0'),
            _ => {}
        }
    }
    let [hours, minutes] = numbers;
    sign * (hours * 60 + minutes)
}

#[cfg(test)]
mod tests {
    use super::offset_minutes;

    #[test]
    fn reads_the_offset() {
        assert_eq!(offset_minutes("1/1/2026, GMT-05:00"), -300);
        assert_eq!(offset_minutes("1/1/2026, GMT+05:45"), 345);
        assert_eq!(offset_minutes("1/1/2026, GMT"), 0);
    }
}
