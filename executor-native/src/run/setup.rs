//! A script's own setup: what is run before the session is confined, what then, and what it leaves behind in an engine.

use parser_core::Script;
use parser_core::body::{Again, SetupKind, StatementKind};
use parser_core::plan::Statement;

use super::RunError;
use crate::engine::{Engine, EngineError, Settings};

/// Runs the setup of `script` with `send`, and confines the session to the folders `allowed`, if it has a limit. Gives the
/// settings to restore once the script's have served; `None` when it changes none.
///
/// Lakes and databases are attached before, since a confined session attaches none on a server.
///
/// # Errors
/// Those of `send`, what the engine says.
pub(super) fn set_up(
    engine: &mut Engine,
    script: &Script,
    setup: &[Statement],
    allowed: Option<&[String]>,
    send: impl Fn(&Engine, &Statement) -> Result<(), RunError>,
) -> Result<Option<Settings>, RunError> {
    let (first, rest): (Vec<_>, Vec<_>) = setup.iter().partition(|statement| {
        allowed.is_some()
            && matches!(
                statement,
                Statement::AttachLake { .. } | Statement::AttachDatatable { .. }
            )
    });
    for statement in first {
        send(engine, statement)?;
    }
    let settings = changed_settings(engine, script, allowed.is_some())?;
    if let Some(directories) = allowed {
        engine.confine(directories)?;
    }
    for statement in rest {
        send(engine, statement)?;
    }
    Ok(settings)
}

/// Whether a renewed session after this script is as good as a new engine: it changed no setting and loaded nothing.
#[must_use]
pub fn leaves_engine_clean(script: &Script) -> bool {
    script
        .body
        .statements
        .iter()
        .all(|statement| match &statement.kind {
            StatementKind::Output(_) => true,
            StatementKind::Setup(setup) => match setup {
                SetupKind::Attach(_)
                | SetupKind::Detach
                | SetupKind::Use
                | SetupKind::CreateTemp
                | SetupKind::WriteTemp => true,
                // Some settings are global whatever the script says.
                SetupKind::Install
                | SetupKind::Load
                | SetupKind::Set
                | SetupKind::Reset
                | SetupKind::Pragma => false,
            },
            StatementKind::Write { .. } | StatementKind::Transaction | StatementKind::Other => {
                false
            }
        })
}

/// Whether each lake that the script attaches is still attached under its name when it ends.
pub(super) fn leaves_attachments(script: &Script) -> bool {
    let mut statements = script.body.statements.iter();
    statements.all(|statement| match &statement.kind {
        StatementKind::Output(_) => true,
        StatementKind::Setup(setup) => match setup {
            SetupKind::Attach(attach) => match attach.again {
                Again::Refuse => true,
                // Under one name there may then be another lake than the statement says.
                Again::Keep | Again::Replace => false,
            },
            SetupKind::Use
            | SetupKind::CreateTemp
            | SetupKind::WriteTemp
            | SetupKind::Install
            | SetupKind::Load
            | SetupKind::Set
            | SetupKind::Reset
            | SetupKind::Pragma => true,
            SetupKind::Detach => false,
        },
        StatementKind::Write { .. } | StatementKind::Transaction | StatementKind::Other => false,
    })
}

/// The settings as they are before a script that may change them; `None` for others, and where none can be changed.
fn changed_settings(
    engine: &Engine,
    script: &Script,
    is_confined: bool,
) -> Result<Option<Settings>, EngineError> {
    if is_confined || leaves_engine_clean(script) {
        return Ok(None);
    }
    engine.settings().map(Some)
}
