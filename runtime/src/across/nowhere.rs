//! In builds without GPUs: no bins stay on a device until they are combined.

use super::collective::{Collective, Op};
use super::part::Part;
use crate::base::error::Error;

/// None.
#[derive(Debug, Default)]
pub(super) struct There;

/// Nothing is.
#[derive(Debug)]
pub(super) enum Ready {}

impl There {
    /// Holds none.
    pub(super) fn hold(_: &mut [Part<'_>], _: &dyn Collective, _: bool) -> There {
        There
    }

    /// There are none.
    pub(super) fn ready(&self, _: &mut [Part<'_>]) -> Option<Vec<Option<Ready>>> {
        None
    }

    /// All are on the host.
    pub(super) fn come(&self, _: &mut [Part<'_>]) -> Result<(), Error> {
        Ok(())
    }
}

impl Ready {
    /// Cannot be asked.
    pub(super) fn combine(self, _: &mut Part<'_>, _: &dyn Collective, _: Op) -> Result<(), Error> {
        match self {}
    }
}
