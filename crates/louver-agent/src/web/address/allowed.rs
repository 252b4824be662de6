//! Places that the owner allows although they are not public.

use std::net::IpAddr;
use std::str::FromStr;

use serde::Deserialize;
use url::Url;

use super::ranges::Net;
use super::{address_in, check_port, plain_name};

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
    /// Whether it is this name, at this port.
    pub(super) fn is_name(&self, name: &str, port: u16) -> bool {
        matches!(&self.place, Place::Name(allowed) if allowed == name) && self.has_port(port)
    }

    /// Whether this address is in it, at this port.
    pub(super) fn holds(&self, address: IpAddr, port: u16) -> bool {
        matches!(&self.place, Place::Net(net) if net.holds(address)) && self.has_port(port)
    }

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
    use super::*;

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
}
