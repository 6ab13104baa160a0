//! Identity formats: the strftime specifiers that the engine and this crate write alike, and
//! whether a format tells the slices of a grain apart.

use jiff::civil::DateTime;
use jiff::fmt::strtime::BrokenDownTime;

use crate::script::Grain;

/// What is wrong with a partition format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatProblem {
    /// A `%` at the end.
    #[error("the format ends in a lone `%`")]
    Dangling,
    /// A specifier that is not in the list that both sides format alike.
    #[error("the format has `{0}`, which is not one of {SUPPORTED}")]
    Unsupported(String),
    /// Two slices would get one identity.
    #[error("the format does not tell {0} slices apart: it has no {1}")]
    Ambiguous(&'static str, &'static str),
    /// Rows of one slice would get several identities.
    #[error("the format has `{1}`, which changes within one {0} slice")]
    TooFine(&'static str, String),
    /// Calendar year with ISO week, or ISO year with calendar fields.
    #[error("the format mixes `{0}` and `{1}`, which disagree around New Year")]
    MixedYears(&'static str, &'static str),
    /// A number of varying width touches another digit.
    #[error("the format has `{0}`, whose width varies, directly before another digit")]
    Touching(String),
}

/// The supported specifiers, for messages.
pub const SUPPORTED: &str = "%Y %m %d %H %j %G %V %u %a %A %b %B %I %p %-m %-d %-H %-I %-j %%";

/// One piece of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    /// `%Y` or `%-d`, as written.
    Field { name: char, padded: bool },
    /// Anything else.
    Text(char),
}

fn items(format: &str) -> Result<Vec<Item>, FormatProblem> {
    let mut items = Vec::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            items.push(Item::Text(c));
            continue;
        }
        match chars.next() {
            None => return Err(FormatProblem::Dangling),
            Some('%') => items.push(Item::Text('%')),
            Some('-') => match chars.next() {
                Some(name @ ('m' | 'd' | 'H' | 'I' | 'j')) => items.push(Item::Field {
                    name,
                    padded: false,
                }),
                Some(name) => return Err(FormatProblem::Unsupported(format!("%-{name}"))),
                None => return Err(FormatProblem::Dangling),
            },
            Some(name) if "YmdHjGVuaAbBIp".contains(name) => {
                items.push(Item::Field { name, padded: true })
            }
            Some(name) => return Err(FormatProblem::Unsupported(format!("%{name}"))),
        }
    }
    Ok(items)
}

/// Whether `format` gives each slice of `grain` one identity and no two slices the same.
///
/// # Errors
/// The first [`FormatProblem`] found.
pub fn check(format: &str, grain: Grain) -> Result<(), FormatProblem> {
    let items = items(format)?;
    let has = |names: &str| {
        items
            .iter()
            .any(|item| matches!(item, Item::Field { name, .. } if names.contains(*name)))
    };
    let too_fine = |names: &str| {
        items.iter().find_map(|item| match item {
            Item::Field { name, .. } if names.contains(*name) => {
                Some(FormatProblem::TooFine(grain.as_str(), format!("%{name}")))
            }
            Item::Field { .. } | Item::Text(_) => None,
        })
    };
    let fine = match grain {
        Grain::Hourly => None,
        Grain::Daily => too_fine("HIp"),
        Grain::Weekly => too_fine("HIpduaAj").or_else(|| too_fine("mbB")),
        Grain::Monthly => too_fine("HIpduaAjV"),
    };
    if let Some(problem) = fine {
        return Err(problem);
    }
    if has("Y") && has("V") {
        return Err(FormatProblem::MixedYears("%Y", "%V"));
    }
    if has("G") && !has("V") {
        return Err(FormatProblem::MixedYears("%G", "calendar dates"));
    }
    let missing = |what| FormatProblem::Ambiguous(grain.as_str(), what);
    if !has("Y") && !has("G") {
        return Err(missing("year (`%Y`, or `%G` with ISO weeks)"));
    }
    let month = has("mbB") || has("j");
    let week = has("G") && has("V");
    let day = (has("mbB") && has("d")) || has("j") || (week && has("uaA"));
    match grain {
        Grain::Monthly if !month => return Err(missing("month (`%m`)")),
        Grain::Weekly if !week => return Err(missing("ISO week (`%G-W%V`)")),
        Grain::Daily | Grain::Hourly if !day => return Err(missing("day (`%d`)")),
        Grain::Hourly if !(has("H") || (has("I") && has("p"))) => {
            return Err(missing("hour (`%H`)"));
        }
        Grain::Monthly | Grain::Weekly | Grain::Daily | Grain::Hourly => {}
    }
    for pair in items.windows(2) {
        if let [
            Item::Field {
                name,
                padded: false,
            },
            next,
        ] = pair
        {
            let digit = match next {
                Item::Field { name, .. } => !"aAbBp".contains(*name),
                Item::Text(c) => c.is_ascii_digit(),
            };
            if digit {
                return Err(FormatProblem::Touching(format!("%-{name}")));
            }
        }
    }
    Ok(())
}

/// `at` in a format that [`check`] accepts; `None` for any other format.
pub(super) fn write(format: &str, at: DateTime) -> Option<String> {
    jiff::fmt::strtime::format(format, at).ok()
}

/// The civil time that `value` names in `format`, fields that the format lacks being the first of
/// their kind (hour 0, day 1, Monday).
pub(super) fn read(format: &str, grain: Grain, value: &str) -> Option<DateTime> {
    let mut parts = BrokenDownTime::parse(format, value).ok()?;
    match grain {
        Grain::Weekly => parts.set_weekday(Some(jiff::civil::Weekday::Monday)),
        Grain::Monthly if parts.day().is_none() => parts.set_day(Some(1)).ok()?,
        Grain::Monthly | Grain::Daily | Grain::Hourly => {}
    }
    let date = parts.to_date().ok()?;
    let hour = parts.hour().unwrap_or(0);
    Some(date.at(hour, 0, 0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_formats_are_sound() {
        for grain in [Grain::Hourly, Grain::Daily, Grain::Weekly, Grain::Monthly] {
            assert_eq!(check(grain.default_format(), grain), Ok(()));
        }
    }

    #[test]
    fn formats_that_merge_or_split_slices_are_refused() {
        for (format, grain) in [
            ("%Y-%m", Grain::Daily),
            ("%m-%d", Grain::Daily),
            ("%Y-W%V", Grain::Weekly),
            ("%Y-%m-%d", Grain::Monthly),
            ("%Y-%m-%d", Grain::Hourly),
            ("%Y-%m-%dT%I", Grain::Hourly),
            ("%Y-%m-%dT%H", Grain::Daily),
            ("%Y-%-m%-d", Grain::Daily),
            ("%y-%m-%d", Grain::Daily),
            ("%G-%m-%d", Grain::Daily),
            ("%", Grain::Daily),
            ("", Grain::Daily),
        ] {
            assert!(check(format, grain).is_err(), "{format} {grain:?}");
        }
        for (format, grain) in [
            ("%Y%m%d", Grain::Daily),
            ("%d.%m.%Y", Grain::Daily),
            ("%Y/%j", Grain::Daily),
            ("%G-W%V-%u", Grain::Daily),
            ("%b %Y", Grain::Monthly),
            ("%Y-%m-%d %I%p", Grain::Hourly),
            ("%-d-%-m-%Y", Grain::Daily),
        ] {
            assert_eq!(check(format, grain), Ok(()), "{format}");
        }
    }
}
