//! What the C library does and Rust's does not, for programs that acc2rs translated.
//: rand generator
/// The next number of the sequence that glibc's `rand` gives.
pub fn rand() -> i32 {
    GENERATOR.with_borrow_mut(|g| g.get_or_insert_with(|| Generator::new(1)).next())
}
//: srand generator
/// Starts the sequence again, as glibc's `srand` does.
pub fn srand(seed: u32) {
    GENERATOR.with_borrow_mut(|g| *g = Some(Generator::new(seed)));
}
//: generator
/// glibc's additive feedback generator, `r[i] = r[i - 3] + r[i - 31]`, its lowest bit dropped.
struct Generator {
    state: [u32; 31],
    at: usize,
}

thread_local! {
    static GENERATOR: std::cell::RefCell<Option<Generator>> = const { std::cell::RefCell::new(None) };
}

impl Generator {
    fn new(seed: u32) -> Generator {
        let mut state = [0u32; 31];
        let mut word = i64::from(seed.max(1) as i32);
        state[0] = word as u32;
        for slot in &mut state[1..] {
            word = 16807 * (word % 127_773) - 2836 * (word / 127_773);
            if word < 0 {
                word += 2_147_483_647;
            }
            *slot = word as u32;
        }
        let mut generator = Generator { state, at: 0 };
        for _ in 0..310 {
            generator.next();
        }
        generator
    }

    fn next(&mut self) -> i32 {
        let front = (self.at + 3) % 31;
        self.state[front] = self.state[front].wrapping_add(self.state[self.at]);
        self.at = (self.at + 1) % 31;
        (self.state[front] >> 1) as i32
    }
}
//: rand_r
/// glibc's `rand_r`.
pub fn rand_r(seed: &mut u32) -> i32 {
    let mut step = || {
        *seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
        *seed / 65536
    };
    let mut result = step() % 2048;
    result = (result << 10) ^ (step() % 1024);
    result = (result << 10) ^ (step() % 1024);
    result as i32
}
//: drand48 rand48
/// The next number of the `rand48` sequence in `0.0..1.0`.
pub fn drand48() -> f64 {
    next48() as f64 / (1u64 << 48) as f64
}
//: lrand48 rand48
/// The next number of the `rand48` sequence in `0..2^31`.
pub fn lrand48() -> i64 {
    (next48() >> 17) as i64
}
//: srand48 rand48
/// Starts the `rand48` sequence again.
pub fn srand48(seed: i64) {
    STATE48.set((u64::from(seed as u32) << 16) | 0x330e);
}
//: rand48
thread_local! {
    static STATE48: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

fn next48() -> u64 {
    let next = STATE48.get().wrapping_mul(0x5_deec_e66d).wrapping_add(11) & ((1 << 48) - 1);
    STATE48.set(next);
    next
}
//: since_epoch
/// The time since 1970.
pub fn since_epoch() -> std::time::Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}
//: time since_epoch
/// Seconds since 1970.
pub fn time() -> i64 {
    since_epoch().as_secs() as i64
}
//: clock started
/// Microseconds since the first call, as `clock` counts them.
pub fn clock() -> i64 {
    started().elapsed().as_micros() as i64
}
//: wall started
/// Seconds since the first call.
pub fn wall() -> f64 {
    started().elapsed().as_secs_f64()
}
//: started
fn started() -> std::time::Instant {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    *START.get_or_init(std::time::Instant::now)
}
//: special
/// What C prints for a number that is not finite.
fn special(x: f64) -> &'static str {
    match (x.is_nan(), x.is_sign_negative()) {
        (true, false) => "nan",
        (true, true) => "-nan",
        (false, false) => "inf",
        (false, true) => "-inf",
    }
}
//: Float special
/// A number that prints as C prints it where it is not finite.
pub struct Float(pub f64);

impl std::fmt::Display for Float {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_finite() {
            return self.0.fmt(f);
        }
        let text = special(self.0);
        let sign = if f.sign_plus() && !text.starts_with('-') { "+" } else { "" };
        let (text, width) = (format!("{sign}{text}"), f.width().unwrap_or(0));
        match f.align() {
            Some(std::fmt::Alignment::Left) => write!(f, "{text:<width$}"),
            _ => write!(f, "{text:>width$}"),
        }
    }
}
//: signed
/// A number's text with a sign, `+` or a space, where it has none.
pub fn signed(sign: char, text: &str) -> String {
    if text.starts_with('-') {
        text.to_string()
    } else {
        format!("{sign}{text}")
    }
}
//: zero_filled
/// A number's text with zeros behind its sign up to a width; spaces before it if it is not finite.
pub fn zero_filled(width: usize, text: &str) -> String {
    let digits = text.trim_start_matches(['-', '+', ' ']);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("{text:>width$}");
    }
    let sign = &text[..text.len() - digits.len()];
    format!("{sign}{digits:0>n$}", n = width.saturating_sub(sign.len()))
}
//: least_digits
/// A number's text with zeros behind its sign up to a number of digits; zero has none of its own then.
pub fn least_digits(digits: usize, text: &str) -> String {
    let bare = text.trim_start_matches(['-', '+']);
    let sign = &text[..text.len() - bare.len()];
    let bare = if bare == "0" { "" } else { bare };
    format!("{sign}{bare:0>digits$}")
}
//: exponent special
/// `%.{digits}e`
pub fn exponent(x: f64, digits: usize) -> String {
    if !x.is_finite() {
        return special(x).to_string();
    }
    let text = format!("{x:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}
//: exponent_upper exponent
/// `%.{digits}E`
pub fn exponent_upper(x: f64, digits: usize) -> String {
    exponent(x, digits).to_uppercase()
}
//: general exponent special
/// `%.{digits}g`
pub fn general(x: f64, digits: usize) -> String {
    let digits = digits.max(1);
    if !x.is_finite() {
        return special(x).to_string();
    }
    let scientific = exponent(x, digits - 1);
    let power: i32 = scientific.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    let text = if power < -4 || power >= digits as i32 {
        scientific
    } else {
        format!("{x:.*}", (digits as i32 - 1 - power) as usize)
    };
    let (mantissa, rest) = match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa.to_string(), format!("e{exponent}")),
        None => (text, String::new()),
    };
    let short = if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { &mantissa };
    format!("{short}{rest}")
}
//: general_upper general
/// `%.{digits}G`
pub fn general_upper(x: f64, digits: usize) -> String {
    general(x, digits).to_uppercase()
}
//: prefixed
/// Digits behind their prefix, which zero has none of.
pub fn prefixed(prefix: &str, digits: &str) -> String {
    if digits == "0" {
        digits.to_string()
    } else {
        format!("{prefix}{digits}")
    }
}
//: prefixed_filled
/// Digits behind their prefix, which zero has none of, with zeros between the two up to a width.
pub fn prefixed_filled(width: usize, prefix: &str, digits: &str) -> String {
    let prefix = if digits == "0" { "" } else { prefix };
    format!("{prefix}{digits:0>n$}", n = width.saturating_sub(prefix.len()))
}
//: atol
/// The number that a text starts with, 0 if it starts with none.
pub fn atol(text: &str) -> i64 {
    let text = text.trim_start();
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let value = digits.bytes().take_while(u8::is_ascii_digit).fold(0i64, |v, d| v.wrapping_mul(10).wrapping_add(i64::from(d - b'0')));
    if negative { value.wrapping_neg() } else { value }
}
//: strtol
/// The number that a text starts with, in a base from 2 to 36; 0 takes the base from the prefix `0x` or `0`.
pub fn strtol(text: &str, base: i32) -> i64 {
    let text = text.trim_start();
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let hexadecimal = digits.strip_prefix("0x").or(digits.strip_prefix("0X")).filter(|d| d.starts_with(|c: char| c.is_ascii_hexdigit()));
    let (base, digits) = match (base, hexadecimal) {
        (0 | 16, Some(digits)) => (16, digits),
        (0, None) if digits.starts_with('0') => (8, digits),
        (0, None) => (10, digits),
        (base, _) => (base.clamp(2, 36) as u32, digits),
    };
    let value = digits.chars().map_while(|c| c.to_digit(base)).fold(0i64, |v, d| v.wrapping_mul(i64::from(base)).wrapping_add(i64::from(d)));
    if negative { value.wrapping_neg() } else { value }
}
//: integer_len
/// How many bytes of a text `strtol` reads: none if it starts with no number.
pub fn integer_len(text: &str, base: i32) -> usize {
    let blank = text.len() - text.trim_start().len();
    let sign = usize::from(text[blank..].starts_with(['-', '+']));
    let digits = &text[blank + sign..];
    let hexadecimal = digits.strip_prefix("0x").or(digits.strip_prefix("0X")).filter(|d| d.starts_with(|c: char| c.is_ascii_hexdigit()));
    let (base, prefix) = match (base, hexadecimal) {
        (0 | 16, Some(_)) => (16, 2),
        (0, None) if digits.starts_with('0') => (8, 0),
        (0, None) => (10, 0),
        (base, _) => (base.clamp(2, 36) as u32, 0),
    };
    match digits[prefix..].chars().take_while(|c| c.is_digit(base)).count() {
        0 => 0,
        count => blank + sign + prefix + count,
    }
}
//: float_len
/// How many bytes of a text `strtod` reads: none if it starts with no number.
pub fn float_len(text: &str) -> usize {
    let bare = text.trim_start();
    let number = |end: &usize| bare.get(..*end).is_some_and(|part| part.parse::<f64>().is_ok());
    (1..=bare.len()).rev().find(number).map_or(0, |end| text.len() - bare.len() + end)
}
//: atof
/// The number that a text starts with, 0 if it starts with none.
pub fn atof(text: &str) -> f64 {
    let text = text.trim_start();
    (1..=text.len()).rev().filter_map(|end| text.get(..end)).find_map(|part| part.parse().ok()).unwrap_or(0.0)
}
//: strcmp
/// Compares two texts as `strcmp` does.
pub fn strcmp(a: &str, b: &str) -> i32 {
    match a.as_bytes().cmp(b.as_bytes()) {
        std::cmp::Ordering::Less => -1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => 1,
    }
}
//: strncmp
/// Compares the first `len` bytes of two texts as `strncmp` does.
pub fn strncmp(a: &str, b: &str, len: usize) -> i32 {
    let cut = |s: &str| s.as_bytes()[..s.len().min(len)].to_vec();
    match cut(a).cmp(&cut(b)) {
        std::cmp::Ordering::Less => -1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => 1,
    }
}
//: strspn
/// How many bytes at the start of a text are among those of a set.
pub fn strspn(text: &str, set: &str) -> usize {
    text.bytes().take_while(|b| set.bytes().any(|s| s == *b)).count()
}
//: strcspn
/// How many bytes at the start of a text are not among those of a set.
pub fn strcspn(text: &str, set: &str) -> usize {
    text.bytes().take_while(|b| set.bytes().all(|s| s != *b)).count()
}
//: byte_at
/// A byte of a text; zero at its end, as in C.
pub fn byte_at(text: &str, at: usize) -> i8 {
    text.as_bytes().get(at).map_or(0, |b| *b as i8)
}
//: text
/// The text in a `char` array, up to its terminating zero.
pub fn text(chars: &[i8]) -> String {
    let bytes: Vec<u8> = chars.iter().take_while(|c| **c != 0).map(|c| *c as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
//: set_text
/// Puts a text and a terminating zero into a `char` array.
///
/// # Panics
///
/// If the array is too short, where C would write past its end.
pub fn set_text(chars: &mut [i8], text: &str) {
    for (slot, byte) in chars[..text.len()].iter_mut().zip(text.bytes()) {
        *slot = byte as i8;
    }
    chars[text.len()] = 0;
}
//: set_text_within set_text
/// Puts as much of a text as fits `len` bytes with a terminating zero into a `char` array.
pub fn set_text_within(chars: &mut [i8], len: usize, text: &str) {
    if len > 0 {
        let mut end = text.len().min(len - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        set_text(chars, &text[..end]);
    }
}
//: set_text_padded
/// Puts the first `len` bytes of a text into a `char` array, zeros behind it up to `len`, as `strncpy` does.
pub fn set_text_padded(chars: &mut [i8], len: usize, text: &str) {
    let bytes = text.bytes().map(|b| b as i8).chain(std::iter::repeat(0));
    for (slot, byte) in chars[..len].iter_mut().zip(bytes) {
        *slot = byte;
    }
}
//: append_text set_text
/// Appends a text to the one in a `char` array.
pub fn append_text(chars: &mut [i8], text: &str) {
    let end = chars.iter().position(|c| *c == 0).unwrap_or(chars.len());
    set_text(&mut chars[end..], text);
}
//: getenv
/// A variable of the environment; empty if it is not set.
pub fn getenv(name: &str) -> &'static str {
    std::env::var(name).unwrap_or_default().leak()
}
//: strerror
/// What the system calls an error.
pub fn strerror(code: i32) -> &'static str {
    let text = std::io::Error::from_raw_os_error(code).to_string();
    let end = text.rfind(" (os error").unwrap_or(text.len());
    text[..end].to_string().leak()
}
//: c_string
/// The bytes of a text and a terminating zero, as C keeps them.
pub fn c_string(text: &str) -> Vec<i8> {
    text.bytes().map(|b| b as i8).chain([0]).collect()
}

//: rows_together
/// The elements of rows of one length, one row after the other.
pub fn rows_together<T: Clone>(rows: &[Vec<T>]) -> Vec<T> {
    let mut own = rows.iter().map(Vec::len).filter(|len| *len > 0);
    let first = own.next();
    assert!(own.all(|len| Some(len) == first), "rows of one length");
    rows.concat()
}

//: rows_apart
/// Gives rows the elements that were put together.
pub fn rows_apart<T: Clone>(rows: &mut [Vec<T>], elements: &[T]) {
    let mut rest = elements;
    for row in rows {
        let (own, more) = rest.split_at(row.len());
        row.clone_from_slice(own);
        rest = more;
    }
}

//: bytes
/// A number as the bytes that hold it.
pub trait Bytes: Copy {
    /// Adds the bytes, lowest first.
    fn add(self, bytes: &mut Vec<u8>);
}

macro_rules! bytes {
    ($($number:ty)*) => { $(
        impl Bytes for $number {
            fn add(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    )* };
}

bytes!(i8 u8 i16 u16 i32 u32 i64 u64 usize f32 f64);

/// The bytes of numbers, as they lie in memory.
pub fn bytes<T: Bytes>(numbers: &[T]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(size_of_val(numbers));
    numbers.iter().for_each(|number| number.add(&mut bytes));
    bytes
}
