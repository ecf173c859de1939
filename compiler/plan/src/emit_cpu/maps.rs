//! Updates of scalars whose maps compose, run on symbols: `s = a * s + b` becomes `total.set(total.held().scaled(a).shifted(b))`.
//!
//! What a scalar holds is a symbol in such code, and so is a local that is made of one, `let y = a * s + b;`. Everything else is the user's own. The
//! detector has read the same from the IR; where the syntax has a form that is not seen here, the loop stays in order.

use crate::sorted::SortedSet;

use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{BinOp, Block, Expr, Pat, Stmt, Type, UnOp, parse_quote};

use super::terms::total;
use super::value;
use crate::ir::{Map, Pattern, Ring, Role, Scalar, UpdateOp};
use crate::plan::LoopPlan;
use crate::syntax::{names, sites};

/// What stands for symbols.
pub(super) struct Symbols<'a> {
    plan: &'a LoopPlan,
    /// Locals that are made of what scalars hold, with the number of one of these.
    locals: Vec<(String, usize)>,
}

impl<'a> Symbols<'a> {
    /// Finds the locals of a body that are symbols. Those that are `changeable`, or whose names are used twice, are none.
    pub(super) fn new(plan: &'a LoopPlan, changeable: &SortedSet<String>, body: &Block) -> Self {
        let mut symbols = Symbols {
            plan,
            locals: Vec::new(),
        };
        let mut lets = Lets(Vec::new());
        for iteration in &plan.iterations {
            crate::syntax::visit::Visit::visit_pat(&mut lets, &iteration.pat);
        }
        crate::syntax::visit::Visit::visit_block(&mut lets, body);
        let once = |name: &String| lets.0.iter().filter(|(of, _)| of == name).count() == 1;
        let fixed = lets
            .0
            .iter()
            .filter(|(name, _)| once(name) && !changeable.contains(name));
        for (name, init) in fixed {
            let Some(init) = init else { continue };
            if let Some(n) = symbols.scalar_in(init) {
                symbols.locals.push((name.clone(), n));
            }
        }
        symbols
    }

    /// The number of a carried scalar with a map that an expression mentions, itself or by a local.
    fn scalar_in(&self, e: &Expr) -> Option<usize> {
        struct Finder<'s, 'a>(&'s Symbols<'a>, Option<usize>);
        impl<'b> crate::syntax::visit::Visit<'b> for Finder<'_, '_> {
            fn visit(&mut self, node: crate::syntax::visit::Node<'b>) {
                match node {
                    crate::syntax::visit::Node::Expr(e) => {
                        if let Some(n) = self.0.is_scalar(e).or_else(|| self.0.is_local(e)) {
                            self.1.get_or_insert(n);
                        }
                        crate::syntax::visit::visit_expr(self, e);
                    }
                    crate::syntax::visit::Node::Macro(mac) => {
                        let mut found = Vec::new();
                        names::identifiers(mac.tokens.clone(), &mut found);
                        for name in found {
                            self.visit_expr(&parse_quote!(#name));
                        }
                    }
                    _ => node.parts(self),
                }
            }
        }
        let mut finder = Finder(self, None);
        crate::syntax::visit::Visit::visit_expr(&mut finder, e);
        finder.1
    }

    /// The carried scalar that an expression is.
    fn is_scalar(&self, e: &Expr) -> Option<usize> {
        let Pattern::Histogram(roles) = &self.plan.pattern;
        let places = roles.carried.iter().zip(&self.plan.carried);
        places
            .enumerate()
            .filter(|(_, (scan, _))| {
                let is_symbol = !matches!(scan.map, None | Some(Map::Best(_)));
                is_symbol && !scan.delayed
            })
            .find(|(_, (_, place))| {
                // A method is called through a reference, too.
                let behind = match place {
                    Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => Some(&*unary.expr),
                    _ => None,
                };
                value::same(place, e) || behind.is_some_and(|behind| value::same(behind, e))
            })
            .map(|(n, _)| n)
    }

    fn is_local(&self, e: &Expr) -> Option<usize> {
        let Expr::Path(path) = e else { return None };
        let name = path.path.get_ident()?.to_string();
        let found = self.locals.iter().find(|(of, _)| *of == name);
        found.map(|(_, n)| *n)
    }

    /// An update of a carried scalar, on symbols.
    pub(super) fn update(&self, n: usize, map: &Map, op: UpdateOp, e: &Expr) -> Option<Expr> {
        let reader = Reader {
            symbols: self,
            n,
            map,
            op,
        };
        let to = match e {
            Expr::Assign(assign) if matches!(map, Map::Best(_)) => assign.right.to_token_stream(),
            Expr::Assign(assign) => reader.symbol(&assign.right)?,
            Expr::Binary(binary) if sites::is_compound(&binary.op) => {
                let symbol = binary.op.to_token_stream().to_string();
                let role = map.role(symbol.trim_end_matches('='), op)?;
                let total = total(n);
                let held = Part::Held(quote!(#total.held()));
                let by = reader.part(&binary.right, true)?;
                reader.combined(role, held, by)?.into_symbol(&reader)
            }
            _ => return None,
        };
        let total = total(n);
        Some(parse_quote!(#total.set(#to)))
    }

    /// Makes symbols of the locals, where they are declared.
    pub(super) fn name(&self, body: &mut Block) {
        struct Renamer<'s, 'a>(&'s Symbols<'a>);
        impl VisitMut for Renamer<'_, '_> {
            fn visit(&mut self, node: visit_mut::Node<'_>) {
                match node {
                    visit_mut::Node::Stmt(stmt) => {
                        visit_mut::visit_stmt_mut(self, stmt);
                        let Stmt::Local(local) = stmt else { return };
                        let Some(name) = names::whole(&local.pat).cloned() else {
                            return;
                        };
                        let text = name.to_string();
                        let Some((_, n)) = self.0.locals.iter().find(|(of, _)| *of == text) else {
                            return;
                        };
                        let Pattern::Histogram(roles) = &self.0.plan.pattern;
                        let scan = &roles.carried[*n];
                        let (Some(map), Some(init)) = (&scan.map, &local.init) else {
                            return;
                        };
                        let reader = Reader {
                            symbols: self.0,
                            n: *n,
                            map,
                            op: scan.op,
                        };
                        // Else it is no symbol, and nothing that is needed is made of it.
                        if let Some(symbol) = reader.symbol(&init.expr) {
                            let pat: Pat = parse_quote!(#name);
                            *stmt = parse_quote!(let #pat = #symbol;);
                        }
                    }
                    _ => node.parts(self),
                }
            }
        }
        Renamer(self).visit_block_mut(body);
    }
}

/// The names that a body declares, with their values where a `let` says them.
struct Lets(Vec<(String, Option<Expr>)>);

impl<'a> crate::syntax::visit::Visit<'a> for Lets {
    fn visit(&mut self, node: crate::syntax::visit::Node<'a>) {
        match node {
            crate::syntax::visit::Node::Local(local) => {
                match (names::whole(&local.pat), &local.init) {
                    (Some(name), Some(init)) if init.diverge.is_none() => {
                        self.0.push((name.to_string(), Some((*init.expr).clone())));
                        self.visit_expr(&init.expr);
                    }
                    _ => crate::syntax::visit::visit_local(self, local),
                }
            }
            crate::syntax::visit::Node::PatIdent(pat) => {
                self.0.push((pat.ident.to_string(), None));
                crate::syntax::visit::visit_pat_ident(self, pat);
            }
            _ => node.parts(self),
        }
    }
}

/// A part of an update.
enum Part {
    /// The user's expression, and whether its type is the scalar's in any case.
    Free(TokenStream, bool),
    /// A symbol.
    Held(TokenStream),
}

impl Part {
    fn into_symbol(self, reader: &Reader<'_, '_>) -> TokenStream {
        let total = total(reader.n);
        match self {
            Part::Held(symbol) => symbol,
            Part::Free(e, true) if !matches!(reader.map, Map::Latest) => {
                quote!(#total.constant_with(#e))
            }
            Part::Free(e, _) => quote!(#total.constant(#e)),
        }
    }
}

struct Reader<'s, 'a> {
    symbols: &'s Symbols<'a>,
    n: usize,
    map: &'s Map,
    op: UpdateOp,
}

impl Reader<'_, '_> {
    fn symbol(&self, e: &Expr) -> Option<TokenStream> {
        Some(self.part(e, true)?.into_symbol(self))
    }

    /// `by_operator`: it may be a reference, which operators take as well, and methods are called through.
    fn part(&self, e: &Expr, by_operator: bool) -> Option<Part> {
        if let Some(n) = self.symbols.is_scalar(e) {
            let total = total(n);
            return Some(Part::Held(quote!(#total.held())));
        }
        if self.symbols.is_local(e).is_some() {
            return Some(Part::Held(e.to_token_stream()));
        }
        if self.symbols.scalar_in(e).is_none() {
            return Some(Part::Free(e.to_token_stream(), !by_operator));
        }
        match e {
            Expr::Paren(e) => self.part(&e.expr, by_operator),
            Expr::Group(e) => self.part(&e.expr, by_operator),
            Expr::Unary(unary) => {
                let Part::Held(of) = self.part(&unary.expr, true)? else {
                    return None;
                };
                match unary.op {
                    UnOp::Neg(_) => Some(Part::Held(quote!(#of.opposite()))),
                    UnOp::Not(_) => Some(Part::Held(quote!(#of.flipped()))),
                    _ => None,
                }
            }
            Expr::Binary(binary) => {
                let role = self.role(&binary.op)?;
                let (a, b) = (
                    self.part(&binary.left, true)?,
                    self.part(&binary.right, true)?,
                );
                self.combined(role, a, b)
            }
            Expr::Cast(cast) if self.is_modular() => {
                let Type::Path(ty) = &*cast.ty else {
                    return None;
                };
                self.cast(ty.path.get_ident()?, &cast.expr)
            }
            Expr::MethodCall(call) if call.method == "mul_add" && call.args.len() == 2 => {
                let times = self.map.role("*", self.op)?;
                let (a, b) = (
                    self.part(&call.receiver, true)?,
                    self.part(&call.args[0], false)?,
                );
                let product = match (a, b) {
                    (Part::Free(a, _), Part::Free(b, _)) => Part::Free(quote!((#a) * (#b)), true),
                    (a, b) => self.combined(times, a, b)?,
                };
                self.combined(Role::Plus, product, self.part(&call.args[1], false)?)
            }
            Expr::MethodCall(call) if call.args.len() == 1 => {
                let (of, by) = (
                    self.part(&call.receiver, true)?,
                    self.part(&call.args[0], false)?,
                );
                let role = self.map.role(&call.method.to_string(), self.op)?;
                self.combined(role, of, by)
            }
            Expr::Call(call) if call.args.len() == 1 && self.is_modular() => {
                let Expr::Path(path) = &*call.func else {
                    return None;
                };
                let [.., ty, from] = &path.path.segments.iter().collect::<Vec<_>>()[..] else {
                    return None;
                };
                (from.ident == "from").then(|| self.cast(&ty.ident, &call.args[0]))?
            }
            Expr::Call(call) if call.args.len() == 2 => {
                let Expr::Path(path) = &*call.func else {
                    return None;
                };
                let name = path.path.segments.last()?.ident.to_string();
                let role = self.map.role(&name, self.op)?;
                let (a, b) = (
                    self.part(&call.args[0], false)?,
                    self.part(&call.args[1], false)?,
                );
                self.combined(role, a, b)
            }
            Expr::If(branch) => {
                self.symbols
                    .scalar_in(&branch.cond)
                    .is_none()
                    .then_some(())?;
                let then = self.block(&branch.then_branch)?;
                let otherwise = match &*branch.else_branch.as_ref()?.1 {
                    Expr::Block(block) => self.block(&block.block)?,
                    e => {
                        let symbol = self.symbol(e)?;
                        quote!({ #symbol })
                    }
                };
                let cond = &branch.cond;
                Some(Part::Held(quote!((if #cond #then else #otherwise))))
            }
            Expr::Match(of) => {
                self.symbols.scalar_in(&of.expr).is_none().then_some(())?;
                let mut arms = Vec::new();
                for arm in &of.arms {
                    let (pat, body) = (&arm.pat, self.symbol(&arm.body)?);
                    arms.push(quote!(#pat => #body,));
                }
                let scrutinee = &of.expr;
                Some(Part::Held(quote!((match #scrutinee { #(#arms)* }))))
            }
            Expr::Block(block) if block.label.is_none() => {
                Some(Part::Held(self.block(&block.block)?))
            }
            _ => None,
        }
    }

    /// A block that is its value.
    fn block(&self, block: &Block) -> Option<TokenStream> {
        let [Stmt::Expr(value, None)] = &block.stmts[..] else {
            return None;
        };
        let symbol = self.symbol(value)?;
        Some(quote!({ #symbol }))
    }

    fn is_modular(&self) -> bool {
        matches!(self.map, Map::Sum(Ring::Residues, _))
    }

    /// A symbol in another type of integers.
    fn cast(&self, to: &Ident, of: &Expr) -> Option<Part> {
        Scalar::from_name(&to.to_string()).filter(|ty| ty.is_int())?;
        let Part::Held(of) = self.part(of, true)? else {
            return None;
        };
        Some(Part::Held(quote!(#of.cast::<#to>())))
    }

    fn role(&self, op: &BinOp) -> Option<Role> {
        self.map.role(&op.to_token_stream().to_string(), self.op)
    }

    fn combined(&self, role: Role, a: Part, b: Part) -> Option<Part> {
        let with = |name: &str, typed: bool| {
            let name = match typed {
                true => format!("{name}_with"),
                false => name.to_owned(),
            };
            quote::format_ident!("{name}")
        };
        let one_sign = matches!(self.map, Map::Since) && !self.op.two_signs;
        let tokens = match (role, a, b) {
            (Role::Plus, Part::Held(of), Part::Free(by, typed))
            | (Role::Plus, Part::Free(by, typed), Part::Held(of)) => {
                let method = with("shifted", typed);
                quote!(#of.#method(#by))
            }
            (Role::Minus, Part::Held(of), Part::Free(by, typed)) => {
                let method = match one_sign {
                    true => with("shifted", typed),
                    false => with("less", typed),
                };
                quote!(#of.#method(#by))
            }
            (Role::Minus, Part::Free(by, typed), Part::Held(of)) => {
                let method = with("shifted", typed);
                quote!(#of.opposite().#method(#by))
            }
            (Role::Times, Part::Held(of), Part::Free(by, typed))
            | (Role::Times, Part::Free(by, typed), Part::Held(of)) => {
                let method = with("scaled", typed);
                quote!(#of.#method(#by))
            }
            (Role::Modulo, Part::Held(of), Part::Free(by, typed)) => {
                let method = with("modulo", typed);
                quote!(#of.#method(#by))
            }
            (Role::Plus, Part::Held(a), Part::Held(b)) => quote!(#a.plus(#b)),
            (Role::Minus, Part::Held(a), Part::Held(b)) => quote!(#a.minus(#b)),
            (Role::Times, Part::Held(_), Part::Held(_))
            | (Role::Modulo, _, Part::Held(_))
            | (_, Part::Free(..), Part::Free(..)) => {
                return None;
            }
        };
        Some(Part::Held(tokens))
    }
}
