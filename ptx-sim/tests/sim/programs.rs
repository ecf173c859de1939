//! Whole kernels in the simulator: correct ones run clean under many seeds and give the right
//! result; deliberately wrong ones are caught, with the right kind, line and message.

use ptx_sim::{Fault, FaultKind, Limits, Machine, Module, Stats};

/// A module around a kernel's text; the kernel's first line is line 4.
fn module(body: &str) -> Module {
    let text = format!(".version 7.0\n.target sm_70\n.address_size 64\n{body}");
    Module::parse(&text).unwrap_or_else(|e| panic!("{e}"))
}

fn bytes(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn upload(m: &mut Machine, values: &[u32]) -> u64 {
    let a = m.alloc(4 * values.len() as u64).unwrap();
    m.write(a, &bytes(values)).unwrap();
    a
}

fn download(m: &mut Machine, address: u64, n: usize) -> Vec<u32> {
    let mut out = vec![0; 4 * n];
    m.read(address, &mut out).unwrap();
    out.chunks(4)
        .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
        .collect()
}

fn keys(n: usize, bins: u32) -> Vec<u32> {
    let mut x = 12345u32;
    (0..n)
        .map(|_| {
            x = x.wrapping_mul(1664525).wrapping_add(1013904223);
            (x >> 16) % bins
        })
        .collect()
}

/// One copy of 64 bins per block in dynamic shared memory; `barrier` between the phases.
fn shared_histogram(init_barrier: &str, add: &str, merge_barrier: &str) -> String {
    format!(
        ".extern .shared .align 16 .b8 smem[];
.visible .entry hist(.param .u64 p_keys, .param .u32 p_n, .param .u64 p_bins) {{
    .reg .pred %p<5>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<10>;
    ld.param.u64 %rd1, [p_keys];
    ld.param.u32 %r1, [p_n];
    ld.param.u64 %rd2, [p_bins];
    cvta.to.global.u64 %rd1, %rd1;
    cvta.to.global.u64 %rd2, %rd2;
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, smem;
    mov.u32 %r5, %r2;
init:
    setp.ge.u32 %p1, %r5, 64;
    @%p1 bra init_done;
    mad.lo.s32 %r6, %r5, 4, %r4;
    st.shared.u32 [%r6], 0;
    add.s32 %r5, %r5, %r3;
    bra init;
init_done:
    {init_barrier}
    mov.u32 %r7, %ctaid.x;
    mov.u32 %r8, %nctaid.x;
    mad.lo.s32 %r9, %r7, %r3, %r2;
    mul.lo.s32 %r10, %r8, %r3;
count:
    setp.ge.u32 %p2, %r9, %r1;
    @%p2 bra count_done;
    mul.wide.u32 %rd3, %r9, 4;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.nc.u32 %r11, [%rd4];
    mad.lo.s32 %r12, %r11, 4, %r4;
    {add}
    add.s32 %r9, %r9, %r10;
    bra.uni count;
count_done:
    {merge_barrier}
    mov.u32 %r5, %r2;
merge:
    setp.ge.u32 %p3, %r5, 64;
    @%p3 bra merge_done;
    mad.lo.s32 %r13, %r5, 4, %r4;
    ld.shared.u32 %r14, [%r13];
    mul.wide.u32 %rd5, %r5, 4;
    add.s64 %rd6, %rd2, %rd5;
    red.global.add.u32 [%rd6], %r14;
    add.s32 %r5, %r5, %r3;
    bra.uni merge;
merge_done:
    ret;
}}"
    )
}

fn run_histogram(body: &str, seed: u64) -> Result<(Vec<u32>, Stats), Fault> {
    let module = module(body);
    let mut m = Machine::new(Limits::default(), seed);
    let data = keys(3000, 64);
    let (k, b) = (upload(&mut m, &data), upload(&mut m, &[0; 64]));
    let n = 3000u32;
    let stats = m.launch(
        &module,
        "hist",
        [7, 1, 1],
        [96, 1, 1],
        256,
        &[&k.to_le_bytes(), &n.to_le_bytes(), &b.to_le_bytes()],
    )?;
    Ok((download(&mut m, b, 64), stats))
}

const SYNC: &str = "bar.sync 0;";
const ATOMIC: &str = "atom.shared.add.u32 %r15, [%r12], 1;";

#[test]
fn a_shared_memory_histogram_is_right_under_every_seed() {
    let body = shared_histogram(SYNC, ATOMIC, SYNC);
    let mut want = vec![0; 64];
    keys(3000, 64)
        .into_iter()
        .for_each(|k| want[k as usize] += 1);
    for seed in 0..20 {
        let (got, stats) = run_histogram(&body, seed).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(got, want);
        assert_eq!(stats.shared_atomics, 3000);
        assert_eq!(stats.barriers, 14);
        assert_eq!(stats.blocks, 7);
    }
}

/// Under most seeds, since a race may hide in one interleaving.
fn races(body: &str) -> Fault {
    let faults: Vec<_> = (0..8)
        .filter_map(|s| run_histogram(body, s).err())
        .collect();
    assert!(
        faults.len() >= 6,
        "only {} of 8 seeds show the race",
        faults.len()
    );
    faults.into_iter().next().unwrap()
}

#[test]
fn a_missing_barrier_is_a_race() {
    for body in [
        shared_histogram("", ATOMIC, SYNC),
        shared_histogram(SYNC, ATOMIC, ""),
    ] {
        let fault = races(&body);
        assert!(
            matches!(fault.kind, FaultKind::Race | FaultKind::Uninitialised),
            "{fault}"
        );
        assert!(fault.place.is_some());
    }
}

#[test]
fn a_lost_atomic_is_a_race() {
    let plain = "ld.shared.u32 %r15, [%r12]; add.s32 %r15, %r15, 1; st.shared.u32 [%r12], %r15;";
    let fault = races(&shared_histogram(SYNC, plain, SYNC));
    assert_eq!(fault.kind, FaultKind::Race);
    assert_eq!(fault.others.len(), 1, "{fault}");
    assert!(fault.to_string().contains("kernel `hist`"), "{fault}");
}
