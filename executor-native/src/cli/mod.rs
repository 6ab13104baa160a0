//! The `lakemill` command: one file per sub-command. No rule lives here, only translation.

mod asset;
mod check;
mod demo;
mod diagnostics;
mod doctor;
mod explain;
mod failure;
mod history;
mod init;
mod junit;
mod lineage;
mod output;
mod parse;
mod partitions;
mod plan;
mod preview;
mod rebuild;
mod run;
mod status;
mod test;
mod workspace;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use failure::ErrorReport;
use output::Output;

/// SQL scripts become managed, versioned tables in a DuckLake.
#[derive(Debug, Parser)]
#[command(
    name = "lakemill",
    version,
    max_term_width = 100,
    after_help = "Start with `lakemill demo`, or `lakemill init` in a folder of your own."
)]
struct Cli {
    /// Folder of the project [default: the nearest one upwards with lakemill.toml or pipelines/]
    #[arg(short = 'C', long = "directory", global = true, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Log what is done to stderr (-v stages, -vv statements)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a project: lakemill.toml, a first script, .gitignore
    Init(init::Arguments),
    /// Write and run an example project on real flight data
    Demo(demo::Arguments),
    /// Say what is installed and whether lakes can be opened
    Doctor(doctor::Arguments),
    /// Find mistakes in scripts without running them
    Check(check::Arguments),
    /// Print a script's annotations and statements as JSON
    Parse(parse::Arguments),
    /// Print the SQL that a run would send
    Plan(plan::Arguments),
    /// Run scripts in the order of what they read and write
    Run(run::Arguments),
    /// Run the data tests of tables as they are, without writing
    Test(test::Arguments),
    /// List what is materialised, and what failed
    Status(status::Arguments),
    /// List an asset's snapshots and the runs behind them
    History(history::Arguments),
    /// Print rows of an asset, now or at an earlier version
    Preview(preview::Arguments),
    /// Write a table's rows again in the layout that its script says
    Rebuild(rebuild::Arguments),
    /// List an asset's partitions
    Partitions(partitions::Arguments),
    /// Print what columns are computed from, and what is computed from them
    Lineage(lineage::Arguments),
    /// Explain a diagnostic code
    Explain(explain::Arguments),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  lakemill completions bash > ~/.local/share/bash-completion/completions/lakemill"
    )]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let mut output = Output {
        is_json: asks_for_json(std::env::args_os()),
    };
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are printed by clap, too; they are no error.
            let _ = error.print();
            if !error.use_stderr() {
                return ExitCode::SUCCESS;
            }
            let text = error.render().to_string();
            let message = text.split("\n\n").next().unwrap_or_default();
            let message = message.strip_prefix("error: ").unwrap_or(message);
            output.json_error(&ErrorReport::plain(message));
            return ExitCode::from(2);
        }
    };
    log(cli.verbose);
    output.is_json |= matches!(cli.command, Command::Parse(_));
    let directory = cli.directory.as_deref();
    let done = match cli.command {
        Command::Init(arguments) => init::run(directory, &arguments, &output),
        Command::Demo(arguments) => demo::run(directory, &arguments, &output),
        Command::Doctor(arguments) => doctor::run(directory, &arguments, &output),
        Command::Check(arguments) => check::run(directory, &arguments, &output),
        Command::Parse(arguments) => parse::run(directory, &arguments, &output),
        Command::Plan(arguments) => plan::run(directory, &arguments, &output),
        Command::Run(arguments) => run::run(directory, &arguments, &output),
        Command::Test(arguments) => test::run(directory, &arguments, &output),
        Command::Status(arguments) => status::run(directory, &arguments, &output),
        Command::History(arguments) => history::run(directory, &arguments, &output),
        Command::Preview(arguments) => preview::run(directory, &arguments, &output),
        Command::Rebuild(arguments) => rebuild::run(directory, &arguments, &output),
        Command::Partitions(arguments) => partitions::run(directory, &arguments, &output),
        Command::Lineage(arguments) => lineage::run(directory, &arguments, &output),
        Command::Explain(arguments) => explain::run(&arguments, &output),
        Command::Completions { shell } => {
            output.completions(shell, &mut Cli::command());
            Ok(())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output.failure(&failure);
            failure.exit_code()
        }
    }
}

/// Whether a command line has `--json`, which a wrong one may have, too.
fn asks_for_json(arguments: impl Iterator<Item = OsString>) -> bool {
    arguments
        .take_while(|argument| argument != "--")
        .any(|argument| argument == "--json")
}

fn log(verbose: u8) {
    use tracing_subscriber::EnvFilter;
    use tracing_subscriber::fmt::format::FmtSpan;
    let default = match verbose {
        0 => "off",
        1 => "executor_native=debug",
        _ => "executor_native=trace",
    };
    let filter =
        EnvFilter::try_from_env("LAKEMILL_LOG").unwrap_or_else(|_| EnvFilter::new(default));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
        .with_span_events(if verbose > 0 {
            FmtSpan::CLOSE
        } else {
            FmtSpan::NONE
        })
        .with_target(false)
        .init();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example() {
        for command in Cli::command().get_subcommands() {
            let help = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(
                help.contains("lakemill"),
                "`{}` has no example",
                command.get_name()
            );
        }
    }
}
