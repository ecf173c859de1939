//! What the detector found: the meaning of a loop, as data.

use accrue_ops::Neutral;
pub use accrue_ops::Op;

use super::{ArrayId, Block, Expr, Index, Literal, Loop, Scalar, SourceId, VarId};
use crate::dependence::{Affine, Poly};

/// The pattern of a parallel loop. One member today; maps, stencils and row-by-row recurrences come next
/// and a `match` on this enum then lists what they still need.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Iterations are independent but for updates of bins by associative, commutative operators.
    Histogram(Histogram),
}

/// A loop that fills bins, and writes elements that each iteration has of its own.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    /// What is updated. Targets do not overlap in memory: they are distinct `&mut` bindings.
    pub targets: Vec<Target>,
    /// Arrays of which every outermost element is written by one iteration at most, and read by no other, or every
    /// [element of a row](Self::scattered). Their
    /// assignments stay [`StmtKind::Assign`](super::StmtKind::Assign) and [`Compound`](super::StmtKind::Compound).
    pub owned: Vec<ArrayId>,
    /// Of these, those of which only the attribute says so, which each call checks.
    pub distinct: Vec<ArrayId>,
    /// Of these, arrays of rows of which iterations have elements and not rows: `d[i][j] = v; d[j][i] = v;`.
    pub scattered: Vec<ArrayId>,
    /// What must hold of a call for that; where it does not, the loop runs in order.
    pub guard: Option<Guard>,
    /// Scalars that keep the best item.
    pub best: Vec<Best>,
    /// Scalars that are carried from iteration to iteration. Their assignments stay as they are.
    pub carried: Vec<Carried>,
    /// Arrays that are filled in the order of the iterations.
    pub filled: Vec<Filled>,
    /// Where scalars are carried, the sites of the assignments to other memory from outside: their terms do without.
    pub writes: Vec<usize>,
    /// Where scalars are carried, what their terms take of an iteration, and nothing else: it updates targets behind those above, one for each scalar, and
    /// writes nothing but locals. None where that cannot be told apart.
    pub terms: Option<Block>,
}

impl Histogram {
    /// The targets of kernels: what is updated, and behind it what is carried along, whose terms are updates.
    pub fn kernel_targets(&self, ir: &Loop) -> Vec<Target> {
        let carried = self.carried.iter().map(|carried| Target {
            memory: Memory::Scalar(carried.var),
            elem: match (carried.composes(), ir.var(carried.var).ty.as_scalar()) {
                (true, Some(Scalar::F32)) => Some(Scalar::U32),
                (true, Some(Scalar::F64)) => Some(Scalar::U64),
                (_, ty) => ty,
            },
            // Which bits are others behind a recurrence.
            op: match carried.composes() {
                true => Op::Xor.into(),
                false => carried.op,
            },
            sites: carried.updates.len(),
            injective: None,
        });
        self.targets.iter().cloned().chain(carried).collect()
    }
}

/// A scalar that is carried from iteration to iteration by an associative operator and read on the way: `acc += x[i]; out[i] = acc;`. What is combined
/// into it, and whether, depends on nothing that the loop writes.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The variable, of kind [`Carried`](super::VarKind::Carried).
    pub var: VarId,
    /// The operator of all its updates, or the two signs of a sum.
    pub op: UpdateOp,
    /// The sites of its updates, and whether each subtracts where there are two signs.
    pub updates: Vec<(usize, bool)>,
    /// What its updates do to it, where that is more than combining terms.
    pub map: Option<Map>,
    /// Whether every iteration assigns it from the loop's input alone, so that one iteration tells what the next one finds, and terms may depend on it.
    pub delayed: bool,
}

impl Carried {
    /// Whether it is a recurrence of which kernels compose the maps: sums of products of it alone.
    pub fn composes(&self) -> bool {
        matches!(&self.map, Some(Map::Sum(Ring::SumProduct, vars)) if vars.len() == 1)
    }

    /// Whether kernels can carry it along.
    pub fn has_kernels(&self) -> bool {
        self.map.is_none() || self.composes()
    }
}

/// What the updates of a carried scalar do to it, where one operator is not all: maps of a kind that composition does not lead out of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Map {
    /// It is replaced, or stays.
    Latest,
    /// It is replaced, or terms are combined into it.
    Since,
    /// Sums of products over a ring, of all the scalars of a recurrence: these, in order.
    Sum(Ring, Vec<VarId>),
    /// The best item so far is kept.
    Best(Running),
}

/// Scalars that keep the best item and are read on the way: `if p > peak { peak = p; } out[i] = peak - p;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// The scalars, all assigned at once. Items are compared by the first of them.
    pub vars: Vec<VarId>,
    /// Whether the least is the best, else the greatest.
    pub less: bool,
    /// Whether the last of equals is kept, else the first.
    pub last: bool,
    /// Whether what is assigned may panic where overflow is checked.
    pub overflows: bool,
}

impl Map {
    /// What an operator or a method is there, by its symbol or name. `op` is the operator of [`Map::Since`].
    pub fn role(&self, name: &str, op: UpdateOp) -> Option<Role> {
        match self {
            Map::Latest | Map::Best(_) => None,
            Map::Since => {
                let of = Op::of_symbol(name).or(Op::of_method(name).map(|(op, _)| op))?;
                match of == op.op {
                    true if of.subtracts() => Some(Role::Minus),
                    true => Some(Role::Plus),
                    false if op.two_signs && op.op.opposite() == Some(of) => Some(Role::Minus),
                    false => None,
                }
            }
            Map::Sum(ring, _) => {
                let rows = match ring {
                    Ring::SumProduct => SUM_PRODUCT,
                    Ring::XorAnd => XOR_AND,
                    Ring::MaxPlus => MAX_PLUS,
                    Ring::MinPlus => MIN_PLUS,
                    Ring::Residues => RESIDUES,
                };
                let row = rows.iter().find(|(of, _)| *of == name);
                row.map(|(_, role)| *role)
            }
        }
    }
}

/// Two operators, of which one distributes over the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ring {
    /// `+ -` and `*`.
    SumProduct,
    /// `^` and `&`.
    XorAnd,
    /// `max` and `+ -`, of integers.
    MaxPlus,
    /// `min` and `+ -`, of integers.
    MinPlus,
    /// `+ -` and `*` of integers, and remainders by one number.
    Residues,
}

/// What an operator does in a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It adds.
    Plus,
    /// It subtracts.
    Minus,
    /// It multiplies.
    Times,
    /// It takes the remainder.
    Modulo,
}

const SUM_PRODUCT: &[(&str, Role)] = &[
    ("+", Role::Plus),
    ("-", Role::Minus),
    ("*", Role::Times),
    ("wrapping_add", Role::Plus),
    ("wrapping_sub", Role::Minus),
    ("wrapping_mul", Role::Times),
];

const XOR_AND: &[(&str, Role)] = &[("^", Role::Plus), ("&", Role::Times)];

const MAX_PLUS: &[(&str, Role)] = &[("max", Role::Plus), ("+", Role::Times), ("-", Role::Minus)];

const MIN_PLUS: &[(&str, Role)] = &[("min", Role::Plus), ("+", Role::Times), ("-", Role::Minus)];

const RESIDUES: &[(&str, Role)] = &[
    ("+", Role::Plus),
    ("-", Role::Minus),
    ("*", Role::Times),
    ("%", Role::Modulo),
    // The same of numbers that are not negative.
    ("rem_euclid", Role::Modulo),
    ("wrapping_add", Role::Plus),
    ("wrapping_sub", Role::Minus),
    ("wrapping_mul", Role::Times),
];

/// An array that is filled in the order of the iterations: `out[n] = x; n += 1;`. Each iteration uses elements from where the cursor stands at its
/// beginning to where it stands at its end, and no others.
#[derive(Clone, Debug)]
pub struct Filled {
    /// The array.
    pub array: ArrayId,
    /// The cursor, one of the carried scalars: an integer to which constants that are not negative are added.
    pub cursor: VarId,
    /// The sites of assignments at the cursor which an iteration makes whether it moves the cursor or not: `out[n] = x; n += keep as usize;`. Each iteration
    /// begins with one then.
    pub ahead: Vec<usize>,
}

/// Scalars that keep the first of the best items, `if d < best { best = d; at = i; }`, or the last, `if d <= best { .. }`.
#[derive(Clone, Debug)]
pub struct Best {
    /// The variables, all assigned at once; they are of kind [`Best`](super::VarKind::Best).
    pub vars: Vec<VarId>,
    /// Whether the least key is the best, else the greatest.
    pub less: bool,
    /// Where the last of equals is kept, the site of an assignment to one of them.
    pub last: Option<usize>,
    /// The source of their key, an expression over them: `best`, `x[at]`.
    pub key: SourceId,
    /// Whether the key is a test that holds until an item is taken: `first.is_none()`.
    pub test: bool,
    /// Where an `Option` keeps the item, which any item is better than while there is none: the site of its assignment.
    pub option: Option<usize>,
    /// Whether an iteration does nothing at all once an item is taken: it asks the test first, and nothing else.
    pub ends: bool,
    /// Whether what is asked behind the comparison, or the test, or what is assigned may panic, and the iteration goes on to other things: only the sequential
    /// order tells of which items it is asked.
    pub lazy: bool,
    /// Whether what is assigned may panic where overflow is checked.
    pub overflows: bool,
    /// Of the variables, the indices in their key, `x[at]`: by their numbers among the variables.
    pub indices: Vec<usize>,
}

/// What the compiler could not know of a loop whose iterations are independent: it is evaluated before the loop, over
/// the integers.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    /// What the parameters stand for: integers without a sign, of captured values and lengths.
    pub given: Vec<Expr>,
    /// Bounds of the number of positions of each loop variable, over those before it. All of them hold; none where nothing
    /// is known.
    pub extents: Vec<Vec<Affine>>,
    /// Forms that lie in ranges.
    pub within: Vec<Within>,
    /// What is 0 or more.
    pub conditions: Vec<Poly>,
}

/// Which elements of captured arrays an outermost position's iterations access, as far as that is known: what a device has to be given
/// that runs some of them.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// What the forms are made of, and where they are what the loop computes. There are no conditions.
    pub guard: Guard,
    /// The arrays whose every access has a form. Others may be accessed anywhere.
    pub arrays: Vec<ArrayReach>,
}

/// The accesses of one array.
#[derive(Clone, Debug)]
pub struct ArrayReach {
    /// The array.
    pub array: ArrayId,
    /// The outermost indices, each over the loop's variables.
    pub forms: Vec<Affine>,
    /// Whether iterations read elements of it.
    pub read: bool,
}

/// A form over loop variables that lies in a range for all of their positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within {
    /// The form.
    pub form: Affine,
    /// The least value that it may have.
    pub low: i128,
    /// The greatest.
    pub high: i128,
}

/// A bin array, or a scalar reduction as bins of length one.
#[derive(Clone, Debug)]
pub struct Target {
    /// The memory.
    pub memory: Memory,
    /// The type of a bin; `None` where it is a type parameter or not known to the macro.
    pub elem: Option<Scalar>,
    /// The one operator of all its updates, or the two signs of a sum.
    pub op: UpdateOp,
    /// How often it is updated in the body's text.
    pub sites: usize,
    /// Set where no two iterations update the same bin; no private tables are needed then.
    pub injective: Option<Injective>,
}

/// The memory of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// A captured array.
    Bins(ArrayId),
    /// A captured scalar ([`VarKind::Reduced`](super::VarKind::Reduced)).
    Scalar(VarId),
}

/// The outermost index is `position + offset` of the outermost dimension in every update.
#[derive(Clone, Debug)]
pub struct Injective {
    /// The index, as the updates have it.
    pub index: Index,
}

/// How memory is updated: the operator, associative and commutative, and what is said of it beyond its row in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UpdateOp {
    /// The operator.
    pub op: Op,
    /// What overflow does; [`Overflow::Profile`] for an operator that has none.
    pub overflow: Overflow,
    /// Whether some values come with the opposite sign, as [`Update::subtracts`](super::Update::subtracts) says of each:
    /// `+=` and `-=` of the same memory.
    pub two_signs: bool,
}

/// What integer overflow does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// As the profile of the user's crate says.
    Profile,
    /// Wraps.
    Wraps,
}

impl From<Op> for UpdateOp {
    /// The operator as its symbol has it.
    fn from(op: Op) -> UpdateOp {
        UpdateOp {
            op,
            overflow: Overflow::Profile,
            two_signs: false,
        }
    }
}

impl UpdateOp {
    /// The operator as the method has it that never checks overflow.
    pub fn wrapping(op: Op) -> UpdateOp {
        UpdateOp {
            overflow: Overflow::Wraps,
            ..op.into()
        }
    }

    /// The operator of memory that is updated by both: the two signs of a sum are one, with the same overflow.
    pub fn together(self, other: UpdateOp) -> Option<UpdateOp> {
        let gathers = self.op.row().gathers;
        let one_sum = self.op.opposite().is_some() && gathers == other.op.row().gathers;
        if self == other {
            Some(self)
        } else if one_sum && self.overflow == other.overflow {
            Some(UpdateOp {
                op: gathers,
                overflow: self.overflow,
                two_signs: true,
            })
        } else {
            None
        }
    }

    /// What one of its updates does: of two signs the update's own.
    pub fn of_update(self, subtracts: bool) -> UpdateOp {
        UpdateOp {
            op: match self.two_signs && subtracts {
                true => self.opposite(),
                false => self.op,
            },
            two_signs: false,
            ..self
        }
    }

    /// The operator with the other sign; itself where there is none.
    fn opposite(self) -> Op {
        self.op.opposite().unwrap_or(self.op)
    }

    /// The value that changes nothing, bit for bit; `None` for operators that the type does not have.
    pub fn neutral(self, ty: Scalar) -> Option<Literal> {
        let (min, max) = ty.limits().unwrap_or((0, 0));
        Some(match (self.op.neutral(ty)?, ty) {
            (Neutral::Zero, Scalar::Bool) => Literal::Bool(false),
            (Neutral::Ones, Scalar::Bool) => Literal::Bool(true),
            (Neutral::Zero, s) if s.is_float() => Literal::Float(0.0),
            (Neutral::One, s) if s.is_float() => Literal::Float(1.0),
            (Neutral::MinusZero, _) => Literal::Float(-0.0),
            (Neutral::Nan, _) => Literal::Float(f64::NAN),
            (Neutral::Zero, _) => Literal::Int(0),
            (Neutral::One, _) => Literal::Int(1),
            (Neutral::Ones, s) => Literal::Int(if s.is_signed() { -1 } else { max }),
            (Neutral::Largest, _) => Literal::Int(max),
            (Neutral::Smallest, _) => Literal::Int(min),
        })
    }

    /// The name used in plans.
    pub fn name(self) -> String {
        let name = self.op.name();
        match self.two_signs {
            true => format!("{name}_{}", self.opposite().name()),
            false => name.to_string(),
        }
    }

    /// How people write the update of a bin `h` by `v`.
    pub fn text(self) -> String {
        let written = |op: Op| op.update("h", "v", self.overflow == Overflow::Wraps);
        match self.two_signs {
            true => format!("{} and {}", written(self.op), written(self.opposite())),
            false => written(self.op),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signs_of_a_sum_come_together() {
        let (add, sub) = (UpdateOp::from(Op::Add), UpdateOp::from(Op::Sub));
        let both = add.together(sub).unwrap();
        assert_eq!(sub.together(add), Some(both));
        assert_eq!(both.together(add), Some(both));
        assert_eq!(both.together(sub), Some(both));
        assert_eq!((both.name().as_str(), both.op), ("add_sub", Op::Add));
        assert_eq!(both.text(), "h += v and h -= v");
        assert_eq!((both.of_update(true), both.of_update(false)), (sub, add));
        for op in [Op::Mul, Op::Xor, Op::Min] {
            assert_eq!(add.together(op.into()), None);
            assert_eq!(UpdateOp::from(op).together(op.into()), Some(op.into()));
        }
        assert_eq!(both.together(Op::Mul.into()), None);
        assert_eq!(add.together(UpdateOp::wrapping(Op::Sub)), None);
        let wrapping = UpdateOp::wrapping(Op::Add).together(UpdateOp::wrapping(Op::Sub));
        let text = "h = h.wrapping_add(v) and h = h.wrapping_sub(v)";
        assert_eq!(wrapping.unwrap().text(), text);
    }

    #[test]
    fn neutral_elements_are_of_their_type() {
        let of = |op: Op, ty| UpdateOp::from(op).neutral(ty);
        assert_eq!(of(Op::And, Scalar::Bool), Some(Literal::Bool(true)));
        assert_eq!(of(Op::And, Scalar::I16), Some(Literal::Int(-1)));
        assert_eq!(
            of(Op::And, Scalar::Usize),
            Some(Literal::Int(u64::MAX.into()))
        );
        assert_eq!(of(Op::Min, Scalar::I8), Some(Literal::Int(127)));
        assert_eq!(
            of(Op::Max, Scalar::Isize),
            Some(Literal::Int(i64::MIN.into()))
        );
        assert_eq!(of(Op::Xor, Scalar::F32), None);
        assert_eq!(of(Op::SaturatingAdd, Scalar::I32), None);
    }
}
