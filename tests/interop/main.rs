//! The command against servers that other people wrote: PostgreSQL, and S3. `cargo xtask setup test` installs both; each test
//! starts its own.
#![allow(clippy::unwrap_used)] // in tests, the helpers included

mod concurrency;
mod crash;
mod databases;
mod kills;
mod outage;
mod postgres;
#[path = "../e2e/project.rs"]
#[allow(dead_code)] // shared with the end-to-end tests
mod project;
mod s3;
mod settle;
mod state;
mod storage;
mod threads;

use project::Done;

use std::net::{Ipv4Addr, TcpListener};

/// A port of this machine that nobody listens on.
fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap().port()
}

/// Fails when a secret is in anything that a command said.
#[track_caller]
fn keeps(done: Done, secret: &str) -> Done {
    assert!(!done.stdout.contains(secret), "{}", done.stdout);
    assert!(!done.stderr.contains(secret), "{}", done.stderr);
    done
}
