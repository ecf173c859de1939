//! A translation as a cargo package on disk: formatted, with the helpers it uses.

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use super::emit::state::Translation;

const HELPERS: &str = concat!(
    include_str!("runtime/c.rs"),
    include_str!("runtime/search.rs"),
    include_str!("runtime/streams.rs")
);

/// Formats a source text that may hold `__comment!` marks.
///
/// # Errors
///
/// The parser's message when the text is not Rust, which is a mistake of acc2rs.
pub fn formatted(text: &str) -> Result<String, String> {
    let pretty = spaced(&restored(&prettyplease::unparse(&parsed(text)?)));
    Ok(rustfmt(&pretty).unwrap_or(pretty))
}

/// The text as it is, if it is Rust.
///
/// # Errors
///
/// Those of [`formatted`].
pub fn read_back(text: &str) -> Result<String, String> {
    parsed(text).map(|_| text.to_string())
}

fn parsed(text: &str) -> Result<syn::File, String> {
    syn::parse_file(text).map_err(|e| {
        let line = text
            .lines()
            .nth(e.span().start().line.saturating_sub(1))
            .unwrap_or("");
        format!("{e} in `{}`", line.trim())
    })
}

/// Marks back into comments.
fn restored(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut pending = String::new();
    for line in text.lines() {
        let trimmed = line.trim_start();
        // A long text breaks over lines: the mark is gathered until it closes.
        if pending.is_empty() && trimmed.starts_with("__comment!") || !pending.is_empty() {
            if pending.is_empty() {
                pending = line[..line.len() - trimmed.len()].to_string() + "\u{0}";
            }
            pending.push_str(trimmed);
            if trimmed.ends_with(");") || trimmed.ends_with('}') || trimmed.ends_with(")") {
                let (indent, mark) = pending.split_once('\u{0}').unwrap_or(("", &pending));
                let inner = mark.find('"').and_then(|open| {
                    mark.rfind('"')
                        .filter(|close| *close > open)
                        .map(|close| &mark[open..=close])
                });
                let comment: String = inner
                    .and_then(|literal| syn::parse_str::<syn::LitStr>(literal).ok())
                    .map_or(String::new(), |l| l.value());
                let _ = writeln!(out, "{}", format!("{indent}// {comment}").trim_end());
                pending.clear();
            }
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// A blank line before each item of several lines, as people set them.
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut previous = "";
    let head = |line: &str| {
        line.starts_with("///")
            || line.starts_with("//") && !line.starts_with("//!")
            || line.starts_with("#[")
    };
    let group = |line: &str| {
        ["use ", "mod ", "const ", "static ", "#![", "//!"]
            .into_iter()
            .find(|p| line.starts_with(p))
    };
    for line in text.lines() {
        let starts_item = !line.is_empty() && !line.starts_with([' ', '}', ')', ']']);
        let same = group(line).is_some() && group(line) == group(previous)
            || group(line) == Some("#![") && group(previous) == Some("//!");
        if starts_item && !previous.is_empty() && !head(previous) && !same {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
        previous = line;
    }
    out
}

fn rustfmt(text: &str) -> Option<String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let text = text.to_string();
    let writer = std::thread::spawn(move || io::Write::write_all(&mut input, text.as_bytes()));
    let out = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    let text = String::from_utf8(out.stdout).ok()?;
    (out.status.success() && !text.is_empty()).then_some(text)
}

/// The helper module with the functions that are used and what those need.
pub fn helpers(used: &[&str]) -> String {
    let mut sections: Vec<(&str, Vec<&str>, String)> = Vec::new();
    let mut head = String::new();
    for line in HELPERS.lines() {
        if let Some(rest) = line.strip_prefix("//: ") {
            let mut words = rest.split_whitespace();
            sections.push((words.next().unwrap_or(""), words.collect(), String::new()));
        } else if let Some((_, _, text)) = sections.last_mut() {
            let _ = writeln!(text, "{line}");
        } else {
            let _ = writeln!(head, "{line}");
        }
    }
    let mut wanted: Vec<&str> = used.to_vec();
    let mut at = 0;
    while at < wanted.len() {
        if let Some((_, needs, _)) = sections.iter().find(|(name, ..)| *name == wanted[at]) {
            for need in needs {
                if !wanted.contains(need) {
                    wanted.push(need);
                }
            }
        }
        at += 1;
    }
    let mut out = head;
    for (name, _, text) in &sections {
        if wanted.contains(name) {
            let _ = write!(out, "\n{text}");
        }
    }
    rustfmt(&out).unwrap_or(out)
}

/// The manifest of a package of one crate.
pub fn manifest(name: &str, translation: &Translation, accrue: Option<&Path>) -> String {
    let mut out = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n"
    );
    if !translation.offloaded.is_empty() {
        match accrue {
            Some(path) => {
                _ = writeln!(
                    out,
                    "accrue = {{ path = {:?} }}",
                    path.display().to_string()
                )
            }
            None => out.push_str("accrue = \"0.1\"\n"),
        }
    }
    if translation.libm {
        out.push_str("libm = \"0.2\"\n");
    }
    // C's unsigned arithmetic wraps, and so does signed arithmetic where compilers leave it alone.
    out.push_str("\n# Arithmetic wraps in C.\n[profile.dev]\noverflow-checks = false\n\n[profile.release]\noverflow-checks = false\n");
    out.push_str("\n[workspace]\n");
    out
}

/// Writes a package; everything is ready before the first file is written.
///
/// # Errors
///
/// When the folder cannot be written.
pub fn write(
    folder: &Path,
    name: &str,
    translation: &Translation,
    accrue: Option<&Path>,
) -> io::Result<()> {
    let source = folder.join("src");
    std::fs::create_dir_all(&source)?;
    std::fs::write(
        folder.join("Cargo.toml"),
        manifest(name, translation, accrue),
    )?;
    write_sources(&source, translation)
}

/// Writes the source files of a translation into a folder.
///
/// # Errors
///
/// When the folder cannot be written.
pub fn write_sources(folder: &Path, translation: &Translation) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let main = if translation.binary {
        "main.rs"
    } else {
        "lib.rs"
    };
    std::fs::write(folder.join(main), &translation.main)?;
    if !translation.helpers.is_empty() {
        std::fs::write(folder.join("c.rs"), helpers(&translation.helpers))?;
    }
    Ok(())
}
