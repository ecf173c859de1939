//! Captured memory: bytes, laid out as Rust lays out arrays and C lays out structs.

use super::{State, Value};
use crate::ir::{Array, ArrayId, Extent, Length, Scalar, Type};

/// A Rust type of the IR's scalars.
pub trait Element: Copy {
    /// Which scalar it is.
    const SCALAR: Scalar;

    /// Its bytes in memory.
    fn to_bytes(self) -> Vec<u8>;

    /// The value of as many bytes as it has.
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! elements {
    ($($t:ty: $scalar:ident),*) => {$(
        impl Element for $t {
            const SCALAR: Scalar = Scalar::$scalar;

            fn to_bytes(self) -> Vec<u8> {
                self.to_ne_bytes().to_vec()
            }

            fn from_bytes(bytes: &[u8]) -> Self {
                <$t>::from_ne_bytes(bytes.try_into().expect("as many bytes as the type has"))
            }
        }
    )*};
}

elements!(
    i8: I8, i16: I16, i32: I32, i64: I64, isize: Isize, u8: U8, u16: U16, u32: U32, u64: U64,
    usize: Usize, f32: F32, f64: F64
);

impl Element for bool {
    const SCALAR: Scalar = Scalar::Bool;

    fn to_bytes(self) -> Vec<u8> {
        vec![u8::from(self)]
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        bytes[0] != 0
    }
}

impl Value {
    /// The scalar that lies in as many bytes as its type has.
    pub fn from_bytes(s: Scalar, bytes: &[u8]) -> Value {
        match s {
            Scalar::Bool => bool::from_bytes(bytes).into(),
            Scalar::I8 => i8::from_bytes(bytes).into(),
            Scalar::I16 => i16::from_bytes(bytes).into(),
            Scalar::I32 => i32::from_bytes(bytes).into(),
            Scalar::I64 => i64::from_bytes(bytes).into(),
            Scalar::Isize => isize::from_bytes(bytes).into(),
            Scalar::U8 => u8::from_bytes(bytes).into(),
            Scalar::U16 => u16::from_bytes(bytes).into(),
            Scalar::U32 => u32::from_bytes(bytes).into(),
            Scalar::U64 => u64::from_bytes(bytes).into(),
            Scalar::Usize => usize::from_bytes(bytes).into(),
            Scalar::F32 => f32::from_bytes(bytes).into(),
            Scalar::F64 => f64::from_bytes(bytes).into(),
        }
    }

    /// Writes a scalar over bytes of its type's size.
    ///
    /// # Panics
    ///
    /// If it is no scalar, or of another size.
    pub fn write(&self, bytes: &mut [u8]) {
        let all = match self {
            Value::Bool(v) => v.to_bytes(),
            // Two's complement: the low bytes of the value are those of its own type.
            Value::Int(v) => v.to_le_bytes()[..bytes.len()].to_vec(),
            Value::F32(v) => v.to_bytes(),
            Value::F64(v) => v.to_bytes(),
            Value::Unit | Value::Parts(_) => panic!("a scalar is expected, not {self:?}"),
        };
        bytes.copy_from_slice(&all);
    }
}

impl State<'_> {
    pub(super) fn length(&self, length: &Length) -> usize {
        match length {
            Length::Known(n) => *n as usize,
            Length::Captured(id) => match &self.vars[id.0 as usize] {
                Some(value) => value.usize() as usize,
                None => panic!("the captured length `{}` is not set", self.lp.var(*id).name),
            },
        }
    }

    /// Size and alignment of a type in memory.
    pub(super) fn layout(&self, ty: &Type) -> (usize, usize) {
        match ty {
            Type::Scalar(s) => (s.size() as usize, s.size() as usize),
            Type::Array(elem, length) => {
                let (size, align) = self.layout(elem);
                (size * self.length(length), align)
            }
            Type::Struct(s) => {
                let (mut size, mut align) = (0usize, 1usize);
                for (_, field) in &s.fields {
                    let (field_size, field_align) = self.layout(field);
                    size = size.next_multiple_of(field_align) + field_size;
                    align = align.max(field_align);
                }
                (size.next_multiple_of(align), align)
            }
            Type::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.layout(part));
                parts.fold((0, 1), |(size, align), of| (size + of.0, align.max(of.1)))
            }
            Type::Unit | Type::Never | Type::Opaque(_) | Type::Integer(_) | Type::Infer(_) => {
                panic!("a value of type {ty} does not lie in memory")
            }
        }
    }

    /// Where a field of a struct starts.
    pub(super) fn field_offset(&self, fields: &[(String, Type)], n: usize) -> usize {
        let mut offset: usize = 0;
        for (i, (_, field)) in fields.iter().enumerate() {
            let (size, align) = self.layout(field);
            offset = offset.next_multiple_of(align);
            if i == n {
                return offset;
            }
            offset += size;
        }
        panic!("a struct of {} fields has no field {n}", fields.len());
    }

    /// Where a part of a tuple without gaps is.
    pub(super) fn part_offset(&self, parts: &[Type], n: usize) -> usize {
        let order = Type::tuple_order(parts);
        let before = order.iter().take_while(|&&part| part != n);
        before.map(|&part| self.layout(&parts[part]).0).sum()
    }

    /// The number of elements of an array's outermost dimension.
    pub(super) fn len(&self, id: ArrayId) -> usize {
        self.arrays[id.0 as usize].len() / self.layout(&self.lp.array(id).elem).0.max(1)
    }

    pub(super) fn read(&self, id: ArrayId, offset: usize, ty: &Type) -> Value {
        match ty {
            Type::Scalar(s) => {
                let bytes = &self.arrays[id.0 as usize][offset..offset + s.size() as usize];
                Value::from_bytes(*s, bytes)
            }
            Type::Array(elem, length) => {
                let size = self.layout(elem).0;
                let parts = 0..self.length(length);
                Value::Parts(
                    parts
                        .map(|i| self.read(id, offset + i * size, elem))
                        .collect(),
                )
            }
            Type::Struct(s) => {
                let fields = s.fields.iter().enumerate();
                let parts = fields.map(|(n, (_, field))| {
                    self.read(id, offset + self.field_offset(&s.fields, n), field)
                });
                Value::Parts(parts.collect())
            }
            Type::Tuple(parts) => {
                let offset = |n| offset + self.part_offset(parts, n);
                let parts = parts.iter().enumerate();
                let parts = parts.map(|(n, part)| self.read(id, offset(n), part));
                Value::Parts(parts.collect())
            }
            Type::Unit | Type::Never | Type::Opaque(_) | Type::Integer(_) | Type::Infer(_) => {
                panic!("a value of type {ty} does not lie in memory")
            }
        }
    }

    pub(super) fn write(&mut self, id: ArrayId, offset: usize, value: &Value, s: Scalar) {
        let bytes = &mut self.arrays[id.0 as usize][offset..offset + s.size() as usize];
        value.write(bytes);
    }

    /// Writes a value of any type that lies in memory.
    pub(super) fn store(&mut self, id: ArrayId, offset: usize, value: &Value, ty: &Type) {
        match ty {
            Type::Scalar(s) => self.write(id, offset, value, *s),
            Type::Array(elem, _) => {
                let size = self.layout(elem).0;
                for (i, part) in value.parts().iter().enumerate() {
                    self.store(id, offset + i * size, part, elem);
                }
            }
            Type::Struct(s) => {
                for (n, part) in value.parts().iter().enumerate() {
                    let at = offset + self.field_offset(&s.fields, n);
                    self.store(id, at, part, &s.fields[n].1);
                }
            }
            Type::Tuple(parts) => {
                for (n, part) in value.parts().iter().enumerate() {
                    let at = offset + self.part_offset(parts, n);
                    self.store(id, at, part, &parts[n]);
                }
            }
            Type::Unit | Type::Never | Type::Opaque(_) | Type::Integer(_) | Type::Infer(_) => {
                panic!("a value of type {ty} does not lie in memory")
            }
        }
    }

    pub(super) fn check_scalars<T: Element>(&self, id: ArrayId) {
        let array = self.lp.array(id);
        assert_eq!(
            array.elem.innermost(),
            Some(T::SCALAR),
            "the scalars of `{}`",
            array.name
        );
    }

    /// Every array has whole elements, and as many as its type says.
    pub(super) fn check_memory(&self) {
        for (
            Array {
                name, elem, extent, ..
            },
            bytes,
        ) in self.lp.arrays.iter().zip(&self.arrays)
        {
            let size = self.layout(elem).0;
            assert!(
                bytes.len().is_multiple_of(size.max(1)),
                "{} bytes of `{name}` are not whole elements of type {elem}",
                bytes.len()
            );
            if let Extent::Fixed(length) = extent {
                let len = self.length(length);
                assert_eq!(
                    bytes.len(),
                    len * size,
                    "`{name}` has {len} elements by its type"
                );
            }
        }
    }
}
