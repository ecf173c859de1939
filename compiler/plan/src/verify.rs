//! The verifier between the stages: what [`ir`](crate::ir) says of a loop after lowering and after detection, asked of every loop
//! in every build. What it finds is a bug of this compiler, and is reported as one; but types that do not fit are most often the user's.

use crate::detect::Detected;
use crate::diag::{Code, Diagnostic, Errors};
use crate::ir::Violation;
use crate::parsed::lowered::Lowered;
use crate::source::SourceMap;

/// A lowered loop, if it is one. Nothing is asked of a loop that has been refused.
///
/// # Errors
///
/// The first invariant that is broken.
pub fn lowered<'a>(lowered: Lowered<'a>, sources: &SourceMap) -> Result<Lowered<'a>, Errors> {
    if lowered.errors.is_empty() {
        lowered.ir.verify().map_err(|v| internal(&v, sources))?;
    }
    Ok(lowered)
}

/// A detected loop, if it is one.
///
/// # Errors
///
/// The first invariant that is broken.
pub fn detected<'a>(detected: Detected<'a>, sources: &SourceMap) -> Result<Detected<'a>, Errors> {
    let ir = &detected.lowered.ir;
    for ir in detected.grid.iter().map(|grid| &grid.ir).chain([ir]) {
        ir.verify_detected(&detected.pattern)
            .map_err(|v| internal(&v, sources))?;
    }
    if let Some(Ok(winners)) = &detected.winners {
        winners
            .ir
            .verify_detected(&winners.pattern)
            .map_err(|v| internal(&v, sources))?;
    }
    if let Some(Ok(claims)) = &detected.claims {
        claims
            .ir
            .verify_detected(&claims.pattern)
            .map_err(|v| internal(&v, sources))?;
    }
    if let Some(Ok(pushes)) = &detected.pushes {
        pushes
            .ir
            .verify_detected(&pushes.pattern)
            .map_err(|v| internal(&v, sources))?;
    }
    if let Some(keeps) = &detected.keeps {
        keeps
            .ir
            .verify_detected(&keeps.pattern)
            .map_err(|v| internal(&v, sources))?;
    }
    Ok(detected)
}

fn internal(violation: &Violation, sources: &SourceMap) -> Errors {
    if violation.types && violation.stage == "lowering" {
        let what = format!("types do not fit here: {}", violation.what);
        let span = sources.get(violation.source).span;
        return Diagnostic::new(Code::PrimitiveName, span, what)
            .note("the attribute reads the names of primitive types as those types")
            .help("if rustc finds no such error, give what has the name of a primitive type another name; if there is nothing of that kind, please report this as a bug in accrue")
            .into();
    }
    Diagnostic::new(
        Code::Internal,
        sources.get(violation.source).span,
        violation.to_string(),
    )
    .into()
}
