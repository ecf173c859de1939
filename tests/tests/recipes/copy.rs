//! A copy of the tree, and edits of it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Text that is put into a file.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    /// The file, from the root.
    pub(crate) file: &'static str,
    /// What it is put before, each place where it stands; the whole file where this is empty.
    pub(crate) before: &'static str,
    /// What is put there.
    pub(crate) text: String,
}

/// Text before a place.
pub(crate) fn edit(file: &'static str, before: &'static str, text: &str) -> Edit {
    Edit {
        file,
        before,
        text: text.to_string(),
    }
}

/// The tree, as it is and as it lies in the copy.
pub(crate) struct Copy {
    root: PathBuf,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Copy {
    /// What is in the tree now, apart from what is built.
    pub(crate) fn new() -> Copy {
        let root = root();
        let mut files = BTreeMap::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(root.join(&folder)).expect("a folder of the tree") {
                let entry = entry.expect("an entry of a folder");
                let path = folder.join(entry.file_name());
                let hidden = entry.file_name().to_string_lossy().starts_with('.');
                if hidden || entry.file_name() == OsStr::new("target") {
                    continue;
                }
                match entry.file_type().expect("what it is").is_dir() {
                    true => folders.push(path),
                    false => {
                        let text = fs::read(root.join(&path)).expect("a file of the tree");
                        files.insert(path, text);
                    }
                }
            }
        }
        Copy { root, files }
    }

    /// Checks the copy after some edits.
    ///
    /// # Errors
    ///
    /// What the compiler says where it does not build.
    pub(crate) fn check(&mut self, edits: &[Edit], args: &[&str]) -> Result<(), String> {
        let mut files = self.files.clone();
        // Two trees in one `target` are told apart by their versions, and not by where they lie.
        let manifest = files.get_mut(Path::new("Cargo.toml")).expect("a workspace");
        let text = String::from_utf8(std::mem::take(manifest)).expect("text");
        let (ours, theirs) = versions();
        assert!(text.contains(&ours), "the workspace has its version");
        *manifest = text.replace(&ours, &theirs).into_bytes();
        for edit in edits {
            let text = files.entry(edit.file.into()).or_default();
            if edit.before.is_empty() {
                *text = edit.text.clone().into_bytes();
                continue;
            }
            let old = String::from_utf8(std::mem::take(text)).expect("text");
            assert!(
                old.contains(edit.before),
                "{} has no\n{}",
                edit.file,
                edit.before
            );
            let new = format!("{}{}", edit.text, edit.before);
            *text = old.replace(edit.before, &new).into_bytes();
        }
        let tree = self.root.join("target/recipes");
        write(&tree, &files);
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .current_dir(&tree)
            .args([
                "check",
                "--offline",
                "--message-format=short",
                "--target-dir",
            ])
            .arg(self.root.join("target"))
            .args(args)
            .output()
            .expect("cargo runs");
        match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }
}

/// Makes a folder hold these files and no others. What is the same is left alone, so that it is not built again.
fn write(folder: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) {
    remove_others(folder, Path::new(""), files);
    for (path, text) in files {
        let path = folder.join(path);
        if fs::read(&path).is_ok_and(|old| old == *text) {
            continue;
        }
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder");
        fs::write(path, text).expect("a file of the copy");
    }
}

fn remove_others(root: &Path, folder: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) {
    let Ok(entries) = fs::read_dir(root.join(folder)) else {
        return;
    };
    for entry in entries {
        let entry = entry.expect("an entry of a folder");
        let path = folder.join(entry.file_name());
        match entry.file_type().expect("what it is").is_dir() {
            true => remove_others(root, &path, files),
            false if files.contains_key(&path) => {}
            false => fs::remove_file(entry.path()).expect("a file of the copy"),
        }
    }
}

/// The line of the workspace's version, and another that fits what asks for the first.
fn versions() -> (String, String) {
    let line = |version: &str| format!("version = \"{version}\"\nedition");
    let (series, _) = env!("CARGO_PKG_VERSION")
        .rsplit_once('.')
        .expect("three numbers");
    (
        line(env!("CARGO_PKG_VERSION")),
        line(&format!("{series}.999")),
    )
}

fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("it is in a workspace").to_path_buf()
}
