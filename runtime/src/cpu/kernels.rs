//! The user's body, once for each kind of table.

use super::drive::Drive;
use super::member::Kind;

/// The three copies of the user's body that a run chooses from, as closures that drive a part of the iteration
/// space. Each copy updates through one kind of view, so that its inner loop has no choice left to make.
pub(super) trait Kernels<K: Kind>: Sync {
    /// Updates private tables.
    fn plain(&self, drive: Drive<K::Plain<'_>>);
    /// Updates private tables with lanes.
    fn striped(&self, drive: Drive<K::Striped<'_>>);
    /// Logs updates.
    fn log(&self, drive: Drive<K::Log<'_>>);
}

/// The closures that emitted code passes.
pub(super) struct Closures<P, S, L> {
    pub(super) plain: P,
    pub(super) striped: S,
    pub(super) log: L,
}

impl<K, P, S, L> Kernels<K> for Closures<P, S, L>
where
    K: Kind,
    P: for<'t> Fn(Drive<K::Plain<'t>>) + Sync,
    S: for<'t> Fn(Drive<K::Striped<'t>>) + Sync,
    L: for<'t> Fn(Drive<K::Log<'t>>) + Sync,
{
    fn plain(&self, drive: Drive<K::Plain<'_>>) {
        (self.plain)(drive);
    }

    fn striped(&self, drive: Drive<K::Striped<'_>>) {
        (self.striped)(drive);
    }

    fn log(&self, drive: Drive<K::Log<'_>>) {
        (self.log)(drive);
    }
}
