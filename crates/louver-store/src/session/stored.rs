//! A message as it is kept: the JSON that providers know, with pictures beside it.
//!
//! What comes back is what was stored, byte for byte, because what was sent is what is replayed.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use louver_context::message::BadMessage;
use louver_context::render::openai;
use louver_context::{Content, Message, Part, Picture};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::blob::Blobs;
use super::error::SessionError;

/// A message as it is kept. One is had from a session, which puts the pictures away.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Stored(pub(super) Value);

/// Where a picture is, and what else it takes to have the same one back.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PictureRef {
    /// The handle of its bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    /// Its kind, when the bytes are the picture itself. Otherwise they are its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime: Option<String>,
    /// Its address, when it is on the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Width and height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<(u32, u32)>,
    /// The detail that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// The `type` of a part that stands for a picture, and of one that stands for any other part.
const PICTURE: &str = "louver_picture";
const OTHER: &str = "louver_part";

/// A part that louver does not know (audio, a document) is put away when its JSON is longer.
const LONG_PART: usize = 16 * 1024;

impl Stored {
    /// The JSON, with references where the pictures were.
    pub fn json(&self) -> &Value {
        &self.0
    }

    /// Puts a message's pictures away.
    pub(super) fn keep(message: &Message, blobs: &Blobs) -> Result<Stored, SessionError> {
        let Content::Parts(parts) = &message.content else {
            return Ok(Stored(openai::stored(message)));
        };
        let parts: Result<_, _> = parts.iter().map(|part| keep_part(part, blobs)).collect();
        let mut light = Message::new(message.role, Content::Parts(parts?));
        light.calls.clone_from(&message.calls);
        light.answers.clone_from(&message.answers);
        light.name.clone_from(&message.name);
        light.reasoning.clone_from(&message.reasoning);
        light.extra.clone_from(&message.extra);
        Ok(Stored(openai::stored(&light)))
    }

    /// The words of it, without pictures and calls.
    pub fn text(&self) -> Option<String> {
        let message = self.light().ok()?;
        let texts: Vec<&str> = message.texts().map(|text| &**text).collect();
        Some(texts.join("\n"))
    }

    /// The message, with references where the pictures were.
    pub(super) fn light(&self) -> Result<Message, BadMessage> {
        Message::from_openai(&self.0)
    }
}

impl PictureRef {
    /// Puts a picture away.
    pub(super) fn keep(picture: &Picture, blobs: &Blobs) -> Result<PictureRef, SessionError> {
        let mut kept = PictureRef {
            size: picture.size,
            detail: picture.detail.as_deref().map(str::to_owned),
            ..PictureRef::default()
        };
        if !picture.url.starts_with("data:") {
            kept.url = Some((*picture.url).to_owned());
            return Ok(kept);
        }
        // Base64 that we would write otherwise (line breaks, no padding) is kept as it came.
        let exact = picture.data().and_then(|(mime, data)| {
            let bytes = STANDARD.decode(data).ok()?;
            Some((mime, bytes))
        });
        match exact {
            Some((mime, bytes)) => {
                kept.mime = Some(mime.to_owned());
                kept.blob = Some(blobs.put(&bytes)?);
            }
            None => kept.blob = Some(blobs.put(picture.url.as_bytes())?),
        }
        Ok(kept)
    }

    /// The picture again.
    pub(super) fn picture(&self, blobs: &Blobs) -> Result<Picture, SessionError> {
        let url = match (&self.blob, &self.mime, &self.url) {
            (Some(blob), Some(mime), _) => {
                let mut url = format!("data:{mime};base64,");
                STANDARD.encode_string(blobs.read(blob)?, &mut url);
                url
            }
            (Some(blob), None, _) => String::from_utf8(blobs.read(blob)?)
                .map_err(|_| SessionError::BadBlob { handle: blob.clone() })?,
            (None, _, Some(url)) => url.clone(),
            (None, _, None) => return Err(SessionError::NoBlob { handle: String::new() }),
        };
        let detail = self.detail.as_deref().map(Arc::from);
        Ok(Picture { url: url.into(), size: self.size, detail })
    }

    /// As a part of a light message.
    pub(super) fn part(&self) -> Part {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        if let Value::Object(fields) = &mut value {
            fields.shift_insert(0, "type".into(), PICTURE.into());
        }
        Part::Other(value)
    }
}

fn keep_part(part: &Part, blobs: &Blobs) -> Result<Part, SessionError> {
    match part {
        Part::Text(text) => Ok(Part::Text(text.clone())),
        Part::Picture(picture) => Ok(PictureRef::keep(picture, blobs)?.part()),
        Part::Other(value) => {
            // What only looks like a reference is put away too, so that a reference is always ours.
            let json = value.to_string();
            let ours = kind(value).is_some_and(|kind| kind == PICTURE || kind == OTHER);
            if !ours && json.len() <= LONG_PART {
                return Ok(Part::Other(value.clone()));
            }
            let blob = blobs.put(json.as_bytes())?;
            Ok(Part::Other(serde_json::json!({"type": OTHER, "blob": blob})))
        }
    }
}

fn kind(value: &Value) -> Option<&str> {
    value.get("type").and_then(Value::as_str)
}

/// Whether a light message lacks something that was put away.
pub(super) fn is_light(message: &Message) -> bool {
    let Content::Parts(parts) = &message.content else { return false };
    parts.iter().any(|part| match part {
        Part::Other(value) => matches!(kind(value), Some(PICTURE | OTHER)),
        _ => false,
    })
}

/// A light message with everything back in its place. What cannot be had is replaced by a word
/// about it, and its error is handed to `lost`.
pub(super) fn whole(
    message: &Message,
    blobs: &Blobs,
    lost: &mut impl FnMut(SessionError),
) -> Message {
    let mut message = message.clone();
    let Content::Parts(parts) = &mut message.content else { return message };
    for part in parts {
        let Part::Other(value) = &*part else { continue };
        let found = match kind(value) {
            Some(PICTURE) => picture_in(value, blobs),
            Some(OTHER) => other_in(value, blobs),
            _ => continue,
        };
        *part = found.unwrap_or_else(|error| {
            let text = format!("[a part of this message is lost: {error}]");
            lost(error);
            Part::Text(text.into())
        });
    }
    message
}

fn picture_in(value: &Value, blobs: &Blobs) -> Result<Part, SessionError> {
    let kept: PictureRef = PictureRef::deserialize(value).map_err(SessionError::NotJson)?;
    Ok(Part::Picture(Arc::new(kept.picture(blobs)?)))
}

fn other_in(value: &Value, blobs: &Blobs) -> Result<Part, SessionError> {
    let handle = value.get("blob").and_then(Value::as_str).unwrap_or_default();
    let bytes = blobs.read(handle)?;
    serde_json::from_slice(&bytes).map(Part::Other).map_err(SessionError::NotJson)
}

#[cfg(test)]
mod tests {
    use super::*;
    use louver_context::Role;
    use serde_json::json;

    fn round(message: &Message) -> (Stored, Message) {
        let dir = tempfile::TempDir::new().unwrap();
        let blobs = Blobs::new(dir.path().join("blobs"));
        let stored = Stored::keep(message, &blobs).unwrap();
        let light = stored.light().unwrap();
        let mut lost = |error| panic!("{error}");
        (stored, whole(&light, &blobs, &mut lost))
    }

    fn picture(url: &str) -> Part {
        Part::Picture(Arc::new(Picture::from_url(url, None)))
    }

    #[test]
    fn pictures_come_back_byte_for_byte_and_are_not_in_the_json() {
        let urls = [
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAoAAAAGQCAIAAAAAAAAA",
            "data:image/png;base64,iVBORw0KGgo=",
            "data:image/png;base64,iVBORw0KGgo",
            "data:image/png;base64,iVBORw0K\nGgo=",
            "data:image/svg+xml;utf8,<svg>iVBORw0KGgo</svg>",
            "data:;base64,",
            "https://example.org/a.png",
            "blob:0123",
        ];
        let mut parts: Vec<Part> = urls.iter().map(|url| picture(url)).collect();
        let sized =
            Picture { url: "https://x/".into(), size: Some((3, 4)), detail: Some("low".into()) };
        parts.push(Part::Picture(Arc::new(sized)));
        parts.push(Part::Text("what is this?".into()));
        let message = Message::new(Role::User, Content::Parts(parts));
        let (stored, back) = round(&message);
        assert_eq!(back, message);
        assert!(!stored.json().to_string().contains("VBORw0K"));
    }

    #[test]
    fn long_parts_and_those_that_look_like_ours_come_back() {
        let parts = vec![
            Part::Other(json!({"type": "input_audio", "data": "x".repeat(50_000)})),
            Part::Other(json!({"type": "louver_picture", "url": "https://evil/"})),
            Part::Other(json!({"type": "louver_part", "blob": "../../etc/passwd"})),
            Part::Other(json!({"type": "document", "n": 1})),
        ];
        let message = Message::new(Role::User, Content::Parts(parts));
        let (stored, back) = round(&message);
        assert_eq!(back, message);
        assert!(stored.json().to_string().len() < 400);
    }

    #[test]
    fn a_lost_picture_costs_that_picture() {
        let dir = tempfile::TempDir::new().unwrap();
        let blobs = Blobs::new(dir.path().join("blobs"));
        let parts = vec![picture("data:image/png;base64,AAAA"), Part::Text("hm".into())];
        let message = Message::new(Role::User, Content::Parts(parts));
        let light = Stored::keep(&message, &blobs).unwrap().light().unwrap();
        std::fs::remove_dir_all(dir.path().join("blobs")).unwrap();
        let mut errors = Vec::new();
        let back = whole(&light, &blobs, &mut |error| errors.push(error.to_string()));
        assert_eq!(errors.len(), 1);
        let texts: Vec<_> = back.texts().collect();
        assert!(texts[0].starts_with("[a part of this message is lost: nothing is kept as"));
        assert_eq!(&**texts[1], "hm");
    }
}
