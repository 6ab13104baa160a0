//! Sequences of runs that nobody wrote: after each, the lake holds what a small model says.
//!
//! A fixed seed in the pipeline; `LAKEMILL_PROPERTY_SEED` and `LAKEMILL_PROPERTY_COUNT` choose others. What fails is
//! shrunk and printed. All runs of a test share a warm engine, and some tables a lake: opening costs more than a run.
#![allow(clippy::unwrap_used)] // in tests, the helpers included

mod history;
mod layout;
mod rows;
mod values;
mod world;

use std::fmt::Debug;

use proptest::strategy::Strategy;
use proptest::test_runner::{
    Config, RngAlgorithm, TestCaseError, TestCaseResult, TestRng, TestRunner,
};

/// Checks `count` sequences, each with a world to run it in.
fn check<T: Debug>(
    count: u32,
    sequences: &impl Strategy<Value = T>,
    one: impl Fn(&mut world::World, &T) -> TestCaseResult,
) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let seed: u64 = number("LAKEMILL_PROPERTY_SEED").unwrap_or(20_261_130);
    let config = Config {
        cases: number("LAKEMILL_PROPERTY_COUNT")
            .and_then(|count| u32::try_from(count).ok())
            .unwrap_or(count),
        failure_persistence: None,
        max_shrink_iters: 100,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let world = std::cell::RefCell::new(world::World::new());
    let result = TestRunner::new_with_rng(config, rng).run(sequences, |sequence| {
        let mut world = world.borrow_mut();
        world.next_table();
        one(&mut world, &sequence)
    });
    if let Err(error) = result {
        panic!("seed {seed}: {error}");
    }
}

/// Fails the sequence with both sides, when they are not the same.
fn same<T: Debug + PartialEq>(what: &str, found: &T, expected: &T) -> TestCaseResult {
    if found == expected {
        return Ok(());
    }
    Err(TestCaseError::fail(format!(
        "{what}\n  found    {found:?}\n  expected {expected:?}"
    )))
}
