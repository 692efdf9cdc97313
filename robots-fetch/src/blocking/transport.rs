//! The transport, for a thread that waits: [`Transport`].

use std::sync::Arc;

use robots_core::fetch::Failure;

use super::runtime::Runtime;
use crate::error::{Error, ErrorKind};
use crate::retrieval::{Request, Response};
use crate::transport::{self, Config, Failed};

pub(super) struct Transport {
    runtime: Runtime,
    inner: Arc<transport::Transport>,
}

impl Transport {
    pub(super) fn new(config: &Config) -> Result<Self, Error> {
        let runtime = Runtime::start().map_err(|error| Error::new(ErrorKind::Client, error))?;
        Ok(Self { runtime, inner: Arc::new(transport::Transport::new(config)?) })
    }

    /// Sends a request and waits for its answer.
    pub(super) fn send(&self, request: Request, limit: usize) -> Result<Response, Failed> {
        let transport = Arc::clone(&self.inner);
        let answer = self.runtime.run(async move { transport.send(&request, limit).await });
        // The task has panicked: the guard is the caller's code.
        answer.unwrap_or_else(|| {
            Err(Failed::of_client(Failure::Connection, "the retrieval broke off"))
        })
    }

    pub(super) fn received(&self) -> u64 {
        self.inner.received()
    }
}
