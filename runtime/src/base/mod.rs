//! The ground: what every floor above knows, and what expansions ask rustc.

pub(crate) mod answer;
pub(crate) mod bin;
pub(crate) mod budget;
pub(crate) mod choice;
pub(crate) mod device;
pub(crate) mod device_type;
pub(crate) mod error;
pub(crate) mod fields;
pub(crate) mod flat;
pub(crate) mod kept;
pub(crate) mod laid;
pub(crate) mod layout;
pub(crate) mod lock;
pub(crate) mod methods;
pub(crate) mod names;
pub(crate) mod numbers;
pub(crate) mod plain;
pub(crate) mod progress;
pub(crate) mod reset;
pub(crate) mod rows;
pub(crate) mod same;
pub(crate) mod seen;
pub(crate) mod stats;
pub(crate) mod told;
pub(crate) mod trying;
pub(crate) mod values;
