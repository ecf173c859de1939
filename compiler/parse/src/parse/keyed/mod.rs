//! Maps and sets that a loop's body groups by keys and does nothing else with: `*counts.entry(k).or_insert(0) += 1`, `seen.insert(x);`.
//!
//! A map's statements are read whole: an entry with what is done to its value at once, or by a name, `let e = m.entry(k).or_default(); e.n += 1;`. What they do
//! says how the maps of parts are merged ([`Does`]), and all statements of a map have to do the same. Parts run the statements as they are, each on a map that begins
//! empty, so what an entry begins with has to be the same in all iterations, which the runtime then asks to change nothing, or it is the item itself,
//! which is combined with what others have made of the key: `or_insert(v)` where the entry is a maximum of `v`, `and_modify(|n| *n += v).or_insert(v)`.

use std::ptr::from_ref;

use quote::ToTokens;
use syn::{Block, Expr, ExprForLoop, Local, Member, Stmt};

use super::known;
use super::names::{self, Key};
use super::outer::OuterScope;
use crate::parsed::keyed::{Does, Keyed};
use crate::syntax::visit::{self, Visit};
use crate::syntax::{Shape, without_parens};

mod lookups;
mod places;
mod roles;
mod statements;

use places::parts;

/// The maps of a loop.
#[derive(Default)]
pub(super) struct Found<'a> {
    /// The maps.
    pub maps: Vec<Keyed>,
    /// Their statements, by the addresses of their expressions or `let`s, with what each computes that is no map: keys, values, indices.
    pub statements: Vec<(*const (), Vec<&'a Expr>)>,
    /// Names for entries, and for nothing else.
    pub names: Vec<String>,
    /// Maps whose statements are of these kinds, and why they cannot be merged.
    pub refused: Vec<(Key, String)>,
}

/// The maps of a loop that are declared outside it.
pub(super) fn keyed<'a>(syntax: &'a ExprForLoop, outer: &OuterScope) -> Found<'a> {
    let mut found = find(syntax);
    let declared =
        |of: &Expr| names::root_of(of).is_some_and(|root| outer.get(&root.to_string()).is_some());
    if found.maps.iter().any(|map| !declared(&map.place)) {
        found = Found::default();
    }
    found
}

/// Whether a loop groups by keys what is declared as a map or a set of the standard library.
pub(super) fn groups_declared(syntax: &ExprForLoop, outer: &OuterScope) -> bool {
    let is_map = |map: &Keyed| {
        let declared = names::root_of(&map.place).and_then(|root| outer.get(&root.to_string()));
        let Some(Shape::Elem(syn::Type::Path(ty))) = declared.map(|outer| &outer.shape) else {
            return false;
        };
        let name = ty.path.segments.last().map(|name| name.ident.to_string());
        let maps = ["HashMap", "BTreeMap", "HashSet", "BTreeSet"];
        name.is_some_and(|name| maps.contains(&name.as_str()))
    };
    find(syntax).maps.iter().any(is_map)
}

/// The maps of a loop, wherever they are declared.
pub(super) fn find(syntax: &ExprForLoop) -> Found<'_> {
    let mut finder = Finder::new(syntax);
    finder.visit_block(&syntax.body);
    let mut header = Finder::new(syntax);
    header.closures = 1;
    header.visit_expr(&syntax.expr);
    finder.others.append(&mut header.others);
    let bound = names::bound_names(&syntax.pat);
    let bound = bound.iter().map(|name| Key::name(name.to_string()));
    finder.others.extend(bound);
    finder.found()
}

/// A step from a value to a part of it.
#[derive(Clone, Copy)]
enum Step<'a> {
    Field(&'a Member),
    Nth(usize),
    Element(&'a Expr),
    Entry,
}

impl Step<'_> {
    fn member(&self) -> Option<Member> {
        match self {
            Step::Field(member) => Some((*member).clone()),
            Step::Nth(n) => Some(Member::Unnamed((*n).into())),
            Step::Element(_) | Step::Entry => None,
        }
    }

    fn is(&self, other: &Step<'_>) -> bool {
        match (self, other) {
            (Step::Element(a), Step::Element(b)) => same(a, b),
            (Step::Entry, Step::Entry) => true,
            (a, b) => a.member().is_some() && a.member() == b.member(),
        }
    }
}

/// A part of a map's values.
#[derive(Clone)]
struct At<'a> {
    map: usize,
    path: Vec<Step<'a>>,
    /// What is computed on the way.
    operands: Vec<&'a Expr>,
    /// The entries on the way: how deep each is, and what it begins with.
    begins: Vec<(usize, Expr)>,
    /// The name by which it is reached.
    name: Option<usize>,
}

/// A name for a part of a map's values.
struct Name<'a> {
    text: String,
    map: usize,
    path: Vec<Step<'a>>,
    /// The entry that it is of, by the number of what it begins with.
    begin: Option<usize>,
    /// The block that it stands in.
    block: usize,
    /// Whether every iteration that comes to it comes to what stands here in its block.
    straight: bool,
}

/// What an entry begins with.
struct Begin<'a> {
    map: usize,
    path: Vec<Step<'a>>,
    value: Expr,
}

/// What a statement does to a part of a map's values.
struct Touch<'a> {
    map: usize,
    path: Vec<Step<'a>>,
    does: Does,
    /// What it combines with, if it is run wherever the entry is come to, or wherever the entry does not begin there.
    item: Option<(&'a Expr, When)>,
    begin: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// Always.
    Always,
    /// Where the entry was there.
    Else,
}

/// A part of a map's values, what is done to it if anything is, and what is combined into it.
type Touched<'a> = (At<'a>, Option<(Does, Option<&'a Expr>)>);

/// A statement of a map.
#[derive(Default)]
struct Statement<'a> {
    operands: Vec<&'a Expr>,
    touches: Vec<Touched<'a>>,
    when: Option<When>,
}

impl Statement<'_> {
    /// Whether nothing that it computes assigns anything, and what it computes in some iterations alone ends none of them.
    fn only_takes(&self) -> bool {
        let always = self.when.is_none();
        self.operands.iter().all(|operand| {
            let mut leaves = Leaves::default();
            leaves.visit_expr(operand);
            assigns_nothing(operand) && (always || !leaves.0)
        })
    }
}

fn assigns_nothing(operand: &Expr) -> bool {
    names::free_names(operand).assignments.is_empty()
}

/// A statement that does one thing to a part of a map's values.
fn touch<'a>(at: At<'a>, does: Does, item: Option<&'a Expr>) -> Statement<'a> {
    Statement {
        operands: at.operands.iter().copied().chain(item).collect(),
        touches: vec![(at, Some((does, item)))],
        when: None,
    }
}

struct Finder<'a> {
    maps: Vec<(Key, Expr)>,
    statements: Vec<(*const (), Vec<&'a Expr>, usize)>,
    names: Vec<Name<'a>>,
    all_names: Vec<String>,
    begins: Vec<Begin<'a>>,
    touches: Vec<Touch<'a>>,
    /// What is mentioned otherwise, or bound in the body.
    others: Vec<Key>,
    refused: Vec<(usize, String)>,
    /// What is asked of a map where it is changed.
    asked: Vec<Key>,
    closures: usize,
    blocks: Vec<usize>,
    block_count: usize,
    /// The names that the loop binds, or assigns.
    varying: Vec<String>,
    /// Those that change in an iteration.
    changing: Vec<String>,
}

impl<'a> Finder<'a> {
    fn new(syntax: &'a ExprForLoop) -> Self {
        let mut bound = Bound::default();
        bound.visit_pat(&syntax.pat);
        bound.visit_block(&syntax.body);
        let free = names::free_names_of_body(&syntax.pat, &syntax.body);
        let assigned = free.assignments.iter().map(|of| of.root.to_string());
        let assigned: Vec<String> = assigned.collect();
        let mut varying = bound.all;
        varying.extend(assigned.iter().cloned());
        let mut changing = bound.mutable;
        changing.extend(assigned);
        Finder {
            maps: Vec::new(),
            statements: Vec::new(),
            names: Vec::new(),
            all_names: Vec::new(),
            begins: Vec::new(),
            touches: Vec::new(),
            others: Vec::new(),
            refused: Vec::new(),
            asked: Vec::new(),
            closures: 0,
            blocks: Vec::new(),
            block_count: 0,
            varying,
            changing,
        }
    }

    /// Takes a statement in.
    fn take(&mut self, address: *const (), statement: Statement<'a>) {
        let Statement {
            operands,
            touches,
            when,
        } = statement;
        let Some(map) = touches.first().map(|(at, _)| at.map) else {
            return;
        };
        let mut last = None;
        for (at, touched) in touches {
            let anew = !at.begins.is_empty();
            let begin = match at.name {
                _ if anew => self.begin(&at),
                Some(name) => self.names[name].begin,
                None => last,
            };
            last = begin;
            let straight = match at.name.filter(|_| !anew) {
                Some(name) => {
                    let name = &self.names[name];
                    name.straight && Some(&name.block) == self.blocks.last()
                }
                None => true,
            };
            let At { map, path, .. } = at;
            let (does, item) = match touched {
                Some((does, item)) => (does, item),
                None => (Does::default(), None),
            };
            // What a part has not assigned would stand for what parts before it have.
            let mut value = path
                .iter()
                .rev()
                .take_while(|step| !matches!(step, Step::Entry));
            let one_of_many = value.any(|step| matches!(step, Step::Element(_)));
            if matches!(does, Does::Replaces) && (!straight || one_of_many) {
                let why = match straight {
                    true => "one element of an entry's value is assigned anew, and not the others",
                    false => {
                        "whether an entry's value is assigned anew differs from one iteration to the next"
                    }
                };
                self.refused.push((map, why.to_owned()));
            }
            let when = when.unwrap_or(When::Always);
            let item = item.filter(|_| straight).map(|item| (item, when));
            self.touches.push(Touch {
                map,
                path,
                does,
                item,
                begin,
            });
        }
        // In them nothing else may be done with a map.
        operands.iter().for_each(|operand| self.visit_expr(operand));
        self.statements.push((address, operands, map));
    }

    /// Notes what the entries on a way begin with: the number of the last.
    fn begin(&mut self, at: &At<'a>) -> Option<usize> {
        let mut last = None;
        for (depth, value) in &at.begins {
            last = Some(self.begins.len());
            self.begins.push(Begin {
                map: at.map,
                path: at.path[..*depth].to_vec(),
                value: value.clone(),
            });
        }
        last
    }

    /// A `let` of names for a part of a map's values.
    fn bound(&mut self, local: &'a Local) -> bool {
        let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else {
            return false;
        };
        // What is behind a dereference is a copy.
        match without_parens(&init.expr) {
            Expr::MethodCall(_) => {}
            Expr::Reference(e) if e.mutability.is_some() => {}
            _ => return false,
        }
        let at = self.at(&init.expr);
        let Some(at) = at.filter(|at| at.operands.iter().all(|e| assigns_nothing(e))) else {
            return false;
        };
        let Some(parts) = parts(&local.pat) else {
            return false;
        };
        let (map, path, operands) = (at.map, at.path.clone(), at.operands.clone());
        let begin = match at.name.filter(|_| at.begins.is_empty()) {
            Some(name) => self.names[name].begin,
            None => self.begin(&at),
        };
        self.touches.push(Touch {
            map,
            path: path.clone(),
            does: Does::default(),
            item: None,
            begin,
        });
        operands.iter().for_each(|operand| self.visit_expr(operand));
        self.statements
            .push((from_ref(local).cast(), operands, map));
        for (text, step) in parts {
            let mut path = path.clone();
            path.extend(step);
            self.all_names.push(text.clone());
            self.names.push(Name {
                text,
                map,
                path,
                begin,
                block: self.blocks.last().copied().unwrap_or_default(),
                straight: true,
            });
        }
        true
    }

    fn block(&mut self, block: &'a Block) {
        let outer = self.names.len();
        self.block_count += 1;
        self.blocks.push(self.block_count);
        let mut stmts = block.stmts.iter().enumerate();
        while let Some((n, stmt)) = stmts.next() {
            match stmt {
                Stmt::Local(local) if self.bound(local) => {}
                Stmt::Local(local) if self.put_behind(block, local, n + 1) => drop(stmts.next()),
                Stmt::Expr(e, semi) => self.one(e, semi.is_some()),
                stmt => self.visit_stmt(stmt),
            }
            let mut leaves = Leaves::default();
            leaves.visit_stmt(stmt);
            if leaves.0 {
                self.names.iter_mut().for_each(|name| name.straight = false);
            }
        }
        self.blocks.pop();
        self.names.truncate(outer);
    }

    /// An expression in the place of a statement.
    fn one(&mut self, e: &'a Expr, dropped: bool) {
        let maps = self.maps.len();
        match self.statement(e, dropped).filter(Statement::only_takes) {
            Some(statement) => self.take(from_ref(without_parens(e)).cast(), statement),
            None => {
                self.maps.truncate(maps);
                self.visit_expr(e);
            }
        }
    }
}

impl<'a> Visit<'a> for Finder<'a> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Block(block) if self.closures == 0 => self.block(block),
            visit::Node::Arm(arm) if self.closures == 0 => {
                self.visit_pat(&arm.pat);
                self.one(&arm.body, false);
            }
            visit::Node::Expr(e) => match e {
                Expr::Path(_) | Expr::Field(_) => {
                    if let Some(name) = names::root_of(e) {
                        let name = name.to_string();
                        let entry = self.names.iter().rfind(|of| of.text == name);
                        if let Some(entry) = entry {
                            let why = format!(
                                "the value of an entry, `{name}`, is used in other ways, too"
                            );
                            self.refused.push((entry.map, why));
                        }
                    }
                    match names::key_of(e) {
                        Some((key, false)) => self.others.push(key),
                        _ => visit::visit_expr(self, e),
                    }
                }
                Expr::MethodCall(call) if call.method == "insert" || call.method == "entry" => {
                    if let Some((key, false)) = names::key_of(&call.receiver) {
                        self.asked.push(key);
                    }
                    visit::visit_expr(self, e);
                }
                Expr::Closure(_) => {
                    self.closures += 1;
                    visit::visit_expr(self, e);
                    self.closures -= 1;
                }
                e => visit::visit_expr(self, e),
            },
            visit::Node::PatIdent(pat) => {
                let name = pat.ident.to_string();
                if let Some(entry) = self.names.iter().rfind(|of| of.text == name) {
                    let why = format!("`{name}` is a name for an entry, and for something else");
                    self.refused.push((entry.map, why));
                }
                self.others.push(Key::name(name));
                visit::visit_pat_ident(self, pat);
            }
            visit::Node::Macro(mac) => {
                let mut found = Vec::new();
                names::identifiers(mac.tokens.to_token_stream(), &mut found);
                for name in found {
                    let name = name.to_string();
                    if let Some(entry) = self.names.iter().rfind(|of| of.text == name) {
                        let why =
                            format!("the value of an entry, `{name}`, is used in other ways, too");
                        self.refused.push((entry.map, why));
                    }
                    self.others.push(Key::name(name));
                }
            }
            _ => node.parts(self),
        }
    }
}

/// The names that a loop binds, and those that are `mut`.
#[derive(Default)]
struct Bound {
    all: Vec<String>,
    mutable: Vec<String>,
}

impl<'a> Visit<'a> for Bound {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::PatIdent(pat) => {
                let name = pat.ident.to_string();
                if pat.mutability.is_some() {
                    self.mutable.push(name.clone());
                }
                self.all.push(name);
                visit::visit_pat_ident(self, pat);
            }
            visit::Node::Item(item) => {
                self.all.extend(names::declared(item));
                node.parts(self);
            }
            _ => node.parts(self),
        }
    }
}

/// Whether something may go on elsewhere than behind it.
#[derive(Default)]
struct Leaves(bool);

impl<'a> Visit<'a> for Leaves {
    fn visit(&mut self, node: visit::Node<'a>) {
        match &node {
            visit::Node::Expr(
                Expr::Break(_) | Expr::Continue(_) | Expr::Return(_) | Expr::Try(_),
            ) => self.0 = true,
            visit::Node::Macro(mac) => self.0 |= !known::is_known_macro(mac),
            _ => {}
        }
        node.parts(self);
    }
}

/// Whether two expressions are written alike, whatever stands between their tokens.
fn same(a: &Expr, b: &Expr) -> bool {
    let text = |e: &Expr| without_parens(e).to_token_stream().to_string();
    text(a)
        .split_whitespace()
        .flat_map(str::chars)
        .eq(text(b).split_whitespace().flat_map(str::chars))
}
