//! What the native core says about generated texts, for another implementation to be compared with.
//!
//! The first line is a JSON object with `seed` and `count`; then come three lines of JSON for each text: the text, its wire
//! form with all findings, and of some texts what an editor is told about one place, else `null`. `LAKEMILL_GENERATED_SEED`
//! and `LAKEMILL_GENERATED_COUNT` choose other texts.

use std::env;
use std::error::Error;
use std::io::{BufWriter, Write};

use parity_corpus::generate::{Random, SEED, Texts};
use parity_corpus::snapshot::KnownZones;
use parser_core::wire::{self, Completion, CompletionContext, Hover};
use serde::Serialize;

const COUNT: usize = 20_000;
/// One in so many texts is asked about as an editor asks.
const EDITED: usize = 4;

#[derive(Serialize)]
struct Run {
    seed: u64,
    count: usize,
}

/// Answers about the UTF-16 offset `offset`, and the tokens of the text.
#[derive(Serialize)]
struct Editor {
    offset: usize,
    offers: Vec<Completion>,
    hover: Option<Hover>,
    tokens: Vec<u32>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let run = Run {
        seed: number("LAKEMILL_GENERATED_SEED", SEED)?,
        count: number("LAKEMILL_GENERATED_COUNT", COUNT)?,
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    line(&mut out, &run)?;
    let mut random = Random::new(run.seed);
    for (number, text) in Texts::new(run.seed)?.take(run.count).enumerate() {
        line(&mut out, &text)?;
        line(&mut out, &wire::validate_to_wire(&text, &KnownZones))?;
        let editor = (number % EDITED == 0).then(|| {
            let offset = random.below(text.encode_utf16().count() + 1);
            Editor {
                offset,
                offers: wire::complete_to_wire(&text, offset, CompletionContext::default()),
                hover: wire::hover_to_wire(&text, offset, &KnownZones),
                tokens: wire::semantic_tokens_to_wire(&text),
            }
        });
        line(&mut out, &editor)?;
    }
    out.flush()?;
    Ok(())
}

fn number<T: std::str::FromStr>(variable: &str, default: T) -> Result<T, String> {
    match env::var(variable) {
        Ok(text) => text
            .parse()
            .map_err(|_| format!("{variable} is {text:?}, not a number")),
        Err(_) => Ok(default),
    }
}

fn line(out: &mut impl Write, value: &impl Serialize) -> Result<(), Box<dyn Error>> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}
