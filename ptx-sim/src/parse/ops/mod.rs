//! Instructions: from opcode, modifiers and operands to [`Op`].
//!
//! Each decoder takes the modifiers it knows in the order of the PTX ISA's syntax line and then
//! calls [`Mods::done`], so that anything unknown, misplaced or not modelled is an error. What an
//! instruction needs of `.version` and `.target` is checked by [`Body::needs`].

mod control;
mod data;
mod float;
mod int;
mod memory;
mod warp;

use super::body::Body;
use super::operand::{Operand, Res};
use crate::isa::{Op, Space, Type};

/// The modifiers of an opcode, taken one by one.
pub(super) struct Mods<'a> {
    words: &'a [&'a str],
    at: usize,
}

impl<'a> Mods<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.at).copied()
    }

    /// Takes `word` if it is next.
    fn take(&mut self, word: &str) -> bool {
        let hit = self.peek() == Some(word);
        self.at += usize::from(hit);
        hit
    }

    /// Takes the next word if `f` makes something of it.
    fn take_if<T>(&mut self, f: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let value = self.peek().and_then(f)?;
        self.at += 1;
        Some(value)
    }

    /// The next word must be something that `f` knows.
    fn expect<T>(&mut self, what: &str, f: impl FnOnce(&str) -> Option<T>) -> Res<T> {
        match self.peek() {
            None => Err(format!("{what} is missing")),
            Some(word) => {
                let value = f(word).ok_or_else(|| format!("`.{word}` is not {what}"))?;
                self.at += 1;
                Ok(value)
            }
        }
    }

    fn ty(&mut self) -> Res<Type> {
        self.expect("a type", Type::parse)
    }

    /// A state space, if one is named.
    fn space(&mut self) -> Option<Space> {
        self.take_if(|w| {
            Some(match w {
                "global" => Space::Global,
                "shared" | "shared::cta" => Space::Shared,
                "local" => Space::Local,
                "const" => Space::Const,
                "param" | "param::entry" | "param::func" => Space::Param,
                _ => return None,
            })
        })
    }

    /// The type, which is always the last word.
    fn last_ty(&self) -> Option<Type> {
        self.words.last().and_then(|w| Type::parse(w))
    }

    /// All words are taken.
    fn done(&self) -> Res<()> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(format!(
                "`.{word}` is not a modifier that the simulator knows here"
            )),
        }
    }
}

/// The number of operands must be `n`.
fn count(operands: &[Operand], n: usize) -> Res<()> {
    if operands.len() == n {
        return Ok(());
    }
    Err(format!("expected {n} operands, found {}", operands.len()))
}

/// Between `low` and `high` operands.
fn count_in(operands: &[Operand], low: usize, high: usize) -> Res<()> {
    if (low..=high).contains(&operands.len()) {
        return Ok(());
    }
    Err(format!(
        "expected {low} to {high} operands, found {}",
        operands.len()
    ))
}

impl Body<'_, '_> {
    /// Fails if the module's `.version` or `.target` is older than what `what` needs.
    fn needs(&self, what: &str, version: (u32, u32), target: u32) -> Res<()> {
        if self.b.version < version {
            return Err(format!(
                "{what} needs .version {}.{}, and the module has {}.{}",
                version.0, version.1, self.b.version.0, self.b.version.1
            ));
        }
        if self.b.target < target {
            return Err(format!(
                "{what} needs .target sm_{target}, and the module has sm_{}",
                self.b.target
            ));
        }
        Ok(())
    }
}

/// Decodes one instruction.
pub(super) fn decode(
    x: &mut Body<'_, '_>,
    opcode: &str,
    mods: &[&str],
    ops: &[Operand],
) -> Res<Op> {
    let mut m = Mods { words: mods, at: 0 };
    let m = &mut m;
    let float = m.last_ty().is_some_and(Type::is_float);
    let carry = m.words.contains(&"cc");
    let op = match opcode {
        "addc" | "subc" | "madc" => int::carry(x, opcode, m, ops),
        "add" | "sub" | "mad" if carry => int::carry(x, opcode, m, ops),
        "add" | "sub" | "mul" | "fma" | "mad" | "div" | "min" | "max" | "neg" | "abs" if float => {
            float::arithmetic(x, opcode, m, ops)
        }
        "rcp" | "sqrt" | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" => {
            float::function(x, opcode, m, ops)
        }
        "copysign" | "testp" => float::sign(x, opcode, m, ops),
        "add" | "sub" | "mul" | "mad" | "mul24" | "mad24" | "div" | "rem" | "abs" | "neg"
        | "min" | "max" | "sad" | "dp4a" | "dp2a" => int::arithmetic(x, opcode, m, ops),
        "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" | "shf" | "bfe" | "bfi" | "bfind"
        | "brev" | "clz" | "popc" | "prmt" | "lop3" | "szext" | "bmsk" | "fns" => {
            int::bits(x, opcode, m, ops)
        }
        "mov" => data::mov(x, m, ops),
        "cvt" => data::cvt(x, m, ops),
        "setp" => data::setp(x, m, ops),
        "set" => data::set(x, m, ops),
        "selp" | "slct" => data::select(x, opcode, m, ops),
        "cvta" => data::cvta(x, m, ops),
        "isspacep" => data::isspacep(x, m, ops),
        "ld" | "ldu" => memory::load(x, opcode, m, ops),
        "st" => memory::store(x, m, ops),
        "atom" | "red" => memory::atomic(x, opcode == "red", m, ops),
        "prefetch" | "prefetchu" | "discard" | "applypriority" => {
            memory::prefetch(x, opcode, m, ops)
        }
        "cp" => memory::cp_async(x, m, ops),
        "membar" | "fence" => memory::fence(x, opcode, m, ops),
        "bra" | "brx" | "call" | "ret" | "exit" | "trap" | "brkpt" | "pmevent" | "nanosleep" => {
            control::flow(x, opcode, m, ops)
        }
        "bar" | "barrier" if m.peek() == Some("warp") => warp::sync(x, m, ops),
        "bar" | "barrier" => control::barrier(x, opcode, m, ops),
        "shfl" => warp::shfl(x, m, ops),
        "vote" => warp::vote(x, m, ops),
        "match" => warp::matching(x, m, ops),
        "redux" => warp::redux(x, m, ops),
        "elect" => warp::elect(x, m, ops),
        "mma" => warp::mma(x, m, ops),
        "activemask" => warp::activemask(x, m, ops),
        _ => return Err(format!("the simulator does not know the opcode `{opcode}`")),
    }?;
    m.done()?;
    Ok(op)
}

/// The function for a type, or an error that names the combination.
fn known<T>(f: Option<T>, opcode: &str, ty: Type) -> Res<T> {
    f.ok_or_else(|| format!("PTX has no `{opcode}` for {ty}, or the simulator does not model it"))
}
