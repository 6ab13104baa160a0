//! Set-up, build and test commands of the workspace, as `cargo xtask <command>`.
//!
//! Everything that the project needs beyond Rust and Node is fetched from here, so that a fresh clone needs one command:
//! `demo` to see lakemill at work, `test` to check a change as the pipeline does.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool talks to its terminal"
)]

mod checks;
mod checksum;
mod commands;
mod failure;
mod fuzz;
mod npm_package;
mod process;
mod setup;
mod versions;
mod workspace;

use std::env;
use std::process::ExitCode;

use crate::failure::Failure;
use crate::workspace::Workspace;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\nxtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<(), Failure> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let workspace = Workspace::locate()?;
    match words.as_slice() {
        ["demo", rest @ ..] => commands::demo(&workspace, rest),
        ["setup"] | ["setup", "main"] => commands::setup_main(&workspace),
        ["setup", "test"] => commands::setup_test(&workspace),
        ["test", words @ ..] => commands::test(&workspace, words),
        ["quick"] => commands::quick(&workspace),
        ["fuzz", rest @ ..] => commands::fuzz(&workspace, rest),
        ["wasm"] => commands::wasm(&workspace),
        [] | ["help" | "--help" | "-h"] => {
            print!("{}", commands::HELP);
            Ok(())
        }
        [unknown, ..] => Err(Failure::new(format!("there is no command `{unknown}`"))
            .mend("`cargo xtask help` lists them")),
    }
}
