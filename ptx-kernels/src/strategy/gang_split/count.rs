//! The entries that run behind the one that splits: `arrange` and `count`. Both have its parameters.

use super::tile::scan;
use super::{number, part, value_bytes};
use crate::abi::{AUXILIARY_BLOCK, Param, ParamKind};
use crate::cell::Cell;
use crate::emit;
use crate::queues::{CHUNK, COUNT_BLOCK, MOST_RANGES, Part, VECTOR};
use crate::strategy::cells::{Cells, Layout};
use crate::strategy::{Bin, DYNAMIC_SHARED, Gang, Memory, Target, for_each, round_up};
use crate::value;
use crate::writer::{Class, Function, Operand, Reg};

/// Bits of an owner that number the chunks of a gang and range.
const NUMBER_BITS: u32 = 20;

fn begin(name: String, params: &[Param], block: u32) -> (Function, Gang) {
    let mut f = Function::entry(name, params.iter().map(|p| p.name.clone().into_owned()));
    f.directive(format!(".maxntid {block}, 1, 1"));
    let thread = f.special("thread", "%tid.x");
    let gang = Gang {
        thread,
        lane: value!(f, "lane", "and.b32", thread, 31),
        threads: f.special("threads", "%ntid.x"),
        gang: f.special("gang", "%ctaid.x"),
        gangs: f.special("gangs", "%nctaid.x"),
        window: thread,
        windows: thread,
        straight: None,
    };
    (f, gang)
}

/// A word for each range and one more, in static shared memory.
fn words(f: &mut Function, name: &str) -> Reg {
    let name = f.unique(name);
    let bytes = (4 * (MOST_RANGES + 1)).next_multiple_of(16);
    f.declare(format!(".shared .align 16 .b8 {name}[{bytes}];"));
    f.address_of(Class::B32, &name)
}

fn word(f: &mut Function, base: Reg, index: Reg) -> Operand {
    Operand::At(value!(f, "word_at", "mad.lo.u32", index, 4, base), 0)
}

fn wide_word(f: &mut Function, base: Reg, index: Reg) -> Operand {
    Operand::At(value!(f, "word_at", "mad.wide.u32", index, 4, base), 0)
}

/// `arrange`: chunks of all gangs in the order of their ranges. Every gang adds up the ranges' chunks for itself, and lists
/// those of some of the gangs that have split.
pub(crate) fn arrange(name: String, params: &[Param]) -> Function {
    let (mut function, gang) = begin(name, params, AUXILIARY_BLOCK);
    let f = &mut function;
    let ranges = number(f, ParamKind::Ranges);
    let chunks = number(f, ParamKind::Chunks);
    let splitters = number(f, ParamKind::Gangs);
    let starts = words(f, "starts");
    let tally = part(f, Part::Tally);

    f.comment("Where each range begins: the first warp adds up.");
    let added = f.label("added");
    let others = value!(f, "others", "setp.ge.u32", gang.thread, 32);
    f.branch_if(others, true, added);
    let before = value!(f, "before", "mov.u32", 0);
    let base = value!(f, "base", "mov.u32", 0);
    let step = value!(f, "step", "mov.u32", 32);
    for_each(f, "ranges", base, step, ranges, |f| {
        let range = value!(f, "range", "add.u32", base, gang.lane);
        let inside = value!(f, "inside", "setp.lt.u32", range, ranges);
        let count = value!(f, "count", "mov.u32", 0);
        let at = wide_word(f, tally, range);
        f.op_if(inside, true, "ld.global.u32", &[count.into(), at]);
        let sum = scan(f, count, gang.lane, 32);
        let first = value!(f, "first", "sub.u32", sum, count);
        let first = value!(f, "first", "add.u32", first, before);
        let at = word(f, starts, range);
        f.op_if(inside, true, "st.shared.u32", &[at, first.into()]);
        let all = value!(f, "all", "shfl.sync.idx.b32", sum, 31, 31, -1);
        emit!(f, "add.u32", before, before, all);
    });
    let first_lane = value!(f, "first_lane", "setp.eq.u32", gang.lane, 0);
    let at = word(f, starts, ranges);
    f.op_if(first_lane, true, "st.shared.u32", &[at, before.into()]);
    f.place(added);
    emit!(f, "bar.sync", 0);

    let shared = f.label("shared");
    let other = value!(f, "other", "setp.ne.u32", gang.gang, 0);
    f.branch_if(other, true, shared);
    let all_starts = part(f, Part::Starts);
    let rows = value!(f, "rows", "add.u32", ranges, 1);
    let row = value!(f, "row", "mov.u32", gang.thread);
    for_each(f, "starts", row, gang.threads, rows, |f| {
        let at = word(f, starts, row);
        let start = value!(f, "start", "ld.shared.u32", at);
        let to = wide_word(f, all_starts, row);
        emit!(f, "st.global.u32", to, start);
    });
    f.place(shared);

    f.comment("The chunks, at their places.");
    let used = part(f, Part::Used);
    let (records, firsts) = (part(f, Part::Records), part(f, Part::Firsts));
    let (owners, list) = (part(f, Part::Owners), part(f, Part::List));
    let splitter = value!(f, "splitter", "mov.u32", gang.gang);
    for_each(f, "gangs", splitter, gang.gangs, splitters, |f| {
        let at = wide_word(f, used, splitter);
        let used = value!(f, "used", "ld.global.u32", at);
        let base = value!(f, "base", "mul.lo.u32", splitter, chunks);
        let row = value!(f, "row", "mul.lo.u32", splitter, ranges);
        let own = value!(f, "own", "mov.u32", gang.thread);
        for_each(f, "chunks", own, gang.threads, used, |f| {
            let chunk = value!(f, "chunk", "add.u32", base, own);
            let at = wide_word(f, owners, chunk);
            let owner = value!(f, "owner", "ld.global.u32", at);
            let range = value!(f, "range", "shr.u32", owner, NUMBER_BITS);
            let number = value!(f, "number", "and.b32", owner, (1u32 << NUMBER_BITS) - 1);
            let cell = value!(f, "cell", "add.u32", row, range);
            let at = wide_word(f, records, cell);
            let all = value!(f, "all", "ld.global.u32", at);
            let at = wide_word(f, firsts, cell);
            let place = value!(f, "place", "ld.global.u32", at);
            let at = word(f, starts, range);
            let start = value!(f, "start", "ld.shared.u32", at);
            emit!(f, "add.u32", place, place, start);
            emit!(f, "add.u32", place, place, number);
            let before = value!(f, "before", "mul.lo.u32", number, CHUNK);
            let left = value!(f, "left", "sub.u32", all, before);
            let left = value!(f, "left", "min.u32", left, CHUNK);
            let to = value!(f, "to", "mad.wide.u32", place, 8, list);
            let pair = [chunk.into(), left.into()];
            f.store_vector("st.global.v2.u32", Operand::At(to, 0), &pair);
        });
    });
    emit!(f, "ret");
    function
}

/// The registers of the loop over chunks.
struct Count<'a> {
    target: &'a Target,
    gang: Gang,
    cells: Cells,
    /// The first bin of the range.
    low: Reg,
    residues: Reg,
    values: Option<Reg>,
    list: Reg,
}

/// `count`: every gang counts an equal part of the list, range after range, in one copy of a range in shared memory.
pub(crate) fn count(name: String, params: &[Param], target: &Target) -> Function {
    let (mut function, gang) = begin(name, params, COUNT_BLOCK);
    let f = &mut function;
    let t = target.number;
    let memory = Memory {
        bins: f.load_param(&target.param(ParamKind::Bins(t))),
        total: f.load_param(&target.param(ParamKind::BinsTotal(t))),
        scratch: f.load_param(&target.param(ParamKind::Scratch(t))),
        locals: f.load_param(&target.param(ParamKind::Copies(t))),
    };
    let ranges = number(f, ParamKind::Ranges);
    let range_bits = number(f, ParamKind::RangeBits);
    let starts = words(f, "starts");
    let name = f.unique("first_range");
    // With the window of fixed-point sums these are 16 bytes: dynamic shared memory begins behind them, aligned.
    let bytes = if target.cell().shifts() > 0 { 8 } else { 16 };
    f.declare(format!(".shared .align 8 .b8 {name}[{bytes}];"));
    let first_at = f.address_of(Class::B32, &name);

    let all_starts = part(f, Part::Starts);
    let rows = value!(f, "rows", "add.u32", ranges, 1);
    let row = value!(f, "row", "mov.u32", gang.thread);
    for_each(f, "starts", row, gang.threads, rows, |f| {
        let at = wide_word(f, all_starts, row);
        let start = value!(f, "start", "ld.global.u32", at);
        let to = word(f, starts, row);
        emit!(f, "st.shared.u32", to, start);
    });

    // One copy of a range, or of all bins where they are fewer.
    let cell = target.cell();
    let total = value!(f, "total", "cvt.u32.u64", memory.total);
    let one = value!(f, "one", "mov.u32", 1);
    let width = value!(f, "width", "shl.b32", one, range_bits);
    let most = value!(f, "most", "min.u32", width, total);
    let plane = value!(f, "plane", "mul.lo.u32", most, cell.word(target.elem));
    let bytes = value!(f, "bytes", "mul.lo.u32", plane, cell.words());
    let bytes = round_up(f, bytes);
    let base = f.address_of(Class::B32, DYNAMIC_SHARED);
    let layout = Layout {
        base,
        own: base,
        step: cell.word(target.elem).into(),
        plane,
        copy_step: 0.into(),
        copies: one,
        first: None,
        bins: f.reg(Class::B32, "bins"),
    };
    f.assign(layout.bins, most);
    let cells = Cells::begin(f, &gang, target, memory, layout, bytes);
    emit!(f, "bar.sync", 0);

    f.comment("The gang's part of the list.");
    let at = word(f, starts, ranges);
    let all = value!(f, "all", "ld.shared.u32", at);
    let gangs = value!(f, "gangs", "cvt.u64.u32", gang.gangs);
    let bound = |f: &mut Function, gang: Reg| {
        let product = value!(f, "product", "mul.wide.u32", all, gang);
        let bound = value!(f, "bound", "div.u64", product, gangs);
        value!(f, "bound", "cvt.u32.u64", bound)
    };
    let low = bound(f, gang.gang);
    let next_gang = value!(f, "next_gang", "add.u32", gang.gang, 1);
    let high = bound(f, next_gang);
    let done = f.label("done");
    let nothing = value!(f, "nothing", "setp.ge.u32", low, high);
    f.branch_if(nothing, true, done);
    let told = f.label("told");
    let has_range = value!(f, "has_range", "setp.lt.u32", gang.thread, ranges);
    f.branch_if(has_range, false, told);
    let at = value!(f, "at", "mad.lo.u32", gang.thread, 4, starts);
    let start = value!(f, "start", "ld.shared.u32", Operand::At(at, 0));
    let end = value!(f, "end", "ld.shared.u32", Operand::At(at, 4));
    let begins = value!(f, "begins", "setp.le.u32", start, low);
    let ends = value!(f, "ends", "setp.gt.u32", end, low);
    let is_first = value!(f, "is_first", "and.pred", begins, ends);
    let operands = [Operand::At(first_at, 0), gang.thread.into()];
    f.op_if(is_first, true, "st.shared.u32", &operands);
    f.place(told);
    emit!(f, "bar.sync", 0);

    let range = value!(f, "range", "ld.shared.u32", Operand::At(first_at, 0));
    let values = (value_bytes(target) > 0).then(|| part(f, Part::Values));
    let count = Count {
        target,
        gang,
        low: f.reg(Class::B32, "range_low"),
        residues: part(f, Part::Residues),
        values,
        list: part(f, Part::List),
        cells,
    };
    let (again, next) = (f.label("ranges"), f.label("next_range"));
    f.place(again);
    let at = value!(f, "at", "mad.lo.u32", range, 4, starts);
    let start = value!(f, "start", "ld.shared.u32", Operand::At(at, 0));
    let begin = value!(f, "begin", "max.u32", start, low);
    let end = value!(f, "end", "ld.shared.u32", Operand::At(at, 4));
    let end = value!(f, "end", "min.u32", end, high);
    let none = value!(f, "none", "setp.ge.u32", begin, end);
    f.branch_if(none, true, next);
    emit!(f, "shl.b32", count.low, range, range_bits);
    let bins = count.cells.layout.bins;
    emit!(f, "sub.u32", bins, total, count.low);
    emit!(f, "min.u32", bins, bins, width);
    count.chunks(f, begin, end);
    emit!(f, "bar.sync", 0);
    let offset = value!(f, "offset", "cvt.u64.u32", count.low);
    count.cells.flush(f, &gang, Some(offset));
    emit!(f, "bar.sync", 0);
    count.cells.clear(f, bytes);
    emit!(f, "bar.sync", 0);
    f.place(next);
    emit!(f, "add.u32", range, range, 1);
    let more = value!(f, "more", "setp.lt.u32", end, high);
    f.branch_if(more, true, again);
    f.place(done);
    emit!(f, "ret");
    function
}

impl Count<'_> {
    /// Counts chunks of one range, a warp each.
    fn chunks(&self, f: &mut Function, begin: Reg, end: Reg) {
        let warp = value!(f, "warp", "shr.u32", self.gang.thread, 5);
        let warps = value!(f, "warps", "shr.u32", self.gang.threads, 5);
        let at = value!(f, "place", "add.u32", begin, warp);
        for_each(f, "chunks", at, warps, end, |f| {
            let from = value!(f, "from", "mad.wide.u32", at, 8, self.list);
            let (chunk, records) = (f.reg(Class::B32, "chunk"), f.reg(Class::B32, "records"));
            f.load_vector("ld.global.v2.u32", &[chunk, records], Operand::At(from, 0));
            let residues = value!(
                f,
                "residues",
                "mad.wide.u32",
                chunk,
                2 * CHUNK,
                self.residues
            );
            let lane_bytes = 2 * VECTOR;
            let residues = value!(
                f,
                "residues",
                "mad.wide.u32",
                self.gang.lane,
                lane_bytes,
                residues
            );
            let counted = f.label("counted");
            if self.cells.target.cell() == Cell::Counter {
                let part = f.label("part");
                let full = value!(f, "full", "setp.eq.u32", records, CHUNK);
                f.branch_if(full, false, part);
                self.full(f, residues);
                f.branch(counted, false);
                f.place(part);
            }
            self.part(f, chunk, records, residues);
            f.place(counted);
        });
    }

    /// A chunk that is full, of records without values: all loads first.
    fn full(&self, f: &mut Function, residues: Reg) {
        let step = i64::from(32 * 2 * VECTOR);
        let vectors: Vec<[Reg; 4]> = (0..i64::from(CHUNK / VECTOR / 32))
            .map(|n| {
                let words = [(); 4].map(|()| f.reg(Class::B32, "pair"));
                f.load_vector("ld.global.v4.u32", &words, Operand::At(residues, n * step));
                words
            })
            .collect();
        let nothing = Operand::Int(0);
        for word in vectors.into_iter().flatten() {
            for residue in halves(f, word) {
                let own = Bin::Narrow(residue.into());
                self.cells.update(f, own, own, nothing);
            }
        }
    }

    /// Any chunk: lanes take a vector each until there are no more.
    fn part(&self, f: &mut Function, chunk: Reg, records: Reg, residues: Reg) {
        let value_bytes = value_bytes(self.target);
        let values = self.values.map(|values| {
            let bytes = CHUNK * value_bytes;
            let values = value!(f, "values", "mad.wide.u32", chunk, bytes, values);
            let bytes = VECTOR * value_bytes;
            value!(f, "values", "mad.wide.u32", self.gang.lane, bytes, values)
        });
        let record = value!(f, "record", "mul.lo.u32", self.gang.lane, VECTOR);
        let step = value!(f, "step", "mov.u32", 32 * VECTOR);
        for_each(f, "vectors", record, step, records, |f| {
            let words = [(); 4].map(|()| f.reg(Class::B32, "pair"));
            f.load_vector("ld.global.v4.u32", &words, Operand::At(residues, 0));
            emit!(f, "add.u64", residues, residues, 32 * 2 * VECTOR);
            let kept: Vec<Operand> = match values {
                None => vec![Operand::Int(0); VECTOR as usize],
                Some(values) => {
                    let kept = self.values(f, values);
                    emit!(f, "add.u64", values, values, 32 * VECTOR * value_bytes);
                    kept
                }
            };
            let residues = words.map(|word| halves(f, word));
            for (n, (residue, value)) in residues.into_iter().flatten().zip(kept).enumerate() {
                let skip = f.label("no_record");
                let number = value!(f, "number", "add.u32", record, n as u32);
                let beyond = value!(f, "beyond", "setp.ge.u32", number, records);
                f.branch_if(beyond, true, skip);
                let bin = value!(f, "bin", "add.u32", self.low, residue);
                let own = Bin::Narrow(residue.into());
                self.cells.update(f, Bin::Narrow(bin.into()), own, value);
                f.place(skip);
            }
        });
    }

    /// The values of a vector.
    fn values(&self, f: &mut Function, at: Reg) -> Vec<Operand> {
        let elem = self.target.accumulator();
        let lanes = 16 / elem.size();
        let opcode = format!("ld.global.v{lanes}.{}", elem.memory());
        (0..VECTOR / lanes)
            .flat_map(|n| {
                let values: Vec<Reg> = (0..lanes).map(|_| f.reg(elem.class(), "value")).collect();
                f.load_vector(&opcode, &values, Operand::At(at, i64::from(16 * n)));
                values
            })
            .map(Operand::from)
            .collect()
    }
}

/// The two residues of a word, first one first.
fn halves(f: &mut Function, word: Reg) -> [Reg; 2] {
    let low = value!(f, "residue", "and.b32", word, 0xffff);
    let high = value!(f, "residue", "shr.u32", word, 16);
    [low, high]
}

/// The names of the entries behind one.
pub(crate) fn names(entry: &str) -> [String; 2] {
    [format!("{entry}_arrange"), format!("{entry}_count")]
}

/// Both entries of a kernel whose parameters are `params`.
pub(crate) fn entries(entry: &str, params: &[Param], target: &Target) -> [Function; 2] {
    let [first, second] = names(entry);
    [arrange(first, params), count(second, params, target)]
}
