//! Runs tasks in interleaved rounds. In each round every task runs once, and each round begins with a different task.
//! So other work on the machine affects all tasks equally.
//!
//! Times are processor times of the thread. So other programs affect these times only through the processor's caches.

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// A moment on the thread's clock. Reading the clock is a system call that takes half a microsecond. So this clock
/// times only long work: work on all files of a corpus, or short work that is repeated for 100 µs.
#[derive(Clone, Copy, Debug)]
pub struct Moment(Duration);

impl Moment {
    /// Returns this moment.
    ///
    /// # Panics
    /// Panics if the clock shows a negative time.
    #[must_use]
    pub fn now() -> Self {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Self(Duration::try_from(time).expect("time spent is never negative"))
    }

    /// Returns the processor time of the thread since this moment.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}

/// A task. A call runs the task once and returns the time of the part that is measured.
pub type Task<'t> = Box<dyn FnMut() -> Duration + 't>;

/// The times of several tasks for each round, in nanoseconds.
#[derive(Debug)]
pub struct Times(Vec<Vec<f64>>);

impl Times {
    /// Returns the median time of a task.
    #[must_use]
    pub fn median(&self, task: usize) -> f64 {
        median(&self.0[task])
    }

    /// Divides the time of one task by the time of another in each round, and returns the median of these ratios.
    #[must_use]
    pub fn ratio(&self, task: usize, to: usize) -> f64 {
        let ratios: Vec<f64> = self.0[task].iter().zip(&self.0[to]).map(|(a, b)| a / b).collect();
        median(&ratios)
    }
}

/// Runs every task once without measuring, and then for the requested number of rounds.
#[must_use]
pub fn interleaved(rounds: usize, tasks: &mut [Task<'_>]) -> Times {
    for task in tasks.iter_mut() {
        task();
    }
    let mut times = vec![Vec::with_capacity(rounds); tasks.len()];
    for round in 0..rounds {
        for turn in 0..tasks.len() {
            let number = (round + turn) % tasks.len();
            times[number].push(nanoseconds(tasks[number]()));
        }
    }
    Times(times)
}

/// Makes a task from short work. The task repeats the work until the time is long enough to be measured, and returns
/// the mean time of one repetition.
#[must_use]
pub fn repeated<'t, T>(mut work: impl FnMut() -> T + 't) -> Task<'t> {
    const ENOUGH: Duration = Duration::from_micros(100);
    let mut times = 0;
    Box::new(move || {
        let start = Moment::now();
        (0..times.max(1)).for_each(|_| drop(black_box(work())));
        let taken = start.elapsed();
        if times == 0 {
            let once = taken.as_nanos().max(1);
            times = u32::try_from(ENOUGH.as_nanos() / once + 1).unwrap_or(1);
            return taken;
        }
        taken / times
    })
}

/// Returns the median of some values. For an even number of values, this is the lower of the two middle values.
///
/// # Panics
/// Panics if there are no values.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[(values.len() - 1) / 2]
}

/// Returns a duration in nanoseconds.
#[must_use]
pub fn nanoseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e9
}
