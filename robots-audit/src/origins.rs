//! The origins of a log: [`Origins`] numbers them.
//!
//! Many logs state no scheme or no host. All requests without a host are one origin, and so are those of one host if the
//! log states no scheme.

use std::collections::HashMap;
use std::time::Duration;

use robots_fetch::CacheKey;

use crate::files::{Files, List};

/// The number of an origin.
pub(crate) type OriginId = usize;

/// The origins of a log.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    all: Vec<Origin>,
    /// The number of each origin, by every spelling of the log.
    spelled: HashMap<String, OriginId>,
    /// The number of each origin with a scheme and a host.
    keyed: HashMap<CacheKey, OriginId>,
    /// The spelling of the last request.
    spelling: String,
}

/// An origin.
#[derive(Debug)]
pub(crate) struct Origin {
    /// Scheme and host, as far as the log states them.
    pub(crate) shown: String,
    pub(crate) key: CacheKey,
    pub(crate) list: List,
    /// The time of the first request of a crawler.
    pub(crate) begins: Duration,
    /// The host without `www.` and without its port.
    host: String,
}

impl Origins {
    /// Returns the number of the origin of a request at a time, or `None` if it would be one more than the given number
    /// of spellings.
    pub(crate) fn number(
        &mut self,
        (scheme, host): (Option<&str>, Option<&str>),
        now: Duration,
        files: &Files,
        most: usize,
    ) -> Option<OriginId> {
        let host = host.map(|host| host.strip_suffix('.').unwrap_or(host));
        self.spelling.clear();
        self.spelling.extend([scheme.unwrap_or_default(), "://", host.unwrap_or_default()]);
        self.spelling.make_ascii_lowercase();
        if let Some(number) = self.spelled.get(&self.spelling) {
            let begins = &mut self.all[*number].begins;
            *begins = now.min(*begins);
            return Some(*number);
        }
        if self.spelled.len() >= most {
            return None;
        }
        let schemes = scheme.map_or(["https", "http"], |scheme| [scheme; 2]);
        let key = |scheme| CacheKey::of(&format!("{scheme}://{}", host.unwrap_or(NO_HOST)));
        let keys: Vec<CacheKey> =
            schemes.into_iter().filter_map(|scheme| key(scheme).ok()).collect();
        // A host that is not one can have no versions of its own. Its requests are still one origin.
        let key =
            keys.first().cloned().or_else(|| CacheKey::of(&format!("http://{NO_HOST}")).ok())?;
        let is_whole = scheme.is_some() && host.is_some() && !keys.is_empty();
        let known = is_whole.then(|| self.keyed.get(&key).copied()).flatten();
        let number = known.unwrap_or(self.all.len());
        if known.is_none() {
            let list = keys.iter().find_map(|key| files.own_list(key.as_str()));
            let name = host.unwrap_or_default().to_ascii_lowercase();
            let name = name.strip_prefix("www.").unwrap_or(&name);
            let host = name.rsplit_once(':').map_or(name, |(name, _)| name).to_owned();
            let shown = match self.spelling.strip_prefix("://") {
                _ if is_whole => key.as_str(),
                Some(host) => host,
                None if self.spelling.ends_with("://") => &format!("{}(no host)", self.spelling),
                None => &self.spelling,
            };
            let (shown, list) = (shown.to_owned(), list.unwrap_or(List::SHARED));
            if is_whole {
                self.keyed.insert(key.clone(), number);
            }
            self.all.push(Origin { shown, key, list, begins: now, host });
        }
        self.spelled.insert(self.spelling.clone(), number);
        Some(number)
    }

    pub(crate) fn get(&self, number: OriginId) -> &Origin {
        &self.all[number]
    }

    /// Returns whether a redirect of one robots.txt probably leads to the other one: the hosts are the same, apart from
    /// `www.` and the port.
    pub(crate) fn are_related(&self, one: OriginId, other: OriginId) -> bool {
        self.all[one].host == self.all[other].host
    }
}

/// The host in the key of an origin without one.
const NO_HOST: &str = "log.invalid";
