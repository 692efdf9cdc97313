//! Sites as data: origins, the answers of their paths, and their faults.
//!
//! Start at [`Sites`]. serde reads and writes every type as YAML and JSON. This module only describes sites; `web` and
//! `serve` run them.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::error::NotSites;
use crate::response::{Responses, is_default};

/// The origins of a test server. The author of the sites chooses a name for each origin.
///
/// In URLs, headers and bodies, `{name}` means the scheme and authority of the origin with that name. The port numbers,
/// and so the authorities, are known only when the server runs.
///
/// ```
/// use robots_test_web::Sites;
/// let sites: Sites = Sites::from_yaml("
///   main:
///     robots: |
///       user-agent: *
///       disallow: /private
///     pages:
///       /: { links: [/private, '{other}/page'] }
///   other:
///     robots: 503
/// ").unwrap();
/// assert_eq!(sites.0.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sites(pub IndexMap<String, Origin>);

impl Sites {
    /// Reads sites from YAML, which includes JSON.
    ///
    /// # Errors
    /// Returns [`NotSites`], which describes the first mistake, with its line.
    pub fn from_yaml(text: &str) -> Result<Self, NotSites> {
        serde_yaml::from_str(text).map_err(|error| NotSites(error.to_string()))
    }

    /// Replaces `{agent}` in all bodies by the crawler's product token, and `{AGENT}` by the token in capitals. Links
    /// are not changed.
    #[must_use]
    pub fn with_agent(mut self, agent: &str) -> Self {
        for origin in self.0.values_mut() {
            let routes =
                origin.pages.values_mut().chain(&mut origin.robots).chain(&mut origin.otherwise);
            let bodies = routes.flat_map(|responses| &mut responses.0);
            bodies.filter_map(|response| response.body.as_mut()).for_each(|body| {
                body.replace("{agent}", agent);
                body.replace("{AGENT}", &agent.to_ascii_uppercase());
            });
        }
        self
    }
}

/// One origin (scheme, host and port) and its answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Origin {
    /// The scheme; the default is http.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scheme: Scheme,
    /// The name of another origin that is on the same host. The default is a separate host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The name of the host in URLs, in ASCII. On loopback the name can be `localhost`, `127.0.0.1` or `[::1]`; any
    /// other name needs a network namespace. The default is an IPv4 address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name of another origin that has the same port number. The default is a separate port.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    /// The kind of the origin's certificate, if the scheme is https.
    #[serde(default, skip_serializing_if = "is_default")]
    pub certificate: Certificate,
    /// Whether connections are refused, because no server listens on the port.
    #[serde(default, skip_serializing_if = "is_default")]
    pub refuses: bool,
    /// The answer of `/robots.txt`; the default is the answer that `otherwise` gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub robots: Option<Responses>,
    /// The answers, by path with its query.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub pages: IndexMap<String, Responses>,
    /// The answer of every other path; the default is 404.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<Responses>,
}

/// The scheme of an origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Scheme {
    /// HTTP/1.1.
    #[default]
    Http,
    /// HTTP/1.1 over TLS.
    Https,
    /// FTP, read-only. Any login succeeds.
    Ftp,
}

impl Scheme {
    /// Returns the scheme in the form that a URL contains.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
            Self::Ftp => "ftp",
        }
    }

    /// Returns the scheme's default port.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
            Self::Ftp => 21,
        }
    }
}

/// The kind of certificate of an https origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Certificate {
    /// The authority of this run issued the certificate, and the certificate names the host.
    #[default]
    Trusted,
    /// The authority of this run issued the certificate, but the certificate names another host.
    WrongName,
    /// The certificate names the host, but an unknown authority issued it.
    UnknownIssuer,
}
