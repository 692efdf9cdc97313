//! Tests malformed heads and faulty bodies. Whatever a server sends, a client follows the rules of the file, or reports
//! a failure.
//!
//! The tables `heads.json` and `bodies.json` describe themselves. The tests of the Python package read them too, so all
//! clients are tested with the same octets. Start at [`rows`].

use std::io;
use std::iter;
use std::sync::Arc;

use rstest::rstest;
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::{blocking_builder, builder};

#[derive(Deserialize)]
struct Table {
    file: String,
    #[serde(default)]
    endings: Vec<Row>,
    #[serde(default)]
    heads: Vec<Row>,
    answers: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    #[serde(default)]
    code: String,
    accept: Accept,
    octets: Octets,
    #[serde(default)]
    cut: bool,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Accept {
    Rules,
    Failure,
    Either,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Octets {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Part {
    Once(String),
    Repeated(String, usize),
}

impl Octets {
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Parts(parts) => parts
                .iter()
                .map(|part| match part {
                    Part::Once(text) => text.clone(),
                    Part::Repeated(text, times) => text.repeat(*times),
                })
                .collect(),
        }
    }
}

/// Returns the octets of a text whose characters are octets.
pub(crate) fn octets(text: &str) -> Vec<u8> {
    text.chars().map(|octet| u8::try_from(octet).unwrap()).collect()
}

/// Returns the name of each answer, what a client may do, and the octets.
fn rows(table: &Table) -> impl Iterator<Item = (String, Accept, Vec<u8>)> {
    let with_ending = |ending: &Row, row: &Row| {
        let accept = if ending.accept == Accept::Failure { ending.accept } else { row.accept };
        let head = row.octets.text().replace("{code}", &ending.code);
        let text = head + &ending.octets.text();
        (format!("{}: {}", row.name, ending.name), accept, octets(&text))
    };
    let heads = table
        .endings
        .iter()
        .flat_map(move |ending| table.heads.iter().map(move |row| with_ending(ending, row)));
    let answers = table.answers.iter().flat_map(|row| {
        let whole = octets(&row.octets.text());
        let cuts = if row.cut { 0..whole.len() } else { 0..0 };
        let cut =
            |end| (format!("{}: {end} octets", row.name), Accept::Either, whole[..end].to_vec());
        let cut: Vec<_> = cuts.map(cut).collect();
        iter::once((row.name.clone(), row.accept, whole)).chain(cut)
    });
    heads.chain(answers)
}

/// Sends `given` for robots.txt, and the file for any other path.
async fn serve(listener: TcpListener, given: Vec<u8>, file: Arc<[u8]>) {
    while let Ok((stream, _)) = listener.accept().await {
        // A client that refuses the answer closes its connection.
        let _ = answer(stream, &given, &file).await;
    }
}

async fn answer(mut stream: TcpStream, given: &[u8], file: &[u8]) -> io::Result<()> {
    let mut lines = BufReader::new(&mut stream).lines();
    let is_robots = lines.next_line().await?.is_some_and(|line| line.contains("/robots.txt"));
    while lines.next_line().await?.is_some_and(|line| !line.is_empty()) {}
    if is_robots {
        return stream.write_all(given).await;
    }
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", file.len());
    stream.write_all(&[head.as_bytes(), file].concat()).await
}

#[rstest]
#[trace]
#[case::heads(include_str!("heads.json"), 500)]
#[case::bodies(include_str!("bodies.json"), 600)]
#[tokio::test(flavor = "multi_thread")]
async fn no_malformed_answer_allows_what_the_file_forbids(
    #[case]
    #[notrace]
    table: &str,
    #[case] at_least: usize,
) {
    let table: Table = serde_json::from_str(table).unwrap();
    let file: Arc<[u8]> = table.file.as_bytes().into();
    let (client, blocking) = (builder().build().unwrap(), blocking_builder().build().unwrap());
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for (name, accept, given) in rows(&table) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(serve(listener, given, Arc::clone(&file)));
        let urls = ["/x", "/open"].map(|path| format!("{origin}{path}"));
        let mut seen = Vec::new();
        for url in &urls {
            seen.push(client.verdict(url).await.unwrap().is_allowed());
        }
        let blocked = tokio::task::block_in_place(|| {
            urls.map(|url| blocking.verdict(&url).unwrap().is_allowed())
        });
        for seen in [[seen[0], seen[1]], blocked] {
            let is_permitted = match seen {
                [false, false] => accept != Accept::Rules,
                [false, true] => accept != Accept::Failure,
                _ => false,
            };
            if !is_permitted {
                wrong.push(format!("{name}: {accept:?}, and /x and /open are {seen:?}"));
            }
        }
        // Otherwise, the listeners of all rows would be open at once.
        server.abort();
        tried += 1;
    }
    assert!(wrong.is_empty() && tried > at_least, "{tried} tried\n{}", wrong.join("\n"));
}
