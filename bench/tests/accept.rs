//! `bench/accept.sh`, with programs in place of the real ones that note how they are called.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of a test's own with a stand-in of the binary and one of the sanitizer.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let place = Place(folder);
        // Writes what it is asked for, fails at `fit`, and does not end at `--cells hough`.
        place.program(
            "accrue-bench",
            r#"echo "bench $* cache=$(basename "$ACCRUE_CACHE_DIR")" >>"$0.calls"
               while [[ $# -gt 0 ]]; do
                   case $1 in
                   --json) echo '{}' >"$2"; echo 'host, in us: first call 65' ;;
                   fit) exit 3 ;;
                   bars) echo "the bars of $(basename "$2")"; exit 1 ;;
                   hough) sleep 60 ;;
                   esac
                   shift
               done"#,
        );
        place.program(
            "sanitizer",
            r#"echo "$*" >>"$0.calls"; [[ $* != *form* ]] || exit 99"#,
        );
        place
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::write(&path, format!("#!/usr/bin/env bash\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs the script, with the results in `out`.
    fn accept(&self, arguments: &[&str]) -> (Output, String) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("accept.sh");
        let output = Command::new("bash")
            .arg(script)
            .args([
                "--bench",
                &self.path("accrue-bench"),
                "--peers",
                &self.path("peers"),
            ])
            .args(arguments)
            .env("COMPUTE_SANITIZER", self.path("sanitizer"))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output, text)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_default()
    }
}

#[test]
fn every_step_runs_though_one_fails_and_one_does_not_end() {
    let place = Place::new("accept-all");
    let (output, text) = place.accept(&["--budget", "hough=1", &place.path("out")]);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let summary = place.read("out/summary.txt");
    let result = |step: &str| {
        let line = summary
            .lines()
            .find(|line| line.split(' ').next() == Some(step));
        line.unwrap_or_else(|| panic!("no {step} in {summary}"))
    };
    for step in [
        "check",
        "run",
        "rerun",
        "first-1",
        "first-3",
        "memcheck-update",
        "racecheck-fault",
    ] {
        assert!(result(step).ends_with("  ok"), "{}", result(step));
    }
    assert!(
        result("fit").contains("FAILED with 3, see fit.log"),
        "{summary}"
    );
    assert!(
        result("hough").contains("OUT OF TIME after 1 s"),
        "{summary}"
    );
    assert!(
        result("racecheck-form").contains("FAILED with 99"),
        "{summary}"
    );
    for line in [
        "first-2: host, in us",
        "the bars of run.json",
        "the bars of rerun.json",
    ] {
        assert!(summary.contains(line), "{summary}");
    }
    let calls = place.read("accrue-bench.calls");
    let calls: Vec<&str> = calls.lines().collect();
    assert_eq!(calls[0], "bench check --device cuda cache=cache");
    assert!(
        calls[1].starts_with("bench run --device cuda --samples 5 --json"),
        "{calls:?}"
    );
    assert!(
        calls[1].contains("--seconds 510") && !calls[1].contains("--cells"),
        "{calls:?}"
    );
    assert!(calls[2].contains("--install cuda"), "{calls:?}");
    let alone = |n: u32| {
        calls
            .iter()
            .any(|c| c.ends_with(&format!("--cells pixels cache=cache-{n}")))
    };
    assert!((1..=3).all(alone), "{calls:?}");
    let sanitized = place.read("sanitizer.calls");
    assert_eq!(sanitized.lines().count(), 8);
    assert!(
        sanitized.contains("--tool racecheck --error-exitcode 99"),
        "{sanitized}"
    );
    assert!(
        sanitized.contains("check --device cuda --quick --most 5000011 --parts count"),
        "{sanitized}"
    );
}

#[test]
fn the_simulator_gets_what_it_can_do() {
    let place = Place::new("accept-sim");
    let (output, text) = place.accept(&["--device", "sim", &place.path("out")]);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let calls = place.read("accrue-bench.calls");
    let calls: Vec<&str> = calls.lines().collect();
    assert_eq!(calls.len(), 3, "{calls:?}");
    assert_eq!(calls[0], "bench check --device sim --quick cache=cache");
    assert!(
        calls[1].contains("--cells u32/256/uniform/count/2^16"),
        "{calls:?}"
    );
    assert!(calls[2].starts_with("bench bars "), "{calls:?}");
    assert!(
        text.contains("skipped: the simulator compiles nothing"),
        "{text}"
    );
}

#[test]
fn steps_can_be_picked_and_what_is_no_step_is_refused() {
    let place = Place::new("accept-some");
    let (output, text) = place.accept(&["--only", "memcheck,run", &place.path("out")]);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        !text.contains("racecheck") && !text.contains("rerun"),
        "{text}"
    );
    assert_eq!(place.read("sanitizer.calls").lines().count(), 4);
    for (arguments, part) in [
        (&["--only", "memchek", "out"][..], "`memchek` is not a step"),
        (
            &["--budget", "run=soon", "out"],
            "`soon` is not a number of seconds",
        ),
        (&["--budget", "fast=3", "out"], "`fast` is not a step"),
        (&["--quick", "out"], "`--quick` is not an option"),
        (&[], "no folder for the results"),
    ] {
        let (output, _) = place.accept(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(part), "{said}");
    }
}
