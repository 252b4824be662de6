//! What a path leads to when links are followed, whether or not anything is there.

use std::path::{Path, PathBuf};

/// So many links are followed, as the kernel does.
const MOST: usize = 40;

/// Where writing to a path would end up. A link to nothing counts as what it names: writing would make that.
pub(crate) fn leads_to(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST {
        if let Ok(there) = path.canonicalize() {
            return there;
        }
        let Ok(target) = path.read_link() else { break };
        path = path.parent().unwrap_or(Path::new("/")).join(target);
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if folder != path => leads_to_folder(folder).join(name),
        _ => path,
    }
}

/// The same for a folder that may have to be made.
fn leads_to_folder(folder: &Path) -> PathBuf {
    let there = folder.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    let Some((above, there)) = there else { return folder.to_owned() };
    there.join(folder.strip_prefix(above).unwrap_or(Path::new("")))
}
