//! Tests FTP retrievals from servers that follow a script. Most of the servers refuse one step, for example the login
//! or the file.
//!
//! Each server is a thread with sockets on loopback ([`serve()`]). A script lists the commands to which the server
//! gives an unusual answer. The test server answers all other commands like a server that has the file. The answer to
//! PASV contains the address of another host, so the tests fail if the client connects there.

use std::io::{BufRead, BufReader, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use robots_core::fetch::Failure;
use rstest::rstest;
use url::Url;

use super::super::failed::{Failed, Of, Timeouts};
use super::{Wanted, retrieve};
use crate::guard::{Connection, Guard, Refused};
use crate::machine::retrieval::Response;

const FILE: &[u8] = b"user-agent: *\ndisallow: /private\n";

/// Answers the commands of the script with the script's answers, and other commands like a server that has the file.
fn serve(control: TcpStream, script: &[(&str, &str)]) -> std::io::Result<()> {
    let scripted = |what: &str, usual: &str| {
        let found = script.iter().find(|(command, _)| *command == what);
        format!("{}\r\n", found.map_or(usual, |(_, answer)| answer))
    };
    let mut data: Option<TcpListener> = None;
    let mut writer = control.try_clone()?;
    if let Some((_, part)) = script.iter().find(|(what, _)| *what == "endless") {
        loop {
            writer.write_all(part.as_bytes())?;
        }
    }
    writer.write_all(scripted("greeting", "220 ready").as_bytes())?;
    for line in BufReader::new(control).lines() {
        let line = line?;
        let command = line.split(' ').next().unwrap_or_default();
        let usual = match command {
            "USER" => "331 password".to_owned(),
            "PASS" => "230 in".to_owned(),
            "TYPE" => "200 so be it".to_owned(),
            "PASV" | "EPSV" => {
                let listener = TcpListener::bind((writer.local_addr()?.ip(), 0))?;
                let port = listener.local_addr()?.port();
                data = Some(listener);
                match command {
                    "EPSV" => format!("229 there (|||{port}|)"),
                    // This is the address of another host, so the client must not connect to it.
                    _ => format!("227 there (192,0,2,1,{},{})", port / 256, port % 256),
                }
            }
            "RETR" => "150 here it comes".to_owned(),
            _ => "502 what".to_owned(),
        };
        let answer = scripted(command, &usual);
        writer.write_all(answer.as_bytes())?;
        if command == "RETR" && answer.starts_with('1') {
            let (mut sent, _) = data.take().ok_or(std::io::ErrorKind::NotConnected)?.accept()?;
            if script.contains(&("data", "drips")) {
                loop {
                    sent.write_all(b"#")?;
                    sleep(Duration::from_millis(20));
                }
            }
            sent.write_all(FILE)?;
            drop(sent);
            writer.write_all(scripted("end", "226 that was it").as_bytes())?;
        }
    }
    Ok(())
}

fn wanted(host: &str, script: &'static [(&'static str, &'static str)]) -> Wanted {
    let listener = TcpListener::bind((host.parse::<IpAddr>().unwrap(), 0)).unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    thread::spawn(move || {
        let (control, _) = listener.accept().unwrap();
        // The client may disconnect at any time.
        let _ = serve(control, script);
    });
    Wanted {
        url: Url::parse(&format!("ftp://{address}/robots.txt")).unwrap(),
        addresses: vec![address],
        guard: None,
        timeouts: Timeouts::default(),
        limit: 1000,
    }
}

fn status(answer: &Result<Response, Failed>) -> Result<u16, Failure> {
    answer.as_ref().map(Response::status).map_err(|failed| failed.failure)
}

/// Only a permanent refusal of the file or of the login means that there is no file.
#[rstest]
#[trace]
#[case::fine(&[], Ok(200))]
#[case::not_yet(&[("greeting", "120 in an hour")], Err(Failure::InvalidResponse))]
#[case::busy(&[("greeting", "421 too many users")], Ok(503))]
#[case::closed(&[("greeting", "500 go away")], Err(Failure::InvalidResponse))]
#[case::no_ftp(&[("greeting", "SSH-2.0-OpenSSH_9.2")], Err(Failure::InvalidResponse))]
#[case::no_anonymous(&[("USER", "530 Anonymous access not allowed.")], Ok(404))]
#[case::no_login(&[("PASS", "530 Login incorrect.")], Ok(404))]
#[case::no_login_and_no_reason(&[("PASS", "530 no")], Err(Failure::InvalidResponse))]
#[case::full_at_the_name(
    &[("USER", "530 Sorry, the maximum number of clients (50) are already connected.")], Ok(503)
)]
#[case::full_at_the_password(&[("PASS", "530 Too many users logged in, try again.")], Ok(503))]
#[case::full_for_the_address(&[("PASS", "530 Connection LIMIT exceeded")], Ok(503))]
#[case::file_busy(&[("RETR", "550 robots.txt: Device or resource busy")], Ok(503))]
#[case::file_away_for_now(&[("RETR", "550 robots.txt: Resource temporarily unavailable")], Ok(503))]
#[case::file_open_on_iis(
    &[("RETR", "550 The process cannot access the file because it is being used by another process.")], Ok(503)
)]
#[case::server_away(&[("RETR", "550 Service unavailable")], Ok(503))]
#[case::file_unavailable_as_in_rfc_959(
    &[("RETR", "550 Requested action not taken. File unavailable (e.g., file not found, no access).")], Ok(404)
)]
#[case::disk_broken_briefly(&[("RETR", "550 robots.txt: I/O error")], Ok(503))]
#[case::device_broken(
    &[("RETR", "550 The request could not be performed because of an I/O device error.")], Ok(503)
)]
#[case::disk_broken(&[("RETR", "550 robots.txt: Input/output error")], Ok(503))]
#[case::disk_full(&[("RETR", "550 Requested action not taken: disk full")], Ok(503))]
#[case::a_folder_called_full(&[("RETR", "550 /home/fullsite/robots.txt: No such file")], Ok(404))]
#[case::no_permission(&[("RETR", "550 robots.txt: Permission denied")], Ok(404))]
#[case::login_later(&[("PASS", "421 later")], Ok(503))]
#[case::no_such_command(&[("USER", "500 what")], Err(Failure::InvalidResponse))]
#[case::no_type(&[("TYPE", "504 no")], Err(Failure::InvalidResponse))]
#[case::no_type_for_you(&[("TYPE", "530 log in")], Err(Failure::InvalidResponse))]
#[case::no_passive(&[("PASV", "502 no")], Err(Failure::InvalidResponse))]
#[case::no_passive_ever(&[("PASV", "550 no")], Err(Failure::InvalidResponse))]
#[case::no_passive_now(&[("PASV", "425 later")], Ok(503))]
#[case::passive_garbage(&[("PASV", "227 somewhere")], Err(Failure::InvalidResponse))]
#[case::no_file(&[("RETR", "550 no such file")], Ok(404))]
#[case::bad_name(&[("RETR", "553 File name not allowed")], Ok(404))]
#[case::file_in_use(&[("RETR", "450 later")], Ok(503))]
#[case::broken(&[("RETR", "551 broken")], Err(Failure::InvalidResponse))]
#[case::aborted(&[("end", "426 broke off")], Ok(503))]
#[case::failed(&[("end", "550 disk gone")], Err(Failure::InvalidResponse))]
#[case::failed_oddly(&[("end", "551 broken")], Err(Failure::InvalidResponse))]
fn each_stage_is_refused(
    #[case] script: &'static [(&'static str, &'static str)],
    #[case] expected: Result<u16, Failure>,
) {
    let answer = retrieve(&wanted("127.0.0.1", script));
    assert_eq!(status(&answer), expected, "{answer:?}");
}

/// The texts of servers about a file that does not exist or may not be read, and about a login that is not permitted.
#[rstest]
#[trace]
#[case::rfc_959("530 Not logged in.")]
#[case::rfc_959("532 Need account for storing files: not allowed")]
#[case::no_text("550 ")]
#[case::no_text("550 .")]
#[case::vsftpd("550 Failed to open file.")]
#[case::vsftpd("550 Permission denied.")]
#[case::vsftpd("530 Login incorrect.")]
#[case::vsftpd("530 Please login with USER and PASS.")]
#[case::proftpd("550 /robots.txt: No such file or directory")]
#[case::proftpd("550 /robots.txt: Not a regular file")]
#[case::proftpd("550 /robots.txt: Operation not permitted")]
#[case::pure_ftpd("550 Can't open /robots.txt: No such file or directory")]
#[case::pure_ftpd("550 I can only retrieve regular files")]
#[case::pure_ftpd("530 Login authentication failed")]
#[case::pure_ftpd("530 This is a private system - No anonymous login")]
#[case::wu_ftpd("530 User anonymous access denied.")]
#[case::wu_ftpd("530 Guest login not permitted.")]
#[case::wu_ftpd("550 robots.txt: not a plain file.")]
#[case::ncftpd("550 /robots.txt: No such file.")]
#[case::iis("550 The system cannot find the file specified. ")]
#[case::iis("550 Access is denied. ")]
#[case::iis("530 User cannot log in.")]
#[case::iis(
    "550-The system cannot find the file specified. \r\n Win32 error:   The system cannot find the file specified. \r\n \
     Error details: File system returned an error.\r\n550 End"
)]
#[case::iis(
    "530-User cannot log in.\r\n Win32 error:   Logon failure: unknown user name or bad password.\r\n \
     Error details: An error occurred during the authentication process.\r\n530 End"
)]
#[case::filezilla("550 File not found")]
#[case::filezilla("530 Login or password incorrect!")]
#[case::pyftpdlib("550 No such file or directory.")]
#[case::pyftpdlib("550 Not enough privileges.")]
#[case::pyftpdlib("530 Anonymous access not allowed.")]
#[case::pyftpdlib("530 Authentication failed.")]
#[case::twisted("550 /robots.txt: is a directory")]
#[case::twisted("530 Sorry, Authentication failed.")]
#[case::others("550 robots.txt does not exist")]
#[case::others("550-You do not have permission to access /robots.txt\r\n550 .")]
#[case::others("550 'robots.txt': No such file or directory (2).")]
#[case::others("550 robots.txt: can't find it")]
fn a_text_of_absence_or_permission_is_no_file(#[case] reply: &'static str) {
    let answer = refused_with(reply);
    assert_eq!(status(&answer), Ok(404), "{answer:?}");
}

/// A word of another language may be about anything, also if its octets are not UTF-8.
#[rstest]
#[trace]
#[case::latin1(b"550 \xe4\xf6\xfc: access denied")]
#[case::utf8("550 –: access denied".as_bytes())]
#[case::replaced(b"550 ???: access denied")]
fn a_text_with_octets_outside_ascii_is_a_failure(#[case] reply: &[u8]) {
    assert!(Response::of_ftp_refusal(reply).is_none());
    assert!(Response::of_ftp_refusal(b"550 access denied").is_some());
}

/// Asks a server that refuses the login or the file with a reply.
fn refused_with(reply: &'static str) -> Result<Response, Failed> {
    let code = if reply.starts_with("530") { "PASS" } else { "RETR" };
    retrieve(&wanted("127.0.0.1", Box::leak(Box::new([(code, reply)]))))
}

/// Any other text does not show that the site has no file, whatever the code says.
#[rstest]
#[trace]
#[case::iis("530 User cannot log in, home directory inaccessible.")]
#[case::iis("550 The specified network name is no longer available. ")]
#[case::iis("550 The network path was not found. ")]
#[case::iis("550 The system cannot find the drive specified. ")]
#[case::iis("550 Insufficient system resources exist to complete the requested service. ")]
#[case::iis(
    "530-User cannot log in, home directory inaccessible.\r\n Win32 error:   The system cannot find the path specified.\
     \r\n Error details: File system denied the access.\r\n530 End"
)]
#[case::iis("550 Incorrect function. ")]
#[case::iis(
    "530-User cannot log in.\r\n Win32 error:   The specified domain either does not exist or could not be contacted.\
     \r\n Error details: An error occurred during the authentication process.\r\n530 End"
)]
#[case::down("530 Service not available")]
#[case::down("530 Server is down for maintenance")]
#[case::down("530 System going down")]
#[case::down("530 Anonymous access not allowed during maintenance")]
#[case::strerror("550 /robots.txt: Cannot allocate memory")]
#[case::strerror("550 /robots.txt: No space left on device")]
#[case::strerror("550 /robots.txt: Stale NFS file handle")]
#[case::strerror("550 /robots.txt: Stale file handle")]
#[case::strerror("550 /robots.txt: Interrupted system call")]
#[case::strerror("550 /robots.txt: No such device or address")]
#[case::strerror("550 /robots.txt: Too many open files")]
#[case::unclear("550 Internal server error")]
#[case::unclear("550 Requested action not taken")]
#[case::unclear("530 Can't set guest privileges.")]
#[case::unclear("530 Authentication server is down")]
#[case::unclear("530 Login failed: cannot access the database")]
#[case::and_something_else("530 Login not allowed: server load too high")]
#[case::and_something_else("550 Permission denied. Server load is high, wait a while")]
#[case::and_something_else("530 Access denied: server closed for an hour")]
#[case::and_something_else("530 User access denied: session quota reached")]
#[case::and_something_else("530 Not logged in, server offline")]
#[case::and_something_else("530 Login incorrect: authentication backend unreachable")]
#[case::and_something_else("530 Login incorrect - database error")]
#[case::and_something_else("550 Not found: database error")]
#[case::and_something_else("550 File not found: volume not mounted")]
#[case::and_something_else("550 Permission denied:backup running")]
#[case::and_something_else("550 Nicht da: not found")]
#[case::and_something_else("550 File not found (I/O-error)")]
#[case::and_something_else("530 Login incorrect: ldap/backend-down")]
#[case::and_something_else("530 Login incorrect: auth.backend-down")]
#[case::and_something_else("550 Permission denied: file system read failed")]
#[case::and_something_else("550 Not found: operation failed")]
#[case::not_english("550 ?????? ????????: access denied")]
#[case::not_english("550 \u{444}\u{430}: access denied")]
#[case::not_english("550 Datei nicht da")]
#[case::not_english("550 \u{444}\u{430}\u{439}\u{43b}")]
#[case::not_english("550 ???? ?? ??????")]
fn any_other_text_is_a_failure(#[case] reply: &'static str) {
    let answer = refused_with(reply);
    assert!(matches!(status(&answer), Ok(503) | Err(Failure::InvalidResponse)), "{answer:?}");
}

#[test]
fn a_file_comes_over_ipv6() {
    if TcpListener::bind("[::1]:0").is_err() {
        eprintln!("not run: a_file_comes_over_ipv6: this machine has no IPv6");
        return;
    }
    assert_eq!(status(&retrieve(&wanted("::1", &[]))), Ok(200));
}

/// Although each read succeeds, the exchange ends at the deadline.
#[rstest]
#[trace]
#[case::in_the_file(&[("data", "drips")])]
#[case::in_the_greeting(&[("greeting", "220-wait")])]
fn a_server_that_goes_on_for_ever_is_left(#[case] script: &'static [(&'static str, &'static str)]) {
    let mut wanted = wanted("127.0.0.1", script);
    wanted.limit = 1 << 20;
    wanted.timeouts.total = Duration::from_millis(300);
    let began = Instant::now();
    let answer = retrieve(&wanted);
    assert_eq!(status(&answer), Err(Failure::Timeout), "{answer:?}");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

/// The library for FTP reads at most 256 KiB of a reply, in one line or in many.
#[rstest]
#[trace]
#[case::in_a_line(&[("endless", "220-wait")])]
#[case::in_lines(&[("endless", "220-wait\r\n")])]
fn a_reply_without_end_is_left(#[case] script: &'static [(&'static str, &'static str)]) {
    let failed = retrieve(&wanted("127.0.0.1", script)).unwrap_err();
    assert!(failed.why.contains("larger than"), "{failed}");
    assert_eq!(failed.failure, Failure::Connection);
}

#[test]
fn the_guard_is_asked_about_the_data_connection() {
    let mut wanted = wanted("127.0.0.1", &[]);
    let control = wanted.addresses[0].port();
    let guard = move |connection: &Connection<'_>| {
        assert_eq!(connection.host, "127.0.0.1");
        if connection.port == control { Ok(()) } else { Err(Refused::because("another port")) }
    };
    let guard: Arc<dyn Guard> = Arc::new(guard);
    wanted.guard = Some(guard);
    let failed = retrieve(&wanted).unwrap_err();
    assert!(failed.of == Of::Guard && failed.why.contains("another port"), "{failed}");
}
