//! A program and the processes that it starts: one process group, or on Windows one job, that is killed as a whole.
//!
//! [`ProcessGroup::start`] starts a group, and [`end_all`] kills all groups. A process can leave its group on purpose,
//! like a daemon. This module neither kills such a process nor waits for it.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

/// The groups that were started and are not dropped yet.
static LIVE: Mutex<Live> = Mutex::new(Live { is_over: false, groups: Vec::new() });

struct Live {
    /// Whether [`end_all`] was called. After the call, no process may start.
    is_over: bool,
    groups: Vec<Weak<ProcessGroup>>,
}

/// Kills every running [`ProcessGroup`]. After the call, no group can be started. Call this function if the program
/// itself must end.
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

/// The pipes of a program. Each pipe is present if the command requests it.
pub(super) struct Pipes {
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: Option<ChildStderr>,
}

/// A running program and the processes that it started. All of these processes are killed when this value is dropped.
///
/// ```
/// use std::process::Command;
/// use std::time::Duration;
/// use robots_conformance::process::ProcessGroup;
///
/// let program = ProcessGroup::start(Command::new("rustc"))?;
/// assert!(program.ended_within(Duration::from_secs(60)).is_some());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ProcessGroup(Mutex<State>);

#[derive(Debug)]
struct State {
    child: Box<dyn ChildWrapper>,
    status: Option<ExitStatus>,
    /// Whether the group was killed. A killed group is not killed again, because its number may belong to another
    /// group.
    is_over: bool,
}

impl ProcessGroup {
    /// Starts a program as the leader of a new group.
    ///
    /// # Errors
    /// Returns the system's error if the program does not start. After [`end_all`], always returns an error.
    pub fn start(command: Command) -> io::Result<Arc<Self>> {
        Self::start_piped(command).map(|(group, _)| group)
    }

    /// Starts a program as [`start`](Self::start) does, and returns its pipes too.
    pub(super) fn start_piped(command: Command) -> io::Result<(Arc<Self>, Pipes)> {
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        // The lock is held until the group is in the list, so `end_all` cannot miss it.
        let mut live = live();
        if live.is_over {
            return Err(io::Error::other("the run was ended"));
        }
        let mut child = command.spawn()?;
        let pipes = Pipes {
            stdin: child.stdin().take(),
            stdout: child.stdout().take(),
            stderr: child.stderr().take(),
        };
        let group = Arc::new(Self(Mutex::new(State { child, status: None, is_over: false })));
        live.groups.retain(|group| group.strong_count() > 0);
        live.groups.push(Arc::downgrade(&group));
        Ok((group, pipes))
    }

    /// Kills the remaining processes of the group.
    pub fn kill(&self) {
        let mut state = self.state();
        if state.is_over {
            return;
        }
        state.is_over = true;
        // An error means that no process is left.
        let _ = state.child.start_kill();
        if state.status.is_none() {
            state.status = state.child.wait().ok();
        }
    }

    /// Waits for the program to end, up to a time limit. Processes that the program started may still run.
    #[must_use]
    pub fn ended_within(&self, limit: Duration) -> Option<ExitStatus> {
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

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}

fn live() -> MutexGuard<'static, Live> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    /// `kill` also ends the processes that an ended program left in its group.
    #[test]
    fn a_group_is_killed_after_its_leader_ended() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 & echo $!"]).stdout(Stdio::piped());
        let (group, pipes) = super::ProcessGroup::start_piped(command).unwrap();
        let mut child = String::new();
        BufReader::new(pipes.stdout.unwrap()).read_line(&mut child).unwrap();
        assert!(group.ended_within(Duration::from_secs(60)).is_some_and(|status| status.success()));
        let state = || fs::read_to_string(format!("/proc/{}/stat", child.trim()));
        let is_gone = || state().map_or(true, |stat| stat.contains(") Z "));
        assert!(!is_gone());
        group.kill();
        let began = Instant::now();
        while !is_gone() {
            assert!(began.elapsed() < Duration::from_secs(60), "{:?}", state());
            std::thread::yield_now();
        }
    }
}
