//! Types that the servers of all schemes share: a prepared origin ([`Served`]) and a connection ([`Visit`]).
//!
//! [`Visit::origin`] selects the origin of a request, and [`Served::answer`] selects the answer.

use std::collections::HashMap;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;

use super::answer::{Prepared, Route};
use crate::body::Expand;
use crate::log::Log;
use crate::net::Located;
use crate::sites::{Origin, Scheme};
use crate::{target, tls};

/// An origin that is ready to answer.
pub(crate) struct Served {
    pub(super) name: String,
    pub(super) scheme: Scheme,
    authority: String,
    pub(super) tls: Option<TlsAcceptor>,
    routes: HashMap<String, Route>,
    otherwise: Route,
}

impl Served {
    pub(crate) fn new(
        name: &str,
        origin: &Origin,
        located: &Located,
        expand: &Expand<'_>,
    ) -> Result<Self, String> {
        let mut routes = HashMap::new();
        for (path, responses) in &origin.pages {
            routes.insert(target::normalize(path), Route::new(responses, expand)?);
        }
        if let Some(robots) = &origin.robots {
            routes.insert("/robots.txt".to_owned(), Route::new(robots, expand)?);
        }
        let otherwise = match &origin.otherwise {
            Some(responses) => Route::new(responses, expand)?,
            None => Route::missing(),
        };
        let tls = (origin.scheme == Scheme::Https)
            .then(|| TlsAcceptor::from(tls::server(&located.host, origin.certificate)));
        let authority = located.authority.clone();
        Ok(Self { name: name.to_owned(), scheme: origin.scheme, authority, tls, routes, otherwise })
    }

    /// Returns the next answer for the target `asked`. `head_alone` is true for a HEAD request.
    pub(super) fn answer(&self, asked: &str, head_alone: bool) -> Arc<Prepared> {
        self.routes.get(&target::normalize(asked)).unwrap_or(&self.otherwise).next(head_alone)
    }
}

/// One connection.
#[derive(Clone)]
pub(super) struct Visit {
    pub(super) origins: Arc<[Arc<Served>]>,
    pub(super) log: Log,
    pub(super) connection: u64,
}

impl Visit {
    /// Returns the origin that a request with this scheme is for. If several origins share the socket, the `Host`
    /// header decides. If the header names none of these origins, the first origin is returned.
    pub(super) fn origin(&self, scheme: Scheme, host: Option<&str>) -> Option<&Arc<Served>> {
        let mut here = self.origins.iter().filter(|origin| origin.scheme == scheme);
        let named = here
            .clone()
            .find(|origin| host.is_some_and(|host| host.eq_ignore_ascii_case(&origin.authority)));
        named.or_else(|| here.next())
    }
}
