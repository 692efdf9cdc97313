//! The network of a timeline, which answers the requests of a retriever.
//!
//! A [`Network`] is a script, or a function that asks another process, which has the script. The network has no state:
//! an answer depends on the URL, the header fields and the time of a request, never on the number of earlier requests.
//! So equal requests get equal answers. One limit does not depend on the request: after
//! `TimelineQuestion::MAX_REQUESTS` requests of a timeline, every request fails. Start at [`Network::deliver`]. The module `script` reads the
//! script of a case, and `wire` reads and writes the requests and replies of messages.

pub(super) mod script;
#[cfg(feature = "process")]
pub(crate) mod wire;

use std::fmt;
use std::sync::Arc;

use robots_core::fetch::Failure;

/// A request of a retriever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SentRequest {
    /// The time at which the request was sent, in seconds from the start of the timeline.
    pub at: u64,
    /// The URL.
    pub url: String,
    /// The header fields: names in lower case, and values.
    pub fields: Vec<(String, String)>,
}

impl SentRequest {
    /// Returns the value of the first header field with this name. The name must be in lower case.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| &**value)
    }
}

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The number of seconds between the request and the arrival of the result.
    pub delay: u64,
    /// The response, or the reason why there is no response.
    pub end: Result<ScriptedResponse, NetworkFailure>,
}

impl Delivered {
    /// Makes the result of a request that fails at once.
    #[must_use]
    pub const fn failed(failure: NetworkFailure) -> Self {
        Self { delay: 0, end: Err(failure) }
    }
}

/// A response of the network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptedResponse {
    /// The status.
    pub status: u16,
    /// The header fields in order: names in lower case, and values.
    pub fields: Vec<(String, String)>,
    /// The octets of the body as they are sent: with the content coding, but without the framing of HTTP, for example
    /// the lengths of chunks.
    pub body: Arc<[u8]>,
    /// Whether the connection ends before the whole body has arrived.
    pub is_cut: bool,
}

/// The reasons why a request has no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NetworkFailure {
    /// The host name does not resolve.
    Dns,
    /// The host refuses the connection.
    Refused,
    /// The connection is reset or closed before a response arrives.
    Reset,
    /// The TLS handshake fails.
    Tls,
    /// No response comes in time.
    Timeout,
    /// The octets that arrive are not HTTP.
    InvalidResponse,
}

impl NetworkFailure {
    /// Contains every failure.
    pub const ALL: &'static [Self] =
        &[Self::Dns, Self::Refused, Self::Reset, Self::Tls, Self::Timeout, Self::InvalidResponse];

    /// Returns the failure as the cases and the protocol write it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::Refused => "refused",
            Self::Reset => "reset",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::InvalidResponse => "invalid-response",
        }
    }

    /// Returns the kind of failure that a crawler observes.
    ///
    /// ```
    /// use robots_conformance::kind::NetworkFailure;
    /// use robots_core::fetch::Failure;
    /// assert_eq!(NetworkFailure::Tls.failure(), Failure::Connection);
    /// ```
    #[must_use]
    pub const fn failure(self) -> Failure {
        match self {
            Self::Dns => Failure::Dns,
            Self::Refused | Self::Reset | Self::Tls => Failure::Connection,
            Self::Timeout => Failure::Timeout,
            Self::InvalidResponse => Failure::InvalidResponse,
        }
    }
}

/// A line of a script: it gives the result of requests for a URL that are sent at a given time or later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptedReply {
    /// The URL of the request.
    pub url: String,
    /// The time from which the line applies, in seconds from the start of the timeline.
    pub from: u64,
    /// The header field that the request must have: its name, and a text that its value must contain. If `when` is
    /// `None`, the line applies to any request.
    pub when: Option<(String, String)>,
    /// The result of the request.
    pub reply: Delivered,
}

/// The network of a timeline: it gives the result of each request.
#[derive(Clone)]
#[non_exhaustive]
pub enum Network {
    /// A script. If several lines apply to a request, the last one is used.
    Script(Vec<ScriptedReply>),
    /// A function that receives the index of the step and the request. The function asks another process, which has the
    /// script.
    Elsewhere(Arc<Deliver>),
}

/// A function that returns the result of a request; it receives the index of the step and the request.
type Deliver = dyn Fn(usize, &SentRequest) -> Delivered + Send + Sync;

impl Network {
    /// Returns the result of a request.
    ///
    /// If no line of a script applies to the request, but a line has a URL of the same origin, the result is a 404. If
    /// no line has a URL of this origin, the result is that the host name does not resolve.
    ///
    /// ```
    /// use robots_conformance::kind::{Delivered, Network, NetworkFailure, ScriptedReply, SentRequest};
    /// let url = "http://example.com/robots.txt".to_owned();
    /// let reply = Delivered::failed(NetworkFailure::Reset);
    /// let line = ScriptedReply { url: url.clone(), from: 60, when: None, reply: reply.clone() };
    /// let network = Network::Script(vec![line]);
    /// let request = SentRequest { at: 60, url, ..SentRequest::default() };
    /// assert_eq!(network.deliver(0, &request), reply);
    /// ```
    #[must_use]
    pub fn deliver(&self, step: usize, request: &SentRequest) -> Delivered {
        match self {
            Self::Script(lines) => {
                let line = lines.iter().rfind(|line| line.holds_for(request));
                line.map_or_else(|| unscripted(lines, request), |line| line.reply.clone())
            }
            Self::Elsewhere(ask) => ask(step, request),
        }
    }

    /// Returns the lines of the script. For [`Elsewhere`](Self::Elsewhere) the result is empty.
    #[must_use]
    pub fn script(&self) -> &[ScriptedReply] {
        match self {
            Self::Script(lines) => lines,
            Self::Elsewhere(_) => &[],
        }
    }
}

impl ScriptedReply {
    fn holds_for(&self, request: &SentRequest) -> bool {
        let has = |(name, text): &(String, String)| {
            request.field(name).is_some_and(|value| value.contains(&**text))
        };
        self.url == request.url && self.from <= request.at && self.when.as_ref().is_none_or(has)
    }
}

fn unscripted(lines: &[ScriptedReply], request: &SentRequest) -> Delivered {
    let is_known = lines.iter().any(|line| origin(&line.url) == origin(&request.url));
    if !is_known {
        return Delivered::failed(NetworkFailure::Dns);
    }
    Delivered { delay: 0, end: Ok(ScriptedResponse { status: 404, ..ScriptedResponse::default() }) }
}

/// Returns the scheme and the authority of a URL, as written.
fn origin(url: &str) -> &str {
    let authority = url.find("://").map_or(0, |at| at + 3);
    let end = url[authority..].find(['/', '?', '#']).map_or(url.len(), |end| authority + end);
    &url[..end]
}

impl Default for Network {
    /// Makes a network in which no host name resolves.
    fn default() -> Self {
        Self::Script(Vec::new())
    }
}

impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Script(one), Self::Script(other)) => one == other,
            (Self::Elsewhere(one), Self::Elsewhere(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Eq for Network {}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Script(lines) => f.debug_tuple("Script").field(lines).finish(),
            Self::Elsewhere(_) => f.write_str("Elsewhere"),
        }
    }
}
