//! The functions of this repository that the macro is given, found in its files: those with the attribute, those that a macro of a test
//! compiles in two forms, and those that stand in strings.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::choices::Choices;
use crate::generate::Program;

/// A function, as text: where it stands in its file changes nothing.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its file, from the root.
    pub file: String,
    /// Its name, with a number where the file has several of that name.
    pub name: String,
    /// What stands between the attribute's parentheses.
    pub attribute: String,
    /// The function without the attribute.
    pub item: String,
    /// Structs and device functions of its file, each in braces: what its `uses(..)` collects.
    pub definitions: String,
}

/// The functions of a file, or of the files of a folder, each once.
///
/// # Panics
///
/// If it cannot be read.
pub fn written(place: &str) -> Vec<Function> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    list(root.join(place), &mut files);
    let mut all = Vec::new();
    for path in files {
        let name = path.strip_prefix(&root).expect("it is in the workspace");
        let name = name.to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        all.extend(of_file(&name, &text));
    }
    let mut seen = BTreeSet::new();
    all.retain(|f| seen.insert([&f.attribute, &f.item, &f.definitions].map(String::clone)));
    all
}

/// So many random functions of a kind, as that kind's function draws them.
pub fn drawn(kind: &str, count: u64, draw: fn(&str, &mut Choices) -> Program) -> Vec<Function> {
    let sources = (0..count).map(|seed| {
        let source = draw(&format!("{kind}{seed}"), &mut Choices::seeded(seed)).source;
        match (source.starts_with("#["), kind) {
            (true, _) => source,
            (false, "bins") => format!("#[offload(histogram)] {source}"),
            (false, _) => format!("#[offload] {source}"),
        }
    });
    sources.flat_map(|source| of_file(kind, &source)).collect()
}

/// A Rust file, or those of a folder and of the folders in it, in the order of their names.
fn list(place: PathBuf, files: &mut Vec<PathBuf>) {
    if place.is_dir() {
        let entries = fs::read_dir(&place).unwrap_or_else(|e| panic!("{}: {e}", place.display()));
        let mut inner: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
        inner.sort();
        inner.into_iter().for_each(|place| list(place, files));
    } else if place.extension().is_some_and(|e| e == "rs") {
        files.push(place);
    }
}

/// The functions of a file; none where its text is no Rust.
fn of_file(file: &str, text: &str) -> Vec<Function> {
    let mut found = Found::default();
    found.scan(text.parse().unwrap_or_default(), None);
    let definitions: String = found.definitions.concat();
    let mut names: Vec<String> = Vec::new();
    let functions = found.functions.into_iter();
    let functions = functions.map(|(name, attribute, item)| {
        let of_name = names.iter().filter(|n| **n == name).count();
        names.push(name.clone());
        Function {
            file: file.to_owned(),
            name: if of_name == 0 {
                name
            } else {
                format!("{name}#{}", of_name + 1)
            },
            definitions: if attribute.contains("uses") {
                definitions.clone()
            } else {
                String::new()
            },
            attribute,
            item,
        }
    });
    functions.collect()
}

/// What a file holds.
#[derive(Default)]
struct Found {
    /// Names, attributes and items.
    functions: Vec<(String, String, String)>,
    definitions: Vec<String>,
}

impl Found {
    /// Looks through tokens, of items or of anything: in a macro's are functions too. `inherited` is what functions without an attribute
    /// are taken to have.
    fn scan(&mut self, tokens: TokenStream, inherited: Option<&str>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        // Where the item at hand begins, and what those in the next braces inherit.
        let (mut from, mut at) = (0, 0);
        let mut of_impl = None;
        while let Some(token) = tokens.get(at) {
            let next = tokens.get(at + 1);
            let word = match token {
                TokenTree::Ident(word) => word.to_string(),
                _ => String::new(),
            };
            match (token, next) {
                // An attribute.
                (TokenTree::Punct(p), Some(TokenTree::Group(_))) if p.as_char() == '#' => at += 2,
                (TokenTree::Ident(_), Some(TokenTree::Group(group)))
                    if word == "pub" && group.delimiter() == Delimiter::Parenthesis =>
                {
                    at += 2;
                }
                _ if matches!(&*word, "pub" | "const" | "unsafe" | "async") => at += 1,
                (_, Some(TokenTree::Ident(name))) if word == "fn" || word == "struct" => {
                    let end = tokens[at..].iter().position(ends_item).map(|n| at + n);
                    let Some(end) = end else { break };
                    let item = tokens[from..=end].iter().cloned().collect::<TokenStream>();
                    if word == "struct" {
                        self.definitions.push(format!("{{ {item} }}"));
                    } else if let TokenTree::Group(body) = &tokens[end] {
                        self.function(name.to_string(), &tokens[from..=end], inherited);
                        self.scan(body.stream(), None);
                    }
                    at = end + 1;
                    from = at;
                }
                // The rules of a macro are patterns of functions.
                (_, Some(TokenTree::Punct(p))) if word == "macro_rules" && p.as_char() == '!' => {
                    at += 4;
                    from = at;
                }
                (TokenTree::Ident(_), Some(TokenTree::Punct(p)))
                    if p.as_char() == '!'
                        && matches!(tokens.get(at + 2), Some(TokenTree::Group(_))) =>
                {
                    if let TokenTree::Group(group) = &tokens[at + 2] {
                        let attribute = attribute_in(group.stream()).unwrap_or_default();
                        self.scan(group.stream(), Some(&attribute));
                    }
                    at += 3;
                    from = at;
                }
                _ => {
                    if word == "impl" {
                        of_impl = offload(&tokens[from..at]).map(|(_, attribute)| attribute);
                    }
                    // Tests have functions in strings as well.
                    if let TokenTree::Literal(literal) = token
                        && let syn::Lit::Str(text) = syn::Lit::new(literal.clone())
                        && text.value().starts_with("fn ")
                    {
                        self.scan(text.value().parse().unwrap_or_default(), Some(""));
                    }
                    if let TokenTree::Group(group) = token {
                        let own = of_impl.take_if(|_| group.delimiter() == Delimiter::Brace);
                        self.scan(group.stream(), own.as_deref().or(inherited));
                    }
                    at += 1;
                    from = at;
                }
            }
        }
    }

    fn function(&mut self, name: String, tokens: &[TokenTree], inherited: Option<&str>) {
        let (item, attribute) = match offload(tokens) {
            Some((at, attribute)) => {
                let rest = tokens[..at].iter().chain(&tokens[at + 2..]);
                (rest.cloned().collect::<TokenStream>(), attribute)
            }
            None => match inherited {
                Some(inherited) => (tokens.iter().cloned().collect(), inherited.to_owned()),
                None => return,
            },
        };
        let Ok(function) = syn::parse2::<syn::ItemFn>(item.clone()) else {
            return;
        };
        if function.attrs.iter().any(|a| a.path().is_ident("test")) {
            return;
        }
        if attribute.starts_with("device") {
            self.definitions
                .push(format!("{{ #[offload({attribute})] {item} }}"));
        }
        self.functions.push((name, attribute, item.to_string()));
    }
}

/// Whether a token is the body of an item, or stands for one.
fn ends_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(p) => p.as_char() == ';',
        _ => false,
    }
}

/// Where `#[offload(..)]` stands in tokens, and what is between its parentheses.
fn offload(tokens: &[TokenTree]) -> Option<(usize, String)> {
    tokens
        .windows(2)
        .enumerate()
        .find_map(|(at, two)| match two {
            [TokenTree::Punct(p), TokenTree::Group(group)] if p.as_char() == '#' => {
                Some((at, arguments(group)?))
            }
            _ => None,
        })
}

/// What `[accrue::offload(..)]` has between its parentheses.
fn arguments(group: &Group) -> Option<String> {
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    match syn::parse2(group.stream()).ok()? {
        syn::Meta::Path(path) if is_offload(&path) => Some(String::new()),
        syn::Meta::List(list) if is_offload(&list.path) => Some(list.tokens.to_string()),
        _ => None,
    }
}

fn is_offload(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|s| s.ident == "offload")
}

/// The attribute that a macro is given for its functions.
fn attribute_in(tokens: TokenStream) -> Option<String> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => arguments(&group),
        _ => None,
    })
}
