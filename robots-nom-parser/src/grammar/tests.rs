//! Tests each production: the octets that it must take completely, and octets that it must not take completely.
//!
//! A case is a production with two lists, whose items are separated by `|`. Every item of the first list derives from
//! the production. No item of the second list derives from it. The items come from the published documents and from the
//! lenient grammar. [`linear_time()`] reads long hostile input with whole grammars, because short input does not show
//! quadratic or recursive code.

use rstest::rstest;

use super::{
    Production, alternatives, derives, google_2018 as g, lenient as l, rfc9309 as r, uri, utf8,
};

/// Checks that a production takes every item of `takes` completely, but no item of `leaves`. Items are separated by
/// `|`.
#[rstest]
#[trace]
#[case::rfc9309_robotstxt(
    r::robotstxt,
    b"|\n|user-agent: a\n|# c\n\nuser-agent: a\nallow: /\n\nuser-agent: *\r\n\r",
    b"user-agent: a|allow: /\n|\nallow: /\nuser-agent: a\n|sitemap: a\n| "
)]
#[case::rfc9309_group(
    r::group,
    b"user-agent: a\n|user-agent: a\n\nuser-agent: b\n#\nallow: /\n\ndisallow:\n",
    b"|\nuser-agent: a\n|user-agent: a\nallow: /\nuser-agent: b\n"
)]
#[case::rfc9309_startgroupline(
    r::startgroupline,
    b"user-agent:a\n| \tUSER-Agent\t :  *\t# c\r\n",
    b"user-agent: a|user-agent:\n|useragent: a\n|user-agent: a b\n|user-agent a\n"
)]
#[case::rfc9309_rule(
    r::rule,
    b"allow:/\n| Disallow :\t/a*$ #c\r|allow: \n|disallow:#\n",
    b"allow: /|allow: a\n|disallow: *.gif$\n|allow: /a b\n|crawl-delay: 1\n"
)]
#[case::rfc9309_product_token(r::product_token, b"*|a", b"|**|*a|a*")]
#[case::rfc9309_path_pattern(
    r::path_pattern,
    b"/|/a?b=%2F$*|/\xC3\xA9|/\x7F",
    b"|a|*|/a b|/a#|/\t|/\xFF"
)]
#[case::rfc9309_empty_pattern(r::empty_pattern, b"| \t ", b"/|\n")]
#[case::rfc9309_identifier(r::identifier, b"a|Z|a-b_C", b"|a1|a b|*|a/1|\xC3\xA9")]
#[case::rfc9309_comment(r::comment, b"#|# a # b\t\"\xE2\x80\xA8", b"| #|#\n|#\0|#\x0B|#\xFF")]
#[case::rfc9309_emptyline(r::emptyline, b"\n| # c\r\n", b"|\n\n|a\n")]
#[case::rfc9309_eol(r::eol, b"\r|\t \n|#\r\n", b"|#|\n |\n\r")]
#[case::rfc9309_nl(r::nl, b"\r|\n|\r\n", b"|\n\r|\r\r|\x0B|\x0C|\xC2\x85")]
#[case::rfc9309_ws(r::ws, b" |\t", b"|  |\xC2\xA0|\x0B")]
#[case::rfc9309_utf8_char_noctl(r::utf8_char_noctl, b"a|\xC2\x80|\xEF\xBB\xBF", b"| |#|\x80")]
#[case::rfc9309_utf8_1_noctl(r::utf8_1_noctl, b"!|\"|$|\x7F", b" |#|\t|\0|\x80")]
#[case::utf8_2(utf8::utf8_2, b"\xC2\x80|\xDF\xBF", b"\xC1\xBF|\xC0\x80|\xC2|\xE0\x80")]
#[case::utf8_3(
    utf8::utf8_3,
    b"\xE0\xA0\x80|\xE1\x80\x80|\xEC\xBF\xBF|\xED\x9F\xBF|\xEE\x80\x80|\xEF\xBF\xBF",
    b"\xE0\x9F\xBF|\xED\xA0\x80|\xE1\x80|\xE1\x80\x80\x80|\xE1\x80\xC0"
)]
#[case::utf8_4(
    utf8::utf8_4,
    b"\xF0\x90\x80\x80|\xF1\x80\x80\x80|\xF3\xBF\xBF\xBF|\xF4\x8F\xBF\xBF",
    b"\xF0\x8F\xBF\xBF|\xF4\x90\x80\x80|\xF5\x80\x80\x80|\xF1\x80\x80"
)]
#[case::utf8_tail(utf8::utf8_tail, b"\x80|\xBF", b"|\x7F|\xC0")]
#[case::google_2018_robotstxt(
    alternatives::robotstxt,
    b"|#|user-agent: a\ndisallow: /a\n|sitemap: a:b\nuser-agent: a\n|user-agent: a\r\n\t# c\n",
    b"\n|user-agent: a|disallow: /a\n|user-agent: a\n\n|#\n|host: a\n"
)]
#[case::google_2018_entries(
    alternatives::entries,
    b"|user-agent:\nuser-agent:\nallow: /a\n#|sitemap: a:\n#",
    b"\r\n|allow: /a\n|# c\nuser-agent: a\n"
)]
#[case::google_2018_startgroupline(
    g::startgroupline,
    b"user-agent:\n|\r\n\tUser-Agent : a 1/2 \xC3\xA9 # c\r\n|user-agent:\r\n a\r",
    b"user-agent: a|user-agent: a\tb\n|user-agent: \x7F\n|user-agent: a\n\n"
)]
#[case::google_2018_groupmemberline(
    g::groupmemberline,
    b"allow:/a\n|\tDISALLOW : /a/*$ # c\r|:\n| : a b\n",
    b"disallow: /\n|disallow:\n|allow: a\n|allow: /a?b\n|allow: /a \n|allow: /a"
)]
#[case::google_2018_nongroupline(
    g::nongroupline,
    b"Sitemap: http://a/b?c;d\n| sitemap\t:a:# c\r\n|:\n| : a\n",
    b"sitemap: /a\n|sitemap:\n|sitemap: a:b \n|allow: /a\n|host: a\n"
)]
#[case::google_2018_comment(g::comment, b"#|\r\n # a # b", b"|#\t|#\n|a#|#\x7F")]
#[case::google_2018_agentvalue(g::agentvalue, b"|a b/1", b"#|\t|\n")]
#[case::google_2018_pathmemberfield(g::pathmemberfield, b"allow|Disallow", b"|allow |sitemap")]
#[case::google_2018_othermemberfield(g::othermemberfield, b"", b"a| ")]
#[case::google_2018_urlnongroupfield(g::urlnongroupfield, b"sitemap|SiteMap", b"|site-map")]
#[case::google_2018_othernongroupfield(g::othernongroupfield, b"", b"a| ")]
#[case::google_2018_pathvalue(g::pathvalue, b"/a|/a//b/|/:@&=", b"/|//a|a|/a;b|/\xC3\xA9")]
#[case::google_2018_urlvalue(g::urlvalue, b"a:|http://a/?;%4a", b"a|:|a:#|a:%4")]
#[case::google_2018_textvalue(g::textvalue, b"| a  \"\xF0\x9F\x90\x9F", b"#|\t|\x7F|\xFF")]
#[case::google_2018_valuechar(g::valuechar, b" |\"|$|~|\xC2\x85", b"|#|\t|\x7F")]
#[case::google_2018_anychar(g::anychar, b" |#|~|\xE2\x80\xA8", b"|\t|\x1F|\x7F")]
#[case::google_2018_eol(g::eol, b"\r|\n|\r\n", b"| \n|\n\r")]
#[case::google_2018_lws(g::lws, b" |\t |\r\n ", b"|\r\n|\n | \r\n ")]
#[case::google_2018_crlf(g::crlf, b"\r\n", b"|\r|\n|\n\r")]
#[case::google_2018_cr(g::cr, b"\r", b"|\n")]
#[case::google_2018_lf(g::lf, b"\n", b"|\r")]
#[case::google_2018_sp(g::sp, b" ", b"|\t")]
#[case::google_2018_ht(g::ht, b"\t", b"| ")]
#[case::lenient_marked_line(
    taken::marked_line,
    b"\xEF\xBB\xBF|\xEF\xBB\xBFa\n|\xEF\xBB\xBF\r\n",
    b"|a|\xEF\xBB|\xEF\xBB\xBFa\nb"
)]
#[case::lenient_line(taken::line, b"\n|\r|\r\n|a|a\n|a: b # c\r\n", b"|\n\r|a\n\n|\ra")]
#[case::lenient_content(
    taken::content,
    b"a| |a:b#c|a b#:|#|#a:b| \t|:|\xEF\xBB\xBF",
    b"|\n|a\n|a\r"
)]
#[case::lenient_field_line(
    taken::field_line,
    b":|a:| a b\t: c : d # e|:#|::| : ",
    b"|a| |#:|a#:|a:\n|\r:"
)]
#[case::lenient_field(l::field, b"a|a b\t \tc|\0\xFF", b"| a|a |a:|:|#|a#|a\nb")]
#[case::lenient_value(l::value, b"a|:|: :|a b:\tc|http://a/", b"| a|a |#|a#b|a\nb")]
#[case::lenient_text(l::text, b"a| | a b\t|\0\xC2\x85\x0B\x0C", b"|a:|#|a#|a\n|\r")]
#[case::lenient_text_octet(l::text_octet, b"a|\0|\xE2|\x0B|\x7F|\"|$|9|;", b"| |\t|:|#|\r|\n|ab")]
#[case::lenient_comment(l::comment, b"#|## : #|#\0\xFF", b"|a#| #|#\r|#\n")]
#[case::lenient_nl(l::nl, b"\r|\n|\r\n", b"|\n\r|\r\r|\x0B|\x0C|\xC2\x85")]
#[case::lenient_ws(l::ws, b" |\t", b"|  |\xC2\xA0|\x0B")]
#[case::lenient_byte_order_mark(l::byte_order_mark, b"\xEF\xBB\xBF", b"|\xEF\xBB|\xFE\xFF")]
#[case::alpha(uri::alpha, b"a|Z", b"|1|\xC3")]
#[case::digit(uri::digit, b"0|9", b"|a")]
#[case::hex(uri::hex, b"0|a|F", b"|g")]
#[case::absolute_uri(uri::absolute_uri, b"a:|http://a/\xFF", b"|:a|a|a: |a:<")]
#[case::scheme(uri::scheme, b"http|1+-.", b"|a_")]
#[case::uchar(uri::uchar, b"a|%0a", b"|%|/")]
#[case::unreserved(uri::unreserved, b"a|1|$|!|~", b"|%|+| ")]
#[case::escape(uri::escape, b"%4A|%fF", b"%|%4|%4g|4A")]
#[case::reserved(uri::reserved, b";|/|?|:|@|&|=|+", b"|#|%|a")]
#[case::extra(uri::extra, b"!|*|'|(|)|,", b"|\"|$")]
#[case::safe(uri::safe, b"$|-|_|.", b"|+")]
#[case::national(uri::national, b"[|^|`|{|~|\x80|\xFF", b"_|\x7F|<|a")]
#[case::path(uri::path, b"a|a/|a//b|*/%20", b"|/|/a|a?|a%2")]
#[case::fsegment(uri::fsegment, b"a|ab", b"|/|a/")]
#[case::segment(uri::segment, b"|ab", b"/")]
#[case::pchar(uri::pchar, b"a|%20|:|@|&|=|+", b"|/|?|;|~")]
#[case::path_uchar(uri::path_uchar, b"a|%20", b"|:|%")]
#[case::path_unreserved(uri::path_unreserved, b"a|1|+|*", b"|~|%|\x80")]
#[case::path_safe(uri::path_safe, b"$|-|_|.|+", b"|*")]
fn octets_of(
    #[case]
    #[notrace]
    production: Production,
    #[case] takes: &[u8],
    #[case] leaves: &[u8],
) {
    for octets in takes.split(|octet| *octet == b'|') {
        assert!(derives(production, octets), "does not take {}", octets.escape_ascii());
    }
    for octets in leaves.split(|octet| *octet == b'|') {
        assert!(!derives(production, octets), "takes {}", octets.escape_ascii());
    }
}

/// Wrappers that return only the taken octets, for the productions that return parts.
mod taken {
    use nom::Parser;
    use nom::combinator::recognize;

    use super::super::{Taken, lenient};

    pub(super) fn marked_line(input: &[u8]) -> Taken<'_> {
        recognize(lenient::marked_line).parse(input)
    }

    pub(super) fn line(input: &[u8]) -> Taken<'_> {
        recognize(lenient::line).parse(input)
    }

    pub(super) fn content(input: &[u8]) -> Taken<'_> {
        recognize(lenient::content).parse(input)
    }

    pub(super) fn field_line(input: &[u8]) -> Taken<'_> {
        recognize(lenient::field_line).parse(input)
    }
}

/// Long input needs little time, whatever its shape. Quadratic code would not end in time, and recursive code would
/// overflow the stack.
#[rstest]
#[trace]
#[case::one_comment(b"#", b"a")]
#[case::agents_in_a_comment(b"#", b"user-agent:")]
#[case::agents_and_spaces_in_a_comment(b"#", b"user-agent  :  ")]
#[case::sitemaps_in_a_comment(b"#", b"sitemap:")]
#[case::urls_in_a_comment(b"#", b"sitemap:a:b<")]
#[case::rules_in_a_comment(b"user-agent:\n#", b"disallow:/a")]
#[case::colons_in_a_comment(b"#", b":")]
#[case::comments_in_a_comment(b"", b"#")]
#[case::comments_and_tabs(b"", b"#\t")]
#[case::spaces(b"", b" ")]
#[case::spaces_in_a_comment(b"#", b" ")]
#[case::a_long_value(b"user-agent:", b" a")]
#[case::a_long_path(b"user-agent:a\nallow:/", b"%41/")]
#[case::short_lines(b"user-agent:a\n", b":\n")]
#[case::folded_lines(b"", b"\r\n ")]
#[case::folded_comments(b"user-agent:a", b"\r\n #")]
#[case::folded_fields(b"user-agent:", b"\r\n :")]
#[case::blank_lines(b"", b"\n")]
#[case::carriage_returns(b"", b"\r")]
#[case::groups(b"", b"user-agent:a\n")]
#[case::nothing_valid(b"", b"\xFF")]
#[cfg_attr(miri, ignore = "Miri takes hours for half a mebioctet")]
fn linear_time(#[case] start: &[u8], #[case] repeated: &[u8]) {
    let mut octets = start.to_vec();
    octets.extend(repeated.iter().cycle().take(512_000));
    for end in [&b""[..], b"\n", b"\0\n"] {
        octets.extend_from_slice(end);
        let lines = l::robotstxt(&octets).map(|line| line.octets.len());
        assert_eq!(lines.sum::<usize>(), octets.len());
        let _ = r::robotstxt(&octets);
        let _ = alternatives::robotstxt(&octets);
        for line in [g::startgroupline, g::groupmemberline, g::nongroupline, g::comment] {
            let _ = line(&octets);
        }
    }
}
