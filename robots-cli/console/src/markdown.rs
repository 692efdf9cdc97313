//! Shows foreign text as code in Markdown, so that none of it is read as Markdown.

/// Renders text as code on one line. The text may contain backticks. In a table, the caller must also escape each `|`.
///
/// ```
/// use robots_console::markdown::inline;
/// assert_eq!((&*inline("/a"), &*inline("a`b")), ("`/a`", "``a`b``"));
/// ```
#[must_use]
pub fn inline(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    let text = text.replace('\n', " ");
    format!("{ticks}{space}{text}{space}{ticks}")
}

/// Returns the line that begins and ends a block of code with this text.
#[must_use]
pub fn fence(text: &str) -> String {
    "`".repeat(longest_run(text).max(2) + 1)
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
