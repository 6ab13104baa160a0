//! DuckDB's lexical rules.
