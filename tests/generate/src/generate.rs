//! Random functions with a histogram loop, as source text, drawn from the forms that are accepted.
//!
//! What a parameter is filled with follows from its name and type, see [`data`](crate::data):
//!
//! - `a0`, `a1`, …: arrays that are read, all of one length; `n` is that length, `w` is 6; `s` is a `&str`;
//! - `t0`, …: tables of a fixed length; `c0`, …: captured scalars;
//! - `h0_add`, `h1_min`, …: bins with their operator; `e0_add`: as many bins as there are items, updated
//!   by the item's own number; `r0_max`: a scalar reduction;
//! - `e0_own`, `g0_own`: elements that iterations write, as many as there are items, and six times as many;
//! - `k0_own`, `z0_own`: the best item so far, and its place, which is 0 at first.
//!
//! Indices and arithmetic are mostly kept in range by their form, and sometimes are not: panics have to
//! agree too.

mod body;
mod carried;
mod expr;
mod grouped;
mod iteration;
mod kept;
mod nested;
mod ordered;
mod own;
mod searched;
mod steps;
mod update;

use std::fmt::Write as _;

use accrue_compiler::ir::Scalar;

use crate::choices::Choices;

pub use carried::carried_program;
pub use grouped::grouped_program;
pub use nested::Nests;
pub use ordered::ordered_program;
pub use searched::searched_program;
pub use steps::{stepped_data, stepped_program};

/// A random function.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// The function, without the attribute.
    pub source: String,
}

/// Constants that random functions mention; the crate that compiles them declares them.
pub const CONSTANTS: &[(&str, &str, u64)] = &[("WIDTH", "usize", 12), ("MASK", "u32", 15)];

/// Draws a function that fills bins.
pub fn program(name: &str, choices: &mut Choices) -> Program {
    drawn(name, choices, |g| g.function())
}

/// Draws a function whose iterations write elements of their own.
pub fn owned_program(name: &str, choices: &mut Choices) -> Program {
    drawn(name, choices, |g| g.owned_function())
}

/// Draws a function that keeps the best item.
pub fn kept_program(name: &str, choices: &mut Choices) -> Program {
    drawn(name, choices, |g| g.kept_function())
}

fn drawn(name: &str, choices: &mut Choices, function: fn(&mut Generator<'_>)) -> Program {
    let mut g = Generator {
        choices,
        params: Vec::new(),
        leaves: Vec::new(),
        body: String::new(),
        depth: 1,
        names: 0,
        each: None,
        label: false,
    };
    function(&mut g);
    let params: Vec<String> = g
        .params
        .iter()
        .map(|(name, ty)| format!("{name}: {ty}"))
        .collect();
    let source = format!("fn {name}({}) {{\n{}}}\n", params.join(", "), g.body);
    Program {
        name: name.to_string(),
        source,
    }
}

/// Something that expressions may mention.
#[derive(Clone, Debug)]
struct Leaf {
    text: String,
    ty: Scalar,
}

struct Generator<'a> {
    choices: &'a mut Choices,
    params: Vec<(String, String)>,
    leaves: Vec<Leaf>,
    body: String,
    depth: usize,
    names: usize,
    /// The item's own number, where the iteration has one that is injective.
    each: Option<String>,
    /// Whether the parallel loop carries the label `'items`.
    label: bool,
}

const READ: &[Scalar] = &[
    Scalar::U8,
    Scalar::U32,
    Scalar::I32,
    Scalar::F32,
    Scalar::U16,
    Scalar::F64,
    Scalar::I64,
    Scalar::U64,
    Scalar::I8,
    Scalar::I16,
    Scalar::Usize,
];

impl Generator<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "{}{text}", "    ".repeat(self.depth));
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn param(&mut self, prefix: &str, ty: String) -> String {
        let count = self
            .params
            .iter()
            .filter(|(name, _)| name.starts_with(prefix))
            .count();
        let name = format!("{prefix}{count}");
        self.params.push((name.clone(), ty));
        name
    }

    fn leaf(&mut self, text: impl Into<String>, ty: Scalar) {
        self.leaves.push(Leaf {
            text: text.into(),
            ty,
        });
    }

    fn function(&mut self) {
        let opened = self.iteration();
        self.captures();
        self.statements();
        self.updates();
        for _ in 0..opened {
            self.depth -= 1;
            self.line("}");
        }
    }

    /// Values that are the same in every iteration.
    fn captures(&mut self) {
        if self.choices.chance(1, 3) {
            let ty = self
                .choices
                .pick(&[Scalar::U32, Scalar::F32, Scalar::I32, Scalar::F64]);
            let name = self.param("c", ty.to_string());
            self.leaf(name, ty);
        }
        if self.choices.chance(1, 5) {
            // The macro does not see the type of a constant, and a cast does not tell: half of them are named
            // with their type, the others stand where the other operand says it.
            let (constant, ty, _) = self.choices.pick(CONSTANTS);
            let scalar = Scalar::from_name(ty).expect("constants are scalars");
            let name = self.name("k");
            if self.choices.chance(1, 2) {
                self.line(&format!("let {name}: {ty} = {constant};"));
            } else {
                self.line(&format!("let {name} = {constant} & 7{ty};"));
            }
            self.leaf(name, scalar);
        }
        if self.choices.chance(1, 5) {
            let ty = self.choices.pick(READ);
            let name = self.param("t", format!("&[{ty}; 16]"));
            let index = self.int(Scalar::Usize, 1);
            self.leaf(format!("{name}[{index} % 16]"), ty);
        }
    }
}
