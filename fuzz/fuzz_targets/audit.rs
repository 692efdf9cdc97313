//! Reads the input as the format of a log, two versions of a robots.txt, and the lines of the log. Reading and judging
//! never panic, each request is counted once, and each judged request has a cause. With long inputs (`-max_len`), the time
//! limit finds work that is not linear.

#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use robots_audit::robots_core::Edition;
use robots_audit::{Agents, Audit, Class, History, LogReader};

fuzz_target!(|octets: &[u8]| {
    let mut sections = octets.splitn(4, |octet| *octet == 0xff);
    let [format, old, new, log] = [(); 4].map(|()| sections.next().unwrap_or_default());
    let lines: Vec<&[u8]> = log.split(|octet| *octet == b'\n').collect();
    let named = LogReader::named(&String::from_utf8_lossy(format)).ok();
    let Some(mut reader) = named.or_else(|| LogReader::detect(&lines)) else { return };
    let (mut history, mut agents) = (History::default(), Agents::default());
    for (from, file) in [(0, old), (1_790_000_000, new)] {
        agents.add_file(file);
        history.add(None, Duration::from_secs(from), Some(file.to_vec()));
    }
    let mut audit = Audit::new(Edition::Rfc9309, history, agents);
    let (mut read, mut judged) = (0, 0);
    for line in &lines {
        reader.read(line, |request| {
            read += 1;
            judged += u64::from(audit.request(request).is_some());
        });
    }
    let report = audit.finish();
    let rows = || report.crawlers.iter();
    assert_eq!(report.requests, read);
    let counted: u64 = rows().map(|row| row.requests).sum();
    assert_eq!(counted + report.of_others + report.not_kept, read);
    let classes: u64 = rows().flat_map(|row| Class::ALL.iter().map(|class| row.count(*class))).sum();
    let causes: u64 = rows().flat_map(|row| &row.causes).map(|cause| cause.requests).sum();
    assert_eq!([classes, causes], [judged; 2]);
});
