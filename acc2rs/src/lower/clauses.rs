//! The expressions of directives, lowered in the scope they stand in.

use lang_c::ast;
use lang_c::driver::{Config, parse_preprocessed};
use lang_c::span::Node;

use super::{Lowered, Lowerer, Symbol, fail};
use crate::clause::{ClauseKind, Written};
use crate::codes;
use crate::diag::Diagnostic;
use crate::directive::Directive;
use crate::lex::{self, Kind};
use crate::typed::Expr;

impl Lowerer<'_> {
    /// The directive with its expressions typed; `None` after a mistake has been reported.
    pub(super) fn directive(&mut self, written: &Directive<Written>) -> Option<Directive<Expr>> {
        let mut clean = written.clone();
        clean.clauses.retain(|c| self.names_known(&c.kind));
        let mut first = None;
        let typed = clean.try_map(&mut |w: &Written| match self.written(w) {
            Ok(expr) => Ok(expr),
            Err(diagnostic) => {
                first = Some(diagnostic);
                Err(())
            }
        });
        if let Some(diagnostic) = first {
            self.report(*diagnostic);
        }
        typed.ok()
    }

    /// Whether the variables of a clause are in scope; reports those that are not.
    fn names_known(&mut self, kind: &ClauseKind<Written>) -> bool {
        let vars = match kind {
            ClauseKind::Data { vars, .. } | ClauseKind::Reduction { vars, .. } => vars,
            _ => return true,
        };
        let mut known = true;
        for section in vars {
            if !matches!(self.lookup(&section.name), Some(Symbol::Var(_))) {
                let message = format!("`{}` is not a variable in scope", section.name);
                self.report(Diagnostic::new(codes::UNKNOWN_NAME, section.span, message).help("check the spelling; the clause comes before the block whose variables it cannot see"));
                known = false;
            }
        }
        known
    }

    fn written(&mut self, written: &Written) -> Lowered<Expr> {
        let tokens = lex::tokens(&written.text);
        let mut prefix = String::new();
        for token in tokens.iter().filter(|t| t.kind == Kind::Ident) {
            let is_type = matches!(self.lookup(token.text), Some(Symbol::Typedef { .. }));
            if is_type && !prefix.contains(&format!(" {};", token.text)) {
                prefix.push_str(&format!("typedef int {};", token.text));
            }
        }
        prefix.push_str("void f(void){(");
        let depth = tokens
            .iter()
            .filter(|t| t.is("(") || t.is("[") || t.is("{"))
            .count();
        let wrong = || {
            let message = format!("`{}` is not an expression of C", written.text);
            fail(
                codes::CLAUSE_EXPRESSION,
                written.span,
                message,
                "write an expression of integers and variables",
            )
        };
        if depth > crate::frontend::DEEPEST
            || tokens
                .iter()
                .any(|t| t.is("{") || t.is("}") || t.is(";") || t.is("#"))
        {
            return wrong();
        }
        let unit = match parse_preprocessed(
            &Config::with_gcc(),
            format!("{prefix}{});}}", written.text),
        ) {
            Ok(parsed) => parsed.unit,
            Err(_) => return wrong(),
        };
        let Some(expression) = only_expression(&unit) else {
            return wrong();
        };
        let outer = std::mem::replace(
            &mut self.shift,
            i64::from(written.span.lo) - prefix.len() as i64,
        );
        let result = self.expr(expression);
        self.shift = outer;
        result
    }
}

/// The expression of the one statement of the last function.
fn only_expression(unit: &ast::TranslationUnit) -> Option<&Node<ast::Expression>> {
    let ast::ExternalDeclaration::FunctionDefinition(function) = &unit.0.last()?.node else {
        return None;
    };
    let ast::Statement::Compound(items) = &function.node.statement.node else {
        return None;
    };
    let [
        Node {
            node: ast::BlockItem::Statement(statement),
            ..
        },
    ] = &items[..]
    else {
        return None;
    };
    match &statement.node {
        ast::Statement::Expression(Some(e)) => Some(e),
        _ => None,
    }
}
