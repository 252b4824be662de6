//! Nothing that a page, a redirect, a name server or a model says makes a fetch reach this machine.
//!
//! Canaries on loopback count connections: there must be none. On Linux all of 127.0.0.0/8 is this
//! machine, so that 127.0.0.2 can play a public server that the tests may reach.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../../louver-store/tests/skipped/mod.rs"]
mod skipped;
mod web_server;

use std::io::{self, Write};
use std::net::{IpAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use louver_agent::web::fetch::{End, HOPS, NotFetched};
use louver_agent::web::{Fetched, Fetcher, Limits, Lookup, Refused, WebSettings};
use web_server::{Server, page, path, serve, serve_at};

/// A server that must not be reached.
fn canary() -> Server {
    serve(|_, stream| page(stream, "200 OK", "", "SECRET"))
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

/// A name server for which every name is this machine: the worst there can be.
fn treacherous() -> Lookup {
    Arc::new(|_| Box::pin(async { Ok(vec![ip("127.0.0.1")]) }))
}

/// A name server that gives one answer after the other, and the last one for ever.
fn changing(answers: Vec<Vec<&'static str>>) -> (Lookup, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let names = asked.clone();
    let lookup: Lookup = Arc::new(move |name| {
        let mut names = names.lock().unwrap();
        let answer = &answers[names.len().min(answers.len() - 1)];
        names.push(name);
        let answer: Vec<IpAddr> = answer.iter().map(|text| ip(text)).collect();
        Box::pin(async { Ok(answer) })
    });
    (lookup, asked)
}

fn fetcher(allow: &[String]) -> Fetcher {
    let allow = allow.iter().map(|text| text.parse().unwrap()).collect();
    Fetcher::new(&WebSettings { allow, ..WebSettings::default() })
        .with_lookup(treacherous())
        .with_limits(Limits { total: Duration::from_secs(20), ..Limits::default() })
}

fn allowing(servers: &[&Server]) -> Fetcher {
    fetcher(&servers.iter().map(|server| server.address.to_string()).collect::<Vec<_>>())
}

fn is_refused(result: &Result<Fetched, NotFetched>) -> bool {
    matches!(result, Err(NotFetched::Refused(_) | NotFetched::Redirected { .. }))
}

/// Every way we know to write this machine, a private network or a cloud's metadata. `PORT` is where
/// the canary is.
const EVIL: &[&str] = &[
    // 127.0.0.1, written as numbers can be written.
    "http://127.0.0.1:PORT/",
    "http://127.1:PORT/",
    "http://127.0.1:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f000001:PORT/",
    "http://0x7F.0.0.1:PORT/",
    "http://0x7f.1:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://0177.1:PORT/",
    "http://017700000001:PORT/",
    "http://0177.0x0.0.1:PORT/",
    "http://00000177.0.0.01:PORT/",
    "http://127.0.0.1.:PORT/",
    "http://127.255.255.254:PORT/",
    "http://127.0.0.2:PORT/",
    "HTTP://127.0.0.1:PORT/",
    "hTTp://127.0.0.1:PORT",
    "https://127.0.0.1:PORT/",
    // Any address of this machine.
    "http://0:PORT/",
    "http://0.0.0.0:PORT/",
    "http://0x0:PORT/",
    "http://00:PORT/",
    "http://0.1.2.3:PORT/",
    // Other scripts' dots and digits, and percent signs.
    "http://127。0。0。1:PORT/",
    "http://127．0．0．1:PORT/",
    "http://127｡0｡0｡1:PORT/",
    "http://１２７.0.0.1:PORT/",
    "http://①②⑦.⓪.⓪.①:PORT/",
    "http://𝟏𝟐𝟕.𝟎.𝟎.𝟏:PORT/",
    "http://%31%32%37.0.0.1:PORT/",
    "http://127%2e0%2e0%2e1:PORT/",
    "http://127.0.0.1%2e:PORT/",
    // Names.
    "http://localhost:PORT/",
    "http://LocalHost:PORT/",
    "http://localhost.:PORT/",
    "http://localhost..:PORT/",
    "http://loc%61lhost:PORT/",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/",
    "http://a.localhost:PORT/",
    "http://localhost.localdomain:PORT/",
    "http://printer.local:PORT/",
    "http://intranet:PORT/",
    "http://router.lan:PORT/",
    "http://nas.home.arpa:PORT/",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://evil.example:PORT/",
    "http://127.0.0.1.nip.example:PORT/",
    // Something before the host that looks like one.
    "http://example.com@127.0.0.1:PORT/",
    "http://example.com:80@127.0.0.1:PORT/",
    "http://user:password@127.0.0.1:PORT/",
    "http://@127.0.0.1:PORT/",
    "http://:@127.0.0.1:PORT/",
    "http://example.com%40127.0.0.1:PORT/",
    "http://127.0.0.1:PORT#@example.com/",
    "http://127.0.0.1:PORT?@example.com/",
    "http://127.0.0.1:PORT\\@example.com/",
    "http://example.com\\@127.0.0.1:PORT/",
    "http://example.com#@127.0.0.1:PORT/",
    "http://example.com @127.0.0.1:PORT/",
    // Slashes that are too many, too few, or the wrong way round.
    "http:\\\\127.0.0.1:PORT\\",
    "http:///127.0.0.1:PORT/",
    "http://\\127.0.0.1:PORT/",
    // IPv6, and IPv4 inside of it.
    "http://[::1]:PORT/",
    "http://[0:0:0:0:0:0:0:1]:PORT/",
    "http://[::]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::FFFF:7f00:1]:PORT/",
    "http://[::ffff:0:127.0.0.1]:PORT/",
    "http://[::127.0.0.1]:PORT/",
    "http://[64:ff9b::127.0.0.1]:PORT/",
    "http://[64:ff9b:1::127.0.0.1]:PORT/",
    "http://[2002:7f00:1::]:PORT/",
    "http://[2001:0:7f00:1::]:PORT/",
    "http://[2001:db8::1]:PORT/",
    "http://[fc00::1]:PORT/",
    "http://[fe80::1]:PORT/",
    "http://[fec0::1]:PORT/",
    "http://[ff02::1]:PORT/",
    "http://[::1%25lo]:PORT/",
    "http://[fe80::1%25lo]:PORT/",
    "http://[fe80::1%lo]:PORT/",
    // Where clouds keep credentials.
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/latest/meta-data/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://[::ffff:169.254.169.254]/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://100.100.100.200/",
    "http://192.0.0.192/",
    "http://168.63.129.16/",
    // Private networks and what is not a machine.
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.0.1/",
    "http://100.64.0.1/",
    "http://198.18.0.1/",
    "http://192.0.2.1/",
    "http://198.51.100.1/",
    "http://203.0.113.1/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    // Public, but not the web.
    "http://1.1.1.1:25/",
    "http://1.1.1.1:22/",
    // Numbers that are too large, and what is no URL.
    "http://256.0.0.1:PORT/",
    "http://4294967296:PORT/",
    "http://0x17f000001:PORT/",
    "http://127.0.0.1:PORT:80/",
    "http://127.0.0.1:99999/",
    "http:// 127.0.0.1:PORT/",
    // Other schemes.
    "file:///etc/passwd",
    "file://127.0.0.1/etc/passwd",
    "gopher://127.0.0.1:PORT/_GET%20/",
    "ftp://127.0.0.1:PORT/",
    "dict://127.0.0.1:PORT/x",
    "ws://127.0.0.1:PORT/",
    "data:text/html,SECRET",
    "javascript:fetch('http://127.0.0.1:PORT/')",
    "view-source:http://127.0.0.1:PORT/",
    "blob:http://127.0.0.1:PORT/x",
    "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
];

/// What cannot stand in a header, and what means something else where a page stands already.
const EVIL_AS_TEXT: &[&str] = &[
    "http:/127.0.0.1:PORT/",
    "http:127.0.0.1:PORT/",
    "http://lo\tcalhost:PORT/",
    "http://local\nhost:PORT/",
    "ht\ttp://127.0.0.1:PORT/",
    "http://127.0.0.1\r\n:PORT/",
    "\u{0} http://127.0.0.1:PORT/",
    " http://127.0.0.1:PORT/ ",
    "http://127.0.0.1\u{0}.example.com:PORT/",
    "//127.0.0.1:PORT/",
    "127.0.0.1:PORT",
    "",
];

/// What leads away from a page, relative to it.
const EVIL_RELATIVE: &[&str] = &[
    "//127.0.0.1:PORT/",
    "\\\\127.0.0.1:PORT/",
    "/\\127.0.0.1:PORT/",
    "///127.0.0.1:PORT/",
    "//2130706433:PORT/",
    "//localhost:PORT/",
    "//user:password@127.0.0.1:PORT/",
    "//[::ffff:127.0.0.1]:PORT/",
];

#[tokio::test]
async fn no_way_to_write_an_address_reaches_this_machine() {
    let (canary, fetcher) = (canary(), fetcher(&[]));
    for text in EVIL.iter().chain(EVIL_AS_TEXT) {
        let result = fetcher.get(&text.replace("PORT", &canary.address.port().to_string())).await;
        assert!(is_refused(&result), "{text}: {result:?}");
    }
    assert_eq!(canary.hits(), 0);
}

/// The canary's own net is IPv6 where there is one.
#[tokio::test]
async fn the_loopback_of_ipv6_is_not_reached_either() {
    let answer = |_: &str, stream: &mut TcpStream| page(stream, "200 OK", "", "SECRET");
    let Ok(canary) = serve_at(ip("::1"), 0, answer) else {
        return skipped::skipped("there is no IPv6 here");
    };
    let six: Lookup = Arc::new(|_| Box::pin(async { Ok(vec![ip("::1")]) }));
    let fetcher = fetcher(&[]).with_lookup(six);
    for host in ["[::1]", "[0::0:1]", "[::]", "ip6-localhost", "six.example"] {
        let result = fetcher.get(&format!("http://{host}:{}/", canary.address.port())).await;
        assert!(is_refused(&result), "{host}: {result:?}");
    }
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn no_redirect_reaches_this_machine() {
    let canary = canary();
    let port = canary.address.port();
    let front = serve(move |head, stream| {
        let asked = path(head).trim_start_matches('/');
        let (status, at) = asked.split_once('/').unwrap();
        let to = EVIL.iter().chain(EVIL_RELATIVE).nth(at.parse().unwrap()).unwrap();
        let to = to.replace("PORT", &port.to_string());
        page(stream, &format!("{status} Moved"), &format!("location: {to}\r\n"), "");
    });
    let fetcher = allowing(&[&front]);
    for (at, to) in EVIL.iter().chain(EVIL_RELATIVE).enumerate() {
        for status in [301, 302, 303, 307, 308] {
            let result = fetcher.get(&front.url(&format!("/{status}/{at}"))).await;
            assert!(is_refused(&result), "{status} {to}: {result:?}");
        }
    }
    assert_eq!(canary.hits(), 0);
    assert_eq!(front.hits(), 5 * (EVIL.len() + EVIL_RELATIVE.len()));
}

#[tokio::test]
async fn the_last_of_many_hops_is_checked_as_the_first() {
    let canary = canary();
    let secret = canary.url("/");
    let front = serve(move |head, stream| {
        let to = match path(head) {
            "/0" => "1?x=%0a#fragment",
            "/1?x=%0a" => "./2",
            "/2" => "/3",
            "/3" => &secret,
            _ => "/lost",
        };
        page(stream, "302 Found", &format!("location: {to}\r\n"), "");
    });
    let result = allowing(&[&front]).get(&front.url("/0")).await;
    assert!(matches!(result, Err(NotFetched::Redirected { .. })), "{result:?}");
    assert_eq!((front.hits(), canary.hits()), (4, 0));
}

#[tokio::test]
async fn redirects_end_somewhere() {
    let front = serve(|_, stream| page(stream, "302 Found", "location: /again\r\n", ""));
    let result = allowing(&[&front]).get(&front.url("/")).await;
    assert!(matches!(result, Err(NotFetched::Hops)), "{result:?}");
    assert_eq!(front.hits(), HOPS + 1);
}

#[tokio::test]
async fn a_good_redirect_is_followed_to_where_it_leads() {
    let front = serve(|head, stream| match path(head) {
        "/old" => page(stream, "301 Moved", "location: new?a=b\r\n", "moved"),
        _ => page(stream, "200 OK", "content-type: text/plain\r\n", path(head)),
    });
    let fetched = allowing(&[&front]).get(&front.url("/old")).await.unwrap();
    assert_eq!(
        (fetched.url.to_string(), fetched.body),
        (front.url("/new?a=b"), b"/new?a=b".to_vec())
    );
}

#[tokio::test]
async fn a_redirect_with_a_password_is_refused_even_to_an_allowed_place() {
    let front = serve(|head, stream| {
        let host = head.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
        let to = format!("location: http://anna:hunter2@{host}/in\r\n");
        page(stream, "302 Found", &to, "");
    });
    let error = allowing(&[&front]).get(&front.url("/")).await.unwrap_err();
    assert!(
        matches!(&error, NotFetched::Redirected { refused: Refused::Credentials, .. }),
        "{error:?}"
    );
    assert!(!format!("{error} {error:?}").contains("hunter2"));
    assert_eq!(front.hits(), 1);
}

/// A server at 127.0.0.2, which is allowed, and a canary at the same port of 127.0.0.1.
fn public_and_canary(
    answer: impl Fn(&str, &mut TcpStream) + Clone + Send + Sync + 'static,
) -> (Server, Server) {
    for _ in 0..100 {
        let canary = canary();
        // Another test may have the port.
        if let Ok(public) = serve_at(ip("127.0.0.2"), canary.address.port(), answer.clone()) {
            return (public, canary);
        }
    }
    panic!("no port is free on both addresses")
}

#[tokio::test]
async fn a_name_that_changes_after_the_check_is_not_asked_again() {
    let (public, canary) = public_and_canary(|_, stream| page(stream, "200 OK", "", "public"));
    let (lookup, asked) = changing(vec![vec!["127.0.0.2"], vec!["127.0.0.1"]]);
    let fetcher = allowing(&[&public]).with_lookup(lookup);
    let url = format!("http://rebind.example:{}/", public.address.port());
    assert_eq!(fetcher.get(&url).await.unwrap().body, b"public");
    assert_eq!(*asked.lock().unwrap(), ["rebind.example"]);
    let result = fetcher.get(&url).await;
    assert!(is_refused(&result), "{result:?}");
    assert_eq!((public.hits(), canary.hits()), (1, 0));
}

#[tokio::test]
async fn a_name_that_changes_between_two_hops_is_refused_at_the_second() {
    let answer = |_: &str, stream: &mut TcpStream| page(stream, "307 Go", "location: /on\r\n", "");
    let (public, canary) = public_and_canary(answer);
    let (lookup, _) = changing(vec![vec!["127.0.0.2"], vec!["127.0.0.1"]]);
    let fetcher = allowing(&[&public]).with_lookup(lookup);
    let result = fetcher.get(&format!("http://rebind.example:{}/", public.address.port())).await;
    assert!(matches!(result, Err(NotFetched::Redirected { .. })), "{result:?}");
    assert_eq!((public.hits(), canary.hits()), (1, 0));
}

#[tokio::test]
async fn one_private_address_among_public_ones_is_enough_to_refuse() {
    let (public, canary) = public_and_canary(|_, stream| page(stream, "200 OK", "", "public"));
    for answers in [
        vec!["127.0.0.2", "127.0.0.1"],
        vec!["127.0.0.1", "127.0.0.2"],
        vec!["127.0.0.2", "::ffff:127.0.0.1"],
        vec!["127.0.0.2", "127.0.0.2", "10.0.0.1"],
        vec!["64:ff9b::7f00:1", "127.0.0.2"],
    ] {
        let (lookup, _) = changing(vec![answers.clone()]);
        let fetcher = allowing(&[&public]).with_lookup(lookup);
        let result = fetcher.get(&format!("http://mixed.example:{}/", public.address.port())).await;
        assert!(is_refused(&result), "{answers:?}: {result:?}");
    }
    assert_eq!((public.hits(), canary.hits()), (0, 0));
}

#[tokio::test]
async fn an_allowed_name_leads_where_it_leads_and_others_do_not() {
    let server = serve(|_, stream| page(stream, "200 OK", "", "wiki"));
    let fetcher = fetcher(&[format!("wiki.lan:{}", server.address.port())]);
    let fetch = |host: &str| {
        let (fetcher, url) = (fetcher.clone(), format!("http://{host}:{}/", server.address.port()));
        async move { fetcher.get(&url).await }
    };
    assert_eq!(fetch("WIKI.lan").await.unwrap().body, b"wiki");
    for host in
        ["127.0.0.1", "other.lan", "a.wiki.lan", "wiki.lan.example", "wiki.example", "localhost"]
    {
        assert!(is_refused(&fetch(host).await), "{host}");
    }
    assert_eq!(server.hits(), 1);
}

#[tokio::test]
async fn names_that_nobody_has_are_told() {
    let nobody: [Lookup; 2] = [
        Arc::new(|_| Box::pin(async { Ok(vec![]) })),
        Arc::new(|_| Box::pin(async { Err(io::Error::other("no such name")) })),
    ];
    for lookup in nobody {
        let error =
            fetcher(&[]).with_lookup(lookup).get("https://nobody.example/").await.unwrap_err();
        let expected = "no server has the name `nobody.example`; check how it is written, or search for the page";
        assert_eq!(error.to_string(), expected);
    }
}

const SIZE: usize = 100_000;

async fn bounded(server: &Server) -> Result<Fetched, NotFetched> {
    let limits =
        Limits { connect: Duration::from_secs(5), total: Duration::from_secs(60), size: SIZE };
    allowing(&[server]).with_limits(limits).get(&server.url("/")).await
}

fn hex(text: &str) -> Vec<u8> {
    text.as_bytes()
        .chunks(2)
        .map(|two| u8::from_str_radix(str::from_utf8(two).unwrap(), 16).unwrap())
        .collect()
}

/// 64 KiB of `a` as raw deflate that ends at a byte and refers to nothing before it, so that it can
/// be repeated.
const DEFLATED: &str = "ecc181000000008020d6fd2516a90a00000000000000000000000000000000000000000000000000000000000000000000\
    00000000000000000000000000000000000000000000000000006a000000ffff";

/// 256 MiB of `a` as brotli.
const BROTLI: &str = "cfffff7f0024c2e2b14072effff9ffff0f8004401c1680eefd3fffffff01900088c302d0bdffe7ffff3f001200715800baf7\
    fffcffff074002200e0b40f7fe9fffffff004800c46101e8defff3ffff1f000980382c00ddfb7ffeffff032001108705a07bff\
    cfffff7f002400e2b00074effff9ffff0f8004401c1680eefd3fffffff01900088c302d0bdffe7ffff3f001200715800baf7ff\
    fcffff074002200e0b40f7fe9fffffff004800c46101e8defff3ffff1f000980382c00ddfb7ffeffff032001108705a07bff3f";

/// The most memory this process ever had, in MiB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

#[tokio::test]
async fn what_is_packed_a_thousandfold_is_unpacked_to_the_bound_only() {
    let bombs = [
        ("gzip", [hex("1f8b0800000000000003"), hex(DEFLATED).repeat(1 << 14)].concat()),
        ("deflate", [hex("789c"), hex(DEFLATED).repeat(1 << 14)].concat()),
        ("br", hex(BROTLI)),
    ];
    for (name, bomb) in bombs {
        let server = serve(move |_, stream| {
            page(
                stream,
                "200 OK",
                &format!("content-type: text/plain\r\ncontent-encoding: {name}\r\n"),
                &bomb,
            );
        });
        let fetched = bounded(&server).await.unwrap();
        assert_eq!((fetched.end, fetched.body.len()), (End::Size, SIZE), "{name}");
        assert!(fetched.body.iter().all(|byte| *byte == b'a'), "{name}");
    }
    assert!(peak_memory() < 200, "{} MiB", peak_memory());
}

#[tokio::test]
async fn what_is_packed_in_another_way_or_twice_is_not_read() {
    for name in ["zstd", "gzip, gzip", "compress", "x-unheard-of"] {
        let server = serve(move |_, stream| {
            page(stream, "200 OK", &format!("content-encoding: {name}\r\n"), "abc");
        });
        let result = bounded(&server).await;
        assert!(matches!(result, Err(NotFetched::Answer(..))), "{name}: {result:?}");
    }
}

#[tokio::test]
async fn what_is_packed_badly_breaks_off() {
    let server =
        serve(|_, stream| page(stream, "200 OK", "content-encoding: gzip\r\n", "not gzip"));
    let fetched = bounded(&server).await.unwrap();
    assert_eq!((fetched.end, fetched.body), (End::Broken, vec![]));
}

#[tokio::test]
async fn an_endless_body_is_read_to_the_bound() {
    let sent = Arc::new(AtomicUsize::new(0));
    let count = sent.clone();
    let server = serve(move |_, stream| {
        let mut more = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n");
        while more.is_ok() {
            count.fetch_add(1, Ordering::SeqCst);
            more = stream.write_all(&[b'x'; 1024]);
        }
    });
    let fetched = bounded(&server).await.unwrap();
    assert_eq!((fetched.end, fetched.body.len()), (End::Size, SIZE));
    assert!(sent.load(Ordering::SeqCst) > 0);
}

#[tokio::test]
async fn a_body_that_drips_is_read_until_the_time_is_over() {
    let server = serve(|_, stream| {
        let mut more =
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nfirst");
        while more.is_ok() {
            thread::sleep(Duration::from_millis(20));
            more = stream.write_all(b".");
        }
    });
    let limits = Limits { total: Duration::from_secs(2), ..Limits::default() };
    let fetched = allowing(&[&server]).with_limits(limits).get(&server.url("/")).await.unwrap();
    assert_eq!(fetched.end, End::Time);
    assert!(fetched.body.starts_with(b"first"));
}

#[tokio::test]
async fn a_head_that_drips_or_never_comes_ends_with_the_time() {
    let drips = serve(|_, stream| {
        let mut more = stream.write_all(b"HTTP/1.1 200 OK\r\nx: ");
        while more.is_ok() {
            thread::sleep(Duration::from_millis(20));
            more = stream.write_all(b"x");
        }
    });
    let silent = serve(|_, _| thread::sleep(Duration::from_secs(600)));
    for server in [drips, silent] {
        let limits = Limits { total: Duration::from_millis(300), ..Limits::default() };
        let result = allowing(&[&server]).with_limits(limits).get(&server.url("/")).await;
        assert!(matches!(result, Err(NotFetched::Time(..))), "{result:?}");
    }
}

#[tokio::test]
async fn a_name_server_that_never_answers_ends_with_the_time() {
    let never: Lookup = Arc::new(|_| Box::pin(std::future::pending()));
    let limits = Limits { total: Duration::from_millis(100), ..Limits::default() };
    let result =
        fetcher(&[]).with_lookup(never).with_limits(limits).get("http://slow.example/").await;
    assert!(matches!(result, Err(NotFetched::Time(..))), "{result:?}");
}

#[tokio::test]
async fn headers_are_bounded() {
    let long = serve(|_, stream| {
        page(stream, "200 OK", &format!("x: {}\r\n", "x".repeat(4 << 20)), "");
    });
    let many = serve(|_, stream| page(stream, "200 OK", &"a: b\r\n".repeat(10_000), ""));
    let endless = serve(|_, stream| {
        let mut more = stream.write_all(b"HTTP/1.1 200 OK\r\n");
        while more.is_ok() {
            more = stream.write_all(b"x: y\r\n");
        }
    });
    for server in [long, many, endless] {
        let result = bounded(&server).await;
        assert!(matches!(result, Err(NotFetched::Answer(..))), "{result:?}");
    }
}

#[tokio::test]
async fn bad_chunks_cost_what_comes_after_them() {
    for (bad, kept) in
        [("ZZ\r\n", ""), ("5\r\nhello\r\nZZ\r\n", "hello"), ("5\r\nhel", "hel"), ("-1\r\nx", "")]
    {
        let server = serve(move |_, stream| {
            let head =
                "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n";
            let _ = stream.write_all(format!("{head}{bad}").as_bytes());
        });
        let fetched = bounded(&server).await.unwrap();
        assert_eq!(
            (fetched.end, str::from_utf8(&fetched.body).unwrap()),
            (End::Broken, kept),
            "{bad:?}"
        );
    }
}

#[tokio::test]
async fn what_is_no_http_is_told_in_words() {
    for answer in ["SSH-2.0-OpenSSH_9.6\r\n", "", "HTTP/1.1 abc\r\n\r\n", "\0\0\0\0"] {
        let server = serve(move |_, stream| {
            let _ = stream.write_all(answer.as_bytes());
        });
        let error = bounded(&server).await.unwrap_err();
        assert!(matches!(error, NotFetched::Answer(..)), "{answer:?}: {error:?}");
    }
}

#[tokio::test]
async fn https_does_not_speak_to_a_server_without_it() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        page(&mut stream, "400 Speak Plainly", "", "SECRET");
    });
    let result = fetcher(std::slice::from_ref(&address)).get(&format!("https://{address}/")).await;
    assert!(matches!(result, Err(NotFetched::Connect(_) | NotFetched::Client(_))), "{result:?}");
}

#[tokio::test]
async fn a_request_says_who_we_are_and_no_more() {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let seen = heads.clone();
    let server = serve(move |head, stream| {
        seen.lock().unwrap().push(head.to_ascii_lowercase());
        match path(head) {
            "/" => page(stream, "302 Found", "location: /on\r\nset-cookie: a=b\r\n", ""),
            _ => page(stream, "200 OK", "", ""),
        }
    });
    bounded(&server).await.unwrap();
    let heads = heads.lock().unwrap();
    for head in heads.iter() {
        let mut names: Vec<&str> = head
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(':'))
            .map(|(name, _)| name)
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["accept", "accept-encoding", "host", "user-agent"]);
        assert!(head.contains(&format!("user-agent: louver/{}\r\n", env!("CARGO_PKG_VERSION"))));
    }
    assert_eq!(heads.len(), 2);
}
