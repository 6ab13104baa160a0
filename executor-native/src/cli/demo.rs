//! `lakemill demo`
use super::failure::Failure;
use super::output::Output;
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lakemill demo")]
pub(super) struct Arguments {}
pub(super) fn run(
    _d: Option<&std::path::Path>,
    _a: &Arguments,
    _o: &Output,
) -> Result<(), Failure> {
    Ok(())
}
