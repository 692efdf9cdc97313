//! Tests with real servers: nginx, apache2 and haproxy as web servers, squid as a proxy, and vsftpd as an FTP server.
//!
//! The test starts each server on loopback with its configuration. If a server is not installed, its test prints "not
//! run". With `ROBOTS_REQUIRE_SERVERS`, the test fails instead.

#[allow(dead_code, reason = "only other tests use redis-server")]
mod servers;

use std::env;
use std::fs;
use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rcgen::{CertificateParams, KeyPair};
use robots_fetch::blocking;
use robots_fetch::guard::PublicOnly;
use robots_fetch::{Basis, Builder, Client};
use rstest::rstest;
use tempfile::TempDir;

const FILE: &str = "user-agent: *\ndisallow: /private\n";

/// A server for a test. The server ends when this value is dropped.
struct Server {
    child: Child,
    dir: TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        // Some servers end their children only on SIGTERM, so SIGKILL comes last.
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").arg(&pid).stderr(Stdio::null()).status();
        let until = Instant::now() + Duration::from_secs(5);
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Finds a program in the folders of PATH, and in folders that are usually only in the PATH of root.
fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    folders.map(|folder| folder.join(name)).find(|path| path.exists())
}

/// Starts a server whose files are written by `configure`, and waits until it listens.
fn start(name: &str, listens: u16, configure: impl FnOnce(&Path) -> Vec<String>) -> Option<Server> {
    let Some(program) = program(name) else {
        assert!(env::var_os("ROBOTS_REQUIRE_SERVERS").is_none(), "{name} is not installed");
        servers::not_run(format_args!("{name} is not installed"));
        return None;
    };
    let dir = tempfile::tempdir().unwrap();
    // A server that drops its privileges must still be able to read its files.
    Command::new("chmod").arg("755").arg(dir.path()).status().unwrap();
    let arguments = configure(dir.path());
    let log = fs::File::create(dir.path().join("output")).unwrap();
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(30);
    while TcpStream::connect(("127.0.0.1", listens)).is_err() {
        let ended = child.try_wait().unwrap();
        if ended.is_some() || Instant::now() > until {
            let found_text = fs::read_to_string(dir.path().join("output")).unwrap();
            panic!("{name} does not listen: {ended:?}\n{found_text}");
        }
        sleep(Duration::from_millis(20));
    }
    Some(Server { child, dir })
}

/// Writes a certificate for `localhost` and its key, in one common file and in two separate files. The certificate
/// signs itself.
fn certificate(dir: &Path) -> String {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(["localhost".to_owned()]).unwrap();
    let certificate = params.self_signed(&key).unwrap().pem();
    fs::write(dir.join("cert.pem"), &certificate).unwrap();
    fs::write(dir.join("key.pem"), key.serialize_pem()).unwrap();
    fs::write(dir.join("both.pem"), format!("{certificate}{}", key.serialize_pem())).unwrap();
    certificate
}

fn builder() -> Builder {
    Client::builder("examplebot").no_proxy()
}

fn nginx(http: u16, https: u16) -> Option<Server> {
    start("nginx", http, |dir| {
        certificate(dir);
        fs::create_dir(dir.join("www")).unwrap();
        let filling = format!("# {}\n", "filling ".repeat(200));
        fs::write(dir.join("www/robots.txt"), format!("{filling}{FILE}")).unwrap();
        let configuration = format!(
            "daemon off; master_process off; pid {dir}/pid; error_log stderr;\n\
             events {{}}\n\
             http {{\n\
             log_format fields '$request_method $uri $status $http_accept_encoding|$http_if_none_match|\
             $http_if_modified_since';\n\
             access_log {dir}/access fields;\n\
             client_body_temp_path {dir}/b; proxy_temp_path {dir}/p; fastcgi_temp_path {dir}/f;\n\
             uwsgi_temp_path {dir}/u; scgi_temp_path {dir}/s;\n\
             types {{ text/plain txt; }}\n\
             gzip on; gzip_min_length 10; gzip_types text/plain;\n\
             server {{ listen 127.0.0.1:{http}; root {dir}/www; }}\n\
             server {{ listen 127.0.0.1:{https} ssl; ssl_certificate {dir}/cert.pem; ssl_certificate_key {dir}/key.pem;\n\
             location / {{ return 301 http://127.0.0.1:{http}$request_uri; }} }}\n\
             }}\n",
            dir = dir.display()
        );
        fs::write(dir.join("nginx.conf"), configuration).unwrap();
        let at = dir.display().to_string();
        vec!["-p".to_owned(), at.clone(), "-c".to_owned(), format!("{at}/nginx.conf")]
    })
}

#[tokio::test]
async fn nginx_codes_confirms_and_redirects() {
    let (http, https) = (port(), port());
    let Some(server) = nginx(http, https) else { return };
    let now = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let moved = std::sync::Arc::clone(&now);
    let clock = move || {
        let seconds = moved.load(std::sync::atomic::Ordering::Relaxed);
        std::time::SystemTime::now() + Duration::from_secs(seconds)
    };
    let client = builder().clock(clock).build().unwrap();
    let private = format!("http://127.0.0.1:{http}/private");
    for day in 0..2 {
        now.store(day * 90_000, std::sync::atomic::Ordering::Relaxed);
        let verdict = client.verdict(&private).await.unwrap();
        assert!(!verdict.is_allowed());
        assert_eq!(verdict.evidence().unwrap().rule().unwrap().line().number, 3);
    }
    let log = fs::read_to_string(server.dir.path().join("access")).unwrap();
    let lines: Vec<_> = log.lines().collect();
    assert_eq!(lines[0], "GET /robots.txt 200 gzip, br, zstd, deflate|-|-");
    // The client sends back the weak ETag of the encoded answer, and the date of the file.
    assert!(lines[1].starts_with("GET /robots.txt 304 gzip, br, zstd, deflate|W/"), "{log}");
    assert!(lines[1].ends_with(" GMT"), "{log}");

    // The next questions use TLS, first without and then with a trusted certificate authority.
    let authority = fs::read(server.dir.path().join("cert.pem")).unwrap();
    let url = format!("https://localhost:{https}/private");
    let verdict = client.verdict(&url).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Unreachable), "{verdict}");
    let trusting = builder().trust(authority.clone()).build().unwrap();
    let verdict = trusting.verdict(&url).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Rules), "{verdict}");
    assert_eq!(verdict.record().last.hops.len(), 1);
    let blocked = tokio::task::spawn_blocking(move || {
        let client = blocking::Client::builder("examplebot").no_proxy().trust(authority);
        let client = client.trust_no_others().build().unwrap();
        let verdict = client.verdict(&url).unwrap();
        (verdict.is_allowed(), verdict.basis())
    });
    assert_eq!(blocked.await.unwrap(), (false, Basis::Rules));
}

#[tokio::test]
async fn apache_serves_a_file() {
    let http = port();
    let modules = Path::new("/usr/lib/apache2/modules");
    let Some(_server) = start("apache2", http, |dir| {
        fs::create_dir(dir.join("www")).unwrap();
        fs::write(dir.join("www/robots.txt"), FILE).unwrap();
        let load = ["mpm_event", "authz_core", "mime", "dir"];
        let load = load
            .map(|name| format!("LoadModule {name}_module {}/mod_{name}.so\n", modules.display()));
        let configuration = format!(
            "{}ServerRoot {dir}\nServerName localhost\nListen 127.0.0.1:{http}\nPidFile {dir}/pid\n\
             User www-data\nGroup www-data\nTypesConfig /etc/mime.types\nErrorLog {dir}/error\nDocumentRoot {dir}/www\n\
             <Directory {dir}/www>\nRequire all granted\n</Directory>\n",
            load.concat(),
            dir = dir.display()
        );
        fs::write(dir.join("apache.conf"), configuration).unwrap();
        vec![
            "-D".into(),
            "FOREGROUND".into(),
            "-f".into(),
            dir.join("apache.conf").display().to_string(),
        ]
    }) else {
        return;
    };
    let verdict = builder().build().unwrap();
    let url = format!("http://127.0.0.1:{http}/private");
    let verdict = verdict.verdict(&url).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Rules), "{verdict}");
    assert!(verdict.record().copy.as_ref().unwrap().about.etag.is_some());
}

#[tokio::test]
async fn haproxy_ends_tls_and_has_nothing_behind_it() {
    let (https, behind) = (port(), port());
    let Some(server) = start("haproxy", https, |dir| {
        certificate(dir);
        let configuration = format!(
            "global\n maxconn 100\ndefaults\n mode http\n timeout connect 2s\n timeout client 5s\n timeout server 5s\n\
             frontend tls\n bind 127.0.0.1:{https} ssl crt {dir}/both.pem\n\
             \x20http-request return status 200 content-type text/plain string \"user-agent: *\\ndisallow: /private\\n\" \
             if {{ path /robots.txt }} {{ hdr_beg(host) localhost }}\n default_backend none\n\
             backend none\n server gone 127.0.0.1:{behind}\n",
            dir = dir.display()
        );
        fs::write(dir.join("haproxy.cfg"), configuration).unwrap();
        vec!["-f".to_owned(), dir.join("haproxy.cfg").display().to_string()]
    }) else {
        return;
    };
    let authority = fs::read(server.dir.path().join("cert.pem")).unwrap();
    let client = builder().trust(authority).trust_no_others().build().unwrap();
    let url = format!("https://localhost:{https}/private");
    let verdict = client.verdict(&url).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Rules), "{verdict}");
    // The IP address is another origin, and the certificate does not name it.
    let url = format!("https://127.0.0.1:{https}/");
    let verdict = client.verdict(&url).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Unreachable), "{verdict}");
}

fn squid(port: u16) -> Option<Server> {
    start("squid", port, |dir| {
        let configuration = format!(
            "http_port 127.0.0.1:{port}\nacl all_of_them src all\nhttp_access allow all_of_them\ncache deny all\n\
             access_log stdio:{dir}/access.log\ncache_log {dir}/cache.log\npid_filename {dir}/pid\n\
             coredump_dir {dir}\nshutdown_lifetime 0 seconds\npinger_enable off\n",
            dir = dir.display()
        );
        fs::write(dir.join("squid.conf"), configuration).unwrap();
        // squid drops its privileges and then writes into the folder.
        Command::new("chmod").arg("777").arg(dir).status().unwrap();
        ["-N", "-f"]
            .map(str::to_owned)
            .into_iter()
            .chain([dir.join("squid.conf").display().to_string()])
            .collect()
    })
}

/// Asks through the proxy of the environment. The test uses a separate process, because all tests share the
/// environment.
#[tokio::test]
async fn squid_is_asked_as_the_environment_says() {
    const NAME: &str = "squid_is_asked_as_the_environment_says";
    if let Ok(url) = env::var("ROBOTS_FETCH_URL") {
        let verdict = Client::builder("examplebot").build().unwrap();
        let verdict = verdict.verdict(&url).await.unwrap();
        assert_eq!(verdict.basis(), Basis::Rules, "{verdict}");
        let blocked = tokio::task::spawn_blocking(move || {
            let client = blocking::Client::builder("examplebot").build().unwrap();
            client.verdict(&url).unwrap().basis()
        });
        assert_eq!(blocked.await.unwrap(), Basis::Rules);
        return;
    }
    let (http, https, proxy) = (port(), port(), port());
    let Some(_origin) = nginx(http, https) else { return };
    let Some(server) = squid(proxy) else { return };
    let url = format!("http://127.0.0.1:{http}/private");
    let asked = |variable: &str, no_proxy: &str| {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args([NAME, "--exact", "--nocapture"]).env("ROBOTS_FETCH_URL", &url);
        for name in
            ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "REQUEST_METHOD"]
        {
            command.env_remove(name);
        }
        command.env(variable, format!("http://127.0.0.1:{proxy}")).env("NO_PROXY", no_proxy);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        let log = fs::read_to_string(server.dir.path().join("access.log")).unwrap_or_default();
        log.matches("/robots.txt").count() + log.matches("CONNECT").count()
    };
    let until = |wanted: usize, found: usize| assert_eq!(found, wanted);
    until(2, asked("HTTP_PROXY", "example.com"));
    until(4, asked("all_proxy", ""));
    until(4, asked("HTTP_PROXY", "127.0.0.1"));

    // A guard that needs addresses reports that the proxy hides the addresses.
    let client = Client::builder("examplebot").proxy(&format!("http://127.0.0.1:{proxy}"));
    let client = client.guard(PublicOnly::default()).build().unwrap();
    let verdict = client.verdict(&url).await.unwrap().to_string();
    assert!(verdict.contains("through the proxy"), "{verdict}");
}

#[rstest]
#[trace]
#[case(Some(FILE), false)]
#[case(None, true)]
#[tokio::test]
async fn vsftpd_is_asked_anonymously(#[case] file: Option<&str>, #[case] allowed: bool) {
    let ftp = port();
    let Some(_server) = start("vsftpd", ftp, |dir| {
        fs::create_dir(dir.join("files")).unwrap();
        if let Some(file) = file {
            fs::write(dir.join("files/robots.txt"), file).unwrap();
        }
        let configuration = format!(
            "listen=YES\nlisten_address=127.0.0.1\nlisten_port={ftp}\nbackground=NO\nanonymous_enable=YES\n\
             local_enable=NO\nanon_root={dir}/files\nno_anon_password=YES\nsecure_chroot_dir={dir}/files\n\
             seccomp_sandbox=NO\nconnect_from_port_20=NO\n",
            dir = dir.display()
        );
        fs::write(dir.join("vsftpd.conf"), configuration).unwrap();
        vec![dir.join("vsftpd.conf").display().to_string()]
    }) else {
        return;
    };
    // A greeting shows that the server is ready, and does not only listen.
    let mut greeting = [0; 4];
    TcpStream::connect(("127.0.0.1", ftp)).unwrap().read_exact(&mut greeting).unwrap();
    assert_eq!(&greeting, b"220 ");
    let url = format!("ftp://127.0.0.1:{ftp}/private");
    let client = builder().build().unwrap();
    let verdict = client.verdict(&url).await.unwrap();
    assert_eq!(verdict.is_allowed(), allowed, "{verdict}");
    let blocked = tokio::task::spawn_blocking(move || {
        let client = blocking::Client::builder("examplebot").build().unwrap();
        client.verdict(&url).unwrap().is_allowed()
    });
    assert_eq!(blocked.await.unwrap(), allowed);
}

/// The paths where Debian and Fedora install the library that shifts the clock of a process.
const FAKETIME: [&str; 3] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib64/faketime/libfaketime.so.1",
];

/// Tests a lifetime of 24 hours and outages of 30 days by shifting the clock of a process.
#[test]
fn time_passes() {
    if let (Ok(url), Ok(store)) = (env::var("ROBOTS_FETCH_URL"), env::var("ROBOTS_FETCH_STORE")) {
        let store = robots_fetch::store::Redb::open(store).unwrap();
        let client = blocking::Client::builder("examplebot").no_proxy().store(store);
        let client = client.build().unwrap();
        let verdict = client.verdict(&url).unwrap();
        println!("says {} {:?}", verdict.is_allowed(), verdict.basis());
        return;
    }
    let Some(library) = FAKETIME.into_iter().find(|path| Path::new(path).exists()) else {
        assert!(env::var_os("ROBOTS_REQUIRE_SERVERS").is_none(), "libfaketime is not installed");
        servers::not_run("libfaketime is not installed");
        return;
    };
    let sites = "kept: { robots: [ { text: \"user-agent: *\\ndisallow: /private\\n\", headers: { etag: '\"1\"' } }, 304 ] }\n\
                 fails: { robots: 500 }\n\
                 failed: { robots: [ \"user-agent: *\\ndisallow: /private\\n\", 500 ] }";
    let web =
        robots_test_web::Web::start(&robots_test_web::Sites::from_yaml(sites).unwrap()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let asked = |site: &str, later: &str| {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["time_passes", "--exact", "--nocapture"]);
        command.env("ROBOTS_FETCH_URL", web.expand(&format!("{{{site}}}/private")));
        command.env("ROBOTS_FETCH_STORE", dir.path().join("robots.redb"));
        command.env("LD_PRELOAD", library).env("FAKETIME", later);
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let found_text = text.lines().find_map(|line| Some(line.split_once("says ")?.1.to_owned()));
        let requests = web.log().iter().filter(|entry| entry.origin == site).count();
        (found_text.unwrap_or(text), requests)
    };
    let found = |found_text: &str, requests: usize| (found_text.to_owned(), requests);
    assert_eq!(asked("kept", "+0"), found("false Rules", 1));
    assert_eq!(asked("kept", "+23h"), found("false Rules", 1));
    assert_eq!(asked("kept", "+25h"), found("false Rules", 2));
    assert_eq!(web.log().last().unwrap().answer.as_ref().unwrap().what, "answered 304");
    assert_eq!(asked("fails", "+0"), found("false Unreachable", 1));
    assert_eq!(asked("fails", "+50m"), found("false Unreachable", 1));
    // Two failures of one outage must not be more than seven days apart.
    for (later, requests) in [("+6d", 2), ("+12d", 3), ("+18d", 4), ("+24d", 5), ("+29d", 6)] {
        assert_eq!(asked("fails", later), found("false Unreachable", requests), "{later}");
    }
    assert_eq!(asked("fails", "+31d"), found("true UnreachableForLong", 7));
    assert_eq!(asked("failed", "+0"), found("false Rules", 1));
    assert_eq!(asked("failed", "+25h"), found("false Unreachable", 2));
    for (later, requests) in [("+7d", 3), ("+13d", 4), ("+19d", 5), ("+25d", 6), ("+30d", 7)] {
        assert_eq!(asked("failed", later), found("false Unreachable", requests), "{later}");
    }
    assert_eq!(asked("failed", "+33d"), found("false LastCopy", 8));
}
