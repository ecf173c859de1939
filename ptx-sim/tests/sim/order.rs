//! Barriers, fences, flags: what orders accesses, and what does not.

use super::host::{always, faults, kernel, module, run_module};
use ptx_sim::FaultKind;

/// Each block writes its number to `p[1 + block]`; the last one to count itself in `p[0]` adds them
/// up into `p[0]`'s successor array. `fences`: before the atomic, and after it.
fn last_block(before: &str, after: &str) -> String {
    kernel(&format!(
        ".shared .align 4 .u32 last;
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x;
setp.ne.u32 %p1, %r0, 0; @%p1 bra W;
mad.wide.u32 %rd1, %r1, 4, %rd0; add.u32 %r3, %r1, 1;
st.global.u32 [%rd1+4], %r3;
{before}
atom.global.add.u32 %r4, [%rd0], 1;
{after}
st.shared.u32 [last], %r4;
W: bar.sync 0;
ld.shared.u32 %r4, [last];
sub.u32 %r5, %r2, 1; setp.ne.u32 %p2, %r4, %r5; @%p2 bra E;
setp.ne.u32 %p3, %r0, 63; @%p3 bra E;
mov.u32 %r6, 0; mov.u32 %r7, 0;
S: mad.wide.u32 %rd2, %r7, 4, %rd0; ld.global.u32 %r8, [%rd2+4]; add.u32 %r6, %r6, %r8;
add.u32 %r7, %r7, 1; setp.lt.u32 %p4, %r7, %r2; @%p4 bra S;
mad.wide.u32 %rd3, %r2, 4, %rd0; st.global.u32 [%rd3+4], %r6;
E:"
    ))
}

#[test]
fn the_last_block_sees_what_fences_order() {
    let want = [5, 1, 2, 3, 4, 5, 15];
    for fence in ["membar.gl;", "fence.acq_rel.gpu;", "fence.sc.sys;"] {
        always(&last_block(fence, fence), (5, 64, 0), &[0; 7], &want);
    }
    // So many releases that they are combined.
    let mut many: Vec<u32> = (0..25).collect();
    many[0] = 24;
    many.push(300);
    always(
        &last_block("membar.gl;", "membar.gl;"),
        (24, 64, 0),
        &[0; 26],
        &many,
    );
    let acq_rel = last_block("", "").replace("atom.global", "atom.acq_rel.gpu.global");
    always(&acq_rel, (5, 64, 0), &[0; 7], &want);
}

#[test]
fn without_a_fence_on_both_sides_it_is_a_race() {
    let fence = "membar.gl;";
    for (before, after) in [
        ("", fence),
        (fence, ""),
        ("", ""),
        ("membar.cta;", "membar.cta;"),
    ] {
        let f = faults(&last_block(before, after), (5, 64, 0), &[0; 7], 16);
        assert_eq!(f.kind, FaultKind::Race, "{before:?}, {after:?}");
    }
}

#[test]
fn a_spin_on_a_flag_of_another_block_ends() {
    // Every block waits for the one before it; all are resident.
    let body = kernel(
        "mov.u32 %r1, %ctaid.x; mad.wide.u32 %rd1, %r1, 4, %rd0; setp.eq.u32 %p1, %r1, 0; setp.ne.u32 %p2, %r0, 0;
@%p2 bra J; @%p1 bra G;
W: ld.acquire.gpu.global.u32 %r2, [%rd1+-4]; setp.eq.u32 %p3, %r2, 0; @%p3 bra W;
G: add.u32 %r3, %r1, 1; st.release.gpu.global.u32 [%rd1], %r3;
J: bar.sync 0;",
    );
    always(&body, (6, 64, 0), &[0; 6], &[1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_barrier_across_the_grid() {
    // Sense by counting: each phase adds one per block and waits for all; in between, blocks read
    // what their neighbours wrote.
    let body = kernel(
        "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mov.u32 %r3, 0; add.u64 %rd2, %rd0, 64;
P: mad.wide.u32 %rd1, %r1, 4, %rd0; setp.ne.u32 %p1, %r0, 0; @%p1 bra A;
add.u32 %r4, %r1, %r3; st.global.u32 [%rd1], %r4;
A: bar.sync 0; @%p1 bra B;
membar.gl; red.global.add.u32 [%rd2], 1; add.u32 %r5, %r3, 1; mul.lo.u32 %r5, %r5, %r2;
W: ld.relaxed.gpu.global.u32 %r6, [%rd2]; setp.lt.u32 %p2, %r6, %r5; @%p2 bra W; membar.gl;
B: bar.sync 0;
add.u32 %r7, %r1, 1; rem.u32 %r7, %r7, %r2; mad.wide.u32 %rd3, %r7, 4, %rd0; ld.global.u32 %r8, [%rd3];
add.u32 %r9, %r7, %r3; shr.u32 %r10, %r3, 1; setp.ne.u32 %p3, %r8, %r9; @%p3 trap;
add.u32 %r3, %r3, 1;
bar.sync 0; @%p1 bra C;
membar.gl; red.global.add.u32 [%rd2+4], 1; mul.lo.u32 %r5, %r3, %r2;
V: ld.relaxed.gpu.global.u32 %r6, [%rd2+4]; setp.lt.u32 %p2, %r6, %r5; @%p2 bra V; membar.gl;
C: bar.sync 0;
setp.lt.u32 %p4, %r3, 3; @%p4 bra P;",
    );
    let m = module(&body);
    for seed in 0..8 {
        let (got, _) = run_module(&m, seed, (4, 64, 0), &[0; 18]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(&got[..4], [2, 3, 4, 5]);
    }
}

#[test]
fn named_barriers_order_their_participants() {
    // The first warp produces, the second consumes, the third has its own barrier.
    let body = kernel(
        ".shared .align 4 .b32 s[32];
mov.u32 %r1, %laneid; mov.u32 %r2, s; mad.lo.u32 %r2, %r1, 4, %r2; shr.u32 %r3, %r0, 5;
setp.eq.u32 %p1, %r3, 1; @%p1 bra C; setp.eq.u32 %p2, %r3, 2; @%p2 bra T;
add.u32 %r4, %r1, 100; st.shared.u32 [%r2], %r4; bar.arrive 1, 64; bra E;
C: bar.sync 1, 64; ld.shared.u32 %r4, [%r2]; mad.wide.u32 %rd1, %r1, 4, %rd0; st.global.u32 [%rd1], %r4; bra E;
T: bar.sync 2, 32;
E:",
    );
    let want: Vec<u32> = (100..132).collect();
    always(&body, (1, 96, 0), &[0; 32], &want);
}

#[test]
fn an_arriving_thread_goes_on_unordered() {
    let body = kernel(
        ".shared .align 4 .b32 s[32];
mov.u32 %r1, %laneid; mov.u32 %r2, s; mad.lo.u32 %r2, %r1, 4, %r2; setp.ge.u32 %p1, %r0, 32; @%p1 bra C;
bar.arrive 1, 64; st.shared.u32 [%r2], %r1; bra E;
C: bar.sync 1, 64; ld.shared.u32 %r4, [%r2];
E:",
    );
    // The store comes after the arrival, so the load may see it or not.
    let f = faults(&body, (1, 64, 0), &[0], 16);
    assert!(
        matches!(f.kind, FaultKind::Race | FaultKind::Uninitialised),
        "{f}"
    );
}

#[test]
fn barriers_reduce() {
    let body = kernel(
        "and.b32 %r1, %r0, 3; setp.eq.u32 %p1, %r1, 0;
bar.red.popc.u32 %r2, 0, %p1; bar.red.or.pred %p2, 0, %p1; bar.red.and.pred %p3, 0, !%p1;
selp.u32 %r3, 1000, 0, %p2; selp.u32 %r4, 2000, 0, %p3; add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4;
mad.wide.u32 %rd1, %r0, 4, %rd0; st.global.u32 [%rd1], %r2;",
    );
    always(&body, (1, 96, 0), &[0; 96], &[1024; 96]);
}

#[test]
fn launches_are_ordered() {
    let m = module(&kernel(
        "xor.b32 %r1, %r0, 33; mad.wide.u32 %rd1, %r1, 4, %rd0; ld.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, 1; st.global.u32 [%rd1], %r2;",
    ));
    let mut machine = super::host::machine(3);
    let p = super::host::upload(&mut machine, &[0; 64]);
    for _ in 0..5 {
        machine
            .launch(&m, "k", [1; 3], [64, 1, 1], 0, &[&p.to_le_bytes()])
            .unwrap();
    }
    assert_eq!(super::host::download(&mut machine, p, 64), [5; 64]);
}
