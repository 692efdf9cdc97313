//! Tests a server in a network namespace: host names, default ports, addresses that are not loopback.

use std::{env, fs};

use robots_test_web::{Namespace, Net, Sites, Web};

/// Outside a namespace, the test starts itself again in a namespace. Inside, it tests the server.
#[test]
fn names_and_default_ports_are_served() {
    if Namespace::here().unwrap_or_else(|error| panic!("{error}")).is_some() {
        names_and_default_ports();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut command = match Namespace::command(env::current_exe().unwrap(), folder.path()) {
        Ok(command) => command,
        Err(error) if env::var_os("ROBOTS_REQUIRE_NAMESPACE").is_none() => {
            eprintln!("not run: {error}");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    command.args(["names_and_default_ports_are_served", "--exact", "--nocapture"]);
    let output = command.output().unwrap();
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    assert!(text(&output.stdout).contains("1 passed"), "{}", text(&output.stdout));
}

fn names_and_default_ports() {
    let sites = "www: { name: www.example.com }\nsecure: { name: www.example.com, host: www, scheme: https }\n\
                 other: { name: example.com, host: www, port: www }\nbare: { host: www, port: www }\n\
                 second: { host: www }\nv6: { name: '[2001:db8::1]' }";
    let web = Web::start_in(&Sites::from_yaml(sites).unwrap(), Net::Namespace).unwrap();
    assert_eq!(web.url("www"), Some("http://www.example.com"));
    assert_eq!(web.url("secure"), Some("https://www.example.com"));
    assert_eq!(web.url("other"), Some("http://example.com"));
    assert_eq!(web.url("v6"), Some("http://[2001:db8::1]"));
    let bare = web.url("bare").unwrap();
    assert!(bare.starts_with("http://192.0.2."), "{bare}");
    assert!(web.url("second").unwrap().starts_with(&format!("{bare}:")));
    for url in web.origins().map(|(_, url)| url).filter(|url| url.starts_with("http:")) {
        let answer = ureq::get(url).config().http_status_as_error(false).build().call();
        assert_eq!(answer.unwrap().status(), 404, "{url}");
    }
    let asked: Vec<_> = web.log().into_iter().map(|entry| entry.origin).collect();
    assert_eq!(asked, ["www", "other", "bare", "second", "v6"]);
    let hosts = fs::read_to_string("/etc/hosts").unwrap();
    assert!(hosts.lines().any(|line| line.trim_end().ends_with(" www.example.com")), "{hosts}");
    drop(web);
    assert!(!fs::read_to_string("/etc/hosts").unwrap().contains("example.com"));
}
