//! Defines [`in_parallel`], which processes several items at the same time. Runs of questions and runs of crawls use
//! it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Applies a function to items, with at most `jobs` threads, and returns the results in the order of the items. The
/// observer receives each result soon after the function returns it.
///
/// If the function returns `None`, its thread takes no further item, and the result lacks this item.
///
/// # Panics
/// Panics if the function or the observer panics.
///
/// ```
/// use robots_conformance::run::parallel::in_parallel;
/// let mut seen = 0;
/// let squares = in_parallel(&[1, 2, 3], 2, |number| Some(number * number), |_| seen += 1);
/// assert_eq!((squares, seen), (vec![1, 4, 9], 3));
/// ```
pub fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> Option<R> + Sync,
    mut observer: impl FnMut(&R),
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let result = items.get(index).and_then(work);
                    // The receiver is gone if the observer has panicked.
                    if result.is_none_or(|result| sender.send((index, result)).is_err()) {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (index, result) in receiver {
            observer(&result);
            results[index] = Some(result);
        }
    });
    results.into_iter().flatten().collect()
}
