//! `lakemill explain`

use parser_core::diagnostic::Code;

use super::failure::Failure;
use super::output::Output;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lakemill explain LM001\n  lakemill explain            list every code"
)]
pub(super) struct Arguments {
    /// `LM001`, or a code's name; all codes when left out
    code: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let Some(wanted) = &arguments.code else {
        return list(arguments.json, output);
    };
    let info = Code::ALL
        .iter()
        .map(|code| code.info())
        .find(|info| info.id.eq_ignore_ascii_case(wanted) || info.name == wanted)
        .ok_or_else(|| {
            Failure::Usage(format!(
                "there is no code `{wanted}`; `lakemill explain` lists them"
            ))
        })?;
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
