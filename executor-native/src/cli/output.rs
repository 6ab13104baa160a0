//! Everything that is printed. Results go to stdout, remarks and errors to stderr; colours only to a terminal.

use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use comfy_table::{
    Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, presets,
};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::failure::{ErrorReport, Failure};
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
#[derive(Debug)]
pub(super) struct Output {
    /// Whether a program reads what comes: then errors are JSON, too.
    pub(super) is_json: bool,
}

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

    /// A table. On a terminal it never breaks inside a narrow column: the widest one wraps, and columns that still find
    /// no room are left out and counted.
    pub(super) fn table(&self, header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        let rows: Vec<Vec<String>> = rows
            .into_iter()
            .map(|row| row.iter().map(|cell| mask(cell)).collect())
            .collect();
        let mut table = Table::new();
        table.load_preset(presets::NOTHING);
        let width = if std::io::stdout().is_terminal() {
            table.width()
        } else {
            // A pipe has no width: lines are not broken for it.
            None
        };
        let layout = Layout::new(header, &rows, width.map(usize::from));
        let shown = |cells: &[String]| -> Vec<Cell> {
            let cell = |&at: &usize| {
                let text = cells.get(at).map_or("", String::as_str);
                Cell::new(text).set_alignment(if layout.numeric[at] {
                    CellAlignment::Right
                } else {
                    CellAlignment::Left
                })
            };
            layout.columns.iter().map(cell).collect()
        };
        let names: Vec<String> = header.iter().map(|&name| name.to_owned()).collect();
        let bold = |cell: Cell| cell.add_attribute(Attribute::Bold);
        table.set_header(shown(&names).into_iter().map(bold));
        if !std::io::stdout().is_terminal() {
            table.force_no_tty();
        }
        for row in &rows {
            table.add_row(shown(row));
        }
        table.set_content_arrangement(if layout.wraps.is_some() {
            ContentArrangement::Dynamic
        } else {
            ContentArrangement::Disabled
        });
        for (column, &at) in table.column_iter_mut().zip(&layout.columns) {
            column.set_padding((0, GAP as u16));
            if layout.wraps.is_some() && layout.wraps != Some(at) {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
        put!("{}", table.trim_fmt());
        let left_out = header.len() - layout.columns.len() - layout.empty;
        if left_out > 0 {
            self.note(&format!(
                "{left_out} more column(s) do not fit; --json prints all"
            ));
        }
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
            Failure::Reported | Failure::Misconfigured => {}
            Failure::Told(report) => self.json_error(report),
            Failure::Failed(text) | Failure::Usage(text) => {
                tell!("{RED}error{RED:#}: {}", mask(text));
                self.json_error(&ErrorReport::plain(text));
            }
        }
    }

    /// An error as one JSON object, for `--json`.
    pub(super) fn json_error(&self, report: &ErrorReport) {
        if self.is_json {
            // It is plain data; and there is no other way to say that it could not be said.
            let _ = self.json(&serde_json::json!({ "error": report }));
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

/// Blanks between columns.
const GAP: usize = 2;
/// What the widest column may be narrowed to before columns are left out.
const NARROWEST: usize = 24;

/// Which columns of a table are shown, and how.
struct Layout {
    /// Shown columns.
    columns: Vec<usize>,
    /// The one that wraps, when not all fit in full.
    wraps: Option<usize>,
    /// For every column, whether it holds only numbers.
    numeric: Vec<bool>,
    /// Columns without any text, which are not shown.
    empty: usize,
}

impl Layout {
    fn new(header: &[&str], rows: &[Vec<String>], room: Option<usize>) -> Self {
        let cells = |at: usize| rows.iter().filter_map(move |row| row.get(at));
        let is_number = |text: &str| {
            text.is_empty()
                || text == "–"
                || text == "NULL"
                || (text.bytes().any(|byte| byte.is_ascii_digit())
                    && text.bytes().all(|byte| b"0123456789,.-+e".contains(&byte))
                    && !text.trim_start_matches('-').contains('-'))
        };
        let numeric: Vec<bool> = (0..header.len())
            .map(|at| !rows.is_empty() && cells(at).all(|cell| is_number(cell)))
            .collect();
        let filled = |at: &usize| rows.is_empty() || cells(*at).any(|cell| !cell.is_empty());
        let mut columns: Vec<usize> = (0..header.len()).filter(filled).collect();
        let empty = header.len() - columns.len();
        let widths: Vec<usize> = (0..header.len())
            .map(|at| {
                let lines = cells(at).flat_map(|cell| cell.lines());
                let widest = lines.map(|line| line.chars().count()).max().unwrap_or(0);
                widest.max(header[at].chars().count())
            })
            .collect();
        let mut wraps = None;
        if let Some(room) = room {
            let needed = |columns: &[usize]| -> usize {
                columns.iter().map(|&at| widths[at] + GAP).sum::<usize>()
            };
            while needed(&columns) > room {
                let widest = columns.iter().copied().max_by_key(|&at| widths[at]);
                let least = widest.map_or(0, |at| {
                    needed(&columns) - widths[at] + widths[at].min(NARROWEST)
                });
                if least <= room || columns.len() == 1 {
                    wraps = widest;
                    break;
                }
                columns.pop();
            }
        }
        Self {
            columns,
            wraps,
            numeric,
            empty,
        }
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

/// A script or an asset, and the slice of it.
pub(super) fn with_slice(name: &str, slice: Option<&str>) -> String {
    match slice {
        Some(value) => format!("{name} [{value}]"),
        None => name.to_owned(),
    }
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
    fn columns_that_do_not_fit_are_left_out_and_the_widest_wraps() {
        let rows = [vec![
            "1".to_owned(),
            "x".repeat(60),
            String::new(),
            "2,5".to_owned(),
        ]];
        let header = ["id", "text", "nothing", "n"];
        let wide = Layout::new(&header, &rows, None);
        assert_eq!((wide.columns.len(), wide.wraps, wide.empty), (3, None, 1));
        assert_eq!(wide.numeric, [true, false, true, true]);
        let narrow = Layout::new(&header, &rows, Some(50));
        assert_eq!((narrow.columns.len(), narrow.wraps), (3, Some(1)));
        let tiny = Layout::new(&header, &rows, Some(20));
        assert_eq!((tiny.columns.as_slice(), tiny.wraps), (&[0][..], None));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            [0, 999, 1000, 1_234_567, -1000].map(grouped),
            ["0", "999", "1,000", "1,234,567", "-1,000"]
        );
    }
}
