//! Statements between the items and the updates.

use accrue_compiler::ir::Scalar;

use super::{Generator, READ};

impl Generator<'_> {
    pub(super) fn statements(&mut self) {
        for _ in 0..self.choices.below(4) {
            match self.choices.below(11) {
                0 | 1 => self.local(),
                2 => {
                    let condition = self.condition(1);
                    self.line(&format!("if {condition} {{"));
                    self.line("    continue;");
                    self.line("}");
                }
                3 => self.tuple(),
                4 => self.local_array(),
                5 => self.inner_for(),
                6 => self.inner_while(),
                7 => self.inner_loop(),
                8 => self.reassigned(),
                9 => self.later(),
                _ => self.bytes(),
            }
        }
    }

    fn local(&mut self) {
        let ty = self.choices.pick(READ);
        let v = self.name("v");
        let value = self.number(ty, 2);
        let annotation = if self.choices.chance(1, 2) {
            format!(": {ty}")
        } else {
            String::new()
        };
        self.line(&format!("let {v}{annotation} = {value};"));
        self.leaf(v, ty);
    }

    fn tuple(&mut self) {
        let (a, b) = (self.choices.pick(READ), self.choices.pick(READ));
        let (x, y) = (self.number(a, 1), self.number(b, 1));
        if self.choices.chance(1, 2) {
            let t = self.name("pair");
            self.line(&format!("let {t} = ({x}, {y});"));
            self.leaf(format!("{t}.0"), a);
            self.leaf(format!("{t}.1"), b);
        } else {
            let (p, q) = (self.name("p"), self.name("q"));
            self.line(&format!("let ({p}, {q}) = ({x}, {y});"));
            self.leaf(p, a);
            self.leaf(q, b);
        }
    }

    fn local_array(&mut self) {
        let ty = self.choices.pick(READ);
        let t = self.name("local");
        let (at, value) = (self.int(Scalar::Usize, 1), self.number(ty, 1));
        if self.choices.chance(1, 3) {
            let (a, b, c) = (self.number(ty, 1), self.number(ty, 1), self.literal(ty));
            self.line(&format!("let {t} = [{a}, {b}, {c}];"));
            self.leaf(format!("{t}[{at} % 3]"), ty);
            return;
        }
        let zero = self.literal(ty);
        self.line(&format!("let mut {t} = [{zero}; 4];"));
        self.line(&format!("{t}[{at} % 4] = {value};"));
        self.leaf(format!("{t}[1]"), ty);
        self.leaf(format!("{t}[{at} & 3]"), ty);
    }

    fn inner_for(&mut self) {
        let (v, j) = (self.name("acc"), self.name("j"));
        let count = 1 + self.choices.below(5);
        self.line(&format!("let mut {v} = 0u64;"));
        self.line(&format!("for {j} in 0..{count}usize {{"));
        self.depth += 1;
        let before = self.leaves.len();
        self.leaf(j, Scalar::Usize);
        self.leaf(v.clone(), Scalar::U64);
        let value = self.int(Scalar::U64, 2);
        if self.choices.chance(1, 3) {
            let condition = self.condition(1);
            let jump = self.choices.pick(&["break", "continue"]);
            self.line(&format!("if {condition} {{"));
            self.line(&format!("    {jump};"));
            self.line("}");
        }
        self.line(&format!("{v} = {v}.wrapping_add({value});"));
        self.depth -= 1;
        self.line("}");
        self.leaves.truncate(before);
        self.leaf(v, Scalar::U64);
    }

    fn inner_while(&mut self) {
        let (rest, count) = (self.name("rest"), self.name("count"));
        let ty = self.choices.pick(&[Scalar::U32, Scalar::U64, Scalar::U8]);
        let value = self.int(ty, 1);
        self.line(&format!("let mut {rest} = {value};"));
        self.line(&format!("let mut {count} = 0u32;"));
        self.line(&format!("while {rest} > 0 {{"));
        self.line(&format!("    {rest} >>= 1;"));
        self.line(&format!("    {count} += 1;"));
        self.line("}");
        self.leaf(count, Scalar::U32);
    }

    fn inner_loop(&mut self) {
        let (v, turns) = (self.name("found"), self.name("turns"));
        let condition = self.condition(1);
        self.line(&format!("let mut {turns} = 0i32;"));
        self.line(&format!("let {v} = loop {{"));
        self.line(&format!("    {turns} += 1;"));
        self.line(&format!("    if {turns} > 4 || {condition} {{"));
        self.line(&format!("        break {turns} * 2;"));
        self.line("    }");
        self.line("};");
        self.leaf(v, Scalar::I32);
        self.leaf(turns, Scalar::I32);
    }

    fn reassigned(&mut self) {
        let ty = self
            .choices
            .pick(&[Scalar::U32, Scalar::I32, Scalar::F32, Scalar::U16]);
        let v = self.name("v");
        let (first, then) = (self.number(ty, 1), self.number(ty, 1));
        let condition = self.condition(1);
        self.line(&format!("let mut {v} = {first};"));
        self.line(&format!("if {condition} {{"));
        let op = if ty.is_float() {
            "+="
        } else {
            self.choices.pick(&["=", "^=", "&=", "|="])
        };
        self.line(&format!("    {v} {op} {then};"));
        self.line("}");
        self.leaf(v, ty);
    }

    /// Declared first, set in both branches.
    fn later(&mut self) {
        let ty = self.choices.pick(READ);
        let v = self.name("v");
        let (a, b) = (self.number(ty, 1), self.number(ty, 1));
        let condition = self.condition(1);
        self.line(&format!("let {v}: {ty};"));
        self.line(&format!("if {condition} {{"));
        self.line(&format!("    {v} = {a};"));
        self.line("} else {");
        self.line(&format!("    {v} = {b};"));
        self.line("}");
        self.leaf(v, ty);
    }

    fn bytes(&mut self) {
        let v = self.name("bytes");
        let ty = self.choices.pick(&[Scalar::U32, Scalar::U16, Scalar::I64]);
        let value = self.int(ty, 1);
        self.line(&format!("let {v} = {value}.to_le_bytes();"));
        self.leaf(format!("{v}[0]"), Scalar::U8);
        self.leaf(format!("{v}[1]"), Scalar::U8);
    }
}
