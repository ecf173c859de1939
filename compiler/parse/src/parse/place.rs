//! What a name or an expression stands for while it is lowered. The IR has no references: a reference to
//! memory is a name for a place, a slice is a view of an array.

use quote::ToTokens;

use super::checked;
use super::lower::Lower;
use super::maybe::Maybe;
use super::names::Key;
use crate::infer::Class;
use crate::ir::{
    ArrayId, BinaryOp, Check, Expr, ExprKind, Index, Length, Literal, Place, Projection, Root,
    Scalar, SourceId, StmtKind, Type, Words,
};
use crate::syntax::constants::constant_of;
use crate::syntax::{Borrow, Borrowed, Shape, without_parens};

/// What an expression stands for.
#[derive(Clone)]
pub enum Val {
    /// A computed value.
    Expr(Expr),
    /// Memory that holds a value of a type.
    Place(Place, Type),
    /// A slice or an array as a whole.
    View(View),
    /// A tuple whose parts may be references.
    Tuple(Vec<Val>),
    /// An `Option` or `Result`.
    Maybe(Box<Maybe>),
    /// A place outside the loop that is not known yet to be a value or an array.
    Outer(Key, syn::Expr),
}

/// Consecutive elements of an array.
#[derive(Clone, Debug)]
pub struct View {
    /// The memory.
    pub root: Root,
    /// The way to the array whose elements they are.
    pub path: Vec<Projection>,
    /// The first element, if not 0.
    pub base: Option<Expr>,
    /// How many there are.
    pub len: Len,
    /// The type of an element.
    pub elem: Type,
    /// Whether it is known as a part of a text.
    pub text: bool,
}

/// How many elements a [`View`] has.
#[derive(Clone, Debug)]
pub enum Len {
    /// Those of a captured array.
    Array(ArrayId),
    /// Those of a fixed-size array.
    Fixed(Length),
    /// Those of a chunk, a window or a subslice.
    Window(Expr),
}

impl View {
    /// The place of an element.
    pub fn element(&self, index: Expr, checked: bool) -> Place {
        let check = match &self.len {
            _ if !checked => Check::Never,
            Len::Window(len) => Check::Window(Box::new(len.clone())),
            Len::Array(_) | Len::Fixed(_) => Check::Dimension,
        };
        let mut path = self.path.clone();
        path.push(Projection::Index(Box::new(Index {
            index,
            base: self.base.clone(),
            check,
        })));
        Place {
            root: self.root,
            path,
        }
    }
}

/// What a panic says of a part of a text, beside the text itself: only the host has it.
const NO_CHARACTER: &str = "byte index that begins no character";

impl Lower<'_> {
    /// How many elements a view has.
    pub fn len_of(&self, view: &View, source: SourceId) -> Expr {
        match &view.len {
            Len::Array(id) => self.make(ExprKind::Len(*id), Scalar::Usize, source),
            Len::Fixed(len) => self.length_expr(len, source),
            Len::Window(len) => len.clone(),
        }
    }

    /// The part `start .. start + len` of a view, which the caller has checked.
    pub fn part_of(&self, view: &View, start: Expr, len: Expr) -> View {
        let base = match &view.base {
            Some(base) => self.arithmetic(BinaryOp::Add, base.clone(), start),
            None => start,
        };
        View {
            base: Some(base),
            len: Len::Window(len),
            ..view.clone()
        }
    }

    /// A value as an expression.
    pub fn value(&mut self, val: Val, source: SourceId) -> Expr {
        match val {
            Val::Expr(expr) => expr,
            Val::Place(place, ty) => self.make(ExprKind::Load(place), ty, source),
            Val::View(view) => self.view_value(&view, source),
            Val::Tuple(parts) => {
                let parts: Vec<Expr> = parts.into_iter().map(|p| self.value(p, source)).collect();
                let ty = Type::Tuple(parts.iter().map(|p| p.ty.clone()).collect());
                self.make(ExprKind::Tuple(parts), ty, source)
            }
            Val::Maybe(_) => self.opaque_expr(
                "an `Option` as a value",
                Some("take it apart where it comes from: `if let Some(x) = …`"),
                source,
            ),
            Val::Outer(key, expr) if self.is_array(&key) => {
                let view = self.array(&key, &expr);
                self.view_value(&view, source)
            }
            Val::Outer(key, expr) => {
                let var = self.captured(&key, &expr);
                self.load(var, source)
            }
        }
    }

    /// A view as a value: only arrays inside something else are places; whole slices are opaque.
    fn view_value(&mut self, view: &View, source: SourceId) -> Expr {
        let part = self.element_of(&Val::View(view.clone()), source);
        if let (Len::Fixed(len), None, false) = (&view.len, &view.base, view.path.is_empty()) {
            let ty = Type::Array(Box::new(view.elem.clone()), len.clone());
            let place = Place {
                root: view.root,
                path: view.path.clone(),
            };
            return self.make(ExprKind::Load(place), ty, source);
        }
        let mut expr = self.opaque_expr(
            "a slice as a value",
            Some("use its elements by index, or iterate over it"),
            source,
        );
        if let ExprKind::Opaque(opaque) = &mut expr.kind {
            match view.root {
                Root::Array(_) if self.any && part.is_some() => opaque.parts.extend(part),
                Root::Array(id) => opaque.arrays.push(id),
                Root::Var(id) => opaque.vars.push(id),
            }
        }
        expr
    }

    /// The elements of an array or slice, where it is one.
    pub fn view(&mut self, val: &Val) -> Option<View> {
        match val {
            Val::View(view) => Some(view.clone()),
            Val::Outer(key, expr) => match self.shape(key) {
                crate::syntax::Shape::Elem(ty) => {
                    // A type alias or a foreign container: an array for the detector, opaque otherwise.
                    let known = self.written_type(&ty);
                    (!known.is_known()).then(|| self.array(key, expr))
                }
                _ => Some(self.array(key, expr)),
            },
            Val::Place(place, ty) => match self.infer.resolve(ty) {
                Type::Array(elem, len) => Some(View {
                    root: place.root,
                    path: place.path.clone(),
                    base: None,
                    len: Len::Fixed(len),
                    elem: *elem,
                    text: false,
                }),
                _ => None,
            },
            // An array that was computed becomes a local, so that it has a place.
            Val::Expr(expr) => match self.infer.resolve(&expr.ty) {
                Type::Array(..) if !matches!(expr.kind, ExprKind::Opaque(_)) => {
                    let frozen = self.freeze(expr.clone(), "array");
                    match frozen.kind {
                        ExprKind::Load(place) => self.view(&Val::Place(place, frozen.ty)),
                        _ => None,
                    }
                }
                _ => None,
            },
            Val::Tuple(_) | Val::Maybe(_) => None,
        }
    }

    /// A reference to what a value stands for, valid however variables change later: its indices are frozen.
    pub fn alias(&mut self, val: Val) -> Val {
        self.alias_of(val, true)
    }

    /// The same of a place that may not be there.
    fn alias_of(&mut self, val: Val, there: bool) -> Val {
        match val {
            Val::Place(place, ty) => {
                let path = self.freeze_path(place.root, place.path, there);
                Val::Place(
                    Place {
                        root: place.root,
                        path,
                    },
                    ty,
                )
            }
            Val::View(view) => {
                let path = self.freeze_path(view.root, view.path, there);
                let base = view.base.map(|base| self.freeze(base, "start"));
                let len = match view.len {
                    Len::Window(len) => Len::Window(self.freeze(len, "len")),
                    other => other,
                };
                Val::View(View {
                    path,
                    base,
                    len,
                    ..view
                })
            }
            Val::Tuple(parts) => {
                let parts = parts.into_iter();
                Val::Tuple(parts.map(|part| self.alias_of(part, there)).collect())
            }
            Val::Maybe(maybe) => {
                let cond = self.freeze(maybe.cond, "there");
                let val = self.alias_of(maybe.val, false);
                Val::Maybe(Box::new(Maybe {
                    cond,
                    val,
                    ..*maybe
                }))
            }
            Val::Expr(expr) => Val::Expr(expr),
            Val::Outer(key, expr) => Val::Outer(key, expr),
        }
    }

    fn freeze_path(&mut self, root: Root, path: Vec<Projection>, there: bool) -> Vec<Projection> {
        let path: Vec<Projection> = path
            .into_iter()
            .map(|projection| match projection {
                Projection::Index(index) => {
                    let Index { index, base, check } = *index;
                    let index = self.freeze(index, "index");
                    let base = base.map(|base| self.freeze(base, "start"));
                    let check = match check {
                        Check::Window(len) => Check::Window(Box::new(self.freeze(*len, "len"))),
                        other => other,
                    };
                    self.projection(index, base, check)
                }
                field => field,
            })
            .collect();
        let last = path.iter().rev().find_map(|step| match step {
            Projection::Index(index) => Some(index.index.source),
            Projection::Field(_) => None,
        });
        if there
            && checked::waits(&path)
            && let Some(source) = last
        {
            let path = path.clone();
            let load = ExprKind::Load(Place { root, path });
            let mark = self.make(load, Type::Unit, source);
            self.push(StmtKind::Expr(mark), source);
        }
        path
    }

    /// `base[index]`.
    pub fn index(&mut self, e: &syn::ExprIndex) -> Val {
        let borrowed = self.borrowed.len();
        let base = self.val(&e.expr);
        if let syn::Expr::Range(range) = without_parens(&e.index) {
            if crate::syntax::part_of(e).is_some() {
                // What is printed is one step.
                self.borrowed.truncate(borrowed);
            }
            return self.subslice(e, &base, range);
        }
        let index = self.expr(&e.index);
        if let Some(view) = self.view(&base) {
            if !self.infer.unify(&index.ty, &Type::Scalar(Scalar::Usize)) {
                return self.foreign_index(e, index);
            }
            let ty = view.elem.clone();
            return Val::Place(view.element(index, true), ty);
        }
        // What is indexed is not understood; the detector still sees which memory it is part of.
        match base {
            Val::Place(mut place, _) => {
                if !self.infer.unify(&index.ty, &Type::Scalar(Scalar::Usize)) {
                    return self.foreign_index(e, index);
                }
                place
                    .path
                    .push(self.projection(index, None, Check::Dimension));
                let ty = self.nested_type(&place);
                Val::Place(place, ty)
            }
            other => {
                let source = self.source(e);
                let part = self.value(other, source);
                Val::Expr(self.opaque_parts(
                    "an index into something that is no array",
                    vec![part, index],
                    source,
                ))
            }
        }
    }

    /// The type of an element of rows that are no arrays: a number where that is written.
    fn nested_type(&mut self, place: &Place) -> Type {
        let mut shape = match place.root {
            Root::Array(id) => Some(&self.array_syntax[id.0 as usize].shape),
            Root::Var(_) => None,
        };
        for projection in &place.path {
            shape = match (shape, projection) {
                (
                    Some(Shape::Slice(of) | Shape::Vec(of) | Shape::Array(of, _)),
                    Projection::Index(_),
                ) => Some(of),
                _ => None,
            };
        }
        if let Some(Shape::Elem(ty)) = shape {
            let ty = ty.clone();
            let known = self.written_type(&ty);
            if known.as_scalar().is_some() {
                return known;
            }
        }
        self.infer.fresh(Class::Any)
    }

    /// An index that is no number: of a map, for example.
    fn foreign_index(&mut self, e: &syn::ExprIndex, index: Expr) -> Val {
        let mut expr = self.opaque(
            &syn::Expr::Index(e.clone()),
            "an index that is no `usize`",
            None,
        );
        if let ExprKind::Opaque(opaque) = &mut expr.kind {
            opaque.parts.push(index);
        }
        Val::Expr(expr)
    }

    /// `base[a..b]`: a view with a check that it is in range.
    fn subslice(&mut self, e: &syn::ExprIndex, base: &Val, range: &syn::ExprRange) -> Val {
        let source = self.source(e);
        // Of something that is no array nothing is noted as borrowed.
        self.part = None;
        let Some(view) = self.view(base) else {
            let part = self.value(base.clone(), source);
            return Val::Expr(self.opaque_parts(
                "a part of something that is no array",
                vec![part],
                source,
            ));
        };
        let usize = Type::Scalar(Scalar::Usize);
        let start = match &range.start {
            Some(start) => self.expr(start),
            None => self.usize(0, source),
        };
        self.infer.unify(&start.ty, &usize);
        let start = self.freeze(start, "start");
        let len = self.len_of(&view, source);
        let (within, end) = match &range.end {
            Some(end) => {
                let end = self.expr(end);
                self.infer.unify(&end.ty, &usize);
                let one = self.usize(1, source);
                match range.limits {
                    // A last element is compared before one is added to it, which may not fit.
                    syn::RangeLimits::Closed(_) => {
                        let last = self.freeze(end, "last");
                        let end = self.arithmetic(BinaryOp::Add, last.clone(), one);
                        (self.arithmetic(BinaryOp::Lt, last, len.clone()), end)
                    }
                    syn::RangeLimits::HalfOpen(_) => {
                        let end = self.freeze(end, "end");
                        (self.arithmetic(BinaryOp::Le, end.clone(), len.clone()), end)
                    }
                }
            }
            None => {
                let within = self.arithmetic(BinaryOp::Le, len.clone(), len.clone());
                (within, len.clone())
            }
        };
        let ordered = self.arithmetic(BinaryOp::Le, start.clone(), end.clone());
        let check = self.make(
            ExprKind::And(Box::new(within), Box::new(ordered)),
            Scalar::Bool,
            source,
        );
        let text = self.is_text(base, &view);
        let words = match text {
            true => Words::Text(NO_CHARACTER.to_owned()),
            false => Words::Range,
        };
        self.push(StmtKind::Check(check, words.clone()), source);
        let end = self.freeze(end, "end");
        // A part of a text begins and ends where a character does.
        if text {
            let ends = [(&range.start, &start), (&range.end, &end)];
            for (_, at) in ends.into_iter().filter(|(written, _)| written.is_some()) {
                let check = self.begins_character(&view, at, source);
                self.push(StmtKind::Check(check, words.clone()), source);
            }
        }
        let len = self.arithmetic(BinaryOp::Sub, end, start.clone());
        let len = self.freeze(len, "len");
        let part = self.part_of(&view, start, len);
        let part = Val::View(View { text, ..part });
        let is_borrowed = self.lend(&part, Borrow::Unknown, source);
        self.part = is_borrowed.then_some(std::ptr::from_ref(e));
        part
    }

    /// Whether a value is a text, or a part of one, as which it was seen.
    fn is_text(&self, val: &Val, view: &View) -> bool {
        match (val, view.root) {
            (Val::Outer(..), Root::Array(id)) => {
                matches!(self.array_syntax[id.0 as usize].shape, Shape::Str)
            }
            _ => view.text,
        }
    }

    /// Whether a character of a text begins at a byte, or the text ends there.
    fn begins_character(&self, text: &View, at: &Expr, source: SourceId) -> Expr {
        let len = self.len_of(text, source);
        let ends = self.make(
            ExprKind::Binary(BinaryOp::Eq, Box::new(at.clone()), Box::new(len)),
            Scalar::Bool,
            source,
        );
        let place = text.element(at.clone(), true);
        let byte = self.make(ExprKind::Load(place), Scalar::U8, source);
        // The bytes behind a character's first are 0b10xx_xxxx: the least numbers with a sign.
        let least = ExprKind::Literal(Literal::Int(-0x40));
        let least = self.make(least, Scalar::I8, source);
        let byte = self.cast(byte, Scalar::I8);
        let first = self.make(
            ExprKind::Binary(BinaryOp::Ge, Box::new(byte), Box::new(least)),
            Scalar::Bool,
            source,
        );
        self.make(
            ExprKind::Or(Box::new(ends), Box::new(first)),
            Scalar::Bool,
            source,
        )
    }

    /// Whether a call takes a slice apart where iterations follow each other: in others nobody has a part for itself.
    pub fn splits(&self, call: &syn::ExprMethodCall) -> bool {
        let named = call.method == "split_at" || call.method == "split_at_mut";
        self.steps && named && call.args.len() == 1
    }

    /// `x.split_at_mut(n)`: views of what is before and from an element on, which is checked to be there.
    pub fn split(&mut self, call: &syn::ExprMethodCall) -> Val {
        let source = self.source(call);
        let of = self.val(&call.receiver);
        let Some(view) = self.view(&of) else {
            let part = self.value(of, source);
            return Val::Expr(self.opaque_parts(
                "a part of something that is no array",
                vec![part],
                source,
            ));
        };
        let middle = self.expr(&call.args[0]);
        self.infer.unify(&middle.ty, &Type::Scalar(Scalar::Usize));
        let middle = self.freeze(middle, "middle");
        let len = self.len_of(&view, source);
        let within = self.operation(BinaryOp::Le, middle.clone(), len.clone(), source);
        self.push(
            StmtKind::Check(within, Words::Text("mid > len".to_owned())),
            source,
        );
        let text = self.is_text(&of, &view);
        if text {
            let check = self.begins_character(&view, &middle, source);
            let words = Words::Text("failed to slice string".to_owned());
            self.push(StmtKind::Check(check, words), source);
        }
        let view = View { text, ..view };
        let rest = self.arithmetic(BinaryOp::Sub, len, middle.clone());
        let rest = self.freeze(rest, "len");
        let before = View {
            len: Len::Window(middle.clone()),
            ..view.clone()
        };
        let behind = self.part_of(&view, middle, rest);
        Val::Tuple(vec![Val::View(before), Val::View(behind)])
    }

    /// Notes a reference to a part of a captured array; whether it is one.
    pub fn lend(&mut self, val: &Val, by: Borrow, source: SourceId) -> bool {
        let element = match val {
            Val::Expr(part) => element_around(part).map(|element| Expr {
                source,
                ..element.clone()
            }),
            val => self.element_of(val, source),
        };
        let element = element.filter(|_| self.any);
        let is_part = element.is_some();
        let element = element.map(|element| Borrowed { element, by });
        self.borrowed.extend(element);
        is_part
    }

    /// Notes a name that is a `&mut` reference to a part of captured memory.
    pub fn name_mut(&mut self, val: &Val, source: SourceId) {
        if let Some(element) = self.element_of(val, source) {
            let by = Borrow::Mutable;
            self.named_mut.push(Borrowed { element, by });
        }
    }

    /// Notes what a part of a slice is borrowed for, where the expression that has just been lowered is one.
    pub fn lent(&mut self, e: &syn::Expr, by: Borrow) {
        if let syn::Expr::Index(e) = without_parens(e)
            && self.part == Some(std::ptr::from_ref(e))
            && let Some(last) = self.borrowed.last_mut()
        {
            last.by = by;
        }
    }

    /// `base.member`.
    pub fn field(&mut self, e: &syn::ExprField) -> Val {
        let base = self.val(&e.base);
        let position = match &e.member {
            syn::Member::Unnamed(index) => Some(index.index),
            syn::Member::Named(_) => None,
        };
        match (base, position) {
            (Val::Tuple(parts), Some(n)) if (n as usize) < parts.len() => parts[n as usize].clone(),
            (Val::Outer(key, _), _) => {
                let key = key.field(&e.member);
                Val::Outer(key, syn::Expr::Field(e.clone()))
            }
            (Val::Place(mut place, ty), _) => {
                let part = self.part_type(&ty, &e.member);
                match part {
                    Some((n, ty)) => {
                        place.path.push(Projection::Field(n));
                        Val::Place(place, ty)
                    }
                    None => {
                        let source = self.source(e);
                        let base = self.make(ExprKind::Load(place), ty, source);
                        Val::Expr(self.opaque_field(e, base, source))
                    }
                }
            }
            (Val::Expr(expr), _) => match self.part_type(&expr.ty, &e.member) {
                Some((n, ty)) => {
                    let frozen = self.freeze(expr, "value");
                    match frozen.kind {
                        ExprKind::Load(mut place) => {
                            place.path.push(Projection::Field(n));
                            Val::Place(place, ty)
                        }
                        _ => {
                            let source = self.source(e);
                            Val::Expr(self.opaque_field(e, frozen, source))
                        }
                    }
                }
                None => {
                    let source = self.source(e);
                    Val::Expr(self.opaque_field(e, expr, source))
                }
            },
            (other, _) => {
                let source = self.source(e);
                let base = self.value(other, source);
                Val::Expr(self.opaque_field(e, base, source))
            }
        }
    }

    fn opaque_field(&mut self, e: &syn::ExprField, base: Expr, source: SourceId) -> Expr {
        let name = e.member.to_token_stream();
        let mut expr = self.opaque_parts(
            format!("the field `{name}` of a type that is not known here"),
            vec![base],
            source,
        );
        if let ExprKind::Opaque(opaque) = &mut expr.kind {
            opaque.reads = true;
            opaque.option = Some(crate::ir::OfOption::Struct);
            opaque.help = Some(
                "derive `accrue::DeviceType` for the struct (with `#[repr(C)]`) and name it in `uses(..)`".to_string(),
            );
        }
        expr
    }

    /// The position and type of a member.
    pub fn part_type(&self, ty: &Type, member: &syn::Member) -> Option<(u32, Type)> {
        match (self.infer.resolve(ty), member) {
            (Type::Tuple(parts), syn::Member::Unnamed(index)) => {
                Some((index.index, parts.get(index.index as usize)?.clone()))
            }
            (Type::Struct(s), member) => {
                let name = member.to_token_stream().to_string();
                let n = s.fields.iter().position(|(field, _)| *field == name)?;
                Some((n as u32, s.fields[n].1.clone()))
            }
            _ => None,
        }
    }

    /// Something opaque with parts that were lowered.
    pub fn opaque_parts(&self, why: impl Into<String>, parts: Vec<Expr>, source: SourceId) -> Expr {
        let mut expr = self.opaque_expr(why, None, source);
        if let ExprKind::Opaque(opaque) = &mut expr.kind {
            opaque.parts = parts;
        }
        expr
    }

    /// A name.
    pub fn path(&mut self, e: &syn::ExprPath) -> Val {
        let source = self.source(e);
        if let (None, Some(ident)) = (&e.qself, e.path.get_ident()) {
            let name = ident.to_string();
            let imported = self.is_imported(&name);
            if imported && (self.local(&name).is_some() || self.outer.get(&name).is_some()) {
                return Val::Expr(self.opaque_expr(
                    format!(
                        "`{name}`, which is imported in the loop and also the name of a variable"
                    ),
                    Some("give the variable another name"),
                    source,
                ));
            }
            if let Some(val) = self.local(&name) {
                return val.clone();
            }
            let key = match self.outer.get(&name) {
                Some(_) => Key::name(name),
                None => self.key_of_path(&e.path),
            };
            return Val::Outer(key, syn::Expr::Path(e.clone()));
        }
        if let Some(literal) = self.known_constant(e, source) {
            return Val::Expr(literal);
        }
        if self.is_hidden(&e.path) {
            return Val::Expr(self.opaque_expr(
                "a constant of something that is declared inside the loop",
                Some("declare it outside the function"),
                source,
            ));
        }
        // A constant of the crate or of a type: its value is the host's to say.
        let expr = syn::Expr::Path(e.clone());
        Val::Outer(self.key_of_path(&e.path), expr)
    }

    /// `u8::MAX`, `f64::INFINITY`, `std::f32::consts::PI`.
    fn known_constant(&mut self, e: &syn::ExprPath, source: SourceId) -> Option<Expr> {
        let names: Vec<String> = e
            .path
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        let (name, before) = names.split_last()?;
        if let [.., module, consts] = before
            && !self.is_hidden(&e.path)
            && consts == "consts"
            && let Some(scalar) = Scalar::from_name(module)
        {
            let key = Key::name(crate::source::text_of(&e.to_token_stream()));
            let expr = syn::Expr::Path(e.clone());
            let var = self.captured(&key, &expr);
            let ty = self.vars[var.0 as usize].ty.clone();
            self.infer.unify(&ty, &Type::Scalar(scalar));
            return Some(self.load(var, source));
        }
        let mut of = e.path.clone();
        of.segments.pop();
        of.segments.pop_punct();
        let scalar = super::names::primitive_of(&of).filter(|_| !self.is_hidden(&of))?;
        let (value, ty) = constant_of(scalar, name)?;
        Some(self.make(ExprKind::Literal(value), ty, source))
    }
}

/// The element of captured memory that an opaque part is a part of: `z[i]` of `z[i].queue`.
fn element_around(part: &Expr) -> Option<&Expr> {
    match &part.kind {
        ExprKind::Load(place) => matches!(place.root, Root::Array(_)).then_some(part),
        ExprKind::Opaque(opaque) => element_around(opaque.parts.first()?),
        _ => None,
    }
}
