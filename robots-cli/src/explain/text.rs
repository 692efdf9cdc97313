//! Writes the answers for readers, one on each line. The findings that affect the answers come after them, each only
//! once.

use std::io::{self, Write};

use robots_console::render;

use super::answers::{Asked, DRAFT};
use super::arguments::ExplainArgs;
use crate::lint::{OF_A_KIND, render as finding};

pub(super) fn write(
    arguments: &ExplainArgs,
    asked: &[Asked<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_one = asked.iter().map(|asked| asked.answers.len()).sum::<usize>() == 1;
    let mut findings: Vec<String> = Vec::new();
    for asked in asked {
        let tokens = asked.crawler.tokens.join(", ");
        for answer in &asked.answers {
            if !is_one {
                write!(out, "{} {}: ", render::text(&tokens), render::message(answer.url))?;
            }
            writeln!(out, "{}", render::message(&answer.verdict))?;
            if let Some(usage) = &answer.usage {
                writeln!(out, "use, by the draft {DRAFT}: {usage}")?;
            }
            for (token, verdict) in &answer.policies {
                let (token, verdict) = (render::text(token), render::message(verdict));
                writeln!(out, "use, by the policy token {token}: {verdict}")?;
            }
            let counted = asked.findings(answer, OF_A_KIND);
            let body = asked.body().unwrap_or_default();
            let shown = counted.shown().iter().map(|one| finding(arguments.file.name(), body, one));
            let left_out = counted
                .left_out()
                .map(|(kind, count)| format!("and {count} more of {kind}; lint --all shows them"));
            for text in shown.chain(left_out) {
                if !findings.contains(&text) {
                    findings.push(text);
                }
            }
        }
        if let Some(name) = asked.group_instead_of_global() {
            let name = render::text(&String::from_utf8_lossy(name));
            writeln!(
                out,
                "  the rules for `*` do not apply to {name}, because it has a group of its own"
            )?;
        }
        if asked.crawler.header.is_some() {
            writeln!(out, "  the header gives the product tokens {}", render::text(&tokens))?;
        }
    }
    for text in &findings {
        writeln!(out, "\n{text}")?;
    }
    Ok(())
}
