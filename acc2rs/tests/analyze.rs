//! `acc2rs analyze` over the corpus and over folders made for the purpose, run as users run it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/acc")
}

fn analyze(args: &[&str], paths: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_acc2rs"))
        .arg("analyze")
        .args(args)
        .args(paths)
        .output()
        .expect("acc2rs runs")
}

fn text(out: &Output) -> String {
    String::from_utf8(out.stdout.clone()).expect("UTF-8")
}

fn json(out: &Output) -> Value {
    serde_json::from_slice(&out.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&out.stderr)))
}

fn list<'a>(value: &'a Value, field: &str) -> &'a Vec<Value> {
    value[field].as_array().expect(field)
}

fn count(counts: &Value, field: &str) -> u64 {
    counts[field].as_u64().expect("a number")
}

/// The report on one file of the corpus.
fn one<'a>(report: &'a Value, name: &str) -> &'a Value {
    let mut files = list(report, "files").iter();
    files
        .find(|f| f["path"].as_str().is_some_and(|p| p.ends_with(name)))
        .unwrap_or_else(|| panic!("{name} is not reported"))
}

fn c_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            c_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "c") {
            out.push(path);
        }
    }
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    dir
}

const HISTOGRAM: &str = "\
void count(const int *data, int *hist, int n) {
#pragma acc parallel loop copyin(data[0:n]) copy(hist[0:256])
  for (int i = 0; i < n; i++) {
    if (data[i] < 256 && \"<&>\"[0]) {
#pragma acc atomic update
      hist[data[i] & 255] += 1;
    }
  }
}
";

#[test]
fn the_corpus_adds_up() {
    let out = analyze(&["--format", "json"], &[&corpus()]);
    assert_eq!(out.status.code(), Some(1), "some programs are refused");
    let report = json(&out);
    assert_eq!(report["schema"], 1);
    let mut expected = Vec::new();
    c_files(&corpus(), &mut expected);
    let files = list(&report, "files");
    let mut paths: Vec<&str> = files.iter().filter_map(|f| f["path"].as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths.len(), expected.len(), "every file, and each once");
    let fates = ["translated", "kept_atomic", "refused"];
    let mut sums = [0; 4];
    for file in files {
        let counts = &file["constructs"];
        let total = count(counts, "total");
        assert_eq!(total, list(file, "directives").len() as u64);
        assert_eq!(total, fates.iter().map(|f| count(counts, f)).sum::<u64>());
        sums[3] += total;
        for (sum, fate) in sums.iter_mut().zip(fates) {
            *sum += count(counts, fate);
        }
        // Every pragma of the file is a construct; macros and headers may add more.
        let path = file["path"].as_str().expect("a path");
        let source = std::fs::read_to_string(path).expect("readable");
        let pragmas = source
            .lines()
            .filter(|l| l.trim_start().starts_with("#pragma acc"));
        assert!(total >= pragmas.count() as u64, "{path}: {counts}");
        // Goldens of tuned C may cast between shapes of arrays, which the Rust cannot.
        if path.contains("/golden/") {
            continue;
        }
        let refused = path.contains("/refused/");
        assert_eq!(file["status"] == "refused", refused, "{path}");
        for found in list(file, "loops") {
            assert!(!found["why"].as_str().expect("a reason").is_empty());
            assert_eq!(found["fate"] == "refused", refused, "{path}");
        }
    }
    let all = &report["constructs"];
    assert_eq!(count(all, "total"), sums[3]);
    for (sum, fate) in sums.iter().zip(fates) {
        assert_eq!(count(all, fate), *sum);
    }
    decisions(&report);
    // The loops that become functions are those of the goldens, and those with copies say that they fill bins.
    for file in files.iter().filter(|f| f["status"] == "translated") {
        let path = Path::new(file["path"].as_str().expect("a path"));
        if path.parent().is_some_and(|p| p.ends_with("golden")) {
            continue;
        }
        let stem = path.file_stem().expect("a name").to_string_lossy();
        let golden = corpus().join(format!("golden/{stem}.rs"));
        let golden = std::fs::read_to_string(golden).unwrap_or_else(|e| {
            panic!(
                "no golden of {stem} ({e}): `BLESS=1 cargo test -p acc2rs --test corpus` writes it"
            )
        });
        let mut becomes: Vec<&str> = list(file, "loops")
            .iter()
            .filter_map(|l| l["becomes"].as_str())
            .collect();
        becomes.sort_unstable();
        becomes.dedup();
        // A loop of a function that is written several times, for what its pointers may share, is several functions.
        let functions = golden.matches("#[offload").count();
        assert!(becomes.len() <= functions, "{stem}: {becomes:?}");
        assert_eq!(becomes.is_empty(), functions == 0, "{stem}");
        for function in becomes {
            let name = function.rsplit(' ').next().expect("a name");
            assert!(golden.contains(&format!("\nfn {name}(")), "{stem}: {name}");
        }
        let mut copies = list(file, "loops")
            .iter()
            .filter(|l| l["local_copies"] == true);
        assert!(
            copies.all(|l| l["becomes"]
                .as_str()
                .is_some_and(|b| b.starts_with("#[offload"))),
            "{stem}"
        );
    }
}

/// What is decided on some programs whose answer is known.
fn decisions(report: &Value) {
    let patterns = |name: &str| -> Vec<String> {
        let loops = list(one(report, name), "loops").iter();
        loops
            .map(|l| l["pattern"].as_str().expect("a pattern").to_string())
            .collect()
    };
    assert!(patterns("/hist_u8.c").contains(&"histogram".to_string()));
    assert!(patterns("/injective.c").contains(&"injective".to_string()));
    assert!(patterns("/saxpy.c").contains(&"own".to_string()));
    assert!(count(&one(report, "/capture_kept.c")["constructs"], "kept_atomic") > 0);
    let bins = &one(report, "/minmax_bins.c")["loops"].to_string();
    assert!(
        bins.contains("\"min\"") && bins.contains("\"max\""),
        "{bins}"
    );
}

#[test]
fn html_has_every_loop_and_escapes() {
    let dir = folder(&[("a<b.c", HISTOGRAM)]);
    let out = analyze(&["--format", "html"], &[dir.path()]);
    assert_eq!(out.status.code(), Some(0));
    let page = text(&out);
    assert!(page.contains("a&lt;b.c") && !page.contains("a<b.c"));
    assert!(page.contains("&quot;&lt;&amp;&gt;&quot;[0]"));
    assert!(page.contains("id=\"l0-0\"") && page.contains("href=\"#l0-0\""));
    assert!(page.contains("hist[0:256] of int, +"));
    for outside in ["http:", "https:", "<script", "<link", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    let source = page.split("<pre>").nth(1).expect("the source");
    let lines = source.matches("data-n=").count();
    assert_eq!(lines, HISTOGRAM.lines().count());
}

#[test]
fn text_says_why() {
    let dir = folder(&[("h.c", HISTOGRAM)]);
    let said = text(&analyze(&[], &[dir.path()]));
    assert!(
        said.contains("h.c:3: parallel loop in `count`: histogram, translated"),
        "{said}"
    );
    assert!(said.contains("hist[0:256] of int, +"), "{said}");
    assert!(
        said.contains("2: 2 translated (100 %), 0 kept atomic (0 %), 0 refused (0 %)"),
        "{said}"
    );
}

#[test]
fn a_broken_file_leaves_the_others() {
    let broken = "#pragma acc parallel loop\nfor this is no C\n#pragma acc atomic \\\n  update\n";
    let dir = folder(&[
        ("a/good.c", HISTOGRAM),
        ("broken.c", broken),
        ("z.c", HISTOGRAM),
    ]);
    let out = analyze(&["--format", "json"], &[dir.path()]);
    assert_eq!(out.status.code(), Some(1));
    let report = json(&out);
    assert_eq!(list(&report, "files").len(), 3);
    assert_eq!(one(&report, "good.c")["status"], "translated");
    assert_eq!(one(&report, "z.c")["status"], "translated");
    let bad = one(&report, "broken.c");
    assert_eq!(bad["constructs"]["refused"], 2);
    assert_eq!(list(bad, "loops").len(), 1);
    assert_eq!(bad["loops"][0]["code"], "ACC2RS1003");
}

#[test]
fn a_compilation_database_gives_the_options() {
    let code = format!("#include \"size.h\"\n#if FLAG != 2\n#error flag\n#endif\n{HISTOGRAM}");
    let database =
        r#"[{"directory": ".", "file": "src/h.c", "command": "cc -Iinc '-DFLAG=2' -c src/h.c"}]"#;
    let dir = folder(&[
        ("src/h.c", &code),
        ("inc/size.h", "#define SIZE 4\n"),
        ("compile_commands.json", database),
    ]);
    let out = analyze(&["--format", "json"], &[dir.path()]);
    let report = json(&out);
    assert_eq!(out.status.code(), Some(0), "{report}");
    assert_eq!(
        list(&report, "files").len(),
        1,
        "listed and found is one file"
    );
    let direct = analyze(&[], &[&dir.path().join("src/h.c")]);
    assert_eq!(
        direct.status.code(),
        Some(1),
        "without its options it is refused"
    );
}

#[test]
fn files_of_one_program_are_judged_together() {
    let main = "#include \"count.h\"\nint main(void) {\n  int data[4] = {1, 2, 3, 1}, hist[256] = {0};\n  count(data, hist, 4);\n  return hist[1] != seen;\n}\n";
    let header = "extern int seen;\nvoid count(const int *data, int *hist, int n);\n";
    let count = format!("#include \"count.h\"\nint seen = 2;\n{HISTOGRAM}");
    let dir = folder(&[
        ("one/main.c", main),
        ("one/count.h", header),
        ("one/count.c", &count),
        ("two/main.c", main),
        ("two/count.h", header),
    ]);
    let report = json(&analyze(&["--format", "json"], &[dir.path()]));
    let status = |name: &str| one(&report, name)["status"].as_str().expect("a status");
    assert_eq!(status("one/main.c"), "translated");
    assert_eq!(status("one/count.c"), "translated");
    assert_eq!(list(one(&report, "one/main.c"), "loops").len(), 0);
    assert_eq!(list(one(&report, "one/count.c"), "loops").len(), 1);
    // A folder is a program by itself.
    assert_eq!(status("two/main.c"), "refused");
}

#[test]
fn every_routine_directive_counts() {
    let code = "\
#pragma acc routine seq
int f(int);
#pragma acc routine seq
#pragma acc routine(f) seq
int f(int a) { return a + 1; }
#pragma acc routine seq
int elsewhere(int);
";
    let dir = folder(&[("r.c", code)]);
    let report = json(&analyze(&["--format", "json"], &[dir.path()]));
    assert_eq!(report["constructs"]["total"], 4, "{report}");
}

#[test]
fn suppress_output_and_bad_usage() {
    let injective = "\
void f(int *h, int n) {
#pragma acc parallel loop copy(h[0:n])
  for (int i = 0; i < n; i++) {
#pragma acc atomic update
    h[i] += 1;
  }
}
";
    let dir = folder(&[("i.c", injective)]);
    let notes = |args: &[&str]| {
        let report = json(&analyze(args, &[dir.path()]));
        list(one(&report, "i.c"), "diagnostics")
            .iter()
            .filter(|d| d["code"] == "ACC2RS1404")
            .count()
    };
    assert_eq!(notes(&["--format", "json"]), 1);
    assert_eq!(notes(&["--format", "json", "--suppress", "ACC2RS1404"]), 0);
    let page = dir.path().join("report.html");
    let name = page.to_string_lossy().into_owned();
    let out = analyze(&["--format", "html", "-o", &name], &[dir.path()]);
    assert_eq!((out.status.code(), out.stdout.len()), (Some(0), 0));
    assert!(
        std::fs::read_to_string(page)
            .expect("written")
            .starts_with("<!DOCTYPE html>")
    );
    let nowhere = dir.path().join("nowhere");
    assert_eq!(analyze(&[], &[&nowhere]).status.code(), Some(2));
    assert_eq!(analyze(&[], &[]).status.code(), Some(2));
    assert_eq!(
        analyze(&["--format", "pdf"], &[dir.path()]).status.code(),
        Some(2)
    );
    assert_eq!(analyze(&[], &[folder(&[]).path()]).status.code(), Some(2));
}
