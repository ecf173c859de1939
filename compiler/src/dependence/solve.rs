//! The system of equations of two accesses, and what follows from it.

use std::collections::BTreeMap;

use super::poly::{Poly, gcd};
use super::{Access, Affine, LoopVar, Nest, Verdict};

/// Conditions for run time that a verdict may rest on, at most.
const MOST_CONDITIONS: usize = 2;

/// Facts that a proof may add up, at most.
const MOST_FACTS: usize = 4;

/// Bounds of one extent that are tried, at most.
const MOST_BOUNDS: usize = 3;

pub(super) fn verdict(nest: &Nest, a: &Access, b: &Access) -> Verdict {
    let Some(system) = System::new(nest, a, b) else {
        return Verdict::Unknown;
    };
    let mut plain = system.clone();
    if let Followed::NoSolution = plain.follow() {
        return Verdict::Apart;
    }
    let distances = plain.distances();
    if plain.is_apart() {
        return Verdict::Apart;
    }
    match (plain.search(MOST_CONDITIONS), distances) {
        (Some(conditions), _) => Verdict::ApartIf(conditions),
        (None, Some(distances)) => Verdict::Meet(distances),
        (None, None) => Verdict::Unknown,
    }
}

/// What came of following the rules.
enum Followed {
    /// The equations have no solution.
    NoSolution,
    /// Nothing more follows.
    Settled,
}

/// What an equation is solved for: the difference of a variable's values in the two iterations, or one of the values.
#[derive(Clone, Debug)]
struct Unknown {
    var: LoopVar,
    /// Whether it is the difference of both; if not, whether it is the first's value.
    kind: Kind,
    /// What the variable has at most, less one; none if nothing is known.
    highest: Vec<Poly>,
    value: Option<i128>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Difference,
    First,
    Second,
}

/// `sum of terms + constant = 0`.
#[derive(Clone, Debug)]
struct Equation {
    terms: BTreeMap<usize, Poly>,
    constant: Poly,
}

#[derive(Clone, Debug)]
struct System<'a> {
    nest: &'a Nest,
    /// What is 0 or more.
    facts: Vec<Poly>,
    unknowns: Vec<Unknown>,
    equations: Vec<Equation>,
}

impl<'a> System<'a> {
    /// The equations of two accesses; `None` where the array's dimensions differ.
    fn new(nest: &'a Nest, a: &Access, b: &Access) -> Option<System<'a>> {
        if a.indices.len() != b.indices.len() {
            return None;
        }
        let mut system = System {
            nest,
            facts: nest.facts.clone(),
            unknowns: Vec::new(),
            equations: Vec::new(),
        };
        let highest = system.highest();
        // An iteration that has an access is there, so that no extent is 0.
        system.facts.extend(highest.iter().flatten().cloned());
        let pairs: Vec<(&Affine, &Affine)> = a
            .indices
            .iter()
            .zip(&b.indices)
            .filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?)))
            .collect();
        // A variable is one unknown where all dimensions have one coefficient for it, and two otherwise.
        let mut numbers = Vec::new();
        for (number, highest) in highest.iter().enumerate() {
            let var = LoopVar(number);
            let same = |(a, b): &(&Affine, &Affine)| a.coefficient(var) == b.coefficient(var);
            let kinds: &[Kind] = match pairs.iter().all(same) {
                true => &[Kind::Difference],
                false => &[Kind::First, Kind::Second],
            };
            numbers.push(system.unknowns.len());
            system.unknowns.extend(kinds.iter().map(|kind| Unknown {
                var,
                kind: *kind,
                highest: highest.clone(),
                value: None,
            }));
        }
        for (a, b) in pairs {
            let mut terms = BTreeMap::new();
            for (number, &first) in numbers.iter().enumerate() {
                let var = LoopVar(number);
                let mut add = |unknown: usize, coefficient: Poly| {
                    if !coefficient.is_zero() {
                        terms.insert(unknown, coefficient);
                    }
                };
                add(first, a.coefficient(var));
                if system.unknowns[first].kind == Kind::First {
                    add(first + 1, -b.coefficient(var));
                }
            }
            system.equations.push(Equation {
                terms,
                constant: a.rest().clone() - b.rest().clone(),
            });
        }
        Some(system)
    }

    /// The highest position of each variable, over all outer positions: a list of bounds for each.
    fn highest(&self) -> Vec<Vec<Poly>> {
        let mut all: Vec<Vec<Poly>> = Vec::new();
        for extent in &self.nest.vars {
            let bounds = extent
                .most
                .iter()
                .filter_map(|most| {
                    let mut bound = most.rest().clone() - Poly::constant(1);
                    for (outer, highest) in all.iter().enumerate() {
                        let coefficient = most.coefficient(LoopVar(outer));
                        match self.sign(&coefficient)? {
                            Sign::Positive => {
                                bound = bound + coefficient * highest.first()?.clone();
                            }
                            // It is highest where the outer position is 0.
                            Sign::Negative => {}
                        }
                    }
                    Some(bound)
                })
                .take(MOST_BOUNDS);
            all.push(bounds.collect());
        }
        all
    }

    /// Follows all rules until nothing more follows.
    fn follow(&mut self) -> Followed {
        loop {
            if self.has_no_solution() {
                return Followed::NoSolution;
            }
            let Some((unknown, value)) = self.known_value() else {
                return Followed::Settled;
            };
            self.set(unknown, value);
            if self.is_outside(unknown) {
                return Followed::NoSolution;
            }
        }
    }

    /// The distances of the iterations that meet, of all parallel variables; `None` if one is not known and not free.
    fn distances(&self) -> Option<Vec<Option<i128>>> {
        let parallel = self.nest.vars.iter().enumerate().filter(|v| v.1.parallel);
        parallel
            .map(|(number, _)| {
                let own: Vec<usize> = (0..self.unknowns.len())
                    .filter(|u| self.unknowns[*u].var == LoopVar(number))
                    .collect();
                let value = |u: usize| self.unknowns[u].value;
                let free = |u: &usize| self.equations.iter().all(|e| !e.terms.contains_key(u));
                match own[..] {
                    [one] if value(one).is_some() => Some(value(one)),
                    [one] if free(&one) => Some(None),
                    [first, second] => match (value(first), value(second)) {
                        (Some(a), Some(b)) => Some(Some(a - b)),
                        _ if free(&first) || free(&second) => Some(None),
                        _ => None,
                    },
                    _ => None,
                }
            })
            .collect()
    }

    /// Whether only iterations at no distance meet.
    fn is_apart(&self) -> bool {
        let distances = self.distances();
        distances.is_some_and(|all| all.iter().all(|d| *d == Some(0)))
    }

    /// Conditions under which the accesses are apart: as few as are found.
    fn search(&self, most: usize) -> Option<Vec<Poly>> {
        if most == 0 {
            return None;
        }
        let mut candidates = self.candidates();
        // That a number is less than a stride is what calls are like; that accesses lie apart as a whole, some are.
        let whole = |step: &Step| matches!(step, Step::NoSolution);
        candidates.sort_by_key(|(conditions, step)| (conditions.len(), whole(step)));
        let mut best: Option<Vec<Poly>> = None;
        for (conditions, step) in candidates {
            let room = best.as_ref().map_or(most, |b| b.len() - 1);
            if conditions.len() > room {
                continue;
            }
            let mut next = self.clone();
            next.facts.extend(conditions.iter().cloned());
            let apart = match step {
                Step::NoSolution => true,
                Step::Value(unknown, value) => {
                    next.set(unknown, value);
                    match next.follow() {
                        Followed::NoSolution => true,
                        Followed::Settled => next.is_apart(),
                    }
                }
            };
            let found = match apart {
                true => Some(conditions),
                false => next
                    .search(room - conditions.len())
                    .map(|more| [conditions, more].concat()),
            };
            best = found.or(best);
        }
        best
    }

    /// Steps that would follow if something held that is not known.
    fn candidates(&self) -> Vec<(Vec<Poly>, Step)> {
        let mut all = Vec::new();
        for equation in &self.equations {
            for bounds in self.choices(equation) {
                if let Some((low, high)) = self.range(equation, None, &bounds) {
                    let one = Poly::constant(1);
                    for condition in [low - one.clone(), -high - one] {
                        all.push((vec![condition], Step::NoSolution));
                    }
                }
            }
            for unknown in equation.terms.keys() {
                for bounds in self.choices(equation) {
                    let Some((value, conditions)) = self.digit(equation, *unknown, &bounds) else {
                        continue;
                    };
                    let mut open = conditions;
                    open.retain(|c| !self.proves(c));
                    open.dedup();
                    all.push((open, Step::Value(*unknown, value)));
                }
            }
        }
        // A condition that no large parameter makes true holds for next to no call.
        all.retain(|(conditions, _)| {
            !conditions.is_empty() && conditions.iter().all(|c| c.can_grow() && !self.refutes(c))
        });
        all
    }

    fn has_no_solution(&self) -> bool {
        self.equations.iter().any(|equation| {
            let divisor = equation.terms.values().fold(0, |g, c| gcd(g, c.content()));
            let constant = equation.constant.as_constant();
            match (divisor, constant) {
                // The sum of no unknowns.
                (0, Some(c)) if c != 0 => return true,
                (divisor, Some(c)) if divisor > 1 && c % divisor != 0 => return true,
                _ => {}
            }
            self.choices(equation).any(|bounds| {
                let Some((low, high)) = self.range(equation, None, &bounds) else {
                    return false;
                };
                let one = Poly::constant(1);
                self.proves(&(low - one.clone())) || self.proves(&(-high - one))
            })
        })
    }

    /// An unknown that can have one value only.
    fn known_value(&self) -> Option<(usize, i128)> {
        for (number, unknown) in self.unknowns.iter().enumerate() {
            let only = unknown.highest.iter().any(|h| self.proves(&-h.clone()));
            if unknown.value.is_none() && only {
                return Some((number, 0));
            }
        }
        self.equations.iter().find_map(|equation| {
            equation.terms.keys().find_map(|unknown| {
                self.choices(equation).find_map(|bounds| {
                    let (value, conditions) = self.digit(equation, *unknown, &bounds)?;
                    let holds = conditions.iter().all(|c| self.proves(c));
                    holds.then_some((*unknown, value))
                })
            })
        })
    }

    /// The value that an unknown has if its coefficient is larger than all else together, and what says that it is: each 0 or
    /// more.
    fn digit(
        &self,
        equation: &Equation,
        unknown: usize,
        bounds: &[usize],
    ) -> Option<(i128, Vec<Poly>)> {
        let coefficient = &equation.terms[&unknown];
        let (quotient, rest) = equation.constant.divide(coefficient)?;
        let (low, high) = self.range(equation, Some(unknown), bounds)?;
        // Where the sign is not known, it is taken to be that of the leading term: both conditions hold only if it is.
        let negative = match self.sign(coefficient) {
            Some(sign) => matches!(sign, Sign::Negative),
            None => coefficient.leads_negative(),
        };
        let size = match negative {
            true => -coefficient.clone(),
            false => coefficient.clone(),
        };
        let one = Poly::constant(1);
        let above = size.clone() - (high + rest.clone()) - one.clone();
        let below = size + (low + rest) - one;
        Some((-quotient, vec![above, below]))
    }

    /// The least and the greatest value of an equation's terms but one, and of its constant if all are asked for.
    fn range(
        &self,
        equation: &Equation,
        but: Option<usize>,
        bounds: &[usize],
    ) -> Option<(Poly, Poly)> {
        let constant = match but {
            None => equation.constant.clone(),
            Some(_) => Poly::zero(),
        };
        let (mut low, mut high) = (constant.clone(), constant);
        for (at, (number, coefficient)) in equation.terms.iter().enumerate() {
            if Some(*number) == but {
                continue;
            }
            let unknown = &self.unknowns[*number];
            let most = unknown.highest.get(bounds[at])?.clone();
            let least = match unknown.kind {
                Kind::Difference => -most.clone(),
                Kind::First | Kind::Second => Poly::zero(),
            };
            let (least, most) = match self.sign(coefficient)? {
                Sign::Positive => (least, most),
                Sign::Negative => (most, least),
            };
            low = low + coefficient.clone() * least;
            high = high + coefficient.clone() * most;
        }
        Some((low, high))
    }

    /// Every choice of one bound for each term of an equation.
    fn choices(&self, equation: &Equation) -> impl Iterator<Item = Vec<usize>> + use<> {
        let counts: Vec<usize> = equation
            .terms
            .keys()
            .map(|u| self.unknowns[*u].highest.len().max(1))
            .collect();
        let all: usize = counts.iter().product();
        (0..all).map(move |mut number| {
            counts
                .iter()
                .map(|count| {
                    let own = number % count;
                    number /= count;
                    own
                })
                .collect()
        })
    }

    fn set(&mut self, unknown: usize, value: i128) {
        self.unknowns[unknown].value = Some(value);
        for equation in &mut self.equations {
            if let Some(coefficient) = equation.terms.remove(&unknown) {
                let moved = coefficient * Poly::constant(value);
                equation.constant = std::mem::take(&mut equation.constant) + moved;
            }
        }
    }

    /// Whether a value is one that the unknown cannot have.
    fn is_outside(&self, unknown: usize) -> bool {
        let unknown = &self.unknowns[unknown];
        let Some(value) = unknown.value else {
            return false;
        };
        let distance = match unknown.kind {
            Kind::Difference => value.abs(),
            Kind::First | Kind::Second if value < 0 => return true,
            Kind::First | Kind::Second => value,
        };
        let beyond = |highest: &Poly| Poly::constant(distance - 1) - highest.clone();
        unknown.highest.iter().any(|h| self.proves(&beyond(h)))
    }

    fn sign(&self, poly: &Poly) -> Option<Sign> {
        if self.proves(poly) {
            return Some(Sign::Positive);
        }
        self.proves(&-poly.clone()).then_some(Sign::Negative)
    }

    /// Whether a polynomial is 0 or more for all parameters that the facts allow.
    fn proves(&self, poly: &Poly) -> bool {
        proves(poly, &self.facts, MOST_FACTS)
    }

    /// Whether it is less than 0 for all of them.
    fn refutes(&self, poly: &Poly) -> bool {
        self.proves(&(-poly.clone() - Poly::constant(1)))
    }
}

/// A step that a condition allows.
enum Step {
    NoSolution,
    Value(usize, i128),
}

/// Zero counts as positive.
enum Sign {
    Positive,
    Negative,
}

/// Takes facts, times what is not negative, from a polynomial until no coefficient is negative.
fn proves(poly: &Poly, facts: &[Poly], most: usize) -> bool {
    if poly.is_never_negative() {
        return true;
    }
    if most == 0 {
        return false;
    }
    // One negative term has to go with one of the facts.
    facts.iter().any(|fact| {
        let left = poly.without_negative_term(fact);
        left.is_some_and(|left| proves(&left, facts, most - 1))
    })
}
