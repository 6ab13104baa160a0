//! The reference of all codes.

use std::fmt::Write as _;

use super::Code;

/// Every code with its rule, an example and the example mended, as Markdown.
#[must_use]
pub fn reference() -> String {
    let mut page = String::from(
        "# Diagnostic codes\n\n\
         `lakemill explain LM001` prints one of them. Codes below LM300 are told by `lakemill check` and in the editor,\n\
         those from LM300 on by `plan` and `run`, which know the lake and the partition.\n\n\
         | code | severity | what |\n|---|---|---|\n",
    );
    // Writing to a String does not fail.
    for info in Code::ALL.iter().map(|code| code.info()) {
        let _ = writeln!(
            page,
            "| [{0}](#{1}-{2}) | {3} | {4} |",
            info.id,
            info.id.to_ascii_lowercase(),
            info.name,
            info.severity.as_str(),
            info.title.replace('|', "\\|")
        );
    }
    for info in Code::ALL.iter().map(|code| code.info()) {
        let _ = write!(
            page,
            "\n## {} {}\n\n{}. {}\n\n{}\nMended:\n\n{}",
            info.id,
            info.name,
            info.title,
            info.explanation,
            fenced(info.example),
            fenced(info.mend)
        );
    }
    page
}

fn fenced(text: &str) -> String {
    let language = if text.starts_with("lakemill ") {
        "sh"
    } else if text.starts_with('[') {
        "toml"
    } else {
        "sql"
    };
    format!("```{language}\n{}\n```\n", text.trim_end())
}
