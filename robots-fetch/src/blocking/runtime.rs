//! A tokio runtime on a thread of its own: [`Runtime`].
//!
//! The thread ends when the runtime is dropped. Whoever waits does so on a channel of the standard library, so it may
//! be a thread of another runtime: tokio's own ways to wait refuse to block there.

use std::future::Future;
use std::io;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

pub(super) struct Runtime {
    handle: Handle,
    /// Dropped, it ends the thread.
    running: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Runtime {
    pub(super) fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (running, ended) = oneshot::channel();
        let thread = thread::Builder::new().name("robots-fetch".to_owned()).spawn(move || {
            let _ = runtime.block_on(ended);
            // A look-up that hangs in the system's resolver is not waited for.
            runtime.shutdown_background();
        })?;
        Ok(Self { handle, running: Some(running), thread: Some(thread) })
    }

    /// Runs a task and waits for what it returns; `None` if it panics.
    pub(super) fn run<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (done, result) = mpsc::sync_channel(1);
        drop(self.handle.spawn(async move {
            // Whoever waits is there: it cannot be cancelled.
            let _ = done.send(task.await);
        }));
        result.recv().ok()
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        drop(self.running.take());
        let thread = self.thread.take();
        // A task may hold the last handle; a thread does not wait for itself.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != thread::current().id())
        {
            // A panic there was reported to whoever waited for it.
            let _ = thread.join();
        }
    }
}
