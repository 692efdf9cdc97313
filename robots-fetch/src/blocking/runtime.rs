//! [`Runtime`] is a tokio runtime on a separate thread.
//!
//! The thread ends when the runtime is dropped. Callers wait on a channel of the standard library, so they may be
//! threads of another runtime, where tokio's functions refuse to block.

use std::future::Future;
use std::io;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

pub(super) struct Runtime {
    handle: Handle,
    /// The thread ends when this sender is dropped.
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
            // `shutdown_background` does not wait for a DNS look-up that hangs in the system's resolver.
            runtime.shutdown_background();
        })?;
        Ok(Self { handle, running: Some(running), thread: Some(thread) })
    }

    /// Runs a task and returns its result, or `None` if it panics.
    pub(super) fn run<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (done, result) = mpsc::sync_channel(1);
        drop(self.handle.spawn(async move {
            // The caller blocks until it receives the result, so sending cannot fail.
            let _ = done.send(task.await);
        }));
        result.recv().ok()
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        drop(self.running.take());
        let thread = self.thread.take();
        // A task on the thread of the runtime may drop the last client, and a thread must not wait for itself.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != thread::current().id())
        {
            // A panic on that thread was already reported to the caller.
            let _ = thread.join();
        }
    }
}
