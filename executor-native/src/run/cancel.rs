//! Cancelling from another thread: Ctrl-C, a time-out, a request.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use duckdb::InterruptHandle;

use crate::config::Timeout;
use crate::ticking::Ticking;

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

    fn handles(&self) -> MutexGuard<'_, Vec<Weak<InterruptHandle>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An interrupt that comes before its statement has begun is lost, so it is repeated.
const AGAIN: Duration = Duration::from_millis(50);

/// What stops one run: what stops all of them, and its own time-out.
pub(super) struct Stop<'a> {
    all: &'a Cancel,
    limit: Option<Limit>,
}

/// Whose time is over.
#[derive(Clone, Debug)]
pub struct TimedOut {
    /// What one slice has.
    pub timeout: Timeout,
    /// How many had their time together.
    pub slices: usize,
}

impl fmt::Display for TimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its time-out of {}", self.timeout)?;
        if self.slices > 1 {
            write!(f, " for each of {} slices", self.slices)?;
        }
        Ok(())
    }
}

struct Limit {
    timed_out: TimedOut,
    clock: Arc<Clock>,
    _ticking: Ticking,
}

#[derive(Default)]
struct Clock {
    is_over: AtomicBool,
    /// Of the statement that runs now, if it is one to stop.
    running: Mutex<Option<Arc<InterruptHandle>>>,
}

impl Clock {
    fn running(&self) -> MutexGuard<'_, Option<Arc<InterruptHandle>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ring(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        // With the lock held: what comes behind the statement, such as a ROLLBACK, is not met.
        if let Some(handle) = &*self.running() {
            handle.interrupt();
        }
    }
}

impl<'a> Stop<'a> {
    /// The time of a run begins. So many slices that are published together have theirs together.
    pub(super) fn new(all: &'a Cancel, timeout: Option<&Timeout>, slices: usize) -> Self {
        let limit = timeout.map(|timeout| {
            let clock = Arc::new(Clock::default());
            let rings = Arc::clone(&clock);
            let times = u32::try_from(slices).unwrap_or(u32::MAX);
            let time = timeout.duration().saturating_mul(times);
            Limit {
                timed_out: TimedOut {
                    timeout: timeout.clone(),
                    slices,
                },
                clock,
                _ticking: Ticking::start(time, AGAIN, move || rings.ring()),
            }
        });
        Self { all, limit }
    }

    /// Whether the run is to stop.
    pub(super) fn is_asked(&self) -> bool {
        let is_over = |limit: &Limit| limit.clock.is_over.load(Ordering::SeqCst);
        self.all.is_asked() || self.limit.as_ref().is_some_and(is_over)
    }

    /// The time-out, once it is over.
    pub(super) fn timed_out(&self) -> Option<TimedOut> {
        let limit = self.limit.as_ref()?;
        let is_over = limit.clock.is_over.load(Ordering::SeqCst);
        is_over.then(|| limit.timed_out.clone())
    }

    /// Runs statements of an engine that end when the time is over.
    pub(super) fn limit<T>(&self, engine: Arc<InterruptHandle>, run: impl FnOnce() -> T) -> T {
        let Some(limit) = &self.limit else {
            return run();
        };
        *limit.clock.running() = Some(engine);
        let result = run();
        *limit.clock.running() = None;
        result
    }
}
