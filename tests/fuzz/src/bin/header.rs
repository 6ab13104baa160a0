//! Annotation lines and the findings about them.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| parity_corpus::properties::header(text));
