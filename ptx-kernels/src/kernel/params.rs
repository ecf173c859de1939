//! The parameters of a kernel, in their order, and their names.

use crate::abi::{Param, ParamKind};
use crate::queues::Part;
use crate::strategy::Target;

/// The name of a parameter that has no user's name in it.
///
/// # Panics
///
/// If the parameter has one.
pub fn common_name(kind: ParamKind) -> &'static str {
    match kind {
        ParamKind::Begin => "begin",
        ParamKind::End => "end",
        ParamKind::Windows => "windows",
        ParamKind::Ranges => "ranges",
        ParamKind::RangeBits => "range_bits",
        ParamKind::Gangs => "splitters",
        ParamKind::Chunks => "chunks",
        ParamKind::Queue(part) => Part::ALL[part as usize].name(),
        ParamKind::States => "states",
        ParamKind::Merge => "merge",
        ParamKind::Ticket => "ticket",
        ParamKind::Error => "error",
        _ => unreachable!("a parameter with a user's name: {kind:?}"),
    }
}

/// The parameters of a kernel: those that every kernel has, `own` of the loop, and those of the targets.
pub fn params(own: Vec<Param>, targets: &[Target]) -> Vec<Param> {
    let common = |kind| Param {
        name: common_name(kind).into(),
        kind,
    };
    let mut params = vec![common(ParamKind::Begin), common(ParamKind::End)];
    params.extend(own);
    for target in targets {
        let t = target.number;
        let mut kinds = vec![
            ParamKind::Bins(t),
            ParamKind::BinsLength(t),
            ParamKind::BinsTotal(t),
            ParamKind::Scratch(t),
            ParamKind::Copies(t),
        ];
        kinds.extend(target.template().params(t));
        params.extend(kinds.into_iter().map(|kind| Param {
            name: target.param(kind).into(),
            kind,
        }));
    }
    if targets.iter().any(|t| t.template().is_windowed()) {
        params.push(common(ParamKind::Windows));
    }
    for target in targets {
        for param in target.template().module_params().into_iter().map(common) {
            if !params.contains(&param) {
                params.push(param);
            }
        }
    }
    params.extend([
        common(ParamKind::Merge),
        common(ParamKind::Ticket),
        common(ParamKind::Error),
    ]);
    params
}
