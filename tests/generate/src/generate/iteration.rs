//! What the loop iterates over, and what an item is.

use accrue_compiler::ir::Scalar;

use super::{Generator, READ};

impl Generator<'_> {
    /// Opens the loop, or two that are perfectly nested; how many.
    pub(super) fn iteration(&mut self) -> usize {
        match self.choices.below(10) {
            0..=2 => self.elements(),
            3 => self.numbers(),
            4 => self.chained(),
            5 => self.zipped(),
            6 => self.parts(),
            7 => self.rows(),
            8 => self.nested_numbers(),
            _ => self.text(),
        }
    }

    pub(super) fn open(&mut self, pat: &str, items: &str) {
        let label = if self.label { "'items: " } else { "" };
        self.line(&format!("{label}for {pat} in {items} {{"));
        self.label = false;
        self.depth += 1;
    }

    /// An array that is read, by one of the types that arrays come in.
    fn array(&mut self, elem: &str) -> String {
        let form = match self.choices.below(4) {
            0 | 1 => format!("&[{elem}]"),
            2 => format!("&Vec<{elem}>"),
            _ => format!("&[{elem}; 90]"),
        };
        self.param("a", form)
    }

    /// An item that is a reference to `ty`, bound by one of the patterns for it.
    fn reference(&mut self, ty: Scalar) -> String {
        let x = self.name("x");
        if self.choices.chance(1, 2) {
            self.leaf(format!("(*{x})"), ty);
            x
        } else {
            self.leaf(x.clone(), ty);
            format!("&{x}")
        }
    }

    fn elements(&mut self) -> usize {
        let ty = self.choices.pick(READ);
        let a = self.array(&ty.to_string());
        let iter = self
            .choices
            .pick(&["", ".iter()", ".iter().copied()", ".iter().cloned()"]);
        let pat = if iter.len() > ".iter()".len() {
            let x = self.name("x");
            self.leaf(x.clone(), ty);
            x
        } else {
            self.reference(ty)
        };
        self.open(&pat, &format!("{a}{iter}"));
        1
    }

    fn numbers(&mut self) -> usize {
        let ty = self.choices.pick(READ);
        let a = self.array(&ty.to_string());
        let i = self.name("i");
        let (items, element, injective) = match self.choices.below(7) {
            0 => (format!("0..{a}.len()"), format!("{a}[{i}]"), true),
            1 => {
                self.params.push(("n".into(), "usize".into()));
                ("0..n".to_string(), format!("{a}[{i}]"), true)
            }
            2 => {
                self.params.push(("n".into(), "usize".into()));
                ("1..=n".to_string(), format!("{a}[{i} - 1]"), false)
            }
            3 => (format!("(0..{a}.len()).rev()"), format!("{a}[{i}]"), true),
            4 => (
                format!("(0..{a}.len()).step_by(3)"),
                format!("{a}[{i}]"),
                true,
            ),
            5 => (
                format!("(1..{a}.len()).step_by(2).rev()"),
                format!("{a}[{i}]"),
                false,
            ),
            _ => {
                // Numbers of another type than usize.
                let number =
                    self.choices
                        .pick(&[Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64]);
                let from = if number.is_signed() { "-7" } else { "3" };
                self.open(&i.clone(), &format!("{from}..40{number}"));
                self.leaf(i, number);
                return 1;
            }
        };
        self.leaf(element, ty);
        self.leaf(i.clone(), Scalar::Usize);
        if injective {
            self.each = Some(i.clone());
        }
        self.open(&i, &items);
        1
    }

    fn chained(&mut self) -> usize {
        let ty = self.choices.pick(READ);
        let a = self.array(&ty.to_string());
        let (iter, enumerated) = self.choices.pick(&[
            (".iter().enumerate()", true),
            (".iter().skip(3)", false),
            (".iter().take(20)", false),
            (".iter().rev()", false),
            (".iter().step_by(2)", false),
            (".iter().skip(2).take(30)", false),
            (".iter().enumerate().skip(1)", true),
            (".iter().rev().enumerate()", true),
            (".iter().take(17).step_by(4).enumerate()", true),
        ]);
        let item = self.reference(ty);
        if enumerated {
            let i = self.name("i");
            self.leaf(i.clone(), Scalar::Usize);
            self.each = Some(i.clone());
            self.open(&format!("({i}, {item})"), &format!("{a}{iter}"));
        } else {
            self.open(&item, &format!("{a}{iter}"));
        }
        1
    }

    fn zipped(&mut self) -> usize {
        let (first, second) = (self.choices.pick(READ), self.choices.pick(READ));
        let (a, b) = (
            self.array(&first.to_string()),
            self.array(&second.to_string()),
        );
        let (x, y) = (self.reference(first), self.reference(second));
        let (pat, items) = match self.choices.below(4) {
            0 => (format!("({x}, {y})"), format!("{a}.iter().zip({b}.iter())")),
            1 => (format!("({x}, {y})"), format!("{a}.iter().zip({b})")),
            2 => {
                let i = self.name("i");
                self.leaf(i.clone(), Scalar::Usize);
                self.each = Some(i.clone());
                (
                    format!("({i}, ({x}, {y}))"),
                    format!("{a}.iter().zip({b}).enumerate()"),
                )
            }
            _ => {
                let third = self.choices.pick(READ);
                let c = self.array(&third.to_string());
                let z = self.reference(third);
                (
                    format!("(({x}, {y}), {z})"),
                    format!("{a}.iter().zip({b}).zip({c})"),
                )
            }
        };
        self.open(&pat, &items);
        1
    }

    /// Chunks, windows and elements that are arrays.
    fn parts(&mut self) -> usize {
        let ty = self.choices.pick(READ);
        let k = 2 + self.choices.below(3);
        let p = self.name("p");
        match self.choices.below(4) {
            0 => {
                let a = self.array(&format!("[{ty}; {k}]"));
                self.open(&p, &a);
            }
            1 => {
                let a = self.array(&ty.to_string());
                self.open(&p, &format!("{a}.chunks_exact({k})"));
            }
            2 => {
                let a = self.array(&ty.to_string());
                self.open(&p, &format!("{a}.windows({k})"));
            }
            _ => {
                let a = self.array(&format!("[{ty}; {k}]"));
                let names: Vec<String> = (0..k).map(|_| self.name("x")).collect();
                for name in &names {
                    self.leaf(name.clone(), ty);
                }
                self.open(&format!("&[{}]", names.join(", ")), &a);
                return 1;
            }
        }
        for i in 0..k {
            self.leaf(format!("{p}[{i}]"), ty);
        }
        if self.choices.chance(1, 8) {
            self.leaf(format!("{p}.len()"), Scalar::Usize);
        }
        1
    }

    fn rows(&mut self) -> usize {
        let ty = self.choices.pick(READ);
        let a = self.array(&format!("[{ty}; 6]"));
        let row = self.name("row");
        let nested = self.choices.chance(1, 2);
        self.open(&row, &a);
        if nested {
            // Perfectly nested: both loops are parallel.
            let item = self.reference(ty);
            self.open(&item, &row);
            return 2;
        }
        let sum = self.name("sum");
        let x = self.name("x");
        self.line(&format!("let mut {sum} = 0u32;"));
        self.line(&format!("for &{x} in {row} {{"));
        self.line(&format!("    {sum} = {sum}.wrapping_add({x} as u32);"));
        self.line("}");
        self.leaf(sum, Scalar::U32);
        self.leaf(format!("{row}[2]"), ty);
        1
    }

    fn nested_numbers(&mut self) -> usize {
        let ty = self.choices.pick(READ);
        let a = self.array(&format!("[{ty}; 6]"));
        let (y, x) = (self.name("y"), self.name("x"));
        self.open(&y, &format!("0..{a}.len()"));
        self.open(&x, "0..6usize");
        self.leaf(format!("{a}[{y}][{x}]"), ty);
        self.leaf(y, Scalar::Usize);
        self.leaf(x, Scalar::Usize);
        2
    }

    fn text(&mut self) -> usize {
        self.params.push(("s".into(), "&str".into()));
        let b = self.name("b");
        self.leaf(b.clone(), Scalar::U8);
        if self.choices.chance(1, 3) {
            self.open(&format!("&{b}"), "s.as_bytes()");
        } else {
            self.open(&b, "s.bytes()");
        }
        1
    }
}
