//! Folders and catalog files of embedded lakes.

use std::fs::{self, File};
use std::path::Path;

use parser_core::body::Again;
use parser_core::plan::sql::Ident;
use parser_core::plan::{Catalog, LakeSource, Statement};
use parser_core::render::render;

use super::LakeError;
use crate::engine::{Command, Engine, question};

/// Whether the lake's catalog file is there; a catalog server is taken to be.
#[must_use]
pub fn exists(source: &LakeSource) -> bool {
    match &source.catalog {
        Catalog::Sqlite(file) | Catalog::DuckDb(file) => Path::new(file).is_file(),
        Catalog::Postgres { .. } => true,
    }
}

/// Makes an embedded lake that does not exist yet, empty.
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
    let alias = Ident::new("_wm_new_lake");
    engine.run(&Command::from(render(&Statement::AttachLake {
        lake: lake.to_owned(),
        source: source.clone(),
        alias: alias.clone(),
        read_only: false,
        options: None,
        again: Again::Refuse,
    })))?;
    engine.run(&question::detach(&alias.0))?;
    Ok(())
}

fn local(data_path: &str) -> Option<&Path> {
    (!data_path.contains("://")).then(|| Path::new(data_path))
}
