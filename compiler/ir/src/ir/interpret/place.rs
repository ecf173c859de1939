//! Places: finding them, reading and writing them.

use super::eval::{Exit, Machine};
use super::{FaultKind, Value};
use crate::ir::{ArrayId, Check, Index, Place, Projection, Root, SourceId, Type, VarId};

/// A place with its indices evaluated and checked.
pub(super) enum Found<'a> {
    /// Bytes of captured memory, from an offset.
    Memory(ArrayId, usize, &'a Type),
    /// A part of a variable, by the positions that lead to it.
    Var(VarId, Vec<usize>, &'a Type),
}

impl<'a> Found<'a> {
    pub(super) fn ty(&self) -> &'a Type {
        match self {
            Found::Memory(_, _, ty) | Found::Var(_, _, ty) => ty,
        }
    }
}

impl<'a> Machine<'a, '_> {
    /// Evaluates and checks the indices of a place, left to right.
    pub(super) fn find(&mut self, place: &'a Place, source: SourceId) -> Result<Found<'a>, Exit> {
        match place.root {
            Root::Array(id) => {
                let Some((Projection::Index(first), rest)) = place.path.split_first() else {
                    panic!("a place in an array starts with an index");
                };
                let first = std::iter::once(&**first);
                let (mut offset, mut ty) = self.bin(id, first, source)?;
                for step in rest {
                    match (step, ty) {
                        (Projection::Index(index), Type::Array(elem, length)) => {
                            let len = self.state.length(length);
                            let i = self.index(index, len, Some(id), source)?;
                            offset += i * self.state.layout(elem).0;
                            ty = elem;
                        }
                        (Projection::Field(n), Type::Struct(s)) => {
                            offset += self.state.field_offset(&s.fields, *n as usize);
                            ty = &s.fields[*n as usize].1;
                        }
                        (Projection::Field(n), Type::Tuple(parts)) => {
                            offset += self.state.part_offset(parts, *n as usize);
                            ty = &parts[*n as usize];
                        }
                        (_, ty) => panic!("a step into a {ty} in memory"),
                    }
                }
                Ok(Found::Memory(id, offset, ty))
            }
            Root::Var(id) => {
                let mut steps = Vec::new();
                let mut ty = &self.vars[id.0 as usize].ty;
                for step in &place.path {
                    match (step, ty) {
                        (Projection::Index(index), Type::Array(elem, length)) => {
                            let len = self.state.length(length);
                            steps.push(self.index(index, len, None, source)?);
                            ty = elem;
                        }
                        (Projection::Field(n), Type::Tuple(parts)) => {
                            steps.push(*n as usize);
                            ty = &parts[*n as usize];
                        }
                        (Projection::Field(n), Type::Struct(s)) => {
                            steps.push(*n as usize);
                            ty = &s.fields[*n as usize].1;
                        }
                        (_, ty) => panic!("a step into a {ty}"),
                    }
                }
                Ok(Found::Var(id, steps, ty))
            }
        }
    }

    /// The offset and type of what indices lead to in an array.
    pub(super) fn bin(
        &mut self,
        id: ArrayId,
        indices: impl Iterator<Item = &'a Index>,
        source: SourceId,
    ) -> Result<(usize, &'a Type), Exit> {
        let mut ty = &self.lp.array(id).elem;
        let mut len = self.state.len(id);
        let mut offset = 0;
        for (depth, index) in indices.enumerate() {
            if depth > 0 {
                let Type::Array(elem, length) = ty else {
                    panic!("an index into a {ty}");
                };
                (ty, len) = (elem, self.state.length(length));
            }
            let i = self.index(index, len, Some(id), source)?;
            offset += i * self.state.layout(ty).0;
        }
        Ok((offset, ty))
    }

    /// An index into a dimension of `len` elements, with its base.
    fn index(
        &mut self,
        index: &'a Index,
        len: usize,
        array: Option<ArrayId>,
        source: SourceId,
    ) -> Result<usize, Exit> {
        let i = self.expr(&index.index)?.usize();
        let base = match &index.base {
            Some(base) => self.expr(base)?.usize(),
            None => 0,
        };
        let limit = match &index.check {
            Check::Dimension => Some(len as u64),
            Check::Window(len) => Some(self.expr(len)?.usize()),
            Check::Never => None,
        };
        if let Some(limit) = limit
            && i >= limit
        {
            let kind = FaultKind::OutOfRange {
                array,
                index: i,
                len: limit,
            };
            return Err(Exit::Fault(kind, source));
        }
        match base.checked_add(i) {
            Some(at) if at < len as u64 => Ok(at as usize),
            _ => panic!("the front end took element {base} + {i} of {len} to be in range"),
        }
    }

    pub(super) fn read(&self, found: &Found<'_>) -> Value {
        match found {
            Found::Memory(id, offset, ty) => self.state.read(*id, *offset, ty),
            Found::Var(id, steps, _) => {
                let Some(value) = &self.frame[id.0 as usize] else {
                    panic!(
                        "`{}` is read before it is set",
                        self.vars[id.0 as usize].name
                    );
                };
                steps
                    .iter()
                    .fold(value, |value, &step| &value.parts()[step])
                    .clone()
            }
        }
    }

    pub(super) fn write(&mut self, found: &Found<'_>, value: Value) {
        let (id, steps) = match found {
            Found::Var(id, steps, _) => (id, steps),
            Found::Memory(id, offset, ty) => return self.state.store(*id, *offset, &value, ty),
        };
        if steps.is_empty() {
            self.frame[id.0 as usize] = Some(value);
            return;
        }
        let Some(mut part) = self.frame[id.0 as usize].as_mut() else {
            panic!(
                "a part of `{}` is set before the whole",
                self.vars[id.0 as usize].name
            );
        };
        for &step in steps {
            match part {
                Value::Parts(parts) => part = &mut parts[step],
                other => panic!("a step into {other:?}"),
            }
        }
        *part = value;
    }
}
