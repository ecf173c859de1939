//! Bins that are fields of structs, or parts of tuples: each field is an array of its own while the loop runs.
//!
//! ```text
//! for (p, &c) in points.iter().zip(cluster) { sums[c].x += p.x; sums[c].n += 1; }
//! ```
//!
//! In the *view* of the function that the stages judge, `sums[c].x` is `x[c]` of an array that stands for the field. Around the loop stands what copies the
//! fields there before it and back behind it, so that after a panic they are as before. Where the loop has few iterations for its bins that would be more
//! than its own work: it runs in order on the elements themselves then, and notes what each held before its first update.
//!
//! `let s = &mut sums[c]; s.x += p.x; s.n += 1;` is the same, and so is `if p.x > s.top { s.top = p.x; }` where no such field is NaN before the loop, which is looked
//! for: nobody knows here whether they are floats. Whoever takes an element as a whole, `sums[c] = ..` or `sums[c].add(p)`, keeps it one.

use crate::sorted::SortedSet;

use crate::sorted::Sorted;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{
    Expr, ExprForLoop, FnArg, Ident, ItemFn, Member, Pat, Stmt, Type, parse_quote,
    parse_quote_spanned,
};

use super::idioms::Idioms;
use super::names::{identifiers, key_of};
use super::sites::is_compound;
use super::trips::Trips;
use crate::alias;
use crate::ir::Scalar;
use crate::parsed::fields::{Bound, Field, Fields, indexed};
use crate::syntax::names::{Key, bound_names};
use crate::syntax::{is_at_hand, without_parens};

/// The fields that are bins as far as it can be seen; `None` where there are none.
pub fn find(function: &ItemFn) -> Option<Fields> {
    let mut words = Vec::new();
    identifiers(function.to_token_stream(), &mut words);
    // Of our names indices alone stand where elements had names.
    let ours = |word: &str| word.starts_with("__accrue_") && !alias::is_index(word);
    if words.iter().any(|word| ours(&word.to_string())) {
        return None;
    }
    let mut view = function.clone();
    let mut finder = Loops::default();
    finder.visit_block_mut(&mut view.block);
    let known = finder.known;
    if known.is_empty() {
        return None;
    }
    for (name, field) in known.iter() {
        let name = Ident::new(name, Span::call_site());
        let elem = elem(function, field)?;
        view.sig.inputs.push(parse_quote!(#name: &mut [#elem]));
    }
    #[derive(Default)]
    struct All(Vec<ExprForLoop>);
    impl<'a> Visit<'a> for All {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::ExprForLoop(of) => {
                    self.0.push(of.clone());
                    visit::visit_expr_for_loop(self, of);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut all = All::default();
    all.visit_block(&function.block);
    Some(Fields {
        view,
        known,
        loops: all.0,
        trips: Trips::of(function),
    })
}

/// The type of an element of an array of fields: what is known of it by the signature. None where elements of elements are no arrays, as far as it says.
fn elem(function: &ItemFn, field: &Field) -> Option<TokenStream> {
    let (key, _) = key_of(&field.array)?;
    let mut inputs = function.sig.inputs.iter();
    let declared = inputs.find_map(|input| match input {
        FnArg::Typed(typed) => {
            let is_it = matches!(&*typed.pat, Pat::Ident(pat) if pat.ident == key.root);
            (is_it && key.fields.is_empty()).then_some(&*typed.ty)
        }
        FnArg::Receiver(_) => None,
    });
    let Some(mut ty) = declared else {
        return (field.depth == 1).then(|| quote!(_));
    };
    let mut lens = Vec::new();
    for level in 0..field.depth {
        while let Type::Reference(of) = ty {
            ty = &of.elem;
        }
        ty = match ty {
            Type::Slice(of) if level == 0 => &of.elem,
            Type::Array(of) => {
                lens.extend((level > 0).then_some(&of.len));
                &of.elem
            }
            _ => return (field.depth == 1).then(|| quote!(_)),
        };
    }
    let part = field
        .path
        .iter()
        .try_fold(ty, |ty, member| match (ty, member) {
            (Type::Tuple(of), Member::Unnamed(index)) => of.elems.get(index.index as usize),
            _ => None,
        });
    let part = part.map_or(quote!(_), ToTokens::into_token_stream);
    Some(lens.iter().rev().fold(part, |of, len| quote!([#of; #len])))
}

/// Rewrites each outermost loop that updates fields of elements.
#[derive(Default)]
struct Loops {
    known: Sorted<String, Field>,
}

impl VisitMut for Loops {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::ExprForLoop(of) => {
                let mut updates = Updates {
                    own: number(of).cloned(),
                    ..Updates::default()
                };
                updates.visit_expr_for_loop(of);
                let mut among = updates.arrays;
                // An array that is made in the loop is none of what it is over.
                Bound(&mut |name| among.retain(|key| key.root != *name)).visit_expr_for_loop(of);
                while !among.is_empty() {
                    let mut form = of.clone();
                    let mut rewriter = Rewriter {
                        among: &among,
                        fields: Sorted::new(),
                        bound: Vec::new(),
                    };
                    rewriter.visit_expr_for_loop_mut(&mut form);
                    let mut fields = rewriter.fields;
                    let floats = fields.iter().map(|(name, field)| {
                        let may_be = (Scalar::F64, field.depth);
                        (name.clone(), may_be)
                    });
                    for name in Idioms::of_floats(&floats.collect(), &mut form) {
                        if let Some(field) = fields.get_mut(&name.to_string()) {
                            field.compared = true;
                        }
                    }
                    let mut rest = Rest {
                        among: &among,
                        found: SortedSet::new(),
                    };
                    rest.visit_expr_for_loop(&form);
                    let mut rest = rest.found;
                    rest.extend(nested(&fields, &among));
                    if rest.is_empty() {
                        *of = form;
                        self.known.extend(fields);
                        return;
                    }
                    among.retain(|key| !rest.contains(key));
                }
            }
            visit_mut::Node::Item(_) => {}
            visit_mut::Node::ExprClosure(_) => {}
            _ => node.parts(self),
        }
    }
}

/// The name for the number of a loop's iteration: of `for i in 0..n` and `for (i, x) in xs.iter().enumerate()`.
fn number(of: &ExprForLoop) -> Option<&Ident> {
    let pat = match (without_parens(&of.expr), &*of.pat) {
        (Expr::Range(_), pat) => pat,
        (Expr::MethodCall(call), Pat::Tuple(pats)) if call.method == "enumerate" => {
            pats.elems.first()?
        }
        _ => return None,
    };
    match pat {
        Pat::Ident(pat) => Some(&pat.ident),
        _ => None,
    }
}

/// The arrays of which one field is a part of another, or one is indexed more often than another.
fn nested(fields: &Sorted<String, Field>, among: &SortedSet<Key>) -> SortedSet<Key> {
    let of = |key: &Key| -> Vec<&Field> {
        let is = |field: &&Field| key_of(&field.array).is_some_and(|(of, _)| of == *key);
        fields.values().filter(is).collect()
    };
    let clash = |a: &Field, b: &Field| {
        a.depth != b.depth || a.path.len() < b.path.len() && b.path.starts_with(&a.path)
    };
    let among = among.iter().filter(|key| {
        let of = of(key);
        of.iter().any(|a| of.iter().any(|b| clash(a, b)))
    });
    among.cloned().collect()
}

/// `base.path`: what fields are taken of, and the path, which is empty where none are.
fn path_of(e: &Expr) -> (&Expr, Vec<Member>) {
    let (mut path, mut base) = (Vec::new(), without_parens(e));
    while let Expr::Field(field) = base {
        path.push(field.member.clone());
        base = without_parens(&field.base);
    }
    path.reverse();
    (base, path)
}

/// `array[i][j].path`: the array, its indices and the path.
fn taken_apart(e: &Expr) -> Option<(&Expr, Vec<&Expr>, Vec<Member>)> {
    let (e, path) = path_of(e);
    let (e, indices) = indexed(e);
    let array = key_of(e).filter(|(_, indexed)| !indexed);
    (array.is_some() && !indices.is_empty() && !indices.iter().any(|i| matches!(i, Expr::Range(_))))
        .then_some((e, indices, path))
}

/// `let name = &mut array[i];`
pub(super) fn borrowed(stmt: &Stmt) -> Option<(&Ident, &Expr, Vec<&Expr>)> {
    let Stmt::Local(syn::Local {
        pat: Pat::Ident(pat),
        init: Some(init),
        ..
    }) = stmt
    else {
        return None;
    };
    let Expr::Reference(of) = without_parens(&init.expr) else {
        return None;
    };
    let (array, indices, path) = taken_apart(&of.expr)?;
    let plain = of.mutability.is_some() && pat.by_ref.is_none() && pat.subpat.is_none();
    (plain && path.is_empty() && init.diverge.is_none()).then_some((&pat.ident, array, indices))
}

/// `if let Some(name) = array.get_mut(i)`
fn asked(of: &syn::ExprIf) -> Option<(&Ident, &Expr, &Expr)> {
    let Expr::Let(cond) = &*of.cond else {
        return None;
    };
    let (Pat::TupleStruct(pat), Expr::MethodCall(call)) = (&*cond.pat, without_parens(&cond.expr))
    else {
        return None;
    };
    let Some(Pat::Ident(name)) = pat.elems.first().filter(|_| pat.elems.len() == 1) else {
        return None;
    };
    let array = key_of(&call.receiver).filter(|(_, indexed)| !indexed);
    let plain = pat.path.is_ident("Some")
        && name.by_ref.is_none()
        && name.mutability.is_none()
        && name.subpat.is_none()
        && call.method == "get_mut"
        && call.args.len() == 1
        && array.is_some();
    plain.then(|| (&name.ident, &*call.receiver, &call.args[0]))
}

/// The arrays whose elements have fields that are updated.
#[derive(Default)]
struct Updates {
    arrays: SortedSet<Key>,
    /// By which the iterations have elements of their own.
    own: Option<Ident>,
    /// What names were bound to.
    elements: Vec<(Ident, Key)>,
}

impl Updates {
    fn update(&mut self, left: &Expr) {
        match taken_apart(left) {
            Some((array, indices, path)) if !path.is_empty() => {
                let own = self.own.as_ref();
                let is_own = matches!(indices[..], [Expr::Path(path)] if own.is_some_and(|own| path.path.is_ident(own)));
                let key = key_of(array).map(|(key, _)| key);
                self.arrays.extend(key.filter(|_| !is_own));
            }
            _ => {
                let Expr::Path(path) = path_of(left).0 else {
                    return;
                };
                let of = self
                    .elements
                    .iter()
                    .filter(|(name, _)| path.path.is_ident(name));
                self.arrays.extend(of.map(|(_, key)| key.clone()));
            }
        }
    }
}

impl<'a> Visit<'a> for Updates {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                match e {
                    Expr::Binary(update) if is_compound(&update.op) => self.update(&update.left),
                    Expr::Assign(update) if is_in(&update.left, &update.right) => {
                        self.update(&update.left)
                    }
                    Expr::If(of) => {
                        let stmts = of.then_branch.stmts.iter();
                        for stmt in stmts {
                            if let Stmt::Expr(Expr::Assign(update), _) = stmt
                                && is_in(&update.left, &of.cond)
                            {
                                self.update(&update.left);
                            }
                        }
                    }
                    _ => {}
                }
                if let Expr::If(of) = e
                    && let Some((name, array, _)) = asked(of)
                    && let Some((key, _)) = key_of(array)
                {
                    self.elements.push((name.clone(), key));
                }
                visit::visit_expr(self, e);
            }
            visit::Node::Stmt(stmt) => {
                if let Some((name, array, _)) = borrowed(stmt)
                    && let Some((key, _)) = key_of(array)
                {
                    self.elements.push((name.clone(), key));
                }
                visit::visit_stmt(self, stmt);
            }
            _ => node.parts(self),
        }
    }
}

/// Whether an expression has a place in it.
fn is_in(place: &Expr, e: &Expr) -> bool {
    struct Finder(String, bool);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) => {
                    self.1 |= e.to_token_stream().to_string() == self.0;
                    visit::visit_expr(self, e);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(place.to_token_stream().to_string(), false);
    finder.visit_expr(e);
    finder.1
}

/// Whatever is left of some arrays in a loop: elements as a whole.
struct Rest<'a> {
    among: &'a SortedSet<Key>,
    found: SortedSet<Key>,
}

impl<'a> Visit<'a> for Rest<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                if let Expr::MethodCall(call) = e
                    && matches!(call.method.to_string().as_str(), "len" | "is_empty")
                    && key_of(&call.receiver)
                        .is_some_and(|(key, indexed)| !indexed && self.among.contains(&key))
                {
                    return;
                }
                let Some((key, _)) = key_of(e) else {
                    return visit::visit_expr(self, e);
                };
                let whole = self.among.iter().filter(|of| key.overlaps(of));
                self.found.extend(whole.cloned());
                // What it is a part of is another place.
                let mut place = e;
                loop {
                    place = match place {
                        Expr::Index(of) => {
                            self.visit_expr(&of.index);
                            &of.expr
                        }
                        Expr::Field(of) => &of.base,
                        Expr::Paren(of) => &of.expr,
                        Expr::Group(of) => &of.expr,
                        Expr::Unary(of) => &of.expr,
                        Expr::Reference(of) => &of.expr,
                        _ => break,
                    };
                }
            }
            visit::Node::Macro(mac) => {
                let mut words = Vec::new();
                identifiers(mac.tokens.clone(), &mut words);
                let named = self
                    .among
                    .iter()
                    .filter(|key| words.iter().any(|word| *word == key.root));
                self.found.extend(named.cloned());
            }
            _ => node.parts(self),
        }
    }
}

/// Puts arrays of fields in the place of fields.
struct Rewriter<'a> {
    among: &'a SortedSet<Key>,
    fields: Sorted<String, Field>,
    /// Names of elements, with the array and the names of its indices.
    bound: Vec<(Ident, Expr, Vec<Ident>)>,
}

impl Rewriter<'_> {
    /// The array that stands for a field.
    fn name(&mut self, array: &Expr, depth: usize, path: Vec<Member>) -> Option<Ident> {
        let mut words = Vec::new();
        identifiers(array.to_token_stream(), &mut words);
        let mut words: Vec<String> = words.iter().map(Ident::to_string).collect();
        words.extend(path.iter().map(|m| m.to_token_stream().to_string()));
        let name = alias::field(
            &words,
            path.last().map_or_else(Span::call_site, Spanned::span),
        )?;
        let field = Field {
            array: array.clone(),
            depth,
            path,
            compared: false,
        };
        // One of another depth makes both of them stay as they are.
        let key = match self.fields.get(&name.to_string()) {
            Some(known) if known.depth != depth => format!("{name}_{depth}"),
            _ => name.to_string(),
        };
        self.fields.insert(key, field);
        Some(name)
    }

    /// The element of an array of fields that an expression stands for.
    fn element(&mut self, e: &Expr) -> Option<Expr> {
        if let Some((array, indices, path)) = taken_apart(e) {
            let (key, _) = key_of(array)?;
            if path.is_empty() || !self.among.contains(&key) {
                return None;
            }
            let name = self.name(array, indices.len(), path)?;
            return Some(parse_quote!(#name #([#indices])*));
        }
        let (Expr::Path(of), path) = path_of(e) else {
            return None;
        };
        let bound = self
            .bound
            .iter()
            .rev()
            .find(|(name, ..)| of.path.is_ident(name));
        let (_, array, indices) = bound.filter(|_| !path.is_empty())?.clone();
        let name = self.name(&array, indices.len(), path)?;
        Some(parse_quote!(#name #([#indices])*))
    }

    /// Whether statements use a name for nothing but fields of what it is bound to.
    fn is_taken_apart(name: &Ident, stmts: &[Stmt]) -> bool {
        struct Uses<'a> {
            name: &'a Ident,
            whole: bool,
        }
        impl<'a> Visit<'a> for Uses<'_> {
            fn visit(&mut self, node: visit::Node<'a>) {
                match node {
                    visit::Node::Expr(e) => {
                        let mut base = e;
                        while let Expr::Field(field) = base {
                            base = without_parens(&field.base);
                        }
                        let is_it =
                            matches!(base, Expr::Path(path) if path.path.is_ident(self.name));
                        match is_it {
                            true => self.whole |= !matches!(e, Expr::Field(_)),
                            false => visit::visit_expr(self, e),
                        }
                    }
                    // What is inside may be looked at alone.
                    visit::Node::ExprForLoop(of) => {
                        self.visit_macro_tokens(of.to_token_stream());
                    }
                    visit::Node::ExprClosure(of) => {
                        self.visit_macro_tokens(of.to_token_stream());
                    }
                    visit::Node::Macro(mac) => {
                        self.visit_macro_tokens(mac.tokens.clone());
                    }
                    visit::Node::PatIdent(pat) => {
                        self.whole |= pat.ident == *self.name;
                    }
                    _ => node.parts(self),
                }
            }
        }
        impl Uses<'_> {
            fn visit_macro_tokens(&mut self, tokens: TokenStream) {
                let mut words = Vec::new();
                identifiers(tokens, &mut words);
                self.whole |= words.iter().any(|word| word == self.name);
            }
        }
        let mut uses = Uses { name, whole: false };
        stmts.iter().for_each(|stmt| uses.visit_stmt(stmt));
        !uses.whole
    }

    /// Whether the first of some statements updates a field by a number at hand: it tells an index that is out of range.
    fn is_told(name: &Ident, stmts: &[Stmt]) -> bool {
        let Some(Stmt::Expr(Expr::Binary(first), _)) = stmts.first() else {
            return false;
        };
        let base = path_of(&first.left).0;
        let is_it = matches!(base, Expr::Path(path) if path.path.is_ident(name));
        is_it && is_compound(&first.op) && is_at_hand(&first.right)
    }
}

/// What tells an index that is out of range where an element is bound, as indexing does.
fn in_range(array: &Expr, at: &Ident) -> Stmt {
    parse_quote_spanned! {at.span()=>
        {
            let len = #array.len();
            ::core::assert!(#at < len, "index out of bounds: the len is {} but the index is {}", len, #at);
        }
    }
}

impl VisitMut for Rewriter<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                if let Expr::If(of) = e
                    && let Some((name, array, index)) = asked(of)
                    && key_of(array).is_some_and(|(key, _)| self.among.contains(&key))
                    && Self::is_taken_apart(name, &of.then_branch.stmts)
                {
                    let (name, array, index) = (name.clone(), array.clone(), index.clone());
                    let at = alias::index(&name.to_string(), 0, name.span());
                    of.cond = parse_quote!(#at < #array.len());
                    self.bound.push((name, array, vec![at.clone()]));
                    self.visit_block_mut(&mut of.then_branch);
                    self.bound.pop();
                    if let Some((_, otherwise)) = &mut of.else_branch {
                        self.visit_expr_mut(otherwise);
                    }
                    let mut index = index;
                    self.visit_expr_mut(&mut index);
                    *e = parse_quote!({
                        let #at = #index;
                        #of
                    });
                    return;
                }
                if let Expr::Field(_) = without_parens(e)
                    && let Some(element) = self.element(e)
                {
                    *e = element;
                }
                visit_mut::visit_expr_mut(self, e);
            }
            visit_mut::Node::Block(block) => {
                let known = self.bound.len();
                let mut at = 0;
                while at < block.stmts.len() {
                    let stmt = &block.stmts[at];
                    let rest = &block.stmts[at + 1..];
                    let taken = borrowed(stmt).filter(|(name, array, indices)| {
                        key_of(array).is_some_and(|(key, _)| self.among.contains(&key))
                            && Self::is_taken_apart(name, rest)
                            && (indices.len() == 1 || Self::is_told(name, rest))
                    });
                    if let Some((name, array, indices)) = taken {
                        let (name, array) = (name.clone(), array.clone());
                        let names = (0..indices.len())
                            .map(|n| alias::index(&name.to_string(), n, name.span()));
                        let names: Vec<Ident> = names.collect();
                        let lets = names
                            .iter()
                            .zip(indices)
                            .map(|(name, index)| -> Stmt { parse_quote!(let #name = #index;) });
                        let mut lets: Vec<Stmt> = lets.collect();
                        if !Self::is_told(&name, rest) {
                            lets.extend(names.iter().map(|at| in_range(&array, at)));
                        }
                        let count = lets.len();
                        block.stmts.splice(at..=at, lets);
                        for stmt in &mut block.stmts[at..at + count] {
                            self.visit_stmt_mut(stmt);
                        }
                        self.bound.push((name, array, names));
                        at += count;
                        continue;
                    }
                    // A name that is bound again is another one.
                    if let Stmt::Local(local) = stmt {
                        let names: Vec<Ident> =
                            bound_names(&local.pat).into_iter().cloned().collect();
                        self.visit_stmt_mut(&mut block.stmts[at]);
                        self.bound.retain(|(name, ..)| !names.contains(name));
                    } else {
                        self.visit_stmt_mut(&mut block.stmts[at]);
                    }
                    at += 1;
                }
                self.bound.truncate(known);
            }
            _ => node.parts(self),
        }
    }
}
