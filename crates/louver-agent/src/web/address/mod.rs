//! Where a fetch may go: the public internet, and what the owner allowed.
//!
//! A page, a redirect or a name server can point anywhere, also at this machine, at the network it
//! is in, and at the address where a cloud hands out credentials. So every address is looked at
//! after it has been parsed and resolved, and only *global unicast* passes.

mod allowed;
mod ranges;

use std::net::IpAddr;

use url::{Host, Url};

pub use allowed::{Allowed, NotAPlace};
pub use ranges::not_public;

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
        self.allow.iter().any(|allowed| allowed.is_name(name, port))
    }

    fn allows_address(&self, address: IpAddr, port: u16) -> bool {
        self.allow.iter().any(|allowed| allowed.holds(address, port))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reach(allow: &[&str]) -> Reach {
        Reach::new(allow.iter().map(|text| text.parse().unwrap()).collect())
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
    fn a_password_is_refused_and_not_repeated() {
        let refused = reach(&[]).url("https://anna:hunter2@example.com/").unwrap_err();
        assert_eq!(refused, Refused::Credentials);
        assert!(!refused.to_string().contains("hunter2"));
        let refused = reach(&[]).url("https://anna:hunter2@exa mple.com/").unwrap_err();
        assert!(!refused.to_string().contains("hunter2"));
    }

    proptest! {
        #[test]
        fn any_text_is_refused_or_leads_to_a_public_place(text in "(http://)?[\\PC]{0,40}") {
            if let Ok(url) = reach(&[]).url(&text) {
                prop_assert!(matches!(url.scheme(), "http" | "https"));
                prop_assert!(address_in(&url).is_none_or(|address| not_public(address).is_none()));
            }
        }
    }
}
