//! Loops in order, with loops inside that can run in parallel: steps over two arrays, rows that are made of the row before, elimination, and what
//! a step combines for the next.
//!
//! All of one signature,
//! `fn f(a: &mut Vec<u32>, b: &mut Vec<u32>, h: &mut [u32], x: &[u32], n: usize, w: usize, steps: usize) -> u64`, where `a`, `b` and `x` are `n` rows of
//! `w`, and all by arithmetic that wraps.

use super::Program;
use crate::choices::Choices;
use crate::data::Data;

/// Draws a function. A loop of it may be marked `#[sequential]`.
pub fn stepped_program(name: &str, choices: &mut Choices) -> Program {
    let mut g = Steps {
        choices,
        body: String::new(),
        depth: 1,
    };
    g.function();
    Program {
        name: name.to_owned(),
        source: format!(
            "fn {name}(a: &mut Vec<u32>, b: &mut Vec<u32>, h: &mut [u32], x: &[u32], n: usize, w: usize, steps: usize) -> u64 {{\n{}}}\n",
            g.body
        ),
    }
}

/// Draws the arguments of a call.
pub fn stepped_data(choices: &mut Choices) -> Data {
    let n = choices.pick(&[7, 0, 1, 2, 12, 20, 33]);
    let w = match choices.below(3) {
        0 => choices.pick(&[5, 1, 3, 16, 40]),
        _ => n,
    };
    let steps = choices.pick(&[3, 0, 1, 2, 5, 8]);
    let most = choices.pick(&[1000, 7, u32::MAX]);
    // Now and then too few.
    let less = usize::from(choices.chance(1, 8));
    let mut data = Data::default();
    let mut array = |name: &str, len: usize| {
        let values = (0..len).flat_map(|_| (choices.bits() % most).to_ne_bytes());
        data.0.insert(name.to_owned(), values.collect());
    };
    array("a", n * w);
    array("b", (n * w).saturating_sub(less));
    array("x", n * w);
    array("h", 16);
    for (name, number) in [("n", n), ("w", w), ("steps", steps)] {
        data.0.insert(name.to_owned(), number.to_ne_bytes().into());
    }
    data
}

struct Steps<'a> {
    choices: &'a mut Choices,
    body: String,
    depth: usize,
}

impl Steps<'_> {
    fn line(&mut self, text: &str) {
        self.body += &"    ".repeat(self.depth);
        self.body += text;
        self.body.push('\n');
    }

    /// A value of an iteration's, which may use what is read at these places.
    fn value(&mut self, places: &[&str]) -> String {
        let more = ["t as u32", "sum", "x[0]", "7u32", "best"];
        let mut value = self.choices.pick(places).to_owned();
        for _ in 0..1 + self.choices.below(2) {
            let other = match self.choices.chance(1, 3) {
                true => self.choices.pick(&more),
                false => self.choices.pick(places),
            };
            value = match self.choices.below(5) {
                0 => format!("{value}.wrapping_mul(3).wrapping_add({other})"),
                1 => format!("({value} ^ ({other}))"),
                2 => format!("{value}.max({other})"),
                3 => format!("{value}.wrapping_sub({other})"),
                _ => format!("{value}.wrapping_add({other})"),
            };
        }
        value
    }

    fn function(&mut self) {
        self.line("let mut sum = 1u32;");
        self.line("let mut best = 0u32;");
        self.line("let mut at = 0usize;");
        let head = self.choices.pick(&[
            "for t in 0..steps",
            "for t in 0..n",
            "for t in 0..n",
            "for t in 1..n",
            "#[sequential] for t in 0..steps",
            "for t in (0..n).rev()",
            "while t < steps",
        ]);
        if head.starts_with("while") {
            self.line("let mut t = 0usize;");
        }
        self.line(&format!("{head} {{"));
        self.depth = 2;
        for _ in 0..1 + self.choices.below(3) {
            self.part();
        }
        if head.starts_with("while") {
            self.line("t += 1;");
        }
        self.depth = 1;
        self.line("}");
        self.line("u64::from(sum) << 32 | u64::from(best) ^ at as u64");
    }

    fn part(&mut self) {
        let (from, to) = self.choices.pick(&[("a", "b"), ("b", "a"), ("a", "b")]);
        match self.choices.below(19) {
            0 => {
                let (f0, f1) = (format!("{from}[i - 1]"), format!("{from}[i + 1]"));
                let value = self.value(&[&f0, &f1, "x[i]"]);
                self.line(&format!(
                    "for i in 1..(n * w).saturating_sub(1) {{ {to}[i] = {value}; }}"
                ));
            }
            1 => {
                let statement = self.choices.pick(&[
                    "std::mem::swap(a, b);",
                    "a.copy_from_slice(b);",
                    "a.swap_with_slice(b);",
                    "b.fill(t as u32);",
                    "a.reverse();",
                    "if n * w > 0 { a.rotate_left(1); }",
                    "if sum % 7 == 3 { break; }",
                    "sum = sum.wrapping_add(a[0]);",
                ]);
                self.line(statement);
            }
            2 => {
                let f = format!("{from}[y * w + c]");
                let value = self.value(&[&f, "x[y * w + c]", "(y as u32)"]);
                self.line(&format!(
                    "for y in 0..n {{ for c in 0..w {{ {to}[y * w + c] = {value}; }} }}"
                ));
            }
            3 => {
                // The row behind, or before.
                let (below, above) = self.choices.pick(&[("t", "t - 1"), ("t - 1", "t")]);
                let f = format!("a[({above}) * w + c]");
                let value = self.value(&[&f, "x[c]"]);
                self.line(&format!(
                    "if t > 0 && t < n {{ for c in 0..w {{ a[({below}) * w + c] = {value}; }} }}"
                ));
            }
            4 => {
                let value = self.choices.pick(&[
                    "a[i * w + j].min(a[i * w + t].wrapping_add(a[t * w + j]))",
                    "a[i * w + j] | (a[i * w + t] & a[t * w + j])",
                    "a[i * w + j].wrapping_sub(a[i * w + t].wrapping_mul(a[t * w + j]))",
                ]);
                let own =
                    self.choices
                        .pick(&["", "if i != t ", "if i > t ", "if a[i * w + t] > 3 "]);
                self.line(&format!(
                    "for i in 0..n {{ {own}{{ for j in 0..w {{ a[i * w + j] = {value}; }} }} }}"
                ));
            }
            5 => {
                self.line("for i in t + 1..n {");
                self.line("    let f = a[i * w + t] % 5;");
                self.line("    for j in t..w { a[i * w + j] = a[i * w + j].wrapping_sub(f.wrapping_mul(a[t * w + j])); }");
                self.line("}");
            }
            6 => {
                let value = self.value(&["1u32", "x[i]"]);
                self.line(&format!(
                    "for i in 0..n * w {{ h[{from}[i] as usize % 16] = h[{from}[i] as usize % 16].wrapping_add({value}); }}"
                ));
            }
            7 => {
                let op = self
                    .choices
                    .pick(&["wrapping_add", "max", "wrapping_mul", "min"]);
                let f = format!("{from}[i]");
                let value = self.value(&[&f]).replace("sum", "3u32");
                self.line(&format!("for i in 0..n * w {{ sum = sum.{op}({value}); }}"));
            }
            8 => {
                let f = format!("{from}[i]");
                let value = self.value(&[&f, "x[i]"]);
                self.line("let mut s = 5u32;");
                self.line(&format!(
                    "for i in 0..n * w {{ s = s.wrapping_add({value}); {to}[i] = s; }}"
                ));
            }
            9 => {
                let range = self.choices.pick(&["0..n * w", "t..n * w"]);
                self.line(&format!(
                    "for i in {range} {{ if {from}[i] > best {{ best = {from}[i]; at = i; }} }}"
                ));
                if self.choices.chance(1, 2) {
                    self.line("a.swap(t, at);");
                }
            }
            10 => {
                self.line("let mut m = 0usize;");
                self.line(&format!(
                    "for i in 0..n * w {{ if {from}[i] % 3 == 0 {{ {to}[m] = {from}[i]; m += 1; }} }}"
                ));
                self.line("sum = sum.wrapping_add(m as u32);");
            }
            11 => {
                // Of the row that was made before, each element by itself.
                let value = self.value(&["a[(y - 1) * w + c]", "x[y * w + c]", "a[y * w + c]"]);
                let value = value.replace("t as u32", "y as u32");
                self.line(&format!(
                    "for y in 1..n {{ for c in 0..w {{ a[y * w + c] = {value}; }} }}"
                ));
            }
            12 => {
                self.line(
                    "let (from, to) = if t % 2 == 0 { (&*a, &mut *b) } else { (&*b, &mut *a) };",
                );
                let value = self.value(&["from[i]", "from[n * w - 1 - i]"]);
                self.line(&format!("for i in 0..n * w {{ to[i] = {value}; }}"));
            }
            13 => {
                self.line("let (above, row) = a.split_at_mut(t * w);");
                let value = self.value(&["row[c]", "x[c]", "(above.len() as u32)"]);
                self.line(&format!("for c in 0..w {{ row[c] = {value}; }}"));
            }
            14 => {
                let chunks = self.choices.pick(&["chunks_mut(w)", "chunks_exact_mut(w)"]);
                let value = self.value(&["*v", "(y as u32)", "x[y]"]);
                self.line(&format!("if w > 0 {{ for (y, row) in {to}.{chunks}.enumerate() {{ for v in row.iter_mut() {{ *v = {value}; }} }} }}"));
            }
            15 => {
                let f = format!("{from}[i]");
                let value = self.value(&["*v", &f]);
                self.line(&format!(
                    "for (i, v) in {to}.iter_mut().enumerate() {{ if i % 5 != t {{ *v = {value}; }} }}"
                ));
            }
            16 => {
                // As a scan with what it carries in the array.
                let value = self.choices.pick(&["x[i]", "(i as u32)", "x[i] % 3"]);
                self.line(&format!(
                    "for i in 1..n * w {{ {to}[i] = {to}[i - 1].wrapping_add({value}); }}"
                ));
            }
            17 => {
                // Rows of a triangle.
                let value = self.value(&["a[t * w + j]", "x[i]"]);
                let range = self.choices.pick(&["0..t", "t + 1..n", "0..t + 1"]);
                self.line(&format!(
                    "for i in {range} {{ for j in 0..i.min(w) {{ b[i * w + j] = {value}; }} }}"
                ));
            }
            _ => {
                // In place, and each second element by those between.
                self.line("let p = t % 2;");
                let value = self.value(&["a[i - 1]", "a[i + 1]"]);
                self.line(&format!(
                    "for i in 1..(n * w).saturating_sub(1) {{ if i % 2 == p {{ a[i] = {value}; }} }}"
                ));
            }
        }
    }
}
