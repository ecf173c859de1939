//! Arrays that stay on the device from one loop of a function to the next.
//!
//! Where nothing between a function's loops looks at the elements of their arrays, the macro prints a [`Stay`] around them. It knows the memory
//! of these arrays by its address, so that `std::mem::swap` and parts of an array need no care. A loop that runs on the device finds
//! there what an earlier one has left, and is queued without waiting for it unless it gives scalars; before one that runs on the CPU, and
//! at the end, the elements come back.
//!
//! A fault of a queued loop shows when the queue is waited for. What the device has is given up then: the host's memory holds what it held when the elements
//! left it, and the caller gets the panic of the first loop of the queue that failed, in the sequential loop's words. What was
//! queued behind it has run on elements that nobody sees. A loop whose panic names values finds its elements on the host as well, and is waited for, so that
//! the host runs it for these words. Statements between the loops whose effects could be noticed, or that may
//! panic themselves, wait for the queue first.

use std::sync::Arc;

use accrue_ptx::abi::Strategy;
use accrue_ptx::strategy::steps;

use crate::across;
use crate::base::budget;
use crate::base::choice;
use crate::base::device::Device;
use crate::base::device_type::DeviceType;
use crate::base::error::Error;
use crate::base::trying;
use crate::device::context::{Context, Work};
use crate::device::held;
use crate::device::queue::Queue;
use crate::device::residence::{Lent, Residence};
use crate::gpu::array::{Array, Bins, Memory};
use crate::gpu::attempt::{self, Attempt, Expected};
use crate::gpu::choose::offloaded::Loop;
use crate::gpu::launch::state::Launches;
use crate::gpu::reach::Reaching;

/// Memory of an array.
#[derive(Debug)]
struct Piece {
    of: Arc<Residence>,
    start: *mut u8,
    bytes: u64,
    /// Whether loops may write it.
    written: bool,
    /// Of a resident array, which stays where its elements were last written: whether the host had them when the loops began.
    kept: Option<bool>,
}

impl Piece {
    fn lent(&self) -> Lent<'_> {
        // SAFETY: what is held lives for as long as the loops and the statements between them, all of which are within the life of the
        // `Stay`; by the macro's reading of these statements nobody looks at elements that may be written but kernels, and the
        // CPU's form of a loop after `Stay::home`, which also says that the host's are newer. What is only shared is not written.
        unsafe { Lent::new(&self.of, self.start, self.bytes) }
    }

    /// Where memory lies in it.
    fn place_of(&self, start: *mut u8, bytes: u64) -> Option<u64> {
        let at = (start.addr() as u64).checked_sub(self.start.addr() as u64)?;
        (at.checked_add(bytes)? <= self.bytes).then_some(at)
    }
}

/// Where the elements of an array are, and how many bytes; none where they are no kernel's.
type Place = Option<(*mut u8, usize)>;

/// What is asked of an array that may be held.
#[derive(Debug)]
pub struct Ask<'a, T: ?Sized>(pub &'a mut T);

/// The answer for elements that kernels know.
pub trait AskPlace {
    /// Where they are.
    fn __accrue_place(self) -> Place;
}

impl<T: DeviceType> AskPlace for &mut Ask<'_, [T]> {
    fn __accrue_place(self) -> Place {
        Some((self.0.as_mut_ptr().cast(), size_of_val(self.0)))
    }
}

/// The answer for all others.
pub trait AskNoPlace {
    /// None.
    fn __accrue_place(self) -> Place;
}

impl<T: ?Sized> AskNoPlace for &&mut Ask<'_, T> {
    fn __accrue_place(self) -> Place {
        None
    }
}

/// What is asked of an array that is only read.
#[derive(Debug)]
pub struct AskShared<'a, T: ?Sized>(pub &'a T);

/// The answer for elements that kernels know.
pub trait AskShares {
    /// Where they are.
    fn __accrue_shared(&self) -> Place;
}

impl<T: DeviceType> AskShares for AskShared<'_, [T]> {
    fn __accrue_shared(&self) -> Place {
        Some((self.0.as_ptr().cast_mut().cast(), size_of_val(self.0)))
    }
}

/// The answer for all others.
pub trait AskNotShared {
    /// None.
    fn __accrue_shared(&self) -> Place;
}

impl<T: ?Sized> AskNotShared for &AskShared<'_, T> {
    fn __accrue_shared(&self) -> Place {
        None
    }
}

/// The arrays of some loops of a function, between which nobody looks at the elements. Made by what the macro emits alone.
#[derive(Debug)]
pub struct Stay {
    pieces: Vec<Piece>,
    queue: Option<Arc<Queue>>,
    /// Whether loops run as if each were alone.
    over: bool,
    /// How many seconds a device would have saved so far, copies left out.
    saved: f64,
}

impl Stay {
    /// Begins.
    pub fn begin() -> Stay {
        Stay {
            pieces: Vec::new(),
            queue: None,
            // Ranks exchange what loops combine into.
            over: !attempt::wanted() || across::call::is_under_way(),
            saved: 0.0,
        }
    }

    /// Holds an array that loops write.
    pub fn hold(&mut self, place: Place) {
        let Some((start, bytes)) = place else {
            return;
        };
        let Some((of, start, bytes, _)) = held::exclusive_of(start, bytes as u64) else {
            return self.add(start, bytes as u64, true);
        };
        let piece = Piece {
            of,
            start,
            bytes,
            written: true,
            kept: None,
        };
        let on_host = !piece.lent().is_newer_on_device();
        self.pieces.push(Piece {
            kept: Some(on_host),
            ..piece
        });
        if self.over {
            self.leave();
        }
    }

    /// Holds an array that loops only read.
    pub fn share(&mut self, place: Place) {
        if let Some((start, bytes)) = place
            // What somebody else holds is found there.
            && held::residence_of(start, bytes as u64).is_none()
        {
            self.add(start, bytes as u64, false);
        }
    }

    fn add(&mut self, start: *mut u8, bytes: u64, written: bool) {
        let known = |piece: &Piece| piece.place_of(start, bytes).is_some();
        if !self.over && bytes > 0 && !self.pieces.iter().any(known) {
            self.pieces.push(Piece {
                of: Arc::default(),
                start,
                bytes,
                written,
                kept: None,
            });
        }
    }

    /// Tries a loop on the GPU, as [`attempt`](attempt::attempt) does, with what is held where it was left.
    #[track_caller]
    pub fn attempt(
        &mut self,
        of: &Loop,
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &mut [Bins<'_>],
        captured: &[u64],
        reach: Reaching<'_>,
    ) -> Attempt {
        let device = match choice::chosen() {
            Ok(device) if !self.over && !device.is_group() => device,
            _ => {
                self.leave();
                return attempt::attempt(of, counts, arrays, bins, captured, reach);
            }
        };
        if matches!(device, Device::Seq | Device::Cpu) {
            return Attempt::ON_CPU;
        }
        if counts.contains(&0) {
            return Attempt::DONE;
        }
        let all = || arrays.iter().chain(bins.iter().map(|b| &b.array));
        let places: Vec<_> = all().map(|array| self.find(array)).collect();
        let mut strange = all().zip(&places).filter(|(_, place)| place.is_none());
        if strange.any(|(array, _)| self.touches(array)) {
            self.leave();
            return attempt::attempt(of, counts, arrays, bins, captured, reach);
        }
        let mut memory = places.iter().map(|place| {
            place.as_ref().map(|(of, start, bytes, at)| {
                // SAFETY: as of the piece, or of whoever else holds it on this thread.
                let all = unsafe { Lent::new(of, *start, *bytes) };
                Memory::Resident(all, *at)
            })
        });
        let found: Vec<Array<'_>> = arrays
            .iter()
            .map(|array| array.placed(memory.next().flatten()))
            .collect();
        let mut found_bins: Vec<Bins<'_>> = bins
            .iter()
            .map(|bins| bins.placed(memory.next().flatten()))
            .collect();
        if device == Device::Auto && !self.pays(of, counts, &found, &found_bins) {
            return Attempt::ON_CPU;
        }
        let names_values = of.panics_with_values() && !trying::is_on();
        if names_values && self.is_ahead() {
            self.look();
        }
        let is_first = !self.is_ahead();
        let queue = match self.queue(device) {
            Ok(Some(queue)) => queue,
            Ok(None) => {
                self.leave();
                return attempt::attempt(of, counts, arrays, bins, captured, reach);
            }
            Err(e) => return self.fall_back(of, device, e),
        };
        of.begin_whole();
        // Nobody looks at what a loop has done before the queue is waited for.
        let may_wait = |may| queue.lane().work::<Launches>().series.is_wanted = may;
        may_wait(true);
        let queued = of.queue(&queue, counts, &found, &mut found_bins, captured, reach);
        may_wait(false);
        // Such a loop is waited for, so that the host still has what it began with.
        let queued = queued.and_then(|()| match names_values {
            true => queue.sync(),
            false => Ok(()),
        });
        match queued {
            Ok(()) => {
                if queue.lane().work::<Launches>().failed.is_some() {
                    self.settle();
                }
                Attempt::DONE
            }
            Err(e) if e.is_fault() && !is_first => {
                self.forget();
                raise(e)
            }
            // The host has what the loop began with, and it runs there, to the fault.
            Err(e) if e.is_fault() => {
                self.forget();
                attempt::fall_back(of, device, e)
            }
            Err(Error::OutOfMemory { .. } | Error::TooLarge { .. }) => {
                self.leave();
                attempt::attempt(of, counts, arrays, bins, captured, reach)
            }
            Err(e) => self.fall_back(of, device, e),
        }
    }

    /// Whether a loop is to be tried as steps of one kernel, as far as its counts say: what it takes to know that the iterations of each step keep
    /// apart may be longer than the steps.
    pub fn may_step(&self, of: &Loop, counts: &[u64]) -> bool {
        let wanted = match (of.request(), counts) {
            (Ok(request), &[count, width]) => match request.strategy {
                Some(Strategy::Steps) => steps::can_take(width),
                // A strategy for bins says nothing of loops without any.
                Some(other) if !Strategy::OF_BINS.contains(&other) => false,
                _ => steps::pays(count, width, of.cost, of.reach()),
            },
            // What is wrong with the request, the loops inside say.
            _ => false,
        };
        // Ranks and groups of devices share out the iterations of a loop, and of steps there is one at a time.
        wanted
            && !self.over
            && match choice::chosen() {
                Ok(Device::Auto) => {
                    let held = self.pieces.iter().any(|piece| piece.kept.is_some());
                    held || self.is_ahead() || Expected::steps_pay(of, counts)
                }
                Ok(device) => !device.is_group(),
                Err(_) => false,
            }
    }

    /// Tries a loop whose iterations follow each other, as steps of one kernel: `counts` are those of the steps, and of the iterations of
    /// one. Else it goes in order, and the loops inside it are tried.
    #[track_caller]
    pub fn steps(
        &mut self,
        of: &Loop,
        counts: &[u64],
        arrays: &[Array<'_>],
        bins: &mut [Bins<'_>],
        captured: &[u64],
        reach: Reaching<'_>,
    ) -> Attempt {
        let Ok(device) = choice::chosen() else {
            return Attempt::ON_CPU;
        };
        let strange = |array: &Array<'_>| self.find(array).is_none() && self.touches(array);
        if arrays.iter().any(strange) {
            return Attempt::ON_CPU;
        }
        // What does not fit is for the loops inside, and what else is wrong they say.
        let is_named = matches!(device, Device::Cuda(_) | Device::Sim);
        if is_named && !matches!(self.queue(device), Ok(Some(_))) {
            return Attempt::ON_CPU;
        }
        let saved = self.saved;
        let attempt = self.attempt(of, counts, arrays, bins, captured, reach);
        if !attempt.done() {
            self.saved = saved;
        }
        attempt
    }

    /// The memory that an array lies in, if it is held, and where in it.
    fn find(&self, array: &Array<'_>) -> Option<(Arc<Residence>, *mut u8, u64, u64)> {
        let Memory::Host(start) = array.memory else {
            return None;
        };
        if array.bytes == 0 {
            return None;
        }
        let pieces = self.pieces.iter().filter(|p| p.written || !array.written);
        let mut places = pieces.filter_map(|piece| {
            let at = piece.place_of(start, array.bytes)?;
            Some((Arc::clone(&piece.of), piece.start, piece.bytes, at))
        });
        let elsewhere = || match array.written {
            true => None,
            false => held::residence_of(start, array.bytes),
        };
        places.next().or_else(elsewhere)
    }

    /// Whether an array lies partly in memory that is held.
    fn touches(&self, array: &Array<'_>) -> bool {
        let Memory::Host(start) = array.memory else {
            return false;
        };
        let ends = |start: *mut u8, bytes: u64| (start.addr() as u64, start.addr() as u64 + bytes);
        let (from, to) = ends(start, array.bytes);
        self.pieces.iter().any(|piece| {
            let (first, last) = ends(piece.start, piece.bytes);
            from < last && first < to
        })
    }

    /// The queue of all loops; none where the arrays together are more than the device may have of them, so that each loop has to see how
    /// it can run.
    fn queue(&mut self, device: Device) -> Result<Option<Arc<Queue>>, Error> {
        if let Some(queue) = &self.queue {
            return Ok(Some(Arc::clone(queue)));
        }
        let device = match device {
            Device::Auto => Device::Cuda(0),
            device => device,
        };
        let context = Context::of(device)?;
        let most = budget::chosen()?.unwrap_or(u64::MAX);
        let bytes: u64 = self.pieces.iter().map(|piece| piece.bytes).sum();
        if bytes > most.min(context.backend.limits().memory) {
            return Ok(None);
        }
        let queue = Queue::new(&context)?;
        self.queue = Some(Arc::clone(&queue));
        Ok(Some(queue))
    }

    /// Whether the device has what the host has not, or has been given what may fail yet.
    fn is_ahead(&self) -> bool {
        self.is_pending() || self.pieces.iter().any(|p| p.lent().is_newer_on_device())
    }

    fn is_pending(&self) -> bool {
        let queue = self.queue.as_ref();
        queue.is_some_and(|queue| queue.lane().work::<Launches>().has_pending())
    }

    /// Whether `auto` should have the loop run on the GPU: once all loops so far would have saved there what the copies cost; and where the
    /// elements are there, unless it costs more than to bring them back.
    fn pays(&mut self, of: &Loop, counts: &[u64], arrays: &[Array<'_>], bins: &[Bins<'_>]) -> bool {
        let Some(expected) = Expected::of(of, counts, arrays, bins) else {
            return false;
        };
        self.saved += expected.saves();
        let written = self.pieces.iter();
        let written = written.filter(|piece| piece.written && piece.kept.is_none());
        let back: u64 = written.map(|piece| piece.bytes).sum();
        match self.is_ahead() {
            true => expected.pays(expected.saves(), -(back as f64)),
            false => expected.pays(self.saved, back as f64),
        }
    }

    /// What the machine has failed at: the elements come back, and the CPU goes on.
    #[track_caller]
    fn fall_back(&mut self, of: &Loop, device: Device, error: Error) -> Attempt {
        match error {
            Error::NotOnDevice { .. } => self.home(),
            _ => self.leave(),
        }
        attempt::fall_back(of, device, error)
    }

    /// Waits for the loops that are queued.
    ///
    /// # Panics
    ///
    /// As the first of them that failed.
    #[track_caller]
    pub fn settle(&mut self) {
        if let Some(queue) = &self.queue
            && self.is_pending()
            && let Err(e) = queue.sync()
        {
            self.forget();
            raise(e);
        }
    }

    /// Brings the elements back, for the CPU to go on with them.
    ///
    /// # Panics
    ///
    /// As [`Stay::settle`], and where the device has lost them.
    #[track_caller]
    pub fn home(&mut self) {
        if let Err(e) = self.bring() {
            self.forget();
            raise(e);
        }
    }

    fn bring(&self) -> Result<(), Error> {
        self.copy()?;
        for piece in self.pieces.iter().filter(|piece| piece.written) {
            piece.lent().host_is_newer();
        }
        Ok(())
    }

    /// Has the host hold what the device does, which keeps it: before a loop whose panic names values, so that the host can say it.
    #[track_caller]
    fn look(&mut self) {
        if let Err(e) = self.copy() {
            self.forget();
            raise(e);
        }
        for piece in self.pieces.iter_mut().filter(|piece| piece.written) {
            piece.kept = piece.kept.map(|_| true);
        }
    }

    fn copy(&self) -> Result<(), Error> {
        if let Some(queue) = &self.queue {
            queue.sync()?;
        }
        for piece in self.pieces.iter().filter(|piece| piece.written) {
            piece.lent().to_host()?;
        }
        Ok(())
    }

    /// Brings the elements back, and has later loops run as if each were alone.
    #[track_caller]
    fn leave(&mut self) {
        self.home();
        self.pieces.clear();
        self.over = true;
    }

    /// Ends: the elements come back. `places` are those of the arrays that were written, borrowed anew.
    ///
    /// # Panics
    ///
    /// As [`Stay::home`].
    #[track_caller]
    pub fn end(&mut self, places: &[Place]) {
        for (start, bytes) in places.iter().flatten() {
            // The same memory, by a borrow that is the youngest.
            let same = |p: &&mut Piece| p.start == *start && p.bytes == *bytes as u64;
            if let Some(piece) = self.pieces.iter_mut().find(same) {
                piece.start = *start;
            }
        }
        self.settle();
        // Resident arrays stay where they are.
        self.pieces.retain(|piece| piece.kept.is_none());
        self.leave();
        self.queue = None;
    }

    /// Gives up what the device has.
    fn forget(&mut self) {
        // What the host has not had, it cannot have again.
        let on_host = self.pieces.iter().filter(|p| p.kept != Some(false));
        for piece in on_host {
            piece.lent().host_is_newer();
        }
        self.pieces.clear();
        self.over = true;
    }
}

impl Drop for Stay {
    /// The function is left early.
    fn drop(&mut self) {
        if self.pieces.is_empty() {
            return;
        }
        if !std::thread::panicking() {
            return self.end(&[]);
        }
        if let Err(e) = self.bring() {
            log::error!(
                "a function was left by a panic, and what its loops had left on the device is lost: {e}"
            );
            self.forget();
        }
    }
}

/// Leaves the function with the error of a loop that was queued: for a fault, by the sequential loop's panic.
#[track_caller]
fn raise(error: Error) -> ! {
    if trying::is_on() {
        trying::give_up(error);
    }
    match error {
        Error::Panicked { message, .. } => panic!("{message}"),
        Error::BinOutOfRange { index, len, .. }
        | Error::ReadOutOfRange { index, len, .. }
        | Error::WriteOutOfRange { index, len, .. } => {
            panic!("index out of bounds: the len is {len} but the index is {index}")
        }
        other => panic!("{other}"),
    }
}
