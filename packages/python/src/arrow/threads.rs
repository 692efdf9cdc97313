//! Divides work among threads: [`in_parts`] and [`in_order`].
//!
//! The threads live as long as one call. A pool that outlives a call would not exist in a forked process, and engines
//! fork their Python workers.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Divides a range into parts of this length. The last part may be shorter.
pub(super) fn in_parts(range: Range<usize>, length: usize) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range.step_by(length).map(move |start| start..end.min(start + length))
}

/// Calls `work` with each number below `tasks`, on at most `threads` threads, and returns the results in order.
pub(super) fn in_order<T: Send>(
    threads: usize,
    tasks: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let threads = threads.min(tasks);
    if threads < 2 {
        return (0..tasks).map(work).collect();
    }
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(tasks)));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut mine = Vec::new();
                loop {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= tasks {
                        break;
                    }
                    mine.push((task, work(task)));
                }
                // Only a panic poisons the lock, and the scope passes the panic on.
                if let Ok(mut done) = done.lock() {
                    done.append(&mut mine);
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_unstable_by_key(|(task, _)| *task);
    done.into_iter().map(|(_, result)| result).collect()
}
