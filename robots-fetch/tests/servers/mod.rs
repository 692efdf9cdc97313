//! Starts a `redis-server` for a test, and prints which tests do not run.

use std::env;
use std::fmt::Display;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// Prints that the current test does not run, and the reason. The text goes directly to standard error, because the
/// test harness hides the output of a passing test.
pub(crate) fn not_run(why: impl Display) {
    let test = thread::current();
    let line = format!("not run: {}: {why}\n", test.name().unwrap_or("a test"));
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// A server for a test. The server ends when this value is dropped.
pub(crate) struct Server {
    child: Child,
    port: u16,
    dir: tempfile::TempDir,
}

impl Server {
    /// Starts `redis-server`. If it is not installed, returns `None`, or panics if `ROBOTS_REQUIRE_SERVERS` is set.
    pub(crate) fn start() -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let dir = tempfile::tempdir().unwrap();
        match Self::spawn(port, dir.path()) {
            Ok(child) => Some(Self { child, port, dir }),
            Err(error) if env::var_os("ROBOTS_REQUIRE_SERVERS").is_none() => {
                not_run(format_args!("redis-server: {error}"));
                None
            }
            Err(error) => panic!("redis-server: {error}"),
        }
    }

    fn spawn(port: u16, dir: &Path) -> std::io::Result<Child> {
        let child = Command::new("redis-server")
            .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .args(["--port", &port.to_string()])
            .arg("--dir")
            .arg(dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let until = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < until, "redis-server does not listen");
            sleep(Duration::from_millis(20));
        }
        Ok(child)
    }

    pub(crate) fn stop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn restart(&mut self) {
        self.child = Self::spawn(self.port, self.dir.path()).unwrap();
    }

    /// Suspends the server: connections stay open, but it does not answer.
    pub(crate) fn suspend(&self) {
        self.signal("-STOP");
    }

    pub(crate) fn resume(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
