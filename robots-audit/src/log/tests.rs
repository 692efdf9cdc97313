//! Each format reads lines as servers write them; any octets are lines.

use proptest::prelude::*;
use rstest::rstest;

use super::{FORMATS, Line, LogReader};
use crate::request::Request;

/// Reads lines and returns the last one as text.
fn read(reader: &mut LogReader, lines: &[&[u8]]) -> String {
    let mut last = String::new();
    for line in lines {
        last.clear();
        let kind = reader.read(line, |request| last = shown(request));
        if kind != Line::Request {
            last = format!("{kind:?}");
        }
    }
    last
}

fn shown(request: &Request<'_>) -> String {
    let text = |octets: &[u8]| octets.escape_ascii().to_string();
    let Request { scheme, host, method, target, status, user_agent, address, .. } = request;
    let origin = format!("{}://{}", scheme.unwrap_or("?"), host.unwrap_or("?"));
    let address = address.map_or("?".to_owned(), |address| address.to_string());
    let end = match (request.is_aborted, request.decoded > 0) {
        (true, _) => " aborted",
        (_, true) => " decoded",
        _ => "",
    };
    let octets = request.octets.map_or(String::new(), |octets| format!("/{octets}"));
    format!(
        "{} {address} {} {origin} {} {status}{octets} {}{end}",
        request.time.as_millis(),
        text(method),
        text(target),
        text(user_agent)
    )
}

/// The name of the detected format, and the request of the last line.
#[rstest]
#[trace]
#[case::apache(
    "combined",
    &[&br#"127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)""#[..]],
    "971211336000 127.0.0.1 GET ?://? /apache_pb.gif 200/2326 Mozilla/4.08 [en] (Win98; I ;Nav)"
)]
#[case::user_with_spaces(
    "combined",
    &[&br#"2001:db8::7 - "john doe" [10/Oct/2000:13:55:36 -0700] "HEAD / HTTP/2.0" 304 - "-" "-""#[..]],
    "971211336000 2001:db8::7 HEAD ?://? / 304/0 "
)]
#[case::escapes_of_apache(
    "combined",
    &[&br#"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "GET /a\"b\\c\xe9 HTTP/1.1" 404 0 "-" "a \"bot\"/1.0 \x00""#[..]],
    r#"971211336000 192.0.2.7 GET ?://? /a\"b\\c\xe9 404/0 a \"bot\"/1.0 \x00"#
)]
#[case::escapes_of_nginx(
    "combined",
    &[&br#"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "GET /\xD0\xBF HTTP/1.1" 499 0 "-" "\x22bot\x22/1.0""#[..]],
    r#"971211336000 192.0.2.7 GET ?://? /\xd0\xbf 499/0 \"bot\"/1.0"#
)]
#[case::raw_quotes_and_octets(
    "combined",
    &[&b"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] \"GET /\xE9 HTTP/1.1\" 200 1 \"say \"x\"\" \"a \"bot\"\xFF\""[..]],
    r#"971211336000 192.0.2.7 GET ?://? /\xe9 200/1 a \"bot\"\xff"#
)]
#[case::raw_quote_before_a_space(
    "combined",
    &[&b"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 1 \"-\" \"a \"b\" bot/1.0\" \"203.0.113.9\""[..]],
    r#"971211336000 192.0.2.7 GET ?://? / 200/1 a \"b\" bot/1.0"#
)]
#[case::line_ends_of_windows(
    "combined",
    &[&b"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 1 \"-\" \"bot/1.0\"\r"[..]],
    "971211336000 192.0.2.7 GET ?://? / 200/1 bot/1.0"
)]
#[case::columns_after_the_last(
    "combined",
    &[&br#"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 1 "-" "bot/1.0" "203.0.113.9" 0.001"#[..]],
    "971211336000 192.0.2.7 GET ?://? / 200/1 bot/1.0"
)]
#[case::spaces_in_the_url(
    "combined",
    &[&br#"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "GET /a b HTTP/1.1" 200 1 "-" "bot/1.0""#[..]],
    "971211336000 192.0.2.7 GET ?://? /a b 200/1 bot/1.0"
)]
#[case::no_version(
    "combined",
    &[&br#"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "GET /a" 200 1 "-" "bot/1.0""#[..]],
    "971211336000 192.0.2.7 GET ?://? /a 200/1 bot/1.0"
)]
#[case::debian_vhost(
    "vhost-combined",
    &[&br#"example.com:443 192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 1 "-" "bot/1.0""#[..]],
    "971211336000 192.0.2.7 GET https://example.com /a 200/1 bot/1.0"
)]
#[case::vhost_without_a_port(
    "vhost-common",
    &[&br#"example.com 192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 1"#[..]],
    "971211336000 192.0.2.7 GET ?://example.com /a 200/1 "
)]
#[case::common(
    "common",
    &[&br#"crawler.example.com - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 -"#[..]],
    "971211336000 ? GET ?://? /a 200/0 "
)]
#[case::tls_to_a_plain_port(
    "combined",
    &[
        &br#"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 1 "-" "bot/1.0""#[..],
        br#"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "\x16\x03\x01\x00\xEE" 400 157 "-" "-""#,
    ],
    "NoUrl"
)]
#[case::alb(
    "aws-alb",
    &[&br#"https 2018-07-02T22:23:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 192.0.2.7:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://www.example.com:443/a?b HTTP/1.1" "curl/7.46.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:x "Root=1-58337281-1d84f3d73c47ec4e58577259" "www.example.com" "arn:aws:acm" 1 2018-07-02T22:22:48.364000Z "authenticate,forward" "-" "-" "10.0.0.1:80" "200" "-" "-""#[..]],
    "1530570180186 192.0.2.7 GET https://www.example.com /a?b 200 curl/7.46.0"
)]
#[case::alb_client_left(
    "aws-alb",
    &[&br#"h2 2018-07-02T22:23:00.186641Z app/x/5 [2001:db8::7]:2817 - -1 -1 -1 460 - 0 57 "GET https://www.example.com:8443/ HTTP/2.0" "bot/1.0" - - arn:aws:x"#[..]],
    "1530570180186 2001:db8::7 GET https://www.example.com:8443 / 460 bot/1.0 aborted"
)]
#[case::elb(
    "aws-elb",
    &[&br#"2015-05-13T23:39:43.945958Z my-loadbalancer 192.0.2.7:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 "GET http://www.example.com:80/a HTTP/1.1" "bot/1.0" - -"#[..]],
    "1431560383945 192.0.2.7 GET http://www.example.com /a 200 bot/1.0"
)]
#[case::s3(
    "aws-s3",
    &[&br#"79a59df900b949e5 example-bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.7 - 3E57427F3EXAMPLE WEBSITE.GET.OBJECT a.html "GET /a.html HTTP/1.1" 200 - 113 113 7 6 "-" "bot/1.0" - s9lzHYrFp76ZVxRcpX9+5cjAnEH2ROuNkd2BHfIa6UkFVdtjf5mKR3/eTPFvsiP/XV/VLi31234= - - - example-bucket.s3-website.us-west-1.amazonaws.com - - -"#[..]],
    "1549411238000 192.0.2.7 GET ?://? /a.html 200/113 bot/1.0"
)]
#[case::cloud_storage(
    "cloud-storage",
    &[
        &br#""time_micros","c_ip","c_ip_type","c_ip_region","cs_method","cs_uri","sc_status","cs_bytes","sc_bytes","time_taken_micros","cs_host","cs_referer","cs_user_agent","s_request_id","cs_operation","cs_bucket","cs_object""#[..],
        br#""1360969538000000","192.0.2.7","1","","GET","/a.html","200","0","1000","20000","www.example.com","","Mozilla/5.0 (compatible; bot/1.0)","x","GET_Object","www.example.com","a.html""#,
    ],
    "1360969538000 192.0.2.7 GET ?://www.example.com /a.html 200 Mozilla/5.0 (compatible; bot/1.0)"
)]
#[case::iis(
    "w3c",
    &[
        &b"#Software: Microsoft Internet Information Services 10.0"[..],
        b"#Version: 1.0",
        b"#Date: 2002-05-02 17:42:15",
        b"#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken",
        b"2002-05-02 17:42:15 10.0.0.1 GET /default.aspx id=1 443 - 192.0.2.7 Mozilla/5.0+(compatible;+examplebot/1.0) - 200 0 0 15",
    ],
    "1020361335000 192.0.2.7 GET https://? /default.aspx?id=1 200 Mozilla/5.0 (compatible; examplebot/1.0) decoded"
)]
#[case::iis_decoded_path(
    "w3c",
    &[
        &b"#Fields: date time cs-method cs-uri-stem cs-uri-query sc-status"[..],
        b"2002-05-02 17:42:15 GET /what? - 200",
    ],
    "1020361335000 ? GET ?://? /what? 200  decoded"
)]
#[case::iis_columns_change(
    "w3c",
    &[
        &b"#Fields: date time c-ip cs-method cs-uri-stem sc-status"[..],
        b"2002-05-02 17:42:15 192.0.2.7 GET /a 200",
        b"#Date: 2002-05-03 00:00:00",
        b"#Fields: time c-ip cs-method cs-uri-stem cs-host sc-status sc-win32-status cs(User-Agent)",
        b"17:42:15 192.0.2.7 GET /b example.com 200 64 bot/1.0",
    ],
    "1020447735000 192.0.2.7 GET ?://example.com /b 200 bot/1.0 aborted"
)]
#[case::cloudfront(
    "cloudfront",
    &[
        &b"#Version: 1.0"[..],
        b"#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol",
        b"2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.7\tGET\td111111abcdef8.cloudfront.net\t/index.html\t200\t-\tMozilla/5.0%20(compatible;%20bot/1.0)\ta=b\t-\tHit\tSOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==\twww.example.com\thttps",
    ],
    "1575493351000 192.0.2.7 GET https://www.example.com /index.html?a=b 200 Mozilla/5.0 (compatible; bot/1.0)"
)]
#[case::cloudfront_encoded_path(
    "cloudfront",
    &[
        &b"#Fields: date time x-edge-location cs-method cs-uri-stem sc-status"[..],
        b"2019-12-04\t21:02:31\tLAX1\tGET\t/a%252Fb\t200",
    ],
    "1575493351000 ? GET ?://? /a%252Fb 200  decoded"
)]
#[case::cloudfront_client_left(
    "cloudfront",
    &[
        &b"#Fields: date time x-edge-location c-ip cs-method cs(Host) cs-uri-stem sc-status cs(User-Agent)"[..],
        b"2019-12-04\t21:02:31\tLAX1\t192.0.2.7\tGET\twww.example.com\t/robots.txt\t000\tbot/1.0",
    ],
    "1575493351000 192.0.2.7 GET ?://www.example.com /robots.txt 0 bot/1.0"
)]
#[case::caddy(
    "caddy",
    &[&br#"{"level":"info","ts":1646861401.5241024,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.7","remote_port":"41342","client_ip":"192.0.2.7","proto":"HTTP/2.0","method":"GET","host":"example.com","uri":"/a?b\u0026c","headers":{"User-Agent":["bot/1.0"],"Accept":["*/*"]},"tls":{"resumed":false}},"bytes_read":0,"user_id":"","duration":0.001,"size":10900,"status":200,"resp_headers":{"Server":["Caddy"]}}"#[..]],
    "1646861401524 192.0.2.7 GET ?://example.com /a?b&c 200/10900 bot/1.0"
)]
#[case::cloudflare(
    "cloudflare",
    &[&br#"{"ClientIP":"192.0.2.7","ClientRequestHost":"example.com","ClientRequestMethod":"GET","ClientRequestScheme":"https","ClientRequestURI":"/a?b","ClientRequestUserAgent":"bot/1.0","EdgeEndTimestamp":1506702504433000200,"EdgeResponseBytes":69045,"EdgeResponseStatus":200,"EdgeStartTimestamp":1506702504433000200,"RayID":"3a6050bcbe121a87"}"#[..]],
    "1506702504433 192.0.2.7 GET https://example.com /a?b 200 bot/1.0"
)]
#[case::fastly(
    "fastly",
    &[&br#"{ "timestamp": "2024-01-01T00:00:00+0000", "client_ip": "192.0.2.7", "geo_country": "x", "host": "example.com", "url": "/a", "request_method": "GET", "request_protocol": "HTTP/2", "request_referer": "", "request_user_agent": "bot/1.0", "response_state": "HIT", "response_status": 404, "response_reason": "Not Found", "response_body_size": 12, "fastly_is_edge": true }"#[..]],
    "1704067200000 192.0.2.7 GET ?://example.com /a 404/12 bot/1.0"
)]
#[case::vercel(
    "vercel",
    &[&br#"{"id":"1573817187330377061717300000","deploymentId":"dpl_2","source":"static","host":"x.vercel.app","timestamp":1573817187330,"projectId":"g","level":"info","proxy":{"timestamp":1573817250172,"method":"GET","host":"example.com","path":"/a?b","userAgent":["bot/1.0"],"referer":"-","statusCode":200,"clientIp":"192.0.2.7","scheme":"https","vercelCache":"HIT"}}"#[..]],
    "1573817250172 192.0.2.7 GET https://example.com /a?b 200 bot/1.0"
)]
#[case::nginx_json(
    "nginx-json",
    &[&b"{\"time_iso8601\":\"2024-01-01T00:00:00+00:00\",\"remote_addr\":\"192.0.2.7\",\"request\":\"GET /\xE9\\\" HTTP/1.1\",\"status\":\"200\",\"body_bytes_sent\":\"5\",\"http_user_agent\":\"bot/1.0\",\"scheme\":\"http\",\"host\":\"example.com\"}"[..]],
    r#"1704067200000 192.0.2.7 GET http://example.com /%E9\" 200/5 bot/1.0"#
)]
fn a_format_is_detected_and_read(
    #[case] name: &str,
    #[case] lines: &[&[u8]],
    #[case] expected: &str,
) {
    let mut reader = LogReader::detect(lines).unwrap();
    assert_eq!(read(&mut reader, lines), expected);
    assert_eq!(reader.name(), name);
    // The name selects the same format.
    let mut named = LogReader::named(name).unwrap();
    assert_eq!(read(&mut named, lines), expected);
    let last = lines[lines.len() - 1].trim_ascii_end();
    assert_eq!(read(&mut named, &[&[last, b"\r"].concat()]), expected);
}

/// The format strings of a configuration, and a mapping.
#[rstest]
#[trace]
#[case(
    r#"%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\" %X"#,
    r#"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 9 "-" "bot/1.0" X"#,
    "971211336000 192.0.2.7 GET ?://? /a 200/9 bot/1.0 aborted"
)]
#[case(
    r"%{sec}t\t%a\t%m\t%U%q\t%s",
    "971211336\t192.0.2.7\tGET\t/a?b\t200",
    "971211336000 192.0.2.7 GET ?://? /a?b 200  decoded"
)]
#[case(
    r#"$time_iso8601 "$request_method $scheme://$host$request_uri" $status"#,
    r#"2000-10-10T20:55:36Z "GET https://example.com/a?b" 200"#,
    "971211336000 ? GET https://example.com /a?b 200 "
)]
#[case("%m%U %t %>s", "", "nothing separates value 1 from the next value")]
#[case(
    r"%{%Y-%m-%dT%H:%M:%S%z}t\t%a\t%{Host}i\t%m\t%U\t%q\t%400,501!s\t%{User-agent}i",
    "2000-10-10T13:55:36-0700\t192.0.2.7\texample.com:8080\tGET\t/a\t?b\t200\tbot/1.0",
    "971211336000 192.0.2.7 GET ?://example.com:8080 /a?b 200 bot/1.0 decoded"
)]
#[case(
    "$remote_addr - ${remote_user} [$time_local] $http_host:$server_port \"$request\" $status \"$http_user_agent\"",
    r#"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] example.com:443 "GET /a HTTP/1.1" 200 "bot/1.0""#,
    "971211336000 192.0.2.7 GET https://example.com /a 200 bot/1.0"
)]
#[case(
    "$msec|$remote_addr|$scheme|$request_method|$request_uri|$status|$http_user_agent",
    "1646861401.524|192.0.2.7|https|GET|/a?b|200|bot/1.0",
    "1646861401524 192.0.2.7 GET https://? /a?b 200 bot/1.0"
)]
#[case(
    "json time=@timestamp, url=http.url status=http.code, agent=ua",
    r#"{"@timestamp": "2000-10-10T20:55:36Z", "http": {"url": "/a", "code": 200.0}, "ua": ["bot/1.0", 2], "x": {"url": 1}}"#,
    "971211336000 ? GET ?://? /a 200 bot/1.0"
)]
// The request line has the URL as the client sent it, and the URL of the request comes before the rewritten one.
#[case(
    "$remote_addr [$time_local] $uri \"$request\" $status",
    r#"192.0.2.7 [10/Oct/2000:13:55:36 -0700] /index.php "GET /a?b HTTP/1.1" 200"#,
    "971211336000 192.0.2.7 GET ?://? /a?b 200 "
)]
#[case(
    "%t %U \"%r\" %>s",
    r#"[10/Oct/2000:13:55:36 -0700] /index.php "GET /a HTTP/1.1" 200"#,
    "971211336000 ? GET ?://? /a 200 "
)]
#[case(
    "[$time_local] \"$request\" $scheme://$host$request_uri $status",
    r#"[10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" https://example.com/a 200"#,
    "971211336000 ? GET https://example.com /a 200 "
)]
#[case(
    "json time=t request=r url=u status=s",
    r#"{"t": 971211336, "u": "/index.php", "r": "GET /a HTTP/1.1", "s": 200}"#,
    "971211336000 ? GET ?://? /a 200 "
)]
#[case(
    "json time=t url=request_uri url=uri status=s",
    r#"{"t": 971211336, "uri": "/index.php", "request_uri": "/a", "s": 200}"#,
    "971211336000 ? GET ?://? /a 200 "
)]
#[case(
    "json time=t url=u query=q status=s",
    r#"{"t": 971211336, "u": "/a?b", "q": "b", "s": 200}"#,
    "971211336000 ? GET ?://? /a?b 200 "
)]
#[case(
    "$msec $request_method $uri $status",
    "",
    "it has no URL; write %r or $request at its place"
)]
// The server has decoded the path, so a `?` in it is not the start of a query.
#[case(
    "%t %U %q %s",
    "[10/Oct/2000:13:55:36 -0700] /a  200",
    "971211336000 ? GET ?://? /a 200  decoded"
)]
#[case(
    "%t %U %q %s",
    "[10/Oct/2000:13:55:36 -0700] /a? ?b 200",
    "971211336000 ? GET ?://? /a??b 200  decoded"
)]
#[case(
    "%t %U%q %s",
    "[10/Oct/2000:13:55:36 -0700] /a?b 200",
    "971211336000 ? GET ?://? /a?b 200  decoded"
)]
// An unquoted last User-Agent has spaces.
#[case(
    "$msec $request_uri $status $http_user_agent",
    "971211336 /a 200 Mozilla/5.0 (compatible; bot/1.0)",
    "971211336000 ? GET ?://? /a 200 Mozilla/5.0 (compatible; bot/1.0)"
)]
// A line of a configuration.
#[case(
    "log_format main '$msec $request_uri '\n   '$status \"$http_user_agent\"';",
    r#"971211336 /a 200 "bot/1.0""#,
    "971211336000 ? GET ?://? /a 200 bot/1.0"
)]
#[case(
    r#"LogFormat "%t \"%r\" %>s \"%{User-Agent}i\"" combined"#,
    r#"[10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 "bot/1.0""#,
    "971211336000 ? GET ?://? /a 200 bot/1.0"
)]
#[case(
    r#"log_format j escape=json '{"t":"$msec","r":"$request","s":$status}';"#,
    r#"{"t":"971211336.000","r":"GET /a HTTP/1.1","s":200}"#,
    "971211336000 ? GET ?://? /a 200 "
)]
#[case("'$msec '\n '$request_uri $status'", "971211336 /a 200", "971211336000 ? GET ?://? /a 200 ")]
#[case("LogFormat combined", "", "a line of a configuration has the format in quotation marks")]
#[case("json time=t url=u", "", "it has no status; write status=KEY at its place")]
#[case("json time=t ur=u", "", r#""ur" is not a field; the fields are time, address,"#)]
#[case("json time", "", r#""time" is not a field, `=` and a key"#)]
#[case("combind", "", "it has no variable")]
#[case("%h %r %>s", "", "it has no time; write %t or $time_local at its place")]
#[case("$time_local $status", "", "it has no URL; write %r or $request at its place")]
#[case("%{%c}t %r %>s", "", "the time %{%c}t is not supported; write %t or %{sec}t")]
#[case("%t %r %", "", "the string ends after a `%`")]
#[case("%{Host", "", "a `{` has no `}` after it")]
fn a_format_can_be_stated(#[case] format: &str, #[case] line: &str, #[case] expected: &str) {
    match LogReader::named(format) {
        Ok(mut reader) => assert_eq!(read(&mut reader, &[line.as_bytes()]), expected),
        Err(error) => assert!(error.to_string().contains(expected), "{error}"),
    }
}

#[rstest]
#[trace]
fn other_lines_are_not_of_a_format(
    #[values(
        "",
        "x",
        "{",
        "{}",
        "\"",
        "[]",
        "192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" x 1 \"-\" \"-\"",
        "192.0.2.7 - - [-] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"",
        "192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1"
    )]
    line: &str,
) {
    assert!(LogReader::detect(&[line]).is_none());
    for (name, _) in FORMATS {
        let kind = LogReader::named(name).unwrap().read(line.as_bytes(), |_| unreachable!());
        assert_eq!(kind, if line.is_empty() { Line::Other } else { Line::Unreadable }, "{name}");
    }
}

/// A log often has a few lines that another format would read too. The format that finds the most values is detected.
#[test]
fn the_format_with_the_most_values_is_detected() {
    let plain =
        br#"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 1 "-" "bot/1.0""#;
    let user =
        br#"192.0.2.7 - a b [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 1 "-" "bot/1.0""#;
    let lines: [&[u8]; 5] = [b"garbage", user, plain, b"{}", &plain[..plain.len() - 1]];
    assert_eq!(LogReader::detect(&lines).unwrap().name(), "combined");
}

proptest! {
    /// Any octets are a line, in every format, without a panic.
    #[test]
    fn any_octets_are_a_line(
        line in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..200),
            r#"[-0-9\[\] /:"\\x{}=#.,a-cGETHP%$+\t]{0,120}"#.prop_map(String::into_bytes),
        ],
        format in "[ -~]{0,40}",
    ) {
        for (name, _) in FORMATS {
            let mut reader = LogReader::named(name).unwrap();
            reader.read(&[&b"#Fields: "[..], &line[..]].concat(), |_| {});
            reader.read(&line, |_| {});
        }
        if let Ok(mut reader) = LogReader::named(&format) {
            reader.read(&line, |_| {});
        }
    }

    /// A request survives the escapes of Apache and nginx.
    #[test]
    fn escaped_octets_are_read(agent in proptest::collection::vec(1..=255u8, 1..60)) {
        prop_assume!(agent != b"-");
        let escape = |octet: &u8| match octet {
            b'"' | b'\\' | ..=31 | 127.. => format!("\\x{octet:02X}"),
            other => char::from(*other).to_string(),
        };
        let escaped: String = agent.iter().map(escape).collect();
        let line = format!("192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 1 \"-\" \"{escaped}\"");
        let mut found = Vec::new();
        let mut reader = LogReader::named("combined").unwrap();
        reader.read(line.as_bytes(), |request| found.extend_from_slice(request.user_agent));
        prop_assert_eq!(found, agent);
    }
}

/// The time to read a line grows with its length: no octet is read a second time for each other octet.
#[rstest]
#[trace]
fn a_long_line_is_read_in_linear_time(
    #[values(
        "\"",
        "\\",
        "\\\"",
        "\" ",
        " [",
        "\" \"",
        "{\"a\":",
        "[",
        "- ",
        "{\"request\":{",
        "+",
        "%2",
        "?",
        ":"
    )]
    part: &str,
) {
    let line = [
        r#"192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] ""#,
        &part.repeat(super::LONGEST_LINE * 4 / part.len()),
    ]
    .concat();
    let start = std::time::Instant::now();
    for (name, _) in FORMATS {
        let mut reader = LogReader::named(name).unwrap();
        reader.read(line.as_bytes(), |_| {});
        reader.read(&line.as_bytes()[44..], |_| {});
    }
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}
