//! Loops that carry scalars along, fill arrays at a count, append, and write at indices that are distinct.
//!
//! All of one signature, `fn name(x: &[u32], at: &[usize], out: &mut [u32]) -> u64`, where `at` is a permutation of the indices of `x`, and all by
//! arithmetic that wraps: the loop as it is has a result for any data.

use super::Program;
use crate::choices::Choices;

/// What a carried scalar's updates are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sum,
    Latest,
    Since,
    Linear,
    Bits,
    Modular,
}

/// Draws a function. Its attribute stands before it.
pub fn ordered_program(name: &str, choices: &mut Choices) -> Program {
    let mut g = Carrying {
        choices,
        body: String::new(),
        depth: 2,
        scalars: Vec::new(),
    };
    let attribute = g.function();
    let source = format!(
        "{attribute}\nfn {name}(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {{\n{}}}\n",
        g.body
    );
    Program {
        name: name.to_string(),
        source,
    }
}

struct Carrying<'a> {
    choices: &'a mut Choices,
    body: String,
    depth: usize,
    scalars: Vec<(String, Kind)>,
}

impl Carrying<'_> {
    fn line(&mut self, text: &str) {
        self.body += &"    ".repeat(self.depth);
        self.body += text;
        self.body.push('\n');
    }

    /// A truth of the input's.
    fn condition(&mut self) -> String {
        let by = 2 + self.choices.below(9);
        match self.choices.below(3) {
            0 => format!("v % {by} == {}", self.choices.below(by)),
            1 => format!("i % {by} != 1"),
            _ => format!("v < {}", self.choices.below(1000)),
        }
    }

    /// What an iteration writes somewhere: the carried scalars may be in it.
    fn value(&mut self) -> String {
        let mut value = self.choices.term();
        for n in 0..self.scalars.len() {
            if self.choices.chance(1, 2) {
                value = format!("({value}).wrapping_add({})", self.scalars[n].0);
            }
        }
        value
    }

    /// An update of a carried scalar.
    fn update(&mut self, n: usize) -> String {
        let (s, kind) = self.scalars[n].clone();
        let (a, b, c) = (self.choices.term(), self.choices.term(), self.condition());
        let form = self.choices.below(3);
        match kind {
            Kind::Sum => format!("{s} = {s}.wrapping_add({a});"),
            Kind::Latest => match form {
                0 => format!("if {c} {{ {s} = {a}; }}"),
                1 => format!("{s} = if {c} {{ {a} }} else {{ {s} }};"),
                _ => format!("{s} = match v % 5 {{ 0 => {a}, 1 | 2 => {b}, _ => {s} }};"),
            },
            Kind::Since => match form {
                0 => format!("{s} = if {c} {{ {a} }} else {{ {s}.max({b}) }};"),
                1 => format!("if {c} {{ {s} = {a}; }}"),
                _ => format!("{s} = {s}.max({b});"),
            },
            Kind::Linear => {
                // It may be made of another one.
                let others = self.scalars.iter().filter(|(of, k)| *k == kind && *of != s);
                let others: Vec<String> = others.map(|(of, _)| of.clone()).collect();
                match form {
                    0 => format!("{s} = {s}.wrapping_mul({a}).wrapping_add({b});"),
                    1 => format!("{s} = ({a}).wrapping_sub({s}.wrapping_mul(3));"),
                    _ if others.is_empty() => {
                        format!("{s} = {s}.wrapping_add(({a}).wrapping_sub({s}).wrapping_mul(7));")
                    }
                    _ => {
                        let other = &others[self.choices.below(others.len())];
                        format!("{s} = {other}.wrapping_mul({a}).wrapping_sub({s});")
                    }
                }
            }
            // Below a modulus of its own, which is none of the others': where a scalar has had another value first, it is out of range.
            Kind::Modular => {
                let m = [1009, 97, 65_521, 1_000_003][n % 4];
                match self.choices.below(6) {
                    0 => format!("{s} = ({s} + {a} % 5000) % {m};"),
                    1 => format!("{s} += {a} % 800; {s} %= {m};"),
                    2 => format!(
                        "{s} = (({s} as u64 * u64::from({a}) + u64::from({b})) % {m}) as u32;"
                    ),
                    3 => format!("{s} = ({s} * 31 + {a} % 1000) % {m};"),
                    4 => format!("if {c} {{ {s} = ({s} + {m} - {a} % {m}) % {m}; }}"),
                    // It may overflow, wherever it began.
                    _ => format!("{s} = {s}.wrapping_add({a}) % {m};"),
                }
            }
            Kind::Bits => match form {
                0 => format!("{s} = ({s} & {a}) ^ {b};"),
                1 => format!("{s} ^= {a};"),
                _ => format!("if {c} {{ {s} &= {a}; }}"),
            },
        }
    }

    fn function(&mut self) -> String {
        let kinds = [
            Kind::Sum,
            Kind::Latest,
            Kind::Since,
            Kind::Linear,
            Kind::Linear,
            Kind::Bits,
            Kind::Modular,
        ];
        let mut attribute = "#[offload]";
        self.depth = 1;
        for n in 0..self.choices.below(4) {
            let kind = self.choices.pick(&kinds);
            let begin = self.choices.below(100);
            self.line(&format!("let mut s{n} = {begin}u32;"));
            self.scalars.push((format!("s{n}"), kind));
        }
        let role = match self.scalars.is_empty() {
            true => 1 + self.choices.below(4),
            false => self.choices.below(6),
        };
        self.line("let mut n = 0usize;");
        self.line("let mut kept: Vec<u32> = vec![1];");
        match self.choices.below(3) {
            0 => self.line("for i in 0..x.len() {"),
            1 => self.line("for (i, &v) in x.iter().enumerate() {"),
            _ => self.line("for (i, v) in x.iter().copied().enumerate() {"),
        }
        self.depth = 2;
        if self.body.ends_with("x.len() {\n") {
            self.line("let v = x[i];");
        }
        if role == 2 {
            let (value, keeps) = (self.value(), self.condition());
            self.line(&format!("out[n] = {value};"));
            self.line(&format!("n += ({keeps}) as usize;"));
        }
        if self.choices.chance(1, 4) {
            let condition = self.condition();
            self.line(&format!("if {condition} {{ continue; }}"));
        }
        let mut order: Vec<usize> = (0..self.scalars.len()).collect();
        if self.choices.chance(1, 3) {
            order.extend(0..self.scalars.len());
        }
        if self.choices.chance(1, 2) {
            order.reverse();
        }
        for n in order {
            let update = self.update(n);
            if self.choices.chance(1, 5) {
                self.line("for _ in 0..v % 3 {");
                self.line(&format!("    {update}"));
                self.line("}");
            } else {
                self.line(&update);
            }
        }
        let (value, condition) = (self.value(), self.condition());
        match role {
            1 => self.line(&format!("if {condition} {{ out[n] = {value}; n += 1; }}")),
            3 => {
                attribute = "#[offload(distinct(out))]";
                match self.choices.below(3) {
                    0 => self.line(&format!("out[at[i]] = {value};")),
                    1 => self.line(&format!("if {condition} {{ out[at[i]] = {value}; }}")),
                    _ => {
                        self.line("let p = at[i];");
                        self.line(&format!("if out[p] > v {{ out[p] = {value}; }}"));
                    }
                }
            }
            4 => {
                self.line(&format!("if {condition} {{ kept.push({value}); }}"));
                if self.choices.chance(1, 2) {
                    self.line("kept.extend_from_slice(&[v, i as u32]);");
                }
            }
            5 => self.line(&format!("out[i] = {value};")),
            _ => {}
        }
        if role != 4 && self.choices.chance(1, 3) {
            let (value, condition) = (self.value(), self.condition());
            self.line(&format!("if {condition} {{ kept.push({value}); }}"));
        }
        self.depth = 1;
        self.line("}");
        self.line("let mut all = n as u64;");
        for n in 0..self.scalars.len() {
            let name = self.scalars[n].0.clone();
            self.line(&format!("all = all * 31 % 1_000_003 + u64::from({name});"));
        }
        self.line("kept.iter().fold(all, |h, k| h * 31 % 1_000_003 + u64::from(*k))");
        attribute.to_owned()
    }
}
