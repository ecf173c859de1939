//! Parts of a map's values, as expressions say them: an entry, a name for one, a field of it.

use syn::{Expr, Member, Pat, UnOp, parse_quote};

use super::{At, Finder, Step};
use crate::parse::names;
use crate::syntax::without_parens;

impl<'a> Finder<'a> {
    pub(super) fn name(&self, e: &Expr) -> Option<usize> {
        let Expr::Path(path) = without_parens(e) else {
            return None;
        };
        let text = path.path.get_ident()?.to_string();
        self.names.iter().rposition(|name| name.text == text)
    }

    /// The part of a map's values that an expression is, by any number of references.
    pub(super) fn at(&mut self, e: &'a Expr) -> Option<At<'a>> {
        match e {
            Expr::Paren(e) => self.at(&e.expr),
            Expr::Group(e) => self.at(&e.expr),
            Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) => self.at(&e.expr),
            Expr::Reference(e) if e.mutability.is_some() => self.at(&e.expr),
            Expr::Path(_) => {
                let n = self.name(e)?;
                let name = &self.names[n];
                Some(At {
                    map: name.map,
                    path: name.path.clone(),
                    operands: Vec::new(),
                    begins: Vec::new(),
                    name: Some(n),
                })
            }
            Expr::Field(e) => {
                let mut at = self.at(&e.base)?;
                at.path.push(Step::Field(&e.member));
                Some(at)
            }
            Expr::Index(e) => {
                let mut at = self.at(&e.expr)?;
                at.path.push(Step::Element(&e.index));
                at.operands.push(&e.index);
                Some(at)
            }
            // Of an entry that is there.
            Expr::MethodCall(call)
                if (call.method == "get_mut" || call.method == "into_mut")
                    && call.args.is_empty() =>
            {
                self.name(&call.receiver)?;
                self.at(&call.receiver)
            }
            Expr::MethodCall(call) => {
                let args: Vec<&Expr> = call.args.iter().collect();
                let mut operands = Vec::new();
                let begin: Expr = match (call.method.to_string().as_str(), args.as_slice()) {
                    ("or_default", []) => parse_quote!(::core::default::Default::default()),
                    ("or_insert", [value]) => {
                        operands.push(*value);
                        (*value).clone()
                    }
                    ("or_insert_with", [made]) => match without_parens(made) {
                        Expr::Path(made) => parse_quote!(#made()),
                        Expr::Closure(made) if made.inputs.is_empty() => {
                            operands.push(args[0]);
                            (*made.body).clone()
                        }
                        _ => return None,
                    },
                    _ => return None,
                };
                let Expr::MethodCall(entry) = without_parens(&call.receiver) else {
                    return None;
                };
                let mut at = self.entry(entry)?;
                at.operands.extend(operands);
                at.begins.push((at.path.len(), begin));
                Some(at)
            }
            _ => None,
        }
    }

    /// The value that `m.entry(k)` leads to.
    pub(super) fn entry(&mut self, call: &'a syn::ExprMethodCall) -> Option<At<'a>> {
        if call.method != "entry" || call.args.len() != 1 {
            return None;
        }
        let mut at = self.table(&call.receiver)?;
        at.operands.extend(&call.args);
        at.path.push(Step::Entry);
        Some(at)
    }

    /// The map that an expression is, one from outside or a part of another's values.
    pub(super) fn table(&mut self, e: &'a Expr) -> Option<At<'a>> {
        if let Some(at) = self.at(e) {
            return Some(at);
        }
        let (key, false) = names::key_of(e)? else {
            return None;
        };
        let known = self.maps.iter().position(|(known, _)| *known == key);
        let map = known.unwrap_or_else(|| {
            let mut place = without_parens(e);
            while let Expr::Reference(syn::ExprReference { expr, .. }) = place {
                place = without_parens(expr);
            }
            self.maps.push((key, place.clone()));
            self.maps.len() - 1
        });
        Some(At {
            map,
            path: Vec::new(),
            operands: Vec::new(),
            begins: Vec::new(),
            name: None,
        })
    }

    /// Whether two expressions are one part of a map's values.
    pub(super) fn is_at(&mut self, e: &'a Expr, at: &At<'a>) -> bool {
        let Some(name) = at.name else {
            return false;
        };
        let Some(other) = self.at(e) else {
            return false;
        };
        other.name == Some(name)
            && other.path.len() == at.path.len()
            && other.path.iter().zip(&at.path).all(|(a, b)| a.is(b))
    }

    /// Whether an expression is a part of a map's values, or a field of it: which.
    pub(super) fn below(&mut self, e: &'a Expr, at: &At<'a>) -> Option<Option<Member>> {
        if self.is_at(e, at) {
            return Some(None);
        }
        match without_parens(e) {
            Expr::Field(field) if self.is_at(&field.base, at) => Some(Some(field.member.clone())),
            _ => None,
        }
    }
}

/// The names of a pattern for a value, or for the parts of a tuple.
pub(super) fn parts<'a>(pat: &'a Pat) -> Option<Vec<(String, Option<Step<'a>>)>> {
    let Pat::Tuple(of) = pat else {
        return Some(vec![(names::whole(pat)?.to_string(), None)]);
    };
    let parts = of.elems.iter().enumerate();
    let parts = parts.filter(|(_, part)| !matches!(part, Pat::Wild(_)));
    let parts = parts.map(|(n, part)| Some((names::whole(part)?.to_string(), Some(Step::Nth(n)))));
    parts.collect()
}
