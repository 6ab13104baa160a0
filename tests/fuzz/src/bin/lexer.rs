//! Tokens.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| parity_corpus::properties::lexer(text));
