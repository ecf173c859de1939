//! What ranks tell each other before they exchange bins: where each is, with which bins, and whether its part has failed.
//!
//! It is one all-reduce of six numbers. Whatever a rank does, it makes this operation next, so nobody waits in another one for
//! a rank that has failed; and all ranks see the same six numbers, so all take the same way from here, the way of failure included.

use super::collective::{Collective, Op};
use crate::base::error::Error;
use crate::base::values::Values;

/// Where a rank is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// Behind a loop, by its number in the function.
    Loop(u32),
    /// Before a loop for which ranks take turns.
    Turns(u32),
    /// At the end of the call.
    End,
}

impl At {
    fn number(self) -> u64 {
        match self {
            At::End => 0,
            At::Loop(n) => 2 * u64::from(n) + 1,
            At::Turns(n) => 2 * u64::from(n) + 2,
        }
    }
}

/// How a place in a function is called.
fn name(number: u64) -> String {
    match number {
        0 => "at its end".to_owned(),
        n => format!("at loop {}", (n - 1) / 2),
    }
}

/// The bytes of a rank's message: what does not fit is cut off.
const MESSAGE: usize = 1000;

/// What a rank that has not failed tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Here {
    /// Where it is.
    pub(super) at: At,
    /// A fingerprint of what the loop combines into, before it.
    pub(super) starts: u64,
    /// Whether the bins that ranks combine on devices are on one here.
    pub(super) on_device: bool,
}

impl Here {
    /// At the end of the call.
    pub(super) const END: Here = Here {
        at: At::End,
        starts: 0,
        on_device: false,
    };
}

/// Finds out whether all ranks are at the same place with the same bins, and none has failed; and whether all have the bins that ranks combine on devices
/// there.
///
/// # Errors
///
/// The same one on every rank. If the operation itself failed, that.
pub(super) fn agree(
    ranks: &dyn Collective,
    function: &str,
    mine: Result<Here, &Error>,
) -> Result<bool, Error> {
    let names = fingerprint(function) << 16;
    // The largest of a number and of its complement are complements if all ranks have the same.
    let mut told = [0; 6];
    match mine {
        Ok(Here {
            at,
            starts,
            on_device,
        }) => {
            let place = names | at.number();
            told[..4].copy_from_slice(&[place, !place, starts, !starts]);
            told[5] = u64::from(!on_device);
        }
        Err(_) => told[4] = (ranks.size() - ranks.rank()) as u64,
    }
    ranks.all_reduce(Values::U64(&mut told), Op::Max)?;
    if told[4] > 0 {
        return Err(message(ranks, ranks.size() - told[4] as usize, mine.err())?);
    }
    let Here { at, starts, .. } = mine.expect("no rank has failed");
    let differ = |why| {
        let function = function.to_owned();
        Err(Error::RanksDiffer { function, why })
    };
    if told[0] != !told[1] {
        let places = gather(ranks, names | at.number())?;
        let other = other(&places);
        let [first, second] = [places[0], places[other]];
        let why = match first >> 16 == second >> 16 {
            false => format!("rank {other} calls another function than rank 0"),
            true => format!(
                "rank {other} is {}, rank 0 {}",
                name(second & 0xffff),
                name(first & 0xffff)
            ),
        };
        return differ(why);
    }
    if told[2] != !told[3] {
        let other = other(&gather(ranks, starts)?);
        return differ(format!(
            "the bins and scalars of {} start on rank {other} from other values than on rank 0",
            name(at.number()).trim_start_matches("at ")
        ));
    }
    Ok(told[5] == 0)
}

/// The first rank with another number than rank 0.
fn other(all: &[u64]) -> usize {
    let first = all[0];
    all.iter().position(|n| *n != first).unwrap_or(0)
}

/// A number of each rank.
fn gather(ranks: &dyn Collective, mine: u64) -> Result<Vec<u64>, Error> {
    let mut all = vec![0; ranks.size()];
    ranks.all_gather(Values::U64(&mut [mine]), Values::U64(&mut all))?;
    Ok(all)
}

/// What has failed on a rank: told by that rank, which is the one that knows.
///
/// # Errors
///
/// If the operation failed.
pub(super) fn message(
    ranks: &dyn Collective,
    rank: usize,
    mine: Option<&Error>,
) -> Result<Error, Error> {
    let mut bytes = [0; MESSAGE + 4];
    if let Some(error) = mine.filter(|_| ranks.rank() == rank) {
        let text = error.to_string();
        let mut len = text.len().min(MESSAGE);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        bytes[..2].copy_from_slice(&(len as u16).to_le_bytes());
        bytes[2] = u8::from(error.is_machine());
        bytes[3] = u8::from(error.is_fault());
        bytes[4..4 + len].copy_from_slice(&text.as_bytes()[..len]);
    }
    ranks.broadcast(rank, Values::U8(&mut bytes))?;
    let len = usize::from(u16::from_le_bytes([bytes[0], bytes[1]])).min(MESSAGE);
    Ok(Error::OnRank {
        rank,
        message: String::from_utf8_lossy(&bytes[4..4 + len]).into_owned(),
        machine: bytes[2] != 0,
        fault: bytes[3] != 0,
    })
}

/// FNV-1a: the same in every process.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
