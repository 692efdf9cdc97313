//! Serves the origins at their sockets. This module accepts each connection, and selects HTTP, HTTPS or FTP for it.
//!
//! Start at [`open()`]. `http` and `ftp` speak the protocols, `answer` prepares the answers, and `raw` sends faulty
//! answers.

mod answer;
mod ftp;
mod http;
mod raw;
mod served;

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::net::TcpStream;

pub(crate) use self::served::Served;
use self::served::Visit;
use crate::log::Log;
use crate::net::{self, Located};
use crate::sites::Scheme;

/// A socket, and the origins that it serves.
pub(crate) struct Door {
    listener: TcpListener,
    origins: Vec<Arc<Served>>,
}

/// Assigns the origins to the sockets. Also returns the sockets that refuse connections. The caller must keep these
/// sockets while the server runs.
pub(crate) fn doors(
    doors: Vec<net::Door>,
    located: &[Located],
    served: &[Arc<Served>],
) -> (Vec<Door>, Vec<net::Door>) {
    let mut open = Vec::new();
    let mut refusing = Vec::new();
    for (index, door) in doors.into_iter().enumerate() {
        let here = located.iter().zip(served).filter(|(located, _)| located.doors.contains(&index));
        let origins = here.map(|(_, served)| Arc::clone(served)).collect();
        match door {
            net::Door::Open(listener) => open.push(Door { listener, origins }),
            refusal @ net::Door::Refusing { .. } => refusing.push(refusal),
        }
    }
    (open, refusing)
}

/// Accepts connections at every socket in separate tasks.
pub(crate) fn open(doors: Vec<Door>, log: &Log) {
    let numbers = Arc::new(AtomicU64::new(1));
    for door in doors {
        let listener = tokio::net::TcpListener::from_std(door.listener);
        let listener = listener.expect("the socket is bound and non-blocking");
        let origins: Arc<[Arc<Served>]> = door.origins.into();
        let (log, numbers) = (log.clone(), Arc::clone(&numbers));
        tokio::spawn(async move {
            // An error here concerns only one connection, so the loop continues.
            loop {
                if let Ok((stream, _)) = listener.accept().await {
                    let visit = Visit {
                        origins: Arc::clone(&origins),
                        log: log.clone(),
                        connection: numbers.fetch_add(1, Ordering::Relaxed),
                    };
                    tokio::spawn(begin(visit, stream));
                }
            }
        });
    }
}

/// Serves a connection with the scheme of its origins.
async fn begin(visit: Visit, stream: TcpStream) {
    // Without `TCP_NODELAY`, the system may delay a small answer to wait for more data.
    let _ = stream.set_nodelay(true);
    if visit.origins.iter().any(|origin| origin.scheme == Scheme::Ftp) {
        ftp::serve(visit, stream).await;
        return;
    }
    let plain = visit.origins.iter().any(|origin| origin.scheme == Scheme::Http);
    let tls = visit.origins.iter().find_map(|origin| origin.tls.clone());
    match tls {
        Some(tls) if !plain || speaks_tls(&stream).await => {
            // A crawler that does not trust the certificate disconnects here, before any request.
            if let Ok(stream) = tls.accept(stream).await {
                http::serve(visit, Scheme::Https, stream).await;
            }
        }
        _ => http::serve(visit, Scheme::Http, stream).await,
    }
}

/// Returns whether a client speaks TLS. With this check, one port can serve HTTP and HTTPS. A TLS handshake begins with
/// octet 22, and no HTTP method begins with this octet.
async fn speaks_tls(stream: &TcpStream) -> bool {
    let mut first = [0];
    stream.peek(&mut first).await.is_ok_and(|length| length == 1 && first[0] == 22)
}
