//! What the host evaluates before a launch: captured values, lengths, numbers of iterations.

use proc_macro2::{Ident, Literal as Token, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use crate::detect::winners::WIDE;
use crate::emit_cpu;
use crate::emit_ptx::layout as memory;
use crate::ir::{
    Access, ArrayId, BinaryOp, Block, Expr, ExprKind, Extent, Length, Literal, Method, Pattern,
    Place, Projection, Root, Scalar, Type, UnaryOp, VarId,
};
use crate::parsed::iteration::{Adaptor, Base, Chain, Form};
use crate::parsed::once;
use crate::plan::LoopPlan;
use crate::syntax::Shape;

/// The local that holds the length of an array.
pub(super) fn length_name(array: ArrayId) -> Ident {
    format_ident!("__accrue_len_{}", array.0)
}

/// The local that holds a captured value.
pub(super) fn capture_name(var: VarId) -> Ident {
    format_ident!("__accrue_value_{}", var.0)
}

/// The local that holds the elements of an array that is read.
pub(super) fn view_name(array: ArrayId) -> Ident {
    format_ident!("__accrue_view_{}", array.0)
}

/// Brings the questions of `Seen` into scope.
pub(super) fn questions() -> TokenStream {
    quote! {
        use ::accrue::__rt::{
            AskAnything as _, AskCast as _, AskElements as _, AskForwarding as _, AskIndexed as _, AskLength as _,
            AskNumber as _, AskPointer as _,
        };
    }
}

/// What rustc says of something of the user's, `of`, as what the kernel takes it for; else the loop gives up by `give_up`.
pub(super) fn seen(
    of: &TokenStream,
    ty: &TokenStream,
    question: &str,
    give_up: &TokenStream,
) -> TokenStream {
    let question = format_ident!("__accrue_{question}");
    quote! {
        match (&&&&&::accrue::__rt::Seen::<#ty, _>::new(#of)).#question() {
            ::core::option::Option::Some(__accrue_value) => __accrue_value,
            ::core::option::Option::None => #give_up,
        }
    }
}

/// `let` for every captured value, if it is of the type that the kernel was printed for. `give_up` is told its name.
pub(super) fn captures(plan: &LoopPlan, give_up: &dyn Fn(&str) -> TokenStream) -> TokenStream {
    // What has no tokens is declared where it is known.
    let captures = plan.kernel_captures().filter(|c| !c.tokens.is_empty());
    let lets = captures.map(|capture| {
        let name = capture_name(capture.var);
        let var = plan.kernel_ir().var(capture.var);
        let tokens = &capture.tokens;
        let Type::Scalar(scalar) = var.ty else {
            return quote!(let #name = #tokens;);
        };
        let ty = self::scalar(scalar);
        if capture.constant.is_some() {
            // It comes as whatever type it is asked for, if that is its own.
            return quote!(let #name: #ty = #tokens;);
        }
        let question = if capture.cast { "cast" } else { "number" };
        let value = seen(&quote!(&(#tokens)), &ty, question, &give_up(&var.name));
        quote!(let #name: #ty = #value;)
    });
    quote!(#(#lets)*)
}

/// What is carried from iteration to iteration, as kernels take it.
pub(super) fn carried(plan: &LoopPlan) -> impl Iterator<Item = TokenStream> {
    let Pattern::Histogram(roles) = &plan.pattern;
    let carried = roles.carried.iter().zip(&plan.carried);
    carried.map(|(carried, place)| {
        let ty = rust_type(&plan.ir.var(carried.var).ty);
        quote!(::accrue::__rt::gpu::Bins::scalar::<#ty>(&mut (#place)))
    })
}

/// What a kernel finds of the best items, as kernels take it.
pub(super) fn found(plan: &LoopPlan) -> impl Iterator<Item = TokenStream> {
    let names = found_names(plan);
    names
        .map(|name| quote!(::accrue::__rt::gpu::Bins::scalar::<::core::primitive::u64>(&mut #name)))
}

/// Whether a kernel can find the best items, of a call with `__accrue_counts`: positions fit beside items, and no value that is assigned to what is kept may
/// overflow where that is checked, for the host runs the best item's iteration alone.
pub(super) fn finds(plan: &LoopPlan) -> Option<TokenStream> {
    let most = match plan.winners.as_ref()?.second {
        Some(_) => Token::u64_suffixed(u64::MAX),
        None => Token::u64_suffixed(1 << 32),
    };
    let Pattern::Histogram(roles) = &plan.pattern;
    let overflows = roles.best.iter().any(|best| best.overflows);
    let checked = overflows.then(|| {
        let checked = crate::emit_cpu::checked();
        quote!(&& !#checked)
    });
    Some(quote!(if __accrue_counts[0] <= #most #checked))
}

/// An attempt that leaves the iterations with the best items, where a kernel finds those.
pub(super) fn then_best(plan: &LoopPlan, attempt: TokenStream) -> TokenStream {
    if plan.winners.is_none() {
        return attempt;
    }
    let Pattern::Histogram(roles) = &plan.pattern;
    let attempt = match roles.best.iter().any(|best| best.ends || best.lazy) {
        true => quote!(::accrue::__rt::gpu::reproduced(|| #attempt)),
        false => attempt,
    };
    let names: Vec<Ident> = found_names(plan).collect();
    let last = roles.best.iter().map(|best| best.last.is_some());
    let found = quote!(#(let mut #names = ::core::primitive::u64::MAX;)*);
    let Some(second) = plan.winners.as_ref().and_then(|w| w.second.as_ref()) else {
        return quote!({
            #found
            let __accrue_attempt = #attempt;
            __accrue_attempt.best(&[#((#names, #last)),*])
        });
    };
    let (is_second, low) = (capture_name(second.is_second), capture_name(second.low));
    let orders: Vec<_> = second.found.iter().copied().map(capture_name).collect();
    let each: Vec<_> = names.chunks(WIDE).collect();
    let first: Vec<_> = each.iter().map(|numbers| &numbers[0]).collect();
    let last: Vec<_> = last.collect();
    quote!({
        let mut #is_second = false;
        let mut #low: ::core::primitive::u64 = 0;
        #(let mut #orders: ::core::primitive::u64 = 0;)*
        loop {
            #found
            let __accrue_attempt = #attempt;
            if #is_second || !(&__accrue_attempt).done() {
                break __accrue_attempt.best_of_many(&[#((#first, #last)),*]);
            }
            if let ::core::option::Option::Some(__accrue_first) =
                ::accrue::__rt::gpu::first_of([#(([#(#each),*], #last)),*], #low)
            {
                break __accrue_attempt.best_of_many(&__accrue_first);
            }
            #is_second = true;
            #(#orders = #first;)*
        }
    })
}

/// A call with `__accrue_counts` that is told how many bits positions have, where best items are found with them in the low bits of another number.
pub(super) fn told_bits(plan: &LoopPlan, call: TokenStream) -> TokenStream {
    let Some(second) = plan.winners.as_ref().and_then(|w| w.second.as_ref()) else {
        return call;
    };
    let low = capture_name(second.low);
    quote!({
        #low = ::accrue::__rt::gpu::low_bits(__accrue_counts[0]);
        #call
    })
}

/// One for each number that a kernel finds.
fn found_names(plan: &LoopPlan) -> impl Iterator<Item = Ident> + use<> {
    let Pattern::Histogram(roles) = &plan.pattern;
    let all = plan.winners.as_ref().map_or(0, |winners| {
        let each = if winners.second.is_some() { WIDE } else { 1 };
        roles.best.len() * each
    });
    (0..all).map(|n| format_ident!("__accrue_found_{n}"))
}

/// The elements of a captured array, as a slice.
fn elements(plan: &LoopPlan, id: ArrayId) -> TokenStream {
    match plan.kernel_ir().array(id).access {
        Access::Read => view_name(id).to_token_stream(),
        Access::Updated | Access::Owned | Access::LengthOnly => {
            let expr = &plan.arrays[id.0 as usize].expr;
            quote!((&(#expr)[::accrue::__rt::ALL]))
        }
    }
}

/// Whether the lengths in the types of captured arrays are those of the arrays; `None` where they are literals.
pub(super) fn lengths_as_written(plan: &LoopPlan) -> Option<TokenStream> {
    let mut checks = Vec::new();
    for (id, array) in plan.kernel_ir().arrays.iter().enumerate() {
        if let Extent::Fixed(Length::Captured(var)) = array.extent {
            let (len, value) = (length_name(ArrayId(id as u32)), capture_name(var));
            checks.push(quote!(#len == #value));
        }
        let mut elem = &array.elem;
        let slice = elements(plan, ArrayId(id as u32));
        for row in ["row", "row_of_row"] {
            let Type::Array(inner, len) = elem else {
                break;
            };
            if let Length::Captured(var) = len {
                let (row, value) = (format_ident!("{row}"), capture_name(*var));
                checks.push(quote!(::accrue::__rt::names::#row(#slice) == #value));
            }
            elem = inner;
        }
    }
    (!checks.is_empty()).then(|| quote!(#(#checks)&&*))
}

/// `let`s for the length of every array, and for the elements of those that are read.
pub(super) fn arrays(plan: &LoopPlan, give_up: &dyn Fn(&str) -> TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    for (id, (array, syntax)) in plan.kernel_ir().arrays.iter().zip(&plan.arrays).enumerate() {
        let id = ArrayId(id as u32);
        let (len, view) = (length_name(id), view_name(id));
        let expr = &syntax.expr;
        let give_up = give_up(&array.name);
        out.extend(match array.access {
            Access::Updated if plan.claims_alone => quote! {
                let #len: ::core::primitive::usize = #expr.len();
            },
            Access::Updated => quote! {
                let #len: ::core::primitive::usize = <[_]>::len(&(#expr)[::accrue::__rt::ALL]);
            },
            Access::Owned => {
                // Of a vector rustc says whether it is one.
                let of = match plan.vector_of(id) {
                    Some(_) => emit_cpu::collection(expr),
                    None => quote!((#expr)),
                };
                let of = quote!((&#of[::accrue::__rt::ALL]));
                let lies = lies(&array.elem, &of, &give_up);
                quote! {
                    #lies
                    let #len: ::core::primitive::usize = <[_]>::len(#of);
                }
            }
            Access::LengthOnly => {
                let seen = seen(&quote!(&(#expr)), &quote!(()), "length", &give_up);
                quote!(let #len: ::core::primitive::usize = #seen;)
            }
            Access::Read => {
                let seen = seen(
                    &quote!(&(#expr)),
                    &rust_type(&array.elem),
                    "elements",
                    &give_up,
                );
                let lies = lies(&array.elem, &quote!(#view), &give_up);
                let iterated = iterated(plan, id, &give_up);
                quote! {
                    let #view = #seen;
                    #lies
                    #iterated
                    let #len: ::core::primitive::usize = <[_]>::len(#view);
                }
            }
        });
        // Of what only a length is asked rustc has found a collection of std's.
        if array.access != Access::LengthOnly
            && let Some(others) = emit_cpu::methods::has_others(plan, expr, &len)
        {
            out.extend(quote!(if #others { #give_up }));
        }
    }
    out
}

/// Gives up unless what the loop iterates over is the slice that the kernel reads, where the macro does not see that it is one.
fn iterated(plan: &LoopPlan, id: ArrayId, give_up: &TokenStream) -> TokenStream {
    let (syntax, array) = (&plan.arrays[id.0 as usize], plan.kernel_ir().array(id));
    let plain = matches!(
        syntax.shape,
        Shape::Slice(_) | Shape::Array(..) | Shape::Vec(_)
    );
    let (view, name) = (view_name(id), once::text(&syntax.expr));
    let mut chains: Vec<&Chain> = plan.iterations.iter().map(|i| &i.chain).collect();
    let mut out = TokenStream::new();
    while let Some(chain) = chains.pop() {
        chains.extend(chain.adaptors.iter().filter_map(|a| match a {
            Adaptor::Zip(other) => Some(&**other),
            _ => None,
        }));
        let Base::Elements { of, form } = &chain.base else {
            continue;
        };
        // Bound for the order of evaluation: the kernel reads it by its own name.
        let is_it = |name: &Ident| matches!(of, syn::Expr::Path(path) if path.path.is_ident(name));
        let bound = plan.once.iter().find(|o| is_it(&o.name));
        let iter = match (bound, form) {
            (Some(bound), _) if once::text(&bound.expr) == name => quote!(#of),
            (None, Form::Iter) if !plain && once::text(of) == name => quote!((#of).iter()),
            (None, Form::Reference) if !plain && once::text(of) == name => {
                quote!(::core::iter::IntoIterator::into_iter(&(#of)))
            }
            _ => continue,
        };
        let seen = seen(
            &quote!(&(#iter)),
            &rust_type(&array.elem),
            "elements",
            give_up,
        );
        out.extend(quote! {
            if !::accrue::__rt::gpu::same(#seen, #view) {
                #give_up
            }
        });
    }
    out
}

/// Gives up unless elements lie in memory as the kernel was told, where it is told more than a number.
fn lies(elem: &Type, of: &TokenStream, give_up: &TokenStream) -> TokenStream {
    if !has_struct(elem) {
        return TokenStream::new();
    }
    let Some(layout) = layout(elem) else {
        return quote!(#give_up;);
    };
    quote! {
        {
            const __ACCRUE_LAYOUT: ::accrue::__rt::Layout = #layout;
            if !::accrue::__rt::gpu::lies(#of, &__ACCRUE_LAYOUT) {
                #give_up
            }
        }
    }
}

/// The same where the elements are those of an argument, which is written or not.
pub(super) fn lies_there(
    elem: &Type,
    of: &Ident,
    written: bool,
    give_up: &TokenStream,
) -> TokenStream {
    // What rustc has to say of it is said at the parameter.
    let of = quote_spanned!(of.span()=> &#of);
    let elements = match written {
        true => quote!(::accrue::__rt::gpu::element_of_mut(#of)),
        false => quote!(::accrue::__rt::gpu::element_of(#of)),
    };
    lies(elem, &elements, give_up)
}

fn has_struct(ty: &Type) -> bool {
    match ty {
        Type::Struct(_) | Type::Tuple(_) => true,
        Type::Array(elem, _) => has_struct(elem),
        _ => false,
    }
}

/// What the kernel was printed for, as a `Layout` of the runtime.
fn layout(ty: &Type) -> Option<TokenStream> {
    let rt = quote!(::accrue::__rt::Layout);
    Some(match ty {
        Type::Scalar(s) => {
            let name = s.name();
            quote!(#rt::Scalar(#name))
        }
        Type::Array(elem, Length::Known(n)) => {
            let (elem, n) = (layout(elem)?, Token::u64_unsuffixed(*n));
            quote!(#rt::Array(&#elem, #n))
        }
        Type::Struct(_) | Type::Tuple(_) => {
            let whole = memory::of(ty)?;
            let (size, align) = (
                Token::u64_unsuffixed(whole.size),
                Token::u64_unsuffixed(whole.align),
            );
            let fields = (0..memory::fields(ty)).map(|n| {
                let name = match ty {
                    Type::Struct(s) => s.fields[n as usize].0.clone(),
                    _ => n.to_string(),
                };
                let (offset, field) = memory::field(ty, n)?;
                let (offset, layout) = (Token::u64_unsuffixed(offset), layout(field)?);
                Some(quote!((#name, #offset, #layout)))
            });
            let fields: Vec<_> = fields.collect::<Option<_>>()?;
            quote!(#rt::Struct(#size, #align, &[#(#fields),*]))
        }
        _ => return None,
    })
}

/// The captured values as kernel arguments: `[u64; N]`, in the order of the plan.
pub(super) fn slots(plan: &LoopPlan) -> TokenStream {
    let slots = plan.kernel_captures().map(|capture| {
        let name = capture_name(capture.var);
        quote!(::accrue::__rt::gpu::Slot::slot(#name))
    });
    quote!([#(#slots),*])
}

/// An `Option<[u64; D]>`: the positions of each dimension, `None` where an operation has no value. What stands inside a
/// dimension without positions is not evaluated, as by the sequential loop.
pub(super) fn counts(plan: &LoopPlan) -> TokenStream {
    let space = &plan.kernel_ir().space;
    let counts = space.iter().enumerate().map(|(d, dim)| {
        let count = expr(&dim.count);
        // A row without elements may do something all the same, on the CPU.
        let nothing = match d > 0 && plan.grid.is_some() {
            true => quote!(::core::option::Option::None),
            false => quote!(::core::option::Option::Some(__accrue_counts)),
        };
        quote! {
            __accrue_counts[#d] = (#count) as ::core::primitive::u64;
            if __accrue_counts[#d] == 0 {
                return #nothing;
            }
        }
    });
    let rank = space.len();
    quote! {
        (|| -> ::core::option::Option<[::core::primitive::u64; #rank]> {
            let mut __accrue_counts = [0; #rank];
            #(#counts)*
            ::core::option::Option::Some(__accrue_counts)
        })()
    }
}

/// A type as rustc reads it anywhere.
pub(super) fn rust_type(ty: &Type) -> TokenStream {
    match ty {
        Type::Scalar(s) => scalar(*s),
        Type::Array(elem, len) => {
            let elem = rust_type(elem);
            match len {
                Length::Known(n) => {
                    let n = Token::u64_unsuffixed(*n);
                    quote!([#elem; #n])
                }
                Length::Captured(_) => quote!([#elem; _]),
            }
        }
        // What it is called at this place is confirmed to be that struct, and its layout is compared.
        Type::Struct(_)
        | Type::Unit
        | Type::Never
        | Type::Tuple(_)
        | Type::Opaque(_)
        | Type::Integer(_)
        | Type::Infer(_) => quote!(_),
    }
}

fn scalar(s: Scalar) -> TokenStream {
    let name = format_ident!("{}", s.name());
    quote!(::core::primitive::#name)
}

/// An expression over captured values and lengths. Inside a function that returns an `Option`.
fn expr(e: &Expr) -> TokenStream {
    match &e.kind {
        ExprKind::Literal(literal) => self::literal(*literal, &e.ty),
        ExprKind::Len(array) => {
            let name = length_name(*array);
            quote!(#name)
        }
        ExprKind::Load(place) => load(place),
        ExprKind::Unary(op, a) => {
            let a = expr(a);
            match op {
                UnaryOp::Neg => quote!((#a).checked_neg()?),
                UnaryOp::Not => quote!((!(#a))),
            }
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (expr(a), expr(b));
            let checked = match op {
                BinaryOp::Add => "checked_add",
                BinaryOp::Sub => "checked_sub",
                BinaryOp::Mul => "checked_mul",
                BinaryOp::Div => "checked_div",
                BinaryOp::Rem => "checked_rem",
                BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::Shl
                | BinaryOp::Shr
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge => {
                    let symbol: TokenStream = op.symbol().parse().unwrap_or_default();
                    return quote!(((#a) #symbol (#b)));
                }
            };
            let checked = format_ident!("{checked}");
            quote!((#a).#checked(#b)?)
        }
        ExprKind::And(a, b) => {
            let (a, b) = (expr(a), expr(b));
            quote!(((#a) && (#b)))
        }
        ExprKind::Or(a, b) => {
            let (a, b) = (expr(a), expr(b));
            quote!(((#a) || (#b)))
        }
        ExprKind::Cast(a) => {
            let (a, ty) = (expr(a), rust_type(&e.ty));
            quote!(((#a) as #ty))
        }
        ExprKind::Method(Method::DivCeil, parts) => {
            let (a, b) = (expr(&parts[0]), expr(&parts[1]));
            quote!(::accrue::__rt::gpu::div_ceil(#a, #b)?)
        }
        ExprKind::Method(method, parts) => {
            // As a path: a trait of the user's may have a method of the name.
            let name = format_ident!("{}", method.name());
            let ty = rust_type(&parts[0].ty);
            let integer = matches!(parts[0].ty, Type::Scalar(s) if !s.is_float());
            let args = parts.iter().map(expr);
            match method {
                Method::Min | Method::Max if integer => quote!(::core::cmp::Ord::#name(#(#args),*)),
                _ => quote!(<#ty>::#name(#(#args),*)),
            }
        }
        ExprKind::If(cond, then, Some(otherwise)) => {
            let cond = expr(cond);
            match (block(then), block(otherwise)) {
                (Some(then), Some(otherwise)) => quote!((if #cond { #then } else { #otherwise })),
                _ => unknown(),
            }
        }
        ExprKind::Block(b) => block(b).unwrap_or_else(unknown),
        // Counts are made by the front end out of the forms above.
        ExprKind::Call(..)
        | ExprKind::If(..)
        | ExprKind::Match(..)
        | ExprKind::Array(_)
        | ExprKind::Repeat(_)
        | ExprKind::Tuple(_)
        | ExprKind::Struct(_)
        | ExprKind::Continue(_)
        | ExprKind::Break(..)
        | ExprKind::Loop(..)
        | ExprKind::Return(_)
        | ExprKind::Panic(_)
        | ExprKind::Opaque(_) => unknown(),
    }
}

/// No value: the loop runs on the CPU.
fn unknown() -> TokenStream {
    quote!(return ::core::option::Option::None)
}

fn block(b: &Block) -> Option<TokenStream> {
    match (&b.stmts[..], &b.tail) {
        ([], Some(tail)) => Some(expr(tail)),
        _ => None,
    }
}

fn load(place: &Place) -> TokenStream {
    let Root::Var(var) = place.root else {
        return unknown();
    };
    let mut out = {
        let name = capture_name(var);
        quote!(#name)
    };
    for projection in &place.path {
        match projection {
            Projection::Field(n) => {
                let n = syn::Index::from(*n as usize);
                out = quote!(#out.#n);
            }
            Projection::Index(index) => {
                let index = expr(&index.index);
                out = quote!((*#out.get(#index)?));
            }
        }
    }
    out
}

fn literal(literal: Literal, ty: &Type) -> TokenStream {
    let ty = rust_type(ty);
    match literal {
        Literal::Bool(b) => quote!(#b),
        Literal::Int(v) => {
            let magnitude = Token::u128_unsuffixed(v.unsigned_abs());
            let sign = (v < 0).then(|| quote!(-));
            quote!((#sign #magnitude as #ty))
        }
        Literal::Float(v) => {
            let magnitude = Token::f64_suffixed(v.abs());
            let sign = v.is_sign_negative().then(|| quote!(-));
            quote!((#sign #magnitude as #ty))
        }
    }
}
