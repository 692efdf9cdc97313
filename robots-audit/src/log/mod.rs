//! The formats of access logs: from the octets of a line to a [`Request`].
//!
//! Start at [`LogReader`]. A format belongs to one of three families: lines that follow a template (`template.rs`), lines
//! of columns that the log names (`columns.rs`), and lines of JSON (`json.rs`). Each family finds the values of a line,
//! and `fields.rs` reads their meaning. The formats are those of the list of `GoAccess` that servers and content delivery
//! networks of sites write. This room does no I/O.

// The times of logs.
mod time;
// The values of a line, and their meaning.
mod fields;
// Format strings of Apache and nginx.
mod template;
// Columns that the log names.
mod columns;
// JSON with a mapping.
mod json;

use std::fmt;

use self::columns::Columns;
use self::fields::{Field, Fields, Meaning};
use self::json::Mapping;
use self::template::Template;
use crate::request::Request;

/// The maximum length of a line in octets. A longer line is unreadable. So a reader does not need to keep it.
pub const LONGEST_LINE: usize = 64 * 1024;

/// The formats with a name, and their format strings. If two formats find as many values, the first one is detected.
const FORMATS: [(&str, &str); 15] = [
    ("combined", r#"%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i""#),
    ("vhost-combined", r#"%v %h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i""#),
    ("common", r#"%h %l %u %t "%r" %>s %b"#),
    ("vhost-common", r#"%v %h %l %u %t "%r" %>s %b"#),
    (
        "aws-alb",
        "$type $time_iso8601 $elb $remote_addr $target $t1 $t2 $t3 $status $target_status $received $sent \"$request\" \
         \"$http_user_agent\"",
    ),
    (
        "aws-elb",
        "$time_iso8601 $elb $remote_addr $target $t1 $t2 $t3 $status $target_status $received $sent \"$request\" \
         \"$http_user_agent\"",
    ),
    (
        "aws-s3",
        "$owner $bucket [$time_local] $remote_addr $requester $id $operation $key \"$request\" $status $error \
         $body_bytes_sent $size $t1 $t2 \"$referer\" \"$http_user_agent\"",
    ),
    (
        "cloud-storage",
        "\"$msec\",\"$remote_addr\",\"$t\",\"$r\",\"$request_method\",\"$request_uri\",\"$status\",\"$b1\",\"$b2\",\"$t\",\
         \"$host\",\"$referer\",\"$http_user_agent\",\"$id\",\"$operation\",\"$bucket\",\"$object\"",
    ),
    ("w3c", ""),
    ("cloudfront", ""),
    (
        "caddy",
        "time=ts address=request.client_ip address=request.remote_ip host=request.host method=request.method \
         url=request.uri status=status octets=size agent=request.headers.User-Agent",
    ),
    (
        "cloudflare",
        "time=EdgeStartTimestamp address=ClientIP host=ClientRequestHost scheme=ClientRequestScheme \
         method=ClientRequestMethod url=ClientRequestURI status=EdgeResponseStatus agent=ClientRequestUserAgent",
    ),
    (
        "vercel",
        "time=proxy.timestamp address=proxy.clientIp host=proxy.host scheme=proxy.scheme method=proxy.method \
         url=proxy.path status=proxy.statusCode agent=proxy.userAgent",
    ),
    (
        "fastly",
        "time=timestamp time=time_start address=client_ip host=host method=request_method method=request url=url \
         status=response_status status=status octets=response_body_size agent=request_user_agent",
    ),
    (
        "nginx-json",
        "time=time_iso8601 time=time_local time=msec time=time time=timestamp address=remote_addr host=host \
         host=http_host host=server_name port=server_port scheme=scheme request=request method=request_method \
         url=request_uri status=status octets=body_bytes_sent agent=http_user_agent",
    ),
];

/// Reads the lines of a log in one format.
///
/// ```
/// use robots_audit::{Line, LogReader};
/// let mut reader = LogReader::named("combined")?;
/// let line = br#"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "examplebot/1.0""#;
/// let mut target = Vec::new();
/// assert_eq!(reader.read(line, |request| target.extend_from_slice(request.target)), Line::Request);
/// assert_eq!(target, b"/a");
/// assert_eq!(reader.read(b"something else", |_| unreachable!()), Line::Unreadable);
/// # Ok::<(), robots_audit::NotAFormat>(())
/// ```
#[derive(Clone, Debug)]
pub struct LogReader {
    name: &'static str,
    family: Family,
}

#[derive(Clone, Debug)]
enum Family {
    Template(Box<Template>),
    Columns(Columns),
    Json(Mapping),
}

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A request.
    Request,
    /// The line is of the format, but the client sent no valid request.
    NoUrl,
    /// The line has no request: it is empty, or a directive.
    Other,
    /// The line is not of the format.
    Unreadable,
}

/// The error for a text that names no format. It says how to fix the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAFormat(String);

impl fmt::Display for NotAFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAFormat {}

impl LogReader {
    /// Makes the reader of a format: by its name, by the format string of Apache or nginx, or by a mapping of JSON, which
    /// names fields and keys (`json time=ts url=request.uri status=status agent=request.agent`).
    ///
    /// # Errors
    /// Returns an error if the text is none of them, or if its lines would lack the time, the URL or the status.
    pub fn named(text: &str) -> Result<Self, NotAFormat> {
        let known = FORMATS.iter().find(|(name, _)| *name == text);
        let family = match (known, text.strip_prefix("json ")) {
            (Some((_, "")), _) => Ok(Family::Columns(Columns::default())),
            (Some((_, mapping)), _) if mapping.starts_with("time=") => {
                Mapping::new(mapping).map(Family::Json)
            }
            (None, Some(mapping)) => Mapping::new(mapping).map(Family::Json),
            _ => Template::new(known.map_or(text, |(_, format)| format))
                .map(|template| Family::Template(Box::new(template))),
        };
        let family = family.map_err(|why| {
            let names = FORMATS.map(|(name, _)| name).join(", ");
            NotAFormat(format!(
                "{text:?} is not a log format: {why}. A format is one of {names}, a format string of Apache or nginx, or \
                 `json` with a mapping"
            ))
        })?;
        let name = known.map_or("your format", |(name, _)| name);
        Ok(Self { name, family })
    }

    /// Finds the format of a log by its first lines: the one that finds the most `User-Agent` fields, or as many
    /// and the most values. Returns `None` if no format reads any line.
    #[must_use]
    pub fn detect<L: AsRef<[u8]>>(lines: &[L]) -> Option<Self> {
        let readers = FORMATS.iter().rev().filter_map(|(name, _)| Self::named(name).ok());
        let scored = readers.map(|mut reader| (reader.score(lines), reader));
        let (score, reader) = scored.max_by_key(|(score, _)| *score)?;
        (score.1 > 0).then_some(reader)
    }

    /// Returns the numbers of `User-Agent` fields and of values that the reader finds. Not the number of lines: if a line
    /// of a combined log is cut, the common format reads more lines.
    fn score<L: AsRef<[u8]>>(&mut self, lines: &[L]) -> (usize, usize) {
        let mut score = (0, 0);
        for line in lines {
            if let Ok(mut fields) = self.fields(line.as_ref())
                && let Meaning::Request(request) = fields.request()
            {
                score.0 += usize::from(!request.user_agent.is_empty());
                score.1 += fields.count();
            }
        }
        score
    }

    /// Returns the name of the format.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.family {
            Family::Columns(columns) if columns.is_of_cloudfront() => "cloudfront",
            _ => self.name,
        }
    }

    /// Returns whether lines have the `User-Agent`, without which no crawler is recognised.
    #[must_use]
    pub fn has_user_agent(&self) -> bool {
        match &self.family {
            Family::Template(template) => template.has(Field::Agent),
            Family::Columns(columns) => columns.has(Field::Agent),
            Family::Json(mapping) => mapping.has(Field::Agent),
        }
    }

    /// Reads a line without its line end. If the line is a request, passes the request to the function.
    pub fn read(&mut self, line: &[u8], request: impl FnOnce(&Request<'_>)) -> Line {
        let mut fields = match self.fields(line) {
            Ok(fields) => fields,
            Err(kind) => return kind,
        };
        match fields.request() {
            Meaning::Request(found) => {
                request(&found);
                Line::Request
            }
            Meaning::NoUrl => Line::NoUrl,
            Meaning::Unreadable => Line::Unreadable,
        }
    }

    /// Returns the values of a line, or the kind of a line that has none.
    fn fields<'l>(&'l mut self, line: &'l [u8]) -> Result<Fields<'l>, Line> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return Err(Line::Other);
        }
        let fields = match &mut self.family {
            Family::Columns(columns) if line.starts_with(b"#") => {
                columns.directive(line);
                return Err(Line::Other);
            }
            Family::Columns(columns) => columns.read(line),
            // The names of the columns of `cloud-storage`.
            Family::Template(_) if line.starts_with(b"\"time_micros\",") => {
                return Err(Line::Other);
            }
            Family::Template(template) => template.read(line),
            Family::Json(mapping) => mapping.read(line),
        };
        fields.ok_or(Line::Unreadable)
    }
}

#[cfg(test)]
mod tests;
