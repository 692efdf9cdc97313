//! Makes the paths of the questions. Some paths are made from the file's rules, so that the rules match them or almost
//! match them. Some are general paths.

use std::fmt::Write as _;

/// A file with more rules than this number is a large file.
pub const LARGE: usize = 1000;

const GENERAL: [&str; 6] = [
    "/",
    "/index.html",
    "/about/contact?lang=en",
    "/products/12345/reviews?page=2&sort=newest",
    "/2019/04/17/an-article-of-the-day-with-a-long-name/",
    "/static/css/main.3f2a1b.css",
];

/// Returns the paths of the questions about a file with these rules: two paths for each of some rules, and the general
/// paths. At most 8 rules are used, or 64 in a large file, and they are spread evenly over the file.
pub(super) fn of(rules: &[&[u8]]) -> Vec<String> {
    let wanted = if rules.len() > LARGE { 64 } else { 8 }.min(rules.len());
    let mut paths = Vec::with_capacity(2 * wanted + GENERAL.len());
    for number in 0..wanted {
        let pattern = rules[number * rules.len() / wanted];
        let path = matching(pattern);
        paths.push(nearly(&path));
        paths.push(path);
    }
    paths.extend(GENERAL.map(str::to_owned));
    paths
}

/// Returns a path that the pattern matches.
fn matching(pattern: &[u8]) -> String {
    let (pattern, rest) = match pattern.strip_suffix(b"$") {
        Some(pattern) => (pattern, ""),
        None => (pattern, "page-1.html"),
    };
    let mut path = String::with_capacity(pattern.len() + 16);
    if !pattern.starts_with(b"/") {
        path.push('/');
    }
    for octet in pattern {
        match octet {
            b'*' => path.push_str("any/x1"),
            b'!'..=b'~' => path.push(char::from(*octet)),
            other => write!(path, "%{other:02X}").expect("writing to a String cannot fail"),
        }
    }
    path.push_str(rest);
    path
}

/// Returns the path with one octet changed, at three quarters of its length.
fn nearly(path: &str) -> String {
    let at = (path.len() * 3 / 4).max(1).min(path.len());
    let changed = if path[at..].starts_with('q') { "z" } else { "q" };
    format!("{}{changed}{}", &path[..at], path.get(at + 1..).unwrap_or(""))
}
