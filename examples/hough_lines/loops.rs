//! The loops of a Hough transform: votes for lines, and the lines that have more than those around them.

use accrue::offload;

/// Angles between 0 and 180 degrees.
pub(crate) const ANGLES: usize = 180;

/// Every edge pixel votes for the lines through it, one for each angle: `votes` has a row for each angle and a column for
/// each distance from the corner, `middle` for none, with a margin of one bin around all.
#[offload(histogram)]
pub(crate) fn vote(
    edges: &[[u16; 2]],
    cosines: &[f32; 180],
    sines: &[f32; 180],
    middle: usize,
    votes: &mut [u32],
) {
    let columns = 2 * middle + 3;
    let half = middle as f32 + 0.5;
    for edge in edges {
        for t in 0..180 {
            let distance = edge[0] as f32 * cosines[t] + edge[1] as f32 * sines[t];
            let r = (distance + half) as usize;
            votes[(t + 1) * columns + r + 1] += 1;
        }
    }
}

/// The same votes as `imageproc` counts them: distances are cut off towards zero, and there is no margin.
#[offload(histogram)]
pub(crate) fn vote_cut_off(
    edges: &[[u16; 2]],
    cosines: &[f32; 180],
    sines: &[f32; 180],
    farthest: i32,
    votes: &mut [u32],
) {
    let columns = 2 * farthest as usize + 1;
    for edge in edges {
        for t in 0..180 {
            let distance = edge[0] as f32 * cosines[t] + edge[1] as f32 * sines[t];
            let d = distance as i32 + farthest;
            if d >= 0 && d <= 2 * farthest {
                votes[t * columns + d as usize] += 1;
            }
        }
    }
}

/// Keeps the votes of bins that have `least` of them and more than every bin up to `radius` angles and distances away; of
/// equals the first. Row 0 follows row 179 with its distances turned round.
#[offload]
pub(crate) fn maxima(votes: &[u32], middle: usize, least: u32, radius: usize, peaks: &mut [u32]) {
    let (columns, distances) = (2 * middle + 3, 2 * middle + 1);
    for t in 0..180 {
        for r in 0..distances {
            let own = votes[(t + 1) * columns + r + 1];
            let mut highest = own >= least;
            if highest {
                for around in t + 180 - radius..t + 181 + radius {
                    let over = !(180..360).contains(&around);
                    let row = around % 180;
                    for near in r.saturating_sub(radius)..(r + radius + 1).min(distances) {
                        let column = if over { distances - 1 - near } else { near };
                        let other = votes[(row + 1) * columns + column + 1];
                        let before = row < t || (row == t && column < r);
                        if other > own || (other == own && before) {
                            highest = false;
                        }
                    }
                }
            }
            peaks[t * distances + r] = if highest { own } else { 0 };
        }
    }
}
