//! What accrue's own benches and tests ask of the CPU's floor beside what emitted code calls.

pub use super::request::with_strategy;
use super::strategy::table::Strategy;

/// A row of the table of strategies.
#[derive(Clone, Copy, Debug)]
pub struct StrategyRow {
    /// Its name.
    pub name: &'static str,
    /// Where updates go.
    pub place: &'static str,
    /// What it is good for.
    pub good_for: &'static str,
    /// What tests run of it, for [`with_strategy`].
    pub trials: &'static [&'static str],
}

/// The strategies of the CPU.
pub fn strategies() -> impl Iterator<Item = StrategyRow> {
    Strategy::ALL.into_iter().map(|strategy| {
        let template = strategy.template();
        StrategyRow {
            name: template.name(),
            place: template.place(),
            good_for: template.good_for(),
            trials: template.trials(),
        }
    })
}

/// What tests run of all strategies, for [`with_strategy`].
pub fn trials() -> impl Iterator<Item = &'static str> {
    strategies().flat_map(|row| row.trials).copied()
}
