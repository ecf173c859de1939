//! Who imports whom in a folder of modules, read from their text: every path counts, not only those of `use`. What is compiled for tests only
//! does not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A module's path from the folder, `["emit", "place"]`.
pub(crate) type Module = Vec<String>;

/// What each file imports, by its module written as `emit::place`.
pub(crate) type Imports = BTreeMap<String, BTreeSet<String>>;

/// Some modules of a crate.
pub(crate) struct Room {
    /// Where they lie in the crate: `["translate"]`, or nothing.
    pub(crate) within: &'static [&'static str],
    /// Folders from the ground up, `emit` or `emit::types`; what is in none of them is on top. A module belongs to the longest that it is in.
    pub(crate) floors: &'static [&'static str],
    /// Folders that are no part of it.
    pub(crate) without: &'static [&'static str],
}

impl Room {
    /// The modules of a folder.
    pub(crate) fn read(&self, folder: &Path) -> BTreeMap<Module, TokenStream> {
        let mut files = BTreeMap::new();
        self.add(folder, &Vec::new(), &mut files);
        files
    }

    fn add(&self, folder: &Path, module: &Module, files: &mut BTreeMap<Module, TokenStream>) {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path: PathBuf = entry.expect("readable").path();
            let stem = path.file_stem().expect("a name").to_string_lossy();
            let mut own = module.clone();
            own.extend((stem != "mod" && stem != "lib").then(|| stem.to_string()));
            if self.without.contains(&&*stem) {
                continue;
            }
            if path.is_dir() {
                self.add(&path, &own, files);
            } else {
                let text = std::fs::read_to_string(&path).expect("text");
                files.insert(own, text.parse().expect("Rust"));
            }
        }
    }

    /// Which files each file names.
    pub(crate) fn imports(&self, files: &BTreeMap<Module, TokenStream>) -> Imports {
        let mut out = BTreeMap::new();
        for (module, text) in files {
            let mut named = BTreeSet::new();
            self.paths(text.clone(), module, &mut |path| {
                // The longest part of the path that is a file, the module itself left out.
                let file = (0..=path.len())
                    .rev()
                    .find(|n| files.contains_key(&path[..*n]))
                    .map(|n| &path[..n]);
                named.extend(file.filter(|f| *f != module).map(|f| f.join("::")));
            });
            out.insert(module.join("::"), named);
        }
        out
    }

    /// Calls `found` with every path in a text that starts from `super`, `self` or `crate`.
    fn paths(&self, text: TokenStream, module: &Module, found: &mut dyn FnMut(Module)) {
        let tokens: Vec<TokenTree> = text.into_iter().collect();
        let word = |at: usize| match tokens.get(at) {
            Some(TokenTree::Ident(word)) => Some(word.to_string()),
            _ => None,
        };
        let colons = |at: usize| {
            let is = |t: Option<&TokenTree>| matches!(t, Some(TokenTree::Punct(p)) if p.as_char() == ':');
            is(tokens.get(at)) && is(tokens.get(at + 1))
        };
        let mut at = 0;
        while at < tokens.len() {
            if let Some(after) = after_test(&tokens, at) {
                at = after;
                continue;
            }
            // Who may see an item is no import.
            if word(at).as_deref() == Some("pub")
                && matches!(tokens.get(at + 1), Some(TokenTree::Group(_)))
            {
                at += 2;
                continue;
            }
            if let TokenTree::Group(group) = &tokens[at] {
                // A module in the text is one more `super` away.
                let name = at
                    .checked_sub(2)
                    .filter(|mod_at| word(*mod_at).as_deref() == Some("mod"))
                    .and_then(|_| word(at - 1));
                let inner = module.iter().cloned().chain(name).collect();
                self.paths(group.stream(), &inner, found);
                at += 1;
                continue;
            }
            let continues = at >= 2 && colons(at - 2);
            let start = word(at).filter(|_| !continues && colons(at + 1));
            let within = |n: usize| word(at + 3 + 3 * n);
            let mut path = match start.as_deref() {
                Some("super") => module[..module.len().saturating_sub(1)].to_vec(),
                Some("self") => module.clone(),
                Some("crate")
                    if (0..self.within.len())
                        .all(|n| within(n).as_deref() == Some(self.within[n])) =>
                {
                    Vec::new()
                }
                _ => {
                    at += 1;
                    continue;
                }
            };
            at += if start.as_deref() == Some("crate") {
                1 + 3 * self.within.len()
            } else {
                1
            };
            follow(&tokens[at..], &mut path, found);
            // Groups that follow are looked at again, which finds nothing new in them.
        }
    }

    fn floor(&self, module: &str) -> usize {
        let is_in = |floor: &str| {
            let rest = module.strip_prefix(floor);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        let floors = self.floors.iter().enumerate();
        let own = floors.filter(|(_, floor)| is_in(floor));
        own.max_by_key(|(_, floor)| floor.len())
            .map_or(self.floors.len(), |(at, _)| at)
    }

    /// The imports that go up, and a circle if there is one.
    pub(crate) fn wrong(&self, imports: &Imports) -> Vec<String> {
        let mut out = Vec::new();
        for (from, named) in imports {
            for to in named.iter().filter(|to| self.floor(to) > self.floor(from)) {
                out.push(format!("`{from}` imports `{to}`, which is above it"));
            }
        }
        // What imports nothing that is left is taken away, until nothing is left or a circle is.
        let mut left = imports.clone();
        loop {
            let free: Vec<String> = left
                .iter()
                .filter(|(_, named)| named.iter().all(|to| !left.contains_key(to)))
                .map(|(from, _)| from.clone())
                .collect();
            if free.is_empty() {
                break;
            }
            free.iter().for_each(|f| _ = left.remove(f));
        }
        // What only imports the circle is none of it.
        loop {
            let idle: Vec<String> = left
                .keys()
                .filter(|m| !left.values().any(|named| named.contains(*m)))
                .cloned()
                .collect();
            if idle.is_empty() {
                break;
            }
            idle.iter().for_each(|m| _ = left.remove(m));
        }
        if !left.is_empty() {
            let names: Vec<&str> = left.keys().map(String::as_str).collect();
            out.push(format!("a circle: {}", names.join(", ")));
        }
        out
    }
}

/// Where an item that is compiled for tests only ends, if one begins here.
fn after_test(tokens: &[TokenTree], at: usize) -> Option<usize> {
    let (TokenTree::Punct(hash), TokenTree::Group(attribute)) = (&tokens[at], tokens.get(at + 1)?)
    else {
        return None;
    };
    let attribute: Vec<String> = attribute
        .stream()
        .into_iter()
        .map(|t| t.to_string())
        .collect();
    let [cfg, condition] = &attribute[..] else {
        return None;
    };
    let condition = condition.replace(' ', "");
    let tests = condition == "(test)" || condition.starts_with("(all(test,");
    if hash.as_char() != '#' || cfg != "cfg" || !tests {
        return None;
    }
    let ends = |t: &TokenTree| match t {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        other => other.to_string() == ";",
    };
    let rest = &tokens[at + 2..];
    Some(at + 2 + rest.iter().position(ends).map_or(rest.len(), |n| n + 1))
}

/// Follows a path to its end, into the branches of a `use`.
fn follow(tokens: &[TokenTree], path: &mut Module, found: &mut dyn FnMut(Module)) {
    let mut at = 0;
    while matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == ':') {
        at += 2;
        match tokens.get(at) {
            Some(TokenTree::Ident(word)) if *word == "super" => _ = path.pop(),
            Some(TokenTree::Ident(word)) => path.push(word.to_string()),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
                let comma = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ',');
                for branch in tokens.split(comma) {
                    if let Some(TokenTree::Ident(first)) = branch.first() {
                        let mut path = path.clone();
                        path.extend((*first != "self").then(|| first.to_string()));
                        follow(&branch[1..], &mut path, found);
                    }
                }
                return;
            }
            _ => {}
        }
        at += 1;
    }
    found(path.clone());
}
