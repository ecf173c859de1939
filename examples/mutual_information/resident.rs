//! Two volumes that stay on the device while a registration looks at one motion after the other: what goes there is a motion,
//! and what comes back are the histograms.

use accrue::{DeviceBuffer, Stream};
use anyhow::Result;

use crate::loops::{Histograms, histograms, resample};
use crate::volume::Volume;

/// The volumes on the device of this thread's calls.
pub(crate) struct Resident {
    stream: Stream,
    fixed: DeviceBuffer<u8>,
    moving: DeviceBuffer<u8>,
    moved: DeviceBuffer<u8>,
    moving_size: [usize; 3],
    fixed_size: [usize; 3],
}

impl Resident {
    /// Copies them there.
    pub(crate) fn new(fixed: &Volume, moving: &Volume) -> Result<Resident> {
        let stream = Stream::new()?;
        Ok(Resident {
            fixed: DeviceBuffer::from_slice_on(&stream, &fixed.voxels)?,
            moving: DeviceBuffer::from_slice_on(&stream, &moving.voxels)?,
            moved: DeviceBuffer::zeroed_on(&stream, fixed.voxels.len())?,
            moving_size: moving.size,
            fixed_size: fixed.size,
            stream,
        })
    }

    /// The histograms after a motion, which takes indices of the fixed volume to those of the moving one.
    pub(crate) fn count(&mut self, to: &[f32; 12], counts: &mut Histograms) -> Result<()> {
        let stream = &self.stream;
        let ([w, h, d], [columns, rows, slices]) = (self.moving_size, self.fixed_size);
        let to = DeviceBuffer::from_slice_on(stream, to)?;
        resample::on_device(
            stream,
            &self.moving,
            w,
            h,
            d,
            &to,
            columns,
            rows,
            slices,
            &mut self.moved,
        )?;
        let mut of_a = DeviceBuffer::zeroed_on(stream, 256)?;
        let mut of_b = DeviceBuffer::zeroed_on(stream, 256)?;
        let mut joint = DeviceBuffer::zeroed_on(stream, 256)?;
        histograms::on_device(
            stream,
            &self.fixed,
            &self.moved,
            &mut of_a,
            &mut of_b,
            &mut joint,
        )?;
        of_a.copy_to_slice(&mut counts.of_a)?;
        of_b.copy_to_slice(&mut counts.of_b)?;
        joint.copy_to_slice(&mut counts.joint[..])?;
        Ok(())
    }
}
