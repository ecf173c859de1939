//! PTX text to tokens.
//!
//! Follows "Syntax" in the PTX ISA: identifiers, directives and opcode suffixes (`.word`, with
//! `::` inside), integers in four bases, floats in decimal and as bit patterns (`0f…`, `0d…`),
//! strings, comments of both kinds.

use super::ParseError;

/// A token and the line it starts on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Token<'s> {
    pub kind: Kind<'s>,
    pub line: u32,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind<'s> {
    /// A name, `%` and `$` included.
    Ident(&'s str),
    /// `.word`, without its dot.
    Dot(&'s str),
    /// An integer literal.
    Int(u64),
    /// `0f…`: the bits of an f32.
    F32(u32),
    /// `0d…` or a decimal literal: the bits of an f64.
    F64(u64),
    /// The text between quotes.
    Str(&'s str),
    /// Any other character.
    Punct(char),
    /// The end of the text.
    End,
}

impl std::fmt::Display for Kind<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Ident(s) => write!(f, "`{s}`"),
            Kind::Dot(s) => write!(f, "`.{s}`"),
            Kind::Int(i) => write!(f, "`{i}`"),
            Kind::F32(b) => write!(f, "`0f{b:08X}`"),
            Kind::F64(b) => write!(f, "`0d{b:016X}`"),
            Kind::Str(s) => write!(f, "\"{s}\""),
            Kind::Punct(c) => write!(f, "`{c}`"),
            Kind::End => f.write_str("the end of the text"),
        }
    }
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$'
}

/// Splits `text` into tokens; the last one is [`Kind::End`].
pub(super) fn lex(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::with_capacity(bytes.len() / 4);
    let mut at = 0;
    let mut line = 1;
    if let Some(other) = text.find(|c: char| !c.is_ascii()) {
        let line = 1 + text[..other].matches('\n').count() as u32;
        return Err(ParseError::new(
            line,
            "PTX is ASCII, in comments too, and this line has another character",
        ));
    }
    let end_of_word = |mut i: usize| {
        while i < bytes.len() && is_word(bytes[i]) {
            i += 1;
        }
        i
    };
    while at < bytes.len() {
        let c = bytes[at];
        let start = at;
        let kind = match c {
            b'\n' => {
                line += 1;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b'/' if text[at..].starts_with("//") => {
                at += text[at..].find('\n').unwrap_or(text.len() - at);
                continue;
            }
            b'/' if text[at..].starts_with("/*") => {
                let Some(len) = text[at + 2..].find("*/") else {
                    return Err(ParseError::new(line, "this comment is never closed"));
                };
                line += text[at..at + 2 + len].matches('\n').count() as u32;
                at += len + 4;
                continue;
            }
            b'"' => {
                let Some(len) = text[at + 1..].find(['"', '\n']) else {
                    return Err(ParseError::new(line, "this string is never closed"));
                };
                at += len + 2;
                if bytes[at - 1] != b'"' {
                    return Err(ParseError::new(
                        line,
                        "this string is not closed on its line",
                    ));
                }
                Kind::Str(&text[start + 1..at - 1])
            }
            b'.' if bytes.get(at + 1).is_some_and(|&c| is_word(c)) => {
                at = end_of_word(at + 1);
                while text[at..].starts_with("::") {
                    at = end_of_word(at + 2);
                }
                Kind::Dot(&text[start + 1..at])
            }
            b'%' if bytes.get(at + 1).is_some_and(|&c| is_word(c)) => {
                at = end_of_word(at + 1);
                Kind::Ident(&text[start..at])
            }
            c if c.is_ascii_digit() => {
                at = end_of_word(at);
                let mut word = &text[start..at];
                // A decimal point or an exponent's sign continues a decimal literal.
                let hex = word.starts_with("0x") || word.starts_with("0X");
                let bits = word.len() > 2 && matches!(&word[..2], "0f" | "0F" | "0d" | "0D");
                if !hex && !bits {
                    if bytes.get(at) == Some(&b'.') {
                        at = end_of_word(at + 1);
                    }
                    if matches!(bytes[at - 1], b'e' | b'E')
                        && matches!(bytes.get(at), Some(b'+' | b'-'))
                    {
                        at = end_of_word(at + 1);
                    }
                    word = &text[start..at];
                }
                number(word).ok_or_else(|| {
                    ParseError::new(line, format!("`{word}` is not a number in PTX"))
                })?
            }
            c if is_word(c) => {
                at = end_of_word(at);
                Kind::Ident(&text[start..at])
            }
            _ => {
                let c = text[at..].chars().next().unwrap_or('\0');
                if !c.is_ascii_punctuation() {
                    return Err(ParseError::new(
                        line,
                        format!("{c:?} is not a PTX character"),
                    ));
                }
                at += 1;
                Kind::Punct(c)
            }
        };
        tokens.push(Token { kind, line });
    }
    tokens.push(Token {
        kind: Kind::End,
        line,
    });
    Ok(tokens)
}

/// A numeric literal: PTX gives every integer 64 bits.
fn number(word: &str) -> Option<Kind<'static>> {
    let (head, rest) = word.split_at(word.len().min(2));
    match head {
        "0f" | "0F" if rest.len() == 8 => {
            return u32::from_str_radix(rest, 16).ok().map(Kind::F32);
        }
        "0d" | "0D" if rest.len() == 16 => {
            return u64::from_str_radix(rest, 16).ok().map(Kind::F64);
        }
        _ => {}
    }
    if !word.starts_with("0x") && !word.starts_with("0X") && word.contains(['.', 'e', 'E']) {
        return word.parse::<f64>().ok().map(|v| Kind::F64(v.to_bits()));
    }
    let digits = word.strip_suffix('U').unwrap_or(word);
    let (digits, radix) = match digits.get(..2) {
        Some("0x" | "0X") => (&digits[2..], 16),
        Some("0b" | "0B") => (&digits[2..], 2),
        Some(_) if digits.starts_with('0') => (&digits[1..], 8),
        _ => (digits, 10),
    };
    u64::from_str_radix(digits, radix).ok().map(Kind::Int)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind<'_>> {
        lex(text).unwrap().into_iter().map(|t| t.kind).collect()
    }

    #[test]
    fn an_instruction_splits_into_words() {
        use Kind::*;
        assert_eq!(
            kinds("@!%p1 ld.global.L1::no_allocate.u32 %r1, [%rd2+-4]; // note"),
            vec![
                Punct('@'),
                Punct('!'),
                Ident("%p1"),
                Ident("ld"),
                Dot("global"),
                Dot("L1::no_allocate"),
                Dot("u32"),
                Ident("%r1"),
                Punct(','),
                Punct('['),
                Ident("%rd2"),
                Punct('+'),
                Punct('-'),
                Int(4),
                Punct(']'),
                Punct(';'),
                End
            ]
        );
    }

    #[test]
    fn numbers_come_in_every_base() {
        use Kind::*;
        assert_eq!(
            kinds("10 0x1F 017 0b101 7U 0f3F800000 0d3FF0000000000000 1.5 1e3 2.5e-1 0"),
            vec![
                Int(10),
                Int(31),
                Int(15),
                Int(5),
                Int(7),
                F32(0x3f80_0000),
                F64(1f64.to_bits()),
                F64(1.5f64.to_bits()),
                F64(1e3f64.to_bits()),
                F64(0.25f64.to_bits()),
                Int(0),
                End
            ]
        );
    }

    #[test]
    fn lines_are_counted_through_comments() {
        let tokens = lex("/* a\nb */ x\n// c\ny").unwrap();
        assert_eq!((tokens[0].line, tokens[1].line), (2, 4));
        assert_eq!(lex("x\n/* y").unwrap_err().line, 2);
        assert!(lex("0f12").is_err() && lex("\"a").is_err() && lex("é").is_err());
    }

    #[test]
    fn other_characters_than_ascii_are_refused_in_comments_too() {
        let error = lex("ret;\n// \u{2026}\n").unwrap_err();
        assert_eq!(error.line, 2);
    }
}
