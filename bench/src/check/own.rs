//! Loops whose iterations write elements of their own: from the host's memory and on the device's, beside bins and without, and with
//! iterations that fail.

use accrue::{Device, DeviceBuffer, DeviceType, Error, Stream, offload};

use super::Settings;
use super::report::Report;
use crate::data::Random;

/// Functions twice: as they are in `plain`, and offloaded.
macro_rules! twice {
    ($(fn $name:ident($($params:tt)*) $body:block)*) => {
        mod plain { $(pub(super) fn $name($($params)*) $body)* }
        mod off {
            use super::offload;
            $(#[offload] pub(super) fn $name($($params)*) $body)*
        }
    };
}

twice! {
    fn scale(x: &[f32], out: &mut [f32]) {
        for i in 0..out.len() {
            out[i] = (x[i] - out[i]) * 2.5;
        }
    }

    fn look_up(x: &[u8], out: &mut [u8]) {
        for (o, &x) in out.iter_mut().zip(x) {
            *o = (*o ^ x).rotate_left(3);
        }
    }

    fn pairs(x: &[u16], out: &mut [u16]) {
        let n = out.len();
        for i in 0..n / 2 {
            out.swap(i, n - 1 - i);
            out[i] ^= x[i];
        }
    }

    fn stencil(x: &[f32], out: &mut [f32]) {
        let w = 61;
        for y in 1..(x.len() / w).max(1) - 1 {
            for i in 1..w - 1 {
                out[y * w + i] = x[y * w + i - 1] + x[y * w + i + 1] - x[(y - 1) * w + i] * x[(y + 1) * w + i];
            }
        }
    }

    fn transposed(x: &[u32], out: &mut [u32]) {
        let (w, h) = (37, x.len() / 37);
        for y in 0..h {
            for i in 0..w {
                out[i * h + y] = x[y * w + i].rotate_left(y as u32);
            }
        }
    }

    // On a device several gangs take some steps each by themselves.
    fn falling(x: &[u32], out: &mut [u32]) {
        let w = 300;
        for y in 1..out.len() / w {
            for i in 0..w {
                let above = (y - 1) * w + i;
                let mut least = out[above];
                if i > 0 {
                    least = least.min(out[above - 1]);
                }
                if i + 2 < w {
                    least ^= out[above + 2];
                }
                out[y * w + i] = least.wrapping_add(x[y * w + i]);
            }
        }
    }

    fn rows(x: &[u32], out: &mut [u32]) {
        for (y, row) in out.chunks_mut(19).enumerate() {
            for (i, o) in row.iter_mut().enumerate() {
                *o = o.wrapping_mul(31).wrapping_add(x[y] >> i);
            }
        }
    }

    fn sums(x: &[f64], out: &mut [f64]) {
        let n = x.len();
        for i in 0..out.len() {
            for k in 0..n.min(100) {
                out[i] += x[(i + k) % n] * k as f64;
            }
        }
    }

    fn products(x: &[f32], out: &mut [f32]) {
        let n = 23;
        for i in 0..(x.len() / n).min(n) {
            for j in 0..n {
                for k in 0..n {
                    out[i * n + j] += x[i * n + k] * x[k % (x.len() / n) * n + j];
                }
            }
        }
    }
}

#[offload]
fn labelled(x: &[u32], labels: &mut [u8], bins: &mut [u32; 64], top: &mut u32) {
    for i in 0..x.len() {
        let label = x[i] % 64;
        labels[i] = label as u8;
        bins[label as usize] += 1;
        *top = (*top).max(x[i]);
    }
}

#[offload]
fn divided(x: &[u32], out: &mut [u32]) {
    for i in 0..out.len() {
        out[i] = (out[i] + 1) / x[i];
    }
}

#[offload]
fn outside(w: usize, x: &[u32], out: &mut [u32]) {
    for y in 0..x.len() / w {
        for i in 0..w {
            out[y * w + i] = x[y * w + i] + 1;
        }
    }
}

/// The rows of the table.
const GRID: &str = "grid";
const STEPS: &str = "steps";

/// Runs them all.
pub(super) fn check(settings: &Settings) -> Report {
    let mut report = Report::default();
    let (device, mut random) = (settings.device, Random::new(7));
    for n in settings.all_sizes() {
        let u32s: Vec<u32> = (0..n).map(|_| random.below(1 << 30) as u32).collect();
        let f32s: Vec<f32> = u32s.iter().map(|x| (x % 1000) as f32 / 8.0).collect();
        let f64s: Vec<f64> = f32s.iter().map(|x| f64::from(*x)).collect();
        let u16s: Vec<u16> = u32s.iter().map(|x| *x as u16).collect();
        let u8s: Vec<u8> = u32s.iter().map(|x| *x as u8).collect();
        macro_rules! check {
            ($name:ident, $x:expr, $before:expr) => {{
                let (x, before) = (&$x, $before);
                let mut expected = before.clone();
                plain::$name(x, &mut expected);
                let host = from_host(device, &before, &expected, |out| {
                    off::$name::try_call(x, out)
                });
                report.count(GRID, stringify!($name), host);
                let there = on_device(device, x, &before, &expected, |stream, x, out| {
                    off::$name::on_device(stream, x, out)
                });
                report.count(GRID, stringify!($name), there);
            }};
        }
        check!(scale, f32s, f32s.clone());
        check!(look_up, u8s, u8s.iter().map(|x| x / 3).collect::<Vec<_>>());
        check!(pairs, u16s, u16s.clone());
        check!(stencil, f32s, vec![0.5; n]);
        check!(transposed, u32s, vec![7; n]);
        check!(rows, u32s, vec![3; n]);
        let before = vec![4; n];
        let mut expected = before.clone();
        plain::falling(&u32s, &mut expected);
        let found = from_host(device, &before, &expected, |out| {
            off::falling::try_call(&u32s, out)
        });
        report.count(STEPS, "falling", found);
        check!(sums, f64s, vec![1.0; n]);
        check!(products, f32s, vec![1.0; n.max(23 * 23)]);
        report.count(GRID, "labelled", beside_bins(device, &u32s));
        if n > 10 {
            report.count(GRID, "divided", division(settings, &u32s));
            report.count(GRID, "outside", out_of_range(settings, &u32s));
        }
    }
    report
}

fn same<T: PartialEq>(found: &[T], expected: &[T]) -> Result<(), String> {
    match found.iter().zip(expected).position(|(f, e)| f != e) {
        None => Ok(()),
        Some(at) => Err(format!("element {at} of {} is another", found.len())),
    }
}

fn from_host<T: Clone + PartialEq, R>(
    device: Device,
    before: &[T],
    expected: &[T],
    run: impl FnOnce(&mut [T]) -> Result<R, Error>,
) -> Result<(), String> {
    let mut found = before.to_vec();
    accrue::with_device(device, || run(&mut found)).map_err(|e| e.to_string())?;
    same(&found, expected)
}

/// The same on the device; the array begins at another element than the memory does.
fn on_device<T: DeviceType + PartialEq>(
    device: Device,
    x: &[T],
    before: &[T],
    expected: &[T],
    run: impl FnOnce(&Stream, &DeviceBuffer<T>, accrue::DeviceSliceMut<'_, T>) -> Result<(), Error>,
) -> Result<(), String> {
    let Some(first) = before.first() else {
        return Ok(());
    };
    let moved = || -> Result<Vec<T>, Error> {
        let stream = Stream::on(device)?;
        let x = DeviceBuffer::from_slice_on(&stream, x)?;
        let with_room = [std::slice::from_ref(first), before].concat();
        let mut out = DeviceBuffer::from_slice_on(&stream, &with_room)?;
        run(&stream, &x, out.slice_mut(1..with_room.len())?)?;
        stream.sync()?;
        out.to_vec()
    };
    let found = moved().map_err(|e| e.to_string())?;
    if found[0] != *first {
        return Err("what is no part of the array was changed".to_owned());
    }
    same(&found[1..], expected)
}

fn beside_bins(device: Device, x: &[u32]) -> Result<(), String> {
    let (mut labels, mut bins, mut top) = (vec![0; x.len()], [5; 64], 1);
    accrue::with_device(device, || {
        labelled::try_call(x, &mut labels, &mut bins, &mut top)
    })
    .map_err(|e| e.to_string())?;
    let expected: Vec<u8> = x.iter().map(|x| (x % 64) as u8).collect();
    same(&labels, &expected)?;
    let mut counts = [5; 64];
    expected
        .iter()
        .for_each(|label| counts[usize::from(*label)] += 1);
    same(&bins, &counts)?;
    match top == x.iter().copied().max().unwrap_or(1).max(1) {
        true => Ok(()),
        false => Err(format!("the greatest is {top}")),
    }
}

/// Many iterations fail at the same time: the earliest is told, the host's memory is as it was, and on the device elements have their
/// old or their new values.
fn division(settings: &Settings, x: &[u32]) -> Result<(), String> {
    let mut x: Vec<u32> = x.iter().map(|x| x % 5 + 1).collect();
    let first = x.len() / 3;
    x[first..].iter_mut().step_by(2).for_each(|x| *x = 0);
    let before: Vec<u32> = (0..x.len() as u32).collect();
    let mut out = before.clone();
    let expected = Error::Panicked {
        message: "attempt to divide by zero".into(),
        iteration: Some(first as u64),
    };
    let told = |found: Result<(), Error>| match found {
        Err(e) if e == expected => Ok(()),
        other => Err(format!("{other:?} instead of {expected:?}")),
    };
    told(accrue::with_device(settings.device, || {
        divided::try_call(&x, &mut out)
    }))?;
    same(&out, &before)?;
    let there = || -> Result<(Result<(), Error>, Vec<u32>), Error> {
        let stream = Stream::on(settings.device)?;
        let on_x = DeviceBuffer::from_slice_on(&stream, &x)?;
        let mut on_out = DeviceBuffer::from_slice_on(&stream, &before)?;
        divided::on_device(&stream, &on_x, &mut on_out)?;
        let synced = stream.sync();
        Ok((synced, on_out.to_vec()?))
    };
    let (synced, found) = there().map_err(|e| e.to_string())?;
    told(synced)?;
    let mut all = found.iter().zip(&before).zip(&x);
    match all.all(|((f, b), x)| f == b || *x > 0 && *f == (b + 1) / x) {
        true => Ok(()),
        false => Err("an element has neither its old nor its new value".to_owned()),
    }
}

/// A row too few.
fn out_of_range(settings: &Settings, x: &[u32]) -> Result<(), String> {
    let w = 5;
    let n = x.len() / w * w - 2;
    let mut out = vec![9; n];
    let expected = Error::WriteOutOfRange {
        array: "out".into(),
        index: n as u64,
        len: n as u64,
        iteration: n as u64,
    };
    match accrue::with_device(settings.device, || outside::try_call(w, x, &mut out)) {
        Err(e) if e == expected => same(&out, &vec![9; n]),
        other => Err(format!("{other:?} instead of {expected:?}")),
    }
}
