//! Initializers (C11 6.7.9): designators and elided braces resolved.

use lang_c::ast;
use lang_c::span::Node;

use super::{Lowered, Lowerer, fail};
use crate::codes;
use crate::ctypes::{Extent, Type};
use crate::typed::{Expr, ExprKind, Init, consts};

type Item = Node<ast::InitializerListItem>;

/// The items of one pair of braces, and how far they are used up.
struct Items<'n> {
    all: &'n [Item],
    at: usize,
}

impl Lowerer<'_> {
    /// An initializer of a variable of type `ty`, and how many elements it gives an array.
    pub(super) fn initializer(
        &mut self,
        ty: &Type,
        node: &Node<ast::Initializer>,
    ) -> Lowered<(Init, Option<u64>)> {
        match &node.node {
            ast::Initializer::Expression(e) => {
                let value = self.expr(e)?;
                if let (Type::Array(of, _), ExprKind::Str(bytes)) = (ty, &value.kind)
                    && of.is_char()
                {
                    let len = bytes.len() as u64 + 1;
                    return Ok((Init::Expr(Box::new(value)), Some(len)));
                }
                if matches!(ty, Type::Array(..)) && matches!(value.kind, ExprKind::Literal(_)) {
                    return Ok((Init::Expr(Box::new(value)), None));
                }
                let value = self.decay(value);
                Ok((Init::Expr(Box::new(self.assigned(value, ty)?)), None))
            }
            ast::Initializer::List(items) => self.list_initializer(ty, items),
        }
    }

    pub(super) fn list_initializer(
        &mut self,
        ty: &Type,
        items: &[Item],
    ) -> Lowered<(Init, Option<u64>)> {
        if let (Type::Array(of, _), [only]) = (ty, items)
            && of.is_char()
            && only.node.designation.is_empty()
            && matches!(&only.node.initializer.node, ast::Initializer::Expression(e) if matches!(e.node, ast::Expression::StringLiteral(_)))
        {
            return self.initializer(ty, &only.node.initializer);
        }
        if !matches!(ty, Type::Array(..) | Type::Struct(_)) {
            return match items.first() {
                Some(item) => self.initializer(ty, &item.node.initializer),
                None => Ok((Init::List(Vec::new()), None)),
            };
        }
        let mut cursor = Items { all: items, at: 0 };
        let list = self.fill(ty, &mut cursor, true)?;
        let len = list.last().map_or(0, |(at, _)| at + 1);
        Ok((Init::List(list), Some(len)))
    }

    /// Takes as many items as `ty` holds; all of them if they are `braced`.
    fn fill(
        &mut self,
        ty: &Type,
        items: &mut Items<'_>,
        braced: bool,
    ) -> Lowered<Vec<(u64, Init)>> {
        let count = match ty {
            Type::Array(_, Extent::Fixed(n)) => *n,
            Type::Array(..) => u64::MAX,
            Type::Struct(id) => self
                .program
                .structure(*id)
                .fields
                .as_ref()
                .map_or(0, |f| f.len() as u64),
            _ => 1,
        };
        let mut out: Vec<(u64, Init)> = Vec::new();
        let mut index = 0u64;
        while let Some(item) = items.all.get(items.at) {
            if let Some((first, rest)) = item.node.designation.split_first() {
                if !braced {
                    break;
                }
                index = self.designated(ty, first)?;
                let part = self.part(ty, index);
                if index >= count {
                    return fail(
                        codes::TYPE_ERROR,
                        self.span(item.span),
                        "a designator past the end",
                        "",
                    );
                }
                items.at += 1;
                let init = self.nested(&part, rest, &item.node.initializer)?;
                put(&mut out, index, init);
                if let ast::Designator::Range(range) = &first.node {
                    let last = self.constant_index(&range.node.to)?;
                    let copy = out
                        .iter()
                        .find(|(at, _)| *at == index)
                        .map(|(_, i)| i.clone());
                    for at in index + 1..=last.min(index.saturating_add(1 << 16)) {
                        if let Some(copy) = &copy {
                            put(&mut out, at, copy.clone());
                        }
                    }
                    index = last;
                }
                index += 1;
                continue;
            }
            if index >= count {
                if braced {
                    return fail(
                        codes::TYPE_ERROR,
                        self.span(item.span),
                        "more initializers than elements",
                        "",
                    );
                }
                break;
            }
            let part = self.part(ty, index);
            let init = match &item.node.initializer.node {
                ast::Initializer::List(_) => {
                    items.at += 1;
                    self.initializer(&part, &item.node.initializer)?.0
                }
                ast::Initializer::Expression(e)
                    if matches!(part, Type::Array(..) | Type::Struct(_)) =>
                {
                    let value = self.expr(e)?;
                    let whole = matches!((&part, &value.kind), (Type::Array(of, _), ExprKind::Str(_)) if of.is_char())
                        || value.ty == part;
                    if whole {
                        items.at += 1;
                        Init::Expr(Box::new(value))
                    } else {
                        Init::List(self.fill(&part, items, false)?)
                    }
                }
                ast::Initializer::Expression(_) => {
                    items.at += 1;
                    self.initializer(&part, &item.node.initializer)?.0
                }
            };
            put(&mut out, index, init);
            index += 1;
        }
        Ok(out)
    }

    /// The value under the rest of a designation such as `.a[2]`.
    fn nested(
        &mut self,
        ty: &Type,
        rest: &[Node<ast::Designator>],
        init: &Node<ast::Initializer>,
    ) -> Lowered<Init> {
        let Some((first, rest)) = rest.split_first() else {
            return Ok(self.initializer(ty, init)?.0);
        };
        let index = self.designated(ty, first)?;
        let part = self.part(ty, index);
        Ok(Init::List(vec![(index, self.nested(&part, rest, init)?)]))
    }

    fn designated(&mut self, ty: &Type, designator: &Node<ast::Designator>) -> Lowered<u64> {
        let span = self.span(designator.span);
        match (&designator.node, ty) {
            (ast::Designator::Index(e), Type::Array(..)) => self.constant_index(e),
            (ast::Designator::Range(range), Type::Array(..)) => {
                self.constant_index(&range.node.from)
            }
            (ast::Designator::Member(name), Type::Struct(id)) => {
                let fields = self.program.structure(*id).fields.as_ref();
                match fields.and_then(|f| f.iter().position(|f| f.name == name.node.name)) {
                    Some(at) => Ok(at as u64),
                    None => fail(
                        codes::TYPE_ERROR,
                        span,
                        format!("no member `{}`", name.node.name),
                        "",
                    ),
                }
            }
            _ => fail(
                codes::TYPE_ERROR,
                span,
                "this designator does not fit the type",
                "",
            ),
        }
    }

    fn constant_index(&mut self, node: &Node<ast::Expression>) -> Lowered<u64> {
        let value: Expr = self.rvalue(node)?;
        match consts::int_value(&value, &self.program).and_then(|v| u64::try_from(v).ok()) {
            Some(v) => Ok(v),
            None => fail(
                codes::NOT_CONSTANT,
                value.span,
                "the index of a designator must be constant",
                "",
            ),
        }
    }

    fn part(&self, ty: &Type, index: u64) -> Type {
        match ty {
            Type::Array(of, _) => (**of).clone(),
            Type::Struct(id) => {
                let fields = self.program.structure(*id).fields.as_ref();
                fields
                    .and_then(|f| f.get(index as usize))
                    .map_or(Type::Void, |f| f.ty.clone())
            }
            other => other.clone(),
        }
    }
}

/// Sets an element; a later initializer of the same element wins, of parts of it merges.
fn put(list: &mut Vec<(u64, Init)>, index: u64, init: Init) {
    match list.binary_search_by_key(&index, |(at, _)| *at) {
        Ok(at) => match (&mut list[at].1, init) {
            (Init::List(old), Init::List(new)) => new.into_iter().for_each(|(i, v)| put(old, i, v)),
            (old, new) => *old = new,
        },
        Err(at) => list.insert(at, (index, init)),
    }
}
