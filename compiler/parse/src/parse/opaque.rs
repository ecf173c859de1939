//! Parts that only rustc understands. They keep the loop off devices and nothing else, as long as they
//! leave bins and captured mutable variables alone.

use proc_macro2::Span;
use syn::spanned::Spanned as _;

use super::captures::key_text;
use super::grow;
use super::known::{MUTATING_METHODS, PURE_MACROS, READING_METHODS};
use super::lower::Lower;
use super::names::{self, Called, FreeNames, Key};
use super::place::Val;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Expr, ExprKind, Method, Opaque, Root, Scalar, SourceId, Type};
use crate::syntax::Shape;
use crate::syntax::by_example::How;

/// Methods by which an `Option` is filled, or emptied.
const OF_OPTIONS: [&str; 4] = ["get_or_insert", "get_or_insert_with", "replace", "take"];

impl Lower<'_> {
    /// An expression that only rustc understands.
    pub fn opaque(&mut self, e: &syn::Expr, why: &str, help: Option<&str>) -> Expr {
        let source = self.source(e);
        let free = names::free_names(e);
        let context = context_of(e);
        self.check_escapes(&free, context);
        self.check_exits(e);
        let unknown = Self::unknown_calls(&free, e);
        let impure = !unknown.is_empty();
        self.unknown.extend(unknown);
        let mut opaque = Opaque {
            why: why.to_string(),
            help: help.map(str::to_string),
            impure,
            ..Opaque::default()
        };
        for used in &free.uses {
            self.mention(used.ident, &mut opaque, source);
        }
        for (name, _) in &free.in_macros {
            self.mention(name, &mut opaque, source);
        }
        self.make(ExprKind::Opaque(opaque), Type::Opaque(None), source)
    }

    /// Reports a `&mut` to something from outside that goes to code which may do anything with it.
    pub fn check_borrow(&mut self, e: &syn::ExprReference) {
        if let Some(root) = names::root_of(&e.expr)
            && self.local(&root.to_string()).is_none()
        {
            self.escapes(
                &root.to_string(),
                root.span(),
                Context::Other,
                &Use::Borrowed,
            );
        }
    }

    /// Reports a call of a closure from before the loop that may change what it captured.
    pub fn check_closure_call(&mut self, name: &syn::Ident) {
        let text = name.to_string();
        let outer = self.outer.get(&text).filter(|o| o.writable);
        if self.local(&text).is_none()
            && let Some(outer) = outer
        {
            let changed = outer.closure.as_deref().and_then(changed);
            self.report_once(&text, changes_what_it_captured(name, changed.as_ref()));
        }
    }

    /// Reports uses of what the loop updates in something that the host evaluates before the loop.
    pub fn check_before_loop(&mut self, e: &syn::Expr) {
        let (free, context) = (names::free_names(e), context_of(e));
        let assigned = free.assignments.iter().map(|a| (&a.key, a.root.span()));
        let used = free.uses.iter().map(|u| (&u.key, u.ident.span()));
        for (key, span) in assigned.chain(used) {
            self.check_place(key, span, context);
        }
        for (name, _) in &free.in_macros {
            let key = Key::name(name.to_string());
            self.check_place(&key, name.span(), Context::Macro);
        }
    }

    /// Reports uses of what the loop updates in an argument of a macro, names in a format string among them.
    pub fn check_in_macro(&mut self, e: &syn::Expr) {
        self.check_escapes(&names::free_names(e), Context::Macro);
        if let syn::Expr::Lit(lit) = e {
            let mut inline = Vec::new();
            names::identifiers(quote::ToTokens::to_token_stream(lit), &mut inline);
            for name in inline {
                self.check_place(&Key::name(name.to_string()), name.span(), Context::Macro);
            }
        }
    }

    /// Notes what a name stands for in an opaque part.
    fn mention(&mut self, name: &syn::Ident, opaque: &mut Opaque, source: SourceId) {
        let Some(val) = self.local(&name.to_string()).cloned() else {
            let key = Key::name(name.to_string());
            // What the loop updates has been reported where it is used otherwise.
            if self.declaration(&key).is_some()
                && self.is_array(&key)
                && self.assigns(&key).is_none()
            {
                // The user's own tokens: another span is another variable in a macro.
                let expr: syn::Expr = syn::parse_quote!(#name);
                let view = self.array(&key, &expr);
                if let Root::Array(id) = view.root
                    && !opaque.arrays.contains(&id)
                {
                    opaque.arrays.push(id);
                }
            }
            return;
        };
        self.mention_val(&val, opaque, source);
    }

    /// What a name for an element, or for some elements, of captured memory stands for, as far as it is known.
    pub(super) fn element_of(&mut self, val: &Val, source: SourceId) -> Option<Expr> {
        match val {
            Val::Place(place, ty) if matches!(place.root, Root::Array(_)) => {
                Some(self.make(ExprKind::Load(place.clone()), ty.clone(), source))
            }
            Val::View(view)
                if matches!(view.root, Root::Array(_))
                    && (view.base.is_some() || !view.path.is_empty()) =>
            {
                let mut any = self.opaque_expr("an index that is not known here", None, source);
                any.ty = Type::Scalar(crate::ir::Scalar::Usize);
                let place = view.element(any, true);
                Some(self.make(ExprKind::Load(place), view.elem.clone(), source))
            }
            _ => None,
        }
    }

    fn mention_val(&mut self, val: &Val, opaque: &mut Opaque, source: SourceId) {
        if self.any
            && let Some(part) = self.element_of(val, source)
        {
            opaque.parts.push(part);
            return;
        }
        let root = match val {
            Val::Place(place, _) => Some(place.root),
            Val::View(view) => Some(view.root),
            Val::Tuple(parts) => {
                for part in parts {
                    self.mention_val(part, opaque, source);
                }
                None
            }
            Val::Maybe(maybe) => {
                self.mention_val(&maybe.val, opaque, source);
                None
            }
            // By another name, `let r = &bins; f(r)`.
            Val::Outer(key, _) if self.assigns(key).is_some() => {
                let span = self.sources.get(source).span;
                self.escapes(&key.root, span, Context::Other, &Use::Mentioned);
                None
            }
            Val::Expr(_) | Val::Outer(..) => None,
        };
        match root {
            Some(Root::Array(id)) if !opaque.arrays.contains(&id) => opaque.arrays.push(id),
            Some(Root::Var(id)) if !opaque.vars.contains(&id) => opaque.vars.push(id),
            _ => {}
        }
    }

    /// Reports bins and captured mutable variables that an opaque part may change or read.
    fn check_escapes(&mut self, free: &FreeNames<'_>, context: Context) {
        for assignment in &free.assignments {
            self.check_place(&assignment.key, assignment.root.span(), context);
        }
        for name in &free.borrowed_mut {
            if self.local(&name.to_string()).is_none() {
                self.escapes(&name.to_string(), name.span(), context, &Use::Borrowed);
            }
        }
        for call in &free.calls {
            let Called::Method(receiver, method, arguments) = call else {
                continue;
            };
            let Some(root) = names::root_of(receiver) else {
                continue;
            };
            let outer = self.outer.get(&root.to_string());
            let Some(outer) = outer.filter(|outer| outer.writable) else {
                continue;
            };
            let is_local = self.local(&root.to_string()).is_some();
            let known = self.assigned.iter().any(|a| *root == a.key.root)
                || READING_METHODS.contains(&method.to_string().as_str())
                || !is_collection(receiver, &outer.shape)
                    && Method::named(&method.to_string()).is_some();
            let changed = match known {
                false => Some(root.to_string()),
                true => self.changed_beside(receiver, method, *arguments),
            };
            if let Some(changed) = changed.filter(|_| !is_local) {
                let use_ = Use::Method(method.to_string());
                self.escapes(&changed, method.span(), context, &use_);
            }
        }
        for used in &free.uses {
            self.check_place(&used.key, used.ident.span(), context);
        }
        for call in &free.calls {
            if let Called::Macro(mac) = call
                && let Some(name) = mac.path.get_ident()
            {
                self.check_hidden(name);
            }
        }
        for (name, mac) in &free.in_macros {
            self.check_hidden(name);
            let context = match context {
                Context::Other | Context::Call => {
                    let text = mac
                        .path
                        .segments
                        .last()
                        .map(|s| s.ident.to_string())
                        .unwrap_or_default();
                    if matches!(text.as_str(), "assert" | "debug_assert") {
                        context
                    } else {
                        Context::Macro
                    }
                }
                other => other,
            };
            self.check_place(&Key::name(name.to_string()), name.span(), context);
        }
    }

    /// The part of something that a method changes for certain, where the loop updates other parts of it: `self.list.clear()` beside `self.n += 1`.
    fn changed_beside(
        &self,
        receiver: &syn::Expr,
        method: &syn::Ident,
        arguments: usize,
    ) -> Option<String> {
        let method = method.to_string();
        // With other arguments they are a type's own, of which rustc knows what they change.
        let changes = MUTATING_METHODS.contains(&method.as_str())
            || [("get_or_insert", 1), ("next", 0), ("take", 0)]
                .contains(&(method.as_str(), arguments));
        let (key, indexed) = names::key_of(receiver).filter(|_| changes)?;
        let is_updated = self.assigned.iter().any(|a| a.key.overlaps(&key));
        (!indexed && !key.fields.is_empty() && !is_updated).then(|| key_text(&key))
    }

    /// Reports what a macro of the function's own changes, or uses of what the loop updates.
    fn check_hidden(&mut self, name: &syn::Ident) {
        for used in self.outer.macros().used_by(name) {
            let hidden = used.name.to_string();
            let key = Key::name(hidden.clone());
            let outer = self.outer.get(&hidden).filter(|outer| outer.writable);
            let changes = match &used.how {
                How::Looked => false,
                How::Changed => true,
                How::Called(method) => {
                    let method = method.to_string();
                    !READING_METHODS.contains(&&*method) && Method::named(&method).is_none()
                }
            };
            if changes && outer.is_some() || self.assigns(&key).is_some() {
                self.escapes(&hidden, name.span(), Context::Macro, &Use::Mentioned);
            }
        }
    }

    /// Reports a place that is updated in the loop, or is a part of one or has one as its part.
    fn check_place(&mut self, key: &Key, span: Span, context: Context) {
        if self.local(&key.root).is_none() && self.assigns(key).is_some() {
            self.escapes(&key.root, span, context, &Use::Mentioned);
        }
    }

    /// Reports a place of which the loop updates a part.
    pub(super) fn check_around(&mut self, key: &Key, e: &syn::Expr) {
        let part = |of: &Key| of.overlaps(key) && of.fields.len() > key.fields.len();
        if self.local(&key.root).is_none() && self.assigned.iter().any(|a| part(&a.key)) {
            self.escapes(&key.root, e.span(), Context::Other, &Use::Mentioned);
        }
    }

    /// Reports a variable or a field from outside whose value is a `&mut` to something that a call changes.
    pub(super) fn check_reference(&mut self, value: &syn::Expr) {
        if let Some((key, false)) = super::names::key_of(value)
            && self.local(&key.root).is_none()
        {
            let text = key_text(&key);
            self.escapes(&text, value.span(), Context::Call, &Use::Borrowed);
        }
    }

    fn escapes(&mut self, name: &str, span: Span, context: Context, use_: &Use) {
        let text = self
            .assigned
            .iter()
            .find(|a| a.key.root == name)
            .map_or_else(|| name.to_string(), |a| key_text(&a.key));
        let code = match context {
            Context::Closure => Code::Closure,
            Context::Macro => Code::Macro,
            Context::Unsafe => Code::Unsafe,
            Context::Call | Context::Other => Code::Escapes,
        };
        let grouped = self.ungrouped.iter().find(|(key, _)| key.root == name);
        let grouped = grouped.map(|(key, why)| (key_text(key), why.clone()));
        let message = match (use_, context) {
            (Use::Method(method), _) if let Some((map, why)) = &grouped => {
                format!("`{map}` is changed by `.{method}()`, and {why}")
            }
            (Use::Borrowed, _) => {
                format!("`{text}` is handed out as `&mut`, to code that may do anything with it")
            }
            (Use::Method(method), _) => format!(
                "`{text}` is changed by `.{method}()`, which is no update that can be reordered"
            ),
            (Use::Mentioned, Context::Closure) => {
                format!("`{text}` is updated by this loop and used in a closure")
            }
            (Use::Mentioned, Context::Macro) => {
                format!("`{text}` is updated by this loop and used in a macro")
            }
            (Use::Mentioned, Context::Unsafe) => {
                format!("`{text}` is updated by this loop and used in an `unsafe` block")
            }
            (Use::Mentioned, Context::Call) => {
                format!("`{text}` is updated by this loop and handed to a call")
            }
            (Use::Mentioned, Context::Other) => {
                format!("`{text}` is updated by this loop and used here in another way")
            }
        };
        let indexed = |key: &Key| key.root == name && self.is_array(key);
        let such = match self.assigned.iter().find(|a| a.key.root == name) {
            Some(of) if of.indexed || indexed(&of.key) => format!(", such as by `{text}[i] += v`"),
            _ => match self.outer.get(name).map(|outer| &outer.shape) {
                Some(Shape::Elem(ty)) if is_scalar(ty, Scalar::Bool) => {
                    format!(", such as by `{text} |= v`")
                }
                Some(Shape::Elem(ty)) if Scalar::ALL.iter().any(|of| is_scalar(ty, *of)) => {
                    format!(", such as by `{text} += v`")
                }
                _ => String::new(),
            },
        };
        let diagnostic = Diagnostic::new(code, span, message)
            .note("iterations run at the same time on private copies of what the loop updates, so nothing else may read or write it")
            .help(match use_ {
                Use::Method(method) if method == "next" => format!(
                    "go through both at once, `for (x, y) in data.iter().zip({text})`, or compute what an item needs from its number"
                ),
                Use::Method(method) if name == "self" => format!(
                    "where `.{method}()` takes `&self` and only computes, put `#[offload]` on its `impl` block, which sees what it reads; else do this before or after the loop"
                ),
                Use::Method(_) if let Some((map, _)) = &grouped => format!(
                    "in this loop only group by keys, `*{map}.entry(k).or_insert(0) += v`, `{map}.entry(k).or_default().push(v)`, with one thing done to each part of a value, and look at `{map}` before or after it"
                ),
                Use::Method(method) if OF_OPTIONS.contains(&method.as_str()) => format!(
                    "where the first is kept, write `if {text}.is_none() && c {{ {text} = Some(v); }}`; where later iterations look at it they follow each other: `#[sequential]` before the loop's `for`"
                ),
                Use::Method(method) if self.any && grow::appends(method) && text == name => format!(
                    "in this loop only append to `{text}`, and ask how long it is behind it, `{text}.truncate(n);`, or of a count beside it, `n += 1`"
                ),
                Use::Method(_) => format!("do this before or after the loop; what is counted is indexed: `{text}[i] += v`"),
                Use::Borrowed if self.any && text == name => format!(
                    "in this loop only update `{text}`, and do the rest before or after it; where every iteration fills it anew, give each its own by `let mut {text} = {text}.clone();` at the beginning of the loop's body"
                ),
                Use::Borrowed if self.any => format!("in this loop only update `{text}`, and do the rest before or after it; where every iteration fills it anew, declare it in the loop"),
                Use::Mentioned if text != name && self.any => format!(
                    "in this loop only update `{text}`{such}; what uses `{name}` as a whole sees it too: write out what is computed of the other fields of `{name}`"
                ),
                _ => format!("in this loop only update `{text}`{such}, and do the rest before or after it"),
            });
        let looks = matches!(use_, Use::Mentioned) && !matches!(context, Context::Unsafe);
        match looks {
            false => self.report_once(name, diagnostic),
            // Said of it once is enough, and more than a look counts.
            true if self.is_reported(code, name) => {}
            true => self.report_once(&format!("a look at {name}"), diagnostic.looks(true)),
        }
    }

    /// What a part calls whose code is not known. What a method does is not known from its name, whatever it is called on.
    fn unknown_calls(free: &FreeNames<'_>, e: &syn::Expr) -> Vec<String> {
        let last = |path: &syn::Path| path.segments.last().map(|s| s.ident.to_string());
        let mut unknown: Vec<String> = free
            .calls
            .iter()
            .filter_map(|call| match call {
                Called::Function(syn::Expr::Path(f)) if is_of_primitive(&f.path) => None,
                Called::Function(syn::Expr::Path(f)) => last(&f.path),
                Called::Function(_) => Some("call".to_owned()),
                Called::Method(_, name, _) => Some(name.to_string()),
                Called::Macro(mac) => match names::macro_name(&mac.path) {
                    Some(name) if PURE_MACROS.contains(&name.as_str()) => None,
                    _ => last(&mac.path),
                },
            })
            .collect();
        match e {
            syn::Expr::Unsafe(_) => unknown.push("unsafe".to_owned()),
            syn::Expr::Await(_) => unknown.push("await".to_owned()),
            _ => {}
        }
        unknown
    }
}

/// How an opaque part uses what it must not.
enum Use {
    Mentioned,
    Borrowed,
    Method(String),
}

/// What kind of code an opaque part is, for the code of a finding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Closure,
    Macro,
    Unsafe,
    Call,
    Other,
}

fn context_of(e: &syn::Expr) -> Context {
    use crate::syntax::visit::{self, Visit};
    struct HasClosure(bool);
    impl<'a> Visit<'a> for HasClosure {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::ExprClosure(_) => {
                    self.0 = true;
                }
                _ => node.parts(self),
            }
        }
    }
    match e {
        syn::Expr::Unsafe(_) => Context::Unsafe,
        syn::Expr::Macro(_) => Context::Macro,
        _ => {
            let mut finder = HasClosure(false);
            finder.visit_expr(e);
            match (finder.0, e) {
                (true, _) => Context::Closure,
                (false, syn::Expr::Call(_) | syn::Expr::MethodCall(_)) => Context::Call,
                _ => Context::Other,
            }
        }
    }
}

/// Whether a receiver is a whole collection: numbers have some methods of the same names, `rotate_left`.
fn is_collection(receiver: &syn::Expr, shape: &Shape) -> bool {
    let plain =
        names::key_of(receiver).is_some_and(|(key, indexed)| key.fields.is_empty() && !indexed);
    plain && matches!(shape, Shape::Slice(_) | Shape::Array(..) | Shape::Vec(_))
}

fn is_scalar(ty: &syn::Type, scalar: Scalar) -> bool {
    matches!(ty, syn::Type::Path(path) if names::primitive_of(&path.path) == Some(scalar))
}

/// A function of a primitive, `f32::from_bits`.
fn is_of_primitive(f: &syn::Path) -> bool {
    let names: Vec<String> = f.segments.iter().map(|s| s.ident.to_string()).collect();
    matches!(names.as_slice(), [.., ty, _] if crate::ir::Scalar::from_name(ty).is_some())
}

/// The place of which an element is changed by a method for certain: `a[i].push(x)`.
pub(super) fn changed_element<'a>(call: &Called<'a>) -> Option<names::Use<'a>> {
    let Called::Method(receiver, method, _) = call else {
        return None;
    };
    let changes = MUTATING_METHODS.contains(&method.to_string().as_str());
    let (ident, (key, indexed)) = (names::root_of(receiver)?, names::key_of(receiver)?);
    (changes && indexed).then_some(names::Use { ident, key })
}

/// What a closure changes first of what it captured: what it assigns, or calls a method on that changes its receiver.
pub(super) fn changed(closure: &syn::ExprClosure) -> Option<syn::Ident> {
    let closure = syn::Expr::Closure(closure.clone());
    let free = names::free_names(&closure);
    let assigned = free.assignments.first().map(|of| of.root);
    let changed = assigned.or_else(|| Some(mutating_calls(&free).next()?.0));
    changed.cloned()
}

/// A loop calls a closure from before it that changes something.
pub(super) fn changes_what_it_captured(
    name: &syn::Ident,
    changed: Option<&syn::Ident>,
) -> Diagnostic {
    let what = match changed {
        Some(changed) => format!("`{changed}`, which it captured"),
        None => "what it captured".to_owned(),
    };
    Diagnostic::new(
        Code::Closure,
        name.span(),
        format!("`{name}` is a closure that changes {what}"),
    )
    .note("iterations run at the same time, and each would change it")
    .help("write its body in the loop")
}

/// The method calls of a piece of code that change what they are called on, with the names that leads to.
pub(super) fn mutating_calls<'a>(
    free: &FreeNames<'a>,
) -> impl Iterator<Item = (&'a syn::Ident, &'a syn::Ident)> {
    free.calls.iter().filter_map(|call| match call {
        Called::Method(receiver, method, _)
            if MUTATING_METHODS.contains(&method.to_string().as_str()) =>
        {
            names::root_of(receiver).map(|root| (root, *method))
        }
        _ => None,
    })
}
