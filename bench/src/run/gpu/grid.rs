//! The cells of the grid: which loops on which data, how they are named, and which of them a run measures.

use std::fmt;

use anyhow::bail;

use crate::data::Distribution;

/// The type of the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    U8,
    U16,
    U32,
    U64,
}

impl Key {
    const ALL: [Key; 4] = [Key::U8, Key::U16, Key::U32, Key::U64];

    /// Rust's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Key::U8 => "u8",
            Key::U16 => "u16",
            Key::U32 => "u32",
            Key::U64 => "u64",
        }
    }

    /// Size in bytes.
    pub(super) fn size(self) -> usize {
        match self {
            Key::U8 => 1,
            Key::U16 => 2,
            Key::U32 => 4,
            Key::U64 => 8,
        }
    }

    /// Whether it can name every one of so many bins.
    fn reaches(self, bins: usize) -> bool {
        self.size() >= 8 || bins <= 1 << (8 * self.size())
    }
}

/// What is added to the bin of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Weight {
    /// One, into `u32` bins.
    Count,
    /// One, into `u64` bins.
    Count64,
    /// The key plus one, into `u32` bins: no two keys add the same, and nothing but the keys is read.
    U32,
    /// The same into `u64` bins.
    U64,
    /// An `f32` of an array of its own.
    F32,
    /// An `f64` of an array of its own.
    F64,
}

impl Weight {
    const ALL: [Weight; 6] = [
        Weight::Count,
        Weight::Count64,
        Weight::U32,
        Weight::U64,
        Weight::F32,
        Weight::F64,
    ];

    /// The name in a cell's.
    pub(super) fn name(self) -> &'static str {
        match self {
            Weight::Count => "count",
            Weight::Count64 => "count64",
            Weight::U32 => "+u32",
            Weight::U64 => "+u64",
            Weight::F32 => "+f32",
            Weight::F64 => "+f64",
        }
    }

    /// The type of the bins.
    pub(super) fn bin(self) -> &'static str {
        match self {
            Weight::Count | Weight::U32 => "u32",
            Weight::Count64 | Weight::U64 => "u64",
            Weight::F32 => "f32",
            Weight::F64 => "f64",
        }
    }

    /// Bytes that a weight takes from memory.
    pub(super) fn size(self) -> usize {
        match self {
            Weight::Count | Weight::Count64 | Weight::U32 | Weight::U64 => 0,
            Weight::F32 => 4,
            Weight::F64 => 8,
        }
    }

    /// Whether bins count keys.
    pub(super) fn counts(self) -> bool {
        matches!(self, Weight::Count | Weight::Count64)
    }
}

/// Numbers of bins.
const BINS: [usize; 10] = [
    32, 256, 257, 4096, 16_384, 57_000, 65_536, 262_144, 1_092_546, 8_388_608,
];

/// Numbers of items, as powers of two.
const LOG_ITEMS: [u32; 3] = [28, 21, 16];

/// A loop on some data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cell {
    pub(super) key: Key,
    pub(super) bins: usize,
    pub(super) keys: Distribution,
    pub(super) weight: Weight,
    /// The power of two that is the number of items.
    pub(super) log_items: u32,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.parts().join("/"))
    }
}

impl Cell {
    /// Items.
    pub(super) fn items(&self) -> usize {
        1 << self.log_items
    }

    /// Bytes that an item takes from memory.
    pub(super) fn bytes(&self) -> usize {
        self.key.size() + self.weight.size()
    }

    fn parts(&self) -> [String; 5] {
        [
            self.key.name().to_owned(),
            self.bins.to_string(),
            self.keys.name().to_owned(),
            self.weight.name().to_owned(),
            format!("2^{}", self.log_items),
        ]
    }

    /// The loop.
    pub(super) fn text(&self) -> String {
        let (k, b) = (self.key.name(), self.weight.bin());
        let name = format!("cell_{k}_{}", self.weight.name().replace('+', "add_"));
        match self.weight {
            Weight::Count | Weight::Count64 => format!(
                "fn {name}(keys: &[{k}], bins: &mut [{b}]) {{ for &k in keys {{ bins[k as usize] += 1; }} }}"
            ),
            Weight::U32 | Weight::U64 => format!(
                "fn {name}(keys: &[{k}], bins: &mut [{b}]) {{ for &k in keys {{ bins[k as usize] += k as {b} + 1; }} }}"
            ),
            Weight::F32 | Weight::F64 => format!(
                "fn {name}(keys: &[{k}], weights: &[{b}], bins: &mut [{b}]) {{ \
                 for (&k, &w) in keys.iter().zip(weights) {{ bins[k as usize] += w; }} }}"
            ),
        }
    }

    /// How early the cell comes in a run that nothing asks more of; `None` if such a run leaves it out.
    ///
    /// Every number of bins, distribution and number of items is measured for `u32` keys that are counted, and so is what
    /// a bar speaks of. Other keys differ from those in the bytes they take, other weights in how an update is
    /// done; for them a part of the numbers of bins and distributions stands for the rest.
    fn rank(&self) -> Option<u32> {
        use Distribution::{Const, Runs, Uniform, Zipf};
        let plain = matches!(self.keys, Uniform | Const | Zipf);
        let large = self.log_items == 28;
        let some_bins = matches!(self.bins, 256 | 4096 | 16_384 | 65_536 | 1_092_546);
        match (self.key, self.weight) {
            (Key::U32, Weight::Count) if large => Some(0),
            (Key::U8, Weight::Count) if large => Some(0),
            (Key::U32, _) if large && matches!(self.bins, 256 | 4096 | 16_384) => Some(1),
            (Key::U32, Weight::Count) => Some(2),
            (Key::U32, _) if large && (plain || self.keys == Runs) && some_bins => Some(3),
            (Key::U32, _) if !large && plain && some_bins => Some(4),
            (_, Weight::Count) if plain && some_bins => Some(5),
            (_, Weight::F32 | Weight::U64) if matches!(self.keys, Uniform | Zipf) => {
                (some_bins && large).then_some(6)
            }
            _ => None,
        }
    }
}

/// The cells that the filter names, or without one those of a plain run, the most telling first; cells with the same keys
/// stand together.
///
/// A filter is a list, separated by commas, of parts of names separated by `/`: `u32/65536,+f32/zipf`. A
/// cell is measured if it has all parts of one of them.
///
/// # Errors
///
/// A part that no cell has.
pub(super) fn cells(filter: &str) -> anyhow::Result<Vec<Cell>> {
    let mut all = Vec::new();
    for key in Key::ALL {
        for bins in BINS.into_iter().filter(|&b| key.reaches(b)) {
            for keys in Distribution::ALL {
                for weight in Weight::ALL {
                    for log_items in LOG_ITEMS {
                        all.push(Cell {
                            key,
                            bins,
                            keys,
                            weight,
                            log_items,
                        });
                    }
                }
            }
        }
    }
    if filter.is_empty() {
        all.retain(|cell| cell.rank().is_some());
        all.sort_by_key(Cell::rank);
        return Ok(all);
    }
    let wanted: Vec<Vec<&str>> = filter
        .split(',')
        .map(|one| one.split('/').map(str::trim).collect())
        .collect();
    for part in wanted.iter().flatten() {
        if !all
            .iter()
            .any(|cell| cell.parts().iter().any(|p| p == part))
        {
            bail!(
                "no cell has `{part}`\nhelp: a cell is a type of keys, bins, distribution, weight and items, as \
                 `u32/65536/zipf/+f32/2^28`; the numbers of bins are {BINS:?}, the distributions {}, the weights {}, the \
                 numbers of items 2^16, 2^21, 2^28",
                Distribution::ALL.map(Distribution::name).join(", "),
                Weight::ALL.map(Weight::name).join(", "),
            );
        }
    }
    all.retain(|cell| {
        let parts = cell.parts();
        let has = |one: &Vec<&str>| one.iter().all(|part| parts.iter().any(|p| p == part));
        wanted.iter().any(has)
    });
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_cell_can_be_asked_for_by_its_name() {
        let one = cells("u64/8388608/two-hot/+f64/2^16").unwrap();
        assert_eq!(one.len(), 1);
        assert_eq!(one[0].to_string(), "u64/8388608/two-hot/+f64/2^16");
        assert_eq!(one[0].bytes(), 16);
        let some = cells("u32/256/count,u8/const/2^28").unwrap();
        assert_eq!(some.len(), 6 * 3 + 2 * 6);
        assert!(cells("u8/57000").unwrap().is_empty());
        let error = cells("u32/zipff").unwrap_err().to_string();
        assert!(error.starts_with("no cell has `zipff`"), "{error}");
    }

    #[test]
    fn a_plain_run_measures_what_the_bars_speak_of() {
        let plain = cells("").unwrap();
        for name in [
            "u8/256/two-hot/count/2^28",
            "u32/57000/gauss/count/2^28",
            "u32/8388608/uniform/count/2^16",
            "u32/4096/zipf/+u32/2^28",
            "u32/16384/runs/count64/2^28",
            "u32/16384/const/+f32/2^28",
            "u32/256/const/+f64/2^28",
        ] {
            assert!(plain.iter().any(|cell| cell.to_string() == name), "{name}");
        }
        for weight in Weight::ALL {
            assert!(plain.iter().any(|cell| cell.weight == weight));
        }
        for key in Key::ALL {
            assert!(plain.iter().any(|cell| cell.key == key));
        }
    }

    #[test]
    fn every_loop_compiles() {
        for key in Key::ALL {
            for weight in Weight::ALL {
                let cell = Cell {
                    key,
                    bins: 32,
                    keys: Distribution::Uniform,
                    weight,
                    log_items: 16,
                };
                crate::check::kernel::compile(&cell.text(), &[]).unwrap();
            }
        }
    }
}
