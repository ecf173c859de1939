//! The instructions of the machine that runs, where the crate is built for less: levels of x86-64, by the names that its psABI gives them.
//!
//! A part of a loop is compiled for each of them and for what the crate is built for, inside of a function with their features, which what is inlined there is
//! compiled with. Nothing is rounded otherwise by that: rustc never fuses or reorders operations on floats.
//!
//! LLVM inlines no part in which there is a call that hands over or returns more than one value by registers; that part runs as the crate is built.

#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// What the processor has beyond what the crate is built for.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    /// Nothing that would be used.
    Base,
    /// 32 bytes a vector: x86-64-v3.
    V3(V3),
    /// 64 bytes a vector, and masks: x86-64-v4, where using it slows nothing else down.
    V4(V4),
}

/// That a processor has the instructions of a level.
pub trait Has: Copy {
    /// Whether AVX2 is among them.
    const AVX2: bool;

    /// Calls `f` with both in a function that is compiled for the level. As a function of its own its arguments are known not to overlap with what else it reads and writes.
    fn apart<A, B>(self, a: A, b: B, f: impl Inlined<A, B>);
}

/// What is called in a function that is compiled for a level. A closure may be left a function of its own, without the level's instructions, by a compiler that has several units of a crate to
/// compile (Hough transform, 16 units: 273 ms instead of 147); a method is inlined where it says so.
pub trait Inlined<A, B> {
    /// The call.
    fn call(self, a: A, b: B);
}

/// What the crate is built for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Built;

impl Has for Built {
    const AVX2: bool = false;

    #[inline(never)]
    fn apart<A, B>(self, a: A, b: B, f: impl Inlined<A, B>) {
        f.call(a, b);
    }
}

macro_rules! levels {
    ($($(#[$doc:meta])* $name:ident $run:ident $apart:ident: [$($feature:tt)*];)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(());

        impl Has for $name {
            const AVX2: bool = true;

            #[inline(always)]
            fn apart<A, B>(self, a: A, b: B, f: impl Inlined<A, B>) {
                // SAFETY: as `run` has it.
                unsafe { $apart(a, b, f) };
            }
        }

        impl $name {
            /// Runs a body, compiled for the level.
            #[inline(always)]
            pub fn run<R>(self, body: impl FnOnce() -> R) -> R {
                // SAFETY: only `ask` and `of_processor` lead to one of these, and they have seen that the processor has what the function is compiled for.
                unsafe { $run(body) }
            }

            fn is_there() -> bool {
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                return $(std::arch::is_x86_feature_detected!($feature) &&)* true;
                #[cfg(not(all(target_arch = "x86_64", not(miri))))]
                false
            }
        }

        // As a function of its own: only what is inlined into it has its features.
        #[cfg_attr(target_arch = "x86_64", $(target_feature(enable = $feature)),*)]
        #[inline(never)]
        unsafe fn $run<R>(body: impl FnOnce() -> R) -> R {
            body()
        }

        #[cfg_attr(target_arch = "x86_64", $(target_feature(enable = $feature)),*)]
        #[inline(never)]
        unsafe fn $apart<A, B>(a: A, b: B, f: impl Inlined<A, B>) {
            f.call(a, b);
        }
    )* };
}

levels! {
    /// That the processor has x86-64-v3.
    V3 run_v3 apart_v3: ["avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe" "popcnt"];
    /// That it has x86-64-v4, and is of those (Ice Lake, Zen 4 and later) that are as fast in clock with it as without.
    V4 run_v4 apart_v4: ["avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe" "popcnt"
        "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl" "avx512vbmi2"];
}

impl V3 {
    /// That this processor has it, if it does, whatever the crate is built for.
    pub(super) fn of_processor() -> Option<V3> {
        V3::is_there().then_some(V3(()))
    }
}

impl Level {
    /// The level of the processor.
    #[inline(always)]
    pub fn here() -> Level {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);
            let level = match LEVEL.load(Relaxed) {
                UNKNOWN => ask(&LEVEL),
                level => level,
            };
            match level {
                4 => Level::V4(V4(())),
                3 => Level::V3(V3(())),
                _ => Level::Base,
            }
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        Level::Base
    }
}

/// What a level is before anyone has asked.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const UNKNOWN: u8 = u8::MAX;

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[cold]
#[inline(never)]
fn ask(known: &AtomicU8) -> u8 {
    let level = match () {
        // A crate that is built for the level needs no second copy of it.
        () if cfg!(target_feature = "avx512vl") => 0,
        () if V4::is_there() => 4,
        () if cfg!(target_feature = "avx2") => 0,
        () if V3::is_there() => 3,
        () => 0,
    };
    known.store(level, Relaxed);
    level
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_runs_its_body_once() {
        let mut runs = 0;
        let sum = match Level::here() {
            Level::V4(level) => level.run(|| {
                runs += 1;
                (0..100u64).sum()
            }),
            Level::V3(level) => level.run(|| {
                runs += 1;
                (0..100u64).sum()
            }),
            Level::Base => {
                runs += 1;
                4950
            }
        };
        assert_eq!((runs, sum), (1, 4950));
    }
}
