//! Who imports whom in the compiler's crates: no stage imports from a later one, and none from the driver.
//!
//! Every path in the text counts that starts from `crate` or another of these crates, or that leaves its own folder by `super`; not only those of `use`, but
//! not those of unit tests, which may call the driver.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The sources of the compiler's crates. Rooms of `parse` and of `plan` know nothing of each other, so that both are built at once.
const SOURCES: [&str; 4] = ["ir/src", "parse/src", "plan/src", "src"];

/// From the ground up, files and folders of [`SOURCES`]. Those on one floor may import each other; each floor but the first has one.
const FLOORS: [&[&str]; 34] = [
    // `ir`. Maps of few keys.
    &["sorted"],
    // Sums over loop variables, which guards in the IR are made of.
    &["dependence"],
    // The IR, and the table of methods that its verifier asks and that speaks of its types.
    &["ir", "methods"],
    // How generated names are shown.
    &["alias"],
    &["source"],
    &["diag"],
    &["random"],
    // The user's syntax, as far as several stages read it.
    &["syntax"],
    // What parsing yields.
    &["parsed"],
    &["mentions"],
    &["beside"],
    // `parse`.
    &["infer"],
    &["layout"],
    &["parse"],
    // `plan`.
    &["detect"],
    &["verify"],
    &["plan"],
    &["confirm"],
    &["guard"],
    &["on", "over"],
    &["emit_cpu"],
    // The compiler itself.
    &["profile"],
    &["rename", "within"],
    &["declared"],
    &["siblings"],
    &["emit_ptx"],
    &["emit_gpu"],
    &["across"],
    &["explain"],
    &["print"],
    &["assemble"],
    // Items that are no loop's function.
    &["conditional"],
    &["plain"],
    &["device"],
];

/// The rooms that a text names, as paths from `crate`. `depth` is how many modules it lies below `crate`.
fn rooms(text: TokenStream, depth: usize, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = text.into_iter().collect();
    let word = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(word)) => Some(word.to_string()),
        _ => None,
    };
    let colons = |at: usize| {
        let is =
            |t: Option<&TokenTree>| matches!(t, Some(TokenTree::Punct(p)) if p.as_char() == ':');
        is(tokens.get(at)) && is(tokens.get(at + 1))
    };
    let mut unit_tests = false;
    for at in 0..tokens.len() {
        match &tokens[at] {
            TokenTree::Group(group) => {
                let text = group.stream();
                // `#[cfg(test)]`, and the module behind it.
                if group.delimiter() == Delimiter::Bracket && text.to_string() == "cfg (test)" {
                    unit_tests = true;
                } else if group.delimiter() == Delimiter::Brace && unit_tests {
                    unit_tests = false;
                } else {
                    let is_mod = at >= 2 && word(at - 2).as_deref() == Some("mod");
                    rooms(text, depth + usize::from(is_mod), found);
                }
            }
            TokenTree::Punct(p) if p.as_char() == ';' => unit_tests = false,
            TokenTree::Ident(start) if !(at >= 2 && colons(at - 2)) => {
                let mut left = match start.to_string().as_str() {
                    "crate" | "accrue_ir" | "accrue_parse" | "accrue_plan" => 0,
                    "super" => depth - 1,
                    _ => continue,
                };
                let mut at = at + 1;
                while colons(at) && word(at + 2).as_deref() == Some("super") {
                    left -= 1;
                    at += 3;
                }
                if left > 0 || !colons(at) {
                    continue;
                }
                match tokens.get(at + 2) {
                    Some(TokenTree::Ident(room)) => _ = found.insert(room.to_string()),
                    Some(TokenTree::Group(branches)) => {
                        let branches: Vec<TokenTree> = branches.stream().into_iter().collect();
                        let is_comma =
                            |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ',');
                        for branch in branches.split(is_comma) {
                            found.extend(branch.first().map(ToString::to_string));
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// The rooms that each room names.
type Imports = BTreeMap<String, BTreeSet<String>>;

fn read(folder: &Path, room: Option<&str>, depth: usize, imports: &mut Imports) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("readable").path();
        let stem = path.file_stem().expect("a name").to_string_lossy();
        let own = room.unwrap_or(&stem);
        if path.is_dir() {
            if stem != "tests" {
                read(&path, Some(own), depth + 1, imports);
            }
        } else if stem != "tests" {
            let text = std::fs::read_to_string(&path).expect("text");
            let depth = depth + usize::from(stem != "mod");
            let found = imports.entry(own.to_string()).or_default();
            rooms(text.parse().expect("Rust"), depth, found);
        }
    }
}

/// What is not as the floors say.
fn wrong(imports: &Imports) -> Vec<String> {
    let floor = |room: &str| FLOORS.iter().position(|f| f.contains(&room));
    let mut wrong = Vec::new();
    for (from, named) in imports.iter().filter(|(from, _)| *from != "lib") {
        let Some(own) = floor(from) else {
            wrong.push(format!("`{from}` has no floor"));
            continue;
        };
        for to in named.iter().filter(|to| *to != from) {
            match floor(to) {
                Some(other) if other <= own => {}
                Some(_) => wrong.push(format!("`{from}` imports `{to}`, which is above it")),
                None => wrong.push(format!("`{from}` imports `{to}` of the driver")),
            }
        }
    }
    wrong
}

#[test]
fn no_stage_imports_from_a_later_one() {
    let mut imports = Imports::new();
    for source in SOURCES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
        read(&folder, None, 0, &mut imports);
    }
    // The test would be blind without these.
    let rooms = FLOORS.concat().len();
    assert_eq!(imports.len(), rooms + 1, "a room for each name");
    assert!(imports["plan"].contains("detect"));
    assert!(imports["emit_gpu"].contains("confirm"));
    assert!(imports["assemble"].contains("mentions"));
    assert_eq!(wrong(&imports), Vec::<String>::new());
}

#[test]
fn an_import_from_a_later_stage_is_found() {
    let named = |text: &str, depth| {
        let mut found = BTreeSet::new();
        rooms(text.parse().expect("Rust"), depth, &mut found);
        Vec::from_iter(found)
    };
    assert_eq!(
        named("fn f() { crate::plan::g(crate::emit_ptx::h) }", 1),
        ["emit_ptx", "plan"]
    );
    assert_eq!(
        named("use accrue_ir::ir::Loop; use accrue_plan::{on, over};", 1),
        ["ir", "on", "over"]
    );
    assert_eq!(
        named("use crate::{confirm, plan::{self, x}};", 1),
        ["confirm", "plan"]
    );
    assert_eq!(
        named("use super::{a, b}; fn f() { super::super::device::g() }", 2),
        ["device"]
    );
    assert_eq!(
        named(
            "use super::plan; mod m { use super::super::ir; use super::own; }",
            1
        ),
        ["ir", "plan"]
    );
    assert_eq!(
        named(
            "#[cfg(test)] mod tests { use crate::stages; } #[cfg(test)] mod t; use crate::ir;",
            1
        ),
        ["ir"]
    );
    let import = |from: &str, to: &str| {
        let named = BTreeSet::from([to.to_owned()]);
        wrong(&BTreeMap::from([(from.to_owned(), named)]))
    };
    assert_eq!(
        import("plan", "emit_ptx"),
        ["`plan` imports `emit_ptx`, which is above it"]
    );
    assert_eq!(
        import("detect", "stages"),
        ["`detect` imports `stages` of the driver"]
    );
    assert!(import("detect", "parsed").is_empty());
}
