//! Bins, and the updates of them.

use std::fmt::Write as _;

use accrue_compiler::ir::Scalar;

use super::Generator;

const BINS: &[Scalar] = &[
    Scalar::U32,
    Scalar::U64,
    Scalar::F32,
    Scalar::I32,
    Scalar::F64,
    Scalar::U8,
    Scalar::U16,
    Scalar::I64,
    Scalar::Usize,
    Scalar::I16,
    Scalar::I8,
    Scalar::Isize,
];

/// An operator as the generator knows it: its name in parameters and how an update is written, with `$h`
/// for the bin and `$v` for the value.
type Op = (&'static str, &'static [&'static str]);

const ADD: Op = ("add", &["$h += $v", "$h = $h + $v", "$h += $v"]);
const ADD_SUB: Op = ("both", &["$h += $v", "$h -= $v", "$h = $h - $v"]);
const WRAPPING_BOTH: Op = (
    "wrap",
    &["$h = $h.wrapping_add($v)", "$h = $h.wrapping_sub($v)"],
);
const WRAPPING_ADD: Op = ("wrap", &["$h = $h.wrapping_add($v)"]);
const SUB: Op = ("sub", &["$h -= $v", "$h = $h - $v"]);
const WRAPPING_SUB: Op = ("wrap", &["$h = $h.wrapping_sub($v)"]);
const WRAPPING_MUL: Op = ("wrap", &["$h = $h.wrapping_mul($v)"]);
const MUL: Op = ("mul", &["$h *= $v", "$h = $h * $v"]);
const SATURATING: Op = ("sat", &["$h = $h.saturating_add($v)"]);
const AND: Op = ("and", &["$h &= $v", "$h = $h & $v"]);
const OR: Op = ("or", &["$h |= $v"]);
const XOR: Op = ("xor", &["$h ^= $v", "$h = $h ^ $v"]);
const MIN: Op = ("min", &["$h = $h.min($v)"]);
const MAX: Op = ("max", &["$h = $h.max($v)"]);

/// Memory that is updated.
#[derive(Clone)]
struct Bins {
    name: String,
    shape: Shape,
    elem: Scalar,
    op: Op,
}

#[derive(Clone, Copy)]
enum Shape {
    /// `&mut [T]`, `&mut Vec<T>`: at least 16 bins, mostly.
    Runtime,
    /// `&mut [T; N]`.
    Fixed(usize),
    /// `&mut [[T; M]]`.
    Joint(usize),
    /// `&mut [[T; M]; N]`.
    FixedJoint(usize, usize),
    /// As many bins as there are items.
    Each,
    /// A scalar reduction.
    Scalar,
}

impl Generator<'_> {
    pub(super) fn updates(&mut self) {
        let mut bins = vec![self.bins()];
        while bins.len() < 3 && self.choices.chance(1, 3) {
            bins.push(self.bins());
        }
        for b in &bins {
            for _ in 0..1 + self.choices.below(2) {
                self.place_update(b);
            }
        }
    }

    fn bins(&mut self) -> Bins {
        let elem = self.choices.pick(BINS);
        let op = if elem.is_float() {
            self.choices.pick(&[ADD, ADD, MIN, MAX, SUB, MUL, ADD_SUB])
        } else if elem.is_signed() {
            let ops = &[
                ADD,
                ADD_SUB,
                WRAPPING_ADD,
                WRAPPING_BOTH,
                MAX,
                MIN,
                OR,
                XOR,
                AND,
                SUB,
                WRAPPING_SUB,
                WRAPPING_MUL,
            ];
            // A sum of few bits of both signs may overflow on the way, in one order and not in another.
            self.choices
                .pick(if elem.bits() > 16 { ops } else { &ops[2..9] })
        } else {
            self.choices.pick(&[
                ADD,
                ADD,
                ADD,
                ADD_SUB,
                WRAPPING_ADD,
                WRAPPING_BOTH,
                SATURATING,
                MAX,
                MIN,
                OR,
                XOR,
                AND,
                SUB,
                WRAPPING_SUB,
                WRAPPING_MUL,
            ])
        };
        let (n, m) = (
            self.choices.pick(&[256, 16, 64, 1, 7, 1000]),
            self.choices.pick(&[4, 3, 16]),
        );
        let shape = match self.choices.below(9) {
            0..=2 => Shape::Runtime,
            3 | 4 => Shape::Fixed(n),
            5 => Shape::Joint(m),
            6 => Shape::FixedJoint(n.min(16), m),
            7 if self.each.is_some() => Shape::Each,
            7 => Shape::Runtime,
            _ => Shape::Scalar,
        };
        let ty = match shape {
            Shape::Runtime if self.choices.chance(1, 4) => format!("&mut Vec<{elem}>"),
            Shape::Runtime | Shape::Each => format!("&mut [{elem}]"),
            Shape::Fixed(n) => format!("&mut [{elem}; {n}]"),
            Shape::Joint(m) => format!("&mut [[{elem}; {m}]]"),
            Shape::FixedJoint(n, m) => format!("&mut [[{elem}; {m}]; {n}]"),
            Shape::Scalar => format!("&mut {elem}"),
        };
        let prefix = match shape {
            Shape::Each => "e",
            Shape::Scalar => "r",
            _ => "h",
        };
        let name = self.param(prefix, ty);
        let name = format!("{name}_{}", op.0);
        let last = self.params.len() - 1;
        self.params[last].0.clone_from(&name);
        Bins {
            name,
            shape,
            elem,
            op,
        }
    }

    /// Writes one update, perhaps under a condition.
    fn place_update(&mut self, bins: &Bins) {
        let update = self.update(bins);
        match self.choices.below(5) {
            0..=2 => self.line(&update),
            3 => {
                let condition = self.condition(1);
                self.line(&format!("if {condition} {{"));
                self.line(&format!("    {update}"));
                self.line("}");
            }
            _ => {
                let other = self.update(bins);
                let scrutinee = self.int(Scalar::U32, 1);
                self.line(&format!("match {scrutinee} % 4 {{"));
                self.line(&format!("    0 => {{ {update} }}"));
                self.line(&format!("    1..=2 => {{ {other} }}"));
                self.line("    _ => {}");
                self.line("}");
            }
        }
    }

    fn update(&mut self, bins: &Bins) -> String {
        let value = self.value(bins);
        let name = &bins.name;
        let mut indices = match bins.shape {
            Shape::Scalar => Vec::new(),
            Shape::Each => vec![self.each.clone().unwrap_or_default()],
            Shape::Runtime => vec![self.index(Ok(name))],
            Shape::Fixed(n) => vec![self.index(Err(n))],
            Shape::Joint(m) => vec![self.index(Ok(name)), self.index(Err(m))],
            Shape::FixedJoint(n, m) => vec![self.index(Err(n)), self.index(Err(m))],
        };
        let form = self.choices.pick(bins.op.1);
        let mut before = String::new();
        // Written twice, an index is mostly a name. And rustc does not let an index of a `Vec` ask for its
        // length.
        let twice = form.matches("$h").count() > 1 && self.choices.chance(2, 3);
        for index in &mut indices {
            if twice || index.contains(&format!("{name}.len()")) {
                let b = self.name("bin");
                let _ = write!(before, "let {b} = {index}; ");
                *index = b;
            }
        }
        let indices: String = indices.iter().map(|index| format!("[{index}]")).collect();
        let star = if matches!(bins.shape, Shape::Scalar) {
            "*"
        } else {
            ""
        };
        let bin = format!("{star}{name}{indices}");
        // The bin on the left stands as it is; as a receiver `*r` needs parentheses.
        let receiver = if bin.starts_with('*') {
            format!("({bin})")
        } else {
            bin.clone()
        };
        let text = form
            .replace("$h.", &format!("{receiver}."))
            .replace("$h", &bin);
        format!("{before}{};", text.replace("$v", &value))
    }

    /// An index into an array of a name, or of a length.
    fn index(&mut self, len: Result<&String, usize>) -> String {
        let len = match len {
            Ok(name) => {
                if self.choices.chance(1, 3) {
                    // Slices have at least 16 bins, unless the data is meant to be out of range.
                    return format!("({} & 15) as usize", self.int(Scalar::U32, 2));
                }
                format!("{name}.len()")
            }
            Err(256) if self.choices.chance(1, 2) => {
                return format!("{} as usize", self.int(Scalar::U8, 2));
            }
            Err(n) => n.to_string(),
        };
        match self.choices.below(6) {
            0 | 1 => format!("{} % {len}", self.int(Scalar::Usize, 2)),
            2 => format!("{}.min({len} - 1)", self.int(Scalar::Usize, 2)),
            3 => format!("{} as usize % {len}", self.int(Scalar::U64, 2)),
            4 => format!(
                "({}.abs() * 3.0) as usize % {len}",
                self.float(Scalar::F32, 2)
            ),
            _ => format!(
                "({}.rem_euclid(16) as usize).min({len} - 1)",
                self.int(Scalar::I32, 2)
            ),
        }
    }

    /// A value to combine in. Of sums it is small, so that they do not overflow by themselves; sums of floats are of
    /// sixteenths, and products of powers of two, so that both are exact in any order.
    fn value(&mut self, bins: &Bins) -> String {
        let ty = bins.elem;
        match bins.op.0 {
            "add" | "sub" | "both" if ty.is_float() => match self.choices.below(3) {
                0 => format!("1.0{ty}"),
                1 => format!(
                    "(({}.clamp(-8.0, 8.0) * 16.0).round() / 16.0)",
                    self.float(ty, 2)
                ),
                _ => format!("(({}.sin() * 16.0).round() / 16.0)", self.float(ty, 1)),
            },
            // Mostly 1 or -1: the product of many has to stay in the type's range.
            "mul" => {
                let (sign, size) = (self.float(ty, 1), self.float(ty, 1));
                format!(
                    "((if {sign} < 0.0 {{ -1.0{ty} }} else {{ 1.0{ty} }}) \
                     * (if {size} > 3.5 {{ 2.0{ty} }} else if {size} < -3.5 {{ 0.5{ty} }} else {{ 1.0{ty} }}))"
                )
            }
            "add" | "sub" | "both" => match self.choices.below(3) {
                0 => "1".to_string(),
                1 if ty.bits() > 8 => format!("({} % 5)", self.int(ty, 1)),
                _ => format!("{} as {ty}", self.condition(1)),
            },
            _ => self.number(ty, 2),
        }
    }
}
