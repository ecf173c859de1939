//! Streams: arrays that the loop reads element after element, found so that they can be loaded 16 bytes at a time.
//!
//! An access is streamed if its address is `base + stride * position + constant`, with what the host
//! knows before the loop in `base`: `keys[i]`, `p[0]` of `for p in pixels`, `data[3 * i + 1]`, `chunk[k]` of exact
//! chunks. A thread then takes a *vector* of consecutive items, loads all their streams at once, and prints
//! the body once for each item with the elements in registers. Everything else is loaded where it is used.

use std::collections::HashMap;

use accrue_ptx::value;
use accrue_ptx::writer::{Class, Function, Operand, Reg};

use super::affine::{Affine, Lets, Row, affine};
use super::emitter::{Emitter, Facts, Number};
use super::layout;
use super::value::{Num, Value};
use crate::ir::visit::Visit;
use crate::ir::{
    Access, ArrayId, BinaryOp, Block, Check, Expr, ExprKind, Index, Literal, Loop, Place,
    Projection, Root, Scalar, Stmt, StmtKind, Type, VarId,
};

/// What of a loop is streamed.
#[derive(Clone, Debug, Default)]
pub(super) struct Streams {
    /// The streams, at most one for each array.
    pub(super) list: Vec<Stream>,
    /// `V`, the consecutive items of a thread; 1 where nothing is streamed.
    pub(super) items: u32,
    /// `U`, the vectors that a thread has in flight.
    pub(super) in_flight: u32,
    /// Whether the body needs the position for more than streamed accesses.
    pub(super) uses_position: bool,
    /// Values of the variables that are never assigned, to follow indices through them.
    lets: HashMap<VarId, Affine>,
    /// The inner dimension.
    row: Option<Row>,
    /// Whether elements of arrays of long rows are streamed: where nothing is written.
    rows_apart: bool,
}

/// One stream.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    /// The array.
    pub(super) array: ArrayId,
    /// Elements from one item's to the next one's.
    pub(super) stride: u32,
    /// The element of position 0: this, plus the captured values.
    pub(super) first: i64,
    /// Captured values that are added to every index.
    pub(super) captured: Vec<VarId>,
    /// Bytes of an element.
    pub(super) elem_bytes: u32,
    /// Elements of each element of the array: more than one where that is a row too long to be loaded at once.
    pub(super) row: u64,
    /// Whether items read what they hold before.
    pub(super) reads: bool,
    /// Whether items write it.
    pub(super) writes: bool,
}

impl Stream {
    /// Bytes of one item.
    pub(super) fn item_bytes(&self) -> u32 {
        self.stride * self.elem_bytes
    }

    /// Bytes of the widest load that cuts a vector of `items` into equal parts.
    pub(super) fn width(&self, items: u32) -> u32 {
        16.min(1 << (self.item_bytes() * items).trailing_zeros())
    }
}

/// Bytes of an element, at most.
const MOST_ELEMENT: u64 = 64;
/// Bytes of the streams of one vector, at most.
const MOST_BYTES: u32 = 96;
/// Bytes in flight that are worth waiting for.
const BYTES_IN_FLIGHT: u32 = 32;
/// Items whose bodies are printed one behind the other, at most.
const MOST_ITEMS: u32 = 32;
/// The size of these bodies, at most, counted in expressions.
const MOST_EXPRESSIONS: u32 = 600;
/// The same for a tile, whose size is what makes splitting it worth while.
const TILE_EXPRESSIONS: u32 = 1200;
/// Bytes that a thread loads of a tile whose terms are handed on.
const TILE_BYTES: u32 = 64;
/// Items of a thread in such a tile where nothing is streamed.
const TILE_ITEMS: u32 = 16;

impl Streams {
    /// Finds the streams of a loop.
    pub(super) fn find(lp: &Loop) -> Streams {
        let mut streams = Streams {
            items: 1,
            in_flight: 1,
            ..Streams::default()
        };
        let row = Row::of(lp);
        if row == Row::Other {
            return streams;
        }
        streams.row = Some(row);
        streams.rows_apart = lp.arrays.iter().all(|a| a.access != Access::Owned);
        let facts = Facts::of(&lp.body);
        let mut found = HashMap::new();
        if let [outer, _] = &lp.space[..] {
            found.insert(
                outer.position,
                Affine {
                    outer: 1,
                    ..Affine::default()
                },
            );
        }
        if let Some(inner) = lp.space.last() {
            found.insert(
                inner.position,
                Affine {
                    stride: 1,
                    ..Affine::default()
                },
            );
        }
        let mut lets = Lets {
            lp,
            row,
            assigned: &facts.assigned,
            found,
        };
        lets.block(&lp.body.block);
        streams.lets = lets.found;

        let mut accesses = Accesses {
            lp,
            streams: &streams,
            found: Vec::new(),
        };
        accesses.block(&lp.body.block);
        let mut groups: Vec<(Stream, u32)> = Vec::new();
        for stream in accesses.found {
            match groups.iter_mut().find(|(s, _)| same(s, &stream)) {
                Some((_, count)) => *count += 1,
                None => groups.push((stream, 1)),
            }
        }
        // The most used place of each array: others are read through the cache that it has filled.
        groups.sort_by_key(|(s, count)| (s.array, u32::MAX - count, s.first));
        groups.dedup_by_key(|(s, _)| s.array);
        let written = streams.written(lp);
        let writes = !written.is_empty();
        let list: Vec<Stream> = groups
            .into_iter()
            .map(|(s, _)| s)
            .chain(written)
            .filter(|s| s.item_bytes() <= 64)
            .collect();
        let local = (0..lp.body.vars.len() as u32).any(|v| facts.indexed.contains(&VarId(v)));
        if list.is_empty() || local {
            return streams;
        }
        // A thread for each iteration is what keeps a device busy where they are long.
        if has_loops(lp) && lp.arrays.iter().any(|a| a.access == Access::Owned) {
            return streams;
        }

        let cost = cost(lp).max(1);
        let bytes: u32 = list.iter().map(Stream::item_bytes).sum();
        let natural = list
            .iter()
            .map(|s| 16 >> s.item_bytes().trailing_zeros().min(4));
        // What is stored should lie side by side in a warp's stores, of which each lane has 16 bytes.
        let natural = match writes {
            true => natural.min(),
            false => natural.max(),
        };
        let natural = natural.unwrap_or(1);
        let mut items = natural;
        while items > 1 && (items * bytes > MOST_BYTES || items * cost > MOST_EXPRESSIONS) {
            items /= 2;
        }
        // Less than a word at a time is not worth a vector.
        if list.iter().any(|s| (s.item_bytes() * items) % 4 != 0) || items < 2 {
            return streams;
        }
        let most = (MOST_EXPRESSIONS / (cost * items))
            .min(MOST_ITEMS / items)
            .clamp(1, 4);
        let read = list.iter().filter(|s| s.reads).map(Stream::item_bytes);
        let read = read.sum::<u32>().max(1);
        streams.in_flight = (BYTES_IN_FLIGHT / (read * items)).clamp(1, most);
        streams.items = items;
        streams.list = list;
        let mut uses = UsesPosition {
            lp,
            streams: &streams,
            found: false,
        };
        uses.block(&lp.body.block);
        streams.uses_position = uses.found;
        streams
    }

    /// The same for a loop whose updates are gathered in tiles, `updates` an item: as many items for each thread as
    /// make at most `slots` updates. Where nothing is streamed, these are single items.
    pub(super) fn tiled(&self, lp: &Loop, updates: u32, slots: u32) -> Streams {
        let mut tiled = self.clone();
        let bytes = |items: u32| self.list.iter().map(move |s| s.item_bytes() * items);
        while tiled.items > 1 && tiled.items * updates > slots {
            tiled.items /= 2;
            if bytes(tiled.items).any(|b| b % 4 != 0) {
                tiled.items = 1;
            }
        }
        let most = (TILE_EXPRESSIONS / (cost(lp).max(1) * tiled.items)).max(1);
        tiled.in_flight = (slots / (updates * tiled.items)).clamp(1, most);
        tiled
    }

    /// The same for a loop whose terms are computed before its bodies run: as many items for each thread as make a tile worth its hand-over.
    /// `in_order` says that what they write lies in the order of the iterations: neighbours in a warp are neighbours in the loop then, so that its stores
    /// lie side by side.
    pub(super) fn of_tiles(mut self, lp: &Loop, in_order: bool) -> Streams {
        if self.items < 2 {
            self.in_flight = TILE_ITEMS;
            return self;
        }
        if in_order && self.list.iter().all(|s| s.item_bytes() % 4 == 0) {
            self.items = 1;
        }
        let read = self.list.iter().filter(|s| s.reads).map(Stream::item_bytes);
        let bytes = read.sum::<u32>().max(1) * self.items;
        let most = TILE_EXPRESSIONS / (cost(lp).max(1) * self.items);
        let most = most.min(2 * MOST_ITEMS / self.items).max(1);
        self.in_flight = (TILE_BYTES / bytes).clamp(1, most);
        self
    }

    /// The same loop with nothing loaded ahead: where iterations are few, more threads have some.
    pub(super) fn one_by_one(&self) -> Streams {
        Streams {
            list: Vec::new(),
            items: 1,
            in_flight: 1,
            uses_position: true,
            lets: self.lets.clone(),
            row: self.row,
            rows_apart: self.rows_apart,
        }
    }

    /// The stream of a place and the bytes from the item's start, if it is streamed.
    pub(super) fn locate(&self, lp: &Loop, place: &Place) -> Option<(usize, u32)> {
        let (stream, at, _) = self.access(lp, place)?;
        let number = self.list.iter().position(|s| same(s, &stream))?;
        Some((number, at))
    }

    /// The stream that an access would be of, the bytes from the item's start, and the type accessed.
    pub(super) fn access<'t>(
        &self,
        lp: &'t Loop,
        place: &Place,
    ) -> Option<(Stream, u32, &'t Type)> {
        let Root::Array(array) = place.root else {
            return None;
        };
        let captured = lp.array(array);
        if !matches!(captured.access, Access::Read | Access::Owned) {
            return None;
        }
        let (Projection::Index(index), mut rest) = place.path.split_first()? else {
            return None;
        };
        let (mut affine, mut ty, mut row) = (self.index(index, lp)?, &captured.elem, 1);
        while let (Type::Array(inner, _), [Projection::Index(index), behind @ ..]) = (ty, rest)
            && layout::of(ty)?.size > MOST_ELEMENT
            && self.rows_apart
        {
            let length = layout::length(ty)?;
            let within = self.within(index, length, lp)?;
            affine = affine.times(i64::try_from(length).ok()?)?.plus(&within)?;
            (ty, rest, row) = (&**inner, behind, length.checked_mul(row)?);
        }
        let affine = affine.flat(self.row?)?;
        let stride = u32::try_from(affine.stride)
            .ok()
            .filter(|s| (1..=64).contains(s))?;
        let elem = layout::of(ty)
            .filter(|l| (1..=MOST_ELEMENT).contains(&l.size))?
            .size as u32;
        let within = affine.constant.rem_euclid(i64::from(stride));
        let mut at = within as u32 * elem;
        for step in rest {
            match step {
                Projection::Field(n) => {
                    let (offset, field) = layout::field(ty, *n)?;
                    at += offset as u32;
                    ty = field;
                }
                Projection::Index(index) => {
                    let ExprKind::Literal(Literal::Int(i)) = index.index.kind else {
                        return None;
                    };
                    let Type::Array(inner, _) = ty else {
                        return None;
                    };
                    if index.base.is_some() || i128::from(layout::length(ty)?) <= i {
                        return None;
                    }
                    at += (i as u64 * layout::of(inner)?.size) as u32;
                    ty = &**inner;
                }
            }
        }
        let stream = Stream {
            array,
            stride,
            first: affine.constant - within,
            captured: affine.captured,
            elem_bytes: elem,
            row,
            reads: true,
            writes: false,
        };
        Some((stream, at, ty))
    }

    /// The index within a row of so many elements as a function of the position, if it is in range by construction.
    fn within(&self, index: &Index, length: u64, lp: &Loop) -> Option<Affine> {
        let at = self.index(index, lp)?;
        let position = Affine {
            stride: 1,
            ..Affine::default()
        };
        let inside = match self.row? {
            Row::Literal(count) => at == position && u64::try_from(count).ok()? <= length,
            Row::None | Row::Captured(_) | Row::Other => false,
        };
        inside.then_some(at)
    }

    /// An index as a function of the position, if being in range of the array is all that it is checked for.
    fn index(&self, index: &Index, lp: &Loop) -> Option<Affine> {
        match &index.check {
            Check::Dimension if index.base.is_none() => {}
            Check::Never => {}
            Check::Dimension => return None,
            Check::Window(window) => {
                let constant = |e: &Expr| match e.kind {
                    ExprKind::Literal(Literal::Int(v)) => Some(v),
                    _ => None,
                };
                if constant(&index.index)? >= constant(window)? {
                    return None;
                }
            }
        }
        let row = self.row?;
        let at = affine(&index.index, lp, row, &self.lets)?;
        match &index.base {
            Some(base) => affine(base, lp, row, &self.lets)?.plus(&at),
            None => Some(at),
        }
    }
}

pub(super) fn same(a: &Stream, b: &Stream) -> bool {
    a.array == b.array && a.stride == b.stride && a.first == b.first && a.captured == b.captured
}

/// Collects the accesses that could be streamed.
struct Accesses<'a> {
    lp: &'a Loop,
    streams: &'a Streams,
    found: Vec<Stream>,
}

impl Visit for Accesses<'_> {
    fn load(&mut self, place: &Place) {
        if let Some((stream, _, ty)) = self.streams.access(self.lp, place)
            && ty.is_known()
            && self.lp.array(stream.array).access == Access::Read
        {
            self.found.push(stream);
        }
        self.place_parts(place);
    }
}

/// Looks for the position where it is not the index of a streamed access.
struct UsesPosition<'a> {
    lp: &'a Loop,
    streams: &'a Streams,
    found: bool,
}

impl Visit for UsesPosition<'_> {
    fn load(&mut self, place: &Place) {
        if self.streams.locate(self.lp, place).is_none() {
            self.found |= self
                .lp
                .space
                .iter()
                .any(|dim| place.root == Root::Var(dim.position));
            self.place_parts(place);
        }
    }
}

/// Whether an iteration runs loops of its own.
pub(super) fn has_loops(lp: &Loop) -> bool {
    repeats(&lp.body.block)
}

/// Whether a block has loops.
pub(super) fn repeats(block: &Block) -> bool {
    struct Loops(bool);
    impl Visit for Loops {
        fn stmt(&mut self, stmt: &Stmt) {
            self.0 |= matches!(stmt.kind, StmtKind::For(_) | StmtKind::While(..));
            self.stmt_parts(stmt);
        }
        fn expr(&mut self, e: &Expr) {
            self.0 |= matches!(e.kind, ExprKind::Loop(..));
            self.expr_parts(e);
        }
    }
    let mut loops = Loops(false);
    loops.block(block);
    loops.0
}

/// How long the printed body is, roughly, in expressions.
fn cost(lp: &Loop) -> u32 {
    struct Cost<'a>(&'a Loop, u32);
    impl Visit for Cost<'_> {
        fn expr(&mut self, e: &Expr) {
            self.1 += match &e.kind {
                ExprKind::Call(f, _) => {
                    let mut inner = Cost(self.0, 0);
                    inner.block(&self.0.function(*f).body.block);
                    inner.1
                }
                ExprKind::Method(method, _)
                    if accrue_ptx::library::math(method.name()).is_some() =>
                {
                    60
                }
                ExprKind::Method(..) => 6,
                ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, by) => match by.kind {
                    ExprKind::Literal(Literal::Int(_)) => 3,
                    _ => 20,
                },
                ExprKind::Loop(..) => 40,
                _ => 1,
            };
            self.expr_parts(e);
        }
        fn stmt(&mut self, stmt: &Stmt) {
            if matches!(stmt.kind, StmtKind::For(_) | StmtKind::While(..)) {
                self.1 += 40;
            }
            self.stmt_parts(stmt);
        }
    }
    let mut cost = Cost(lp, 0);
    cost.block(&lp.body.block);
    cost.1
}

impl Emitter<'_> {
    /// The value at a place whose stream has been loaded.
    pub(super) fn load_streamed(&mut self, place: &Place) -> Option<Value> {
        let streams = self.streams;
        self.item.loaded.as_ref()?;
        let (number, at) = streams.locate(self.lp, place)?;
        let (_, _, ty) = streams.access(self.lp, place)?;
        let ty = ty.clone();
        let words = self.item.loaded.as_ref()?[number].clone();
        let Number::Vector { offset, .. } = self.item.number else {
            return None;
        };
        let start = offset * streams.list[number].item_bytes() + at;
        self.element_of_words(number, &words, start, &ty)
    }

    /// A value in the bytes of loaded words, from `at` on.
    fn element_of_words(
        &mut self,
        stream: usize,
        words: &[Reg],
        at: u32,
        ty: &Type,
    ) -> Option<Value> {
        match ty {
            Type::Scalar(s) => Some(Value::Num(match self.kept.get(&(stream, at)) {
                // The item has written it.
                Some(kept) => *kept,
                None => self.scalar_from_words(words, at, *s),
            })),
            Type::Array(elem, _) => {
                let size = layout::of(elem)?.size as u32;
                let n = layout::length(ty)? as u32;
                (0..n)
                    .map(|i| self.element_of_words(stream, words, at + i * size, elem))
                    .collect::<Option<_>>()
                    .map(Value::Parts)
            }
            Type::Tuple(_) | Type::Struct(_) => (0..layout::fields(ty))
                .map(|n| {
                    let (offset, field) = layout::field(ty, n)?;
                    self.element_of_words(stream, words, at + offset as u32, field)
                })
                .collect::<Option<_>>()
                .map(Value::Parts),
            _ => None,
        }
    }

    pub(super) fn scalar_from_words(&mut self, words: &[Reg], at: u32, ty: Scalar) -> Num {
        let word = words[at as usize / 4];
        let f = self.f();
        match ty.size() {
            8 => {
                let both = f.pack(word, words[at as usize / 4 + 1]);
                match ty {
                    Scalar::F64 => Num::reg(ty, value!(f, "element", "mov.b64", both)).as_f64(f),
                    _ => Num::reg(ty, both),
                }
            }
            4 if ty == Scalar::F32 => {
                let element = f.reg(Class::F32, "element");
                f.op("mov.b32", &[element.into(), word.into()]);
                Num::reg(ty, element)
            }
            4 => Num::reg(ty, word),
            _ => {
                let element = extract(f, word, at % 4, ty);
                match ty {
                    Scalar::Bool => Num::reg(ty, value!(f, "element", "setp.ne.u32", element, 0)),
                    _ => Num::reg(ty, element),
                }
            }
        }
    }
}

impl Num {
    /// 64 bits in a register for floats.
    fn as_f64(self, f: &mut Function) -> Num {
        let element = f.reg(Class::F64, "element");
        f.op("mov.b64", &[element.into(), self.operand]);
        Num::reg(Scalar::F64, element)
    }
}

/// A byte or half of a word, extended to 32 bits: one byte permutation, whose selector says for each byte of the
/// result where it comes from: 0 to 3 the word, 4 a zero, 8 more the sign of that byte.
fn extract(f: &mut Function, word: Reg, byte: u32, ty: Scalar) -> Reg {
    let selector = match (ty.size(), ty.is_signed()) {
        (1, false) => 0x4440 | byte,
        (1, true) => (0x8880 | (byte << 12) | (byte << 8) | (byte << 4)) | byte,
        (_, false) => 0x4400 | ((byte + 1) << 4) | byte,
        (_, true) => ((8 | (byte + 1)) << 12) | ((8 | (byte + 1)) << 8) | ((byte + 1) << 4) | byte,
    };
    value!(f, "element", "prmt.b32", word, 0, Operand::from(selector))
}
