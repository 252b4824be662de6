//! What a server answers to a call → what a model reads of it.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};

use super::config::Secrets;
use super::offer::visible;
use crate::tools::Output;

/// As many bytes of a result as are kept: longer ones no model reads, and no log should hold.
const LONGEST: usize = 1_000_000;

/// A call's result. All that the server said is data.
pub(super) fn output(
    server: &str,
    tool: &str,
    result: &CallToolResult,
    secrets: &Secrets,
) -> Output {
    let mut text = result.content.iter().map(part).collect::<Vec<_>>().join("\n");
    if text.is_empty()
        && let Some(structured) = &result.structured_content
    {
        text = structured.to_string();
    }
    let (data, cut) = capped(secrets.hide(text));
    let failed = result.is_error == Some(true);
    let mut words = match (failed, data.is_empty()) {
        (true, true) => {
            format!("`{tool}` of the MCP server `{server}` failed and does not say why")
        }
        (true, false) => format!("`{tool}` of the MCP server `{server}` failed; it says:"),
        (false, true) => "it is done; the server had nothing to say".to_owned(),
        (false, false) => String::new(),
    };
    if let Some(whole) = cut {
        words.push_str(&format!(
            "{}the result has {whole} bytes, of which only the first {} are kept (what is not shown of them, \
             `expand` shows); for the rest ask for less at once",
            if words.is_empty() { "" } else { " " },
            data.len(),
        ));
    }
    let data = Some(data).filter(|data| !data.is_empty());
    Output { words, data, failed, ..Output::default() }
}

/// One part as text. What is no text is described.
fn part(part: &ContentBlock) -> String {
    match part {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => unseen("picture", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => unseen("sound", &audio.mime_type, &audio.data),
        ContentBlock::Resource(embedded) => resource(&embedded.resource),
        ContentBlock::ResourceLink(link) => {
            let description = link.description.as_deref().unwrap_or_default();
            let about =
                if description.is_empty() { String::new() } else { format!(": {description}") };
            format!("[a link to {} ({}){about}]", link.uri, link.name)
        }
        _ => "[a part of a kind that louver does not know]".to_owned(),
    }
}

fn resource(resource: &ResourceContents) -> String {
    match resource {
        ResourceContents::TextResourceContents { uri, text, .. } => format!("[{uri}]\n{text}"),
        ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
            let kind = mime_type.as_deref().unwrap_or("unknown kind");
            format!("[{uri}] {}", unseen("file", kind, blob))
        }
        _ => "[a resource of a kind that louver does not know]".to_owned(),
    }
}

/// What stands for something that is sent as base64.
fn unseen(what: &str, kind: &str, base64: &str) -> String {
    let padding = base64.bytes().rev().take_while(|&byte| byte == b'=').count();
    let bytes = (base64.len() / 4 * 3).saturating_sub(padding);
    format!("[a {what}, {}, {bytes} bytes, not shown]", visible(kind, 64))
}

/// The text, and how long it was if that is too long.
fn capped(mut text: String) -> (String, Option<usize>) {
    if text.len() <= LONGEST {
        return (text, None);
    }
    let whole = text.len();
    text.truncate(text.floor_char_boundary(LONGEST));
    (text, Some(whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answered(result: serde_json::Value) -> Output {
        let result = serde_json::from_value(result).unwrap();
        output("files", "read", &result, &Secrets::default())
    }

    #[test]
    fn parts_become_text_in_their_order() {
        let output = answered(json!({"content": [
            {"type": "text", "text": "one"},
            {"type": "image", "mimeType": "image/png", "data": "AAAAAA=="},
            {"type": "audio", "mimeType": "audio/wav", "data": "AAAA"},
            {"type": "resource", "resource": {"uri": "a://b", "text": "two"}},
            {"type": "resource", "resource": {"uri": "a://c", "mimeType": "x/y", "blob": "AAAA"}},
            {"type": "resource_link", "uri": "a://d", "name": "d", "description": "the fourth"},
        ]}));
        let expected = "one\n[a picture, image/png, 4 bytes, not shown]\n\
            [a sound, audio/wav, 3 bytes, not shown]\n[a://b]\ntwo\n\
            [a://c] [a file, x/y, 3 bytes, not shown]\n[a link to a://d (d): the fourth]";
        assert_eq!(output, Output::said("").with(expected));
    }

    #[test]
    fn structure_is_shown_when_there_is_no_text() {
        let both =
            json!({"content": [{"type": "text", "text": "t"}], "structuredContent": {"a": 1}});
        assert_eq!(answered(both).data.unwrap(), "t");
        let alone = json!({"content": [], "structuredContent": {"a": 1}});
        assert_eq!(answered(alone).data.unwrap(), r#"{"a":1}"#);
    }

    #[test]
    fn a_failure_and_an_empty_answer_are_said() {
        let failed =
            answered(json!({"isError": true, "content": [{"type": "text", "text": "no"}]}));
        let words = "`read` of the MCP server `files` failed; it says:";
        assert_eq!(failed, Output::failed(words).with("no"));
        assert!(answered(json!({"isError": true, "content": []})).failed);
        let empty = answered(json!({"content": []}));
        assert_eq!(empty, Output::said("it is done; the server had nothing to say"));
    }

    #[test]
    fn a_long_result_is_cut_between_characters() {
        let text = format!("x{}", "ä".repeat(LONGEST));
        let output = answered(json!({"content": [{"type": "text", "text": text}]}));
        assert_eq!(output.data.unwrap().len(), LONGEST - 1);
        assert_eq!(
            output.words,
            "the result has 2000001 bytes, of which only the first 999999 are kept (what is not shown of \
             them, `expand` shows); for the rest ask for less at once"
        );
    }
}
