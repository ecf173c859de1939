//! The table of strategies: a row for each, and a file of the row's name beside this one.
//!
//! [`Strategy`] is what the ABI has of it, a number that fits a `static` in the user's binary; all else is in its
//! [`Template`]. The order of the rows is that of candidates which are expected to take the same time.

use super::template::Template;
use super::{
    atomic_global, contract, gang_global, gang_hot, gang_packed, gang_shared, gang_slice,
    gang_split, gang_striped, gang_window, grid, injective, lookback, reduce, register, steps,
};
use crate::abi::{Elem, Op, Placement};

macro_rules! strategies {
    (
        bins { $($(#[$doc:meta])* $name:ident = $file:ident;)* }
        without_bins { $($(#[$other_doc:meta])* $other:ident = $other_file:ident;)* }
    ) => {
        /// A strategy as people name it, in `strategy = "…"` and in `ACCRUE_STRATEGY`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Strategy { $($(#[$doc])* $name,)* $($(#[$other_doc])* $other,)* }

        impl Strategy {
            /// Every strategy.
            pub const ALL: [Strategy; [$(stringify!($name),)* $(stringify!($other)),*].len()] =
                [$(Strategy::$name,)* $(Strategy::$other),*];

            /// Those that a target of bins may have.
            pub const OF_BINS: [Strategy; [$(stringify!($name)),*].len()] = [$(Strategy::$name),*];

            /// What there is to know of it.
            pub fn template(self) -> &'static dyn Template {
                match self {
                    $(Strategy::$name => &$file::$name,)*
                    $(Strategy::$other => &$other_file::$other,)*
                }
            }
        }
    };
}

strategies! {
    bins {
        /// Atomic updates of one copy in device memory.
        AtomicGlobal = atomic_global;
        /// `locals` copies in device memory; a gang uses copy `gang mod locals` (the paper's duplication).
        GangGlobal = gang_global;
        /// `copies` copies per gang in shared memory.
        GangShared = gang_shared;
        /// 32 copies per gang in shared memory, one for each lane.
        GangStriped = gang_striped;
        /// A copy of a window of the bins per gang in shared memory; gangs with all windows take the same iterations.
        GangWindow = gang_window;
        /// A copy of a window of the bins per gang in shared memory, two counters of 16 bits a word: for updates that all add
        /// the same constant.
        GangPacked = gang_packed;
        /// `copies` copies per gang in shared memory, and the hottest bins in registers or in bins of each lane: for updates of which equal bins wait
        /// for each other.
        GangHot = gang_hot;
        /// Updates are split by ranges of the bins into queues in device memory, and the ranges are counted in shared memory one
        /// after the other.
        GangSplit = gang_split;
        /// A copy of a slice of the bins per gang in shared memory, which an iteration of the outer loop chooses; the gang takes the
        /// inner loop together.
        GangSlice = gang_slice;
    }
    without_bins {
        /// Elements that each iteration has of its own are written where they are; scalars are reduced in registers.
        Grid = grid;
        /// Blocks of iterations over two dimensions, whose inner loop reads what is staged in shared memory.
        Contract = contract;
        /// The same over one dimension.
        Reduce = reduce;
        /// Scalars that iterations carry along are scanned in one pass over memory, tile by tile.
        Lookback = lookback;
        /// Iterations follow each other in one gang, which deals out those of the loops inside.
        Steps = steps;
    }
}

impl Strategy {
    /// The name, in attributes, entries and measurements.
    pub fn name(self) -> &'static str {
        self.template().name()
    }

    /// See [`Template::applies_to`].
    pub fn applies_to(self, op: Op, elem: Elem, counts: bool, updates: u32) -> bool {
        self.template().applies_to(op, elem, counts, updates)
    }

    /// The loops that it has kernels for, as the end of a sentence: "it takes ..".
    pub fn takes(self) -> &'static str {
        self.template().takes()
    }

    /// The strategy that is called `name`.
    pub fn from_name(name: &str) -> Option<Strategy> {
        Strategy::ALL.into_iter().find(|s| s.name() == name)
    }
}

impl Placement {
    /// What there is to know of it.
    pub fn template(self) -> &'static dyn Template {
        match self {
            Placement::Strategy(strategy) => strategy.template(),
            Placement::Register => &register::Register,
            Placement::Injective => &injective::Injective,
        }
    }

    /// The name, in comments and explanations.
    pub fn name(self) -> &'static str {
        self.template().name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_lead_back() {
        for strategy in Strategy::ALL {
            assert_eq!(Strategy::from_name(strategy.name()), Some(strategy));
        }
        assert_eq!(Strategy::from_name("register"), None);
    }

    /// `docs/choosing.md` shows the table as it is here.
    #[test]
    fn the_documentation_has_a_row_for_each() {
        let page = include_str!("../../../docs/choosing.md");
        for strategy in Strategy::ALL {
            let template = strategy.template();
            let (name, place, good_for) = (template.name(), template.place(), template.good_for());
            let row = format!("| `{name}` | {place} | {good_for} |");
            assert!(page.contains(&row), "docs/choosing.md lacks the row\n{row}");
        }
    }
}
