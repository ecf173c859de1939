//! Deliberately wrong kernels: each is caught, with its kind, line and thread.

use super::host::{always, faults, kernel, machine, module, run, upload};
use ptx_sim::{Fault, FaultKind, Limits, Machine};

/// The fault of a kernel over 64 words, with 64 threads unless said otherwise.
fn fault(text: &str) -> Fault {
    run(text, (1, 64, 256), &[0; 64]).unwrap_err()
}

/// The text of the line that a fault names.
fn line(f: &Fault) -> &str {
    &f.place.as_ref().expect("the fault has a place").text
}

const SHARED: &str = ".shared .align 16 .b8 s[256];";

#[test]
fn off_by_one_past_the_end_and_before_the_start() {
    let f =
        fault("add.u32 %r1, %r0, 1; mad.wide.u32 %rd1, %r1, 4, %rd0;\nst.global.u32 [%rd1], %r0;");
    assert_eq!(f.kind, FaultKind::OutOfBounds);
    assert_eq!(line(&f), "st.global.u32 [%rd1], %r0;");
    assert_eq!(f.place.as_ref().unwrap().thread, [63, 0, 0]);
    assert!(
        f.message
            .contains("0 bytes past the end of an allocation of 256 bytes"),
        "{f}"
    );
    let f = fault("ld.global.u32 %r1, [%rd0+-4];");
    assert!(f.message.contains("4 bytes before an allocation"), "{f}");
    // An index that wraps around at 32 bits lands in no other allocation.
    let f = fault("mov.u32 %r1, -1; mad.wide.u32 %rd1, %r1, 4, %rd0; st.global.u32 [%rd1], %r0;");
    assert_eq!(f.kind, FaultKind::OutOfBounds);
    let f = fault(&format!(
        "{SHARED} mov.u32 %r1, s; mad.lo.u32 %r1, %r0, 16, %r1; st.shared.u32 [%r1], %r0;"
    ));
    assert_eq!(
        f.kind,
        FaultKind::OutOfBounds,
        "dynamic shared memory ends at 512: {f}"
    );
    let f = fault("mov.u64 %rd1, 0; ld.u32 %r1, [%rd1];");
    assert!(f.message.contains("null pointer"), "{f}");
    let f = fault(".local .b8 a[8]; mov.u64 %rd1, a; ld.local.u32 %r1, [%rd1+64];");
    assert_eq!(f.kind, FaultKind::OutOfBounds);
}

#[test]
fn use_after_free() {
    let m = &mut machine(1);
    let p = upload(m, &[1]);
    m.free(p).unwrap();
    let module = module(&kernel("ld.global.u32 %r1, [%rd0];"));
    let f = m
        .launch(&module, "k", [1, 1, 1], [1, 1, 1], 0, &[&p.to_le_bytes()])
        .unwrap_err();
    assert!(f.message.contains("was freed"), "{f}");
}

#[test]
fn misaligned_vector_load() {
    let f =
        fault("mad.wide.u32 %rd1, %r0, 0, %rd0;\nld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+8];");
    assert_eq!(f.kind, FaultKind::Misaligned);
    assert!(f.message.contains("not a multiple of 16"), "{f}");
    let f = fault("atom.global.add.u32 %r1, [%rd0+2], 1;");
    assert_eq!(f.kind, FaultKind::Misaligned);
}

#[test]
fn uninitialised_registers_and_memory() {
    let f = fault("setp.lt.u32 %p1, %r0, 63;\n@%p1 mov.u32 %r1, 5;\nadd.u32 %r2, %r1, 1;");
    assert_eq!(f.kind, FaultKind::Uninitialised);
    assert!(
        f.message.contains("`%r1`") && line(&f).starts_with("add"),
        "{f}"
    );
    assert_eq!(f.place.as_ref().unwrap().thread, [63, 0, 0]);
    let f = fault("@%p2 bra L;\nL:");
    assert!(f.message.contains("`%p2`"), "{f}");
    let f = fault(&format!("{SHARED}\nld.shared.u32 %r1, [s];"));
    assert_eq!(f.kind, FaultKind::Uninitialised);
    assert!(f.message.contains("shared memory at 0x0"), "{f}");
    let f = fault(".local .b8 a[8]; ld.local.u32 %r1, [a]; add.u32 %r1, %r1, 1;");
    assert_eq!(f.kind, FaultKind::Uninitialised);
    let mut m = Machine::new(Limits::default(), 1);
    let p = m.alloc(8).unwrap();
    let module = module(&kernel("ld.global.u32 %r1, [%rd0+4];"));
    m.write(p, &[0; 4]).unwrap();
    let f = m
        .launch(&module, "k", [1, 1, 1], [1, 1, 1], 0, &[&p.to_le_bytes()])
        .unwrap_err();
    assert_eq!(f.kind, FaultKind::Uninitialised);
    // Moving such values about is no use of them.
    run("mov.u32 %r1, %r2; setp.eq.u32 %p1, %r0, 99; selp.u32 %r3, %r1, %r0, %p1; add.u32 %r4, %r3, 1;", (1, 64, 0), &[0; 64]).unwrap();
}

#[test]
fn a_race_within_a_block_names_both_lines() {
    let body = kernel(
        "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1; xor.b32 %r1, %r0, 32; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd0, %rd2;
st.global.u32 [%rd1], %r0;
ld.global.u32 %r2, [%rd2];",
    );
    let f = faults(&body, (1, 64, 0), &[0; 64], 16);
    assert_eq!(f.kind, FaultKind::Race);
    let mut lines = vec![
        f.place.as_ref().unwrap().text.clone(),
        f.others[0].text.clone(),
    ];
    lines.sort();
    assert_eq!(
        lines,
        ["ld.global.u32 %r2, [%rd2];", "st.global.u32 [%rd1], %r0;"]
    );
    assert!(f.to_string().contains("block (0, 0, 0) thread ("), "{f}");
}

#[test]
fn a_race_between_blocks() {
    let f = faults(
        &kernel("setp.eq.u32 %p1, %r0, 0; @%p1 st.global.u32 [%rd0], 1;"),
        (4, 32, 0),
        &[0],
        16,
    );
    assert_eq!(f.kind, FaultKind::Race);
    assert_ne!(f.place.unwrap().block, f.others[0].block);
}

#[test]
fn two_lanes_of_one_store() {
    let f = fault("st.global.u32 [%rd0], %r0;");
    assert_eq!(f.kind, FaultKind::Race);
}

#[test]
fn atomics_and_plain_accesses_do_not_mix() {
    let body = kernel(
        "setp.eq.u32 %p1, %r0, 0; @%p1 bra P;\nred.global.add.u32 [%rd0], 1; bra E;\nP: ld.global.u32 %r1, [%rd0];\nE:",
    );
    assert_eq!(faults(&body, (1, 64, 0), &[0], 16).kind, FaultKind::Race);
    // A relaxed load may.
    let body = body.replace("ld.global", "ld.relaxed.gpu.global");
    always(&body, (1, 64, 0), &[0], &[63]);
}

#[test]
fn strong_stores_to_shared_memory_race_as_plain_ones_do() {
    for store in ["st", "st.volatile", "st.relaxed.cta"] {
        let f = fault(&format!("{SHARED}\n{store}.shared.u32 [s], %r0;"));
        assert_eq!(f.kind, FaultKind::Race, "{store}");
        // The last lane's would stay, or the first one's.
        let body = kernel(&format!(
            "{SHARED} setp.eq.u32 %p1, %r0, 0; @%p1 {store}.shared.u32 [s], %r0; bar.sync 0; setp.eq.u32 %p1, %r0, 1; @%p1 {store}.shared.u32 [s], %r0;"
        ));
        always(&body, (1, 64, 0), &[0], &[0]);
    }
    let body = kernel(&format!("{SHARED} atom.shared.exch.b32 %r1, [s], %r0;"));
    always(&body, (1, 64, 0), &[0], &[0]);
}

#[test]
fn atomics_of_block_scope_race_between_blocks() {
    let body = kernel("red.relaxed.cta.global.add.u32 [%rd0], 1;");
    always(&body, (1, 64, 0), &[0], &[64]);
    assert_eq!(faults(&body, (2, 64, 0), &[0], 16).kind, FaultKind::Race);
}

#[test]
fn a_warp_does_not_run_in_step_by_itself() {
    let body = |sync: &str| {
        kernel(&format!(
            "{SHARED} mov.u32 %r9, s; mad.lo.u32 %r1, %r0, 4, %r9; xor.b32 %r2, %r0, 1; mad.lo.u32 %r2, %r2, 4, %r9;
st.shared.u32 [%r1], %r0;
{sync}
ld.shared.u32 %r3, [%r2];
mad.wide.u32 %rd1, %r0, 4, %rd0; st.global.u32 [%rd1], %r3;"
        ))
    };
    let want: Vec<u32> = (0..32).map(|i| i ^ 1).collect();
    always(&body("bar.warp.sync -1;"), (1, 32, 0), &[0; 32], &want);
    assert_eq!(
        faults(&body(""), (1, 32, 0), &[0; 32], 16).kind,
        FaultKind::Race
    );
    // A shuffle makes the lanes meet, and orders no memory.
    assert_eq!(
        faults(
            &body("shfl.sync.idx.b32 %r4, %r0, 0, 31, -1;"),
            (1, 32, 0),
            &[0; 32],
            16
        )
        .kind,
        FaultKind::Race
    );
}

#[test]
fn divergent_barriers() {
    // Half a warp at one barrier, half at another.
    let f = fault(
        "setp.lt.u32 %p1, %r0, 16;\n@%p1 bra A;\nbar.sync 0;\nbra E;\nA:\nbar.sync 0; // A\nE:",
    );
    assert_eq!(f.kind, FaultKind::DivergentBarrier);
    assert_eq!(f.others.len(), 1);
    // Half the warps skip the first barrier and wait at the second.
    let f = fault(
        "setp.lt.u32 %p1, %r0, 32;\n@!%p1 bra A;\nbar.sync 0; // first\nA:\nbar.sync 0; // second",
    );
    assert_eq!(f.kind, FaultKind::DivergentBarrier);
    // Some threads never arrive, since they wait elsewhere.
    let f = fault("setp.lt.u32 %p1, %r0, 32;\n@%p1 bar.sync 1;\n@!%p1 bar.sync 2;\n");
    assert_eq!(f.kind, FaultKind::DivergentBarrier);
    assert!(
        f.message.contains("none of the barriers can be completed"),
        "{f}"
    );
    // Threads that have exited are no longer waited for.
    run(
        "setp.lt.u32 %p1, %r0, 20;\n@%p1 ret;\nbar.sync 0;",
        (1, 64, 0),
        &[0],
    )
    .unwrap();
}

#[test]
fn barriers_that_are_no_barriers() {
    assert!(fault("bar.sync 16;").message.contains("does not exist"));
    assert!(
        fault("bar.sync 0, 33;")
            .message
            .contains("multiple of the warp size")
    );
    assert_eq!(
        fault("setp.lt.u32 %p1, %r0, 32;\n@%p1 bar.sync 1, 64;\n@!%p1 bar.sync 1, 32;").kind,
        FaultKind::DivergentBarrier
    );
}

#[test]
fn warp_operations_without_a_member() {
    let f = fault(
        "setp.lt.u32 %p1, %r0, 8;\n@%p1 shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;\nbar.sync 0;",
    );
    assert_eq!(f.kind, FaultKind::WarpMembership);
    assert!(line(&f).contains("shfl.sync"), "{f}");
    let f = fault("vote.sync.ballot.b32 %r1, 1, 1;");
    assert!(
        f.message
            .contains("member mask 0x00000001 does not have it"),
        "{f}"
    );
    let f = fault(
        "setp.lt.u32 %p1, %r0, 8;\n@!%p1 bra E;\nshfl.sync.idx.b32 %r1, %r0, 9, 31, 0xff;\nE:",
    );
    assert!(f.message.contains("reads lane 9"), "{f}");
}

#[test]
fn endless_loops_and_waits() {
    let f = fault("L:\nbra L;");
    assert_eq!(f.kind, FaultKind::EndlessLoop);
    assert_eq!(line(&f), "bra L;");
    let f = fault("L:\nld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;");
    assert_eq!(f.kind, FaultKind::EndlessLoop);
}

#[test]
fn traps_and_divisions_by_zero() {
    let f = fault("setp.eq.u32 %p1, %r0, 40;\n@%p1 trap;");
    assert_eq!(
        (f.kind, f.place.unwrap().thread),
        (FaultKind::Trap, [40, 0, 0])
    );
    let f = fault("mov.u32 %r1, 7; rem.u32 %r2, %r1, %r0;");
    assert_eq!(
        (f.kind, f.place.unwrap().thread),
        (FaultKind::DivisionByZero, [0, 0, 0])
    );
}

#[test]
fn writes_to_constants_and_parameters() {
    let m = module(&format!(
        ".const .u32 c = 7;\n{}",
        kernel("mov.u64 %rd1, c; cvta.const.u64 %rd1, %rd1; st.u32 [%rd1], 1;")
    ));
    let f = super::host::run_module(&m, 1, (1, 1, 0), &[0]).unwrap_err();
    assert_eq!(f.kind, FaultKind::ReadOnly);
}

#[test]
fn endless_recursion() {
    let m = module(&format!(
        ".func f() {{ call f, (); ret; }}\n{}",
        kernel("call f, ();")
    ));
    let f = super::host::run_module(&m, 1, (1, 1, 0), &[0]).unwrap_err();
    assert_eq!(f.kind, FaultKind::StackOverflow);
}

#[test]
fn launches_that_cannot_be() {
    let module = module(
        ".visible .entry k(.param .u64 a, .param .u32 b) .maxntid 128 { ret; }\n.visible .entry big() { .shared .b8 s[40000]; .reg .b32 %r; mov.u32 %r, s; ret; }",
    );
    let mut m = machine(1);
    let (a, b) = (0u64.to_le_bytes(), 0u32.to_le_bytes());
    let params: [&[u8]; 2] = [&a, &b];
    let mut refuse = |name: &str, grid, block, shared, params: &[&[u8]], what: &str| {
        let f = m
            .launch(&module, name, grid, block, shared, params)
            .unwrap_err();
        assert_eq!(f.kind, FaultKind::Launch);
        assert!(f.message.contains(what), "{f}");
    };
    refuse("nope", [1; 3], [1; 3], 0, &[], "no such kernel");
    refuse("k", [0, 1, 1], [1; 3], 0, &params, "grid's x is 0");
    refuse("k", [1; 3], [1, 1, 65], 0, &params, "block's z is 65");
    refuse("k", [1; 3], [1024, 2, 1], 0, &params, "more than the 1024");
    refuse("k", [1; 3], [129, 1, 1], 0, &params, ".maxntid");
    refuse(
        "k",
        [1; 3],
        [32, 1, 1],
        0,
        &params[..1],
        "2 parameters, and 1",
    );
    refuse(
        "k",
        [1; 3],
        [32, 1, 1],
        0,
        &[&b, &b],
        "parameter 0 (`a`) has 8 bytes, and 4",
    );
    refuse("k", [1; 3], [32, 1, 1], 50_000, &params, "shared memory");
    refuse(
        "big",
        [1; 3],
        [32, 1, 1],
        10_000,
        &[],
        "40000 static, 10000 dynamic",
    );
    assert!(m.allow_shared(&module, "k", 120_000).is_err());
    m.allow_shared(&module, "k", 99 << 10).unwrap();
    m.launch(&module, "k", [1; 3], [32, 1, 1], 50_000, &params)
        .unwrap();
}

#[test]
fn a_machine_can_be_sent_and_shared() {
    fn send<T: Send>() {}
    fn sync<T: Send + Sync>() {}
    send::<Machine>();
    sync::<ptx_sim::Module>();
    sync::<Fault>();
}

#[test]
fn the_same_seed_gives_the_same_fault() {
    let body = kernel("setp.eq.u32 %p1, %r0, 0; @%p1 st.global.u32 [%rd0], 1;");
    let module = module(&body);
    let fault = |seed| super::host::run_module(&module, seed, (4, 64, 0), &[0]).unwrap_err();
    assert_eq!(fault(3), fault(3));
    assert!((0..16).any(|seed| fault(seed) != fault(3)), "seeds differ");
}
