//! The result as `JUnit`'s XML: a file is a test suite, an expectation a test case.
//!
//! An expectation that is not met is a failure, with the reason as its message. The class name of a test case is the
//! place of the expectation.

use std::io;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use robots_console::render;

use super::checked::CheckedFile;

pub(super) fn write(files: &[CheckedFile<'_>], mut out: impl io::Write) -> io::Result<()> {
    let mut report = Report::new("robots check");
    for file in files {
        let mut tests = TestSuite::new(render::name(file.name));
        for one in &file.checked {
            let place = one.place();
            let status = match one.reason() {
                None => TestCaseStatus::success(),
                Some(reason) => {
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    let line = one.line().map_or(String::new(), |line| format!("line {line}: "));
                    status.set_message(format!("{line}{}", render::message(reason)));
                    status
                }
            };
            let mut test = TestCase::new(render::message(&one.expected()), status);
            test.set_classname(format!("{}:{}", file.expectations.display(), place.line));
            tests.add_test_case(test);
        }
        report.add_test_suite(tests);
    }
    out.write_all(report.to_string().map_err(io::Error::other)?.as_bytes())
}
