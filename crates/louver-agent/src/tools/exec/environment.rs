//! What of our environment a program gets to see: little, and nothing that looks like a key.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What every program gets, if we have it.
const PLAIN: [&str; 8] = ["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "TZ", "USER", "SHELL"];

/// Parts of names of variables that hold keys.
const SECRET_NAMES: [&str; 7] = ["KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "COOKIE", "AUTH"];

/// How keys begin.
const SECRET_VALUES: [&str; 9] =
    ["sk-", "sk_", "ghp_", "gho_", "github_pat_", "xox", "AKIA", "AIza", "-----BEGIN"];

/// The variables for a program, with those that the owner wants passed on.
pub(super) fn scrubbed(
    pass: &[String],
    ours: impl Fn(&str) -> Option<OsString>,
) -> Vec<(String, OsString)> {
    let names = PLAIN.into_iter().chain(pass.iter().map(String::as_str));
    let named = names.filter_map(|name| Some((name.to_owned(), ours(name)?)));
    let mut variables: Vec<_> =
        named.filter(|(name, value)| !looks_secret(name, value.as_encoded_bytes())).collect();
    variables.push(("TERM".into(), "dumb".into()));
    variables
}

/// Whether a variable looks as if it held a key. Such a one is not passed on, even if it is asked for.
pub(super) fn looks_secret(name: &str, value: &[u8]) -> bool {
    let upper = name.to_uppercase();
    SECRET_NAMES.iter().any(|part| upper.contains(part))
        || SECRET_VALUES.iter().any(|start| value.starts_with(start.as_bytes()))
}

/// The folders that programs are looked for in. Those named from where one happens to be are left out.
pub(super) fn path_folders(path: Option<OsString>) -> Vec<PathBuf> {
    let usual = || OsString::from("/usr/local/bin:/usr/bin:/bin");
    let path = path.filter(|path| !path.is_empty()).unwrap_or_else(usual);
    std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect()
}

/// Folders in a home folder that hold programs and nothing else. A folder of `PATH` in one of them is
/// of no use without the rest of it.
const TOOLCHAINS: [&str; 9] =
    [".asdf", ".bun", ".deno", ".nvm", ".pyenv", ".rbenv", ".rustup", ".sdkman", ".volta"];

/// What of these folders may be read: not the home folder as a whole, nor one it is in.
pub(super) fn readable(folders: &[PathBuf], home: Option<&Path>) -> Vec<PathBuf> {
    let home = home.and_then(|home| home.canonicalize().ok());
    let fine = |folder: &PathBuf| {
        let folder = folder.canonicalize().ok()?;
        let holds_home = home.as_ref().is_some_and(|home| home.starts_with(&folder));
        if holds_home || folder.parent().is_none() {
            return None;
        }
        let mut toolchains = TOOLCHAINS.iter().filter_map(|name| Some(home.as_ref()?.join(name)));
        let whole = toolchains.find(|toolchain| folder.starts_with(toolchain));
        Some(whole.unwrap_or(folder))
    };
    folders.iter().filter_map(fine).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_harmless_is_passed_on() {
        let ours = |name: &str| match name {
            "LANG" => Some("sk-ant-secret".into()),
            name => Some(OsString::from(format!("value of {name}"))),
        };
        let pass = ["EDITOR", "OPENAI_API_KEY", "Github_Token", "DB_PASSWORD"].map(String::from);
        let names: Vec<String> = scrubbed(&pass, ours).into_iter().map(|(name, _)| name).collect();
        let wanted =
            ["HOME", "LC_ALL", "LC_CTYPE", "LOGNAME", "TZ", "USER", "SHELL", "EDITOR", "TERM"];
        assert_eq!(names, wanted);
    }

    #[test]
    fn a_path_that_would_open_the_home_folder_is_not_readable() {
        let home = tempfile::TempDir::new().unwrap();
        let home = home.path().canonicalize().unwrap();
        let (bin, shims) = (home.join("bin"), home.join(".pyenv/shims"));
        std::fs::create_dir(&bin).unwrap();
        std::fs::create_dir_all(&shims).unwrap();
        let path = [Path::new("/"), &home, &bin, &shims, Path::new("./x")];
        let folders = path_folders(Some(std::env::join_paths(path).unwrap()));
        assert_eq!(folders.len(), 4);
        assert_eq!(readable(&folders, Some(&home)), [bin, home.join(".pyenv")]);
    }
}
