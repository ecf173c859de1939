//! Loops and nests that write elements of arrays by indices of many forms, of which some keep apart.

use crate::data::Data;

/// Elements of each array.
const LEN: usize = 600;

/// A source of functions of one signature, `fn f(a: &mut [u32], b: &[u32], c: &mut [u32], n: usize, w: usize, k: usize, m: u32)`, and of data
/// for them.
#[derive(Debug)]
pub struct Nests(u64);

impl Nests {
    /// Functions of a seed, which is not zero.
    pub fn new(seed: u64) -> Nests {
        Nests(seed)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    /// A loop's range, given the variables around it.
    fn range(&mut self, around: &[&str]) -> String {
        match (self.below(14), around.last()) {
            (0, _) => "0..n".to_owned(),
            (1, _) => "1..n - 1".to_owned(),
            (2, _) => "0..n / 2".to_owned(),
            (3, _) => "(0..n).step_by(2)".to_owned(),
            (4, _) => "(0..w).rev()".to_owned(),
            (5, _) => "k..n".to_owned(),
            (6, _) => "0..=w".to_owned(),
            (7, Some(i)) => format!("0..{i}"),
            (8, Some(i)) => format!("{i}..n"),
            (9, Some(i)) => format!("{i} + 1..w"),
            (10, _) => "0..3".to_owned(),
            (11, _) => "1..w - 1".to_owned(),
            (12, _) => "0..n * w".to_owned(),
            _ => "0..w".to_owned(),
        }
    }

    fn term(&mut self, around: &[&str]) -> String {
        let var = self.pick(around);
        match self.below(16) {
            0..6 => var.to_owned(),
            6 | 7 => format!("{var} * w"),
            8 => format!("{var} * n"),
            9 => format!("2 * {var}"),
            10 => format!("{var} * k"),
            11 => format!("({var} as u8) as usize"),
            12 => format!("({var} as u32 * m) as usize"),
            13 => format!("n - 1 - {var}"),
            14 => format!("b[{var}] as usize"),
            _ => format!("{var} % 3"),
        }
    }

    fn index(&mut self, around: &[&str]) -> String {
        let mut index = self.term(around);
        for _ in 0..self.below(3) {
            index = format!("{index} + {}", self.term(around));
        }
        match self.below(8) {
            0 => format!("{index} + 1"),
            1 => format!("{index} + k"),
            2 => format!("{index} + w"),
            3 => format!("{index} - 1"),
            _ => index,
        }
    }

    /// An index that rows and columns have.
    fn usual(&mut self, around: &[&str]) -> String {
        let (outer, inner) = (around[0], around[around.len() - 1]);
        match self.below(6) {
            0 => format!("{outer} * w + {inner}"),
            1 => format!("{outer} * n + {inner}"),
            2 => format!("{inner} * n + {outer}"),
            3 => outer.to_owned(),
            4 => format!("({outer} + 1) * w + {inner}"),
            _ => format!("{outer} * (w + k) + {inner}"),
        }
    }

    fn any_index(&mut self, around: &[&str]) -> String {
        match self.below(2) {
            0 => self.usual(around),
            _ => self.index(around),
        }
    }

    fn value(&mut self, around: &[&str], last: &str) -> String {
        match self.below(7) {
            0 => format!("b[{}]", self.index(around)),
            1 => format!("a[{last}].wrapping_mul(5)"),
            2 => format!("a[{}] + 7", self.any_index(around)),
            3 => format!("c[{}] ^ 9", self.any_index(around)),
            4 => format!(
                "if {} {{ a[{}] }} else {{ 1 }}",
                self.condition(around),
                self.any_index(around)
            ),
            _ => format!("({} as u32).wrapping_mul(2654435761)", self.pick(around)),
        }
    }

    fn statement(&mut self, around: &[&str]) -> String {
        let array = self.pick(&["a", "a", "a", "c"]);
        let index = self.any_index(around);
        let value = self.value(around, &index);
        let write = match self.below(8) {
            0 | 1 => format!("{array}[{index}] += {value};"),
            2 => format!("let at = {index}; {array}[at] = {value};"),
            3 => format!("{array}.swap({index}, {});", self.any_index(around)),
            4 => {
                let (outer, inner) = (around[0], around[around.len() - 1]);
                format!(
                    "let row = &mut {array}[{outer} * w..({outer} + 1) * w]; row[{inner}] = {value};"
                )
            }
            _ => format!("{array}[{index}] = {value};"),
        };
        match self.below(8) {
            0 => format!("if b[{}] % 2 == 0 {{ {write} }}", self.pick(around)),
            1 => format!("if {} {{ {write} }}", self.condition(around)),
            2 => format!("if {} {{ }} else {{ {write} }}", self.condition(around)),
            _ => write,
        }
    }

    /// What says where a variable lies.
    fn condition(&mut self, around: &[&str]) -> String {
        let var = self.pick(around);
        match self.below(9) {
            0 => format!("{var} > 0"),
            1 => format!("{var} + 1 < w"),
            2 => format!("{var} != k"),
            3 => format!("{var} < k"),
            4 => format!("{var} >= 1 && {var} + 2 <= n"),
            5 => format!("{var} == 0 || {var} + 1 == w"),
            6 => format!("!({var} >= k)"),
            7 => format!("{var} > k"),
            _ => format!("w - {var} > 1"),
        }
    }

    /// Draws a function. A loop around its loops may be marked `#[sequential]`.
    pub fn function(&mut self) -> String {
        let mut body = String::new();
        let head = match self.below(12) {
            0 => "for (i, x) in a.iter_mut().enumerate()".to_owned(),
            1 => "for (i, row) in a.chunks_exact_mut(w).enumerate()".to_owned(),
            2 => "for (i, row) in a.chunks_mut(k).enumerate()".to_owned(),
            _ => format!("for i in {}", self.range(&[])),
        };
        let taken = head.contains("_mut");
        if taken {
            body.push_str(match head.contains("row") {
                true => self.pick(&[
                    "for v in row.iter_mut() { *v += i as u32; }",
                    "row[i % w] = 3;",
                    "for j in 0..row.len() { row[j] ^= j as u32; }",
                ]),
                false => "*x = x.wrapping_mul(3) + b[i];",
            });
        }
        let own = |s: String| s.replace("a[", "c[").replace("a.swap", "c.swap");
        let statement = |nests: &mut Nests, around: &[&str]| {
            let s = nests.statement(around);
            if taken { own(s) } else { s }
        };
        match self.below(3) {
            0 => {
                let range = self.range(&["i"]);
                let inner = statement(self, &["i", "j"]);
                let more = if self.below(3) == 0 {
                    statement(self, &["i", "j"])
                } else {
                    String::new()
                };
                body.push_str(&format!("for j in {range} {{ {inner} {more} }}"));
            }
            _ => body.push_str(&statement(self, &["i"])),
        }
        if self.below(3) == 0 {
            body.push_str(&statement(self, &["i"]));
        }
        let mut text = format!("{head} {{ {body} }}");
        // A step of a loop whose number the loop uses, and which may be any number all the same.
        if self.below(3) == 0 {
            let range = self.pick(&["0..n", "0..w", "1..n", "0..=w", "w..n"]);
            text = format!("#[sequential] for k in {range} {{ {text} }}");
        }
        format!(
            "fn f(a: &mut [u32], b: &[u32], c: &mut [u32], n: usize, w: usize, k: usize, m: u32) {{ {text} }}"
        )
    }

    /// A number, which may be large where no loop runs so often.
    fn number(&mut self, is_count: bool) -> u64 {
        match self.below(if is_count { 2 } else { 24 }) + if is_count { 22 } else { 0 } {
            0 => 0,
            1 => 1,
            2 => 1 << 32,
            3 => 1 << 63,
            4 => u64::MAX,
            5 => (1 << 32) + 1,
            6 => 256,
            _ => 2 + self.below(18),
        }
    }

    /// Draws data for a function: its numbers are small where a loop runs so often.
    pub fn data(&mut self, text: &str) -> Data {
        let mut data = Data::default();
        for name in ["a", "b", "c"] {
            let bytes = (0..LEN).flat_map(|_| (self.below(500) as u32).to_ne_bytes());
            data.0.insert(name.to_owned(), bytes.collect());
        }
        for name in ["n", "w", "k"] {
            let mut heads = text
                .split("for ")
                .skip(1)
                .map(|rest| rest.split('{').next().unwrap_or(rest));
            let is_count = heads.any(|head| head.contains(name) && head != "i");
            let number = match is_count {
                true if self.below(8) == 0 => self.below(2),
                _ => self.number(is_count),
            };
            data.0.insert(name.to_owned(), number.to_ne_bytes().into());
        }
        let m = [0, 1, 3, 1 << 31][self.below(4) as usize] as u32;
        data.0.insert("m".to_owned(), m.to_ne_bytes().into());
        data
    }
}
