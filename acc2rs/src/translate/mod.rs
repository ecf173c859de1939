//! From the typed tree to a Rust package.
//!
//! The order of the stages: `dispatch`, `accessors`, `row_fields`, `arena`, `row_views`, `flat_views`, `finders`, `ends`, `records`, `untyped`, `chosen` and `apart` (what has no counterpart in Rust becomes other C), `facts` (who
//! writes what), `shapes` (what each pointer is),
//! `plan` (ranges and declarations, per function), then the emitter, an `Emit` with one file for each
//! kind of construct, and [`package`], which puts the pieces into files. The emitter refuses with a
//! code what has no safe counterpart; nothing is written then. What is refused is tried again with `selected` before them all.

mod accessors;
mod allocation;
mod apart;
mod arena;
mod args;
mod argument;
mod by_field;
mod call;
mod chosen;
mod code;
mod conversion;
mod convert;
mod data;
mod detect;
mod disjoint;
mod dispatch;
mod ends;
mod exchange;
mod expr;
pub(crate) mod facts;
mod finders;
mod flat_views;
mod flows;
mod format;
mod handed;
mod histogram;
mod in_place;
mod items;
mod library;
mod loops;
mod memory;
mod names;
mod offload;
pub mod package;
mod place;
mod plan;
mod pointed;
mod position;
mod printf;
mod range;
mod records;
mod region;
mod row_fields;
mod row_views;
mod scan;
mod search;
mod selected;
mod shapes;
mod stale;
mod step_out;
mod stmt;
mod store;
mod streams;
mod strings;
pub mod survey;
mod swap;
mod switch;
mod types;
mod untyped;
pub(crate) mod update;
mod usage;
mod whole_rows;
mod within;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::codes::{self, Code as Number};
use crate::ctypes::StructId;
use crate::diag::Diagnostic;
use crate::source::{Sources, Span};
use crate::typed::{FnId, Program, VarId};

use facts::Facts;
use plan::Plan;
use shapes::Shapes;

/// What emitting gives where it can fail.
type Emitted<T> = Result<T, Box<Diagnostic>>;

fn refuse<T>(code: Number, at: Span, message: impl Into<String>, help: &str) -> Emitted<T> {
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
    /// The names of the functions that carry `#[offload(histogram)]`.
    pub offloaded: Vec<String>,
    /// The helpers that its `c.rs` holds.
    pub helpers: Vec<&'static str>,
}

/// A statement that `break` or `continue` may refer to.
#[derive(Clone, Debug)]
struct Frame {
    /// `None` for a `switch`, else whether `continue` must run a step first.
    step_first: Option<bool>,
    label: String,
    /// Whether a labelled block stands between the jump and its loop.
    break_label: bool,
    used_break: bool,
    used_continue: bool,
}

/// The state of emitting one program.
struct Emit<'a> {
    program: &'a Program,
    sources: &'a Sources,
    facts: Facts,
    shapes: Shapes,
    names: Vec<String>,
    notes: Vec<Diagnostic>,
    /// What the output uses, to be defined once.
    structs: BTreeSet<StructId>,
    zeroed: BTreeSet<StructId>,
    constants: BTreeMap<String, (String, String)>,
    enum_constants: BTreeSet<String>,
    helpers: BTreeSet<&'static str>,
    libm: bool,
    histograms: Vec<String>,
    offloaded: Vec<String>,
    used_names: HashSet<String>,
    /// Whether what is emitted is an item, where references need a lifetime.
    in_item: bool,
    /// Whether macro uses are expanded: in the definition of a macro's own constant.
    expand: bool,
    // The function at hand.
    function: Option<FnId>,
    is_main: bool,
    plan: Plan,
    swaps: swap::Swaps,
    frames: Vec<Frame>,
    counters: HashSet<VarId>,
    nonnegative: HashSet<VarId>,
    captures: HashMap<VarId, String>,
    mapped: Vec<HashSet<VarId>>,
    temporaries: u32,
    in_device: bool,
    /// Names inside the function that a loop becomes, and which of them are slices there.
    renames: HashMap<VarId, String>,
    slices: HashSet<VarId>,
    /// Whether some variable is shadowed by a region's own copy.
    shadowed: bool,
    /// Whether `main` always succeeds.
    plain_main: bool,
    /// Calls that borrow one array more than once.
    shared: Vec<within::Shared>,
    /// Calls that get a struct and memory of its own.
    held: Vec<by_field::Held>,
}

/// Translates a program that lowered without errors.
///
/// # Errors
///
/// The diagnostics of everything that is refused. Warnings and notes come in `notes` either way.
pub fn translate(
    program: &Program,
    sources: &Sources,
    notes: &mut Vec<Diagnostic>,
) -> Result<Translation, Vec<Diagnostic>> {
    made(program, sources, notes, &package::formatted)
}

/// Whether a program would be translated: all of [`translate`] but for setting the text, which takes a process of
/// rustfmt.
///
/// # Errors
///
/// Those of [`translate`].
pub fn judge(
    program: &Program,
    sources: &Sources,
    notes: &mut Vec<Diagnostic>,
) -> Result<(), Vec<Diagnostic>> {
    made(program, sources, notes, &package::read_back).map(|_| ())
}

fn made(
    program: &Program,
    sources: &Sources,
    notes: &mut Vec<Diagnostic>,
    finish: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Translation, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let refused = match tried(program, sources, &mut found, finish) {
        Ok(made) => {
            notes.extend(found);
            return Ok(made);
        }
        Err(refused) => refused,
    };
    // Other C for what is refused as it is.
    let mut changed = program.clone();
    if selected::unfold(&mut changed) {
        let mut other = Vec::new();
        if let Ok(made) = tried(&changed, sources, &mut other, finish) {
            notes.extend(other);
            return Ok(made);
        }
    }
    notes.extend(found);
    Err(refused)
}

fn tried(
    program: &Program,
    sources: &Sources,
    notes: &mut Vec<Diagnostic>,
    finish: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Translation, Vec<Diagnostic>> {
    let mut program = prepared(program).map_or(Cow::Borrowed(program), Cow::Owned);
    let mut sisters = within::Sisters::default();
    let mut of_fields = by_field::Sisters::default();
    let mut first: Option<(Vec<Diagnostic>, Vec<Diagnostic>)> = None;
    // Each round finds the calls behind those that the one before has changed.
    for _ in 0..ROUNDS {
        let (result, found, (shared, held)) = round(&program, sources, finish);
        let refused = match result {
            Ok(out) => {
                notes.extend(found);
                return Ok(out);
            }
            Err(refused) => refused,
        };
        first.get_or_insert((refused, found));
        let changed = within::changed(&program, &shared, &mut sisters);
        let so_far = changed.as_ref().unwrap_or(&program);
        let Some(changed) = by_field::changed(so_far, &held, &mut of_fields).or(changed) else {
            break;
        };
        program = Cow::Owned(changed);
    }
    let (refused, found) = first.unwrap_or_default();
    notes.extend(found);
    Err(refused)
}

/// How often a program is written anew at most.
const ROUNDS: usize = 40;

type Round = (
    Result<Translation, Vec<Diagnostic>>,
    Vec<Diagnostic>,
    (Vec<within::Shared>, Vec<by_field::Held>),
);

/// One try: what was written or refused, the notes, and the calls that borrow an array more than once.
fn round(
    program: &Program,
    sources: &Sources,
    finish: &dyn Fn(&str) -> Result<String, String>,
) -> Round {
    let mut report = Vec::new();
    let mut emit = Emit::new(program, sources, &mut report);
    emit.check_definitions(&mut report);
    let mut out = emit.program(&mut report);
    let (notes, borrowed_twice) = (emit.notes, (emit.shared, emit.held));
    if let Some(made) = &mut out {
        match finish(&made.main) {
            Ok(text) => made.main = text,
            Err(reason) => report.push(
                Diagnostic::nowhere(
                    codes::BUG,
                    format!("acc2rs wrote something that is not Rust: {reason}"),
                )
                .help("please report it with the C file"),
            ),
        }
    }
    let errors: Vec<Diagnostic> = report
        .into_iter()
        .filter(|d| d.severity() == crate::diag::Severity::Error)
        .collect();
    let result = match out {
        Some(out) if errors.is_empty() => Ok(out),
        _ if errors.is_empty() => Err(vec![Diagnostic::nowhere(
            codes::BUG,
            "nothing was written, and no reason given",
        )]),
        _ => Err(errors),
    };
    (result, notes, borrowed_twice)
}

/// The program with what has no counterpart in Rust written in other C, if there is any of it.
fn prepared(program: &Program) -> Option<Program> {
    let mut changed = program.clone();
    let dispatch = dispatch::number(&mut changed);
    let accessors = accessors::inline(&mut changed);
    let row_fields = row_fields::positions(&mut changed);
    let arena = arena::fields(&mut changed);
    let rows = row_views::flatten(&mut changed);
    let flat = flat_views::unfold(&mut changed);
    let finders = finders::index(&mut changed);
    let ends = ends::measure(&mut changed);
    let records = records::flatten(&mut changed);
    let untyped = untyped::typed(&mut changed);
    let chosen = chosen::exchange(&mut changed);
    let apart = apart::name(&mut changed);
    (dispatch
        || accessors
        || row_fields
        || arena
        || rows
        || flat
        || finders
        || ends
        || records
        || untyped
        || chosen
        || apart)
        .then_some(changed)
}

fn enum_names(program: &Program) -> impl Iterator<Item = String> + '_ {
    program
        .enums
        .iter()
        .flat_map(|e| e.constants.iter().map(|(name, _)| name.clone()))
}

impl<'a> Emit<'a> {
    /// The state before anything is emitted; what the pointers' shapes refuse goes to `report`.
    fn new(program: &'a Program, sources: &'a Sources, report: &mut Vec<Diagnostic>) -> Emit<'a> {
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
            used_names: names
                .iter()
                .cloned()
                .chain(program.functions.iter().map(|f| f.name.clone()))
                .collect(),
            names,
            notes: Vec::new(),
            structs: BTreeSet::new(),
            zeroed: BTreeSet::new(),
            constants: BTreeMap::new(),
            enum_constants: BTreeSet::new(),
            helpers: BTreeSet::new(),
            libm: false,
            histograms: Vec::new(),
            offloaded: Vec::new(),
            in_item: false,
            expand: false,
            function: None,
            is_main: false,
            plan: Plan::default(),
            swaps: swap::Swaps::default(),
            frames: Vec::new(),
            counters: HashSet::new(),
            nonnegative: HashSet::new(),
            captures: HashMap::new(),
            mapped: Vec::new(),
            temporaries: 0,
            in_device: false,
            renames: HashMap::new(),
            slices: HashSet::new(),
            shadowed: false,
            plain_main: false,
            shared: Vec::new(),
            held: Vec::new(),
        }
    }
}

impl Emit<'_> {
    /// The Rust name of a variable, with `globals.` where it lives there.
    fn name(&self, id: VarId) -> String {
        if let Some(name) = self.renames.get(&id) {
            return name.clone();
        }
        let name = &self.names[names::at(id)];
        if self.in_globals(id) {
            format!("globals.{name}")
        } else {
            name.clone()
        }
    }

    /// Whether a function needs the globals.
    fn needs_globals(&self, id: FnId) -> bool {
        self.facts
            .function(id)
            .globals
            .iter()
            .any(|g| self.in_globals(*g))
    }

    /// A fresh name for a value that C does not name.
    fn temporary(&mut self, stem: &str) -> String {
        self.temporaries += 1;
        let mut name = if self.temporaries == 1 {
            stem.to_string()
        } else {
            format!("{stem}{}", self.temporaries)
        };
        while self.used_names.contains(&name) {
            name.push('_');
        }
        name
    }

    fn helper(&mut self, name: &'static str) -> String {
        self.helpers.insert(name);
        format!("c::{name}")
    }
}
