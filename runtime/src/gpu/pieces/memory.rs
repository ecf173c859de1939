//! Memory for pieces: parts of arrays, all of one, bins that change nothing yet, and the caller's own.

use std::ops::Range;
use std::sync::Arc;

use crate::base::error::Error;
use crate::device::allocation::Allocation;
use crate::device::backend::Ptr;
use crate::device::queue::Queue;
use crate::device::residence::ALIGNMENT;
use crate::gpu::array::{Array, Memory};
use crate::gpu::reach::Window;

/// Where a piece's part of an array lies in its room, and how far into the array it begins, and its bytes. It lies as far from a
/// multiple of [`ALIGNMENT`] as it does in the array, so that whatever is aligned there is aligned here.
pub(super) fn place_of(
    memory: &Allocation,
    array: &Array<'_>,
    window: Window,
    piece: &Range<u64>,
) -> (Ptr, u64, u64) {
    let elements = window.elements(piece, array.len);
    let bytes = array.elem_bytes();
    let start = elements.start * bytes;
    (
        memory.ptr().offset(start % ALIGNMENT),
        start,
        (elements.end - elements.start) * bytes,
    )
}

/// Memory that holds a value again and again.
pub(super) fn neutral(
    queue: &Arc<Queue>,
    bytes: u64,
    value: &[u8],
) -> Result<Arc<Allocation>, Error> {
    let memory = Allocation::new(queue, bytes)?;
    let first = value[0];
    if value.iter().all(|byte| *byte == first) {
        let word = u32::from_le_bytes([first; 4]);
        // SAFETY: the memory is as long, and nobody else's yet.
        unsafe {
            let backend = &queue.context.backend;
            backend.fill(queue.stream, memory.ptr(), word, bytes)?;
        }
        return Ok(memory);
    }
    let values: Vec<u8> = value.iter().copied().cycle().take(bytes as usize).collect();
    // SAFETY: the vector is as long as the memory, and stays until the copy has been waited for.
    unsafe { memory.fill(queue, 0, values.as_ptr(), bytes)? };
    Ok(memory)
}

/// The caller's memory.
pub(super) fn host_memory(array: &Array<'_>) -> Result<*mut u8, Error> {
    Ok(match array.memory {
        Memory::Host(memory) => memory,
        Memory::Resident(all, at) => {
            let host = all.to_host()?;
            if array.written {
                all.host_is_newer();
            }
            host.wrapping_add(at as usize)
        }
        Memory::Device(..) | Memory::Appended(..) | Memory::Nowhere => {
            unreachable!("what is on a device stays there, and what is nowhere is not copied")
        }
    })
}

/// Orders a kernel after the earlier ones that use what it does.
pub(super) fn claim(
    memory: &Allocation,
    queue: &Arc<Queue>,
    written: bool,
    name: &str,
) -> Result<Ptr, Error> {
    match written {
        true => memory.claim_to_write(queue, name),
        false => memory.claim_to_read(queue, name),
    }
}

/// A copy of all of an array, in memory of the call's own.
pub(super) fn whole(
    queue: &Arc<Queue>,
    array: &Array<'_>,
    name: &str,
) -> Result<(Arc<Allocation>, Ptr), Error> {
    let memory = Allocation::new(queue, array.bytes.max(ALIGNMENT))?;
    let to = memory.claim_to_write(queue, name)?;
    if array.bytes == 0 {
        return Ok((memory, to));
    }
    let there = match array.memory {
        Memory::Device(from, ptr) => {
            from.claim_to_read(queue, name)?;
            Some(ptr)
        }
        Memory::Resident(all, at) if all.is_on_device() => {
            let (from, origin) = all.to_device(queue, &all.whole())?;
            from.claim_to_read(queue, name)?;
            Some(origin.offset(at))
        }
        Memory::Resident(..) | Memory::Host(_) | Memory::Appended(..) | Memory::Nowhere => None,
    };
    // SAFETY: both places have the array's bytes, and the host's stay until the stream has been waited for.
    unsafe {
        match there {
            Some(from) => queue
                .context
                .backend
                .copy(queue.stream, to, from, array.bytes)?,
            None => {
                let from = match array.memory {
                    Memory::Resident(all, at) => all.to_host()?.wrapping_add(at as usize),
                    _ => host_memory(array)?,
                };
                queue.context.upload(queue.stream, to, from, array.bytes)?;
            }
        }
    }
    Ok((memory, to))
}
