//! Operands: as written, and as registers, constants and addresses.

use super::body::{Body, Name};
use super::cursor::{Cursor, PResult};
use super::lexer::Kind;
use crate::isa::{Addr, Base, Const, Op, Pred, PredSrc, Reg, Space, Special, Src, Type};

/// An operand as written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operand {
    /// A name, possibly with `.x`.
    Name(String),
    /// `!name`.
    Not(String),
    Int(u64),
    F32(u32),
    F64(u64),
    /// `{a, b, ..}`.
    Vector(Vec<Operand>),
    /// `[base + offset]`; the base is a name or absent.
    Address(Option<String>, i64),
    /// `symbol + offset`.
    Offset(String, i64),
    /// `a|b`.
    Pair(Box<Operand>, Box<Operand>),
    /// The parenthesised lists of a call.
    List(Vec<Operand>),
}

/// One operand.
pub(super) fn operand(c: &mut Cursor<'_>) -> PResult<Operand> {
    let first = simple(c)?;
    if c.eat('|') {
        let second = simple(c)?;
        return Ok(Operand::Pair(Box::new(first), Box::new(second)));
    }
    Ok(first)
}

fn simple(c: &mut Cursor<'_>) -> PResult<Operand> {
    Ok(match c.peek() {
        Kind::Punct('{') => {
            c.bump();
            let mut list = Vec::new();
            loop {
                list.push(simple(c)?);
                if !c.eat(',') {
                    c.expect('}')?;
                    break Operand::Vector(list);
                }
            }
        }
        Kind::Punct('[') => {
            c.bump();
            let base = match c.peek() {
                Kind::Ident(name) => {
                    c.bump();
                    Some(name.to_string())
                }
                _ => None,
            };
            let offset = match c.peek() {
                Kind::Punct(']') if base.is_some() => 0,
                _ => c.const_int()? as i64,
            };
            c.expect(']')?;
            Operand::Address(base, offset)
        }
        Kind::Punct('!') => {
            c.bump();
            Operand::Not(c.ident()?.to_string())
        }
        Kind::F32(b) => {
            c.bump();
            Operand::F32(b)
        }
        Kind::F64(b) => {
            c.bump();
            Operand::F64(b)
        }
        Kind::Punct('-') if matches!(c.peek_next(), Kind::F32(_) | Kind::F64(_)) => {
            c.bump();
            match c.bump() {
                Kind::F32(b) => Operand::F32(b ^ 1 << 31),
                Kind::F64(b) => Operand::F64(b ^ 1 << 63),
                _ => return c.error("expected a number"),
            }
        }
        Kind::Ident(name) => {
            c.bump();
            match c.peek() {
                Kind::Dot(part) => {
                    c.bump();
                    Operand::Name(format!("{name}.{part}"))
                }
                Kind::Punct('+' | '-') => Operand::Offset(name.to_string(), c.const_int()? as i64),
                _ => Operand::Name(name.to_string()),
            }
        }
        _ => Operand::Int(c.const_int()?),
    })
}

/// The operands of `call`: `[List(results)], Name(function), [List(params)]`.
pub(super) fn call(c: &mut Cursor<'_>) -> PResult<Vec<Operand>> {
    let mut operands = Vec::new();
    loop {
        if c.eat('(') {
            let mut list = Vec::new();
            while !c.eat(')') {
                list.push(operand(c)?);
                if !c.eat(',') {
                    c.expect(')')?;
                    break;
                }
            }
            operands.push(Operand::List(list));
        } else {
            operands.push(Operand::Name(c.ident()?.to_string()));
        }
        if !c.eat(',') {
            return Ok(operands);
        }
    }
}

/// A result whose error has no line yet.
pub(super) type Res<T> = Result<T, String>;

fn special(name: &str) -> Option<Special> {
    let dim = |s: &str| match s {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        _ => None,
    };
    if let Some((base, part)) = name.split_once('.') {
        let d = dim(part)?;
        return Some(match base {
            "%tid" => Special::Tid(d),
            "%ntid" => Special::Ntid(d),
            "%ctaid" => Special::Ctaid(d),
            "%nctaid" => Special::Nctaid(d),
            _ => return None,
        });
    }
    Some(match name {
        "%laneid" => Special::LaneId,
        "%warpid" => Special::WarpId,
        "%nwarpid" => Special::NWarpId,
        "%lanemask_eq" => Special::LaneMaskEq,
        "%lanemask_le" => Special::LaneMaskLe,
        "%lanemask_lt" => Special::LaneMaskLt,
        "%lanemask_ge" => Special::LaneMaskGe,
        "%lanemask_gt" => Special::LaneMaskGt,
        "%smid" => Special::SmId,
        "%nsmid" => Special::NSmId,
        "%gridid" => Special::GridId,
        "%clock" => Special::Clock,
        "%clock_hi" => Special::ClockHi,
        "%clock64" => Special::Clock64,
        "%globaltimer" => Special::GlobalTimer,
        "%globaltimer_lo" => Special::GlobalTimerLo,
        "%globaltimer_hi" => Special::GlobalTimerHi,
        "%dynamic_smem_size" => Special::DynamicSmem,
        "%total_smem_size" => Special::TotalSmem,
        _ => return None,
    })
}

fn special_bits(s: Special) -> u32 {
    match s {
        Special::Clock64 | Special::GlobalTimer | Special::GridId => 64,
        _ => 32,
    }
}

impl Body<'_, '_> {
    /// Destination register of exactly `ty`'s width; `_` is a register nobody reads.
    pub(super) fn dst(&mut self, o: &Operand, ty: Type) -> Res<Reg> {
        Ok(self.dst_sized(o, ty, false)?.0)
    }

    /// Destination register at least as wide as `ty` (`ld`, `cvt`), and its width in bits.
    pub(super) fn dst_wide(&mut self, o: &Operand, ty: Type) -> Res<(Reg, u32)> {
        self.dst_sized(o, ty, true)
    }

    fn dst_sized(&mut self, o: &Operand, ty: Type, wider: bool) -> Res<(Reg, u32)> {
        let Operand::Name(name) = o else {
            return Err(format!("expected a {ty} register as destination"));
        };
        if name == "_" {
            return Ok((self.hidden_register(), ty.bits()));
        }
        match self.lookup(name) {
            Some(Name::Reg(r, declared)) => {
                self.fits(name, declared, ty, wider)?;
                Ok((r, declared.bits()))
            }
            Some(_) => Err(format!("`{name}` is not a {ty} register")),
            None => Err(format!("`{name}` is not declared")),
        }
    }

    fn fits(&self, name: &str, declared: Type, ty: Type, wider: bool) -> Res<()> {
        let width = declared.bits() == ty.bits() || wider && declared.bits() > ty.bits();
        // A wider register takes a value of any kind but the other kind of number.
        if width && ty.accepts_kind(declared) {
            return Ok(());
        }
        Err(format!(
            "`{name}` is declared {declared}, and the instruction wants {ty}"
        ))
    }

    /// Source operand of exactly `ty`'s width.
    pub(super) fn src(&mut self, o: &Operand, ty: Type) -> Res<Src> {
        self.src_sized(o, ty, false)
    }

    /// Source operand at least as wide as `ty` (`st`, `cvt`).
    pub(super) fn src_wide(&mut self, o: &Operand, ty: Type) -> Res<Src> {
        self.src_sized(o, ty, true)
    }

    fn src_sized(&mut self, o: &Operand, ty: Type, wider: bool) -> Res<Src> {
        match o {
            Operand::Name(name) => match self.lookup(name) {
                Some(Name::Reg(r, declared)) => {
                    self.fits(name, declared, ty, wider)?;
                    Ok(r.into())
                }
                Some(Name::Pred(_)) => Err(format!(
                    "`{name}` is a predicate, and the instruction wants {ty}"
                )),
                Some(_) => self.symbol(name, 0, ty),
                None if name == "WARP_SZ" => Ok(self.bits(32)),
                None => match special(name) {
                    Some(which) => {
                        let bits = special_bits(which);
                        let narrow = bits == 64 && ty.bits() == 32;
                        if ty.is_float() || !(bits == ty.bits() || narrow) {
                            return Err(format!(
                                "`{name}` is .u{bits}, and the instruction wants {ty}"
                            ));
                        }
                        let d = self.hidden_register();
                        self.before.push(Op::Special { d, which });
                        Ok(d.into())
                    }
                    None => Err(format!("`{name}` is not declared")),
                },
            },
            Operand::Offset(name, offset) => self.symbol(name, *offset, ty),
            Operand::Int(_) | Operand::F32(_) | Operand::F64(_) => self.immediate(o, ty),
            _ => Err(format!("expected a {ty} register or constant")),
        }
    }

    fn immediate(&mut self, o: &Operand, ty: Type) -> Res<Src> {
        let bits = match (o, ty) {
            (Operand::Int(i), t) if !t.is_float() => {
                let (n, v) = (t.bits().min(64), *i);
                if n < 64 && v >> n != 0 && (v as i64) >> (n - 1) != -1 {
                    return Err(format!("{} does not fit {t}", *i as i64));
                }
                if n < 64 { v & ((1 << n) - 1) } else { v }
            }
            (Operand::F32(b), Type::F32 | Type::B32) => u64::from(*b),
            (Operand::F64(b), Type::F64 | Type::B64) => *b,
            (Operand::F64(b), Type::F32) => u64::from((f64::from_bits(*b) as f32).to_bits()),
            _ => return Err(format!("this constant is not a {ty} one")),
        };
        Ok(self.bits(bits))
    }

    /// A constant with the given bits.
    pub(super) fn bits(&mut self, bits: u64) -> Src {
        Src::constant(self.b.constant(Const::Bits(bits)))
    }

    /// The address of a variable, as a value.
    fn symbol(&mut self, name: &str, offset: i64, ty: Type) -> Res<Src> {
        if ty.is_float() || ty.bits() < 32 {
            return Err(format!("the address of `{name}` is no {ty} value"));
        }
        match self.lookup(name) {
            Some(Name::Variable(v)) => {
                self.note_shared(v);
                Ok(Src::constant(self.b.constant(Const::Symbol(v, offset))))
            }
            Some(Name::KernelParam(at)) => Ok(self.bits(u64::from(at).wrapping_add(offset as u64))),
            Some(Name::Frame(at, _)) => {
                let d = self.hidden_register();
                let offset = i64::from(at) + offset;
                self.before.push(Op::FrameAddr {
                    d,
                    offset,
                    generic: false,
                });
                Ok(d.into())
            }
            Some(_) => Err(format!("`{name}` has no address")),
            None => Err(format!("`{name}` is not declared")),
        }
    }

    fn note_shared(&mut self, v: u32) {
        if self.b.variables[v as usize].space == Space::Shared && !self.f.shared.contains(&v) {
            self.f.shared.push(v);
        }
    }

    /// An address operand in `space`.
    pub(super) fn addr(&mut self, o: &Operand, space: Space) -> Res<Addr> {
        let Operand::Address(base, offset) = o else {
            return Err("expected an address in brackets".into());
        };
        let Some(name) = base else {
            return Ok(Addr {
                base: Base::Value(self.bits(0)),
                offset: *offset,
            });
        };
        let wrong = |what: &str| {
            Err(format!(
                "`{name}` is {what}, and the instruction is for {space} memory"
            ))
        };
        match self.lookup(name) {
            Some(Name::Reg(r, ty)) => {
                let small = matches!(
                    space,
                    Space::Shared | Space::Local | Space::Param | Space::Const
                );
                if ty.is_float() || !(ty.bits() == 64 || small && ty.bits() == 32) {
                    return Err(format!(
                        "`{name}` is declared {ty} and cannot hold a {space} address"
                    ));
                }
                Ok(Addr {
                    base: Base::Value(r.into()),
                    offset: *offset,
                })
            }
            Some(Name::Variable(v)) => {
                let of = self.b.variables[v as usize].space;
                // A variable's generic address is its own in the spaces that share a window.
                let fits = of == space || space == Space::Generic && of == Space::Global;
                if !fits {
                    return wrong(&format!("in {of} memory"));
                }
                self.note_shared(v);
                let c = self.b.constant(Const::Symbol(v, 0));
                Ok(Addr {
                    base: Base::Value(Src::constant(c)),
                    offset: *offset,
                })
            }
            Some(Name::Frame(at, _)) => match space {
                Space::Local | Space::Param => Ok(Addr {
                    base: Base::Frame,
                    offset: i64::from(at) + offset,
                }),
                _ => wrong("on the stack"),
            },
            Some(Name::KernelParam(at)) => match space {
                Space::Param => {
                    let base = Base::Value(self.bits(0));
                    Ok(Addr {
                        base,
                        offset: i64::from(at) + offset,
                    })
                }
                _ => wrong("a parameter"),
            },
            Some(Name::Pred(_)) => wrong("a predicate"),
            None => Err(format!("`{name}` is not declared")),
        }
    }

    /// Destination predicate; `None` is `_`.
    pub(super) fn pred_dst(&mut self, o: &Operand) -> Res<Option<Pred>> {
        match o {
            Operand::Name(name) if name == "_" => Ok(None),
            Operand::Name(name) => match self.lookup(name) {
                Some(Name::Pred(p)) => Ok(Some(p)),
                Some(_) => Err(format!("`{name}` is not a predicate register")),
                None => Err(format!("`{name}` is not declared")),
            },
            _ => Err("expected a predicate register".into()),
        }
    }

    /// Source predicate: a register, negated or not, or an integer, of which zero is false (PTX ISA, "Predicate
    /// Constants").
    pub(super) fn pred_src(&mut self, o: &Operand) -> Res<PredSrc> {
        let (name, negated) = match o {
            Operand::Name(name) => (name, false),
            Operand::Not(name) => (name, true),
            Operand::Int(i) => return Ok(PredSrc::Const(*i != 0)),
            _ => return Err("expected a predicate".into()),
        };
        match self.lookup(name) {
            Some(Name::Pred(p)) => Ok(PredSrc::Reg(p, negated)),
            Some(_) => Err(format!("`{name}` is not a predicate register")),
            None => Err(format!("`{name}` is not declared")),
        }
    }
}
