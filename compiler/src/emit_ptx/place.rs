//! Places: elements of captured arrays and parts of variables, read and written.

use accrue_ptx::abi::FaultKind;
use accrue_ptx::value;
use accrue_ptx::writer::{Class, Operand, Reg};

use super::emitter::{Emitter, MOST_PARTS, Result, scalars};
use super::fused::Term;
use super::layout;
use super::spans::Spanned;
use super::value::{Local, Num, Value, class, memory};
use crate::ir::{
    Access, ArrayId, BinaryOp, Check, ExprKind, Index, Place, Projection, Root, Scalar, SourceId,
    Stmt, StmtKind, Type, VarId,
};

/// Which memory a typed access goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    /// Captured memory that nobody writes while the kernel runs.
    Captured,
    /// Captured memory of which the iteration has this part of its own.
    Own,
    /// The thread's own.
    Local,
    /// A row that the gang keeps in shared memory.
    Row,
}

/// An address: a register and a constant.
#[derive(Clone, Copy)]
struct Address {
    base: Reg,
    offset: i64,
}

impl<'a> Emitter<'a> {
    /// The value at a place.
    pub(super) fn load(&mut self, place: &'a Place, source: SourceId) -> Result<Value> {
        match place.root {
            Root::Array(array) => self.load_element(array, place, source),
            Root::Var(var) => self.load_part(var, &place.path, source),
        }
    }

    /// An index, checked, with the user's base added.
    pub(super) fn index(
        &mut self,
        index: &'a Index,
        length: Num,
        kind: FaultKind,
        text: &str,
    ) -> Result<Num> {
        let at = self.index_in_view(index, length, kind, text)?;
        match &index.base {
            Some(base) => {
                let base = self.expr(base)?.num();
                Ok(self.arithmetic(BinaryOp::Add, base, at, None))
            }
            None => Ok(at),
        }
    }

    /// The same without the user's base.
    fn index_in_view(
        &mut self,
        index: &'a Index,
        length: Num,
        kind: FaultKind,
        text: &str,
    ) -> Result<Num> {
        let at = self.expr(&index.index)?.num();
        let source = index.index.source;
        match &index.check {
            Check::Dimension if self.stays_below(&index.index, length) => {}
            Check::Dimension => self.check_index(at, length, kind, text, source),
            Check::Window(window) => {
                let window = self.expr(window)?.num();
                self.check_index(at, window, kind, text, source);
            }
            Check::Never => {}
        }
        Ok(at)
    }

    /// The index of a bin, likewise. Where bins are numbered in 32 bits, a float becomes one in 32 bits; the path for single
    /// items tells what it would have been.
    pub(super) fn bin_index(&mut self, index: &'a Index, length: Num, text: &str) -> Result<Num> {
        let plain = matches!(index.check, Check::Dimension) && index.base.is_none();
        let narrow = self.item.loaded.is_some() && self.kernel.bins_are_narrow();
        if let (true, true, ExprKind::Cast(float)) = (plain, narrow, &index.index.kind)
            && let Type::Scalar(Scalar::F32 | Scalar::F64) = float.ty
            && let Type::Scalar(Scalar::Usize | Scalar::U64) = index.index.ty
        {
            let float = self.expr(float)?.num();
            let at = self.float_to_bin(float);
            self.check_index(at, length, FaultKind::BinIndex, text, index.index.source);
            return Ok(at);
        }
        self.index(index, length, FaultKind::BinIndex, text)
    }

    fn load_element(
        &mut self,
        array: ArrayId,
        place: &'a Place,
        source: SourceId,
    ) -> Result<Value> {
        if let Some(value) = self.load_streamed(place) {
            return Ok(value);
        }
        if let Some(Spanned::Kept(value)) = self.spanned(place) {
            return self.copy(&value, source);
        }
        let (address, ty) = self.element(array, place, FaultKind::ReadIndex, source)?;
        if let Some(base) = self.in_row(array, address.base) {
            return self.load_value(Memory::Row, base, address.offset, ty, source);
        }
        let from = match self.lp.array(array).access {
            Access::Owned => Memory::Own,
            Access::Read | Access::Updated | Access::LengthOnly => Memory::Captured,
        };
        self.load_value(from, address.base, address.offset, ty, source)
    }

    /// Where an element of captured memory is, or a part of one, and its type.
    fn element(
        &mut self,
        array: ArrayId,
        place: &'a Place,
        kind: FaultKind,
        source: SourceId,
    ) -> Result<(Address, &'a Type)> {
        if let Some(Spanned::At(base, offset, ty)) = self.spanned(place) {
            return Ok((Address { base, offset }, ty));
        }
        let lp = self.lp;
        let name = &lp.array(array).name;
        let mut address = Address {
            base: self.inputs.pointers[&array],
            offset: 0,
        };
        let mut length = self.array_length(array);
        // The array itself is not a type: its first index leads to an element.
        let mut ty: Option<&'a Type> = None;
        for step in &place.path {
            match step {
                Projection::Index(index) => {
                    let elem = match ty {
                        None => &lp.array(array).elem,
                        Some(Type::Array(elem, n)) => {
                            length = self.length(n, source)?;
                            &**elem
                        }
                        Some(other) => unreachable!("an index into {other}"),
                    };
                    let at = match (&index.base, &self.steps) {
                        // Where the view begins is the same for all iterations of a step.
                        (base, Some(_)) => {
                            let at = match self.unchecked.contains(&std::ptr::from_ref(place)) {
                                true => self.expr(&index.index)?.num(),
                                false => self.index_in_view(index, length, kind, name)?,
                            };
                            if let Some(base) = base {
                                let base = self.expr(base)?.num();
                                address = self.step(address, base, elem, source)?;
                            }
                            at
                        }
                        _ => self.index(index, length, kind, name)?,
                    };
                    address = self.step(address, at, elem, source)?;
                    ty = Some(elem);
                }
                Projection::Field(n) => {
                    let (offset, field) =
                        self.field(ty.expect("an index comes first"), *n, source)?;
                    address.offset += offset as i64;
                    ty = Some(field);
                }
            }
        }
        Ok((address, ty.expect("an index comes first")))
    }

    /// The address of an element.
    fn step(
        &mut self,
        from: Address,
        index: Num,
        elem: &Type,
        source: SourceId,
    ) -> Result<Address> {
        let size = self.size_of(elem, source)?;
        if let (Some(at), Some(size)) = (index.constant(), size.constant())
            && let Ok(bytes) = i64::try_from(at * size)
        {
            return Ok(Address {
                base: from.base,
                offset: from.offset + bytes,
            });
        }
        let narrow =
            index.is_narrow() && size.constant().is_some_and(|s| s <= i128::from(u32::MAX));
        let base = if narrow {
            let at = self.low(index);
            value!(self.f(), "at", "mad.wide.u32", at, size.operand, from.base)
        } else {
            let at = self.reg(index);
            let size = self.wide(size);
            value!(self.f(), "at", "mad.lo.u64", at, size, from.base)
        };
        Ok(Address {
            base,
            offset: from.offset,
        })
    }

    /// The size of a type in bytes: a constant, unless a length in it is a captured value.
    pub(super) fn size_of(&mut self, ty: &Type, source: SourceId) -> Result<Num> {
        if let Some(layout) = layout::of(ty) {
            return Ok(Num::int(Scalar::Usize, i128::from(layout.size)));
        }
        match ty {
            Type::Array(elem, length) => {
                let size = self.size_of(elem, source)?;
                let length = self.length(length, source)?;
                Ok(self.arithmetic(BinaryOp::Mul, length, size, None))
            }
            _ => Err(self.obstacle(
                source,
                format!("the layout of `{ty}` depends on a constant that is not known here"),
                Some("write the length of the array inside it as a number"),
            )),
        }
    }

    pub(super) fn field<'t>(
        &self,
        ty: &'t Type,
        field: u32,
        source: SourceId,
    ) -> Result<(u64, &'t Type)> {
        layout::field(ty, field).ok_or_else(|| {
            self.obstacle(
                source,
                format!("the layout of `{ty}` depends on a constant that is not known here"),
                Some("write the length of the array inside it as a number"),
            )
        })
    }

    /// Loads a value of any type.
    pub(super) fn load_value(
        &mut self,
        from: Memory,
        base: Reg,
        offset: i64,
        ty: &Type,
        source: SourceId,
    ) -> Result<Value> {
        match ty {
            Type::Unit => Ok(Value::Unit),
            Type::Scalar(s) => {
                let space = match from {
                    Memory::Captured => "global.nc",
                    Memory::Own => "global",
                    Memory::Local => "local",
                    Memory::Row => "shared",
                };
                let at = Operand::At(base, offset);
                let reg = match *s {
                    Scalar::Bool => {
                        let byte = value!(self.f(), "byte", format!("ld.{space}.u8"), at);
                        value!(self.f(), "loaded", "setp.ne.u32", byte, 0)
                    }
                    s => value!(self.f(), "loaded", format!("ld.{space}.{}", memory(s)), at),
                };
                Ok(Value::Num(Num::reg(*s, reg)))
            }
            Type::Array(elem, _) => {
                let n = layout::length(ty).filter(|_| scalars(ty) <= MOST_PARTS);
                let (Some(n), Some(size)) = (n, layout::of(elem).map(|l| l.size)) else {
                    return Err(self.too_large(ty, source));
                };
                (0..n)
                    .map(|i| self.load_value(from, base, offset + (i * size) as i64, elem, source))
                    .collect::<Result<_>>()
                    .map(Value::Parts)
            }
            Type::Tuple(_) | Type::Struct(_) => (0..layout::fields(ty))
                .map(|n| {
                    let (at, field) = self.field(ty, n, source)?;
                    self.load_value(from, base, offset + at as i64, field, source)
                })
                .collect::<Result<_>>()
                .map(Value::Parts),
            Type::Never | Type::Opaque(_) | Type::Integer(_) | Type::Infer(_) => Err(self
                .obstacle(
                    source,
                    format!("values of type `{ty}` cannot be loaded"),
                    None,
                )),
        }
    }

    pub(super) fn too_large(&self, ty: &Type, source: SourceId) -> crate::plan::Obstacle {
        self.obstacle(
            source,
            format!("a value of type `{ty}` is too large to be copied on the GPU"),
            Some("index the array where it is, instead of copying it"),
        )
    }

    /// Stores a value into local memory.
    pub(super) fn store_local(
        &mut self,
        base: Reg,
        offset: i64,
        ty: &Type,
        value: &Value,
        source: SourceId,
    ) -> Result<()> {
        self.store_value(Memory::Local, base, offset, ty, value, source)
    }

    /// Stores a value of any type.
    pub(super) fn store_value(
        &mut self,
        to: Memory,
        base: Reg,
        offset: i64,
        ty: &Type,
        value: &Value,
        source: SourceId,
    ) -> Result<()> {
        match (ty, value) {
            (Type::Scalar(s), Value::Num(num)) => {
                let operand = match s {
                    Scalar::Bool => self.bool_bits(*num).into(),
                    _ => self.wide(*num),
                };
                let space = match to {
                    Memory::Captured | Memory::Own => "global",
                    Memory::Local => "local",
                    Memory::Row => "shared",
                };
                let opcode = format!(
                    "st.{space}.{}",
                    memory(*s).replace("s8", "u8").replace("s16", "u16")
                );
                self.f().op(&opcode, &[Operand::At(base, offset), operand]);
                Ok(())
            }
            (Type::Array(elem, _), Value::Parts(parts)) => {
                let size = layout::of(elem)
                    .map(|l| l.size)
                    .ok_or_else(|| self.too_large(ty, source))?;
                for (i, part) in parts.iter().enumerate() {
                    self.store_value(
                        to,
                        base,
                        offset + i as i64 * size as i64,
                        elem,
                        part,
                        source,
                    )?;
                }
                Ok(())
            }
            (Type::Tuple(_) | Type::Struct(_), Value::Parts(parts)) => {
                for (n, part) in parts.iter().enumerate() {
                    let (at, field) = self.field(ty, n as u32, source)?;
                    self.store_value(to, base, offset + at as i64, field, part, source)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Walks from a variable to a part of it, as far as it is in registers, and calls back with the local memory behind.
    fn part(&mut self, value: Value, path: &'a [Projection], source: SourceId) -> Result<Part> {
        let mut value = value;
        for (n, step) in path.iter().enumerate() {
            value = match (value, step) {
                (Value::Local(local), _) => {
                    return self.local_part(local, &path[n..], source);
                }
                (Value::Parts(mut parts), Projection::Field(n)) => parts.swap_remove(*n as usize),
                (Value::Parts(mut parts), Projection::Index(index)) => {
                    let length = Num::int(Scalar::Usize, parts.len() as i128);
                    let at = self.index(index, length, FaultKind::ReadIndex, "")?;
                    match at.constant().and_then(|c| usize::try_from(c).ok()) {
                        Some(at) if at < parts.len() => parts.swap_remove(at),
                        // The check has failed the iteration: nothing behind it is reached.
                        Some(_) => Value::Never,
                        None => unreachable!("arrays indexed by variables are in local memory"),
                    }
                }
                (Value::Never, _) => Value::Never,
                (other, step) => unreachable!("{step:?} of {other:?}"),
            };
        }
        Ok(Part::Registers(value))
    }

    fn local_part(
        &mut self,
        local: Local,
        path: &'a [Projection],
        source: SourceId,
    ) -> Result<Part> {
        let mut address = Address {
            base: local.base,
            offset: 0,
        };
        let mut ty = local.ty;
        for step in path {
            match step {
                Projection::Index(index) => {
                    let Type::Array(elem, length) = ty else {
                        unreachable!("an index into {ty}")
                    };
                    let length = self.length(&length, source)?;
                    let at = self.index(index, length, FaultKind::ReadIndex, "")?;
                    address = self.step(address, at, &elem, source)?;
                    ty = *elem;
                }
                Projection::Field(n) => {
                    let (offset, field) = self.field(&ty, *n, source)?;
                    address.offset += offset as i64;
                    ty = field.clone();
                }
            }
        }
        Ok(Part::Memory(Memory::Local, address, ty))
    }

    fn load_part(&mut self, var: VarId, path: &'a [Projection], source: SourceId) -> Result<Value> {
        let value = self.var(var, source)?;
        match self.part(value, path, source)? {
            Part::Registers(Value::Local(local)) => {
                self.load_value(Memory::Local, local.base, 0, &local.ty, source)
            }
            // Registers of what is assigned later must not be shared: the value is that of now.
            Part::Registers(value) if self.frame().facts.assigned.contains(&var) => {
                self.copy(&value, source)
            }
            Part::Registers(value) => Ok(value),
            Part::Memory(from, at, ty) => self.load_value(from, at.base, at.offset, &ty, source),
        }
    }

    /// `place = value`.
    pub(super) fn store(
        &mut self,
        place: &'a Place,
        value: &Value,
        source: SourceId,
    ) -> Result<()> {
        if self.store_streamed(place, value) || self.keep_in_strip(place, value) {
            return Ok(());
        }
        let part = self.written(place, source)?;
        self.store_part(part, value, source)
    }

    /// What an assignment writes: a part of a variable, or an element of the iteration's own.
    fn written(&mut self, place: &'a Place, source: SourceId) -> Result<Part> {
        match place.root {
            Root::Var(var) => {
                let storage = self.var(var, source)?;
                self.part(storage, &place.path, source)
            }
            Root::Array(array) if self.lp.array(array).access == Access::Owned => {
                if let Some(Spanned::Kept(value)) = self.spanned(place) {
                    return Ok(Part::Registers(value));
                }
                let (at, ty) = self.element(array, place, FaultKind::WriteIndex, source)?;
                Ok(Part::Memory(Memory::Own, at, ty.clone()))
            }
            Root::Array(_) => Err(self.obstacle(
                source,
                "captured memory is assigned outside of an update",
                None,
            )),
        }
    }

    fn store_part(&mut self, part: Part, value: &Value, source: SourceId) -> Result<()> {
        match part {
            Part::Registers(to) => self.assign(&to, value, source),
            Part::Memory(to, at, ty) => {
                self.store_value(to, at.base, at.offset, &ty, value, source)
            }
        }
    }

    /// What an assignment to captured memory would write, and where; none of others. It is written by [`write`](Emitter::write).
    pub(super) fn put_off(&mut self, stmt: &'a Stmt) -> Result<Option<PutOff>> {
        let (place, value) = match &stmt.kind {
            StmtKind::Assign(place, value) => (place, self.expr(value)?),
            StmtKind::Compound(place, op, value) => {
                let Some(term) = self.term(*op, value)? else {
                    return Ok(None);
                };
                let Part::Memory(from, at, ty) = self.written(place, stmt.source)? else {
                    return Ok(None);
                };
                let old = self.load_value(from, at.base, at.offset, &ty, stmt.source)?;
                let new = self.join(*op, old.num(), term, stmt.source)?;
                (place, Value::Num(new))
            }
            _ => return Ok(None),
        };
        let Part::Memory(_, mut at, ty) = self.written(place, stmt.source)? else {
            return Ok(None);
        };
        // The address may go on before the element is written.
        let base = self.f().reg(Class::B64, "at");
        self.f().assign(base, at.base);
        at.base = base;
        let source = stmt.source;
        Ok(Some(PutOff {
            at,
            ty,
            value,
            source,
        }))
    }

    /// Writes what has been put off.
    pub(super) fn write(&mut self, off: &PutOff) -> Result<()> {
        let Address { base, offset } = off.at;
        self.store_value(Memory::Own, base, offset, &off.ty, &off.value, off.source)
    }

    /// `place op= value`; its indices are evaluated once.
    pub(super) fn compound(
        &mut self,
        place: &'a Place,
        op: BinaryOp,
        term: Term,
        source: SourceId,
    ) -> Result<()> {
        if let Some(old) = self.load_streamed(place) {
            let new = self.join(op, old.num(), term, source)?;
            self.store_streamed(place, &Value::Num(new));
            return Ok(());
        }
        if self.waits_in_strip(place)
            && let Some(Spanned::Kept(old)) = self.spanned(place)
        {
            let new = self.join(op, old.num(), term, source)?;
            self.keep_in_strip(place, &Value::Num(new));
            return Ok(());
        }
        let part = self.written(place, source)?;
        let old = match &part {
            Part::Registers(value) => value.clone(),
            Part::Memory(from, at, ty) => self.load_value(*from, at.base, at.offset, ty, source)?,
        };
        if old.is_never() {
            return Ok(());
        }
        let new = self.join(op, old.num(), term, source)?;
        self.store_part(part, &Value::Num(new), source)
    }

    /// Registers, or local memory, for a variable of a type.
    pub(super) fn storage(
        &mut self,
        ty: &Type,
        name: &str,
        local: bool,
        source: SourceId,
    ) -> Result<Value> {
        Ok(match ty {
            Type::Unit => Value::Unit,
            Type::Never => Value::Never,
            Type::Scalar(s) => Value::Num(Num::reg(*s, self.f().reg(class(*s), name))),
            Type::Array(..) if local => {
                let layout = layout::of(ty).ok_or_else(|| {
                    self.obstacle(
                        source,
                        "the length of a local array is not known here",
                        Some("write the length as a number"),
                    )
                })?;
                let symbol = self.f().unique(&format!("local_{name}"));
                let align = layout.align.max(4);
                let size = layout.size.max(1);
                self.f()
                    .declare(format!(".local .align {align} .b8 {symbol}[{size}];"));
                let base = self.f().address_of(Class::B64, &symbol);
                Value::Local(Local {
                    base,
                    ty: ty.clone(),
                })
            }
            Type::Array(elem, _) => {
                let n = layout::length(ty).ok_or_else(|| self.too_large(ty, source))?;
                (0..n)
                    .map(|i| self.storage(elem, &format!("{name}_{i}"), local, source))
                    .collect::<Result<_>>()
                    .map(Value::Parts)?
            }
            Type::Tuple(parts) => parts
                .iter()
                .enumerate()
                .map(|(i, part)| self.storage(part, &format!("{name}_{i}"), local, source))
                .collect::<Result<_>>()
                .map(Value::Parts)?,
            Type::Struct(s) => s
                .fields
                .iter()
                .map(|(field, part)| self.storage(part, &format!("{name}_{field}"), local, source))
                .collect::<Result<_>>()
                .map(Value::Parts)?,
            Type::Opaque(_) | Type::Integer(_) | Type::Infer(_) => {
                return Err(self.obstacle(
                    source,
                    format!("the type of `{name}` is not known here"),
                    None,
                ));
            }
        })
    }

    /// Writes a value into storage.
    pub(super) fn assign(&mut self, to: &Value, value: &Value, source: SourceId) -> Result<()> {
        match (to, value) {
            (Value::Num(to), Value::Num(num)) => {
                if let Operand::Reg(reg) = to.operand {
                    self.assign_num(reg, *num);
                }
                Ok(())
            }
            (Value::Parts(to), Value::Parts(parts)) => to
                .iter()
                .zip(parts)
                .try_for_each(|(to, part)| self.assign(to, part, source)),
            (Value::Local(local), value) => {
                self.store_local(local.base, 0, &local.ty, value, source)
            }
            _ => Ok(()),
        }
    }

    /// The same value in registers of its own.
    pub(super) fn copy(&mut self, value: &Value, source: SourceId) -> Result<Value> {
        Ok(match value {
            Value::Num(num) => match num.operand {
                Operand::Reg(reg) => {
                    let copy = self.f().reg(reg.class, "now");
                    self.f().assign(copy, reg);
                    Value::Num(Num {
                        operand: copy.into(),
                        ..*num
                    })
                }
                _ => Value::Num(*num),
            },
            Value::Parts(parts) => Value::Parts(
                parts
                    .iter()
                    .map(|p| self.copy(p, source))
                    .collect::<Result<_>>()?,
            ),
            Value::Local(local) => {
                self.load_value(Memory::Local, local.base, 0, &local.ty, source)?
            }
            Value::Unit => Value::Unit,
            Value::Never => Value::Never,
        })
    }
}

/// An element that is still to be written.
pub(super) struct PutOff {
    at: Address,
    ty: Type,
    value: Value,
    source: SourceId,
}

/// What is read or written: a part of a variable, or an element of the iteration's own.
enum Part {
    Registers(Value),
    Memory(Memory, Address, Type),
}
