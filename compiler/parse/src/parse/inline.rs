//! Methods of an `impl` block under the attribute that its loops call on `self`.
//!
//! ```text
//! fn bin_of(&self, v: f32) -> usize { ((v - self.low) * self.scale) as usize }
//! fn fill(&mut self, values: &[f32]) { for &v in values { self.bins[self.bin_of(v)] += 1; } }
//! ```
//!
//! What a method reads of `self` cannot be seen where it is called, and `bins` must not be among it. In the block it can: the call is written out, with the
//! arguments under the names of the parameters. That is done where it means the same whatever stands around it: a method by `&self` that uses
//! `self` for its fields alone, returns at its end, and whose other names mean nothing else where it is called. A method of a trait may not be the one
//! that is called.
//!
//! Where a loop only reads `self`, nothing has to be trusted but the fields that a method reads, not all of the type. There the methods are written out that
//! do what loops are known to do; what others do is asked of the type.

use crate::sorted::{Sorted, SortedSet};

use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use quote::ToTokens;
use syn::{
    Block, Expr, FnArg, ImplItem, ItemFn, ItemImpl, Pat, ReceiverKind, ReturnType, Type,
    parse_quote,
};

use super::names::{Called, free_names_of_body, identifiers, root_of};
use super::sites::is_assignment;
use crate::syntax::without_parens;

/// The methods of a block that may be written out, by their names.
pub(super) struct Methods(Sorted<String, Method>);

struct Method {
    params: Vec<(Pat, Type)>,
    result: Type,
    body: Block,
    /// The names in it that mean what they mean around the block.
    free: SortedSet<String>,
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
        Methods(methods)
    }

    /// Writes their calls out in the loops of a method. Adds the names of those that are.
    pub(super) fn write_out(&self, function: &mut ItemFn, written: &mut SortedSet<String>) {
        let mut bound = Bound::default();
        bound.visit_item_fn(function);
        let mut writer = Writer {
            methods: self,
            bound: &bound.0,
            open: Vec::new(),
            written,
            inside: false,
            updates: false,
        };
        writer.visit_block_mut(&mut function.block);
    }
}

impl Method {
    fn of(method: &syn::ImplItemFn) -> Option<Method> {
        let sig = &method.sig;
        let plain = sig.constness.is_none()
            && sig.asyncness.is_none()
            && matches!(sig.safety, syn::Safety::Default)
            && sig.generics.params.is_empty()
            && method
                .attrs
                .iter()
                .all(|a| a.path().is_ident("doc") || a.path().is_ident("inline"));
        let by_reference = sig
            .receiver()
            .is_some_and(|of| matches!(of.kind, ReceiverKind::Reference(_, None, None)));
        let ReturnType::Type(_, result) = &sig.output else {
            return None;
        };
        let mut uses = Uses::default();
        uses.visit_block(&method.block);
        if !plain || !by_reference || uses.unclear || has_reference(result) {
            return None;
        }
        let params = sig.inputs.iter().skip(1).map(|input| match input {
            FnArg::Typed(typed) if !matches!(*typed.ty, Type::ImplTrait(_)) => {
                Some(((*typed.pat).clone(), (*typed.ty).clone()))
            }
            _ => None,
        });
        let params: Vec<(Pat, Type)> = params.collect::<Option<_>>()?;
        let free = free(&params, &method.block);
        let mut known = Known(true);
        known.visit_block(&method.block);
        Some(Method {
            params,
            result: (**result).clone(),
            body: method.block.clone(),
            free,
            known: known.0,
        })
    }
}

/// The names of a body that neither it nor its parameters bind where they stand.
fn free(params: &[(Pat, Type)], body: &Block) -> SortedSet<String> {
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

/// What a method's body does that cannot be written out.
#[derive(Default)]
struct Uses {
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
                        self.unclear |= is_self(e) || is_assignment_to_self(e);
                        visit::visit_expr(self, e);
                    }
                }
            }
            visit::Node::Macro(mac) => {
                let mut words = Vec::new();
                identifiers(mac.tokens.clone(), &mut words);
                self.unclear |= words.iter().any(|word| word == "self");
            }
            visit::Node::Item(_) => {
                self.unclear = true;
            }
            _ => node.parts(self),
        }
    }
}

/// Whether a body computes, in ways that loops are known by.
struct Known(bool);

impl<'a> Visit<'a> for Known {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                self.0 &= match e {
                    Expr::MethodCall(of) => {
                        let name = of.method.to_string();
                        is_self(&of.receiver)
                            || name == "len"
                            || crate::ir::Method::named(&name).is_some()
                    }
                    Expr::Macro(of) => of.mac.path.is_ident("matches"),
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
            _ => node.parts(self),
        }
    }
}

fn is_self(e: &Expr) -> bool {
    matches!(without_parens(e), Expr::Path(path) if path.path.is_ident("self"))
}

fn is_assignment_to_self(e: &Expr) -> bool {
    let left = match e {
        Expr::Assign(e) => &e.left,
        Expr::Binary(e) if is_assignment(&Expr::Binary(e.clone())) => &e.left,
        Expr::Reference(e) if e.mutability.is_some() => &e.expr,
        _ => return false,
    };
    root_of(left).is_some_and(|root| root == "self")
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
            _ => node.parts(self),
        }
    }
}

/// Writes calls out.
struct Writer<'a> {
    methods: &'a Methods,
    /// The names that mean something else where they are called.
    bound: &'a SortedSet<String>,
    /// What is being written out.
    open: Vec<String>,
    /// What has been.
    written: &'a mut SortedSet<String>,
    /// Whether there is a loop around.
    inside: bool,
    /// Whether one updates something of `self`.
    updates: bool,
}

impl VisitMut for Writer<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::ExprForLoop(of) => {
                struct Updates(bool);
                impl<'a> Visit<'a> for Updates {
                    fn visit(&mut self, node: visit::Node<'a>) {
                        match node {
                            visit::Node::Expr(e) => {
                                self.0 |= is_assignment_to_self(e);
                                visit::visit_expr(self, e);
                            }
                            _ => node.parts(self),
                        }
                    }
                }
                let mut updates = Updates(self.updates);
                updates.visit_block(&of.body);
                let outside = (self.inside, self.updates);
                (self.inside, self.updates) = (true, updates.0);
                self.visit_block_mut(&mut of.body);
                (self.inside, self.updates) = outside;
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
                let Some(method) = self.methods.0.get(&name) else {
                    return;
                };
                let fits = (self.updates || self.inside && method.known)
                    && is_self(&call.receiver)
                    && call.turbofish.is_none()
                    && call.args.len() == method.params.len()
                    && !self.open.contains(&name);
                if !fits || method.free.iter().any(|word| self.bound.contains(word)) {
                    return;
                }
                let (pats, types): (Vec<&Pat>, Vec<&Type>) =
                    method.params.iter().map(|(p, t)| (p, t)).unzip();
                let (args, body, result) = (call.args.iter(), &method.body, &method.result);
                let mut written: Expr = parse_quote!({
                    let (#(#pats,)*): (#(#types,)*) = (#(#args,)*);
                    let result: #result = #body;
                    result
                });
                self.written.insert(name.clone());
                self.open.push(name);
                if let Expr::Block(block) = &mut written
                    && let Some(syn::Stmt::Local(local)) = block.block.stmts.get_mut(1)
                    && let Some(init) = &mut local.init
                {
                    self.visit_expr_mut(&mut init.expr);
                }
                self.open.pop();
                *e = written;
            }
            _ => node.parts(self),
        }
    }
}

impl Writer<'_> {
    /// What `matches!(self.f(x), ..)` compares.
    fn matched(&mut self, mac: &mut syn::Macro) {
        let parts = |input: syn::parse::ParseStream<'_>| {
            let (e, comma): (Expr, syn::Token![,]) = (input.parse()?, input.parse()?);
            Ok((e, comma, input.parse::<proc_macro2::TokenStream>()?))
        };
        if let Ok((mut e, comma, rest)) = mac.parse_body_with(parts) {
            self.visit_expr_mut(&mut e);
            mac.tokens = quote::quote!(#e #comma #rest);
        }
    }
}
