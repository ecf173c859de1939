//! Loops that group by keys in maps and sets, append to collections, and carry a number along by a recurrence.
//!
//! All of the signature of [ordered](super::ordered) ones. A recurrence without a modulus may overflow, and panics there where that is checked.

use super::Program;
use crate::choices::Choices;

/// Draws a function.
pub fn grouped_program(name: &str, choices: &mut Choices) -> Program {
    let mut g = Grouping {
        choices,
        lets: Vec::new(),
        body: Vec::new(),
        ends: Vec::new(),
    };
    g.function();
    let Grouping {
        lets, body, ends, ..
    } = g;
    let lines = |lines: Vec<String>, depth: usize| {
        let indented = lines
            .into_iter()
            .map(|line| format!("{}{line}\n", "    ".repeat(depth)));
        indented.collect::<String>()
    };
    let source = format!(
        "#[offload]\nfn {name}(x: &[u32], at: &[usize], out: &mut [u32]) -> u64 {{\n{}{}    }}\n    let mut all = 0u64;\n{}    all\n}}\n",
        lines(lets, 1),
        lines(body, 2),
        lines(ends, 1)
    );
    Program {
        name: name.to_string(),
        source,
    }
}

struct Grouping<'a> {
    choices: &'a mut Choices,
    lets: Vec<String>,
    body: Vec<String>,
    ends: Vec<String>,
}

impl Grouping<'_> {
    /// A key: one of few, or one of many.
    fn key(&mut self) -> String {
        let term = self.choices.term();
        match self.choices.below(5) {
            0 => term,
            1 => "at[i] as u32".to_owned(),
            _ => format!("{term} % {}", 1 + self.choices.below(40)),
        }
    }

    /// A statement, or one behind a condition of the input's.
    fn line(&mut self, text: &str) {
        let by = 2 + self.choices.below(9);
        let condition = match self.choices.below(8) {
            0 => format!("v % {by} == {}", self.choices.below(by)),
            1 => format!("i % {by} != 1"),
            2 => format!("v < {}", self.choices.below(1000)),
            _ => return self.body.push(text.to_owned()),
        };
        self.body.push(format!("if {condition} {{ {text} }}"));
    }

    /// What is left of numbers goes into the result.
    fn end(&mut self, numbers: &str) {
        self.ends.push(format!(
            "all = ({numbers}).into_iter().fold(all, |all, k| all.wrapping_mul(31).wrapping_add(u64::from(k)));"
        ));
    }

    fn map(&mut self, n: usize) {
        let sorted = self.choices.chance(1, 2);
        let ty = if sorted { "BTreeMap" } else { "HashMap" };
        let (key, term) = (self.key(), self.choices.term());
        let (value, statement) = match self.choices.below(9) {
            0 => (
                "u64",
                format!("*m{n}.entry({key}).or_insert(0) += u64::from({term});"),
            ),
            1 => ("u64", format!("*m{n}.entry({key}).or_default() += 1;")),
            2 => (
                "u32",
                format!("let e = m{n}.entry({key}).or_insert(0); *e = (*e).max({term});"),
            ),
            3 => (
                "u32",
                format!("let e = m{n}.entry({key}).or_default(); *e = e.wrapping_add({term});"),
            ),
            4 => ("u32", format!("m{n}.insert({key}, {term});")),
            5 => ("u32", format!("m{n}.entry({key}).or_insert({term});")),
            6 => (
                "u32",
                format!("m{n}.entry({key}).and_modify(|e| *e ^= {term}).or_insert({term});"),
            ),
            7 => (
                "Vec<u32>",
                format!("m{n}.entry({key}).or_default().push({term});"),
            ),
            _ => (
                "(u64, u32)",
                format!("let e = m{n}.entry({key}).or_insert((0, 0)); e.0 += 1; e.1 ^= {term};"),
            ),
        };
        self.lets.push(format!(
            "let mut m{n}: std::collections::{ty}<u32, {value}> = std::collections::{ty}::new();"
        ));
        if self.choices.chance(1, 4) && value.len() < 4 {
            self.lets
                .push(format!("m{n}.insert({}, 7);", self.choices.below(20)));
        }
        self.line(&statement);
        let entries = format!("m{n}.into_iter().collect::<std::collections::BTreeMap<_, _>>()");
        let entries = match value {
            "Vec<u32>" => {
                format!("{entries}.into_iter().flat_map(|(k, v)| [k].into_iter().chain(v))")
            }
            "(u64, u32)" => format!(
                "{entries}.into_iter().flat_map(|(k, v)| [u64::from(k), v.0, u64::from(v.1)])"
            ),
            "u64" => format!("{entries}.into_iter().flat_map(|(k, v)| [u64::from(k), v])"),
            _ => format!("{entries}.into_iter().flat_map(|(k, v)| [k, v])"),
        };
        self.end(&entries);
    }

    fn set(&mut self, n: usize) {
        let ty = self.choices.pick(&["HashSet", "BTreeSet"]);
        let key = self.key();
        self.lets
            .push(format!("let mut m{n} = std::collections::{ty}::new();"));
        self.line(&format!("m{n}.insert({key});"));
        self.end(&format!(
            "m{n}.into_iter().collect::<std::collections::BTreeSet<u32>>()"
        ));
    }

    fn appended(&mut self, n: usize) {
        let (term, other) = (self.choices.term(), self.choices.term());
        let (ty, numbers, statement) = match self.choices.below(5) {
            0 => ("Vec<u32>", "", format!("m{n}.push({term});")),
            1 => (
                "std::collections::VecDeque<u32>",
                "",
                format!("m{n}.push_back({term});"),
            ),
            2 => (
                "String",
                ".into_bytes()",
                format!("m{n}.push_str(&({term}).to_string());"),
            ),
            3 => (
                "String",
                ".into_bytes()",
                format!("m{n}.push(char::from((({term}) % 26) as u8 + b'a'));"),
            ),
            _ => (
                "Vec<u32>",
                "",
                format!("m{n}.push({term}); m{n}.extend([{other}, 3]);"),
            ),
        };
        self.lets
            .push(format!("let mut m{n}: {ty} = Default::default();"));
        self.line(&statement);
        self.end(&format!("m{n}{numbers}"));
    }

    fn recurrence(&mut self, n: usize) {
        let (term, by) = (self.choices.term(), self.choices.pick(&[31u64, 1, 3, 257]));
        let begin = self.choices.below(3);
        let update = match self.choices.below(6) {
            0 => format!("m{n} = m{n} * {by} + u64::from({term});"),
            1 => format!("m{n} = (m{n} * {by} + u64::from({term})) % 1_000_003;"),
            2 => format!("m{n} = m{n}.wrapping_mul({by}).wrapping_add(u64::from({term}));"),
            3 => format!("m{n} = m{n}.rotate_left(5) ^ u64::from({term});"),
            4 => format!("m{n} += u64::from({term});"),
            _ => format!("m{n} = if v % 7 == 2 {{ u64::from({term}) }} else {{ m{n}.max({by}) }};"),
        };
        self.lets.push(format!("let mut m{n} = {begin}u64;"));
        self.line(&update);
        if self.choices.chance(1, 3) {
            self.body.push(format!("out[i] = m{n} as u32;"));
        }
        self.end(&format!("[m{n}]"));
    }

    fn function(&mut self) {
        match self.choices.below(3) {
            0 => {
                self.body.push("for i in 0..x.len() {".to_owned());
                self.body.push("let v = x[i];".to_owned());
            }
            1 => self
                .body
                .push("for (i, &v) in x.iter().enumerate() {".to_owned()),
            _ => self
                .body
                .push("for (i, v) in x.iter().cloned().enumerate() {".to_owned()),
        }
        for n in 0..1 + self.choices.below(3) {
            match self.choices.below(4) {
                0 => self.recurrence(n),
                1 => self.appended(n),
                2 => self.map(n),
                _ if self.choices.chance(1, 2) => self.map(n),
                _ => self.set(n),
            }
        }
        // Of what is left of names that a loop does not use nobody says anything.
        self.ends.push("let _ = (at, out);".to_owned());
    }
}
