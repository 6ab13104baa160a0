//! `REFERENCE.md`, and the registry of codes for JavaScript, are written from the registries, and say what they say.
#![allow(
    clippy::disallowed_methods,
    reason = "the core is pure, the page that is checked is a file"
)]

use std::fmt::Write as _;
use std::{env, fs, io};

use parser_core::{diagnostic, editor::registry, wire};

/// Set, the test writes the page instead of comparing it.
const REFRESH: &str = "LAKEMILL_WRITE_REFERENCE";
const COMMAND: &str = "LAKEMILL_WRITE_REFERENCE=1 cargo test -p parser-core --test reference";

#[test]
fn the_page_is_that_of_the_registries() -> io::Result<()> {
    let page = format!(
        "<!-- Written from the registries: {COMMAND} -->\n\n{}\n{}",
        registry::reference(),
        diagnostic::reference()
    );
    hold("REFERENCE.md", &page)
}

#[test]
fn the_codes_of_the_package_are_those_of_the_registry() -> Result<(), Box<dyn std::error::Error>> {
    let mut module = format!("// Written from the registry: {COMMAND}\nexport default [\n");
    for code in wire::codes() {
        writeln!(module, "  {},", serde_json::to_string(&code)?)?;
    }
    module.push_str("];\n");
    Ok(hold("../parser-wasm/npm/registry.js", &module)?)
}

/// Writes the file, or says that it is not what it should be.
fn hold(file: &str, text: &str) -> io::Result<()> {
    let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
    if env::var_os(REFRESH).is_some() {
        return fs::write(path, text);
    }
    let written = fs::read_to_string(path)?;
    assert!(
        written == text,
        "{file} is stale; refresh it with\n  {COMMAND}"
    );
    Ok(())
}
