//! A server with millions of origins on this machine: every address of 127.0.0.0/8 is an origin.

use std::io;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::corpus;

pub(crate) struct Server {
    port: u16,
}

impl Server {
    pub(crate) async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("0.0.0.0:0").await?;
        let port = listener.local_addr()?.port();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream));
            }
        });
        Ok(Self { port })
    }

    /// Returns the origin with a number, which must be below 16 million.
    pub(crate) fn origin(&self, number: u32) -> String {
        let [_, a, b, c] = (number + 256).to_be_bytes();
        format!("http://127.{a}.{b}.{c}:{}", self.port)
    }
}

async fn serve(mut stream: TcpStream) -> io::Result<()> {
    let number = match stream.local_addr()? {
        std::net::SocketAddr::V4(address) => {
            let [_, a, b, c] = address.ip().octets();
            u32::from_be_bytes([0, a, b, c]) - 256
        }
        std::net::SocketAddr::V6(_) => 0,
    };
    let (mut head, mut filled) = ([0; 2048], 0);
    while !head[..filled].ends_with(b"\r\n\r\n") {
        match stream.read(&mut head[filled..]).await? {
            0 => return Ok(()),
            read => filled += read,
        }
    }
    let body = corpus::of(number);
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await?;
    stream.shutdown().await
}
