//! `REFERENCE.md` is written from the registries, and says what they say.
#![allow(
    clippy::disallowed_methods,
    reason = "the core is pure, the page that is checked is a file"
)]

use parser_core::{diagnostic, editor::registry};

/// Set, the test writes the page instead of comparing it.
const REFRESH: &str = "LAKEMILL_WRITE_REFERENCE";
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/REFERENCE.md");

#[test]
fn the_page_is_that_of_the_registries() -> std::io::Result<()> {
    let page = format!(
        "<!-- Written from the registries: {REFRESH}=1 cargo test -p parser-core --test reference -->\n\n{}\n{}",
        registry::reference(),
        diagnostic::reference()
    );
    if std::env::var_os(REFRESH).is_some() {
        return std::fs::write(PATH, page);
    }
    let written = std::fs::read_to_string(PATH)?;
    assert!(
        written == page,
        "parser-core/REFERENCE.md is stale; refresh it with\n  {REFRESH}=1 cargo test -p parser-core --test reference"
    );
    Ok(())
}
