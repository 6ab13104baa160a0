//! The command, end to end: the built binary on real lakes in temporary folders.

mod crash;
mod diagnostics;
mod names;
mod project;
mod writes;
