//! How loops in blocks are cut: the parameters of the strategies `contract` and `reduce`.
//!
//! ```text
//! tile=64x128x16    a gang has 64 x 128 iterations, and 16 positions of the inner loop in shared memory at a time
//! per_thread=8x4    a thread has 8 x 4 of them, whose variables stay in its registers
//! unroll=4          the bodies of 4 positions are printed one behind the other
//! prefetch=1        what the next 16 positions read is loaded while these are computed; 0: behind them
//! tensor=1          sums of products by the tensor cores, where the device has such for the type; 0, and not said of other cuts: by each thread
//! ```

use std::fmt;

/// How a loop in blocks is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cut {
    /// Iterations of a gang along the last two dimensions of the loop, and positions of the inner loop that are staged at a time. A power of
    /// two each.
    pub tile: [u32; 3],
    /// Iterations of a thread along the two dimensions.
    pub per_thread: [u32; 2],
    /// Positions whose bodies are printed one behind the other.
    pub unroll: u32,
    /// Whether what the next positions read is loaded while these are computed.
    pub prefetch: bool,
    /// Whether sums of products are made by the tensor cores.
    pub tensor: bool,
}

impl Cut {
    /// Threads that have iterations.
    pub fn busy(&self) -> u32 {
        let along = |side: usize| self.tile[side] / self.per_thread[side];
        along(0) * along(1)
    }

    /// Threads of a gang: those that have iterations, or a warp.
    pub fn threads(&self) -> u32 {
        self.busy().max(32)
    }

    /// Iterations of a gang.
    pub fn items(&self) -> u32 {
        self.tile[0] * self.tile[1]
    }

    /// What is wrong with it, if no kernel can be like that.
    ///
    /// ```
    /// use accrue_ptx::cut::Cut;
    /// let cut = Cut { tile: [16, 64, 16], per_thread: [1, 4], unroll: 4, prefetch: true, tensor: false };
    /// assert_eq!(cut.mistake(), None);
    /// let cut = Cut { per_thread: [32, 1], ..cut };
    /// assert_eq!(cut.mistake().as_deref(), Some("a thread has 32x1 of a tile of 16x64"));
    /// ```
    pub fn mistake(&self) -> Option<String> {
        /// Iterations of a thread, at most: their variables are in registers.
        const MOST_EACH: u32 = 64;
        const MOST_THREADS: u32 = 1024;
        let Cut {
            tile: [rows, columns, depth],
            per_thread: [down, across],
            unroll,
            tensor,
            ..
        } = *self;
        let all = [rows, columns, depth, down, across, unroll];
        if let Some(odd) = all.iter().find(|n| !n.is_power_of_two()) {
            return Some(format!("{odd} is not a power of two"));
        }
        if down > rows || across > columns {
            return Some(format!(
                "a thread has {down}x{across} of a tile of {rows}x{columns}"
            ));
        }
        if down * across > MOST_EACH {
            return Some(format!(
                "a thread has {down}x{across} iterations, and has registers for {MOST_EACH}"
            ));
        }
        // A warp has 8 x 4 threads side by side, each with pairs of rows and of columns, and takes eight positions at a time.
        let few = rows / down < 8 || columns / across < 4 || down < 2 || across < 2;
        if tensor && (few || unroll < 8) {
            return Some(format!(
                "tensor cores take 2x2 results of each of 8x4 threads at 8 positions, and not {}x{} threads with {down}x{across} at {unroll}",
                rows / down,
                columns / across
            ));
        }
        let threads = u64::from(rows / down) * u64::from(columns / across);
        if threads > u64::from(MOST_THREADS) {
            return Some(format!(
                "{threads} threads of a gang, of {MOST_THREADS} at most"
            ));
        }
        if unroll > depth {
            return Some(format!("{unroll} of {depth} positions are unrolled"));
        }
        /// Bodies that are printed one behind the other, at most.
        const MOST_BODIES: u32 = 1024;
        if down * across * unroll > MOST_BODIES {
            return Some(format!(
                "{unroll} positions of {down}x{across} iterations are more than {MOST_BODIES} bodies"
            ));
        }
        let longest = rows.max(columns).max(depth);
        (longest > self.threads()).then(|| {
            format!(
                "{} threads of a gang load {longest} elements side by side",
                self.threads()
            )
        })
    }
}

/// As it is written in the attribute and in `ACCRUE_STRATEGY`.
impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [rows, columns, depth] = self.tile;
        let [down, across] = self.per_thread;
        write!(
            f,
            "tile={rows}x{columns}x{depth},per_thread={down}x{across},unroll={},prefetch={}",
            self.unroll,
            u32::from(self.prefetch)
        )?;
        match self.tensor {
            true => f.write_str(",tensor=1"),
            false => Ok(()),
        }
    }
}

/// What is asked of a cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CutWish {
    /// `tile=64x128x16`, or without the last, or `tile=16` for `16x16x16`.
    pub tile: Option<[u32; 2]>,
    /// The last of these.
    pub depth: Option<u32>,
    /// `per_thread=8x4`, or `per_thread=4` for `1x4`.
    pub per_thread: Option<[u32; 2]>,
    /// `unroll=4`.
    pub unroll: Option<u32>,
    /// `prefetch=0` or `1`.
    pub prefetch: Option<bool>,
    /// `tensor=0` or `1`.
    pub tensor: Option<bool>,
}

impl CutWish {
    /// The parameters, for messages.
    pub const KEYS: &'static str = "tile, per_thread, unroll, prefetch, tensor";

    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        *self == CutWish::default()
    }

    /// Takes `key=value`, if it is one of these; what is wrong with the value, if something is.
    ///
    /// ```
    /// # use accrue_ptx::cut::CutWish;
    /// let mut wish = CutWish::default();
    /// assert_eq!(wish.read("tile", "16x64"), Some(Ok(())));
    /// assert_eq!((wish.tile, wish.depth), (Some([16, 64]), None));
    /// assert!(wish.read("prefetch", "2").unwrap().is_err());
    /// assert_eq!(wish.read("locals", "2"), None);
    /// ```
    pub fn read(&mut self, key: &str, value: &str) -> Option<Result<(), String>> {
        let numbers: Option<Vec<u32>> = value.split('x').map(|n| n.trim().parse().ok()).collect();
        let numbers = numbers.unwrap_or_default();
        let known = match (key, &numbers[..]) {
            ("tile", &[n]) if n > 0 => {
                self.tile = Some([n, n]);
                self.depth = Some(n);
                Ok(())
            }
            ("tile", &[rows, columns]) if rows * columns > 0 => {
                self.tile = Some([rows, columns]);
                Ok(())
            }
            ("tile", &[rows, columns, depth]) if rows * columns * depth > 0 => {
                self.tile = Some([rows, columns]);
                self.depth = Some(depth);
                Ok(())
            }
            ("per_thread", &[n]) if n > 0 => {
                self.per_thread = Some([1, n]);
                Ok(())
            }
            ("per_thread", &[down, across]) if down * across > 0 => {
                self.per_thread = Some([down, across]);
                Ok(())
            }
            ("unroll", &[n]) if n > 0 => {
                self.unroll = Some(n);
                Ok(())
            }
            ("prefetch", &[n]) if n < 2 => {
                self.prefetch = Some(n == 1);
                Ok(())
            }
            ("tensor", &[n]) if n < 2 => {
                self.tensor = Some(n == 1);
                Ok(())
            }
            ("tile", _) => Err("`tile=64x128x16`, or `tile=16` for `16x16x16`"),
            ("per_thread", _) => Err("`per_thread=8x4`, or `per_thread=4` for `1x4`"),
            ("unroll", _) => Err("`unroll=4`"),
            ("prefetch", _) => Err("`prefetch=1` or `prefetch=0`"),
            ("tensor", _) => Err("`tensor=1` or `tensor=0`"),
            _ => return None,
        };
        Some(known.map_err(|how| format!("`{key}={value}` is written {how}")))
    }

    /// What the keys of `name:key=value,..` ask of a cut; others are not its concern.
    ///
    /// # Errors
    ///
    /// What is wrong with a value.
    pub fn of(strategy: &str) -> Result<CutWish, String> {
        let keys = strategy.split_once(':').map_or("", |(_, keys)| keys);
        let mut wish = CutWish::default();
        for pair in keys.split(',') {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            wish.read(key.trim(), value.trim()).unwrap_or(Ok(()))?;
        }
        Ok(wish)
    }

    /// Whether a cut is as asked for.
    pub fn allows(&self, cut: &Cut) -> bool {
        let [rows, columns, depth] = cut.tile;
        self.tile.is_none_or(|tile| tile == [rows, columns])
            && self.depth.is_none_or(|n| n == depth)
            && self.per_thread.is_none_or(|each| each == cut.per_thread)
            && self.unroll.is_none_or(|n| n == cut.unroll)
            && self.prefetch.is_none_or(|p| p == cut.prefetch)
            && self.tensor.is_none_or(|t| t == cut.tensor)
    }

    /// The cut asked for, with all that is not said as it is in a usual one; where the tile is said, a thread has one iteration of it.
    pub fn over(&self, usual: Cut) -> Cut {
        let [rows, columns] = self.tile.unwrap_or([usual.tile[0], usual.tile[1]]);
        let depth = self.depth.unwrap_or(usual.tile[2]);
        let each = match self.tile {
            Some(_) => [1, 1],
            None => usual.per_thread,
        };
        Cut {
            tile: [rows, columns, depth],
            per_thread: self.per_thread.unwrap_or(each),
            unroll: self.unroll.unwrap_or(usual.unroll.min(depth)),
            prefetch: self.prefetch.unwrap_or(usual.prefetch),
            tensor: self.tensor.unwrap_or(usual.tensor && self.tile.is_none()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Cut = Cut {
        tile: [64, 128, 16],
        per_thread: [8, 4],
        unroll: 4,
        prefetch: true,
        tensor: false,
    };

    #[test]
    fn what_is_written_is_what_is_shown() {
        assert_eq!(
            USUAL.to_string(),
            "tile=64x128x16,per_thread=8x4,unroll=4,prefetch=1"
        );
        let wish = CutWish::of(&format!("contract:{USUAL}")).unwrap();
        assert!(wish.allows(&USUAL));
        for other in [
            Cut {
                tile: [64, 64, 16],
                ..USUAL
            },
            Cut {
                tile: [64, 128, 8],
                ..USUAL
            },
            Cut {
                per_thread: [4, 4],
                ..USUAL
            },
            Cut { unroll: 8, ..USUAL },
            Cut {
                prefetch: false,
                ..USUAL
            },
        ] {
            assert!(!wish.allows(&other), "{other}");
            assert_eq!(wish.over(other), USUAL);
        }
        assert!(CutWish::of("contract").unwrap().is_empty());
    }

    #[test]
    fn what_is_not_said_is_as_usual() {
        let small = CutWish::of("contract:tile=8, unroll=8")
            .unwrap()
            .over(USUAL);
        assert_eq!((small.tile, small.per_thread), ([8, 8, 8], [1, 1]));
        assert_eq!((small.threads(), small.busy()), (64, 64));
        let wide = CutWish::of("contract:tile=4x16x4,per_thread=4")
            .unwrap()
            .over(USUAL);
        assert_eq!((wide.per_thread, wide.unroll), ([1, 4], 4));
        assert_eq!((wide.threads(), wide.busy()), (32, 16));
        let tensor = CutWish::of("contract:tile=64x64x16,per_thread=4x8,unroll=8,tensor=1");
        let tensor = tensor.unwrap().over(USUAL);
        assert!(tensor.tensor && tensor.mistake().is_none(), "{tensor}");
        assert!(tensor.to_string().ends_with(",prefetch=1,tensor=1"));
        let later = CutWish::of("contract:prefetch=0").unwrap().over(USUAL);
        assert_eq!(
            later,
            Cut {
                prefetch: false,
                ..USUAL
            }
        );
    }

    #[test]
    fn what_cannot_be_is_said() {
        for text in [
            "tile=0",
            "tile=a",
            "per_thread=1x2x3",
            "unroll=",
            "prefetch=yes",
            "tensor=2",
        ] {
            let key = text.split('=').next().unwrap();
            let wrong = CutWish::of(&format!("contract:{text}")).unwrap_err();
            assert!(
                wrong.contains(&format!("`{text}` is written `{key}=")),
                "{wrong}"
            );
        }
        for (text, why) in [
            ("tile=24", "24 is not a power of two"),
            ("tile=64", "4096 threads of a gang, of 1024 at most"),
            ("per_thread=16x8", "registers for 64"),
            ("tile=8,unroll=16", "16 of 8 positions are unrolled"),
            (
                "tile=16x64x16,per_thread=4x8,unroll=8,tensor=1",
                "not 4x8 threads with 4x8 at 8",
            ),
            ("tile=8x8x128", "64 threads of a gang load 128 elements"),
        ] {
            let cut = CutWish::of(&format!("contract:{text}"))
                .unwrap()
                .over(USUAL);
            let mistake = cut.mistake().unwrap();
            assert!(mistake.contains(why), "{text}: {mistake}");
        }
        assert_eq!(USUAL.mistake(), None);
    }
}
