//! Owned arrays that are streamed: what the items of a vector write is kept in registers and stored 16 bytes at a time.
//!
//! An array is, if every access of it is at one element, counted by the position, and if every iteration that does not fail writes
//! all of that element, by statements that nothing stands around. Then the stores of a vector's items wait for each other, and reads of
//! the element come from the vector that was loaded, or from what the iteration has written. If an item of a vector fails, the vector keeps
//! what it held.

use accrue_ptx::value;
use accrue_ptx::writer::{Class, Function, Operand, Reg};

use super::emitter::{Emitter, Number};
use super::grid::Vectors;
use super::layout;
use super::stream::{Stream, Streams, same};
use super::value::{Num, Value};
use crate::ir::visit::Visit;
use crate::ir::{Access, ArrayId, Expr, ExprKind, Loop, Place, Root, Scalar, Stmt, StmtKind, Type};

/// A scalar in a vector: the stream, and the byte from the vector's start.
pub(super) type Slot = (usize, u32);

impl Streams {
    /// The owned arrays of a loop that are streamed.
    pub(super) fn written(&self, lp: &Loop) -> Vec<Stream> {
        let arrays = lp.arrays.iter().enumerate();
        let owned = arrays.filter(|(_, array)| array.access == Access::Owned);
        owned
            .filter_map(|(id, _)| self.written_as(lp, ArrayId(id as u32)))
            .collect()
    }

    /// Whether all owned arrays of a loop are streamed.
    pub(super) fn write_all(&self, lp: &Loop) -> bool {
        let owned = lp.arrays.iter().filter(|a| a.access == Access::Owned);
        self.list.iter().filter(|s| s.writes).count() == owned.count()
    }

    fn written_as(&self, lp: &Loop, array: ArrayId) -> Option<Stream> {
        let mut uses = Uses {
            lp,
            streams: self,
            array,
            stream: None,
            reads: false,
            others: false,
        };
        uses.block(&lp.body.block);
        let mut stream = uses.stream.filter(|_| !uses.others)?;
        // What stands at the top of the body, before anything that may end the iteration.
        let mut covered = vec![false; stream.item_bytes() as usize];
        let mut ends = Ends(false);
        let mut top = 0;
        for stmt in &lp.body.block.stmts {
            ends.stmt(stmt);
            let (StmtKind::Assign(place, _) | StmtKind::Compound(place, ..)) = &stmt.kind else {
                continue;
            };
            if place.root != Root::Array(array) {
                continue;
            }
            if ends.0 {
                return None;
            }
            let (_, at, ty) = self.access(lp, place)?;
            cover(&mut covered, at as usize, ty)?;
            top += 1;
        }
        let mut all = Stores { array, found: 0 };
        all.block(&lp.body.block);
        if all.found != top || covered.contains(&false) {
            return None;
        }
        (stream.reads, stream.writes) = (uses.reads, true);
        Some(stream)
    }
}

/// Notes the bytes of a type's scalars as written.
fn cover(covered: &mut [bool], at: usize, ty: &Type) -> Option<()> {
    match ty {
        Type::Scalar(s) => {
            let bytes = covered.get_mut(at..at + s.size() as usize)?;
            bytes.fill(true);
            Some(())
        }
        Type::Array(elem, _) => {
            let size = layout::of(elem)?.size as usize;
            (0..layout::length(ty)? as usize).try_for_each(|i| cover(covered, at + i * size, elem))
        }
        Type::Tuple(_) | Type::Struct(_) => (0..layout::fields(ty)).try_for_each(|n| {
            let (offset, field) = layout::field(ty, n)?;
            cover(covered, at + offset as usize, field)
        }),
        _ => None,
    }
}

/// Looks how an array is used.
struct Uses<'a> {
    lp: &'a Loop,
    streams: &'a Streams,
    array: ArrayId,
    /// Where, if that is one stream so far.
    stream: Option<Stream>,
    reads: bool,
    /// Whether there is an access anywhere else.
    others: bool,
}

impl Uses<'_> {
    fn place(&mut self, place: &Place) {
        let Some((stream, ..)) = self.streams.access(self.lp, place) else {
            self.others = true;
            return;
        };
        let known = self.stream.get_or_insert_with(|| stream.clone());
        self.others |= !same(known, &stream);
    }
}

impl Visit for Uses<'_> {
    fn load(&mut self, place: &Place) {
        if place.root == Root::Array(self.array) {
            self.reads = true;
            self.place(place);
        }
        self.place_parts(place);
    }

    fn store(&mut self, place: &Place) {
        if place.root == Root::Array(self.array) {
            self.place(place);
        }
        self.place_parts(place);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Compound(place, ..) = &stmt.kind {
            self.reads |= place.root == Root::Array(self.array);
        }
        self.stmt_parts(stmt);
    }
}

/// Whether the iteration may be over behind a statement.
struct Ends(bool);

impl Visit for Ends {
    fn expr(&mut self, expr: &Expr) {
        self.0 |= matches!(expr.kind, ExprKind::Continue(None));
        self.expr_parts(expr);
    }
}

/// Counts the stores of an array.
struct Stores {
    array: ArrayId,
    found: usize,
}

impl Visit for Stores {
    fn store(&mut self, place: &Place) {
        self.found += usize::from(place.root == Root::Array(self.array));
        self.place_parts(place);
    }
}

impl Emitter<'_> {
    /// Keeps what the current item writes at a streamed place; false where the place is not streamed.
    pub(super) fn store_streamed(&mut self, place: &Place, value: &Value) -> bool {
        let streams = self.streams;
        if self.item.loaded.is_none() {
            return false;
        }
        let located = streams.locate(self.lp, place);
        let accessed = streams.access(self.lp, place);
        let (Some((number, at)), Some((_, _, ty))) = (located, accessed) else {
            return false;
        };
        let Number::Vector { offset, .. } = self.item.number else {
            return false;
        };
        let ty = ty.clone();
        let start = offset * streams.list[number].item_bytes() + at;
        self.keep((number, start), &ty, value);
        true
    }

    /// Keeps the scalars of a value.
    fn keep(&mut self, (stream, at): Slot, ty: &Type, value: &Value) {
        match (ty, value) {
            (Type::Scalar(s), Value::Num(num)) => {
                let kept = self.registers_of(*num);
                self.kept.insert((stream, at), Num { ty: *s, ..kept });
            }
            (Type::Array(elem, _), Value::Parts(parts)) => {
                let size = layout::of(elem).map_or(0, |l| l.size as u32);
                for (i, part) in (0..).zip(parts) {
                    self.keep((stream, at + i * size), elem, part);
                }
            }
            (Type::Tuple(_) | Type::Struct(_), Value::Parts(parts)) => {
                for (n, part) in (0..).zip(parts) {
                    if let Some((offset, field)) = layout::field(ty, n) {
                        self.keep((stream, at + offset as u32), field, part);
                    }
                }
            }
            _ => {}
        }
    }

    /// A number in registers of its own: what it comes from may be assigned.
    pub(super) fn registers_of(&mut self, num: Num) -> Num {
        let Operand::Reg(reg) = num.operand else {
            return num;
        };
        let copy = self.f().reg(reg.class, "kept");
        self.f().assign(copy, reg);
        Num {
            operand: copy.into(),
            ..num
        }
    }

    /// Stores what the items of a vector have written, `ahead` strides behind one.
    pub(super) fn store_vector(
        &mut self,
        vectors: &Vectors,
        (vector, stride, ahead): (Reg, Reg, u32),
    ) {
        let streams = self.streams;
        let kept = std::mem::take(&mut self.kept);
        for (number, stream) in streams.list.iter().enumerate().filter(|(_, s)| s.writes) {
            let bytes = stream.item_bytes() * streams.items;
            let width = stream.width(streams.items);
            let words: Vec<Reg> = {
                let slots: Vec<(u32, Num)> = {
                    let own = kept.iter().filter(|((s, _), _)| *s == number);
                    own.map(|((_, at), num)| (*at, *num)).collect()
                };
                self.words(&slots, bytes)
            };
            let name = format!("{}_at", self.lp.array(stream.array).name);
            let f = self.f();
            let vector = match ahead {
                0 => vector,
                _ => value!(f, "vector", "mad.lo.u64", stride, ahead, vector),
            };
            let at = value!(
                f,
                &name,
                "mad.lo.u64",
                vector,
                bytes,
                vectors.starts[number]
            );
            store_words(f, at, 0, width, &words);
        }
    }

    /// Scalars, in the order of their bytes, as words.
    pub(super) fn words(&mut self, slots: &[(u32, Num)], bytes: u32) -> Vec<Reg> {
        let mut words: Vec<Option<Reg>> = vec![None; bytes.div_ceil(4) as usize];
        for &(at, num) in slots {
            let (word, shift) = (at as usize / 4, at % 4 * 8);
            match num.ty.size() {
                8 => {
                    let whole = match num.ty {
                        Scalar::F64 => {
                            let float = self.reg(num);
                            value!(self.f(), "bits", "mov.b64", float)
                        }
                        _ => self.reg(num),
                    };
                    let f = self.f();
                    let (low, high) = (f.reg(Class::B32, "low"), f.reg(Class::B32, "high"));
                    f.unpack(low, high, whole);
                    (words[word], words[word + 1]) = (Some(low), Some(high));
                }
                4 => {
                    let whole = self.reg(num);
                    let bits = match num.ty {
                        Scalar::F32 => value!(self.f(), "bits", "mov.b32", whole),
                        _ => whole,
                    };
                    words[word] = Some(bits);
                }
                size => {
                    let part = match num.ty {
                        Scalar::Bool => self.bool_bits(num),
                        _ => self.reg(num),
                    };
                    let f = self.f();
                    words[word] = Some(match words[word] {
                        None if shift == 0 => {
                            let mask = (1i64 << (8 * size)) - 1;
                            value!(f, "word", "and.b32", part, mask)
                        }
                        // The bits of the part take the place of those of the word.
                        before => {
                            let before = before.map_or(Operand::Int(0), Operand::Reg);
                            value!(f, "word", "bfi.b32", part, before, shift, 8 * size)
                        }
                    });
                }
            }
        }
        let zero = |f: &mut Self| value!(f.f(), "word", "mov.b32", 0);
        words
            .into_iter()
            .map(|word| word.unwrap_or_else(|| zero(self)))
            .collect()
    }
}

/// Stores words from an address and an offset on, `width` bytes at a time.
pub(super) fn store_words(f: &mut Function, at: Reg, offset: i64, width: u32, words: &[Reg]) {
    for (part, words) in (0i64..).zip(words.chunks(width as usize / 4)) {
        let at = Operand::At(at, offset + part * i64::from(width));
        let from: Vec<Operand> = words.iter().map(|w| (*w).into()).collect();
        match from.len() {
            4 => f.store_vector("st.global.v4.u32", at, &from),
            2 => f.store_vector("st.global.v2.u32", at, &from),
            _ => f.op("st.global.u32", &[at, from[0]]),
        }
    }
}
