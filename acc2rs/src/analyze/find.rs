//! Which files to analyse: `*.c` in folders, and what `compile_commands.json` lists with its options.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::preprocess::Preprocessor;

/// A file, and how to preprocess it.
#[derive(Clone, Debug)]
pub struct Input {
    /// The C file.
    pub path: PathBuf,
    /// With the command line's options first, then the database's.
    pub how: Preprocessor,
    /// What it belongs to with the other files of one program: its folder, or the database that lists it.
    pub group: PathBuf,
}

/// An entry of a compilation database, as clang documents the format.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    command: String,
    #[serde(default)]
    arguments: Vec<String>,
}

/// The name of a compilation database.
const DATABASE: &str = "compile_commands.json";

/// The files that the paths stand for, each once, in the order of the paths and sorted in folders.
///
/// A folder that holds a `compile_commands.json` at its top is what the database lists, and every
/// other `*.c` below it; the database may also be named itself.
///
/// # Errors
///
/// A sentence: a path does not exist, or a database cannot be read.
pub fn inputs(paths: &[PathBuf], how: &Preprocessor) -> Result<Vec<Input>, String> {
    let mut out = Found::default();
    for path in paths {
        if path.is_dir() {
            let listed = path.join(DATABASE);
            if listed.is_file() {
                database(&listed, how, &mut out)?;
            }
            folder(path, how, &mut out)?;
        } else if path.file_name().is_some_and(|n| n == DATABASE) {
            database(path, how, &mut out)?;
        } else if path.exists() {
            let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
            out.add(path.clone(), how.clone(), folder);
        } else {
            return Err(format!("there is no file or folder `{}`", path.display()));
        }
    }
    Ok(out.inputs)
}

/// The files found so far, and their real paths.
#[derive(Default)]
struct Found {
    inputs: Vec<Input>,
    seen: HashSet<PathBuf>,
}

impl Found {
    fn add(&mut self, path: PathBuf, how: Preprocessor, group: PathBuf) {
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        if self.seen.insert(real) {
            self.inputs.push(Input { path, how, group });
        }
    }
}

fn folder(path: &Path, how: &Preprocessor, out: &mut Found) -> Result<(), String> {
    let said = |e: std::io::Error| format!("cannot read the folder `{}`: {e}", path.display());
    let mut entries = std::fs::read_dir(path)
        .map_err(said)?
        .collect::<Result<Vec<_>, _>>()
        .map_err(said)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(said)?;
        let inner = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        // Links to folders are not followed: they may lead in a circle.
        if kind.is_dir() && !hidden {
            folder(&inner, how, out)?;
        } else if !kind.is_dir() && inner.extension().is_some_and(|e| e == "c") {
            out.add(inner, how.clone(), path.to_path_buf());
        }
    }
    Ok(())
}

fn database(path: &Path, how: &Preprocessor, out: &mut Found) -> Result<(), String> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| format!("cannot read `{}`: {e}", path.display()))?;
    let entries: Vec<Entry> = serde_json::from_str(&text)
        .map_err(|e| format!("`{}` is no compilation database: {e}", path.display()))?;
    // A relative directory is meant from where the database stands.
    let base = path.parent().unwrap_or(Path::new("."));
    for entry in entries {
        if entry.file.extension().is_none_or(|e| e != "c") {
            continue;
        }
        let directory = base.join(&entry.directory);
        let words = if entry.arguments.is_empty() {
            words(&entry.command)
        } else {
            entry.arguments
        };
        let mut own = how.clone();
        options(&words, &directory, &mut own);
        out.add(directory.join(&entry.file), own, path.to_path_buf());
    }
    Ok(())
}

/// Takes `-I`, `-isystem`, `-iquote` and `-D` over, joined to their values or not.
fn options(words: &[String], directory: &Path, how: &mut Preprocessor) {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let found = ["-isystem", "-iquote", "-I", "-D"]
            .into_iter()
            .find_map(|option| Some((option, word.strip_prefix(option)?)));
        let Some((option, joined)) = found else {
            continue;
        };
        let value = if joined.is_empty() {
            rest.next().cloned().unwrap_or_default()
        } else {
            joined.to_string()
        };
        if option == "-D" {
            how.define.push(value);
        } else {
            how.include.push(directory.join(value));
        }
    }
}

/// The words of a command as a shell splits it: quotes and backslashes, no expansions.
fn words(command: &str) -> Vec<String> {
    let (mut out, mut word, mut quote, mut started) = (Vec::new(), String::new(), None, false);
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => {
                word.extend(chars.next());
                started = true;
            }
            ('"' | '\'', None) => {
                quote = Some(c);
                started = true;
            }
            (c, Some(q)) if c == q => quote = None,
            (c, None) if c.is_whitespace() => {
                if std::mem::take(&mut started) {
                    out.push(std::mem::take(&mut word));
                }
            }
            (c, _) => {
                word.push(c);
                started = true;
            }
        }
    }
    if started {
        out.push(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_split_as_in_a_shell() {
        let split = words(r#"cc -DA='x y' "-DB=\"q\"" -I inc  a\ b.c"#);
        assert_eq!(split, ["cc", "-DA=x y", "-DB=\"q\"", "-I", "inc", "a b.c"]);
    }

    #[test]
    fn options_are_taken_over() {
        let mut how = Preprocessor::default();
        let given = ["cc", "-Iinc", "-D", "N=4", "-isystem", "/sys", "-O2", "-DM"];
        options(&given.map(String::from), Path::new("/d"), &mut how);
        assert_eq!(how.define, ["N=4", "M"]);
        assert_eq!(how.include, [Path::new("/d/inc"), Path::new("/sys")]);
    }
}
