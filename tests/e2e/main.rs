//! The command, end to end: the built binary on real lakes in temporary folders.
#![allow(clippy::unwrap_used)] // in tests, the helpers included

mod columns;
mod command_line;
mod confinement;
mod data_tests;
mod diagnostics;
mod history;
mod layout;
mod limits;
mod lineage;
mod looking;
mod names;
mod project;
mod rebuild;
mod together;
mod unreadable;
mod writes;
