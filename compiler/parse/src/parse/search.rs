//! Loops that end with the first iteration of a kind, by `return` or `break`: what says which it is is a loop of its own, which looks for the first, and that
//! iteration runs in the user's own words.
//!
//! ```text
//! for i in 0..n {                     let (mut left, mut at) = (false, usize::MAX);
//!     if x[i] < 0 {                   for (nth, i) in (0..n).enumerate() { if !left && x[i] < 0 { left = true; at = nth; } }
//!         return Err(i);              for i in (0..n).take(at) { sum += x[i]; }
//!     }                               if left { for i in (0..n).skip(at) { if x[i] < 0 { return Err(i); } sum += x[i]; } }
//!     sum += x[i];
//! }
//! ```
//!
//! `.take_while(|x| c)` in the header is `if !c { break; }` before all that stands in the body.
//!
//! The first of the three has of the body what the conditions of the ways out are made of, and those may only read, nothing that the loop writes. The second is there where the body does
//! more; what leaves the loop goes on in it, since no iteration of its comes there. What the loop is over is evaluated three times, so that has to
//! be repeatable.

use crate::sorted::SortedSet;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{BinOp, Block, Expr, ExprForLoop, FnArg, ItemFn, Pat, Stmt, Type, parse_quote};

use super::adaptors;
use super::exits::{self, Way};
use super::iteration::{self, Adaptor, Base, Chain, Form};
use super::known::{self, PURE_MACROS, READING_METHODS};
use super::lent_items;
use super::marks;
use super::names::{
    self, Called, FreeNames, bound_names, free_names_of_body, identifiers, root_of,
};
use super::once::{is_place, is_quiet, is_repeatable};
use super::questions;
use crate::alias::{self, Exit};
use crate::ir::Method;
use crate::parsed::fields::Bound;
use crate::syntax::inferred;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let (mut shared, mut fixed) = (SortedSet::new(), SortedSet::new());
    for (name, param) in params(function) {
        let (is_shared, is_mutable) = match param {
            FnArg::Typed(param) => match (&*param.ty, &*param.pat) {
                (Type::Reference(of), _) => (of.mutability.is_none(), of.mutability.is_some()),
                (_, Pat::Ident(pat)) => (false, pat.mutability.is_some()),
                _ => (false, true),
            },
            FnArg::Receiver(of) => (false, of.mutability.is_some()),
        };
        if is_shared {
            shared.insert(name.clone());
        }
        if !is_mutable {
            fixed.insert(name);
        }
    }
    let mut searches = Searches {
        shared,
        fixed,
        found: 0,
    };
    searches.visit_block_mut(&mut function.block);
    searches.found > 0
}

/// The parameters of which nothing else is known by their names, with their types.
fn params(function: &ItemFn) -> Vec<(String, &FnArg)> {
    let mut again = vec![];
    Bound(&mut |name| again.push(name.to_string())).visit_block(&function.block);
    let params = function.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(param) => Some((names::whole(&param.pat)?.to_string(), input)),
        FnArg::Receiver(_) => Some(("self".to_owned(), input)),
    });
    params.filter(|(name, _)| !again.contains(name)).collect()
}

struct Searches {
    /// The parameters that are shared references: a loop over one leaves it where it is.
    shared: SortedSet<String>,
    /// Those that no method changes.
    fixed: SortedSet<String>,
    found: usize,
}

impl VisitMut for Searches {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Stmt(stmt) => {
                if let Some(first) = set_once(stmt) {
                    *stmt = first;
                    self.found += 1;
                    return;
                }
                if let Stmt::Expr(Expr::ForLoop(of), _) = stmt
                    && let Some(search) = self.search(of)
                {
                    *stmt = search;
                    self.found += 1;
                    return;
                }
                visit_mut::visit_stmt_mut(self, stmt);
            }
            visit_mut::Node::Expr(e) => {
                // Of a loop that is none, those inside have been judged with it.
                let inner = matches!(e, Expr::ForLoop(of) if !of.body.stmts.iter().any(|stmt| set_once(stmt).is_some()));
                if !inner && !matches!(e, Expr::Closure(_) | Expr::Async(_)) {
                    visit_mut::visit_expr_mut(self, e);
                }
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

impl Searches {
    /// The loops that a loop with a way out is.
    fn search(&self, written: &ExprForLoop) -> Option<Stmt> {
        let ended = adaptors::ended(written);
        let written = ended.as_ref().unwrap_or(written);
        let of = &questions::answered(written)?;
        let own = Own(of.label.as_ref().map(|label| label.name.ident.to_string()));
        let mut alike = of.body.clone();
        Leave::new(&own, [Some(parse_quote!(return)), None]).visit_block_mut(&mut alike);
        let body = &alike.stmts;
        let leaves = |stmt: &Stmt| exits::ways(stmt).iter().any(|way| own.leaves(way));
        if !of.attrs.is_empty()
            || marks::may_be_marked(&of.attrs)
            || !body.iter().any(leaves)
            || has_unknown_macros(&of.body)
        {
            return None;
        }
        let chain = iteration::chain(&of.expr).ok()?;
        self.is_repeatable(&chain)?;
        let items = items(&chain);
        // What it does but for leaving.
        let span = of.for_token.span();
        let names = alias::exit(self.found, true, span);
        let mut rest = of.body.clone();
        let mut goes_on = Leave::new(&own, {
            let run = &names.run;
            [
                Some(parse_quote!(continue #run)),
                Some(parse_quote!(continue #run)),
            ]
        });
        goes_on.visit_block_mut(&mut rest);
        let none: Pat = parse_quote!(_);
        let free = free_names_of_body(&none, &rest);
        let changed = writes(&free, &self.fixed);
        let over = words(&of.expr);
        if changed.wholly.iter().any(|name| over.contains(name)) {
            return None;
        }
        // An item that is handed out is an element.
        let items_of: SortedSet<String> = bound_names(&of.pat)
            .iter()
            .map(ToString::to_string)
            .collect();
        let handed = !iteration::handed_out(&chain).is_empty();
        let lent = lent_items::names(&of.pat, &iteration::lent(&chain));
        if lent_items::changed_by_others(&of.body, &lent) {
            return None;
        }
        let is_own = |inside: &SortedSet<String>, name: &String| match items_of.contains(name) {
            true => !handed,
            false => inside.contains(name),
        };
        let inside = bound_in(body);
        let does_more = changed.any().any(|name| !is_own(&inside, name))
            || !only_computes(&free)
            || lent_items::handed_on(&of.body, &lent);
        let pat = &of.pat;
        if !does_more {
            // All of it only reads.
            let names = alias::exit(self.found, false, span);
            let asked = asked(body, &own, &names);
            return Some(stmt(written, &items, &names, &asked, None));
        }
        let mut needed = SortedSet::new();
        let slice = slice(body, &own, &mut needed);
        let last = slice.iter().rposition(leaves)?;
        let slice = &slice[..=last];
        // Apart from the rest it would compute with other types.
        inferred::are_told(&alike, &parse_quote!({ #(#slice)* })).ok()?;
        let mut reads: Block = parse_quote!({ #(#slice)* });
        goes_on.visit_block_mut(&mut reads);
        if lent_items::handed_on(&reads, &lent) {
            return None;
        }
        let free = free_names_of_body(&none, &reads);
        let inside = bound_in(slice);
        let changes = writes(&free, &self.fixed)
            .any()
            .any(|name| !is_own(&inside, name));
        let reads = free.uses.iter().map(|used| &used.key.root);
        let mut reads: SortedSet<String> = reads.cloned().collect();
        reads.extend(free.in_macros.iter().map(|(name, _)| name.to_string()));
        let is_read = |name: &String| {
            reads.contains(name) && !is_own(&inside, name) && !items_of.contains(name)
        };
        let whole: SortedSet<String> = slice.iter().flat_map(words).collect();
        let is_mentioned = |name: &String| {
            whole.contains(name) && !is_own(&inside, name) && !items_of.contains(name)
        };
        if changes
            || !only_computes(&free)
            || borrows(body, &bound_in(body))
            || changed.elements.iter().any(is_read)
            || changed.wholly.iter().any(is_mentioned)
        {
            return None;
        }
        let asked = asked(slice, &own, &names);
        let (at, run) = (&names.at, &names.run);
        let rest: Stmt = parse_quote!(#run: for #pat in #items.take(#at) #rest);
        Some(stmt(written, &items, &names, &asked, Some(rest)))
    }

    /// Whether a chain may be made again.
    fn is_repeatable(&self, chain: &Chain) -> Option<()> {
        let of = |of: &Expr| is_place(of) || is_quiet(of);
        let base = match &chain.base {
            Base::Range { start, end, .. } => is_number(start) && is_number(end),
            Base::From(start) => is_number(start),
            Base::Elements {
                of: Expr::Path(path),
                form: Form::Plain | Form::IntoIter,
            } => path
                .path
                .get_ident()
                .is_some_and(|name| self.shared.contains(&name.to_string())),
            Base::Elements {
                form: Form::Plain | Form::IntoIter,
                ..
            } => false,
            Base::Elements { of: all, .. } | Base::Bytes(all) => of(all),
            Base::ChunksExact(all, k)
            | Base::Chunks(all, k)
            | Base::Windows(all, k)
            | Base::ChunksMut(all, k, _) => of(all) && is_number(k),
        };
        let adaptors = chain.adaptors.iter().all(|adaptor| match adaptor {
            Adaptor::Copied | Adaptor::Cloned | Adaptor::Enumerate | Adaptor::Rev => true,
            Adaptor::Zip(other) => self.is_repeatable(other).is_some(),
            Adaptor::Skip(n) | Adaptor::Take(n) | Adaptor::StepBy(n) => is_number(n),
        });
        (base && adaptors).then_some(())
    }
}

/// Whether a number is the same where it is evaluated again: methods of primitives only compute.
fn is_number(e: &Expr) -> bool {
    match without_parens(e) {
        Expr::MethodCall(of) if Method::named(&of.method.to_string()).is_some() => {
            is_number(&of.receiver) && of.args.iter().all(is_number)
        }
        Expr::Binary(of) if names::left_side(e).is_none() => {
            is_number(&of.left) && is_number(&of.right)
        }
        e => is_repeatable(e),
    }
}

/// `any = any || c`, where `c` is not asked once it holds, as `if !any && c { any = true; }`; and `all = all && c`.
fn set_once(stmt: &Stmt) -> Option<Stmt> {
    let Stmt::Expr(Expr::Assign(of), _) = stmt else {
        return None;
    };
    let (Expr::Path(flag), Expr::Binary(value)) = (&*of.left, without_parens(&of.right)) else {
        return None;
    };
    let (known, c) = (without_parens(&value.left), &value.right);
    let is_it = matches!(known, Expr::Path(known) if known.path.get_ident() == flag.path.get_ident())
        && flag.path.get_ident().is_some();
    match value.op {
        BinOp::Or(_) if is_it => Some(parse_quote!(if !#flag && (#c) { #flag = true; })),
        BinOp::And(_) if is_it => Some(parse_quote!(if #flag && !(#c) { #flag = false; })),
        _ => None,
    }
}

/// An iterator that adaptors can stand behind.
fn items(chain: &Chain) -> Expr {
    let expr = without_parens(&chain.expr);
    match (&chain.base, expr) {
        (_, Expr::Range(_)) => parse_quote!((#expr)),
        (_, Expr::Reference(_)) => parse_quote!((#expr).into_iter()),
        (_, Expr::Path(_) | Expr::Field(_)) => parse_quote!(#expr.into_iter()),
        _ => expr.clone(),
    }
}

/// The loops in the place of one: that which asks, the rest of those that come before, and the iteration that leaves.
fn stmt(of: &ExprForLoop, items: &Expr, names: &Exit, asked: &Expr, rest: Option<Stmt>) -> Stmt {
    let Exit { left, at, nth, .. } = names;
    let (pat, label, body) = (&of.pat, &of.label, &of.body);
    // Two threads that go twice over what they read gain nothing, nor do they where little is asked of an item.
    let threads = if rest.is_some() || is_cheap(asked) {
        3usize
    } else {
        2
    };
    parse_quote! {
        #[allow(unused, clippy::all, clippy::pedantic)]
        if ::accrue::__rt::cpu::are_fewer(#threads) {
            #[sequential = "fewer threads would not gain by it"]
            #of
        } else {
            let mut #left = false;
            let mut #at = ::core::primitive::usize::MAX;
            for (#nth, #pat) in #items.enumerate() {
                if !#left && #asked {
                    #left = true;
                    #at = #nth;
                }
            }
            #rest
            if #left {
                #[sequential = "it begins with the iteration that leaves it"]
                #label for #pat in #items.skip(#at) #body
            }
        }
    }
}

/// Whether an expression has no loop and no call but of its few numbers.
fn is_cheap(e: &Expr) -> bool {
    struct Costs(usize);
    impl<'a> Visit<'a> for Costs {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) => {
                    self.0 += match e {
                        Expr::ForLoop(_)
                        | Expr::While(_)
                        | Expr::Loop(_)
                        | Expr::Closure(_)
                        | Expr::Macro(_) => CHEAP,
                        Expr::Call(_) | Expr::MethodCall(_) => 4,
                        _ => 1,
                    };
                    visit::visit_expr(self, e);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut costs = Costs(0);
    costs.visit_expr(e);
    costs.0 < CHEAP
}

/// The expressions, calls counted several times, from which on two threads gain something by looking.
const CHEAP: usize = 24;

/// The label of a loop.
struct Own(Option<String>);

impl Own {
    fn is_it(&self, label: &Option<syn::Lifetime>) -> bool {
        match label {
            None => true,
            Some(label) => self.0.as_ref().is_some_and(|own| label.ident == own),
        }
    }

    /// Whether something goes on with the loop's next iteration.
    fn goes_on(&self, (way, label): &(Way, Option<syn::Lifetime>)) -> bool {
        *way == Way::Continue && self.is_it(label)
    }

    fn leaves(&self, way: &(Way, Option<syn::Lifetime>)) -> bool {
        !self.goes_on(way)
    }
}

fn has_unknown_macros(body: &Block) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Macro(mac) => {
                    self.0 |= !known::is_known_macro(mac);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(false);
    finder.visit_block(body);
    finder.0
}

fn words(tokens: &impl ToTokens) -> SortedSet<String> {
    let mut words = Vec::new();
    identifiers(tokens.to_token_stream(), &mut words);
    words.iter().map(ToString::to_string).collect()
}

/// What some statements declare, at any depth.
fn bound_in(stmts: &[Stmt]) -> SortedSet<String> {
    let mut names = SortedSet::new();
    let mut bound = Bound(&mut |name| {
        names.insert(name.to_string());
    });
    stmts.iter().for_each(|stmt| bound.visit_stmt(stmt));
    names
}

/// The roots of what is written.
struct Writes {
    /// As wholes, or in a way that is not seen.
    wholly: Vec<String>,
    /// By elements.
    elements: Vec<String>,
}

impl Writes {
    fn any(&self) -> impl Iterator<Item = &String> {
        self.wholly.iter().chain(&self.elements)
    }
}

/// Methods change nothing that is `fixed`.
fn writes(free: &FreeNames<'_>, fixed: &SortedSet<String>) -> Writes {
    let (mut wholly, mut elements) = (Vec::new(), Vec::new());
    for a in &free.assignments {
        let of = if a.indexed {
            &mut elements
        } else {
            &mut wholly
        };
        of.push(a.root.to_string());
    }
    let borrowed = free.borrowed_mut.iter().chain(&free.borrowed_mut_indexed);
    wholly.extend(borrowed.map(ToString::to_string));
    for call in &free.calls {
        if let Called::Method(receiver, method, _) = call
            && let Some(root) = root_of(receiver)
        {
            let method = method.to_string();
            let name = method.as_str();
            let reads = READING_METHODS.contains(&name) || Method::named(name).is_some();
            if !fixed.contains(&root.to_string()) && !reads {
                wholly.push(root.to_string());
            }
        }
    }
    Writes { wholly, elements }
}

/// Whether code does nothing that is noticed beside what it writes.
fn only_computes(free: &FreeNames<'_>) -> bool {
    free.calls.iter().all(|call| match call {
        Called::Macro(mac) => {
            names::macro_name(&mac.path).is_some_and(|name| PURE_MACROS.contains(&name.as_str()))
        }
        Called::Function(_) | Called::Method(..) => true,
    })
}

/// Whether a body has other names for what it writes and is not its own: `let row = &mut out[i];`.
fn borrows(body: &[Stmt], inside: &SortedSet<String>) -> bool {
    struct Finder<'i>(bool, &'i SortedSet<String>);
    impl<'a> Visit<'a> for Finder<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Local(local) => {
                    if let Some(init) = &local.init {
                        let text = init.expr.to_token_stream().to_string();
                        let free = names::free_names(&init.expr);
                        let borrowed = free.borrowed_mut.iter().chain(&free.borrowed_mut_indexed);
                        let mut borrowed = borrowed.peekable();
                        let others = text.contains("_mut (")
                            || text.contains("& mut") && borrowed.peek().is_none();
                        self.0 |= others || !borrowed.all(|of| self.1.contains(&of.to_string()));
                    }
                    visit::visit_local(self, local);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(false, inside);
    body.iter().for_each(|stmt| finder.visit_stmt(stmt));
    finder.0
}

/// The statements that say whether an iteration leaves the loop, with what they need.
fn slice(stmts: &[Stmt], own: &Own, needed: &mut SortedSet<String>) -> Vec<Stmt> {
    loop {
        let before = needed.len();
        let mut kept = Vec::new();
        for stmt in stmts.iter().rev() {
            let ways = !exits::ways(stmt).is_empty();
            if ways || defines(stmt).iter().any(|name| needed.contains(name)) {
                kept.push(needs(stmt, own, needed));
            }
        }
        if needed.len() == before {
            kept.reverse();
            return kept;
        }
    }
}

/// What a statement binds or changes.
fn defines(stmt: &Stmt) -> SortedSet<String> {
    let block: Block = parse_quote!({ #stmt });
    let none: Pat = parse_quote!(_);
    let free = free_names_of_body(&none, &block);
    let mut names = bound_in(std::slice::from_ref(stmt));
    names.extend(writes(&free, &SortedSet::new()).any().cloned());
    names
}

/// What is left of a statement that is needed; what it mentions is needed as well.
fn needs(stmt: &Stmt, own: &Own, needed: &mut SortedSet<String>) -> Stmt {
    let block = |block: &Block, needed: &mut SortedSet<String>| -> Block {
        let stmts = slice(&block.stmts, own, needed);
        parse_quote!({ #(#stmts)* })
    };
    match stmt {
        Stmt::Expr(Expr::ForLoop(of), semi) if !exits::ways(stmt).is_empty() => {
            let mut left = of.clone();
            left.body = block(&of.body, needed);
            needed.extend(words(&of.expr));
            Stmt::Expr(Expr::ForLoop(left), *semi)
        }
        Stmt::Expr(Expr::If(of), semi)
            if of.else_branch.is_none() && !exits::ways(stmt).is_empty() =>
        {
            let mut left = of.clone();
            left.then_branch = block(&of.then_branch, needed);
            needed.extend(words(&of.cond));
            Stmt::Expr(Expr::If(left), *semi)
        }
        stmt => {
            needed.extend(words(stmt));
            stmt.clone()
        }
    }
}

/// Whether an iteration leaves the loop, as an expression.
fn asked(stmts: &[Stmt], own: &Own, names: &Exit) -> Expr {
    if let Some(asked) = terms(stmts, own) {
        return match asked {
            Expr::Block(_) | Expr::Paren(_) => asked,
            asked => parse_quote!((#asked)),
        };
    }
    let label = &names.asked;
    let mut block: Block = parse_quote!({ #(#stmts)* });
    let ways = [true, false].map(|left| Some(parse_quote!(break #label #left)));
    Leave::new(own, ways).visit_block_mut(&mut block);
    if let Some(last @ Stmt::Expr(_, None)) = block.stmts.last_mut() {
        let Stmt::Expr(e, _) = last.clone() else {
            unreachable!()
        };
        *last = Stmt::Expr(e, Some(Default::default()));
    }
    let stmts = block.stmts;
    parse_quote!(#label: { #(#stmts)* false })
}

/// The same by `||` and `&&`, where that is all there is to it.
fn terms(stmts: &[Stmt], own: &Own) -> Option<Expr> {
    let run = stmts
        .iter()
        .take_while(|stmt| exits::ways(stmt).is_empty())
        .count();
    if run > 0 {
        let (run, rest) = stmts.split_at(run);
        let rest = terms(rest, own)?;
        let run = run.iter().map(|stmt| match stmt {
            Stmt::Expr(e, None) => Stmt::Expr(e.clone(), Some(Default::default())),
            stmt => stmt.clone(),
        });
        return Some(parse_quote!({ #(#run)* #rest }));
    }
    let Some((first, rest)) = stmts.split_first() else {
        return Some(parse_quote!(false));
    };
    let rest = || terms(rest, own);
    let is_false =
        |e: &Expr| matches!(e, Expr::Lit(of) if matches!(&of.lit, syn::Lit::Bool(of) if !of.value));
    match first {
        Stmt::Local(local) => {
            let init = local.init.as_ref()?;
            let (_, otherwise) = init.diverge.as_ref()?;
            let otherwise = ends(otherwise, own)?;
            let (pat, value, rest) = (&local.pat, &init.expr, rest()?);
            let has_exit = exits::ways(&parse_quote!({ #value })).is_empty();
            has_exit.then(|| parse_quote!((if let #pat = #value { #rest } else { #otherwise })))
        }
        Stmt::Expr(Expr::If(of), _) => {
            let cond = &of.cond;
            if !exits::ways(&parse_quote!({ if #cond {} })).is_empty() {
                return None;
            }
            let has_let = cond
                .to_token_stream()
                .into_iter()
                .any(|token| matches!(token, proc_macro2::TokenTree::Ident(word) if word == "let"));
            let then: Expr = {
                let block = &of.then_branch;
                parse_quote!(#block)
            };
            let goes_on = |stmts: &[Stmt]| {
                let mut ways = stmts.iter().flat_map(exits::ways);
                ways.any(|way| own.goes_on(&way))
            };
            let branch = match (ends(&then, own), &of.else_branch) {
                (Some(true), None) if !has_let => parse_quote!((#cond)),
                (Some(true), None) => parse_quote!((if #cond { true } else { false })),
                (Some(false), None) => {
                    let rest = rest()?;
                    return Some(match has_let {
                        false => parse_quote!((!(#cond) && #rest)),
                        true => parse_quote!((if #cond { false } else { #rest })),
                    });
                }
                (None, None) if !goes_on(&of.then_branch.stmts) => {
                    let inside = terms(&of.then_branch.stmts, own)?;
                    match has_let {
                        true => parse_quote!((if #cond { #inside } else { false })),
                        false => parse_quote!(((#cond) && #inside)),
                    }
                }
                _ => return None,
            };
            let rest = rest()?;
            Some(match is_false(&rest) {
                true => branch,
                false => parse_quote!((#branch || #rest)),
            })
        }
        Stmt::Expr(e, _) => Some(ends(e, own).map(|end| match end {
            true => parse_quote!(true),
            false => parse_quote!(false),
        })?),
        _ => None,
    }
}

/// Whether a block or an expression does nothing but leave the loop, or go on with it, at its end.
fn ends(e: &Expr, own: &Own) -> Option<bool> {
    let last = match e {
        Expr::Block(of) if of.label.is_none() => return ends_in(&of.block, own),
        e => e,
    };
    let way = match last {
        Expr::Break(of) => (Way::Break, of.label.clone()),
        Expr::Continue(of) => (Way::Continue, of.label.clone()),
        Expr::Return(_) => (Way::Return, None),
        _ => return None,
    };
    Some(own.leaves(&way))
}

/// The same of a block, whose other statements leave it at no other place. What goes on does nothing else.
fn ends_in(block: &Block, own: &Own) -> Option<bool> {
    let (last, others) = block.stmts.split_last()?;
    let Stmt::Expr(last, _) = last else {
        return None;
    };
    let end = ends(last, own)?;
    let plain = others.iter().all(|stmt| exits::ways(stmt).is_empty());
    (plain && (end || others.is_empty())).then_some(end)
}

/// Puts something else in the place of what leaves a loop, and of what goes on with it.
struct Leave<'a> {
    own: &'a Own,
    /// What stands for what leaves it and for what goes on; none where that stays.
    ways: [Option<Expr>; 2],
    loops: usize,
    labels: Vec<String>,
}

impl<'a> Leave<'a> {
    fn new(own: &'a Own, ways: [Option<Expr>; 2]) -> Leave<'a> {
        Leave {
            own,
            ways,
            loops: 0,
            labels: Vec::new(),
        }
    }

    fn jump(&self, e: &Expr) -> Option<usize> {
        let (way, label) = match e {
            Expr::Return(_) => return Some(0),
            Expr::Break(of) => (Way::Break, &of.label),
            Expr::Continue(of) => (Way::Continue, &of.label),
            _ => return None,
        };
        let inside = match label {
            Some(label) => self.labels.iter().any(|l| label.ident == l),
            None => self.loops > 0,
        };
        (!inside).then(|| usize::from(self.own.goes_on(&(way, label.clone()))))
    }
}

impl VisitMut for Leave<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Block(block) => {
                // What stands before a way out, in a block that comes to nothing else, is of the iteration that leaves.
                if let Some((Stmt::Expr(last, _), others)) = block.stmts.split_last()
                    && self.jump(last) == Some(0)
                    && others.iter().all(|stmt| exits::ways(stmt).is_empty())
                {
                    if let Some(way) = &self.ways[0] {
                        *block = parse_quote!({ #way; });
                    }
                    return;
                }
                visit_mut::visit_block_mut(self, block);
            }
            visit_mut::Node::Expr(e) => {
                if let Some(way) = self.jump(e) {
                    if let Some(way) = &self.ways[way] {
                        *e = way.clone();
                    }
                    return;
                }
                let (label, is_loop) = match e {
                    Expr::Closure(_) | Expr::Async(_) => return,
                    Expr::ForLoop(of) => (&of.label, true),
                    Expr::While(of) => (&of.label, true),
                    Expr::Loop(of) => (&of.label, true),
                    Expr::Block(of) => (&of.label, false),
                    _ => (&None, false),
                };
                let label = label.as_ref().map(|label| label.name.ident.to_string());
                let labels = self.labels.len();
                self.labels.extend(label);
                self.loops += usize::from(is_loop);
                visit_mut::visit_expr_mut(self, e);
                self.loops -= usize::from(is_loop);
                self.labels.truncate(labels);
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}
