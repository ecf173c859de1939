//! The command, as a user runs it.

use std::process::Command;

/// Counts 64 keys into four bins: by atomics, or by loads and stores that lose updates.
const COUNT: &str = "
.version 7.0
.target sm_70
.address_size 64
.visible .entry count(.param .u64 keys, .param .u64 bins) {
  .reg .b64 %rd<6>;
  .reg .b32 %r<8>;
  ld.param.u64 %rd1, [keys];
  ld.param.u64 %rd2, [bins];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd3, %rd1, %rd3;
  ld.global.u32 %r2, [%rd3];
  and.b32 %r2, %r2, 3;
  mul.wide.u32 %rd4, %r2, 4;
  add.s64 %rd4, %rd2, %rd4;
  UPDATE
  ret;
}
";

/// Runs the command on a text with `UPDATE` replaced; whether it succeeded, and what it said.
fn ptx_sim(name: &str, update: &str, arguments: &[&str]) -> (bool, String) {
    let file = std::env::temp_dir().join(format!("ptx-sim-{}-{name}.ptx", std::process::id()));
    std::fs::write(&file, COUNT.replace("UPDATE", update)).unwrap();
    let (command, rest) = arguments.split_first().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_ptx-sim"))
        .arg(command)
        .arg(&file)
        .args(rest)
        .output()
        .unwrap();
    std::fs::remove_file(&file).unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

const ATOMIC: &str = "red.global.add.u32 [%rd4], 1;";

#[test]
fn a_right_kernel_ends_alike_under_all_interleavings() {
    let arguments = [
        "run",
        "--block",
        "64",
        "--seeds",
        "5",
        "u32[64]=iota",
        "u32[4]=0,0,1",
    ];
    let (success, text) = ptx_sim("right", ATOMIC, &arguments);
    assert!(success, "{text}");
    assert!(text.contains("u32[4] = 16, 16, 17, 17"), "{text}");
    assert!(text.contains("the same under 5 interleavings"), "{text}");
}

#[test]
fn a_race_stops_it() {
    let update = "ld.global.u32 %r3, [%rd4]; add.s32 %r3, %r3, 1; st.global.u32 [%rd4], %r3;";
    let arguments = ["run", "--block", "64", "u32[64]=iota", "u32[4]=0"];
    let (success, text) = ptx_sim("race", update, &arguments);
    assert!(!success);
    assert!(text.contains("data race in global memory"), "{text}");
    assert!(text.contains("under seed 1"), "{text}");
}

#[test]
fn a_result_that_depends_on_the_order_is_told() {
    // The old value of the bin is kept, which is another one in every order.
    let update = "atom.global.add.u32 %r3, [%rd4], 1; st.global.u32 [%rd3], %r3;";
    let arguments = [
        "run",
        "--block",
        "64",
        "--seeds",
        "20",
        "u32[64]=iota",
        "u32[4]=0",
    ];
    let (success, text) = ptx_sim("order", update, &arguments);
    assert!(!success);
    assert!(text.contains("buffer 0 ends differently"), "{text}");
}

#[test]
fn modules_are_listed_and_arguments_counted() {
    let (success, text) = ptx_sim("check", ATOMIC, &["check"]);
    assert!(success, "{text}");
    assert!(text.contains("count: parameters of [8, 8] bytes"), "{text}");
    let (success, text) = ptx_sim("few", ATOMIC, &["run", "u32[64]=iota"]);
    assert!(!success);
    assert!(text.contains("1 were given"), "{text}");
    let (success, text) = ptx_sim("bad", "frob;", &["check"]);
    assert!(!success);
    assert!(text.contains("frob"), "{text}");
}
