//! Runs the C preprocessor and reads what it prints: the text to parse, the pragmas still in it,
//! and the origin of every token of the user's files.
//!
//! The preprocessor is the user's own compiler (`--cc`), run as `cc -E -dD -fopenacc`: `-fopenacc`
//! defines `_OPENACC`, expands macros inside pragmas and turns `_Pragma` into pragmas; `-dD` keeps
//! the `#define` lines, which tell which macros were in force where. Our own `openacc.h`, `omp.h` and the C library's
//! headers that nearly every file includes stand first on the include path: systems' own ones hold extensions, and most of the
//! time that a small file takes goes into them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use crate::codes;
use crate::diag::Diagnostic;
use crate::lex::{self, Token};
use crate::macros::{self, Macro, Origin, Table, Use};
use crate::source::{FileId, Sources, Span, UnitText, text_of};

/// How to preprocess.
#[derive(Clone, Debug, Default)]
pub struct Preprocessor {
    /// The compiler; `gcc-12` or else `cc` when empty.
    pub cc: Option<String>,
    /// `-I` folders.
    pub include: Vec<PathBuf>,
    /// `-D` definitions, `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Our headers as files: written when first needed, shared by the clones, removed with the last of them.
    pub stubs: Stubs,
}

/// The folder of our own headers.
#[derive(Clone, Debug, Default)]
pub struct Stubs(Arc<OnceLock<Result<tempfile::TempDir, String>>>);

impl Stubs {
    fn path(&self) -> Result<&Path, &str> {
        let written = self.0.get_or_init(|| {
            let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
            for (name, text) in STUBS {
                std::fs::write(folder.path().join(name), text).map_err(|e| e.to_string())?;
            }
            Ok(folder)
        });
        written.as_ref().map(|f| f.path()).map_err(|e| &**e)
    }
}

/// Compilers that are tried in this order when none is named.
const COMPILERS: [&str; 3] = ["gcc-12", "gcc", "cc"];

/// The GCC that builds C with OpenACC for the host: `gcc-12`, which the project's measurements are made with, or else the
/// system's `gcc`.
pub fn gcc() -> &'static str {
    static FOUND: OnceLock<&str> = OnceLock::new();
    FOUND.get_or_init(|| {
        let runs = Command::new("gcc-12")
            .arg("--version")
            .output()
            .is_ok_and(|out| out.status.success());
        if runs { "gcc-12" } else { "gcc" }
    })
}

const STUBS: [(&str, &str); 7] = [
    ("openacc.h", include_str!("stubs/openacc.h")),
    ("omp.h", include_str!("stubs/omp.h")),
    ("math.h", include_str!("stubs/math.h")),
    ("stdio.h", include_str!("stubs/stdio.h")),
    ("stdlib.h", include_str!("stubs/stdlib.h")),
    ("string.h", include_str!("stubs/string.h")),
    ("getopt.h", include_str!("stubs/getopt.h")),
];

/// A pragma found in the preprocessed text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PragmaLine {
    /// The text after `#pragma`, to the end of its line.
    pub span: Span,
}

/// What preprocessing one file gave; its text and origins are in the [`Sources`].
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Index into [`Sources::units`].
    pub unit: u32,
    /// The pragmas in the user's files, in order.
    pub pragmas: Vec<PragmaLine>,
    /// The user's macros that were in force at the end, by name.
    pub macros: HashMap<String, Arc<Macro>>,
}

/// Preprocesses a file and adds it to `sources`.
///
/// # Errors
///
/// A diagnostic when the file cannot be read, no compiler is found, or the preprocessor fails.
pub fn preprocess(
    path: &Path,
    how: &Preprocessor,
    sources: &mut Sources,
) -> Result<Unit, Diagnostic> {
    if let Err(error) = std::fs::File::open(path) {
        let message = format!("cannot read `{}`: {error}", path.display());
        return Err(Diagnostic::nowhere(codes::NO_FILE, message).help("give the path of a C file"));
    }
    let text = run(path, how)?;
    let Some(file) = sources.load(path) else {
        return Err(Diagnostic::nowhere(
            codes::NO_FILE,
            format!("cannot read `{}`", path.display()),
        ));
    };
    Ok(read(file, text, sources))
}

fn run(path: &Path, how: &Preprocessor) -> Result<String, Diagnostic> {
    let stubs = how.stubs.path().map_err(|e| {
        Diagnostic::nowhere(
            codes::OUTPUT,
            format!("cannot write a temporary folder: {e}"),
        )
    })?;
    let named = how.cc.as_deref();
    for compiler in named.map_or(COMPILERS.to_vec(), |one| vec![one]) {
        let mut words = compiler.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or("cc"));
        command
            .args(words)
            .args([
                "-E",
                "-dD",
                "-fopenacc",
                "-D__NO_CTYPE",
                "-std=gnu11",
                "-x",
                "c",
                "-I",
            ])
            .arg(stubs);
        how.include
            .iter()
            .for_each(|dir| _ = command.arg("-I").arg(dir));
        how.define
            .iter()
            .for_each(|define| _ = command.arg(format!("-D{define}")));
        command.arg(path);
        match command.output() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && named.is_none() => {}
            Err(error) => {
                let message = format!("cannot run `{compiler}`: {error}");
                return Err(Diagnostic::nowhere(codes::NO_COMPILER, message)
                    .help("name a C compiler with `--cc`"));
            }
            Ok(out) if out.status.success() => return Ok(text_of(out.stdout)),
            Ok(out) => {
                let said = String::from_utf8_lossy(&out.stderr);
                let first = said
                    .lines()
                    .find(|l| l.contains("error"))
                    .or(said.lines().next())
                    .unwrap_or("no message");
                let message = format!("the preprocessor failed: {first}");
                let help = if first.contains("No such file") {
                    "give the folder of the missing header with `-I`"
                } else {
                    "mend the C, or pass the definitions it needs with `-D`"
                };
                return Err(Diagnostic::nowhere(codes::PREPROCESSOR, message).help(help));
            }
        }
    }
    let message = format!(
        "none of {} is installed",
        COMPILERS.map(|c| format!("`{c}`")).join(", ")
    );
    Err(Diagnostic::nowhere(codes::NO_COMPILER, message).help("name a C compiler with `--cc`"))
}

/// A line marker: `# 12 "file.c" 1 3`.
fn marker(line: &str) -> Option<(usize, &str, bool)> {
    let rest = line.strip_prefix("# ")?;
    let (number, rest) = rest.split_once(' ')?;
    let (name, flags) = rest.strip_prefix('"')?.rsplit_once('"')?;
    Some((
        number.parse().ok()?,
        name,
        flags.split_whitespace().any(|f| f == "3"),
    ))
}

/// A run of preprocessed lines that came from one place of a file.
struct Chunk {
    file: FileId,
    line: usize,
    last_line: usize,
    /// Ranges of the preprocessed text, markers between them left out.
    pieces: Vec<(usize, usize)>,
    macros: Rc<Table>,
}

struct Reader<'a> {
    sources: &'a mut Sources,
    /// Names of the markers: a user's file, or `None` for a system header.
    known: HashMap<String, Option<FileId>>,
    macros: Rc<Table>,
    chunks: Vec<Chunk>,
    unit: Unit,
}

/// Reads what the preprocessor printed for `file`.
pub fn read(file: FileId, text: String, sources: &mut Sources) -> Unit {
    let unit = sources.units.len() as u32;
    let main = sources.file(file).path.clone();
    let mut reader = Reader {
        known: HashMap::from([(main.to_string_lossy().into_owned(), Some(file))]),
        macros: Rc::default(),
        chunks: Vec::new(),
        unit: Unit {
            unit,
            ..Unit::default()
        },
        sources,
    };
    reader.lines(&text);
    let (origins, uses) = reader.origins(&text);
    let macros = reader
        .macros
        .iter()
        .filter(|(_, m)| m.user)
        .map(|(n, m)| (n.clone(), Arc::clone(m)))
        .collect();
    let unit = Unit {
        macros,
        ..reader.unit
    };
    sources.units.push(UnitText {
        file,
        text,
        origins,
        uses,
    });
    unit
}

impl Reader<'_> {
    fn file_of(&mut self, name: &str, system: bool) -> Option<FileId> {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let path = name.replace("\\\\", "\\");
        let stub = STUBS.iter().any(|(stub, text)| {
            path.ends_with(stub) && std::fs::read_to_string(&path).map_or(true, |t| t == *text)
        });
        let made_up = name.starts_with('<') || system || stub;
        let file = if made_up {
            None
        } else {
            self.sources.load(Path::new(&path))
        };
        self.known.insert(name.to_string(), file);
        file
    }

    fn lines(&mut self, text: &str) {
        let mut at = 0;
        let (mut file, mut line) = (None, 1);
        for full in text.split_inclusive('\n') {
            let (start, shown) = (at, full.trim_end());
            at += full.len();
            if let Some((number, name, system)) = marker(shown) {
                (file, line) = (self.file_of(name, system), number);
                continue;
            }
            let here = line;
            line += 1;
            if shown.starts_with("#define ") {
                if let Some(found) = macros::parse_define(shown, file.is_some()) {
                    Rc::make_mut(&mut self.macros).insert(found.name.clone(), Arc::new(found));
                }
                continue;
            }
            if let Some(name) = shown.strip_prefix("#undef ") {
                Rc::make_mut(&mut self.macros).remove(name.trim());
                continue;
            }
            let Some(file) = file else { continue };
            if shown.trim().is_empty() {
                continue;
            }
            if let Some(rest) = shown.trim_start().strip_prefix("#pragma") {
                let hi = start + shown.len();
                let span = Span {
                    unit: self.unit.unit,
                    lo: (hi - rest.len()) as u32,
                    hi: hi as u32,
                };
                self.unit.pragmas.push(PragmaLine { span });
            }
            self.add(file, here, (start, start + shown.len()));
        }
    }

    fn add(&mut self, file: FileId, line: usize, piece: (usize, usize)) {
        if let Some(last) = self.chunks.last_mut()
            && last.file == file
            && (last.line..=last.last_line).contains(&line)
        {
            last.pieces.push(piece);
            return;
        }
        let macros = Rc::clone(&self.macros);
        self.chunks.push(Chunk {
            file,
            line,
            last_line: line,
            pieces: vec![piece],
            macros,
        });
    }

    fn origins(&self, text: &str) -> (Vec<Origin>, Vec<Use>) {
        let mut raws: HashMap<FileId, Vec<Token<'_>>> = HashMap::new();
        for chunk in &self.chunks {
            raws.entry(chunk.file)
                .or_insert_with(|| macros::raw_tokens(&self.sources.file(chunk.file).text));
        }
        let (mut origins, mut uses) = (Vec::new(), Vec::new());
        for chunk in &self.chunks {
            let file = self.sources.file(chunk.file);
            let raw = &raws[&chunk.file];
            let raw = &raw[raw.partition_point(|t| t.at < file.line_start(chunk.line))..];
            let made: Vec<(u32, Token<'_>)> = chunk
                .pieces
                .iter()
                .flat_map(|&(lo, hi)| {
                    lex::tokens(&text[lo..hi])
                        .into_iter()
                        .map(move |t| ((lo + t.at) as u32, t))
                })
                .collect();
            let plain: Vec<Token<'_>> = made.iter().map(|(_, t)| *t).collect();
            let aligned = macros::align(&plain, raw, &file.text, &chunk.macros);
            let (base, first_use) = (origins.len() as u32, uses.len());
            for ((at, token), (from, used)) in made.iter().zip(&aligned.from) {
                let (raw_lo, raw_hi) = raw
                    .get(*from)
                    .map_or((file.text.len(), file.text.len()), |r| (r.at, r.end()));
                origins.push(Origin {
                    at: *at,
                    len: token.text.len() as u32,
                    file: chunk.file,
                    raw_lo: raw_lo as u32,
                    raw_hi: raw_hi as u32,
                    macro_use: used.map(|u| (u + first_use) as u32),
                });
            }
            uses.extend(aligned.uses.into_iter().map(|u| Use {
                first: u.first + base,
                last: u.last + base,
                ..u
            }));
        }
        (origins, uses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(raw: &str, printed: &str) -> (Sources, Unit) {
        let mut sources = Sources::default();
        let file = sources.add("t.c".into(), raw.into());
        let unit = read(file, printed.into(), &mut sources);
        (sources, unit)
    }

    #[test]
    fn columns_and_macros_survive() {
        let raw = "#define N 100\nint x[N];\n#pragma acc loop gang(N)\nint  y;\n";
        let printed =
            "# 1 \"t.c\"\n#define N 100\nint x[100];\n#pragma acc loop gang(100)\nint y;\n";
        let (sources, unit) = from(raw, printed);
        assert_eq!(unit.pragmas.len(), 1);
        assert_eq!(sources.text(unit.pragmas[0].span), " acc loop gang(100)");
        let at = printed.find("100];").expect("there") as u32;
        let span = Span {
            unit: 0,
            lo: at,
            hi: at + 3,
        };
        assert_eq!(sources.macro_use(span).expect("a use").of.name, "N");
        assert_eq!(sources.describe(span), "t.c:2:7");
        let y = printed.find("y;").expect("there") as u32;
        assert_eq!(
            sources.describe(Span {
                unit: 0,
                lo: y,
                hi: y + 1
            }),
            "t.c:4:6"
        );
        assert!(unit.macros["N"].user);
    }

    #[test]
    fn expansions_from_system_headers_stay_in_one_chunk() {
        let raw = "int *p = NULL, q;\n";
        let printed = "# 1 \"t.c\"\nint *p = \n# 1 \"t.c\" 3 4\n((void *)0)\n# 1 \"t.c\"\n, q;\n";
        let (sources, _) = from(raw, printed);
        let q = printed.find("q;").expect("there") as u32;
        assert_eq!(
            sources.describe(Span {
                unit: 0,
                lo: q,
                hi: q + 1
            }),
            "t.c:1:16"
        );
    }
}
