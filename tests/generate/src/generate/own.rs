//! Loops whose iterations write elements of their own, over one dimension and two.

use accrue_compiler::ir::Scalar;

use super::{Generator, READ};

/// What an iteration has of its own.
enum Own {
    /// The elements of this number, of arrays with `e` or, of six times as many elements, with `g` before their names.
    At(&'static str, String),
    /// What an item refers to, of this type.
    Item(String, Scalar),
}

impl Generator<'_> {
    /// Writes a function of the kind.
    pub(super) fn owned_function(&mut self) {
        let (own, opened) = self.owned_iteration();
        self.captures();
        self.statements();
        let places = match own {
            Own::Item(item, ty) => vec![(item, ty)],
            Own::At(prefix, index) => {
                let mut arrays = Vec::new();
                for _ in 0..1 + self.choices.below(2) {
                    let ty = self.choices.pick(READ);
                    let array = self.own_array(prefix, ty);
                    arrays.push((format!("{array}[{index}]"), ty));
                }
                arrays
            }
        };
        for (place, ty) in places {
            let again = self.choices.chance(1, 4);
            self.write(&place, ty);
            if again {
                self.write(&place, ty);
            }
            if self.choices.chance(1, 6) {
                self.line("for _ in 0..3 {");
                self.depth += 1;
                self.write(&place, ty);
                if again {
                    self.write(&place, ty);
                }
                self.depth -= 1;
                self.line("}");
            }
        }
        if self.choices.chance(1, 4) {
            self.updates();
        }
        for _ in 0..opened {
            self.depth -= 1;
            self.line("}");
        }
    }

    fn own_array(&mut self, prefix: &str, ty: Scalar) -> String {
        let form = match self.choices.below(3) {
            0 => format!("&mut Vec<{ty}>"),
            _ => format!("&mut [{ty}]"),
        };
        let name = self.param(prefix, form) + "_own";
        let last = self.params.len() - 1;
        self.params[last].0.clone_from(&name);
        name
    }

    /// Opens the loop, or two; what an iteration has of its own, and how many were opened.
    fn owned_iteration(&mut self) -> (Own, usize) {
        let ty = self.choices.pick(READ);
        let form = self.choices.pick(&["&[@]", "&Vec<@>", "&[@]"]);
        let a = self.param("a", form.replace('@', &ty.to_string()));
        let (i, x) = (self.name("i"), self.name("x"));
        let index = |i: &str| Own::At("e", i.to_owned());
        match self.choices.below(11) {
            0 => {
                self.leaf(format!("{a}[{i}]"), ty);
                self.leaf(i.clone(), Scalar::Usize);
                self.open(&i, &format!("0..{a}.len()"));
                (index(&i), 1)
            }
            1 => {
                self.leaf(x.clone(), ty);
                self.leaf(i.clone(), Scalar::Usize);
                self.open(&format!("({i}, &{x})"), &format!("{a}.iter().enumerate()"));
                (index(&i), 1)
            }
            2 => {
                // From the third on, and what is there twice is read elsewhere.
                self.leaf(format!("{a}[{i} - 1]"), ty);
                self.leaf(format!("{a}[{i}]"), ty);
                self.open(&i, &format!("2..{a}.len()"));
                (index(&i), 1)
            }
            3 => {
                self.leaf(format!("{a}[{i}]"), ty);
                self.open(&i, &format!("(0..{a}.len()).step_by(3)"));
                (index(&i), 1)
            }
            4 => {
                let own = self.choices.pick(READ);
                let array = self.own_array("e", own);
                let o = self.name("o");
                self.leaf(x.clone(), ty);
                self.leaf(format!("(*{o})"), own);
                self.open(
                    &format!("({o}, &{x})"),
                    &format!("{array}.iter_mut().zip({a})"),
                );
                (Own::Item(format!("*{o}"), own), 1)
            }
            5 => {
                let by = self.choices.pick(&["y * w + x", "x + w * y", "y * 6 + x"]);
                self.params.push(("w".into(), "usize".into()));
                self.open("y", &format!("0..{a}.len()"));
                self.leaf(format!("{a}[y]"), ty);
                self.open("x", "0..w");
                self.leaf("y", Scalar::Usize);
                self.leaf("x", Scalar::Usize);
                (Own::At("g", by.to_owned()), 2)
            }
            8 => {
                // Of a row's own elements the last one stays.
                self.open("y", &format!("0..{a}.len()"));
                self.leaf(format!("{a}[y]"), ty);
                self.open("x", "0..6usize");
                self.leaf("y", Scalar::Usize);
                self.leaf("x", Scalar::Usize);
                (Own::At("e", "y".to_owned()), 2)
            }
            9 => {
                // What an element is depends on those before it in the row.
                self.open("y", &format!("0..{a}.len()"));
                self.line("let mut sum = 0u32;");
                self.open("x", "0..6usize");
                self.line(&format!(
                    "sum = sum.wrapping_mul(3).wrapping_add({a}[y] as u32);"
                ));
                self.leaf("sum", Scalar::U32);
                self.leaf("x", Scalar::Usize);
                (Own::At("g", "y * 6 + x".to_owned()), 2)
            }
            7 => {
                // Transposed.
                self.open("y", &format!("0..{a}.len()"));
                self.open("x", "0..6usize");
                self.leaf(format!("{a}[y]"), ty);
                self.leaf("y", Scalar::Usize);
                (Own::At("g", format!("x * {a}.len() + y")), 2)
            }
            6 => {
                // Columns, and a part of each row.
                self.open("x", "0..6usize");
                self.open("y", &format!("1..{a}.len()"));
                self.leaf(format!("{a}[y]"), ty);
                self.leaf("x", Scalar::Usize);
                (Own::At("g", "(y - 1) * 6 + x".to_owned()), 2)
            }
            _ => {
                let own = self.choices.pick(READ);
                let array = self.own_array("g", own);
                let chunks = self.choices.pick(&["chunks_mut(5)", "chunks_exact_mut(6)"]);
                self.open("(y, row)", &format!("{array}.{chunks}.enumerate()"));
                let item = match self.choices.chance(1, 2) {
                    true => {
                        self.open("(x, o)", "row.iter_mut().enumerate()");
                        "*o"
                    }
                    false => {
                        self.open("x", "0..row.len()");
                        "row[x]"
                    }
                };
                self.leaf(format!("{a}[y % {a}.len()]"), ty);
                self.leaf("y", Scalar::Usize);
                self.leaf("x", Scalar::Usize);
                self.leaf(format!("({item})"), own);
                (Own::Item(item.to_owned(), own), 2)
            }
        }
    }

    /// Writes to a place, perhaps under a condition, perhaps by what it holds.
    fn write(&mut self, place: &str, ty: Scalar) {
        let value = self.number(ty, 2);
        let statement = match self.choices.below(6) {
            0 if ty.is_float() => format!("{place} += {value};"),
            0 => format!("{place} = ({place}).wrapping_add({value});"),
            1 => format!(
                "{place} = if {} {{ {value} }} else {{ {place} }};",
                self.condition(1)
            ),
            2 => {
                let condition = self.condition(1);
                format!("if {condition} {{ {place} = {value}; }}")
            }
            _ => format!("{place} = {value};"),
        };
        self.line(&statement);
    }
}
