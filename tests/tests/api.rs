//! What users of the crate `accrue` can name, as a listing that is kept: `BLESS=1` rewrites `api.txt`, and what changes there is a change
//! for users, which wants a line in the changelog and, where something goes or is asked for, another version.
//!
//! It is read off the sources, so that it needs no other toolchain: each name that `accrue/src/lib.rs` and `runtime/src/lib.rs` export, with its signature, its
//! public methods and the traits that it implements. What macros write is not in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Visibility};

/// A file, read.
fn parsed(path: &Path) -> syn::File {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src")
}

/// The file of a module.
fn file_of(module: &[String]) -> PathBuf {
    let path = module.iter().fold(sources(), |path, name| path.join(name));
    let file = path.with_extension("rs");
    if file.exists() {
        file
    } else {
        path.join("mod.rs")
    }
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

fn is_hidden(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|a| {
        let text = match &a.meta {
            syn::Meta::List(list) => list.tokens.to_string(),
            _ => return false,
        };
        a.path().is_ident("doc") && text == "hidden" || a.path().is_ident("cfg") && text == "test"
    })
}

/// Leaves what changes how an item may be used.
fn strip(attrs: &mut Vec<Attribute>) {
    let kept = [
        "derive",
        "non_exhaustive",
        "must_use",
        "cfg",
        "deprecated",
        "repr",
    ];
    attrs.retain(|a| kept.iter().any(|name| a.path().is_ident(name)));
}

/// The paths of a `use`.
fn leaves(tree: &syn::UseTree, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    match tree {
        syn::UseTree::Path(part) => {
            path.push(part.ident.to_string());
            leaves(&part.tree, path, found);
            path.pop();
        }
        syn::UseTree::Name(name) => {
            found.push([&path[..], &[name.ident.to_string()]].concat());
        }
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                leaves(tree, path, found);
            }
        }
        // What the facade takes from the runtime, whose list comes after.
        syn::UseTree::Glob(_) if path[..] == ["accrue_runtime"] => {}
        syn::UseTree::Rename(_) | syn::UseTree::Glob(_) => {
            panic!("an export under another name, or of everything, is not listed")
        }
    }
}

/// The fields that users see.
fn visible(fields: &mut Fields) {
    let public = |field: &syn::Field| matches!(field.vis, Visibility::Public(_));
    match fields {
        Fields::Named(named) => {
            named.named = named.named.iter().filter(|f| public(f)).cloned().collect();
            named.named.iter_mut().for_each(|f| strip(&mut f.attrs));
        }
        Fields::Unnamed(unnamed) => {
            unnamed.unnamed = unnamed
                .unnamed
                .iter()
                .filter(|f| public(f))
                .cloned()
                .collect();
        }
        Fields::Unit => {}
    }
}

fn nothing() -> syn::Block {
    syn::parse_quote!({})
}

/// An item as users see it, if it has that name.
fn signature(item: &Item, name: &str) -> Option<Item> {
    let mut item = item.clone();
    match &mut item {
        Item::Struct(it) if it.ident == name => {
            strip(&mut it.attrs);
            visible(&mut it.fields);
        }
        Item::Enum(it) if it.ident == name => {
            strip(&mut it.attrs);
            for variant in &mut it.variants {
                strip(&mut variant.attrs);
                variant.fields.iter_mut().for_each(|f| strip(&mut f.attrs));
            }
        }
        Item::Trait(it) if it.ident == name => {
            strip(&mut it.attrs);
            it.items.retain(|item| match item {
                TraitItem::Fn(f) => !is_hidden(&f.attrs),
                TraitItem::Const(c) => !is_hidden(&c.attrs),
                TraitItem::Type(t) => !is_hidden(&t.attrs),
                _ => true,
            });
            for item in &mut it.items {
                match item {
                    TraitItem::Fn(f) => {
                        strip(&mut f.attrs);
                        f.default = f.default.as_ref().map(|_| nothing());
                    }
                    TraitItem::Const(c) => strip(&mut c.attrs),
                    TraitItem::Type(t) => strip(&mut t.attrs),
                    _ => {}
                }
            }
        }
        Item::Fn(it) if it.sig.ident == name => {
            strip(&mut it.attrs);
            *it.block = nothing();
        }
        _ => return None,
    }
    Some(item)
}

/// The public functions of an `impl`, or its head where it is a trait's.
fn implementation(block: &syn::ItemImpl, exported: &BTreeSet<String>) -> Option<Item> {
    let mut block = block.clone();
    let syn::Type::Path(of) = &*block.self_ty else {
        return None;
    };
    if is_hidden(&block.attrs) || !exported.contains(&of.path.segments.last()?.ident.to_string()) {
        return None;
    }
    strip(&mut block.attrs);
    if block.trait_.is_some() {
        block.items.clear();
        return Some(Item::Impl(block));
    }
    block.items.retain(|item| match item {
        ImplItem::Fn(f) => matches!(f.vis, Visibility::Public(_)) && !is_hidden(&f.attrs),
        ImplItem::Const(c) => matches!(c.vis, Visibility::Public(_)) && !is_hidden(&c.attrs),
        _ => false,
    });
    for item in &mut block.items {
        match item {
            ImplItem::Fn(f) => {
                strip(&mut f.attrs);
                f.block = nothing();
            }
            ImplItem::Const(c) => strip(&mut c.attrs),
            _ => {}
        }
    }
    (!block.items.is_empty()).then_some(Item::Impl(block))
}

fn text(item: Item) -> String {
    prettyplease::unparse(&syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![item],
    })
}

/// The listing.
fn listing() -> String {
    let mut exports: Vec<Vec<String>> = Vec::new();
    let facade = parsed(&sources().join("../../accrue/src/lib.rs"));
    for item in facade
        .items
        .iter()
        .chain(&parsed(&sources().join("lib.rs")).items)
    {
        match item {
            Item::Use(it) if matches!(it.vis, Visibility::Public(_)) && !is_hidden(&it.attrs) => {
                leaves(&it.tree, &mut Vec::new(), &mut exports);
            }
            _ => {}
        }
    }
    let mut files = Vec::new();
    rust_files(&sources(), &mut files);
    files.sort();
    let files: Vec<syn::File> = files.iter().map(|path| parsed(path)).collect();
    let of_macros = |path: &&Vec<String>| path[0] == "accrue_macros";
    let exported: BTreeSet<String> = exports
        .iter()
        .filter(|path| !of_macros(path))
        .map(|path| path.last().expect("a name").clone())
        .collect();
    let mut listed: BTreeMap<String, String> = BTreeMap::new();
    for path in &exports {
        let (name, module) = path.split_last().expect("a path");
        if of_macros(&path) {
            listed.insert(
                format!("{name} (a macro)"),
                format!("use accrue_macros::{name};\n"),
            );
            continue;
        }
        let file = parsed(&file_of(module));
        let item = file.items.iter().find_map(|item| signature(item, name));
        let item =
            item.unwrap_or_else(|| panic!("{} is not where it is exported from", path.join("::")));
        let of_it = BTreeSet::from([name.clone()]);
        let blocks: BTreeSet<String> = files
            .iter()
            .flat_map(|file| &file.items)
            .filter_map(|item| match item {
                Item::Impl(block) => implementation(block, &of_it).map(text),
                _ => None,
            })
            .collect();
        let blocks: String = blocks.into_iter().collect();
        listed.insert(name.clone(), text(item) + &blocks);
    }
    assert!(exported.len() >= 15, "{exported:?}");
    listed.into_values().collect::<Vec<_>>().join("\n")
}

#[test]
fn what_users_can_name_is_what_was_kept() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api.txt");
    let listing = listing();
    assert!(listing.contains("pub fn with_device"), "{listing}");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&kept, listing).expect("the listing is written");
        return;
    }
    let before = fs::read_to_string(&kept).unwrap_or_default();
    let (gone, new): (Vec<&str>, Vec<&str>) = (
        before
            .lines()
            .filter(|l| !listing.lines().any(|n| n == *l))
            .collect(),
        listing
            .lines()
            .filter(|l| !before.lines().any(|n| n == *l))
            .collect(),
    );
    assert!(
        before == listing,
        "what users can name has changed; BLESS=1 keeps it\ngone: {gone:#?}\nnew: {new:#?}"
    );
}
