//! A program and whatever it starts: one process group, or one job, ended together.
//!
//! [`start`] makes a [`Group`], [`end_all`] kills every one there is. What leaves its group on purpose, as a
//! daemon does, is not found; nothing here waits for it.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

/// The groups that were started and not yet dropped.
static LIVE: Mutex<Live> = Mutex::new(Live { is_over: false, groups: Vec::new() });

struct Live {
    /// Whether nothing is started any more.
    is_over: bool,
    groups: Vec<Weak<Group>>,
}

/// Kills every process that the engines of this module started, with whatever those started, and starts none
/// any more: for a program that was told to end.
pub fn end_all() {
    let groups = {
        let mut live = live();
        live.is_over = true;
        std::mem::take(&mut live.groups)
    };
    for group in groups.iter().filter_map(Weak::upgrade) {
        group.kill();
    }
}

/// The pipes of a program; those it was given.
#[derive(Default)]
pub(super) struct Pipes {
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: Option<ChildStderr>,
}

/// Starts a program in a group of its own.
pub(super) fn start(command: Command) -> io::Result<(Arc<Group>, Pipes)> {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::std::JobObject);
    // While the lock is held, none can be started behind the back of `end_all`.
    let mut live = live();
    if live.is_over {
        return Err(io::Error::other("the run was told to end"));
    }
    let mut child = command.spawn()?;
    let pipes = Pipes {
        stdin: child.stdin().take(),
        stdout: child.stdout().take(),
        stderr: child.stderr().take(),
    };
    let group = Arc::new(Group(Mutex::new(State { child, status: None, is_over: false })));
    live.groups.retain(|group| group.strong_count() > 0);
    live.groups.push(Arc::downgrade(&group));
    Ok((group, pipes))
}

/// A running program. It ends when this is dropped.
pub(super) struct Group(Mutex<State>);

struct State {
    child: Box<dyn ChildWrapper>,
    status: Option<ExitStatus>,
    /// Whether the group was killed after its leader ended, so that its number may be another's by now.
    is_over: bool,
}

impl Group {
    /// Kills what is left of the group.
    pub(super) fn kill(&self) {
        let mut state = self.state();
        if state.is_over {
            return;
        }
        state.is_over = true;
        // There may be none left.
        let _ = state.child.start_kill();
        if state.status.is_none() {
            state.status = state.child.wait().ok();
        }
    }

    /// Waits for the program to end, not longer than the limit.
    pub(super) fn ended_within(&self, limit: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            if let Some(status) = self.ended() {
                return Some(status);
            }
            let left = limit.saturating_sub(start.elapsed());
            if left.is_zero() {
                return None;
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    fn ended(&self) -> Option<ExitStatus> {
        let mut state = self.state();
        if state.status.is_none() {
            state.status = state.child.try_wait().ok().flatten();
        }
        state.status
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

fn live() -> MutexGuard<'static, Live> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}
