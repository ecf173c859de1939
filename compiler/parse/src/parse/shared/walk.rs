//! The walk over a copy of a loop that finds what is handed on, and puts the questions where the names are bound.

use std::borrow::Cow;

use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Block, Expr, ExprForLoop, ExprMethodCall, FnArg, Ident, Item, ItemFn, Macro, Pat, Stmt, Token,
    parse_quote,
};

use super::Class;
use super::ask::{Asks, Memory, To, ask_function, ask_macro};
use crate::diag::{Code, Diagnostic, Errors};
use crate::ir::Scalar;
use crate::mentions;
use crate::methods::{Method, Receivers};
use crate::parse::known::{self, PRINTING_MACROS};
use crate::parse::lower::Assigned;
use crate::parse::outer::OuterScope;
use crate::syntax::Shape;
use crate::syntax::names::{self, Called, Key};
use crate::syntax::without_parens;

/// A name that the loop binds.
struct Bound {
    name: String,
    class: Class,
    /// Whether it is surely no reference.
    value: bool,
    /// The captured place that it is another name of.
    from: Option<Expr>,
    /// The constant or `static` that it is.
    item: Option<Item>,
    /// The statement of its block that binds it.
    at: usize,
    /// What is asked about it.
    asks: Vec<TokenStream>,
}

/// The state of the walk.
pub(super) struct Walk<'a> {
    /// The names outside: around the loop, or around the closure from before it that is looked at.
    outer: Cow<'a, OuterScope>,
    /// Those around the loop.
    around: &'a OuterScope,
    assigned: Vec<Assigned>,
    /// The collections that the loop appends to, of which the runtime takes those of the standard library alone.
    grown: Vec<Key>,
    /// The maps that the loop groups by keys, of which the same holds, and the names for their entries.
    pub(super) keyed: Vec<Key>,
    pure: &'a [Ident],
    scopes: Vec<Vec<Bound>>,
    /// A closure from before the loop is looked at: what it binds is not asked about.
    before: bool,
    /// What the loop goes through is looked at, which is evaluated once, before its iterations: no two of them share what happens
    /// there.
    once: bool,
    /// The names of `pure` that were called.
    pub(super) called: Vec<String>,
    /// The items of the blocks around, which may hide a name.
    items: Vec<Vec<Item>>,
    /// Questions about captured places.
    pub(super) captured: Vec<TokenStream>,
    /// Other questions about what is outside, and about what names stand for.
    pub(super) hoisted: Vec<TokenStream>,
    /// Questions about the names of the loop's own pattern.
    pub(super) outermost: TokenStream,
    /// Whether there are questions inside the body.
    pub(super) copied: bool,
    pub(super) asks: Asks<'a>,
    pub(super) errors: Errors,
}

/// A place that is handed on.
struct Handed<'e> {
    /// The path at its root.
    root: &'e syn::Path,
    /// Its root and fields.
    key: Option<Key>,
    /// Whether it is an element of that.
    indexed: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        outer: &'a OuterScope,
        assigned: Vec<Assigned>,
        grown: Vec<Key>,
        pure: &'a [Ident],
    ) -> Walk<'a> {
        Walk {
            outer: Cow::Borrowed(outer),
            around: outer,
            assigned,
            grown,
            keyed: Vec::new(),
            pure,
            scopes: Vec::new(),
            before: false,
            once: false,
            called: Vec::new(),
            items: Vec::new(),
            captured: Vec::new(),
            hoisted: Vec::new(),
            outermost: TokenStream::new(),
            copied: false,
            asks: Asks::default(),
            errors: Errors::new(),
        }
    }

    /// The loop itself.
    pub(super) fn outermost(&mut self, syntax: &mut ExprForLoop) {
        self.once = true;
        let class = self.iterated(&mut syntax.expr);
        self.once = false;
        self.bind(&syntax.pat, class);
        self.block(&mut syntax.body, None);
        let asks = self.leave();
        self.outermost = quote!(#(#asks)*);
    }

    /// A device function: what it means by names. It shares nothing with anybody.
    pub(super) fn function(&mut self, function: &mut ItemFn) {
        self.once = true;
        self.scopes.push(Vec::new());
        for input in &function.sig.inputs {
            if let FnArg::Typed(param) = input {
                self.declare(&Pat::Type(param.clone()), Class::Made, 0);
            }
        }
        self.block(&mut function.block, None);
        self.leave();
    }

    // Scopes.

    /// Enters a scope with the names of a pattern.
    fn bind(&mut self, pat: &Pat, class: Class) {
        self.scopes.push(Vec::new());
        self.declare(pat, class, 0);
    }

    /// Declares the names of a pattern in the innermost scope.
    fn declare(&mut self, pat: &Pat, class: Class, at: usize) {
        let mut names: Vec<String> = Vec::new();
        // `let F = ..` binds `F`, though it is written like a constant.
        for name in names::bound_names(pat).into_iter().chain(names::whole(pat)) {
            let name = name.to_string();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let values = dereferenced(pat);
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(names.into_iter().map(|name| Bound {
                value: values.contains(&name),
                name,
                class,
                from: None,
                item: None,
                at,
                asks: Vec::new(),
            }));
        }
    }

    /// Declares the constants of a block, which all of it may name.
    fn declare_constants(&mut self, block: &Block) {
        let named = block.stmts.iter().enumerate().filter_map(|(at, stmt)| {
            let Stmt::Item(item) = stmt else { return None };
            let name = match item {
                Item::Const(of) => &of.ident,
                Item::Static(of) => &of.ident,
                _ => return None,
            };
            Some(Bound {
                name: name.to_string(),
                class: Class::Item,
                value: false,
                from: None,
                item: Some(item.clone()),
                at,
                asks: Vec::new(),
            })
        });
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(named);
        }
    }

    /// What is asked about a constant of a closure from before the loop, where it has a name.
    fn among_constants(&self, ask: TokenStream) -> TokenStream {
        let bound = self.scopes.iter().flatten().rev();
        let items = bound.filter_map(|bound| bound.item.as_ref());
        items.fold(ask, |ask, item| quote!({ #item #ask }))
    }

    /// Leaves a scope: the questions about its names.
    fn leave(&mut self) -> Vec<TokenStream> {
        let scope = self.scopes.pop().unwrap_or_default();
        scope.into_iter().flat_map(|bound| bound.asks).collect()
    }

    fn local(&mut self, name: &str) -> Option<&mut Bound> {
        let scopes = self.scopes.iter_mut().rev();
        let mut bound = scopes.flat_map(|scope| scope.iter_mut().rev());
        bound.find(|bound| bound.name == name)
    }

    fn is_local(&self, name: &Ident) -> bool {
        let mut bound = self.scopes.iter().flatten();
        bound.any(|bound| *name == bound.name)
    }

    fn is_pure(&mut self, name: &str) -> bool {
        let pure = self.pure.iter().any(|p| p == name);
        if pure {
            self.called.push(name.to_owned());
        }
        pure
    }

    // Statements.

    fn block(&mut self, block: &mut Block, to: Option<&To>) {
        self.items.push(mentions::items(block));
        self.block_of_items(block, to);
        self.items.pop();
    }

    fn block_of_items(&mut self, block: &mut Block, to: Option<&To>) {
        self.scopes.push(Vec::new());
        self.declare_constants(block);
        let last = block.stmts.len().saturating_sub(1);
        for (n, stmt) in block.stmts.iter_mut().enumerate() {
            match stmt {
                Stmt::Local(local) => {
                    let mut class = Class::Made;
                    let (mut value, mut from) = (false, None);
                    if let Some(init) = &mut local.init {
                        value = is_value(&init.expr);
                        from = self.another_name(&local.pat, &init.expr);
                        class = self.initial(&local.pat, &mut init.expr);
                        if let Some((_, otherwise)) = &mut init.diverge {
                            self.expr(otherwise, None);
                        }
                    }
                    self.declare(&local.pat, class, n);
                    if let Some(bound) = self.scopes.last_mut().and_then(|s| s.last_mut()) {
                        bound.value |= value;
                        bound.from = from;
                    }
                }
                Stmt::Expr(e, None) if n == last => self.expr(e, to),
                Stmt::Expr(e, _) => self.expr(e, None),
                Stmt::Macro(mac) => self.macro_call(&mut mac.mac),
                Stmt::Item(_) => {}
            }
        }
        let bound = self.scopes.pop().unwrap_or_default();
        let mut asks: Vec<(usize, TokenStream)> = Vec::new();
        for bound in bound {
            asks.extend(bound.asks.into_iter().map(|ask| (bound.at, ask)));
        }
        if asks.is_empty() || self.before {
            return;
        }
        self.copied = true;
        let stmts = std::mem::take(&mut block.stmts).into_iter().enumerate();
        for (n, stmt) in stmts {
            block.stmts.push(stmt);
            for (_, ask) in asks.iter().filter(|(at, _)| *at == n) {
                block
                    .stmts
                    .push(Stmt::Expr(Expr::Verbatim(ask.clone()), None));
            }
        }
    }

    /// The captured place that a `let` names again, or parts of memory in it.
    fn another_name(&mut self, pat: &Pat, init: &Expr) -> Option<Expr> {
        let Pat::Ident(_) = pat else { return None };
        let Handed { root, indexed, .. } = handed(init)?;
        let root = root.get_ident()?.to_string();
        let (base, parts) = (without_ranges(init), has_ranges(init));
        if let Some(bound) = self.local(&root) {
            let from = bound.from.clone();
            return from.filter(|_| matches!(base, Expr::Path(_)) && !indexed);
        }
        let outer = self.outer.get(&root)?;
        let memory = matches!(
            outer.shape,
            Shape::Slice(_) | Shape::Array(..) | Shape::Vec(_)
        );
        let same = !parts || (memory && matches!(base, Expr::Path(_)));
        (same && !indexed).then_some(base)
    }

    /// The value of a `let`, and where its names come from.
    fn initial(&mut self, pat: &Pat, init: &mut Expr) -> Class {
        if let Some(class) = self.place_class(init) {
            self.indices(init);
            return class;
        }
        let to = To {
            name: names::bound_names(pat)
                .first()
                .map_or_else(|| "let".to_owned(), |name| name.to_string()),
            span: pat.span(),
            receiver: false,
            memory: None,
        };
        match without_parens(init) {
            Expr::MethodCall(call)
                if call.method == "unwrap"
                    || call.method == "expect"
                    || !matches!(pat, Pat::Ident(_) | Pat::Type(_)) =>
            {
                self.taken(init)
            }
            Expr::Tuple(_)
            | Expr::Array(_)
            | Expr::Struct(_)
            | Expr::Reference(_)
            | Expr::If(_)
            | Expr::Match(_)
            | Expr::Block(_) => {
                self.expr(init, Some(&to));
                Class::Made
            }
            Expr::Call(call) if is_constructor(&call.func) => {
                self.expr(init, Some(&to));
                Class::Made
            }
            _ => {
                self.expr(init, None);
                Class::Made
            }
        }
    }

    /// Where a place comes from.
    fn place_class(&mut self, e: &Expr) -> Option<Class> {
        let handed = handed(e)?;
        let ident = handed.root.get_ident();
        if let Some(bound) = ident.and_then(|i| self.local(&i.to_string())) {
            return Some(bound.class);
        }
        Some(match handed.indexed {
            true => Class::Item,
            false => Class::Whole,
        })
    }

    /// What a pattern takes apart, and where its names come from.
    fn taken(&mut self, e: &mut Expr) -> Class {
        if handed(e).is_some() {
            self.indices(e);
            return Class::Item;
        }
        if self.looked_through(e, true) {
            return Class::Item;
        }
        let class = match without_parens(e) {
            Expr::Tuple(_) => Class::Item,
            _ => Class::Made,
        };
        match e {
            Expr::Tuple(tuple) => tuple.elems.iter_mut().for_each(|part| {
                self.taken(part);
            }),
            _ => self.expr(e, None),
        }
        class
    }

    /// What a `for` goes through, and where its names come from.
    fn iterated(&mut self, e: &mut Expr) -> Class {
        // What the loop itself goes through is memory, which its source asks for.
        if !self.scopes.is_empty()
            && let Some(Handed { root, .. }) = handed(e)
            && !root.get_ident().is_some_and(|i| self.is_local(i))
            && !self.is_pure("into_iter")
        {
            let to = To {
                name: "into_iter".to_owned(),
                span: e.span(),
                receiver: true,
                memory: None,
            };
            self.indices(e);
            self.hand(e, &to, Some(Class::Held));
            return Class::Item;
        }
        if let Expr::Range(_) = without_parens(e) {
            self.expr(e, None);
            return Class::Made;
        }
        match self.looked_through(e, true) {
            true => Class::Item,
            false => {
                self.expr(e, None);
                Class::Item
            }
        }
    }

    // What is only looked through.

    /// Asks about the memory at the root of a chain that lends out its elements; `false` where it is none.
    fn looked_through(&mut self, e: &mut Expr, direct: bool) -> bool {
        match e {
            Expr::Paren(e) => self.looked_through(&mut e.expr, direct),
            Expr::Group(e) => self.looked_through(&mut e.expr, direct),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let lends = LENDING.contains(&name.as_str());
                if !(lends || GOING_ON.contains(&name.as_str())) || self.is_pure(&name) {
                    return false;
                }
                let to = to_method(call);
                let found = match handed(&call.receiver).is_some() {
                    true if lends => {
                        self.hand(&mut call.receiver, &to, Some(Class::Held));
                        true
                    }
                    true => false,
                    false => self.looked_through(&mut call.receiver, false),
                };
                if found {
                    for arg in &mut call.args {
                        if !(name == "zip" && self.looked_through(arg, true)) {
                            self.expr(arg, Some(&to));
                        }
                    }
                }
                found
            }
            _ if direct && handed(e).is_some() => {
                self.indices(e);
                true
            }
            _ => false,
        }
    }

    // Expressions.

    fn expr(&mut self, e: &mut Expr, to: Option<&To>) {
        if let Some(to) = to
            && handed(e).is_some()
        {
            self.indices(e);
            return self.hand(e, to, None);
        }
        let mut made = None;
        match e {
            Expr::Paren(e) => self.expr(&mut e.expr, to),
            Expr::Group(e) => self.expr(&mut e.expr, to),
            Expr::Reference(e) => self.expr(&mut e.expr, to),
            Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => self.expr(&mut e.expr, to),
            Expr::Field(e) => self.expr(&mut e.base, to),
            Expr::Try(e) => self.expr(&mut e.expr, to),
            Expr::Index(e) => {
                self.expr(&mut e.expr, to);
                self.expr(&mut e.index, None);
            }
            Expr::Tuple(e) => e.elems.iter_mut().for_each(|part| self.expr(part, to)),
            Expr::Array(e) => e.elems.iter_mut().for_each(|part| self.expr(part, to)),
            Expr::Struct(e) => {
                e.fields.iter_mut().for_each(|f| self.expr(&mut f.expr, to));
                if let Some(rest) = &mut e.rest {
                    self.expr(rest, to);
                }
            }
            Expr::Block(e) => self.block(&mut e.block, to),
            Expr::Unsafe(e) => self.block(&mut e.block, to),
            Expr::MethodCall(call) => {
                let question = self.number_method(call).or_else(|| self.moved(call));
                self.method_call(call);
                if let Some(question) = question {
                    self.copied = true;
                    // In parentheses, since the end of a range that a loop is over is no block: `for j in 0..{ .. } {}`.
                    *e = parse_quote!(({ #question #e }));
                }
            }
            Expr::Call(call) => {
                self.call(call, to);
                if to.is_some_and(|to| to.receiver) && !is_constructor(&call.func) {
                    made = to;
                }
            }
            Expr::Macro(e) => self.macro_call(&mut e.mac),
            Expr::Closure(closure) => self.closure(closure, to),
            Expr::If(e) => {
                self.scopes.push(Vec::new());
                self.condition(&mut e.cond);
                self.block(&mut e.then_branch, to);
                let asks = self.leave();
                self.begin(&mut e.then_branch, asks);
                if let Some((_, otherwise)) = &mut e.else_branch {
                    self.expr(otherwise, to);
                }
            }
            Expr::While(e) => {
                self.scopes.push(Vec::new());
                self.condition(&mut e.cond);
                self.block(&mut e.body, None);
                let asks = self.leave();
                self.begin(&mut e.body, asks);
            }
            Expr::ForLoop(e) => {
                let class = self.iterated(&mut e.expr);
                self.bind(&e.pat, class);
                self.block(&mut e.body, None);
                let asks = self.leave();
                self.begin(&mut e.body, asks);
            }
            Expr::Match(e) => {
                let class = self.taken(&mut e.expr);
                for arm in &mut e.arms {
                    self.bind(&arm.pat, class);
                    if let Pat::Guard(guarded) = &mut arm.pat {
                        self.condition(&mut guarded.guard);
                    }
                    self.expr(&mut arm.body, to);
                    let asks = self.leave();
                    if !asks.is_empty() && !self.before {
                        self.copied = true;
                        let body = &arm.body;
                        // What begins with a block is no statement of its own.
                        arm.body = parse_quote!({ #(#asks)* (#body) });
                    }
                }
            }
            Expr::Let(_) => self.condition(e),
            Expr::Assign(e) => {
                let own = names::root_of(&e.left).filter(|r| self.local(&r.to_string()).is_some());
                let to = own.map(|root| To {
                    name: root.to_string(),
                    span: root.span(),
                    receiver: false,
                    memory: None,
                });
                self.expr(&mut e.left, None);
                self.expr(&mut e.right, to.as_ref());
            }
            _ => visit_mut::visit_expr_mut(self, e),
        }
        if let Some(to) = made
            && !self.before
            && !self.once
        {
            self.copied = true;
            let ask = self.asks.ask(Class::Made, &parse_quote!(__accrue_made), to);
            *e = parse_quote!(match #e { __accrue_made => { #ask __accrue_made } });
        }
    }

    /// Puts questions at the beginning of a block.
    fn begin(&mut self, block: &mut Block, asks: Vec<TokenStream>) {
        if !asks.is_empty() && !self.before {
            self.copied = true;
            let asks = asks
                .into_iter()
                .map(|ask| Stmt::Expr(Expr::Verbatim(ask), None));
            block.stmts.splice(0..0, asks);
        }
    }

    /// A condition, whose `let`s bind names in the innermost scope.
    fn condition(&mut self, e: &mut Expr) {
        match e {
            Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => {
                self.condition(&mut b.left);
                self.condition(&mut b.right);
            }
            Expr::Paren(e) => self.condition(&mut e.expr),
            Expr::Let(e) => {
                let class = self.taken(&mut e.expr);
                self.declare(&e.pat, class, 0);
            }
            _ => self.expr(e, None),
        }
    }

    fn closure(&mut self, closure: &mut syn::ExprClosure, to: Option<&To>) {
        self.scopes.push(Vec::new());
        for input in &closure.inputs {
            self.declare(input, Class::Item, 0);
        }
        self.expr(&mut closure.body, to);
        let asks = self.leave();
        if self.before {
            return;
        }
        self.copied |= !asks.is_empty();
        // A closure's body is a function of its own: it, too, is not to be reached.
        let body = &closure.body;
        let block: Expr = parse_quote!({ loop {} #(#asks)* (#body) });
        *closure.body = block;
    }

    fn method_call(&mut self, call: &mut ExprMethodCall) {
        let name = call.method.to_string();
        let to = to_method(call);
        if self.is_pure(&name) || self.puts_in(call) || self.groups(call) {
            self.expr(&mut call.receiver, None);
            call.args.iter_mut().for_each(|arg| self.expr(arg, None));
            return;
        }
        // What comes of these is a value that holds no element.
        if TELLING.contains(&name.as_str()) {
            let held = match handed(&call.receiver).is_some() {
                true if DIRECTLY.contains(&name.as_str()) => {
                    // Memory lends its elements out; of anything else the method may be any.
                    let to = To {
                        memory: Some(Memory::Moved),
                        ..to.clone()
                    };
                    self.expr(&mut call.receiver, Some(&to));
                    true
                }
                true => false,
                false => self.looked_through(&mut call.receiver, false),
            };
            if held {
                call.args
                    .iter_mut()
                    .for_each(|arg| self.expr(arg, Some(&to)));
                return;
            }
        }
        let memory = match name.as_str() {
            "fill" => Some(Memory::Filled),
            _ if MOVING.contains(&name.as_str()) => Some(Memory::Moved),
            _ => None,
        };
        let memory = memory.filter(|_| handed(&call.receiver).is_some());
        self.expr(
            &mut call.receiver,
            Some(&To {
                memory,
                ..to.clone()
            }),
        );
        if self.moves_between(call) {
            // Asked about beside the receiver.
            return call.args.iter_mut().for_each(|arg| self.indices(arg));
        }
        let to = To {
            receiver: false,
            ..to
        };
        call.args
            .iter_mut()
            .for_each(|arg| self.expr(arg, Some(&to)));
    }

    /// Whether a method puts an item into a collection that the loop appends to, and does not look at it.
    fn puts_in(&self, call: &ExprMethodCall) -> bool {
        let puts = call.method == "push" || call.method == "push_back";
        puts && names::key_of(&call.receiver).is_some_and(|(key, indexed)| {
            let hidden = self.scopes.iter().flatten().any(|b| b.name == key.root);
            !indexed && !hidden && self.grown.contains(&key)
        })
    }

    /// Whether a method puts an item into a map that the loop groups by keys, or changes an entry there.
    fn groups(&self, call: &ExprMethodCall) -> bool {
        let mut of = without_parens(&call.receiver);
        loop {
            of = without_parens(match of {
                Expr::MethodCall(call) => &call.receiver,
                Expr::Index(e) => &e.expr,
                Expr::Unary(e) => &e.expr,
                Expr::Reference(e) => &e.expr,
                _ => break,
            });
        }
        names::key_of(of).is_some_and(|(key, _)| {
            let part = |of: &Key| of.overlaps(&key) && of.fields.len() <= key.fields.len();
            self.keyed.iter().any(part)
        })
    }

    /// Whether a method moves elements from one piece of memory to another.
    fn moves_between(&self, call: &ExprMethodCall) -> bool {
        let places = |arg: &Expr| handed(&call.receiver).is_some() && handed(arg).is_some();
        BETWEEN.contains(&call.method.to_string().as_str())
            && call.args.len() == 1
            && call.args.first().is_some_and(places)
            && !self.before
            && !self.once
    }

    /// Asks about memory between which a method moves elements.
    fn moved(&mut self, call: &ExprMethodCall) -> Option<TokenStream> {
        let arg = call.args.first().filter(|_| self.moves_between(call))?;
        let to = to_method(call);
        let pure = self.pure.iter().any(|p| *p == to.name);
        (!pure).then(|| self.asks.ask_beside(&call.receiver, arg, &to))
    }

    /// Asks whether a method of numbers is that of numbers, where it may be called on a reference.
    fn number_method(&mut self, call: &ExprMethodCall) -> Option<TokenStream> {
        let method = Method::named(&call.method.to_string())?;
        // Those of bytes take references themselves, and are found first.
        if method.spec().receivers == Receivers::Byte {
            return None;
        }
        let Expr::Path(path) = without_parens(&call.receiver) else {
            return None;
        };
        let name = path.path.get_ident()?.to_string();
        let value = match self.local(&name) {
            Some(bound) => bound.value,
            None => self.outer.get(&name)?.by_reference == Some(false),
        };
        (!value && !self.before).then(|| {
            self.asks
                .ask_method(&call.method, &call.receiver, call.args.len())
        })
    }

    /// Asks what a name stands for, among the items that it is read among.
    fn ask_name(&mut self, ask: TokenStream) {
        let around = self.items.iter().rev().filter(|items| !items.is_empty());
        let ask = around.fold(ask, |ask, items| quote!({ #(#items)* #ask }));
        push(&mut self.hoisted, ask);
    }

    /// Asks whether a name of the standard library's is that, and says whether it asked.
    fn standard(&mut self, path: &syn::ExprPath) -> bool {
        let names = names::of_path(&path.path);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let Some(span) = path.path.segments.last().map(|s| s.ident.span()) else {
            return false;
        };
        let function = match names.as_slice() {
            [.., "cmp", "min"] => quote!(::core::cmp::min::<::core::primitive::u8>),
            [.., "cmp", "max"] => quote!(::core::cmp::max::<::core::primitive::u8>),
            [.., "mem", "swap"] => quote!(::core::mem::swap::<::core::primitive::u8>),
            [.., "mem", "replace"] => quote!(::core::mem::replace::<::core::primitive::u8>),
            ["drop"] => quote!(::core::mem::drop::<::core::primitive::u8>),
            ["Some"] => quote!(::core::option::Option::<::core::primitive::u8>::Some),
            ["Ok"] => {
                quote!(::core::result::Result::<::core::primitive::u8, ::core::primitive::u8>::Ok)
            }
            ["Err"] => {
                quote!(::core::result::Result::<::core::primitive::u8, ::core::primitive::u8>::Err)
            }
            // Of conversions the argument's type is not known here.
            [.., ty, function] => match Scalar::from_name(ty) {
                Some(scalar)
                    if Method::find(function, scalar).is_some()
                        || Method::constructor(function)
                            .is_some_and(|m| m.part(scalar).is_some()) =>
                {
                    let (ty, function) = (
                        quote::format_ident!("{ty}"),
                        quote::format_ident!("{function}"),
                    );
                    quote!(<::core::primitive::#ty>::#function)
                }
                _ => return false,
            },
            _ => return false,
        };
        // Only what is read as the standard library's: a path through a crate of one's own is not.
        let read = match names.as_slice() {
            [first, _, _] => matches!(*first, "std" | "core"),
            [_, _] | [_] => true,
            _ => false,
        };
        if read {
            let ask = ask_function(path, function, span);
            self.ask_name(ask);
        }
        read
    }

    fn call(&mut self, call: &mut syn::ExprCall, to: Option<&To>) {
        let Expr::Path(path) = without_parens(&call.func) else {
            let to = To {
                name: "call".to_owned(),
                span: call.func.span(),
                receiver: true,
                memory: None,
            };
            self.expr(&mut call.func, Some(&to));
            call.args
                .iter_mut()
                .for_each(|arg| self.expr(arg, Some(&to)));
            return;
        };
        let Some(last) = path.path.segments.last() else {
            return;
        };
        // What indices of arrays become.
        if path.path.leading_colon.is_some() && path.path.segments.iter().any(|s| s.ident == "__rt")
        {
            call.args.iter_mut().for_each(|arg| self.expr(arg, None));
            return;
        }
        // Swapping runs no code of what is swapped.
        let swaps = path
            .path
            .get_ident()
            .is_none_or(|i| !self.is_local(i) && self.outer.get(&i.to_string()).is_none())
            && self.standard(path)
            && last.ident == "swap";
        let name = last.ident.to_string();
        let callee = To {
            name: name.clone(),
            span: last.ident.span(),
            receiver: false,
            memory: None,
        };
        let arguments = if swaps || self.is_pure(&name) || Self::is_known(&path.path) {
            None
        } else if is_constructor(&call.func) {
            to
        } else {
            if let Some(ident) = path.path.get_ident()
                && self.local(&name).is_none()
                && let Some(outer) = self.outer.get(&name)
            {
                let ident = ident.clone();
                let closure = outer.closure.clone();
                self.captured_closure(&ident, closure);
            }
            Some(&callee)
        };
        call.args
            .iter_mut()
            .for_each(|arg| self.expr(arg, arguments));
    }

    /// Functions of numbers. Of device functions rustc says only when the loop runs whether they are what they look like.
    fn is_known(path: &syn::Path) -> bool {
        let names = names::of_path(path);
        matches!(names.as_slice(), [.., ty, _] if Scalar::from_name(ty).is_some())
    }

    /// A name of a closure, which stands behind these names, that means something else at the loop.
    fn hidden(&self, before: &OuterScope, closure: &syn::ExprClosure) -> Option<String> {
        let closure = Expr::Closure(closure.clone());
        let free = names::free_names(&closure);
        let called = free.calls.iter().filter_map(|called| match called {
            Called::Function(Expr::Path(path)) => path.path.get_ident(),
            _ => None,
        });
        // A closure that it calls is looked at where that stands.
        let is_closure = |name: &Ident| {
            let declared = before.get(&name.to_string());
            declared.is_some_and(|outer| outer.closure.is_some())
        };
        let called = called.filter(|name| !is_closure(name));
        let uses = free.uses.iter().map(|used| used.ident);
        let in_macros = free.in_macros.iter().map(|(ident, _)| ident);
        let all = uses.chain(called).chain(in_macros);
        all.map(ToString::to_string)
            .find(|name| self.around.declares_since(before, name))
    }

    /// A closure from before the loop: its body is judged like the loop's. Another value that is called has to be plain: a
    /// pointer to a function is.
    fn captured_closure(&mut self, name: &Ident, closure: Option<Box<syn::ExprClosure>>) {
        match closure {
            Some(mut closure) => {
                // Its names mean what they meant where it stands: a later one may be called as it is, or as one that it calls.
                let before = self.outer.until(&name.to_string());
                if let Some(hidden) = self.hidden(&before, &closure) {
                    // Questions are asked at the loop.
                    self.errors.push(
                        Diagnostic::new(
                            Code::SharedState,
                            name.span(),
                            format!("`{name}` uses a `{hidden}` that another `{hidden}` hides at the loop, and of what is hidden nothing is known here"),
                        )
                        .help(format!("give one of the two another name than `{hidden}`")),
                    );
                    return;
                }
                let outer = std::mem::replace(&mut self.outer, Cow::Owned(before));
                let scopes = std::mem::take(&mut self.scopes);
                let before = std::mem::replace(&mut self.before, true);
                self.closure(&mut closure, None);
                self.before = before;
                self.scopes = scopes;
                self.outer = outer;
            }
            None => {
                let to = To {
                    name: name.to_string(),
                    span: name.span(),
                    receiver: true,
                    memory: None,
                };
                self.hand(&mut parse_quote!(#name), &to, None);
            }
        }
    }

    // Places.

    /// The expressions that index a place.
    fn indices(&mut self, e: &mut Expr) {
        match e {
            Expr::Index(i) => {
                self.indices(&mut i.expr);
                self.expr(&mut i.index, None);
            }
            Expr::Field(f) => self.indices(&mut f.base),
            Expr::Paren(p) => self.indices(&mut p.expr),
            Expr::Group(g) => self.indices(&mut g.expr),
            Expr::Reference(r) => self.indices(&mut r.expr),
            Expr::Unary(u) => self.indices(&mut u.expr),
            _ => {}
        }
    }

    /// Asks about a place that somebody gets.
    fn hand(&mut self, e: &mut Expr, to: &To, class: Option<Class>) {
        if let Expr::Reference(r) = e {
            return self.hand(&mut r.expr, to, class);
        }
        if self.once {
            return;
        }
        let Some(place) = handed(e) else { return };
        let (indexed, ident) = (place.indexed, place.root.get_ident().cloned());
        let base = without_ranges(e);
        if let Some(bound) = ident.as_ref().and_then(|i| self.local(&i.to_string())) {
            let (class, from) = (class.unwrap_or(bound.class), bound.from.clone());
            let constant = bound.item.is_some();
            if constant && self.before {
                let ask = self.asks.ask(class, &without_indices(e), to);
                let ask = self.among_constants(ask);
                return self.ask_name(ask);
            }
            match indexed {
                true => self.in_place(e, class.max_item(), to),
                false => {
                    if let (Class::Whole, Some(from), Expr::Path(_)) = (class, from, &base) {
                        let ask = self.asks.ask(Class::Captured, &from, to);
                        return push(&mut self.captured, ask);
                    }
                    let ask = self.asks.ask(class, &base, to);
                    if let Some(ident) = ident
                        && let Some(bound) = self.local(&ident.to_string())
                    {
                        push(&mut bound.asks, ask);
                    }
                }
            }
            return;
        }
        let declared = ident.as_ref().and_then(|i| self.outer.get(&i.to_string()));
        let last = place.root.segments.last().map(|s| s.ident.to_string());
        if declared.is_none() && !to.receiver && last.is_some_and(|l| !is_static_like(&l)) {
            // A function's name, or a variant.
            return;
        }
        if let Some(key) = &place.key
            && self.assigned.iter().any(|a| a.key.overlaps(key))
        {
            // What is updated may not be handed on at all, which is said elsewhere.
            return;
        }
        let copies = declared.is_none_or(|o| o.constant || self.is_parameter(&o.shape));
        let own = match indexed || copies {
            true => Class::Item,
            false => Class::Captured,
        };
        match indexed && !self.before {
            true => self.in_place(e, class.unwrap_or(own), to),
            false => {
                let base = match indexed {
                    true => without_indices(e),
                    false => base,
                };
                let own = if indexed { Class::Captured } else { own };
                let class = class.unwrap_or(own);
                let ask = self.asks.ask(class, &base, to);
                match class {
                    Class::Captured => push(&mut self.captured, ask),
                    _ => push(&mut self.hoisted, ask),
                }
            }
        }
    }

    /// Asks about an element where it stands.
    fn in_place(&mut self, e: &mut Expr, class: Class, to: &To) {
        if self.before {
            return;
        }
        self.copied = true;
        let place = without_ranges(e);
        let ask = self.asks.ask(class, &place, to);
        *e = parse_quote!((*{ #ask &#e }));
    }

    /// Whether a captured value's type is a type parameter of the function.
    fn is_parameter(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Elem(syn::Type::Path(path)) => path
                .path
                .get_ident()
                .is_some_and(|i| self.outer.generics().iter().any(|g| i == g)),
            _ => false,
        }
    }

    // Macros.

    fn macro_call(&mut self, mac: &mut Macro) {
        let Some(last) = mac.path.segments.last() else {
            return;
        };
        let (name, span) = (last.ident.to_string(), last.ident.span());
        let prints = names::macro_name(&mac.path)
            .is_some_and(|name| PRINTING_MACROS.contains(&name.as_str()));
        if self.is_pure(&name) || (self.once && (prints || !known::is_known_macro(mac))) {
            return;
        }
        if prints {
            return self.printing(mac, &name, span);
        }
        if known::is_known_macro(mac) {
            if let Some(ask) = ask_macro(&mac.path) {
                self.ask_name(ask);
            }
            return self.arguments(mac, &name);
        }
        let to = To {
            name: name.clone(),
            span,
            receiver: true,
            memory: None,
        };
        let mut mentioned = Vec::new();
        names::identifiers(mac.tokens.clone(), &mut mentioned);
        for ident in mentioned {
            let text = ident.to_string();
            if self.local(&text).is_some() {
                self.hand(&mut parse_quote!(#ident), &to, None);
            } else if self.outer.get(&text).is_some_and(|o| !o.constant)
                && !self.assigned.iter().any(|a| a.key.root == text)
            {
                self.errors.push(
                    Diagnostic::new(
                        Code::SharedMacro,
                        ident.span(),
                        format!("`{text}` is shared by the iterations, and what `{name}!` does with it is not seen"),
                    )
                    .note("iterations run at the same time, in no order: what they share may not change")
                    .help(format!("if the macro only computes, say so: `#[offload(.., pure({name}))]`")),
                );
            }
        }
    }

    /// Text that is written somewhere: in an order that only a sequential loop has.
    fn printing(&mut self, mac: &mut Macro, name: &str, span: Span) {
        if matches!(name, "write" | "writeln")
            && let Ok(args) = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)
            && let Some(root) = args.first().and_then(names::root_of)
            && self.local(&root.to_string()).is_some()
        {
            return self.arguments(mac, name);
        }
        self.errors.push(
            Diagnostic::new(
                Code::Prints,
                span,
                format!("`{name}!` writes in the order of the iterations, which run at the same time"),
            )
            .help(format!(
                "print after the loop; if the order of the lines means nothing, `#[offload(.., pure({name}))]`"
            )),
        );
    }

    /// The arguments of a macro of the standard library.
    fn arguments(&mut self, mac: &mut Macro, name: &str) {
        let parsed: Option<Vec<Expr>> = match name {
            "cfg" | "concat" | "env" | "include_bytes" | "include_str" | "line" | "stringify" => {
                return;
            }
            "matches" => {
                let parser = |input: syn::parse::ParseStream<'_>| {
                    let value: Expr = input.parse()?;
                    Ok((value, input.parse::<TokenStream>()?))
                };
                let Ok((mut value, rest)) = mac.parse_body_with(parser) else {
                    return;
                };
                self.taken(&mut value);
                mac.tokens = quote!(#value #rest);
                return;
            }
            "vec" => {
                let tokens = &mac.tokens;
                let Ok(mut list) = syn::parse2::<Expr>(quote!([#tokens])) else {
                    return;
                };
                visit_mut::visit_expr_mut(self, &mut list);
                mac.tokens = match list {
                    Expr::Array(list) => list.elems.to_token_stream(),
                    Expr::Repeat(list) => {
                        let (value, len) = (&list.expr, &list.len);
                        quote!(#value; #len)
                    }
                    _ => return,
                };
                return;
            }
            _ => mac
                .parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)
                .ok()
                .map(|args| args.into_iter().collect()),
        };
        if let Some(mut args) = parsed {
            for arg in &mut args {
                match arg {
                    // `name = value` of a format.
                    Expr::Assign(e) => self.expr(&mut e.right, None),
                    e => self.expr(e, None),
                }
            }
            mac.tokens = quote!(#(#args),*);
        }
    }
}

impl VisitMut for Walk<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                self.expr(e, None);
            }
            visit_mut::Node::Block(block) => {
                self.block(block, None);
            }
            visit_mut::Node::Pat(_) => {}
            visit_mut::Node::Item(_) => {}
            visit_mut::Node::Type(_) => {}
            _ => node.parts(self),
        }
    }
}

impl Class {
    /// The same for an element.
    fn max_item(self) -> Class {
        match self {
            Class::Whole | Class::Captured => Class::Item,
            other => other,
        }
    }
}

/// Methods that lend out elements of what they are called on.
const LENDING: &[&str] = &[
    "as_slice",
    "chunks",
    "chunks_exact",
    "first",
    "get",
    "iter",
    "keys",
    "last",
    "values",
    "windows",
];

/// Methods of memory that move elements in it, or lend them out to be written.
const MOVING: &[&str] = &[
    "chunks_exact_mut",
    "chunks_mut",
    "copy_from_slice",
    "copy_within",
    "iter_mut",
    "reverse",
    "rotate_left",
    "rotate_right",
    "split_at",
    "split_at_mut",
    "swap",
    "swap_with_slice",
];

/// Those of them that move elements between two pieces of memory.
const BETWEEN: &[&str] = &["copy_from_slice", "swap_with_slice"];

/// Methods of iterators and of `Option`s of elements, which look through them or lend them further.
const GOING_ON: &[&str] = &[
    "cloned",
    "copied",
    "enumerate",
    "expect",
    "filter",
    "find",
    "iter",
    "last",
    "map",
    "max_by",
    "max_by_key",
    "min_by",
    "min_by_key",
    "next",
    "nth",
    "rev",
    "skip",
    "skip_while",
    "step_by",
    "take",
    "take_while",
    "unwrap",
    "zip",
];

/// Methods whose result holds no element.
const TELLING: &[&str] = &[
    "all",
    "any",
    "binary_search",
    "binary_search_by",
    "binary_search_by_key",
    "contains",
    "contains_key",
    "count",
    "is_empty",
    "len",
    "partition_point",
    "position",
    "product",
    "rposition",
    "sum",
];

/// Those of them that memory has itself.
const DIRECTLY: &[&str] = &[
    "binary_search",
    "binary_search_by",
    "binary_search_by_key",
    "contains",
    "contains_key",
    "is_empty",
    "len",
    "partition_point",
];

fn to_method(call: &ExprMethodCall) -> To {
    To {
        name: call.method.to_string(),
        span: call.method.span(),
        receiver: true,
        memory: None,
    }
}

fn push(asks: &mut Vec<TokenStream>, ask: TokenStream) {
    let text = ask.to_string();
    if asks.iter().all(|a| a.to_string() != text) {
        asks.push(ask);
    }
}

/// A place: what is at its root, and whether it is an element.
fn handed(e: &Expr) -> Option<Handed<'_>> {
    match e {
        Expr::Path(path) if path.qself.is_none() => Some(Handed {
            root: &path.path,
            key: path.path.get_ident().map(|i| Key::name(i.to_string())),
            indexed: false,
        }),
        Expr::Field(f) => handed(&f.base).map(|mut place| {
            if !place.indexed {
                place.key = place.key.map(|key| key.field(&f.member));
            }
            place
        }),
        Expr::Index(i) => handed(&i.expr).map(|mut place| {
            place.indexed |= !matches!(*i.index, Expr::Range(_));
            place
        }),
        Expr::Paren(p) => handed(&p.expr),
        Expr::Group(g) => handed(&g.expr),
        Expr::Reference(r) => handed(&r.expr),
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => handed(&u.expr),
        _ => None,
    }
}

/// `xs` of `xs[a..b]`: a part is as plain as the whole.
fn without_ranges(e: &Expr) -> Expr {
    match e {
        Expr::Index(i) if matches!(*i.index, Expr::Range(_)) => without_ranges(&i.expr),
        Expr::Paren(p) => without_ranges(&p.expr),
        Expr::Group(g) => without_ranges(&g.expr),
        Expr::Reference(r) => without_ranges(&r.expr),
        Expr::Field(f) => {
            let (base, member) = (without_ranges(&f.base), &f.member);
            parse_quote!(#base.#member)
        }
        other => other.clone(),
    }
}

fn has_ranges(e: &Expr) -> bool {
    match e {
        Expr::Index(i) => matches!(*i.index, Expr::Range(_)) || has_ranges(&i.expr),
        Expr::Paren(p) => has_ranges(&p.expr),
        Expr::Group(g) => has_ranges(&g.expr),
        Expr::Reference(r) => has_ranges(&r.expr),
        Expr::Unary(u) => has_ranges(&u.expr),
        Expr::Field(f) => has_ranges(&f.base),
        _ => false,
    }
}

/// `xs` of `xs[i].lock`.
fn without_indices(e: &Expr) -> Expr {
    fn base(e: &Expr) -> Option<&Expr> {
        match e {
            Expr::Index(i) => base(&i.expr).or(Some(&i.expr)),
            Expr::Field(f) => base(&f.base),
            Expr::Paren(p) => base(&p.expr),
            Expr::Group(g) => base(&g.expr),
            Expr::Reference(r) => base(&r.expr),
            Expr::Unary(u) => base(&u.expr),
            _ => None,
        }
    }
    base(e).unwrap_or(e).clone()
}

/// Whether a name is written like a `static` or a constant: without a small letter.
fn is_static_like(name: &str) -> bool {
    !name.chars().any(char::is_lowercase)
}

/// The names under a `&` of a pattern: items, and elements, are no references twice.
fn dereferenced(pat: &Pat) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'a> crate::syntax::visit::Visit<'a> for Names {
        fn visit(&mut self, node: crate::syntax::visit::Node<'a>) {
            match node {
                crate::syntax::visit::Node::PatReference(pat) => {
                    let names = names::bound_names(&pat.pat).into_iter();
                    self.0.extend(names.map(|name| name.to_string()));
                }
                crate::syntax::visit::Node::PatType(pat) => {
                    // Whether it is the primitive type, rustc is asked where it is written.
                    if let syn::Type::Path(ty) = &*pat.ty
                        && ty.qself.is_none()
                        && names::primitive_of(&ty.path).is_some()
                    {
                        let names = names::bound_names(&pat.pat).into_iter();
                        self.0.extend(names.map(|name| name.to_string()));
                    }
                }
                _ => node.parts(self),
            }
        }
    }
    let mut names = Names(Vec::new());
    crate::syntax::visit::Visit::visit_pat(&mut names, pat);
    names.0
}

/// Whether a value is surely no reference: a number that was computed.
fn is_value(e: &Expr) -> bool {
    match without_parens(e) {
        Expr::Cast(_) | Expr::Lit(_) => true,
        // Operators of references to numbers give numbers.
        Expr::Binary(_) => true,
        Expr::Unary(u) => !matches!(u.op, syn::UnOp::Deref(_)),
        Expr::MethodCall(call) => {
            Method::named(&call.method.to_string()).is_some() || call.method == "len"
        }
        _ => false,
    }
}

/// `Some(x)`, `Point(x, y)`.
fn is_constructor(f: &Expr) -> bool {
    matches!(without_parens(f), Expr::Path(path) if path.path.segments.last().is_some_and(|s| names::is_constant_like(&s.ident)))
}
