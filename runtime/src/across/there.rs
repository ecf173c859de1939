//! Bins that stay on each rank's device until they are combined there.
//!
//! What ranks combine on their devices, by the word of whoever connects them, is held while the loop runs: a kernel that fills such bins leaves them
//! on its device, as it leaves those of a resident array. Whether all ranks have theirs on a device is a part of the agreement behind the loop; if not, they
//! come to the host, and are combined there.

use std::sync::Arc;

use super::collective::{Collective, Op};
use super::device_values::DeviceValues;
use super::part::Part;
use crate::base::choice;
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::values::Values;
use crate::device::allocation::Allocation;
use crate::device::backend::Ptr;
use crate::device::held::Holder;
use crate::device::queue::Queue;
use crate::device::residence::{Lent, Residence};

/// The bins of a loop that stay, by the numbers of its parts.
#[derive(Debug, Default)]
pub(super) struct There {
    held: Vec<Option<Arc<Residence>>>,
    holder: Option<Holder>,
    /// Where they are to be.
    device: Option<Device>,
}

/// Bins that are on a device, ready to be combined.
#[derive(Debug)]
pub(super) struct Ready {
    memory: Arc<Allocation>,
    at: Ptr,
    queue: Arc<Queue>,
}

/// What is known of bins, with where they are now.
fn lent<'a>(of: &'a Arc<Residence>, bins: &'a mut Values<'_>) -> Lent<'a> {
    let bytes = (bins.len() * bins.width()) as u64;
    // SAFETY: the bins are borrowed exclusively while this is, they are the memory that the residence is of, and plain numbers. Between the beginning and
    // the end of the loop, nobody looks at them but its kernels, which find them by the residence, and the CPU's form of the loop, which
    // runs where no kernel has: their host's copy is the newer one then.
    unsafe { Lent::new(of, bins.address_mut(), bytes) }
}

impl There {
    /// Holds those parts of a loop that ranks combine on devices. They have begun with what the kernel is to begin with.
    pub(super) fn hold(
        parts: &mut [Part<'_>],
        ranks: &dyn Collective,
        deterministic: bool,
    ) -> There {
        let mut there = There::default();
        let device = match choice::chosen() {
            Ok(Device::Auto) => Device::Cuda(0),
            Ok(device @ (Device::Cuda(_) | Device::Sim)) => device,
            // Those of a group come to the host anyway.
            _ => return there,
        };
        there.device = Some(device);
        for part in parts {
            let stays = part.is_bins
                && !part.values.is_empty()
                && !part.is_in_order(deterministic)
                && ranks.combines_on_device(device, &part.values, part.gathers());
            let of = stays.then(Arc::<Residence>::default);
            if let Some(of) = &of {
                let holder = there.holder.get_or_insert_with(Holder::new);
                // SAFETY: as of `lent`: the bins are the loop's own until its end, where the holder is dropped.
                unsafe { holder.hold_for_ranks(lent(of, &mut part.values)) };
            }
            there.held.push(of);
        }
        there
    }

    /// The parts that are held, ready to be combined where they are; `None` if there are none, or some are not on a device.
    pub(super) fn ready(&self, parts: &mut [Part<'_>]) -> Option<Vec<Option<Ready>>> {
        self.holder.as_ref()?;
        let all = self.held.iter().zip(parts).map(|(of, part)| {
            let Some(of) = of else {
                return Some(None);
            };
            let all = lent(of, &mut part.values);
            let context = all.newer_on()?;
            if Some(context.backend.device()) != self.device {
                return None;
            }
            let queue = Queue::new(&context).ok()?;
            let (memory, at) = all.to_device(&queue, &all.whole()).ok()?;
            memory.claim_to_write(&queue, "bins").ok()?;
            Some(Some(Ready { memory, at, queue }))
        });
        all.collect()
    }

    /// Brings those parts to the host that a kernel has left on its device.
    ///
    /// # Errors
    ///
    /// A failure of a copy, which the other ranks do not know of.
    pub(super) fn come(&self, parts: &mut [Part<'_>]) -> Result<(), Error> {
        for (of, part) in self.held.iter().zip(parts) {
            if let Some(of) = of {
                lent(of, &mut part.values).to_host().map_err(told)?;
            }
        }
        Ok(())
    }
}

impl Ready {
    /// Combines what all ranks have, and brings it to the host.
    ///
    /// # Errors
    ///
    /// Those of the collective.
    pub(super) fn combine(
        self,
        part: &mut Part<'_>,
        ranks: &dyn Collective,
        op: Op,
    ) -> Result<(), Error> {
        let bytes = (part.values.len() * part.values.width()) as u64;
        let values = DeviceValues {
            like: part.values.none(),
            len: part.values.len(),
            memory: &self.memory,
            at: self.at,
            queue: &self.queue,
        };
        ranks.all_reduce_on_device(values, op)?;
        self.queue.sync().map_err(told)?;
        let to = part.values.address_mut();
        // SAFETY: the bins are borrowed exclusively, and there are as many there.
        unsafe { self.memory.read(self.at, to, bytes) }.map_err(told)
    }
}

/// What a device has failed at between two agreements, as what the others are to be told.
fn told(error: Error) -> Error {
    Error::Collective {
        operation: "all-reduce on devices",
        why: error.to_string(),
    }
}
