//! The names of well-known crawlers, to find misspellings, and policy tokens, which name a use of content.
//!
//! The thresholds of [`meant`] were chosen with 662 names in 1,043 real files and 2,239 names in a public list of
//! user-agents: every other crawler among them that is as close to a name in [`KNOWN`] is in [`OTHERS`].

use super::field_name::within;

/// How a policy token begins. An Internet-Draft uses such tokens instead of a crawler's name.
const POLICY: &[u8] = b"__usage_";

/// The policy token for the training of AI models.
pub(super) const TRAINING: &str = "__usage_ai-training";

/// Returns whether a name is a policy token.
pub(super) fn is_policy(name: &[u8]) -> bool {
    name.get(..POLICY.len()).is_some_and(|start| start.eq_ignore_ascii_case(POLICY))
}

/// Returns the known name that the author of an unknown name probably intended.
pub(super) fn meant(name: &[u8]) -> Option<&'static str> {
    if KNOWN.iter().chain(&OTHERS).any(|known| name.eq_ignore_ascii_case(known.as_bytes())) {
        return None;
    }
    let close = KNOWN.iter().filter_map(|known| {
        // Many names end in `bot`, so two different letters are much in a name of ten.
        let most = if known.len() <= 10 { 1 } else { 2 };
        Some((within(name, known, most)?, *known))
    });
    close.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

/// The product tokens that well-known crawlers document. Each has six octets or more.
const KNOWN: [&str; 73] = [
    "AdsBot-Google",
    "AdsBot-Google-Mobile",
    "AhrefsBot",
    "AhrefsSiteAudit",
    "AI2Bot",
    "Amazonbot",
    "anthropic-ai",
    "APIs-Google",
    "Applebot",
    "Applebot-Extended",
    "Baiduspider",
    "Barkrowler",
    "Bingbot",
    "BLEXBot",
    "Bytespider",
    "ChatGPT-User",
    "Claude-SearchBot",
    "Claude-User",
    "Claude-Web",
    "ClaudeBot",
    "coccocbot-web",
    "cohere-ai",
    "DataForSeoBot",
    "Diffbot",
    "Discordbot",
    "DotBot",
    "DuckAssistBot",
    "DuckDuckBot",
    "Exabot",
    "FacebookBot",
    "facebookexternalhit",
    "Google-CloudVertexBot",
    "Google-Extended",
    "Google-InspectionTool",
    "Googlebot",
    "Googlebot-Image",
    "Googlebot-News",
    "Googlebot-Video",
    "GoogleOther",
    "GoogleOther-Image",
    "GoogleOther-Video",
    "GPTBot",
    "ia_archiver",
    "ImagesiftBot",
    "LinkedInBot",
    "Mediapartners-Google",
    "meta-externalagent",
    "meta-externalfetcher",
    "MistralAI-User",
    "MJ12bot",
    "OAI-SearchBot",
    "omgilibot",
    "Perplexity-User",
    "PerplexityBot",
    "PetalBot",
    "Pinterestbot",
    "Qwantbot",
    "rogerbot",
    "SemrushBot",
    "SemrushBot-BA",
    "SemrushBot-SA",
    "SeznamBot",
    "SiteAuditBot",
    "Slackbot",
    "Storebot-Google",
    "TelegramBot",
    "Timpibot",
    "TurnitinBot",
    "Twitterbot",
    "WhatsApp",
    "YandexBot",
    "YandexImages",
    "YouBot",
];

/// Other crawlers, whose names are close to a known one.
const OTHERS: [&str; 4] = ["AISearchBot", "Pingbot", "SemrushBot-SI", "Slickbot"];
