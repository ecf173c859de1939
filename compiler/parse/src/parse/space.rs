//! Iteration spaces: what an iteration expression makes of a position.

use quote::ToTokens;
use syn::spanned::Spanned;

use super::iteration::{Adaptor, Base, Chain, Form};
use super::lower::{Lower, int_value};
use super::names;
use super::once;
use super::place::{Val, View};
use crate::ir::{
    Around, BinaryOp, Expr, ExprKind, Method, Scalar, SourceId, StmtKind, Type, Words,
};
use crate::syntax::{Borrow, Shape, without_parens};

/// A number of positions, and the item at each.
#[derive(Clone, Debug)]
pub struct Space {
    /// How many positions there are.
    pub count: Expr,
    /// What stands at a position.
    pub item: Item,
}

/// The item at a position.
#[derive(Clone, Debug)]
pub enum Item {
    /// A number of a range that starts here.
    Number(Expr),
    /// An element.
    Element(Box<View>),
    /// A run of elements: a chunk or a window.
    Run(Box<Run>),
    /// The position itself and the item.
    Enumerated(Box<Item>),
    /// Two items.
    Pair(Box<Item>, Box<Item>),
    /// The item so many positions further on.
    Shifted(Box<Item>, Expr),
    /// The item as many positions from the end.
    Reversed(Box<Item>, Expr),
    /// The item at so many times the position.
    Scaled(Box<Item>, Expr),
    /// Something that only rustc understands.
    Unknown,
}

/// Runs of elements at equal distances.
#[derive(Clone, Debug)]
pub struct Run {
    /// The elements.
    of: View,
    /// From one start to the next.
    step: Expr,
    /// How many.
    len: Expr,
    /// The length of the whole, where the last run may be shorter.
    whole: Option<Expr>,
}

/// Where the parts of an iteration expression are evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// By the host, before the parallel loop.
    Host,
    /// By the host, once the dimensions around have been seen to have positions: arithmetic stays in the count, where it
    /// is evaluated in turn.
    Nested,
    /// In the body, before an inner loop.
    Body,
}

impl Lower<'_> {
    /// The space of the outermost dimension of the parallel loop. Its parts are the same for all iterations and are
    /// evaluated before the loop.
    pub fn outer_space(&mut self, chain: &Chain) -> Option<Space> {
        self.space(chain, At::Host)
    }

    /// The space of a further dimension of the parallel loop.
    pub fn nested_space(&mut self, chain: &Chain) -> Option<Space> {
        self.space(chain, At::Nested)
    }

    /// The space of a loop inside the body. `None` where what it iterates over has no positions.
    pub fn inner_space(&mut self, chain: &Chain) -> Option<Space> {
        self.space(chain, At::Body)
    }

    /// A number in the range of a loop around this one.
    pub fn around(
        &mut self,
        name: &syn::Ident,
        low: &syn::Expr,
        high: &syn::Expr,
        limits: &syn::RangeLimits,
    ) -> Around {
        let value = syn::parse_quote!(#name);
        let [value, low, high] = [&value, low, high].map(|e| self.part(e, At::Host, None));
        self.infer.unify(&low.ty, &high.ty);
        self.infer.unify(&value.ty, &low.ty);
        Around {
            value,
            low,
            high,
            inclusive: matches!(limits, syn::RangeLimits::Closed(_)),
        }
    }

    fn space(&mut self, chain: &Chain, at: At) -> Option<Space> {
        let source = self.source(&chain.expr);
        let mut space = self.base(&chain.base, at, source)?;
        for adaptor in &chain.adaptors {
            space = self.adapted(space, adaptor, at)?;
        }
        Some(space)
    }

    fn base(&mut self, base: &Base, at: At, source: SourceId) -> Option<Space> {
        match base {
            Base::Range {
                start,
                end,
                inclusive,
            } => {
                let start = self.part(start, at, None);
                let end = self.part(end, at, None);
                self.infer.unify(&start.ty, &end.ty);
                let count = self.range_count(&start, &end, *inclusive, source);
                Some(Space {
                    count,
                    item: Item::Number(start),
                })
            }
            Base::From(start) => Some(Space {
                count: self.usize(u64::MAX, source),
                item: Item::Number(self.part(start, at, None)),
            }),
            Base::Elements { of, form } => {
                // `for x in &(0..n)` and such are not collections.
                if matches!(without_parens(of), syn::Expr::Range(_)) {
                    return None;
                }
                let view = self.collection(of, at)?;
                if matches!(form, Form::Iter | Form::Reference) {
                    self.lent(of, Borrow::Shared);
                }
                Some(Space {
                    count: self.len_of(&view, source),
                    item: Item::Element(Box::new(view)),
                })
            }
            Base::Bytes(of) => {
                let mut view = self.collection(of, at)?;
                view.elem = Type::Scalar(Scalar::U8);
                if let crate::ir::Root::Array(id) = view.root {
                    // The bytes of something whose type is not written: a `str` all the same.
                    let array = &mut self.arrays[id.0 as usize];
                    if !array.elem.is_known() {
                        array.elem = Type::Scalar(Scalar::U8);
                        self.array_syntax[id.0 as usize].shape = Shape::Str;
                    }
                }
                Some(Space {
                    count: self.len_of(&view, source),
                    item: Item::Element(Box::new(view)),
                })
            }
            Base::ChunksExact(of, k)
            | Base::Chunks(of, k)
            | Base::Windows(of, k)
            | Base::ChunksMut(of, k, _) => {
                let view = self.collection(of, at)?;
                if !matches!(base, Base::ChunksMut(..)) {
                    self.lent(of, Borrow::Shared);
                }
                let words = match base {
                    Base::Windows(..) => "window size must be non-zero",
                    _ => "chunk size must be non-zero",
                };
                let k = self.positive(k, at, words, source);
                let len = self.len_of(&view, source);
                let (count, step, whole) = match base {
                    Base::ChunksExact(..) | Base::ChunksMut(_, _, true) => (
                        self.arithmetic(BinaryOp::Div, len, k.clone()),
                        k.clone(),
                        None,
                    ),
                    Base::Chunks(..) | Base::ChunksMut(_, _, false) => (
                        self.usize_method(Method::DivCeil, len.clone(), k.clone()),
                        k.clone(),
                        Some(len),
                    ),
                    _ => {
                        let one = self.usize(1, source);
                        let fewer = match int_value(&k) {
                            Some(k) if k > 0 => self.usize(k as u64 - 1, source),
                            _ => self.arithmetic(BinaryOp::Sub, k.clone(), one.clone()),
                        };
                        (
                            self.usize_method(Method::SaturatingSub, len, fewer),
                            one,
                            None,
                        )
                    }
                };
                Some(Space {
                    count,
                    item: Item::Run(Box::new(Run {
                        of: view,
                        step,
                        len: k,
                        whole,
                    })),
                })
            }
        }
    }

    fn adapted(&mut self, space: Space, adaptor: &Adaptor, at: At) -> Option<Space> {
        let usize = Some(Type::Scalar(Scalar::Usize));
        let Space { count, item } = space;
        let space = match adaptor {
            // References are names already.
            Adaptor::Copied | Adaptor::Cloned => Space { count, item },
            Adaptor::Enumerate => Space {
                count,
                item: Item::Enumerated(Box::new(item)),
            },
            Adaptor::Zip(other) => {
                let other = self.space(other, at)?;
                Space {
                    count: self.fewer(count, other.count),
                    item: Item::Pair(Box::new(item), Box::new(other.item)),
                }
            }
            Adaptor::Skip(n) => {
                let n = self.part(n, at, usize);
                Space {
                    count: self.usize_method(Method::SaturatingSub, count, n.clone()),
                    item: Item::Shifted(Box::new(item), n),
                }
            }
            Adaptor::Take(n) => {
                let n = self.part(n, at, usize);
                Space {
                    count: self.fewer(count, n),
                    item,
                }
            }
            Adaptor::Rev => Space {
                item: Item::Reversed(Box::new(item), count.clone()),
                count,
            },
            Adaptor::StepBy(k) => {
                let k = self.positive(k, at, "assertion failed: step != 0", count.source);
                Space {
                    count: self.usize_method(Method::DivCeil, count, k.clone()),
                    item: Item::Scaled(Box::new(item), k),
                }
            }
        };
        Some(self.folded(space))
    }

    /// The lower one of two counts: of numbers without an end there are as many as of the others.
    fn fewer(&self, a: Expr, b: Expr) -> Expr {
        let endless = |count: &Expr| int_value(count) == Some(u64::MAX.into());
        match (endless(&a), endless(&b)) {
            (true, _) => b,
            (_, true) => a,
            _ => self.usize_method(Method::Min, a, b),
        }
    }

    /// A space whose count, if it is made of literals only, is one.
    fn folded(&self, space: Space) -> Space {
        let value = match &space.count.kind {
            ExprKind::Method(method, parts) => {
                match (method, int_value(&parts[0]), int_value(&parts[1])) {
                    (Method::Min, Some(a), Some(b)) => Some(a.min(b)),
                    (Method::SaturatingSub, Some(a), Some(b)) => Some((a - b).max(0)),
                    (Method::DivCeil, Some(a), Some(b)) if b > 0 => Some((a + b - 1) / b),
                    _ => None,
                }
            }
            _ => None,
        };
        match value {
            Some(v) => Space {
                count: self.usize(v as u64, space.count.source),
                ..space
            },
            None => space,
        }
    }

    /// A part of an iteration expression: an end of a range, a number of items.
    fn part(&mut self, e: &syn::Expr, at: At, ty: Option<Type>) -> Expr {
        let bound = self.once.get(&std::ptr::from_ref(e)).cloned();
        let expr = match bound {
            // It runs once before the loop, whatever it does; what counts here is its type.
            Some(_) => {
                self.check_before_loop(e);
                self.in_vain(|lower| lower.expr(e))
            }
            None => self.expr(e),
        };
        if let Some(ty) = ty {
            self.infer.unify(&expr.ty, &ty);
        }
        match at {
            At::Body => self.freeze(expr, "part"),
            At::Host | At::Nested => match &expr.kind {
                ExprKind::Literal(_) | ExprKind::Len(_) | ExprKind::Load(_) if bound.is_none() => {
                    expr
                }
                // What is split is not known from this then, and what is known of a number is more.
                ExprKind::Binary(..) if bound.is_none() && (at == At::Nested || self.any) => expr,
                ExprKind::Cast(of) if self.any && bound.is_none() && is_captured(of) => expr,
                // Evaluated once by the host, as the sequential loop does: whatever it is, it is one number.
                _ => {
                    let ty = match self.infer.resolve(&expr.ty) {
                        Type::Opaque(_) => self.infer.fresh_external(),
                        _ => expr.ty.clone(),
                    };
                    let text = crate::source::text_of(&e.to_token_stream());
                    let tokens =
                        bound.map_or_else(|| e.to_token_stream(), |b| b.into_token_stream());
                    let var = self.capture_tokens(text, tokens, e.span(), ty);
                    self.load(var, expr.source)
                }
            },
        }
    }

    /// A part that must not be 0, which the host finds where it asks for the same of what it iterates over.
    fn positive(&mut self, e: &syn::Expr, at: At, words: &str, source: SourceId) -> Expr {
        let part = self.part(e, at, Some(Type::Scalar(Scalar::Usize)));
        if at == At::Body && int_value(&part).is_none_or(|part| part == 0) {
            let zero = self.usize(0, source);
            let holds = self.operation(BinaryOp::Lt, zero, part.clone(), source);
            self.push(
                StmtKind::Check(holds, Words::Text(words.to_owned())),
                source,
            );
        }
        part
    }

    /// What is iterated over, as a view.
    fn collection(&mut self, e: &syn::Expr, at: At) -> Option<View> {
        let inner = without_parens(e);
        let bound = self.once.get(&std::ptr::from_ref(e)).cloned();
        if let Some(bound) = bound.filter(|_| !once::is_place(e)) {
            self.check_before_loop(inner);
            let shape = self.host_shape(inner);
            return Some(self.array_of_expr(inner, bound, shape));
        }
        match (at, inner) {
            (_, syn::Expr::MethodCall(call))
                if call.args.is_empty() && call.method == "as_bytes" =>
            {
                let val = self.val(&call.receiver);
                let mut view = self.view(&val)?;
                view.elem = Type::Scalar(Scalar::U8);
                Some(view)
            }
            (_, syn::Expr::MethodCall(call))
                if call.args.is_empty() && call.method == "as_slice" =>
            {
                let val = self.val(&call.receiver);
                self.view(&val)
            }
            (At::Host | At::Nested, syn::Expr::Unary(u)) if matches!(u.op, syn::UnOp::Deref(_)) => {
                self.collection(&u.expr, at)
            }
            _ => {
                let val = self.val(inner);
                let view = self.view(&val)?;
                match self.alias(Val::View(view)) {
                    Val::View(view) => Some(view),
                    _ => None,
                }
            }
        }
    }

    /// The shape of a slice expression over captured memory.
    fn host_shape(&self, e: &syn::Expr) -> Shape {
        match without_parens(e) {
            syn::Expr::Index(i) if matches!(without_parens(&i.index), syn::Expr::Range(_)) => {
                match self.host_shape(&i.expr) {
                    Shape::Slice(elem) | Shape::Array(elem, _) | Shape::Vec(elem) => {
                        Shape::Slice(elem)
                    }
                    other => other,
                }
            }
            syn::Expr::Index(i) => match self.host_shape(&i.expr) {
                Shape::Slice(elem) | Shape::Array(elem, _) | Shape::Vec(elem) => *elem,
                _ => Shape::Unknown,
            },
            syn::Expr::MethodCall(call) => match call.method.to_string().as_str() {
                "as_bytes" => Shape::Slice(Box::new(Shape::Elem(syn::parse_quote!(u8)))),
                "as_slice" | "as_ref" => self.host_shape(&call.receiver),
                _ => Shape::Unknown,
            },
            syn::Expr::Reference(r) => self.host_shape(&r.expr),
            syn::Expr::Lit(lit) => match &lit.lit {
                syn::Lit::ByteStr(_) => Shape::Slice(Box::new(Shape::Elem(syn::parse_quote!(u8)))),
                syn::Lit::Str(_) => Shape::Str,
                _ => Shape::Unknown,
            },
            other => match names::key_of(other) {
                Some((key, false)) => self.shape(&key),
                _ => Shape::Unknown,
            },
        }
    }

    /// How many numbers a range has.
    fn range_count(&mut self, start: &Expr, end: &Expr, inclusive: bool, source: SourceId) -> Expr {
        if let (Some(a), Some(b)) = (int_value(start), int_value(end)) {
            let n = (b - a + i128::from(inclusive)).max(0);
            return self.usize(n as u64, source);
        }
        let unsigned = self
            .infer
            .scalar(&end.ty)
            .is_some_and(|s| s.is_int() && !s.is_signed());
        if unsigned && !inclusive {
            let count = match int_value(start) {
                Some(0) => end.clone(),
                _ => self.usize_method(Method::SaturatingSub, end.clone(), start.clone()),
            };
            return self.cast(count, Scalar::Usize);
        }
        // With both ends brought to 64 bits the difference is exact.
        let op = if inclusive {
            BinaryOp::Le
        } else {
            BinaryOp::Lt
        };
        let cond = self.make(
            ExprKind::Binary(op, Box::new(start.clone()), Box::new(end.clone())),
            Scalar::Bool,
            source,
        );
        let wide = |e: &Expr| self.make(ExprKind::Cast(Box::new(e.clone())), Scalar::I64, source);
        let difference = self.make(
            ExprKind::Method(Method::WrappingSub, vec![wide(end), wide(start)]),
            Scalar::I64,
            source,
        );
        let mut count = self.make(ExprKind::Cast(Box::new(difference)), Scalar::Usize, source);
        if inclusive {
            let one = self.usize(1, source);
            count = self.arithmetic(BinaryOp::Add, count, one);
        }
        let zero = self.usize(0, source);
        self.select(cond, count, zero)
    }

    /// The item at a position.
    pub fn item(&mut self, item: &Item, position: Expr, source: SourceId) -> Val {
        match item {
            Item::Number(start) => {
                let ty = start.ty.clone();
                let usize = self.infer.resolve(&ty) == Type::Scalar(Scalar::Usize);
                let offset = if usize {
                    position
                } else {
                    self.make(ExprKind::Cast(Box::new(position)), ty.clone(), source)
                };
                if int_value(start) == Some(0) {
                    return Val::Expr(offset);
                }
                if usize {
                    return Val::Expr(self.arithmetic(BinaryOp::Add, start.clone(), offset));
                }
                let parts = vec![start.clone(), offset];
                Val::Expr(self.make(ExprKind::Method(Method::WrappingAdd, parts), ty, source))
            }
            Item::Unknown => Val::Expr(self.opaque_expr(
                "an item of an iteration that is not understood here",
                None,
                source,
            )),
            Item::Element(view) => Val::Place(view.element(position, false), view.elem.clone()),
            Item::Run(run) => {
                let Run {
                    of,
                    step,
                    len,
                    whole,
                } = &**run;
                let start = self.arithmetic(BinaryOp::Mul, position, step.clone());
                let start = self.freeze(start, "start");
                let len = match whole {
                    Some(whole) => {
                        let left = self.arithmetic(BinaryOp::Sub, whole.clone(), start.clone());
                        self.usize_method(Method::Min, len.clone(), left)
                    }
                    None => len.clone(),
                };
                Val::View(self.part_of(of, start, len))
            }
            Item::Enumerated(inner) => {
                let value = self.item(inner, position.clone(), source);
                Val::Tuple(vec![Val::Expr(position), value])
            }
            Item::Pair(a, b) => {
                let a = self.item(a, position.clone(), source);
                let b = self.item(b, position, source);
                Val::Tuple(vec![a, b])
            }
            Item::Shifted(inner, n) => {
                let position = self.arithmetic(BinaryOp::Add, position, n.clone());
                self.item(inner, position, source)
            }
            Item::Reversed(inner, count) => {
                let one = self.usize(1, source);
                let last = self.arithmetic(BinaryOp::Sub, count.clone(), one);
                let position = self.arithmetic(BinaryOp::Sub, last, position);
                self.item(inner, position, source)
            }
            Item::Scaled(inner, k) => {
                let position = self.arithmetic(BinaryOp::Mul, position, k.clone());
                self.item(inner, position, source)
            }
        }
    }
}

/// Whether it is a value from outside the loop.
fn is_captured(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Len(_) | ExprKind::Literal(_))
        || matches!(&expr.kind, ExprKind::Load(place) if place.path.is_empty())
}
