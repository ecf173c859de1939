//! Asks the detector of `accrue-compiler` whether it accepts a function that was written.

use proc_macro2::TokenStream;

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
    let attribute: TokenStream = "histogram".parse().map_err(|e| format!("{e}"))?;
    let out =
        accrue_compiler::compile(attribute, quote::ToTokens::into_token_stream(plain)).to_string();
    // An error comes out as a call of `compile_error!` with the message in it.
    match out.find("compile_error !").or(out.find("compile_error!")) {
        None => Ok(()),
        Some(at) => {
            let message = out[at..]
                .split('"')
                .nth(1)
                .unwrap_or("the detector does not accept it");
            Err(message.lines().next().unwrap_or(message).to_string())
        }
    }
}
