//! Rust names for C names: the same, unless Rust reserves them or they would collide.

use std::collections::HashSet;

use crate::typed::{Program, Storage, VarId};

const RESERVED: &[&str] = &[
    "as", "async", "await", "box", "break", "const", "continue", "crate", "dyn", "else", "enum",
    "extern", "false", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod",
    "move", "mut", "pub", "ref", "return", "self", "Self", "static", "struct", "super", "trait",
    "true", "try", "type", "union", "unsafe", "use", "where", "while", "yield", "abstract",
    "become", "do", "final", "macro", "override", "priv", "typeof", "unsized", "virtual",
    "_", // and what our own output means something else by
    "globals", "c", "std", "libm", "accrue", "offload", "print", "println", "vec", "assert",
    "usize", "isize", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "bool",
    "str", "String", "Vec", "Option", "Some", "None", "Ok", "Err", "Box", "args", "Globals",
    "ExitCode",
];

/// Locals of statements that we write: an item of the same name would turn their `let` into a pattern.
const OWN_LOCALS: &[&str] = &["text"];

/// A name that Rust accepts.
pub(crate) fn sanitized(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|c| if c == '$' { '_' } else { c })
        .collect();
    if RESERVED.contains(&clean.as_str()) {
        format!("{clean}_")
    } else {
        clean
    }
}

/// Names of all variables, by index.
pub(crate) fn variables(program: &Program, taken: &HashSet<String>) -> Vec<String> {
    let is_item = |at: usize| {
        matches!(
            program.vars[at].storage,
            Storage::Global { .. } | Storage::StaticLocal
        )
    };
    // A local may not have the name of a constant: Rust would take the declaration for a pattern.
    let mut items: HashSet<String> = taken.clone();
    let mut out = vec![String::new(); program.vars.len()];
    let mut functions: HashSet<String> = program
        .functions
        .iter()
        .filter(|f| f.body.is_some())
        .map(|f| f.name.clone())
        .collect();
    functions.insert("main".into());
    for at in (0..program.vars.len()).filter(|at| is_item(*at)) {
        let var = &program.vars[at];
        let mut name = sanitized(&var.name);
        if var.storage == Storage::StaticLocal
            && let Some(owner) = var.owner
        {
            name = format!("{}_{name}", program.function(owner).name);
        }
        while items.contains(&name)
            || functions.contains(&name)
            || OWN_LOCALS.contains(&name.as_str())
        {
            name.push('_');
        }
        items.insert(name.clone());
        out[at] = name;
    }
    for at in (0..program.vars.len()).filter(|at| !is_item(*at)) {
        let mut name = sanitized(&program.vars[at].name);
        while items.contains(&name) {
            name.push('_');
        }
        out[at] = name;
    }
    out
}

/// The name of the position that a pointer parameter which moves has beside it.
pub(crate) fn position(name: &str) -> String {
    format!("{}_at", name.trim_end_matches('_'))
}

/// The index of a variable in the list of names.
pub(crate) fn at(id: VarId) -> usize {
    id.0 as usize
}

/// `snake_case` for functions we make up.
pub(crate) fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        if c.is_uppercase()
            && at > 0
            && !out.ends_with('_')
            && name.chars().nth(at - 1).is_some_and(char::is_lowercase)
        {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Which naming lints a name would trip.
pub(crate) fn is_snake(name: &str) -> bool {
    !name.chars().any(char::is_uppercase) && !name.trim_matches('_').contains("__")
}

/// Whether a constant's name is in upper case.
pub(crate) fn is_upper(name: &str) -> bool {
    !name.chars().any(char::is_lowercase)
}

/// Whether a type's name is in camel case.
pub(crate) fn is_camel(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase) && !name.contains('_')
}
