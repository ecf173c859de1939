//! Kernel parameters as the command line has them: `u32=5`, `f32[1024]=iota`.

use std::path::PathBuf;

/// The type of a parameter's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Elem {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F32,
    F64,
}

/// What a buffer is filled with.
#[derive(Clone, Debug, PartialEq)]
enum Fill {
    /// Nothing: its bytes were never written.
    Unwritten,
    /// These values, the last one again and again.
    Values(Vec<String>),
    Iota,
    Random,
    File(PathBuf),
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Argument {
    elem: Elem,
    /// Elements of a buffer; `None` for a value.
    len: Option<usize>,
    fill: Fill,
}

/// A parameter for a launch.
pub(crate) enum Bytes {
    Value(Vec<u8>),
    Buffer {
        size: usize,
        /// `None` if the bytes are not written.
        content: Option<Vec<u8>>,
    },
}

/// Reads `TYPE=VALUE`, `TYPE[N]` or `TYPE[N]=FILL`.
pub(crate) fn parse(text: &str) -> Result<Argument, String> {
    let (what, fill) = match text.split_once('=') {
        Some((what, fill)) => (what, Some(fill)),
        None => (text, None),
    };
    let (name, len) = match what.split_once('[') {
        None => (what, None),
        Some((name, len)) => {
            let len = len.strip_suffix(']').and_then(|n| n.parse().ok());
            (name, Some(len.ok_or("a buffer is written `u32[1024]`")?))
        }
    };
    let elem = Elem::from_name(name).ok_or_else(|| {
        format!("`{name}` is no type: u8, i8, u16, i16, u32, i32, u64, i64, f32 or f64")
    })?;
    let fill = match (fill, len) {
        (None, None) => {
            return Err(format!(
                "a value is written `{name}=5`, a buffer `{name}[1024]`"
            ));
        }
        (None, Some(_)) => Fill::Unwritten,
        (Some(value), None) => Fill::Values(vec![value.to_owned()]),
        (Some("iota"), Some(_)) => Fill::Iota,
        (Some("random"), Some(_)) => Fill::Random,
        (Some(fill), Some(_)) => match fill.strip_prefix('@') {
            Some(file) => Fill::File(file.into()),
            None => Fill::Values(fill.split(',').map(str::to_owned).collect()),
        },
    };
    if let Fill::Values(values) = &fill {
        for value in values {
            elem.bytes_of(value)?;
        }
    }
    Ok(Argument { elem, len, fill })
}

impl Argument {
    pub(crate) fn is_buffer(&self) -> bool {
        self.len.is_some()
    }

    /// What to pass, and what to write.
    pub(crate) fn bytes(&self) -> Result<Bytes, String> {
        let Some(len) = self.len else {
            let Fill::Values(values) = &self.fill else {
                unreachable!("a value has one");
            };
            return Ok(Bytes::Value(self.elem.bytes_of(&values[0])?));
        };
        let size = len * self.elem.size();
        let content = match &self.fill {
            Fill::Unwritten => None,
            Fill::Iota => Some(self.each(len, |i| i as u64)?),
            Fill::Random => {
                // A multiplicative generator: the same for every run.
                let mut state = 0x9e37_79b9_7f4a_7c15u64;
                Some(self.each(len, |_| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    state % 1000
                })?)
            }
            Fill::Values(values) => {
                let mut all = Vec::with_capacity(size);
                for i in 0..len {
                    let value = values.get(i).or(values.last()).map_or("0", String::as_str);
                    all.extend(self.elem.bytes_of(value)?);
                }
                Some(all)
            }
            Fill::File(file) => {
                let mut bytes =
                    std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
                if bytes.len() < size {
                    return Err(format!(
                        "{} has {} bytes, the buffer {size}",
                        file.display(),
                        bytes.len()
                    ));
                }
                bytes.truncate(size);
                Some(bytes)
            }
        };
        Ok(Bytes::Buffer { size, content })
    }

    fn each(&self, len: usize, mut value: impl FnMut(usize) -> u64) -> Result<Vec<u8>, String> {
        let mut all = Vec::with_capacity(len * self.elem.size());
        for i in 0..len {
            // Numbers that a narrow type does not have begin again.
            let value = match self.elem.size() {
                1 => value(i) % 128,
                2 => value(i) % 32_768,
                _ => value(i),
            };
            all.extend(self.elem.bytes_of(&value.to_string())?);
        }
        Ok(all)
    }

    /// The first elements, as text.
    pub(crate) fn show(&self, bytes: &[u8], most: usize) -> String {
        let all = bytes.chunks_exact(self.elem.size());
        let len = all.len();
        let shown: Vec<String> = all.take(most).map(|b| self.elem.text_of(b)).collect();
        let more = if len > shown.len() { ", .." } else { "" };
        format!("{}[{len}] = {}{more}", self.elem.name(), shown.join(", "))
    }

    /// The first element that two runs have left differently.
    pub(crate) fn difference(&self, a: &[u8], b: &[u8]) -> String {
        let size = self.elem.size();
        let pairs = a.chunks_exact(size).zip(b.chunks_exact(size));
        let mut differing = pairs.enumerate().filter(|(_, (a, b))| a != b);
        let first = differing.next().map_or_else(String::new, |(at, (a, b))| {
            format!(
                "element {at} is {} and {}",
                self.elem.text_of(b),
                self.elem.text_of(a)
            )
        });
        format!("{first}, {} more differ", differing.count())
    }
}

macro_rules! elems {
    ($($variant:ident $ty:ident,)*) => {
        impl Elem {
            fn from_name(name: &str) -> Option<Elem> {
                match name { $(stringify!($ty) => Some(Elem::$variant),)* _ => None }
            }

            fn name(self) -> &'static str {
                match self { $(Elem::$variant => stringify!($ty),)* }
            }

            fn size(self) -> usize {
                match self { $(Elem::$variant => size_of::<$ty>(),)* }
            }

            fn bytes_of(self, text: &str) -> Result<Vec<u8>, String> {
                match self {
                    $(Elem::$variant => text.trim().parse::<$ty>().map(|v| v.to_le_bytes().to_vec()).map_err(|e| format!("`{text}` is no {}: {e}", stringify!($ty))),)*
                }
            }

            fn text_of(self, bytes: &[u8]) -> String {
                match self {
                    $(Elem::$variant => {
                        let mut own = [0; size_of::<$ty>()];
                        own.copy_from_slice(bytes);
                        $ty::from_le_bytes(own).to_string()
                    })*
                }
            }
        }
    };
}

elems! {
    U8 u8, I8 i8, U16 u16, I16 i16, U32 u32, I32 i32, U64 u64, I64 i64, F32 f32, F64 f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> Option<Vec<u8>> {
        match parse(text).unwrap().bytes().unwrap() {
            Bytes::Buffer { content, .. } => content,
            Bytes::Value(bytes) => Some(bytes),
        }
    }

    #[test]
    fn values_and_buffers_become_bytes() {
        assert_eq!(content("u32=5"), Some(vec![5, 0, 0, 0]));
        assert_eq!(content("i16=-1"), Some(vec![255, 255]));
        assert_eq!(content("u16[3]=7,8"), Some(vec![7, 0, 8, 0, 8, 0]));
        assert_eq!(content("u8[4]=iota"), Some(vec![0, 1, 2, 3]));
        assert_eq!(content("u64[4]"), None);
        assert_eq!(content("u8[300]=iota").unwrap()[128], 0);
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (text, why) in [
            ("u32", "a value is written `u32=5`"),
            ("u33=5", "`u33` is no type"),
            ("u8=256", "`256` is no u8"),
            ("u8[x]=1", "a buffer is written `u32[1024]`"),
            ("f32[4]=1,b", "`b` is no f32"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn differences_are_counted() {
        let argument = parse("u16[3]").unwrap();
        let text = argument.difference(&[1, 0, 2, 0, 3, 0], &[1, 0, 9, 0, 4, 0]);
        assert_eq!(text, "element 1 is 9 and 2, 1 more differ");
    }
}
