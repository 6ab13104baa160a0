//! Properties and ranges, on every case of the corpus and on generated texts.

use parity_corpus::generate::{SEED, Texts};
use parity_corpus::ranges::Places;
use parity_corpus::snapshot::KnownZones;
use parity_corpus::{case_files, properties, read_case};
use parser_core::wire::{self, CompletionContext};

/// Texts of the range test.
const RANGES: usize = 10_000;
/// Texts of the property test, which is what the fuzz targets are for: some, so that it takes no time.
const PROPERTIES: usize = 300;

fn cases() -> impl Iterator<Item = String> {
    case_files()
        .into_iter()
        .map(|path| read_case(&path).expect("a case").text)
}

#[test]
fn every_property_has_a_fuzz_target() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fuzz/src/bin");
    let mut targets: Vec<String> = std::fs::read_dir(folder)
        .expect("the targets")
        .map(|entry| entry.expect("a target").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    targets.sort();
    let mut names = properties::ALL.map(|(name, _)| name);
    names.sort_unstable();
    assert_eq!(targets, names);
}

#[test]
fn the_corpus_has_every_property() {
    for text in cases() {
        for (name, property) in properties::ALL {
            println!("{name}: {text:?}");
            property(&text);
        }
    }
}

#[test]
fn generated_texts_have_every_property() {
    for text in Texts::new(SEED).expect("texts").take(PROPERTIES) {
        for (name, property) in properties::ALL {
            println!("{name}: {text:?}");
            property(&text);
        }
    }
}

/// Every range of the wire form, of the corpus and of texts full of astral characters, combining marks, CRLF and BOM.
#[test]
fn ranges_agree_in_bytes_utf16_lines_and_columns() {
    let generated = Texts::new(SEED).expect("texts").take(RANGES);
    let (mut texts, mut wide, mut ranges) = (0, 0, 0);
    for text in cases().chain(generated) {
        let places = Places::new(&text);
        let parsed = wire::validate_to_wire(&text, &KnownZones);
        let middle = text.encode_utf16().count() / 2;
        let offers = wire::complete_to_wire(&text, middle, CompletionContext::default());
        let hover = wire::hover_to_wire(&text, middle, &KnownZones);
        for found in [
            places.check_all(&parsed),
            places.check_all(&offers),
            places.check_all(&hover),
        ] {
            ranges += found.unwrap_or_else(|wrong| panic!("{wrong} in {text:?}"));
        }
        texts += 1;
        wide += usize::from(!text.is_ascii());
    }
    println!("{texts} texts, {wide} of them not ASCII, {ranges} ranges");
    assert!(wide > texts / 2, "{wide} of {texts}");
}
