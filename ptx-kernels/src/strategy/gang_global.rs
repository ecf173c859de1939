//! `gang_global`: `l` copies in device memory, gang `g` updates copy `g mod l`.
//!
//! The paper's duplication (Ikeda, Ino and Hagihara, "An OpenACC Optimizer for Accelerating Histogram Computation
//! on a GPU", 2016): `l` times as many addresses share the updates of a hot bin, for `l` times the memory and a
//! longer reduction. `l` is `locals` in attributes.

use super::{Copies, Gang, Memory, Target, atomic_global, own_local};
use crate::writer::Function;

pub(super) fn prologue(
    f: &mut Function,
    gang: &Gang,
    target: &Target,
    memory: Memory,
) -> impl Copies + use<> {
    let copy = own_local(f, gang, target, memory);
    atomic_global::prologue(target, copy)
}
