//! Reads the input as a web archive: as it is, or as the members of a gzip or zstd archive, because few inputs have valid
//! checksums. Reading never panics, it ends, and it does not depend on how the source divides the octets.

#![no_main]

use std::io::{self, Cursor, Read, Write as _};

use libfuzzer_sys::fuzz_target;
use robots_fetch::Settings;
use robots_fetch::warc::Archive;

struct Drops(Cursor<Vec<u8>>, usize);

impl Read for Drops {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.1);
        self.0.read(&mut buffer[..length])
    }
}

fn rows(archive: &[u8], size: usize) -> Vec<String> {
    let source = Drops(Cursor::new(archive.to_vec()), size);
    let archive = Archive::new(source, &Settings::default());
    let row = |read| match read {
        Ok(answer) => {
            let answer: robots_fetch::warc::Answer = answer;
            assert!(answer.fields().count() <= 64 * 1024);
            let file = answer.meaning.file().map(<[u8]>::len);
            assert!(file.is_none_or(|length| length <= Settings::default().limit() + 1));
            format!("{} {:?} {:?} {file:?}", answer.url, answer.status, answer.meaning.access())
        }
        Err(error) => {
            let error: robots_fetch::warc::Error = error;
            assert!(error.source_failure().is_none());
            format!("{error} {:?}", error.url)
        }
    };
    archive.map(row).collect()
}

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

fuzz_target!(|octets: &[u8]| {
    let Some((mode, octets)) = octets.split_first() else { return };
    let members = || octets.split(|octet| *octet == 0xff);
    let archive: Vec<u8> = match mode % 4 {
        0 => octets.to_vec(),
        1 => members().flat_map(gzip).collect(),
        2 => members().flat_map(|octets| zstd::encode_all(octets, 1).unwrap()).collect(),
        // Members with a damaged one between them.
        _ => members().flat_map(|octets| [gzip(octets), octets.to_vec()].concat()).collect(),
    };
    let expected = rows(&archive, usize::MAX);
    assert!(expected.len() <= archive.len());
    // Of a damaged member, more or fewer octets are decoded before the damage is found.
    if matches!(mode % 4, 1 | 2)
        || !archive.starts_with(b"\x1f\x8b\x08") && !archive.starts_with(b"\x28\xb5\x2f\xfd")
    {
        assert_eq!(rows(&archive, 1 + usize::from(*mode)), expected);
    }
});
