//! Warp-wide operations, converged and diverged.

use super::host::{always, kernel, module_for, run, run_module};

/// Runs one warp; each thread's `%r9` is its result.
fn lanes(text: &str) -> Vec<u32> {
    let text = format!("{text}\nmad.wide.u32 %rd1, %r0, 4, %rd0; st.global.u32 [%rd1], %r9;");
    run(&text, (1, 32, 0), &[0; 32]).unwrap_or_else(|e| panic!("{e}"))
}

fn each(f: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..32).map(f).collect()
}

#[test]
fn shuffles() {
    assert_eq!(lanes("shfl.sync.idx.b32 %r9, %r0, 5, 31, -1;"), each(|_| 5));
    assert_eq!(
        lanes("shfl.sync.up.b32 %r9|%p1, %r0, 1, 0, -1;"),
        each(|i| i.saturating_sub(1))
    );
    assert_eq!(
        lanes("shfl.sync.down.b32 %r9, %r0, 3, 31, -1;"),
        each(|i| if i + 3 > 31 { i } else { i + 3 })
    );
    assert_eq!(
        lanes("shfl.sync.bfly.b32 %r9, %r0, 6, 31, -1;"),
        each(|i| i ^ 6)
    );
    // Segments of eight lanes: c holds the mask of the fixed bits above the clamp.
    let c = 0x1800 | 7;
    assert_eq!(
        lanes(&format!("shfl.sync.idx.b32 %r9, %r0, 2, {c}, -1;")),
        each(|i| i & !7 | 2)
    );
    assert_eq!(
        lanes(&format!("shfl.sync.down.b32 %r9, %r0, 3, {c}, -1;")),
        each(|i| if i % 8 < 5 { i + 3 } else { i })
    );
    let up = 0x1800;
    assert_eq!(
        lanes(&format!(
            "shfl.sync.up.b32 %r9|%p1, %r0, 3, {up}, -1; selp.u32 %r9, %r9, 99, %p1;"
        )),
        each(|i| if i % 8 >= 3 { i - 3 } else { 99 })
    );
}

#[test]
fn votes() {
    let odd = "and.b32 %r1, %r0, 1; setp.ne.u32 %p1, %r1, 0;";
    assert_eq!(
        lanes(&format!("{odd} vote.sync.ballot.b32 %r9, %p1, -1;")),
        each(|_| 0xaaaa_aaaa)
    );
    assert_eq!(
        lanes(&format!(
            "{odd} vote.sync.any.pred %p2, %p1, -1; selp.u32 %r9, 1, 0, %p2;"
        )),
        each(|_| 1)
    );
    assert_eq!(
        lanes(&format!(
            "{odd} vote.sync.all.pred %p2, %p1, -1; selp.u32 %r9, 1, 0, %p2;"
        )),
        each(|_| 0)
    );
    assert_eq!(
        lanes(&format!(
            "{odd} vote.sync.uni.pred %p2, !%p1, -1; selp.u32 %r9, 1, 0, %p2;"
        )),
        each(|_| 0)
    );
    // The halves of a branch vote by themselves.
    assert_eq!(
        lanes(&format!(
            "{odd} @%p1 bra A; vote.sync.ballot.b32 %r9, 1, 0x55555555; bra E; A: vote.sync.ballot.b32 %r9, %p1, 0xaaaaaaaa; E:"
        )),
        each(|i| if i & 1 == 1 { 0xaaaa_aaaa } else { 0x5555_5555 })
    );
}

#[test]
fn matches_and_reductions() {
    let third = "rem.u32 %r1, %r0, 3;";
    let same = |i: u32| {
        (0..32)
            .filter(|j| j % 3 == i % 3)
            .fold(0, |m, j| m | 1 << j)
    };
    assert_eq!(
        lanes(&format!("{third} match.any.sync.b32 %r9, %r1, -1;")),
        each(same)
    );
    assert_eq!(
        lanes(&format!(
            "{third} cvt.u64.u32 %rd2, %r1; match.any.sync.b64 %r9, %rd2, -1;"
        )),
        each(same)
    );
    assert_eq!(
        lanes(&format!("{third} match.all.sync.b32 %r9|%p1, %r1, -1;")),
        each(|_| 0)
    );
    assert_eq!(
        lanes("mov.u32 %r1, 4; match.all.sync.b32 %r9|%p1, %r1, -1; @!%p1 trap;"),
        each(|_| u32::MAX)
    );
    let text = "redux.sync.add.u32 %r9, %r0, -1; redux.sync.min.s32 %r1, %r0, -1; redux.sync.or.b32 %r2, %r0, -1;
        add.u32 %r9, %r9, %r1; add.u32 %r9, %r9, %r2; mad.wide.u32 %rd1, %r0, 4, %rd0; st.global.u32 [%rd1], %r9;";
    let m = module_for("7.0", 80, &kernel(text));
    assert_eq!(
        run_module(&m, 1, (1, 32, 0), &[0; 32]).unwrap().0,
        each(|_| 496 + 31)
    );
    let text = "elect.sync %r1|%p1, -1; vote.sync.ballot.b32 %r2, %p1, -1; popc.b32 %r9, %r2; shl.b32 %r3, 1, %r1;
        setp.ne.u32 %p2, %r3, %r2; @%p2 trap; mad.wide.u32 %rd1, %r0, 4, %rd0; st.global.u32 [%rd1], %r9;";
    let m = module_for(
        "8.0",
        90,
        &kernel(
            text.replace(
                "shl.b32 %r3, 1, %r1",
                "mov.u32 %r4, 1; shl.b32 %r3, %r4, %r1",
            )
            .as_str(),
        ),
    );
    assert_eq!(
        run_module(&m, 1, (1, 32, 0), &[0; 32]).unwrap().0,
        each(|_| 1)
    );
}

#[test]
fn diverged_threads_meet_again() {
    // A loop with a trip count per lane; behind it every lane takes part.
    let text = "mov.u32 %r1, 0; mov.u32 %r2, %r0;
L: setp.eq.u32 %p1, %r2, 0; @%p1 bra D; add.u32 %r1, %r1, %r2; sub.u32 %r2, %r2, 1; bra L;
D: bar.warp.sync -1; shfl.sync.down.b32 %r9, %r1, 1, 31, -1;";
    let sum = |n: u32| n * (n + 1) / 2;
    assert_eq!(lanes(text), each(|i| sum((i + 1).min(31))));
}

#[test]
fn exited_members_are_not_waited_for() {
    let body = kernel(
        "setp.ge.u32 %p1, %r0, 20; @%p1 ret;
         vote.sync.ballot.b32 %r9, 1, -1; mad.wide.u32 %rd1, %r0, 4, %rd0; st.global.u32 [%rd1], %r9;",
    );
    let mut want = vec![7; 32];
    want[..20].fill(0xf_ffff);
    always(&body, (1, 32, 0), &[7; 32], &want);
    // Threads that never were count as exited: a block of 24.
    always(
        &kernel(
            "vote.sync.ballot.b32 %r9, 1, -1; mad.wide.u32 %rd1, %r0, 4, %rd0; st.global.u32 [%rd1], %r9;",
        ),
        (1, 24, 0),
        &[0; 24],
        &[0xff_ffff; 24],
    );
}

#[test]
fn a_warp_reduction_by_shuffles_is_right_under_every_seed() {
    let body = kernel(
        ".shared .align 4 .b32 sums[8];
         mov.u32 %r1, %r0;
         shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1; add.u32 %r1, %r1, %r2;
         shfl.sync.bfly.b32 %r2, %r1, 8, 31, -1; add.u32 %r1, %r1, %r2;
         shfl.sync.bfly.b32 %r2, %r1, 4, 31, -1; add.u32 %r1, %r1, %r2;
         shfl.sync.bfly.b32 %r2, %r1, 2, 31, -1; add.u32 %r1, %r1, %r2;
         shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1; add.u32 %r1, %r1, %r2;
         shr.u32 %r3, %r0, 5; mov.u32 %r4, sums; mad.lo.u32 %r4, %r3, 4, %r4; mov.u32 %r5, %laneid;
         setp.eq.u32 %p1, %r5, 0; @%p1 st.shared.u32 [%r4], %r1;
         bar.sync 0;
         setp.ne.u32 %p2, %r0, 0; @%p2 bra E;
         mov.u32 %r6, 0; mov.u32 %r7, sums; add.u32 %r8, %r7, 32;
         S: ld.shared.u32 %r10, [%r7]; add.u32 %r6, %r6, %r10; add.u32 %r7, %r7, 4; setp.lt.u32 %p3, %r7, %r8; @%p3 bra S;
         mov.u32 %r11, %ctaid.x; mad.wide.u32 %rd1, %r11, 4, %rd0; st.global.u32 [%rd1], %r6;
         E:",
    );
    always(&body, (6, 256, 0), &[0; 6], &[256 * 255 / 2; 6]);
}

#[test]
fn lane_masks_and_active_threads() {
    assert_eq!(lanes("mov.u32 %r9, %lanemask_lt;"), each(|i| (1 << i) - 1));
    assert_eq!(
        lanes("mov.u32 %r9, %lanemask_le;"),
        each(|i| u32::MAX >> (31 - i))
    );
    assert_eq!(lanes("mov.u32 %r9, %lanemask_ge;"), each(|i| u32::MAX << i));
    assert_eq!(
        lanes("mov.u32 %r9, %lanemask_gt;"),
        each(|i| (u64::from(u32::MAX) << (i + 1)) as u32)
    );
    assert_eq!(lanes("mov.u32 %r9, %lanemask_eq;"), each(|i| 1 << i));
    assert_eq!(lanes("activemask.b32 %r9;"), each(|_| u32::MAX));
    let half = lanes(
        "setp.lt.u32 %p1, %r0, 16; @%p1 bra A; activemask.b32 %r9; bra E; A: activemask.b32 %r9; E:",
    );
    for (i, mask) in half.into_iter().enumerate() {
        let side = if i < 16 { 0xffff } else { 0xffff_0000u32 };
        assert!(
            mask >> i & 1 == 1 && mask & !side == 0,
            "lane {i} ran with {mask:#x}"
        );
    }
}

/// `a` is 1 to 32 row by row, `b` 2 to 33, `c` 0 to 63; a lane tells both of its sums in one number.
const PRODUCT: &str = "add.u32 %r1, %r0, 1; cvt.rn.f64.u32 %fd1, %r1;
    and.b32 %r2, %r0, 3; shr.u32 %r3, %r0, 2; mad.lo.u32 %r4, %r2, 8, %r3; add.u32 %r4, %r4, 2; cvt.rn.f64.u32 %fd2, %r4;
    mul.lo.u32 %r5, %r0, 2; cvt.rn.f64.u32 %fd3, %r5; add.u32 %r5, %r5, 1; cvt.rn.f64.u32 %fd4, %r5;
    mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd3, %fd4}, {%fd1}, {%fd2}, {%fd3, %fd4};
    cvt.rzi.u32.f64 %r6, %fd3; cvt.rzi.u32.f64 %r7, %fd4; mad.lo.u32 %r9, %r7, 8192, %r6;";

#[test]
fn products_of_matrices() {
    let sum = |row: u32, column: u32| {
        let terms = (0..4).map(|k| (row * 4 + k + 1) * (k * 8 + column + 2));
        terms.sum::<u32>() + row * 8 + column
    };
    let expected = each(|lane| {
        let (row, column) = (lane / 4, lane % 4 * 2);
        sum(row, column + 1) * 8192 + sum(row, column)
    });
    let text = format!("{PRODUCT} mad.wide.u32 %rd1, %r0, 4, %rd0; st.global.u32 [%rd1], %r9;");
    let m = module_for("7.0", 80, &kernel(&text));
    assert_eq!(run_module(&m, 1, (1, 32, 0), &[0; 32]).unwrap().0, expected);
    // Sixteen rows, of which the upper eight have `a` and `c` again, at eight positions, of which the later four are 1 times 0 and 2.
    let text = text.replace(
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd3, %fd4}, {%fd1}, {%fd2}, {%fd3, %fd4};",
        "mov.f64 %fd5, 0d3ff0000000000000; mov.f64 %fd6, 0d0000000000000000; mov.f64 %fd7, 0d4000000000000000;
        mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%fd0, %fd7, %fd3, %fd4}, {%fd6, %fd1, %fd6, %fd5}, {%fd2, %fd7}, {%fd3, %fd4, %fd3, %fd4};
        sub.f64 %fd3, %fd3, 0d4020000000000000; sub.f64 %fd4, %fd4, 0d4020000000000000;
        mul.lo.u32 %r8, %r0, 2; cvt.rzi.u32.f64 %r6, %fd0; setp.ne.u32 %p1, %r6, %r8; @%p1 trap;",
    );
    let m = module_for("7.8", 90, &kernel(&text));
    assert_eq!(run_module(&m, 1, (1, 32, 0), &[0; 32]).unwrap().0, expected);
    // It is for whole warps.
    let few = run_module(&m, 1, (1, 31, 0), &[0; 32]).unwrap_err();
    assert!(
        few.to_string().contains("`mma` is for all threads"),
        "{few}"
    );
}
