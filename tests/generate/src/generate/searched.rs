//! Loops that end with the first iteration of a kind, by `break`, `return` or `?`, and loops over iterators with closures.
//!
//! All of one signature, `fn name(x: &[u32], at: &[usize], out: &mut [u32]) -> Option<u64>`, with arithmetic that wraps or stays below a modulus.

use super::Program;
use crate::choices::Choices;

/// Draws a function.
pub fn searched_program(name: &str, choices: &mut Choices) -> Program {
    let mut g = Searching {
        choices,
        body: String::new(),
    };
    g.function();
    let source = format!(
        "fn {name}(x: &[u32], at: &[usize], out: &mut [u32]) -> Option<u64> {{\n{}}}\n",
        g.body
    );
    Program {
        name: name.to_string(),
        source,
    }
}

/// What a loop goes over, with what its body begins with, and whether `i` is the item's own number.
const HEADERS: [(&str, &str, bool); 14] = [
    ("i in 0..x.len()", "let v = x[i];", true),
    ("(i, &v) in x.iter().enumerate()", "", true),
    ("(i, v) in x.iter().copied().enumerate().skip(K)", "", true),
    ("(i, &v) in x.iter().enumerate().step_by(K)", "", true),
    ("(i, v) in x.iter().copied().enumerate().rev()", "", true),
    ("(&v, &i) in x.iter().zip(at)", "", false),
    (
        "(i, v) in x.iter().copied().enumerate().filter(|&(i, v)| COND)",
        "",
        true,
    ),
    ("(i, v) in x.iter().map(|v| v ^ K).enumerate()", "", true),
    (
        "(i, v) in x.iter().copied().enumerate().take_while(|&(i, v)| COND)",
        "",
        true,
    ),
    (
        "(i, w) in x.windows(2).enumerate()",
        "let v = w[0] ^ w[1];",
        true,
    ),
    ("(i, c) in x.chunks(3).enumerate()", "let v = c[0];", true),
    (
        "(i, v) in x.iter().enumerate().filter_map(|(i, &v)| if COND { Some((i, v ^ K)) } else { None })",
        "",
        true,
    ),
    ("i in (0..x.len()).rev().step_by(K)", "let v = x[i];", true),
    (
        "(i, (&v, &k)) in x.iter().zip(at).enumerate().take(K * 40)",
        "let v = v ^ k as u32;",
        true,
    ),
];

struct Searching<'a> {
    choices: &'a mut Choices,
    body: String,
}

impl Searching<'_> {
    fn line(&mut self, text: &str) {
        self.body += text;
        self.body.push('\n');
    }

    /// A truth that is rare in some of the draws.
    fn condition(&mut self) -> String {
        let (by, from) = (2 + self.choices.below(400), self.choices.below(90));
        match self.choices.below(4) {
            0 => format!("v % {by} == {}", self.choices.below(by)),
            1 => format!("v % {by} == {} && i > {from}", self.choices.below(by)),
            2 => format!("i % {by} != 1"),
            _ => format!("v < {}", self.choices.below(1000)),
        }
    }

    /// A number of the input's.
    fn term(&mut self) -> String {
        match self.choices.below(4) {
            0 => "v".to_owned(),
            1 => "i as u32".to_owned(),
            2 => format!("v.wrapping_mul({})", self.choices.below(50)),
            _ => "(v ^ i as u32)".to_owned(),
        }
    }

    fn header(&mut self) -> bool {
        let (header, first, own) = self.choices.pick(&HEADERS);
        let (condition, k) = (self.condition(), 1 + self.choices.below(5));
        let header = header
            .replace("COND", &condition)
            .replace('K', &k.to_string());
        self.line(&format!("for {header} {{"));
        if !first.is_empty() {
            self.line(first);
        }
        own
    }

    /// How an iteration leaves the loop.
    fn way_out(&mut self) -> String {
        let condition = self.condition();
        match self.choices.below(8) {
            0 | 1 => format!("if {condition} {{ found = Some(v ^ i as u32); break; }}"),
            2 => format!("if {condition} {{ any = true; break; }}"),
            3 => format!("if {condition} {{ return Some(u64::from(v) * 3 + i as u64); }}"),
            4 => format!(
                "let w = v.checked_sub({})?;\nsum = sum.wrapping_add(w);",
                self.choices.below(3)
            ),
            5 => format!(
                "sum = sum.wrapping_add(*x.get(i + {})?);",
                self.choices.below(2)
            ),
            6 => format!("if {condition} {{ None::<u32>?; }}"),
            _ => format!(
                "let Some(w) = v.checked_add({}) else {{ break; }};\ntop = top.max(w);",
                self.choices.below(9)
            ),
        }
    }

    /// What an iteration does beside.
    fn effect(&mut self, own: bool) -> String {
        let (term, condition) = (self.term(), self.condition());
        let own = if own { 2 } else { 0 };
        match self.choices.below(6 + own) {
            0 => format!("sum = sum.wrapping_add({term});"),
            1 => format!("top = top.max({term});"),
            2 => format!("if {condition} {{ kept.push({term}); }}"),
            3 => format!("hash = (hash * 31 + {term} % 1000) % 1009;"),
            4 => format!("product = (product as u64 * u64::from({term}) % 1_000_003) as u32;"),
            5 => format!("sum = sum.wrapping_add(hash);\nhash += {term} % 7;\nhash %= 97;"),
            6 => format!("out[i] = {term};"),
            _ => format!("if {condition} {{ out[i] = {term}; }}"),
        }
    }

    fn function(&mut self) {
        self.line("let (mut found, mut any): (Option<u32>, bool) = (None, false);");
        self.line("let (mut sum, mut top, mut hash, mut product) = (1u32, 0u32, 5u32, 1u32);");
        self.line("let mut kept: Vec<u32> = vec![3];");
        let own = self.header();
        let mut lines = Vec::new();
        for _ in 0..self.choices.below(3) {
            lines.push(self.effect(own));
        }
        // Loops without a way out are over closures, at times.
        for _ in 0..self.choices.pick(&[1, 1, 1, 0, 2]) {
            let at = self.choices.below(lines.len() + 1);
            let way = self.way_out();
            lines.insert(at, way);
        }
        for line in lines {
            self.line(&line);
        }
        self.line("}");
        self.line("let some = [found.unwrap_or(7), u32::from(any), sum, top, hash, product];");
        self.line(
            "Some(some.iter().chain(&kept).fold(0u64, |h, k| h * 31 % 1_000_003 + u64::from(*k)))",
        );
    }
}
