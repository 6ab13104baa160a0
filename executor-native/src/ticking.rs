//! Work that is repeated beside what a process does.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Repeats something from a thread of its own until it is dropped.
#[derive(Debug)]
pub(crate) struct Ticking {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticking {
    /// Ticks after `first`, and then each time after `pause`.
    pub(crate) fn start(
        first: Duration,
        pause: Duration,
        mut tick: impl FnMut() + Send + 'static,
    ) -> Self {
        let (stop, stopped) = channel::<()>();
        let thread = std::thread::spawn(move || {
            let mut wait = first;
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(wait) {
                tick();
                wait = pause;
            }
        });
        Self {
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Ticking {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
