//! `gang_window` for loops whose inner positions are columns of the bins, as in a Hough transform: windows of columns.
//!
//! ```text
//! votes[rho][t] += 1 for t in 0..T      gang w of a group has the columns t of W..W + width
//! ```
//!
//! The gangs of a group take the same rows (points of a picture, say), and each runs the inner loop over its own columns
//! alone: every update is computed once, where windows of bins would compute it once for each window. The emitter prints
//! the restricted loop and says where in the window a bin is. That is an address at once, of which all that depends on the
//! column alone is computed once for all rows of a thread:
//!
//! ```text
//! bin = (a * extent + column) * scalars + b      own = (a * width + column - first column of the window) * scalars + b
//! ```
//!
//! 2^22 points with 180 updates each into 6003 x 182 counters were 744 G updates a second with a check of the tables for each, 95 in
//! device memory; a prototype without these checks did 1195 (H200, 2026-11-20, docs/measurements/gpu.md).

use super::cells::{Cells, Layout};
use super::{Bin, ColumnWindow, Copies, Gang, Memory, Target, round_up, shared_base};
use crate::abi::Columns;
use crate::value;
use crate::writer::{Function, Operand, Reg};

struct InnerWindow {
    cells: Cells,
    columns: Columns,
    window: ColumnWindow,
    /// Columns in the copy.
    width: Reg,
    /// The first of them.
    first: Reg,
}

pub(super) fn prologue(
    f: &mut Function,
    gang: &Gang,
    target: &Target,
    memory: Memory,
    columns: Columns,
) -> impl Copies + use<> {
    let cell = target.cell();
    let word = cell.word(target.elem);
    let base = shared_base(f, target);
    let total = value!(f, "total", "cvt.u32.u64", memory.total);
    // Bins of a column, and columns that the loop can come to.
    let column = match columns.extent {
        0 => value!(f, "column", "mov.u32", columns.scalars as u32),
        extent => value!(f, "column", "div.u32", total, extent as u32),
    };
    let (used, ends) = match columns.used {
        0 => {
            let used = value!(f, "columns", "div.u32", total, columns.scalars as u32);
            let used = value!(f, "columns", "max.u32", used, columns.first as u32);
            (
                value!(f, "columns", "sub.u32", used, columns.first as u32),
                false,
            )
        }
        used => (value!(f, "columns", "mov.u32", used as u32), true),
    };
    let width = value!(f, "width", "add.u32", used, gang.windows);
    let width = value!(f, "width", "sub.u32", width, 1);
    let width = value!(f, "width", "div.u32", width, gang.windows);
    let begin = value!(f, "begin", "mul.lo.u32", width, gang.window);
    let begin = value!(f, "begin", "min.u32", begin, used);
    let end = value!(f, "end", "add.u32", begin, width);
    let mut end = value!(f, "end", "min.u32", end, used);
    if !ends || columns.extent > 0 && columns.used + columns.first == columns.extent {
        // The loop may run beyond the columns: the first position that does so is a fault, which somebody has to see.
        let last = value!(f, "last", "setp.eq.u32", end, used);
        let beyond = value!(f, "beyond", "add.u32", used, 1);
        end = value!(f, "end", "selp.b32", beyond, end, last);
    }
    let bins = value!(f, "bins", "mul.lo.u32", column, width);
    let plane = value!(f, "plane", "mul.lo.u32", bins, word);
    let bytes = value!(f, "bytes", "mul.lo.u32", plane, cell.words());
    let bytes = round_up(f, bytes);
    let layout = Layout::shared_by_all(f, base, word, plane, bins);
    // The plan refuses columns that shared memory has no room for.
    let row = (columns.scalars as u32).wrapping_mul(word);
    let window = ColumnWindow {
        begin,
        end,
        base,
        row: value!(f, "row", "mul.lo.u32", width, row),
        step: word,
    };
    InnerWindow {
        first: value!(f, "first", "add.u32", begin, columns.first as u32),
        cells: Cells::begin(f, gang, target, memory, layout, bytes),
        columns,
        window,
        width,
    }
}

impl Copies for InnerWindow {
    /// The bin is told by its address.
    fn update(&self, f: &mut Function, bin: Bin, value: Operand) {
        let Bin::Narrow(Operand::Reg(at)) = bin else {
            unreachable!("an address in shared memory is in a register of 32 bits")
        };
        self.cells.update_at(f, bin, Operand::At(at, 0), value);
    }

    fn columns(&self) -> Option<ColumnWindow> {
        Some(self.window)
    }

    fn epilogue(&self, f: &mut Function, gang: &Gang) {
        let Columns {
            extent, scalars, ..
        } = self.columns;
        let (width, first, scalars) = (self.width, self.first, scalars as u32);
        self.cells
            .flush_to(f, gang, None, |f: &mut Function, own: Reg| {
                let row = value!(f, "row", "mul.lo.u32", width, scalars);
                let a = value!(f, "a", "div.u32", own, row);
                let within = value!(f, "a", "mul.lo.u32", a, row);
                let within = value!(f, "within", "sub.u32", own, within);
                let start = value!(f, "start", "mad.lo.u32", first, scalars, within);
                value!(f, "bin", "mad.lo.u32", a, extent as u32 * scalars, start)
            });
    }
}
