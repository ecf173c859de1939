//! Data that come in chunks: from a file, a socket, a decoder. The next chunk is made on a thread while the last is counted.

use std::fmt;
use std::io::{self, Read};
use std::panic::resume_unwind;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::thread::Builder;

use crate::base::device_type::DeviceType;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::progress::{self, Progress};

/// What a function's `over` takes one after the other: elements, or the error that came instead.
///
/// Vectors, slices, arrays and boxes of elements are chunks, a [`ReadChunk`] is, and so is an [`io::Result`] of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no chunk of `{T}`",
    label = "this is no vector, slice, array or box of `{T}`, nor an `io::Result` of one"
)]
pub trait Chunk<T>: Send {
    /// The elements, in memory.
    type Elements: AsRef<[T]> + Send;

    /// The elements.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] where there are none.
    fn elements(self) -> Result<Self::Elements, Error>;
}

macro_rules! chunks {
    ($([$($generics:tt)*] $t:ty),*) => {$(
        impl<$($generics)* T: Send + Sync> Chunk<T> for $t {
            type Elements = $t;

            fn elements(self) -> Result<$t, Error> {
                Ok(self)
            }
        }
    )*};
}
chunks!(
    [] Vec<T>, [] Box<[T]>, [] Arc<[T]>, [] ReadChunk<T>, ['a,] &'a [T], ['a,] &'a Vec<T>, [const N: usize,] [T; N],
    ['a, const N: usize,] &'a [T; N]
);

impl<T, C: Chunk<T>> Chunk<T> for io::Result<C> {
    type Elements = C::Elements;

    fn elements(self) -> Result<C::Elements, Error> {
        match self {
            Ok(chunk) => chunk.elements(),
            Err(e) => Err(Error::Input { why: e.to_string() }),
        }
    }
}

/// Calls `each` with one chunk after the other. The next one is made on a thread meanwhile.
///
/// # Errors
///
/// The first of `each` or of a chunk, with the chunk's number.
pub fn over<T, I>(chunks: I, mut each: impl FnMut(&[T]) -> Result<(), Error>) -> Result<(), Error>
where
    I: IntoIterator<Item: Chunk<T>, IntoIter: Send>,
{
    let mut done = Progress::begin();
    let mut one = |elements: Result<_, Error>| {
        let first = done.items;
        let in_chunk = |error| Error::InChunk {
            chunk: done.pieces,
            first,
            error: Box::new(error),
        };
        let elements: <I::Item as Chunk<T>>::Elements = elements.map_err(in_chunk)?;
        let elements = elements.as_ref();
        each(elements).map_err(in_chunk)?;
        done.pieces += 1;
        done.items += elements.len() as u64;
        progress::report(done);
        Ok(())
    };
    let chunks = chunks.into_iter();
    // One waits while another is counted and a third is made.
    let (to, from) = sync_channel(1);
    std::thread::scope(|scope| {
        let make = move || {
            for chunk in chunks {
                // Nobody listens any more after an error.
                if to.send(chunk.elements()).is_err() {
                    break;
                }
            }
        };
        let thread = Builder::new().name("accrue chunks".into());
        match thread.spawn_scoped(scope, make) {
            Ok(thread) => {
                let counted = from.iter().try_for_each(&mut one);
                drop(from);
                match thread.join() {
                    Ok(()) => counted,
                    Err(panic) => resume_unwind(panic),
                }
            }
            // The system has no thread to give.
            Err(e) => Err(Error::Input {
                why: format!("no thread to make chunks on: {e}"),
            }),
        }
    })
}

/// Numbers, and arrays of them: any bytes are a value.
///
/// # Safety
///
/// They are, and there is no padding.
pub unsafe trait Raw: DeviceType {}

macro_rules! raw {
    ($($t:ty),*) => {$(
        // SAFETY: every pattern of bits is a number.
        unsafe impl Raw for $t {}
    )*};
}
raw!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f32, f64);

// SAFETY: elements lie one after the other.
unsafe impl<T: Raw, const N: usize> Raw for [T; N] {}

/// The elements of a reader, in chunks: see [`read_chunks`].
pub struct ReadChunks<R, T> {
    reader: R,
    len: usize,
    /// Whether the end has been seen, or an error.
    ended: bool,
    /// Buffers that are not in use.
    pool: Arc<Pool<T>>,
}

/// Buffers that chunks give back.
type Pool<T> = Mutex<Vec<Vec<T>>>;

/// A chunk of a reader's elements.
pub struct ReadChunk<T> {
    elements: Vec<T>,
    pool: Arc<Pool<T>>,
}

/// Cuts what a reader reads into chunks of `len` elements, the last of them shorter, for a function's `over`.
///
/// Elements are numbers, or arrays of them, in the machine's order of bytes. A few chunks' memory is taken, and used again and again. Reading
/// goes past any buffer of the reader's own if chunks are larger, so a [`File`](std::fs::File) needs none around it.
///
/// ```
/// use accrue::{offload, read_chunks};
///
/// #[offload(histogram)]
/// fn count(keys: &[u16], bins: &mut [u32; 8]) {
///     for &k in keys {
///         bins[k as usize] += 1;
///     }
/// }
///
/// let file: &[u8] = &[1, 0, 2, 0, 1, 0, 7, 0, 7, 0].map(u8::to_le);
/// let mut bins = [0; 8];
/// count::over(read_chunks(file, 2), &mut bins)?;
/// # if cfg!(target_endian = "little") {
/// assert_eq!(bins, [0, 2, 1, 0, 0, 0, 0, 2]);
/// # }
/// # Ok::<(), accrue::Error>(())
/// ```
pub fn read_chunks<R: Read, T: Raw>(reader: R, len: usize) -> ReadChunks<R, T> {
    ReadChunks {
        reader,
        len: len.max(1),
        ended: false,
        pool: Arc::default(),
    }
}

impl<R: Read, T: Raw> ReadChunks<R, T> {
    /// The next elements; none at the end.
    fn read(&mut self) -> io::Result<Vec<T>> {
        let kept = lock(&self.pool).pop();
        let mut elements = kept.unwrap_or_default();
        if elements.capacity() < self.len {
            elements = Vec::with_capacity(self.len);
            // SAFETY: there is room for them. Readers see no memory that was never written.
            unsafe { elements.as_mut_ptr().write_bytes(0, self.len) };
        }
        // SAFETY: there is room for them, and all bytes zero, or what was read before, are values of the type.
        unsafe { elements.set_len(self.len) };
        let size = size_of::<T>().max(1);
        let whole = size_of_val(&elements[..]);
        // SAFETY: these are the elements' bytes, and whatever is read into them is a value.
        let bytes =
            unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast::<u8>(), whole) };
        let mut filled = 0;
        while filled < whole {
            match self.reader.read(&mut bytes[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        if filled % size != 0 {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                format!(
                    "the input ends {} bytes into an element of {size}",
                    filled % size
                ),
            ));
        }
        elements.truncate(filled / size);
        self.ended = filled < whole;
        Ok(elements)
    }
}

impl<R: Read, T: Raw> Iterator for ReadChunks<R, T> {
    type Item = io::Result<ReadChunk<T>>;

    fn next(&mut self) -> Option<io::Result<ReadChunk<T>>> {
        if self.ended {
            return None;
        }
        let read = self.read();
        self.ended |= read.is_err();
        match read {
            Ok(elements) if elements.is_empty() => None,
            read => Some(read.map(|elements| ReadChunk {
                elements,
                pool: Arc::clone(&self.pool),
            })),
        }
    }
}

impl<T> AsRef<[T]> for ReadChunk<T> {
    fn as_ref(&self) -> &[T] {
        &self.elements
    }
}

impl<T> std::ops::Deref for ReadChunk<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.elements
    }
}

impl<T> Drop for ReadChunk<T> {
    fn drop(&mut self) {
        lock(&self.pool).push(std::mem::take(&mut self.elements));
    }
}

impl<R, T> fmt::Debug for ReadChunks<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = std::any::type_name::<T>();
        write!(f, "ReadChunks<{name}>({} elements each)", self.len)
    }
}

impl<T> fmt::Debug for ReadChunk<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = std::any::type_name::<T>();
        write!(f, "ReadChunk<{name}>({})", self.elements.len())
    }
}
