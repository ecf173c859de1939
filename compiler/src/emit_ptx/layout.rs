//! How values lie in memory: as C lays them out, which is what Rust does with primitives, their arrays and
//! `#[repr(C)]` structs. Tuples of scalars are expected to have the widest first; what rustc does with them is compared before a call.

use crate::ir::{Length, Type};

/// Size and alignment in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) size: u64,
    pub(crate) align: u64,
}

/// The layout of a type; `None` where a length in it is a captured value.
pub(crate) fn of(ty: &Type) -> Option<Layout> {
    match ty {
        Type::Unit | Type::Never => Some(Layout { size: 0, align: 1 }),
        Type::Scalar(s) => Some(Layout {
            size: s.size().into(),
            align: s.size().into(),
        }),
        Type::Array(elem, _) => {
            let elem = of(elem)?;
            Some(Layout {
                size: elem.size.checked_mul(length(ty)?)?,
                align: elem.align,
            })
        }
        Type::Tuple(_) | Type::Struct(_) => {
            let mut all = Layout {
                size: 0,
                align: asked(ty),
            };
            for n in order(ty) {
                let part = of(field_type(ty, n)?)?;
                all.size = all.size.next_multiple_of(part.align) + part.size;
                all.align = all.align.max(part.align);
            }
            Some(Layout {
                size: all.size.next_multiple_of(all.align),
                ..all
            })
        }
        Type::Opaque(_) | Type::Integer(_) | Type::Infer(_) => None,
    }
}

/// The alignment that a type asks for beyond its parts'.
fn asked(ty: &Type) -> u64 {
    match ty {
        Type::Struct(s) => s.align.unwrap_or(1),
        _ => 1,
    }
}

/// The number of elements of an array type.
pub(super) fn length(ty: &Type) -> Option<u64> {
    match ty {
        Type::Array(_, Length::Known(n)) => Some(*n),
        _ => None,
    }
}

/// How many fields a tuple or struct has.
pub(crate) fn fields(ty: &Type) -> u32 {
    match ty {
        Type::Tuple(parts) => parts.len() as u32,
        Type::Struct(s) => s.fields.len() as u32,
        _ => 0,
    }
}

/// The fields in the order in which they lie.
fn order(ty: &Type) -> Vec<u32> {
    match ty {
        Type::Tuple(parts) if ty.fills_its_bytes() => {
            let order = Type::tuple_order(parts).into_iter();
            order.map(|n| n as u32).collect()
        }
        _ => (0..fields(ty)).collect(),
    }
}

/// The offset and the type of a field.
pub(crate) fn field(ty: &Type, field: u32) -> Option<(u64, &Type)> {
    let mut end = 0u64;
    for n in order(ty) {
        let part_type = field_type(ty, n)?;
        let part = of(part_type)?;
        let start = end.next_multiple_of(part.align);
        if n == field {
            return Some((start, part_type));
        }
        end = start + part.size;
    }
    None
}

fn field_type(ty: &Type, field: u32) -> Option<&Type> {
    match ty {
        Type::Tuple(parts) => parts.get(field as usize),
        Type::Struct(s) => s.fields.get(field as usize).map(|(_, t)| t),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Scalar, StructType};

    #[test]
    fn structs_lie_as_in_c() {
        let fields = [
            ("kind", Scalar::U8),
            ("x", Scalar::F64),
            ("flag", Scalar::Bool),
            ("n", Scalar::U16),
        ];
        let ty = Type::Struct(Box::new(StructType {
            name: "P".into(),
            fields: fields
                .iter()
                .map(|(n, s)| ((*n).to_owned(), Type::Scalar(*s)))
                .collect(),
            align: None,
        }));
        assert_eq!(of(&ty), Some(Layout { size: 24, align: 8 }));
        let offsets: Vec<_> = (0..4).map(|n| field(&ty, n).map(|(at, _)| at)).collect();
        assert_eq!(offsets, [Some(0), Some(8), Some(16), Some(18)]);
        let array = Type::Array(Box::new(ty), Length::Known(3));
        assert_eq!(of(&array), Some(Layout { size: 72, align: 8 }));
    }

    #[test]
    fn alignment_makes_structs_longer() {
        let aligned = |align, inner: Type| {
            Type::Struct(Box::new(StructType {
                name: "V".into(),
                fields: vec![("x".into(), inner.clone()), ("y".into(), inner)],
                align,
            }))
        };
        let pair = aligned(Some(16), Type::Scalar(Scalar::U32));
        assert_eq!(
            of(&pair),
            Some(Layout {
                size: 16,
                align: 16
            })
        );
        assert_eq!(field(&pair, 1).map(|(at, _)| at), Some(4));
        let outer = aligned(None, pair);
        assert_eq!(
            of(&outer),
            Some(Layout {
                size: 32,
                align: 16
            })
        );
        assert_eq!(field(&outer, 1).map(|(at, _)| at), Some(16));
        let less = aligned(Some(2), Type::Scalar(Scalar::U32));
        assert_eq!(of(&less), Some(Layout { size: 8, align: 4 }));
    }
}
