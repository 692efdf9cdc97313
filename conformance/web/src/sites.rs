//! Sites as data: origins, what each path of them answers, and in what they are faulty.
//!
//! Start at [`Sites`]. Every type reads from and writes to YAML and JSON by serde.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::response::{Responses, is_default};

/// The origins of a small web, by names of the author's choice.
///
/// In URLs, headers and bodies `{name}` stands for the scheme and authority of the origin of that name:
/// they are known only once the web is up.
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
    /// Reads sites from YAML, of which JSON is a part.
    ///
    /// # Errors
    /// What serde says of the first mistake, with its line.
    pub fn from_yaml(text: &str) -> Result<Self, String> {
        serde_yaml::from_str(text).map_err(|error| error.to_string())
    }

    /// Returns the sites with the crawler's product token for `{agent}` in bodies, and in capitals for `{AGENT}`.
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

/// One origin (scheme, host and port) and what it serves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Origin {
    /// The scheme; http by default.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scheme: Scheme,
    /// The origin whose host this one has too; by default a host of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The host's name in URLs, in ASCII. Over loopback it can be `localhost`, `127.0.0.1` or `[::1]`; any
    /// other name needs a network namespace. By default the host is an IPv4 address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The origin whose port number this one has too; by default a port of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    /// What its certificate is worth, where the scheme is https.
    #[serde(default, skip_serializing_if = "is_default")]
    pub certificate: Certificate,
    /// Nothing listens there: connections are refused.
    #[serde(default, skip_serializing_if = "is_default")]
    pub refuses: bool,
    /// What `/robots.txt` answers; by default 404.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub robots: Option<Responses>,
    /// What each path, with its query, answers.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub pages: IndexMap<String, Responses>,
    /// What every other path answers; by default 404.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<Responses>,
}

/// The scheme of an origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// HTTP/1.1.
    #[default]
    Http,
    /// HTTP/1.1 over TLS.
    Https,
    /// FTP, anonymous and read-only.
    Ftp,
}

impl Scheme {
    /// Returns the scheme as URLs write it.
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

/// What the certificate of an https origin is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Certificate {
    /// It is issued by the run's authority and names the host.
    #[default]
    Trusted,
    /// It is issued by the run's authority and names another host.
    WrongName,
    /// It names the host and is issued by an authority that nobody knows.
    UnknownIssuer,
}
