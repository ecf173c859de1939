//! Bins and scalars of all ranks become those of one loop.

use super::collective::{Collective, Op};
use super::combine::{combine, merge};
use super::many::many;
use super::part::{Best, Part};
use crate::base::error::Error;
use crate::base::values::{Kept, Values};

/// How what ranks have of a part is combined, with the memory for it.
pub(super) enum Way {
    /// By the collective, in any order. What there was is among what the first rank has.
    Any,
    /// In the order of the ranks: each rank gets a piece of the bins from every rank, and passes what becomes of it on to all.
    InOrder(InOrder),
}

/// Memory for combining in the order of the ranks.
pub(super) struct InOrder {
    mine: Kept,
    theirs: Kept,
    piece: Kept,
}

impl Way {
    /// How a part is combined. `before` is what there was.
    ///
    /// # Errors
    ///
    /// No memory.
    pub(super) fn of(
        part: &mut Part<'_>,
        before: &mut Kept,
        deterministic: bool,
        ranks: &dyn Collective,
    ) -> Result<Way, Error> {
        if !part.is_in_order(deterministic) {
            return Ok(Way::Any);
        }
        let len = part.values.len();
        let each = len.div_ceil(ranks.size());
        let all = each * ranks.size();
        let starts_full = part.starts_full();
        let mut mine = match starts_full {
            true => before.values().copied(all, many)?,
            false => part.values.copied(all, many)?,
        };
        if starts_full {
            // What was subtracted.
            combine(Op::Sub, mine.values().range(0..len), part.values.reborrow());
        }
        let theirs = part.values.none().copied(all, many)?;
        let mut piece = part.values.none().copied(each, many)?;
        let start = (ranks.rank() * each).min(len);
        let there = start..(start + each).min(len);
        before.copy_to(there.clone(), piece.values().range(0..there.len()));
        Ok(Way::InOrder(InOrder {
            mine,
            theirs,
            piece,
        }))
    }

    /// Makes the part what one loop over all ranks' items makes of what there was. Says which rank's part was too large, where that is checked.
    ///
    /// # Errors
    ///
    /// Those of the collective.
    pub(super) fn combine(
        self,
        part: &mut Part<'_>,
        ranks: &dyn Collective,
    ) -> Result<Option<usize>, Error> {
        let op = part.gathers();
        match self {
            Way::Any => {
                ranks.all_reduce(part.values.reborrow(), op)?;
                Ok(None)
            }
            Way::InOrder(InOrder {
                mut mine,
                mut theirs,
                mut piece,
            }) => {
                ranks.all_to_all(mine.values(), theirs.values())?;
                let each = piece.values().len();
                let mut over = None;
                for rank in 0..ranks.size() {
                    let of = theirs.values().range(rank * each..(rank + 1) * each);
                    if merge(part.merges(), part.checked, piece.values(), of) {
                        over = over.or(Some(rank));
                    }
                }
                ranks.all_gather(piece.values(), mine.values())?;
                let len = part.values.len();
                mine.copy_to(0..len, part.values.reborrow());
                Ok(over)
            }
        }
    }
}

/// Finds the first rank whose part was too large.
///
/// # Errors
///
/// That it was, on every rank; or those of the collective.
pub(super) fn check(
    ranks: &dyn Collective,
    over: Option<usize>,
    subtracts: bool,
) -> Result<(), Error> {
    let size = ranks.size();
    let mut first = [over.map_or(0, |rank| size - rank) as u64];
    ranks.all_reduce(Values::U64(&mut first), Op::Max)?;
    if first == [0] {
        return Ok(());
    }
    let verb = if subtracts { "subtract" } else { "add" };
    Err(Error::OnRank {
        rank: size - first[0] as usize,
        message: format!("attempt to {verb} with overflow"),
        machine: false,
        fault: true,
    })
}

/// Memory for the keys of all ranks.
pub(super) struct Keys {
    all: Kept,
    best: Kept,
}

impl Keys {
    /// For these scalars.
    ///
    /// # Errors
    ///
    /// No memory.
    pub(super) fn of(best: &Best<'_>, ranks: &dyn Collective) -> Result<Option<Keys>, Error> {
        let Some(key) = &best.places[best.key] else {
            return Ok(None);
        };
        let (all, best) = (key.copied(ranks.size(), many)?, key.copied(1, many)?);
        Ok(Some(Keys { all, best }))
    }

    /// Makes scalars those of the rank that keeps the best item, of several the first; what there was stays if none is better.
    ///
    /// # Errors
    ///
    /// Those of the collective.
    pub(super) fn combine(
        mut self,
        best: &mut Best<'_>,
        before: &mut [(usize, Kept)],
        ranks: &dyn Collective,
    ) -> Result<(), Error> {
        let key = best.key;
        if let Some(mine) = &mut best.places[key] {
            ranks.all_gather(mine.reborrow(), self.all.values())?;
        }
        before[key].1.copy_to(0..1, self.best.values());
        let mut winner = None;
        for rank in 0..ranks.size() {
            let theirs = self.all.values().range(rank..rank + 1);
            if best.better(theirs, self.best.values()) {
                self.all.copy_to(rank..rank + 1, self.best.values());
                winner = Some(rank);
            }
        }
        for (place, (_, before)) in best.places.iter_mut().flatten().zip(before) {
            match winner {
                Some(rank) => ranks.broadcast(rank, place.reborrow())?,
                None => place.copy_from(before.values()),
            }
        }
        Ok(())
    }
}
