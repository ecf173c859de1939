//! Minima, maxima and sums in an `Option`, which is nothing until an item comes.
//!
//! ```text
//! for i in 0..n {                                          let mut any = range.is_some();
//!     if !ok[i] { continue; }                              let (mut least, mut most): (i64, i64) = match range { .. };
//!     let v = x[i];                                        for i in 0..n {
//!     range = match range {                                    if !ok[i] { continue; }
//!         None => Some((v, v)),                                let v = x[i];
//!         Some((lo, hi)) => Some((lo.min(v), hi.max(v))),      any |= true; least = least.min(v); most = most.max(v);
//!     };                                                   }
//! }                                                        if any { range = Some((least, most)); }
//! ```
//!
//! Variables begin with what is there, or with what changes no item: the last number of the type, NaN for extrema of floats, zero for sums. What
//! is combined is what the first item leaves. The `Option` is a variable whose type is written, of numbers or of a tuple of them, and the loop does nothing else
//! with it; a loop that is left by `return` leaves the function, and nobody sees what it holds then.

use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{
    BinOp, Block, Expr, ExprForLoop, GenericArgument, Ident, ItemFn, Lit, Pat, PathArguments,
    ReturnType, Stmt, Type, UnOp, parse_quote,
};

use super::compact::Bound;
use super::kept::{as_block, inside_some, is_none, is_pure, is_rest, some_of, tokens};
use super::marks;
use super::names::{self, identifiers, primitive_of, whole};
use crate::alias;
use crate::ir::Scalar;
use crate::sorted::Sorted;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::without_parens;

/// Rewrites them in a function; whether there are any.
pub fn rewrite(function: &mut ItemFn) -> bool {
    let mut loops = Loops {
        options: options(function),
        found: false,
    };
    if !loops.options.is_empty() {
        loops.visit_block_mut(&mut function.block);
    }
    loops.found
}

/// The variables that hold an `Option` of numbers, with the types of these; whether of a tuple.
type Options = Sorted<String, Numbers>;

#[derive(Clone)]
struct Numbers {
    types: Vec<Scalar>,
    tuple: bool,
}

impl Numbers {
    /// Of an `Option`.
    fn of(ty: &Type) -> Option<Numbers> {
        let Type::Path(path) = ty else { return None };
        let last = path.path.segments.last()?;
        let PathArguments::AngleBracketed(args) = &last.arguments else {
            return None;
        };
        let (true, Some(GenericArgument::Type(held)), 1) =
            (last.ident == "Option", args.args.first(), args.args.len())
        else {
            return None;
        };
        let number = |ty: &Type| match ty {
            Type::Path(path) if path.qself.is_none() => {
                primitive_of(&path.path).filter(|scalar| *scalar != Scalar::Bool)
            }
            _ => None,
        };
        match held {
            Type::Tuple(of) if !of.elems.is_empty() => Some(Numbers {
                types: of.elems.iter().map(number).collect::<Option<_>>()?,
                tuple: true,
            }),
            ty => Some(Numbers {
                types: vec![number(ty)?],
                tuple: false,
            }),
        }
    }
}

fn options(function: &ItemFn) -> Options {
    struct Finder {
        returned: Option<(String, Numbers)>,
        options: Options,
        bound: Sorted<String, usize>,
    }
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Local(local) => {
                    if let Some(name) = whole(&local.pat) {
                        let name = name.to_string();
                        let numbers = match &local.pat {
                            Pat::Type(typed) => Numbers::of(&typed.ty),
                            _ => {
                                let returned = self.returned.as_ref();
                                returned.filter(|of| of.0 == name).map(|of| of.1.clone())
                            }
                        };
                        if let Some(numbers) = numbers {
                            self.options.insert(name, numbers);
                        }
                    }
                    visit::visit_local(self, local);
                }
                visit::Node::PatIdent(pat) => {
                    *self.bound.or_default(pat.ident.to_string()) += 1;
                    visit::visit_pat_ident(self, pat);
                }
                _ => node.parts(self),
            }
        }
    }
    let returned = match (&function.sig.output, function.block.stmts.last()) {
        (ReturnType::Type(_, ty), Some(Stmt::Expr(Expr::Path(path), None))) => {
            let name = path.path.get_ident().map(ToString::to_string);
            name.zip(Numbers::of(ty))
        }
        _ => None,
    };
    let mut finder = Finder {
        returned,
        options: Sorted::new(),
        bound: Sorted::new(),
    };
    finder.visit_item_fn(function);
    let Finder {
        mut options, bound, ..
    } = finder;
    options.retain(|name, _| bound.get(name) == Some(&1));
    options
}

struct Loops {
    options: Options,
    found: bool,
}

impl VisitMut for Loops {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => match e {
                Expr::ForLoop(of) if marks::may_be_marked(&of.attrs) => {
                    visit_mut::visit_expr_mut(self, e);
                }
                Expr::ForLoop(of) => match apart(of, &self.options) {
                    Some(apart) => {
                        *e = apart;
                        self.found = true;
                    }
                    None => visit_mut::visit_expr_mut(self, e),
                },
                Expr::Closure(_) | Expr::Async(_) => {}
                _ => visit_mut::visit_expr_mut(self, e),
            },
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// The outermost loop that combines into some of the options.
fn apart(of: &ExprForLoop, options: &Options) -> Option<Expr> {
    let mut bound = Vec::new();
    Bound(&mut bound).visit_block(&of.body);
    let mut apart = of.clone();
    let mut folds = Folds {
        options,
        found: Vec::new(),
        jumps: false,
    };
    folds.visit_block_mut(&mut apart.body);
    let Folds { found, jumps, .. } = folds;
    let mut words = Vec::new();
    identifiers(of.to_token_stream(), &mut words);
    let mut names: Vec<&Ident> = Vec::new();
    for fold in &found {
        if !names.contains(&&fold.name) {
            names.push(&fold.name);
        }
    }
    if names.is_empty() || jumps || of.label.is_some() {
        return None;
    }
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    for name in names {
        let numbers = options.get(&name.to_string())?;
        let mut all = found.iter().filter(|fold| fold.name == *name);
        let operators = &all.next()?.operators;
        let mentions = words.iter().filter(|word| *word == name).count();
        let known: usize = found
            .iter()
            .filter(|fold| fold.name == *name)
            .map(|f| f.mentions)
            .sum();
        if mentions != known || bound.contains(name) || !all.all(|of| of.operators == *operators) {
            return None;
        }
        let (any, held) = variables(name, numbers.types.len());
        let types = numbers.types.iter().map(|scalar| {
            let ty = Ident::new(scalar.name(), name.span());
            quote!(::core::primitive::#ty)
        });
        let types: Vec<_> = types.collect();
        let neutral = operators.iter().zip(&numbers.types).zip(&types);
        let neutral = neutral.map(|((operator, scalar), ty)| operator.neutral(*scalar, ty));
        let (some, none) = (
            quote!(::core::option::Option::Some),
            quote!(::core::option::Option::None),
        );
        let whole = match numbers.tuple {
            true => quote!((#(#held,)*)),
            false => quote!(#(#held)*),
        };
        before.push(quote! {
            let mut #any = #name.is_some();
            let (#(mut #held,)*): (#(#types,)*) = match #name {
                #some(#whole) => (#(#held,)*),
                #none => (#(#neutral,)*),
            };
        });
        behind.push(quote!(if #any { #name = #some(#whole); }));
    }
    Some(parse_quote!({ #(#before)* #apart #(#behind)* }))
}

/// Whether there is anything, and what.
fn variables(name: &Ident, count: usize) -> (Ident, Vec<Ident>) {
    let any = Ident::new(&alias::stop(&name.to_string()), name.span());
    let held = (0..count).map(|n| Ident::new(&format!("{any}{n}_"), name.span()));
    let held = held.collect();
    (any, held)
}

#[derive(Clone, Copy, PartialEq)]
enum Operator {
    Min,
    Max,
    Add,
}

impl Operator {
    fn neutral(self, of: Scalar, ty: &proc_macro2::TokenStream) -> proc_macro2::TokenStream {
        match (self, of.is_float()) {
            (Operator::Min, false) => quote!(#ty::MAX),
            (Operator::Max, false) => quote!(#ty::MIN),
            (Operator::Min | Operator::Max, true) => quote!(#ty::NAN),
            (Operator::Add, false) => quote!(0),
            (Operator::Add, true) => quote!(-0.0),
        }
    }
}

/// A statement that combines items into an option.
struct Fold {
    name: Ident,
    operators: Vec<Operator>,
    /// How often it mentions the option.
    mentions: usize,
}

struct Folds<'a> {
    options: &'a Options,
    found: Vec<Fold>,
    /// Whether another loop than the innermost is gone on with or left.
    jumps: bool,
}

impl VisitMut for Folds<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                self.jumps |= match e {
                    Expr::Break(of) => of.label.is_some(),
                    Expr::Continue(of) => of.label.is_some(),
                    _ => false,
                };
                if let Some((fold, written)) = fold(e, self.options) {
                    self.found.push(fold);
                    *e = written;
                    return;
                }
                if !matches!(e, Expr::Closure(_) | Expr::Async(_)) {
                    visit_mut::visit_expr_mut(self, e);
                }
            }
            visit_mut::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// What a statement does with an option: what it holds, by what pattern, and what it becomes without and with that.
struct Cases {
    name: Ident,
    pat: Pat,
    none: Expr,
    some: Expr,
    /// Whether that is so of integers alone.
    whole: bool,
}

/// `best = match best { None => Some(v), Some(b) => Some(b.max(v)) }`, with what is done instead of that.
fn fold(e: &Expr, options: &Options) -> Option<(Fold, Expr)> {
    let Cases {
        name,
        pat,
        none,
        some,
        whole,
    } = Cases::of(e)?;
    let numbers = options.get(&name.to_string())?;
    if whole && numbers.types.iter().any(|scalar| scalar.is_float()) {
        return None;
    }
    let parts = |e: &Expr| match (numbers.tuple, without_parens(e)) {
        (false, e) => Some(vec![e.clone()]),
        (true, Expr::Tuple(of)) => Some(of.elems.iter().cloned().collect()),
        (true, _) => None,
    };
    let (none, some): (Vec<Expr>, Vec<Expr>) = (parts(&none)?, parts(&some)?);
    let held: Vec<Expr> = match (&pat, numbers.tuple) {
        (Pat::Ident(of), false) => vec![plain(of)?],
        (Pat::Ident(of), true) => {
            let of = plain(of)?;
            let at = (0..numbers.types.len()).map(syn::Index::from);
            at.map(|at| parse_quote!(#of.#at)).collect()
        }
        (Pat::Tuple(of), true) => {
            let name = |pat: &Pat| match pat {
                Pat::Ident(of) => plain(of),
                _ => None,
            };
            of.elems.iter().map(name).collect::<Option<_>>()?
        }
        _ => return None,
    };
    let count = numbers.types.len();
    if [none.len(), some.len(), held.len()] != [count; 3] {
        return None;
    }
    let mut bound = Vec::new();
    Bound(&mut bound).visit_pat(&pat);
    let combined = some.iter().zip(&none).zip(&held);
    let operators = combined.map(|((some, item), held)| {
        let mut words = Vec::new();
        identifiers(item.to_token_stream(), &mut words);
        let apart = !words
            .iter()
            .any(|word| *word == name || bound.contains(word));
        combines(some, held, item).filter(|_| apart && is_pure(item))
    });
    let operators: Vec<Operator> = operators.collect::<Option<_>>()?;
    let (any, held) = variables(&name, count);
    let updates = operators.iter().zip(&held).zip(&none);
    let updates = updates.map(|((operator, held), item)| match operator {
        Operator::Min => quote!(#held = #held.min(#item);),
        Operator::Max => quote!(#held = #held.max(#item);),
        Operator::Add => quote!(#held += #item;),
    });
    let written = parse_quote!({ #any |= true; #(#updates)* });
    let mut words = Vec::new();
    identifiers(e.to_token_stream(), &mut words);
    let mentions = words.iter().filter(|word| **word == name).count();
    Some((
        Fold {
            name,
            operators,
            mentions,
        },
        written,
    ))
}

/// A name that a pattern binds to a value.
fn plain(of: &syn::PatIdent) -> Option<Expr> {
    let name = &of.ident;
    (of.by_ref.is_none() && of.subpat.is_none()).then(|| parse_quote!(#name))
}

/// The operator of `held.max(item)`, `max(held, item)`, `held + item`, either way round.
fn combines(e: &Expr, held: &Expr, item: &Expr) -> Option<Operator> {
    let is_pair = |a: &Expr, b: &Expr| {
        let (a, b) = (tokens(without_parens(a)), tokens(without_parens(b)));
        let (held, item) = (tokens(held), tokens(without_parens(item)));
        a == held && b == item || a == item && b == held
    };
    let named = |name: &Ident| match name.to_string().as_str() {
        "min" => Some(Operator::Min),
        "max" => Some(Operator::Max),
        _ => None,
    };
    match without_parens(e) {
        Expr::MethodCall(of) if of.args.len() == 1 && is_pair(&of.receiver, &of.args[0]) => {
            named(&of.method)
        }
        Expr::Call(of) if of.args.len() == 2 && is_pair(&of.args[0], &of.args[1]) => {
            let Expr::Path(path) = without_parens(&of.func) else {
                return None;
            };
            let names = names::of_path(&path.path);
            let known = match names.as_slice() {
                [.., of, _] => of == "cmp" || Scalar::from_name(of).is_some(),
                _ => false,
            };
            named(&path.path.segments.last()?.ident).filter(|_| known)
        }
        Expr::Binary(of) if matches!(of.op, BinOp::Add(_)) => {
            // `b + v`, where `*v` is a number, is `b + *v`.
            let referred = |e: &Expr| match without_parens(item) {
                Expr::Unary(of)
                    if matches!(of.op, UnOp::Deref(_)) && tokens(&of.expr) == tokens(e) =>
                {
                    item.clone()
                }
                _ => e.clone(),
            };
            let added = is_pair(&referred(&of.left), &referred(&of.right));
            added.then_some(Operator::Add)
        }
        _ => None,
    }
}

impl Cases {
    fn of(e: &Expr) -> Option<Cases> {
        match e {
            Expr::Assign(of) => {
                let name = ident(&of.left)?;
                let cases = match without_parens(&of.right) {
                    Expr::Call(call) if some_of(call).is_some() => {
                        Cases::value(some_of(call)?, &|value| Some(value.clone()))
                    }
                    value => Cases::value(value, &|value| match without_parens(value) {
                        Expr::Call(call) => some_of(call).cloned(),
                        _ => None,
                    }),
                }?;
                (cases.name == *name).then_some(cases)
            }
            // `match best { None => best = Some(v), Some(b) => best = Some(b.max(v)) }`.
            Expr::Match(_) | Expr::If(_) => {
                let (matched, pat, none, some) = taken_apart(e)?;
                let (place, by_reference) = match without_parens(matched) {
                    Expr::Reference(of) => (&*of.expr, true),
                    Expr::MethodCall(of) if of.method == "as_mut" && of.args.is_empty() => {
                        (&*of.receiver, true)
                    }
                    e => (e, false),
                };
                let name = ident(place)?;
                let assigned = |e: &Expr| match e {
                    Expr::Assign(of) if ident(&of.left) == Some(name) => {
                        match without_parens(&of.right) {
                            Expr::Call(call) => some_of(call).cloned(),
                            _ => None,
                        }
                    }
                    _ => None,
                };
                let some = match (assigned(&some), by_reference) {
                    (Some(some), false) => some,
                    // `*b = (*b).max(v)`, `*b += v`.
                    (None, true) => through(&some, whole(&pat)?)?,
                    _ => return None,
                };
                Some(Cases {
                    name: name.clone(),
                    none: assigned(&none)?,
                    pat,
                    some,
                    whole: false,
                })
            }
            _ => None,
        }
    }

    /// A value that is one thing where an option holds nothing, and another where it holds something.
    fn value(e: &Expr, inside: &dyn Fn(&Expr) -> Option<Expr>) -> Option<Cases> {
        let closure = |e: &Expr, count: usize| match without_parens(e) {
            Expr::Closure(of) if of.inputs.len() == count => Some(of.clone()),
            _ => None,
        };
        match without_parens(e) {
            e @ (Expr::Match(_) | Expr::If(_)) => {
                let (matched, pat, none, some) = taken_apart(e)?;
                Some(Cases {
                    name: ident(matched)?.clone(),
                    pat,
                    none: inside(&none)?,
                    some: inside(&some)?,
                    whole: false,
                })
            }
            // `sum.unwrap_or(0) + v`.
            Expr::Binary(of) if matches!(of.op, BinOp::Add(_)) => {
                let Expr::MethodCall(call) = without_parens(&of.left) else {
                    return None;
                };
                let zero = match (call.method.to_string().as_str(), call.args.first()) {
                    (
                        "unwrap_or",
                        Some(Expr::Lit(syn::ExprLit {
                            lit: Lit::Int(lit), ..
                        })),
                    ) => lit.base10_digits() == "0",
                    ("unwrap_or_default", None) => true,
                    _ => false,
                };
                let (held, item) = (alias::consumed(of.op.span()).0, &of.right);
                Some(Cases {
                    name: ident(&call.receiver).filter(|_| zero)?.clone(),
                    pat: parse_quote!(#held),
                    none: inside(item)?,
                    some: inside(&parse_quote!(#held + #item))?,
                    whole: true,
                })
            }
            // `best.max(Some(v))`: nothing is less than anything.
            Expr::MethodCall(of) if of.method == "max" && of.args.len() == 1 => {
                let held = alias::consumed(of.method.span()).0;
                let item = inside(&of.args[0])?;
                Some(Cases {
                    name: ident(&of.receiver)?.clone(),
                    pat: parse_quote!(#held),
                    some: parse_quote!(#held.max(#item)),
                    none: item,
                    whole: true,
                })
            }
            Expr::MethodCall(of) => {
                let (receiver, none, some) = match (of.method.to_string().as_str(), of.args.len()) {
                    ("map_or", 2) => (&of.receiver, of.args[0].clone(), &of.args[1]),
                    ("map_or_else", 2) => {
                        let none = *closure(&of.args[0], 0)?.body;
                        (&of.receiver, none, &of.args[1])
                    }
                    ("unwrap_or", 1) => match without_parens(&of.receiver) {
                        Expr::MethodCall(map) if map.method == "map" && map.args.len() == 1 => {
                            (&map.receiver, of.args[0].clone(), &map.args[0])
                        }
                        _ => return None,
                    },
                    _ => return None,
                };
                let some = closure(some, 1)?;
                let pat = match &some.inputs[0] {
                    Pat::Type(typed) => (*typed.pat).clone(),
                    pat => pat.clone(),
                };
                Some(Cases {
                    name: ident(receiver)?.clone(),
                    pat,
                    none: inside(&none)?,
                    some: inside(&some.body)?,
                    whole: false,
                })
            }
            _ => None,
        }
    }
}

/// What a `match` or an `if let` looks at, the pattern of what is there, and what it does without and with that.
fn taken_apart(e: &Expr) -> Option<(&Expr, Pat, Expr, Expr)> {
    let tail = |block: &Block| match &block.stmts[..] {
        [Stmt::Expr(e, _)] => Some(e.clone()),
        _ => None,
    };
    match e {
        Expr::Match(of) => {
            let [one, two] = &of.arms[..] else {
                return None;
            };
            let (none, some) = match is_none(&one.pat) {
                true => (one, two),
                false if is_none(&two.pat) || is_rest(&two.pat) => (two, one),
                false => return None,
            };
            let pat = inside_some(&some.pat)?.clone();
            let body = |e: &Expr| match without_parens(e) {
                Expr::Block(of) if of.label.is_none() => tail(&of.block),
                e => Some(e.clone()),
            };
            Some((&of.expr, pat, body(&none.body)?, body(&some.body)?))
        }
        Expr::If(of) => {
            let Expr::Let(bound) = without_parens(&of.cond) else {
                return None;
            };
            let otherwise = as_block(&of.else_branch.as_ref()?.1);
            let pat = inside_some(&bound.pat)?.clone();
            Some((&bound.expr, pat, tail(&otherwise)?, tail(&of.then_branch)?))
        }
        _ => None,
    }
}

/// What is assigned by way of a reference, in terms of what it refers to: `(*b).max(v)` of `*b = (*b).max(v)`.
fn through(e: &Expr, name: &Ident) -> Option<Expr> {
    struct Plain<'a>(&'a Ident);
    impl VisitMut for Plain<'_> {
        fn visit(&mut self, node: visit_mut::Node<'_>) {
            match node {
                visit_mut::Node::Expr(e) => {
                    if is_target(e, self.0) {
                        let name = self.0;
                        *e = parse_quote!(#name);
                    } else {
                        visit_mut::visit_expr_mut(self, e);
                    }
                }
                _ => node.parts(self),
            }
        }
    }
    let (left, mut value) = match e {
        Expr::Assign(of) => (&*of.left, (*of.right).clone()),
        Expr::Binary(of) if matches!(of.op, BinOp::AddAssign(_)) => {
            let (left, right) = (&of.left, &of.right);
            (&**left, parse_quote!(#left + #right))
        }
        _ => return None,
    };
    Plain(name).visit_expr_mut(&mut value);
    is_target(left, name).then_some(value)
}

/// Whether an expression is what a name refers to.
fn is_target(e: &Expr, name: &Ident) -> bool {
    match without_parens(e) {
        Expr::Unary(of) => matches!(of.op, UnOp::Deref(_)) && ident(&of.expr) == Some(name),
        _ => false,
    }
}

fn ident(e: &Expr) -> Option<&Ident> {
    match without_parens(e) {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}
