//! The names that a piece of code uses from outside itself, and what it assigns there.
//!
//! Rust's scoping is followed: a name bound inside by `let`, a pattern, a closure's parameter or a loop
//! hides the outer one from there on.

use crate::sorted::SortedSet;

use crate::syntax::visit::{self, Visit};
use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::{Block, Expr, Ident, Macro, Member, Pat, Stmt};

use super::sites;

/// A place outside a loop: a name and the fields taken from it (`self.bins` is `self` and `bins`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The name at the root.
    pub root: String,
    /// The fields, outermost first.
    pub fields: Vec<String>,
}

impl Key {
    /// The place of a plain name.
    pub fn name(root: impl Into<String>) -> Key {
        Key {
            root: root.into(),
            fields: Vec::new(),
        }
    }

    /// The place of a field of this one.
    pub fn field(&self, member: &Member) -> Key {
        let mut key = self.clone();
        key.fields.push(match member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        });
        key
    }

    /// Whether one of the two contains the other.
    pub fn overlaps(&self, other: &Key) -> bool {
        self.root == other.root && self.fields.iter().zip(&other.fields).all(|(a, b)| a == b)
    }
}

/// An assignment to a name from outside.
#[derive(Clone)]
pub struct Assignment<'a> {
    /// The whole expression.
    pub expr: &'a Expr,
    /// Its left side.
    pub left: &'a Expr,
    /// The name at the root of the left side.
    pub root: &'a Ident,
    /// The place at the root of the left side.
    pub key: Key,
    /// Whether an element of the place is assigned.
    pub indexed: bool,
}

/// A use of a place from outside.
#[derive(Clone)]
pub struct Use<'a> {
    /// The name at its root.
    pub ident: &'a Ident,
    /// The place.
    pub key: Key,
}

/// What [`free_names`] found.
#[derive(Default)]
pub struct FreeNames<'a> {
    /// Places used, without functions that are called and without those that are only asked for their
    /// length.
    pub uses: Vec<Use<'a>>,
    /// Identifiers inside macros, which may be names or anything else.
    pub in_macros: Vec<(Ident, &'a Macro)>,
    /// Assignments to names from outside.
    pub assignments: Vec<Assignment<'a>>,
    /// Names of which `&mut` is taken, or of a part of which.
    pub borrowed_mut: Vec<&'a Ident>,
    /// Those of which it is taken to be a name for an element or all of it: `let slot = &mut hist[b];`, `&mut *hist`.
    pub borrowed_mut_indexed: Vec<&'a Ident>,
    /// Places of an element of which, or of several, `&mut` is taken: `f(&mut a[i])`.
    pub lent_mut: Vec<Use<'a>>,
    /// Calls, method calls and macros, by what they call.
    pub calls: Vec<Called<'a>>,
}

/// Something that is called.
pub enum Called<'a> {
    /// A function or closure, by its expression.
    Function(&'a Expr),
    /// A method: the receiver, the name, and how many arguments it gets.
    Method(&'a Expr, &'a Ident, usize),
    /// A macro.
    Macro(&'a Macro),
}

/// The free names of an expression.
pub fn free_names(expr: &Expr) -> FreeNames<'_> {
    let mut finder = Finder::new();
    finder.visit_expr(expr);
    finder.found
}

/// The free names of a loop's body, where the pattern's names are bound.
pub fn free_names_of_body<'a>(pat: &'a Pat, body: &'a Block) -> FreeNames<'a> {
    let mut finder = Finder::new();
    finder.bind(pat);
    finder.visit_block(body);
    finder.found
}

/// The names that a pattern binds. An identifier in capitals is taken for a constant, as rustc's lint
/// on naming would have it.
pub fn bound_names(pat: &Pat) -> Vec<&Ident> {
    struct Names<'a>(Vec<&'a Ident>);
    impl<'a> Visit<'a> for Names<'a> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::PatIdent(pat) => {
                    if !is_constant_like(&pat.ident) || pat.subpat.is_some() {
                        self.0.push(&pat.ident);
                    }
                    visit::visit_pat_ident(self, pat);
                }
                visit::Node::Expr(_) => {}
                _ => node.parts(self),
            }
        }
    }
    let mut names = Names(Vec::new());
    names.visit_pat(pat);
    names.0
}

/// The name that a pattern is, but for its type.
pub fn whole(pat: &Pat) -> Option<&Ident> {
    match pat {
        Pat::Ident(p) if p.subpat.is_none() => Some(&p.ident),
        Pat::Type(p) => whole(&p.pat),
        Pat::Paren(p) => whole(&p.pat),
        _ => None,
    }
}

/// Whether a name of a pattern is a reference by which what it stands for is written: `ref mut x`.
pub fn is_lent(pat: &syn::PatIdent) -> bool {
    pat.by_ref.is_some() && pat.mutability.is_some()
}

/// Whether a pattern [lends](is_lent) a part of what it takes apart.
pub fn lends(pat: &Pat) -> bool {
    struct Lends(bool);
    impl<'a> Visit<'a> for Lends {
        fn visit(&mut self, node: visit::Node<'a>) {
            if let visit::Node::PatIdent(pat) = &node {
                self.0 |= is_lent(pat);
            }
            node.parts(self);
        }
    }
    let mut lends = Lends(false);
    lends.visit_pat(pat);
    lends.0
}

/// The name of a macro that is read as one of the standard library's. By any other path it is somebody else's.
pub fn macro_name(path: &syn::Path) -> Option<String> {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    match names.as_slice() {
        [name] => Some(name.clone()),
        [root, name] if matches!(root.as_str(), "std" | "core" | "alloc") => Some(name.clone()),
        _ => None,
    }
}

/// Whether an identifier is written like a constant or a type.
pub fn is_constant_like(ident: &Ident) -> bool {
    let text = ident.unraw().to_string();
    text.starts_with(|c: char| c.is_uppercase())
}

/// Every identifier in a stream of tokens, groups included.
pub fn identifiers(tokens: TokenStream, out: &mut Vec<Ident>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => out.push(ident),
            TokenTree::Group(group) => identifiers(group.stream(), out),
            TokenTree::Literal(literal) => inline_arguments(&literal, out),
            TokenTree::Punct(_) => {}
        }
    }
}

/// The names in a format string's braces: `"{x}"`, and the width and the precision in `"{:w$.p$}"`.
pub(super) fn inline_arguments(literal: &proc_macro2::Literal, out: &mut Vec<Ident>) {
    let tokens = TokenStream::from(TokenTree::from(literal.clone()));
    let Ok(text) = syn::parse2::<syn::LitStr>(tokens) else {
        return;
    };
    let text = text.value();
    for part in text.split('{').skip(1) {
        let argument = part.split(|c| !is_in_name(c)).next();
        let mut counts = part.split('$');
        counts.next_back();
        let counts = counts.filter_map(|before| before.rsplit(|c| !is_in_name(c)).next());
        // A 0 before the width is none of its name.
        let counts = counts.map(|count| count.trim_start_matches('0'));
        let names = argument.into_iter().chain(counts);
        out.extend(names.filter_map(|name| name_of(name, literal.span())));
    }
}

fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The identifier that a format string means, in which keywords are not marked as raw.
fn name_of(name: &str, span: proc_macro2::Span) -> Option<Ident> {
    let ident = syn::parse_str::<Ident>(name)
        .ok()
        .or_else(|| syn::parse_str::<Ident>(&format!("r#{name}")).ok());
    ident.map(|mut ident| {
        ident.set_span(span);
        ident
    })
}

/// The root of a place: what is left when indices, fields, dereferences and parentheses are taken off.
pub fn root_of(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        Expr::Index(e) => root_of(&e.expr),
        Expr::Field(e) => root_of(&e.base),
        Expr::Paren(e) => root_of(&e.expr),
        Expr::Group(e) => root_of(&e.expr),
        Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => root_of(&e.expr),
        Expr::Reference(e) => root_of(&e.expr),
        _ => None,
    }
}

/// The key of a place and whether it is indexed: `self.bins[i].0` is `self.bins`, indexed.
pub fn key_of(expr: &Expr) -> Option<(Key, bool)> {
    match expr {
        Expr::Path(path) if path.qself.is_none() => path
            .path
            .get_ident()
            .map(|i| (Key::name(i.to_string()), false)),
        Expr::Index(e) => key_of(&e.expr).map(|(key, _)| (key, true)),
        Expr::Field(e) => key_of(&e.base).map(|(key, indexed)| {
            if indexed {
                (key, true)
            } else {
                (key.field(&e.member), false)
            }
        }),
        Expr::Paren(e) => key_of(&e.expr),
        Expr::Group(e) => key_of(&e.expr),
        Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => key_of(&e.expr),
        Expr::Reference(e) => key_of(&e.expr),
        _ => None,
    }
}

struct Finder<'a> {
    scopes: Vec<SortedSet<String>>,
    found: FreeNames<'a>,
}

impl<'a> Finder<'a> {
    fn new() -> Finder<'a> {
        Finder {
            scopes: vec![SortedSet::new()],
            found: FreeNames::default(),
        }
    }

    fn bind(&mut self, pat: &Pat) {
        for name in bound_names(pat) {
            self.bind_name(name);
        }
    }

    fn bind_name(&mut self, name: &Ident) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string());
        }
    }

    fn is_bound(&self, name: &Ident) -> bool {
        let name = name.to_string();
        self.scopes.iter().any(|scope| scope.contains(&name))
    }

    /// A field of a name from outside.
    fn free_place(&self, expr: &'a Expr) -> Option<Use<'a>> {
        let ident = root_of(expr)?;
        match key_of(expr)? {
            (key, false) if !self.is_bound(ident) => Some(Use { ident, key }),
            _ => None,
        }
    }

    /// The places on the left side of an assignment: one, or those of `(a, b) = …`.
    fn assigned(&mut self, expr: &'a Expr, left: &'a Expr) {
        match left {
            Expr::Tuple(e) => e.elems.iter().for_each(|part| self.assigned(expr, part)),
            Expr::Array(e) => e.elems.iter().for_each(|part| self.assigned(expr, part)),
            Expr::Paren(e) => self.assigned(expr, &e.expr),
            _ => {
                if let Some(root) = root_of(left)
                    && let Some((key, indexed)) = key_of(left)
                    && !self.is_bound(root)
                {
                    self.found.assignments.push(Assignment {
                        expr,
                        left,
                        root,
                        key,
                        indexed,
                    });
                }
            }
        }
    }

    /// Takes a note of a place that is borrowed `&mut`, or of which a part is.
    fn lent(&mut self, of: &'a Expr) {
        if let Some(root) = root_of(of)
            && !self.is_bound(root)
        {
            self.found.borrowed_mut.push(root);
            if let Some((key, true)) = key_of(of) {
                self.found.lent_mut.push(Use { ident: root, key });
            }
        }
    }

    fn scoped(&mut self, f: impl FnOnce(&mut Self)) {
        self.scopes.push(SortedSet::new());
        f(self);
        self.scopes.pop();
    }
}

impl<'a> Visit<'a> for Finder<'a> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Block(block) => {
                self.scoped(|s| {
                    for stmt in &block.stmts {
                        // Items are visible in the whole block.
                        if let Stmt::Item(item) = stmt
                            && let Some(name) = item_name(item)
                        {
                            s.bind_name(name);
                        }
                    }
                    for stmt in &block.stmts {
                        if !matches!(stmt, Stmt::Item(_)) {
                            s.visit_stmt(stmt);
                        }
                    }
                });
            }
            visit::Node::Local(local) => {
                if let Some(init) = &local.init {
                    if lends(&local.pat) {
                        self.lent(&init.expr);
                    }
                    match &*init.expr {
                        Expr::Reference(r)
                            if r.mutability.is_some() && whole(&local.pat).is_some() =>
                        {
                            let whole = matches!(&*r.expr, Expr::Unary(_));
                            if let (Some(root), Some((_, indexed))) =
                                (root_of(&r.expr), key_of(&r.expr))
                                && (indexed || whole)
                                && !self.is_bound(root)
                            {
                                self.found.borrowed_mut_indexed.push(root);
                            }
                            self.visit_expr(&r.expr);
                        }
                        _ => self.visit_local_init(init),
                    }
                }
                self.visit_pat(&local.pat);
                self.bind(&local.pat);
            }
            visit::Node::Arm(arm) => {
                self.scoped(|s| {
                    s.bind(&arm.pat);
                    s.visit_pat(&arm.pat);
                    s.visit_expr(&arm.body);
                });
            }
            visit::Node::Expr(expr) => match expr {
                Expr::Path(path) => {
                    if path.qself.is_none()
                        && let Some(ident) = path.path.get_ident()
                        && !self.is_bound(ident)
                    {
                        let key = Key::name(ident.to_string());
                        self.found.uses.push(Use { ident, key });
                    }
                }
                Expr::Field(_) if self.free_place(expr).is_some() => {
                    self.found.uses.extend(self.free_place(expr));
                }
                Expr::ForLoop(e) => {
                    self.visit_expr(&e.expr);
                    self.scoped(|s| {
                        s.bind(&e.pat);
                        s.visit_block(&e.body);
                    });
                }
                Expr::If(e) => {
                    self.scoped(|s| {
                        s.visit_expr(&e.cond);
                        s.visit_block(&e.then_branch);
                    });
                    if let Some((_, otherwise)) = &e.else_branch {
                        self.visit_expr(otherwise);
                    }
                }
                Expr::While(e) => self.scoped(|s| {
                    s.visit_expr(&e.cond);
                    s.visit_block(&e.body);
                }),
                Expr::Let(e) => {
                    if lends(&e.pat) {
                        self.lent(&e.expr);
                    }
                    self.visit_expr(&e.expr);
                    self.visit_pat(&e.pat);
                    self.bind(&e.pat);
                }
                Expr::Closure(e) => self.scoped(|s| {
                    for input in &e.inputs {
                        s.bind(input);
                    }
                    s.visit_expr(&e.body);
                }),
                Expr::Call(e) => {
                    self.found.calls.push(Called::Function(&e.func));
                    if !matches!(&*e.func, Expr::Path(_)) {
                        self.visit_expr(&e.func);
                    }
                    for arg in &e.args {
                        self.visit_expr(arg);
                    }
                }
                Expr::Reference(e) => {
                    if e.mutability.is_some() {
                        self.lent(&e.expr);
                    }
                    self.visit_expr(&e.expr);
                }
                Expr::Match(e) => {
                    if e.arms.iter().any(|arm| lends(&arm.pat)) {
                        self.lent(&e.expr);
                    }
                    visit::visit_expr(self, expr);
                }
                Expr::MethodCall(e)
                    if matches!(e.method.to_string().as_str(), "len" | "is_empty")
                        && e.args.is_empty()
                        && key_of(&e.receiver).is_some_and(|(_, indexed)| !indexed) => {}
                Expr::MethodCall(e) => {
                    self.found
                        .calls
                        .push(Called::Method(&e.receiver, &e.method, e.args.len()));
                    visit::visit_expr(self, expr);
                }
                _ => {
                    if sites::is_assignment(expr)
                        && let Some(left) = left_side(expr)
                    {
                        self.assigned(expr, left);
                    }
                    visit::visit_expr(self, expr);
                }
            },
            visit::Node::Macro(mac) => {
                self.found.calls.push(Called::Macro(mac));
                let mut names = Vec::new();
                identifiers(mac.tokens.clone(), &mut names);
                for name in names {
                    if !self.is_bound(&name) {
                        self.found.in_macros.push((name, mac));
                    }
                }
            }
            visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// The left side of an assignment.
pub fn left_side(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Assign(e) => Some(&e.left),
        Expr::Binary(e) if sites::is_compound(&e.op) => Some(&e.left),
        _ => None,
    }
}

fn item_name(item: &syn::Item) -> Option<&Ident> {
    match item {
        syn::Item::Const(i) => Some(&i.ident),
        syn::Item::Static(i) => Some(&i.ident),
        syn::Item::Fn(i) => Some(&i.sig.ident),
        syn::Item::Struct(i) => Some(&i.ident),
        syn::Item::Enum(i) => Some(&i.ident),
        _ => None,
    }
}

/// The names that a path is of, without their arguments.
pub fn of_path(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|s| s.ident.to_string()).collect()
}

/// The primitive type that a path looks like: `u8`, `std::primitive::u8`. Only rustc knows whether it is.
pub fn primitive_of(path: &syn::Path) -> Option<crate::ir::Scalar> {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    match names.as_slice() {
        [name] if path.leading_colon.is_none() => crate::ir::Scalar::from_name(name),
        [std, .., name] if std == "std" || std == "core" => crate::ir::Scalar::from_name(name),
        _ => None,
    }
}

/// The names that an item declares in the block that it stands in.
pub fn declared(item: &syn::Item) -> Vec<String> {
    fn of_use(tree: &syn::UseTree, out: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => of_use(&path.tree, out),
            syn::UseTree::Name(name) => out.push(name.ident.to_string()),
            syn::UseTree::Rename(rename) => out.push(rename.rename.to_string()),
            syn::UseTree::Group(group) => group.items.iter().for_each(|t| of_use(t, out)),
            syn::UseTree::Glob(_) => {}
        }
    }
    let name = match item {
        syn::Item::Use(i) => {
            let mut names = Vec::new();
            of_use(&i.tree, &mut names);
            return names;
        }
        syn::Item::Type(i) => &i.ident,
        syn::Item::Mod(i) => &i.ident,
        syn::Item::Trait(i) => &i.ident,
        syn::Item::Union(i) => &i.ident,
        other => match item_name(other) {
            Some(name) => name,
            None => return Vec::new(),
        },
    };
    vec![name.to_string()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_string_mentions_arguments_widths_and_precisions() {
        for (text, expected) in [
            (r#""{a}, {{ {b:?} {}", c"#, "a b c"),
            (r#""{:w$} {a:>w$.p$} {:0z$} {:x<1$}""#, "w a w p z"),
            (r##"r#"{a}"#, "\u{7b}b}", b"{c}", "{type}""##, "a b r#type"),
        ] {
            let mut found = Vec::new();
            identifiers(text.parse().unwrap(), &mut found);
            let found: Vec<String> = found.iter().map(Ident::to_string).collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }
}
