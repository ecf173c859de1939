//! Random expressions: an atom, a call or in parentheses, so that they can stand anywhere.

use accrue_compiler::ir::Scalar;

use super::Generator;

impl Generator<'_> {
    /// An expression of any scalar type but `bool`.
    pub(super) fn number(&mut self, ty: Scalar, depth: usize) -> String {
        if ty.is_float() {
            self.float(ty, depth)
        } else {
            self.int(ty, depth)
        }
    }

    /// Something in scope, as a value of type `ty`.
    fn mention(&mut self, ty: Scalar) -> String {
        if self.leaves.is_empty() || self.choices.chance(1, 9) {
            return self.literal(ty);
        }
        let leaf = self.leaves[self.choices.below(self.leaves.len())].clone();
        if leaf.ty == ty {
            return leaf.text;
        }
        let widens = ty.is_int()
            && leaf.ty.is_int()
            && ty != Scalar::Usize
            && ty != Scalar::Isize
            && leaf.ty != Scalar::Usize
            && leaf.ty != Scalar::Isize
            && ty.size() > leaf.ty.size()
            && (ty.is_signed() || !leaf.ty.is_signed());
        match leaf.ty {
            _ if widens && self.choices.chance(1, 3) => format!("{ty}::from({})", leaf.text),
            Scalar::U8 | Scalar::U16 if ty == Scalar::Usize && self.choices.chance(1, 2) => {
                format!("usize::from({})", leaf.text)
            }
            Scalar::Bool if ty.is_float() => format!("({} as u8 as {ty})", leaf.text),
            _ => format!("({} as {ty})", leaf.text),
        }
    }

    pub(super) fn literal(&mut self, ty: Scalar) -> String {
        if ty.is_float() {
            let text = self.choices.pick(&["1.0", "0.5", "2.25", "0.1", "3.0"]);
            return format!("{text}{ty}");
        }
        let value = self.choices.pick(&[1, 2, 3, 5, 7, 10, 31, 100]);
        format!("{value}{ty}")
    }

    pub(super) fn int(&mut self, ty: Scalar, depth: usize) -> String {
        if depth == 0 || self.choices.chance(1, 4) {
            return self.mention(ty);
        }
        let d = depth - 1;
        let k = 1 + self.choices.below(ty.bits() as usize - 1);
        match self.choices.below(24) {
            0 => self.mention(ty),
            1 => format!("({} & {})", self.int(ty, d), self.int(ty, d)),
            2 => format!("({} ^ {})", self.int(ty, d), self.int(ty, d)),
            3 => format!("({} | {})", self.int(ty, d), self.int(ty, d)),
            4 => format!("({} >> {k})", self.int(ty, d)),
            5 => format!("{}.wrapping_add({})", self.int(ty, d), self.int(ty, d)),
            6 => format!("{}.wrapping_mul({})", self.int(ty, d), self.int(ty, d)),
            7 => format!("{}.wrapping_sub({})", self.int(ty, d), self.int(ty, d)),
            8 => format!("({} % {})", self.int(ty, d), self.literal(ty)),
            9 => format!("({} / {})", self.int(ty, d), self.literal(ty)),
            10 => format!("{}.min({})", self.int(ty, d), self.int(ty, d)),
            11 => format!("{}.max({})", self.int(ty, d), self.int(ty, d)),
            12 => format!("{}.saturating_sub({})", self.int(ty, d), self.int(ty, d)),
            13 => format!("{}.rotate_left({k})", self.int(ty, d)),
            14 => format!("({} % 8 + {} % 5)", self.int(ty, d), self.int(ty, d)),
            15 => format!("(({} % 6) * ({} % 7))", self.int(ty, d), self.int(ty, d)),
            16 => {
                let method = self
                    .choices
                    .pick(&["count_ones", "leading_zeros", "trailing_zeros"]);
                let of = self
                    .choices
                    .pick(&[Scalar::U32, Scalar::U8, Scalar::I64, Scalar::U16]);
                format!("({}.{method}() as {ty})", self.int(of, d))
            }
            17 => {
                let condition = self.condition(d);
                format!(
                    "(if {condition} {{ {} }} else {{ {} }})",
                    self.int(ty, d),
                    self.int(ty, d)
                )
            }
            18 => format!("({} as {ty})", self.float(Scalar::F32, d)),
            19 => format!("({} as {ty})", self.float(Scalar::F64, d)),
            20 => format!("({} as {ty})", self.condition(d)),
            21 => self.matched(ty, d),
            22 if ty.is_signed() => format!("{}.clamp(-20, 20)", self.int(ty, d)),
            22 => format!("{}.abs_diff({})", self.int(ty, d), self.int(ty, d)),
            // In range only if the data is small.
            _ => {
                let op = self.choices.pick(&["+", "*", "-"]);
                let (a, b) = (self.mention(ty), self.literal(ty));
                format!("({a} {op} {b})")
            }
        }
    }

    fn matched(&mut self, ty: Scalar, d: usize) -> String {
        let bytes = self.leaves.iter().filter(|leaf| leaf.ty == Scalar::U8);
        let byte = bytes.map(|leaf| leaf.text.clone()).next();
        let arms: Vec<String> = (0..3).map(|_| self.int(ty, d)).collect();
        match byte {
            Some(b) if self.choices.chance(1, 2) => format!(
                "(match {b} {{ b'a'..=b'm' | b'A' => {}, b'0' => {}, _ => {} }})",
                arms[0], arms[1], arms[2]
            ),
            _ => format!(
                "(match {} % 5 {{ 0 => {}, 1 | 3 => {}, _ => {} }})",
                self.int(Scalar::U32, d),
                arms[0],
                arms[1],
                arms[2]
            ),
        }
    }

    pub(super) fn float(&mut self, ty: Scalar, depth: usize) -> String {
        if depth == 0 || self.choices.chance(1, 4) {
            return self.mention(ty);
        }
        let d = depth - 1;
        match self.choices.below(13) {
            0 => self.mention(ty),
            1 => format!("({} + {})", self.float(ty, d), self.float(ty, d)),
            2 => format!("({} - {})", self.float(ty, d), self.float(ty, d)),
            3 => format!("({} * {})", self.float(ty, d), self.float(ty, d)),
            4 => format!(
                "({} / (1.0 + {}.abs()))",
                self.float(ty, d),
                self.float(ty, d)
            ),
            5 => format!("{}.abs()", self.float(ty, d)),
            6 => format!("{}.abs().sqrt()", self.float(ty, d)),
            7 => format!("{}.floor()", self.float(ty, d)),
            8 => format!("{}.min({})", self.float(ty, d), self.float(ty, d)),
            9 => format!("{}.max({})", self.float(ty, d), self.float(ty, d)),
            10 => {
                let method = self
                    .choices
                    .pick(&["round", "ceil", "trunc", "fract", "sin", "exp"]);
                format!("{}.{method}()", self.float(ty, d))
            }
            11 => {
                let condition = self.condition(d);
                let (a, b) = (self.float(ty, d), self.float(ty, d));
                format!("(if {condition} {{ {a} }} else {{ {b} }})")
            }
            _ => format!("(-{})", self.float(ty, d)),
        }
    }

    pub(super) fn condition(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        let op = self.choices.pick(&["<", ">", "==", "!=", "<=", ">="]);
        let bytes = self.leaves.iter().filter(|leaf| leaf.ty == Scalar::U8);
        let byte = bytes.map(|leaf| leaf.text.clone()).next();
        match (self.choices.below(7), byte) {
            (1, _) if depth > 0 => format!("({} && {})", self.condition(d), self.condition(d)),
            (2, _) if depth > 0 => format!("({} || {})", self.condition(d), self.condition(d)),
            (3, _) if depth > 0 => format!("(!{})", self.condition(d)),
            (4, _) => format!(
                "({} {op} {})",
                self.float(Scalar::F64, d),
                self.float(Scalar::F64, d)
            ),
            (5, Some(b)) => {
                let method = self
                    .choices
                    .pick(&["is_ascii_alphabetic", "is_ascii_digit"]);
                format!("{b}.{method}()")
            }
            _ => {
                let ty = self
                    .choices
                    .pick(&[Scalar::U32, Scalar::I32, Scalar::U64, Scalar::U8]);
                format!("({} {op} {})", self.int(ty, d), self.int(ty, d))
            }
        }
    }
}
