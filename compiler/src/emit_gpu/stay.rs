//! Where arrays stay on the device from loop to loop of a function.
//!
//! A *stretch* is a run of statements of a block that has several planned loops, or a loop around some, and between these nothing that looks
//! at the elements of the arrays that they write ([`looks`](super::looks)). It gets a `Stay` of the runtime around it, by whose
//! `attempt` its loops are tried. What the `Stay` holds are the arrays that are in scope where the stretch begins; others move with
//! each loop that has them.

use std::collections::{HashMap, HashSet};

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Block, Expr, ExprForLoop, FnArg, Ident, Local, Stmt, Type};

use super::host;
use super::looks::{self, Reader, Wait};
use crate::ir::{Access, ArrayId, Memory, Pattern};
use crate::plan::{Analysis, LoopPlan};
use crate::profile;
use crate::syntax::names::{Key, bound_names, key_of, whole};

/// The stretches of a function.
#[derive(Default)]
pub(crate) struct Stays {
    /// The ordinals of the loops in them, with the names of the arrays that stay, for people.
    loops: HashMap<usize, Vec<String>>,
    edits: Vec<Edit>,
    /// The numbers of the `for`s that go in order in them.
    around: HashSet<usize>,
    /// The names of parameters that nobody looks at but the loops.
    kept: HashSet<String>,
    /// The stretches of the function's own block, with the names of parameters that they write.
    outermost: Vec<(std::ops::Range<usize>, Vec<String>)>,
}

/// Statements before one of a block's, or behind its last.
struct Edit {
    /// Which block, in the order in which `syn::visit` enters them.
    block: usize,
    at: usize,
    tokens: TokenStream,
}

impl Stays {
    /// Those of a function. `has_kernels` says it of each loop.
    pub(crate) fn of(analysis: &Analysis, has_kernels: &[bool]) -> Stays {
        let function = &analysis.function;
        if function.sig.asyncness.is_some() || !has_kernels.contains(&true) {
            return Stays::default();
        }
        let mut numbers = Numbers::default();
        numbers.visit_block(&function.block);
        let planned = analysis.loops.iter().filter_map(|plan| {
            let syntax = numbers.loops.get(plan.nth_for)?;
            Some((*syntax, plan))
        });
        let planned: HashMap<*const ExprForLoop, &LoopPlan> = planned.collect();
        let mut finder = Finder {
            analysis,
            has_kernels,
            planned: &planned,
            blocks: &numbers.blocks,
            loops: &numbers.loops,
            scope: Vec::new(),
            found: Stays::default(),
        };
        finder.block(&function.block);
        let mut found = finder.found;
        let names: HashSet<String> = found
            .outermost
            .iter()
            .flat_map(|(_, n)| n.clone())
            .collect();
        found.kept = names
            .into_iter()
            .filter(|name| found.has_all(function, name))
            .collect();
        found
    }

    /// Whether a parameter is only asked for its length outside of the stretches that write it.
    fn has_all(&self, function: &syn::ItemFn, name: &str) -> bool {
        let key = [Key::name(name)];
        let mut stmts = function.block.stmts.iter().enumerate();
        stmts.all(|(at, stmt)| {
            let mut stretches = self.outermost.iter();
            let inside = |(range, names): &(std::ops::Range<usize>, Vec<String>)| {
                range.contains(&at) && names.iter().any(|n| n == name)
            };
            stretches.any(inside)
                || looks::only_asked(stmt.to_token_stream(), &key, &["len", "is_empty"])
        })
    }

    /// Whether nothing looks at the elements of a parameter but loops that find them where they are.
    pub(crate) fn keeps(&self, param: &Ident) -> bool {
        self.kept.contains(&param.to_string())
    }

    /// Whether a loop stands in one.
    pub(crate) fn has(&self, plan: &LoopPlan) -> bool {
        self.loops.contains_key(&plan.ir.ordinal)
    }

    /// Whether a loop that goes in order stands in one, with all that is inside it, by its number among the `for`s of the function.
    pub(crate) fn surround(&self, nth_for: usize) -> bool {
        self.around.contains(&nth_for)
    }

    /// A line for people about a loop.
    pub(crate) fn explain(&self, plan: &LoopPlan) -> Option<String> {
        let names = self.loops.get(&plan.ir.ordinal)?;
        let (verb, names) = match &names[..] {
            [name] => ("stays", name.clone()),
            [names @ .., last] => ("stay", format!("{} and {last}", names.join(", "))),
            [] => return None,
        };
        Some(format!(
            "  on a GPU {names} {verb} there from loop to loop\n"
        ))
    }

    /// Puts them into a function's block, whose loops are as they were.
    pub(crate) fn put_into(&self, block: &mut Block) {
        struct Editor<'a> {
            edits: &'a [Edit],
            next: usize,
        }
        impl VisitMut for Editor<'_> {
            fn visit(&mut self, node: visit_mut::Node<'_>) {
                match node {
                    visit_mut::Node::Block(block) => {
                        let number = self.next;
                        self.next += 1;
                        visit_mut::visit_block_mut(self, block);
                        let edits = self.edits.iter().filter(|e| e.block == number);
                        let mut edits: Vec<&Edit> = edits.collect();
                        // From behind, so that the numbers of those before stay; of several at one place, the last of them first.
                        edits.sort_by_key(|e| e.at);
                        for edit in edits.into_iter().rev() {
                            let tokens = &edit.tokens;
                            let stmt = Stmt::Expr(Expr::Verbatim(quote!(#tokens)), None);
                            block.stmts.insert(edit.at, stmt);
                        }
                    }
                    _ => node.parts(self),
                }
            }
        }
        if !self.edits.is_empty() {
            let edits = &self.edits;
            Editor { edits, next: 0 }.visit_block_mut(block);
        }
    }
}

/// The blocks and loops of a function by their numbers.
#[derive(Default)]
struct Numbers {
    blocks: HashMap<*const Block, usize>,
    loops: Vec<*const ExprForLoop>,
}

impl<'a> Visit<'a> for Numbers {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Block(block) => {
                self.blocks.insert(block, self.blocks.len());
                visit::visit_block(self, block);
            }
            visit::Node::ExprForLoop(e) => {
                self.loops.push(e);
                visit::visit_expr_for_loop(self, e);
            }
            _ => node.parts(self),
        }
    }
}

struct Finder<'a> {
    analysis: &'a Analysis,
    has_kernels: &'a [bool],
    planned: &'a HashMap<*const ExprForLoop, &'a LoopPlan>,
    blocks: &'a HashMap<*const Block, usize>,
    loops: &'a [*const ExprForLoop],
    /// What stands before the place in the blocks around it.
    scope: Vec<&'a Local>,
    found: Stays,
}

/// An array that is held.
struct Held {
    key: Key,
    /// An expression of the runtime's type `Place`, or a statement that shares it.
    place: TokenStream,
    written: bool,
}

/// A stretch of a block.
struct Stretch {
    held: Vec<Held>,
    waits: Vec<Wait>,
    loops: Vec<usize>,
}

impl<'a> Finder<'a> {
    fn block(&mut self, block: &'a Block) {
        let depth = self.scope.len();
        let mut at = 0;
        while at < block.stmts.len() {
            if !self.has_loops(&block.stmts[at]) {
                self.pass(&block.stmts[at]);
                at += 1;
                continue;
            }
            match self.longest(block, at) {
                Some((end, stretch)) => {
                    self.take(block, at, end, stretch);
                    block.stmts[at..end].iter().for_each(|s| self.pass(s));
                    at = end;
                }
                None => {
                    self.inside(&block.stmts[at]);
                    self.pass(&block.stmts[at]);
                    at += 1;
                }
            }
        }
        self.scope.truncate(depth);
    }

    fn pass(&mut self, stmt: &'a Stmt) {
        if let Stmt::Local(local) = stmt {
            self.scope.push(local);
        }
    }

    /// Looks for stretches in the blocks within a statement.
    fn inside(&mut self, stmt: &'a Stmt) {
        struct Inner<'f, 'a>(&'f mut Finder<'a>);
        impl<'a> Visit<'a> for Inner<'_, 'a> {
            fn visit(&mut self, node: visit::Node<'a>) {
                match node {
                    visit::Node::Block(block) => {
                        self.0.block(block);
                    }
                    visit::Node::ExprForLoop(e) => {
                        if !self.0.planned.contains_key(&std::ptr::from_ref(e)) {
                            visit::visit_expr_for_loop(self, e);
                        }
                    }
                    visit::Node::ExprClosure(_) => {}
                    visit::Node::Item(_) => {}
                    _ => node.parts(self),
                }
            }
        }
        Inner(self).visit_stmt(stmt);
    }

    fn has_loops(&self, stmt: &Stmt) -> bool {
        !self.loops_of(std::slice::from_ref(stmt)).is_empty()
    }

    /// The planned loops in statements, and whether each runs again and again there.
    fn loops_of(&self, stmts: &[Stmt]) -> Vec<(&'a LoopPlan, bool)> {
        struct Loops<'f, 'a> {
            planned: &'f HashMap<*const ExprForLoop, &'a LoopPlan>,
            depth: usize,
            found: Vec<(&'a LoopPlan, bool)>,
        }
        impl<'b> Visit<'b> for Loops<'_, '_> {
            fn visit(&mut self, node: visit::Node<'b>) {
                match node {
                    visit::Node::ExprForLoop(e) => {
                        if let Some(plan) = self.planned.get(&std::ptr::from_ref(e)) {
                            return self.found.push((plan, self.depth > 0));
                        }
                        self.depth += 1;
                        visit::visit_expr_for_loop(self, e);
                        self.depth -= 1;
                    }
                    visit::Node::ExprWhile(e) => {
                        self.depth += 1;
                        visit::visit_expr_while(self, e);
                        self.depth -= 1;
                    }
                    visit::Node::ExprLoop(e) => {
                        self.depth += 1;
                        visit::visit_expr_loop(self, e);
                        self.depth -= 1;
                    }
                    _ => node.parts(self),
                }
            }
        }
        let mut loops = Loops {
            planned: self.planned,
            depth: 0,
            found: Vec::new(),
        };
        stmts.iter().for_each(|stmt| loops.visit_stmt(stmt));
        loops.found
    }

    /// The longest stretch from a statement on, and where it ends.
    fn longest(&self, block: &'a Block, start: usize) -> Option<(usize, Stretch)> {
        let ends = (start + 1..=block.stmts.len()).rev();
        let mut ends = ends.filter(|end| {
            let last = &block.stmts[end - 1];
            self.has_loops(last) && has_no_value(last)
        });
        ends.find_map(|end| Some((end, self.stretch(block, start, end)?)))
    }

    /// What some statements are as a stretch, if they are one.
    fn stretch(&self, block: &'a Block, start: usize, end: usize) -> Option<Stretch> {
        let stmts = &block.stmts[start..end];
        let loops = self.loops_of(stmts);
        let on_device = || {
            loops
                .iter()
                .filter(|(plan, _)| self.has_kernels[plan.ir.ordinal])
        };
        let again = on_device().any(|(_, again)| *again);
        if !again && on_device().count() < 2 {
            return None;
        }
        let mut written = Vec::new();
        let mut read = Vec::new();
        for (plan, _) in &loops {
            written_by(plan, &mut written)?;
            read_by(plan, &mut read);
        }
        let written = self.with_names(stmts, &written);
        // What is only read must not change meanwhile: by its type, or because nothing between the loops touches it.
        let is_frozen =
            |key: &Key| key.fields.is_empty() && self.param(&key.root).is_some_and(is_shared);
        let mut all: Vec<Key> = read.into_iter().filter(|key| !is_frozen(key)).collect();
        all.extend(written.iter().cloned());
        let all = self.with_names(stmts, &all);
        [all, written.clone()].into_iter().find_map(|arrays| {
            let (met, waits) = self.read(block, start..end, &arrays)?;
            let held = self.held(stmts, &loops, &written, &arrays)?;
            let any = held.iter().any(|h| h.written);
            (any && met.len() == loops.len()).then(|| Stretch {
                held,
                waits,
                loops: met.iter().map(|plan| plan.ir.ordinal).collect(),
            })
        })
    }

    /// Places of arrays with all that the stretch, and what stands before it, calls them.
    fn with_names(&self, stmts: &[Stmt], arrays: &[Key]) -> Vec<Key> {
        let mut all = arrays.to_vec();
        loop {
            let before = all.len();
            looks::all_names(stmts, &mut all);
            for local in &self.scope {
                let names = bound_names(&local.pat);
                let is_array = |name: &&Ident| all.iter().any(|key| **name == key.root);
                if names.iter().any(is_array) {
                    for key in looks::borrowed(local) {
                        if !all.contains(&key) {
                            all.push(key);
                        }
                    }
                }
            }
            if all.len() == before {
                return all;
            }
        }
    }

    fn read(
        &self,
        block: &'a Block,
        range: std::ops::Range<usize>,
        arrays: &[Key],
    ) -> Option<(Vec<&'a LoopPlan>, Vec<Wait>)> {
        let params = self.params();
        let names = |is: fn(&Type) -> bool| {
            let params = params.iter().filter(|(_, ty)| is(ty));
            params.map(|(name, _)| name.to_string()).collect()
        };
        let mut reader = Reader {
            planned: self.planned,
            arrays: arrays.to_vec(),
            references: names(|ty| matches!(ty, Type::Reference(_))),
            slices: names(is_slice),
            checks_overflow: profile::overflow_checks(std::env::args()),
            met: Vec::new(),
            waits: Vec::new(),
        };
        // A name that stands for something else before is nothing that is known.
        for name in self.scope.iter().flat_map(|local| bound_names(&local.pat)) {
            reader.references.remove(&name.to_string());
            reader.slices.remove(&name.to_string());
        }
        reader.stmts(block, range).ok()?;
        Some((reader.met, reader.waits))
    }

    /// The function's parameters that are names.
    fn params(&self) -> Vec<(&'a Ident, &'a Type)> {
        let inputs = self.analysis.function.sig.inputs.iter();
        let typed = inputs.filter_map(|input| match input {
            FnArg::Typed(param) => Some((whole(&param.pat)?, &*param.ty)),
            FnArg::Receiver(_) => None,
        });
        typed.collect()
    }

    /// The type of a parameter, unless another thing has its name where the stretch begins.
    fn param(&self, name: &str) -> Option<&'a Type> {
        let mut hidden = self.scope.iter().flat_map(|local| bound_names(&local.pat));
        if hidden.any(|hidden| hidden == name) {
            return None;
        }
        let mut params = self.params().into_iter();
        params.find(|(param, _)| *param == name).map(|(_, ty)| ty)
    }

    /// Whether a name is one where the stretch begins.
    fn is_in_scope(&self, name: &str) -> bool {
        let is_self = name == "self";
        let mut locals = self.scope.iter().filter_map(|local| whole(&local.pat));
        is_self || self.param(name).is_some() || locals.any(|local| local == name)
    }

    /// The arrays that a stretch holds; none where it cannot be told how two of them lie.
    fn held(
        &self,
        stmts: &[Stmt],
        loops: &[(&'a LoopPlan, bool)],
        written: &[Key],
        arrays: &[Key],
    ) -> Option<Vec<Held>> {
        let mut inside = Bound::default();
        stmts.iter().for_each(|stmt| inside.visit_stmt(stmt));
        // What has its name where the stretch ends would be taken for the array.
        let hides = |stmt: &Stmt| match stmt {
            Stmt::Local(local) => {
                let names = bound_names(&local.pat);
                let mut written = written.iter().filter(|key| self.is_in_scope(&key.root));
                written.any(|key| names.iter().any(|name| **name == key.root))
            }
            _ => false,
        };
        if stmts.iter().any(hides) {
            return None;
        }
        let exchanged = looks::exchanged(stmts);
        let mut held: Vec<Held> = Vec::new();
        let is_written = |key: &Key| written.iter().any(|w| w.overlaps(key));
        let mut hold = |key: &Key, written: bool, place: TokenStream| {
            if !held.iter().any(|h| h.key.overlaps(key)) {
                let key = key.clone();
                held.push(Held {
                    key,
                    place,
                    written,
                });
            }
        };
        // Parameters that are references to arrays by their type.
        for (name, ty) in self.params() {
            let key = Key::name(name.to_string());
            if self.param(&key.root).is_none() {
                continue;
            }
            if is_shared(ty) {
                hold(&key, false, shared(&quote!(#name)));
            } else if is_exclusive(ty) && is_written(&key) {
                hold(&key, true, exclusive(&quote!(#name)));
            }
        }
        // What the loops themselves have as arrays, which rustc then knows to be slices.
        for (plan, _) in loops {
            if !self.has_kernels[plan.ir.ordinal] {
                continue;
            }
            for (id, (array, syntax)) in plan.ir.arrays.iter().zip(&plan.arrays).enumerate() {
                let expr = &syntax.expr;
                let Some((key, false)) = key_of(expr) else {
                    continue;
                };
                let is_hidden = inside.0.contains(&key.root) || !self.is_in_scope(&key.root);
                let is_known = arrays.iter().any(|known| known.overlaps(&key));
                if is_hidden || !is_known {
                    continue;
                }
                match array.access {
                    Access::Owned | Access::Updated => hold(&key, true, exclusive(&quote!(#expr))),
                    Access::Read if !is_written(&key) => {
                        hold(&key, false, seen(plan, ArrayId(id as u32), expr));
                    }
                    Access::Read if exchanged.contains(&key) => {
                        hold(&key, true, exclusive(&quote!(#expr)));
                    }
                    Access::Read | Access::LengthOnly => {}
                }
            }
        }
        // One of them may be a part of another, or lent to a name by which the stretch has its elements.
        for local in &self.scope {
            let names = bound_names(&local.pat);
            let of = looks::borrowed(local);
            let mut used = held.iter().map(|h| &h.key).chain(arrays);
            let binds = used.any(|key| names.iter().any(|name| **name == key.root));
            let lends = |h: &Held| {
                of.iter().any(|key| key.overlaps(&h.key))
                    && !names.iter().any(|name| **name == h.key.root)
            };
            if binds && held.iter().any(lends) {
                return None;
            }
        }
        Some(held)
    }

    /// Takes a stretch.
    fn take(&mut self, block: &Block, start: usize, end: usize, stretch: Stretch) {
        let Stretch { held, waits, loops } = stretch;
        let stay = name();
        let rt = quote!(::accrue::__rt::gpu);
        let questions = host::questions();
        let uses =
            quote!(use #rt::{AskNoPlace as _, AskNotShared as _, AskPlace as _, AskShares as _};);
        let holds = held.iter().map(|h| {
            let place = &h.place;
            match h.written {
                true => quote!(#rt::Stay::hold(&mut #stay, #place);),
                false => quote!(#place),
            }
        });
        let ends = held.iter().filter(|h| h.written).map(|h| &h.place);
        let number = self.blocks[&std::ptr::from_ref(block)];
        let mut edit = |block, at, tokens| self.found.edits.push(Edit { block, at, tokens });
        edit(
            number,
            start,
            quote! {
                let mut #stay = #rt::Stay::begin();
                #[allow(unused_imports)]
                {
                    #uses
                    #questions
                    #(#holds)*
                }
            },
        );
        for Wait { block, at, when } in waits {
            let of = self.blocks[&block];
            // The first statement has no loops before it.
            if (of, at) != (number, start) {
                edit(of, at, quote!(if #when { #rt::Stay::settle(&mut #stay); }));
            }
        }
        edit(
            number,
            end,
            quote! {
                {
                    #[allow(unused_imports)]
                    #uses
                    #rt::Stay::end(&mut #stay, &[#(#ends),*]);
                }
            },
        );
        if std::ptr::eq(block, &*self.analysis.function.block) {
            let params = held.iter().filter(|h| h.written && h.key.fields.is_empty());
            let params = params.filter(|h| self.param(&h.key.root).is_some());
            let params = params.map(|h| h.key.root.clone()).collect();
            self.found.outermost.push((start..end, params));
        }
        let names: Vec<String> = held.iter().map(|h| text(&h.key)).collect();
        for ordinal in loops {
            self.found.loops.insert(ordinal, names.clone());
        }
        let mut inside = Numbers::default();
        let stmts = &block.stmts[start..end];
        stmts.iter().for_each(|stmt| inside.visit_stmt(stmt));
        let inside = inside.loops.iter();
        let numbers = inside.filter_map(|of| self.loops.iter().position(|known| known == of));
        self.found.around.extend(numbers);
    }
}

/// The variable of the runtime's type `Stay`.
pub(super) fn name() -> Ident {
    format_ident!("__accrue_stay")
}

/// A statement that brings the elements back, for the CPU's form of a loop.
pub(crate) fn home() -> TokenStream {
    let stay = name();
    quote!(::accrue::__rt::gpu::Stay::home(&mut #stay);)
}

fn text(key: &Key) -> String {
    let fields = key.fields.iter().map(|field| format!(".{field}"));
    std::iter::once(key.root.clone()).chain(fields).collect()
}

/// Where an array that loops write is.
fn exclusive(expr: &TokenStream) -> TokenStream {
    quote!((&mut ::accrue::__rt::gpu::Ask(&mut (#expr)[::accrue::__rt::ALL])).__accrue_place())
}

/// A statement that shares an array by its type.
fn shared(expr: &TokenStream) -> TokenStream {
    let stay = name();
    quote! {
        ::accrue::__rt::gpu::Stay::share(
            &mut #stay,
            (&::accrue::__rt::gpu::AskShared(&(#expr)[::accrue::__rt::ALL])).__accrue_shared(),
        );
    }
}

/// A statement that shares an array of a loop, if its elements are those of the kernel.
fn seen(plan: &LoopPlan, id: ArrayId, expr: &Expr) -> TokenStream {
    let stay = name();
    let none = quote!(::core::option::Option::None);
    let ty = host::rust_type(&plan.ir.array(id).elem);
    let place = host::seen(
        &quote!(&(#expr)),
        &ty,
        "elements",
        &quote!(break '__accrue_shared #none),
    );
    quote! {
        ::accrue::__rt::gpu::Stay::share(
            &mut #stay,
            '__accrue_shared: { (&::accrue::__rt::gpu::AskShared(#place)).__accrue_shared() },
        );
    }
}

/// The places of the arrays that a loop writes; none where one is no place.
fn written_by(plan: &LoopPlan, found: &mut Vec<Key>) -> Option<()> {
    let Pattern::Histogram(roles) = &plan.pattern;
    let owned = roles.owned.iter().copied();
    let filled = roles.filled.iter().map(|filled| filled.array);
    let bins = roles
        .targets
        .iter()
        .filter_map(|target| match target.memory {
            Memory::Bins(id) => Some(id),
            Memory::Scalar(_) => None,
        });
    for id in owned.chain(filled).chain(bins) {
        add(plan, &plan.arrays[id.0 as usize].expr, found)?;
    }
    // A collection that is appended to may move.
    (plan.grown.is_empty() && plan.keyed.is_empty()).then_some(())
}

fn read_by(plan: &LoopPlan, found: &mut Vec<Key>) {
    for (array, syntax) in plan.ir.arrays.iter().zip(&plan.arrays) {
        if array.access == Access::Read {
            let _ = add(plan, &syntax.expr, found);
        }
    }
}

/// Adds the place that an expression is, or of which it was taken before the loop.
fn add(plan: &LoopPlan, expr: &Expr, found: &mut Vec<Key>) -> Option<()> {
    let (key, _) = key_of(expr)?;
    let once = plan.once.iter().find(|once| once.name == key.root);
    let key = match once {
        Some(once) => key_of(&once.expr)?.0,
        None => key,
    };
    if !found.contains(&key) {
        found.push(key);
    }
    Some(())
}

/// Whether a statement gives no value, so that another may follow it.
fn has_no_value(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Local(_) | Stmt::Item(_) => true,
        Stmt::Expr(expr, None) => matches!(expr, Expr::ForLoop(_) | Expr::While(_)),
        Stmt::Expr(_, Some(_)) => true,
        Stmt::Macro(m) => m.semi_token.is_some(),
    }
}

/// A type without its references.
fn referent(ty: &Type) -> &Type {
    match ty {
        Type::Reference(r) => referent(&r.elem),
        Type::Paren(t) => referent(&t.elem),
        Type::Group(t) => referent(&t.elem),
        _ => ty,
    }
}

fn is_array(ty: &Type) -> bool {
    match referent(ty) {
        Type::Slice(_) | Type::Array(_) => true,
        Type::Path(path) => path.path.segments.len() == 1 && path.path.segments[0].ident == "Vec",
        _ => false,
    }
}

fn is_slice(ty: &Type) -> bool {
    matches!(ty, Type::Reference(r) if matches!(&*r.elem, Type::Slice(_)))
}

/// Whether a type is an exclusive reference to an array.
fn is_exclusive(ty: &Type) -> bool {
    matches!(ty, Type::Reference(r) if r.mutability.is_some()) && is_array(ty)
}

/// Whether what a type refers to cannot change while it does.
fn is_shared(ty: &Type) -> bool {
    matches!(ty, Type::Reference(r) if r.mutability.is_none()) && is_array(ty)
}

/// The names that statements bind.
#[derive(Default)]
struct Bound(HashSet<String>);

impl<'a> Visit<'a> for Bound {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Pat(pat) => {
                let names = bound_names(pat).into_iter();
                self.0.extend(names.map(|name| name.to_string()));
                visit::visit_pat(self, pat);
            }
            _ => node.parts(self),
        }
    }
}
