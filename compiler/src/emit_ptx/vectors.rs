//! The loops over vectors: what is loaded when, and whose bodies run.
//!
//! Symbols as in [`grid`](super::grid). Most loops are a pipeline of two stages: the loads of the next `U` vectors are under
//! way while the bodies of the current ones run, and those of the first ones while the gang makes its copies.
//!
//! Vectors of bytes go *in turn*: a vector's registers are loaded again as soon as its bodies have run. Two sets of vectors are
//! more than the 32 registers that leave room for a second gang, so that the assembler would put off all loads until half of
//! the bodies have run and then wait for them together. And a thread's last vectors are no others than those before,
//! loaded ahead: in a pipeline what is left of `U` vectors is loaded when all else is done, while most gangs have ended.

use accrue_ptx::kernel::Safe;
use accrue_ptx::writer::{Class, Function, Operand, Reg};
use accrue_ptx::{emit, value};

use super::emitter::{Emitter, Number, Result};
use super::grid::{BYTES, Vectors};
use super::rows::Part;
use super::stream::Stream;
use super::together::always_updates;
use super::updates::Updates;

/// Items whose updates wait for each other: each takes several registers.
const GROUP: u32 = 4;

/// Vectors that are loaded, the words of every stream of each.
type Loaded = Vec<Vec<Vec<Reg>>>;

impl Emitter<'_> {
    /// The loops over vectors: `U` at a time, then one at a time. The copies are made behind the first loads.
    ///
    /// Vectors of bytes are worth a first loop without checks of indices that are bytes: 2^28 keys take 65 µs without them
    /// and 85 µs with them (H200, 2026-11-20). So are the tables that rows read by their inner position. Where an array is
    /// too short for any byte or any position, the second loop takes all.
    pub(super) fn vectors(&mut self, vectors: &Vectors, thread: Reg, all: Reg) -> Result<()> {
        let vector = value!(self.f(), "vector", "mov.u64", thread);
        // Gangs recount rarely, which is not worth a long loop.
        let ahead = match self.kernel.is_recounting() {
            true => 1,
            false => self.streams.in_flight,
        };
        let bytes = self.streams.items >= BYTES;
        let in_turn = bytes && ahead > 1 && self.rows.is_none();
        let (first, more) = match in_turn {
            true => self.load_each(vectors, vector, all, ahead),
            false => self.load_ahead(vectors, vector, all, ahead),
        };
        // Rows are only known to be ones behind it.
        self.make_copies();
        let rows = matches!(self.part, Part::Rows { .. });
        let unchecked = !self.kernel.is_recounting() && (bytes || rows);
        if ahead == 1 && !unchecked {
            return self.pipeline(vectors, vector, all, (first, more));
        }
        let f = self.f();
        let (any_byte, choose, left) = (f.label("in_range"), f.label("choose"), f.label("left"));
        // Whether the streams hold all items, which the loop's other bodies check.
        let (held, end) = vectors.held;
        let straight = unchecked && self.kernel.may_go_straight();
        let covered = straight.then(|| value!(self.f(), "covered", "setp.ge.u64", held, end));
        let reports = self.kernel.reports();
        if unchecked {
            self.f().branch(choose, true);
            self.f().place(any_byte);
            self.assumed = Some(Vec::new());
        }
        match in_turn {
            true => self.in_turn(vectors, vector, all, (first, more))?,
            false => self.pipeline(vectors, vector, all, (first, more))?,
        }
        if let Some(assumed) = self.assumed.take() {
            let needless = assumed.is_empty();
            if let Some(covered) = covered
                && self.kernel.reports() == reports
            {
                let lengths = assumed.clone();
                self.kernel.is_safe(Safe { covered, lengths });
            }
            let f = self.f();
            f.open_out_of_line();
            f.place(choose);
            for (length, index) in assumed {
                let short = value!(f, "short", "setp.le.u32", length, index as i64);
                f.branch_if(short, true, left);
            }
            f.branch(any_byte, true);
            f.close_out_of_line();
            if needless && (ahead == 1 || in_turn) {
                return Ok(());
            }
        }
        let f = self.f();
        f.comment("Vectors left.");
        f.place(left);
        let first = self.load_ahead(vectors, vector, all, 1);
        self.pipeline(vectors, vector, all, first)
    }

    /// A loop over as many vectors at a time as have been loaded, from `vector` on, which is then the first one that is left.
    fn pipeline(
        &mut self,
        vectors: &Vectors,
        vector: Reg,
        all: Reg,
        (current, more): (Loaded, Reg),
    ) -> Result<()> {
        let ahead = current.len() as u32;
        let f = self.f();
        let (again, done) = (f.label("vectors"), f.label("end_vectors"));
        let step = match ahead {
            1 => all,
            _ => value!(f, "step", "mul.lo.u64", all, ahead),
        };
        f.branch_if(more, false, done);
        f.place(again);
        let next_vector = value!(self.f(), "next_vector", "add.u64", vector, step);
        let (next, more) = self.load_ahead(vectors, next_vector, all, ahead);
        self.bodies(vectors, vector, all, &current)?;
        let f = self.f();
        emit!(f, "mov.u64", vector, next_vector);
        f.branch_if(more, false, done);
        let next = next.iter().flatten().flatten();
        for (to, from) in current.iter().flatten().flatten().zip(next) {
            f.assign(*to, *from);
        }
        f.branch(again, false);
        f.place(done);
        Ok(())
    }

    /// A loop over one vector at a time, as many of which have been loaded, from `vector` on, which is then the first one that
    /// is not there.
    fn in_turn(
        &mut self,
        vectors: &Vectors,
        vector: Reg,
        all: Reg,
        (loaded, more): (Loaded, Reg),
    ) -> Result<()> {
        let f = self.f();
        let (again, done) = (f.label("vectors"), f.label("end_vectors"));
        let step = value!(f, "step", "mul.lo.u64", all, loaded.len() as u32);
        f.branch_if(more, false, done);
        f.place(again);
        for (n, words) in (0u32..).zip(&loaded) {
            self.vector_bodies(vectors, (vector, all, 0), n, words)?;
            let f = self.f();
            let next = value!(f, "next_vector", "add.u64", vector, step);
            let is_there = value!(f, "is_there", "setp.lt.u64", next, vectors.count);
            self.load_into(vectors, next, Some(is_there), words);
            let f = self.f();
            emit!(f, "add.u64", vector, vector, all);
            let more = value!(f, "more", "setp.lt.u64", vector, vectors.count);
            match n + 1 == loaded.len() as u32 {
                true => f.branch_if(more, true, again),
                false => f.branch_if(more, false, done),
            }
        }
        self.f().place(done);
        Ok(())
    }

    /// The loads of those of `ahead` vectors from `vector` on that are there, and whether the first one is.
    fn load_each(&mut self, vectors: &Vectors, vector: Reg, all: Reg, ahead: u32) -> (Loaded, Reg) {
        let f = self.f();
        let first = value!(f, "more", "setp.lt.u64", vector, vectors.count);
        let mut loaded = vec![self.load_vector(vectors, vector, Some(first))];
        let mut next = vector;
        for _ in 1..ahead {
            let f = self.f();
            next = value!(f, "vector", "add.u64", next, all);
            let is_there = value!(f, "is_there", "setp.lt.u64", next, vectors.count);
            loaded.push(self.load_vector(vectors, next, Some(is_there)));
        }
        (loaded, first)
    }

    /// The loads of `ahead` vectors from `vector` on, and whether there are so many: nothing is loaded otherwise.
    fn load_ahead(
        &mut self,
        vectors: &Vectors,
        vector: Reg,
        all: Reg,
        ahead: u32,
    ) -> (Loaded, Reg) {
        let f = self.f();
        let mut each = vec![vector];
        while each.len() < ahead as usize {
            each.push(value!(f, "vector", "add.u64", each[each.len() - 1], all));
        }
        let last = each[each.len() - 1];
        let more = value!(f, "more", "setp.lt.u64", last, vectors.count);
        let loaded = each.into_iter();
        let loaded = loaded.map(|vector| self.load_vector(vectors, vector, Some(more)));
        (loaded.collect(), more)
    }

    /// The bodies of the items of vectors that are loaded, the first of which is `vector`, for all inner positions.
    fn bodies(
        &mut self,
        vectors: &Vectors,
        vector: Reg,
        all: Reg,
        loaded: &[Vec<Vec<Reg>>],
    ) -> Result<()> {
        self.inner_positions(|emitter| emitter.bodies_once(vectors, vector, all, loaded))
    }

    fn bodies_once(
        &mut self,
        vectors: &Vectors,
        vector: Reg,
        all: Reg,
        loaded: &[Vec<Vec<Reg>>],
    ) -> Result<()> {
        for (ahead, words) in loaded.iter().enumerate() {
            let ahead = ahead as u32;
            self.vector_bodies(vectors, (vector, all, ahead), ahead, words)?;
        }
        Ok(())
    }

    /// The bodies of the items of one vector, the `n`-th that is printed.
    pub(super) fn vector_bodies(
        &mut self,
        vectors: &Vectors,
        at: (Reg, Reg, u32),
        n: u32,
        words: &[Vec<Reg>],
    ) -> Result<()> {
        let items = self.streams.items;
        let rows = self.assumed.is_some() && matches!(self.part, Part::Rows { .. });
        if rows && always_updates(&self.lp.body.block) {
            for first in (0..items).step_by(GROUP as usize) {
                let group = first..items.min(first + GROUP);
                self.together(group, words, |emitter, offset| {
                    emitter.vector_item(vectors, at, n, offset)
                })?;
            }
            return Ok(());
        }
        let writes = self.streams.list.iter().any(|s| s.writes);
        // What an iteration that fails would have carried along is not known.
        let ends = writes || self.carrying.is_some();
        let abandoned = ends.then(|| self.f().label("abandoned"));
        self.abandoned = abandoned;
        let updates = Updates::of(self.lp, self.targets.len());
        self.begin_winners();
        let waits = |t: &usize| updates[*t].single && !self.is_winner(*t);
        let waiting: Vec<usize> = (0..updates.len()).filter(waits).collect();
        for offset in 0..items {
            let (number, commented) = self.vector_item(vectors, at, n, offset);
            waiting.iter().for_each(|t| self.kernel.begin_item(*t));
            self.item(number, Some(words.to_vec()), commented)?;
            if (offset + 1) % GROUP == 0 || offset + 1 == items {
                waiting.iter().for_each(|t| self.kernel.end_group(*t));
            }
        }
        self.end_winners();
        self.abandoned = None;
        if let Some(abandoned) = abandoned {
            self.store_vector(vectors, at);
            self.f().place(abandoned);
        }
        Ok(())
    }

    /// Which iteration an item of a vector is, `ahead` strides behind one, and whether it is the first that is printed, whose
    /// statements are commented; the others say that they are like it.
    pub(super) fn vector_item(
        &mut self,
        vectors: &Vectors,
        (vector, stride, ahead): (Reg, Reg, u32),
        n: u32,
        offset: u32,
    ) -> (Number, bool) {
        let printed = n * self.streams.items + offset;
        if printed > 0 {
            self.f()
                .comment(&format!("Item {printed}, like the first."));
        }
        let number = Number::Vector {
            vector,
            stride,
            ahead,
            begin: vectors.begin,
            offset,
        };
        (number, printed == 0)
    }

    /// Loads one vector of every stream, as words, where a predicate holds if there is one.
    pub(super) fn load_vector(
        &mut self,
        vectors: &Vectors,
        vector: Reg,
        when: Option<Reg>,
    ) -> Vec<Vec<Reg>> {
        let all = self.vector_words();
        self.load_into(vectors, vector, when, &all);
        all
    }

    /// Registers for one vector of every stream.
    pub(super) fn vector_words(&mut self) -> Vec<Vec<Reg>> {
        let streams = self.streams;
        let words = |stream: &Stream| {
            let bytes = stream.item_bytes() * streams.items;
            let words = match stream.reads {
                true => bytes.div_ceil(4).max(1),
                false => 0,
            };
            let name = &self.lp.array(stream.array).name;
            (0..words)
                .map(|_| self.kernel.function.reg(Class::B32, name))
                .collect()
        };
        streams.list.iter().map(words).collect()
    }

    /// The same into registers that are there.
    fn load_into(&mut self, vectors: &Vectors, vector: Reg, when: Option<Reg>, into: &[Vec<Reg>]) {
        let streams = self.streams;
        for ((stream, start), words) in streams.list.iter().zip(&vectors.starts).zip(into) {
            if !stream.reads {
                continue;
            }
            let bytes = stream.item_bytes() * streams.items;
            let width = stream.width(streams.items);
            let name = &self.lp.array(stream.array).name;
            let f = self.f();
            let at = value!(
                f,
                &format!("{name}_at"),
                "mad.lo.u64",
                vector,
                bytes,
                *start
            );
            let from = match stream.writes {
                true => "global",
                false => "global.nc",
            };
            load_words(f, from, at, width, when, words);
        }
    }
}

/// Loads words from an address on, `width` bytes at a time.
pub(super) fn load_words(
    f: &mut Function,
    from: &str,
    at: Reg,
    width: u32,
    when: Option<Reg>,
    words: &[Reg],
) {
    for (offset, regs) in (0i64..).zip(words.chunks(width as usize / 4)) {
        let at = Operand::At(at, offset * i64::from(width));
        let opcode = match regs.len() {
            4 => format!("ld.{from}.v4.u32"),
            2 => format!("ld.{from}.v2.u32"),
            _ => format!("ld.{from}.u32"),
        };
        let opcode = opcode.as_str();
        match (when, regs) {
            (None, [reg]) => f.op(opcode, &[(*reg).into(), at]),
            (None, _) => f.load_vector(opcode, regs, at),
            (Some(when), [reg]) => f.op_if(when, true, opcode, &[(*reg).into(), at]),
            (Some(when), _) => f.load_vector_if(when, opcode, regs, at),
        }
    }
}
