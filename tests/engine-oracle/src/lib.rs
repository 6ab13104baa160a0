//! How the engine splits a text into statements: `duckdb_extract_statements`, which its safe Rust interface does not have.
//!
//! Nothing is executed or prepared: binding some statements (a foreign key to a table that is not there) throws across the
//! engine's C interface, which ends the process.

use std::ffi::{CStr, CString, c_char};
use std::ptr::null_mut;

use duckdb::ffi;

/// An engine in memory.
#[derive(Debug)]
pub struct Oracle {
    database: ffi::duckdb_database,
    connection: ffi::duckdb_connection,
}

/// Statements that the engine extracted from a text.
struct Extracted(ffi::duckdb_extracted_statements);

impl Drop for Extracted {
    fn drop(&mut self) {
        // SAFETY: it came from `duckdb_extract_statements` and is destroyed once.
        unsafe { ffi::duckdb_destroy_extracted(&raw mut self.0) }
    }
}

impl Oracle {
    /// Opens one.
    ///
    /// # Errors
    /// When the engine does not open a database in memory.
    pub fn open() -> Result<Self, String> {
        let (mut database, mut connection) = (null_mut(), null_mut());
        // SAFETY: both are places for what the engine makes; no path means memory.
        let is_open = unsafe {
            ffi::duckdb_open(std::ptr::null(), &raw mut database) == ffi::DuckDBSuccess
                && ffi::duckdb_connect(database, &raw mut connection) == ffi::DuckDBSuccess
        };
        if !is_open {
            return Err("the engine does not open a database".to_owned());
        }
        Ok(Self {
            database,
            connection,
        })
    }

    /// How many statements a text has.
    ///
    /// # Errors
    /// What the engine's parser says.
    pub fn count(&self, text: &str) -> Result<usize, String> {
        let text = CString::new(text).map_err(|error| error.to_string())?;
        let mut extracted = Extracted(null_mut());
        // SAFETY: the connection is open, the text ends in NUL and outlives the call.
        let count = unsafe {
            ffi::duckdb_extract_statements(self.connection, text.as_ptr(), &raw mut extracted.0)
        };
        if count > 0 {
            return usize::try_from(count).map_err(|error| error.to_string());
        }
        // SAFETY: the message belongs to `extracted` and is copied before that goes. An empty text has none.
        let message = unsafe {
            let message: *const c_char = ffi::duckdb_extract_statements_error(extracted.0);
            (!message.is_null()).then(|| CStr::from_ptr(message).to_string_lossy().into_owned())
        };
        message.filter(|text| !text.is_empty()).map_or(Ok(0), Err)
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // SAFETY: both are open and are closed once, the connection first.
        unsafe {
            ffi::duckdb_disconnect(&raw mut self.connection);
            ffi::duckdb_close(&raw mut self.database);
        }
    }
}
