//! The system of equations of two accesses, and what follows from it.

use std::cell::Cell;
use std::rc::Rc;

use super::poly::{Param, Poly, gcd};
use super::{Access, Affine, LoopVar, Nest, Verdict};
use crate::sorted::{self, Sorted};

/// Facts that a proof may add up, at most.
const MOST_FACTS: usize = 4;

/// Choices of the parameters that are tried before a proof is looked for.
const SAMPLES: u32 = 96;

/// Bounds of one extent that are tried, at most.
const MOST_BOUNDS: usize = 3;

/// Steps of proofs for two accesses, at most. What is not shown by then is not known: a build does not wait for a nest that nobody writes. Of
/// 6000 drawn nests 16 times as many steps show two more to be apart.
const MOST_STEPS: u32 = 1 << 14;

/// A verdict that rests on so many conditions for run time at most.
pub(super) fn verdict(nest: &Nest, a: &Access, b: &Access, conditions: usize) -> Verdict {
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
    match (plain.search(conditions), distances) {
        (Some(conditions), _) => Verdict::ApartIf(conditions),
        (None, Some(distances)) => Verdict::Meet(distances),
        (None, None) => Verdict::Unknown,
    }
}

/// Whether a form is 0 or more at all positions of the loops.
pub(super) fn never_negative(nest: &Nest, form: &Affine) -> bool {
    let (system, _) = System::of(nest);
    let rest = form.rest().clone();
    let minus = form
        .clone()
        .plus(&Affine::constant(-rest.clone()))
        .times(&Poly::constant(-1));
    (0..MOST_BOUNDS).any(|bound| {
        let greatest = system.greatest(minus.clone(), &|var| match bound {
            // Not all variables have as many.
            bound if bound < system.bounds[var.0].len() => bound,
            _ => 0,
        });
        greatest.is_some_and(|greatest| system.proves(&(rest.clone() - greatest)))
    })
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
#[derive(Clone, Debug, Default)]
struct Equation {
    terms: Sorted<usize, Poly>,
    constant: Poly,
    /// Whether it is not to be split.
    whole: bool,
    /// Whether it has been asked for the sums of either iteration.
    parted: bool,
}

impl Equation {
    /// It and another, so many times.
    fn plus(&self, other: &Equation, times: i128) -> Equation {
        let times = Poly::constant(times);
        let mut terms = self.terms.clone();
        for (unknown, coefficient) in other.terms.iter() {
            let own = terms.remove(unknown).unwrap_or_default();
            let sum = own + coefficient.clone() * times.clone();
            if !sum.is_zero() {
                terms.insert(*unknown, sum);
            }
        }
        Equation {
            terms,
            constant: self.constant.clone() + other.constant.clone() * times,
            whole: true,
            parted: false,
        }
    }
}

/// An equation between numbers.
struct Row {
    terms: Sorted<usize, i128>,
    constant: i128,
}

impl Row {
    /// Takes an unknown out, which another equation has once or minus once; false where numbers become too large.
    fn without(&mut self, unknown: usize, pivot: &Row) -> bool {
        let Some(own) = self.terms.get(&unknown) else {
            return true;
        };
        let times = own * pivot.terms[&unknown];
        let less = |a: i128, b: i128| a.checked_sub(b.checked_mul(times)?);
        let parts = pivot.terms.iter().map(|(of, c)| {
            let left = less(self.terms.get(of).copied().unwrap_or(0), *c)?;
            Some((*of, left))
        });
        let Some(parts) = parts.collect::<Option<Vec<_>>>() else {
            return false;
        };
        let Some(constant) = less(self.constant, pivot.constant) else {
            return false;
        };
        self.constant = constant;
        for (of, left) in parts {
            self.terms.insert(of, left);
        }
        self.terms.retain(|_, c| *c != 0);
        true
    }

    fn has_no_solution(&self) -> bool {
        let divisor = self.terms.values().fold(0, |g, c| gcd(g, *c));
        divides_not(divisor, self.constant)
    }
}

/// Whether no whole numbers solve an equation with this constant, by what divides all of its coefficients: 0 where it has none.
fn divides_not(divisor: i128, constant: i128) -> bool {
    match divisor {
        0 => constant != 0,
        divisor => constant % divisor != 0,
    }
}

#[derive(Clone, Debug)]
struct System<'a> {
    nest: &'a Nest,
    /// What is 0 or more.
    facts: Vec<Poly>,
    /// Choices of the parameters for which all of it is.
    samples: Vec<u32>,
    /// Steps of proofs that are left, of it and of what it was copied from.
    left: Rc<Cell<u32>>,
    /// Bounds of the number of positions of each variable.
    bounds: Vec<Vec<Affine>>,
    unknowns: Vec<Unknown>,
    equations: Vec<Equation>,
}

impl<'a> System<'a> {
    /// A nest alone, and the highest position of each variable.
    fn of(nest: &'a Nest) -> (System<'a>, Vec<Vec<Poly>>) {
        let mut system = System {
            nest,
            facts: Vec::new(),
            samples: (0..SAMPLES).collect(),
            left: Rc::new(Cell::new(MOST_STEPS)),
            bounds: Vec::new(),
            unknowns: Vec::new(),
            equations: Vec::new(),
        };
        system.know(nest.facts.iter().cloned());
        let highest = system.highest();
        // An iteration that has an access is there, so that no extent is 0.
        system.know(highest.iter().flatten().cloned());
        (system, highest)
    }

    /// Notes what is 0 or more.
    fn know(&mut self, more: impl Iterator<Item = Poly>) {
        let before = self.facts.len();
        self.facts.extend(more);
        let new = &self.facts[before..];
        self.samples.retain(|n| {
            new.iter()
                .all(|fact| at_sample(fact, *n).is_none_or(|v| v >= 0))
        });
    }

    /// The equations of two accesses; `None` where the array's dimensions differ.
    fn new(nest: &'a Nest, a: &Access, b: &Access) -> Option<System<'a>> {
        if a.indices.len() != b.indices.len() {
            return None;
        }
        let (mut system, highest) = System::of(nest);
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
            let mut terms = Sorted::new();
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
                whole: false,
                parted: false,
            });
        }
        Some(system)
    }

    /// The highest position of each variable, over all outer positions: a list of bounds for each.
    fn highest(&mut self) -> Vec<Vec<Poly>> {
        let mut all: Vec<Vec<Poly>> = Vec::new();
        for extent in &self.nest.vars {
            let bounds = extent
                .most
                .iter()
                .filter_map(|most| {
                    let mut bound = most.rest().clone() - Poly::constant(1);
                    for (outer, highest) in all.iter().enumerate() {
                        let coefficient = most.coefficient(LoopVar(outer));
                        if coefficient.is_zero() {
                            continue;
                        }
                        match self.sign(&coefficient)? {
                            Sign::Positive => {
                                bound = bound + coefficient * highest.first()?.clone();
                            }
                            // It is highest where the outer position is 0.
                            Sign::Negative => {}
                        }
                    }
                    Some((most.clone(), bound))
                })
                .take(MOST_BOUNDS);
            let (bounds, highest) = bounds.unzip();
            self.bounds.push(bounds);
            all.push(highest);
        }
        all
    }

    /// The greatest value of a sum of loop variables: each is put at its highest position, over those outside it, or at 0. So what one bound says of
    /// several, `i < n - start`, is used for their sum. `bounds` says which of its bounds to take for each.
    fn greatest(&self, mut of: Affine, bounds: &dyn Fn(LoopVar) -> usize) -> Option<Poly> {
        for number in (0..self.nest.vars.len()).rev() {
            let var = LoopVar(number);
            let coefficient = of.coefficient(var);
            if coefficient.is_zero() {
                continue;
            }
            let gone = Affine::var(var).times(&-coefficient.clone());
            of = of.plus(&gone);
            if let Sign::Positive = self.sign(&coefficient)? {
                let most = self.bounds[number].get(bounds(var))?.clone();
                let highest = most.plus(&Affine::constant(Poly::constant(-1)));
                of = of.plus(&highest.times(&coefficient));
            }
        }
        of.as_poly().cloned()
    }

    /// Follows all rules until nothing more follows.
    fn follow(&mut self) -> Followed {
        loop {
            if self.has_no_solution() {
                return Followed::NoSolution;
            }
            let Some((unknown, value)) = self.known_value() else {
                if self.split() || self.part() {
                    continue;
                }
                return match self.contradicts() {
                    true => Followed::NoSolution,
                    false => Followed::Settled,
                };
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
                        _ if self.are_equal(first, second) => Some(Some(0)),
                        _ => None,
                    },
                    _ => None,
                }
            })
            .collect()
    }

    /// Whether an equation, or two of them, say that two unknowns are the same number.
    fn are_equal(&self, a: usize, b: usize) -> bool {
        let says = |equation: &Equation| {
            let both = equation.terms.get(&a).zip(equation.terms.get(&b));
            let opposite = both.is_some_and(|(x, y)| (x.clone() + y.clone()).is_zero());
            opposite && equation.terms.len() == 2 && equation.constant.is_zero()
        };
        let all = &self.equations;
        let sums = |x: &Equation| {
            let mut both = all.iter().flat_map(|y| [x.plus(y, 1), x.plus(y, -1)]);
            both.any(|sum| says(&sum))
        };
        all.iter().any(says) || all.iter().any(sums)
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
        sorted::by_key(&mut candidates, |(conditions, step)| {
            (conditions.len(), whole(step))
        });
        let mut best: Option<Vec<Poly>> = None;
        for (conditions, step) in candidates {
            let room = best.as_ref().map_or(most, |b| b.len() - 1);
            if self.left.get() == 0 {
                break;
            }
            if conditions.len() > room {
                continue;
            }
            let mut next = self.clone();
            next.know(conditions.iter().cloned());
            // Together they hold of no call, as far as small numbers tell.
            let tells = conditions.iter().all(Poly::is_of_small_numbers);
            if tells && next.samples.is_empty() && !self.samples.is_empty() {
                continue;
            }
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
                    let found = self.digit(equation, *unknown, &bounds, 0);
                    let Some((value, conditions)) = found else {
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
            if constant.is_some_and(|constant| divides_not(divisor, constant)) {
                return true;
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

    /// Whether equations between numbers contradict each other: one unknown after the other is replaced by what an equation says that it is, and
    /// what is left of another has no solution by its divisors. Only what is a [multiple](Nest::vars) of something, with a variable of which
    /// nothing is known, is worth the search.
    fn contradicts(&self) -> bool {
        if self.nest.vars.iter().all(|var| !var.most.is_empty()) {
            return false;
        }
        let row = |equation: &Equation| {
            let terms = equation.terms.iter();
            let terms = terms.map(|(unknown, c)| Some((*unknown, c.as_constant()?)));
            Some(Row {
                terms: terms.collect::<Option<_>>()?,
                constant: equation.constant.as_constant()?,
            })
        };
        let mut rows: Vec<Row> = self.equations.iter().filter_map(row).collect();
        while let Some((at, unknown)) = rows.iter().enumerate().find_map(|(at, row)| {
            let unit = row.terms.iter().find(|(_, c)| c.abs() == 1);
            unit.map(|(unknown, _)| (at, *unknown))
        }) {
            let pivot = rows.swap_remove(at);
            let holds = rows.iter_mut().all(|row| row.without(unknown, &pivot));
            if !holds {
                return false;
            }
            if rows.iter().any(Row::has_no_solution) {
                return true;
            }
        }
        false
    }

    /// An unknown that can have one value only.
    fn known_value(&self) -> Option<(usize, i128)> {
        for (number, unknown) in self.unknowns.iter().enumerate() {
            let only = unknown.highest.iter().any(|h| self.proves(&-h.clone()));
            if unknown.value.is_none() && only {
                return Some((number, 0));
            }
        }
        let digit = |equation: &Equation| {
            equation.terms.keys().find_map(|unknown| {
                self.choices(equation).find_map(|bounds| {
                    [0, -1, 1].into_iter().find_map(|beside| {
                        let found = self.digit(equation, *unknown, &bounds, beside);
                        let (value, conditions) = found?;
                        let holds = conditions.iter().all(|c| self.proves(c));
                        holds.then_some((*unknown, value))
                    })
                })
            })
        };
        self.equations
            .iter()
            .find_map(|equation| digit(equation).or_else(|| self.least(equation)))
    }

    /// An unknown of an equation that says of some positions that their sum is 0: each of them is.
    fn least(&self, equation: &Equation) -> Option<(usize, i128)> {
        let mut terms = equation.terms.iter();
        let positions = terms.all(|(unknown, coefficient)| {
            let position = self.unknowns[*unknown].kind != Kind::Difference;
            position && coefficient.as_constant().is_some()
        });
        let mut signs = equation.terms.values().map(Poly::leads_negative);
        let first = signs.next()?;
        let zero = equation.constant.is_zero() && positions && signs.all(|sign| sign == first);
        zero.then(|| equation.terms.keys().next().map(|unknown| (*unknown, 0)))?
    }

    /// Makes two equations of one, `n * (i - k) + (j - l) = 0` where `|j - l| < n`, if there is one like that: both sums are 0. So is their difference, in
    /// which it may show that they cannot be.
    fn split(&mut self) -> bool {
        for number in 0..self.equations.len() {
            if self.equations[number].whole {
                continue;
            }
            let Some((high, low)) = self.digits(&self.equations[number]) else {
                self.equations[number].whole = true;
                continue;
            };
            let both = [high.plus(&low, 1), high.plus(&low, -1)];
            self.equations[number] = high;
            self.equations.push(low);
            self.equations.extend(both);
            return true;
        }
        false
    }

    /// Makes two more equations of one that says of a sum of each iteration that both together are 0, `(i - j) + (k - l) = 0` where `j <= i` and
    /// `l <= k`, if there is one like that: both are 0 where neither can be less, or neither more.
    fn part(&mut self) -> bool {
        for number in 0..self.equations.len() {
            let equation = &mut self.equations[number];
            if std::mem::replace(&mut equation.parted, true) || !equation.constant.is_zero() {
                continue;
            }
            let equation = &self.equations[number];
            let of = |kind| {
                let own = |unknown: &usize| self.unknowns[*unknown].kind == kind;
                let terms = equation.terms.iter().filter(|(unknown, _)| own(unknown));
                Equation {
                    terms: terms.map(|(unknown, c)| (*unknown, c.clone())).collect(),
                    constant: Poly::zero(),
                    whole: true,
                    parted: true,
                }
            };
            let parts = [of(Kind::First), of(Kind::Second)];
            let all = parts[0].terms.len() + parts[1].terms.len() == equation.terms.len();
            if !all || parts.iter().any(|part| part.terms.is_empty()) {
                continue;
            }
            let bounded = |part: &Equation, above: bool| {
                self.choices(part).any(|bounds| {
                    let range = self.range(part, None, &bounds);
                    range.is_some_and(|(low, high)| self.proves(&if above { low } else { -high }))
                })
            };
            if [true, false]
                .iter()
                .any(|above| parts.iter().all(|part| bounded(part, *above)))
            {
                self.equations.extend(parts);
                return true;
            }
        }
        false
    }

    /// An equation by one of its coefficients: the quotients, and the rests, if their sum is less than it.
    fn digits(&self, equation: &Equation) -> Option<(Equation, Equation)> {
        let mut tried: Vec<Poly> = Vec::new();
        for by in equation.terms.values() {
            let by = match by.leads_negative() {
                true => -by.clone(),
                false => by.clone(),
            };
            if tried.contains(&by) || by.as_constant().is_some_and(|by| by <= 1) {
                continue;
            }
            tried.push(by.clone());
            let (mut high, mut low) = (Equation::default(), Equation::default());
            for (unknown, coefficient) in equation.terms.iter() {
                let (quotient, rest) = coefficient.divide(&by)?;
                if quotient != 0 {
                    high.terms.insert(*unknown, Poly::constant(quotient));
                }
                if !rest.is_zero() {
                    low.terms.insert(*unknown, rest);
                }
            }
            let (quotient, rest) = equation.constant.divide(&by)?;
            (high.constant, low.constant) = (Poly::constant(quotient), rest);
            if high.terms.len() < 2 || low.terms.is_empty() {
                continue;
            }
            let one = Poly::constant(1);
            let less = |bounds: Vec<usize>| {
                let (least, most) = self.range(&low, None, &bounds)?;
                let above = self.proves(&(by.clone() - most - one.clone()));
                (above && self.proves(&(by.clone() + least - one.clone()))).then_some(())
            };
            if self.choices(&low).any(|bounds| less(bounds).is_some()) {
                (high.whole, low.whole) = (true, true);
                return Some((high, low));
            }
        }
        None
    }

    /// The value that an unknown has if its coefficient is larger than all else together, and what says that it is: each 0 or
    /// more. It is the nearest quotient, or one `beside` that.
    fn digit(
        &self,
        equation: &Equation,
        unknown: usize,
        bounds: &[usize],
        beside: i128,
    ) -> Option<(i128, Vec<Poly>)> {
        let coefficient = &equation.terms[&unknown];
        let (quotient, rest) = equation.constant.divide(coefficient)?;
        let quotient = quotient + beside;
        let rest = rest - coefficient.clone() * Poly::constant(beside);
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
        // The variables of the two iterations are apart: their sums are bounded one by one.
        let (mut first, mut second) = (Affine::default(), Affine::default());
        let mut chosen = Vec::new();
        for (at, (number, coefficient)) in equation.terms.iter().enumerate() {
            if Some(*number) == but {
                continue;
            }
            let Unknown { var, kind, .. } = self.unknowns[*number];
            chosen.push((var, bounds[at]));
            let term = Affine::var(var).times(coefficient);
            match kind {
                Kind::First => first = first.plus(&term),
                Kind::Second => second = second.plus(&term),
                Kind::Difference => {
                    first = first.plus(&term);
                    second = second.plus(&term.times(&Poly::constant(-1)));
                }
            }
        }
        let bound = |var| {
            let own = chosen.iter().find(|(of, _)| *of == var);
            own.map_or(0, |(_, bound)| *bound)
        };
        let minus = Poly::constant(-1);
        let greatest =
            |a: Affine, b: Affine| Some(self.greatest(a, &bound)? + self.greatest(b, &bound)?);
        let low = -greatest(first.times(&minus), second.times(&minus))?;
        let high = greatest(first, second)?;
        let constant = match but {
            None => equation.constant.clone(),
            Some(_) => Poly::zero(),
        };
        let (low, high) = (low + constant.clone(), high + constant);
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
        let mut left = self.left.get();
        let proved = proves(poly, &self.facts, &self.samples, MOST_FACTS, &mut left);
        self.left.set(left);
        proved
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

/// The value of a polynomial for a choice of parameters: small numbers that are as if drawn.
fn at_sample(poly: &Poly, number: u32) -> Option<i128> {
    poly.checked_eval(&|param: Param| {
        let mixed =
            (param.0 + 1).wrapping_mul(0x9e37_79b9) ^ (number + 1).wrapping_mul(0x85eb_ca6b);
        i128::from((mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 29)
    })
}

/// Takes facts, times what is not negative, from a polynomial until no coefficient is negative. Most of what cannot be proved is seen at one of
/// the samples, for which all facts hold. It takes no more steps than are left.
fn proves(poly: &Poly, facts: &[Poly], samples: &[u32], most: usize, left: &mut u32) -> bool {
    if poly.is_never_negative() {
        return true;
    }
    if *left == 0 {
        return false;
    }
    *left -= 1;
    let refuted = |n: &u32| at_sample(poly, *n).is_some_and(|value| value < 0);
    if most == 0 || samples.iter().any(refuted) {
        return false;
    }
    // One negative term has to go with one of the facts.
    facts.iter().any(|fact| {
        let rest = poly.without_negative_term(fact);
        rest.is_some_and(|rest| proves(&rest, facts, samples, most - 1, left))
    })
}
