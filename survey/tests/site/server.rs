//! Serves a folder over HTTP on loopback, so that the browser loads the site as from a real server.

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread;

/// The folder of the site. The tests build the site once, and remove the folder at the end.
pub(crate) static SITE: LazyLock<PathBuf> =
    LazyLock::new(|| env::temp_dir().join(format!("robots-site-{}", std::process::id())));

pub(crate) struct Server {
    port: u16,
}

impl Server {
    /// Serves a folder until the process ends.
    pub(crate) fn start(folder: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let folder = folder.to_owned();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let folder = folder.clone();
                thread::spawn(move || answer(stream, &folder));
            }
        });
        Self { port }
    }

    pub(crate) fn url(&self, page: &str) -> String {
        format!("http://127.0.0.1:{}/{page}", self.port)
    }
}

/// Answers one request, and closes the connection.
fn answer(mut stream: TcpStream, folder: &Path) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines().map_while(Result::ok);
    let request = lines.next()?;
    // The rest of the request's head is read, because closing a connection with unread data resets it.
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let path = request.split(' ').nth(1)?.trim_start_matches('/').split(['?', '#']).next()?;
    let kind = match path.rsplit('.').next()? {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css",
        "js" => "text/javascript",
        "json" => "application/json",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    };
    let is_plain = !path.contains("..") && request.starts_with("GET ");
    let (status, body) = match fs::read(folder.join(path)) {
        Ok(body) if is_plain => ("200 OK", body),
        _ => ("404 Not Found", Vec::new()),
    };
    let len = body.len();
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len}\r\n");
    stream.write_all(format!("{head}connection: close\r\n\r\n").as_bytes()).ok()?;
    stream.write_all(&body).ok()
}
