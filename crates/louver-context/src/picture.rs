//! Pictures: what kind, how large, and what they cost.
//!
//! The kind comes from the first bytes and not from the file's name, and the size from the header,
//! so that a wrong extension or an absurd header is seen before a provider is paid to see it.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use imagesize::ImageType;

use crate::tokens::Tokens;

/// A side longer than this is refused by every provider we know.
pub const MAX_SIDE: u32 = 16_384;

/// The largest picture file louver sends; providers stop between 5 and 20 MB.
pub const MAX_BYTES: usize = 20 * 1024 * 1024;

/// A picture as it travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// A data URL, or the address of a picture on the web.
    pub url: Arc<str>,
    /// Width and height, when they are known.
    pub size: Option<(u32, u32)>,
    /// The detail that was asked for: `low`, `high` or `auto`.
    pub detail: Option<Arc<str>>,
}

/// A file that cannot be sent as a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPicture {
    /// Its first bytes are those of no picture that models read.
    #[error("not a picture that models read (PNG, JPEG, GIF or WebP)")]
    Unknown,
    /// The header does not hold a size.
    #[error("the picture is cut off: its header has no size")]
    Truncated,
    /// The header claims a size that no provider takes.
    #[error("the picture is {width} × {height} pixels; the longest side may be {MAX_SIDE}")]
    TooLarge {
        /// Claimed width.
        width: usize,
        /// Claimed height.
        height: usize,
    },
    /// The file is too big to send.
    #[error("the picture has more than {MAX_BYTES} bytes, the most that can be sent")]
    TooHeavy,
}

impl Picture {
    /// Reads a picture's kind and size and makes it ready to travel as a data URL.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadPicture> {
        if bytes.len() > MAX_BYTES {
            return Err(BadPicture::TooHeavy);
        }
        let mime = mime(bytes).ok_or(BadPicture::Unknown)?;
        let (width, height) = size(bytes)?;
        let mut url = format!("data:{mime};base64,");
        STANDARD.encode_string(bytes, &mut url);
        Ok(Picture { url: url.into(), size: Some((width, height)), detail: None })
    }

    /// A picture that came with a message. The size is read when the data is in the address.
    pub fn from_url(url: &str, detail: Option<&str>) -> Self {
        // A header never needs more than this, except for photographs with large previews in them.
        const HEADER: usize = 256 * 1024;
        let size = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")).and_then(
            |(_, data)| {
                let data = &data.as_bytes()[..data.len().min(HEADER)];
                let bytes = STANDARD.decode(&data[..data.len() / 4 * 4]).ok()?;
                size(&bytes).ok()
            },
        );
        Picture { url: url.into(), size, detail: detail.map(Arc::from) }
    }

    /// The kind and the base64 text of a data URL.
    pub fn data(&self) -> Option<(&str, &str)> {
        self.url.strip_prefix("data:")?.split_once(";base64,")
    }
}

fn mime(bytes: &[u8]) -> Option<&'static str> {
    match imagesize::image_type(bytes).ok()? {
        ImageType::Png => Some("image/png"),
        ImageType::Jpeg => Some("image/jpeg"),
        ImageType::Gif => Some("image/gif"),
        ImageType::Webp => Some("image/webp"),
        _ => None,
    }
}

fn size(bytes: &[u8]) -> Result<(u32, u32), BadPicture> {
    let size = imagesize::blob_size(bytes).map_err(|_| BadPicture::Truncated)?;
    let (width, height) = (size.width, size.height);
    let side = |n: usize| u32::try_from(n).ok().filter(|n| (1..=MAX_SIDE).contains(n));
    match (side(width), side(height)) {
        (Some(width), Some(height)) => Ok((width, height)),
        _ if width == 0 || height == 0 => Err(BadPicture::Truncated),
        _ => Err(BadPicture::TooLarge { width, height }),
    }
}

/// What a picture costs, by the provider's published formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureCost {
    /// OpenAI's tiles: shrunk to fit 2048 × 2048, then to 768 on the short side; a base price and a
    /// price for each tile of 512 × 512. Low detail costs the base price alone.
    Tiles {
        /// The base price.
        base: u32,
        /// The price of a tile.
        tile: u32,
    },
    /// OpenAI's patches of 32 × 32, at most `most`, times a factor in hundredths.
    Patches {
        /// The most patches a picture is cut into.
        most: u32,
        /// The factor, in hundredths.
        percent: u32,
    },
    /// Anthropic's: shrunk to `side` on the long side, then pixels divided by 750.
    Area {
        /// The longest side that is not shrunk.
        side: u32,
    },
    /// A fixed price, for models whose formula is not published.
    Flat(u32),
}

impl PictureCost {
    /// The cost of one picture. One whose size is not known costs what the largest would.
    pub fn of(self, picture: &Picture) -> Tokens {
        let (width, height) = picture.size.unwrap_or((2048, 2048));
        let (width, height) = (f64::from(width), f64::from(height));
        let low = picture.detail.as_deref() == Some("low");
        Tokens(match self {
            PictureCost::Tiles { base, .. } if low => base,
            PictureCost::Tiles { base, tile } => {
                base.saturating_add(tile.saturating_mul(tiles(width, height)))
            }
            PictureCost::Patches { most, percent } => patches(width, height, most, percent),
            PictureCost::Area { side } => {
                let shrink = (f64::from(side) / width.max(height)).min(1.0);
                whole((width * shrink).floor() * (height * shrink).floor() / 750.0).max(1)
            }
            PictureCost::Flat(price) => price,
        })
    }
}

fn tiles(width: f64, height: f64) -> u32 {
    let fit = (2048.0 / width.max(height)).min(1.0);
    let (width, height) = (width * fit, height * fit);
    let short = (768.0 / width.min(height)).min(1.0);
    whole((width * short).round() / 512.0) * whole((height * short).round() / 512.0)
}

fn patches(width: f64, height: f64, most: u32, percent: u32) -> u32 {
    let (across, down) = ((width / 32.0).ceil(), (height / 32.0).ceil());
    let count = whole(across * down).min(most);
    count.saturating_mul(percent).div_ceil(100)
}

/// Rounds up to a whole number. Sides are at most [`MAX_SIDE`], so it always fits.
fn whole(n: f64) -> u32 {
    n.ceil() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_size(width: u32, height: u32) -> Picture {
        Picture { url: "".into(), size: Some((width, height)), detail: None }
    }

    /// A PNG's first 33 bytes, with the size we like.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    }

    #[test]
    fn the_published_examples_come_out() {
        let gpt4o = PictureCost::Tiles { base: 85, tile: 170 };
        assert_eq!(gpt4o.of(&of_size(1024, 1024)), Tokens(765));
        assert_eq!(gpt4o.of(&of_size(2048, 4096)), Tokens(1105));
        let claude = PictureCost::Area { side: 1568 };
        assert_eq!(claude.of(&of_size(200, 200)), Tokens(54));
        assert_eq!(claude.of(&of_size(1000, 1000)), Tokens(1334));
        let mini = PictureCost::Patches { most: 1536, percent: 162 };
        assert_eq!(mini.of(&of_size(1024, 1024)), Tokens(1659));
    }

    #[test]
    fn a_price_beyond_all_numbers_stays_the_largest() {
        let dear = PictureCost::Tiles { base: u32::MAX, tile: u32::MAX };
        assert_eq!(dear.of(&of_size(1024, 1024)), Tokens(u32::MAX));
        let dear = PictureCost::Patches { most: 1536, percent: u32::MAX };
        assert_eq!(dear.of(&of_size(1024, 1024)), Tokens(u32::MAX.div_ceil(100)));
    }

    #[test]
    fn low_detail_costs_the_base_price() {
        let mut picture = of_size(4000, 3000);
        picture.detail = Some("low".into());
        assert_eq!(PictureCost::Tiles { base: 85, tile: 170 }.of(&picture), Tokens(85));
    }

    #[test]
    fn the_kind_and_size_come_from_the_bytes() {
        let picture = Picture::from_bytes(&png(640, 400)).unwrap();
        assert_eq!((picture.size, picture.data().unwrap().0), (Some((640, 400)), "image/png"));
        assert_eq!(Picture::from_url(&picture.url, None).size, Some((640, 400)));
    }

    #[test]
    fn absurd_and_broken_pictures_are_refused() {
        let huge = BadPicture::TooLarge { width: 50_000, height: 50_000 };
        assert_eq!(Picture::from_bytes(&png(50_000, 50_000)), Err(huge));
        assert_eq!(Picture::from_bytes(&png(1, 1)[..18]), Err(BadPicture::Truncated));
        assert_eq!(Picture::from_bytes(b"hello"), Err(BadPicture::Unknown));
        assert_eq!(Picture::from_bytes(b""), Err(BadPicture::Unknown));
    }
}
