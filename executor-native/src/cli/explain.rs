//! `lakemill explain`

use parser_core::diagnostic::Code;
use parser_core::editor::registry::{self, Annotation};
use parser_core::header::Keyword;

use super::failure::Failure;
use super::output::Output;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lakemill explain LM001\n  lakemill explain data_test   an annotation\n  lakemill explain history     an option, or a word\n  lakemill explain             list every code"
)]
pub(super) struct Arguments {
    /// `LM001`, `1`, a code's name, an annotation, its options and words; all codes when left out
    what: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let Some(wanted) = &arguments.what else {
        return list(arguments.json, output);
    };
    let number = wanted.parse::<u16>().ok();
    let id = number.map_or_else(|| wanted.clone(), |number| format!("LM{number:03}"));
    let infos = Code::ALL.iter().map(|code| code.info());
    let mut named = infos.filter(|info| info.id.eq_ignore_ascii_case(&id) || info.name == wanted);
    let Some(info) = named.next() else {
        return grammar(wanted, arguments.json, output);
    };
    if arguments.json {
        return output.json(&serde_json::json!({
            "id": info.id, "name": info.name, "severity": info.severity.as_str(), "title": info.title,
            "explanation": info.explanation, "example": info.example, "mend": info.mend,
        }));
    }
    output.heading(&format!(
        "{} {} ({})",
        info.id,
        info.name,
        info.severity.as_str()
    ));
    output.line(&format!("{}\n\n{}\n", info.title, info.explanation));
    output.heading("Found in");
    output.line(&format!("{}\n", info.example));
    output.heading("Mended");
    output.line(info.mend);
    Ok(())
}

/// An annotation, and where `wanted` is an option or a word of one.
fn grammar(wanted: &str, json: bool, output: &Output) -> Result<(), Failure> {
    let mut found: Vec<(String, String)> = Vec::new();
    if let Some(keyword) = Keyword::read(wanted) {
        found.push((
            format!("annotation `{wanted}`"),
            registry::markdown(keyword),
        ));
    }
    for &keyword in Keyword::ALL {
        let (annotation, of) = (Annotation::of(keyword), keyword.as_str());
        if let Some(word) = annotation.word(wanted) {
            found.push((format!("`{wanted}` of `{of}`"), word.doc.to_owned()));
        }
        for option in annotation.options {
            if option.name == wanted.trim_end_matches('=') {
                let mut text = format!("`{}`: {}\n", option.syntax(), option.doc);
                for word in option.values() {
                    text.push_str(&format!("  {}  {}\n", word.word, word.doc));
                }
                found.push((format!("option `{wanted}` of `{of}`"), text));
            }
        }
    }
    if found.is_empty() {
        return Err(Failure::Usage(format!(
            "there is no code, annotation, option or word `{wanted}`; `lakemill explain` lists the codes, REFERENCE.md all of it"
        )));
    }
    if json {
        let found = found
            .iter()
            .map(|(what, text)| serde_json::json!({ "what": what, "explanation": text }));
        return output.json(&found.collect::<Vec<_>>());
    }
    for (what, text) in &found {
        output.heading(what);
        output.line(&format!("{}\n", text.trim_end()));
    }
    Ok(())
}

fn list(json: bool, output: &Output) -> Result<(), Failure> {
    let infos = Code::ALL.iter().map(|code| code.info());
    if json {
        let rows: Vec<_> = infos
            .map(|info| serde_json::json!({"id": info.id, "name": info.name, "severity": info.severity.as_str(), "title": info.title}))
            .collect();
        return output.json(&rows);
    }
    output.table(
        &["code", "severity", "name", "title"],
        infos.map(|info| {
            vec![
                info.id.to_owned(),
                info.severity.as_str().to_owned(),
                info.name.to_owned(),
                info.title.to_owned(),
            ]
        }),
    );
    Ok(())
}
