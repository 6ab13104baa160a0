//! Cancelling from another thread: Ctrl-C, a time-out, a request.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use duckdb::InterruptHandle;

/// Says "stop" to the running statement and to whatever would come next.
#[derive(Default)]
pub struct Cancel {
    asked: AtomicBool,
    running: Mutex<Vec<Weak<InterruptHandle>>>,
}

impl Cancel {
    /// Stops now.
    pub fn cancel(&self) {
        self.asked.store(true, Ordering::SeqCst);
        for handle in self.handles().iter().filter_map(Weak::upgrade) {
            handle.interrupt();
        }
    }

    /// Whether it was asked for.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Lets [`Cancel::cancel`] reach an engine for as long as the handle lives.
    pub fn watch(&self, handle: &Arc<InterruptHandle>) {
        let mut handles = self.handles();
        handles.retain(|known| known.strong_count() > 0);
        handles.push(Arc::downgrade(handle));
    }

    fn handles(&self) -> std::sync::MutexGuard<'_, Vec<Weak<InterruptHandle>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
