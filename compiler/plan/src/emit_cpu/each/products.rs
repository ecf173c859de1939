//! Products of matrices, which workers compute by blocks: loops of which each element is a sum of products of two arrays' elements.
//!
//! ```text
//! for i in 0..m { for j in 0..n { let mut sum = 0.0; for k in 0..l { sum += a[i * l + k] * b[k * n + j]; } c[i * n + j] = sum; } }
//! for i in 0..m { for k in 0..l { let x = a[i * l + k]; for j in 0..n { c[i * n + j] += x * b[k * n + j]; } } }
//! ```
//!
//! Of the first form only the innermost loop is replaced, by the sum that it comes to; what stands around it is the user's. Of the second one sums begin with what the
//! elements hold. Whether indices are those of a matrix's rows and another one's columns is found out by a call, which computes them at a few places: they are sums and products in
//! which no part gets less from one place to the next. Else, and for few rows, the loop runs as it is. What the runtime does is in `accrue`'s `cpu::product`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{BinOp, Block, Expr, ExprForLoop, ExprIndex, Lit, Pat, Stmt, parse_quote};

use super::super::along::Bound;
use super::super::space::{is_usize, tokens};
use super::super::unlinted;
use crate::ir::{Access, Pattern, Scalar, Type};
use crate::parsed::iteration::{Base, is_plain};
use crate::plan::LoopPlan;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{Shape, names, without_parens};

/// A loop that is such a product.
pub(super) struct Products {
    /// The two arrays.
    arrays: [TokenStream; 2],
    /// Where they are read, and where sums go if these are not locals, as closures.
    at: [TokenStream; 2],
    to: Option<TokenStream>,
    /// The ranges of columns and of products.
    ranges: [TokenStream; 2],
    /// What a sum that is a local begins with.
    zero: Option<TokenStream>,
    /// What is done for each row before the products are added, if anything, and after.
    pub(super) before: Option<Block>,
    pub(super) after: Block,
    /// Whether products may be fused with their sums; then they are wherever the loop runs.
    pub(super) fused: bool,
}

impl Products {
    pub(super) fn of(plan: &LoopPlan) -> Option<Products> {
        let Pattern::Histogram(roles) = &plan.pattern;
        let [outer] = &plan.iterations[..] else {
            return None;
        };
        let alone = roles.targets.is_empty()
            && roles.filled.is_empty()
            && roles.distinct.is_empty()
            && roles.best.is_empty()
            && roles.carried.is_empty()
            && plan.grown.is_empty();
        let is_range = matches!(
            outer.chain.base,
            Base::Range {
                inclusive: false,
                ..
            }
        ) && outer.chain.adaptors.is_empty();
        if !alone || !is_range {
            return None;
        }
        let bound = Bound::of(&outer.pat, &plan.syntax.body);
        if bound.is_unclear() {
            return None;
        }
        let find = Find {
            plan,
            bound: &bound,
        };
        let i = find.position(&outer.pat)?;
        find.local(i).or_else(|| find.in_place(i))
    }

    /// The iterations of a part, if `otherwise` are those of the loop as it is.
    pub(super) fn items(
        &self,
        label: &TokenStream,
        pat: &Pat,
        otherwise: &TokenStream,
    ) -> TokenStream {
        let (rt, unlinted) = (quote!(::accrue::__rt::cpu), unlinted());
        let products = quote!(#rt::products);
        let Products {
            arrays: [a, b],
            at: [of_a, of_b],
            ranges: [columns, depth],
            after,
            ..
        } = self;
        let part = quote! {
            #rt::Source::part(
                &__accrue_source,
                __accrue_part.start + __accrue_rows.start..__accrue_part.start + __accrue_rows.end,
            )
        };
        let begin = match (&self.zero, &self.before) {
            (Some(zero), _) => quote! {
                __accrue_product.begin_all(::core::iter::ExactSizeIterator::len(&__accrue_rows), #zero);
            },
            (None, before) => quote!(#unlinted for #pat in #part #before),
        };
        let apart = self.to.as_ref().map(|to| {
            quote!(if !#products::apart(&#to, ::core::clone::Clone::clone(&__accrue_ranges)) {
                return ::core::option::Option::None;
            })
        });
        let product = match self.fused {
            true => quote!(fused),
            false => quote!(product),
        };
        quote! {
            #unlinted
            let __accrue_product = (|| {
                let __accrue_first = #rt::number(&::core::iter::Iterator::next(
                    &mut #rt::Source::part(&__accrue_source, ::core::clone::Clone::clone(&__accrue_part)),
                )?);
                let __accrue_count = ::core::iter::ExactSizeIterator::len(&__accrue_part);
                let __accrue_ranges = [
                    __accrue_first..__accrue_first + #rt::number(&__accrue_count),
                    #columns,
                    #depth,
                ];
                #apart
                #products::#product(
                    [&(#a)[::accrue::__rt::ALL], &(#b)[::accrue::__rt::ALL]],
                    [&#of_a, &#of_b],
                    __accrue_ranges,
                )
            })();
            if let ::core::option::Option::Some(mut __accrue_product) = __accrue_product {
                #unlinted
                for __accrue_rows in __accrue_product.parts() {
                    __accrue_product.clear();
                    #begin
                    __accrue_product.add(::core::clone::Clone::clone(&__accrue_rows));
                    #label for #pat in #part #after
                }
            } else {
                #otherwise
            }
        }
    }
}

/// Where such a product is looked for.
struct Find<'a> {
    plan: &'a LoopPlan,
    bound: &'a Bound,
}

/// What stands around the innermost loop: names of numbers and of elements.
type Lets<'a> = Vec<(&'a Ident, &'a Expr)>;

impl<'a> Find<'a> {
    /// The position that a pattern is.
    fn position(&self, pat: &'a Pat) -> Option<&'a Ident> {
        match pat {
            Pat::Ident(name)
                if name.mutability.is_none() && name.by_ref.is_none() && name.subpat.is_none() =>
            {
                let name = &name.ident;
                (self.bound.once(name) && is_usize(self.plan, name)).then_some(name)
            }
            _ => None,
        }
    }

    /// The position of an inner loop and its range, which is the same for every iteration around.
    fn range(&self, of: &'a ExprForLoop) -> Option<(&'a Ident, TokenStream)> {
        let Expr::Range(range) = without_parens(&of.expr) else {
            return None;
        };
        let exclusive = matches!(range.limits, syn::RangeLimits::HalfOpen(_));
        let (start, end) = (range.start.as_deref()?, range.end.as_deref()?);
        let fixed = |e: &Expr| is_plain(e) && self.is_given(e);
        if !exclusive || !fixed(start) || !fixed(end) || !of.attrs.is_empty() || of.label.is_some()
        {
            return None;
        }
        let rt = quote!(::accrue::__rt::cpu);
        let range = quote!(#rt::number(&(#start))..#rt::number(&(#end)));
        Some((self.position(&of.pat)?, range))
    }

    /// Whether an expression mentions nothing that the loop binds.
    fn is_given(&self, expr: &Expr) -> bool {
        self.is_told(expr, &[])
    }

    /// Whether all that it mentions of what the loop binds are these names, and its type can be told where it stands alone. A name that is bound elsewhere in the loop as well
    /// might be another one.
    fn is_told(&self, expr: &Expr, seen: &[&Ident]) -> bool {
        let mut used = Vec::new();
        names::identifiers(expr.to_token_stream(), &mut used);
        let inferred = tokens(expr).split_whitespace().any(|token| token == "_");
        !inferred
            && used
                .iter()
                .all(|name| seen.contains(&name) || !self.bound.names.contains(name))
    }

    /// What statements before a loop bind to names that have not been bound before it, of what is known by then. Whether that is all of them.
    fn lets(&self, before: &'a [Stmt], lets: &mut Lets<'a>, seen: &mut Vec<&'a Ident>) -> bool {
        let mut all = true;
        for stmt in before {
            match self.binding(stmt) {
                Some((name, init)) if self.is_told(init, seen) => {
                    lets.push((name, init));
                    seen.push(name);
                }
                _ => all = false,
            }
        }
        all
    }

    /// The name of a number or an element.
    fn binding(&self, stmt: &'a Stmt) -> Option<(&'a Ident, &'a Expr)> {
        let Stmt::Local(local) = stmt else {
            return None;
        };
        let pat = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pat => pat,
        };
        match (pat, &local.init) {
            (Pat::Ident(name), Some(init))
                if name.mutability.is_none()
                    && name.by_ref.is_none()
                    && name.subpat.is_none()
                    && init.diverge.is_none()
                    && self.bound.once(&name.ident) =>
            {
                Some((&name.ident, &init.expr))
            }
            _ => None,
        }
    }

    /// `sum` is a local of the second loop.
    fn local(&self, i: &'a Ident) -> Option<Products> {
        let rows = &self.plan.syntax.body;
        let (mut lets, mut seen) = (Vec::new(), vec![i]);
        // Other statements may stand there as well; no index is made of what they bind.
        let (second, columns) = only_loop(rows)?;
        if !rows
            .stmts
            .iter()
            .enumerate()
            .all(|(n, stmt)| n == second || matches!(stmt, Stmt::Local(_)))
        {
            return None;
        }
        self.lets(&rows.stmts[..second], &mut lets, &mut seen);
        let (j, range_j) = self.range(columns)?;
        seen.push(j);
        let stmts = &columns.body.stmts;
        let (third, depth) = only_loop(&columns.body)?;
        self.lets(&stmts[..third], &mut lets, &mut seen);
        let (k, range_k) = self.range(depth)?;
        seen.push(k);
        let (last, before) = depth.body.stmts.split_last()?;
        let inside = lets.len();
        let Stmt::Expr(last, _) = last else {
            return None;
        };
        if !self.lets(before, &mut lets, &mut seen) {
            return None;
        }
        let (sum, product) = added(last)?;
        // What is bound in the loop that is left out is needed there, so that nothing that panics or acts is left out.
        let needed = |(name, _): &(&Ident, _)| self.depends(product, &lets, name);
        if !self.is_told(product, &seen) || !lets[inside..].iter().all(needed) {
            return None;
        }
        let Expr::Path(sum) = sum else { return None };
        let sum = sum.path.get_ident()?;
        // It begins with a literal, and nobody changes it before.
        let begun = stmts[..third].iter().find_map(|stmt| zero(stmt, sum))?;
        if !self.bound.once(sum)
            || stmts[..third]
                .iter()
                .filter(|stmt| mentions(stmt, sum))
                .count()
                != 1
        {
            return None;
        }
        let names = [i, j, k];
        let [a, b] = self.factors(product, &lets, &names)?;
        let mut after = rows.clone();
        if let Stmt::Expr(Expr::ForLoop(columns), _) = &mut after.stmts[second] {
            columns.body.stmts[third] = parse_quote!(#sum = __accrue_product.take(););
        }
        Some(Products {
            arrays: [a.0, b.0],
            at: [a.1, b.1],
            to: None,
            ranges: [range_j, range_k],
            zero: Some(begun.to_token_stream()),
            before: None,
            after,
            fused: self.plan.contract,
        })
    }

    /// Sums go straight to the elements.
    fn in_place(&self, i: &'a Ident) -> Option<Products> {
        let (mut lets, mut seen) = (Vec::new(), vec![i]);
        let mut block = &self.plan.syntax.body;
        let mut loops = Vec::new();
        for _ in 0..2 {
            let (last, before) = block.stmts.split_last()?;
            let Stmt::Expr(Expr::ForLoop(inner), _) = last else {
                return None;
            };
            if !self.lets(before, &mut lets, &mut seen) {
                return None;
            }
            let range = self.range(inner)?;
            seen.push(range.0);
            loops.push(range);
            block = &inner.body;
        }
        let (last, before) = block.stmts.split_last()?;
        let Stmt::Expr(last, _) = last else {
            return None;
        };
        if !self.lets(before, &mut lets, &mut seen) || !self.is_told(last, &seen) {
            return None;
        }
        let (element, product) = added(last)?;
        let Expr::Index(element) = element else {
            return None;
        };
        self.array(element, false)?;
        let [second, third] = <[_; 2]>::try_from(loops).ok()?;
        // Of the two loops the one of columns tells the element.
        let is_in = |name: &Ident| self.depends(&element.index, &lets, name);
        let [columns, depth] = match (is_in(second.0), is_in(third.0)) {
            (true, false) => [second, third],
            (false, true) => [third, second],
            _ => return None,
        };
        let at = [i, columns.0, depth.0];
        let [a, b] = self.factors(product, &lets, &at)?;
        // All that is bound is needed, so that nothing that panics is left out.
        let needed = |name: &Ident| {
            self.depends(product, &lets, name) || self.depends(&element.index, &lets, name)
        };
        if !lets.iter().all(|(name, _)| needed(name)) {
            return None;
        }
        let (to, _) = self.index(&element.index, &lets, &at)?;
        let (array, index) = (&element.expr, self.written_out(&element.index, &lets));
        let pat = columns.0;
        let of = match self.plan.syntax.body.stmts.last()? {
            Stmt::Expr(Expr::ForLoop(second), _) => second,
            _ => return None,
        };
        let header = match &*of.pat {
            Pat::Ident(name) if name.ident == *pat => &of.expr,
            _ => match of.body.stmts.last()? {
                Stmt::Expr(Expr::ForLoop(third), _) => &third.expr,
                _ => return None,
            },
        };
        Some(Products {
            arrays: [a.0, b.0],
            at: [a.1, b.1],
            to: Some(closure(&to)),
            ranges: [columns.1.clone(), depth.1],
            zero: None,
            before: Some(
                parse_quote!({ for #pat in #header { __accrue_product.begin(#array[#index]); } }),
            ),
            after: parse_quote!({ for #pat in #header { #array[#index] = __accrue_product.take(); } }),
            fused: self.plan.contract,
        })
    }

    /// An expression in which no `let` of the loops is left.
    fn written_out(&self, expr: &Expr, lets: &Lets<'a>) -> Expr {
        struct Out<'l, 'a>(&'l Lets<'a>);
        impl VisitMut for Out<'_, '_> {
            fn visit(&mut self, node: visit_mut::Node<'_>) {
                match node {
                    visit_mut::Node::Expr(expr) => {
                        let of = named(expr).and_then(|name| meaning(self.0, name)).cloned();
                        match of {
                            Some(of) => {
                                *expr = parse_quote!((#of));
                                self.visit_expr_mut(expr);
                            }
                            None => visit_mut::visit_expr_mut(self, expr),
                        }
                    }
                    _ => node.parts(self),
                }
            }
        }
        let mut expr = expr.clone();
        Out(lets).visit_expr_mut(&mut expr);
        expr
    }

    /// Whether a name tells an expression, by what is bound as well.
    fn depends(&self, expr: &Expr, lets: &Lets<'a>, name: &Ident) -> bool {
        let mut used = Vec::new();
        names::identifiers(expr.to_token_stream(), &mut used);
        used.iter().any(|other| {
            other == name || meaning(lets, other).is_some_and(|of| self.depends(of, lets, name))
        })
    }

    /// The elements of a product, as arrays and closures of where they are.
    fn factors(
        &self,
        product: &Expr,
        lets: &Lets<'a>,
        at: &[&Ident; 3],
    ) -> Option<[(TokenStream, TokenStream); 2]> {
        let Expr::Binary(product) = without_parens(product) else {
            return None;
        };
        if !matches!(product.op, BinOp::Mul(_)) {
            return None;
        }
        let factor = |expr: &Expr| {
            let mut expr = without_parens(expr);
            while let Some(of) = named(expr).and_then(|name| meaning(lets, name)) {
                expr = without_parens(of);
            }
            let Expr::Index(element) = expr else {
                return None;
            };
            let array = self.array(element, true)?;
            let (index, _) = self.index(&element.index, lets, at)?;
            Some((array, closure(&index)))
        };
        Some([factor(&product.left)?, factor(&product.right)?])
    }

    /// The array of an element, of floats, that the loop reads, or writes.
    fn array(&self, element: &ExprIndex, reads: bool) -> Option<TokenStream> {
        let name = named(&element.expr)?;
        let mut arrays = self.plan.arrays.iter().zip(&self.plan.ir.arrays);
        let (syntax, array) = arrays.find(|(syntax, _)| *name == tokens(&syntax.expr))?;
        let floats = matches!(array.elem, Type::Scalar(Scalar::F32 | Scalar::F64));
        let shape = matches!(
            syntax.shape,
            Shape::Slice(_) | Shape::Vec(_) | Shape::Array(..)
        );
        let read = array.access == Access::Read;
        (floats && shape && read == reads && !self.bound.names.contains(name))
            .then(|| quote!(#name))
    }

    /// An index as a number of row, column and product, and whether it is told by one of them.
    fn index(&self, expr: &Expr, lets: &Lets<'a>, at: &[&Ident; 3]) -> Option<(TokenStream, bool)> {
        let products = quote!(::accrue::__rt::cpu::products);
        let expr = without_parens(expr);
        if let Some(name) = named(expr) {
            if let Some(dim) = at.iter().position(|other| *other == name) {
                return Some((quote!(__accrue_at[#dim]), true));
            }
            if let Some(of) = meaning(lets, name) {
                return self.index(of, lets, at);
            }
        }
        match expr {
            Expr::Binary(both) => {
                let (a, of_a) = self.index(&both.left, lets, at)?;
                let (b, of_b) = self.index(&both.right, lets, at)?;
                let (how, fits) = match both.op {
                    BinOp::Add(_) => (quote!(plus), true),
                    BinOp::Sub(_) => (quote!(minus), !of_b),
                    BinOp::Mul(_) => (quote!(times), !(of_a && of_b)),
                    _ => return None,
                };
                fits.then(|| (quote!(#products::#how(#a, #b)?), of_a || of_b))
            }
            Expr::Lit(lit) => match &lit.lit {
                Lit::Int(n) => {
                    let n = proc_macro2::Literal::i128_unsuffixed(n.base10_parse::<i128>().ok()?);
                    Some((quote!(#n), false))
                }
                _ => None,
            },
            _ if is_plain(expr) && self.is_given(expr) => {
                let n = quote!(#products::index(::accrue::__rt::cpu::number(&(#expr)))?);
                Some((n, false))
            }
            _ => None,
        }
    }
}

/// The one loop among a block's statements, and where it stands.
fn only_loop(block: &Block) -> Option<(usize, &ExprForLoop)> {
    let mut loops = block
        .stmts
        .iter()
        .enumerate()
        .filter_map(|(n, stmt)| match stmt {
            Stmt::Expr(Expr::ForLoop(of), _) => Some((n, of)),
            _ => None,
        });
    loops.next().filter(|_| loops.next().is_none())
}

/// A closure of where an element is.
fn closure(index: &TokenStream) -> TokenStream {
    quote! {
        |__accrue_at: [::core::primitive::i128; 3]| -> ::core::option::Option<::core::primitive::i128> {
            ::core::option::Option::Some(#index)
        }
    }
}

/// The name that an expression is.
fn named(expr: &Expr) -> Option<&Ident> {
    match without_parens(expr) {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

/// What a name is bound to.
fn meaning<'a>(lets: &Lets<'a>, name: &Ident) -> Option<&'a Expr> {
    lets.iter()
        .find(|(other, _)| *other == name)
        .map(|(_, of)| *of)
}

/// `sum += product`, or `sum = sum + product`.
fn added(expr: &Expr) -> Option<(&Expr, &Expr)> {
    match expr {
        Expr::Binary(update) if matches!(update.op, BinOp::AddAssign(_)) => {
            Some((&update.left, &update.right))
        }
        Expr::Assign(assign) => match without_parens(&assign.right) {
            Expr::Binary(sum)
                if matches!(sum.op, BinOp::Add(_)) && tokens(&sum.left) == tokens(&assign.left) =>
            {
                Some((&assign.left, &sum.right))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The literal 0 that a local begins with.
fn zero<'a>(stmt: &'a Stmt, name: &Ident) -> Option<&'a Expr> {
    let Stmt::Local(local) = stmt else {
        return None;
    };
    let pat = match &local.pat {
        Pat::Type(typed) => &*typed.pat,
        pat => pat,
    };
    let Pat::Ident(pat) = pat else { return None };
    let init = &local.init.as_ref()?.expr;
    let Expr::Lit(lit) = &**init else { return None };
    let Lit::Float(value) = &lit.lit else {
        return None;
    };
    (pat.ident == *name && value.base10_parse::<f64>().ok()? == 0.0).then_some(init)
}

/// Whether a statement mentions a name.
fn mentions(stmt: &Stmt, name: &Ident) -> bool {
    let mut used = Vec::new();
    names::identifiers(stmt.to_token_stream(), &mut used);
    used.contains(name)
}
