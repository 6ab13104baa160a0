//! Partition tokens and what replaces them.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| parity_corpus::properties::substitution(text));
