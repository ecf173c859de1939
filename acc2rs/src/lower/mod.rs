//! From lang-c's syntax tree and the pragmas beside it to the [`typed`](crate::typed) tree.
//!
//! One [`Lowerer`] takes all units of a run in turn, so that what they share is linked. Mistakes
//! are collected; a statement that cannot be lowered is left out after it has been reported, and
//! nothing is translated from a run with errors.

mod allocators;
mod bits;
mod builtins;
mod byte_views;
mod call;
mod chains;
mod clauses;
mod convert;
pub(crate) use convert::is_null;
mod decl;
mod expr;
mod field_rows;
pub(crate) mod formats;
mod init;
pub(crate) mod lent_rows;
mod literal;
mod margin;
mod operators;
pub(crate) mod rows;
pub(crate) mod sorting;
mod stmt;
mod types;
mod unions;
pub(crate) mod variadic;

use std::collections::{HashMap, HashSet};

use lang_c::ast;

use crate::codes::{self, Code};
use crate::ctypes::{StructId, Type};
use crate::diag::{Diagnostic, Diagnostics};
use crate::directive::Directive;
use crate::preprocess::Unit;
use crate::source::{Place, Sources, Span};
use crate::typed::{Expr, ExprKind, FnId, Program, VarId};

/// What lowering gives where it can fail: the reason is a diagnostic.
pub(crate) type Lowered<T> = Result<T, Box<Diagnostic>>;

/// What a name in scope stands for.
#[derive(Clone, Debug)]
enum Symbol {
    Var(VarId),
    Function(FnId),
    EnumConst(i64),
    Typedef { ty: Type, user: bool },
}

/// The names of a block, a function, or a unit; C keeps tags apart.
#[derive(Default)]
struct Scope {
    names: HashMap<String, Symbol>,
    structs: HashMap<String, StructId>,
}

/// Lowers the units of a run into one program.
pub struct Lowerer<'a> {
    sources: &'a Sources,
    program: Program,
    diagnostics: Diagnostics,
    scopes: Vec<Scope>,
    /// What has external linkage, across units.
    linked: HashMap<String, Symbol>,
    /// Structs by the place they were defined at, so that a header read twice defines them once.
    placed: HashMap<Place, StructId>,
    unit: u32,
    /// Added to lang-c's offsets while an expression of a pragma is lowered.
    shift: i64,
    margin: margin::Margin,
    function: Option<FnId>,
    /// Whether the declaration at hand stands in a system header, whose oddities are passed over.
    system: bool,
}

impl<'a> Lowerer<'a> {
    /// A lowerer for units of these sources.
    pub fn new(sources: &'a Sources) -> Lowerer<'a> {
        Lowerer {
            sources,
            program: Program::default(),
            diagnostics: Diagnostics::default(),
            scopes: Vec::new(),
            linked: HashMap::new(),
            placed: HashMap::new(),
            unit: 0,
            shift: 0,
            margin: margin::Margin::default(),
            function: None,
            system: false,
        }
    }

    /// Lowers one unit.
    pub fn unit(&mut self, unit: &Unit, tree: &ast::TranslationUnit) {
        self.unit = unit.unit;
        self.scopes = vec![Scope::default()];
        let mut report = Vec::new();
        self.margin.start(self.sources, unit, &mut report);
        self.diagnostics.extend(report);
        for (name, found) in &unit.macros {
            self.program
                .macros
                .entry(name.clone())
                .or_insert_with(|| found.clone());
        }
        for node in &tree.0 {
            self.external(node);
        }
        self.directives_at_end();
    }

    /// Whether a function of this name has a body.
    pub fn defines(&self, name: &str) -> bool {
        let function = self.program.find_function(name);
        function.is_some_and(|id| self.program.function(id).body.is_some())
    }

    /// The program, and what was found wrong with it.
    pub fn finish(mut self) -> (Program, Diagnostics) {
        self.rename();
        variadic::format_first(&mut self.program, &mut self.diagnostics);
        chains::split(&mut self.program);
        formats::numbers(&mut self.program);
        unions::numbers(&mut self.program);
        bits::read(&mut self.program);
        byte_views::read(&mut self.program);
        allocators::unwrap(&mut self.program);
        rows::separate(&mut self.program);
        field_rows::separate(&mut self.program);
        sorting::typed_comparisons(&mut self.program);
        (self.program, self.diagnostics)
    }

    /// Functions of one name that several files keep for themselves get names of their own.
    fn rename(&mut self) {
        let mut taken: HashSet<String> = HashSet::new();
        // Names that other files see stay.
        for f in self.program.functions.iter().filter(|f| !f.internal) {
            taken.insert(f.name.clone());
        }
        for f in self.program.functions.iter_mut().filter(|f| f.internal) {
            while !taken.insert(f.name.clone()) {
                f.name.push_str("_2");
            }
        }
    }

    fn span(&self, span: lang_c::span::Span) -> Span {
        let at = |offset: usize| u32::try_from(offset as i64 + self.shift).unwrap_or(0);
        Span {
            unit: self.unit,
            lo: at(span.start),
            hi: at(span.end),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.system {
            self.diagnostics.push(diagnostic);
        }
    }

    fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|s| s.names.get(name))
    }

    fn declare(&mut self, name: &str, symbol: Symbol) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.to_string(), symbol);
        }
    }

    fn at_top(&self) -> bool {
        self.scopes.len() == 1
    }

    fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::default());
        let out = f(self);
        self.scopes.pop();
        out
    }

    fn directives_at_end(&mut self) {
        let rest = self.margin.directives_before(usize::MAX);
        for directive in rest {
            self.top_directive(directive);
        }
    }

    /// A directive that stands outside functions.
    fn top_directive(&mut self, directive: Directive<crate::clause::Written>) {
        use crate::directive::DirectiveKind as D;
        if !matches!(directive.kind, D::Declare | D::Routine) {
            let message = format!("`acc {}` outside a function", directive.kind);
            self.report(
                Diagnostic::new(codes::MISPLACED_DIRECTIVE, directive.span, message)
                    .help("move it into a function"),
            );
            return;
        }
        let span = directive.span;
        if let Some(typed) = self.directive(&directive) {
            let kind = crate::typed::ItemKind::Directive(Box::new(typed));
            self.program.items.push(crate::typed::Item {
                kind,
                span,
                comments: Vec::new(),
            });
        }
    }

    fn expr_of(&self, kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr { kind, ty, span }
    }
}

/// A diagnostic as an error.
fn fail<T>(code: Code, span: Span, message: impl Into<String>, help: &str) -> Lowered<T> {
    let found = Diagnostic::new(code, span, message);
    Err(Box::new(if help.is_empty() {
        found
    } else {
        found.help(help)
    }))
}
