//! Everything that is printed. Results go to stdout, remarks and errors to stderr; colours only to a terminal.

use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use comfy_table::{ContentArrangement, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::failure::Failure;
use crate::config::mask;

const BOLD: Style = Style::new().bold();
const GREEN: Style = AnsiColor::Green.on_default();
const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default();

/// A line to stdout. A reader that went away (`| head`) is no error.
macro_rules! put {
    ($($text:tt)*) => { { let _ = writeln!(anstream::stdout(), $($text)*); } };
}

/// A line to stderr.
macro_rules! tell {
    ($($text:tt)*) => { { let _ = writeln!(anstream::stderr(), $($text)*); } };
}

/// Where a command prints.
#[derive(Debug, Default)]
pub(super) struct Output {}

impl Output {
    /// A line of the result.
    pub(super) fn line(&self, text: &str) {
        put!("{}", mask(text));
    }

    /// A heading of the result.
    pub(super) fn heading(&self, text: &str) {
        put!("{BOLD}{}{BOLD:#}", mask(text));
    }

    /// The result as JSON, for `--json`.
    pub(super) fn json(&self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value)
            .map_err(|error| Failure::Failed(error.to_string()))?;
        put!("{text}");
        Ok(())
    }

    /// A table.
    pub(super) fn table(&self, header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        let mut table = Table::new();
        table
            .load_preset(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_header(header.iter().map(|name| name.to_uppercase()));
        if !std::io::stdout().is_terminal() {
            // A pipe has no width: lines are not broken for it.
            table.set_content_arrangement(ContentArrangement::Disabled);
        }
        for row in rows {
            table.add_row(row.iter().map(|cell| mask(cell)));
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        put!("{}", table.trim_fmt());
    }

    /// A remark that is no result.
    pub(super) fn note(&self, text: &str) {
        tell!("{}", mask(text));
    }

    /// Something worth a second look.
    pub(super) fn warning(&self, text: &str) {
        tell!("{YELLOW}warning{YELLOW:#}: {}", mask(text));
    }

    /// One run that went well.
    pub(super) fn tick(&self, text: &str) {
        tell!("{GREEN}✓{GREEN:#} {}", mask(text));
    }

    /// One run that did not.
    pub(super) fn cross(&self, text: &str) {
        tell!("{RED}✗{RED:#} {}", mask(text));
    }

    /// Why the command fails.
    pub(super) fn failure(&self, failure: &Failure) {
        match failure {
            Failure::Reported => {}
            Failure::Failed(text) | Failure::Usage(text) => {
                tell!("{RED}error{RED:#}: {}", mask(text));
            }
        }
    }

    /// A rendered diagnostic; with colours when stderr takes them.
    pub(super) fn diagnostic(&self, rendered: &str) {
        tell!("{}\n", mask(rendered));
    }

    /// A bar for many steps; nothing when stderr is no terminal.
    pub(super) fn progress(&self, steps: usize, what: &str) -> ProgressBar {
        if steps < 2 || !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(steps as u64).with_message(what.to_owned());
        if let Ok(style) =
            ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {per_sec} {eta} left")
                .map(|s| s.progress_chars("━╸ "))
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }

    pub(super) fn completions(&self, shell: clap_complete::Shell, command: &mut clap::Command) {
        clap_complete::generate(shell, command, "lakemill", &mut std::io::stdout());
    }
}

/// `1_234_567` as `1,234,567`.
pub(super) fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if number < 0 { format!("-{out}") } else { out }
}

/// A number, or a dash.
pub(super) fn optional(number: Option<i64>) -> String {
    number.map_or_else(|| "–".to_owned(), grouped)
}

/// UTC milliseconds since 1970 as `2026-11-29 19:46:54`.
pub(super) fn time(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms)
        .map(|time| time.strftime("%Y-%m-%d %H:%M:%S").to_string())
        .unwrap_or_default()
}

/// How long ago: `3 min`.
pub(super) fn age(ms: i64, now_ms: i64) -> String {
    let seconds = (now_ms - ms).max(0) / 1000;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            [0, 999, 1000, 1_234_567, -1000].map(grouped),
            ["0", "999", "1,000", "1,234,567", "-1,000"]
        );
    }
}
