//! What the rogues make of an answer to the request for robots.txt.

use robots_nom_parser::robots_core::fetch::{Access, Failure, FetchEnd, FetchResult, Location};
use url::Url;

use crate::crawler::Crawler;
use crate::rogue::Rogue;

impl Crawler {
    /// Returns what the fault that is switched on makes of an answer, where it makes anything of it.
    pub(crate) fn bent_access(
        &self,
        fetch: &FetchResult,
        target: &Url,
        next: Option<&Url>,
    ) -> Option<Access> {
        let rogue = self.rogue()?;
        let (status, failure) = match fetch.end {
            FetchEnd::Status { status, .. } => (status, None),
            FetchEnd::Failure(failure) => (0, Some(failure)),
        };
        let redirected = (300..400).contains(&status);
        let allows = match rogue {
            Rogue::ServerErrorAllows => (500..600).contains(&status),
            Rogue::ServiceUnavailableAllows => status == 503,
            Rogue::UnknownServerErrorAllows => (505..600).contains(&status),
            Rogue::TooManyRequestsAllows => status == 429,
            Rogue::OnlyOkCounts => (201..300).contains(&status),
            Rogue::RedirectAllows => redirected,
            Rogue::PermanentRedirectAllows => status == 308,
            Rogue::FourHops => redirected && fetch.redirects >= 4,
            Rogue::OtherAuthorityUnfollowed => {
                next.is_some_and(|next| next.host() != target.host())
            }
            Rogue::OtherSchemeUnfollowed => {
                next.is_some_and(|next| next.scheme() != target.scheme())
            }
            Rogue::RedirectToPageAllows => next.is_some_and(|next| next.path() != "/robots.txt"),
            Rogue::ConnectionFailureAllows => failure == Some(Failure::Connection),
            Rogue::TimeoutAllows => failure == Some(Failure::Timeout),
            Rogue::NoHttpAllows => failure == Some(Failure::InvalidResponse),
            Rogue::UntrustedAllows => failure.is_some() && target.scheme() == "https",
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
            Rogue::LoopDisallows => {
                matches!(fetch.end, FetchEnd::Status { location: Location::Loop, .. })
            }
            _ => false,
        };
        match rogue {
            Rogue::NotFoundObeyed if (400..500).contains(&status) => Some(Access::ConditionalAllow),
            _ if allows => Some(Access::FullAllow),
            _ if disallows => Some(Access::FullDisallow),
            _ => None,
        }
    }
}
