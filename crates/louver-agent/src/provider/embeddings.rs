//! Embeddings in OpenAI's form: texts out, a vector for each back. Nearly every server has it.

use serde::Deserialize;
use serde_json::json;

use super::{Endpoint, Request, Trouble};

/// No sentence model has longer vectors; what is longer is something else.
const MOST_NUMBERS: usize = 16_384;

/// The request for the vectors of some texts.
pub fn request(endpoint: &Endpoint, model: &str, texts: &[&str]) -> Request {
    let body = json!({"model": model, "input": texts});
    let url = endpoint.url("embeddings");
    Request { url, headers: endpoint.all_headers(), body: body.to_string().into_bytes() }
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    index: Option<usize>,
    embedding: Vec<f32>,
}

/// The vectors in an answer, in the order of the texts: as many as these, and all of one length.
pub fn read(body: &[u8], texts: usize) -> Result<Vec<Vec<f32>>, Trouble> {
    let wrong = |said: String| Trouble::Malformed { said };
    let answer: Answer = serde_json::from_slice(body)
        .map_err(|error| wrong(format!("it is no list of vectors ({error})")))?;
    if answer.data.len() != texts {
        return Err(wrong(format!("it has {} vectors for {texts} texts", answer.data.len())));
    }
    let mut vectors = vec![Vec::new(); texts];
    for (at, row) in answer.data.into_iter().enumerate() {
        let at = row.index.unwrap_or(at);
        match vectors.get_mut(at) {
            Some(place) if place.is_empty() => *place = row.embedding,
            _ => return Err(wrong(format!("it has no vector, or two, for text {at}"))),
        }
    }
    let numbers = vectors.first().map_or(0, Vec::len);
    for vector in &vectors {
        if vector.is_empty() || vector.len() > MOST_NUMBERS {
            return Err(wrong(format!("a vector of it has {} numbers", vector.len())));
        }
        if vector.len() != numbers {
            let other = vector.len();
            return Err(wrong(format!("its vectors have {numbers} numbers, and {other}")));
        }
    }
    Ok(vectors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::Wire;

    fn said(body: &str, texts: usize) -> String {
        match read(body.as_bytes(), texts) {
            Err(Trouble::Malformed { said }) => said,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn texts_go_out_in_one_request() {
        let base = "http://127.0.0.1:1/v1/";
        let endpoint = Endpoint::custom("mine", Wire::OpenAi, base, Some("a-key".into()));
        let request = request(&endpoint, "small", &["one", "two"]);
        assert_eq!(request.url, "http://127.0.0.1:1/v1/embeddings");
        assert_eq!(request.body, br#"{"model":"small","input":["one","two"]}"#);
        assert_eq!(request.headers[1].0, "authorization");
    }

    #[test]
    fn vectors_come_back_in_the_order_of_the_texts() {
        let body = r#"{"object":"list","data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[1,-2.5]}]}"#;
        assert_eq!(read(body.as_bytes(), 2).unwrap(), [[1.0, -2.5], [3.0, 4.0]]);
        let body = r#"{"data":[{"embedding":[1]},{"embedding":[2]}]}"#;
        assert_eq!(read(body.as_bytes(), 2).unwrap(), [[1.0], [2.0]]);
    }

    #[test]
    fn an_answer_of_the_wrong_shape_is_told_in_words() {
        let one = r#"{"data":[{"index":0,"embedding":[1,2]}]}"#;
        assert_eq!(said(one, 2), "it has 1 vectors for 2 texts");
        let twice = r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[2]}]}"#;
        assert_eq!(said(twice, 2), "it has no vector, or two, for text 0");
        let far = r#"{"data":[{"index":7,"embedding":[1]}]}"#;
        assert_eq!(said(far, 1), "it has no vector, or two, for text 7");
        let uneven = r#"{"data":[{"embedding":[1,2]},{"embedding":[2]}]}"#;
        assert_eq!(said(uneven, 2), "its vectors have 2 numbers, and 1");
        let empty = r#"{"data":[{"embedding":[]}]}"#;
        assert_eq!(said(empty, 1), "a vector of it has 0 numbers");
        for strange in [
            "",
            "[]",
            "{}",
            r#"{"data":[{"embedding":"AAAA"}]}"#,
            r#"{"data":[{"embedding":[null]}]}"#,
            r#"{"data":[{"embedding":[1e99]}]}"#,
        ] {
            assert!(said(strange, 1).starts_with("it is no list of vectors ("), "{strange}");
        }
    }
}
