//! A local test server for a few sites, with faults, to test how crawlers handle robots.txt.
//!
//! Describe [`Sites`], start a [`Web`], run a crawler against it, and read in the access log what the crawler fetched.
//! The server binds only loopback addresses or, on request, the addresses of a network namespace.
//!
//! ```
//! use std::io::{Read, Write};
//! use robots_test_web::{Sites, Web};
//!
//! let sites = Sites::from_yaml("main: { robots: 503, pages: { /page: A page. } }").unwrap();
//! let web = Web::start(&sites).unwrap();
//! // A crawler that never asks for robots.txt:
//! let address = web.url("main").unwrap();
//! let mut stream = std::net::TcpStream::connect(address.strip_prefix("http://").unwrap()).unwrap();
//! stream.write_all(b"GET /page HTTP/1.0\r\n\r\n").unwrap();
//! stream.read_to_end(&mut Vec::new()).unwrap();
//!
//! let log = web.log();
//! assert_eq!(log.len(), 1);
//! assert_eq!(log[0].target, "/page");
//! ```
//!
//! The crate `robots-conformance-live` runs the suite's cases on such a server, and judges crawlers by the access log.

// The reasons why a test server does not start.
mod error;
// The answer of a path.
mod response;
// Sites as data.
mod sites;
// Request targets.
mod target;
// Bodies as octets.
mod body;
// The access log.
mod log;
// A network namespace.
mod namespace;
// Sockets.
mod net;
// Certificates.
mod tls;
// Answers requests over HTTP and FTP, with faults.
mod serve;
// A running test server.
mod web;

pub use error::{NotSites, StartError};
pub use log::{Answer, LogEntry};
pub use namespace::Namespace;
pub use net::Net;
pub use response::{Body, Coded, Coding, Fault, Part, Response, Responses};
pub use sites::{Certificate, Origin, Scheme, Sites};
pub use target::normalize;
pub use web::Web;

// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
