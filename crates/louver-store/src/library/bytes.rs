//! Numbers as few bytes, and bytes as numbers again.

use super::error::LibraryError;

/// Writes a number, seven bits a byte.
pub(super) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Writes a number that may be below zero.
pub(super) fn put_signed(out: &mut Vec<u8>, number: i64) {
    put(out, ((number << 1) ^ (number >> 63)) as u64);
}

/// Bytes that are read from the front.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    #[inline]
    pub(super) fn byte(&mut self) -> Result<u8, LibraryError> {
        let (first, rest) =
            self.0.split_first().ok_or(LibraryError::Malformed("it ends too soon"))?;
        self.0 = rest;
        Ok(*first)
    }

    /// A number as [`put`] wrote it.
    #[inline]
    pub(super) fn number(&mut self) -> Result<u64, LibraryError> {
        let first = self.byte()?;
        if first < 128 {
            return Ok(u64::from(first));
        }
        let mut number = u64::from(first & 127);
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(LibraryError::Malformed("a number has no end"))
    }

    /// A number that fits into half of that.
    #[inline]
    pub(super) fn small(&mut self) -> Result<u32, LibraryError> {
        u32::try_from(self.number()?).map_err(|_| LibraryError::Malformed("a number is too large"))
    }

    pub(super) fn signed(&mut self) -> Result<i64, LibraryError> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], LibraryError> {
        let (taken, rest) =
            self.0.split_at_checked(count).ok_or(LibraryError::Malformed("it ends too soon"))?;
        self.0 = rest;
        Ok(taken)
    }

    /// A text with its length before it.
    pub(super) fn text(&mut self) -> Result<&'a str, LibraryError> {
        let length = self.small()? as usize;
        str::from_utf8(self.take(length)?)
            .map_err(|_| LibraryError::Malformed("a text is not text"))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers: Vec<(u64, i64)>) {
            let mut out = Vec::new();
            for (number, signed) in &numbers {
                put(&mut out, *number);
                put_signed(&mut out, *signed);
            }
            let mut bytes = Bytes(&out);
            for (number, signed) in &numbers {
                prop_assert_eq!(bytes.number().unwrap(), *number);
                prop_assert_eq!(bytes.signed().unwrap(), *signed);
            }
            prop_assert!(bytes.is_empty());
        }

        #[test]
        fn any_bytes_can_be_looked_at(data: Vec<u8>) {
            let mut bytes = Bytes(&data);
            while !bytes.is_empty() {
                if bytes.number().is_err() {
                    break;
                }
            }
        }
    }
}
