//! A call across ranks under way, and the loops in it.

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;

use super::agreement::{At, Here, agree, message};
use super::collective::Collective;
use super::exchange::{Keys, Way, check};
use super::many::many;
use super::part::{Best, Part};
use super::there::There;
use crate::base::choice;
use crate::base::error::Error;
use crate::base::trying::{give_up, try_call_anywhere};
use crate::base::values::{Kept, Values};

thread_local! {
    /// The call whose function runs on this thread, outside of its loops.
    static CURRENT: Cell<Option<NonNull<Call<'static>>>> = const { Cell::new(None) };
}

/// A call across ranks under way.
pub struct Call<'c> {
    ranks: &'c dyn Collective,
    function: &'static str,
    id: TypeId,
    state: RefCell<State>,
}

/// What has become of a call.
#[derive(Default)]
struct State {
    /// What bins and scalars held before the loops that have combined into them, and where they are. The first loop's come first.
    kept: Vec<(usize, Kept)>,
    /// Whether it is this rank's turn, which the others wait for.
    turn: bool,
    /// What has failed here.
    failed: Option<Error>,
    /// Whether every rank knows that something has failed.
    settled: bool,
    /// A panic with a payload of somebody's own.
    payload: Option<Box<dyn Any + Send>>,
}

impl<'c> Call<'c> {
    /// A call of the function whose companion is `T`.
    pub fn new<T: 'static>(ranks: &'c dyn Collective, function: &'static str) -> Call<'c> {
        Call {
            ranks,
            function,
            id: TypeId::of::<T>(),
            state: RefCell::default(),
        }
    }

    /// Runs a part of the call, unless one before it has failed: on the device of the thread, as `on` does.
    pub fn attempt<R>(&self, call: impl FnOnce() -> Result<R, Error>) -> Option<R> {
        if self.has_failed() {
            return None;
        }
        let here = match self.ranks.size() {
            1 => None,
            _ => Some(NonNull::from(self).cast::<Call<'static>>()),
        };
        let current = Current(CURRENT.replace(here));
        let result = catch_unwind(AssertUnwindSafe(|| {
            choice::chosen()?.check_built()?;
            try_call_anywhere(call)?
        }));
        drop(current);
        let mut state = self.state.borrow_mut();
        let error = match result {
            Ok(Ok(result)) if state.failed.is_none() => return Some(result),
            Ok(Ok(_)) => return None,
            Ok(Err(error)) => error,
            Err(payload) => {
                state.payload = Some(payload);
                let message = "a panic whose payload is no text".to_owned();
                Error::Panicked {
                    message,
                    iteration: None,
                }
            }
        };
        state.failed.get_or_insert(error);
        None
    }

    fn has_failed(&self) -> bool {
        self.state.borrow().failed.is_some()
    }

    /// Ends the call. `places` are what its loops combine into, as far as it is the caller's: they become what they were if the call
    /// has failed on any rank.
    ///
    /// # Errors
    ///
    /// The same one on every rank.
    pub fn finish<R>(
        self,
        result: Option<R>,
        places: &mut [Option<Values<'_>>],
    ) -> Result<R, Error> {
        match (self.ended(), result) {
            (Ok(()), Some(result)) => Ok(result),
            (Ok(()), None) => unreachable!("a call that has not failed has a result"),
            (Err(error), _) => {
                let state = self.state.into_inner();
                put_back(state.kept, places);
                match state.payload {
                    Some(payload) => resume_unwind(payload),
                    None => Err(error),
                }
            }
        }
    }

    /// Tells the others how it went here, and learns how it went there.
    fn ended(&self) -> Result<(), Error> {
        let state = self.state.borrow();
        let alone = self.ranks.size() == 1;
        let (told, error) = match &state.failed {
            Some(error) if state.settled || alone => return Err(error.clone()),
            None if alone => return Ok(()),
            None => (self.agree(Ok(Here::END)), None),
            Some(error) if state.turn => (self.turn(self.ranks.rank(), Some(error)), Some(error)),
            Some(error) => (self.agree(Err(error)), Some(error)),
        };
        match told {
            // Where the others were at another operation, they know that something is wrong now, and come to this one.
            Err(failed @ Error::Collective { .. }) => self.agree(Err(error.unwrap_or(&failed))),
            told => told,
        }
    }

    fn agree(&self, mine: Result<Here, &Error>) -> Result<(), Error> {
        agree(self.ranks, self.function, mine).map(drop)
    }

    /// Ends a rank's turn, or waits for its end.
    fn turn(&self, rank: usize, failed: Option<&Error>) -> Result<(), Error> {
        let mut well = [u8::from(failed.is_none())];
        self.ranks.broadcast(rank, Values::U8(&mut well))?;
        match well {
            [0] => Err(message(self.ranks, rank, failed)?),
            _ => Ok(()),
        }
    }

    /// Remembers of an error that all ranks have it; that an operation has failed they are yet to be told.
    fn settle<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        if let Err(error) = &result {
            let mut state = self.state.borrow_mut();
            state.settled = !matches!(error, Error::Collective { .. });
            state.failed.get_or_insert_with(|| error.clone());
        }
        result
    }
}

/// What runs on the thread again when a call's function has come to its end.
struct Current(Option<NonNull<Call<'static>>>);

impl Drop for Current {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// Makes places what they were, as far as they lie in `places`: the others were the function's own.
fn put_back(kept: Vec<(usize, Kept)>, places: &mut [Option<Values<'_>>]) {
    for (address, mut kept) in kept.into_iter().rev() {
        let kept = kept.values();
        let bytes = kept.len() * kept.width();
        let holds = |place: &&mut Values<'_>| {
            let start = place.address();
            place.type_name() == kept.type_name()
                && start <= address
                && address + bytes <= start + place.len() * kept.width()
        };
        if bytes > 0
            && let Some(place) = places.iter_mut().flatten().find(holds)
        {
            let start = (address - place.address()) / kept.width();
            let there = start..start + kept.len();
            place.reborrow().range(there).copy_from(kept);
        }
    }
}

/// A loop of a call across ranks.
pub struct Loop {
    /// It outlives this: a loop is within the function that [`Call::attempt`] calls.
    call: NonNull<Call<'static>>,
    number: u32,
    deterministic: bool,
    /// From where on what the call has kept is of this loop: its parts, and behind them the scalars that keep the best item.
    first: usize,
    starts: u64,
    turns: bool,
    /// The bins that a kernel leaves on its device.
    there: There,
}

/// Whether a call across ranks is under way on this thread, between its loops.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) fn is_under_way() -> bool {
    CURRENT.get().is_some()
}

/// The loop of this number of the function whose companion is `T`, if a call of it across ranks is under way on this thread.
#[inline]
pub fn loop_of<T: 'static>(number: u32, deterministic: bool) -> Option<Loop> {
    let call = CURRENT.get()?;
    Loop::of(call, TypeId::of::<T>(), number, deterministic)
}

/// The numbers of parts and of scalars that keep the best item.
fn all<'p, 'a: 'p>(
    parts: &'p mut [Part<'a>],
    best: &'p mut [Best<'a>],
) -> impl Iterator<Item = &'p mut Values<'a>> {
    let places = best.iter_mut().flat_map(|b| b.places.iter_mut().flatten());
    parts.iter_mut().map(|p| &mut p.values).chain(places)
}

impl Loop {
    #[cold]
    fn of(
        call: NonNull<Call<'static>>,
        id: TypeId,
        number: u32,
        deterministic: bool,
    ) -> Option<Loop> {
        // SAFETY: `CURRENT` is the call only while `attempt` has it borrowed.
        let is_its = unsafe { call.as_ref() }.id == id;
        is_its.then_some(Loop {
            call,
            number,
            deterministic,
            first: 0,
            starts: 0,
            turns: false,
            there: There::default(),
        })
    }

    fn call(&self) -> &Call<'static> {
        // SAFETY: as above: the function that has this loop is called by `attempt`.
        unsafe { self.call.as_ref() }
    }

    /// Makes bins and scalars what this rank's part of the loop begins with.
    ///
    /// Leaves the function by unwinding where that fails.
    pub fn begin<'a>(&mut self, parts: &mut [Part<'a>], best: &mut [Best<'a>]) {
        // What the body calls is not across ranks.
        CURRENT.set(None);
        self.begins(parts, best).unwrap_or_else(|e| give_up(e));
    }

    fn begins<'a>(&mut self, parts: &mut [Part<'a>], best: &mut [Best<'a>]) -> Result<(), Error> {
        if best.iter().any(|b| b.places.iter().any(Option::is_none)) {
            return Err(Error::RanksDiffer {
                function: self.call().function.to_owned(),
                why: "what it keeps of the best item is no number, and cannot be sent".to_owned(),
            });
        }
        let mut starts = 0u64;
        {
            let mut state = self.call().state.borrow_mut();
            let first = state.kept.len();
            for values in all(parts, best) {
                starts = starts.rotate_left(7) ^ values.fingerprint(many);
                let kept = values.copied(values.len(), many)?;
                state.kept.push((values.address(), kept));
            }
            drop(state);
            (self.first, self.starts) = (first, starts);
        }
        self.turns = parts.iter().any(|p| p.ordered) || best.iter().any(|b| b.ordered);
        if !self.turns {
            let ranks = self.call().ranks;
            for part in &mut *parts {
                part.start(ranks.rank() == 0, self.deterministic);
            }
            self.there = There::hold(parts, ranks, self.deterministic);
            return Ok(());
        }
        let call = self.call();
        let here = Here {
            at: At::Turns(self.number),
            starts,
            on_device: false,
        };
        call.settle(call.agree(Ok(here)))?;
        for rank in 0..call.ranks.rank() {
            self.receive(rank, parts, best)?;
        }
        call.state.borrow_mut().turn = true;
        Ok(())
    }

    /// Waits for the end of a rank's turn, and takes over what it leaves.
    fn receive<'a>(
        &self,
        rank: usize,
        parts: &mut [Part<'a>],
        best: &mut [Best<'a>],
    ) -> Result<(), Error> {
        let call = self.call();
        call.settle(call.turn(rank, None))?;
        call.settle(self.pass(rank, parts, best))
    }

    fn pass<'a>(
        &self,
        rank: usize,
        parts: &mut [Part<'a>],
        best: &mut [Best<'a>],
    ) -> Result<(), Error> {
        all(parts, best).try_for_each(|v| self.call().ranks.broadcast(rank, v.reborrow()))
    }

    /// Makes bins and scalars those of the loop over all ranks' items.
    ///
    /// Leaves the function by unwinding where this rank's or another's part has failed.
    pub fn end<'a>(self, parts: &mut [Part<'a>], best: &mut [Best<'a>]) {
        let ended = match self.turns {
            true => self.end_turn(parts, best),
            false => {
                let mut before = self.call().state.borrow_mut().kept.split_off(self.first);
                let ended = self.combine(parts, best, &mut before);
                self.call().state.borrow_mut().kept.append(&mut before);
                ended
            }
        };
        ended.unwrap_or_else(|e| give_up(e));
        self.forget();
        CURRENT.set(Some(self.call));
    }

    /// What there was where a loop before has kept it is no more needed: that is older.
    fn forget(&self) {
        let mut state = self.call().state.borrow_mut();
        for (address, mut kept) in state.kept.split_off(self.first) {
            let is_older = |(at, older): &mut (usize, Kept)| {
                *at == address && older.values().is_like(&kept.values())
            };
            if !state.kept.iter_mut().any(is_older) {
                state.kept.push((address, kept));
            }
        }
    }

    fn combine<'a>(
        &self,
        parts: &mut [Part<'a>],
        best: &mut [Best<'a>],
        before: &mut [(usize, Kept)],
    ) -> Result<(), Error> {
        let call = self.call();
        let ranks = call.ranks;
        let (of_parts, mut of_best) = before.split_at_mut(parts.len());
        let mut ways = Vec::new();
        for (part, (_, before)) in parts.iter_mut().zip(&mut *of_parts) {
            ways.push(Way::of(part, before, self.deterministic, ranks)?);
        }
        let mut keys = Vec::new();
        for best in &*best {
            keys.extend(Keys::of(best, ranks)?);
        }
        let ready = self.there.ready(parts);
        let here = Here {
            at: At::Loop(self.number),
            starts: self.starts,
            on_device: ready.is_some(),
        };
        let on_device = call.settle(agree(ranks, call.function, Ok(here)))?;
        let mut ready = match ready {
            Some(ready) if on_device => ready,
            _ => {
                call.settle(self.there.come(parts))?;
                Vec::new()
            }
        };
        ready.resize_with(parts.len(), || None);
        for ((way, part), ready) in ways.into_iter().zip(parts).zip(ready) {
            let op = part.gathers();
            let over = call.settle(match ready {
                Some(ready) => ready.combine(part, ranks, op).map(|()| None),
                None => way.combine(part, ranks),
            })?;
            if part.checked {
                call.settle(check(ranks, over, part.starts_full()))?;
            }
        }
        for (keys, best) in keys.into_iter().zip(best) {
            let before;
            (before, of_best) = of_best.split_at_mut(best.places.len());
            call.settle(keys.combine(best, before, ranks))?;
        }
        Ok(())
    }

    fn end_turn<'a>(&self, parts: &mut [Part<'a>], best: &mut [Best<'a>]) -> Result<(), Error> {
        let call = self.call();
        let me = call.ranks.rank();
        call.state.borrow_mut().turn = false;
        call.settle(call.turn(me, None))?;
        call.settle(self.pass(me, parts, best))?;
        for rank in me + 1..call.ranks.size() {
            self.receive(rank, parts, best)?;
        }
        Ok(())
    }
}
