//! What a call passes: arrays, bins and captured values, wherever they are.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::base::device_type::DeviceType;
use crate::device::allocation::Allocation;
use crate::device::argument::{Exclusive, Part, Read, Shared, There, Write};
use crate::device::backend::Ptr;
use crate::device::buffer::{DeviceSlice, DeviceSliceMut};
use crate::device::residence::Lent;

/// Where an argument's elements are.
#[derive(Clone, Copy, Debug)]
pub(in crate::gpu) enum Memory<'a> {
    /// In the host's memory.
    Host(*mut u8),
    /// On a device, at an address.
    Device(&'a Arc<Allocation>, Ptr),
    /// Wherever a resident array was last used, so many bytes behind its start.
    Resident(Lent<'a>, u64),
    /// In memory of the call's own on the device. As many elements as a target counts go from there to who takes them.
    Appended(&'a dyn Takes, usize),
    /// Nowhere: only the length counts.
    Nowhere,
}

/// Who takes elements that a call has made.
pub(in crate::gpu) trait Takes: fmt::Debug + Sync {
    /// Room for so many, and their bytes.
    fn room(&self, items: usize) -> (*mut u8, u64);

    /// They are there.
    ///
    /// # Safety
    ///
    /// All bytes of the [room](Takes::room) for as many have been written since it was asked for, by a kernel that has elements of the type.
    unsafe fn arrived(&self, items: usize);
}

/// An array that a loop reads, or that its iterations write.
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    pub(in crate::gpu) memory: Memory<'a>,
    pub(in crate::gpu) len: u64,
    pub(in crate::gpu) bytes: u64,
    /// Whether the loop writes it.
    pub(in crate::gpu) written: bool,
}

impl<'a> Array<'a> {
    /// Elements in the host's memory.
    pub fn host<T: DeviceType>(elements: &'a [T]) -> Array<'a> {
        Array {
            // Nothing is written through it.
            memory: Memory::Host(elements.as_ptr().cast_mut().cast()),
            len: elements.len() as u64,
            bytes: size_of_val(elements) as u64,
            written: false,
        }
    }

    /// Bytes of an element of the outermost dimension.
    pub(in crate::gpu) fn elem_bytes(&self) -> u64 {
        self.bytes.checked_div(self.len).unwrap_or(0)
    }

    /// Elements in the host's memory, which iterations write, each its own.
    pub fn written<T: DeviceType>(elements: &'a mut [T]) -> Array<'a> {
        Bins::host(elements).into_written()
    }

    /// Elements wherever they are.
    pub fn shared<T: DeviceType>(argument: &Shared<'a, T>) -> Array<'a> {
        match argument.0 {
            Read::Host(elements) => Array::host(elements),
            Read::Device(there) => Array::of_buffer::<T>(there),
            Read::Resident(part) => Array::of_resident::<T>(part),
        }
    }

    /// Elements that could be written, and are only read.
    pub fn lent<T: DeviceType>(argument: &'a Exclusive<'_, T>) -> Array<'a> {
        match &argument.0 {
            Write::Host(elements) => Array::host(elements),
            Write::Device(there) => Array::of_buffer::<T>(*there),
            Write::Resident(part) => Array::of_resident::<T>(*part),
        }
    }

    /// Elements wherever they are, which iterations write, each its own.
    pub fn exclusive<T: DeviceType>(argument: &'a mut Exclusive<'_, T>) -> Array<'a> {
        Bins::exclusive(argument).into_written()
    }

    fn of_buffer<T: DeviceType>(There { memory, ptr, len }: There<'a>) -> Array<'a> {
        Array {
            memory: Memory::Device(memory, ptr),
            len: len as u64,
            bytes: (len * size_of::<T>()) as u64,
            written: false,
        }
    }

    fn of_resident<T: DeviceType>(Part { all, start, len }: Part<'a>) -> Array<'a> {
        Array {
            memory: Memory::Resident(all, (start * size_of::<T>()) as u64),
            len: len as u64,
            bytes: (len * size_of::<T>()) as u64,
            written: false,
        }
    }

    /// The same elements, where they are if that is not in the host's memory.
    pub(in crate::gpu) fn placed<'b>(&self, memory: Option<Memory<'b>>) -> Array<'b>
    where
        'a: 'b,
    {
        Array {
            memory: memory.unwrap_or(self.memory),
            ..*self
        }
    }

    /// Elements on the device.
    pub fn device<T: DeviceType>(elements: DeviceSlice<'a, T>) -> Array<'a> {
        Array {
            memory: Memory::Device(elements.memory(), elements.ptr()),
            len: elements.len() as u64,
            bytes: elements.bytes(),
            written: false,
        }
    }

    /// An array of which only the length is used.
    pub fn length(len: usize) -> Array<'a> {
        Array {
            memory: Memory::Nowhere,
            len: len as u64,
            bytes: 0,
            written: false,
        }
    }
}

/// Bins that a loop updates.
#[derive(Debug)]
pub struct Bins<'a> {
    pub(in crate::gpu) array: Array<'a>,
    exclusive: PhantomData<&'a mut u8>,
}

impl<'a> Bins<'a> {
    /// Bins in the host's memory.
    pub fn host<T: DeviceType>(bins: &'a mut [T]) -> Bins<'a> {
        let array = Array {
            memory: Memory::Host(bins.as_mut_ptr().cast()),
            len: bins.len() as u64,
            bytes: size_of_val(bins) as u64,
            written: true,
        };
        Bins {
            array,
            exclusive: PhantomData,
        }
    }

    fn into_written(self) -> Array<'a> {
        Array {
            written: true,
            ..self.array
        }
    }

    /// The same bins, where they are if that is not in the host's memory. Whoever calls it leaves these alone meanwhile.
    pub(in crate::gpu) fn placed<'b>(&self, memory: Option<Memory<'b>>) -> Bins<'b>
    where
        'a: 'b,
    {
        Bins {
            array: self.array.placed(memory),
            exclusive: PhantomData,
        }
    }

    /// A scalar that a loop reduces into.
    pub fn scalar<T: DeviceType>(value: &'a mut T) -> Bins<'a> {
        Bins::host(std::slice::from_mut(value))
    }

    /// Bins wherever they are.
    pub fn exclusive<T: DeviceType>(argument: &'a mut Exclusive<'_, T>) -> Bins<'a> {
        let array = match &mut argument.0 {
            Write::Host(bins) => return Bins::host(bins),
            Write::Device(there) => Array::of_buffer::<T>(*there),
            Write::Resident(part) => Array::of_resident::<T>(*part),
        };
        let array = Array {
            written: true,
            ..array
        };
        Bins {
            array,
            exclusive: PhantomData,
        }
    }

    /// Bins on the device.
    pub fn device<T: DeviceType>(bins: DeviceSliceMut<'a, T>) -> Bins<'a> {
        Bins {
            array: Array::device(bins.into_view()),
            exclusive: PhantomData,
        }
    }
}

/// A number in a word of 64 bits, as a kernel takes and gives it: the value in the low bits, signed ones extended.
pub trait Slot: Copy {
    /// The word.
    fn slot(self) -> u64;

    /// The number that a word has in its low bits.
    fn of_slot(word: u64) -> Self;
}

macro_rules! slots {
    ($($t:ty: $value:ident => $word:expr, $back:expr);* $(;)?) => {$(
        impl Slot for $t {
            #[inline]
            fn slot(self) -> u64 {
                let $value = self;
                $word
            }

            #[inline]
            fn of_slot($value: u64) -> $t {
                $back
            }
        }
    )*};
}
slots! {
    bool: v => u64::from(v), v != 0;
    u8: v => u64::from(v), v as u8;
    u16: v => u64::from(v), v as u16;
    u32: v => u64::from(v), v as u32;
    u64: v => v, v;
    usize: v => v as u64, v as usize;
    i8: v => v as i64 as u64, v as i8;
    i16: v => v as i64 as u64, v as i16;
    i32: v => v as i64 as u64, v as i32;
    i64: v => v as u64, v as i64;
    isize: v => v as i64 as u64, v as isize;
    f32: v => u64::from(v.to_bits()), f32::from_bits(v as u32);
    f64: v => v.to_bits(), f64::from_bits(v);
}
