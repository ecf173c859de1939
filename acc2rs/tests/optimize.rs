//! `acc2rs optimize` over `tests/acc/`: the tuned C compiles for the host and for NVIDIA GPUs, behaves as the original with and
//! without local copies, and has every line of the original in order. Four goldens are in `tests/acc/golden/`; `BLESS=1` rewrites them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use acc2rs::frontend;
use acc2rs::optimize::{Options, optimize};
use acc2rs::preprocess::{Preprocessor, gcc as host_gcc};
use acc2rs::verify;
use rayon::prelude::*;

const GOLDEN: [&str; 4] = ["hist_u8", "joint_2d", "many_bins", "split_constructs"];

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/acc")
}

fn tuned(path: &Path, locals: Option<u32>) -> (Option<String>, Vec<String>) {
    frontend::with_deep_stack(|| {
        let front = frontend::read(&[path.to_path_buf()], &Preprocessor::default());
        assert!(!front.diagnostics.has_errors(), "{}", path.display());
        let mut notes = Vec::new();
        let options = Options {
            locals,
            ..Options::default()
        };
        let mut made = optimize(&front.program, &front.sources, options, &[], &mut notes);
        assert!(made.len() <= 1);
        (
            made.pop().map(|t| t.text),
            notes
                .into_iter()
                .map(|n| format!("[{}] {}", n.code, n.message))
                .collect(),
        )
    })
}

/// The flags that build for the host.
const HOST: [&str; 1] = ["-foffload=disable"];
/// The flags that build for NVIDIA GPUs: the linker there knows no tables that a `switch` becomes.
const NVPTX: [&str; 5] = [
    "-O2",
    "-fno-tree-switch-conversion",
    "-no-pie",
    "-foffload=nvptx-none",
    "-foffload-options=-O2 -misa=sm_80 -lm",
];

fn gcc(source: &Path, program: &Path, flags: &[&str]) -> Result<(), String> {
    let said = Command::new(host_gcc())
        .args(["-std=gnu11", "-w", "-fopenacc", "-ffp-contract=off"])
        .args(flags)
        .args([Path::new("-I"), &corpus(), Path::new("-o"), program, source])
        .arg("-lm")
        .output()
        .expect("gcc runs");
    let text = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(
        !text.contains("mkoffload") || !text.contains("could not find"),
        "gcc-12 has no offload compiler: apt-get install gcc-12-offload-nvptx\n{text}"
    );
    if said.status.success() {
        Ok(())
    } else {
        Err(text)
    }
}

fn behaviour(source: &Path, program: &Path, locals: Option<u32>) -> Result<Output, String> {
    let define = locals.map(|n| format!("-DNUM_LOCALS={n}"));
    let mut flags = HOST.to_vec();
    flags.extend(define.as_deref());
    gcc(source, program, &flags)?;
    Ok(Command::new(program).output().expect("it runs"))
}

/// Whether all lines of `original` are in `tuned` in order, apart from directives that clauses were added to.
fn keeps_lines(original: &str, tuned: &str) -> Result<(), String> {
    let mut rest = tuned.lines();
    for line in original.lines() {
        let directive = line.trim_start().starts_with("#pragma acc");
        if !rest.any(|l| l == line || directive && l.starts_with(line.trim_end())) {
            return Err(format!("`{line}` is gone"));
        }
    }
    Ok(())
}

/// What is wrong with the tuned program of one file; whether it was rewritten at all.
fn check(path: &Path, folder: &Path) -> (bool, Vec<String>) {
    let name = path.file_stem().expect("a name").to_string_lossy();
    let original = std::fs::read_to_string(path).expect("readable");
    let (Some(text), _) = tuned(path, None) else {
        return (false, Vec::new());
    };
    let mut wrong: Vec<String> = keeps_lines(&original, &text).err().into_iter().collect();
    let source = folder.join(format!("{name}.c"));
    std::fs::write(&source, &text).expect("written");
    let program = folder.join(&*name);
    match behaviour(path, &program, None) {
        Err(said) => wrong.push(format!("the original does not compile: {said}")),
        Ok(want) => {
            for locals in [None, Some(0), Some(3)] {
                match behaviour(&source, &program, locals) {
                    Err(said) => wrong.push(said),
                    Ok(have) => wrong.extend(
                        verify::differs(&want, &have)
                            .map(|what| format!("{locals:?} copies: {what}")),
                    ),
                }
            }
        }
    }
    if let Err(said) = gcc(&source, &program, &NVPTX) {
        match gcc(path, &program, &NVPTX) {
            // GCC has no atomics of 8 and 16 bits there.
            Err(_) if said.contains("__atomic_fetch_add_1") => {}
            Err(said) => wrong.push(format!("the original does not compile for nvptx: {said}")),
            Ok(()) => wrong.push(format!("for nvptx: {said}")),
        }
    }
    let wrong = wrong.into_iter().map(|w| format!("{name}: {w}")).collect();
    (true, wrong)
}

#[test]
#[ignore = "needs gcc-12-offload-nvptx; `.ci/run` installs and runs it"]
fn tuned_programs_behave_as_before() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("optimize");
    std::fs::create_dir_all(&folder).expect("made");
    let files: Vec<PathBuf> = std::fs::read_dir(corpus())
        .expect("the corpus is there")
        .map(|e| e.expect("readable").path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    let results: Vec<(bool, Vec<String>)> =
        files.par_iter().map(|path| check(path, &folder)).collect();
    let wrong: Vec<&str> = results
        .iter()
        .flat_map(|r| &r.1)
        .map(String::as_str)
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let rewritten = results.iter().filter(|r| r.0).count();
    assert!(rewritten >= 40, "{rewritten} programs were rewritten");
}

/// Runs a program as plain C, which knows no limits of a compiler's OpenACC.
fn sequential(source: &Path, program: &Path, locals: u32) -> Output {
    let built = Command::new(host_gcc())
        .args(["-std=gnu11", "-w", &format!("-DNUM_LOCALS={locals}"), "-o"])
        .args([program, source])
        .arg("-lm")
        .output()
        .expect("gcc runs");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    Command::new(program).output().expect("it runs")
}

/// OpenACC allows no atomic minimum, yet compilers take one; gcc does not, so plain C is the judge here.
#[test]
fn every_operator_is_combined() {
    let dir = tempfile::tempdir().expect("a folder");
    let operators = [
        ("h[k] = h[k] < v ? h[k] : v;", "1000"),
        ("h[k] = v > h[k] ? v : h[k];", "-1000"),
        ("h[k] = fmin(h[k], v);", "1000"),
        ("h[k] = fmax(v, h[k]);", "-1000"),
        ("h[k] -= v;", "5"),
        ("h[k] = v + h[k];", "5"),
        ("--h[k];", "5"),
        ("h[k] *= 1 + v % 2;", "1"),
        ("h[k] &= v | 1;", "-1"),
        ("h[k] |= 1 << v % 16;", "0"),
        ("h[k] ^= v;", "77"),
    ];
    for (at, (update, start)) in operators.iter().enumerate() {
        let text = format!(
            "#include <math.h>\n#include <stdio.h>\nint main(void) {{\n  int h[7], data[300];\n  \
             for (int i = 0; i < 300; i++) data[i] = i * 7919 % 211;\n  \
             for (int i = 0; i < 7; i++) h[i] = {start};\n\
             #pragma acc parallel loop copy(h) copyin(data)\n  for (int i = 0; i < 300; i++) {{\n    \
             int k = data[i] % 7, v = data[i] / 7;\n#pragma acc atomic update\n    {update}\n  }}\n  \
             for (int i = 0; i < 7; i++) printf(\"%d\\n\", h[i]);\n  return 0;\n}}\n"
        );
        let path = dir.path().join(format!("operator{at}.c"));
        std::fs::write(&path, &text).expect("written");
        let (made, notes) = tuned(&path, None);
        let made = made.unwrap_or_else(|| panic!("{update}: {notes:?}"));
        let source = dir.path().join(format!("tuned{at}.c"));
        std::fs::write(&source, made).expect("written");
        let program = dir.path().join("program");
        let want = sequential(&path, &program, 0);
        for locals in [0, 1, 5, 128] {
            let have = sequential(&source, &program, locals);
            assert_eq!(
                verify::differs(&want, &have),
                None,
                "{update}, {locals} copies"
            );
        }
    }
}

/// The paper's example: the tuned Figure 4 does what Figure 5, its tuned form by hand, does.
#[test]
fn figure_4_becomes_figure_5() {
    let dir = tempfile::tempdir().expect("a folder");
    let figures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/figures");
    let (made, notes) = tuned(&figures.join("figure4.c"), None);
    let made = made.unwrap_or_else(|| panic!("{notes:?}"));
    let source = dir.path().join("tuned.c");
    std::fs::write(&source, &made).expect("written");
    let program = dir.path().join("program");
    for locals in [0, 2, 64] {
        let want =
            behaviour(&figures.join("figure5.c"), &program, Some(locals)).expect("it compiles");
        assert!(want.status.success() && !want.stdout.is_empty());
        let have = behaviour(&source, &program, Some(locals)).expect("it compiles");
        assert_eq!(verify::differs(&want, &have), None, "{locals} copies");
    }
    // (a) the existing data region is extended, and there is no second one.
    assert_eq!(made.matches("#pragma acc data").count(), 1, "{made}");
    assert!(
        made.contains("copy(hist[0:n]) create(hist_locals[0:hist_size])"),
        "{made}"
    );
}

fn acc2rs(args: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_acc2rs"))
        .arg("optimize")
        .args(args)
        .output()
        .expect("acc2rs runs")
}

const HEADER: &str = "\
static void count(const int *data, int *hist, int n) {
#pragma acc parallel loop copyin(data[0:n]) copy(hist[0:16])
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    hist[data[i] & 15] += 1;
  }
}
";

#[test]
fn headers_are_rewritten_beside_their_files() {
    let dir = tempfile::tempdir().expect("a folder");
    let at = |name: &str| dir.path().join(name);
    std::fs::create_dir(at("inc")).expect("made");
    std::fs::write(at("inc/count.h"), HEADER).expect("written");
    let main = "#include <stdio.h>\n#include \"inc/count.h\"\nint main(void) {\n  int data[100], hist[16] = {0};\n  \
                for (int i = 0; i < 100; i++) data[i] = i * i;\n  count(data, hist, 100);\n  \
                for (int i = 0; i < 16; i++) printf(\"%d \", hist[i]);\n  return 0;\n}\n";
    std::fs::write(at("main.c"), main).expect("written");
    let out = acc2rs(&[&at("main.c"), Path::new("-o"), &at("out/main.c")]);
    assert_eq!(
        out.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    assert_eq!(
        std::fs::read_to_string(at("out/main.c")).expect("written"),
        main
    );
    let header = std::fs::read_to_string(at("out/inc/count.h")).expect("written");
    assert!(header.contains("hist_locals"), "{header}");
    let program = at("program");
    let want = behaviour(&at("main.c"), &program, None).expect("it compiles");
    let have = behaviour(&at("out/main.c"), &program, None).expect("it compiles");
    assert_eq!(verify::differs(&want, &have), None);
    // Beside the input, the new header would be the old one: that is said, and the old one stays.
    let out = acc2rs(&[&at("main.c"), Path::new("-o"), &at("tuned.c")]);
    assert_eq!(out.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&out.stderr).contains("count.h"));
    assert_eq!(
        std::fs::read_to_string(at("inc/count.h")).expect("there"),
        HEADER
    );
}

#[test]
fn one_strange_function_leaves_the_others() {
    let dir = tempfile::tempdir().expect("a folder");
    let (path, to) = (dir.path().join("a.c"), dir.path().join("out.c"));
    let strange = HEADER
        .replace("count", "strange")
        .replace("{\n#", "{\n  if (n < 0) goto out;\n#");
    let strange = strange.trim_end().trim_end_matches('}').to_string() + "out:\n  return;\n}\n";
    std::fs::write(&path, format!("{HEADER}{strange}")).expect("written");
    let out = acc2rs(&[&path, Path::new("-o"), &to]);
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{said}");
    assert!(
        said.contains("1 construct") && said.contains("goto"),
        "{said}"
    );
    let text = std::fs::read_to_string(&to).expect("written");
    assert!(text.ends_with(&strange), "{text}");
}

#[test]
fn an_input_is_never_overwritten() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("h.c");
    std::fs::write(&path, HEADER).expect("written");
    for to in [path.as_path(), dir.path()] {
        let out = acc2rs(&[&path, Path::new("-o"), to]);
        assert_eq!(out.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&out.stderr).contains("ACC2RS1006"));
        assert_eq!(std::fs::read_to_string(&path).expect("there"), HEADER);
    }
}

#[test]
fn tuned_programs_are_the_goldens() {
    for name in GOLDEN {
        let (text, notes) = tuned(&corpus().join(format!("{name}.c")), Some(8));
        let text = text.unwrap_or_else(|| panic!("{name}: {notes:?}"));
        let golden = corpus().join("golden").join(format!("{name}.tuned.c"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&golden, &text).expect("written");
        }
        let want = std::fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(want, text, "{name}: BLESS=1 rewrites the golden");
    }
}
