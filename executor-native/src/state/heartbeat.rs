//! Signs of life: while a process runs, the leases of its runs are prolonged.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;

use super::{StateStore, now_ms};

/// Prolongs leases from a thread of its own until it is dropped.
#[derive(Debug)]
pub struct Heartbeat {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Heartbeat {
    /// Starts beating for `owner`.
    #[must_use]
    pub fn start(state: Arc<dyn StateStore>, owner: String) -> Self {
        let (stop, stopped) = channel::<()>();
        let pause = state.lease() / 3;
        let thread = std::thread::spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(pause) {
                // A beat that is missed is no harm: the next comes before the lease ends.
                if let Err(error) = state.renew(&owner, now_ms()) {
                    tracing::warn!(%error, "the lease was not renewed");
                }
            }
        });
        Self {
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
