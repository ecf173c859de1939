//! The loop over iterations where updates are gathered: all threads of a gang take a tile of items together.
//!
//! Threads leave the loops of `grid` one after the other; here the gang leaves them as one, when the first of its threads
//! has nothing left. A thread that has nothing before skips the bodies and not what ends the tile, which has barriers.
//! Items before and behind the vectors are few; their updates are not gathered.

use accrue_ptx::writer::{Function, Reg};
use accrue_ptx::{emit, value};

use super::emitter::{Emitter, Number, Result};
use super::grid::Vectors;
use super::stream::{Stream, Streams};
use super::vectors::load_words;
use crate::ir::Loop;

/// The loads of a tile.
struct Loads {
    /// Vectors.
    count: Reg,
    /// The last one.
    last: Reg,
    /// From the first vector of a thread to its last.
    span: Reg,
    /// From one vector to the next.
    all: Reg,
    streams: Vec<Load>,
}

/// Those of one stream.
struct Load {
    start: Reg,
    /// Bytes of a vector.
    bytes: u32,
    /// Bytes that are loaded together.
    width: u32,
    /// Bytes from one vector of a thread to the next.
    step: Reg,
}

impl Loads {
    fn begin(
        f: &mut Function,
        (lp, streams): (&Loop, &Streams),
        vectors: &Vectors,
        all: Reg,
        in_flight: u32,
    ) -> Loads {
        let last = value!(f, "last_vector", "sub.u64", vectors.count, 1);
        let span = value!(f, "span", "mul.lo.u64", all, in_flight - 1);
        let load = |(stream, start): (&Stream, &Reg)| {
            let bytes = stream.item_bytes() * streams.items;
            let name = format!("{}_step", lp.array(stream.array).name);
            Load {
                start: *start,
                bytes,
                width: stream.width(streams.items),
                step: value!(f, &name, "mul.lo.u64", all, bytes),
            }
        };
        let streams = streams.list.iter().zip(&vectors.starts).map(load).collect();
        Loads {
            count: vectors.count,
            last,
            span,
            all,
            streams,
        }
    }

    /// Writes them, from `vector` on; `whole` becomes whether the thread has all of them. There is at least one vector; a
    /// thread without one loads the last one.
    fn write(&self, f: &mut Function, vector: Reg, whole: Reg, into: &[Vec<Vec<Reg>>]) {
        let (part, loaded) = (f.label("part"), f.label("loaded"));
        let end = value!(f, "end", "add.u64", vector, self.span);
        emit!(f, "setp.lt.u64", whole, end, self.count);
        f.branch_if(whole, false, part);
        for (number, stream) in self.streams.iter().enumerate() {
            let mut at = value!(f, "at", "mad.lo.u64", vector, stream.bytes, stream.start);
            for (n, words) in into.iter().enumerate() {
                if n > 0 {
                    at = value!(f, "at", "add.u64", at, stream.step);
                }
                load_words(f, "global.nc", at, stream.width, None, &words[number]);
            }
        }
        f.place(loaded);
        f.open_out_of_line();
        f.place(part);
        let mut at = vector;
        for (n, words) in into.iter().enumerate() {
            if n > 0 {
                at = value!(f, "vector", "add.u64", at, self.all);
            }
            let known = value!(f, "known", "min.u64", at, self.last);
            for (stream, words) in self.streams.iter().zip(words) {
                let at = value!(f, "at", "mad.lo.u64", known, stream.bytes, stream.start);
                load_words(f, "global.nc", at, stream.width, None, words);
            }
        }
        f.branch(loaded, false);
        f.close_out_of_line();
    }
}

impl Emitter<'_> {
    /// Tiles of vectors, `U` for each thread. Those of a tile are loaded while the one before is written to the queues.
    pub(super) fn tiled_vectors(&mut self, vectors: &Vectors, thread: Reg, all: Reg) -> Result<()> {
        let in_flight = self.streams.in_flight;
        let vector = value!(self.f(), "vector", "mov.u64", thread);
        let step = value!(self.f(), "tile", "mul.lo.u64", all, in_flight);
        let f = &mut self.kernel.function;
        let loads = Loads::begin(f, (self.lp, self.streams), vectors, all, in_flight);
        let (again, done) = (f.label("tiles"), f.label("end_tiles"));
        let loaded: Vec<_> = (0..in_flight).map(|_| self.vector_words()).collect();
        let f = self.f();
        // Whether the thread has all vectors of its tile.
        let whole = value!(f, "whole", "setp.ne.u64", vector, vector);
        let beyond = self.first_is_beyond(vector, vectors.count);
        let unread = self.f().label("unread");
        self.f().branch_if(beyond, true, unread);
        loads.write(self.f(), vector, whole, &loaded);
        self.f().place(unread);
        self.make_copies();
        self.f().branch_if(beyond, true, done);
        self.f().place(again);
        self.gather(vectors, (vector, all, whole), &loaded)?;
        emit!(self.f(), "add.u64", vector, vector, step);
        let beyond = self.first_is_beyond(vector, vectors.count);
        // Behind the last tile, too, for nothing: a way round would keep what was loaded before in registers.
        self.kernel
            .end_tile(&mut |f| loads.write(f, vector, whole, &loaded));
        self.f().branch_if(beyond, false, again);
        self.f().place(done);
        Ok(())
    }

    /// The bodies of a tile that is loaded, whose updates go into slots. Where a thread has all its vectors and the only thing
    /// that is checked is that bins are in range, it is found out for all of them together, and only where it is not so the
    /// bodies run again one after the other: a branch for each key takes a fifth of the instructions of a tile.
    fn gather(
        &mut self,
        vectors: &Vectors,
        (vector, all, whole): (Reg, Reg, Reg),
        loaded: &[Vec<Vec<Reg>>],
    ) -> Result<()> {
        self.kernel.begin_tile();
        if !self.defers(vectors, (vector, all), &loaded[0])? {
            return self.gather_each(vectors, (vector, all), loaded);
        }
        let f = self.f();
        let (each, gathered) = (f.label("each"), f.label("gathered"));
        f.branch_if(whole, false, each);
        let outside = value!(f, "outside", "setp.ne.u64", vector, vector);
        self.deferred = Some(outside);
        for (ahead, words) in (0..).zip(loaded) {
            self.gather_vector(vectors, (vector, all, ahead), words)?;
        }
        self.deferred = None;
        let f = self.f();
        f.branch_if(outside, true, each);
        self.kernel.end_items();
        let f = self.f();
        f.place(gathered);
        f.open_out_of_line();
        f.place(each);
        self.kernel.begin_tile();
        self.gather_each(vectors, (vector, all), loaded)?;
        let f = self.f();
        f.branch(gathered, false);
        f.close_out_of_line();
        Ok(())
    }

    /// The same, one vector after the other.
    fn gather_each(
        &mut self,
        vectors: &Vectors,
        (vector, all): (Reg, Reg),
        loaded: &[Vec<Vec<Reg>>],
    ) -> Result<()> {
        let mut at = vector;
        for (ahead, words) in (0..).zip(loaded) {
            if ahead > 0 {
                at = value!(self.f(), "vector", "add.u64", at, all);
            }
            let skip = self.f().label("no_vector");
            let inside = value!(self.f(), "inside", "setp.lt.u64", at, vectors.count);
            self.kernel.begin_items(self.streams.items);
            self.f().branch_if(inside, false, skip);
            self.gather_items(vectors, (vector, all, ahead), words)?;
            self.f().place(skip);
            self.kernel.end_items();
        }
        Ok(())
    }

    fn gather_vector(
        &mut self,
        vectors: &Vectors,
        at: (Reg, Reg, u32),
        words: &[Vec<Reg>],
    ) -> Result<()> {
        self.kernel.begin_items(self.streams.items);
        self.gather_items(vectors, at, words)
    }

    fn gather_items(
        &mut self,
        vectors: &Vectors,
        at: (Reg, Reg, u32),
        words: &[Vec<Reg>],
    ) -> Result<()> {
        for offset in 0..self.streams.items {
            let (number, commented) = self.vector_item(vectors, at, at.2, offset);
            self.item(number, Some(words.to_vec()), commented)?;
        }
        Ok(())
    }

    /// Whether the bodies of a tile check bins that can be checked together. Nothing else than slots is written meanwhile, so
    /// that the bodies can run again. It is tried out with one vector, whose text is dropped.
    fn defers(
        &mut self,
        vectors: &Vectors,
        (vector, all): (Reg, Reg),
        words: &[Vec<Reg>],
    ) -> Result<bool> {
        if self.targets.len() != 1 {
            return Ok(false);
        }
        let before = self.kernel.function.clone();
        let outside = value!(self.f(), "outside", "setp.ne.u64", vector, vector);
        self.deferred = Some(outside);
        self.deferrals = 0;
        let printed = self.gather_vector(vectors, (vector, all, 0), words);
        self.deferred = None;
        self.kernel.function = before;
        self.kernel.begin_tile();
        printed.map(|()| self.deferrals > 0)
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
        self.kernel.end_tile(&mut |_| ());
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
