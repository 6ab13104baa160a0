//! How the engine splits a text into statements: `duckdb_extract_statements`, which its safe Rust interface does not have.
//!
//! Nothing is executed: binding some statements (a foreign key to a table that is not there) throws across the engine's C
//! interface, which ends the process. That interface tells a statement's type only once it is prepared, which binds it; so the
//! types are read where the engine of this version keeps them, and [`Oracle::prepared`] shows for harmless statements that it
//! does.

use std::ffi::{CStr, CString, c_char};
use std::ptr::null_mut;

use duckdb::ffi;

/// What a statement is to the engine: the types that its parser gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // each is the engine's word
pub enum StatementType {
    Select,
    Insert,
    Update,
    Create,
    Delete,
    Prepare,
    Execute,
    Alter,
    Transaction,
    Copy,
    Explain,
    Drop,
    Export,
    Pragma,
    Vacuum,
    Call,
    Set,
    Load,
    Attach,
    Detach,
    Multi,
    CopyDatabase,
    UpdateExtensions,
    MergeInto,
}

/// `duckdb::SQLStatement`, as far as it is read.
#[repr(C)]
struct SqlStatement {
    _methods: *const (),
    kind: u8,
}

/// What `duckdb_extracted_statements` points to: a vector of pointers to statements, which begins with where its items begin
/// and end, and an error.
#[repr(C)]
struct Statements {
    begin: *const *const SqlStatement,
    end: *const *const SqlStatement,
}

/// The engine's numbers for [`StatementType`] (`common/enums/statement_type.hpp`).
fn statement_type(number: u8) -> Option<StatementType> {
    Some(match number {
        1 => StatementType::Select,
        2 => StatementType::Insert,
        3 => StatementType::Update,
        4 => StatementType::Create,
        5 => StatementType::Delete,
        6 => StatementType::Prepare,
        7 => StatementType::Execute,
        8 => StatementType::Alter,
        9 => StatementType::Transaction,
        10 => StatementType::Copy,
        14 => StatementType::Explain,
        15 => StatementType::Drop,
        16 => StatementType::Export,
        17 => StatementType::Pragma,
        18 => StatementType::Vacuum,
        19 => StatementType::Call,
        20 => StatementType::Set,
        21 => StatementType::Load,
        25 => StatementType::Attach,
        26 => StatementType::Detach,
        27 => StatementType::Multi,
        28 => StatementType::CopyDatabase,
        29 => StatementType::UpdateExtensions,
        30 => StatementType::MergeInto,
        _ => return None,
    })
}

/// The numbers of the C interface, which are others.
const fn prepared_type(number: ffi::duckdb_statement_type) -> Option<StatementType> {
    Some(match number {
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_SELECT => StatementType::Select,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_INSERT => StatementType::Insert,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_UPDATE => StatementType::Update,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_CREATE => StatementType::Create,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_DELETE => StatementType::Delete,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_PREPARE => StatementType::Prepare,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_EXECUTE => StatementType::Execute,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_ALTER => StatementType::Alter,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_TRANSACTION => StatementType::Transaction,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_COPY => StatementType::Copy,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_EXPLAIN => StatementType::Explain,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_DROP => StatementType::Drop,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_EXPORT => StatementType::Export,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_PRAGMA => StatementType::Pragma,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_VACUUM => StatementType::Vacuum,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_CALL => StatementType::Call,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_SET => StatementType::Set,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_LOAD => StatementType::Load,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_ATTACH => StatementType::Attach,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_DETACH => StatementType::Detach,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_MULTI => StatementType::Multi,
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_COPY_DATABASE => {
            StatementType::CopyDatabase
        }
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_UPDATE_EXTENSIONS => {
            StatementType::UpdateExtensions
        }
        ffi::duckdb_statement_type_DUCKDB_STATEMENT_TYPE_MERGE_INTO => StatementType::MergeInto,
        _ => return None,
    })
}

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

    /// The types of a text's statements.
    ///
    /// # Errors
    /// What the engine's parser says, and a type that is not known here.
    pub fn types(&self, text: &str) -> Result<Vec<StatementType>, String> {
        let (extracted, count) = self.extract(text)?;
        if count == 0 {
            return Ok(Vec::new());
        }
        // SAFETY: with at least one statement it points to the engine's vector of them, which lives as long as `extracted`.
        let numbers: Vec<u8> = unsafe {
            let statements = &*extracted.0.cast::<Statements>();
            let length = statements.end.offset_from(statements.begin);
            if usize::try_from(length) != Ok(count) {
                return Err(format!("{length} statements in place of {count}"));
            }
            std::slice::from_raw_parts(statements.begin, count)
                .iter()
                .map(|statement| (**statement).kind)
                .collect()
        };
        let known = |number: &u8| statement_type(*number).ok_or(format!("type {number}"));
        numbers.iter().map(known).collect()
    }

    /// The type of a statement that is prepared, by the C interface alone.
    ///
    /// # Errors
    /// What the engine says.
    pub fn prepared(&self, text: &str) -> Result<StatementType, String> {
        let text = CString::new(text).map_err(|error| error.to_string())?;
        let mut prepared: ffi::duckdb_prepared_statement = null_mut();
        // SAFETY: the connection is open, the text ends in NUL and outlives the calls; what is made is destroyed once.
        let (is_ready, number) = unsafe {
            let state = ffi::duckdb_prepare(self.connection, text.as_ptr(), &raw mut prepared);
            let number = ffi::duckdb_prepared_statement_type(prepared);
            ffi::duckdb_destroy_prepare(&raw mut prepared);
            (state == ffi::DuckDBSuccess, number)
        };
        let known = prepared_type(number).filter(|_| is_ready);
        known.ok_or_else(|| format!("{text:?} does not prepare, or is of type {number}"))
    }

    /// Runs a statement.
    ///
    /// # Errors
    /// When the engine refuses it.
    pub fn run(&self, text: &str) -> Result<(), String> {
        let text = CString::new(text).map_err(|error| error.to_string())?;
        // SAFETY: the connection is open, the text ends in NUL and outlives the call; no result is wanted.
        let state = unsafe { ffi::duckdb_query(self.connection, text.as_ptr(), null_mut()) };
        if state == ffi::DuckDBSuccess {
            return Ok(());
        }
        Err(format!("{text:?} fails"))
    }

    fn extract(&self, text: &str) -> Result<(Extracted, usize), String> {
        let text = CString::new(text).map_err(|error| error.to_string())?;
        let mut extracted = Extracted(null_mut());
        // SAFETY: the connection is open, the text ends in NUL and outlives the call.
        let count = unsafe {
            ffi::duckdb_extract_statements(self.connection, text.as_ptr(), &raw mut extracted.0)
        };
        if count > 0 {
            let count = usize::try_from(count).map_err(|error| error.to_string())?;
            return Ok((extracted, count));
        }
        // SAFETY: the message belongs to `extracted` and is copied before that goes. An empty text has none.
        let message = unsafe {
            let message: *const c_char = ffi::duckdb_extract_statements_error(extracted.0);
            (!message.is_null()).then(|| CStr::from_ptr(message).to_string_lossy().into_owned())
        };
        match message.filter(|text| !text.is_empty()) {
            None => Ok((extracted, 0)),
            Some(message) => Err(message),
        }
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
