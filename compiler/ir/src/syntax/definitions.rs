//! Device functions and structs whose code a loop's function was given, and which of them a path may mean.

use quote::ToTokens;
use syn::{ItemFn, ItemStruct, Path};

/// The definitions that a loop's function was given.
#[derive(Clone, Default)]
pub struct Definitions {
    /// Device functions.
    pub functions: Vec<Definition<ItemFn>>,
    /// Device structs.
    pub structs: Vec<Definition<ItemStruct>>,
}

/// A definition that was handed on.
#[derive(Clone)]
pub struct Definition<T> {
    /// The path by which it was named, in the `uses(..)` of the loop's function or of the device function that handed it on.
    pub path: Path,
    /// How the loop's place reaches it.
    pub way: Way,
    /// Other ways on which a definition was found that looks the same.
    pub same: Vec<Way>,
    /// Which definition it is: the type or trait beside it has the same.
    pub fingerprint: u64,
    /// The `uses(..)` of a device function, as they lead to others from its own place.
    pub uses: Vec<Path>,
    /// What each of those is, where it was handed on.
    pub known: Vec<Option<Known>>,
    /// Its tokens.
    pub item: T,
}

/// A device function or struct among [`Definitions`].
#[derive(Clone, Copy, Debug)]
pub enum Known {
    /// A function, by its number.
    Function(usize),
    /// A struct, by its number.
    Struct(usize),
}

/// A path in the `uses(..)` of the loop's function, then the number in the `uses(..)` of each device function on the way.
#[derive(Clone)]
pub struct Way {
    /// Where it begins.
    pub root: Path,
    /// The numbers.
    pub steps: Vec<usize>,
}

impl Definitions {
    /// The function that a call by path may mean, in the loop or in another device function. rustc is asked whether it does.
    pub fn function(&self, within: Option<usize>, path: &Path) -> Option<usize> {
        let Some(caller) = within else {
            return found(&self.functions, |functions| {
                same_path(functions.map(|f| &f.path), path)
            });
        };
        let caller = &self.functions[caller];
        let at = same_path(caller.uses.iter(), path)?;
        match caller.known.get(at).copied().flatten() {
            Some(Known::Function(known)) => return Some(known),
            Some(Known::Struct(_)) => return None,
            None => {}
        }
        let used = &caller.uses[at];
        let same = |f: &&Definition<ItemFn>| text(&f.path) == text(used);
        let known = self.functions.iter().position(|f| same(&f));
        known.or_else(|| only(self.functions.iter().map(|f| last(&f.path) == last(used))))
    }

    /// The struct that a type by path may mean in the loop.
    pub fn structure(&self, path: &Path) -> Option<usize> {
        found(&self.structs, |structs| {
            same_path(structs.map(|s| &s.path), path)
        })
    }

    /// The struct that a type by path may mean in a device function, or in a field of another.
    pub fn structure_within(&self, function: Option<usize>, path: &Path) -> Option<usize> {
        let used = function.and_then(|f| {
            let function = &self.functions[f];
            function.known[same_path(function.uses.iter(), path)?]
        });
        match used {
            Some(Known::Struct(known)) => Some(known),
            Some(Known::Function(_)) => None,
            None => found(&self.structs, |structs| {
                only(structs.map(|s| last(&s.path) == last(path)))
            }),
        }
    }
}

/// One of the definitions that the loop's function names, or else of all.
fn found<T>(
    all: &[Definition<T>],
    find: impl Fn(&mut dyn Iterator<Item = &Definition<T>>) -> Option<usize>,
) -> Option<usize> {
    let direct: Vec<usize> = (0..all.len())
        .filter(|n| all[*n].way.steps.is_empty())
        .collect();
    let first = find(&mut direct.iter().map(|n| &all[*n])).map(|n| direct[n]);
    first.or_else(|| find(&mut all.iter()))
}

/// The path among several that is this one as it is written, or the only one that an import may have made this one of: `a::bin` for `bin`.
pub fn same_path<'p>(paths: impl Iterator<Item = &'p Path>, written: &Path) -> Option<usize> {
    let paths: Vec<&Path> = paths.collect();
    let same = paths.iter().position(|p| text(p) == text(written));
    let written = from_crate(written);
    same.or_else(|| {
        only(paths.iter().map(|p| {
            let path = from_crate(p);
            path == written || (written.len() == 1 && path.last() == written.last())
        }))
    })
}

/// The names of a path without where it begins.
fn from_crate(path: &Path) -> Vec<String> {
    let names = path.segments.iter().map(|s| s.ident.to_string());
    names
        .skip_while(|name| matches!(name.as_str(), "crate" | "self" | "super"))
        .collect()
}

fn only(matches: impl Iterator<Item = bool>) -> Option<usize> {
    let mut found = matches.enumerate().filter(|(_, same)| *same);
    let first = found.next()?.0;
    found.next().is_none().then_some(first)
}

fn text(path: &Path) -> String {
    path.to_token_stream().to_string()
}

fn last(path: &Path) -> Option<String> {
    path.segments.last().map(|s| s.ident.to_string())
}
