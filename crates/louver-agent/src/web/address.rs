//! Where a fetch may go: the public internet, and what the owner allowed.
//!
//! A page, a redirect or a name server can point anywhere, also at this machine, at the network it
//! is in, and at the address where a cloud hands out credentials. So every address is looked at
//! after it has been parsed and resolved, and only *global unicast* passes. The list is of what is
//! refused in IPv4, where all else is public, and of what is given out in IPv6, where all else is not.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use serde::Deserialize;
use url::{Host, Url};

/// What stands against going somewhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is no URL at all. What was asked for is not repeated: it may hold a password.
    #[error("this is not a URL ({0}); give a whole one, such as https://example.com/page")]
    NotAUrl(url::ParseError),
    /// It is longer than any page's.
    #[error("this URL is longer than {LONGEST_URL} bytes; try a shorter one")]
    TooLong,
    /// Another scheme than the web's.
    #[error("only http and https can be fetched, not `{0}`; files are read with read_file")]
    Scheme(String),
    /// It has a user name or a password in it.
    #[error("this URL holds a user name or a password, which is never sent; leave it out")]
    Credentials,
    /// A port that other services than the web's are on.
    #[error(
        "port {0} is not fetched from: only 80, 443, those from 1024 on, and what the owner allowed"
    )]
    Port(u16),
    /// A name that means this machine or its network.
    #[error("`{name}` is {kind}, which is not fetched from; {ASK_THE_OWNER}")]
    Name {
        /// The name, without a dot at its end.
        name: String,
        /// What it is.
        kind: &'static str,
    },
    /// An address that is not public.
    #[error("`{host}` is {kind} ({address}), which is not fetched from; {ASK_THE_OWNER}")]
    Address {
        /// The name or the address in the URL.
        host: String,
        /// The address it stands for.
        address: IpAddr,
        /// What it is.
        kind: &'static str,
    },
}

const ASK_THE_OWNER: &str =
    "use a public address, or ask the owner to add it to `allow` in [tools.web] of their settings";

/// No page that is meant to be read has a longer URL, and one is repeated in what a model reads.
const LONGEST_URL: usize = 4_096;

/// Where a fetch may go.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    allow: Vec<Allowed>,
}

impl Reach {
    /// The public internet, and what the owner allowed.
    pub fn new(allow: Vec<Allowed>) -> Reach {
        Reach { allow }
    }

    /// Text as a URL that may be looked up. This is the one time that it is parsed.
    pub fn url(&self, text: &str) -> Result<Url, Refused> {
        if text.len() > LONGEST_URL {
            return Err(Refused::TooLong);
        }
        let url = Url::parse(text).map_err(Refused::NotAUrl)?;
        self.check_url(&url)?;
        Ok(url)
    }

    /// Where a page sends its reader on to.
    pub fn redirect(&self, from: &Url, to: &str) -> Result<Url, Refused> {
        if to.len() > LONGEST_URL {
            return Err(Refused::TooLong);
        }
        let url = from.join(to).map_err(Refused::NotAUrl)?;
        self.check_url(&url)?;
        Ok(url)
    }

    /// What can be said before a name is resolved.
    fn check_url(&self, url: &Url) -> Result<(), Refused> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refused::Scheme(url.scheme().chars().take(20).collect()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refused::Credentials);
        }
        let (host, port) = (host(url)?, port(url));
        if let Some(address) = literal(&host) {
            return self.check(url, address);
        }
        let name = plain_name(url);
        if self.allows_name(&name, port) {
            return Ok(());
        }
        if let Some(kind) = local_name(&name) {
            return Err(Refused::Name { name, kind });
        }
        check_port(port)
    }

    /// Whether a URL's host may be reached at this address, which it is or which its name stands for.
    pub fn check(&self, url: &Url, address: IpAddr) -> Result<(), Refused> {
        let port = port(url);
        if self.allows_name(&plain_name(url), port) || self.allows_address(address, port) {
            return Ok(());
        }
        match not_public(address) {
            Some(kind) => Err(Refused::Address { host: plain_name(url), address, kind }),
            None => check_port(port),
        }
    }

    fn allows_name(&self, name: &str, port: u16) -> bool {
        let is = |place: &Place| matches!(place, Place::Name(allowed) if allowed == name);
        self.allow.iter().any(|allowed| is(&allowed.place) && allowed.has_port(port))
    }

    fn allows_address(&self, address: IpAddr, port: u16) -> bool {
        let holds = |place: &Place| matches!(place, Place::Net(net) if net.holds(address));
        self.allow.iter().any(|allowed| holds(&allowed.place) && allowed.has_port(port))
    }
}

fn host(url: &Url) -> Result<Host<&str>, Refused> {
    url.host().ok_or(Refused::NotAUrl(url::ParseError::EmptyHost))
}

fn literal(host: &Host<&str>) -> Option<IpAddr> {
    match host {
        Host::Ipv4(address) => Some(IpAddr::V4(*address)),
        Host::Ipv6(address) => Some(IpAddr::V6(*address)),
        Host::Domain(_) => None,
    }
}

/// The address in a URL that has one instead of a name.
pub(super) fn address_in(url: &Url) -> Option<IpAddr> {
    url.host().as_ref().and_then(literal)
}

/// The host without the dot that ends a full name.
fn plain_name(url: &Url) -> String {
    url.host_str().unwrap_or_default().trim_end_matches('.').to_owned()
}

fn port(url: &Url) -> u16 {
    url.port_or_known_default().unwrap_or_default()
}

/// Below 1024 are mail, shells and the like, which can be made to act on an HTTP request's lines.
fn check_port(port: u16) -> Result<(), Refused> {
    match port {
        80 | 443 | 1024.. => Ok(()),
        _ => Err(Refused::Port(port)),
    }
}

/// Names that are not in the public DNS, whatever a name server near us makes of them.
fn local_name(name: &str) -> Option<&'static str> {
    const ENDINGS: &[(&str, &str)] = &[
        ("localhost", "this machine"),
        ("localdomain", "this machine or its network"),
        ("local", "a name of this network"),
        ("internal", "a name inside a private network"),
        ("lan", "a name of this network"),
        ("home.arpa", "a name of this network"),
    ];
    let ends = |ending: &str| {
        name.strip_suffix(ending).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    let ending = ENDINGS.iter().find(|(ending, _)| ends(ending)).map(|(_, kind)| *kind);
    // A name without a dot is looked up in the network's own domain.
    ending.or_else(|| (!name.contains('.')).then_some("a name of this network"))
}

/// What an address is, if it is not one of the public internet.
pub fn not_public(address: IpAddr) -> Option<&'static str> {
    let kind = |of: &[Kind]| of.iter().find(|kind| kind.net.holds(address)).map(|kind| kind.is);
    match address {
        IpAddr::V4(_) => kind(V4),
        IpAddr::V6(_) => {
            kind(V6).or_else(|| (!GIVEN_OUT.holds(address)).then_some("not a public address"))
        }
    }
}

/// A range of addresses and what it is for.
struct Kind {
    net: Net,
    is: &'static str,
}

const fn v4(a: u8, b: u8, c: u8, d: u8, bits: u8, is: &'static str) -> Kind {
    Kind { net: Net { base: IpAddr::V4(Ipv4Addr::new(a, b, c, d)), bits }, is }
}

const fn v6(base: [u16; 4], bits: u8, is: &'static str) -> Kind {
    let [a, b, c, d] = base;
    Kind { net: Net { base: IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)), bits }, is }
}

/// The special ranges of IPv4, after IANA's registry, and one of a cloud that is not in it.
const V4: &[Kind] = &[
    v4(0, 0, 0, 0, 8, "this machine"),
    v4(10, 0, 0, 0, 8, "in a private network"),
    v4(100, 64, 0, 0, 10, "in a provider's own network"),
    v4(127, 0, 0, 0, 8, "this machine"),
    v4(169, 254, 169, 254, 32, "where a cloud keeps its machines' credentials"),
    v4(168, 63, 129, 16, 32, "where a cloud keeps its machines' credentials"),
    v4(169, 254, 0, 0, 16, "on this network's link only"),
    v4(172, 16, 0, 0, 12, "in a private network"),
    v4(192, 0, 0, 0, 24, "kept for protocols"),
    v4(192, 0, 2, 0, 24, "for examples only"),
    v4(192, 88, 99, 0, 24, "a relay to other addresses"),
    v4(192, 168, 0, 0, 16, "in a private network"),
    v4(198, 18, 0, 0, 15, "for measurements only"),
    v4(198, 51, 100, 0, 24, "for examples only"),
    v4(203, 0, 113, 0, 24, "for examples only"),
    v4(224, 0, 0, 0, 4, "a group of machines"),
    v4(240, 0, 0, 0, 4, "not given out"),
];

/// The part of IPv6 that is given out to the public. `V6` names what in it is not, and what outside
/// of it deserves better words than that.
const GIVEN_OUT: Net = v6([0x2000, 0, 0, 0], 3, "").net;

const V6: &[Kind] = &[
    v6([0, 0, 0, 0], 80, "this machine, or an IPv4 address in another form"),
    v6([0x64, 0xff9b, 0, 0], 96, "an IPv4 address in another form"),
    v6([0x64, 0xff9b, 1, 0], 48, "an IPv4 address in another form"),
    v6([0x2001, 0, 0, 0], 32, "a tunnel to an IPv4 address"),
    v6([0x2001, 0, 0, 0], 23, "kept for protocols"),
    v6([0x2001, 0xdb8, 0, 0], 32, "for examples only"),
    v6([0x2002, 0, 0, 0], 16, "a tunnel to an IPv4 address"),
    v6([0x3fff, 0, 0, 0], 20, "for examples only"),
    v6([0xfc00, 0, 0, 0], 7, "in a private network"),
    v6([0xfe80, 0, 0, 0], 10, "on this network's link only"),
    v6([0xfec0, 0, 0, 0], 10, "in a private network"),
    v6([0xff00, 0, 0, 0], 8, "a group of machines"),
];

/// A range of addresses, such as `192.168.1.0/24`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Net {
    base: IpAddr,
    bits: u8,
}

impl Net {
    fn holds(&self, address: IpAddr) -> bool {
        match (self.base, address) {
            (IpAddr::V4(base), IpAddr::V4(address)) => {
                same_start(base.to_bits().into(), address.to_bits().into(), 32, self.bits)
            }
            (IpAddr::V6(base), IpAddr::V6(address)) => {
                same_start(base.to_bits(), address.to_bits(), 128, self.bits)
            }
            _ => false,
        }
    }
}

/// Whether the first `bits` of two numbers of `width` bits are the same.
fn same_start(one: u128, other: u128, width: u8, bits: u8) -> bool {
    (one ^ other).checked_shr(u32::from(width - bits)).unwrap_or(0) == 0
}

/// An exception that the owner makes: `wiki.lan`, `wiki.lan:8080`, `127.0.0.1:8080`, `[::1]:8080`
/// or `192.168.1.0/24`. With a port it is for that port only.
///
/// A name is allowed wherever it leads; an address also for names that stand for it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Allowed {
    place: Place,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Name(String),
    Net(Net),
}

/// Text that names no place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a place to allow; write a host, an address or a network, such as `wiki.lan:8080`, \
     `127.0.0.1:8080` or `192.168.1.0/24`"
)]
pub struct NotAPlace(String);

impl Allowed {
    fn has_port(&self, port: u16) -> bool {
        match self.port {
            Some(only) => only == port,
            None => check_port(port).is_ok(),
        }
    }
}

impl FromStr for Allowed {
    type Err = NotAPlace;

    fn from_str(text: &str) -> Result<Allowed, NotAPlace> {
        let wrong = || NotAPlace(text.to_owned());
        if let Some((base, bits)) = text.split_once('/') {
            let base: IpAddr = base.parse().map_err(|_| wrong())?;
            let bits = bits.parse().map_err(|_| wrong())?;
            let width = if base.is_ipv4() { 32 } else { 128 };
            let net = (bits <= width).then_some(Net { base, bits }).ok_or_else(wrong)?;
            return Ok(Allowed { place: Place::Net(net), port: None });
        }
        if let Ok(address) = text.parse::<IpAddr>() {
            return Ok(Allowed { place: Place::Net(one(address)), port: None });
        }
        // The rest is read as a browser reads it, so that it matches what a URL is made into.
        let url = Url::parse(&format!("http://{text}/")).map_err(|_| wrong())?;
        let port = match text.rsplit_once(':') {
            Some((_, port)) if !port.contains(']') => Some(port.parse().map_err(|_| wrong())?),
            _ => None,
        };
        let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        if !bare || text.contains(['@', '\\', '*']) || port == Some(0) {
            return Err(wrong());
        }
        let place = match address_in(&url) {
            Some(address) => Place::Net(one(address)),
            None => Place::Name(plain_name(&url)),
        };
        Ok(Allowed { place, port })
    }
}

fn one(address: IpAddr) -> Net {
    Net { base: address, bits: if address.is_ipv4() { 32 } else { 128 } }
}

impl TryFrom<String> for Allowed {
    type Error = NotAPlace;

    fn try_from(text: String) -> Result<Allowed, NotAPlace> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reach(allow: &[&str]) -> Reach {
        Reach::new(allow.iter().map(|text| text.parse().unwrap()).collect())
    }

    fn public(address: &str) -> bool {
        not_public(address.parse().unwrap()).is_none()
    }

    #[test]
    fn public_addresses_pass_on_both_sides_of_every_special_range() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "198.51.99.255",
            "198.51.101.0",
            "203.0.112.255",
            "203.0.114.0",
            "223.255.255.255",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2003::1",
            "2a00:1450::1",
            "3ffe::1",
        ] {
            assert!(public(address), "{address}");
        }
    }

    #[test]
    fn special_addresses_are_refused_from_the_first_to_the_last_of_each_range() {
        for address in [
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "168.63.129.16",
            "169.254.0.0",
            "169.254.169.254",
            "169.254.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "192.0.0.0",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.0",
            "192.168.255.255",
            "198.18.0.0",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:0:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:0:7f00:1::",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:1ff::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!public(address), "{address}");
        }
    }

    #[test]
    fn an_allowed_place_is_that_place_and_that_port_only() {
        let reach = reach(&["127.0.0.1:8080", "192.168.1.0/24", "Wiki.lan:81", "[::1]:8080"]);
        for url in [
            "http://127.0.0.1:8080/",
            "http://2130706433:8080/",
            "http://192.168.1.77/",
            "http://wiki.lan:81/",
            "http://wiki.lan.:81/",
            "http://[::1]:8080/",
        ] {
            assert_eq!(reach.url(url).err(), None, "{url}");
        }
        for url in [
            "http://127.0.0.1/",
            "http://127.0.0.1:8081/",
            "http://127.0.0.2:8080/",
            "http://192.168.2.1/",
            "http://192.168.1.77:25/",
            "http://wiki.lan/",
            "http://x.wiki.lan:81/",
            "http://wiki.lan.evil.lan:81/",
            "http://[::ffff:127.0.0.1]:8080/",
        ] {
            assert!(reach.url(url).is_err(), "{url}");
        }
    }

    #[test]
    fn what_is_no_place_is_not_allowed_silently() {
        for text in [
            "",
            "10.0.0.0/33",
            "10.0.0.0/",
            "/8",
            "*.lan",
            "http://wiki.lan",
            "wiki.lan/page",
            "a@wiki.lan",
            "wiki.lan:x",
            "wiki.lan:0",
            "wiki.lan:99999",
            "wiki lan",
            "wiki.lan?x",
        ] {
            assert!(text.parse::<Allowed>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_network_of_no_bits_is_every_address_of_its_family() {
        let net = Net { base: "0.0.0.0".parse().unwrap(), bits: 0 };
        assert!(net.holds("255.1.2.3".parse().unwrap()));
        assert!(!net.holds("::1".parse().unwrap()));
    }

    #[test]
    fn a_password_is_refused_and_not_repeated() {
        let refused = reach(&[]).url("https://anna:hunter2@example.com/").unwrap_err();
        assert_eq!(refused, Refused::Credentials);
        assert!(!refused.to_string().contains("hunter2"));
        let refused = reach(&[]).url("https://anna:hunter2@exa mple.com/").unwrap_err();
        assert!(!refused.to_string().contains("hunter2"));
    }

    proptest! {
        /// The standard library knows most of it, though not in a stable function. Where it says
        /// that an address is special, so do we.
        #[test]
        fn what_the_standard_library_knows_is_special_is_special(bits: u32) {
            let address = Ipv4Addr::from_bits(bits);
            let special = address.is_private() || address.is_loopback() || address.is_link_local()
                || address.is_multicast() || address.is_broadcast() || address.is_documentation()
                || address.is_unspecified();
            prop_assert!(!special || not_public(address.into()).is_some());
        }

        #[test]
        fn no_ipv4_address_in_the_clothes_of_ipv6_is_public(bits: u32, port: u16) {
            let low = u128::from(bits);
            let mapped = Ipv4Addr::from_bits(bits).to_ipv6_mapped();
            let nat64 = Ipv6Addr::from_bits(0x64_ff9b << 96 | low);
            let six_to_four = Ipv6Addr::from_bits(0x2002 << 112 | low << 80 | u128::from(port));
            let teredo = Ipv6Addr::from_bits(0x2001_0000 << 96 | low << 64 | low);
            for address in [mapped, Ipv6Addr::from_bits(low), nat64, six_to_four, teredo] {
                prop_assert!(not_public(address.into()).is_some(), "{}", address);
            }
        }

        #[test]
        fn any_text_is_refused_or_leads_to_a_public_place(text in "(http://)?[\\PC]{0,40}") {
            if let Ok(url) = reach(&[]).url(&text) {
                prop_assert!(matches!(url.scheme(), "http" | "https"));
                prop_assert!(address_in(&url).is_none_or(|address| not_public(address).is_none()));
            }
        }
    }
}
