//! [`redirects`] recognises a body that redirects by markup, for example by meta refresh. Google-2018 leaves the effect
//! of such a body undefined; the other editions read it as a file. Only the first 16 KiB are searched, because the
//! search must be fast for any body.

/// The number of octets that are searched.
const HEAD: usize = 16 * 1024;

/// Returns whether a body is a page that redirects by meta refresh, frames or a script.
pub(super) fn redirects(body: &[u8]) -> bool {
    let head = &body[..body.len().min(HEAD)];
    // A robots.txt has no tags, so a body that begins with one is a page.
    if !head.trim_ascii_start().starts_with(b"<") {
        return false;
    }
    let head = head.to_ascii_lowercase();
    let has = |text: &str| head.windows(text.len()).any(|window| window == text.as_bytes());
    (has("<meta") && has("http-equiv") && has("refresh"))
        || has("<frame")
        || has("<iframe")
        || (has("<script") && has("location"))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::redirects;

    #[rstest]
    #[trace]
    #[case("<META HTTP-EQUIV=refresh CONTENT='0; url=/x'>", true)]
    #[case("<html><frameset><frame src=/x></frameset>", true)]
    #[case("<html><script>window.location = '/x'</script>", true)]
    #[case("<iframe src=/x>", true)]
    #[case("<html><p>Not here.</p>", false)]
    #[case("<meta charset=utf-8>", false)]
    #[case("<meta http-equiv=content-type>", false)]
    #[case("<meta name=refresh>", false)]
    #[case("<p>http-equiv, refresh</p>", false)]
    #[case("<p>refresh</p>", false)]
    #[case("<script>let x</script>", false)]
    #[case("<p>Our location</p>", false)]
    #[case("user-agent: *\ndisallow: /<meta http-equiv=refresh", false)]
    #[case("", false)]
    fn pages(#[case] body: &str, #[case] leads_elsewhere: bool) {
        assert_eq!(redirects(body.as_bytes()), leads_elsewhere);
    }

    #[test]
    fn only_the_first_16_kib_are_searched() {
        let tag = "<frame src=/x>";
        let page = |text: usize| format!("<p>{}{tag}", "x".repeat(text));
        let most = 16 * 1024 - "<p>".len() - "<frame".len();
        assert!(redirects(page(most).as_bytes()));
        assert!(!redirects(page(most + 1).as_bytes()));
    }
}
