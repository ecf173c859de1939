//! Formats of the `printf` family, read into text and conversions.

/// One conversion of a format.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conversion {
    pub(crate) left: bool,
    pub(crate) zero: bool,
    pub(crate) plus: bool,
    pub(crate) space: bool,
    pub(crate) alternate: bool,
    pub(crate) width: Option<Size>,
    pub(crate) precision: Option<Size>,
    pub(crate) length: String,
    pub(crate) letter: char,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Size {
    Number(usize),
    Argument,
}

/// A piece of a format.
pub(crate) enum Piece {
    Text(String),
    Conversion(Conversion),
}

/// The pieces of a format; `None` if it ends within a conversion.
pub(crate) fn pieces(format: &str) -> Option<Vec<Piece>> {
    let mut out = Vec::new();
    let mut text = String::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        if rest.peek() == Some(&'%') {
            rest.next();
            text.push('%');
            continue;
        }
        let mut found = Conversion::default();
        while let Some(flag) = rest.peek().copied() {
            match flag {
                '-' => found.left = true,
                '0' => found.zero = true,
                '+' => found.plus = true,
                ' ' => found.space = true,
                '#' => found.alternate = true,
                _ => break,
            }
            rest.next();
        }
        let size = |rest: &mut std::iter::Peekable<std::str::Chars<'_>>| {
            if rest.peek() == Some(&'*') {
                rest.next();
                return Some(Size::Argument);
            }
            let mut digits = String::new();
            while let Some(d) = rest.peek().filter(|c| c.is_ascii_digit()) {
                digits.push(*d);
                rest.next();
            }
            digits.parse().ok().map(Size::Number)
        };
        found.width = size(&mut rest);
        if rest.peek() == Some(&'.') {
            rest.next();
            found.precision = Some(size(&mut rest).unwrap_or(Size::Number(0)));
        }
        while let Some(l) = rest.peek().filter(|c| "hlLqjzt".contains(**c)) {
            found.length.push(*l);
            rest.next();
        }
        found.letter = rest.next()?;
        if !text.is_empty() {
            out.push(Piece::Text(std::mem::take(&mut text)));
        }
        out.push(Piece::Conversion(found));
    }
    if !text.is_empty() {
        out.push(Piece::Text(text));
    }
    Some(out)
}
