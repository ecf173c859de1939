//! Steps: a loop whose iterations follow each other, in one gang. All of its threads do what stands between the inner loops, deal out the
//! iterations of these, and wait for each other behind each.
//!
//! ```text
//! for step in 0..steps {                              every thread
//!     …                                               every thread, with the same values
//!     for k in (thread..count).step_by(threads) { … }
//!     barrier: has an iteration failed?               if so, no step follows
//! }
//! ```
//!
//! Symbols: `W`, the iterations of a step at most, is the count of the second dimension of the space, and less than 2^31. Iteration `k` of
//! an inner loop in step `s` is number `s * W + k` of the loop. The first inner loop of a step in which one fails ends the kernel, so that
//! the earliest number is that of the iteration at which the sequential loop panics.

use accrue_ptx::writer::{Class, Label, Operand, Reg};
use accrue_ptx::{emit, value};

use super::emitter::{Emitter, Item, Number, Result};
use super::overlapped::Overlapping;
use super::spans::Spans;
use super::value::{Num, Value};
use crate::ir::visit::Visit;
use crate::ir::{
    ArrayId, Block, Expr, ExprKind, ForLoop, LoopLabel, Place, Root, Scalar, StmtKind,
};

/// The largest `W`, which a launch has to keep to.
const MOST_ITERATIONS: u64 = (1 << 31) - 1;

/// What is printed of a loop of steps.
pub(super) struct Steps<'a> {
    /// The loops whose iterations are dealt out.
    dealt: &'a [LoopLabel],
    /// The step, and where the kernel ends.
    pub(super) step: Reg,
    end: Label,
    /// The thread and how many there are, in 64 bits.
    thread: Reg,
    threads: Reg,
    /// The position of the loop that is being dealt out.
    position: Option<Num>,
    /// The first one that is left of a thread, where it has taken some already.
    first: Option<Reg>,
    /// Registers for where the step before began to read, 0 in the first step.
    before: Vec<Reg>,
    /// Whether a thread takes iterations of a loop one by one.
    one_by_one: bool,
    /// What steps are printed for that gangs take by themselves.
    overlapping: Option<Overlapping>,
}

/// Iterations that a thread takes at a time, where they are short.
const AT_ONCE: u32 = 4;

/// The size of the body of such an iteration, at most, in expressions.
const MOST_AT_ONCE: u32 = 100;

/// Arrays of which the next step's elements are looked for ahead, at most.
const MOST_AHEAD: usize = 4;

/// Whether a body writes captured memory by its last statement alone, to which all ways lead.
pub(super) fn ends_in_store(body: &Block) -> bool {
    #[derive(Default)]
    struct Finder {
        stores: u32,
        leaves: bool,
    }
    impl Visit for Finder {
        fn store(&mut self, place: &Place) {
            self.stores += u32::from(matches!(place.root, Root::Array(_)));
            self.place_parts(place);
        }
        fn expr(&mut self, e: &Expr) {
            self.leaves |= matches!(
                e.kind,
                ExprKind::Continue(_) | ExprKind::Break(..) | ExprKind::Panic(_)
            );
            self.expr_parts(e);
        }
    }
    let last = match body.stmts.last().map(|last| &last.kind) {
        Some(StmtKind::Assign(place, _) | StmtKind::Compound(place, ..)) => place,
        _ => return false,
    };
    let mut found = Finder::default();
    found.block(body);
    let is_captured = matches!(last.root, Root::Array(_));
    is_captured && found.stores == 1 && !found.leaves && body.tail.is_none()
}

impl<'a> Emitter<'a> {
    /// Prints the loop.
    pub(super) fn by_steps(
        &mut self,
        dealt: &'a [LoopLabel],
        swaps: &[[ArrayId; 2]],
    ) -> Result<()> {
        let (again, end) = (self.f().label("step"), self.f().label("end_steps"));
        let (begin, count) = match self.overlap {
            Some(overlap) => self.some_steps(dealt, overlap, end)?,
            None => (0.into(), self.inputs.counts[0]),
        };
        let f = self.f();
        let step = value!(f, "step", "mov.u64", begin);
        self.take_steps(dealt, step, end, None);
        let f = self.f();
        f.place(again);
        f.keep_rolled();
        let beyond = value!(f, "beyond", "setp.ge.u64", step, count);
        f.branch_if(beyond, true, end);
        self.abandoned = Some(end);
        self.item(Number::At(step), None, true)?;
        for [a, b] in swaps {
            let [a, b] = [a, b].map(|id| self.inputs.pointers[id]);
            let f = self.f();
            let kept = value!(f, "kept", "mov.b64", a);
            f.assign(a, b);
            f.assign(b, kept);
        }
        let f = self.f();
        emit!(f, "add.u64", step, step, 1);
        f.branch(again, false);
        f.place(end);
        Ok(())
    }

    /// What is printed from here on is of steps.
    pub(super) fn take_steps(
        &mut self,
        dealt: &'a [LoopLabel],
        step: Reg,
        end: Label,
        overlapping: Option<Overlapping>,
    ) {
        let gang = self.kernel.gang;
        let f = self.f();
        let thread = value!(f, "thread", "cvt.u64.u32", gang.thread);
        let threads = value!(f, "threads", "cvt.u64.u32", gang.threads);
        let before = (0..MOST_AHEAD).map(|_| value!(f, "before", "mov.u64", 0));
        let before = before.collect();
        self.steps = Some(Steps {
            dealt,
            step,
            end,
            thread,
            threads,
            position: None,
            first: None,
            before,
            one_by_one: false,
            overlapping,
        });
    }

    /// What steps are printed for that gangs take by themselves.
    pub(super) fn overlapping(&self) -> Option<&Overlapping> {
        self.steps.as_ref()?.overlapping.as_ref()
    }

    /// Whether a loop's iterations are dealt out.
    pub(super) fn is_dealt(&self, inner: &ForLoop) -> bool {
        let steps = self.steps.as_ref();
        steps.is_some_and(|steps| steps.dealt.contains(&inner.label))
    }

    /// Prints an inner loop whose iterations are dealt out.
    pub(super) fn deal(&mut self, inner: &'a ForLoop) -> Result<Value> {
        let count = self.expr(&inner.count)?;
        if count.is_never() {
            return Ok(count);
        }
        let low = self.low(count.num());
        let low = self.first_operand(low, Class::B32);
        let count = Num {
            operand: low,
            narrow: true,
            max: Some(MOST_ITERATIONS),
            ..count.num()
        };
        if let (Some(_), Some(overlap)) = (self.overlapping(), self.overlap) {
            self.deal_overlapped(inner, count, overlap)?;
            return Ok(Value::Unit);
        }
        let f = self.f();
        let (done, fails) = (f.label("dealt"), f.label("fails"));
        let failed = value!(f, "failed", "mov.b32", 0);
        let part = Item {
            failed: None,
            ..self.item.clone()
        };
        let whole = std::mem::replace(&mut self.item, part);
        self.dealt_positions(inner, count)?;
        let part = std::mem::replace(&mut self.item, whole);
        self.f().place(done);
        let Some(told) = part.failed else {
            emit!(self.f(), "bar.sync", 0);
            return Ok(Value::Unit);
        };
        let f = self.f();
        f.open_out_of_line();
        f.place(told.label);
        self.kernel.report_in_full(told.iteration, told.told);
        let f = self.f();
        f.branch(fails, false);
        f.place(fails);
        f.assign(failed, 1);
        f.branch(done, false);
        f.close_out_of_line();
        let end = self.steps.as_ref().map_or(done, |steps| steps.end);
        let f = self.f();
        let failed = value!(f, "failed", "setp.ne.u32", failed, 0);
        let any = f.reg(Class::Pred, "any_failed");
        emit!(f, "bar.red.or.pred", any, 0, failed);
        f.branch_if(any, true, end);
        Ok(Value::Unit)
    }

    /// The iterations of a thread: without checks where those of all threads need none.
    fn dealt_positions(&mut self, inner: &'a ForLoop, count: Num) -> Result<()> {
        let spans = self.spans(inner, count)?.map(|(spans, _)| spans);
        // What all iterations update cannot be each one's own.
        let Some(mut spans) = spans.filter(|spans| !spans.keeps()) else {
            self.forget_spans();
            if let Some(steps) = &mut self.steps {
                steps.one_by_one = true;
            }
            self.positions_of(inner, count, None)?;
            return Ok(());
        };
        let (checked, done) = (self.f().label("checked"), self.f().label("end_spans"));
        self.f().branch_if(spans.inside, false, checked);
        self.find_ahead(&mut spans);
        self.share_spans(&mut spans);
        let is_short = spans.size <= MOST_AT_ONCE && ends_in_store(&inner.body);
        if is_short {
            for several in [AT_ONCE, AT_ONCE / 2] {
                self.at_once(several, inner, count, &spans)?;
            }
        }
        if let Some(steps) = &mut self.steps {
            steps.one_by_one |= !is_short;
        }
        self.positions_of(inner, count, Some(&spans))?;
        self.end_spans(spans, inner.count.source)?;
        self.f().place(done);
        self.f().open_out_of_line();
        self.f().place(checked);
        self.positions_of(inner, count, None)?;
        self.f().branch(done, false);
        self.f().close_out_of_line();
        Ok(())
    }

    /// So many iterations at a time, as long as the thread has them: what they read is under way together, since none of them writes
    /// before.
    fn at_once(
        &mut self,
        several: u32,
        inner: &'a ForLoop,
        count: Num,
        spans: &Spans<'a>,
    ) -> Result<()> {
        let (thread, threads) = (self.kernel.gang.thread, self.kernel.gang.threads);
        let end = self.low(count);
        let position = match self.steps.as_ref().and_then(|steps| steps.first) {
            Some(position) => position,
            None => value!(self.f(), "position", "mov.b32", thread),
        };
        let f = self.f();
        let (again, done) = (f.label("several"), f.label("end_several"));
        f.place(again);
        let mut all = vec![position];
        let mut last = position;
        for _ in 1..several {
            last = value!(f, "other", "add.u32", last, threads);
            all.push(last);
        }
        let beyond = value!(f, "beyond", "setp.ge.u32", last, end);
        f.branch_if(beyond, true, done);
        let mut stores = Vec::new();
        for at in all {
            let num = Num {
                narrow: true,
                ..Num::reg(Scalar::Usize, at)
            };
            let num = num.at_most(MOST_ITERATIONS - 1);
            self.begin_deal(inner, num);
            self.frame().vars.insert(inner.position, Value::Num(num));
            self.look_ahead(spans);
            let (last, before) = inner.body.stmts.split_last().expect("it ends in a store");
            for stmt in before {
                self.stmt(stmt)?;
            }
            stores.extend(self.put_off(last)?);
            self.step_spans(spans);
        }
        for store in &stores {
            self.write(store)?;
        }
        let f = self.f();
        emit!(f, "add.u32", position, last, threads);
        f.branch(again, false);
        f.place(done);
        if let Some(steps) = &mut self.steps {
            steps.first = Some(position);
        }
        Ok(())
    }

    /// Iterations that a thread takes at a time.
    pub(super) fn steps_at_once(&self) -> u32 {
        match &self.steps {
            Some(steps) if !steps.one_by_one => AT_ONCE,
            _ => 1,
        }
    }

    /// Finds where the next step reads what nobody writes, if it is as far from here as this step's is from the one before.
    fn find_ahead(&mut self, spans: &mut Spans<'a>) {
        for (at, by, array, size) in std::mem::take(&mut spans.read) {
            let before = self.steps.as_mut().and_then(|steps| steps.before.pop());
            let Some(before) = before else { return };
            let (length, size) = (self.array_length(array), self.wide(size));
            let length = self.reg(length);
            let pointer = self.inputs.pointers[&array];
            let last = spans.last;
            let f = self.f();
            let bytes = value!(f, "bytes", "mul.lo.u64", length, size);
            let distance = value!(f, "distance", "sub.u64", at, before);
            f.assign(before, at);
            let first = value!(f, "first", "add.u64", at, distance);
            let first = value!(f, "first", "sub.u64", first, pointer);
            let end = value!(f, "end", "mad.lo.u64", last, by, first);
            let there = value!(f, "there", "setp.lt.u64", first, bytes);
            let there = value!(f, "there", "setp.lt.and.u64", end, bytes, there);
            let distance = value!(f, "distance", "selp.b64", distance, 0, there);
            spans.ahead.push((at, distance));
        }
    }

    /// Has what the next step reads come into the cache.
    pub(super) fn look_ahead(&mut self, spans: &Spans<'a>) {
        for &(at, distance) in &spans.ahead {
            let f = self.f();
            let at = value!(f, "ahead", "add.u64", at, distance);
            emit!(f, "prefetch.global.L2", Operand::At(at, 0));
        }
    }

    /// Has addresses begin at the thread's first iteration, and go on by those of all threads.
    fn share_spans(&mut self, spans: &mut Spans<'a>) {
        let Some(Steps {
            thread, threads, ..
        }) = self.steps
        else {
            return;
        };
        for (at, by) in spans.steps_mut() {
            let f = self.f();
            emit!(f, "mad.lo.u64", *at, thread, *by, *at);
            *by = value!(f, "step", "mul.lo.u64", threads, *by).into();
        }
    }

    /// The first position of an inner loop that the thread takes, and how far the next one is, in 32 bits; notes the position.
    pub(super) fn begin_deal(
        &mut self,
        inner: &ForLoop,
        position: Num,
    ) -> Option<(Operand, Operand)> {
        if !self.is_dealt(inner) {
            return None;
        }
        let gang = self.kernel.gang;
        let steps = self.steps.as_mut()?;
        steps.position = Some(position);
        let first = steps.first.unwrap_or(gang.thread);
        Some((first.into(), gang.threads.into()))
    }

    /// The loop that was dealt out has been printed.
    pub(super) fn end_deal(&mut self, inner: &ForLoop) {
        if self.is_dealt(inner)
            && let Some(steps) = &mut self.steps
        {
            steps.position = None;
            steps.first = None;
        }
    }

    /// The number of the current iteration, or of the first one of the step.
    pub(super) fn iteration_of_step(&mut self) -> Option<Reg> {
        let &Steps { step, position, .. } = self.steps.as_ref()?;
        let width = self.inputs.counts[1];
        Some(match position {
            Some(position) => {
                let position = self.reg(position);
                let f = self.f();
                value!(f, "iteration", "mad.lo.u64", step, width, position)
            }
            None => value!(self.f(), "iteration", "mul.lo.u64", step, width),
        })
    }

    /// The positions of a step.
    pub(super) fn positions_of_step(&mut self) -> Option<Vec<Reg>> {
        let step = self.steps.as_ref()?.step;
        let none = value!(self.f(), "position", "mov.u64", 0);
        Some(vec![step, none])
    }

    /// A length in 32 bits, or 2^32 - 1 where it is larger: what is the same for all iterations of a step is computed once.
    pub(super) fn clip(&mut self, length: Num) -> Option<Reg> {
        self.steps.as_ref()?;
        let length = match length.operand {
            Operand::Reg(reg) if reg.class == Class::B64 && length.ty == Scalar::Usize => reg,
            _ => return None,
        };
        let f = self.f();
        let clipped = value!(f, "clipped", "min.u64", length, i64::from(u32::MAX));
        Some(value!(f, "clipped", "cvt.u32.u64", clipped))
    }
}
