//! Through which proxy a URL is asked: [`Proxies`].

use std::env;

use http::Uri;
use hyper_util::client::proxy::matcher::Matcher;
use url::Url;

use crate::error::{Error, ErrorKind};

/// Through which proxy a URL is asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proxies {
    http: Option<String>,
    https: Option<String>,
    no: Option<String>,
}

impl Proxies {
    /// Reads `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, in small letters or capitals. `HTTP_PROXY` in
    /// capitals is left aside in a CGI program, where a client's header can set it.
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
        }
    }

    pub(crate) fn all(url: &str) -> Self {
        Self { http: Some(url.to_owned()), https: Some(url.to_owned()), no: None }
    }

    pub(crate) fn none() -> Self {
        Self::default()
    }

    #[cfg(feature = "client")]
    pub(crate) fn is_none(&self) -> bool {
        self.http.is_none() && self.https.is_none()
    }

    /// Checks what was given: a proxy that cannot be used is not left out in silence.
    pub(crate) fn check(&self) -> Result<(), Error> {
        for text in [&self.http, &self.https].into_iter().flatten() {
            let url = proxy(text).ok_or_else(|| Error::new(ErrorKind::Proxy, "its URL is none"))?;
            if !matches!(url.scheme(), "http" | "https") {
                let why = format!("it has the scheme {}", url.scheme());
                return Err(Error::new(ErrorKind::Proxy, why));
            }
        }
        Ok(())
    }

    /// Returns the proxy of a URL, with its credentials.
    pub(crate) fn of(&self, url: &Url) -> Option<Url> {
        let text = match url.scheme() {
            "http" => self.http.as_deref()?,
            "https" => self.https.as_deref()?,
            _ => return None,
        };
        let matcher = Matcher::builder()
            .all("http://proxy")
            .no(self.no.as_deref().unwrap_or_default())
            .build();
        matcher.intercept(&url.as_str().parse::<Uri>().ok()?)?;
        proxy(text)
    }
}

/// Returns a proxy's URL without its credentials, to be shown.
pub(crate) fn shown(proxy: &Url) -> String {
    proxy.host_str().map_or_else(String::new, |host| {
        let port = proxy.port_or_known_default().unwrap_or_default();
        format!("{}://{host}:{port}", proxy.scheme())
    })
}

fn proxy(text: &str) -> Option<Url> {
    let url =
        if text.contains("://") { Url::parse(text) } else { Url::parse(&format!("http://{text}")) };
    url.ok().filter(Url::has_host)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use url::Url;

    use super::{Proxies, shown};

    #[rstest]
    #[trace]
    #[case("http://example.com/", Some("http://p:3128"))]
    #[case("https://example.com/", Some("http://q:80"))]
    #[case("http://inner.example.org/", None)]
    #[case("http://10.1.2.3:8080/", None)]
    #[case("ftp://example.com/", None)]
    fn proxies(#[case] url: &str, #[case] expected: Option<&str>) {
        let proxies = Proxies {
            http: Some("user:secret@p:3128".to_owned()),
            https: Some("http://q".to_owned()),
            no: Some(".example.org, 10.0.0.0/8".to_owned()),
        };
        let proxy = proxies.of(&Url::parse(url).unwrap());
        assert_eq!(proxy.as_ref().map(shown).as_deref(), expected);
        proxies.check().unwrap();
    }

    #[test]
    fn a_proxy_that_cannot_be_used_is_refused() {
        assert!(Proxies::all("socks5://proxy:1080").check().is_err());
        let error = Proxies::all("http://user:secret@").check().unwrap_err().to_string();
        assert!(!error.contains("secret"), "{error}");
    }
}
