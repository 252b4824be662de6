//! Pictures that come with a message: files the person named.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use louver_context::picture::{MAX_BYTES, Picture};

use crate::problem::Problem;

/// The pictures that can be sent, and what is wrong with the others.
pub fn read(paths: &[impl AsRef<Path>]) -> (Vec<Arc<Picture>>, Vec<Problem>) {
    let mut pictures = Vec::new();
    let mut problems = Vec::new();
    for path in paths.iter().map(AsRef::as_ref) {
        match read_one(path) {
            Ok(picture) => pictures.push(Arc::new(picture)),
            Err(what) => {
                let problem = Problem::warning(path.display().to_string(), what);
                problems.push(problem.hint("a PNG, JPEG, GIF or WebP can be sent"));
            }
        }
    }
    (pictures, problems)
}

fn read_one(path: &Path) -> Result<Picture, String> {
    let bytes = bytes(path).map_err(|error| error.to_string())?;
    Picture::from_bytes(&bytes).map_err(|error| error.to_string())
}

/// The file's bytes. A pipe or a device could keep us waiting for ever, so only files are read.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let kind = std::fs::metadata(path)?;
    if !kind.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
