//! Scripts as they are typed, character by character.
//!
//! Whoever types in a statement sees nothing change in front of it: neither the header, nor the statements that a `;` has
//! ended, nor what is found wrong in either. What is said of the body as a whole (no output yet, more than one, no use of the
//! partition) is no finding about one statement and may come and go.
#![allow(clippy::unwrap_used)]

use parity_corpus::snapshot::KnownZones;
use parity_corpus::{case_files, read_case};
use parser_core::diagnostic::{Code, Diagnostic};
use parser_core::validate::validate;
use parser_core::{parse, script::Script};

/// Where a finding is.
type Place = (Code, usize, usize);

/// Scripts with at least two statements, from all over the corpus.
const SCRIPTS: usize = 24;

fn scripts() -> Vec<(String, String)> {
    let cases: Vec<_> = case_files()
        .iter()
        .map(|path| read_case(path).unwrap())
        .filter(|case| {
            case.text.len() < 2_500 && parse(&case.text).script.body.statements.len() > 1
        })
        .map(|case| (case.name, case.text))
        .collect();
    let step = cases.len() / SCRIPTS;
    assert!(step > 0, "{} cases", cases.len());
    cases.into_iter().step_by(step).collect()
}

fn findings(text: &str) -> (Script, Vec<Diagnostic>) {
    let parsed = parse(text);
    let mut findings = parsed.diagnostics;
    findings.extend(validate(text, &parsed.script, &KnownZones));
    (parsed.script, findings)
}

/// What is wrong in front of `end`, but for what is said of the whole body.
fn before(findings: &[Diagnostic], end: usize) -> Vec<Place> {
    let of_body = [
        Code::LM115,
        Code::LM210,
        Code::LM211,
        Code::LM212,
        Code::LM213,
    ];
    let mut found: Vec<_> = findings
        .iter()
        .filter(|finding| finding.span.end <= end && !of_body.contains(&finding.code))
        .map(|finding| (finding.code, finding.span.start, finding.span.end))
        .collect();
    found.sort_unstable();
    found
}

#[test]
fn nothing_changes_in_front_of_the_statement_that_is_typed() {
    let mut prefixes = 0;
    for (name, text) in scripts() {
        let (whole, _) = findings(&text);
        let mut seen: Option<(usize, Vec<Place>)> = None;
        for (end, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let (script, found) = findings(&text[..end]);
            prefixes += 1;
            let Some(typed) = script.body.statements.last() else {
                continue;
            };
            let at = || format!("{name} at {end}: {:?}", &text[..end]);
            // A lone `-` may yet become a comment that belongs to the header.
            if typed.span.start < whole.header.span.end {
                continue;
            }
            assert_eq!(script.header, whole.header, "{}", at());
            let ended = script.body.statements.len() - 1;
            assert_eq!(
                script.body.statements[..ended],
                whole.body.statements[..ended],
                "{}",
                at()
            );
            let now = before(&found, typed.span.start);
            if let Some((start, earlier)) = &seen
                && *start == typed.span.start
            {
                assert_eq!(*earlier, now, "{}", at());
            }
            seen = Some((typed.span.start, now));
        }
    }
    assert!(prefixes > 3_000, "{prefixes} prefixes");
}
