//! Which types a column of a DuckLake may take without losing a value. A HUGEINT is stored as DOUBLE.

/// Bits and decimal digits of an integer type, and whether it has a sign.
struct Integer {
    bits: u64,
    digits: u64,
    is_signed: bool,
}

/// Whether every value of the type `from` is one of the type `to` in a DuckLake. Types as the engine spells them. (A DATE after the
/// year 294246 is no TIMESTAMP: the engine then says so.)
#[must_use]
pub fn widens(from: &str, to: &str) -> bool {
    if let (Some(from), Some(to)) = (from.strip_suffix("[]"), to.strip_suffix("[]")) {
        return widens(from, to);
    }
    if let Some(from) = integer(from) {
        if let Some((width, scale)) = decimal(to) {
            return width >= scale + from.digits;
        }
        if let Some(to) = integer(to) {
            return to.bits > from.bits && (to.is_signed || !from.is_signed);
        }
        return match to {
            "FLOAT" => from.bits <= 24,
            "DOUBLE" | "HUGEINT" => from.bits <= 53,
            "UHUGEINT" => from.bits <= 53 && !from.is_signed,
            _ => false,
        };
    }
    if let (Some((width, scale)), Some((to_width, to_scale))) = (decimal(from), decimal(to)) {
        return to_scale >= scale && to_width - to_scale >= width - scale && from != to;
    }
    matches!(
        (from, to),
        ("FLOAT", "DOUBLE")
            | ("DATE" | "TIMESTAMP_MS", "TIMESTAMP")
            | ("TIMESTAMP_S", "TIMESTAMP_MS" | "TIMESTAMP")
    )
}

fn integer(name: &str) -> Option<Integer> {
    let (name, is_signed) = match name.strip_prefix('U') {
        Some(name) => (name, false),
        None => (name, true),
    };
    let (bits, digits) = match name {
        "TINYINT" => (8, 3),
        "SMALLINT" => (16, 5),
        "INTEGER" => (32, 10),
        "BIGINT" => (64, if is_signed { 19 } else { 20 }),
        _ => return None,
    };
    Some(Integer {
        bits: bits - u64::from(is_signed),
        digits,
        is_signed,
    })
}

/// Width and scale of `DECIMAL(18,3)`.
fn decimal(name: &str) -> Option<(u64, u64)> {
    let (width, scale) = name
        .strip_prefix("DECIMAL(")?
        .strip_suffix(')')?
        .split_once(',')?;
    Some((width.parse().ok()?, scale.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::widens;

    #[test]
    fn a_wider_type_holds_every_value() {
        for (from, to) in [
            ("UTINYINT", "SMALLINT"),
            ("INTEGER", "BIGINT"),
            ("INTEGER", "DOUBLE"),
            ("UINTEGER", "UHUGEINT"),
            ("BIGINT", "DECIMAL(19,0)"),
            ("DECIMAL(9,2)", "DECIMAL(18,3)"),
            ("INTEGER[]", "BIGINT[]"),
            ("TIMESTAMP_S", "TIMESTAMP"),
            ("DATE", "TIMESTAMP"),
            ("FLOAT", "DOUBLE"),
        ] {
            assert!(widens(from, to), "{from} to {to}");
            assert!(!widens(to, from), "{to} to {from}");
        }
        for (from, to) in [
            ("TINYINT", "USMALLINT"),
            ("INTEGER", "INTEGER"),
            ("BIGINT", "UBIGINT"),
            ("BIGINT", "DOUBLE"),
            ("BIGINT", "HUGEINT"),
            ("INTEGER", "FLOAT"),
            ("INTEGER", "DECIMAL(10,1)"),
            ("DECIMAL(9,2)", "DECIMAL(9,3)"),
            ("TIMESTAMP", "TIMESTAMP WITH TIME ZONE"),
            ("INTEGER", "VARCHAR"),
            ("INTEGER[]", "BIGINT"),
        ] {
            assert!(!widens(from, to), "{from} to {to}");
        }
    }
}
