//! Runs lakemill plans on DuckDB and DuckLake.
//!
//! The core says what a run is; this crate carries it out: `config` finds lakes and scripts, `engine` is the only room
//! that talks to DuckDB, `run` goes through a plan, `state` records it, `cli` is the `lakemill` command.

pub mod cli;
pub mod config;
mod disk;
pub mod engine;
pub mod lake;
pub mod run;
mod scratch;
pub mod state;
mod ticking;
pub mod verify;
