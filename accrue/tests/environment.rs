//! The environment variables, each in a process of its own: this test binary runs itself.

#[cfg(feature = "sim")]
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use accrue::offload;

#[offload(histogram)]
fn low_bits(keys: &[u32], bins: &mut [u32; 16]) {
    for &k in keys {
        bins[(k & 15) as usize] += 1;
    }
}

/// What a child process does: a call, whose result it prints.
#[test]
#[ignore = "for the other tests, in a process of its own"]
fn child() {
    let keys: Vec<u32> = (0..1600).collect();
    let mut bins = [0; 16];
    match low_bits::try_call(&keys, &mut bins) {
        Ok(()) => println!("bins {bins:?}"),
        Err(e) => println!("error {e}"),
    }
    let mut plain = [0; 16];
    low_bits(&keys, &mut plain);
    assert_eq!(plain, [100; 16]);
}

/// Runs the child with these variables and no others of ours.
fn run(variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().expect("a test knows its binary"));
    command.args([
        "--exact",
        "child",
        "--ignored",
        "--nocapture",
        "--test-threads=1",
    ]);
    for name in [
        "ACCRUE_DEVICE",
        "ACCRUE_STRATEGY",
        "ACCRUE_EXPLAIN",
        "ACCRUE_DUMP",
        "ACCRUE_SIM",
        "ACCRUE_TUNE",
        "ACCRUE_RESET",
    ] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    command.output().expect("the test binary runs")
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// An empty folder of this name.
#[cfg(feature = "sim")]
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn accrue_device_chooses_and_a_wrong_one_is_an_error() {
    let right = format!("bins {:?}", [100; 16]);
    for device in ["", "auto", "seq", "cpu"] {
        let (out, err) = texts(&run(&[("ACCRUE_DEVICE", device)]));
        assert!(out.contains(&right), "{device}: {out}{err}");
    }
    let (out, _) = texts(&run(&[("ACCRUE_DEVICE", "gpu")]));
    assert!(
        out.contains("error ACCRUE_DEVICE=gpu means nothing\nhelp: one of auto, seq, cpu"),
        "{out}"
    );
    if !cfg!(feature = "sim") {
        let (out, _) = texts(&run(&[("ACCRUE_DEVICE", "sim")]));
        assert!(
            out.contains("error the device `sim` is not part of this build"),
            "{out}"
        );
        // A plain call does not go elsewhere in silence.
        let help = "help: depend on accrue with `features = [\"sim\"]`";
        let plain = run(&[("ACCRUE_DEVICE", "sim")]);
        let (out, err) = texts(&plain);
        assert!(!plain.status.success() && err.contains(help), "{out}{err}");
    }
}

#[cfg(feature = "sim")]
#[test]
fn accrue_dump_writes_the_text_that_runs() {
    let folder = folder("dump");
    let path = folder.to_str().expect("the target folder has a plain name");
    let (out, err) = texts(&run(&[
        ("ACCRUE_DEVICE", "sim"),
        ("ACCRUE_DUMP", path),
        ("ACCRUE_STRATEGY", "gang_striped"),
    ]));
    assert!(out.contains(&format!("bins {:?}", [100; 16])), "{out}{err}");
    let files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    let [file] = &files[..] else {
        panic!("{files:?}")
    };
    let name = file.file_name().unwrap().to_string_lossy();
    assert!(
        name.starts_with("low_bits_0_gang_striped.") && name.ends_with(".ptx"),
        "{name}"
    );
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(".entry low_bits_0_gang_striped("), "{text}");
}

#[cfg(feature = "sim")]
#[test]
fn accrue_strategy_and_accrue_sim_reach_the_kernel() {
    let sim = |strategy: &str, model: &str| {
        texts(&run(&[
            ("ACCRUE_DEVICE", "sim"),
            ("ACCRUE_STRATEGY", strategy),
            ("ACCRUE_SIM", model),
            ("ACCRUE_EXPLAIN", "1"),
        ]))
    };
    for strategy in [
        "atomic_global",
        "gang_global",
        "gang_shared",
        "gang_striped",
    ] {
        let (out, err) = sim(strategy, "");
        assert!(
            out.contains(&format!("bins {:?}", [100; 16])),
            "{strategy}: {out}{err}"
        );
        assert!(
            err.contains(&format!("low_bits: {strategy} on sim")),
            "{strategy}: {err}"
        );
        assert!(err.contains("it was asked for"), "{strategy}: {err}");
    }
    // A strategy of the CPU is no concern of the GPU's.
    let (out, err) = sim("private", "");
    assert!(
        out.contains("bins") && err.contains("expected to be the fastest"),
        "{out}{err}"
    );
    // 32 copies of 16 bins are 2 KiB.
    let (out, _) = sim("gang_striped", "shared=1024");
    assert!(
        out.contains("error the strategy `gang_striped` does not apply"),
        "{out}"
    );
    let (out, _) = sim("", "sms=many");
    assert!(
        out.contains("error ACCRUE_SIM=sms=many means nothing"),
        "{out}"
    );
    let (out, _) = sim("gang_sharde", "");
    assert!(
        out.contains("error ACCRUE_STRATEGY=gang_sharde means nothing"),
        "{out}"
    );
}

#[cfg(feature = "sim")]
#[test]
fn explaining_a_call_on_a_gpu_tells_what_there_was_to_choose_from() {
    let output = run(&[("ACCRUE_DEVICE", "sim"), ("ACCRUE_EXPLAIN", "1")]);
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{out}{err}");
    assert!(err.contains("it is expected to be the fastest"), "{err}");
    for name in [
        "atomic_global",
        "gang_global l=",
        "gang_shared",
        "gang_striped",
    ] {
        let line = err.lines().find(|line| line.trim().starts_with(name));
        assert!(
            line.is_some_and(|line| line.ends_with(" expected")),
            "{name} in {err}"
        );
    }
}

#[cfg(feature = "sim")]
#[test]
fn tuning_measures_the_candidates_call_by_call() {
    let output = run(&[
        ("ACCRUE_DEVICE", "sim"),
        ("ACCRUE_TUNE", "1"),
        ("ACCRUE_EXPLAIN", "1"),
    ]);
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{out}{err}");
    assert!(out.contains("bins [100, 100,"), "{out}");
    // The two calls of the child are by two strategies, the second of which knows what the first took.
    assert_eq!(err.matches("it is being measured").count(), 2, "{err}");
    let measured = |line: &&str| line.starts_with("    ") && line.ends_with(" measured");
    assert_eq!(err.lines().filter(measured).count(), 1, "{err}");
}
