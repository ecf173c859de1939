//! Lines of bytes, or of two at a time, that are not aligned to words, as every other one is where rows are of an odd width.
//!
//! ```text
//! words     |  ·  ·  a  b |  c  d  e  f |  g  h  ·  · |        loaded: all words that it lies in, then pairs of them shifted to one
//!                 a  b       c  d  e  f    g  h                stored: words, and what is left at both ends
//! ```

use std::collections::BTreeSet;

use accrue_ptx::value;
use accrue_ptx::writer::{Function, Label, Operand, Reg};

use super::emitter::Emitter;
use super::families::Family;
use super::lines::Wanted;
use super::strips::{Strip, Written};

/// Bytes from which lines are shifted.
const WORD: u32 = 4;

impl<'a> Emitter<'a> {
    /// Loads pieces of lines where everything is there and the words around are, too; goes to `otherwise` where they are not. False where
    /// there is nothing to be shifted.
    pub(super) fn load_shifted(
        &mut self,
        strip: &mut Strip<'a>,
        wanted: &[Wanted],
        easy: Reg,
        otherwise: Label,
    ) -> bool {
        let shifts = |strip: &Strip<'a>, piece: &Wanted| {
            let size = strip.families.list[piece.line.0].size();
            size < WORD && piece.piece.count * size >= WORD
        };
        if !wanted.iter().any(|piece| shifts(strip, piece)) {
            return false;
        }
        let mut roomy = easy;
        let families: BTreeSet<usize> = wanted
            .iter()
            .filter(|piece| shifts(strip, piece))
            .map(|piece| piece.line.0)
            .collect();
        for n in families {
            let size = i64::from(strip.families.list[n].size());
            let bytes = self.array_bytes(strip, n);
            let pointer = self.inputs.pointers[&strip.families.list[n].array];
            let of = || wanted.iter().filter(|piece| piece.line.0 == n);
            let from = of().map(|of| i64::from(of.piece.first) * size).min();
            let to = of().map(|of| (i64::from(of.piece.first) + i64::from(of.piece.count)) * size);
            let ends = [
                (of().min_by_key(|of| of.line.1), from.map(|from| from - 4)),
                (of().max_by_key(|of| of.line.1), to.max().map(|to| to + 4)),
            ];
            for (line, offset) in ends {
                let (Some(line), Some(offset)) = (line, offset) else {
                    continue;
                };
                let f = self.f();
                let behind = value!(f, "behind", "sub.u64", line.at, pointer);
                let end = value!(f, "end", "add.u64", behind, offset);
                roomy = value!(f, "roomy", "setp.lt.and.u64", end, bytes, roomy);
            }
        }
        self.f().branch_if(roomy, false, otherwise);
        for piece in wanted {
            let family = strip.families.list[piece.line.0].clone();
            if piece.piece.count == 1 {
                self.load_piece(&family, piece, None);
            } else if !shifts(strip, piece) {
                self.load_apart(&family, piece);
            } else {
                self.load_words_shifted(&family, piece);
            }
        }
        true
    }

    fn load_words_shifted(&mut self, family: &Family, wanted: &Wanted) {
        let from = if family.owned { "global" } else { "global.nc" };
        let f = self.f();
        let at = value!(f, "at", "add.u64", wanted.at, wanted.offset);
        let (base, bits) = shift_of(f, at);
        let words = wanted.words.len() as i64 + 1;
        let words: Vec<Reg> = (0..words)
            .map(|n| {
                let at = Operand::At(base, 4 * n);
                value!(f, "word", format!("ld.{from}.u32"), at)
            })
            .collect();
        for (word, pair) in wanted.words.iter().zip(words.windows(2)) {
            let operands = [(*word).into(), pair[0].into(), pair[1].into(), bits.into()];
            f.op("shf.r.wrap.b32", &operands);
        }
    }

    /// Stores runs of elements of whole patches, and goes to `otherwise` for others. False where there is nothing to be shifted.
    pub(super) fn store_shifted(
        &mut self,
        strip: &Strip<'a>,
        family: &Family,
        spots: &[(i32, (Reg, i64), &Written)],
        otherwise: Label,
    ) -> bool {
        let size = family.size();
        let runs = || spots.chunk_by(|a, b| a.0 == b.0);
        let whole_words = |run: &[_]| (run.len() as u32 * size).is_multiple_of(WORD);
        if size >= WORD || !runs().all(whole_words) {
            return false;
        }
        if let Some(whole) = strip.whole {
            self.f().branch_if(whole, false, otherwise);
        }
        for run in runs() {
            let (at, offset) = run[0].1;
            let words = self.words_of(run, size);
            self.store_words_shifted(at, offset, &words, size);
        }
        true
    }

    fn store_words_shifted(&mut self, at: Reg, offset: i64, words: &[Reg], size: u32) {
        let bytes = 4 * words.len() as i64;
        let f = self.f();
        let at = value!(f, "at", "add.u64", at, offset);
        let (base, bits) = shift_of(f, at);
        let zero = value!(f, "zero", "mov.b32", 0);
        let shifted = |f: &mut Function, low: Reg, high: Reg| {
            value!(f, "shifted", "shf.l.wrap.b32", low, high, bits)
        };
        let first = shifted(f, zero, words[0]);
        let last = shifted(f, words[words.len() - 1], zero);
        for (n, pair) in (1i64..).zip(words.windows(2)) {
            let word = shifted(f, pair[0], pair[1]);
            f.op("st.global.u32", &[Operand::At(base, 4 * n), word.into()]);
        }
        let none = value!(f, "none", "setp.eq.u32", bits, 0);
        f.op_if(
            none,
            true,
            "st.global.u32",
            &[Operand::At(base, 0), first.into()],
        );
        let half = value!(f, "half", "shr.u32", first, 16);
        let up = Operand::At(base, 2);
        let behind = Operand::At(base, bytes);
        if size == 2 {
            f.op_if(none, false, "st.global.u16", &[up, half.into()]);
            f.op_if(none, false, "st.global.u16", &[behind, last.into()]);
            return;
        }
        // One byte off, or two: the upper half of the first word is its own. Two or three: the lower half of the last one.
        let less = value!(f, "off", "sub.u32", bits, 8);
        let two = value!(f, "low", "setp.le.u32", less, 8);
        f.op_if(two, true, "st.global.u16", &[up, half.into()]);
        let two = value!(f, "high", "setp.ge.u32", bits, 16);
        f.op_if(two, true, "st.global.u16", &[behind, last.into()]);
        let odd = value!(f, "odd", "and.b32", bits, 8);
        let odd = value!(f, "odd", "setp.ne.u32", odd, 0);
        let end = value!(f, "end", "shr.u32", words[words.len() - 1], 24);
        let ends = [(0, words[0]), (bytes - 1, end)];
        for (from, byte) in ends {
            f.op_if(
                odd,
                true,
                "st.global.u8",
                &[Operand::At(at, from), byte.into()],
            );
        }
    }
}

/// The word that an address is in, and how many bits behind its start.
fn shift_of(f: &mut Function, at: Reg) -> (Reg, Reg) {
    let base = value!(f, "base", "and.b64", at, -4);
    let off = value!(f, "off", "cvt.u32.u64", at);
    let bits = value!(f, "bits", "shl.b32", off, 3);
    let bits = value!(f, "bits", "and.b32", bits, 24);
    (base, bits)
}
