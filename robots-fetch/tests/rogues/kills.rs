//! Lists for each rogue (a crawler with one fault) at least one case that it fails, with an edition under which it
//! fails. `main.rs` checks that each listed case fails for the rogue, and passes without the fault.

use robots_conformance::suite::requirement::Level;
use robots_fetch::robots_core::Edition::{self, Google2019, Google2022, Rfc9309};

use crate::rogue::Rogue;

/// A rogue, and a case that it fails.
pub(crate) struct Kill {
    pub(crate) rogue: Rogue,
    pub(crate) case: &'static str,
    pub(crate) edition: Edition,
    /// The level at which the case fails. `None` means advice, which no document requires.
    pub(crate) level: Option<Level>,
}

const fn kill(rogue: Rogue, case: &'static str, edition: Edition) -> Kill {
    Kill { rogue, case, edition, level: Some(Level::Must) }
}

pub(crate) const KILLS: &[Kill] = &[
    kill(Rogue::IgnoresRobots, "wire-status-200", Rfc9309),
    kill(Rogue::NeedsAnAllowRule, "wire-empty-file", Rfc9309),
    kill(Rogue::AsksAfterTheFirstPage, "wire-asks-first-on-each-host", Rfc9309),
    Kill { level: None, ..kill(Rogue::AsksPerPage, "wire-asked-once", Rfc9309) },
    kill(Rogue::AsksByHead, "wire-asked-by-get", Google2022),
    kill(Rogue::AsksConditionally, "wire-asked-unconditionally", Google2022),
    kill(Rogue::AsksInDirectories, "wire-subdirectory-counts-for-nothing", Google2022),
    kill(Rogue::AsksWithCapital, "wire-path-in-lower-case", Rfc9309),
    kill(Rogue::HidesItsName, "wire-name-in-user-agent", Rfc9309),
    kill(Rogue::ServerErrorAllows, "wire-status-500", Rfc9309),
    kill(Rogue::ServiceUnavailableAllows, "wire-status-503", Rfc9309),
    kill(Rogue::UnknownServerErrorAllows, "wire-status-599", Rfc9309),
    kill(Rogue::TooManyRequestsAllows, "wire-status-429", Google2022),
    kill(Rogue::NotFoundObeyed, "wire-status-404", Google2022),
    kill(Rogue::NotFoundDisallows, "wire-status-404", Google2022),
    kill(Rogue::UnauthorizedDisallows, "wire-status-401", Google2022),
    kill(Rogue::ForbiddenDisallows, "wire-status-403", Google2022),
    kill(Rogue::GoneDisallows, "wire-status-410", Google2022),
    kill(Rogue::OnlyOkCounts, "wire-status-203", Rfc9309),
    kill(Rogue::NoContentDisallows, "wire-status-204", Google2022),
    kill(Rogue::ConnectionFailureAllows, "wire-failure-reset", Rfc9309),
    kill(Rogue::ConnectionFailureAllows, "wire-redirect-to-refusal", Rfc9309),
    kill(Rogue::TimeoutAllows, "wire-failure-no-answer", Rfc9309),
    kill(Rogue::NoHttpAllows, "wire-failure-no-http", Rfc9309),
    kill(Rogue::UntrustedAllows, "wire-failure-untrusted", Rfc9309),
    kill(Rogue::UntrustedAllows, "wire-failure-wrong-name", Rfc9309),
    kill(Rogue::PartialBodyAllows, "wire-failure-closed-in-body", Rfc9309),
    kill(Rogue::PartialBodyAllows, "wire-failure-broken-chunk", Google2022),
    kill(Rogue::RedirectAllows, "wire-redirect-302", Rfc9309),
    kill(Rogue::RedirectDisallows, "wire-redirect-301", Rfc9309),
    kill(Rogue::PermanentRedirectAllows, "wire-redirect-308", Rfc9309),
    kill(Rogue::FourHops, "wire-redirect-5-hops", Rfc9309),
    kill(Rogue::RelativeLocationAllows, "wire-redirect-relative", Rfc9309),
    kill(Rogue::OtherAuthorityUnfollowed, "wire-redirect-to-another-host", Rfc9309),
    kill(Rogue::OtherSchemeUnfollowed, "wire-redirect-to-https", Rfc9309),
    kill(Rogue::TargetTakesRules, "wire-redirect-rules-of-initial-authority", Rfc9309),
    kill(Rogue::TargetSharesRules, "wire-redirect-rules-of-initial-authority", Rfc9309),
    kill(Rogue::RedirectToPageAllows, "wire-redirect-to-html-with-rules", Google2022),
    kill(Rogue::NoLocationDisallows, "wire-redirect-without-location", Google2019),
    kill(Rogue::LoopDisallows, "wire-redirect-in-a-loop", Google2022),
    kill(Rogue::SchemeDropped, "wire-other-scheme-with-rules", Google2022),
    kill(Rogue::HostDropped, "wire-other-host-with-rules", Rfc9309),
    kill(Rogue::PortDropped, "wire-other-port-without-rules", Rfc9309),
    kill(Rogue::ForbiddenPageEndsHost, "wire-page-answers-403", Google2022),
    kill(Rogue::RedirectedPagesUnchecked, "wire-page-redirects-into-disallowed", Rfc9309),
    kill(Rogue::FourKibLimit, "wire-size-rule-at-8-kib", Rfc9309),
    kill(Rogue::QuarterMegabyteLimit, "wire-size-rule-at-256-kib", Rfc9309),
    kill(Rogue::LargeFileAllows, "wire-size-20-mb", Rfc9309),
    kill(Rogue::LargeFileDisallows, "wire-size-rule-beyond", Google2022),
    kill(Rogue::GzipUnread, "wire-gzip-when-asked", Rfc9309),
    kill(Rogue::HtmlIgnored, "wire-html-with-rules", Google2022),
    kill(Rogue::MediaTypeNeeded, "wire-media-type-missing", Google2022),
    kill(Rogue::CharsetNeeded, "wire-charset-missing", Rfc9309),
    kill(Rogue::BomKept, "wire-bom", Google2022),
    kill(Rogue::CrNoLineEnd, "wire-cr-alone", Rfc9309),
    kill(Rogue::LastLineNeedsEnd, "wire-no-final-line-end", Rfc9309),
    kill(Rogue::Latin1Allows, "wire-latin-1-in-comment", Rfc9309),
    kill(Rogue::CommentsKept, "wire-comments", Rfc9309),
    kill(Rogue::FieldsCaseSensitive, "wire-fields-in-capitals", Rfc9309),
    kill(Rogue::StarOnly, "wire-own-group", Rfc9309),
    kill(Rogue::OwnFallsThrough, "wire-no-fall-through", Rfc9309),
    kill(Rogue::FirstGroupOnly, "wire-groups-merged", Rfc9309),
    kill(Rogue::TokenCaseSensitive, "wire-token-in-capitals", Rfc9309),
    kill(Rogue::NoGroupDisallows, "wire-no-group", Rfc9309),
    kill(Rogue::FirstMatch, "wire-longest-rule", Rfc9309),
    kill(Rogue::NoWildcards, "wire-wildcard", Rfc9309),
    kill(Rogue::NoEndAnchor, "wire-dollar-sign-ends-url", Rfc9309),
    kill(Rogue::QueryIgnored, "wire-query", Rfc9309),
    kill(Rogue::CaseFolded, "wire-path-case", Rfc9309),
    kill(Rogue::EscapesCompared, "wire-encoded-link", Rfc9309),
];
