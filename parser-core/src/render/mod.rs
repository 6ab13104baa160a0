//! The only place that makes SQL text.
