//! Walking over tokens, and constant expressions.

use super::ParseError;
use super::lexer::{Kind, Token, lex};

/// A position in the token list.
pub(super) struct Cursor<'s> {
    tokens: Vec<Token<'s>>,
    at: usize,
}

pub(super) type PResult<T> = Result<T, ParseError>;

impl<'s> Cursor<'s> {
    pub(super) fn new(text: &'s str) -> PResult<Self> {
        Ok(Cursor {
            tokens: lex(text)?,
            at: 0,
        })
    }

    pub(super) fn peek(&self) -> Kind<'s> {
        self.tokens[self.at].kind
    }

    pub(super) fn peek_next(&self) -> Kind<'s> {
        self.tokens.get(self.at + 1).map_or(Kind::End, |t| t.kind)
    }

    pub(super) fn line(&self) -> u32 {
        self.tokens[self.at].line
    }

    pub(super) fn bump(&mut self) -> Kind<'s> {
        let kind = self.peek();
        if kind != Kind::End {
            self.at += 1;
        }
        kind
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> PResult<T> {
        Err(ParseError::new(self.line(), message))
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        let hit = self.peek() == Kind::Punct(c);
        self.at += hit as usize;
        hit
    }

    pub(super) fn eat_dot(&mut self, word: &str) -> bool {
        let hit = self.peek() == Kind::Dot(word);
        self.at += hit as usize;
        hit
    }

    pub(super) fn expect(&mut self, c: char) -> PResult<()> {
        if self.eat(c) {
            return Ok(());
        }
        // What is missing belongs at the end of what came before.
        let line = self.tokens[self.at.saturating_sub(1)].line;
        Err(ParseError::new(
            line,
            format!("expected `{c}`, found {}", self.peek()),
        ))
    }

    pub(super) fn ident(&mut self) -> PResult<&'s str> {
        match self.peek() {
            Kind::Ident(s) => {
                self.at += 1;
                Ok(s)
            }
            other => self.error(format!("expected a name, found {other}")),
        }
    }

    pub(super) fn dot(&mut self) -> PResult<&'s str> {
        match self.peek() {
            Kind::Dot(s) => {
                self.at += 1;
                Ok(s)
            }
            other => self.error(format!("expected a `.word`, found {other}")),
        }
    }

    /// An integer constant expression, in 64 bits with wrap-around.
    pub(super) fn const_int(&mut self) -> PResult<u64> {
        self.binary(0)
    }

    fn binary(&mut self, level: usize) -> PResult<u64> {
        const LEVELS: [&[char]; 4] = [&['|', '^'], &['&'], &['+', '-'], &['*', '/', '%']];
        if level == LEVELS.len() {
            return self.unary();
        }
        let mut left = self.binary(level + 1)?;
        while let Kind::Punct(c) = self.peek() {
            if !LEVELS[level].contains(&c) {
                break;
            }
            self.bump();
            let right = self.binary(level + 1)?;
            left = match c {
                '|' => left | right,
                '^' => left ^ right,
                '&' => left & right,
                '+' => left.wrapping_add(right),
                '-' => left.wrapping_sub(right),
                '*' => left.wrapping_mul(right),
                _ if right == 0 => return self.error("a constant expression divides by zero"),
                '/' => left / right,
                _ => left % right,
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> PResult<u64> {
        match self.peek() {
            Kind::Int(i) => {
                self.bump();
                Ok(i)
            }
            Kind::Punct('-') => {
                self.bump();
                Ok(self.unary()?.wrapping_neg())
            }
            Kind::Punct('+') => {
                self.bump();
                self.unary()
            }
            Kind::Punct('~') => {
                self.bump();
                Ok(!self.unary()?)
            }
            Kind::Punct('(') => {
                self.bump();
                let v = self.const_int()?;
                self.expect(')')?;
                Ok(v)
            }
            other => self.error(format!("expected an integer constant, found {other}")),
        }
    }
}
