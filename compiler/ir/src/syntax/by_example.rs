//! Macros by example that a function declares, `macro_rules! both { ($v:expr) => { a += $v; b ^= $v; } }`: which names they use that a call does not say,
//! and how. `both!(x)` changes `a` and `b`.

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use syn::{Block, Expr, FnArg, Item, ItemFn, Macro, Pat, Type};

use super::names::{identifiers, inline_arguments};
use super::visit::{self, Visit};

/// A name that a macro uses.
#[derive(Clone)]
pub struct Used {
    /// The name.
    pub name: Ident,
    /// What is done to what it stands for.
    pub how: How,
}

/// What is done to what a name stands for, as far as tokens say it.
#[derive(Clone)]
pub enum How {
    /// Nothing that is seen.
    Looked,
    /// It is assigned, or `&mut` of it taken.
    Changed,
    /// A method of it is called.
    Called(Ident),
}

/// Whether a loop of a function calls macros of its own that may change its variables, or look at those that change.
pub fn hides(function: &ItemFn) -> bool {
    let macros = ByExample::of(&function.block);
    if macros.0.is_empty() {
        return false;
    }
    let mut mutable = Mutable(Vec::new());
    for input in &function.sig.inputs {
        match input {
            FnArg::Typed(of) => {
                if let Pat::Ident(pat) = &*of.pat
                    && matches!(&*of.ty, Type::Reference(of) if of.mutability.is_some())
                {
                    mutable.0.push(pat.ident.to_string());
                }
            }
            FnArg::Receiver(_) => mutable.0.push("self".to_owned()),
        }
    }
    mutable.visit_item_fn(function);
    let mut calls = Calls {
        macros: &macros,
        mutable: &mutable.0,
        loops: 0,
        found: false,
    };
    calls.visit_block(&function.block);
    calls.found
}

/// Variables that may change: those that are declared `mut`.
struct Mutable(Vec<String>);

impl<'a> Visit<'a> for Mutable {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::PatIdent(pat) if pat.mutability.is_some() => {
                self.0.push(pat.ident.to_string())
            }
            _ => node.parts(self),
        }
    }
}

/// The walk over loops for calls of macros.
struct Calls<'a> {
    macros: &'a ByExample,
    mutable: &'a [String],
    /// How many loops stand around.
    loops: usize,
    found: bool,
}

impl<'a> Visit<'a> for Calls<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(e) => {
                let inside = matches!(e, Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_));
                self.loops += usize::from(inside);
                visit::visit_expr(self, e);
                self.loops -= usize::from(inside);
            }
            visit::Node::Macro(mac) if self.loops > 0 => {
                let mut words: Vec<Ident> = mac.path.get_ident().cloned().into_iter().collect();
                identifiers(mac.tokens.clone(), &mut words);
                let mut used = words.iter().flat_map(|name| self.macros.used_by(name));
                self.found |= used.any(|used| {
                    !matches!(used.how, How::Looked)
                        || self.mutable.iter().any(|name| used.name == *name)
                });
            }
            visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// The macros of a function.
#[derive(Clone, Default)]
pub struct ByExample(Vec<(String, Vec<Used>)>);

impl ByExample {
    /// Those that a body declares, wherever that is.
    pub fn of(body: &Block) -> ByExample {
        let mut found = ByExample::default();
        found.visit_block(body);
        found
    }

    /// What a macro uses by itself or by way of others.
    pub fn used_by(&self, name: &Ident) -> Vec<Used> {
        let (mut names, mut all, mut at) = (vec![name.to_string()], Vec::new(), 0);
        while let Some(name) = names.get(at).cloned() {
            for used in self.0.iter().filter(|(of, _)| *of == name) {
                for used in &used.1 {
                    let name = used.name.to_string();
                    if !names.contains(&name) && self.0.iter().any(|(of, _)| *of == name) {
                        names.push(name);
                    }
                    all.push(used.clone());
                }
            }
            at += 1;
        }
        all
    }
}

impl<'a> Visit<'a> for ByExample {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Item(Item::Macro(of)) if of.mac.path.is_ident("macro_rules") => {
                if let Some(name) = &of.ident {
                    let mut used = Vec::new();
                    rules(&of.mac, &mut used);
                    self.0.push((name.to_string(), used));
                }
            }
            // What other items declare sees no variables.
            visit::Node::Item(_) => {}
            _ => node.parts(self),
        }
    }
}

/// What the rules of a macro become: the groups behind `=>`.
fn rules(mac: &Macro, used: &mut Vec<Used>) {
    let tokens: Vec<TokenTree> = mac.tokens.clone().into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token
            && at > 0
            && is(&tokens[at - 1], '>')
        {
            uses(group.stream(), used);
        }
    }
}

fn is(token: &TokenTree, c: char) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == c)
}

/// The names in some tokens, but for the macro's own, `$x`.
fn uses(tokens: TokenStream, used: &mut Vec<Used>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) => {
                let before = at.checked_sub(1).map(|at| &tokens[at]);
                if !before.is_some_and(|token| is(token, '$') || is(token, '.')) {
                    let lent =
                        before.is_some_and(|t| matches!(t, TokenTree::Ident(t) if t == "mut"));
                    let how = match lent {
                        true => How::Changed,
                        false => how(&tokens[at + 1..]),
                    };
                    let name = name.clone();
                    used.push(Used { name, how });
                }
            }
            TokenTree::Group(group) => uses(group.stream(), used),
            TokenTree::Literal(literal) => {
                let mut names = Vec::new();
                inline_arguments(literal, &mut names);
                used.extend(names.into_iter().map(|name| Used {
                    name,
                    how: How::Looked,
                }));
            }
            TokenTree::Punct(_) => {}
        }
    }
}

/// What the tokens behind a name do to what it stands for.
fn how(behind: &[TokenTree]) -> How {
    let mut at = 0;
    loop {
        match &behind[at..] {
            [TokenTree::Group(index), ..] if index.delimiter() == Delimiter::Bracket => at += 1,
            [
                dot,
                TokenTree::Ident(method),
                TokenTree::Group(arguments),
                ..,
            ] if is(dot, '.') && arguments.delimiter() == Delimiter::Parenthesis => {
                return How::Called(method.clone());
            }
            [dot, TokenTree::Ident(_) | TokenTree::Literal(_), ..] if is(dot, '.') => at += 2,
            rest => {
                return match assigns(rest) {
                    true => How::Changed,
                    false => How::Looked,
                };
            }
        }
    }
}

/// Whether tokens begin with `=` or another operator that assigns.
fn assigns(tokens: &[TokenTree]) -> bool {
    let operator: String = tokens
        .iter()
        .map_while(|token| match token {
            TokenTree::Punct(p) => Some(p),
            _ => None,
        })
        .scan(true, |joint, p| {
            let goes_on = std::mem::replace(joint, p.spacing() == Spacing::Joint);
            goes_on.then(|| p.as_char())
        })
        .collect();
    let op = ["+", "-", "*", "/", "%", "^", "&", "|", "<<", ">>", ""];
    operator
        .strip_suffix('=')
        .is_some_and(|op_of| op.contains(&op_of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn names_are_found_with_what_is_done_to_them() {
        let body: Block = parse_quote!({
            macro_rules! one {
                ($a:expr, $b:ident) => {
                    x[0] += $a;
                    y.push(z);
                    w = $b == v;
                    "{u}";
                };
                () => {
                    s.t <<= 1;
                    &mut r;
                    two!()
                };
            }
            {
                macro_rules! two {
                    () => {
                        q.0 >= p && *o -= 1
                    };
                }
            }
        });
        let macros = ByExample::of(&body);
        let used = |name: &str| {
            let name = Ident::new(name, proc_macro2::Span::call_site());
            let used = macros
                .used_by(&name)
                .into_iter()
                .map(|used| match used.how {
                    How::Looked => used.name.to_string(),
                    How::Changed => format!("{}=", used.name),
                    How::Called(by) => format!("{}.{by}", used.name),
                });
            used.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(used("one"), "x= y.push z w= v u s= mut r= two q p o=");
        assert_eq!(used("two"), "q p o=");
        assert_eq!(used("three"), "");
    }
}
