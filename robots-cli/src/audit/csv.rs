//! Writes a table of the crawlers as CSV (RFC 4180), a line for each crawler.

use std::io::{self, Write};

use robots_audit::Class;
use robots_console::render;

use super::audited::{Audited, address};
use crate::utc::rfc3339;

pub(super) fn write(audited: &Audited<'_>, out: &mut dyn Write) -> io::Result<()> {
    let classes = Class::ALL.iter().map(|class| class.id()).collect::<Vec<_>>().join(",");
    writeln!(
        out,
        "token,address,requests,robots_txt_requests,{classes},first,last,while_failing,lowest_distance,median_distance,\
         crawl_delay"
    )?;
    for crawler in &audited.report.crawlers {
        // A product token has letters, digits, `-` and `_` only, so it needs no quotation marks.
        write!(out, "{},{}", render::name(&crawler.token), address(crawler))?;
        write!(out, ",{},{}", crawler.requests, crawler.robots_txt_requests)?;
        for class in Class::ALL {
            write!(out, ",{}", crawler.count(*class))?;
        }
        write!(out, ",{},{}", rfc3339(crawler.first), rfc3339(crawler.last))?;
        write!(out, ",{}", crawler.while_failing)?;
        let distance = crawler.distance;
        let times =
            [distance.map(|it| it.lowest), distance.map(|it| it.median), crawler.crawl_delay];
        for time in times {
            let seconds = time.map(|time| time.as_secs_f64().to_string());
            write!(out, ",{}", seconds.unwrap_or_default())?;
        }
        writeln!(out)?;
    }
    Ok(())
}
