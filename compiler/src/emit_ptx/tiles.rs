//! The loop over iterations where updates are gathered: all threads of a gang take a tile of items together.
//!
//! Threads leave the loops of `grid` one after the other; here the gang leaves them as one, when the first of its threads
//! has nothing left. A thread that has nothing before skips the bodies and not what ends the tile, which has barriers.
//! Items before and behind the vectors are few; their updates are not gathered.

use accrue_ptx::writer::Reg;
use accrue_ptx::{emit, value};

use super::emitter::{Emitter, Number, Result};
use super::grid::Vectors;

impl Emitter<'_> {
    /// Tiles of vectors, `U` for each thread.
    pub(super) fn tiled_vectors(&mut self, vectors: &Vectors, thread: Reg, all: Reg) -> Result<()> {
        let (items, in_flight) = (self.streams.items, self.streams.in_flight);
        let vector = value!(self.f(), "vector", "mov.u64", thread);
        let step = value!(self.f(), "tile", "mul.lo.u64", all, in_flight);
        let last = value!(self.f(), "last_vector", "sub.u64", vectors.count, 1);
        self.make_copies();
        let (again, done) = (self.f().label("tiles"), self.f().label("end_tiles"));
        self.f().place(again);
        let beyond = self.first_is_beyond(vector, vectors.count);
        self.f().branch_if(beyond, true, done);
        self.kernel.begin_tile();
        // All loads first, then all bodies. A thread without a vector loads the last one.
        let mut loaded = Vec::new();
        let mut at = vector;
        for n in 0..in_flight {
            if n > 0 {
                at = value!(self.f(), "vector", "add.u64", at, all);
            }
            let inside = value!(self.f(), "inside", "setp.lt.u64", at, vectors.count);
            let known = value!(self.f(), "known", "min.u64", at, last);
            loaded.push((inside, self.load_vector(vectors, known, None)));
        }
        for (ahead, (inside, words)) in (0..).zip(loaded) {
            self.kernel.begin_items(items);
            let skip = self.f().label("no_vector");
            self.f().branch_if(inside, false, skip);
            for offset in 0..items {
                let (number, commented) =
                    self.vector_item(vectors, (vector, all, ahead), ahead, offset);
                self.item(number, Some(words.clone()), commented)?;
            }
            self.f().place(skip);
        }
        self.kernel.end_tile();
        emit!(self.f(), "add.u64", vector, vector, step);
        self.f().branch(again, false);
        self.f().place(done);
        Ok(())
    }

    /// Tiles of items, `U` for each thread.
    pub(super) fn tiled_items(&mut self, item: Reg, end: Reg, all: Reg) -> Result<()> {
        let (again, done) = (self.f().label("tiles"), self.f().label("end_tiles"));
        self.f().place(again);
        let beyond = self.first_is_beyond(item, end);
        self.f().branch_if(beyond, true, done);
        self.kernel.begin_tile();
        for number in 0..self.streams.in_flight {
            if number > 0 {
                self.f().comment(&format!("Item {number}, like the first."));
            }
            self.kernel.begin_items(1);
            let skip = self.f().label("no_item");
            let outside = value!(self.f(), "outside", "setp.ge.u64", item, end);
            self.f().branch_if(outside, true, skip);
            self.item(Number::At(item), None, number == 0)?;
            self.f().place(skip);
            emit!(self.f(), "add.u64", item, item, all);
        }
        self.kernel.end_tile();
        self.f().branch(again, false);
        self.f().place(done);
        Ok(())
    }

    /// Whether the gang's first thread has nothing left, if `at` is where this thread is.
    fn first_is_beyond(&mut self, at: Reg, end: Reg) -> Reg {
        let thread = self.kernel.gang.thread;
        let f = self.f();
        let thread = value!(f, "thread", "cvt.u64.u32", thread);
        let first = value!(f, "first", "sub.u64", at, thread);
        value!(f, "beyond", "setp.ge.u64", first, end)
    }
}
