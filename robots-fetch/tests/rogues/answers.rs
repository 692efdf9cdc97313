//! [`Answer`] is what a server sent for one request, before the body is decoded. [`bent()`] returns the wrong decision of
//! a rogue (a crawler with one fault) about an answer to a request for robots.txt.

use std::collections::HashSet;

use robots_fetch::robots_core::fetch::Failure;
use url::Url;

use crate::rogue::Rogue;

/// An answer whose body is not decoded.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) location: Option<String>,
    pub(crate) media_type: Option<String>,
    pub(crate) coding: Option<String>,
    pub(crate) body: Vec<u8>,
    /// The reason why the body is incomplete.
    pub(crate) broke_off: Option<Failure>,
}

/// The decision of a rogue, which replaces the decision of the retrieval.
pub(crate) enum Bent {
    Allows,
    Disallows,
    /// The rogue reads the body as a file of rules, whatever the status is.
    Obeys,
}

/// Returns the decision of a rogue about an answer, or `None` if its fault does not affect this answer. `hops` counts
/// the redirects before the answer, and `asked` contains the requested URLs.
pub(crate) fn bent(
    rogue: Rogue,
    answer: &Result<Answer, Failure>,
    target: &Url,
    hops: usize,
    asked: &HashSet<Url>,
) -> Option<Bent> {
    let (status, failure) = match answer {
        Ok(answer) => (answer.status, None),
        Err(failure) => (0, Some(*failure)),
    };
    let redirected = (300..400).contains(&status);
    let location = answer.as_ref().ok().and_then(|answer| answer.location.as_deref());
    let next = location.and_then(|location| target.join(location).ok());
    let leads_to = |is: &dyn Fn(&Url) -> bool| redirected && next.as_ref().is_some_and(is);
    let allows = match rogue {
        Rogue::ServerErrorAllows => (500..600).contains(&status),
        Rogue::ServiceUnavailableAllows => status == 503,
        Rogue::UnknownServerErrorAllows => (505..600).contains(&status),
        Rogue::TooManyRequestsAllows => status == 429,
        Rogue::OnlyOkCounts => (201..300).contains(&status),
        Rogue::RedirectAllows => redirected,
        Rogue::PermanentRedirectAllows => status == 308,
        Rogue::FourHops => redirected && hops >= 4,
        Rogue::RelativeLocationAllows => {
            redirected && location.is_some_and(|location| !location.contains("://"))
        }
        Rogue::OtherAuthorityUnfollowed => leads_to(&|next| next.host() != target.host()),
        Rogue::OtherSchemeUnfollowed => leads_to(&|next| next.scheme() != target.scheme()),
        Rogue::RedirectToPageAllows => leads_to(&|next| next.path() != "/robots.txt"),
        Rogue::ConnectionFailureAllows => failure == Some(Failure::Connection),
        Rogue::TimeoutAllows => failure == Some(Failure::Timeout),
        Rogue::NoHttpAllows => failure == Some(Failure::InvalidResponse),
        Rogue::UntrustedAllows => failure.is_some() && target.scheme() == "https",
        Rogue::PartialBodyAllows => {
            (200..300).contains(&status)
                && answer.as_ref().is_ok_and(|answer| answer.broke_off.is_some())
        }
        _ => false,
    };
    let disallows = match rogue {
        Rogue::NotFoundDisallows => status == 404,
        Rogue::UnauthorizedDisallows => status == 401,
        Rogue::ForbiddenDisallows => status == 403,
        Rogue::GoneDisallows => status == 410,
        Rogue::NoContentDisallows => status == 204,
        Rogue::RedirectDisallows => redirected,
        Rogue::NoLocationDisallows => redirected && next.is_none(),
        Rogue::LoopDisallows => leads_to(&|next| asked.contains(next)),
        _ => false,
    };
    match rogue {
        Rogue::NotFoundObeyed if (400..500).contains(&status) => Some(Bent::Obeys),
        _ if allows => Some(Bent::Allows),
        _ if disallows => Some(Bent::Disallows),
        _ => None,
    }
}
