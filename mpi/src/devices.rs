//! Bins that are combined in the memory of GPUs: by NCCL, or by an MPI that reads and writes that memory.

use std::ffi::{c_int, c_void};

use accrue::collective::{Collective, DeviceValues, Op, Values};
use accrue::{Device, DeviceBuffer, Error};
use mpi::ffi;
use mpi::raw::AsRaw;

use crate::nccl::{self, Nccl};
use crate::{MOST, Ranks};

/// From how many bytes on numbers are combined where they are. Below, NCCL's kernel takes longer than the copy and MPI (two H200s of one host, `mpi_cost --device cuda --nccl`,
/// 2026-11-30: a call with 64 KiB takes 152 us, by the host 123; with 256 KiB 203 to 288, by the host 291 to 339; `docs/scale.md`).
const WORTH: usize = 256 << 10;

/// What combines numbers where they are.
pub(crate) enum Means {
    /// NCCL, on one device of each rank.
    Nccl {
        /// This rank's.
        device: Device,
        /// All ranks' as NCCL knows them.
        communicator: nccl::Communicator,
    },
    /// MPI itself.
    Mpi,
}

/// What failed, on a rank of its own or on all.
fn failed(operation: &'static str, why: String) -> Error {
    Error::Collective { operation, why }
}

impl Ranks<'_> {
    /// Has bins that the kernels of all ranks have filled combined on their GPUs, by [NCCL](https://docs.nvidia.com/deeplearning/nccl/). Every rank has to call this, each with a GPU
    /// of its own as the [device of its thread](accrue::with_device).
    ///
    /// NCCL 2 is loaded now (`libnccl.so.2`). It takes sums, products, `min` and `max` of numbers of 8, 32 and 64 bits from 256 KiB on, of floats no `min`
    /// and `max`; what else loops combine, and what a rank has on another device, goes by MPI as before. An all-reduce that NCCL fails at ends the job.
    ///
    /// # Errors
    ///
    /// The same one on every rank: NCCL is not there, a rank has no GPU, or two have the same.
    pub fn with_nccl(mut self) -> Result<Self, Error> {
        let here = || -> Result<(Nccl, DeviceBuffer<u8>), String> {
            let nccl = Nccl::get()?;
            let on_device = DeviceBuffer::<u8>::zeroed(1).map_err(|e| e.to_string())?;
            match on_device.device() {
                Device::Cuda(_) => Ok((nccl, on_device)),
                device => Err(format!("calls run on `{device}`, which is no GPU")),
            }
        };
        let (nccl, on_device) = self.all("NCCL", here())?;
        let mut id = nccl::Id([0; 128]);
        let given = match self.rank() {
            0 => nccl.unique_id().map(|given| id = given),
            _ => Ok(()),
        };
        self.all("NCCL", given)?;
        self.broadcast(0, Values::U8(&mut id.0))?;
        let meet = |_: u64| nccl.meet(id, self.rank(), self.size());
        // SAFETY: the buffer is not touched; its device's context is what this is for.
        let met = unsafe { on_device.as_slice().with_raw(std::ptr::null_mut(), meet) };
        let communicator = self.all("NCCL", met.map_err(|e| e.to_string()).flatten())?;
        self.means = Some(Means::Nccl {
            device: on_device.device(),
            communicator,
        });
        Ok(self)
    }

    /// Has bins that the kernels of all ranks have filled combined by MPI without coming to the host: for an MPI that takes addresses in the memory of
    /// GPUs, a "CUDA-aware" one. Every rank has to call this.
    ///
    /// # Errors
    ///
    /// The same one on every rank: a rank's MPI does not say that it does, by `MPIX_Query_cuda_support` (Open MPI) or `MPIX_GPU_query_support` (MPICH).
    pub fn with_cuda_aware_mpi(mut self) -> Result<Self, Error> {
        let here = match knows_gpus() {
            true => Ok(()),
            false => Err("this MPI does not say that it is CUDA-aware".to_owned()),
        };
        self.all("CUDA-aware MPI", here)?;
        self.means = Some(Means::Mpi);
        Ok(self)
    }

    /// What this rank has, if all ranks have it.
    ///
    /// # Errors
    ///
    /// What the first rank lacks that lacks it, on every rank.
    fn all<T>(&self, operation: &'static str, mine: Result<T, String>) -> Result<T, Error> {
        let mut first = [match &mine {
            Ok(_) => u64::MAX,
            Err(_) => self.rank() as u64,
        }];
        self.all_reduce(Values::U64(&mut first), Op::Min)?;
        if first == [u64::MAX] {
            return mine.map_err(|why| failed(operation, why));
        }
        let rank = first[0] as usize;
        let mut text = [0; 512];
        if let Err(why) = &mine {
            let bytes = why.as_bytes();
            let len = bytes.len().min(text.len());
            text[..len].copy_from_slice(&bytes[..len]);
        }
        self.broadcast(rank, Values::U8(&mut text))?;
        let text = String::from_utf8_lossy(&text);
        let text = text.trim_end_matches('\0');
        Err(failed(operation, format!("rank {rank}: {text}")))
    }

    pub(crate) fn has_means(&self, on: Device, like: &Values<'_>, op: Op) -> bool {
        let bytes = like.len() * like.width();
        bytes >= WORTH
            && match &self.means {
                None => false,
                Some(Means::Nccl { device, .. }) => {
                    *device == on && nccl::names(like, op).is_some()
                }
                Some(Means::Mpi) => matches!(on, Device::Cuda(_)) && names(like, op).is_some(),
            }
    }

    pub(crate) fn reduce_there(&self, values: &DeviceValues<'_>, op: Op) -> Result<(), String> {
        let (like, len) = (values.like(), values.len());
        match self.means.as_ref().expect("it is asked first") {
            Means::Nccl { communicator, .. } => {
                // SAFETY: NCCL queues it on that stream, and what comes of numbers are numbers.
                let queued = unsafe {
                    values
                        .with_raw(|at, stream| communicator.all_reduce(at, len, &like, op, stream))
                };
                queued.map_err(|e| e.to_string()).flatten()
            }
            Means::Mpi => {
                let bytes = len * like.width();
                let with = |e: Error| e.to_string();
                let mut scratch = accrue::with_device(values.device(), || {
                    DeviceBuffer::<u8>::zeroed(bytes).map_err(with)
                })?;
                // SAFETY: both are memory of so many bytes, and MPI has done it when it returns.
                let done = unsafe {
                    values.with_raw(|at, stream| {
                        let mut scratch = scratch.as_slice_mut();
                        scratch.with_raw(stream, |scratch| {
                            // MPI knows no streams: what both hold is waited for.
                            values.sync()?;
                            reduce_at(self, at, scratch, len, &like, op);
                            Ok(())
                        })
                    })
                };
                done.flatten().flatten().map_err(with)
            }
        }
    }
}

/// Combines the numbers at an address, with room for as many at another: an all-reduce, and a message to this rank itself, since what an MPI has for `MPI_IN_PLACE` the
/// crate `mpi` does not say.
///
/// # Safety
///
/// There are `len` numbers of the type of `like` at either address, in memory that this MPI takes, which nobody else uses.
pub(crate) unsafe fn reduce_at(
    ranks: &Ranks<'_>,
    at: u64,
    scratch: u64,
    len: usize,
    like: &Values<'_>,
    op: Op,
) {
    let (datatype, op) = names(like, op).expect("it is asked first");
    let communicator = ranks.communicator().as_raw();
    let me = ranks.rank() as c_int;
    for start in (0..len).step_by(MOST) {
        let count = MOST.min(len - start) as c_int;
        let offset = (start * like.width()) as u64;
        let (at, scratch) = (
            (at + offset) as *mut c_void,
            (scratch + offset) as *mut c_void,
        );
        // SAFETY: the caller's promise. What fails ends the job, by MPI's error handler.
        unsafe {
            ffi::MPI_Allreduce(at, scratch, count, datatype, op, communicator);
            ffi::MPI_Sendrecv(
                scratch,
                count,
                datatype,
                me,
                0,
                at,
                count,
                datatype,
                me,
                0,
                communicator,
                ffi::RSMPI_STATUS_IGNORE,
            );
        }
    }
}

/// MPI's type and operation; `None` for what it does not have or leaves open.
fn names(like: &Values<'_>, op: Op) -> Option<(ffi::MPI_Datatype, ffi::MPI_Op)> {
    // Signed sums and products are those of unsigned numbers, which wrap in C as well.
    let sums = matches!(op, Op::Add | Op::Sub | Op::Mul);
    // SAFETY: they are constants that the crate `mpi` has read from the MPI it was built with.
    unsafe {
        let (datatype, is_float) = match like {
            Values::U32(_) => (ffi::RSMPI_UINT32_T, false),
            Values::U64(_) | Values::Usize(_) => (ffi::RSMPI_UINT64_T, false),
            Values::I32(_) if sums => (ffi::RSMPI_UINT32_T, false),
            Values::I64(_) | Values::Isize(_) if sums => (ffi::RSMPI_UINT64_T, false),
            Values::I32(_) => (ffi::RSMPI_INT32_T, false),
            Values::I64(_) | Values::Isize(_) => (ffi::RSMPI_INT64_T, false),
            Values::F32(_) => (ffi::RSMPI_FLOAT, true),
            Values::F64(_) => (ffi::RSMPI_DOUBLE, true),
            _ => return None,
        };
        let op = match op {
            Op::Add | Op::Sub => ffi::RSMPI_SUM,
            Op::Mul => ffi::RSMPI_PROD,
            Op::And if !is_float => ffi::RSMPI_BAND,
            Op::Or if !is_float => ffi::RSMPI_BOR,
            Op::Xor if !is_float => ffi::RSMPI_BXOR,
            Op::Min if !is_float => ffi::RSMPI_MIN,
            Op::Max if !is_float => ffi::RSMPI_MAX,
            _ => return None,
        };
        Some((datatype, op))
    }
}

/// Whether the MPI of this process says that it takes addresses in the memory of CUDA's devices.
fn knows_gpus() -> bool {
    let Ok(this) = process() else {
        return false;
    };
    type Query = unsafe extern "C" fn() -> c_int;
    type QueryOf = unsafe extern "C" fn(c_int, *mut c_int) -> c_int;
    /// `MPIX_GPU_SUPPORT_CUDA`.
    const CUDA: c_int = 0;
    // SAFETY: the functions have the types that Open MPI and MPICH document.
    unsafe {
        if let Ok(query) = this.get::<Query>(b"MPIX_Query_cuda_support\0") {
            return query() == 1;
        }
        let mut is = 0;
        match this.get::<QueryOf>(b"MPIX_GPU_query_support\0") {
            Ok(query) => query(CUDA, &mut is) == 0 && is != 0,
            Err(_) => false,
        }
    }
}

#[cfg(unix)]
fn process() -> Result<libloading::os::unix::Library, libloading::Error> {
    Ok(libloading::os::unix::Library::this())
}

#[cfg(windows)]
fn process() -> Result<libloading::os::windows::Library, libloading::Error> {
    libloading::os::windows::Library::this()
}

#[cfg(test)]
mod tests {
    use accrue::collective::combine;

    use super::*;

    /// On memory of the host's, which every MPI takes. `mpirun` runs it with several ranks.
    #[test]
    fn numbers_at_an_address_are_combined_by_mpi() {
        let universe = crate::initialize().expect("MPI");
        let ranks = Ranks::world(&universe);
        macro_rules! check {
            ($($name:ident $t:ty: $($op:ident)*;)*) => {$($(
                let of = |rank: usize| (0..500).map(|n| (n * 7 + rank * 13) as $t).collect::<Vec<$t>>();
                let (mut mine, mut scratch) = (of(ranks.rank()), vec![0 as $t; 500]);
                let like = Values::$name(&mut []);
                let (at, by) = (mine.as_mut_ptr() as u64, scratch.as_mut_ptr() as u64);
                // SAFETY: both are 500 numbers, which nobody else uses.
                unsafe { reduce_at(&ranks, at, by, 500, &like, Op::$op) };
                let mut expected = of(0);
                for rank in 1..ranks.size() {
                    combine(Op::$op, Values::$name(&mut expected), Values::$name(&mut of(rank)));
                }
                assert_eq!(mine, expected, "{:?} of {}", Op::$op, stringify!($t));
            )*)*};
        }
        check! {
            U32 u32: Add Mul And Or Xor Min Max;
            U64 u64: Add Mul And Or Xor Min Max;
            I32 i32: Add Mul And Or Xor Min Max;
            I64 i64: Add Mul And Or Xor Min Max;
            F32 f32: Add;
            F64 f64: Add;
        }
        for (like, op) in [
            (Values::U8(&mut []), Op::Add),
            (Values::F64(&mut []), Op::Max),
            (Values::U64(&mut []), Op::SaturatingAdd),
        ] {
            assert!(names(&like, op).is_none());
        }
    }
}
