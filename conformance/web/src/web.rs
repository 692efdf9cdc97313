//! A running test server: [`Web`].
//!
//! [`Web::start_in`] binds the sockets (`net`), prepares the answers, and serves them (`serve`) on a separate thread
//! until the value is dropped.

use std::fmt;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use indexmap::IndexMap;
use tempfile::NamedTempFile;
use tokio::runtime;
use tokio::sync::oneshot;

use crate::error::StartError;
use crate::log::{Log, LogEntry};
use crate::namespace::Names;
use crate::net::{self, Bound, Located, Net};
use crate::serve::{self, Served};
use crate::sites::Sites;
use crate::tls;

/// A running test server. The server runs until this value is dropped.
pub struct Web {
    origins: Origins,
    log: Log,
    authority: NamedTempFile,
    hosts: Option<Names>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Web {
    /// Starts a server on loopback.
    ///
    /// # Errors
    /// Returns the errors of [`Web::start_in`].
    pub fn start(sites: &Sites) -> Result<Self, StartError> {
        Self::start_in(sites, Net::default())
    }

    /// Starts a server.
    ///
    /// # Errors
    /// Returns [`StartError::NotHere`] if the sites need something that the network lacks, [`StartError::Sites`] if
    /// they contain a mistake, and [`StartError::Io`] if a socket, a thread or a file cannot be created.
    pub fn start_in(sites: &Sites, net: Net) -> Result<Self, StartError> {
        let Bound { names: hosts, located, doors } = net::bind(sites, net)?;
        let names = sites.0.iter().zip(&located).map(|((name, origin), located)| {
            (name.clone(), format!("{}://{}", origin.scheme.as_str(), located.authority))
        });
        let origins = Origins(names.collect());
        let served = served(sites, &located, &origins)?;
        let mut authority = NamedTempFile::with_suffix(".pem").map_err(StartError::Io)?;
        authority.write_all(tls::authority_pem().as_bytes()).map_err(StartError::Io)?;

        let log = Log::new();
        let (stop, stopped) = oneshot::channel();
        let runtime =
            runtime::Builder::new_current_thread().enable_all().build().map_err(StartError::Io)?;
        let doors = serve::doors(doors, &located, &served);
        let thread_log = log.clone();
        let thread = thread::Builder::new().name("test web".to_owned()).spawn(move || {
            runtime.block_on(async move {
                let (open, _refusing) = doors;
                serve::open(open, &thread_log);
                // No value is ever sent. The server ends when its `Web` is dropped, because this drops the sender.
                let _ = stopped.await;
            });
        });
        let thread = Some(thread.map_err(StartError::Io)?);
        Ok(Self { origins, log, authority, hosts, stop: Some(stop), thread })
    }

    /// Returns scheme and authority of an origin, for example `http://127.16.0.1:4000`, or `None` if there is no such
    /// origin.
    pub fn url(&self, origin: &str) -> Option<&str> {
        self.origins.0.get(origin).map(String::as_str)
    }

    /// Replaces each `{name}` that names an origin with the origin's scheme and authority.
    pub fn expand(&self, text: &str) -> String {
        self.origins.expand(text)
    }

    /// Returns the names of the origins with their scheme and authority.
    pub fn origins(&self) -> impl Iterator<Item = (&str, &str)> {
        self.origins.0.iter().map(|(name, url)| (name.as_str(), url.as_str()))
    }

    /// Returns whether the crawler sent more requests than the access log can store, so that later ones are missing.
    pub fn log_is_cut(&self) -> bool {
        self.log.is_cut()
    }

    /// Returns the current access log.
    pub fn log(&self) -> Vec<LogEntry> {
        self.log.entries()
    }

    /// Returns the path of a file with the certificate of the run's authority, in PEM.
    ///
    /// The file exists as long as the server runs. Crawlers usually read its path from `SSL_CERT_FILE`,
    /// `REQUESTS_CA_BUNDLE` or `NODE_EXTRA_CA_CERTS`.
    pub fn authority_file(&self) -> &Path {
        self.authority.path()
    }

    /// Returns the path of the hosts file, if the server is in a network namespace.
    pub fn hosts_file(&self) -> Option<&Path> {
        self.hosts.as_ref().map(Names::hosts_file)
    }
}

impl fmt::Debug for Web {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Web").field("origins", &self.origins.0).finish_non_exhaustive()
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // If the thread has panicked, the panic was already printed, so the error adds nothing.
            let _ = thread.join();
        }
    }
}

/// The scheme and authority of each origin, by the name of the origin.
pub(crate) struct Origins(IndexMap<String, String>);

impl Origins {
    fn expand(&self, text: &str) -> String {
        if !text.contains('{') {
            return text.to_owned();
        }
        self.0
            .iter()
            .fold(text.to_owned(), |text, (name, url)| text.replace(&format!("{{{name}}}"), url))
    }
}

fn served(
    sites: &Sites,
    located: &[Located],
    origins: &Origins,
) -> Result<Vec<Arc<Served>>, StartError> {
    let expand = |text: &str| origins.expand(text);
    let served = sites.0.iter().zip(located).map(|((name, origin), located)| {
        Served::new(name, origin, located, &expand)
            .map(Arc::new)
            .map_err(|problem| StartError::Sites(format!("origin {name}: {problem}")))
    });
    served.collect()
}
