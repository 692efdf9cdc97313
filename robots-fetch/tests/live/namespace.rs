//! Runs the live cases in a network namespace, which provides host names, default ports, and addresses that are not
//! loopback.

use std::env;

use robots_fetch::robots_core::Edition;
use robots_test_web::{Namespace, Net};

/// Outside a namespace, the test starts itself again in a namespace. Inside, it runs the cases.
#[test]
fn the_crawlers_pass_in_a_namespace() {
    if Namespace::here().unwrap_or_else(|error| panic!("{error}")).is_some() {
        crate::passes_all(&crate::with_memory, Edition::ALL, Net::Namespace);
        crate::passes_all(&crate::with_redb, &[Edition::Rfc9309], Net::Namespace);
        crate::passes_all(&crate::blocking, &[Edition::Google2022], Net::Namespace);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut command = match Namespace::command(env::current_exe().unwrap(), folder.path()) {
        Ok(command) => command,
        Err(error) if env::var_os("ROBOTS_REQUIRE_NAMESPACE").is_none() => {
            crate::servers::not_run(error);
            return;
        }
        Err(error) => panic!("{error}"),
    };
    command.args(["namespace::the_crawlers_pass_in_a_namespace", "--exact", "--nocapture"]);
    let output = command.output().unwrap();
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    assert!(text(&output.stdout).contains("1 passed"), "{}", text(&output.stdout));
}
