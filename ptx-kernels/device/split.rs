//! The last step of build.sh: cuts LLVM's PTX into the pieces of a library.
//!
//!     split INPUT.ptx FOLDER HEADER
//!
//! writes `FOLDER/math.ptx` (the functions and their tables) and `FOLDER/kernels.ptx` (the entries). Each is a PTX
//! module that can be assembled as it is, in which a line `//> NAME: NEEDS..` stands before each piece; a piece comes
//! after what it needs. `accrue_ptx::library` copies the pieces that a kernel calls.
//!
//! What only the compiler's inner order decides is taken out, so that the text depends on the code alone: mangled
//! names of tables become a hash of their contents, labels lose the function's number, comments go.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::process::ExitCode;

/// A function, an entry or a variable of the module.
struct Piece {
    name: String,
    text: String,
    needs: Vec<String>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, input, folder, header] = &arguments[..] else {
        eprintln!("usage: split INPUT.ptx FOLDER HEADER");
        return ExitCode::FAILURE;
    };
    match split(input, folder, header) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("split: {message}");
            ExitCode::FAILURE
        }
    }
}

fn split(input: &str, folder: &str, header: &str) -> Result<(), String> {
    let ptx = std::fs::read_to_string(input).map_err(|error| format!("{input}: {error}"))?;
    let pieces = rename(read(&ptx)?)?;
    let (kernels, functions): (Vec<Piece>, Vec<Piece>) = pieces
        .into_iter()
        .partition(|piece| piece.text.contains(".entry ") || piece.text.starts_with(".shared "));
    for (file, pieces) in [("math.ptx", functions), ("kernels.ptx", kernels)] {
        let path = format!("{folder}/{file}");
        std::fs::write(&path, print(header, pieces)?)
            .map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}

/// Cuts the module at its top-level definitions.
fn read(ptx: &str) -> Result<Vec<Piece>, String> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut open = false;
    for line in ptx.lines() {
        let code = match line.find("//") {
            Some(at) => line[..at].trim_end(),
            None => line.trim_end(),
        };
        if code.is_empty() {
            continue;
        }
        if open {
            let piece = pieces.last_mut().expect("a piece is open");
            piece.text += &label(code);
            piece.text.push('\n');
            open = code != "}";
            continue;
        }
        let code = code
            .strip_prefix(".visible .func")
            .map_or(code.to_owned(), |rest| format!(".func{rest}"));
        let words = code.replace(['(', '['], " ( ");
        let mut words = words
            .split_whitespace()
            .skip_while(|word| !word.starts_with(['_', 'a']));
        match code.split_whitespace().next().unwrap_or_default() {
            ".version" | ".target" | ".address_size" => continue,
            ".global" | ".shared" => {
                let name = words.next().ok_or_else(|| format!("no name in {code:?}"))?;
                pieces.push(Piece {
                    name: name.to_owned(),
                    text: code.clone() + "\n",
                    needs: Vec::new(),
                });
            }
            ".func" | ".visible" if code.contains(".func") || code.contains(".entry") => {
                let name = words.next().ok_or_else(|| format!("no name in {code:?}"))?;
                if !name.starts_with("accrue_") {
                    return Err(format!(
                        "{name} was not inlined: a panic or a call into core is left"
                    ));
                }
                pieces.push(Piece {
                    name: name.to_owned(),
                    text: code.clone() + "\n",
                    needs: Vec::new(),
                });
                open = true;
            }
            _ => return Err(format!("unexpected at the top level: {code:?}")),
        }
    }
    Ok(pieces)
}

/// `$L__BB58_10` without the function's number: labels are local to a function.
fn label(code: &str) -> String {
    let mut text = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("$L__BB") {
        text += &rest[..at];
        text += "$L";
        rest = rest[at + 6..]
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .trim_start_matches('_');
    }
    text + rest
}

/// Gives tables names made from their contents, folds text, and notes what each piece needs.
fn rename(pieces: Vec<Piece>) -> Result<Vec<Piece>, String> {
    let mut names = HashMap::new();
    for piece in &pieces {
        let new = if piece.name.starts_with("accrue_") {
            piece.name.clone()
        } else {
            let contents = piece
                .text
                .split_once('=')
                .map_or("", |(_, contents)| contents);
            format!(
                "accrue_table_{:08x}",
                hash(&format!("{}{contents}", piece.text.contains(".align 8")))
            )
        };
        names.insert(piece.name.clone(), new);
    }
    let mut renamed = BTreeMap::new();
    for piece in pieces {
        let mut needs = BTreeSet::new();
        let mut text = String::new();
        let mut rest = piece.text.as_str();
        let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.');
        while !rest.is_empty() {
            let end = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let new = names.get(word).map_or(word, String::as_str);
            if names.contains_key(word) && new != names[&piece.name] {
                needs.insert(new.to_owned());
            }
            text += new;
            let end = after.find(in_name).unwrap_or(after.len());
            text += &after[..end];
            rest = &after[end..];
        }
        let name = names[&piece.name].clone();
        let piece = Piece {
            name: name.clone(),
            text: fold(&text),
            needs: needs.into_iter().collect(),
        };
        if let Some(other) = renamed.insert(name, piece) {
            if other.text != renamed[&other.name].text {
                return Err(format!("two pieces are called {}", other.name));
            }
        }
    }
    Ok(renamed.into_values().collect())
}

/// Tables in lines of at most a hundred columns.
fn fold(text: &str) -> String {
    let mut folded = String::new();
    for line in text.lines() {
        let mut column = 0;
        if !line.starts_with(".global ") {
            folded += line;
            folded.push('\n');
            continue;
        }
        for (i, word) in line.split_inclusive(", ").enumerate() {
            if i > 0 && column + word.len() > 100 {
                folded.truncate(folded.trim_end().len());
                folded += "\n\t";
                column = 8;
            }
            folded += word;
            column += word.len();
        }
        folded.push('\n');
    }
    folded
}

fn print(header: &str, pieces: Vec<Piece>) -> Result<String, String> {
    let mut text = format!("{header}\n.version 7.0\n.target sm_70\n.address_size 64\n");
    let mut printed = BTreeSet::new();
    let mut waiting = pieces;
    while !waiting.is_empty() {
        let (ready, later): (Vec<Piece>, Vec<Piece>) = waiting
            .into_iter()
            .partition(|piece| piece.needs.iter().all(|need| printed.contains(need)));
        if ready.is_empty() {
            return Err(format!(
                "{} needs itself or another file's piece",
                later[0].name
            ));
        }
        for piece in ready {
            let needs: String = piece.needs.iter().map(|need| format!(" {need}")).collect();
            text += &format!("\n//> {}:{needs}\n{}", piece.name, piece.text);
            printed.insert(piece.name);
        }
        waiting = later;
    }
    Ok(text)
}

/// FNV-1a, 32 bits.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
