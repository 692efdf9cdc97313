//! Tests how much of a body is read in each content coding.

use std::io::{Read, Write};

use rstest::rstest;

use super::{Body, BodyError, BodyReader, OVERHEAD, Progress, accept_encoding};

fn coded(coding: &str, octets: &[u8]) -> Vec<u8> {
    match coding {
        "gzip" => {
            let mut encoder =
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(octets).unwrap();
            encoder.finish().unwrap()
        }
        "deflate" => {
            let mut encoder =
                flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(octets).unwrap();
            encoder.finish().unwrap()
        }
        "br" => {
            let mut out = Vec::new();
            let mut encoder = brotli::CompressorWriter::new(&mut out, 4096, 5, 22);
            encoder.write_all(octets).unwrap();
            drop(encoder);
            out
        }
        "zstd" => zstd::encode_all(octets, 3).unwrap(),
        _ => octets.to_vec(),
    }
}

fn read(coding: &str, raw: &[u8], limit: usize, chunk: usize) -> Result<Body, BodyError> {
    let mut reader = BodyReader::new(Some(coding), limit)?;
    for piece in raw.chunks(chunk) {
        if reader.push(piece)? == Progress::Full {
            break;
        }
    }
    reader.finish()
}

#[rstest]
#[trace]
fn a_body_is_read_whole(
    #[values("", "identity", "gzip", "GZIP", "br", "zstd", "deflate")] coding: &str,
    #[values(1, 7, 100_000)] chunk: usize,
) {
    let text = "user-agent: *\ndisallow: /x\n".repeat(40);
    let raw = coded(&coding.to_ascii_lowercase(), text.as_bytes());
    assert_eq!(read(coding, &raw, 100_000, chunk), Ok(Body::of(text.as_bytes())));
}

#[rstest]
#[trace]
fn what_lies_beyond_the_limit_is_left(
    #[values("", "gzip", "br", "zstd", "deflate")] coding: &str,
    #[values(3, 100_000)] chunk: usize,
) {
    // The text must not compress to a few octets, so that its end is after the limit.
    let text: String = (0..20_000_u32).map(|n| format!("disallow: /{}\n", n.pow(2))).collect();
    let raw = coded(coding, text.as_bytes());
    let body = read(coding, &raw, 1000, chunk).unwrap();
    assert!((body.octets().len(), body.is_cut()) == (1001, true));
    // An error after the limit does not change the result.
    let mut broken = raw;
    let len = broken.len();
    broken[len - 4..].fill(0xff);
    assert!(read(coding, &broken, 1000, chunk) == Ok(body));
}

#[rstest]
#[trace]
#[case("")]
#[case("gzip")]
#[case("br")]
#[case("zstd")]
fn a_body_exactly_as_long_as_the_limit_is_whole(#[case] coding: &str) {
    let body = read(coding, &coded(coding, &[b'a'; 1000]), 1000, 64).unwrap();
    assert_eq!((body.octets().len(), body.is_cut()), (1000, false));
}

#[rstest]
#[trace]
fn half_a_coded_body_is_no_body(#[values("gzip", "br", "zstd", "deflate")] coding: &str) {
    let text: String = (0..2000).map(|n| format!("disallow: /{n}\n")).collect();
    let raw = coded(coding, text.as_bytes());
    let error = read(coding, &raw[..raw.len() / 2], 100_000, 64).unwrap_err();
    assert!(matches!(error, BodyError::Incomplete(found) if found == coding), "{error}");
    assert!(read(coding, b"user-agent: *\ndisallow: /x\n", 100_000, 64).is_err());
}

/// If a connection ends before the first octet of an encoded body, the body is incomplete.
#[rstest]
#[trace]
#[case("", Ok(Body::default()))]
#[case("identity", Ok(Body::default()))]
#[case("gzip", Err(BodyError::Incomplete("gzip")))]
#[case("br", Err(BodyError::Incomplete("br")))]
#[case("zstd", Err(BodyError::Incomplete("zstd")))]
#[case("deflate", Err(BodyError::Incomplete("deflate")))]
fn no_octets_are_an_empty_body_only_without_coding(
    #[case] coding: &str,
    #[case] expected: Result<Body, BodyError>,
) {
    assert_eq!(read(coding, b"", 1000, 64), expected);
}

#[rstest]
#[trace]
#[case("compress")]
#[case("gzip, br")]
#[case("aes128gcm")]
fn other_codings_are_refused(#[case] coding: &str) {
    assert_eq!(read(coding, b"", 10, 1), Err(BodyError::UnknownCoding(coding.to_owned())));
}

/// Returns the number of octets that another reader of the same library decodes before an error.
fn decoded(coding: &str, raw: &[u8]) -> usize {
    let mut octets = Vec::new();
    let _ = match coding {
        "gzip" => flate2::read::MultiGzDecoder::new(raw).read_to_end(&mut octets),
        _ => flate2::read::ZlibDecoder::new(raw).read_to_end(&mut octets),
    };
    octets.len()
}

/// A changed octet can make a file longer than the limit, so that a rule at its end is cut off. The checksum of the coding
/// shows the change, because the reader also reads octets after the limit.
#[rstest]
#[trace]
fn a_changed_octet_is_an_error_near_the_limit(#[values("gzip", "deflate")] coding: &str) {
    const LIMIT: usize = 60_000;
    let mut text = "user-agent: *\n".to_owned();
    for n in 0_u32.. {
        let line = format!("disallow: /shop/category-{n}/private\n");
        if text.len() + line.len() > LIMIT - 20 {
            break;
        }
        text += &line;
    }
    // One octet more is the limit.
    text += &"#".repeat(LIMIT - 20 - text.len());
    text += "\ndisallow: /secret\n";
    let raw = coded(coding, text.as_bytes());
    assert_eq!(read(coding, &raw, LIMIT, 1000), Ok(Body::of(text.as_bytes())));
    let mut longer = 0;
    let places = (0..raw.len()).step_by(5);
    for (at, bit) in places.flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut changed = raw.clone();
        changed[at] ^= 1 << bit;
        let mut reader = BodyReader::new(Some(coding), LIMIT).unwrap();
        let pushed = reader.push(&changed);
        longer += usize::from(decoded(coding, &changed) > LIMIT);
        let found = pushed.and_then(|_| reader.finish());
        // Octets of the head that do not matter, for example a time, may change.
        assert!(found.is_err() || found == Ok(Body::of(text.as_bytes())), "{at}, bit {bit}");
    }
    assert!(longer > 0, "no change made the file longer than the limit");
}

/// Reading stops exactly 64 KiB after the octet that shows that the file is cut.
#[rstest]
#[trace]
fn the_64_kib_after_the_limit_are_read(#[values(1, 1000, 100_000)] chunk: usize) {
    let mut reader = BodyReader::new(None, 1000).unwrap();
    for piece in vec![b'#'; 1001 + 64 * 1024 - 1].chunks(chunk) {
        assert_eq!(reader.push(piece), Ok(Progress::More));
    }
    assert_eq!(reader.push(b"#"), Ok(Progress::Full));
    assert!(reader.finish().unwrap().is_cut());
}

#[test]
fn a_window_of_zstd_is_bounded() {
    let coded = |log: u32| {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
        encoder.window_log(log).unwrap();
        encoder.write_all(b"user-agent: *\nallow: /\n").unwrap();
        // At a flush, the encoder does not know yet where the data ends, so it declares the whole window.
        encoder.flush().unwrap();
        encoder.finish().unwrap()
    };
    assert!(read("zstd", &coded(super::ZSTD_WINDOW), 1000, 64).is_ok());
    let error = read("zstd", &coded(super::ZSTD_WINDOW + 1), 1000, 64);
    assert_eq!(error, Err(BodyError::Broken("zstd")));
}

/// An endless body of blocks that decode to nothing does not keep the reader busy for ever.
#[test]
fn a_coding_without_end_is_left() {
    let mut reader = BodyReader::new(Some("gzip"), 1000).unwrap();
    let head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    assert_eq!(reader.push(&head), Ok(Progress::More));
    let empty_stored_blocks = [0, 0, 0, 0xff, 0xff].repeat(200);
    let pushes = (0..1000).take_while(|_| reader.push(&empty_stored_blocks) == Ok(Progress::More));
    assert!(pushes.count() < 100);
    assert_eq!(reader.finish(), Err(BodyError::Incomplete("gzip")));
}

/// Octets that a caller passes after the end of reading change nothing.
#[test]
fn a_body_that_was_left_stays_left() {
    let raw = coded("gzip", &vec![b'#'; 200_000]);
    let mut reader = BodyReader::new(Some("gzip"), 1000).unwrap();
    assert_eq!(reader.push(&raw[..raw.len() - 20]), Ok(Progress::Full));
    assert_eq!(reader.push(b""), Ok(Progress::Full));
    assert!(reader.finish().unwrap().is_cut());
}

/// If reading stops early, the rules that arrived are not the whole file, so they are not used.
#[test]
fn a_coding_that_is_left_before_the_limit_is_no_file() {
    let mut reader = BodyReader::new(Some("gzip"), 1000).unwrap();
    reader.push(&coded("gzip", b"user-agent: *\nallow: /\n")).unwrap();
    let empty = coded("gzip", b"").repeat(100);
    let pushes = (0..1000).take_while(|_| reader.push(&empty) == Ok(Progress::More));
    assert!(pushes.count() < 100);
    assert_eq!(reader.finish(), Err(BodyError::Incomplete("gzip")));
}

/// An encoded body with the maximum number of octets is read to its end. A body with one more octet is not.
#[test]
fn a_coding_may_exceed_the_limit_by_a_fixed_number_of_octets() {
    let raw = [coded("gzip", b"allow: /\n"), coded("gzip", b"").repeat(4000)].concat();
    let limit = raw.len() - OVERHEAD - 1;
    let mut reader = BodyReader::new(Some("gzip"), limit).unwrap();
    assert_eq!(reader.push(&raw), Ok(Progress::More));
    assert_eq!(reader.finish(), Ok(Body::of(b"allow: /\n")));
    let mut reader = BodyReader::new(Some("gzip"), limit - 1).unwrap();
    assert_eq!(reader.push(&raw), Ok(Progress::Full));
    assert_eq!(reader.finish(), Err(BodyError::Incomplete("gzip")));
}

#[test]
fn only_what_this_build_decodes_is_requested() {
    let codings = accept_encoding();
    assert_eq!(codings, "gzip, br, zstd, deflate");
    assert!(codings.split(", ").all(|coding| BodyReader::new(Some(coding), 10).is_ok()));
}

#[rstest]
#[trace]
#[case(
    BodyError::UnknownCoding("x".to_owned()),
    "the body has the content coding `x`, which was not requested"
)]
#[case(BodyError::Broken("br"), "the body is not valid br, although the response declares it")]
#[case(BodyError::Incomplete("gzip"), "the gzip of the body ends early")]
#[case(BodyError::Short, "the body has fewer octets than its Content-Length")]
fn an_error_says_what_is_wrong(#[case] error: BodyError, #[case] message: &str) {
    assert_eq!(error.to_string(), message);
}
