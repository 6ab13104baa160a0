use std::collections::HashSet;

use super::*;
use crate::validate::{Zones, validate};

/// The zones that the examples name.
struct Known;

impl Zones for Known {
    fn is_known(&self, name: &str) -> bool {
        ["UTC", "Europe/Paris"].contains(&name)
    }
    fn has_fold(&self, name: &str) -> bool {
        name == "Europe/Paris"
    }
}

fn codes(text: &str) -> Vec<Code> {
    let parsed = crate::parse(text);
    let mut found = validate(text, &parsed.script, &Known);
    found.extend(parsed.diagnostics);
    found.into_iter().map(|found| found.code).collect()
}

/// Codes of this number range; the others are tested beside their rules.
fn own() -> impl Iterator<Item = Code> {
    Code::ALL
        .iter()
        .copied()
        .filter(|code| code.info().id < "LM200")
}

/// Told by `validate_set`, which sees more than one script.
const OF_SEVERAL_SCRIPTS: [Code; 2] = [Code::LM118, Code::LM122];

#[test]
fn ids_and_names_are_unique_and_in_order() {
    let ids: Vec<_> = Code::ALL.iter().map(|code| code.info().id).collect();
    assert!(ids.is_sorted(), "{ids:?}");
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
    let names: HashSet<_> = Code::ALL.iter().map(|code| code.info().name).collect();
    assert_eq!(names.len(), ids.len());
}

#[test]
fn entries_are_complete() {
    for info in Code::ALL.iter().map(|code| code.info()) {
        for text in [info.title, info.explanation] {
            assert!(!text.is_empty(), "{}", info.id);
            for word in ["you", "your", "You", "Your"] {
                assert!(
                    !text.split(' ').any(|found| found == word),
                    "{}: second person",
                    info.id
                );
            }
        }
        assert!(
            info.name
                .chars()
                .all(|c| c.is_ascii_lowercase() || c == '-'),
            "{}",
            info.id
        );
    }
}

#[test]
fn every_example_triggers_its_code_and_its_mend_does_not() {
    for code in own().filter(|code| !OF_SEVERAL_SCRIPTS.contains(code)) {
        let info = code.info();
        assert!(
            codes(info.example).contains(&code),
            "{}: {:?}",
            info.id,
            codes(info.example)
        );
        assert!(
            !codes(info.mend).contains(&code),
            "{}: {:?}",
            info.id,
            codes(info.mend)
        );
    }
}

#[test]
fn mends_are_clean() {
    for code in own() {
        let info = code.info();
        assert_eq!(codes(info.mend), [], "{}", info.id);
    }
}

#[test]
fn a_fix_removes_its_finding() {
    for code in own() {
        let text = code.info().example;
        for found in crate::parse(text).diagnostics {
            let Some(fix) = &found.fix else { continue };
            let mended = apply(text, fix);
            assert!(
                !codes(&mended).contains(&found.code),
                "{}: {mended}",
                found.code.info().id
            );
        }
    }
}

#[test]
fn edits_apply_in_text_order_and_never_overlap() {
    let edit = |start, end, text: &str| TextEdit {
        span: Span::new(start, end),
        text: text.into(),
    };
    let fix = |edits| Fix {
        title: String::new(),
        edits,
    };
    assert_eq!(
        apply("abc", &fix(vec![edit(2, 3, "C"), edit(0, 1, "A")])),
        "AbC"
    );
    assert_eq!(
        apply("abc", &fix(vec![edit(0, 2, "X"), edit(1, 3, "Y")])),
        "Xc"
    );
    assert_eq!(apply("é", &fix(vec![edit(1, 2, "X")])), "é");
    assert_eq!(apply("a", &fix(vec![edit(5, 9, "X")])), "a");
}

#[test]
fn a_message_is_one_line() {
    let text = "-- materialize ducklake://a/b\nATTACH 'x' AS \"_wm_a\r\nb\";\nSELECT 1";
    let script = crate::parse(text).script;
    let found = validate(text, &script, &Known);
    assert!(
        found
            .iter()
            .any(|found| found.message.contains("`_wm_a  b`")),
        "{found:?}"
    );
}
