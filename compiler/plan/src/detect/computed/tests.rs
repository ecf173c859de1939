//! Where indices lie that are no sums of loop variables: known ones, and random ones beside all of their values.

use super::*;
use crate::dependence::Param;
use crate::diag::Errors;
use crate::parsed::args::Args;
use crate::source::SourceMap;
use crate::syntax::definitions::Definitions;
use accrue_ir::random::Random;
use accrue_parse::parse;

/// What is known of an index, over the loop's variable and what is computed: its form, bounds of the variables, and what is required.
struct Known {
    form: Option<Affine>,
    extents: Vec<Vec<Affine>>,
    within: Vec<(Affine, i128, i128)>,
    /// The parameters.
    given: Vec<Expr>,
}

/// Of the index in `for x in 0..w { let at = INDEX; a[at] = 1; }`, where `w` is the only parameter.
fn known(index: &str) -> Known {
    let text = format!(
        "fn f(a: &mut [u32], w: usize, v: &[u8]) {{ for x in 0..w {{ let at = {index}; a[at] = 1; }} }}"
    );
    let function: syn::ItemFn = syn::parse_str(&text).unwrap();
    let (marked, in_order) = Default::default();
    let parsed = parse::function::parse(&function, &marked, &in_order, true);
    let args = Args {
        any: true,
        ..Args::default()
    };
    let mut sources = SourceMap::default();
    let definitions = Definitions::default();
    let lowered = parse::nest::lower(&parsed.candidates[0], &args, &definitions, &mut sources);
    let mut errors: Errors = lowered.errors.clone();
    errors.finish().unwrap();
    let all = Accesses::new(&lowered.ir, &lowered.mutable, &[]);
    let found = all.found.iter().find(|found| found.writes).unwrap();
    let required = all.required(|_| true);
    Known {
        form: found.access.indices[0].clone(),
        extents: all.extents,
        within: required
            .iter()
            .map(|w| (w.form.clone(), w.low, w.high))
            .collect(),
        given: all.given,
    }
}

/// The value of a parameter.
fn value(given: &Expr, w: i128) -> i128 {
    let of = |e: &Expr| value(e, w);
    match &given.kind {
        ExprKind::Load(_) => w,
        ExprKind::Literal(Literal::Int(n)) => *n,
        ExprKind::Binary(BinaryOp::Add, a, b) => of(a) + of(b),
        ExprKind::Binary(BinaryOp::Sub, a, b) => of(a) - of(b),
        ExprKind::Binary(BinaryOp::Mul, a, b) => of(a) * of(b),
        ExprKind::Method(Method::SaturatingSub, parts) => (of(&parts[0]) - of(&parts[1])).max(0),
        ExprKind::Method(Method::Min, parts) => of(&parts[0]).min(of(&parts[1])),
        ExprKind::Method(Method::Max, parts) => of(&parts[0]).max(of(&parts[1])),
        _ => panic!("{given:?} is a parameter"),
    }
}

impl Known {
    fn param(&self, w: i128) -> impl Fn(Param) -> i128 {
        move |param| value(&self.given[param.0 as usize], w)
    }

    fn eval(&self, form: &Affine, values: &[i128], w: i128) -> i128 {
        let of = self.param(w);
        let terms = form.terms().map(|(var, c)| c.eval(&of) * values[var.0]);
        form.rest().eval(&of) + terms.sum::<i128>()
    }

    /// All values of the index at a position that its form allows.
    fn values(&self, x: i128, w: i128) -> Vec<i128> {
        let mut all = vec![vec![x]];
        for bounds in &self.extents[1..] {
            let more = all.into_iter().flat_map(|outer| {
                let count = bounds.iter().map(|bound| self.eval(bound, &outer, w)).min();
                (0..count.unwrap_or(0).max(1)).map(move |own| [&outer[..], &[own]].concat())
            });
            all = more.collect();
        }
        let form = self.form.as_ref().unwrap();
        all.iter()
            .map(|values| self.eval(form, values, w))
            .collect()
    }

    /// Whether the call's checks hold, as the guard finds out.
    fn holds(&self, w: i128) -> bool {
        let mut highest: Vec<i128> = Vec::new();
        let range = |form: &Affine, highest: &[i128]| {
            let of = self.param(w);
            let constant = form.rest().eval(&of);
            form.terms()
                .fold((constant, constant), |(low, high), (var, c)| {
                    let end = c.eval(&of) * highest[var.0];
                    (low + end.min(0), high + end.max(0))
                })
        };
        for bounds in &self.extents {
            let most = bounds
                .iter()
                .map(|bound| (range(bound, &highest).1 - 1).max(0));
            highest.push(most.min().unwrap_or(0));
        }
        self.within.iter().all(|(form, low, high)| {
            let (least, most) = range(form, &highest);
            *low <= least && most <= *high
        })
    }
}

/// `index` lies in `from ..= to` for 5 columns at position `x`, and the call's checks hold.
#[track_caller]
fn lies(index: &str, x: i128, from: i128, to: i128) {
    let known = known(index);
    assert!(known.form.is_some(), "nothing is known of {index}");
    let mut values = known.values(x, 5);
    values.sort();
    values.dedup();
    assert_eq!(values, (from..=to).collect::<Vec<_>>(), "{index}");
    assert!(known.holds(5), "{index}");
}

#[test]
fn neighbours_stay_in_their_row() {
    lies("if x > 0 { x - 1 } else { 0 }", 4, 0, 4);
    lies("if x == 0 { 0 } else { x - 1 }", 2, 0, 2);
    lies("x.saturating_sub(1)", 4, 0, 4);
    lies("(x + 1).min(w - 1)", 3, 0, 4);
    lies("if x + 1 < w { x + 1 } else { x }", 3, 0, 4);
    lies("if x < w - 1 { x + 1 } else { w - 1 }", 3, 0, 4);
    lies("if x == w - 1 { 0 } else { x + 1 }", 3, 0, 4);
    lies("if x == 0 { w - 1 } else { x - 1 }", 3, 0, 4);
    lies("(x + 1) % w", 3, 0, 4);
    lies("(x + w - 1) % w", 3, 0, 4);
    lies("if x + 1 == w { 0 } else { x + 1 }", 3, 0, 4);
    lies("(x as i32 - 1).max(0) as usize", 3, 0, 3);
    lies("(x as i32 + 1).clamp(0, w as i32 - 1) as usize", 0, 0, 4);
    lies("(x as isize - 2).rem_euclid(w as isize) as usize", 0, 0, 4);
    lies("x & (w - 1)", 3, 0, 3);
    lies("(v[x] as usize).min(w - 1)", 3, 0, 4);
    lies("(x as i32 & 3) as usize", 4, 0, 3);
    lies("(2 & v[x] as i64) as usize", 4, 0, 2);
    lies("3 * (x / 1) + 1", 3, 10, 10);
    lies("(4 * x + 3) / 4 + (2 * x + 1) % 2", 3, 4, 4);
}

#[test]
fn of_others_nothing_is_known() {
    for index in [
        "v[x] as usize",
        "x * x",
        "if v[x] > 3 { x } else { v[x] as usize }",
        "(v[x] as usize).max(x)",
        "x >> 1",
        "(v[x] as i32 & x as i32) as usize",
        "(x as i32 & -2) as usize",
        "(x as i32 | 1) as usize",
        "(x as i32 ^ 1) as usize",
        "!x & 1 | 2",
        "w / (x + 1)",
        "(v[x] as i32 - 300).min(w as i32) as usize",
    ] {
        assert!(known(index).form.is_none(), "{index}");
    }
    // What wraps around in it is left to the call, which finds that it does.
    assert!(!known("(x + 1).min(w - 9)").holds(5));
    assert!(
        known("(x - 1).min(w)").holds(5),
        "its lower end is that of the type"
    );
}

/// An index, drawn.
enum Drawn {
    X,
    W,
    Number(u64),
    Two(&'static str, Box<Drawn>, Box<Drawn>),
    Clamp(Box<[Drawn; 3]>),
    If(&'static str, Box<[Drawn; 4]>),
}

/// Draws indices.
trait Draw {
    fn drawn(&mut self, depth: u64) -> Drawn;
}

impl Draw for Random {
    fn drawn(&mut self, depth: u64) -> Drawn {
        let leaf = depth == 0;
        let mut inner = || Box::new(self.drawn(depth.saturating_sub(1)));
        if leaf {
            return match self.below(3) {
                0 => Drawn::X,
                1 => Drawn::W,
                _ => Drawn::Number(self.below(4)),
            };
        }
        let (a, b, c, d) = (inner(), inner(), inner(), inner());
        let two = ["+", "-", "*", "%", "&", "min", "max", "saturating_sub"];
        let compared = ["<", "<=", ">", ">=", "==", "!="];
        match self.below(13) {
            0..9 => Drawn::Two(two[self.below(8) as usize], a, b),
            9 => Drawn::Clamp(Box::new([*a, *b, *c])),
            _ => Drawn::If(compared[self.below(6) as usize], Box::new([*a, *b, *c, *d])),
        }
    }
}

impl Drawn {
    fn text(&self) -> String {
        match self {
            Drawn::X => "x".to_owned(),
            Drawn::W => "w".to_owned(),
            Drawn::Number(n) => format!("{n}usize"),
            Drawn::Two(op, a, b) => match op.len() {
                1 => format!("({} {op} {})", a.text(), b.text()),
                _ => format!("({}).{op}({})", a.text(), b.text()),
            },
            Drawn::Clamp(parts) => {
                let [a, b, c] = &**parts;
                format!("({}).clamp({}, {})", a.text(), b.text(), c.text())
            }
            Drawn::If(op, parts) => {
                let [a, b, c, d] = parts.each_ref().map(Drawn::text);
                format!("(if {a} {op} {b} {{ {c} }} else {{ {d} }})")
            }
        }
    }

    /// Its value where overflow is not checked; `None` where it panics.
    fn value(&self, x: u64, w: u64) -> Option<u64> {
        Some(match self {
            Drawn::X => x,
            Drawn::W => w,
            Drawn::Number(n) => *n,
            Drawn::Two(op, a, b) => {
                let (a, b) = (a.value(x, w)?, b.value(x, w)?);
                match *op {
                    "+" => a.wrapping_add(b),
                    "-" => a.wrapping_sub(b),
                    "*" => a.wrapping_mul(b),
                    "%" => a.checked_rem(b)?,
                    "&" => a & b,
                    "min" => a.min(b),
                    "max" => a.max(b),
                    _ => a.saturating_sub(b),
                }
            }
            Drawn::Clamp(parts) => {
                let [a, low, high] = &**parts;
                let (a, low, high) = (a.value(x, w)?, low.value(x, w)?, high.value(x, w)?);
                (low <= high).then(|| a.clamp(low, high))?
            }
            Drawn::If(op, parts) => {
                let [a, b, c, d] = &**parts;
                let (a, b) = (a.value(x, w)?, b.value(x, w)?);
                let holds = match *op {
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    ">=" => a >= b,
                    "==" => a == b,
                    _ => a != b,
                };
                if holds {
                    c.value(x, w)?
                } else {
                    d.value(x, w)?
                }
            }
        })
    }
}

#[test]
fn no_index_lies_elsewhere() {
    let all = std::env::var("ACCRUE_INDICES").map_or(1_500, |n| n.parse().unwrap());
    let mut random = Random(20_261_125);
    let (mut found, mut checked) = (0, 0);
    for _ in 0..all {
        let depth = 1 + random.below(3);
        let index = random.drawn(depth);
        let text = index.text();
        let known = known(&text);
        if known.form.is_none() {
            continue;
        }
        found += 1;
        for w in (1..6u64).filter(|w| known.holds(i128::from(*w))) {
            for x in 0..w {
                let Some(value) = index.value(x, w) else {
                    continue;
                };
                checked += 1;
                let allowed = known.values(i128::from(x), i128::from(w));
                let is_it = |of: &i128| (of - i128::from(value)).rem_euclid(1 << 64) == 0;
                assert!(
                    allowed.iter().any(is_it),
                    "{text} is {value} at {x} of {w}, not among {allowed:?}"
                );
            }
        }
    }
    assert!(
        found * 3 > all && checked > all,
        "{found} of {all} have bounds, {checked} values"
    );
}
