//! The attribute's arguments: `#[offload(histogram, deterministic, strategy = "gang_shared", locals = 8)]`.

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, LitBool, LitInt, LitStr, Path, Token, parenthesized};

use crate::diag::{Code, Diagnostic, Errors};

/// What an attribute asks for.
#[derive(Clone, Debug, Default)]
pub struct Args {
    /// Float sums in one order, whatever the number of threads.
    pub deterministic: bool,
    /// `strategy = "name[:key=value,..]"`.
    pub strategy: Option<LitStr>,
    /// `locals = l`: how many copies of the bins.
    pub locals: Option<u32>,
    /// `bundle = S`: how many threads share one copy.
    pub bundle: Option<u32>,
    /// `require = "cuda"`: it is an error if the loop cannot run there.
    pub require: Option<Require>,
    /// `uses(helper, Pixel)`: device functions and structs that the loops mention.
    pub uses: Vec<Path>,
    /// `module = false`: no companion module, for functions in an `impl`.
    pub no_module: bool,
}

/// A device that a loop must be able to run on.
#[derive(Clone, Debug)]
pub struct Require {
    /// Where it was asked for.
    pub span: Span,
}

/// What `#[offload(..)]` marks.
#[derive(Clone, Debug)]
pub enum Offload {
    /// `#[offload(histogram, ..)]`.
    Histogram(Args),
    /// `#[offload(device, uses(..))]`: a helper that offloaded loops may call.
    Device(Vec<Path>),
}

/// Parses the tokens between the attribute's parentheses.
///
/// # Errors
///
/// One for each argument that is unknown, given twice or of a wrong value.
pub fn parse(tokens: TokenStream) -> Result<Offload, Errors> {
    if tokens.is_empty() {
        return Err(Diagnostic::new(
            Code::Argument,
            Span::call_site(),
            "the attribute does not say what the function is",
        )
        .help("write `#[offload(histogram)]`")
        .into());
    }
    let mut errors = Errors::new();
    let offload = (|input: ParseStream<'_>| offload(input, &mut errors)).parse2(tokens);
    match offload {
        Ok(offload) => errors.finish().map(|()| offload),
        Err(e) => {
            errors.extend(e.into());
            Err(errors)
        }
    }
}

fn offload(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Offload> {
    let what = input.call(Ident::parse_any)?;
    let device = what == "device";
    if !device && what != "histogram" {
        errors.push(
            Diagnostic::new(
                Code::Argument,
                what.span(),
                format!("`{what}` is not a pattern that can be offloaded"),
            )
            .help("`histogram` for a loop that fills bins, `device` for a function that such a loop calls"),
        );
    }
    let mut args = Args::default();
    let mut seen: Vec<String> = Vec::new();
    while !input.is_empty() {
        input.parse::<Token![,]>()?;
        if input.is_empty() {
            break;
        }
        let name = input.call(Ident::parse_any)?;
        let text = name.to_string();
        if seen.contains(&text) {
            errors.push(Diagnostic::new(
                Code::Argument,
                name.span(),
                format!("`{text}` is given twice"),
            ));
        }
        if device && text != "uses" {
            errors.push(
                Diagnostic::new(
                    Code::Argument,
                    name.span(),
                    format!("`{text}` is not an argument of `#[offload(device)]`"),
                )
                .help("a device function takes `uses(..)` only; give the others to the loop's function"),
            );
        }
        argument(&name, &mut args, input, errors)?;
        seen.push(text);
    }
    Ok(if device {
        Offload::Device(args.uses)
    } else {
        Offload::Histogram(args)
    })
}

fn argument(
    name: &Ident,
    args: &mut Args,
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> syn::Result<()> {
    match name.to_string().as_str() {
        "deterministic" => args.deterministic = true,
        "strategy" => args.strategy = Some(value::<LitStr>(input)?),
        "locals" => args.locals = count(name, input, errors)?,
        "bundle" => args.bundle = count(name, input, errors)?,
        "require" => {
            let device = value::<LitStr>(input)?;
            if device.value() == "cuda" {
                args.require = Some(Require {
                    span: device.span(),
                });
            } else {
                errors.push(
                    Diagnostic::new(
                        Code::Argument,
                        device.span(),
                        format!("no device `{}` can be required", device.value()),
                    )
                    .help("write `require = \"cuda\"`"),
                );
            }
        }
        "module" => args.no_module = !value::<LitBool>(input)?.value,
        "uses" => {
            let list;
            parenthesized!(list in input);
            args.uses = Punctuated::<Path, Token![,]>::parse_terminated(&list)?
                .into_iter()
                .collect();
        }
        other => {
            errors.push(
                Diagnostic::new(
                    Code::Argument,
                    name.span(),
                    format!("`{other}` is not an argument of `#[offload]`"),
                )
                .help(
                    "the arguments are `deterministic`, `strategy = \"..\"`, `locals = n`, `bundle = n`, \
                     `require = \"cuda\"`, `uses(..)` and `module = false`",
                ),
            );
            // What belongs to the unknown name is skipped, so that the arguments after it are still judged.
            while !input.is_empty() && !input.peek(Token![,]) {
                input.parse::<proc_macro2::TokenTree>()?;
            }
        }
    }
    Ok(())
}

fn value<T: syn::parse::Parse>(input: ParseStream<'_>) -> syn::Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

fn count(name: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Option<u32>> {
    let literal = value::<LitInt>(input)?;
    let n = literal.base10_parse::<u32>()?;
    if n == 0 {
        errors.push(Diagnostic::new(
            Code::Argument,
            literal.span(),
            format!("`{name}` must be at least 1"),
        ));
    }
    Ok(Some(n))
}
