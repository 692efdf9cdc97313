//! Lists expected failures of rogues (crawlers with one fault) in addition to the failures in `KILLS`. Some rogues
//! violate further requirements. Some rogues also fail a case although they do not violate its requirement.

use crate::rogue::Rogue::{self, *};

/// For each rogue in this list, a further requirement that it violates. The requirements of its cases in
/// [`KILLS`](crate::kills::KILLS) are not repeated here.
pub(crate) const VIOLATED_TOO: &[(Rogue, &str)] = &[
    // The rogue obeys the rules in the body of every 4xx answer, also of a 429.
    (NotFoundObeyed, "FETCH-429"),
    // The rogue does not follow the redirect.
    (RedirectToPageAllows, "FETCH-3XX"),
    // These rogues fetch pages of an origin whose robots.txt they never requested.
    (SchemeDropped, "APPLY-CRAWLERS"),
    (HostDropped, "APPLY-CRAWLERS"),
    (PortDropped, "APPLY-CRAWLERS"),
    (TargetTakesRules, "APPLY-CRAWLERS"),
    (TargetSharesRules, "APPLY-CRAWLERS"),
];

/// Cases that a rogue fails, although it does not violate their requirements.
pub(crate) struct Exception {
    pub(crate) why: &'static str,
    pub(crate) failing: &'static [(Rogue, &'static str)],
}

pub(crate) const EXCEPTIONS: &[Exception] = &[
    Exception {
        why: "The redirect of the case ends in an answer or a failure that this crawler handles wrongly.",
        failing: &[
            (NotFoundDisallows, "wire-redirect-to-404"),
            (GoneDisallows, "wire-redirect-hops-then-404"),
            (TargetTakesRules, "wire-redirect-to-refusal"),
        ],
    },
    Exception {
        why: "The file of the case is the target of a redirect.",
        failing: &[(RedirectDisallows, "wire-redirect-to-page-of-html")],
    },
    Exception {
        why: "The target of the redirect differs only in the port.",
        failing: &[(PortDropped, "wire-redirect-to-another-port")],
    },
    Exception {
        why: "A file that never ends is large, and a gzip bomb is encoded.",
        failing: &[(LargeFileAllows, "wire-size-endless"), (GzipUnread, "wire-size-gzip-bomb")],
    },
    Exception {
        why: "The file of the case is HTML, or is sent as HTML.",
        failing: &[
            (HtmlIgnored, "wire-media-type-html"),
            (HtmlIgnored, "wire-meta-refresh-unfollowed"),
        ],
    },
    Exception {
        why: "FTP has no media types.",
        failing: &[(MediaTypeNeeded, "wire-ftp"), (MediaTypeNeeded, "wire-ftp-and-http")],
    },
    Exception {
        why: "The case is about the crawler's own group, which this crawler does not obey, or obeys together with `*`.",
        failing: &[
            (StarOnly, "wire-groups-merged"),
            (StarOnly, "wire-no-fall-through"),
            (StarOnly, "wire-token-in-capitals"),
            (StarOnly, "wire-two-agents-one-group"),
            (OwnFallsThrough, "wire-own-group"),
            (OwnFallsThrough, "wire-token-in-capitals"),
            (OwnFallsThrough, "wire-two-agents-one-group"),
        ],
    },
    Exception {
        why: "The file of the case has no group at all.",
        failing: &[
            (NoGroupDisallows, "wire-empty-file"),
            (NoGroupDisallows, "wire-file-of-comments"),
            (NoGroupDisallows, "wire-html-without-rules"),
            (NoGroupDisallows, "wire-redirect-to-page-of-html"),
        ],
    },
];
