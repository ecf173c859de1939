//! What `#[offload]` emits for the CPU, written by hand: the specification of the emission, and the tests of
//! the runtime under it.
//!
//! Each function here is what the macro would make of the loop in its comment.

use std::iter::once;
use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__rt::cpu::{Drive, Run, Site, Source, bins, op, source, with_strategy};

/// for &k in keys { hist[k as usize] += 1; }
fn count(keys: &[u32], hist: &mut [u32]) {
    static SITE: Site = Site::new("count", "count").work(0.5).pure();
    let source = source(keys);
    let mut run = Run::new(&SITE, source.len());
    while let Some(range) = run.advance(
        (bins::<false, _, _>(&mut hist[..], op::Add), ()),
        |d: Drive<_>| {
            d.drive(&source, |item, (h, ())| {
                for &k in once(item) {
                    h.update(k as usize, 1);
                }
            })
        },
        |d| {
            d.drive(&source, |item, (h, ())| {
                for &k in once(item) {
                    h.update(k as usize, 1);
                }
            })
        },
        |d| {
            d.drive(&source, |item, (h, ())| {
                for &k in once(item) {
                    h.update(k as usize, 1);
                }
            })
        },
    ) {
        run.attempt(range.clone(), |done| {
            for &k in source.part(range) {
                hist[k as usize] += 1;
                done.bump();
            }
        });
    }
}

#[test]
fn smoke() {
    let keys: Vec<u32> = (0..100_000).map(|i| i * 7 % 100).collect();
    for strategy in [
        "sequential",
        "private",
        "private:lanes=8",
        "private:lanes=1",
        "partitioned",
        "sequential:undo=journal",
    ] {
        let mut h = vec![0u32; 100];
        with_strategy(strategy, || count(&keys, &mut h));
        assert!(h.iter().all(|&c| c == 1000), "{strategy} {h:?}");
        let mut h = vec![5u32; 99];
        let r = catch_unwind(AssertUnwindSafe(|| {
            with_strategy(strategy, || count(&keys, &mut h))
        }));
        let p = r.unwrap_err();
        assert_eq!(
            p.downcast_ref::<String>().unwrap(),
            "index out of bounds: the len is 99 but the index is 99"
        );
        assert!(h.iter().all(|&c| c == 5), "{strategy} {h:?}");
    }
}
