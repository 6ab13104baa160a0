//! Lists the cases, or counts them with `--count`, so that every runner can compare its number.
#![allow(clippy::print_stdout)] // printing is what it does

fn main() {
    let files = parity_corpus::case_files();
    if std::env::args().any(|argument| argument == "--count") {
        println!("{}", files.len());
    } else {
        for file in files {
            println!("{}", file.display());
        }
    }
}
