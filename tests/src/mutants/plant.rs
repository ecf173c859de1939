//! Mistakes put into a copy of the compiler, all in one build: each asks at run time whether it is the one that is made.
//!
//! `cargo-mutants` builds the crate anew for each mistake, and its macro, and the tests behind it. Here a mistake is a branch,
//! `if crate::mutant::is(17) { a || b } else { a && b }`, and `ACCRUE_COMPILER_MUTANT=17` takes it, in a test that calls the
//! compiler and in the macro while rustc runs it. What such a branch cannot express is said, and left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

use serde_json::Value;
use syn::spanned::Spanned;
use syn::visit::Visit;

use crate::choices::Choices;

/// The variable that names the mistake that is made.
pub const VARIABLE: &str = "ACCRUE_COMPILER_MUTANT";
/// The variable that names a file, which gets a line for each mistake whose place is come to.
pub const LOG: &str = "ACCRUE_COMPILER_MUTANT_LOG";

/// A mistake, as `cargo mutants --list --json` names it.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its number in the copy.
    pub id: usize,
    /// The file, from the root.
    pub file: String,
    /// Where it is and what it does.
    pub name: String,
    genre: String,
    replacement: String,
    /// Lines and columns from 1.
    span: [(usize, usize); 2],
}

/// Mistakes of a list, drawn by a seed; numbered as they are drawn.
///
/// # Errors
///
/// The text is no such list.
pub fn draw(list: &str, seed: u64, count: usize) -> Result<Vec<Mutant>, String> {
    let list: Value = serde_json::from_str(list).map_err(|e| e.to_string())?;
    let mut all = list.as_array().ok_or("the list is no array")?.clone();
    let mut choices = Choices::seeded(seed);
    let mut drawn = Vec::new();
    while drawn.len() < count && !all.is_empty() {
        let one = all.swap_remove(choices.below(all.len()));
        let mutant = Mutant::of(&one, drawn.len());
        drawn.push(mutant.ok_or_else(|| format!("`{one}` is no mutant"))?);
    }
    Ok(drawn)
}

impl Mutant {
    /// Its name without the place, which changes with the file.
    pub fn what(&self) -> String {
        without_place(&self.name)
    }

    fn of(json: &Value, id: usize) -> Option<Mutant> {
        let text = |key: &str| Some(json.get(key)?.as_str()?.to_owned());
        let at = |end: &str| {
            let of = json.get("span")?.get(end)?;
            let number = |key: &str| of.get(key)?.as_u64();
            Some((number("line")? as usize, number("column")? as usize))
        };
        Some(Mutant {
            id,
            file: text("file")?,
            // What a mistake in an arm is called goes over several lines.
            name: text("name")?
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
            genre: text("genre")?,
            replacement: text("replacement")?,
            span: [at("start")?, at("end")?],
        })
    }
}

/// `src/a.rs:3:4: replace ..` without the numbers.
pub fn without_place(name: &str) -> String {
    let (place, what) = name.split_once(": ").unwrap_or(("", name));
    let file = place.split(':').next().unwrap_or_default();
    format!("{file}: {what}")
}

/// A file with mistakes.
pub struct Planted {
    /// Its text.
    pub text: String,
    /// Those that no branch can express.
    pub left_out: Vec<usize>,
}

/// What is put into the `lib.rs` of the lowest crate; the others import it.
pub fn module() -> String {
    format!(
        "
#[doc(hidden)]
pub mod mutant {{
    use std::collections::BTreeSet;
    use std::io::Write as _;
    use std::sync::{{Mutex, OnceLock}};

    static MADE: OnceLock<Option<usize>> = OnceLock::new();
    static LOG: OnceLock<Option<std::ffi::OsString>> = OnceLock::new();
    static SEEN: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

    pub fn is(number: usize) -> bool {{
        if let Some(log) = LOG.get_or_init(|| std::env::var_os(\"{LOG}\"))
            && SEEN.lock().unwrap().insert(number)
        {{
            let file = std::fs::File::options().append(true).create(true).open(log);
            file.and_then(|mut file| writeln!(file, \"{{number}}\")).unwrap();
        }}
        let made = MADE.get_or_init(|| std::env::var(\"{VARIABLE}\").ok()?.parse().ok());
        *made == Some(number)
    }}
}}
"
    )
}

fn asked(id: usize) -> String {
    format!("crate::mutant::is({id})")
}

/// Puts mistakes into the text of their file.
///
/// # Errors
///
/// The text is no Rust.
pub fn plant(text: &str, mutants: &[&Mutant]) -> Result<Planted, String> {
    let file = syn::parse_file(text).map_err(|e| e.to_string())?;
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    // Columns count characters.
    let offset = |(line, column): (usize, usize)| {
        let start = starts[line - 1];
        let mut places = text[start..].char_indices().map(|(at, _)| at);
        start + places.nth(column - 1).unwrap_or(text.len() - start)
    };
    let mut planter = Planter {
        text,
        wanted: Vec::new(),
        edits: Edits::default(),
        done: BTreeSet::new(),
    };
    for mutant in mutants {
        let [start, end] = mutant.span.map(offset);
        planter.wanted.push((start..end, mutant));
    }
    planter.visit_file(&file);
    let Planter { edits, done, .. } = planter;
    let of_all = mutants.iter().map(|m| m.id);
    Ok(Planted {
        left_out: of_all.filter(|id| !done.contains(id)).collect(),
        text: edits.render(text, 0..text.len(), None),
    })
}

/// A part of what stands for an expression.
enum Piece {
    Text(String),
    Source(Range<usize>),
}

/// A mistake's number, and what it makes of an expression.
type Mistake = (usize, Vec<Piece>);

/// What is changed of a text.
#[derive(Default)]
struct Edits {
    inserts: BTreeMap<usize, String>,
    /// Expressions, by where they begin and end, and the mistakes in them.
    wraps: BTreeMap<(usize, usize), Vec<Mistake>>,
}

impl Edits {
    fn insert(&mut self, at: usize, text: &str) {
        self.inserts.entry(at).or_default().push_str(text);
    }

    fn wrap(&mut self, range: Range<usize>, id: usize, pieces: Vec<Piece>) {
        let arms = self.wraps.entry((range.start, range.end)).or_default();
        arms.push((id, pieces));
    }

    /// A part of the text with its changes, without the one of the expression that it is.
    fn render(&self, text: &str, range: Range<usize>, but: Option<(usize, usize)>) -> String {
        let mut out = String::new();
        let mut at = range.start;
        while at < range.end {
            let outermost = self
                .wraps
                .range((at, at)..(at + 1, 0))
                .map(|(key, _)| *key)
                .filter(|key| key.1 <= range.end && Some(*key) != but)
                .max();
            if at > range.start || but.is_none() {
                out.push_str(self.inserts.get(&at).map_or("", String::as_str));
            }
            match outermost {
                Some(key) => {
                    self.render_wrap(text, key, &mut out);
                    at = key.1;
                }
                None => {
                    let c = text[at..].chars().next().expect("there is more");
                    out.push(c);
                    at += c.len_utf8();
                }
            }
        }
        out
    }

    fn render_wrap(&self, text: &str, key: (usize, usize), out: &mut String) {
        out.push('(');
        for (id, pieces) in &self.wraps[&key] {
            let _ = write!(out, "if {} {{ ", asked(*id));
            for piece in pieces {
                match piece {
                    Piece::Text(text) => out.push_str(text),
                    Piece::Source(range) => {
                        out.push_str(&self.render(text, range.clone(), Some(key)));
                    }
                }
            }
            out.push_str(" } else ");
        }
        let _ = write!(out, "{{ {} }})", self.render(text, key.0..key.1, Some(key)));
    }
}

/// Finds what the mistakes are about.
struct Planter<'a> {
    text: &'a str,
    wanted: Vec<(Range<usize>, &'a Mutant)>,
    edits: Edits,
    done: BTreeSet<usize>,
}

impl<'a> Planter<'a> {
    /// The mistakes of a genre at a place.
    fn at(&self, genre: &str, range: &Range<usize>) -> Vec<&'a Mutant> {
        let wanted = self.wanted.iter();
        wanted
            .filter(|(place, mutant)| place == range && mutant.genre == genre)
            .map(|(_, mutant)| *mutant)
            .collect()
    }

    fn wrap(&mut self, range: Range<usize>, mutant: &Mutant, pieces: Vec<Piece>) {
        self.edits.wrap(range, mutant.id, pieces);
        self.done.insert(mutant.id);
    }

    fn body(&mut self, block: &syn::Block) {
        let brace = block.brace_token.span.open().byte_range().end;
        let whole = block.span().byte_range();
        let inner = self.wanted.iter().filter(|(place, mutant)| {
            mutant.genre == "FnValue" && whole.start <= place.start && place.end <= whole.end
        });
        let mut inner: Vec<(Range<usize>, &Mutant)> = inner.cloned().collect();
        // Of a function in a function, that is the inner one's.
        inner.retain(|(place, mutant)| {
            let first = block.stmts.first().map(|s| s.span().byte_range().start);
            !self.done.contains(&mutant.id) && first.is_none_or(|first| place.start <= first)
        });
        for (_, mutant) in inner {
            let text = format!(
                " if {} {{ return {}; }} ",
                asked(mutant.id),
                mutant.replacement
            );
            self.edits.insert(brace, &text);
            self.done.insert(mutant.id);
        }
    }
}

/// Whether a chain of conditions binds.
fn binds(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(e) if matches!(e.op, syn::BinOp::And(_)) => {
            binds(&e.left) || binds(&e.right)
        }
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Planter<'_> {
    fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
        self.body(&f.block);
        syn::visit::visit_item_fn(self, f);
    }

    fn visit_impl_item_fn(&mut self, f: &'ast syn::ImplItemFn) {
        self.body(&f.block);
        syn::visit::visit_impl_item_fn(self, f);
    }

    fn visit_trait_item_fn(&mut self, f: &'ast syn::TraitItemFn) {
        if let Some(block) = &f.default {
            self.body(block);
        }
        syn::visit::visit_trait_item_fn(self, f);
    }

    fn visit_expr_binary(&mut self, e: &'ast syn::ExprBinary) {
        let here = self.at("BinaryOperator", &e.op.span().byte_range());
        if !binds(&e.left) && !binds(&e.right) {
            for mutant in here {
                let pieces = vec![
                    Piece::Source(e.left.span().byte_range()),
                    Piece::Text(format!(" {} ", mutant.replacement)),
                    Piece::Source(e.right.span().byte_range()),
                ];
                self.wrap(e.span().byte_range(), mutant, pieces);
            }
        }
        syn::visit::visit_expr_binary(self, e);
    }

    fn visit_expr_unary(&mut self, e: &'ast syn::ExprUnary) {
        for mutant in self.at("UnaryOperator", &e.op.span().byte_range()) {
            let pieces = vec![Piece::Source(e.expr.span().byte_range())];
            self.wrap(e.span().byte_range(), mutant, pieces);
        }
        syn::visit::visit_expr_unary(self, e);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let whole = arm.span().byte_range();
        let deleted = self
            .wanted
            .iter()
            .filter(|(place, mutant)| mutant.genre == "MatchArm" && place.start == whole.start);
        let deleted: Vec<&Mutant> = deleted.map(|(_, mutant)| *mutant).collect();
        let guard = match &arm.pat {
            syn::Pat::Guard(guarded) => Some(&*guarded.guard),
            _ => None,
        };
        for mutant in deleted {
            match guard {
                None => {
                    let text = format!(" if !{} ", asked(mutant.id));
                    self.edits.insert(arm.pat.span().byte_range().end, &text);
                }
                Some(guard) => {
                    let range = guard.span().byte_range();
                    let (open, close) = if binds(guard) { ("", "") } else { ("(", ")") };
                    let text = format!("!{} && {open}", asked(mutant.id));
                    self.edits.insert(range.start, &text);
                    self.edits.insert(range.end, close);
                }
            }
            self.done.insert(mutant.id);
        }
        if let Some(guard) = guard.filter(|guard| !binds(guard)) {
            let range = guard.span().byte_range();
            for mutant in self.at("MatchArmGuard", &range) {
                let pieces = vec![Piece::Text(mutant.replacement.clone())];
                self.wrap(range.clone(), mutant, pieces);
            }
        }
        syn::visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, e: &'ast syn::ExprStruct) {
        for field in &e.fields {
            let place = field.span().byte_range();
            let here = self
                .wanted
                .iter()
                .filter(|(at, mutant)| mutant.genre == "StructField" && at.start == place.start);
            let here: Vec<&Mutant> = here.map(|(_, mutant)| *mutant).collect();
            // What the others are taken from: only where it is a value.
            let Some(rest) = &e.rest else { continue };
            let name = match &field.member {
                syn::Member::Named(name) => name.to_string(),
                syn::Member::Unnamed(index) => index.index.to_string(),
            };
            for mutant in here {
                let rest = &self.text[rest.span().byte_range()];
                let base = match rest {
                    "Default::default()" => format!(
                        "{}::default()",
                        self.text[e.path.span().byte_range()].trim()
                    ),
                    rest => rest.to_owned(),
                };
                let made = format!("({base}).{name}");
                if field.colon_token.is_none() {
                    let text = format!(": if {} {{ {made} }} else {{ {name} }}", asked(mutant.id));
                    self.edits.insert(place.end, &text);
                    self.done.insert(mutant.id);
                } else {
                    self.wrap(
                        field.expr.span().byte_range(),
                        mutant,
                        vec![Piece::Text(made)],
                    );
                }
            }
        }
        syn::visit::visit_expr_struct(self, e);
    }
}

/// The mistake that a complaint at a place of a planted text is about: the innermost one around it, or the next one.
pub fn blamed(text: &str, at: usize) -> Option<usize> {
    let mut around: Option<(usize, usize)> = None;
    let mut next: Option<(usize, usize)> = None;
    let mark = "crate::mutant::is(";
    for (start, _) in text.match_indices(mark) {
        let rest = &text[start + mark.len()..];
        let id: usize = rest.split(')').next()?.parse().ok()?;
        // Up to the end of what it stands for; an arm has none.
        let open = start + text[start..].find(['{', '\n']).unwrap_or(0);
        let end = match text.as_bytes().get(open) {
            Some(b'{') => closing(text, open),
            _ => open,
        };
        if (start..=end).contains(&at) && around.is_none_or(|(size, _)| end - start < size) {
            around = Some((end - start, id));
        }
        let distance = start.abs_diff(at);
        if next.is_none_or(|(least, _)| distance < least) {
            next = Some((distance, id));
        }
    }
    around.or(next).map(|(_, id)| id)
}

/// Where a brace is closed; braces in text are taken for braces.
fn closing(text: &str, open: usize) -> usize {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Mutant, plant};

    fn mutant(id: usize, genre: &str, replacement: &str, span: [(usize, usize); 2]) -> Mutant {
        Mutant {
            id,
            file: String::new(),
            name: String::new(),
            genre: genre.to_owned(),
            replacement: replacement.to_owned(),
            span,
        }
    }

    #[test]
    fn a_mistake_is_a_branch() {
        let text = "fn f(a: bool, b: u8) -> bool {\n    a && b < 3\n}\n";
        let mutants = [
            mutant(0, "BinaryOperator", "||", [(2, 7), (2, 9)]),
            mutant(1, "BinaryOperator", "==", [(2, 12), (2, 13)]),
            mutant(2, "FnValue", "true", [(2, 5), (2, 15)]),
        ];
        let planted = plant(text, &mutants.iter().collect::<Vec<_>>()).expect("it is Rust");
        assert_eq!(planted.left_out, Vec::<usize>::new());
        let less = "(if crate::mutant::is(1) { b == 3 } else { b < 3 })";
        assert_eq!(
            planted.text,
            format!(
                "fn f(a: bool, b: u8) -> bool {{ if crate::mutant::is(2) {{ return true; }} \n    \
                 (if crate::mutant::is(0) {{ a || {less} }} else {{ a && {less} }})\n}}\n"
            )
        );
    }

    #[test]
    fn an_arm_is_not_taken() {
        let text = "fn f(a: u8) -> u8 {\n    match a {\n        1 if a > 0 => 2,\n        _ => 3,\n    }\n}\n";
        let mutants = [
            mutant(4, "MatchArm", "", [(3, 9), (3, 25)]),
            mutant(5, "MatchArmGuard", "true", [(3, 14), (3, 19)]),
        ];
        let planted = plant(text, &mutants.iter().collect::<Vec<_>>()).expect("it is Rust");
        assert!(
            planted.text.contains(
                "1 if !crate::mutant::is(4) && ((if crate::mutant::is(5) { true } else { a > 0 })) => 2"
            ),
            "{}",
            planted.text
        );
    }
}
