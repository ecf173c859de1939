//! State spaces, tables, calls, atomics, vector and asynchronous copies.

use super::host::{always, download, kernel, machine, module, module_for, run, run_module, upload};
use ptx_sim::MemoryError;

/// Runs the kernel made of `text` behind `head`, with 32 threads; `%r9` is each one's result.
fn lanes_with(version: &str, target: u32, head: &str, text: &str) -> Vec<u32> {
    let text = format!("{text}\nmad.wide.u32 %rd15, %r0, 4, %rd0; st.global.u32 [%rd15], %r9;");
    let m = module_for(version, target, &format!("{head}\n{}", kernel(&text)));
    run_module(&m, 1, (1, 32, 1024), &[0; 32])
        .unwrap_or_else(|e| panic!("{e}"))
        .0
}

fn lanes(head: &str, text: &str) -> Vec<u32> {
    lanes_with("7.0", 70, head, text)
}

fn each(f: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..32).map(f).collect()
}

#[test]
fn initialised_tables() {
    let head = ".global .align 4 .b32 t[4] = {10, 0x14, 036, -1};
.const .align 8 .b8 bytes[8] = {1, 2, 3, 4, 5, 255};
.global .f32 fs[3] = {0f3F800000, 2.5, -1.0};
.global .f64 d = 0d4008000000000000;
.global .u64 at[3] = {t, t+8, generic(bytes)};
.global .u16 grid[2][2] = {{1, 2}, {3, 4}};
.global .u32 zero[2];";
    assert_eq!(
        lanes(
            head,
            "and.b32 %r1, %r0, 3; mov.u64 %rd1, t; mad.wide.u32 %rd1, %r1, 4, %rd1; ld.global.u32 %r9, [%rd1];"
        ),
        each(|i| [10, 20, 30, u32::MAX][i as usize & 3])
    );
    assert_eq!(
        lanes(
            head,
            "ld.const.u8 %r1, [bytes+5]; ld.const.u8 %r2, [bytes+7]; ld.const.v2.u8 {%h0, %h1}, [bytes+2]; cvt.u32.u16 %r3, %h1; add.u32 %r9, %r1, %r2; add.u32 %r9, %r9, %r3;"
        ),
        each(|_| 255 + 4)
    );
    assert_eq!(
        lanes(
            head,
            "ld.global.f32 %f1, [fs+4]; ld.global.f32 %f2, [fs+8]; add.f32 %f1, %f1, %f2; ld.global.f64 %fd1, [d]; cvt.rn.f32.f64 %f2, %fd1; add.f32 %f1, %f1, %f2; cvt.rzi.u32.f32 %r9, %f1;"
        ),
        each(|_| 4)
    );
    assert_eq!(
        lanes(
            head,
            "ld.global.u64 %rd1, [at+8]; ld.global.u32 %r9, [%rd1]; ld.global.u64 %rd2, [at+16]; ld.u8 %r1, [%rd2+1]; add.u32 %r9, %r9, %r1;"
        ),
        each(|_| 32)
    );
    assert_eq!(
        lanes(
            head,
            "ld.global.u16 %h1, [grid+4]; cvt.u32.u16 %r9, %h1; ld.global.u32 %r1, [zero]; add.u32 %r9, %r9, %r1;"
        ),
        each(|_| 3)
    );
}

#[test]
fn module_variables_live_in_the_machine() {
    let module = module(&format!(
        ".global .u32 counter = 5;\n{}",
        kernel("atom.global.add.u32 %r1, [counter], 1;")
    ));
    let mut m = machine(1);
    let p = upload(&mut m, &[0]);
    let used = m.memory_info().0;
    for _ in 0..2 {
        m.launch(&module, "k", [1; 3], [32, 1, 1], 0, &[&p.to_le_bytes()])
            .unwrap();
    }
    let (at, size) = m.symbol(&module, "counter").unwrap();
    assert_eq!((size, download(&mut m, at, 1)[0]), (4, 69));
    assert!(matches!(
        m.symbol(&module, "none"),
        Err(MemoryError::NoSymbol { .. })
    ));
    m.unload(&module);
    assert_eq!(m.memory_info().0, used);
    let (at, _) = m.symbol(&module, "counter").unwrap();
    assert_eq!(download(&mut m, at, 1)[0], 5);
}

#[test]
fn generic_addresses() {
    let text = ".shared .align 8 .b32 s[32]; .local .align 8 .b32 l[2];
mov.u64 %rd1, s; cvta.shared.u64 %rd1, %rd1; mad.wide.u32 %rd1, %r0, 4, %rd1; st.u32 [%rd1], %r0; ld.u32 %r1, [%rd1];
mov.u64 %rd2, l; cvta.local.u64 %rd3, %rd2; st.u32 [%rd3+4], 7; ld.local.u32 %r2, [%rd2+4];
cvta.to.shared.u64 %rd4, %rd1; ld.shared.u32 %r3, [%rd4]; atom.add.u32 %r4, [%rd1], 1;
isspacep.shared %p1, %rd1; isspacep.local %p2, %rd3; isspacep.global %p3, %rd0; isspacep.global %p4, %rd1;
selp.u32 %r5, 100, 0, %p1; selp.u32 %r6, 100, 0, %p2; selp.u32 %r7, 100, 0, %p3; selp.u32 %r8, 100, 0, %p4;
add.u32 %r9, %r1, %r2; add.u32 %r9, %r9, %r3; add.u32 %r9, %r9, %r4; add.u32 %r9, %r9, %r5; add.u32 %r9, %r9, %r6;
add.u32 %r9, %r9, %r7; add.u32 %r9, %r9, %r8;";
    assert_eq!(lanes("", text), each(|i| 3 * i + 307));
}

#[test]
fn calls_pass_parameters_and_results() {
    // As rustc's nvptx target writes them; a stack depot, a struct by value, recursion.
    let head = ".func (.param .b32 r) fib (.param .b32 n);
.func (.param .b32 r) fib (.param .b32 n) {
    .reg .pred %p<2>; .reg .b32 %r<8>;
    ld.param.u32 %r1, [n];
    setp.lt.u32 %p1, %r1, 2;
    @%p1 bra BASE;
    sub.u32 %r2, %r1, 1;
    { .param .b32 param0; st.param.b32 [param0+0], %r2; .param .b32 retval0;
      call.uni (retval0), fib, (param0); ld.param.b32 %r3, [retval0+0]; }
    sub.u32 %r4, %r1, 2;
    { .param .b32 param0; st.param.b32 [param0+0], %r4; .param .b32 retval0;
      call.uni (retval0), fib, (param0); ld.param.b32 %r5, [retval0+0]; }
    add.u32 %r6, %r3, %r5;
    st.param.b32 [r+0], %r6;
    ret;
BASE:
    st.param.b32 [r+0], %r1;
    ret;
}
.func (.param .align 16 .b8 out[16]) swap (.param .align 16 .b8 in[16]) {
    .reg .b64 %rd<4>; .local .align 8 .b8 depot[16]; .reg .b64 %SP; .reg .b64 %SPL;
    mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL;
    ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [in+8];
    st.u64 [%SP+0], %rd2; st.local.u64 [%SPL+8], %rd1;
    ld.local.u64 %rd1, [%SPL+0]; ld.u64 %rd2, [%SP+8];
    st.param.u64 [out], %rd1; st.param.v2.u64 [out], {%rd1, %rd2};
    ret;
}
.func (.reg .u32 d) twice (.reg .u32 a) { add.u32 d, a, a; ret; }";
    let fib = |n: u32| (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0;
    let text = "and.b32 %r1, %r0, 7;
{ .param .b32 param0; st.param.b32 [param0], %r1; .param .b32 retval0; call (retval0), fib, (param0); ld.param.b32 %r9, [retval0]; }";
    assert_eq!(lanes(head, text), each(|i| fib(i & 7)));
    let text = "cvt.u64.u32 %rd1, %r0; mov.u64 %rd2, 5;
{ .param .align 16 .b8 a[16]; .param .align 16 .b8 b[16]; st.param.u64 [a], %rd1; st.param.u64 [a+8], %rd2; call (b), swap, (a);
ld.param.v2.u64 {%rd3, %rd4}, [b]; }
mad.lo.u64 %rd5, %rd4, 10, %rd3; cvt.u32.u64 %r9, %rd5;";
    assert_eq!(lanes(head, text), each(|i| i * 10 + 5));
    assert_eq!(
        lanes(
            head,
            "call (%r9), twice, (%r0); setp.lt.u32 %p1, %r0, 9; @%p1 call (%r9), twice, (%r9);"
        ),
        each(|i| if i < 9 { 4 * i } else { 2 * i })
    );
}

#[test]
fn branches_by_index() {
    let text = "and.b32 %r1, %r0, 3; T: .branchtargets A, B, A, C; brx.idx %r1, T;
A: mov.u32 %r9, 1; bra E; B: mov.u32 %r9, 2; bra E; C: mov.u32 %r9, 3; E:";
    assert_eq!(lanes("", text), each(|i| [1, 2, 1, 3][i as usize & 3]));
    // Labels are local to their braces, and an inner one hides an outer one.
    let text = "mov.u32 %r9, 0; { bra L; add.u32 %r9, %r9, 1; L: { bra L; add.u32 %r9, %r9, 2; L: } } add.u32 %r9, %r9, 4;";
    assert_eq!(lanes("", text), each(|_| 4));
}

/// One word, updated by 64 threads in two blocks; and what it ends as.
fn word(text: &str, from: u32, to: u32) {
    always(&kernel(text), (2, 32, 0), &[from], &[to]);
}

#[test]
fn atomics_in_global_memory() {
    word("atom.global.add.u32 %r1, [%rd0], %r0;", 3, 3 + 2 * 496);
    word("red.global.add.s32 [%rd0], -1;", 5, 5u32.wrapping_sub(64));
    word("red.global.min.s32 [%rd0], %r0;", 17, 0);
    word(
        "sub.u32 %r1, %r0, 20; red.global.min.s32 [%rd0], %r1;",
        17,
        (-20i32) as u32,
    );
    word(
        "sub.u32 %r1, %r0, 20; red.global.max.u32 [%rd0], %r1;",
        17,
        u32::MAX,
    );
    word("atom.global.and.b32 %r1, [%rd0], 0xf0f0;", 0xff00, 0xf000);
    word(
        "mov.u32 %r2, 1; shl.b32 %r1, %r2, %r0; red.global.or.b32 [%rd0], %r1;",
        0,
        u32::MAX,
    );
    word(
        "mov.u32 %r2, 3; shl.b32 %r1, %r2, %r0; red.global.xor.b32 [%rd0], %r1;",
        9,
        9,
    );
    word("atom.global.inc.u32 %r1, [%rd0], 9;", 0, 4);
    word("atom.global.dec.u32 %r1, [%rd0], 9;", 0, 6);
    word("atom.global.exch.b32 %r1, [%rd0], 8;", 0, 8);
    word(
        "cvt.rn.f32.u32 %f1, %r0; red.global.add.f32 [%rd0], %f1;",
        0,
        992f32.to_bits(),
    );
    word("atom.global.cas.b32 %r1, [%rd0], 4, 6;", 4, 6);
    // A compare-and-swap loop loses nothing, whatever the interleaving.
    word(
        "ld.relaxed.gpu.global.u32 %r1, [%rd0]; L: mad.lo.u32 %r2, %r1, 1, 3; atom.global.cas.b32 %r3, [%rd0], %r1, %r2; setp.ne.u32 %p1, %r3, %r1; mov.u32 %r1, %r3; @%p1 bra L;",
        1,
        1 + 3 * 64,
    );
}

#[test]
fn wide_narrow_and_float_atomics() {
    let pair =
        |text: &str, from: [u32; 2], to: [u32; 2]| always(&kernel(text), (2, 32, 0), &from, &to);
    pair(
        "cvt.u64.u32 %rd1, %r0; or.b64 %rd1, %rd1, 0xffffffff; atom.global.add.u64 %rd2, [%rd0], %rd1;",
        [0, 0],
        [u32::MAX - 63, 63],
    );
    pair(
        "mov.u64 %rd1, -5; red.global.min.s64 [%rd0], %rd1;",
        [0, 0],
        [(-5i32) as u32, u32::MAX],
    );
    pair(
        "mov.u64 %rd1, -5; red.global.max.u64 [%rd0], %rd1;",
        [0, 0],
        [(-5i32) as u32, u32::MAX],
    );
    let sum = 992f64.to_bits();
    pair(
        "cvt.rn.f64.u32 %fd1, %r0; red.global.add.f64 [%rd0], %fd1;",
        [0, 0],
        [sum as u32, (sum >> 32) as u32],
    );
    pair(
        "mov.b16 %h1, 7; mov.b16 %h2, 0; atom.global.cas.b16 %h0, [%rd0+2], %h2, %h1;",
        [0xffff, 0xff],
        [0x7_ffff, 0xff],
    );
    pair(
        "mov.b32 %r1, 0x3c003c00; red.global.add.noftz.f16x2 [%rd0], %r1;",
        [0, 0],
        [0x5400_5400, 0],
    );
    let m = module_for(
        "8.1",
        90,
        &kernel("mov.f32 %f1, 0f3f800000; red.global.add.v2.f32 [%rd0], {%f1, %f1};"),
    );
    let (got, _) = run_module(&m, 1, (2, 32, 0), &[0, 0]).unwrap();
    assert_eq!(got, [64f32.to_bits(); 2]);
}

#[test]
fn subnormals_of_atomic_adds() {
    // Global memory flushes them, shared memory does not.
    let tiny = "mov.b32 %f1, 1;";
    assert_eq!(
        run(
            &format!("{tiny} red.global.add.f32 [%rd0], %f1;"),
            (1, 2, 0),
            &[0]
        )
        .unwrap(),
        [0]
    );
    let text = ".shared .b32 s; mov.b32 %f1, 1; setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [s], 0; bar.sync 0; red.shared.add.f32 [s], %f1; bar.sync 0; ld.shared.u32 %r9, [s];";
    assert_eq!(lanes("", text), each(|_| 32));
}

#[test]
fn asynchronous_copies() {
    let text = ".shared .align 16 .b8 s[1024];
mad.wide.u32 %rd1, %r0, 4, %rd0; mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 4, %r1;
cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.commit_group;
cp.async.ca.shared.global [%r2+128], [%rd1], 4, 0; cp.async.commit_group;
cp.async.wait_group 1; bar.sync 0; xor.b32 %r3, %r0, 5; mad.lo.u32 %r3, %r3, 4, %r1; ld.shared.u32 %r9, [%r3];
cp.async.wait_all; bar.sync 0; ld.shared.u32 %r4, [%r3+128]; add.u32 %r9, %r9, %r4;
mad.wide.u32 %rd1, %r0, 4, %rd0; st.global.u32 [%rd1], %r9;";
    let m = module_for("7.0", 80, &kernel(text));
    let data: Vec<u32> = (50..82).collect();
    let want = each(|i| 50 + (i ^ 5));
    for seed in 0..4 {
        assert_eq!(run_module(&m, seed, (1, 32, 0), &data).unwrap().0, want);
    }
    // Without waiting, the copy has not happened.
    let early = module_for(
        "7.0",
        80,
        &kernel(&text.replace("cp.async.wait_group 1; bar.sync 0;", "bar.sync 0;")),
    );
    assert!(run_module(&early, 1, (1, 32, 0), &data).is_err());
}

#[test]
fn cache_hints_change_nothing() {
    let text = "mad.wide.u32 %rd1, %r0, 4, %rd0;
ld.global.nc.L1::no_allocate.L2::128B.u32 %r1, [%rd1]; ld.global.cg.u32 %r2, [%rd1]; ld.weak.global.ca.u32 %r3, [%rd1]; ld.global.cv.u32 %r4, [%rd1];
ld.volatile.global.u32 %r5, [%rd1]; prefetch.global.L2 [%rd1]; ldu.global.u32 %r6, [%rd1];
add.u32 %r9, %r1, %r2; add.u32 %r9, %r9, %r3; add.u32 %r9, %r9, %r4; add.u32 %r9, %r9, %r5; add.u32 %r9, %r9, %r6; st.global.wt.u32 [%rd1], %r9;";
    let m = module_for("7.4", 80, &kernel(text));
    assert_eq!(run_module(&m, 1, (1, 32, 0), &[2; 32]).unwrap().0, [12; 32]);
}

#[test]
fn special_registers() {
    let m = module(&kernel(
        "mov.u32 %r1, %ctaid.y; mov.u32 %r2, %nctaid.x; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
mov.u32 %r4, %tid.y; mov.u32 %r5, %ntid.x; mad.lo.u32 %r4, %r4, %r5, %r0; mov.u32 %r6, %ntid.y; mul.lo.u32 %r7, %r5, %r6;
mad.lo.u32 %r8, %r1, %r7, %r4; mad.wide.u32 %rd1, %r8, 4, %rd0; mov.u32 %r9, %dynamic_smem_size; mov.u32 %r10, %laneid;
mov.u32 %r11, %warpid; mad.lo.u32 %r10, %r11, 32, %r10; setp.ne.u32 %p1, %r10, %r4; @%p1 trap;
mov.u32 %r12, %smid; mov.u32 %r13, %nsmid; setp.ge.u32 %p2, %r12, %r13; @%p2 trap;
mov.u64 %rd2, %clock64; mov.u32 %r14, %clock; add.u32 %r9, %r9, %r8; st.global.u32 [%rd1], %r9;",
    ));
    let mut machine = machine(1);
    let p = upload(&mut machine, &[0; 240]);
    machine
        .launch(&m, "k", [3, 2, 1], [20, 2, 1], 512, &[&p.to_le_bytes()])
        .unwrap();
    assert_eq!(
        download(&mut machine, p, 240),
        (512..752).collect::<Vec<_>>()
    );
}

#[test]
fn shared_variables_have_places_of_their_own() {
    let head = ".shared .align 4 .b32 first; .shared .align 16 .b32 unused[12000]; .extern .shared .align 16 .b8 dyn[];";
    let text = ".shared .align 8 .b64 second; setp.ne.u32 %p1, %r0, 0; @%p1 bra W;
st.shared.u32 [first], 1; mov.u64 %rd1, 2; st.shared.u64 [second], %rd1; st.shared.u32 [dyn], 4; st.shared.u32 [dyn+1020], 8;
W: bar.sync 0; ld.shared.u32 %r1, [first]; ld.shared.u32 %r2, [second]; ld.shared.u32 %r3, [dyn]; ld.shared.u32 %r4, [dyn+1020];
add.u32 %r9, %r1, %r2; add.u32 %r9, %r9, %r3; add.u32 %r9, %r9, %r4;";
    assert_eq!(lanes(head, text), each(|_| 15));
}

#[test]
fn host_copies_are_checked() {
    let mut m = machine(1);
    let p = m.alloc(16).unwrap();
    assert!(matches!(
        m.write(p + 8, &[0; 9]),
        Err(MemoryError::Invalid { .. })
    ));
    m.write(p, &[1; 8]).unwrap();
    let mut out = [0; 16];
    assert_eq!(
        m.read(p, &mut out),
        Err(MemoryError::Uninitialised { address: p + 8 })
    );
    m.peek(p, &mut out).unwrap();
    let q = m.alloc(16).unwrap();
    m.copy(q, p, 16).unwrap();
    assert_eq!(
        m.read(q, &mut out),
        Err(MemoryError::Uninitialised { address: q + 8 })
    );
    m.fill(q + 8, 3, 8).unwrap();
    m.read(q, &mut out).unwrap();
    assert_eq!(out, [1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3]);
    assert!(matches!(
        m.alloc(u64::MAX),
        Err(MemoryError::OutOfMemory { .. })
    ));
    let empty = m.alloc(0).unwrap();
    m.read(empty, &mut []).unwrap();
    m.free(empty).unwrap();
}
