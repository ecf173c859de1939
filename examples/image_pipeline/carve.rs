//! Seam carving: columns that bend are taken out of a picture where it shows least.

use anyhow::{Result, ensure};
use image::{Rgb, RgbImage};

use accrue_examples::progress;

use crate::loops::{brightness, laplacian, seam_costs, without_seam};

/// A picture in rows, narrower seam by seam.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Carved {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<[u8; 3]>,
    /// Of each pixel that is left, the column where it was; seams by those columns.
    columns: Vec<usize>,
    pub seams: Vec<Vec<usize>>,
}

impl Carved {
    /// The whole picture.
    pub(crate) fn new(photo: &RgbImage) -> Carved {
        let (width, height) = (photo.width() as usize, photo.height() as usize);
        Carved {
            width,
            height,
            pixels: photo.as_raw().as_chunks::<3>().0.to_vec(),
            columns: (0..width * height).map(|at| at % width).collect(),
            seams: Vec::new(),
        }
    }

    /// Its absolute Laplacian.
    pub(crate) fn energy(&self) -> Vec<u8> {
        let mut grey = vec![0; self.pixels.len()];
        brightness(&self.pixels, &mut grey);
        let mut energy = vec![0; grey.len()];
        laplacian(&grey, self.width, self.height, &mut energy);
        energy
    }

    /// Takes so many seams out.
    pub(crate) fn carve(&mut self, seams: usize) -> Result<()> {
        let bar = progress::bar("seams", seams as u64);
        for _ in 0..seams {
            let energy = self.energy();
            let mut costs = vec![0; energy.len()];
            seam_costs(&energy, self.width, self.height, &mut costs);
            let seam = cheapest(&costs, self.width);
            let along = seam.iter().enumerate();
            let sum: u32 = along
                .map(|(y, x)| u32::from(energy[y * self.width + x]))
                .sum();
            let least = costs[costs.len() - self.width..].iter().min();
            ensure!(
                Some(&sum) == least,
                "a seam costs {sum}, and {least:?} was promised"
            );
            self.take_out(&seam);
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn take_out(&mut self, seam: &[usize]) {
        let w = self.width;
        let rows = seam.iter().enumerate();
        self.seams
            .push(rows.map(|(y, x)| self.columns[y * w + x]).collect());
        for (y, x) in seam.iter().enumerate().rev() {
            self.columns.remove(y * w + x);
        }
        let mut out = vec![[0; 3]; (w - 1) * self.height];
        without_seam(&self.pixels, w, seam, &mut out);
        self.pixels = out;
        self.width -= 1;
    }

    /// What is left, as a picture.
    pub(crate) fn picture(&self) -> RgbImage {
        RgbImage::from_fn(self.width as u32, self.height as u32, |x, y| {
            Rgb(self.pixels[y as usize * self.width + x as usize])
        })
    }
}

/// The cheapest seam, from the last row up; of equals the leftmost.
fn cheapest(costs: &[u32], w: usize) -> Vec<usize> {
    let rows: Vec<&[u32]> = costs.chunks_exact(w).collect();
    let Some((last, before)) = rows.split_last() else {
        return Vec::new();
    };
    let least =
        |row: &[u32], from: usize, to: usize| (from..to).min_by_key(|x| row[*x]).unwrap_or(from);
    let mut seam = vec![least(last, 0, w)];
    for row in before.iter().rev() {
        let x = seam[seam.len() - 1];
        seam.push(least(row, x.saturating_sub(1), (x + 2).min(w)));
    }
    seam.reverse();
    seam
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seams_avoid_what_stands_out() {
        // Flat, but for a bright column.
        let photo = RgbImage::from_fn(9, 5, |x, _| Rgb([if x == 4 { 200 } else { 10 }; 3]));
        let mut carved = Carved::new(&photo);
        carved.carve(3).unwrap();
        assert_eq!((carved.width, carved.seams.len()), (6, 3));
        let bright = carved.pixels.iter().filter(|p| p[0] == 200).count();
        assert_eq!(bright, 5);
        assert!(carved.seams.iter().flatten().all(|x| *x != 4));
    }

    #[test]
    fn no_seam_is_cheaper() {
        let energy: Vec<u8> = (0..20u32).map(|i| (i * i * 37 % 101) as u8).collect();
        let mut costs = vec![0; 20];
        seam_costs(&energy, 5, 4, &mut costs);
        // Every way down: a start, and three steps of -1, 0 or 1.
        let ways = (0..5i32).flat_map(|x| (0..27).map(move |steps| (x, steps)));
        let cost = |(start, steps): (i32, i32)| {
            let mut x = start;
            let mut sum = u32::from(*energy.get(x as usize)?);
            for (y, digit) in [steps % 3, steps / 3 % 3, steps / 9]
                .into_iter()
                .enumerate()
            {
                x += digit - 1;
                if !(0..5).contains(&x) {
                    return None;
                }
                sum += u32::from(energy[(y + 1) * 5 + x as usize]);
            }
            Some(sum)
        };
        assert_eq!(
            ways.filter_map(cost).min(),
            costs[15..].iter().copied().min()
        );
        assert_eq!(cheapest(&costs, 5).len(), 4);
    }
}
