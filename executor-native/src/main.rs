//! The `lakemill` command.

fn main() -> std::process::ExitCode {
    executor_native::cli::main()
}
