//! Calls that append to vectors on devices that fail: nothing has changed then, and the next call works.

use accrue_macros::offload;

use super::*;
use crate::gpu::appended::Appended;

#[offload(strategy = "lookback", __only)]
fn kept(x: &[u32], out: &mut Vec<u32>, sum: &mut u32) {
    for &v in x {
        *sum += v;
        if v % 3 == 0 {
            out.push(v);
        }
    }
}

/// Appends 2000 of 6000 numbers, and sums up all of them.
fn run(context: &Arc<Context>, (out, sum): (&mut Vec<u32>, &mut u32)) -> Result<(), Error> {
    let x: Vec<u32> = (0..6000).collect();
    let of = kept::__accrue_loop_0();
    let (items, mut count) = (Appended::new(out), 0usize);
    of.call(
        context,
        &[6000],
        &[Array::host(&x), items.array(of, &[6000], 1)],
        &mut [Bins::scalar(sum), Bins::scalar(&mut count)],
        &[],
        Reach::UNKNOWN,
    )?;
    items.end();
    assert_eq!(count, 2000);
    Ok(())
}

#[test]
fn what_fails_leaves_vectors_and_all_else_alone() {
    type At = fn(&Faults) -> &std::sync::atomic::AtomicU64;
    let all: [(At, u64); 3] = [(|f| &f.copy, 6), (|f| &f.launch, 1), (|f| &f.allocation, 3)];
    for (at, least) in all {
        let mut failed = 0;
        for k in 0..40 {
            let (context, faults) = faulty(Faults::default());
            at(&faults).store(k, SeqCst);
            faults.shortage.store(1, SeqCst);
            let (mut out, mut sum) = (vec![5, 6], 7);
            if let Err(e) = run(&context, (&mut out, &mut sum)) {
                assert!(e.is_machine(), "{k}: {e}");
                assert_eq!((&out[..], sum), (&[5, 6][..], 7), "{k}");
                failed += 1;
                at(&faults).store(u64::MAX, SeqCst);
                faults.lost.store(false, SeqCst);
                run(&context, (&mut out, &mut sum)).unwrap();
            }
            let expected: Vec<u32> = [5, 6].into_iter().chain((0..6000).step_by(3)).collect();
            assert_eq!((&out, sum), (&expected, 7 + 5999 * 3000), "{k}");
        }
        assert!(failed >= least, "{failed} of {least}");
    }
}
