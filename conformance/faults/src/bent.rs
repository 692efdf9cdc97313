//! Changes the nom engine's answers about scope, fetch results, caching and the grammar according to a fault.
//!
//! Start at [`answer()`]. A reader with a fault has no code for these questions: it asks the nom engine, and the fault
//! changes the question or the answer. A fault that does not concern the question changes nothing. `reader.rs` itself
//! answers questions about verdicts, groups and sitemaps. `retriever.rs` uses the functions about URLs at the end of
//! this file.

use std::time::Duration;

use robots_conformance::engine::{Engine as _, Interpreted, Question};
use robots_conformance::kind::{
    AccessQuestion, Answer, Ask, FreshnessQuestion, RetryQuestion, ScopeQuestion,
};
use robots_core::fetch::{Access, FetchEnd, FetchResult, Freshness, Retry, Scope};
use robots_core::syntax::GrammarMatch;
use robots_nom_parser::NomParser;

use super::fault::Fault;

const THIRTY_DAYS: Duration = Duration::from_secs(30 * 24 * 60 * 60);

pub(super) fn answer(fault: Option<Fault>, question: &Question) -> Answer {
    let engine = Interpreted(NomParser);
    let straight = engine.answer(question);
    let Some(fault) = fault else { return straight };
    match (question.ask.clone(), fault) {
        (Ask::Scope(ScopeQuestion { robots_url, came_from, url }), fault) => {
            let (robots_url, url) = match fault {
                Fault::PortIgnored => (without_port(&robots_url), without_port(&url)),
                Fault::SchemeIgnored => (with_http(&robots_url), with_http(&url)),
                _ => (robots_url, url),
            };
            let robots_url = match came_from {
                Some(came_from) if fault == Fault::RedirectMovesScope => came_from,
                _ => robots_url,
            };
            let below = host(&url).ends_with(&format!(".{}", host(&robots_url)));
            let ask = Ask::Scope(ScopeQuestion {
                robots_url: robots_url.clone(),
                came_from: None,
                url: url.clone(),
            });
            let bent = engine.answer(&Question { profile: question.profile, ask });
            match (fault, &bent) {
                (Fault::SubdomainIncluded, Answer::Scope(Scope::DoesNotGovern)) => {
                    if below {
                        Answer::Scope(Scope::Governs)
                    } else {
                        bent
                    }
                }
                (Fault::DefaultPortCompared, Answer::Scope(Scope::Governs))
                    if has_port(&robots_url) != has_port(&url) =>
                {
                    Answer::Scope(Scope::DoesNotGovern)
                }
                (Fault::PunycodeUnknown, Answer::Scope(Scope::Governs))
                    if host(&robots_url).is_ascii() != host(&url).is_ascii() =>
                {
                    Answer::Scope(Scope::DoesNotGovern)
                }
                (Fault::HostCaseCompared, Answer::Scope(Scope::Governs))
                    if is_respelt(&robots_url, &url) =>
                {
                    Answer::Scope(Scope::DoesNotGovern)
                }
                (Fault::AddressGovernsNames, Answer::Scope(Scope::DoesNotGovern))
                    if is_address(&host(&robots_url)) =>
                {
                    Answer::Scope(Scope::Governs)
                }
                (Fault::AnyPathIsRobotsTxt, Answer::Scope(Scope::NotARobotsUrl)) => {
                    Answer::Scope(Scope::Governs)
                }
                _ => bent,
            }
        }
        (Ask::Access(AccessQuestion { fetch, .. }), fault) => {
            access(fault, &fetch, &straight).map_or(straight, Answer::Access)
        }
        (Ask::Retry(RetryQuestion { fetch }), _) => match (fault, fetch.end) {
            (Fault::ServerErrorNotRetried, FetchEnd::Status { status: 500..=599, .. })
            | (Fault::TooManyRequestsNotRetried, FetchEnd::Status { status: 429, .. }) => {
                Answer::Retry(Retry::WhenStale)
            }
            (Fault::PauseRetriedSeldom, FetchEnd::Status { status: 503, .. })
            | (Fault::RetriesNeverEnd, FetchEnd::Status { status: 404, .. }) => {
                Answer::Retry(Retry::UntilAnswered)
            }
            _ => straight,
        },
        (Ask::Freshness(_), Fault::CopiesNeverStale) => Answer::Freshness(Freshness::Fresh),
        (Ask::Freshness(FreshnessQuestion { copy }), Fault::FreshAtMaxAge)
            if copy.max_age == Some(copy.age) =>
        {
            Answer::Freshness(Freshness::Fresh)
        }
        (Ask::Derives(_), Fault::EverythingDerives | Fault::NothingDerives) => {
            let Answer::Derives(derivation) = straight else { return straight };
            let yes = fault == Fault::EverythingDerives;
            Answer::Derives(GrammarMatch::new(yes, vec![yes; derivation.lines().len()]))
        }
        _ => straight,
    }
}

/// Returns the answer to a fetch result that a reader with the fault gives, or `None` if the fault does not change the
/// answer `straight` of the engine.
fn access(fault: Fault, fetch: &FetchResult, straight: &Answer) -> Option<Access> {
    let allows = match (fault, fetch.end) {
        (Fault::LogicalRedirectFollowed, _) if fetch.logical_redirect => {
            return Some(Access::FollowRedirect);
        }
        (Fault::TooManyRequestsTurned, FetchEnd::Status { status: 429, .. }) => {
            *straight == Answer::Access(Access::FullDisallow)
        }
        (Fault::NetworkFailureAllows, FetchEnd::Failure(_))
        | (Fault::ServerErrorAllows, FetchEnd::Status { status: 500..=599, .. })
        | (Fault::FirstRedirectIsNotFound, FetchEnd::Status { status: 301..=308, .. }) => true,
        (Fault::OnlyStatus200Counts, FetchEnd::Status { status: 201..=299, .. })
        | (Fault::ForbiddenDisallows, FetchEnd::Status { status: 401 | 403, .. })
        | (Fault::MissingFileDisallows, FetchEnd::Status { status: 400..=428 | 430..=499, .. }) => {
            false
        }
        (Fault::MissingPagesUnknown, _) if fetch.server_errors_for_missing_pages => false,
        (Fault::OutageNeverEnds, _) if fetch.unreachable_for > THIRTY_DAYS => false,
        _ => return None,
    };
    Some(if allows { Access::FullAllow } else { Access::FullDisallow })
}

pub(super) fn authority(url: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    Some((scheme, &rest[..end], &rest[end..]))
}

pub(super) fn without_port(url: &str) -> String {
    let Some((scheme, authority, rest)) = authority(url) else { return url.to_owned() };
    let host = authority.split_once(':').map_or(authority, |(host, _)| host);
    format!("{scheme}://{host}{rest}")
}

fn with_http(url: &str) -> String {
    url.split_once("://").map_or_else(|| url.to_owned(), |(_, rest)| format!("http://{rest}"))
}

pub(super) fn has_port(url: &str) -> bool {
    authority(url).is_some_and(|(_, authority, _)| authority.contains(':'))
}

/// Returns whether the schemes and authorities of two URLs differ, but only in upper and lower case.
fn is_respelt(a: &str, b: &str) -> bool {
    let (Some((scheme, name, _)), Some((other_scheme, other, _))) = (authority(a), authority(b))
    else {
        return false;
    };
    let same = (scheme, name) == (other_scheme, other);
    !same && scheme.eq_ignore_ascii_case(other_scheme) && name.eq_ignore_ascii_case(other)
}

pub(super) fn host(url: &str) -> String {
    authority(url).map_or_else(String::new, |(_, authority, _)| authority.to_ascii_lowercase())
}

/// Returns whether a host consists only of digits and dots, as an IPv4 address does.
pub(super) fn is_address(host: &str) -> bool {
    host.bytes().all(|octet| octet.is_ascii_digit() || octet == b'.')
}
