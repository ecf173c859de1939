//! Volumes of bytes, and NIfTI files of them.

use std::path::Path;

use accrue_examples::args::{make_folder_of, shown};
use anyhow::{Context, Result, bail, ensure};
use ndarray::{Array3, ShapeBuilder};
use nifti::writer::WriterOptions;
use nifti::{InMemNiftiVolume, IntoNdArray, NiftiHeader, NiftiObject, NiftiVolume, ReaderOptions};

/// Intensities on a grid, columns first, then rows, then slices.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Volume {
    /// Columns, rows and slices.
    pub size: [usize; 3],
    /// Millimetres from one to the next.
    pub spacing: [f32; 3],
    pub voxels: Vec<u8>,
}

impl Volume {
    /// An empty one.
    pub(crate) fn new(size: [usize; 3], spacing: [f32; 3]) -> Volume {
        Volume {
            size,
            spacing,
            voxels: vec![0; size.iter().product()],
        }
    }

    /// Reads a NIfTI file; the first of its volumes, and its intensities in 256 steps from the darkest thousandth to the
    /// lightest.
    pub(crate) fn read(path: &Path) -> Result<Volume> {
        let object = ReaderOptions::new()
            .read_file(path)
            .with_context(|| format!("cannot read the volume {}", path.display()))?;
        let header = object.header().clone();
        let volume = object.into_volume();
        let dim = volume.dim().to_vec();
        let [w, h, d, ..] = dim[..] else {
            bail!("{} has no three dimensions", shown(path));
        };
        let size = [w, h, d].map(usize::from);
        let spacing = [1, 2, 3].map(|axis| match header.pixdim[axis].abs() {
            length if length > 0.0 && length.is_finite() => length,
            _ => 1.0,
        });
        let intensities = floats(volume)
            .with_context(|| format!("cannot read the intensities of {}", path.display()))?;
        let count = size.iter().product();
        ensure!(
            count > 0 && intensities.len() >= count,
            "{} has {} voxels instead of {count}",
            shown(path),
            intensities.len()
        );
        let voxels = in_256_steps(&intensities[..count]);
        Ok(Volume {
            size,
            spacing,
            voxels,
        })
    }

    /// Writes a NIfTI file; one that ends with `.gz` is compressed.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        make_folder_of(path)?;
        let [w, h, d] = self.size;
        let data = Array3::from_shape_vec((w, h, d).f(), self.voxels.clone())?;
        let [dx, dy, dz] = self.spacing;
        let header = NiftiHeader {
            pixdim: [1.0, dx, dy, dz, 0.0, 0.0, 0.0, 0.0],
            ..NiftiHeader::default()
        };
        WriterOptions::new(path)
            .reference_header(&header)
            .write_nifti(&data)
            .with_context(|| format!("cannot write the volume {}", path.display()))
    }
}

/// What a file holds, of whatever type, with its scale; columns first.
fn floats(volume: InMemNiftiVolume) -> nifti::Result<Vec<f32>> {
    let array = volume.into_ndarray::<f32>()?;
    Ok(array.t().iter().copied().collect())
}

/// Intensities as bytes. Bytes that use their range stay as they are.
fn in_256_steps(intensities: &[f32]) -> Vec<u8> {
    let byte = |v: &f32| v.fract() == 0.0 && (0.0..=255.0).contains(v);
    if intensities.iter().all(byte) && intensities.iter().any(|v| *v > 127.0) {
        return intensities.iter().map(|v| *v as u8).collect();
    }
    let mut sorted: Vec<f32> = intensities
        .iter()
        .copied()
        .filter(|v| v.is_finite())
        .collect();
    sorted.sort_unstable_by(f32::total_cmp);
    let at = |share: f64| {
        let place = (sorted.len().saturating_sub(1) as f64 * share) as usize;
        sorted.get(place).copied().unwrap_or(0.0)
    };
    let (low, high) = (at(0.001), at(0.999));
    let scale = 255.0 / (high - low).max(f32::MIN_POSITIVE);
    let step = |v: &f32| ((v - low) * scale).clamp(0.0, 255.0).round() as u8;
    intensities.iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut volume = Volume::new([5, 4, 3], [0.5, 1.0, 2.0]);
        for (i, voxel) in volume.voxels.iter_mut().enumerate() {
            *voxel = (i * 4) as u8;
        }
        let path = std::env::temp_dir().join(format!("accrue-{}.nii.gz", std::process::id()));
        volume.write(&path).unwrap();
        assert_eq!(Volume::read(&path).unwrap(), volume);
        std::fs::remove_file(&path).unwrap();
        assert!(Volume::read(&path).is_err());
    }

    #[test]
    fn wide_intensities_are_brought_into_256_steps() {
        let steps = in_256_steps(&[-1000.0, 0.0, 1000.0]);
        assert_eq!(steps[0], 0);
        assert!(steps.is_sorted() && steps[2] > 0);
        assert_eq!(in_256_steps(&[0.0, 200.0]), [0, 200]);
    }
}
