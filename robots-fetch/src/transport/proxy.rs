//! [`Proxies`] selects the proxy for a URL. It is made from [`ProxySettings`].
//!
//! Start at [`Proxies::new`]. The matcher of hyper-util applies the exceptions (`no_proxy`). Before that, this module
//! checks the URL of each proxy. A proxy that cannot be used is an error, because otherwise the client would silently
//! connect without it. A proxy's URL may contain a password, so no message contains the whole URL.

use std::env;
use std::fmt;

use hyper::http::{HeaderValue, Uri};
use hyper_util::client::proxy::matcher::Matcher;
use url::{Position, Url};

use crate::error::{Error, ErrorKind};

/// The proxies that the environment or a builder names, as text.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProxySettings {
    http: Option<String>,
    https: Option<String>,
    no: Option<String>,
    /// Whether a URL must have a scheme. In the environment, `host:port` is common, so it is accepted there.
    wants_scheme: bool,
}

impl ProxySettings {
    /// Reads `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, in lower or upper case. In a CGI program,
    /// `HTTP_PROXY` in upper case is ignored, because a client can set it by sending a `Proxy` field.
    pub(crate) fn from_environment() -> Self {
        let read = |names: &[&str]| {
            let mut values = names.iter().filter_map(|name| env::var(name).ok());
            values.find(|value| !value.trim().is_empty())
        };
        let is_cgi = env::var_os("REQUEST_METHOD").is_some();
        let http = if is_cgi { read(&["http_proxy"]) } else { read(&["http_proxy", "HTTP_PROXY"]) };
        let all = read(&["all_proxy", "ALL_PROXY"]);
        Self {
            http: http.or_else(|| all.clone()),
            https: read(&["https_proxy", "HTTPS_PROXY"]).or(all),
            no: read(&["no_proxy", "NO_PROXY"]),
            wants_scheme: false,
        }
    }

    pub(crate) fn all(url: &str) -> Self {
        let url = Some(url.to_owned());
        Self { http: url.clone(), https: url, no: None, wants_scheme: true }
    }

    pub(crate) fn none() -> Self {
        Self::default()
    }
}

/// Selects the proxy for a URL.
pub(super) struct Proxies(Option<Matcher>);

/// A proxy for connections.
#[derive(Debug)]
pub(super) struct Proxy {
    /// Scheme, host and port.
    pub(super) url: Url,
    /// The value of `Proxy-Authorization`, from the user information of the proxy's URL.
    pub(super) authorization: Option<HeaderValue>,
}

impl fmt::Display for Proxy {
    /// Writes the URL of the proxy without its credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.url.host_str().unwrap_or_default();
        let port = self.url.port_or_known_default().unwrap_or_default();
        write!(f, "{}://{host}:{port}", self.url.scheme())
    }
}

impl Proxies {
    /// Checks the settings. Returns an error if a proxy cannot be used.
    pub(super) fn new(settings: &ProxySettings) -> Result<Self, Error> {
        if settings.http.is_none() && settings.https.is_none() {
            return Ok(Self(None));
        }
        let http = usable(settings.http.as_deref(), settings.wants_scheme)?;
        let https = usable(settings.https.as_deref(), settings.wants_scheme)?;
        let no = settings.no.as_deref().unwrap_or_default();
        Ok(Self(Some(Matcher::builder().http(http).https(https).no(no).build())))
    }

    /// Returns the proxy for a URL, or `None` if the client connects to the host itself.
    pub(super) fn of(&self, url: &Url) -> Option<Proxy> {
        // `NO_PROXY` names hosts, so the path does not matter. If `Uri` does not accept a host, the matcher gets
        // `host.invalid` instead, so no exception for the real host applies.
        let origin = url[..Position::BeforePath].parse::<Uri>();
        let origin = origin.or_else(|_| format!("{}://host.invalid", url.scheme()).parse());
        let found = self.0.as_ref()?.intercept(&origin.ok()?)?;
        let url = Url::parse(&found.uri().to_string()).ok()?;
        Some(Proxy { url, authorization: found.basic_auth().cloned() })
    }
}

/// Returns the URL of a proxy as text that the matcher understands, or an empty text if there is no proxy.
fn usable(text: Option<&str>, wants_scheme: bool) -> Result<String, Error> {
    let refused = |why: &str| Err(Error::new(ErrorKind::Proxy, why));
    let Some(text) = text.map(str::trim) else { return Ok(String::new()) };
    // No message contains the text, because it may contain a password.
    let url = match text.contains("://") {
        true => Url::parse(text),
        false if wants_scheme => return refused("its URL has no scheme"),
        false => Url::parse(&format!("http://{text}")),
    };
    match url {
        Ok(url) if !matches!(url.scheme(), "http" | "https") => {
            refused(&format!("it has the scheme {}", url.scheme()))
        }
        Ok(url) if url.has_host() && url.as_str().parse::<Uri>().is_ok() => Ok(url.into()),
        _ => refused("its URL cannot be read"),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use url::Url;

    use super::{Proxies, Proxy, ProxySettings};

    fn of(settings: &ProxySettings, url: &str) -> Option<Proxy> {
        Proxies::new(settings).unwrap().of(&Url::parse(url).unwrap())
    }

    #[rstest]
    #[trace]
    #[case("http://example.com/", Some("http://p:3128"))]
    #[case("https://example.com/", Some("http://q:80"))]
    #[case("http://inner.example.org/", None)]
    #[case("http://10.1.2.3:8080/", None)]
    #[case("ftp://example.com/", None)]
    #[case::a_host_that_uri_refuses("http://a{b}.example.com/", Some("http://p:3128"))]
    fn proxies(#[case] url: &str, #[case] expected: Option<&str>) {
        let settings = ProxySettings {
            http: Some("user:secret@p:3128".to_owned()),
            https: Some("http://q".to_owned()),
            no: Some(".example.org, 10.0.0.0/8".to_owned()),
            wants_scheme: false,
        };
        let proxy = of(&settings, url);
        assert_eq!(proxy.map(|proxy| proxy.to_string()).as_deref(), expected);
    }

    #[test]
    fn credentials_are_a_field_and_not_shown() {
        let settings = ProxySettings::all("http://us%20er:p%40ss@[::1]:3128");
        let proxy = of(&settings, "http://example.com/").unwrap();
        assert_eq!(proxy.to_string(), "http://[::1]:3128");
        // `us er:p@ss`
        assert_eq!(proxy.authorization.unwrap(), "Basic dXMgZXI6cEBzcw==");
        assert!(of(&ProxySettings::none(), "http://example.com/").is_none());
    }

    #[rstest]
    #[trace]
    #[case("socks5://proxy:1080", "scheme socks5")]
    #[case("http://user:secret@", "cannot be read")]
    #[case("nonsense", "no scheme")]
    #[case("user:secret@proxy", "no scheme")]
    fn a_proxy_that_cannot_be_used_is_refused(#[case] url: &str, #[case] why: &str) {
        let error = Proxies::new(&ProxySettings::all(url)).err().unwrap().to_string();
        assert!(error.contains(why) && error.contains("http://host:port"), "{error}");
        assert!(!error.contains("secret"), "{error}");
    }
}
