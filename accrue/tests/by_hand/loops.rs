//! The emitted form of loops, each what the macro makes of the loop in its comment. The step of a loop is in a macro, since it is printed
//! once for each kind of table.

#![allow(
    clippy::match_single_binding,
    clippy::needless_range_loop,
    clippy::ptr_arg,
    clippy::redundant_slicing,
    reason = "this is the shape that the compiler prints, whose users' lints are off"
)]

use std::iter::once;

use accrue::__rt::cpu::{
    Chunks, Run, Site, Source, bins, bins_array, bins2, bins2_array, op, row_len, scalar, source,
};

/// `for &k in keys { bins[k as usize] += 1; }`: the bins are a slice, items come by value.
pub(crate) fn count(keys: &[u8], hist: &mut [u32]) {
    static SITE: Site = Site::new("count", "the plan of count")
        .work(0.5)
        .sites(1)
        .pure();
    macro_rules! step {
        ($source:expr) => {
            |drive| {
                drive.drive($source, (), |item, (table_0, ()), ()| {
                    for k in once(item) {
                        table_0.update(k as usize, 1);
                    }
                });
            }
        };
    }
    match Source::copied(source(keys)) {
        source => {
            let mut run = Run::new(&SITE, source.len());
            while let Some(range) = run.advance(
                (bins::<false, _, _>(&mut hist[..], op::Add), ()),
                step!(&source),
                step!(&source),
                step!(&source),
                |_| {},
                |_| {},
            ) {
                let bins = (Source::apart(&source), &mut hist[..], ());
                run.attempt(range.clone(), bins, |done, own, hist, ()| {
                    for k in done.items(Source::part(&own, range)) {
                        done.begin();
                        hist[k as usize] += 1;
                        done.bump();
                    }
                });
            }
        }
    }
}

/// Two targets and two scalars, with operators that cannot be taken back:
///
/// ```text
/// for (i, x) in values.iter().enumerate() {
///     if *x < 0.0 { continue; }
///     sums[i % sums.len()] += x;
///     top[i % 4] = top[i % 4].max(limits[i]);
///     total += x;
///     *seen += 1;
/// }
/// ```
pub(crate) fn sums(
    values: &[f64],
    limits: &[i32],
    sums: &mut Vec<f64>,
    top: &mut [i32; 4],
    seen: &mut u64,
) -> f64 {
    static SITE: Site = Site::new("sums", "the plan of sums")
        .work(1.0)
        .sites(2)
        .pure()
        .journal();
    let mut total = 0.0;
    macro_rules! step {
        ($source:expr, $len:expr) => {
            |drive| {
                drive.drive(
                    $source,
                    (),
                    |item, (table_0, (table_1, (table_2, (table_3, ())))), ()| {
                        for (i, x) in once(item) {
                            if *x < 0.0 {
                                continue;
                            }
                            table_0.update(i % $len, x);
                            table_1.update_with(i % 4, limits[i]);
                            table_2.update((), x);
                            table_3.update((), 1);
                        }
                    },
                );
            }
        };
    }
    match Source::reading(Source::enumerate(source(&values[..])), &limits[..]) {
        source => {
            let len = sums.len();
            let mut run = Run::new(&SITE, source.len());
            while let Some(range) = run.advance(
                (
                    bins::<false, _, _>(&mut sums[..], op::Add),
                    (
                        bins_array::<false, _, _, _>(&mut *top, op::Max),
                        (
                            scalar::<false, _, _>(&mut total, op::Add),
                            (scalar::<false, _, _>(&mut *seen, op::Add), ()),
                        ),
                    ),
                ),
                step!(&source, len),
                step!(&source, len),
                step!(&source, len),
                |_| {},
                step!(&source, len),
            ) {
                // Scalars are copied around the user's own loop.
                let bins = (Source::apart(&source), &mut sums[..], &mut *top);
                let scalars = run.attempt(range.clone(), bins, |done, own, sums, top| {
                    let mut total = total;
                    let seen = &mut { *seen };
                    for (i, x) in done.items(Source::part(&own, range)) {
                        done.begin();
                        if *x < 0.0 {
                            continue;
                        }
                        {
                            sums[i % len] += x;
                            done.bump();
                        }
                        {
                            top[i % 4] = top[i % 4].max(limits[i]);
                            done.bump();
                        }
                        total += x;
                        *seen += 1;
                    }
                    (total, *seen)
                });
                if let Some((scalar_0, scalar_1)) = scalars {
                    total = scalar_0;
                    *seen = scalar_1;
                }
            }
        }
    }
    total
}

/// An inner loop and bins of two dimensions: `for row in pixels.chunks_exact(w) { for &p in row { h[p / 8][p % 8] ^= 1; } }`.
pub(crate) fn parity(pixels: &[u8], w: usize, h: &mut [[u16; 8]; 16]) {
    // No `work`: how long a row takes depends on `w`.
    static SITE: Site = Site::new("parity", "the plan of parity").sites(1).pure();
    macro_rules! step {
        ($source:expr) => {
            |drive| {
                drive.drive($source, (), |item, (table_0, ()), ()| {
                    for row in once(item) {
                        for &p in row {
                            // An item comes here more than once.
                            table_0
                                .next_lane()
                                .update([p as usize / 8, p as usize % 8], 1);
                        }
                    }
                });
            }
        };
    }
    match Chunks::<_, true, 0>::new(pixels, w) {
        source => {
            assert_eq!(row_len(&h[..]), 8);
            let mut run = Run::new(&SITE, source.len());
            while let Some(range) = run.advance(
                (bins2_array::<false, _, _, _, _>(&mut *h, op::Xor), ()),
                step!(&source),
                step!(&source),
                step!(&source),
                |_| {},
                |_| {},
            ) {
                // A source that cannot change is made again where its length tells the compiler something.
                run.attempt(range.clone(), ((), &mut *h, ()), |done, (), h, ()| {
                    let source = Chunks::<_, true, 0>::new(pixels, w);
                    let own = Source::apart(&source);
                    for row in done.items(Source::part(&own, range)) {
                        done.begin();
                        for &p in row {
                            h[p as usize / 8][p as usize % 8] ^= 1;
                            done.bump();
                        }
                    }
                });
            }
        }
    }
}

/// Updates behind a condition, whose indices are checked ahead of it:
/// `for (&k, &v) in keys.iter().zip(values) { if v > 9 { low[k] = low[k].min(v); } }`.
pub(crate) fn least_of_some(keys: &[usize], values: &[u32], low: &mut [u32]) {
    static SITE: Site = Site::new("least_of_some", "the plan of least_of_some")
        .work(0.9)
        .pure()
        .rehearsal(0.1)
        .ahead();
    macro_rules! drive {
        ($drive:ident, $source:expr, |$k:ident, $v:ident, $table:ident| $step:block) => {
            $drive.drive($source, (), |item, ($table, ()), ()| {
                for ($k, $v) in once(item) {
                    $step
                }
            })
        };
    }
    macro_rules! step {
        ($source:expr) => {
            |drive| {
                drive!(drive, $source, |k, v, table| {
                    if v > 9 {
                        table.update_with(k, v);
                    }
                })
            }
        };
    }
    match Source::zip(Source::copied(source(keys)), Source::copied(source(values))) {
        source => {
            let mut run = Run::new(&SITE, source.len());
            while let Some(range) = run.advance(
                (bins::<false, _, _>(&mut low[..], op::Min), ()),
                step!(&source),
                step!(&source),
                step!(&source),
                |drive| {
                    if drive.is_ahead() {
                        drive!(drive, &source, |k, v, table| {
                            let _ = v > 9;
                            {
                                table.update_with(k, v);
                            }
                        });
                    } else {
                        drive!(drive, &source, |k, v, table| {
                            if v > 9 {
                                table.update_with(k, v);
                            }
                        });
                    }
                },
                |_| {},
            ) {
                let own = Source::stretch(&source, range.clone());
                run.attempt(range, (own, &mut low[..], ()), |done, own, low, ()| {
                    for (k, v) in done.items(own.into_iter()) {
                        done.begin();
                        if v > 9 {
                            {
                                low[k] = low[k].min(v);
                                done.bump();
                            }
                        }
                    }
                });
            }
        }
    }
}

/// Bins of two dimensions whose updates cannot be taken back, and indices that are checked several items at a time:
/// `for (&k, &v) in keys.iter().zip(values) { h[k / 10][k % 10] = h[k / 10][k % 10].min(v); low[k] &= v; }`.
pub(crate) fn least(keys: &[usize], values: &[u32], h: &mut [[u32; 10]], low: &mut [u32]) {
    static SITE: Site = Site::new("least", "the plan of least")
        .work(0.6)
        .sites(2)
        .pure()
        .rehearsal(0.1);
    macro_rules! step {
        ($source:expr) => {
            |drive| {
                drive.drive($source, (), |item, (table_0, (table_1, ())), ()| {
                    for (k, v) in once(item) {
                        table_0.update_with([k / 10, k % 10], v);
                        table_1.update(k, v);
                    }
                });
            }
        };
    }
    match Source::zip(Source::copied(source(keys)), Source::copied(source(values))) {
        source => {
            let mut run = Run::new(&SITE, source.len());
            while let Some(range) = run.advance(
                (
                    bins2::<false, _, _, _>(&mut h[..], op::Min),
                    (bins::<false, _, _>(&mut low[..], op::And), ()),
                ),
                step!(&source),
                step!(&source),
                step!(&source),
                step!(&source),
                |_| {},
            ) {
                let own = Source::stretch(&source, range.clone());
                run.attempt(
                    range,
                    (own, &mut h[..], &mut low[..]),
                    |done, own, h, low| {
                        for (k, v) in done.items(own.into_iter()) {
                            done.begin();
                            {
                                h[k / 10][k % 10] = h[k / 10][k % 10].min(v);
                                done.bump();
                            }
                            {
                                low[k] &= v;
                                done.bump();
                            }
                        }
                    },
                );
            }
        }
    }
}

/// An inner loop whose updates cannot be taken back: `for &k in keys { for j in 0..k as usize { h[j] += 0.5; } }`.
pub(crate) fn steps(keys: &[u8], h: &mut [f64]) {
    static SITE: Site = Site::new("steps", "the plan of steps")
        .sites(1)
        .pure()
        .journal();
    macro_rules! step {
        ($source:expr) => {
            |drive| {
                drive.drive($source, (), |item, (table_0, ()), ()| {
                    for k in once(item) {
                        for j in 0..k as usize {
                            table_0.next_lane().update(j, 0.5);
                        }
                    }
                });
            }
        };
    }
    match Source::copied(source(keys)) {
        source => {
            let mut run = Run::new(&SITE, source.len());
            while let Some(range) = run.advance(
                (bins::<false, _, _>(&mut h[..], op::Add), ()),
                step!(&source),
                step!(&source),
                step!(&source),
                |_| {},
                step!(&source),
            ) {
                let own = Source::stretch(&source, range.clone());
                run.attempt(range, (own, &mut h[..], ()), |done, own, h, ()| {
                    for k in done.items(own.into_iter()) {
                        done.begin();
                        for j in 0..k as usize {
                            h[j] += 0.5;
                            done.bump();
                        }
                    }
                });
            }
        }
    }
}

/// An injective loop, with a scalar: `for i in (0..x.len()).rev() { h[i + 2] -= x[i]; *most = (*most).max(x[i]); }`.
pub(crate) fn shifted(x: &[i64], h: &mut [i64], most: &mut i64) {
    static SITE: Site = Site::new("shifted", "the plan of shifted")
        .work(0.6)
        .sites(1)
        .pure();
    macro_rules! step {
        ($source:expr) => {
            |drive| {
                drive.drive($source, (), |item, (table_0, (table_1, ())), ()| {
                    for i in once(item) {
                        table_0.update(i + 2, x[i]);
                        table_1.update_with((), x[i]);
                    }
                });
            }
        };
    }
    match Source::rev(source(0..x.len())) {
        source => {
            let mut run = Run::new(&SITE, source.len());
            while let Some(range) = run.advance_injective(
                (
                    bins::<false, _, _>(&mut h[..], op::Sub),
                    (scalar::<false, _, _>(&mut *most, op::Max), ()),
                ),
                step!(&source),
                step!(&source),
                |_| {},
                |_| {},
            ) {
                let bins = (Source::apart(&source), &mut h[..], ());
                let scalars = run.attempt(range.clone(), bins, |done, own, h, ()| {
                    let most = &mut { *most };
                    for i in done.items(Source::part(&own, range)) {
                        done.begin();
                        h[i + 2] -= x[i];
                        done.bump();
                        *most = (*most).max(x[i]);
                    }
                    (*most,)
                });
                if let Some((scalar_0,)) = scalars {
                    *most = scalar_0;
                }
            }
        }
    }
}
