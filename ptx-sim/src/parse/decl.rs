//! Declarations of variables: space, alignment, type, dimensions, initialiser.

use super::cursor::{Cursor, PResult};
use super::lexer::Kind;
use crate::isa::{Space, Type};

/// An address inside an initialiser: `(byte offset, symbol, addend, wants a generic address)`.
pub(super) type Reloc = (u32, String, i64, bool);

/// A declared variable.
#[derive(Clone, Debug)]
pub(super) struct Decl {
    pub name: String,
    pub ty: Type,
    pub size: u64,
    pub align: u32,
    /// Declared with `[]`: its size comes at launch.
    pub open: bool,
    pub init: Option<Vec<u8>>,
    pub relocs: Vec<Reloc>,
    pub line: u32,
}

/// Alignment, vector length and type in front of the names.
struct Head {
    align: Option<u32>,
    lanes: u64,
    ty: Type,
}

fn head(c: &mut Cursor<'_>) -> PResult<Head> {
    let (mut align, mut lanes) = (None, 1);
    loop {
        let word = c.dot()?;
        match word {
            "align" => {
                let n = c.const_int()?;
                if !n.is_power_of_two() || n > 1 << 20 {
                    return c.error(format!(
                        "an alignment of {n} is not a power of two up to 2^20"
                    ));
                }
                align = Some(n as u32);
            }
            "v2" => lanes = 2,
            "v4" => lanes = 4,
            "attribute" => return c.error("`.attribute` is not modelled by the simulator"),
            // `.param .u64 .ptr .global .align 8 name` describes what the pointer points to.
            _ => match Type::parse(word) {
                Some(Type::Pred) | None => {
                    return c.error(format!("`.{word}` is not a type of a variable"));
                }
                Some(ty) => return Ok(Head { align, lanes, ty }),
            },
        }
    }
}

/// The name with its dimensions, of a variable whose head was read.
fn tail(c: &mut Cursor<'_>, head: &Head) -> PResult<Decl> {
    let line = c.line();
    let name = c.ident()?.to_string();
    let element = u64::from(head.ty.size()) * head.lanes;
    let (mut count, mut open, mut inner) = (1u64, false, false);
    while c.eat('[') {
        if c.eat(']') {
            if inner {
                return c.error("only the first dimension may be left open");
            }
            open = true;
        } else {
            let n = c.const_int()?;
            count = match count.checked_mul(n) {
                Some(v) if v < 1 << 40 => v,
                _ => return c.error(format!("`{name}` is too large")),
            };
            c.expect(']')?;
        }
        inner = true;
    }
    let size = if open { 0 } else { element * count };
    let align = head.align.unwrap_or(element as u32).max(1);
    Ok(Decl {
        name,
        ty: head.ty,
        size,
        align,
        open,
        init: None,
        relocs: vec![],
        line,
    })
}

/// Everything after the state space of a variable declaration, up to and with the `;`.
pub(super) fn variables(c: &mut Cursor<'_>, space: Space) -> PResult<Vec<Decl>> {
    let head = head(c)?;
    let mut decls = Vec::new();
    loop {
        let mut decl = tail(c, &head)?;
        if c.eat('=') {
            if !matches!(space, Space::Global | Space::Const) {
                return c.error(format!(
                    "a variable in {space} memory cannot be initialised"
                ));
            }
            let mut init = Init {
                bytes: vec![],
                relocs: vec![],
                size: head.ty.size(),
                ty: head.ty,
            };
            init.value(c)?;
            if decl.open {
                decl.open = false;
                decl.size = init.bytes.len() as u64;
            }
            if init.bytes.len() as u64 > decl.size {
                return c.error(format!(
                    "`{}` has more initialisers than elements",
                    decl.name
                ));
            }
            init.bytes.resize(decl.size as usize, 0);
            decl.init = Some(init.bytes);
            decl.relocs = init.relocs;
        }
        decls.push(decl);
        if !c.eat(',') {
            break;
        }
    }
    c.expect(';')?;
    Ok(decls)
}

/// One `.param` of a function or kernel, after the word `.param`.
pub(super) fn parameter(c: &mut Cursor<'_>) -> PResult<Decl> {
    let head = head(c)?;
    if c.eat_dot("ptr") {
        // What the pointer points to: a promise to the compiler that the simulator does not need,
        // since every access is checked by itself.
        while let Kind::Dot(word) = c.peek() {
            c.bump();
            match word {
                "global" | "shared" | "const" | "local" => {}
                "align" => {
                    c.const_int()?;
                }
                _ => return c.error(format!("`.{word}` does not describe a pointer parameter")),
            }
        }
    }
    let decl = tail(c, &head)?;
    if decl.open {
        return c.error(format!("the parameter `{}` needs a size", decl.name));
    }
    Ok(decl)
}

/// An initialiser being read into bytes.
struct Init {
    bytes: Vec<u8>,
    relocs: Vec<Reloc>,
    size: u32,
    ty: Type,
}

impl Init {
    fn value(&mut self, c: &mut Cursor<'_>) -> PResult<()> {
        if c.eat('{') {
            // Nested braces list the elements of an inner dimension.
            while !c.eat('}') {
                self.value(c)?;
                if !c.eat(',') {
                    c.expect('}')?;
                    break;
                }
            }
            return Ok(());
        }
        let negative = matches!(
            (c.peek(), c.peek_next()),
            (Kind::Punct('-'), Kind::F32(_) | Kind::F64(_))
        );
        if negative {
            c.bump();
        }
        match c.peek() {
            Kind::F32(bits) => {
                c.bump();
                if self.size != 4 {
                    return c.error(format!(
                        "an f32 constant initialises a {} variable",
                        self.ty
                    ));
                }
                self.push(u64::from(bits ^ (u32::from(negative) << 31)));
            }
            Kind::F64(bits) => {
                c.bump();
                let bits = bits ^ (u64::from(negative) << 63);
                match (self.ty, self.size) {
                    (Type::F32, _) => self.push(u64::from((f64::from_bits(bits) as f32).to_bits())),
                    (_, 8) => self.push(bits),
                    _ => {
                        return c.error(format!(
                            "an f64 constant initialises a {} variable",
                            self.ty
                        ));
                    }
                }
            }
            Kind::Ident(name) => {
                c.bump();
                let generic = name == "generic";
                let symbol = if generic {
                    c.expect('(')?;
                    let s = c.ident()?.to_string();
                    c.expect(')')?;
                    s
                } else {
                    name.to_string()
                };
                let addend = match c.peek() {
                    Kind::Punct('+' | '-') => c.const_int()? as i64,
                    _ => 0,
                };
                if self.size != 8 {
                    return c.error("an address initialises a variable that is not 64 bits wide");
                }
                self.relocs
                    .push((self.bytes.len() as u32, symbol, addend, generic));
                self.push(0);
            }
            _ if self.ty.is_float() => {
                return c.error(format!(
                    "expected a {} constant, found {}",
                    self.ty,
                    c.peek()
                ));
            }
            _ => {
                let v = c.const_int()?;
                let bits = self.size * 8;
                let fits = bits >= 64 || v >> bits == 0 || (v as i64) >> (bits - 1) == -1;
                if !fits {
                    return c.error(format!("{v} does not fit a {} element", self.ty));
                }
                self.push(v);
            }
        }
        Ok(())
    }

    fn push(&mut self, v: u64) {
        self.bytes
            .extend_from_slice(&v.to_le_bytes()[..self.size as usize]);
    }
}
