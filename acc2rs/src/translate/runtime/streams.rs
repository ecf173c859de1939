//: File
/// A file that is open, by its number; copies name the same file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct File(usize);

#[allow(dead_code)]
impl File {
    /// No file.
    pub const NULL: File = File(usize::MAX);
    /// The standard input.
    pub const STDIN: File = File(0);
    /// The standard output.
    pub const STDOUT: File = File(1);
    /// The standard error stream.
    pub const STDERR: File = File(2);

    /// Whether it is no file.
    pub fn is_null(self) -> bool {
        self == File::NULL
    }
}
//: open_files File
/// What is known of an open file: bytes read ahead, and bytes not written yet.
struct Open {
    file: Option<std::fs::File>,
    input: Vec<u8>,
    at: usize,
    output: Vec<u8>,
    ended: bool,
}

#[allow(dead_code)]
impl Open {
    fn new(file: Option<std::fs::File>) -> Open {
        Open { file, input: Vec::new(), at: 0, output: Vec::new(), ended: false }
    }

    fn flush(&mut self) -> bool {
        use std::io::Write as _;
        let output = std::mem::take(&mut self.output);
        self.file.as_mut().is_none_or(|file| file.write_all(&output).is_ok())
    }

    /// Stands where C takes the file to stand: what was read ahead is given back, what was written goes out.
    fn settle(&mut self) {
        use std::io::Seek as _;
        let ahead = (self.input.len() - self.at) as i64;
        self.input.clear();
        self.at = 0;
        self.flush();
        if let (Some(file), true) = (&mut self.file, ahead > 0) {
            let _ = file.seek(std::io::SeekFrom::Current(-ahead));
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.at < self.input.len() {
            self.settle();
        }
        self.output.extend_from_slice(bytes);
        if self.output.len() > 1 << 16 {
            self.flush();
        }
    }

    fn read(&mut self, standard: bool) -> Option<u8> {
        use std::io::Read as _;
        if self.at == self.input.len() {
            self.flush();
            let mut buffer = vec![0; 1 << 16];
            let count = match &mut self.file {
                Some(file) => file.read(&mut buffer).unwrap_or(0),
                None if standard => std::io::stdin().read(&mut buffer).unwrap_or(0),
                None => 0,
            };
            buffer.truncate(count);
            (self.input, self.at) = (buffer, 0);
        }
        let byte = self.input.get(self.at).copied();
        self.ended |= byte.is_none();
        self.at += usize::from(byte.is_some());
        byte
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.flush();
    }
}

thread_local! {
    static OPEN: std::cell::RefCell<Vec<Option<Open>>> =
        std::cell::RefCell::new((0..3).map(|_| Some(Open::new(None))).collect());
}

/// Does something with an open file; `otherwise` if it is none.
fn on_file<T>(file: File, otherwise: T, work: impl FnOnce(&mut Open) -> T) -> T {
    OPEN.with_borrow_mut(|open| match open.get_mut(file.0) {
        Some(Some(open)) => work(open),
        _ => otherwise,
    })
}
//: opened open_files
fn opened(file: std::fs::File) -> File {
    OPEN.with_borrow_mut(|open| {
        open.push(Some(Open::new(Some(file))));
        File(open.len() - 1)
    })
}
//: fopen opened
/// Opens a file as C's mode says; no file where that fails.
pub fn fopen(path: &str, mode: &str) -> File {
    let mut how = std::fs::OpenOptions::new();
    let both = mode.contains('+');
    match mode.as_bytes().first() {
        Some(b'w') => how.write(true).create(true).truncate(true).read(both),
        Some(b'a') => how.append(true).create(true).read(both),
        _ => how.read(true).write(both),
    };
    how.open(path).map_or(File::NULL, opened)
}
//: tmpfile opened
/// A file that is gone when it is closed.
pub fn tmpfile() -> File {
    let path = std::env::temp_dir().join(format!("tmpfile-{}", std::process::id()));
    let file = std::fs::OpenOptions::new().read(true).write(true).create_new(true).open(&path);
    let _ = std::fs::remove_file(&path);
    file.map_or(File::NULL, opened)
}
//: fclose open_files
/// Closes a file; `EOF` if what was written did not reach it.
pub fn fclose(file: File) -> i32 {
    let written = on_file(file, false, Open::flush);
    OPEN.with_borrow_mut(|open| {
        if let Some(slot) = open.get_mut(file.0).filter(|_| file.0 > 2) {
            *slot = None;
        }
    });
    if written { 0 } else { -1 }
}
//: fflush open_files
/// Writes what was not written yet.
pub fn fflush(file: File) -> i32 {
    if on_file(file, false, Open::flush) { 0 } else { -1 }
}
//: put open_files
fn put(bytes: &[u8], file: File) {
    use std::io::Write as _;
    let _ = match file {
        File::STDOUT => std::io::stdout().write_all(bytes),
        File::STDERR => std::io::stderr().write_all(bytes),
        _ => {
            on_file(file, (), |open| open.write(bytes));
            Ok(())
        }
    };
}
//: fputs put
/// Writes a text; how many bytes that were.
pub fn fputs(text: &str, file: File) -> i32 {
    put(text.as_bytes(), file);
    text.len() as i32
}
//: fput_bytes put
/// Writes each character of a text as one byte, as `%c` does.
pub fn fput_bytes(text: &str, file: File) -> i32 {
    let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
    put(&bytes, file);
    bytes.len() as i32
}
//: fputc put
/// Writes a byte.
pub fn fputc(byte: u8, file: File) -> i32 {
    put(&[byte], file);
    i32::from(byte)
}
//: fgetc open_files
/// The next byte, or `EOF`.
pub fn fgetc(file: File) -> i32 {
    on_file(file, None, |open| open.read(file == File::STDIN)).map_or(-1, i32::from)
}
//: ungetc open_files
/// Gives a byte back, which is read next then.
pub fn ungetc(byte: i32, file: File) -> i32 {
    if byte < 0 {
        return byte;
    }
    on_file(file, (), |open| {
        open.ended = false;
        if open.at > 0 {
            open.at -= 1;
            let at = open.at;
            open.input[at] = byte as u8;
        } else {
            open.input.insert(0, byte as u8);
        }
    });
    byte
}
//: fgets fgetc
/// Reads a line of less than `len` bytes with its end into a `char` array; whether there was one.
pub fn fgets(line: &mut [i8], len: usize, file: File) -> bool {
    let mut at = 0;
    while at + 1 < len {
        let byte = fgetc(file);
        if byte < 0 {
            break;
        }
        line[at] = byte as i8;
        at += 1;
        if byte == i32::from(b'\n') {
            break;
        }
    }
    if at > 0 {
        line[at] = 0;
    }
    at > 0
}
//: feof open_files
/// Whether reading has met the end of a file.
pub fn feof(file: File) -> i32 {
    i32::from(on_file(file, false, |open| open.ended))
}
//: ferror open_files
/// Whether something failed: that the file is none.
pub fn ferror(file: File) -> i32 {
    i32::from(on_file(file, true, |_| false))
}
//: rewind fseek
/// Goes back to the start of a file.
pub fn rewind(file: File) {
    fseek(file, 0, 0);
}
//: fseek open_files
/// Goes to a place in a file, counted from its start, from here, or from its end.
pub fn fseek(file: File, offset: i64, whence: i32) -> i32 {
    use std::io::Seek as _;
    on_file(file, -1, |open| {
        open.settle();
        open.ended = false;
        let to = match whence {
            0 => std::io::SeekFrom::Start(offset as u64),
            1 => std::io::SeekFrom::Current(offset),
            _ => std::io::SeekFrom::End(offset),
        };
        let file = open.file.as_mut();
        if file.is_some_and(|file| file.seek(to).is_ok()) { 0 } else { -1 }
    })
}
//: ftell open_files
/// Where in a file the next byte is read or written.
pub fn ftell(file: File) -> i64 {
    use std::io::Seek as _;
    on_file(file, -1, |open| {
        open.settle();
        open.file.as_mut().and_then(|file| file.stream_position().ok()).map_or(-1, |at| at as i64)
    })
}
//: remove
/// Removes a file.
pub fn remove(path: &str) -> i32 {
    if std::fs::remove_file(path).is_ok() { 0 } else { -1 }
}
//: Bytes
/// Numbers as the bytes that C keeps them in.
#[allow(dead_code)]
pub trait Bytes: Sized {
    /// How many bytes.
    const SIZE: usize;
    /// Appends the bytes.
    fn put(&self, to: &mut Vec<u8>);
    /// Takes the number that so many bytes are.
    fn set(&mut self, bytes: &[u8]);
}

macro_rules! bytes {
    ($($number:ty)*) => {$(
        impl Bytes for $number {
            const SIZE: usize = size_of::<$number>();
            fn put(&self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_ne_bytes());
            }
            fn set(&mut self, bytes: &[u8]) {
                if let Ok(bytes) = bytes.try_into() {
                    *self = <$number>::from_ne_bytes(bytes);
                }
            }
        }
    )*};
}
bytes!(i8 u8 i16 u16 i32 u32 i64 u64 usize f32 f64);

impl<T: Bytes, const N: usize> Bytes for [T; N] {
    const SIZE: usize = T::SIZE * N;
    fn put(&self, to: &mut Vec<u8>) {
        self.iter().for_each(|x| x.put(to));
    }
    fn set(&mut self, bytes: &[u8]) {
        self.iter_mut().zip(bytes.chunks_exact(T::SIZE)).for_each(|(x, bytes)| x.set(bytes));
    }
}
//: memcmp Bytes
/// Compares numbers byte by byte.
pub fn memcmp<T: Bytes>(a: &[T], b: &[T]) -> i32 {
    let bytes = |numbers: &[T]| {
        let mut out = Vec::new();
        numbers.iter().for_each(|x| x.put(&mut out));
        out
    };
    bytes(a).cmp(&bytes(b)) as i32
}
//: fwrite Bytes put
/// Writes the first `count` things of `size` bytes.
pub fn fwrite<T: Bytes>(data: &[T], size: usize, count: usize, file: File) -> usize {
    let mut bytes = Vec::with_capacity(size * count);
    data[..(size * count).div_ceil(T::SIZE)].iter().for_each(|x| x.put(&mut bytes));
    bytes.truncate(size * count);
    put(&bytes, file);
    if file.is_null() { 0 } else { count }
}
//: fread Bytes fgetc
/// Reads `count` things of `size` bytes; how many there were.
pub fn fread<T: Bytes>(data: &mut [T], size: usize, count: usize, file: File) -> usize {
    let bytes: Vec<u8> = (0..size * count).map_while(|_| u8::try_from(fgetc(file)).ok()).collect();
    data.iter_mut().zip(bytes.chunks_exact(T::SIZE)).for_each(|(x, bytes)| x.set(bytes));
    bytes.len() / size.max(1)
}
//: sscanf Found
/// Reads a text as a format of C says.
pub fn sscanf(text: &str, format: &str) -> Found {
    let mut bytes = text.bytes();
    scan(format, &mut || bytes.next()).0
}
//: fscanf Found fgetc ungetc
/// Reads a file as a format of C says.
pub fn fscanf(file: File, format: &str) -> Found {
    let (found, ahead) = scan(format, &mut || u8::try_from(fgetc(file)).ok());
    if let Some(byte) = ahead {
        ungetc(i32::from(byte), file);
    }
    found
}
//: Found
/// What was read by a format: the values, and how many of them, `EOF` if there was nothing to read at all.
pub struct Found {
    values: Vec<Value>,
    /// How many.
    pub count: i32,
}

enum Value {
    Integer(i64),
    Float(f64),
    Text(String),
}

#[allow(dead_code)]
impl Found {
    /// A value, if it is there and an integer.
    pub fn integer(&self, at: usize) -> Option<i64> {
        match self.values.get(at) {
            Some(Value::Integer(x)) => Some(*x),
            _ => None,
        }
    }

    /// A value, if it is there and a float.
    pub fn float(&self, at: usize) -> Option<f64> {
        match self.values.get(at) {
            Some(Value::Float(x)) => Some(*x),
            _ => None,
        }
    }

    /// A value, if it is there and text.
    pub fn text(&self, at: usize) -> Option<&str> {
        match self.values.get(at) {
            Some(Value::Text(x)) => Some(x),
            _ => None,
        }
    }
}

/// Bytes with one ahead.
struct Ahead<'a> {
    next: &'a mut dyn FnMut() -> Option<u8>,
    held: Option<u8>,
    read: i64,
}

impl Ahead<'_> {
    fn peek(&mut self) -> Option<u8> {
        if self.held.is_none() {
            self.held = (self.next)();
        }
        self.held
    }

    fn take(&mut self, wanted: impl Fn(u8) -> bool) -> Option<u8> {
        let byte = self.peek().filter(|b| wanted(*b))?;
        self.held = None;
        self.read += 1;
        Some(byte)
    }

    fn while_(&mut self, most: usize, wanted: impl Fn(u8) -> bool) -> String {
        let mut out = Vec::new();
        while out.len() < most
            && let Some(byte) = self.take(&wanted)
        {
            out.push(byte);
        }
        String::from_utf8_lossy(&out).into_owned()
    }

    fn skip_space(&mut self) {
        while self.take(|b| b.is_ascii_whitespace()).is_some() {}
    }

    fn integer(&mut self, base: u32, most: usize) -> Option<i64> {
        let sign = self.take(|b| b == b'-' || b == b'+');
        let most = most - usize::from(sign.is_some());
        let mut digits = self.while_(most.min(1), |b| b == b'0');
        let mut base = base;
        if digits == "0" && matches!(base, 0 | 16) && self.take(|b| b | 32 == b'x').is_some() {
            base = 16;
        } else if base == 0 {
            base = if digits == "0" { 8 } else { 10 };
        }
        let rest = most.saturating_sub(digits.len());
        digits += &self.while_(rest, |b| char::from(b).is_digit(base));
        let value = u64::from_str_radix(&digits, base).ok()? as i64;
        Some(if sign == Some(b'-') { value.wrapping_neg() } else { value })
    }

    fn float(&mut self, most: usize) -> Option<f64> {
        let mut text = String::new();
        let sign = |b: u8| b == b'-' || b == b'+';
        text.extend(self.take(sign).map(char::from));
        if self.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
            text += &self.while_(most, |b| b.is_ascii_alphabetic());
            return text.parse().ok();
        }
        text += &self.while_(most.saturating_sub(text.len()), |b| b.is_ascii_digit());
        if text.len() < most && self.take(|b| b == b'.').is_some() {
            text.push('.');
            text += &self.while_(most.saturating_sub(text.len()), |b| b.is_ascii_digit());
        }
        if text.len() < most && text.bytes().any(|b| b.is_ascii_digit()) && self.take(|b| b | 32 == b'e').is_some() {
            text.push('e');
            text.extend(self.take(sign).map(char::from));
            text += &self.while_(most.saturating_sub(text.len()), |b| b.is_ascii_digit());
        }
        text.parse().ok()
    }
}

/// Reads bytes as a format says; the byte that was read too far comes back, too.
fn scan(format: &str, next: &mut dyn FnMut() -> Option<u8>) -> (Found, Option<u8>) {
    let mut input = Ahead { next, held: None, read: 0 };
    let mut found = Found { values: Vec::new(), count: 0 };
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c.is_ascii_whitespace() {
            input.skip_space();
            continue;
        }
        if c != '%' || rest.peek() == Some(&'%') {
            if c == '%' {
                rest.next();
                input.skip_space();
            }
            if input.peek().is_none() && found.count == 0 {
                found.count = -1;
            }
            if input.take(|b| char::from(b) == c).is_none() {
                break;
            }
            continue;
        }
        let skipped = rest.next_if_eq(&'*').is_some();
        let mut width = 0;
        while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
            width = width * 10 + digit as usize;
            rest.next();
        }
        let most = if width == 0 { usize::MAX } else { width };
        while rest.next_if(|c| "hlLqjzt".contains(*c)).is_some() {}
        let kind = rest.next().unwrap_or('%');
        if !matches!(kind, 'c' | '[' | 'n') {
            input.skip_space();
        }
        if kind == 'n' {
            found.values.push(Value::Integer(input.read));
            continue;
        }
        if input.peek().is_none() {
            found.count = if found.count == 0 { -1 } else { found.count };
            break;
        }
        let value = match kind {
            'd' | 'u' => input.integer(10, most).map(Value::Integer),
            'i' => input.integer(0, most).map(Value::Integer),
            'x' | 'X' => input.integer(16, most).map(Value::Integer),
            'o' => input.integer(8, most).map(Value::Integer),
            'c' => input.take(|_| true).map(|b| Value::Integer(i64::from(b as i8))),
            's' => Some(Value::Text(input.while_(most, |b| !b.is_ascii_whitespace()))),
            '[' => {
                let without = rest.next_if_eq(&'^').is_some();
                let mut set: Vec<u8> = rest.next_if_eq(&']').map(|_| b']').into_iter().collect();
                for c in rest.by_ref().take_while(|c| *c != ']') {
                    set.push(c as u8);
                }
                let mut among = [false; 256];
                let mut at = 0;
                while at < set.len() {
                    let last = if at + 2 < set.len() && set[at + 1] == b'-' { at + 2 } else { at };
                    (set[at]..=set[last]).for_each(|b| among[usize::from(b)] = true);
                    at = last + 1;
                }
                let text = input.while_(most, |b| among[usize::from(b)] != without);
                (!text.is_empty()).then_some(Value::Text(text))
            }
            _ => input.float(most).map(Value::Float),
        };
        match value {
            Some(_) if skipped => {}
            Some(value) => {
                found.values.push(value);
                found.count += 1;
            }
            None => break,
        }
    }
    (found, input.held)
}
