//! Ranges of addresses, and what those are for that are not of the public internet.
//!
//! The list is of what is refused in IPv4, where all else is public, and of what is given out in IPv6,
//! where all else is not.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

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
pub(super) struct Net {
    pub(super) base: IpAddr,
    pub(super) bits: u8,
}

impl Net {
    pub(super) fn holds(&self, address: IpAddr) -> bool {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
    fn a_network_of_no_bits_is_every_address_of_its_family() {
        let net = Net { base: "0.0.0.0".parse().unwrap(), bits: 0 };
        assert!(net.holds("255.1.2.3".parse().unwrap()));
        assert!(!net.holds("::1".parse().unwrap()));
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
    }
}
