//! The state of emitting one program, which every file of this folder works on, and how a refusal is said.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::verdict::Verdict;
use crate::codes::Code as Number;
use crate::ctypes::StructId;
use crate::diag::Diagnostic;
use crate::directive::DirectiveKind;
use crate::source::{Sources, Span};
use crate::translate::base::facts::Facts;
use crate::translate::base::names;
use crate::translate::base::swap::Swaps;
use crate::translate::memory::plan::Plan;
use crate::translate::memory::shape::Shapes;
use crate::translate::rewrite::by_field::Held;
use crate::translate::rewrite::within::Shared;
use crate::typed::{Expr, FnId, Program, VarId};

/// What emitting gives where it can fail.
pub(super) type Emitted<T> = Result<T, Box<Diagnostic>>;

pub(super) fn refuse<T>(
    code: Number,
    at: Span,
    message: impl Into<String>,
    help: &str,
) -> Emitted<T> {
    let found = Diagnostic::new(code, at, message);
    Err(Box::new(if help.is_empty() {
        found
    } else {
        found.help(help)
    }))
}

/// The Rust of a program.
#[derive(Clone, Debug, Default)]
pub struct Translation {
    /// The source text, formatted.
    pub main: String,
    /// Whether it has a `main`.
    pub binary: bool,
    /// Whether it uses the `libm` crate.
    pub libm: bool,
    /// The names of the functions that loops became, which carry `#[offload]`.
    pub offloaded: Vec<String>,
    /// The helpers that its `c.rs` holds.
    pub helpers: Vec<&'static str>,
}

/// A statement that `break` or `continue` may refer to.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// `None` for a `switch`, else whether `continue` must run a step first.
    pub(super) step_first: Option<bool>,
    pub(super) label: String,
    /// Whether a labelled block stands between the jump and its loop.
    pub(super) break_label: bool,
    pub(super) used_break: bool,
    pub(super) used_continue: bool,
}

/// What the text uses, to be defined once.
#[derive(Default)]
pub(super) struct Output {
    pub(super) structs: BTreeSet<StructId>,
    /// Structs that are asked for a value of zeros.
    pub(super) zeroed: BTreeSet<StructId>,
    pub(super) constants: BTreeMap<String, (String, String)>,
    pub(super) enum_constants: BTreeSet<String>,
    /// Functions of `runtime/`.
    pub(super) helpers: BTreeSet<&'static str>,
    /// Whether it uses the `libm` crate.
    pub(super) libm: bool,
    /// The text and the names of the functions that loops became.
    pub(super) loops: Vec<String>,
    pub(super) offloaded: Vec<String>,
    /// Whether some variable is shadowed by a region's own copy, which rustc warns of.
    pub(super) shadowed: bool,
}

/// Names that are given out.
pub(super) struct Naming {
    /// Those of the variables, by their number.
    pub(super) variables: Vec<String>,
    /// Those that no temporary may have.
    pub(super) taken: HashSet<String>,
    /// How many temporaries there are.
    pub(super) temporaries: u32,
}

/// Where the emitter is.
#[derive(Default)]
pub(super) struct Here {
    pub(super) function: Option<FnId>,
    pub(super) is_main: bool,
    /// Whether `main` always succeeds.
    pub(super) plain_main: bool,
    pub(super) plan: Plan,
    pub(super) swaps: Swaps,
    /// The statements around this one that jumps may refer to.
    pub(super) frames: Vec<Frame>,
    /// The variables of the range loops around this statement, and those of them that start at no less than 0.
    pub(super) counters: HashSet<VarId>,
    pub(super) nonnegative: HashSet<VarId>,
    /// For positions in a place that may move, as `a[i].b` does with `i`: the place as it was when the position was set.
    pub(super) captures: HashMap<VarId, String>,
    /// The variables that the data clauses around this statement map.
    pub(super) mapped: Vec<HashSet<VarId>>,
    /// Whether it is in the function that a loop becomes.
    pub(super) in_device: bool,
    /// Names inside the function that a loop becomes, and which of them are slices there.
    pub(super) renames: HashMap<VarId, String>,
    pub(super) slices: HashSet<VarId>,
    /// Fields that have a name of their own there.
    pub(super) fields: Vec<(Expr, String)>,
    /// The variables that clauses of the loop that becomes a function reduce.
    pub(super) reduced: HashSet<VarId>,
    /// The compute construct that it is in.
    pub(super) construct: Option<DirectiveKind>,
    /// Whether it is in an item, where references need a lifetime.
    pub(super) in_item: bool,
    /// Whether macro uses are expanded: in the definition of a macro's own constant.
    pub(super) expand: bool,
}

/// Calls that were refused and that a sister of their function could serve.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// Calls that borrow one array more than once.
    pub(crate) shared: Vec<Shared>,
    /// Calls that get a struct and memory of its own.
    pub(crate) held: Vec<Held>,
}

impl Wanted {
    /// How many calls of each kind there are.
    pub(super) fn lengths(&self) -> (usize, usize) {
        (self.shared.len(), self.held.len())
    }

    /// Forgets the calls that were noted since there were so many.
    pub(super) fn truncate(&mut self, (shared, held): (usize, usize)) {
        self.shared.truncate(shared);
        self.held.truncate(held);
    }
}

/// The state of emitting one program.
pub(crate) struct Emit<'a> {
    pub(super) program: &'a Program,
    pub(super) sources: &'a Sources,
    pub(super) facts: Facts,
    pub(super) shapes: Shapes,
    pub(super) naming: Naming,
    pub(super) out: Output,
    pub(super) here: Here,
    pub(crate) wanted: Wanted,
    pub(crate) notes: Vec<Diagnostic>,
    /// What became of each loop that was to run in parallel.
    pub(crate) verdicts: Vec<Verdict>,
}

fn enum_names(program: &Program) -> impl Iterator<Item = String> + '_ {
    program
        .enums
        .iter()
        .flat_map(|e| e.constants.iter().map(|(name, _)| name.clone()))
}

impl<'a> Emit<'a> {
    /// The state before anything is emitted; what the pointers' shapes refuse goes to `report`.
    pub(crate) fn new(
        program: &'a Program,
        sources: &'a Sources,
        report: &mut Vec<Diagnostic>,
    ) -> Emit<'a> {
        let mut facts = Facts::new(program);
        let shapes = Shapes::new(program, &facts, report);
        facts.through_positions(&shapes.lasting(program));
        let reserved: HashSet<String> = program
            .macros
            .keys()
            .cloned()
            .chain(enum_names(program))
            .collect();
        let names = names::variables(program, &reserved);
        Emit {
            program,
            sources,
            facts,
            shapes,
            naming: Naming {
                taken: names
                    .iter()
                    .cloned()
                    .chain(program.functions.iter().map(|f| f.name.clone()))
                    .collect(),
                variables: names,
                temporaries: 0,
            },
            out: Output::default(),
            here: Here::default(),
            wanted: Wanted::default(),
            notes: Vec::new(),
            verdicts: Vec::new(),
        }
    }
}

impl Emit<'_> {
    /// The Rust name of a variable, with `globals.` where it lives there.
    pub(super) fn name(&self, id: VarId) -> String {
        if let Some(name) = self.here.renames.get(&id) {
            return name.clone();
        }
        let name = &self.naming.variables[names::at(id)];
        if self.in_globals(id) {
            format!("globals.{name}")
        } else {
            name.clone()
        }
    }

    /// Whether a function needs the globals.
    pub(super) fn needs_globals(&self, id: FnId) -> bool {
        self.facts
            .function(id)
            .globals
            .iter()
            .any(|g| self.in_globals(*g))
    }

    /// A fresh name for a value that C does not name.
    pub(super) fn temporary(&mut self, stem: &str) -> String {
        self.naming.temporaries += 1;
        let mut name = if self.naming.temporaries == 1 {
            stem.to_string()
        } else {
            format!("{stem}{}", self.naming.temporaries)
        };
        while self.naming.taken.contains(&name) {
            name.push('_');
        }
        name
    }

    pub(super) fn helper(&mut self, name: &'static str) -> String {
        self.out.helpers.insert(name);
        format!("c::{name}")
    }
}
