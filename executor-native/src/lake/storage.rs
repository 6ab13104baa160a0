//! Folders and catalog files of embedded lakes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use parser_core::body::Again;
use parser_core::plan::sql::Ident;
use parser_core::plan::{Catalog, LakeSource, Statement};
use parser_core::render::render;

use super::LakeError;
use crate::config::Secret;
use crate::engine::{Command, Engine, EngineError, question};
use crate::scratch::Scratch;

/// Whether the lake's catalog file is there; a catalog server is taken to be.
#[must_use]
pub fn exists(source: &LakeSource) -> bool {
    match &source.catalog {
        Catalog::Sqlite(file) | Catalog::DuckDb(file) => Path::new(file).is_file(),
        Catalog::Postgres { .. } => true,
    }
}

/// How a PostgreSQL database is attached to look at it, not at a lake in it.
const DATABASE: &str = "_wm_catalog";

/// Whether a PostgreSQL server lets us in.
#[must_use]
pub(super) fn answers(engine: &Engine, connection: &Secret) -> bool {
    look(engine, connection, |_| Ok(())).is_ok()
}

/// Whether the catalog of a lake on a server is there, once it does not attach. (Why it did not is not told by a text.)
///
/// # Errors
/// What the engine says.
pub(super) fn exists_on_server(engine: &Engine, connection: &Secret) -> Result<bool, EngineError> {
    look(engine, connection, |session| {
        Ok(session
            .query(&question::lake_tables(DATABASE))?
            .one()?
            .truth(0))
    })
}

fn look<T>(
    engine: &Engine,
    connection: &Secret,
    at: impl FnOnce(&Engine) -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    engine.run(&question::keep_postgres(DATABASE, connection))?;
    engine.run(&question::attach_postgres(DATABASE))?;
    let found = at(engine);
    engine.run(&question::detach(DATABASE))?;
    found
}

/// Makes an embedded lake that does not exist yet, empty. Its file appears when it is complete.
///
/// Under a file lock: the first attachment writes the catalog's tables, and two processes at once would both try.
///
/// # Errors
/// [`LakeError::File`], [`LakeError::Engine`].
pub fn prepare(
    engine: &Engine,
    lake: &str,
    source: &LakeSource,
    home: &Path,
) -> Result<(), LakeError> {
    let file = match &source.catalog {
        Catalog::Sqlite(file) | Catalog::DuckDb(file) => Path::new(file),
        Catalog::Postgres { .. } => return Ok(()),
    };
    let fail = |path: &Path| {
        let path = path.to_path_buf();
        move |source| LakeError::File { path, source }
    };
    let locks = home.join("locks");
    fs::create_dir_all(&locks).map_err(fail(&locks))?;
    let path = locks.join("create-lake.lock");
    let lock = File::create(&path).map_err(fail(&path))?;
    if file.is_file() {
        // Its maker holds the lock exclusively until the catalog is complete.
        lock.lock_shared().map_err(fail(&path))?;
        return Ok(());
    }
    lock.lock().map_err(fail(&path))?;
    if file.is_file() {
        return Ok(());
    }
    for folder in [file.parent(), local(&source.data_path)]
        .into_iter()
        .flatten()
    {
        fs::create_dir_all(folder).map_err(fail(folder))?;
    }
    // A process may be killed meanwhile: what it leaves is not taken for a lake.
    let mut unfinished = file.as_os_str().to_owned();
    unfinished.push(".new");
    let unfinished = Path::new(&unfinished);
    for left in beside(unfinished).filter(|left| left.exists()) {
        fs::remove_file(&left).map_err(fail(&left))?;
    }
    let alias = Ident::new("_wm_new_lake");
    let name = unfinished.to_string_lossy().into_owned();
    engine.run(&Command::from(render(&Statement::AttachLake {
        lake: lake.to_owned(),
        source: LakeSource {
            catalog: match &source.catalog {
                Catalog::Sqlite(_) => Catalog::Sqlite(name),
                Catalog::DuckDb(_) => Catalog::DuckDb(name),
                Catalog::Postgres { .. } => return Ok(()),
            },
            ..source.clone()
        },
        alias: alias.clone(),
        read_only: false,
        options: None,
        again: Again::Refuse,
    })))?;
    engine.run(&question::detach(&alias.0))?;
    fs::rename(unfinished, file).map_err(fail(file))
}

/// A database file, and those that its engine may leave beside it.
fn beside(file: &Path) -> impl Iterator<Item = PathBuf> {
    ["", "-wal", "-shm", ".wal"].into_iter().map(|suffix| {
        let mut name = file.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    })
}

/// Where a lake can be read: where it is, or its data files there and a copy of its catalog in `scratch`.
///
/// # Errors
/// [`LakeError::File`]
pub(crate) fn readable(source: &LakeSource, scratch: &Scratch) -> Result<LakeSource, LakeError> {
    let file = match &source.catalog {
        Catalog::Sqlite(file) => Path::new(file),
        Catalog::DuckDb(_) | Catalog::Postgres { .. } => return Ok(source.clone()),
    };
    let place = scratch.readable(file).map_err(|source| LakeError::File {
        path: file.to_path_buf(),
        source,
    })?;
    Ok(LakeSource {
        catalog: Catalog::Sqlite(place.to_string_lossy().into_owned()),
        ..source.clone()
    })
}

fn local(data_path: &str) -> Option<&Path> {
    (!data_path.contains("://")).then(|| Path::new(data_path))
}
