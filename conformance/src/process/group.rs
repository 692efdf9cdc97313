//! A program and the processes that it starts: one process group, or one job, that ends as a whole.
//!
//! [`start`] makes a [`Group`], and [`end_all`] kills all groups. A process that leaves its group on purpose, like a
//! daemon, is not found, and nothing here waits for it.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

/// The groups that were started and are not dropped yet.
static LIVE: Mutex<Live> = Mutex::new(Live { is_over: false, groups: Vec::new() });

struct Live {
    /// Whether starting processes is no longer permitted.
    is_over: bool,
    groups: Vec<Weak<Group>>,
}

/// Kills every process that the engines of this module started, and the processes that those started. After that, none
/// can be started. Use it if the program itself must end.
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

/// The pipes of a program that were requested.
#[derive(Default)]
pub(super) struct Pipes {
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: Option<ChildStderr>,
}

/// Starts a program in a new group.
pub(super) fn start(command: Command) -> io::Result<(Arc<Group>, Pipes)> {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::std::JobObject);
    // While the lock is held, no program can start during `end_all`.
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
    /// Whether the group was killed after its leader ended. Then its number may belong to another group.
    is_over: bool,
}

impl Group {
    /// Kills the remaining processes of the group.
    pub(super) fn kill(&self) {
        let mut state = self.state();
        if state.is_over {
            return;
        }
        state.is_over = true;
        // There may be no process left.
        let _ = state.child.start_kill();
        if state.status.is_none() {
            state.status = state.child.wait().ok();
        }
    }

    /// Waits for the program to end, up to a time limit.
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    /// If the program has ended, the processes that it left in its group end with the group.
    #[test]
    fn a_group_is_killed_after_its_leader_ended() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 & echo $!"]).stdout(Stdio::piped());
        let (group, pipes) = super::start(command).unwrap();
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
