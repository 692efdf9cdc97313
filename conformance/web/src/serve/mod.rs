//! What serves: who is asked at a socket, and how a connection begins.

mod answer;
mod ftp;
mod http;
mod raw;

use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use self::answer::{Prepared, Route};
use crate::body::Expand;
use crate::log::Log;
use crate::net::{self, Place};
use crate::sites::{Origin, Scheme};
use crate::{target, tls};

/// An origin, ready to answer.
pub(crate) struct Served {
    name: String,
    scheme: Scheme,
    authority: String,
    tls: Option<TlsAcceptor>,
    routes: HashMap<String, Route>,
    otherwise: Route,
}

impl Served {
    pub(crate) fn new(
        name: &str,
        origin: &Origin,
        place: &Place,
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
            .then(|| TlsAcceptor::from(tls::server(&place.host, origin.certificate)));
        let authority = place.authority.clone();
        Ok(Self { name: name.to_owned(), scheme: origin.scheme, authority, tls, routes, otherwise })
    }

    /// Returns the next answer of what is asked for.
    fn answer(&self, asked: &str, head_alone: bool) -> Arc<Prepared> {
        self.routes.get(&target::normalize(asked)).unwrap_or(&self.otherwise).next(head_alone)
    }
}

/// A socket, and the origins that are there.
pub(crate) struct Door {
    listener: TcpListener,
    origins: Vec<Arc<Served>>,
}

/// Puts the origins to the sockets; those that refuse are kept by the caller's thread as long as it serves.
pub(crate) fn doors(
    doors: Vec<net::Door>,
    places: &[Place],
    served: &[Arc<Served>],
) -> (Vec<Door>, Vec<net::Door>) {
    let mut open = Vec::new();
    let mut refusing = Vec::new();
    for (index, door) in doors.into_iter().enumerate() {
        let here = places.iter().zip(served).filter(|(place, _)| place.doors.contains(&index));
        let origins = here.map(|(_, served)| Arc::clone(served)).collect();
        match door {
            net::Door::Open(listener) => open.push(Door { listener, origins }),
            refusal @ net::Door::Refusing { .. } => refusing.push(refusal),
        }
    }
    (open, refusing)
}

/// Accepts connections at every door, in tasks of their own.
pub(crate) fn open(doors: Vec<Door>, log: &Log) {
    let numbers = Arc::new(AtomicU64::new(1));
    for door in doors {
        let listener = tokio::net::TcpListener::from_std(door.listener);
        let listener = listener.expect("the socket is bound and non-blocking");
        let origins: Arc<[Arc<Served>]> = door.origins.into();
        let (log, numbers) = (log.clone(), Arc::clone(&numbers));
        tokio::spawn(async move {
            // An error here is one connection's: the next is waited for.
            loop {
                if let Ok((stream, _)) = listener.accept().await {
                    let visit = Visit {
                        origins: Arc::clone(&origins),
                        log: log.clone(),
                        connection: numbers.fetch_add(1, Ordering::Relaxed),
                    };
                    tokio::spawn(visit.begin(stream));
                }
            }
        });
    }
}

/// One connection.
#[derive(Clone)]
struct Visit {
    origins: Arc<[Arc<Served>]>,
    log: Log,
    connection: u64,
}

impl Visit {
    async fn begin(self, stream: TcpStream) {
        // Small answers are not held back for more.
        let _ = stream.set_nodelay(true);
        if self.origins.iter().any(|origin| origin.scheme == Scheme::Ftp) {
            ftp::serve(self, stream).await;
            return;
        }
        let plain = self.origins.iter().any(|origin| origin.scheme == Scheme::Http);
        let tls = self.origins.iter().find_map(|origin| origin.tls.clone());
        match tls {
            Some(tls) if !plain || speaks_tls(&stream).await => {
                // A crawler that does not trust the certificate ends here; it has asked for nothing.
                if let Ok(stream) = tls.accept(stream).await {
                    http::serve(self, Scheme::Https, stream).await;
                }
            }
            _ => http::serve(self, Scheme::Http, stream).await,
        }
    }

    /// Returns the origin that is asked: by the `Host` header where several are here.
    fn origin(&self, scheme: Scheme, host: Option<&str>) -> Option<&Arc<Served>> {
        let mut here = self.origins.iter().filter(|origin| origin.scheme == scheme);
        let named = here
            .clone()
            .find(|origin| host.is_some_and(|host| host.eq_ignore_ascii_case(&origin.authority)));
        named.or_else(|| here.next())
    }
}

/// One port can speak both: a TLS record of a handshake begins with 22, no HTTP method does.
async fn speaks_tls(stream: &TcpStream) -> bool {
    let mut first = [0];
    stream.peek(&mut first).await.is_ok_and(|length| length == 1 && first[0] == 22)
}
