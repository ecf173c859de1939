//! The user's body, once for each kind of table.

use super::drive::{Drive, WholeDrive};
use super::journal::Journaling;
use super::level::{Level, V3, V4};
use super::leveled::Leveled;
use super::member::Kind;
use super::rehearsal::Rehearsal;

/// The copies of the user's body that a loop has.
pub(super) enum Copies<'k, K: Kind> {
    /// For tables.
    Tabled(&'k dyn Kernels<K>),
    /// For the bins of a part, in injective loops.
    Owned(&'k dyn OwnedKernels<K>),
}

impl<K: Kind> Clone for Copies<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Kind> Copy for Copies<'_, K> {}

impl<'k, K: Kind> Copies<'k, K> {
    /// The one that logs.
    pub(super) fn log(&self) -> &'k dyn LogKernel<K> {
        match *self {
            Copies::Tabled(kernels) => kernels,
            Copies::Owned(kernels) => kernels,
        }
    }
}

/// The copies of the user's body that every loop has.
pub(super) trait LogKernel<K: Kind>: Sync {
    /// Logs updates.
    fn log(&self, drive: Drive<K::Log<'_>>);
    /// Checks indices, where the loop's [`Site`](super::site::Site) says that it can.
    fn check(&self, rehearsal: Rehearsal<K::Check<'_>>);
    /// Updates the members themselves and writes old values down, where the site says that it can.
    fn journal(&self, journaling: Journaling<K::Journaled<'_>>);
}

/// The copies of the user's body that a run chooses from, as closures that drive a part of the iteration
/// space. Each copy updates through one kind of view, so that its inner loop has no choice left to make.
pub(super) trait Kernels<K: Kind>: LogKernel<K> {
    /// Updates private tables.
    fn plain(&self, drive: WholeDrive<K::Plain<'_>>);
    /// Updates private tables with lanes.
    fn striped(&self, drive: WholeDrive<K::Striped<'_>>);
}

/// The closures that emitted code passes.
pub(super) struct Closures<P, V, W, S, L, C, J> {
    pub(super) plain: P,
    /// The same for newer processors, where there are such copies.
    pub(super) newer: Option<(V, W)>,
    pub(super) striped: S,
    pub(super) log: L,
    pub(super) check: C,
    pub(super) journal: J,
}

impl<K, P, V, W, S, L, C, J> Kernels<K> for Closures<P, V, W, S, L, C, J>
where
    K: Kind,
    P: for<'t> Fn(WholeDrive<K::Plain<'t>>) + Sync,
    V: for<'t> Fn(Leveled<K::Plain<'t>, V3>) + Sync,
    W: for<'t> Fn(Leveled<K::Plain<'t>, V4>) + Sync,
    S: for<'t> Fn(WholeDrive<K::Striped<'t>>) + Sync,
    L: for<'t> Fn(Drive<K::Log<'t>>) + Sync,
    C: for<'t> Fn(Rehearsal<K::Check<'t>>) + Sync,
    J: for<'t> Fn(Journaling<K::Journaled<'t>>) + Sync,
{
    fn plain(&self, drive: WholeDrive<K::Plain<'_>>) {
        let Some((v3, v4)) = &self.newer else {
            return (self.plain)(drive);
        };
        // A crate that is built for x86-64-v3 has tables that do not know it.
        match (Level::here(), V3::of_processor()) {
            (Level::V4(level), _) => v4(Leveled::new(drive, level)),
            (_, Some(level)) => v3(Leveled::new(drive, level)),
            _ => (self.plain)(drive),
        }
    }

    fn striped(&self, drive: WholeDrive<K::Striped<'_>>) {
        (self.striped)(drive);
    }
}

impl<K, P: Sync, V: Sync, W: Sync, S: Sync, L, C, J> LogKernel<K> for Closures<P, V, W, S, L, C, J>
where
    K: Kind,
    L: for<'t> Fn(Drive<K::Log<'t>>) + Sync,
    C: for<'t> Fn(Rehearsal<K::Check<'t>>) + Sync,
    J: for<'t> Fn(Journaling<K::Journaled<'t>>) + Sync,
{
    fn log(&self, drive: Drive<K::Log<'_>>) {
        (self.log)(drive);
    }

    fn check(&self, rehearsal: Rehearsal<K::Check<'_>>) {
        (self.check)(rehearsal);
    }

    fn journal(&self, journaling: Journaling<K::Journaled<'_>>) {
        (self.journal)(journaling);
    }
}

/// The copies of the body of an injective loop.
pub(super) trait OwnedKernels<K: Kind>: LogKernel<K> {
    /// Updates the bins themselves.
    fn owned(&self, drive: Drive<K::Owned<'_>>);
}

/// The closures that emitted code passes for an injective loop.
pub(super) struct OwnedClosures<O, L, C, J> {
    pub(super) owned: O,
    pub(super) log: L,
    pub(super) check: C,
    pub(super) journal: J,
}

impl<K, O, L, C, J> OwnedKernels<K> for OwnedClosures<O, L, C, J>
where
    K: Kind,
    O: for<'t> Fn(Drive<K::Owned<'t>>) + Sync,
    L: for<'t> Fn(Drive<K::Log<'t>>) + Sync,
    C: for<'t> Fn(Rehearsal<K::Check<'t>>) + Sync,
    J: for<'t> Fn(Journaling<K::Journaled<'t>>) + Sync,
{
    fn owned(&self, drive: Drive<K::Owned<'_>>) {
        (self.owned)(drive);
    }
}

impl<K, O: Sync, L, C, J> LogKernel<K> for OwnedClosures<O, L, C, J>
where
    K: Kind,
    L: for<'t> Fn(Drive<K::Log<'t>>) + Sync,
    C: for<'t> Fn(Rehearsal<K::Check<'t>>) + Sync,
    J: for<'t> Fn(Journaling<K::Journaled<'t>>) + Sync,
{
    fn log(&self, drive: Drive<K::Log<'_>>) {
        (self.log)(drive);
    }

    fn check(&self, rehearsal: Rehearsal<K::Check<'_>>) {
        (self.check)(rehearsal);
    }

    fn journal(&self, journaling: Journaling<K::Journaled<'_>>) {
        (self.journal)(journaling);
    }
}
