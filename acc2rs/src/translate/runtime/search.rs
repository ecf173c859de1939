//: Byte
/// What texts are made of, in arrays and in strings.
pub trait Byte: Copy {
    /// The byte.
    fn byte(self) -> u8;
}

impl Byte for u8 {
    fn byte(self) -> u8 {
        self
    }
}

impl Byte for i8 {
    fn byte(self) -> u8 {
        self as u8
    }
}
//: within Byte
/// The bytes of the text that starts somewhere.
#[allow(dead_code)]
fn within<B: Byte>(chars: &[B], from: usize) -> Vec<u8> {
    chars[from..].iter().map(|c| c.byte()).take_while(|b| *b != 0).collect()
}
//: strchr within
/// Where a byte stands first in a text; `usize::MAX` if nowhere.
pub fn strchr<B: Byte>(chars: &[B], from: usize, byte: u8) -> usize {
    let text = within(chars, from);
    let end = (byte == 0).then_some(text.len());
    text.iter().position(|b| *b == byte).or(end).map_or(usize::MAX, |at| from + at)
}
//: strrchr within
/// Where a byte stands last in a text; `usize::MAX` if nowhere.
pub fn strrchr<B: Byte>(chars: &[B], from: usize, byte: u8) -> usize {
    let text = within(chars, from);
    text.iter().rposition(|b| *b == byte).map_or(usize::MAX, |at| from + at)
}
//: strstr within
/// Where a text stands first in another; `usize::MAX` if nowhere.
pub fn strstr<B: Byte>(chars: &[B], from: usize, part: &str) -> usize {
    let text = within(chars, from);
    let found = (0..=text.len()).find(|at| text[*at..].starts_with(part.as_bytes()));
    found.map_or(usize::MAX, |at| from + at)
}
//: strpbrk within
/// Where one of some bytes stands first in a text; `usize::MAX` if nowhere.
pub fn strpbrk<B: Byte>(chars: &[B], from: usize, set: &str) -> usize {
    let text = within(chars, from);
    text.iter().position(|b| set.as_bytes().contains(b)).map_or(usize::MAX, |at| from + at)
}
//: strtok
/// Where the next word of a text starts, which ends at one of some bytes; from where the last word ended, if `from` is
/// `usize::MAX`, which the result is behind the last word.
pub fn strtok(chars: &mut [i8], from: usize, set: &str) -> usize {
    thread_local! {
        static NEXT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }
    let ends = |c: &i8| *c == 0 || set.as_bytes().contains(&(*c as u8));
    let mut at = if from == usize::MAX { NEXT.get() } else { from };
    while at < chars.len() && chars[at] != 0 && ends(&chars[at]) {
        at += 1;
    }
    if at >= chars.len() || chars[at] == 0 {
        NEXT.set(at);
        return usize::MAX;
    }
    let end = at + chars[at..].iter().take_while(|c| !ends(c)).count();
    let last = end >= chars.len() || chars[end] == 0;
    if !last {
        chars[end] = 0;
    }
    NEXT.set(if last { end } else { end + 1 });
    at
}
//: rest
/// A text from a position on; empty if that is none.
pub fn rest(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or("")
}
//: strcasecmp
/// Compares two texts as `strcasecmp` does.
pub fn strcasecmp(a: &str, b: &str) -> i32 {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    let at = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let byte = |s: &str| s.as_bytes().get(at).map_or(0, |b| i32::from(*b));
    byte(&a) - byte(&b)
}
