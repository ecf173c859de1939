//! Device memory: allocations, which bytes were written, and the address map.
//!
//! Every allocation has a slot of 2^36 addresses to itself and begins in the middle of it, so an
//! index of up to 32 bits times eight bytes, in either direction, never lands in another one; slots
//! are not used again, so that an address tells what it once belonged to. Bases are multiples of
//! 256, as the driver gives them, and of nothing more. Below all slots lie the windows through which
//! generic addresses reach shared, local and parameter memory.

use super::fault::MemoryError;
use super::race::Shadow;

const SLOT_BITS: u32 = 36;

/// Where generic addresses of the other spaces begin; each window has [`WINDOW`] addresses.
pub(crate) const SHARED_WINDOW: u64 = 1 << 32;
pub(crate) const LOCAL_WINDOW: u64 = 2 << 32;
pub(crate) const PARAM_WINDOW: u64 = 3 << 32;
pub(crate) const WINDOW: u64 = 1 << 30;

/// Bytes with what is known about each of them.
#[derive(Debug)]
pub(crate) struct Region {
    pub data: Vec<u8>,
    /// One bit for each byte that was written; absent once all were.
    written: Option<Vec<u64>>,
    pub shadow: Shadow,
}

impl Region {
    pub(crate) fn new(size: usize) -> Region {
        Region {
            data: vec![0; size],
            written: (size > 0).then(|| vec![0; size.div_ceil(64)]),
            shadow: Shadow::new(size),
        }
    }

    /// Makes every byte count as never written.
    pub(crate) fn forget(&mut self) {
        let size = self.data.len();
        match &mut self.written {
            Some(bits) => bits.fill(0),
            None => self.written = (size > 0).then(|| vec![0; size.div_ceil(64)]),
        }
    }

    pub(crate) fn mark(&mut self, offset: usize, len: usize) {
        let size = self.data.len();
        let Some(bits) = &mut self.written else {
            return;
        };
        if len == size {
            self.written = None;
            return;
        }
        if offset % 64 + len <= 64 && len > 0 {
            bits[offset / 64] |= u64::MAX >> (64 - len) << (offset % 64);
            return;
        }
        for i in offset..offset + len {
            bits[i / 64] |= 1 << (i % 64);
        }
    }

    /// The first byte of a range that nothing has written.
    #[inline]
    pub(crate) fn unwritten(&self, offset: usize, len: usize) -> Option<usize> {
        let bits = self.written.as_ref()?;
        if offset % 64 + len <= 64 && len > 0 {
            let missing = !bits[offset / 64] >> (offset % 64) & u64::MAX >> (64 - len);
            return (missing != 0).then(|| offset + missing.trailing_zeros() as usize);
        }
        (offset..offset + len).find(|i| bits[i / 64] >> (i % 64) & 1 == 0)
    }

    /// Drops the map once all bits are set; called now and then, since it looks at all.
    pub(crate) fn settle(&mut self) {
        if let Some(bits) = &self.written {
            let size = self.data.len();
            let full = bits.iter().enumerate().all(|(i, &b)| {
                let n = (size - i * 64).min(64);
                b == if n == 64 { u64::MAX } else { (1 << n) - 1 }
            });
            if full {
                self.written = None;
            }
        }
    }

    /// `len` bytes (up to eight) as a number.
    #[inline(always)]
    pub(crate) fn get(&self, offset: usize, len: usize) -> u64 {
        get(&self.data, offset, len)
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, offset: usize, len: usize, v: u64) {
        put(&mut self.data, offset, len, v);
    }
}

#[inline(always)]
pub(crate) fn get(data: &[u8], offset: usize, len: usize) -> u64 {
    match len {
        4 => u64::from(u32::from_le_bytes(
            data[offset..offset + 4].try_into().unwrap_or_default(),
        )),
        8 => u64::from_le_bytes(data[offset..offset + 8].try_into().unwrap_or_default()),
        1 => u64::from(data[offset]),
        _ => {
            let mut bytes = [0; 8];
            bytes[..len].copy_from_slice(&data[offset..offset + len]);
            u64::from_le_bytes(bytes)
        }
    }
}

#[inline(always)]
pub(crate) fn put(data: &mut [u8], offset: usize, len: usize, v: u64) {
    data[offset..offset + len].copy_from_slice(&v.to_le_bytes()[..len]);
}

/// A live allocation.
#[derive(Debug)]
pub(crate) struct Allocation {
    pub base: u64,
    pub region: Region,
    /// Kernels may read it and no more (`.const`).
    pub read_only: bool,
}

#[derive(Debug)]
enum Slot {
    Live(Box<Allocation>),
    /// Freed: size it had.
    Freed(u64),
}

/// All of device memory.
#[derive(Debug)]
pub(crate) struct Memory {
    slots: Vec<Slot>,
    used: u64,
    limit: u64,
}

impl Memory {
    pub(crate) fn new(limit: u64) -> Memory {
        // Slot zero holds the windows.
        Memory {
            slots: vec![Slot::Freed(0)],
            used: 0,
            limit,
        }
    }

    pub(crate) fn used(&self) -> u64 {
        self.used
    }

    pub(crate) fn free_bytes(&self) -> u64 {
        self.limit - self.used
    }

    pub(crate) fn alloc(&mut self, size: u64, read_only: bool) -> Result<u64, MemoryError> {
        let free = self.limit - self.used;
        if size > free || size >= 1 << (SLOT_BITS - 1) {
            return Err(MemoryError::OutOfMemory { asked: size, free });
        }
        let base = ((self.slots.len() as u64) << SLOT_BITS) + (1 << (SLOT_BITS - 1)) + 256;
        let region = Region::new(size as usize);
        self.slots.push(Slot::Live(Box::new(Allocation {
            base,
            region,
            read_only,
        })));
        self.used += size;
        Ok(base)
    }

    pub(crate) fn free(&mut self, base: u64) -> Result<(), MemoryError> {
        if let Some(slot) = self.slots.get_mut((base >> SLOT_BITS) as usize)
            && let Slot::Live(a) = slot
            && a.base == base
        {
            let size = a.region.data.len() as u64;
            self.used -= size;
            *slot = Slot::Freed(size);
            return Ok(());
        }
        Err(MemoryError::Invalid {
            address: base,
            len: 0,
            hint: self.hint(base),
        })
    }

    /// The allocation whose slot holds `address` (which may still lie outside it).
    #[inline(always)]
    pub(crate) fn find(&mut self, address: u64) -> Option<&mut Allocation> {
        match self.slots.get_mut((address >> SLOT_BITS) as usize) {
            Some(Slot::Live(a)) => Some(a),
            _ => None,
        }
    }

    /// The allocation and offset of a range that lies inside one.
    #[inline(always)]
    pub(crate) fn range(&mut self, address: u64, len: usize) -> Option<(&mut Allocation, usize)> {
        let a = self.find(address)?;
        let offset = address.wrapping_sub(a.base);
        let size = a.region.data.len() as u64;
        (offset <= size && len as u64 <= size - offset).then_some((a, offset as usize))
    }

    pub(crate) fn host_range(
        &mut self,
        address: u64,
        len: usize,
    ) -> Result<(&mut Allocation, usize), MemoryError> {
        if self.range(address, len).is_none() {
            return Err(MemoryError::Invalid {
                address,
                len: len as u64,
                hint: self.hint(address),
            });
        }
        Ok(self.range(address, len).expect("the range was just found"))
    }

    /// What is known about an address, for messages.
    pub(crate) fn hint(&self, address: u64) -> String {
        let slot = (address >> SLOT_BITS) as usize;
        match self.slots.get(slot) {
            _ if slot == 0 && address < 4096 => "it is a null pointer".into(),
            Some(Slot::Live(a)) => {
                let size = a.region.data.len() as u64;
                let offset = address.wrapping_sub(a.base) as i64;
                if offset < 0 {
                    format!(
                        "it is {} bytes before an allocation of {size} bytes",
                        -offset
                    )
                } else if offset as u64 >= size {
                    format!(
                        "it is {} bytes past the end of an allocation of {size} bytes",
                        offset as u64 - size
                    )
                } else {
                    format!("it is at byte {offset} of an allocation of {size} bytes")
                }
            }
            Some(Slot::Freed(size)) if slot > 0 => {
                format!("it belonged to an allocation of {size} bytes that was freed")
            }
            _ => "no allocation was ever there".into(),
        }
    }

    /// Forgets all accesses of earlier launches (their clocks are about to wrap around).
    pub(crate) fn clear_shadows(&mut self) {
        for slot in &mut self.slots {
            if let Slot::Live(a) = slot {
                a.region.shadow.clear();
            }
        }
    }

    /// After a launch: drops maps of written bytes that are full.
    pub(crate) fn settle(&mut self) {
        for slot in &mut self.slots {
            if let Slot::Live(a) = slot {
                a.region.settle();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_know_their_allocation() {
        let mut m = Memory::new(1000);
        let a = m.alloc(100, false).unwrap();
        let b = m.alloc(900, false).unwrap();
        assert_eq!((a % 256, b % 256), (0, 0));
        assert!(matches!(
            m.alloc(1, false),
            Err(MemoryError::OutOfMemory { asked: 1, free: 0 })
        ));
        assert!(m.range(a + 100, 0).is_some() && m.range(a + 97, 4).is_none());
        assert!(
            m.hint(a + 130)
                .contains("30 bytes past the end of an allocation of 100")
        );
        assert!(
            m.hint(b - 8)
                .contains("8 bytes before an allocation of 900")
        );
        assert!(m.free(a + 1).is_err());
        m.free(a).unwrap();
        assert!(m.free(a).is_err() && m.hint(a).contains("freed"));
        assert!(m.hint(16).contains("null"));
        assert_eq!(m.used(), 900);
    }

    #[test]
    fn written_bytes_are_tracked_one_by_one() {
        let mut r = Region::new(130);
        assert_eq!(r.unwritten(0, 1), Some(0));
        r.mark(0, 64);
        r.mark(65, 65);
        assert_eq!((r.unwritten(0, 64), r.unwritten(60, 10)), (None, Some(64)));
        r.settle();
        assert!(r.written.is_some());
        r.mark(64, 1);
        r.settle();
        assert!(r.written.is_none() && r.unwritten(0, 130).is_none());
    }
}
