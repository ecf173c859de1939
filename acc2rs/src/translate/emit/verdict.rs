//! What became of each loop that was to run in parallel, for reports.

use accrue_ops::Op;

use super::detect::Roles;
use crate::codes::Code;
use crate::source::Span;
use crate::typed::VarId;

/// What became of a loop.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The `for`.
    pub span: Span,
    /// The function that it became, or why it stays where it is.
    pub what: Result<Offloaded, InOrder>,
}

/// A loop that became a function.
#[derive(Clone, Debug)]
pub struct Offloaded {
    /// The function's name.
    pub name: String,
    /// Its attribute: `offload`, `offload(histogram)`.
    pub attribute: &'static str,
    /// What kind of loop it was.
    pub kind: Kind,
    /// What the loop does, a phrase for each array and scalar that it changes.
    pub does: Vec<String>,
    /// The bins with their operators.
    pub bins: Vec<(VarId, Op)>,
    /// The scalars that it reduces, carries along or keeps the best of.
    pub scalars: Vec<String>,
    /// What keeps it off GPUs.
    pub obstacle: Option<String>,
}

/// What kind of loop became a function: the first that fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It updates bins.
    Bins,
    /// It carries a scalar along, or fills an array in order.
    Scan,
    /// Each iteration writes elements of its own.
    Own,
    /// It only combines into scalars.
    Reduction,
}

/// Why a loop stays where it is.
#[derive(Clone, Debug)]
pub struct InOrder {
    /// The code.
    pub code: Code,
    /// The reason.
    pub why: String,
}

impl Offloaded {
    pub(super) fn new(
        name: String,
        attribute: &'static str,
        roles: &Roles,
        variable: &dyn Fn(&str) -> Option<VarId>,
    ) -> Offloaded {
        let mut does = Vec::new();
        let mut say = |names: Vec<&str>, what: &str| {
            does.extend(names.iter().map(|n| format!("`{n}` {what}")));
        };
        let all = |names: &'_ [String]| names.iter().map(String::clone).collect::<Vec<_>>();
        let bins = roles.bins.iter().map(|(n, _)| n.as_str()).collect();
        say(bins, "is bins");
        say(
            roles.owned.iter().map(|o| o.name.as_str()).collect(),
            match roles.guarded {
                true => {
                    "has elements of each iteration's own, where the numbers of a call keep them apart"
                }
                false => "has elements of each iteration's own",
            },
        );
        say(
            roles.filled.iter().map(String::as_str).collect(),
            "is filled in order",
        );
        say(
            roles.carried.iter().map(String::as_str).collect(),
            "is carried along",
        );
        say(
            roles.best.iter().map(String::as_str).collect(),
            "keeps the best item",
        );
        say(
            roles.reduced.iter().map(|(n, _)| n.as_str()).collect(),
            "is reduced",
        );
        let bins = roles.bins.iter();
        let reduced = roles.reduced.iter().map(|(n, _)| n.clone());
        Offloaded {
            kind: match roles {
                _ if !roles.bins.is_empty() => Kind::Bins,
                _ if !roles.carried.is_empty() || !roles.filled.is_empty() => Kind::Scan,
                _ if !roles.owned.is_empty() => Kind::Own,
                _ => Kind::Reduction,
            },
            name,
            attribute,
            does,
            bins: bins
                .filter_map(|(n, op)| Some((variable(n)?, *op)))
                .collect(),
            scalars: reduced
                .chain(all(&roles.carried))
                .chain(all(&roles.best))
                .collect(),
            obstacle: roles.obstacle.clone(),
        }
    }
}
