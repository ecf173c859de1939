//! Lines through a picture, and how two sets of them compare.

use anyhow::{Result, ensure};
use image::GrayImage;
use imageproc::hough::{LineDetectionOptions, PolarLine, detect_lines};

use crate::loops::{ANGLES, maxima, vote, vote_cut_off};

/// The pixels that vote, and what their votes need.
pub(crate) struct Edges {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<[u16; 2]>,
    cosines: [f32; ANGLES],
    sines: [f32; ANGLES],
}

/// A line and how many edge pixels are on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub votes: u32,
    pub polar: PolarLine,
}

impl Edges {
    /// The pixels of a picture that are not black.
    pub(crate) fn of(picture: &GrayImage) -> Edges {
        let white = picture.enumerate_pixels().filter(|(.., p)| p.0[0] > 0);
        let angle = |t: usize| (t as f32).to_radians();
        Edges {
            width: picture.width(),
            height: picture.height(),
            pixels: white.map(|(x, y, _)| [x as u16, y as u16]).collect(),
            cosines: std::array::from_fn(|t| angle(t).cos()),
            sines: std::array::from_fn(|t| angle(t).sin()),
        }
    }

    /// The column of distance 0: no line is farther from the corner than width and height together.
    pub(crate) fn middle(&self) -> usize {
        (self.width + self.height) as usize
    }

    /// Rows and columns of the accumulator, the margin included.
    pub(crate) fn size(&self) -> (usize, usize) {
        (ANGLES + 2, 2 * self.middle() + 3)
    }

    /// Votes into an accumulator of that size.
    pub(crate) fn vote(&self, votes: &mut [u32]) {
        vote(
            &self.pixels,
            &self.cosines,
            &self.sines,
            self.middle(),
            votes,
        );
    }

    /// The highest bins of an accumulator, written to `peaks`, which has no margin.
    pub(crate) fn maxima(&self, votes: &[u32], least: u32, radius: usize, peaks: &mut [u32]) {
        maxima(votes, self.middle(), least, radius, peaks);
    }

    /// The lines of such peaks, the strongest first.
    pub(crate) fn lines(&self, peaks: &[u32]) -> Vec<Line> {
        let distances = 2 * self.middle() + 1;
        let voted = peaks.iter().enumerate().filter(|(_, votes)| **votes > 0);
        let line = |(at, votes): (usize, &u32)| Line {
            votes: *votes,
            polar: PolarLine {
                r: (at % distances) as f32 - self.middle() as f32,
                angle_in_degrees: (at / distances) as u32,
            },
        };
        let mut lines: Vec<Line> = voted.map(line).collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.votes));
        lines
    }

    /// Counts as `imageproc` does, and compares the bins of at least so many votes with those that it finds; how many.
    pub(crate) fn compare_bins(&self, picture: &GrayImage, least: u32) -> Result<usize> {
        let farthest = f64::from(self.width * self.width + self.height * self.height).sqrt() as i32;
        let columns = 2 * farthest as usize + 1;
        let mut votes = vec![0; ANGLES * columns];
        vote_cut_off(
            &self.pixels,
            &self.cosines,
            &self.sines,
            farthest,
            &mut votes,
        );
        let high = votes.iter().enumerate().filter(|(_, v)| **v >= least);
        let ours: Vec<(u32, i32)> = high
            .map(|(at, _)| ((at / columns) as u32, (at % columns) as i32 - farthest))
            .collect();
        let theirs: Vec<(u32, i32)> = found(picture, least, 0)
            .iter()
            .map(|line| (line.angle_in_degrees, line.r as i32))
            .collect();
        ensure!(
            ours == theirs,
            "{} bins have {least} votes or more, and {} in imageproc's accumulator",
            ours.len(),
            theirs.len()
        );
        Ok(ours.len())
    }
}

/// The lines that `imageproc` finds.
pub(crate) fn found(picture: &GrayImage, least: u32, radius: usize) -> Vec<PolarLine> {
    let options = LineDetectionOptions {
        vote_threshold: least,
        suppression_radius: radius as u32,
    };
    detect_lines(picture, options)
}

/// Whether two lines are at most so many pixels and degrees apart. An angle of 180 degrees is one of 0, seen from the
/// other side.
pub(crate) fn near(a: &PolarLine, b: &PolarLine, radius: f32) -> bool {
    let turned = |line: &PolarLine, by: f32| (line.r * by.signum(), line.angle_in_degrees as f32);
    let apart =
        |(r, t): (f32, f32), (s, u): (f32, f32)| (r - s).abs() <= radius && (t - u).abs() <= radius;
    let (one, other) = (turned(a, 1.0), turned(b, 1.0));
    let round = turned(b, -1.0);
    apart(one, other)
        || apart(one, (round.0, round.1 + 180.0))
        || apart(one, (round.0, round.1 - 180.0))
}

/// How many of `some` lie near one of `others`.
pub(crate) fn met(some: &[PolarLine], others: &[PolarLine], radius: f32) -> usize {
    let meets = |line: &&PolarLine| others.iter().any(|other| near(line, other, radius));
    some.iter().filter(meets).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    fn polar(r: f32, angle_in_degrees: u32) -> PolarLine {
        PolarLine {
            r,
            angle_in_degrees,
        }
    }

    #[test]
    fn a_line_is_found_where_it_is_drawn() {
        let mut picture = GrayImage::new(60, 40);
        for y in 0..40 {
            picture.put_pixel(13, y, Luma([255]));
        }
        let edges = Edges::of(&picture);
        let (rows, columns) = edges.size();
        assert_eq!((rows, columns), (182, 203));
        let (mut votes, mut peaks) = (vec![0; rows * columns], vec![0; 180 * 201]);
        edges.vote(&mut votes);
        assert_eq!(votes.iter().sum::<u32>(), 40 * 180);
        edges.maxima(&votes, 20, 6, &mut peaks);
        let lines = edges.lines(&peaks);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!((lines[0].votes, lines[0].polar), (40, polar(13.0, 0)));
        assert!(edges.compare_bins(&picture, 20).unwrap() > 0);
    }

    #[test]
    fn lines_meet_across_the_end_of_the_angles() {
        assert!(near(&polar(13.0, 0), &polar(-12.0, 179), 2.0));
        assert!(!near(&polar(13.0, 0), &polar(12.0, 179), 2.0));
        assert_eq!(
            met(&[polar(5.0, 10), polar(50.0, 10)], &[polar(6.0, 11)], 1.0),
            1
        );
    }
}
