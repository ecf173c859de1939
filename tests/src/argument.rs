//! Calling a compiled function with [`Data`](crate::data::Data): every type that generated parameters have.

/// An element of an array: a scalar, or an array of elements.
pub trait Elem: Copy + 'static {
    /// Reads one from its bytes, and gives how many they were.
    fn get(bytes: &[u8]) -> (Self, usize);

    /// Appends its bytes.
    fn put(&self, bytes: &mut Vec<u8>);
}

/// A type of a parameter.
pub trait Argument<'a>: Sized {
    /// What is kept while the function runs.
    type Owned;

    /// The value of bytes.
    fn own(bytes: &[u8]) -> Self::Owned;

    /// What the function is called with.
    fn lend(owned: &'a mut Self::Owned) -> Self;

    /// The bytes of a value.
    fn bytes(owned: &Self::Owned) -> Vec<u8>;
}

macro_rules! scalars {
    ($($t:ty),*) => {$(
        impl Elem for $t {
            fn get(bytes: &[u8]) -> ($t, usize) {
                let size = size_of::<$t>();
                (<$t>::from_ne_bytes(bytes[..size].try_into().expect("enough bytes")), size)
            }

            fn put(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_ne_bytes());
            }
        }

        impl<'a> Argument<'a> for $t {
            type Owned = $t;

            fn own(bytes: &[u8]) -> $t {
                <$t>::get(bytes).0
            }

            fn lend(owned: &'a mut $t) -> $t {
                *owned
            }

            fn bytes(owned: &$t) -> Vec<u8> {
                all(&[*owned])
            }
        }
    )*};
}

scalars!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);

impl<E: Elem, const N: usize> Elem for [E; N] {
    fn get(bytes: &[u8]) -> ([E; N], usize) {
        let mut at = 0;
        let elems = std::array::from_fn(|_| {
            let (elem, size) = E::get(&bytes[at..]);
            at += size;
            elem
        });
        (elems, at)
    }

    fn put(&self, bytes: &mut Vec<u8>) {
        for elem in self {
            elem.put(bytes);
        }
    }
}

fn vec<E: Elem>(mut bytes: &[u8]) -> Vec<E> {
    let mut elems = Vec::new();
    while !bytes.is_empty() {
        let (elem, size) = E::get(bytes);
        elems.push(elem);
        bytes = &bytes[size..];
    }
    elems
}

fn all<E: Elem>(elems: &[E]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for elem in elems {
        elem.put(&mut bytes);
    }
    bytes
}

macro_rules! vectors {
    ($($t:ty: $lend:expr),*) => {$(
        impl<'a, E: Elem> Argument<'a> for $t {
            type Owned = Vec<E>;

            fn own(bytes: &[u8]) -> Vec<E> {
                vec(bytes)
            }

            fn lend(owned: &'a mut Vec<E>) -> Self {
                $lend(owned)
            }

            fn bytes(owned: &Vec<E>) -> Vec<u8> {
                all(owned)
            }
        }
    )*};
}

vectors!(
    &'a [E]: |v: &'a mut Vec<E>| -> &'a [E] { v },
    &'a mut [E]: |v: &'a mut Vec<E>| -> &'a mut [E] { v },
    &'a Vec<E>: |v: &'a mut Vec<E>| -> &'a Vec<E> { v },
    &'a mut Vec<E>: |v: &'a mut Vec<E>| -> &'a mut Vec<E> { v }
);

impl<'a, E: Elem> Argument<'a> for &'a E {
    type Owned = E;

    fn own(bytes: &[u8]) -> E {
        E::get(bytes).0
    }

    fn lend(owned: &'a mut E) -> &'a E {
        owned
    }

    fn bytes(owned: &E) -> Vec<u8> {
        all(&[*owned])
    }
}

impl<'a, E: Elem> Argument<'a> for &'a mut E {
    type Owned = E;

    fn own(bytes: &[u8]) -> E {
        E::get(bytes).0
    }

    fn lend(owned: &'a mut E) -> &'a mut E {
        owned
    }

    fn bytes(owned: &E) -> Vec<u8> {
        all(&[*owned])
    }
}

impl<'a> Argument<'a> for &'a str {
    type Owned = String;

    fn own(bytes: &[u8]) -> String {
        String::from_utf8(bytes.to_vec()).expect("generated text is ASCII")
    }

    fn lend(owned: &'a mut String) -> &'a str {
        owned
    }

    fn bytes(owned: &String) -> Vec<u8> {
        owned.as_bytes().to_vec()
    }
}
