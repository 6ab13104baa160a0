//! SQL that nobody wrote: texts of a grammar, drawn by a seeded generator, and texts that are nearly one of them.
//!
//! The engine says which of them it accepts and what it reads in those; see `executor-native/tests/differential.rs`.

use std::collections::HashMap;

use parser_core::lex::{TokenKind, lex};

use crate::generate::Random;

const GRAMMAR: &str = include_str!("grammar.txt");
/// Rules inside rules; below it only first alternatives are taken.
const DEPTH: usize = 8;
/// Once a text has so many tokens, too.
const TOKENS: usize = 50;

/// What may stand between two tokens beside one space, and the same in a text that has spaces above ASCII. The engine
/// replaces those before it lexes, and then knows neither block comments nor backslashes: a quote in a comment makes it
/// take the rest of the text for a string. So the second list has no such comments.
const GAPS: [&str; 12] = [
    "\n",
    "  ",
    "\t",
    "\u{c}",
    "\r\n",
    " /* ; FROM x */ ",
    " -- ; 'x\n",
    "/**/",
    " /* a /* ' */ b */ ",
    "\n-- \"\n",
    " --\r",
    "/*--*/\n",
];
const WIDE_GAPS: [&str; 7] = [
    "\u{a0}",
    "\u{3000}",
    "\u{feff}",
    "\u{200b}",
    "\u{2003} ",
    " --\u{202f}é\n",
    " /* ; */ ",
];

/// One way to write what a rule stands for.
type Alternative = Vec<&'static str>;

/// Texts without end.
#[derive(Debug)]
pub struct Queries {
    random: Random,
    rules: HashMap<&'static str, Vec<Alternative>>,
}

impl Queries {
    /// The texts of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            rules: rules(),
        }
    }

    fn expand(&mut self, rule: &str, depth: usize, tokens: &mut Vec<String>) {
        let Some(alternatives) = self.rules.get(rule) else {
            return;
        };
        let is_deep = depth > DEPTH || tokens.len() > TOKENS;
        let choice = if is_deep {
            0
        } else {
            self.random.below(alternatives.len())
        };
        for part in alternatives[choice].clone() {
            match part
                .strip_prefix('<')
                .and_then(|part| part.strip_suffix('>'))
            {
                Some(inner) if self.rules.contains_key(inner) => {
                    self.expand(inner, depth + 1, tokens);
                }
                _ => tokens.push(part.replace('~', " ").replace("\\n", "\n")),
            }
        }
    }

    /// A text that may be none of SQL: `text` with a token lost, doubled, or in another's place.
    pub fn mutated(&mut self, text: &str) -> String {
        let mut pieces: Vec<&str> = lex(text, 0).iter().map(|token| token.text(text)).collect();
        if pieces.is_empty() {
            return String::new();
        }
        for _ in 0..=self.random.below(2) {
            let at = self.random.below(pieces.len());
            let other = self.random.below(pieces.len());
            match self.random.below(6) {
                0 | 1 => {
                    pieces.remove(at);
                    pieces.insert(at, " ");
                }
                2 => pieces.swap(at, other),
                3 => pieces[at] = pieces[other],
                4 => pieces.insert(at, pieces[other]),
                _ => {
                    let end = (at + 1 + self.random.below(4)).min(pieces.len());
                    pieces.drain(at..end);
                    pieces.insert(at, " ");
                }
            }
        }
        pieces.concat()
    }

    /// Puts gaps between the tokens of a text.
    fn join(&mut self, tokens: &[String]) -> String {
        let gaps: &[&str] = match self.random.below(6) {
            0 | 1 => &GAPS,
            2 => &WIDE_GAPS,
            _ => &[" "],
        };
        let is_wide = gaps == WIDE_GAPS;
        let mut text = String::new();
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| tokens[at].as_str());
            let tight = |token: &str| matches!(token, "(" | ")" | "," | ";" | "." | "[" | "]");
            if before.is_some() {
                let may_touch = tight(token) || before.is_some_and(tight);
                match self.random.below(12) {
                    // A reserved word after a dot and a gap is one of a name not typed yet, to us.
                    _ if before == Some(".") && parser_core::body::is_reserved(token) => {}
                    0 => text.push_str(gaps[self.random.below(gaps.len())]),
                    1..=7 if may_touch => {}
                    _ if token == "." || before == Some(".") => {}
                    _ => text.push(' '),
                }
            }
            match self.random.below(8) {
                0 if is_word(token) => text.push_str(&token.to_lowercase()),
                _ if is_wide && token.starts_with("E'") => text.push_str("'e'"),
                _ => text.push_str(token),
            }
        }
        text
    }
}

impl Iterator for Queries {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let mut tokens = Vec::new();
        self.expand("text", 0, &mut tokens);
        Some(self.join(&tokens))
    }
}

/// An unquoted word, which means the same in small letters.
fn is_word(token: &str) -> bool {
    matches!(lex(token, 0).as_slice(), [only] if only.kind == TokenKind::Word)
}

fn rules() -> HashMap<&'static str, Vec<Alternative>> {
    let mut rules: HashMap<&'static str, Vec<Alternative>> = HashMap::new();
    let mut current = "";
    for line in GRAMMAR.lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with(' ') {
            let alternative = line.split_whitespace().collect();
            rules.entry(current).or_default().push(alternative);
        } else if let Some(name) = line.strip_suffix(':') {
            current = name;
        }
    }
    rules
}
