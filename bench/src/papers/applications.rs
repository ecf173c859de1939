//! The OpenACC paper's four applications on data like its own: what goes in, and what has to come out.

use accrue::__rt::gpu::{Array, Bins};
use accrue::{DeviceBuffer, Stream};
use accrue_examples::bch::Code;
use accrue_examples::phantom;

use super::loops::{self, Word, in_order, text};
use crate::data::Random;

/// The Hough transform's bins, with a margin: distances and angles.
const DISTANCES: usize = 6003;
const ANGLES: usize = 182;

/// An application at a size.
pub(super) struct Application {
    /// Its name.
    pub(super) name: &'static str,
    /// What is counted into what.
    pub(super) what: String,
    /// Its loop.
    pub(super) text: &'static str,
    /// Iterations of the loops, from the outside.
    pub(super) counts: Vec<u64>,
    /// Updates of one call.
    pub(super) updates: u64,
    /// The names of what it reads, and of its bins, in the order of the text.
    pub(super) names: (&'static [&'static str], &'static [&'static str]),
    /// What it reads.
    pub(super) data: Data,
    /// The speed-ups over naive code that the paper found.
    pub(super) published: &'static str,
}

/// What an application reads.
pub(super) enum Data {
    Photograph(Vec<[u8; 3]>),
    Volumes(Vec<u8>, Vec<u8>),
    /// Columns and rows of pixels, cosines and sines of angles.
    Edges([Vec<f32>; 4]),
    Words(Vec<Word>),
}

/// Bins of one kind on the host, all numbers behind each other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counts(pub(super) Vec<Vec<u64>>);

/// All four. `quick`: at sizes for a simulator.
pub(super) fn all(
    quick: bool,
    dimensions: &[usize],
    seed: u64,
) -> anyhow::Result<Vec<Application>> {
    let size = |full: usize, small: usize| if quick { small } else { full };
    let mut random = Random::new(seed);
    let mut list = vec![
        photograph(size(1920, 80), size(1080, 45), &mut random),
        volumes(size(256, 16), size(89, 12), seed),
        edges(size(435_000, 300), &mut random),
    ];
    for &dimension in dimensions {
        list.push(code(dimension)?);
    }
    Ok(list)
}

/// A sky, a meadow and something red: neighbours are alike, channels differ.
fn photograph(width: usize, height: usize, random: &mut Random) -> Application {
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let (u, v) = (x as f32 / width as f32, y as f32 / height as f32);
            let grain = (random.next() & 15) as f32;
            let wave = 20.0 * (25.0 * u + 9.0 * v).sin();
            let red = (u - 0.7).hypot(v - 0.6) < 0.1;
            let of = match (red, v < 0.45) {
                (true, _) => [200.0, 40.0 + wave, 40.0],
                (_, true) => [110.0 + 90.0 * v, 160.0 + 80.0 * v, 235.0],
                (_, false) => [70.0 + wave, 120.0 + wave, 40.0],
            };
            pixels.push(of.map(|c: f32| (c + grain) as u8));
        }
    }
    Application {
        name: "colour histogram",
        what: format!("{width} x {height} pixels, 768 bins"),
        text: text::colours,
        names: (&["pixels"], &["bins"]),
        counts: vec![pixels.len() as u64],
        updates: 3 * pixels.len() as u64,
        data: Data::Photograph(pixels),
        published: "2.2 to 3.3 (K40)",
    }
}

/// A head in CT and in MR.
fn volumes(side: usize, slices: usize, seed: u64) -> Application {
    let [a, b] = phantom::head(side, slices, seed);
    Application {
        name: "mutual information",
        what: format!("{side} x {side} x {slices} voxels, 256 + 256 + 65,536 bins"),
        text: text::information,
        names: (&["a", "b"], &["of_a", "of_b", "joint"]),
        counts: vec![a.len() as u64],
        updates: 3 * a.len() as u64,
        data: Data::Volumes(a, b),
        published: "1.6 to 3.6 (K40)",
    }
}

/// Edges of a picture of 1920 x 1080: half of them on lines, the others anywhere.
fn edges(pixels: usize, random: &mut Random) -> Application {
    let (mut xs, mut ys) = (Vec::new(), Vec::new());
    for i in 0..pixels {
        let x = random.below(1920) as f32;
        let y = match i & 1 {
            0 => random.below(1080) as f32,
            _ => (x * 0.125 * (i >> 1 & 3) as f32 + 60.0 * (i >> 3 & 7) as f32)
                .min(1079.0)
                .floor(),
        };
        xs.push(x);
        ys.push(y);
    }
    let angles = || (0..ANGLES - 2).map(|t| (t as f32).to_radians());
    Application {
        name: "Hough transform",
        what: format!("{pixels} edge pixels, 180 angles, {DISTANCES} x {ANGLES} bins"),
        text: text::hough,
        names: (&["xs", "ys", "cosines", "sines"], &["votes"]),
        counts: vec![pixels as u64, 180],
        updates: 180 * pixels as u64,
        data: Data::Edges([
            xs,
            ys,
            angles().map(f32::cos).collect(),
            angles().map(f32::sin).collect(),
        ]),
        published: "0.67 to 1.45 (K40)",
    }
}

/// All pairs of words of a subcode of the (127, 22) BCH code.
fn code(dimension: usize) -> anyhow::Result<Application> {
    let words = Code::new()?.words(dimension)?;
    Ok(Application {
        name: match dimension {
            13 => "joint weights, k = 13",
            17 => "joint weights, k = 17",
            _ => "joint weights",
        },
        what: format!("4^{dimension} pairs of words, 128 x 128 x 128 bins of 64 bits"),
        text: text::weights,
        names: (&["some", "words"], &["joint"]),
        counts: vec![words.len() as u64; 2],
        updates: 1 << (2 * dimension),
        data: Data::Words(words),
        published: match dimension {
            17 => "136 (K40)",
            _ => "7.3 (K40)",
        },
    })
}

type Planes = [[[u64; 128]; 128]];

/// The four loops, as they are or offloaded.
#[allow(clippy::type_complexity)]
struct Loops {
    colours: fn(&[[u8; 3]], &mut [u32; 768]),
    information: fn(&[u8], &[u8], &mut [u32; 256], &mut [u32; 256], &mut [[u32; 256]; 256]),
    hough: fn(&[f32], &[f32], &[f32], &[f32], &mut [[u32; ANGLES]]),
    weights: fn(&[Word], &[Word], &mut Planes),
}

impl Application {
    /// What the loop in order counts.
    pub(super) fn in_order(&self) -> Counts {
        self.count(&Loops {
            colours: in_order::colours,
            information: in_order::information,
            hough: in_order::hough,
            weights: in_order::weights,
        })
    }

    /// What the offloaded loop counts, wherever it runs.
    pub(super) fn offloaded(&self) -> Counts {
        self.count(&Loops {
            colours: loops::colours,
            information: loops::information,
            hough: loops::hough,
            weights: loops::weights,
        })
    }

    fn count(&self, loops: &Loops) -> Counts {
        let wide = |bins: &[u32]| bins.iter().map(|&n| u64::from(n)).collect::<Vec<u64>>();
        Counts(match &self.data {
            Data::Photograph(pixels) => {
                let mut bins = [0; 768];
                (loops.colours)(pixels, &mut bins);
                vec![wide(&bins)]
            }
            Data::Volumes(a, b) => {
                let (mut of_a, mut of_b) = ([0; 256], [0; 256]);
                let mut joint: Box<[[u32; 256]; 256]> = vec![[0; 256]; 256]
                    .into_boxed_slice()
                    .try_into()
                    .expect("256 rows");
                (loops.information)(a, b, &mut of_a, &mut of_b, &mut joint);
                vec![wide(&of_a), wide(&of_b), wide(joint.as_flattened())]
            }
            Data::Edges([xs, ys, cosines, sines]) => {
                let mut votes = vec![[0; ANGLES]; DISTANCES];
                (loops.hough)(xs, ys, cosines, sines, &mut votes);
                vec![wide(votes.as_flattened())]
            }
            Data::Words(words) => {
                let mut joint = vec![[[0; 128]; 128]; 128];
                (loops.weights)(words, words, &mut joint);
                vec![joint.as_flattened().as_flattened().to_vec()]
            }
        })
    }

    /// Whether these are all pairs' weights, by what can be told without counting them: how often each word's weight occurs.
    pub(super) fn marginals_hold(&self, counts: &Counts) -> bool {
        let Data::Words(words) = &self.data else {
            return false;
        };
        let mut of_words = [0u64; 128];
        for word in words {
            of_words[(word[0].count_ones() + word[1].count_ones()) as usize] += 1;
        }
        let joint = &counts.0[0];
        let pairs = |i: usize, j: usize| joint[(i * 128 + j) * 128..][..128].iter().sum::<u64>();
        (0..128).all(|i| (0..128).all(|j| pairs(i, j) == of_words[i] * of_words[j]))
    }

    /// What it reads, on a device.
    pub(super) fn onto(&self, stream: &Stream) -> anyhow::Result<OnDevice> {
        let mut inputs: Vec<Box<dyn Input>> = Vec::new();
        match &self.data {
            Data::Photograph(pixels) => {
                inputs.push(Box::new(DeviceBuffer::from_slice_on(stream, pixels)?))
            }
            Data::Volumes(a, b) => {
                for volume in [a, b] {
                    inputs.push(Box::new(DeviceBuffer::from_slice_on(stream, volume)?));
                }
            }
            Data::Edges(arrays) => {
                for array in arrays {
                    inputs.push(Box::new(DeviceBuffer::from_slice_on(stream, array)?));
                }
            }
            Data::Words(words) => {
                for _ in 0..2 {
                    inputs.push(Box::new(DeviceBuffer::from_slice_on(stream, words)?));
                }
            }
        }
        Ok(OnDevice(inputs))
    }

    /// Empty bins on a device.
    pub(super) fn bins(&self, stream: &Stream) -> anyhow::Result<DeviceBins> {
        Ok(match &self.data {
            Data::Photograph(_) => DeviceBins::Flat(vec![DeviceBuffer::zeroed_on(stream, 768)?]),
            Data::Volumes(..) => DeviceBins::Three(
                [
                    DeviceBuffer::zeroed_on(stream, 256)?,
                    DeviceBuffer::zeroed_on(stream, 256)?,
                ],
                DeviceBuffer::zeroed_on(stream, 256)?,
            ),
            Data::Edges(_) => DeviceBins::Votes(DeviceBuffer::zeroed_on(stream, DISTANCES)?),
            Data::Words(_) => DeviceBins::Weights(DeviceBuffer::zeroed_on(stream, 128)?),
        })
    }
}

/// An array on a device, of whatever type.
pub(super) trait Input {
    /// As a call takes it.
    fn array(&self) -> Array<'_>;
}

impl<T: accrue::DeviceType> Input for DeviceBuffer<T> {
    fn array(&self) -> Array<'_> {
        Array::device(self.as_slice())
    }
}

/// What an application reads, on a device, in the order of the text.
pub(super) struct OnDevice(pub(super) Vec<Box<dyn Input>>);

/// Bins on a device.
pub(super) enum DeviceBins {
    Flat(Vec<DeviceBuffer<u32>>),
    Three([DeviceBuffer<u32>; 2], DeviceBuffer<[u32; 256]>),
    Votes(DeviceBuffer<[u32; ANGLES]>),
    Weights(DeviceBuffer<[[u64; 128]; 128]>),
}

impl DeviceBins {
    /// As a call takes them, in the order of the text.
    pub(super) fn bins(&mut self) -> Vec<Bins<'_>> {
        match self {
            DeviceBins::Flat(bins) => bins
                .iter_mut()
                .map(|b| Bins::device(b.as_slice_mut()))
                .collect(),
            DeviceBins::Three([a, b], joint) => vec![
                Bins::device(a.as_slice_mut()),
                Bins::device(b.as_slice_mut()),
                Bins::device(joint.as_slice_mut()),
            ],
            DeviceBins::Votes(votes) => vec![Bins::device(votes.as_slice_mut())],
            DeviceBins::Weights(joint) => vec![Bins::device(joint.as_slice_mut())],
        }
    }

    /// The lengths of the outermost dimensions, in the order of the text.
    pub(super) fn lengths(&self) -> Vec<usize> {
        match self {
            DeviceBins::Flat(bins) => bins.iter().map(DeviceBuffer::len).collect(),
            DeviceBins::Three([a, b], joint) => vec![a.len(), b.len(), joint.len()],
            DeviceBins::Votes(votes) => vec![votes.len()],
            DeviceBins::Weights(joint) => vec![joint.len()],
        }
    }

    /// What they hold.
    pub(super) fn counts(&self) -> anyhow::Result<Counts> {
        let wide = |bins: Vec<u32>| bins.into_iter().map(u64::from).collect::<Vec<u64>>();
        Ok(Counts(match self {
            DeviceBins::Flat(bins) => {
                let bins = bins.iter().map(|b| Ok(wide(b.to_vec()?)));
                bins.collect::<anyhow::Result<_>>()?
            }
            DeviceBins::Three([a, b], joint) => {
                vec![
                    wide(a.to_vec()?),
                    wide(b.to_vec()?),
                    wide(joint.to_vec()?.into_flattened()),
                ]
            }
            DeviceBins::Votes(votes) => vec![wide(votes.to_vec()?.into_flattened())],
            DeviceBins::Weights(joint) => vec![joint.to_vec()?.into_flattened().into_flattened()],
        }))
    }
}
