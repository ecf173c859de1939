//! Asks the detector of `accrue-compiler` whether it accepts a function that was written.

use accrue_compiler::Offload;

/// Whether the attribute accepts the function; if not, why.
pub(super) fn accepts(function: &str) -> Result<(), String> {
    let without_marks: String = function
        .lines()
        .filter(|l| !l.trim_start().starts_with("__comment!"))
        .collect::<Vec<_>>()
        .join("\n");
    let item: syn::ItemFn = syn::parse_str(&without_marks).map_err(|e| e.to_string())?;
    let plain = syn::ItemFn {
        attrs: Vec::new(),
        ..item
    };
    let attribute = "histogram".parse().map_err(|e| format!("{e}"))?;
    let args = match accrue_compiler::args(attribute) {
        Ok(Offload::Loops(args)) => args,
        _ => return Err("the attribute is not understood".into()),
    };
    match accrue_compiler::analyze(&plain, &args) {
        Ok(_) => Ok(()),
        Err(errors) => Err(errors
            .iter()
            .next()
            .map_or("the detector does not accept it".into(), |d| {
                d.message.clone()
            })),
    }
}
