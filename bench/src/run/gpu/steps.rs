//! Loops that follow each other, with their arrays on the device: rows of `--cells maps/steps`. A call is waited for, and its time counts what the
//! host takes to queue its loops.

use std::time::Duration;

use accrue::{Device, DeviceType, Error, Resident, Stream};

use super::maps::{Bench, Unit};
use super::timed;
use crate::papers::studies::pipeline::seam_costs;
use crate::run::works::loops::{heat, paths};

impl Bench<'_> {
    /// The rows, over an image, a graph and a plate of these sides.
    pub(super) fn steps(
        &mut self,
        (w, h): (usize, usize),
        n: usize,
        plate: usize,
    ) -> anyhow::Result<()> {
        let grey: Vec<u8> = (0..w * h).map(|i| spread(i) as u8).collect();
        let on_grey = Resident::from(grey.clone());
        self.resident(
            &format!("steps: seams of {w} x {h}"),
            ((9 * w * h) as f64, Unit::Bytes),
            vec![0u32; w * h],
            |out| seam_costs(&grey, w, h, out),
            |stream, out| seam_costs::on_stream(stream, &on_grey, w, h, out),
        )?;
        let d: Vec<f32> = (0..n * n).map(|i| (spread(i) >> 12) as f32).collect();
        let part = || Resident::from(vec![0.0f32; n]);
        let (mut row, mut column) = (part(), part());
        self.resident(
            &format!("steps: paths between {n}"),
            (2.0 * (n as f64).powi(3), Unit::Flops),
            d,
            |d| paths(n, d, &mut vec![0.0; n], &mut vec![0.0; n]),
            |stream, d| paths::on_stream(stream, n, d, &mut row, &mut column),
        )?;
        let side = plate;
        let cells: Vec<f32> = (0..side * side).map(|i| (spread(i) >> 22) as f32).collect();
        let mut other = Resident::from(cells.clone());
        let mut host = cells.clone();
        self.resident(
            &format!("steps: heat, 20 of {side} x {side}"),
            ((20 * 8 * side * side) as f64, Unit::Bytes),
            cells,
            |a| heat(side, side, a, &mut host, 10),
            |stream, a| heat::on_stream(stream, side, side, a, &mut other, 10),
        )
    }

    /// A row whose result is in a resident array; `cpu` is what the loops do.
    fn resident<T: DeviceType + PartialEq>(
        &mut self,
        work: &str,
        (amount, unit): (f64, Unit),
        out: Vec<T>,
        cpu: impl FnOnce(&mut [T]),
        mut gpu: impl FnMut(&Stream, &mut Resident<T>) -> Result<(), Error>,
    ) -> anyhow::Result<()> {
        if !work.contains(self.only) {
            return Ok(());
        }
        let mut there = Resident::from(out.clone());
        let (us, note) = match gpu(self.stream, &mut there) {
            Err(e) => (None, e.to_string()),
            Ok(()) => {
                let mut expected = out;
                accrue::with_device(Device::Cpu, || cpu(&mut expected));
                let found = there.host().iter();
                let wrong = found.zip(&expected).position(|(f, e)| f != e);
                self.right &= wrong.is_none();
                let stream = self.stream;
                let time = timed(stream, self.samples, Duration::from_millis(300), || {
                    Ok(gpu(stream, &mut there)?)
                })?;
                let note = wrong.map_or(String::new(), |at| format!("WRONG at {at}"));
                (Some(time.as_secs_f64() * 1e6), note)
            }
        };
        self.note(work, us, amount, unit, note);
        Ok(())
    }
}

/// Numbers without a pattern.
fn spread(i: usize) -> u32 {
    (i as u32)
        .wrapping_mul(0x9e37_79b9)
        .rotate_left(13)
        .wrapping_mul(0x85eb_ca6b)
}
