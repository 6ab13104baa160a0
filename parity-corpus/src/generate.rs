//! Texts that look like scripts and are not: headers of the corpus, mutated by a seeded generator.
//!
//! The same seed gives the same texts everywhere, so that two implementations can be held against each other on texts that
//! nobody wrote down.

use parser_core::script::Partitioned;
use parser_core::validate::Zones;

use crate::snapshot::KnownZones;
use crate::{case_files, read_case};

/// The seed of the pipeline.
pub const SEED: u64 = 20_261_129;

/// What gets lost, doubled or put where it does not belong.
const INSERTIONS: [&str; 60] = [
    "'",
    "\"",
    "\"\"",
    "=",
    ",",
    " ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "-- ",
    "--",
    "//",
    "#",
    "#!",
    "->",
    "<-",
    ".",
    "(",
    ")",
    "{",
    "}",
    ";",
    "\\",
    "\0",
    "$$",
    "/*",
    "*/",
    "{partition}",
    "{partition_start}",
    "ducklake://a/b",
    "s3:///x",
    "$res:f/x",
    "key=",
    "track=id,",
    "tz=UTC",
    "append",
    "history",
    "manual",
    "scd2",
    "🦆",
    "👩‍🚀",
    "e\u{301}",
    "\u{301}",
    "é",
    "Ω",
    "ß",
    "İ",
    "\u{a0}",
    "\u{feff}",
    "\u{2028}",
    "\u{85}",
    "\u{200b}",
    "\u{202e}",
    "\u{fffd}",
    "\u{10ffff}",
    " 10=x",
    " 9=y",
    " __proto__=x",
    "-- on kafka",
];

/// A line without meaning whose characters have one to four bytes and one or two UTF-16 units.
const REMARK: &str = "-- 🦆 and e\u{301}, 👩‍🚀 ß İ";

/// Words that are keywords, nearly so, or not at all.
const WORDS: [&str; 44] = [
    "pipeline",
    "macros",
    "use",
    "partitioned",
    "freshness",
    "debounce",
    "trigger",
    "tag",
    "retry",
    "materialize",
    "data_test",
    "column",
    "measure",
    "dimension",
    "mute",
    "on",
    "materialise",
    "data_tests",
    "partition",
    "unique",
    "not_null",
    "accepted_values",
    "relationships",
    "row_count",
    "freshness",
    "expression",
    "severity=warn",
    "daily",
    "hourly",
    "weekly",
    "monthly",
    "dynamic",
    "all",
    "any",
    "kafka",
    "schedule",
    "webhook",
    "unique_key",
    "where",
    "on_schema_change=fail",
    "deletes=close",
    "format=%Y-%m-%d",
    "start=2024-01-01",
    "3",
];

/// Bodies below the headers.
const BODIES: [&str; 8] = [
    "SELECT 1 AS id",
    "ATTACH 'ducklake://raw' AS raw;\nSELECT * FROM raw.orders WHERE day = {partition}",
    "SELECT '{partition}' AS 🦆, E'\\'{partition}' FROM \"é\".t -- retry 3",
    "CREATE TEMP TABLE t AS FROM x; WITH t AS (SELECT 1) SELECT * FROM t",
    "INSERT INTO a.b VALUES (1);;",
    "'",
    "/* \r\n -- materialize ducklake://a/b */ SELECT $$ {partition} $$",
    "",
];

/// A small generator with 64 bits of state (SplitMix64): its numbers are the same on every platform and for ever.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts at `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 when there is none.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.number() % end).unwrap_or_default()
    }

    /// One of `list`, which is not empty.
    fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }

    /// One of `words`, which are not empty.
    fn word(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }
}

/// Texts without end.
#[derive(Debug)]
pub struct Texts {
    random: Random,
    /// Header lines of the corpus, by case.
    headers: Vec<Vec<String>>,
}

impl Texts {
    /// The texts of `seed`.
    ///
    /// # Errors
    /// When a case cannot be read, or there is none.
    pub fn new(seed: u64) -> Result<Self, String> {
        let mut headers = Vec::new();
        for path in case_files() {
            let text = read_case(&path)?.text;
            let end = parser_core::parse(&text).script.header.span.end;
            let lines: Vec<String> = text[..end].lines().map(str::to_owned).collect();
            if !lines.is_empty() {
                headers.push(lines);
            }
        }
        if headers.is_empty() {
            return Err("no case has a header".to_owned());
        }
        Ok(Self {
            random: Random::new(seed),
            headers,
        })
    }

    fn draw(&mut self) -> String {
        let random = &mut self.random;
        let mut lines = random.pick(&self.headers).clone();
        for _ in 0..random.below(3) {
            let other = random.pick(&self.headers);
            let line = random.pick(other).clone();
            lines.insert(random.below(lines.len() + 1), line);
        }
        for _ in 0..=random.below(6) {
            mutate_lines(random, &mut lines);
        }
        if random.below(2) == 0 {
            let at = random.below(lines.len() + 1);
            lines.insert(at, REMARK.to_owned());
        }
        let end = random.word(&["\n", "\n", "\n", "\r\n", "\r"]);
        let mut text = String::new();
        if random.below(16) == 0 {
            text.push('\u{feff}');
        }
        for line in &lines {
            text.push_str(line);
            text.push_str(end);
        }
        text.push_str(random.word(&BODIES));
        text
    }
}

impl Iterator for Texts {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            let text = self.draw();
            if zones_agree(&text) {
                return Some(text);
            }
        }
    }
}

/// Whether all hosts say the same of the text's time zone: a misspelled name may be a zone that only some of them know.
fn zones_agree(text: &str) -> bool {
    match parser_core::parse(text).script.header.partition {
        Some(partition) => match partition.value {
            Partitioned::Time(time) => time.tz.is_none_or(|zone| {
                KnownZones.is_known(&zone.value)
                    || !zone.value.is_ascii()
                    || zone.value.contains(' ')
            }),
            Partitioned::Dynamic { .. } => true,
        },
        None => true,
    }
}

fn mutate_lines(random: &mut Random, lines: &mut Vec<String>) {
    let at = random.below(lines.len());
    let Some(line) = lines.get(at) else {
        lines.push(format!("-- {}", random.word(&WORDS)));
        return;
    };
    match random.below(12) {
        0 => {
            lines.remove(at);
        }
        1 => {
            let copy = line.clone();
            lines.insert(random.below(lines.len() + 1), copy);
        }
        2 => {
            let other = random.below(lines.len());
            lines.swap(at, other);
        }
        _ => lines[at] = mutated(random, line),
    }
}

fn mutated(random: &mut Random, line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let word = random.below(words.len());
    let mut changed: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    match random.below(9) {
        0 => {
            changed.remove(word);
        }
        1 => changed.insert(word, words[word].to_owned()),
        2 => {
            let other = random.below(changed.len());
            changed.swap(word, other);
        }
        3 => changed[word] = (random.word(&WORDS)).to_owned(),
        4 => changed.insert(word, (random.word(&WORDS)).to_owned()),
        5 => {
            let quote = random.word(&["'", "\""]);
            changed[word] = format!("{quote}{}{quote}", words[word]);
        }
        6 => {
            let characters: Vec<char> = line.chars().collect();
            let lost = random.below(characters.len());
            let kept = characters.iter().enumerate().filter(|(at, _)| *at != lost);
            return kept.map(|(_, character)| *character).collect();
        }
        _ => {
            let at = random.below(line.chars().count() + 1);
            let byte = line.char_indices().nth(at).map_or(line.len(), |(at, _)| at);
            return [&line[..byte], random.word(&INSERTIONS), &line[byte..]].concat();
        }
    }
    changed.join(" ")
}
