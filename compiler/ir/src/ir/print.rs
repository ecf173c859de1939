//! The readable text of the IR, for goldens, `explain` and messages.
//!
//! It reads as Rust does, with the types and checks that Rust leaves to the reader spelled out:
//!
//! - `5_u32`, `0.5_f32`: literals carry their types;
//! - `a[i]` is checked against the dimension, `a[#i]` is in range by construction, `a[b..+n][i]` is
//!   element `i`, checked against `n`, of the window that starts at `b`, and `a[b + #i]` is the same
//!   element unchecked;
//! - `x'2` is the second variable that the user called `x`; `p.0` is the first field of `p`, by position
//!   for structs too;
//! - `update hist[b] add 1_u32` combines a value into a bin; the operators are those of
//!   [`UpdateOp::name`](super::UpdateOp::name).

mod expr;

use crate::sorted::Sorted;
use std::fmt::{self, Write as _};

use super::{
    Access, Array, Block, Body, DeviceFn, Expr, ExprKind, Extent, Histogram, Index, Length, Loop,
    Memory, Overflow, Pattern, Place, Root, Stmt, StmtKind, Target, Type, UpdateOp, VarId, VarKind,
    Words,
};

impl fmt::Display for Type {
    /// Rust's notation; a length that only rustc knows is `_`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Unit => f.write_str("()"),
            Type::Never => f.write_str("!"),
            Type::Scalar(s) => s.fmt(f),
            Type::Array(elem, Length::Known(n)) => write!(f, "[{elem}; {n}]"),
            Type::Array(elem, Length::Captured(_)) => write!(f, "[{elem}; _]"),
            Type::Tuple(parts) => {
                f.write_str("(")?;
                for (i, part) in parts.iter().enumerate() {
                    write!(f, "{}{part}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str(if parts.len() == 1 { ",)" } else { ")" })
            }
            Type::Struct(s) => f.write_str(&s.name),
            Type::Opaque(Some(text)) => f.write_str(text),
            Type::Opaque(None) | Type::Integer(_) => f.write_str("?"),
            Type::Infer(n) => write!(f, "?{n}"),
        }
    }
}

impl fmt::Display for UpdateOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.overflow {
            Overflow::Wraps => write!(f, "wrapping_{}", self.name()),
            Overflow::Profile => f.write_str(&self.name()),
        }
    }
}

impl fmt::Display for Loop {
    /// The loop without its pattern: targets of updates are numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&loop_text(self, None))
    }
}

impl fmt::Display for Pattern {
    /// The pattern without its loop: memory is named by its ids.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pattern::Histogram(Histogram { targets, .. }) = self;
        writeln!(f, "histogram")?;
        for (i, target) in targets.iter().enumerate() {
            let memory = match target.memory {
                Memory::Bins(id) => format!("array {}", id.0),
                Memory::Scalar(id) => format!("scalar {}", id.0),
            };
            writeln!(f, "    {}", target_text(i, &memory, target, None))?;
        }
        Ok(())
    }
}

impl Loop {
    /// The loop together with what was detected.
    pub fn text(&self, pattern: &Pattern) -> String {
        loop_text(self, Some(pattern))
    }

    /// One expression of the loop's own body, for messages.
    pub fn expr_text(&self, e: &Expr) -> String {
        Printer::new(self, None, &self.body).expr_text(e)
    }

    /// One index of the loop's own body with its base and window, for messages.
    pub fn index_text(&self, index: &Index) -> String {
        let mut printer = Printer::new(self, None, &self.body);
        printer.index(index);
        printer.out
    }
}

/// A part of a loop that the verifier names.
#[derive(Clone, Copy)]
pub(super) enum Node<'a> {
    Stmt(&'a Stmt),
    Expr(&'a Expr),
    Place(&'a Place),
}

/// The text of any part of `body`, which is the loop's or a device function's.
pub(super) fn node_text(lp: &Loop, body: &Body, node: Node<'_>) -> String {
    let mut printer = Printer::new(lp, None, body);
    match node {
        Node::Stmt(stmt) => printer.stmt(stmt),
        Node::Expr(e) => printer.expr(e),
        Node::Place(place) => printer.place(place),
    }
    printer.out.trim().to_string()
}

fn loop_text(lp: &Loop, pattern: Option<&Pattern>) -> String {
    let mut p = Printer::new(lp, pattern, &lp.body);
    p.line(format_args!("loop {} of {}", lp.ordinal, lp.function));
    p.depth += 1;
    for dim in &lp.space {
        let count = p.expr_text(&dim.count);
        let name = p.var(dim.position);
        p.line(format_args!("for {name} in 0..{count}  // {}", dim.text));
    }
    for array in &lp.arrays {
        p.array(array);
    }
    for (id, var) in lp.body.vars.iter().enumerate() {
        let kind = match var.kind {
            VarKind::Captured => "captured",
            VarKind::Reduced => "reduced",
            VarKind::Best => "best",
            VarKind::Carried => "carried",
            VarKind::Local | VarKind::Position | VarKind::Param => continue,
        };
        let name = p.var(VarId(id as u32));
        p.line(format_args!("{kind} {name}: {}", var.ty));
    }
    if let Some(Pattern::Histogram(Histogram { targets, .. })) = pattern {
        for (i, target) in targets.iter().enumerate() {
            let memory = p.target(i);
            let injective = target.injective.as_ref().map(|i| lp.index_text(&i.index));
            p.line(format_args!(
                "{}",
                target_text(i, &memory, target, injective)
            ));
        }
    }
    for function in &lp.functions {
        let text = function_text(lp, function);
        for line in text.lines() {
            p.line(format_args!("{line}"));
        }
    }
    p.indent();
    p.out.push_str("body ");
    p.block(&lp.body.block);
    p.out.push('\n');
    p.out
}

fn target_text(i: usize, memory: &str, target: &Target, injective: Option<String>) -> String {
    let elem = target.elem.map_or("?".to_string(), |s| s.to_string());
    let sites = match target.sites {
        1 => "1 site".to_string(),
        n => format!("{n} sites"),
    };
    let injective = match (&target.injective, injective) {
        (None, _) => String::new(),
        (Some(_), None) => ", injective".to_string(),
        (Some(_), Some(index)) => format!(", injective in {index}"),
    };
    format!(
        "target {i}: {memory}: {elem}, {}, {sites}{injective}",
        target.op
    )
}

fn function_text(lp: &Loop, function: &DeviceFn) -> String {
    let mut p = Printer::new(lp, None, &function.body);
    let mut params = String::new();
    for (i, &id) in function.params.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        let _ = write!(
            params,
            "{comma}{}: {}",
            p.var(id),
            p.body.vars[id.0 as usize].ty
        );
    }
    let _ = write!(
        p.out,
        "fn {}({params}) -> {} ",
        function.name, function.output
    );
    p.block(&function.body.block);
    p.out
}

/// Writes one body with names made unique.
struct Printer<'a> {
    lp: &'a Loop,
    pattern: Option<&'a Pattern>,
    body: &'a Body,
    names: Vec<String>,
    out: String,
    depth: usize,
}

impl<'a> Printer<'a> {
    fn new(lp: &'a Loop, pattern: Option<&'a Pattern>, body: &'a Body) -> Self {
        let mut uses: Sorted<&str, usize> = Sorted::new();
        let names = body.vars.iter().map(|var| {
            let n = uses.or_default(&var.name);
            *n += 1;
            if *n == 1 {
                var.name.clone()
            } else {
                format!("{}'{n}", var.name)
            }
        });
        let names = names.collect();
        Printer {
            lp,
            pattern,
            body,
            names,
            out: String::new(),
            depth: 0,
        }
    }

    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.out.push_str("    ");
        }
    }

    fn line(&mut self, text: fmt::Arguments<'_>) {
        self.indent();
        let _ = writeln!(self.out, "{text}");
    }

    fn push(&mut self, text: impl fmt::Display) {
        let _ = write!(self.out, "{text}");
    }

    fn var(&self, id: VarId) -> String {
        // Text is also asked for by the verifier, of ids that may be out of range.
        self.names
            .get(id.0 as usize)
            .cloned()
            .unwrap_or_else(|| format!("<var {}>", id.0))
    }

    fn root(&self, root: Root) -> String {
        match root {
            Root::Var(id) => self.var(id),
            Root::Array(id) => match self.lp.arrays.get(id.0 as usize) {
                Some(array) => array.name.clone(),
                None => format!("<array {}>", id.0),
            },
        }
    }

    fn target(&self, target: usize) -> String {
        match self.pattern {
            Some(Pattern::Histogram(Histogram { targets, .. })) => match targets.get(target) {
                Some(Target {
                    memory: Memory::Bins(id),
                    ..
                }) => self.root(Root::Array(*id)),
                Some(Target {
                    memory: Memory::Scalar(id),
                    ..
                }) => self.var(*id),
                None => format!("<target {target}>"),
            },
            None => format!("target {target}"),
        }
    }

    fn array(&mut self, array: &Array) {
        let access = match array.access {
            Access::Read => "read",
            Access::Updated => "updated",
            Access::Owned => "owned",
            Access::LengthOnly => "length",
        };
        match &array.extent {
            Extent::Runtime => {
                self.line(format_args!("{access} {}: [{}]", array.name, array.elem));
            }
            Extent::Fixed(Length::Known(n)) => {
                self.line(format_args!(
                    "{access} {}: [{}; {n}]",
                    array.name, array.elem
                ));
            }
            Extent::Fixed(Length::Captured(id)) => {
                let n = self.var(*id);
                self.line(format_args!(
                    "{access} {}: [{}; {n}]",
                    array.name, array.elem
                ));
            }
        }
    }

    fn block(&mut self, block: &Block) {
        if block.stmts.is_empty() && block.tail.is_none() {
            self.push("{}");
            return;
        }
        self.push("{\n");
        self.depth += 1;
        for stmt in &block.stmts {
            self.indent();
            self.stmt(stmt);
            self.push("\n");
        }
        if let Some(tail) = &block.tail {
            self.indent();
            self.expr(tail);
            self.push("\n");
        }
        self.depth -= 1;
        self.indent();
        self.push("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let(id, value) => {
                let ty = self.body.vars.get(id.0 as usize).map(|v| v.ty.to_string());
                let ty = ty.unwrap_or_default();
                let name = self.var(*id);
                self.push(format_args!("let {name}: {ty}"));
                if let Some(value) = value {
                    self.push(" = ");
                    self.expr(value);
                }
                self.push(";");
            }
            StmtKind::Assign(place, value) => {
                self.place(place);
                self.push(" = ");
                self.expr(value);
                self.push(";");
            }
            StmtKind::Compound(place, op, value) => {
                self.place(place);
                self.push(format_args!(" {}= ", op.symbol()));
                self.expr(value);
                self.push(";");
            }
            StmtKind::Update(update) => {
                let memory = self.target(update.target);
                self.push(format_args!("update {memory}"));
                for index in &update.bin {
                    self.index(index);
                }
                match self.pattern {
                    Some(Pattern::Histogram(h)) if update.target < h.targets.len() => {
                        let op = h.targets[update.target].op.of_update(update.subtracts);
                        self.push(format_args!(" {op} "));
                    }
                    _ => self.push(" with "),
                }
                self.expr(&update.value);
                self.push(";");
            }
            StmtKind::For(l) => {
                let position = self.var(l.position);
                self.push(format_args!("'l{}: for {position} in 0..", l.label.0));
                self.expr(&l.count);
                self.push(" ");
                self.block(&l.body);
            }
            StmtKind::While(label, condition, body) => {
                self.push(format_args!("'l{}: while ", label.0));
                self.expr(condition);
                self.push(" ");
                self.block(body);
            }
            StmtKind::Expr(e) => {
                self.expr(e);
                let is_block = matches!(
                    e.kind,
                    ExprKind::If(..)
                        | ExprKind::Match(..)
                        | ExprKind::Block(_)
                        | ExprKind::Loop(..)
                );
                if !is_block {
                    self.push(";");
                }
            }
            StmtKind::Check(condition, words) => {
                self.push("check ");
                self.expr(condition);
                match words {
                    Words::Text(text) => self.push(format_args!(" else {text:?};")),
                    Words::Index => self.push(" else index out of bounds;"),
                    Words::Range => self.push(" else range out of range;"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;

    #[test]
    fn a_detected_loop_reads_like_rust() {
        let (lp, pattern) = sample::sums();
        let text = "\
loop 0 of sums
    for i in 0..keys.len().min(weights.len())  // keys.iter().zip(weights)
    read keys: [u8]
    read weights: [f32]
    updated hist: [f32]
    captured scale: f32
    reduced largest: u8
    target 0: hist: f32, add, 1 site
    target 1: largest: u8, max, 1 site
    body {
        let k: u8 = keys[#i];
        let w: f32 = weights[#i];
        if k == 255_u8 {
            continue;
        }
        update hist[(k / 2_u8) as usize] add w * scale;
        update largest max k;
    }
";
        assert_eq!(lp.text(&pattern), text);
    }
}
