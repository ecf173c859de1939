//! What a warp-wide access costs: sectors of global memory, passes of shared memory.

/// What one warp-wide access touches.
#[derive(Default)]
pub(super) struct Counted {
    pub global: Sectors,
    pub shared: Banks,
}

/// Different sectors of global memory.
pub(super) struct Sectors {
    seen: [u64; 64],
    pub len: usize,
}

impl Default for Sectors {
    fn default() -> Self {
        Sectors {
            seen: [0; 64],
            len: 0,
        }
    }
}

impl Sectors {
    pub(super) fn any(&self) -> bool {
        self.len > 0
    }

    #[inline(always)]
    pub(super) fn add(&mut self, address: u64, len: usize, sector: u32) {
        // Sectors are powers of two; of any other size the next smaller one is taken.
        let shift = sector.max(1).ilog2();
        let (mut at, last) = (address >> shift, (address + len as u64 - 1) >> shift);
        while at <= last {
            if !self.seen[..self.len].iter().rev().any(|&s| s == at) && self.len < 64 {
                self.seen[self.len] = at;
                self.len += 1;
            }
            at += 1;
        }
    }
}

/// Different words in each bank of shared memory, as many as matter: a word counts again only if
/// the bank's last one was another, which is exact for the patterns of kernels (equal words come
/// from neighbouring lanes) and never too low.
#[derive(Default)]
pub(super) struct Banks {
    last: [u32; 32],
    words: [u8; 32],
}

impl Banks {
    pub(super) fn any(&self) -> bool {
        self.words.iter().any(|&w| w > 0)
    }

    #[inline(always)]
    pub(super) fn add(&mut self, at: u64, len: usize) {
        for word in at / 4..=(at + len as u64 - 1) / 4 {
            let bank = (word % 32) as usize;
            if self.words[bank] == 0 || self.last[bank] != word as u32 {
                self.last[bank] = word as u32;
                self.words[bank] = self.words[bank].saturating_add(1);
            }
        }
    }

    pub(super) fn passes(&self) -> u64 {
        u64::from(self.words.iter().copied().max().unwrap_or(0))
    }
}
