//! All that the command, the editor and the page ask about a text.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| parity_corpus::properties::script(text));
