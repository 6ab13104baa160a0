//! `lakemill parse`

use std::io::{BufRead as _, Read as _};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::output::Output;
use crate::config::Project;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lakemill parse pipelines/orders.sql\n  lakemill parse - < draft.sql\n  lakemill parse --batch < scripts.jsonl"
)]
pub(super) struct Arguments {
    /// A script, or `-` for stdin
    #[arg(required_unless_present = "batch")]
    file: Option<PathBuf>,
    /// Read JSON lines `{"id", "text"}` from stdin, write JSON lines with the same `id`; a line that is none gives
    /// `{"id": null, "error"}`
    #[arg(long, conflicts_with = "file")]
    batch: bool,
}

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    let Some(file) = &arguments.file else {
        return batch(output);
    };
    let text = if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::Failed(format!("stdin: {error}")))?;
        String::from_utf8(bytes).map_err(|_| Failure::Failed("stdin is not UTF-8".to_owned()))?
    } else {
        let files = Project::open(directory)?.select(std::slice::from_ref(file))?;
        match files.files.into_iter().next() {
            Some(file) => file.text,
            None => {
                return Err(Failure::Usage(format!(
                    "{}: no script there",
                    file.display()
                )));
            }
        }
    };
    output.json(&parser_core::wire::parse_to_wire(&text))
}

/// A line of `--batch`.
#[derive(serde::Deserialize)]
struct Line {
    id: serde_json::Value,
    text: String,
}

/// A line that cannot be read gives `{"id": null, "error": …}` in its place, and the rest goes on.
fn batch(output: &Output) -> Result<(), Failure> {
    let mut is_fine = true;
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.map_err(|error| Failure::Failed(format!("stdin: {error}")))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = answer(&line).unwrap_or_else(|error| {
            is_fine = false;
            serde_json::json!({ "id": null, "error": error.to_string() })
        });
        output.line(&answer.to_string());
    }
    if is_fine {
        Ok(())
    } else {
        Err(Failure::Reported)
    }
}

fn answer(line: &[u8]) -> serde_json::Result<serde_json::Value> {
    let Line { id, text } = serde_json::from_slice(line)?;
    let mut object = serde_json::Map::new();
    object.insert("id".to_owned(), id);
    if let serde_json::Value::Object(fields) =
        serde_json::to_value(parser_core::wire::parse_to_wire(&text))?
    {
        object.extend(fields);
    }
    Ok(object.into())
}
