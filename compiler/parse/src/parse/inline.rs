//! Methods of an `impl` block under the attribute that its loops call on `self`.
//!
//! ```text
//! fn bin_of(&self, v: f32) -> usize { ((v - self.low) * self.scale) as usize }
//! fn fill(&mut self, values: &[f32]) { for &v in values { self.bins[self.bin_of(v)] += 1; } }
//! ```
//!
//! What a method reads of `self` cannot be seen where it is called, and `bins` must not be among it. In the block it can: the call is written out, with the
//! arguments under the names of the parameters. That is done where it means the same whatever stands around it: a method by `&self` that uses
//! `self` for its fields alone, returns at its end, and whose other names mean nothing else where it is called, nor in a method around it that is written out.
//! A macro that is not the standard library's may return from the method, and a method of a trait may not be the one that is called.
//!
//! Setters are written out as well, returns that end a branch, and calls on what is known to be a value of the same type, where the function is taken then:
//!
//! ```text
//! fn set(&mut self, r: usize, c: usize, v: f64) { self.data[r * self.cols + c] = v; }
//! fn transposed(&self) -> Matrix { let mut out = Matrix::zeros(..); for .. { out.set(c, r, self.get(r, c)); } out }
//! ```
//!
//! Where a loop only reads `self`, nothing has to be trusted but the fields that a method reads, not all of the type. There the methods are written out that
//! do what loops are known to do; what others do is asked of the type.

use crate::sorted::{Sorted, SortedSet};

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Block, Expr, FnArg, ImplItem, Item, ItemFn, ItemImpl, Pat, ReceiverKind, ReturnType, Stmt,
    Type, parse_quote,
};

use super::iteration;
use super::known::is_known_macro;
use super::names::{Called, free_names_of_body, identifiers, root_of};
use super::resolved::{Held, Written, questions};
use super::sites::is_assignment;
use crate::syntax::without_parens;

/// The methods of a block that may be written out.
pub(super) struct Methods {
    by_name: Sorted<String, Method>,
    /// The type that the block is for.
    of: Type,
    /// The functions of the block that make a value of it.
    makes: SortedSet<String>,
}

struct Method {
    /// Whether it is one by `&mut self`.
    changes: bool,
    /// Whether it computes something, by `&self`, and returns at its end alone as it is written.
    plain: bool,
    params: Vec<(Pat, Type)>,
    result: Type,
    body: Block,
    /// The names in it that mean what they mean around the block.
    free: SortedSet<String>,
    /// Those that it binds.
    own: SortedSet<String>,
    /// Those of them that stand for a value of the block's type.
    values: Sorted<String, Held>,
    /// Whether all that it does is known, and no name in it the user's `pure(..)`.
    known: bool,
}

impl Methods {
    /// Those of a block, but for what the attribute's arguments name as well.
    pub(super) fn of(block: &ItemImpl, named: &SortedSet<String>) -> Methods {
        let mut methods: Sorted<String, Method> = Sorted::new();
        let mut twice = Vec::new();
        for item in block.items.iter().filter(|_| block.trait_.is_none()) {
            if let ImplItem::Fn(method) = item {
                let name = method.sig.ident.to_string();
                let Some(mut of) = Method::of(method) else {
                    twice.push(name);
                    continue;
                };
                of.known &= !named.contains(&name);
                if methods.insert(name.clone(), of).is_some() {
                    twice.push(name);
                }
            }
        }
        // Of two by one name, for other features, the other may be the one.
        methods.retain(|name, _| !twice.contains(name));
        let of = (*block.self_ty).clone();
        let makes = block.items.iter().filter_map(|item| match item {
            ImplItem::Fn(function) => match &function.sig.output {
                ReturnType::Type(_, ty) if is_type(ty, &of) => Some(function.sig.ident.to_string()),
                _ => None,
            },
            _ => None,
        });
        let makes = makes.collect();
        let mut all = Methods {
            by_name: methods,
            of,
            makes,
        };
        for item in &block.items {
            if let ImplItem::Fn(of) = item
                && let Ok(function) = syn::parse2::<ItemFn>(of.to_token_stream())
            {
                let mut values = all.values(&function);
                values.retain(|name, _| name != "self");
                if let Some(method) = all.by_name.get_mut(&of.sig.ident.to_string()) {
                    method.values = values;
                }
            }
        }
        all
    }

    /// Writes the calls of those by `&self` out in the loops of a method, where they are on `self`. Adds the names of those that are.
    pub(super) fn write_out(&self, function: &mut ItemFn, written: &mut SortedSet<String>) {
        let mut values = self.values(function);
        values.retain(|name, _| name == "self");
        self.write(function, values, false, written);
    }

    /// Writes the calls of all out, on whatever is known to be of the block's type.
    pub(super) fn write_all_out(&self, function: &mut ItemFn, written: &mut SortedSet<String>) {
        self.write(function, self.values(function), true, written);
    }

    fn write(
        &self,
        function: &mut ItemFn,
        values: Sorted<String, Held>,
        all: bool,
        written: &mut SortedSet<String>,
    ) {
        // The questions stand at the function's begin, where what an inner block brings in is not.
        if brings_in_names(function) {
            return;
        }
        let mut bound = Bound::default();
        bound.visit_item_fn(function);
        let generics = &function.sig.generics;
        let types = generics.type_params().map(|of| &of.ident);
        let constants = generics.const_params().map(|of| &of.ident);
        bound
            .0
            .extend(types.chain(constants).map(ToString::to_string));
        let mut writer = Writer {
            methods: self,
            bound: bound.0,
            values,
            all,
            open: Vec::new(),
            written: SortedSet::new(),
            inside: false,
            updated: SortedSet::new(),
        };
        writer.visit_block_mut(&mut function.block);
        let of = writer.written;
        written.extend(of.iter().map(|of| of.name.to_string()));
        function.block.stmts.splice(0..0, questions(&of));
    }

    /// The names that stand for a value of the block's type wherever a method has them, or for a reference to one.
    fn values(&self, function: &ItemFn) -> Sorted<String, Held> {
        struct Finder<'a> {
            methods: &'a Methods,
            values: Sorted<String, Held>,
            bound: Sorted<String, usize>,
            items: bool,
        }
        impl<'a> Visit<'a> for Finder<'_> {
            fn visit(&mut self, node: visit::Node<'a>) {
                match node {
                    visit::Node::Local(local) => {
                        let (pat, ty) = match &local.pat {
                            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
                            pat => (pat, None),
                        };
                        let init = local.init.as_ref().filter(|init| init.diverge.is_none());
                        let by_type = ty.is_some_and(|ty| is_type(referred(ty), &self.methods.of));
                        let by_value = init.is_some_and(|init| self.methods.is_made(&init.expr));
                        if let Pat::Ident(name) = pat
                            && name.by_ref.is_none()
                            && (by_type || ty.is_none() && by_value)
                        {
                            let held = ty.map_or(Held::Value, Held::of);
                            self.values.insert(name.ident.to_string(), held);
                        }
                        visit::visit_local(self, local);
                    }
                    visit::Node::PatType(typed) => {
                        if let Pat::Ident(name) = &*typed.pat
                            && name.by_ref.is_none()
                            && is_type(referred(&typed.ty), &self.methods.of)
                        {
                            let held = Held::of(&typed.ty);
                            self.values.insert(name.ident.to_string(), held);
                        }
                        visit::visit_pat_type(self, typed);
                    }
                    visit::Node::PatIdent(pat) => {
                        *self.bound.or_default(pat.ident.to_string()) += 1;
                        visit::visit_pat_ident(self, pat);
                    }
                    visit::Node::Item(_) => self.items = true,
                    _ => node.parts(self),
                }
            }
        }
        let mut finder = Finder {
            methods: self,
            values: Sorted::new(),
            bound: Sorted::new(),
            items: false,
        };
        finder.visit_item_fn(function);
        let Finder {
            mut values,
            bound,
            items,
            ..
        } = finder;
        // An item may have the type's name.
        values.retain(|name, _| !items && bound.get(name) == Some(&1));
        let held = function.sig.receiver().and_then(Held::of_self);
        values.extend(held.map(|held| ("self".to_owned(), held)));
        values
    }

    /// Whether an expression is known to be a value of the block's type: `Grid { .. }`, `Grid::new(..)`, `self.clone()`.
    fn is_made(&self, e: &Expr) -> bool {
        let is_it = |path: &syn::Path| {
            let ty: Type = parse_quote!(#path);
            is_type(&ty, &self.of)
        };
        match without_parens(e) {
            Expr::Struct(of) => of.qself.is_none() && is_it(&of.path),
            Expr::Call(of) => match without_parens(&of.func) {
                Expr::Path(path) if path.qself.is_none() && path.path.segments.len() == 2 => {
                    let ty: syn::Path = path.path.segments[0].clone().into();
                    let name = path.path.segments[1].ident.to_string();
                    is_it(&ty) && self.makes.contains(&name)
                }
                _ => false,
            },
            Expr::MethodCall(of) => {
                let clones = of.method == "clone" && !self.by_name.contains_key("clone");
                clones && is_self(&of.receiver) && of.args.is_empty()
            }
            _ => false,
        }
    }
}

/// Whether a type is the one of a block, by the same words or as `Self`.
fn is_type(ty: &Type, of: &Type) -> bool {
    let words = |ty: &Type| ty.to_token_stream().to_string();
    matches!(ty, Type::Path(path) if path.path.is_ident("Self")) || words(ty) == words(of)
}

/// What a reference refers to, or the type itself.
fn referred(ty: &Type) -> &Type {
    match ty {
        Type::Reference(of) => &of.elem,
        ty => ty,
    }
}

impl Method {
    fn of(method: &syn::ImplItemFn) -> Option<Method> {
        let sig = &method.sig;
        let plain = sig.constness.is_none()
            && sig.asyncness.is_none()
            && matches!(sig.safety, syn::Safety::Default)
            && sig.generics.params.is_empty()
            && method.attrs.iter().all(|a| {
                ["doc", "inline", "must_use"]
                    .iter()
                    .any(|known| a.path().is_ident(known))
            });
        let changes = match &sig.receiver()?.kind {
            ReceiverKind::Reference(_, None, None) => false,
            ReceiverKind::Reference(_, None, Some(_)) => true,
            _ => return None,
        };
        let result: Type = match &sig.output {
            ReturnType::Type(_, result) => (**result).clone(),
            ReturnType::Default => parse_quote!(()),
        };
        let body = ended(&method.block)?;
        let mut uses = Uses {
            changes,
            unclear: false,
        };
        uses.visit_block(&body);
        if !plain || uses.unclear || has_reference(&result) {
            return None;
        }
        let params = sig.inputs.iter().skip(1).map(|input| match input {
            FnArg::Typed(typed) if !matches!(*typed.ty, Type::ImplTrait(_)) => {
                Some(((*typed.pat).clone(), (*typed.ty).clone()))
            }
            _ => None,
        });
        let params: Vec<(Pat, Type)> = params.collect::<Option<_>>()?;
        let free = free(&params, &result, &body);
        let mut own = Bound::default();
        params.iter().for_each(|(pat, _)| own.visit_pat(pat));
        own.visit_block(&body);
        let mut known = Known {
            all: true,
            of_self: true,
        };
        known.visit_block(&body);
        let returns_there = same(&body, &method.block);
        Some(Method {
            changes,
            plain: !changes && returns_there && !is_unit(&result),
            params,
            result,
            body,
            free,
            own: own.0,
            values: Sorted::new(),
            known: known.all,
        })
    }
}

/// The names of a body, and of the types around it, that neither it nor its parameters bind where they stand.
fn free(params: &[(Pat, Type)], result: &Type, body: &Block) -> SortedSet<String> {
    /// All names, as far as something in the function could hide them.
    #[derive(Default)]
    struct Words(SortedSet<String>);
    impl<'a> Visit<'a> for Words {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Path(path) => {
                    self.0
                        .extend(path.segments.first().map(|s| s.ident.to_string()));
                    visit::visit_path(self, path);
                }
                visit::Node::Macro(mac) => {
                    let mut words = Vec::new();
                    identifiers(mac.to_token_stream(), &mut words);
                    self.0.extend(words.iter().map(ToString::to_string));
                }
                _ => node.parts(self),
            }
        }
    }
    let mut own = Bound::default();
    params.iter().for_each(|(pat, _)| own.visit_pat(pat));
    own.visit_block(body);
    let mut words = Words::default();
    words.visit_block(body);
    params.iter().for_each(|(_, ty)| words.visit_type(ty));
    words.visit_type(result);
    words.0.retain(|word| !own.0.contains(word));
    // What it binds as well may stand for something else before that.
    let pats = params.iter().map(|(pat, _)| pat);
    let pat: Pat = parse_quote!((#(#pats,)*));
    let found = free_names_of_body(&pat, body);
    words
        .0
        .extend(found.uses.iter().map(|used| used.key.root.clone()));
    words
        .0
        .extend(found.calls.iter().filter_map(|called| match called {
            Called::Function(Expr::Path(path)) => {
                Some(path.path.segments.first()?.ident.to_string())
            }
            _ => None,
        }));
    words.0.remove("self");
    words.0
}

/// Whether a type borrows, which ties what is returned to what is written out.
fn has_reference(ty: &Type) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::TypeReference(_) => {
                    self.0 = true;
                }
                visit::Node::Lifetime(_) => {
                    self.0 = true;
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(false);
    finder.visit_type(ty);
    finder.0
}

/// A body that returns at its end alone: `if c { return a; } b` is `if c { a } else { b }`. `None` where it returns elsewhere.
fn ended(body: &Block) -> Option<Block> {
    struct Returns(bool);
    impl<'a> Visit<'a> for Returns {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(Expr::Closure(_) | Expr::Async(_)) | visit::Node::Item(_) => {}
                visit::Node::Expr(e) => {
                    self.0 |= matches!(e, Expr::Return(_));
                    visit::visit_expr(self, e);
                }
                _ => node.parts(self),
            }
        }
    }
    let returns = |stmt: &Stmt| {
        let mut returns = Returns(false);
        returns.visit_stmt(stmt);
        returns.0
    };
    let Some(at) = body.stmts.iter().position(returns) else {
        return Some(body.clone());
    };
    let (before, rest) = (&body.stmts[..at], &body.stmts[at + 1..]);
    let with = |stmts: &[Stmt]| -> Option<Block> { ended(&parse_quote!({ #(#stmts)* })) };
    let Stmt::Expr(e, _) = &body.stmts[at] else {
        return None;
    };
    let end: Expr = match e {
        Expr::Return(of) => match &of.expr {
            Some(value) => (**value).clone(),
            None => parse_quote!(()),
        },
        Expr::If(of) => {
            let ends = matches!(of.then_branch.stmts.last()?, Stmt::Expr(Expr::Return(_), _));
            let otherwise = match &of.else_branch {
                None => with(rest)?,
                Some((_, otherwise)) => match &**otherwise {
                    Expr::Block(of) if rest.is_empty() && of.label.is_none() => ended(&of.block)?,
                    e if rest.is_empty() => with(&[Stmt::Expr(e.clone(), None)])?,
                    _ => return None,
                },
            };
            let stands_alone = rest.is_empty() && of.else_branch.is_some();
            if !(ends || stands_alone) {
                return None;
            }
            let (cond, then) = (&of.cond, ended(&of.then_branch)?);
            parse_quote!(if #cond #then else #otherwise)
        }
        _ => return None,
    };
    let mut whole: Block = parse_quote!({ #(#before)* });
    whole.stmts.push(Stmt::Expr(end, None));
    Some(whole)
}

/// What a method's body does that cannot be written out.
struct Uses {
    /// Whether it may change `self`.
    changes: bool,
    unclear: bool,
}

impl<'a> Visit<'a> for Uses {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                match e {
                    // A call of another one is looked at when it is written out.
                    Expr::MethodCall(call) if is_self(&call.receiver) => {
                        call.args.iter().for_each(|arg| self.visit_expr(arg));
                    }
                    Expr::Field(of) if is_self(&of.base) => {}
                    Expr::Return(_) | Expr::Try(_) | Expr::Await(_) | Expr::Unsafe(_) => {
                        self.unclear = true
                    }
                    _ => {
                        self.unclear |= is_self(e) || !self.changes && is_assignment_to_self(e);
                        visit::visit_expr(self, e);
                    }
                }
            }
            visit::Node::Macro(mac) => {
                let mut words = Vec::new();
                identifiers(mac.tokens.clone(), &mut words);
                self.unclear |= words.iter().any(|word| word == "self");
                self.unclear |= !is_known_macro(mac) || may_return(mac.tokens.clone());
            }
            visit::Node::Item(_) => {
                self.unclear = true;
            }
            _ => node.parts(self),
        }
    }
}

/// Whether what a macro is given may return from around it: by itself, by `?`, or by a macro that is not the standard library's.
fn may_return(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let of_macro = |tokens: &[TokenTree]| match tokens {
        [
            TokenTree::Ident(name),
            TokenTree::Punct(mark),
            TokenTree::Group(_),
        ] => {
            // `if !(..)` is none.
            let mac = syn::parse2(quote::quote!(#name!()));
            mark.as_char() == '!' && mac.is_ok_and(|mac| !is_known_macro(&mac))
        }
        _ => false,
    };
    let returns = |token: &TokenTree| match token {
        TokenTree::Ident(word) => word == "return",
        TokenTree::Punct(mark) => mark.as_char() == '?',
        TokenTree::Group(group) => may_return(group.stream()),
        TokenTree::Literal(_) => false,
    };
    tokens.windows(3).any(of_macro) || tokens.iter().any(returns)
}

/// Whether a body computes, in ways that loops are known by.
struct Known {
    all: bool,
    /// Whether calls on `self` are looked at when they are written out.
    of_self: bool,
}

/// Whether the loops of a method only compute, in ways that loops are known by: rustc has nothing to say of what they hand on.
pub(super) fn only_known(function: &ItemFn) -> bool {
    struct Loops(bool);
    impl<'a> Visit<'a> for Loops {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::ExprForLoop(of) => {
                    let mut known = Known {
                        all: true,
                        of_self: false,
                    };
                    known.visit_expr_for_loop(of);
                    self.0 &= known.all;
                }
                _ => node.parts(self),
            }
        }
    }
    let mut loops = Loops(true);
    loops.visit_block(&function.block);
    loops.0
}

impl<'a> Visit<'a> for Known {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                self.all &= match e {
                    Expr::MethodCall(of) => {
                        let name = of.method.to_string();
                        self.of_self && is_self(&of.receiver)
                            || name == "len"
                            || crate::ir::Method::named(&name).is_some()
                    }
                    Expr::Macro(of) => of.mac.path.is_ident("matches"),
                    Expr::Call(of) => {
                        matches!(&*of.func, Expr::Path(path) if path.path.is_ident("Some"))
                    }
                    Expr::Reference(of) => of.mutability.is_none(),
                    Expr::Continue(of) => of.label.is_none(),
                    Expr::Break(of) => of.label.is_none() && of.expr.is_none(),
                    Expr::Array(_)
                    | Expr::Assign(_)
                    | Expr::Binary(_)
                    | Expr::Block(_)
                    | Expr::Cast(_)
                    | Expr::Field(_)
                    | Expr::ForLoop(_)
                    | Expr::Group(_)
                    | Expr::If(_)
                    | Expr::Index(_)
                    | Expr::Let(_)
                    | Expr::Lit(_)
                    | Expr::Match(_)
                    | Expr::Paren(_)
                    | Expr::Path(_)
                    | Expr::Range(_)
                    | Expr::Repeat(_)
                    | Expr::Tuple(_)
                    | Expr::Unary(_)
                    | Expr::While(_) => true,
                    _ => false,
                };
                visit::visit_expr(self, e);
            }
            // Whoever iterates over slices runs nothing of theirs.
            visit::Node::ExprForLoop(of) if iteration::chain(&of.expr).is_ok() => {
                self.visit_block(&of.body);
            }
            _ => node.parts(self),
        }
    }
}

fn is_self(e: &Expr) -> bool {
    matches!(without_parens(e), Expr::Path(path) if path.path.is_ident("self"))
}

fn is_assignment_to_self(e: &Expr) -> bool {
    assigned_root(e).is_some_and(|root| root == "self")
}

/// The name at the root of what an expression assigns to, or hands out to be changed.
fn assigned_root(e: &Expr) -> Option<&syn::Ident> {
    let left = match e {
        Expr::Assign(e) => &e.left,
        Expr::Binary(of) if is_assignment(e) => &of.left,
        Expr::Reference(e) if e.mutability.is_some() => &e.expr,
        _ => return None,
    };
    root_of(left)
}

/// The names that a function binds, or has items of.
#[derive(Default)]
struct Bound(SortedSet<String>);

impl<'a> Visit<'a> for Bound {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::PatIdent(pat) => {
                // What `None => ..` compares with is no name of its own.
                if pat.ident != "None" {
                    self.0.insert(pat.ident.to_string());
                }
                visit::visit_pat_ident(self, pat);
            }
            visit::Node::Item(item) => {
                self.0.extend(crate::syntax::names::declared(item));
                visit::visit_item(self, item);
            }
            // It may bind the names that it is given.
            visit::Node::StmtMacro(of) if !is_known_macro(&of.mac) => {
                let mut words = Vec::new();
                identifiers(of.mac.tokens.clone(), &mut words);
                self.0.extend(words.iter().map(ToString::to_string));
            }
            _ => node.parts(self),
        }
    }
}

/// Whether a block within a function's own has items that may bring a trait into its scope.
fn brings_in_names(function: &ItemFn) -> bool {
    struct Items(bool);
    impl<'a> Visit<'a> for Items {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Item(item) => {
                    self.0 |= matches!(item, Item::Use(_) | Item::Trait(_) | Item::Macro(_));
                }
                _ => node.parts(self),
            }
        }
    }
    let mut items = Items(false);
    let own = function.block.stmts.iter();
    own.filter(|stmt| !matches!(stmt, Stmt::Item(_)))
        .for_each(|stmt| items.visit_stmt(stmt));
    items.0
}

/// Writes calls out.
struct Writer<'a> {
    methods: &'a Methods,
    /// The names that mean something else where they are called: those of the function, and of what is being written out.
    bound: SortedSet<String>,
    /// Those of values of the block's type.
    values: Sorted<String, Held>,
    /// Whether methods that change what they are called on are among them.
    all: bool,
    /// What is being written out.
    open: Vec<String>,
    /// What has been.
    written: SortedSet<Written>,
    /// Whether there is a loop around.
    inside: bool,
    /// Those of the values of which one updates something.
    updated: SortedSet<String>,
}

/// The values that a loop's body updates, as far as it is seen.
struct Updates<'a> {
    methods: &'a Methods,
    all: bool,
    found: SortedSet<String>,
}

impl<'a> Visit<'a> for Updates<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                self.found.extend(assigned_root(e).map(ToString::to_string));
                if let Expr::MethodCall(call) = e
                    && self.all
                    && let Some(name) = name_of(&call.receiver)
                    && let Some(method) = self.methods.by_name.get(&call.method.to_string())
                    && method.changes
                {
                    self.found.insert(name.to_string());
                }
                visit::visit_expr(self, e);
            }
            _ => node.parts(self),
        }
    }
}

impl VisitMut for Writer<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::ExprForLoop(of) => {
                let mut updates = Updates {
                    methods: self.methods,
                    all: self.all,
                    found: self.updated.clone(),
                };
                updates.visit_block(&of.body);
                let inside = std::mem::replace(&mut self.inside, true);
                let updated = std::mem::replace(&mut self.updated, updates.found);
                self.visit_block_mut(&mut of.body);
                (self.inside, self.updated) = (inside, updated);
            }
            visit_mut::Node::Item(_) => {}
            visit_mut::Node::Expr(e) => {
                visit_mut::visit_expr_mut(self, e);
                if let Expr::Macro(of) = e
                    && of.mac.path.is_ident("matches")
                {
                    self.matched(&mut of.mac);
                }
                let Expr::MethodCall(call) = e else { return };
                let name = call.method.to_string();
                let Some(method) = self.methods.by_name.get(&name) else {
                    return;
                };
                let Some(receiver) = name_of(&call.receiver) else {
                    return;
                };
                let of = receiver.to_string();
                let updates = self.updated.contains(&of);
                let Some(held) = self.values.get(&of).cloned() else {
                    return;
                };
                let fits = (updates || self.inside && method.known)
                    && (self.all || method.plain)
                    && call.turbofish.is_none()
                    && call.args.len() == method.params.len()
                    && !self.open.contains(&name)
                    && !method.own.contains(&of);
                if !fits || method.free.iter().any(|word| self.bound.contains(word)) {
                    return;
                }
                let (pats, types): (Vec<&Pat>, Vec<&Type>) =
                    method.params.iter().map(|(p, t)| (p, t)).unzip();
                let mut body = method.body.clone();
                if of != "self" {
                    Receiver(receiver).visit_block_mut(&mut body);
                }
                let (args, result) = (call.args.iter(), &method.result);
                let mut written: Expr = parse_quote!({
                    let (#(#pats,)*): (#(#types,)*) = (#(#args,)*);
                    let result: #result = #body;
                    result
                });
                if is_unit(result)
                    && let Expr::Block(block) = &mut written
                {
                    block.block.stmts.truncate(1);
                    // A statement: rustc takes the braces of a value for ones that the user could leave away.
                    let body = Stmt::Expr(parse_quote!(#body), Some(Default::default()));
                    block.block.stmts.push(body);
                }
                self.written.insert(Written {
                    name: call.method.clone(),
                    on: held,
                    changes: method.changes,
                    arguments: method.params.len(),
                });
                self.open.push(name);
                // It may call others in turn, on what its own names stand for.
                let mut own = Sorted::new();
                if self.all {
                    own.extend(method.values.clone());
                }
                own.insert(of, Held::by(method.changes));
                let values = std::mem::replace(&mut self.values, own);
                let bound = self.bound.clone();
                self.bound.extend(method.own.iter().cloned());
                if let Expr::Block(block) = &mut written {
                    match block.block.stmts.get_mut(1) {
                        Some(Stmt::Local(local)) => {
                            if let Some(init) = &mut local.init {
                                self.visit_expr_mut(&mut init.expr);
                            }
                        }
                        Some(other) => self.visit_stmt_mut(other),
                        None => {}
                    }
                }
                self.open.pop();
                (self.values, self.bound) = (values, bound);
                *e = written;
            }
            _ => node.parts(self),
        }
    }
}

/// Puts what a method is called on in the place of `self`.
struct Receiver<'a>(&'a syn::Ident);

impl VisitMut for Receiver<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) if is_self(e) => {
                let name = self.0;
                *e = parse_quote!(#name);
            }
            _ => node.parts(self),
        }
    }
}

fn same(a: &Block, b: &Block) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}

fn is_unit(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(of) if of.elems.is_empty())
}

/// The name that an expression is.
fn name_of(e: &Expr) -> Option<&syn::Ident> {
    match without_parens(e) {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

impl Writer<'_> {
    /// What `matches!(self.f(x), ..)` compares.
    fn matched(&mut self, mac: &mut syn::Macro) {
        let parts = |input: syn::parse::ParseStream<'_>| {
            let (e, comma): (Expr, syn::Token![,]) = (input.parse()?, input.parse()?);
            Ok((e, comma, input.parse::<TokenStream>()?))
        };
        if let Ok((mut e, comma, rest)) = mac.parse_body_with(parts) {
            self.visit_expr_mut(&mut e);
            mac.tokens = quote::quote!(#e #comma #rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written out in the method `f` of a block.
    fn written(block: &str) -> Vec<String> {
        let block: ItemImpl = syn::parse_str(block).expect("a block");
        let methods = Methods::of(&block, &SortedSet::new());
        let functions = block.items.iter().filter_map(|item| match item {
            ImplItem::Fn(of) => syn::parse2::<ItemFn>(of.to_token_stream()).ok(),
            _ => None,
        });
        let mut named = functions.filter(|function| function.sig.ident == "f");
        let mut names = SortedSet::new();
        methods.write_all_out(&mut named.next().expect("an `f`"), &mut names);
        names.into_iter().collect()
    }

    /// What is written out of a setter with this body, in a loop that calls it.
    fn of_setter(body: &str) -> Vec<String> {
        written(&format!(
            "impl A {{
                fn set(&mut self, i: usize, v: u32) {{ {body} }}
                fn f(&mut self, x: &[u32]) {{ for (i, &v) in x.iter().enumerate() {{ self.set(i, v); self.m[i] = 1; }} }}
            }}"
        ))
    }

    #[test]
    fn macros_that_may_return_stay_in_their_methods() {
        for body in [
            "self.n[i] = v;",
            "assert!(v < 9 && matches!(v, 0..=8), \"{v}\"); self.n[i] = v;",
            "debug_assert_ne!(v, 3); if !(v < 9) { panic!() } self.n[i] = v;",
        ] {
            assert_eq!(of_setter(body), ["set"], "{body}");
        }
        for body in [
            "let v = or_return!(v.checked_sub(50)); self.n[i] = v;",
            "return_if!(v > 90); self.n[i] = v;",
            "crate::assert!(v > 90); self.n[i] = v;",
            "assert!(or_return!(v.checked_sub(50)) < 9); self.n[i] = v;",
            "assert!(match v { 0 => return, v => v < 9 }); self.n[i] = v;",
        ] {
            assert!(of_setter(body).is_empty(), "{body}");
        }
    }

    #[test]
    fn names_mean_the_same_in_what_is_written_out() {
        let nested = |outer: &str| {
            written(&format!(
                "impl A {{
                    fn inner(&self, v: u32) -> u32 {{ scale(v) }}
                    {outer}
                    fn f(&mut self, x: &[u32]) {{ for (i, &v) in x.iter().enumerate() {{ self.n[i] = self.outer(v, more); }} }}
                }}"
            ))
        };
        assert_eq!(
            nested("fn outer(&self, v: u32, by: fn(u32) -> u32) -> u32 { by(v) ^ self.inner(v) }"),
            ["inner", "outer"]
        );
        for outer in [
            "fn outer(&self, v: u32, scale: fn(u32) -> u32) -> u32 { scale(v) ^ self.inner(v) }",
            "fn outer(&self, v: u32, by: fn(u32) -> u32) -> u32 { let scale = |x: u32| x * 100; scale(v) ^ self.inner(v) }",
        ] {
            assert_eq!(nested(outer), ["outer"], "{outer}");
        }
        let called = |signature: &str, first: &str| {
            written(&format!(
                "impl A {{
                    fn low(&self, v: Small) -> u32 {{ v as u32 % LIMIT }}
                    fn {signature} {{ {first} for (i, &v) in x.iter().enumerate() {{ self.n[i] = self.low(v as _); }} }}
                }}"
            ))
        };
        assert_eq!(called("f(&mut self, x: &[u32])", ""), ["low"]);
        for (signature, first) in [
            ("f<const LIMIT: u32>(&mut self, x: &[u32])", ""),
            ("f<Small>(&mut self, x: &[u32])", ""),
            ("f(&mut self, x: &[u32])", "type Small = u32;"),
            ("f(&mut self, x: &[u32])", "constant!(LIMIT);"),
        ] {
            assert!(called(signature, first).is_empty(), "{signature} {first}");
        }
    }
}
