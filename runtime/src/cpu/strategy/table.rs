//! The table of strategies: a row for each, and a file of the row's name beside this one.
//!
//! The order of the rows is that in which they are named, and of those that are expected to take the same time. Where one is asked for that has no
//! form for a loop, the first behind `sequential` that has one runs it.

use super::template::{Job, Outcome, Template};
use super::{counted, injective, partitioned, private, sequential};
use crate::cpu::member::Member;

macro_rules! strategies {
    ($($(#[$doc:meta])* $name:ident = $file:ident;)*) => {
        /// A strategy as people name it, in `strategy = ".."` and in `ACCRUE_STRATEGY`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::cpu) enum Strategy { $($(#[$doc])* $name,)* }

        impl Strategy {
            /// Every strategy.
            pub(in crate::cpu) const ALL: [Strategy; [$(stringify!($name)),*].len()] = [$(Strategy::$name),*];

            /// What there is to know of it.
            pub(in crate::cpu) fn template(self) -> &'static dyn Template {
                match self { $(Strategy::$name => &$file::$name,)* }
            }

            /// Runs a job.
            pub(in crate::cpu) fn run<M: Member>(self, job: Job<'_, M>) -> Outcome {
                match self { $(Strategy::$name => $file::run(job),)* }
            }
        }
    };
}

strategies! {
    /// The user's own loop.
    Sequential = sequential;
    /// Tables of each worker, merged at the end.
    Private = private;
    /// Bins split between the workers, since no two iterations update the same one.
    Injective = injective;
    /// Updates written down by range of bins.
    Partitioned = partitioned;
    /// The body once for each value of the items, and its updates as often as that occurs.
    Counted = counted;
}

impl Strategy {
    /// The name.
    pub(in crate::cpu) fn name(self) -> &'static str {
        self.template().name()
    }

    /// The strategy that is called `name`.
    pub(in crate::cpu) fn from_name(name: &str) -> Option<Strategy> {
        Strategy::ALL.into_iter().find(|s| s.name() == name)
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
        assert_eq!(Strategy::from_name("atomic_global"), None);
    }

    /// `docs/choosing.md` shows the table as it is here.
    #[test]
    fn the_documentation_has_a_row_for_each() {
        let page = include_str!("../../../../docs/choosing.md");
        for strategy in Strategy::ALL {
            let template = strategy.template();
            let keys: Vec<String> = template
                .keys()
                .iter()
                .map(|key| format!("`{}`", key.name()))
                .collect();
            let (name, place, good_for) = (template.name(), template.place(), template.good_for());
            let row = format!("| `{name}` | {place} | {good_for} | {} |", keys.join(", "));
            assert!(page.contains(&row), "docs/choosing.md lacks the row\n{row}");
        }
    }
}
