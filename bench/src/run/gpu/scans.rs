//! Loops that carry scalars along, and arrays that are filled at a cursor: rows of `--cells maps`, beside CUB's `bench/peers/scans.cu`.
//!
//! What is carried stays on the device, and is set to what it begins with before each call: a copy of a few bytes on the stream.

use std::time::Duration;

use accrue::__bench::queue;
use accrue::__rt::gpu::{Array, Bins};
use accrue::{DeviceBuffer, DeviceType, Exclusive};

use super::maps::{Bench, Unit};
use super::timed;
use crate::check::kernel;

/// A scan, or what is kept, and what has to come of it.
struct Row<'a, T, S> {
    work: String,
    /// The function.
    text: String,
    /// Bytes that are read and written.
    bytes: usize,
    x: &'a [T],
    /// What is written, from the first element on.
    expected: &'a [T],
    /// What is carried to the first iteration, and from the last.
    carried: [S; 2],
}

impl Bench<'_> {
    /// The rows, over so many items.
    pub(super) fn scans(&mut self, n: usize) -> anyhow::Result<()> {
        let words = (0..n as u32).map(spread);
        let words: Vec<u32> = words.collect();
        self.sum_of("u32", &words, u32::wrapping_add)?;
        self.kept(&words)?;
        drop(words);
        let wide: Vec<u64> = (0..n as u32).map(|i| u64::from(spread(i)) << 20).collect();
        self.sum_of("u64", &wide, u64::wrapping_add)?;
        drop(wide);
        // Whole numbers, few enough for all sums to be exact.
        let floats: Vec<f32> = (0..n).map(|i| f32::from(u8::from(i % 64 == 0))).collect();
        self.sum_of("f32", &floats, |a, b| a + b)
    }

    /// `acc += x[i]; out[i] = acc;`.
    fn sum_of<T: DeviceType + PartialEq + Default>(
        &mut self,
        elem: &str,
        x: &[T],
        add: impl Fn(T, T) -> T,
    ) -> anyhow::Result<()> {
        let work = format!("scan {elem}");
        if !work.contains(self.only) {
            return Ok(());
        }
        let sum = match elem {
            "f32" => "acc += x[i];",
            _ => "acc = acc.wrapping_add(x[i]);",
        };
        let mut acc = T::default();
        let expected = x.iter().map(|x| {
            acc = add(acc, *x);
            acc
        });
        let expected: Vec<T> = expected.collect();
        let last = expected.last().copied().unwrap_or_default();
        self.carried(Row {
            work,
            text: format!(
                "fn f(x: &[{elem}], out: &mut [{elem}], mut acc: {elem}) -> {elem} {{ \
                 for i in 0..x.len() {{ {sum} out[i] = acc; }} acc }}"
            ),
            bytes: 2 * size_of_val(x),
            x,
            expected: &expected,
            carried: [T::default(), last],
        })
    }

    /// `if v < t { out[n] = v; n += 1; }`, of which 1 %, 50 % and 99 % are kept.
    fn kept(&mut self, x: &[u32]) -> anyhow::Result<()> {
        for percent in [1, 50, 99] {
            let work = format!("keep {percent} %");
            if !work.contains(self.only) {
                continue;
            }
            let bound = (u64::from(u32::MAX) * percent / 100) as u32;
            let expected = x.iter().copied().filter(|v| *v < bound);
            let expected: Vec<u32> = expected.collect();
            let count = expected.len();
            self.carried(Row {
                work,
                text: format!(
                    "fn f(x: &[u32], out: &mut [u32], mut n: usize) -> usize {{ \
                     for &v in x {{ if v < {bound} {{ out[n] = v; n += 1; }} }} n }}"
                ),
                bytes: size_of_val(x) + size_of_val(&expected[..]),
                x,
                expected: &expected,
                carried: [0usize, count],
            })?;
        }
        Ok(())
    }

    fn carried<T: DeviceType + PartialEq + Default, S: DeviceType + PartialEq>(
        &mut self,
        row: Row<'_, T, S>,
    ) -> anyhow::Result<()> {
        let stream = self.stream;
        let compiled = kernel::compile_any(&row.text)?;
        let the_loop = compiled.the_loop("");
        let x = DeviceBuffer::from_slice_on(stream, row.x)?;
        let mut out = DeviceBuffer::<T>::zeroed_on(stream, row.x.len())?;
        let begin = DeviceBuffer::from_slice_on(stream, &row.carried[..1])?;
        let mut carried = DeviceBuffer::from_slice_on(stream, &row.carried[..1])?;
        let counts = [row.x.len() as u64];
        let call = |out: &mut DeviceBuffer<T>, carried: &mut DeviceBuffer<S>| {
            carried
                .as_slice_mut()
                .copy_from_device(stream, begin.as_slice())?;
            let mut out = Exclusive::from(out);
            let arrays = [Array::device(x.as_slice()), Array::exclusive(&mut out)];
            let bins = &mut [Bins::device(carried.as_slice_mut())];
            queue(&the_loop, stream, &counts, &arrays, bins, &[])
        };
        call(&mut out, &mut carried)?;
        let (found, last) = (out.to_vec()?, carried.to_vec()?);
        let wrong = found.iter().zip(row.expected).position(|(f, e)| f != e);
        let right = wrong.is_none() && last[..] == row.carried[1..];
        self.right &= right;
        let time = timed(stream, self.samples, Duration::from_millis(100), || {
            Ok(call(&mut out, &mut carried)?)
        })?;
        let note = match (right, wrong) {
            (true, _) => String::new(),
            (false, Some(at)) => format!("WRONG at {at}"),
            (false, None) => "WRONG behind the loop".to_owned(),
        };
        let us = time.as_secs_f64() * 1e6;
        self.note(&row.work, Some(us), row.bytes as f64, Unit::Bytes, note);
        Ok(())
    }
}

/// Numbers without an order.
fn spread(i: u32) -> u32 {
    let i = (i ^ (i >> 16)).wrapping_mul(0x7feb_352d);
    let i = (i ^ (i >> 15)).wrapping_mul(0x846c_a68b);
    i ^ (i >> 16)
}
