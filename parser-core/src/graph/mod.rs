//! Which script needs which: order by reads and writes.
