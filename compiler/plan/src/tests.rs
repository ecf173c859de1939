//! The way of a loop from its text to its plan, for tests beside the code.

use accrue_parse::parse;
use syn::ItemFn;

use crate::parsed::args::{self, Offload};
use crate::plan::{LoopPlan, plan};
use crate::source::SourceMap;
use crate::syntax::definitions::Definitions;
use crate::{detect, verify};

/// The plan of a function's first loop, as it is written.
pub(crate) fn planned(attribute: &str, function: &ItemFn) -> LoopPlan {
    let attribute = attribute.parse().expect("tokens");
    let Ok(Offload::Loops(args)) = args::parse(attribute) else {
        panic!("the attribute is accepted")
    };
    let (marked, in_order) = Default::default();
    let parsed = parse::function::parse(function, &marked, &in_order, args.any);
    let (mut sources, definitions) = (SourceMap::default(), Definitions::default());
    let lowered = parse::nest::lower(&parsed.candidates[0], &args, &definitions, &mut sources);
    let detected = verify::lowered(lowered, &sources)
        .and_then(|lowered| detect::detect(lowered, &sources))
        .and_then(|detected| verify::detected(detected, &sources));
    plan(
        detected.unwrap_or_else(|errors| panic!("{errors}")),
        &args,
        &sources,
    )
}
