//! The report as data. Its JSON is these structures, field by field, in `snake_case`.

use std::path::Path;

use serde::Serialize;

use crate::diag::{Effort, Severity};
use crate::translate::survey::{Bins, Fate, Pattern};

/// What [`Report::schema`] says. It grows when a field changes its meaning or goes away; new
/// fields leave it as it is.
pub const SCHEMA: u32 = 1;

/// The whole report.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The version of acc2rs.
    pub version: &'static str,
    /// The sums over all files.
    pub constructs: Counts,
    /// How many loops there are, by what becomes of them.
    pub loops: Counts,
    /// How many of the loops run in parallel, as functions with `#[offload]` or parts of them.
    pub offloaded: usize,
    /// Every file, in the order in which they were found.
    pub files: Vec<FileReport>,
}

/// How many constructs (directives) or loops there are, by what becomes of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    /// All of them: the sum of the other three.
    pub total: usize,
    /// Translated with their meaning.
    pub translated: usize,
    /// Atomics that get no local copies, and the loops around them.
    pub kept_atomic: usize,
    /// Refused: nothing is written for the file they are in.
    pub refused: usize,
}

impl Counts {
    /// Counts fates.
    pub fn of(fates: impl Iterator<Item = Fate>) -> Counts {
        let mut out = Counts::default();
        for fate in fates {
            out.total += 1;
            match fate {
                Fate::Translated => out.translated += 1,
                Fate::KeptAtomic => out.kept_atomic += 1,
                Fate::Refused => out.refused += 1,
            }
        }
        out
    }

    /// A part in percent, rounded; 0 of nothing.
    pub fn percent(&self, part: usize) -> usize {
        (part * 200 + self.total)
            .checked_div(self.total * 2)
            .unwrap_or(0)
    }
}

/// Whether a file is translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// `acc2rs translate` would write a package.
    Translated,
    /// Something in it is refused, so nothing would be written.
    Refused,
}

/// One file, taken as a program of its own.
#[derive(Clone, Debug, Serialize)]
pub struct FileReport {
    /// Its path as found.
    pub path: String,
    /// Whether it is translated.
    pub status: Status,
    /// Its directives, counted.
    pub constructs: Counts,
    /// The loops of its compute constructs, in the order of the source.
    pub loops: Vec<Loop>,
    /// Its directives, in the order of the source.
    pub directives: Vec<Construct>,
    /// Errors, warnings and notes, in the order of the source.
    pub diagnostics: Vec<Said>,
    /// Its text, for the annotated source; not in the JSON.
    #[serde(skip)]
    pub source: String,
}

/// A place in a file as the user wrote it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Place {
    /// The file: the one analysed, or a header.
    pub file: String,
    /// First line, from 1.
    pub line: usize,
    /// Column of the start, in characters from 1.
    pub column: usize,
    /// Last line.
    pub end_line: usize,
}

impl Place {
    /// The start of a file.
    pub fn start(path: &Path) -> Place {
        Place {
            file: path.display().to_string(),
            line: 1,
            column: 1,
            end_line: 1,
        }
    }
}

/// One loop of a compute construct.
#[derive(Clone, Debug, Serialize)]
pub struct Loop {
    /// Where its `for` stands; its directive, if the file could not be read as C.
    pub at: Place,
    /// Its directives, outermost first, with a comma between; empty for a bare loop in a region.
    pub directive: String,
    /// The function it is in.
    pub function: Option<String>,
    /// What kind of loop it is.
    pub pattern: Pattern,
    /// What becomes of it.
    pub fate: Fate,
    /// The function that it becomes, or becomes a part of, with its attribute: `#[offload] fn update_y`. It runs in parallel
    /// then; none where it stays in order.
    pub becomes: Option<String>,
    /// What keeps that function off GPUs, in the compiler's words.
    pub obstacle: Option<String>,
    /// Whether it updates bins that get local copies, itself or as part of a loop that does.
    pub local_copies: bool,
    /// The bins that it updates.
    pub bins: Vec<Bins>,
    /// The scalars that it reduces into.
    pub reductions: Vec<String>,
    /// The code of the decision, with a page in `docs/acc2rs-diagnostics.md`.
    pub code: Option<String>,
    /// Why, or why not.
    pub why: String,
}

/// One directive.
#[derive(Clone, Debug, Serialize)]
pub struct Construct {
    /// Where it stands.
    pub at: Place,
    /// Which it is, as `parallel loop` or `atomic update`.
    pub directive: String,
    /// What becomes of it.
    pub fate: Fate,
}

/// A diagnostic.
#[derive(Clone, Debug, Serialize)]
pub struct Said {
    /// Its code, as `ACC2RS1404`.
    pub code: String,
    /// How serious it is.
    pub severity: Severity,
    /// How much work acting on it is.
    pub effort: Effort,
    /// What it says.
    pub message: String,
    /// Where, if it is anywhere.
    pub at: Option<Place>,
    /// What to do instead.
    pub help: Vec<String>,
}

impl Report {
    /// The report of these files.
    pub fn new(files: Vec<FileReport>) -> Report {
        let fates = |f: fn(&FileReport) -> Vec<Fate>| Counts::of(files.iter().flat_map(f));
        Report {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            constructs: fates(|f| f.directives.iter().map(|d| d.fate).collect()),
            loops: fates(|f| f.loops.iter().map(|l| l.fate).collect()),
            offloaded: files
                .iter()
                .flat_map(|f| &f.loops)
                .filter(|l| l.becomes.is_some())
                .count(),
            files,
        }
    }

    /// Whether something is refused.
    pub fn refuses(&self) -> bool {
        self.files.iter().any(|f| f.status == Status::Refused)
    }
}

/// A fate in words.
pub fn fate(of: Fate) -> &'static str {
    match of {
        Fate::Translated => "translated",
        Fate::KeptAtomic => "kept atomic",
        Fate::Refused => "refused",
    }
}

/// A pattern in words.
pub fn pattern(of: Pattern) -> &'static str {
    match of {
        Pattern::Histogram => "histogram",
        Pattern::Injective => "injective update",
        Pattern::Own => "own elements",
        Pattern::Scan => "scan",
        Pattern::Reduction => "reduction",
        Pattern::Plain => "plain loop",
        Pattern::Ordered => "ordered atomics",
        Pattern::Unknown => "not read",
    }
}

/// Bins as one phrase: `hist[256] of unsigned int, +`.
pub fn bins(of: &Bins) -> String {
    let extent = of.extent.as_ref().unwrap_or(&of.name);
    format!("{extent} of {}, {}", of.element, of.operator)
}
