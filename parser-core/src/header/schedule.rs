//! Annotations of one value: `use`, `freshness`, `debounce`, `trigger`, `tag`, `retry`.

use super::annotation::{Comment, dropped};
use super::keyword::Keyword;
use super::options::{Accepted, Options, shortened};
use super::piece::Piece;
use super::spelling::nearest;
use crate::diagnostic::{Code, Diagnostic};
use crate::script::{DurationText, Join, Retry};

/// Longest worker tag, in UTF-8 bytes.
const TAG_MAX_BYTES: usize = 50;

/// `use <path>`: one token with a `/`.
pub(super) fn library(comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<String> {
    let (path, more) = comment.rest.word();
    if path.text().contains('/') && more.is_empty() {
        return Some(path.text().to_owned());
    }
    out.push(dropped(
        Code::LM006,
        Keyword::Use,
        comment.span,
        "a macro library is one path with a `/`",
    ));
    None
}

/// Reads a duration; what is none is diagnosed and counts as absent.
pub(super) fn duration_or_report(
    text: Piece<'_>,
    out: &mut Vec<Diagnostic>,
) -> Option<DurationText> {
    let found = DurationText::parse(text.text());
    if found.is_none() {
        let found = Diagnostic::new(
            Code::LM007,
            text.span(),
            format!(
                "`{}` is no duration and counts as absent",
                shortened(text.text())
            ),
        )
        .hint("write a number with `s`, `m`, `h` or `d` directly behind it, such as `90s` or `1h`");
        out.push(match spelled_out(text.text()) {
            Some(short) => found.change(text.span(), &short),
            None => found,
        });
    }
    found
}

/// `5min`, `2Hours`: the duration with its unit in one letter.
fn spelled_out(text: &str) -> Option<String> {
    const UNITS: [&str; 4] = ["seconds", "minutes", "hours", "days"];
    const ABBREVIATIONS: [&str; 6] = ["sec", "secs", "min", "mins", "hr", "hrs"];
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
    let unit = unit.to_ascii_lowercase();
    let is_unit = unit.len() == 1
        || ABBREVIATIONS.contains(&unit.as_str())
        || UNITS
            .iter()
            .any(|name| *name == unit || name.strip_suffix('s') == Some(&unit));
    let short = format!("{digits}{}", unit.get(..1)?);
    (is_unit && DurationText::parse(&short).is_some()).then_some(short)
}

/// `freshness <duration>` and `debounce <duration>`
pub(super) fn duration_line(
    keyword: Keyword,
    comment: Comment<'_>,
    out: &mut Vec<Diagnostic>,
) -> Option<DurationText> {
    let (text, more) = comment.rest.word();
    if text.is_empty() {
        out.push(dropped(
            Code::LM006,
            keyword,
            comment.span,
            "the duration is missing",
        ));
        return None;
    }
    // `1 h`: the unit belongs to the number.
    let unit = more.text();
    if matches!(unit, "s" | "m" | "h" | "d")
        && DurationText::parse(text.text()).is_some_and(|found| text.text() == digits(&found))
    {
        let joined = format!("{}{unit}", text.text());
        out.push(
            Diagnostic::new(
                Code::LM007,
                comment.rest.span(),
                format!(
                    "`{}` is no duration and counts as absent",
                    comment.rest.text()
                ),
            )
            .hint(format!("write `{joined}`"))
            .fix("Remove the space", comment.rest.span(), joined),
        );
        return None;
    }
    let found = duration_or_report(text, out)?;
    Options::read(comment, more, &Accepted::NOTHING, out);
    Some(found)
}

fn digits(found: &DurationText) -> &str {
    found.text.trim_end_matches(['s', 'm', 'h', 'd'])
}

/// `trigger all|any`
pub(super) fn join(comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<Join> {
    let (word, more) = comment.rest.word();
    let join = match word.text() {
        "all" => Join::All,
        "any" => Join::Any,
        other => {
            let found = dropped(
                Code::LM006,
                Keyword::Trigger,
                comment.span,
                "inputs join with `all` or `any`",
            );
            out.push(match nearest(other, &["all", "any"]) {
                Some(near) => found.change(word.span(), near),
                None => found,
            });
            return None;
        }
    };
    Options::read(comment, more, &Accepted::NOTHING, out);
    Some(join)
}

/// `tag <x>`: one word of at most 50 bytes.
pub(super) fn tag(comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<String> {
    let (word, more) = comment.rest.word();
    let why = if word.is_empty() {
        "the worker tag is missing".to_owned()
    } else if !more.is_empty() {
        "a worker tag is one word".to_owned()
    } else if word.text().len() > TAG_MAX_BYTES {
        format!("the worker tag is longer than {TAG_MAX_BYTES} bytes")
    } else {
        return Some(word.text().to_owned());
    };
    out.push(dropped(Code::LM006, Keyword::Tag, comment.span, &why));
    None
}

/// `retry <n> [delay]`
pub(super) fn retry(comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<Retry> {
    let (count, more) = comment.rest.word();
    let count = count.text().parse::<u64>().ok();
    let count = count.and_then(|count| u32::try_from(count).ok());
    let Some(count) = count.filter(|count| *count >= 1) else {
        out.push(dropped(
            Code::LM006,
            Keyword::Retry,
            comment.span,
            "the number of attempts is no whole number from 1 to 4294967295",
        ));
        return None;
    };
    let (delay, more) = more.word();
    let delay = if delay.is_empty() {
        None
    } else {
        duration_or_report(delay, out)
    };
    Options::read(comment, more, &Accepted::NOTHING, out);
    Some(Retry { count, delay })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, seconds) in [
            ("90", 90),
            ("0", 0),
            ("5s", 5),
            ("2m", 120),
            ("1h", 3_600),
            ("1d", 86_400),
        ] {
            assert_eq!(
                DurationText::parse(text).map(|found| found.seconds),
                Some(seconds),
                "{text}"
            );
        }
        for text in [
            "",
            "h",
            "-1h",
            "+1h",
            "1.5h",
            "1hh",
            "1 h",
            "1w",
            "99999999999999999999",
            "99999999999999999d",
            "١h",
        ] {
            assert_eq!(DurationText::parse(text), None, "{text}");
        }
    }
}
