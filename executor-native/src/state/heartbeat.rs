//! Signs of life: while a process runs, the leases of its runs are prolonged.

use std::sync::Arc;

use super::{StateStore, now_ms};
use crate::ticking::Ticking;

/// Prolongs leases from a thread of its own until it is dropped.
#[derive(Debug)]
pub struct Heartbeat {
    _ticking: Ticking,
}

impl Heartbeat {
    /// Starts beating for `owner`.
    #[must_use]
    pub fn start(state: Arc<dyn StateStore>, owner: String) -> Self {
        let pause = state.lease() / 3;
        let beat = move || {
            // A beat that is missed is no harm: the next comes before the lease ends.
            if let Err(error) = state.renew(&owner, now_ms()) {
                tracing::warn!(%error, "the lease was not renewed");
            }
        };
        Self {
            _ticking: Ticking::start(pause, pause, beat),
        }
    }
}
