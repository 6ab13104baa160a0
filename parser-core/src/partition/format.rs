//! Identity formats: the strftime specifiers that the engine and this crate write alike, and
//! whether a format tells the slices of a grain apart.

use time::{Date, Month, PrimitiveDateTime, Time, Weekday};

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

const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// Letters of a shortened name.
const SHORT: usize = 3;

/// `at` in a format that [`check`] accepts; `None` for any other format.
pub(super) fn write(format: &str, at: PrimitiveDateTime) -> Option<String> {
    let (iso_year, iso_week, weekday) = at.date().to_iso_week_date();
    let day = DAYS[usize::from(weekday.number_days_from_monday())];
    let month = MONTHS[usize::from(u8::from(at.month())) - 1];
    let hour12 = match at.hour() % 12 {
        0 => 12,
        hour => hour,
    };
    let mut text = String::new();
    for item in items(format).ok()? {
        let (name, padded) = match item {
            Item::Text(c) => {
                text.push(c);
                continue;
            }
            Item::Field { name, padded } => (name, padded),
        };
        let (number, width) = match name {
            'Y' => (at.year(), 4),
            'G' => (iso_year, 4),
            'm' => (u8::from(at.month()).into(), 2),
            'd' => (at.day().into(), 2),
            'H' => (at.hour().into(), 2),
            'I' => (hour12.into(), 2),
            'V' => (iso_week.into(), 2),
            'j' => (at.ordinal().into(), 3),
            'u' => (weekday.number_from_monday().into(), 1),
            'a' | 'A' | 'b' | 'B' | 'p' => {
                text.push_str(match name {
                    'a' => &day[..SHORT],
                    'A' => day,
                    'b' => &month[..SHORT],
                    'B' => month,
                    _ if at.hour() < 12 => "AM",
                    _ => "PM",
                });
                continue;
            }
            _ => return None,
        };
        let width = if padded { width } else { 0 };
        text.push_str(&format!("{number:0width$}"));
    }
    Some(text)
}

/// The fields that a value names.
#[derive(Default)]
struct Fields {
    year: Option<i32>,
    iso_year: Option<i32>,
    month: Option<u8>,
    day: Option<u8>,
    ordinal: Option<u16>,
    week: Option<u8>,
    weekday: Option<Weekday>,
    hour: Option<u8>,
    hour12: Option<u8>,
    afternoon: Option<bool>,
}

/// The civil time that `value` names in `format`, fields that the format lacks being the first of
/// their kind (hour 0, day 1, Monday). Fields that contradict each other are the caller's to find,
/// by writing the result again.
pub(super) fn read(format: &str, value: &str) -> Option<PrimitiveDateTime> {
    let mut rest = value;
    let mut fields = Fields::default();
    for item in items(format).ok()? {
        rest = match item {
            Item::Text(c) => rest.strip_prefix(c)?,
            Item::Field { name, padded } => field(&mut fields, name, padded, rest)?,
        };
    }
    if !rest.is_empty() {
        return None;
    }
    let date = if let (Some(year), Some(week)) = (fields.iso_year, fields.week) {
        Date::from_iso_week_date(year, week, fields.weekday.unwrap_or(Weekday::Monday)).ok()?
    } else if let Some(ordinal) = fields.ordinal {
        Date::from_ordinal_date(fields.year?, ordinal).ok()?
    } else {
        let month = Month::try_from(fields.month?).ok()?;
        Date::from_calendar_date(fields.year?, month, fields.day.unwrap_or(1)).ok()?
    };
    let hour = match (fields.hour, fields.hour12, fields.afternoon) {
        (Some(hour), _, _) => hour,
        (None, Some(hour), Some(afternoon)) => hour % 12 + if afternoon { 12 } else { 0 },
        (None, _, _) => 0,
    };
    Some(date.with_time(Time::from_hms(hour, 0, 0).ok()?))
}

/// Reads one field from the start of `text`; gives what follows it.
fn field<'a>(fields: &mut Fields, name: char, padded: bool, text: &'a str) -> Option<&'a str> {
    let named = |names: &[&str], length: fn(&str) -> usize| {
        names
            .iter()
            .position(|full| text.starts_with(&full[..length(full)]))
            .map(|at| (at, &text[length(names[at])..]))
    };
    let short: fn(&str) -> usize = |_| SHORT;
    let weekday = |at: usize| u8::try_from(at).ok().map(|at| Weekday::Monday.nth_next(at));
    match name {
        'a' | 'A' => {
            let (at, rest) = named(&DAYS, if name == 'a' { short } else { str::len })?;
            fields.weekday = Some(weekday(at)?);
            return Some(rest);
        }
        'b' | 'B' => {
            let (at, rest) = named(&MONTHS, if name == 'b' { short } else { str::len })?;
            fields.month = u8::try_from(at + 1).ok();
            return Some(rest);
        }
        'p' => {
            let (at, rest) = named(&["AM", "PM"], str::len)?;
            fields.afternoon = Some(at == 1);
            return Some(rest);
        }
        _ => {}
    }
    let width = match name {
        'Y' | 'G' => 4,
        'j' => 3,
        'u' => 1,
        _ => 2,
    };
    let digits = text
        .bytes()
        .take(width)
        .take_while(u8::is_ascii_digit)
        .count();
    if digits == 0 || (padded && digits < width) {
        return None;
    }
    let (number, rest) = text.split_at(digits);
    let number = u16::try_from(number.parse::<u64>().ok()?).ok()?;
    let small = u8::try_from(number).ok();
    match name {
        'Y' => fields.year = Some(number.into()),
        'G' => fields.iso_year = Some(number.into()),
        'm' => fields.month = Some(small?),
        'd' => fields.day = Some(small?),
        'j' => fields.ordinal = Some(number),
        'V' => fields.week = Some(small?),
        'u' if (1..=7).contains(&number) => fields.weekday = weekday(usize::from(number) - 1),
        'H' => fields.hour = Some(small?),
        'I' => fields.hour12 = Some(small?),
        _ => return None,
    }
    Some(rest)
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
