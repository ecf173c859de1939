//! What statements between loops do with the elements of the arrays that the loops write: whether they look at them, and whether they
//! could be noticed.
//!
//! While a device has the newer elements, nobody may look at the host's. What is allowed is what leaves elements alone whatever they are:
//! lengths, `std::mem::swap` of two arrays, references to an array or to a part of it, under any name. All else that mentions an array counts as looking at
//! it. A statement without them may do what it likes; but where its effects could be noticed, or where it may panic, the loops
//! before it must have been seen to succeed, which it asks for by its [`Noise`].

use std::collections::{HashMap, HashSet};

use crate::syntax::visit::{self, Visit};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Block, Expr, ExprForLoop, Ident, Local, Pat, Stmt};

use super::pure;
use crate::plan::LoopPlan;
use crate::syntax::names::{self, Key, bound_names, key_of};

/// A statement looks at elements, or is not understood.
#[derive(Debug)]
pub(super) struct Looks;

/// Whether a statement could be noticed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// No.
    #[default]
    Quiet,
    /// Where overflow is checked, by its panic.
    Overflows,
    /// Yes.
    Noisy,
}

/// Whether a statement could be noticed, and by what.
#[derive(Debug, Default)]
pub(super) struct Noise {
    level: Level,
    /// What must hold for it not to panic.
    fits: Vec<TokenStream>,
}

impl From<Level> for Noise {
    fn from(level: Level) -> Noise {
        Noise {
            level,
            fits: Vec::new(),
        }
    }
}

impl Noise {
    fn and(mut self, other: Noise) -> Noise {
        self.level = self.level.max(other.level);
        self.fits.extend(other.fits);
        self
    }

    /// A condition under which the loops before it have to be waited for; none where they never have to.
    fn waits(&self, checks_overflow: bool) -> Option<TokenStream> {
        let fits = &self.fits;
        match self.level {
            Level::Noisy => Some(quote!(true)),
            Level::Overflows if checks_overflow => Some(quote!(true)),
            Level::Quiet | Level::Overflows if fits.is_empty() => None,
            Level::Quiet | Level::Overflows => Some(quote!(!(#(#fits)&&*))),
        }
    }
}

/// A wait before a statement.
pub(super) struct Wait {
    /// The block that the statement stands in.
    pub(super) block: *const Block,
    /// Which of its statements it is.
    pub(super) at: usize,
    /// On what condition.
    pub(super) when: TokenStream,
}

/// What is known of a function while its statements are read.
pub(super) struct Reader<'a> {
    /// Its planned loops.
    pub(super) planned: &'a HashMap<*const ExprForLoop, &'a LoopPlan>,
    /// Places of arrays that loops write, under all their names.
    pub(super) arrays: Vec<Key>,
    /// Names that are references.
    pub(super) references: HashSet<String>,
    /// Those that are references to slices, whose methods are the slice's.
    pub(super) slices: HashSet<String>,
    /// Whether integer overflow is checked.
    pub(super) checks_overflow: bool,
    /// The planned loops that have been come to.
    pub(super) met: Vec<&'a LoopPlan>,
    /// Where the loops before have to be waited for.
    pub(super) waits: Vec<Wait>,
}

/// Methods that only compute, of numbers and ranges, and do not panic.
const QUIET: [&str; 24] = [
    "len",
    "is_empty",
    "min",
    "max",
    "abs_diff",
    "count_ones",
    "floor",
    "ceil",
    "round",
    "sqrt",
    "is_nan",
    "rev",
    "saturating_add",
    "saturating_sub",
    "saturating_mul",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "is_power_of_two",
    "leading_zeros",
    "trailing_zeros",
    "powi",
    "recip",
    "trunc",
];

/// Macros that expand to what is written in them.
const KNOWN_MACROS: [&str; 12] = [
    "assert_ne",
    "debug_assert_ne",
    "print",
    "println",
    "eprint",
    "eprintln",
    "vec",
    "format",
    "panic",
    "unreachable",
    "todo",
    "matches",
];

/// Methods that only say how a loop goes through an array.
const ITERATES: [&str; 11] = [
    "len",
    "is_empty",
    "iter",
    "iter_mut",
    "into_iter",
    "chunks",
    "chunks_mut",
    "chunks_exact",
    "chunks_exact_mut",
    "windows",
    "as_slice",
];

impl<'a> Reader<'a> {
    /// Reads a block that has no value, or one that is no reference to an array.
    pub(super) fn block(&mut self, block: &'a Block) -> Result<(), Looks> {
        self.stmts(block, 0..block.stmts.len())
    }

    /// Reads some of a block's statements.
    pub(super) fn stmts(
        &mut self,
        block: &'a Block,
        range: std::ops::Range<usize>,
    ) -> Result<(), Looks> {
        for at in range {
            let met = self.met.len();
            let noise = self.stmt(&block.stmts[at])?;
            self.note(block, at, &noise, met)?;
        }
        Ok(())
    }

    /// Notes where to wait for the sake of a statement, which may have loops inside.
    fn note(&mut self, block: &Block, at: usize, noise: &Noise, met: usize) -> Result<(), Looks> {
        let Some(when) = noise.waits(self.checks_overflow) else {
            return Ok(());
        };
        // What is evaluated before all else in it.
        let first = matches!(
            &block.stmts[at],
            Stmt::Expr(Expr::If(_) | Expr::Match(_) | Expr::ForLoop(_), _)
        );
        if self.met.len() > met && !first {
            return Err(Looks);
        }
        self.waits.push(Wait { block, at, when });
        Ok(())
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Result<Noise, Looks> {
        match stmt {
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(expr, _) => self.expr(expr),
            Stmt::Macro(m) => self.mac(&m.mac),
            Stmt::Item(item) => match item {
                syn::Item::Const(_)
                | syn::Item::Fn(_)
                | syn::Item::Struct(_)
                | syn::Item::Use(_)
                | syn::Item::Type(_) => Ok(Noise::default()),
                _ => Err(Looks),
            },
        }
    }

    fn local(&mut self, local: &'a Local) -> Result<Noise, Looks> {
        let Some(init) = &local.init else {
            return Ok(Noise::default());
        };
        if let Some((_, diverge)) = &init.diverge {
            let noise = self.expr(&init.expr)?;
            return Ok(noise.and(self.expr(diverge)?));
        }
        let names = bound_names(&local.pat);
        match names.iter().any(|name| self.is_array(name)) {
            true => {
                self.names_of(&local.pat, &init.expr);
                self.refer(&init.expr, true)
            }
            false => self.expr(&init.expr),
        }
    }

    /// Notes what is bound to references of arrays.
    fn names_of(&mut self, pat: &Pat, init: &Expr) {
        let slices = match init {
            Expr::Reference(e) => matches!(&*e.expr, Expr::Index(_)),
            Expr::MethodCall(e) => e.method == "split_at" || e.method == "split_at_mut",
            _ => false,
        };
        for name in bound_names(pat) {
            self.references.insert(name.to_string());
            if slices {
                self.slices.insert(name.to_string());
            }
        }
    }

    fn is_array(&self, name: &Ident) -> bool {
        self.is_array_place(&Key::name(name.to_string()))
    }

    fn is_array_place(&self, key: &Key) -> bool {
        self.arrays.iter().any(|array| array.overlaps(key))
    }

    /// A reference to an array or a part of it, or any other value. `top`: nothing is evaluated before it, nor conditionally.
    fn refer(&mut self, expr: &'a Expr, top: bool) -> Result<Noise, Looks> {
        match expr {
            Expr::Paren(e) => self.refer(&e.expr, top),
            Expr::Group(e) => self.refer(&e.expr, top),
            Expr::Tuple(e) => {
                let mut noise = Noise::default();
                for elem in &e.elems {
                    noise = noise.and(self.refer(elem, top)?);
                }
                Ok(noise)
            }
            Expr::Block(e) if e.label.is_none() => self.refer_block(&e.block),
            Expr::If(e) => {
                let noise = self.expr(&e.cond)?;
                let then = self.refer_block(&e.then_branch)?;
                let otherwise = match &e.else_branch {
                    Some((_, other)) => self.refer(other, false)?,
                    None => Noise::default(),
                };
                Ok(noise.and(then).and(otherwise))
            }
            Expr::Match(e) => {
                let mut noise = self.expr(&e.expr)?;
                for arm in &e.arms {
                    noise = noise.and(self.exprs(guard_of(arm))?);
                    noise = noise.and(self.refer(&arm.body, false)?);
                }
                Ok(noise)
            }
            Expr::Reference(e) => self.place(&e.expr, top),
            Expr::Path(_) if self.is_reference(expr) => Ok(Noise::default()),
            Expr::MethodCall(e) if splits(e) && self.is_slice(&e.receiver) => {
                let receiver = self.place(&e.receiver, top)?;
                let at = &e.args[0];
                let (receiver_is, noise) = (&e.receiver, self.expr(at)?);
                let fits = quote!((#at) <= <[_]>::len(&(#receiver_is)[::accrue::__rt::ALL]));
                Ok(receiver.and(self.may_panic(noise, top, &e.receiver, fits)))
            }
            _ => self.expr(expr),
        }
    }

    fn refer_block(&mut self, block: &'a Block) -> Result<Noise, Looks> {
        let Some((Stmt::Expr(tail, None), _)) = block.stmts.split_last() else {
            self.block(block)?;
            return Ok(Noise::default());
        };
        let last = block.stmts.len() - 1;
        self.stmts(block, 0..last)?;
        let met = self.met.len();
        let noise = self.refer(tail, false)?;
        self.note(block, last, &noise, met)?;
        Ok(Noise::default())
    }

    /// What a reference is taken of.
    fn place(&mut self, expr: &'a Expr, top: bool) -> Result<Noise, Looks> {
        match expr {
            Expr::Paren(e) => self.place(&e.expr, top),
            Expr::Group(e) => self.place(&e.expr, top),
            Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => self.place(&e.expr, top),
            Expr::Index(e) => {
                let Expr::Range(range) = &*e.index else {
                    return self.expr(expr);
                };
                let base = self.place(&e.expr, top)?;
                let ends = [range.start.as_deref(), range.end.as_deref()];
                let noise = self.exprs(ends.into_iter().flatten())?;
                let of = &e.expr;
                let len = quote!(<[_]>::len(&(#of)[::accrue::__rt::ALL]));
                let fits = match (&range.start, &range.limits, &range.end) {
                    (None, _, None) => return Ok(base.and(noise)),
                    (Some(start), syn::RangeLimits::HalfOpen(_), None) => quote!((#start) <= #len),
                    (None, syn::RangeLimits::HalfOpen(_), Some(end)) => quote!((#end) <= #len),
                    (Some(start), syn::RangeLimits::HalfOpen(_), Some(end)) => {
                        quote!((#start) <= (#end) && (#end) <= #len)
                    }
                    (_, syn::RangeLimits::Closed(_), _) => {
                        return Ok(base.and(noise).and(Level::Noisy.into()));
                    }
                };
                Ok(base.and(self.may_panic(noise, top, of, fits)))
            }
            Expr::Path(_) | Expr::Field(_) => match key_of(expr) {
                Some((key, false)) if self.is_array_place(&key) => Ok(Noise::default()),
                _ => self.expr(expr),
            },
            _ => self.expr(expr),
        }
    }

    /// The noise of a part of a place, which panics unless it fits.
    fn may_panic(&self, ends: Noise, top: bool, of: &Expr, fits: TokenStream) -> Noise {
        let plain = matches!(of, Expr::Path(_) | Expr::Field(_));
        match top && plain && ends.level < Level::Noisy {
            true => Noise {
                level: ends.level,
                fits: vec![fits],
            },
            false => Level::Noisy.into(),
        }
    }

    fn is_reference(&self, expr: &Expr) -> bool {
        let name = as_name(expr);
        name.is_some_and(|name| self.references.contains(&name.to_string()))
    }

    /// Whether an expression is a slice for certain: of others, a method of this name could be anybody's.
    fn is_slice(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(e) => self.is_slice(&e.expr),
            Expr::Index(e) => matches!(&*e.index, Expr::Range(_)),
            _ => as_name(expr).is_some_and(|name| self.slices.contains(&name.to_string())),
        }
    }

    fn exprs(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) -> Result<Noise, Looks> {
        let mut noise = Noise::default();
        for expr in exprs {
            noise = noise.and(self.expr(expr)?);
        }
        Ok(noise)
    }

    /// Any expression but a reference to an array.
    fn expr(&mut self, expr: &'a Expr) -> Result<Noise, Looks> {
        let quiet = || Ok(Noise::default());
        match expr {
            Expr::Lit(_) => quiet(),
            Expr::Path(_) | Expr::Field(_) => match key_of(expr) {
                Some((key, _)) if self.is_array_place(&key) => Err(Looks),
                Some(_) => quiet(),
                None => match expr {
                    Expr::Field(e) => self.expr(&e.base),
                    _ => quiet(),
                },
            },
            Expr::Paren(e) => self.expr(&e.expr),
            Expr::Group(e) => self.expr(&e.expr),
            Expr::Cast(e) => self.expr(&e.expr),
            Expr::Reference(e) => self.expr(&e.expr),
            Expr::Let(e) => self.expr(&e.expr),
            Expr::Unary(e) => {
                let level = match e.op {
                    syn::UnOp::Neg(_) => Level::Overflows,
                    _ => Level::Quiet,
                };
                Ok(self.expr(&e.expr)?.and(level.into()))
            }
            Expr::Binary(e) => self.binary(e),
            Expr::Assign(e) => {
                // What has a name of its own ends with the function.
                let level = match as_name(&e.left) {
                    Some(_) => Level::Quiet,
                    None => Level::Noisy,
                };
                let noise = self.expr(&e.left)?.and(self.expr(&e.right)?);
                Ok(noise.and(level.into()))
            }
            Expr::Index(e) => {
                let noise = self.expr(&e.expr)?.and(self.expr(&e.index)?);
                Ok(noise.and(Level::Noisy.into()))
            }
            Expr::Call(e) => match is_swap(&e.func) && e.args.len() == 2 {
                true if e.args.iter().all(|place| self.is_whole(place)) => quiet(),
                _ => {
                    let noise = self.expr(&e.func)?.and(self.exprs(&e.args)?);
                    Ok(noise.and(Level::Noisy.into()))
                }
            },
            Expr::MethodCall(e) => {
                let asks_length = e.method == "len" || e.method == "is_empty";
                if asks_length && self.is_whole(&e.receiver) {
                    return quiet();
                }
                let noise = self.expr(&e.receiver)?.and(self.exprs(&e.args)?);
                let level = match QUIET.iter().any(|name| e.method == name) {
                    true => Level::Quiet,
                    false => Level::Noisy,
                };
                Ok(noise.and(level.into()))
            }
            Expr::Tuple(e) => self.exprs(&e.elems),
            Expr::Array(e) => self.exprs(&e.elems),
            Expr::Repeat(e) => Ok(self.expr(&e.expr)?.and(self.expr(&e.len)?)),
            Expr::Struct(e) => {
                let fields = self.exprs(e.fields.iter().map(|f| &f.expr))?;
                Ok(fields.and(self.exprs(e.rest.as_deref())?))
            }
            Expr::Range(e) => self.exprs(e.start.as_deref().into_iter().chain(e.end.as_deref())),
            Expr::Block(e) => {
                self.block(&e.block)?;
                quiet()
            }
            Expr::If(e) => {
                let noise = self.expr(&e.cond)?;
                self.block(&e.then_branch)?;
                let otherwise = e.else_branch.as_ref().map(|(_, other)| &**other);
                Ok(noise.and(self.exprs(otherwise)?))
            }
            Expr::Match(e) => {
                let mut noise = self.expr(&e.expr)?;
                for arm in &e.arms {
                    noise = noise.and(self.exprs(guard_of(arm))?);
                    noise = noise.and(self.expr(&arm.body)?);
                }
                Ok(noise)
            }
            Expr::ForLoop(e) => self.for_loop(e),
            Expr::While(e) => {
                // It is evaluated again and again, and nothing can be done before it.
                if self.expr(&e.cond)?.waits(self.checks_overflow).is_some() {
                    return Err(Looks);
                }
                self.block(&e.body)?;
                quiet()
            }
            Expr::Loop(e) => {
                self.block(&e.body)?;
                quiet()
            }
            Expr::Continue(_) => quiet(),
            Expr::Break(e) => self.exprs(e.expr.as_deref()),
            Expr::Return(e) => self.exprs(e.expr.as_deref()),
            Expr::Try(e) => Ok(self.expr(&e.expr)?.and(Level::Noisy.into())),
            Expr::Macro(e) => self.mac(&e.mac),
            Expr::Closure(e) => match self.mentions(e.to_token_stream()) {
                true => Err(Looks),
                false => quiet(),
            },
            _ => Err(Looks),
        }
    }

    fn binary(&mut self, e: &'a syn::ExprBinary) -> Result<Noise, Looks> {
        use syn::BinOp as Op;
        let noise = self.expr(&e.left)?.and(self.expr(&e.right)?);
        let divides = match is_number(&e.right) {
            true => Level::Quiet,
            false => Level::Noisy,
        };
        let level = match e.op {
            Op::Add(_) | Op::Sub(_) | Op::Mul(_) | Op::Shl(_) | Op::Shr(_) => Level::Overflows,
            Op::AddAssign(_)
            | Op::SubAssign(_)
            | Op::MulAssign(_)
            | Op::ShlAssign(_)
            | Op::ShrAssign(_) => Level::Overflows,
            Op::Div(_) | Op::Rem(_) | Op::DivAssign(_) | Op::RemAssign(_) => divides,
            _ => Level::Quiet,
        };
        let assigns = crate::syntax::sites::is_compound(&e.op) && as_name(&e.left).is_none();
        let level = match assigns {
            true => Level::Noisy,
            false => level,
        };
        Ok(noise.and(level.into()))
    }

    fn for_loop(&mut self, e: &'a ExprForLoop) -> Result<Noise, Looks> {
        let Some(plan) = self.planned.get(&std::ptr::from_ref(e)) else {
            let noise = match range_of(&e.expr) {
                Some(range) => self.expr(range)?,
                // Each step of another iterator could be noticed.
                None => return Err(Looks),
            };
            self.block(&e.body)?;
            return Ok(noise);
        };
        // What the host evaluates for the loop.
        let arrays = self.arrays.clone();
        let looks = |tokens: TokenStream| !only_asked(tokens, &arrays, &["len", "is_empty"]);
        let captures = plan.captures.iter().map(|c| c.tokens.clone());
        if captures.into_iter().any(looks)
            || !only_asked(e.expr.to_token_stream(), &arrays, &ITERATES)
        {
            return Err(Looks);
        }
        self.met.push(plan);
        // What is evaluated once may be anything.
        let quiet = plan.once.is_empty();
        Ok(match quiet {
            true => Level::Quiet,
            false => Level::Noisy,
        }
        .into())
    }

    fn mac(&self, mac: &syn::Macro) -> Result<Noise, Looks> {
        let name = names::macro_name(&mac.path);
        let known = |name: &String| KNOWN_MACROS.iter().any(|n| name == n);
        let known = pure::is_assertion(mac) || name.as_ref().is_some_and(known);
        match known && only_asked(mac.tokens.clone(), &self.arrays, &["len", "is_empty"]) {
            true => Ok(Level::Noisy.into()),
            false => Err(Looks),
        }
    }

    /// Whether an expression is an array or a reference to one, as a place.
    fn is_whole(&self, expr: &Expr) -> bool {
        matches!(key_of(expr), Some((key, false)) if self.is_array_place(&key))
    }

    fn mentions(&self, tokens: TokenStream) -> bool {
        let mut all = Vec::new();
        names::identifiers(tokens, &mut all);
        let roots = || self.arrays.iter().map(|key| &key.root);
        all.iter().any(|name| roots().any(|root| name == root))
    }
}

fn guard_of(arm: &syn::Arm) -> Option<&Expr> {
    match &arm.pat {
        Pat::Guard(pat) => Some(&pat.guard),
        _ => None,
    }
}

/// The name that an expression is.
fn as_name(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        Expr::Paren(e) => as_name(&e.expr),
        Expr::Group(e) => as_name(&e.expr),
        _ => None,
    }
}

fn splits(e: &syn::ExprMethodCall) -> bool {
    (e.method == "split_at" || e.method == "split_at_mut") && e.args.len() == 1
}

/// Whether a function is `std::mem::swap`, by its whole path: another `swap` could be anything.
pub(super) fn is_swap(function: &Expr) -> bool {
    let Expr::Path(path) = function else {
        return false;
    };
    let segments = path.path.segments.iter();
    let names: Vec<String> = segments.map(|s| s.ident.to_string()).collect();
    let is_std = names
        .first()
        .is_some_and(|root| root == "std" || root == "core");
    path.qself.is_none() && is_std && names.len() == 3 && names[1..] == ["mem", "swap"]
}

/// The range that a loop runs over, perhaps from its end.
fn range_of(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Range(_) => Some(expr),
        Expr::Paren(e) => range_of(&e.expr),
        Expr::MethodCall(e) if e.method == "rev" && e.args.is_empty() => range_of(&e.receiver),
        _ => None,
    }
}

/// Whether an expression is a number other than zero.
fn is_number(expr: &Expr) -> bool {
    let Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Int(number),
        ..
    }) = expr
    else {
        return false;
    };
    number.base10_parse::<u128>().is_ok_and(|n| n > 0)
}

/// Whether tokens mention arrays only to call one of these methods of them, or to take a part `a[i..j]`.
pub(super) fn only_asked(tokens: TokenStream, arrays: &[Key], methods: &[&str]) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_root = |name: &Ident| arrays.iter().any(|key| *name == key.root);
    tokens.iter().enumerate().all(|(i, token)| match token {
        TokenTree::Ident(name) if is_root(name) => {
            // The longest place: `self.cells`.
            let mut key = Key::name(name.to_string());
            let mut next = i + 1;
            loop {
                let field = match (tokens.get(next), tokens.get(next + 1)) {
                    (Some(TokenTree::Punct(dot)), Some(TokenTree::Ident(field)))
                        if dot.as_char() == '.' =>
                    {
                        field
                    }
                    _ => break,
                };
                let called = matches!(tokens.get(next + 2), Some(TokenTree::Group(_)));
                let is_array = arrays.iter().any(|array| array.overlaps(&key));
                if called && is_array {
                    return methods.iter().any(|method| field == method);
                }
                if called {
                    // A method of something that has arrays among its fields.
                    return false;
                }
                key.fields.push(field.to_string());
                next += 2;
            }
            if !arrays.iter().any(|array| array.overlaps(&key)) {
                return true;
            }
            // What is asked of a part, or done with its elements, is that of all.
            while matches!(tokens.get(next), Some(TokenTree::Group(index)) if is_part(index)) {
                next += 1;
            }
            match (tokens.get(next), tokens.get(next + 1)) {
                (Some(TokenTree::Group(_)), _) => false,
                (Some(TokenTree::Punct(dot)), Some(TokenTree::Ident(method)))
                    if dot.as_char() == '.' =>
                {
                    methods.iter().any(|known| method == known)
                }
                // As a whole, it is iterated over.
                _ => methods.contains(&"iter"),
            }
        }
        TokenTree::Group(group) => only_asked(group.stream(), arrays, methods),
        TokenTree::Literal(_) => {
            let mut inside = Vec::new();
            names::identifiers(TokenStream::from(token.clone()), &mut inside);
            !inside.iter().any(is_root)
        }
        TokenTree::Ident(_) | TokenTree::Punct(_) => true,
    })
}

/// Whether the index in brackets is a range.
fn is_part(index: &Group) -> bool {
    let inside: Vec<TokenTree> = index.stream().into_iter().collect();
    let dot = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == '.');
    inside.windows(2).any(|two| two.iter().all(dot))
}

/// The places that an expression may be a reference to.
fn places(expr: &Expr, found: &mut Vec<Key>) {
    match expr {
        Expr::Paren(e) => places(&e.expr, found),
        Expr::Group(e) => places(&e.expr, found),
        Expr::Tuple(e) => e.elems.iter().for_each(|e| places(e, found)),
        Expr::Block(e) => in_block(&e.block, found),
        Expr::If(e) => {
            in_block(&e.then_branch, found);
            if let Some((_, other)) = &e.else_branch {
                places(other, found);
            }
        }
        Expr::Match(e) => e.arms.iter().for_each(|arm| places(&arm.body, found)),
        Expr::Reference(e) => found.extend(key_of(&e.expr).map(|(key, _)| key)),
        Expr::Path(_) | Expr::Field(_) => found.extend(key_of(expr).map(|(key, _)| key)),
        Expr::MethodCall(e) if splits(e) => found.extend(key_of(&e.receiver).map(|(key, _)| key)),
        _ => {}
    }
}

fn in_block(block: &Block, found: &mut Vec<Key>) {
    if let Some(Stmt::Expr(tail, None)) = block.stmts.last() {
        places(tail, found);
    }
}

/// The places that some statements exchange.
pub(super) fn exchanged(stmts: &[Stmt]) -> Vec<Key> {
    struct Swaps(Vec<Key>);
    impl<'a> Visit<'a> for Swaps {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::ExprCall(e) => {
                    if is_swap(&e.func) {
                        self.0
                            .extend(e.args.iter().filter_map(key_of).map(|(key, _)| key));
                    }
                    visit::visit_expr_call(self, e);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut swaps = Swaps(Vec::new());
    stmts.iter().for_each(|stmt| swaps.visit_stmt(stmt));
    swaps.0
}

/// Adds to places of arrays what else some statements call them, and the arrays that they are exchanged with.
pub(super) fn all_names(stmts: &[Stmt], arrays: &mut Vec<Key>) {
    #[derive(Default)]
    struct Ties(Vec<Vec<Key>>);
    impl<'a> Visit<'a> for Ties {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Local(local) => {
                    if let Some(init) = &local.init {
                        let mut tie = Vec::new();
                        places(&init.expr, &mut tie);
                        if !tie.is_empty() {
                            let names = bound_names(&local.pat).into_iter();
                            tie.extend(names.map(|name| Key::name(name.to_string())));
                            self.0.push(tie);
                        }
                    }
                    visit::visit_local(self, local);
                }
                visit::Node::ExprCall(e) => {
                    if is_swap(&e.func) {
                        let keys = e.args.iter().filter_map(key_of);
                        self.0.push(keys.map(|(key, _)| key).collect());
                    }
                    visit::visit_expr_call(self, e);
                }
                visit::Node::ExprClosure(_) => {}
                visit::Node::Item(_) => {}
                _ => node.parts(self),
            }
        }
    }
    let mut ties = Ties::default();
    stmts.iter().for_each(|stmt| ties.visit_stmt(stmt));
    grow(arrays, &ties.0);
}

/// Adds to places of arrays those that are tied to one of them.
fn grow(arrays: &mut Vec<Key>, ties: &[Vec<Key>]) {
    loop {
        let before = arrays.len();
        for tie in ties {
            if tie.iter().any(|key| arrays.iter().any(|a| a.overlaps(key))) {
                for key in tie {
                    if !arrays.contains(key) {
                        arrays.push(key.clone());
                    }
                }
            }
        }
        if arrays.len() == before {
            return;
        }
    }
}

/// What a `let` that stands before the loops may have borrowed for its names: nothing where it has made new values.
pub(super) fn borrowed(local: &Local) -> Vec<Key> {
    let mut of = Vec::new();
    if let Some(init) = &local.init
        && !is_new(&init.expr)
    {
        places(&init.expr, &mut of);
        if of.is_empty() {
            let mut all = Vec::new();
            names::identifiers(init.expr.to_token_stream(), &mut all);
            of.extend(all.iter().map(|name| Key::name(name.to_string())));
        }
    }
    of
}

/// Whether an expression is a new value, which has nothing of another one's memory.
fn is_new(expr: &Expr) -> bool {
    const NEW: [&str; 12] = [
        "to_vec", "clone", "to_owned", "len", "is_empty", "min", "max", "sum", "count", "sqrt",
        "capacity", "abs_diff",
    ];
    match expr {
        Expr::Lit(_) | Expr::Binary(_) | Expr::Cast(_) | Expr::Repeat(_) => true,
        Expr::Paren(e) => is_new(&e.expr),
        Expr::MethodCall(e) => NEW.iter().any(|name| e.method == name),
        Expr::Macro(e) => e.mac.path.is_ident("vec"),
        Expr::Tuple(e) => e.elems.iter().all(is_new),
        _ => false,
    }
}
