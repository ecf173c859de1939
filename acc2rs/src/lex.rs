//! A small C tokenizer for the places where the C grammar proper does not reach: pragma lines,
//! macro bodies, and the raw text of a file, whose tokens are laid against the preprocessed ones.
//!
//! It never fails: a byte that starts no token becomes a one-character [`Kind::Punct`], and an
//! unterminated string or comment ends where its line or its file ends.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// An identifier or keyword.
    Ident,
    /// A preprocessing number: `10`, `0x1F`, `1e-3f`.
    Number,
    /// A string literal with its quotes and prefix.
    Str,
    /// A character literal with its quotes and prefix.
    Char,
    /// An operator or other single mark; the longest that C knows.
    Punct,
}

/// One token and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: &'a str,
    /// Byte offset of its first character in the text that was tokenized.
    pub at: usize,
    /// Whether a line break (not an escaped one) stands between it and the token before.
    pub first_on_line: bool,
}

impl Token<'_> {
    /// Byte offset just past the token.
    pub fn end(&self) -> usize {
        self.at + self.text.len()
    }

    /// Whether the token is this punctuator or word.
    pub fn is(&self, text: &str) -> bool {
        self.text == text && !matches!(self.kind, Kind::Str | Kind::Char)
    }
}

/// A comment of the source, without its marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Byte offset of the opening mark.
    pub at: usize,
    /// Byte offset just past the comment.
    pub end: usize,
    /// The text line by line, marks and a leading `*` of each line removed.
    pub lines: Vec<String>,
    /// Whether code precedes it on its line.
    pub trailing: bool,
}

const PUNCTUATORS: [&str; 24] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", "::",
];

/// The tokens of `text`; comments and white space separate them and are dropped.
///
/// ```
/// let words: Vec<_> = acc2rs::lex::tokens("h[k] += 1; // one").iter().map(|t| t.text).collect();
/// assert_eq!(words, ["h", "[", "k", "]", "+=", "1", ";"]);
/// ```
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut scan = Scan { text, at: 0 };
    let mut first_on_line = true;
    while let Some(piece) = scan.next() {
        match piece {
            Piece::Newline => first_on_line = true,
            // A comment is one space to C, however many lines it spans.
            Piece::Comment { .. } => {}
            Piece::Token(kind, at, end) => {
                out.push(Token {
                    kind,
                    text: &text[at..end],
                    at,
                    first_on_line,
                });
                first_on_line = false;
            }
        }
    }
    out
}

/// The comments of `text`, in order.
pub fn comments(text: &str) -> Vec<Comment> {
    let mut out = Vec::new();
    let mut scan = Scan { text, at: 0 };
    let mut code_on_line = false;
    while let Some(piece) = scan.next() {
        match piece {
            Piece::Newline => code_on_line = false,
            Piece::Token(..) => code_on_line = true,
            Piece::Comment { at, end, newline } => {
                out.push(Comment {
                    at,
                    end,
                    lines: comment_lines(&text[at..end]),
                    trailing: code_on_line,
                });
                if newline {
                    code_on_line = false;
                }
            }
        }
    }
    out
}

/// The text with blanks in the place of its comments; lines stay where they are.
pub fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for comment in comments(text) {
        out.push_str(&text[at..comment.at]);
        let lines = text[comment.at..comment.end].matches('\n').count();
        out.push(' ');
        out.push_str(&"\n".repeat(lines));
        at = comment.end;
    }
    out.push_str(&text[at..]);
    out
}

fn comment_lines(raw: &str) -> Vec<String> {
    let body = match raw.strip_prefix("//") {
        Some(line) => line.trim_start_matches(['/', '!']),
        None => {
            let inner = raw.strip_prefix("/*").unwrap_or(raw);
            inner
                .strip_suffix("*/")
                .unwrap_or(inner)
                .trim_start_matches(['*', '!'])
        }
    };
    let mut lines: Vec<String> = body
        .lines()
        .map(|line| {
            let line = line.trim();
            let line = if line.chars().all(|c| c == '*') {
                ""
            } else {
                line
            };
            line.strip_prefix("* ")
                .or(line.strip_prefix('*'))
                .unwrap_or(line)
                .trim_end()
                .to_string()
        })
        .collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    while lines.first().is_some_and(String::is_empty) {
        lines.remove(0);
    }
    lines
}

enum Piece {
    Newline,
    Comment {
        at: usize,
        end: usize,
        newline: bool,
    },
    Token(Kind, usize, usize),
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl Scan<'_> {
    fn next(&mut self) -> Option<Piece> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            let rest = &bytes[self.at..];
            let at = self.at;
            if byte == b'\n' {
                self.at += 1;
                return Some(Piece::Newline);
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if rest.starts_with(b"\\\n") {
                self.at += 2;
            } else if rest.starts_with(b"\\\r\n") {
                self.at += 3;
            } else if rest.starts_with(b"//") {
                self.at = line_end(bytes, at);
                return Some(Piece::Comment {
                    at,
                    end: self.at,
                    newline: false,
                });
            } else if rest.starts_with(b"/*") {
                let end = find(bytes, at + 2, b"*/").map_or(bytes.len(), |e| e + 2);
                self.at = end;
                return Some(Piece::Comment {
                    at,
                    end,
                    newline: bytes[at..end].contains(&b'\n'),
                });
            } else {
                let (kind, end) = token_at(self.text, at);
                self.at = end;
                return Some(Piece::Token(kind, at, end));
            }
        }
        None
    }
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\n' {
            let escaped = bytes[from..at].ends_with(b"\\") || bytes[from..at].ends_with(b"\\\r");
            if !escaped {
                break;
            }
        }
        at += 1;
    }
    at
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    bytes
        .get(from..)?
        .windows(what.len())
        .position(|w| w == what)
        .map(|p| p + from)
}

fn ident_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn token_at(text: &str, at: usize) -> (Kind, usize) {
    let bytes = text.as_bytes();
    let byte = bytes[at];
    let next = bytes.get(at + 1).copied().unwrap_or(0);
    if byte.is_ascii_digit() || byte == b'.' && next.is_ascii_digit() {
        let mut end = at + 1;
        while let Some(&b) = bytes.get(end) {
            let sign =
                matches!(b, b'+' | b'-') && matches!(bytes[end - 1], b'e' | b'E' | b'p' | b'P');
            let hex_e =
                sign && text[at..].starts_with("0x") && matches!(bytes[end - 1], b'e' | b'E');
            if !(ident_byte(b) || b == b'.' || sign && !hex_e) {
                break;
            }
            end += 1;
        }
        return (Kind::Number, end);
    }
    if byte == b'"' {
        return (Kind::Str, quoted(bytes, at, b'"'));
    }
    if byte == b'\'' {
        return (Kind::Char, quoted(bytes, at, b'\''));
    }
    if ident_byte(byte) {
        let mut end = at + 1;
        while bytes.get(end).copied().is_some_and(ident_byte) {
            end += 1;
        }
        if matches!(&text[at..end], "L" | "u" | "U" | "u8") {
            match bytes.get(end) {
                Some(b'"') => return (Kind::Str, quoted(bytes, end, b'"')),
                Some(b'\'') => return (Kind::Char, quoted(bytes, end, b'\'')),
                _ => {}
            }
        }
        return (Kind::Ident, end);
    }
    let end = PUNCTUATORS
        .iter()
        .find(|p| bytes[at..].starts_with(p.as_bytes()))
        .map_or(at + 1, |p| at + p.len());
    (Kind::Punct, end)
}

fn quoted(bytes: &[u8], open: usize, quote: u8) -> usize {
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if at + 1 < bytes.len() => at += 2,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    // An escape may have skipped into the middle of a multi-byte character at the very end.
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|t| t.text).collect()
    }

    #[test]
    fn numbers_strings_and_operators() {
        assert_eq!(
            texts("a->b<<=0x1e+1.5e-3f"),
            ["a", "->", "b", "<<=", "0x1e", "+", "1.5e-3f"]
        );
        assert_eq!(
            texts(r#"f("a\"b", 'x')"#),
            ["f", "(", r#""a\"b""#, ",", "'x'", ")"]
        );
        assert_eq!(texts("a \\\n b /* c */ d // e\nf"), ["a", "b", "d", "f"]);
        assert_eq!(texts("\"open\nx"), ["\"open", "x"]);
    }

    #[test]
    fn line_starts_are_seen() {
        let firsts: Vec<_> = tokens("a b\nc \\\n d")
            .iter()
            .map(|t| t.first_on_line)
            .collect();
        assert_eq!(firsts, [true, false, true, false]);
    }

    #[test]
    fn comments_lose_their_marks() {
        let all = comments("/* one\n * two\n */ x; // three\n//four");
        assert_eq!(all[0].lines, ["one", "two"]);
        assert!(!all[0].trailing);
        assert_eq!(all[1].lines, ["three"]);
        assert!(all[1].trailing);
        assert_eq!(all[2].lines, ["four"]);
    }
}
