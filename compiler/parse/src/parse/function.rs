//! A function: what is declared where, and which of its loops run in parallel.

use crate::sorted::SortedSet;

use crate::syntax::visit::{self, Visit};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprForLoop, Ident, ItemFn, Pat, ReturnType, Stmt, Type};

use super::exits;
use super::follow::InOrder;
use super::keyed;
use super::known::READING_METHODS;
use super::marks::Marked;
use super::names::{self, Assignment, Called, FreeNames};
use super::opaque::{changed, changes_what_it_captured, mutating_calls};
use super::outer::OuterScope;
use crate::diag::{Code, Diagnostic, Errors, messages};
use crate::ir::Method;
use crate::parsed::candidate::{Candidate, Sequential};
use crate::syntax::without_parens;

/// A function, parsed: its loops.
#[derive(Default)]
pub struct Parsed<'a> {
    /// Those to run in parallel.
    pub candidates: Vec<Candidate<'a>>,
    /// Those that stay as they are.
    pub sequential: Vec<Sequential>,
    /// The outermost of those that go in order without a mark.
    pub outermost: Vec<usize>,
    /// All that go in order, marked or not, and have loops inside that are looked at: outer ones first.
    pub in_order: Vec<Candidate<'a>>,
    /// What is wrong with the function itself.
    pub errors: Errors,
    /// What could be the update that the user meant, where there is no candidate.
    refused: Vec<Diagnostic>,
    loops: usize,
}

/// Finds the loops of a function; those that are marked stay as they are, and those that go in order for another reason.
///
/// With `any` it is every loop that writes something from outside itself, else those that combine into it.
pub fn parse<'a>(
    function: &'a ItemFn,
    marked: &'a Marked,
    in_order: &'a InOrder,
    any: bool,
) -> Parsed<'a> {
    let mut walker = Walker {
        function: &function.sig.ident,
        marked,
        in_order,
        within: Vec::new(),
        depth: 0,
        any,
        returned: returned(function),
        scope: OuterScope::of_parameters(function),
        next: 0,
        loops: Parsed::default(),
    };
    walker.visit_block(&function.block);
    let mut parsed = walker.loops;
    check_signature(function, &mut parsed.errors);
    parsed.check_loops(function, any);
    parsed
}

/// What a function must be, before its loops are looked at.
fn check_signature(function: &ItemFn, errors: &mut Errors) {
    let sig = &function.sig;
    let mut used = Vec::new();
    names::identifiers(function.to_token_stream(), &mut used);
    let made = |name: &&Ident| {
        let name = name.to_string();
        name.starts_with("__accrue_") && !crate::alias::is_alias(&name)
    };
    if let Some(name) = used.iter().find(made) {
        errors.push(
            Diagnostic::new(
                Code::Syntax,
                name.span(),
                format!("`{name}` begins as the names that the attribute makes"),
            )
            .help("choose a name that does not begin with `__accrue_`"),
        );
    }
    if let Some(token) = &sig.asyncness {
        errors.push(
            Diagnostic::new(
                Code::AsyncFn,
                token.span(),
                "an `async fn` cannot be offloaded",
            )
            .note("the loop occupies every core until it is done; a future must not")
            .help(
                "move the loop into a plain `fn` and call that, for example on a blocking thread",
            ),
        );
    }
    if let Some(token) = &sig.constness {
        errors.push(
            Diagnostic::new(
                Code::ConstFn,
                token.span(),
                "a `const fn` cannot be offloaded",
            )
            .note("threads do not exist while constants are evaluated")
            .help("drop the `const`, or keep a sequential `const fn` beside this one"),
        );
    }
}

impl Parsed<'_> {
    /// Reports a function in which nothing can run in parallel.
    fn check_loops(&mut self, function: &ItemFn, any: bool) {
        if !self.candidates.is_empty() {
            return;
        }
        if !self.refused.is_empty() {
            // Loops around a place say the same of it.
            let mut said = SortedSet::new();
            for diagnostic in self.refused.drain(..) {
                if said.insert(diagnostic.message.clone()) {
                    self.errors.push(diagnostic);
                }
            }
            return;
        }
        let name = &function.sig.ident;
        let diagnostic = if self.loops == 0 {
            Diagnostic::new(Code::NoLoop, name.span(), format!("`{name}` has no `for` loop"))
                .note("only `for` loops run in parallel, `for_each` and `while i < n` that counts among them; other `while`, `loop` and iterator methods stay as they are")
                .help("write the work as `for x in data { bins[index(x)] += 1; }`")
        } else if let Some(closure) = changing_closure(&function.block) {
            closure
        } else {
            let nothing = match any {
                true => "changes anything from outside itself",
                false => "updates bins",
            };
            Diagnostic::new(Code::NoUpdate, name.span(), format!("no loop of `{name}` {nothing}"))
                .note("an update combines a value into an element of an array from outside the loop: `bins[i] += v`, `bins[i] = bins[i].max(v)`")
                .help("update an array or a variable that is declared outside the loop, or remove the attribute")
        };
        self.errors.push(diagnostic);
    }
}

/// What is wrong where a loop calls a closure from before it that changes what it captured.
fn changing_closure(block: &syn::Block) -> Option<Diagnostic> {
    /// Closures with a name, `let mut add = |v| n += v;`, with the first variable that each changes, and the first call of one in a loop.
    struct Closures {
        known: Vec<(Ident, Ident)>,
        loops: usize,
        called: Option<(Ident, Ident)>,
    }
    impl<'a> Visit<'a> for Closures {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Local(local) => {
                    if let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
                        && let Expr::Closure(closure) = without_parens(&init.expr)
                        && name.mutability.is_some()
                        && let Some(changed) = changed(closure)
                    {
                        self.known.push((name.ident.clone(), changed));
                    }
                    visit::visit_local(self, local);
                }
                visit::Node::ExprForLoop(of) => {
                    self.loops += 1;
                    visit::visit_expr_for_loop(self, of);
                    self.loops -= 1;
                }
                visit::Node::ExprCall(call) => {
                    if let Expr::Path(path) = without_parens(&call.func)
                        && let Some(name) = path.path.get_ident()
                        && self.loops > 0
                        && self.called.is_none()
                        && let Some((_, changed)) =
                            self.known.iter().rfind(|known| known.0 == *name)
                    {
                        self.called = Some((name.clone(), changed.clone()));
                    }
                    visit::visit_expr_call(self, call);
                }
                node => node.parts(self),
            }
        }
    }
    let mut closures = Closures {
        known: Vec::new(),
        loops: 0,
        called: None,
    };
    closures.visit_block(block);
    let (name, changed) = closures.called?;
    Some(changes_what_it_captured(&name, Some(&changed)))
}

/// The locals that make up a function's value, `h` or `(h, n)`, where a single `let` binds each.
fn returned(function: &ItemFn) -> Vec<(&Ident, &Type)> {
    let (ReturnType::Type(_, output), Some(Stmt::Expr(tail, None))) =
        (&function.sig.output, function.block.stmts.last())
    else {
        return Vec::new();
    };
    let pairs: Vec<(&Expr, &Type)> = match (without_parens(tail), &**output) {
        (Expr::Tuple(values), Type::Tuple(types)) => {
            values.elems.iter().zip(&types.elems).collect()
        }
        (value, ty) => vec![(value, ty)],
    };
    let mut bound = Bound(Vec::new());
    bound.visit_item_fn(function);
    let named = pairs.into_iter().filter_map(|(value, ty)| match value {
        Expr::Path(path) => Some((path.path.get_ident()?, ty)),
        _ => None,
    });
    named
        .filter(|(_, ty)| !matches!(ty, Type::Reference(_) | Type::ImplTrait(_) | Type::Infer(_)))
        .filter(|(name, _)| bound.0.iter().filter(|b| *b == name).count() == 1)
        .collect()
}

/// Every name that a pattern of a function binds.
struct Bound<'a>(Vec<&'a Ident>);

impl<'a> Visit<'a> for Bound<'a> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::PatIdent(pat) => {
                self.0.push(&pat.ident);
                visit::visit_pat_ident(self, pat);
            }
            _ => node.parts(self),
        }
    }
}

struct Walker<'a> {
    function: &'a Ident,
    marked: &'a Marked,
    in_order: &'a InOrder,
    /// The loops around that go in order without a mark.
    within: Vec<usize>,
    /// How many loops stand around.
    depth: usize,
    any: bool,
    /// Locals that the function returns, with the type that they have therefore.
    returned: Vec<(&'a Ident, &'a Type)>,
    scope: OuterScope,
    next: usize,
    loops: Parsed<'a>,
}

impl<'a> Walker<'a> {
    fn scoped(&mut self, f: impl FnOnce(&mut Self)) {
        self.scope.push();
        f(self);
        self.scope.pop();
    }

    /// Skips a part whose loops are not judged, so that the numbers of the loops behind it are right.
    fn skip(&mut self, count: impl FnOnce(&mut Counter)) {
        let mut counter = Counter(0);
        count(&mut counter);
        self.next += counter.0;
    }

    fn for_loop(&mut self, syntax: &'a ExprForLoop) {
        if crate::alias::is_inner(syntax) {
            return self.visit_block(&syntax.body);
        }
        let nth_for = self.next;
        self.next += 1;
        self.loops.loops += 1;
        match self.marked.get(&nth_for) {
            Some(Some(why)) => {
                self.stays(syntax, why);
                return self.skip(|c| c.visit_block(&syntax.body));
            }
            Some(None) => {
                self.keep_in_order(syntax, nth_for);
                return self.inside(syntax, "it is marked `#[sequential]`");
            }
            None => {}
        }
        if let Some(why) = self.in_order.get(&nth_for) {
            self.keep_in_order(syntax, nth_for);
            if self.within.is_empty() {
                self.loops.outermost.push(nth_for);
            }
            self.within.push(nth_for);
            self.inside(syntax, why);
            self.within.pop();
            return;
        }
        let free = names::free_names_of_body(&syntax.pat, &syntax.body);
        let indirect = !free.borrowed_mut_indexed.is_empty();
        let writes = match self.any {
            true => {
                !free.assignments.is_empty()
                    || indirect
                    || self.mutating_call(&free).is_some()
                    || hands_out(&syntax.expr, &self.scope)
                    || self.lends(&free)
                    || keyed::groups_declared(syntax, &self.scope)
            }
            false => free.assignments.iter().any(is_update) || (indirect && has_compound(syntax)),
        };
        if writes {
            let ordinal = self.loops.candidates.len();
            let candidate = self.candidate(syntax, nth_for, ordinal);
            self.loops.candidates.push(candidate);
            self.skip(|c| {
                c.visit_expr(&syntax.expr);
                c.visit_block(&syntax.body);
            });
            return;
        }
        self.note_refused(syntax, &free);
        self.inside(syntax, "it updates nothing from outside itself");
    }

    fn candidate(&self, syntax: &'a ExprForLoop, nth_for: usize, ordinal: usize) -> Candidate<'a> {
        Candidate {
            function: self.function,
            ordinal,
            syntax,
            nth_for,
            outer: self.scope.clone(),
            depth: self.depth,
            within: self.within.clone(),
        }
    }

    /// Notes a loop that goes in order, which may be one of steps.
    fn keep_in_order(&mut self, syntax: &'a ExprForLoop, nth_for: usize) {
        let candidate = self.candidate(syntax, nth_for, self.loops.in_order.len());
        self.loops.in_order.push(candidate);
    }

    /// Whether a body lends elements from outside to code that may change them.
    fn lends(&self, free: &FreeNames<'_>) -> bool {
        let scope = |root: &Ident| self.scope.get(&root.to_string());
        let unknown = free.calls.iter().any(|call| match call {
            Called::Method(receiver, method, _) => {
                let indexed = matches!(names::key_of(receiver), Some((_, true)));
                let name = method.to_string();
                let known =
                    Method::named(&name).is_some() || READING_METHODS.contains(&name.as_str());
                let root = names::root_of(receiver).and_then(scope);
                indexed && !known && root.is_some_and(|outer| outer.writable)
            }
            _ => false,
        });
        unknown || free.lent_mut.iter().any(|used| scope(used.ident).is_some())
    }

    /// Leaves a loop as it is and looks at those inside it.
    fn inside(&mut self, syntax: &'a ExprForLoop, why: &str) {
        self.stays(syntax, why);
        self.visit_expr(&syntax.expr);
        self.repeated(|s| {
            s.scope.of_loop(syntax);
            s.visit_block(&syntax.body);
        });
    }

    fn stays(&mut self, syntax: &ExprForLoop, why: &str) {
        self.loops.sequential.push(Sequential {
            span: syntax.for_token.span(),
            why: why.to_owned(),
        });
    }

    /// Looks at what a loop runs again and again.
    fn repeated(&mut self, look: impl FnOnce(&mut Self)) {
        self.depth += 1;
        self.scoped(look);
        self.depth -= 1;
    }

    /// Keeps what the user may have meant as the update, for a function without any.
    fn note_refused(&mut self, syntax: &ExprForLoop, free: &FreeNames<'_>) {
        if let Some(a) = free.assignments.first() {
            let operator = match a.expr {
                Expr::Assign(e) => e.eq_token.span(),
                other => other.span(),
            };
            let name = a.root.to_string();
            self.loops
                .refused
                .push(messages::plain_write(&name, a.indexed, operator));
        } else if let Some((root, method)) = self.mutating_call(free) {
            self.loops.refused.push(
                Diagnostic::new(
                    Code::Escapes,
                    method.span(),
                    format!("`{root}` is changed by `.{method}()`, which is no update that can be reordered"),
                )
                .help(format!("index it: `{root}[i] += v`, where `{root}` is a slice, an array or a `Vec` of numbers")),
            );
        } else if let Some((name, _)) = free.in_macros.iter().find(|(name, _)| {
            let declared = self.scope.get(&name.to_string());
            declared.is_some_and(|outer| outer.writable)
        }) {
            self.loops.refused.push(
                Diagnostic::new(
                    Code::Macro,
                    name.span(),
                    format!("`{name}` is used in a macro, and what that makes of it is not seen"),
                )
                .help(format!("write the update out: `{name}[i] += v`")),
            );
        } else if let Err(header) = super::iteration::any_chain(&syntax.expr, &self.scope)
            && lends_elements(&syntax.expr)
        {
            self.loops.refused.push(header);
        } else if let Some(span) = exits::returns(&syntax.body) {
            self.loops.refused.push(
                Diagnostic::new(Code::Return, span, "`return` leaves the loop at the first item that is found")
                    .note("iterations run at the same time, so the ones after it may have run already")
                    .help("keep what is found and return it behind the loop: `if first.is_none() && x < 0 { first = Some(i); }`, `found |= x < 0`"),
            );
        } else if let Some((root, method)) = self.changed_by_method(free) {
            self.loops.refused.push(
                Diagnostic::new(
                    Code::Escapes,
                    method.span(),
                    format!("`{root}` may be changed by `.{method}()`, which is not looked into"),
                )
                .help("write what it does into the loop, as updates of variables and elements: `sum += x`, `hist[k] += 1`, `out[i] = x`"),
            );
        }
    }

    /// A method that changes what it is called on, something from outside a loop.
    fn mutating_call<'f>(&self, free: &FreeNames<'f>) -> Option<(&'f Ident, &'f Ident)> {
        mutating_calls(free).find(|(root, _)| self.scope.get(&root.to_string()).is_some())
    }

    /// A method that may change what it is called on, something from outside a loop.
    fn changed_by_method<'f>(&self, free: &FreeNames<'f>) -> Option<(&'f Ident, &'f Ident)> {
        free.calls.iter().find_map(|call| {
            let Called::Method(receiver, method, _) = call else {
                return None;
            };
            let name = method.to_string();
            let known = Method::named(&name).is_some() || READING_METHODS.contains(&name.as_str());
            let root = names::root_of(receiver)?;
            let writable = self
                .scope
                .get(&root.to_string())
                .is_some_and(|o| o.writable);
            (writable && !known).then_some((root, *method))
        })
    }
}

impl<'a> Visit<'a> for Walker<'a> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Block(block) => {
                self.scoped(|s| {
                    // Items are visible in the whole block.
                    for stmt in &block.stmts {
                        match stmt {
                            Stmt::Item(syn::Item::Const(i)) => s.scope.constant(&i.ident, &i.ty),
                            Stmt::Item(syn::Item::Static(i)) => s.scope.constant(&i.ident, &i.ty),
                            _ => {}
                        }
                    }
                    visit::visit_block(s, block);
                });
            }
            visit::Node::Local(local) => {
                visit::visit_local(self, local);
                let init = local
                    .init
                    .as_ref()
                    .filter(|i| i.diverge.is_none() || takes_apart(&local.pat))
                    .map(|i| &*i.expr);
                let ty = match (&local.pat, init) {
                    (_, Some(Expr::Reference(_))) => None,
                    (Pat::Ident(p), _) => self.returned.iter().find(|(name, _)| **name == p.ident),
                    _ => None,
                };
                self.scope.bind(&local.pat, ty.map(|(_, ty)| *ty), init);
            }
            visit::Node::Arm(arm) => {
                self.scoped(|s| {
                    s.scope.bind(&arm.pat, None, None);
                    visit::visit_arm(s, arm);
                });
            }
            visit::Node::Expr(e) => {
                match e {
                    Expr::ForLoop(e) => self.for_loop(e),
                    // What runs later or elsewhere is not the function's own loop.
                    Expr::Closure(_) | Expr::Async(_) => self.skip(|c| c.visit_expr(e)),
                    Expr::If(i) => {
                        self.scoped(|s| {
                            s.visit_expr(&i.cond);
                            s.visit_block(&i.then_branch);
                        });
                        if let Some((_, otherwise)) = &i.else_branch {
                            self.visit_expr(otherwise);
                        }
                    }
                    Expr::While(w) => self.repeated(|s| {
                        s.visit_expr(&w.cond);
                        s.visit_block(&w.body);
                    }),
                    Expr::Loop(l) => self.repeated(|s| s.visit_block(&l.body)),
                    Expr::Let(l) => {
                        self.visit_pat(&l.pat);
                        self.visit_expr(&l.expr);
                        let of = takes_apart(&l.pat).then_some(&*l.expr);
                        self.scope.bind(&l.pat, None, of);
                    }
                    _ => visit::visit_expr(self, e),
                }
            }
            visit::Node::Item(item) => {
                self.skip(|c| c.visit_item(item));
            }
            visit::Node::Pat(_) => {}
            _ => node.parts(self),
        }
    }
}

/// Whether a pattern names the fields of a struct or of a variant.
fn takes_apart(pat: &Pat) -> bool {
    matches!(pat, Pat::Struct(_) | Pat::TupleStruct(_))
}

/// Counts `for` loops as `syn::visit` meets them.
struct Counter(usize);

impl<'a> Visit<'a> for Counter {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::ExprForLoop(e) => {
                self.0 += usize::from(!crate::alias::is_inner(e));
                visit::visit_expr_for_loop(self, e);
            }
            _ => node.parts(self),
        }
    }
}

/// Whether a loop iterates over `&mut` elements.
fn hands_out(expr: &Expr, scope: &OuterScope) -> bool {
    super::iteration::any_chain(expr, scope)
        .is_ok_and(|chain| !super::iteration::handed_out(&chain).is_empty())
}

/// Whether an expression lends elements that may be changed.
fn lends_elements(expr: &Expr) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) => {
                    self.0 |= match e {
                        Expr::MethodCall(call) => call.method.to_string().ends_with("_mut"),
                        Expr::Reference(of) => of.mutability.is_some(),
                        _ => false,
                    };
                    visit::visit_expr(self, e);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(false);
    finder.visit_expr(expr);
    finder.0
}

/// Whether an assignment combines something into the old value.
fn is_update(a: &Assignment<'_>) -> bool {
    match a.expr {
        Expr::Assign(assign) => reads(&assign.right, &a.key),
        _ => true,
    }
}

fn reads(e: &Expr, key: &names::Key) -> bool {
    names::free_names(e)
        .uses
        .iter()
        .any(|used| used.key.overlaps(key))
}

/// Whether a loop has a compound assignment at all.
fn has_compound(syntax: &ExprForLoop) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) => {
                    self.0 |= super::sites::is_assignment(e);
                    visit::visit_expr(self, e);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder(false);
    finder.visit_block(&syntax.body);
    finder.0
}

/// The expression of a target without indices, dereferences and parentheses: `hist` of `(*hist)[i]`.
pub fn target_expr(left: &Expr) -> &Expr {
    match without_parens(left) {
        Expr::Index(e) => target_expr(&e.expr),
        Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => target_expr(&e.expr),
        // A field of an element is no place of its own.
        Expr::Field(e) if names::key_of(&e.base).is_some_and(|(_, indexed)| indexed) => {
            target_expr(&e.base)
        }
        other => other,
    }
}
