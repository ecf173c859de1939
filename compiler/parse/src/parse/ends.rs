//! Both ends of what a loop sees, where the second is asked for only if the item is not the first.
//!
//! ```text
//! if x < lo { lo = x; } else if x > hi { hi = x; }
//! ```
//!
//! Where `lo <= hi` before the loop it stays so, since each moves outwards alone. An item below `lo` is not above `hi` then, and the second condition may be
//! asked for by itself: these are two best items. Where it does not hold, the first item moves one end only, and the loop goes in order. After `let mut lo = MAX` it
//! always would, so that the loop is left as it is, and refused.

use crate::sorted::SortedSet;

use quote::ToTokens;
use syn::{BinOp, Block, Expr, ExprForLoop, ExprIf, ItemFn, Pat, Stmt, parse_quote};

use super::idioms::same;
use super::names::{identifiers, root_of};
use super::sites::is_assignment;
use crate::parsed::fields::Bound;
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{only_computes, without_parens};

/// Two variables from outside a loop.
pub(super) struct Ends {
    pub(super) least: Expr,
    pub(super) most: Expr,
}

/// A condition under which an item becomes an end.
struct Moved<'a> {
    item: &'a Expr,
    end: &'a Expr,
    /// Whether the end is the least item.
    least: bool,
}

impl Ends {
    /// Asks for the second of two ends by itself wherever a loop does not, and says which those are.
    pub(super) fn part(of: &mut ExprForLoop, beyond: &SortedSet<String>) -> Vec<Ends> {
        let mut bound = beyond.clone();
        Bound(&mut |name| {
            bound.insert(name.clone());
        })
        .visit_expr_for_loop(of);
        let whole = of.body.clone();
        let mut parts = Parts {
            whole: &whole,
            bound: &bound,
            found: Vec::new(),
        };
        parts.visit_block_mut(&mut of.body);
        parts.found
    }

    /// Where the loop goes in order, for people.
    pub(super) fn why(&self) -> String {
        let text = |e: &Expr| e.to_token_stream().to_string().replace(' ', "");
        let (least, most) = (text(&self.least), text(&self.most));
        format!("where `{least}` is greater than `{most}` before it")
    }
}

/// The variables of a function that begin with the least or the greatest number of their type.
pub(super) fn beyond(function: &ItemFn) -> SortedSet<String> {
    #[derive(Default)]
    struct Finder(SortedSet<String>);
    impl Finder {
        fn bind(&mut self, pat: &Pat, value: &Expr) {
            match (pat, without_parens(value)) {
                (Pat::Type(of), value) => self.bind(&of.pat, value),
                (Pat::Tuple(pats), Expr::Tuple(values)) => {
                    let pairs = pats.elems.iter().zip(&values.elems);
                    pairs.for_each(|(pat, value)| self.bind(pat, value));
                }
                (Pat::Ident(name), Expr::Path(path)) => {
                    let last = path.path.segments.last();
                    let ends = ["MAX", "MIN", "INFINITY", "NEG_INFINITY"];
                    if last.is_some_and(|last| ends.iter().any(|end| last.ident == end)) {
                        self.0.insert(name.ident.to_string());
                    }
                }
                _ => {}
            }
        }
    }
    impl<'a> Visit<'a> for Finder {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Local(local) => {
                    if let Some(init) = &local.init {
                        self.bind(&local.pat, &init.expr);
                    }
                    visit::visit_local(self, local);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder::default();
    finder.visit_block(&function.block);
    finder.0
}

struct Parts<'a> {
    /// The body of the loop.
    whole: &'a Block,
    /// What is bound in the loop, or is beyond all items before it.
    bound: &'a SortedSet<String>,
    found: Vec<Ends>,
}

impl Parts<'_> {
    /// The ends that two conditions move, if nothing else does.
    fn ends(&self, of: &ExprIf, otherwise: &ExprIf) -> Option<Ends> {
        if otherwise.else_branch.is_some() {
            return None;
        }
        let (one, other) = (moved(of)?, moved(otherwise)?);
        let outside = |end: &Expr| {
            let root = root_of(end).map(ToString::to_string);
            root.is_some_and(|root| !self.bound.contains(&root))
        };
        let apart = one.least != other.least && same(one.item, other.item);
        let ends = [one.end, other.end];
        if !apart || !only_computes(one.item) || !ends.into_iter().all(outside) {
            return None;
        }
        // Each is assigned at one place, and so is nothing that the item is made of.
        let once = |end: &Expr| assignments(self.whole, end) == Some(1);
        let mut words = Vec::new();
        identifiers(one.item.to_token_stream(), &mut words);
        let mut again = false;
        let mut binds = Bound(&mut |name| again |= words.iter().any(|word| word == name));
        binds.visit_block(&of.then_branch);
        binds.visit_block(&otherwise.then_branch);
        let stays = !again
            && words
                .iter()
                .all(|word| assignments(&of.then_branch, &parse_quote!(#word)) == Some(0));
        if !ends.into_iter().all(once) || !stays {
            return None;
        }
        let [least, most] = match one.least {
            true => ends,
            false => [other.end, one.end],
        };
        Some(Ends {
            least: least.clone(),
            most: most.clone(),
        })
    }
}

/// `if item < end { end = item; .. }`, either way round.
fn moved(of: &ExprIf) -> Option<Moved<'_>> {
    let Expr::Binary(compared) = without_parens(&of.cond) else {
        return None;
    };
    let (left, right) = (
        without_parens(&compared.left),
        without_parens(&compared.right),
    );
    let less = match compared.op {
        BinOp::Lt(_) => true,
        BinOp::Gt(_) => false,
        _ => return None,
    };
    of.then_branch.stmts.iter().find_map(|stmt| {
        let Stmt::Expr(Expr::Assign(assigned), _) = stmt else {
            return None;
        };
        let (end, item) = (
            without_parens(&assigned.left),
            without_parens(&assigned.right),
        );
        let is_variable = match end {
            Expr::Path(_) => true,
            Expr::Unary(of) => matches!(of.op, syn::UnOp::Deref(_)),
            _ => false,
        };
        let item_first = same(left, item) && same(right, end);
        let end_first = same(left, end) && same(right, item);
        (is_variable && (item_first || end_first)).then_some(Moved {
            item,
            end,
            least: less == item_first,
        })
    })
}

/// How often a block assigns to what a place stands for; `None` where it may do so otherwise, by reference or in a macro.
fn assignments(block: &Block, place: &Expr) -> Option<usize> {
    struct Finder<'a> {
        root: &'a syn::Ident,
        count: usize,
        unseen: bool,
    }
    impl Finder<'_> {
        fn words(&mut self, tokens: proc_macro2::TokenStream) {
            let mut words = Vec::new();
            identifiers(tokens, &mut words);
            self.unseen |= words.iter().any(|word| word == self.root);
        }
    }
    impl<'a> Visit<'a> for Finder<'_> {
        fn visit(&mut self, node: visit::Node<'a>) {
            match node {
                visit::Node::Expr(e) => {
                    match e {
                        Expr::Assign(of) if root_of(&of.left).is_none() => {
                            self.words(of.left.to_token_stream());
                        }
                        Expr::Assign(syn::ExprAssign { left, .. })
                        | Expr::Binary(syn::ExprBinary { left, .. })
                            if is_assignment(e) =>
                        {
                            self.count += usize::from(root_of(left) == Some(self.root));
                        }
                        Expr::Reference(of) if of.mutability.is_some() => {
                            self.unseen |= root_of(&of.expr) == Some(self.root);
                        }
                        // It may be changed where it stands.
                        Expr::MethodCall(of) => {
                            self.unseen |= root_of(&of.receiver) == Some(self.root)
                        }
                        Expr::Closure(_) => self.words(e.to_token_stream()),
                        _ => {}
                    }
                    visit::visit_expr(self, e);
                }
                visit::Node::Macro(mac) => {
                    self.words(mac.tokens.clone());
                }
                _ => node.parts(self),
            }
        }
    }
    let mut finder = Finder {
        root: root_of(place)?,
        count: 0,
        unseen: false,
    };
    finder.visit_block(block);
    (!finder.unseen).then_some(finder.count)
}

impl VisitMut for Parts<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Block(block) => {
                visit_mut::visit_block_mut(self, block);
                let stmts = std::mem::take(&mut block.stmts);
                for stmt in stmts {
                    let Stmt::Expr(Expr::If(of), semicolon) = &stmt else {
                        block.stmts.push(stmt);
                        continue;
                    };
                    let otherwise = match &of.else_branch {
                        Some((_, otherwise)) => match &**otherwise {
                            Expr::If(otherwise) => Some(otherwise),
                            _ => None,
                        },
                        None => None,
                    };
                    let ends = otherwise.and_then(|otherwise| self.ends(of, otherwise));
                    let (Some(ends), Some(otherwise)) = (ends, otherwise) else {
                        block.stmts.push(stmt);
                        continue;
                    };
                    self.found.push(ends);
                    let mut first = of.clone();
                    first.else_branch = None;
                    block.stmts.push(Stmt::Expr(Expr::If(first), None));
                    let second = Expr::If(otherwise.clone());
                    block.stmts.push(Stmt::Expr(second, *semicolon));
                }
            }
            visit_mut::Node::Item(_) => {}
            visit_mut::Node::ExprClosure(_) => {}
            _ => node.parts(self),
        }
    }
}
