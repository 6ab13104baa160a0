//! `lakemill doctor`

use std::path::Path;

use parser_core::body::Again;
use parser_core::plan::Statement;
use parser_core::plan::sql::Ident;
use parser_core::render::render;
use parser_core::source::Span;
use serde::Serialize;

use super::failure::Failure;
use super::output::Output;
use crate::config::{Project, Store};
use crate::disk;
use crate::engine::extensions::{self, Extension};
use crate::engine::{Command, Engine, EngineError, Outside, question};
use crate::lake::{LakeError, LakeReader};
use crate::state::{PostgresState, SqliteState};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lakemill doctor\n  lakemill doctor --install-extensions")]
pub(super) struct Arguments {
    /// Fetch missing extensions from DuckDB's repository into ~/.duckdb
    #[arg(long)]
    install_extensions: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Finding {
    what: String,
    ok: bool,
    /// Whether anything fails without it.
    needed: bool,
    detail: String,
}

pub(super) fn run(
    directory: Option<&Path>,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), Failure> {
    let project = Project::open(directory)?;
    let scripts = project.scripts();
    let mut findings = vec![Finding {
        what: "project".to_owned(),
        ok: true,
        needed: true,
        detail: format!(
            "{}, {} script(s)",
            project.root.display(),
            scripts.files.len()
        ),
    }];
    findings.extend(scripts.unreadable.into_iter().map(|file| Finding {
        what: file.name,
        ok: false,
        needed: true,
        detail: file.reason,
    }));
    let engine = Engine::open(&project.config.engine, &project.root, &[])?;
    findings.push(Finding {
        what: "engine".to_owned(),
        ok: true,
        needed: true,
        detail: format!(
            "DuckDB {} on {}",
            engine.texts(&question::version())?.join(" "),
            engine.texts(&question::platform())?.join(" ")
        ),
    });
    if arguments.install_extensions {
        for extension in Extension::ALL {
            if engine.run(&question::load(extension)).is_err() {
                engine.run(&question::install(extension))?;
                output.tick(&format!("installed {}", extension.name()));
            }
        }
    }
    findings.extend(Extension::ALL.into_iter().map(|extension| {
        let loaded = engine.run(&question::load(extension));
        Finding {
            what: format!("extension {}", extension.name()),
            ok: loaded.is_ok(),
            needed: matches!(extension, Extension::DuckLake | Extension::Sqlite),
            detail: match loaded {
                Ok(_) => String::new(),
                Err(_) => format!(
                    "not in {}; `lakemill doctor --install-extensions` fetches it",
                    extensions::display(&extensions::directories(&project.config.engine))
                ),
            },
        }
    }));
    findings.push(state(&project)?);
    for name in project.config.lakes.keys() {
        findings.push(lake(&project, name)?);
    }
    for name in project.config.datatables.keys() {
        findings.push(datatable(&project, name)?);
    }
    findings.push(Finding {
        what: "storage".to_owned(),
        ok: true,
        needed: true,
        detail: project.storage_root()?,
    });
    let spill = project.spill_folder();
    findings.push(Finding {
        what: "temporary files".to_owned(),
        ok: !spill.exists() || disk::is_writable(&spill),
        needed: true,
        detail: format!("below {}", spill.display()),
    });

    if arguments.json {
        output.json(&findings)?;
    } else {
        for finding in &findings {
            let text = format!("{} {}", finding.what, finding.detail);
            if finding.ok {
                output.tick(text.trim_end());
            } else {
                output.cross(text.trim_end());
            }
        }
    }
    if findings.iter().any(|finding| finding.needed && !finding.ok) {
        return Err(Failure::Reported);
    }
    Ok(())
}

fn state(project: &Project) -> Result<Finding, Failure> {
    let source = project.state()?;
    let opened = match &source.store {
        Store::Sqlite(file) if !file.exists() => {
            Ok(format!("{} (made by the first run)", file.display()))
        }
        Store::Sqlite(file) => SqliteState::open(file, &source).map(|_| file.display().to_string()),
        Store::Postgres(url) => {
            PostgresState::open(url, &source).map(|state| state.place().to_owned())
        }
    };
    Ok(Finding {
        what: "state".to_owned(),
        ok: opened.is_ok(),
        needed: true,
        detail: opened.unwrap_or_else(|error| error.to_string()),
    })
}

fn lake(project: &Project, name: &str) -> Result<Finding, Failure> {
    project.lake(name)?;
    let opened = LakeReader::open(project, name)
        .and_then(|reader| Ok(format!("{} snapshot(s)", reader.snapshots()?.len())));
    let opened = match opened {
        Err(LakeError::Absent(_)) => Ok("made by the first run".to_owned()),
        Ok(_) | Err(_) => opened.map_err(|error| error.to_string()),
    };
    Ok(Finding {
        what: format!("lake {name}"),
        ok: opened.is_ok(),
        needed: true,
        detail: opened.unwrap_or_else(|error| error),
    })
}

fn datatable(project: &Project, name: &str) -> Result<Finding, Failure> {
    let outside = Outside::of_datatable(project, name)?;
    let attach = || -> Result<(), EngineError> {
        let engine = Engine::open(&project.config.engine, &project.root, &outside.needs)?;
        outside.admit(&engine)?;
        engine.run(&Command::from(render(&Statement::AttachDatatable {
            datatable: name.to_owned(),
            alias: Ident::new("datatable"),
            read_only: true,
            options: None,
            again: Again::Refuse,
            span: Span::default(),
        })))?;
        Ok(())
    };
    let opened = attach().map_err(|error| error.to_string());
    Ok(Finding {
        what: format!("datatable {name}"),
        ok: opened.is_ok(),
        needed: true,
        detail: opened.err().unwrap_or_default(),
    })
}
