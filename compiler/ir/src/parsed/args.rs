//! The attribute's arguments: `#[offload(histogram, deterministic, strategy = "gang_shared", locals = 8)]`.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Ident, Item, LitBool, LitInt, LitStr, Path, Token, braced, parenthesized};

use crate::diag::{Code, Diagnostic, Errors};

/// What an attribute asks for.
#[derive(Clone, Default)]
pub struct Args {
    /// Whether it is `#[offload]`, for any loop whose iterations can run in parallel, and not `#[offload(histogram)]`, which asserts that
    /// loops fill bins.
    pub any: bool,
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
    /// `pure(key, my_macro)`: methods, functions and macros that only compute.
    pub pure: Vec<Ident>,
    /// `distinct(out, self.cells)`: arrays of which no two iterations use the same element, which each call checks.
    pub distinct: Vec<Expr>,
    /// `reassociate`: recurrences of floats may be regrouped, where that rounds otherwise.
    pub reassociate: bool,
    /// `contract`: a product may be rounded together with the sum that it goes into.
    pub contract: bool,
    /// `__only`: kernels of `strategy` alone. For the runtime's own probes, which never run another.
    pub only: bool,
    /// `module = false`: no companion, for functions in an `impl`.
    pub no_module: bool,
    /// `__types { .. }`: types beside the function, as its file declares them. The macro finds them; nobody writes it.
    pub types: Vec<Item>,
    /// `__siblings { impl .. }`: the methods beside the function that it calls. The macro finds them; nobody writes it.
    pub siblings: Option<Box<syn::ItemImpl>>,
    /// Only loops that are marked `#[sequential]` go in order for those inside them to be looked at. For tools that ask about one loop.
    pub as_marked: bool,
    /// Whether loops that are refused go in order where they are short and others of the function are taken; not where all can be taken in other words.
    pub short_in_order: bool,
}

/// A device that a loop must be able to run on.
#[derive(Clone, Debug)]
pub struct Require {
    /// Where it was asked for.
    pub span: Span,
}

/// What `#[offload(..)]` marks.
#[derive(Clone)]
pub enum Offload {
    /// `#[offload(histogram, ..)]`, or `#[offload(..)]` for loops of any kind.
    Loops(Args),
    /// `#[offload(device, uses(..))]`: a helper that offloaded loops may call.
    Device(Vec<Path>),
}

/// Parses the tokens between the attribute's parentheses.
///
/// # Errors
///
/// One for each argument that is unknown, given twice or of a wrong value.
pub fn parse(tokens: TokenStream) -> Result<Offload, Errors> {
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

/// What `crate = path` says, the name under which the user's crate has `accrue`.
pub fn crate_path(tokens: &TokenStream) -> Option<Path> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ',');
    tokens.split(is_comma).find_map(|argument| match argument {
        [TokenTree::Ident(name), TokenTree::Punct(is), path @ ..]
            if name == "crate" && is.as_char() == '=' =>
        {
            syn::parse2(path.iter().cloned().collect()).ok()
        }
        _ => None,
    })
}

fn offload(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Offload> {
    // What the function is comes first; without it the loops may be of any kind.
    let kind = input.fork().call(Ident::parse_any).ok();
    let device = kind.as_ref().is_some_and(|kind| kind == "device");
    let histogram = kind.is_some_and(|kind| kind == "histogram");
    if device || histogram {
        input.call(Ident::parse_any)?;
    }
    let mut args = Args {
        any: !device && !histogram,
        ..Args::default()
    };
    let mut seen: Vec<String> = Vec::new();
    let mut first = args.any;
    while !input.is_empty() {
        if !std::mem::take(&mut first) {
            input.parse::<Token![,]>()?;
        }
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
        if device && !matches!(text.as_str(), "uses" | "crate") {
            errors.push(
                Diagnostic::new(
                    Code::Argument,
                    name.span(),
                    format!("`{text}` is not an argument of `#[offload(device)]`"),
                )
                .help("a device function takes `uses(..)` and `crate = name` only; give the others to the loop's function"),
            );
        }
        argument(&name, &mut args, input, errors)?;
        seen.push(text);
    }
    Ok(if device {
        Offload::Device(args.uses)
    } else {
        Offload::Loops(args)
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
        "reassociate" => args.reassociate = true,
        "contract" => args.contract = true,
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
        // Read by `crate_path`, for all of the output.
        "crate" => drop(value::<Path>(input)?),
        "__only" => args.only = true,
        "__types" => {
            let items;
            braced!(items in input);
            while !items.is_empty() {
                args.types.push(items.parse()?);
            }
        }
        "__siblings" => {
            let block;
            braced!(block in input);
            args.siblings = Some(block.parse()?);
        }
        "module" => args.no_module = !value::<LitBool>(input)?.value,
        "uses" => {
            let list;
            parenthesized!(list in input);
            args.uses = Punctuated::<Path, Token![,]>::parse_terminated(&list)?
                .into_iter()
                .collect();
        }
        "distinct" => {
            let list;
            parenthesized!(list in input);
            let places = Punctuated::<Expr, Token![,]>::parse_terminated(&list)?;
            for place in places {
                match crate::syntax::names::key_of(&place) {
                    Some((_, false)) => args.distinct.push(place),
                    _ => errors.push(
                        Diagnostic::new(
                            Code::Argument,
                            place.span(),
                            "`distinct(..)` names arrays: a variable, or a field of one",
                        )
                        .help("write `distinct(out)` for `out[at[i]] = ..`, `distinct(self.cells)` for `self.cells[at[i]] = ..`"),
                    ),
                }
            }
            if !args.any {
                errors.push(
                    Diagnostic::new(
                        Code::Argument,
                        name.span(),
                        "`distinct(..)` is about elements that iterations write, and `histogram` says that they only update bins",
                    )
                    .help("drop `histogram`"),
                );
            }
        }
        "pure" => {
            let list;
            parenthesized!(list in input);
            args.pure = Punctuated::<Ident, Token![,]>::parse_terminated(&list)?
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
                    "`histogram` comes first, for loops that fill bins, or `device`, for a function that such loops call; the others are `distinct(..)`, `deterministic`, `reassociate`, `contract`, `strategy = \"..\"`, `locals = n`, `bundle = n`, \
                     `require = \"cuda\"`, `uses(..)`, `pure(..)`, `crate = name` and `module = false`",
                ),
            );
            // What belongs to the unknown name is skipped, so that the arguments after it are still judged.
            while !input.is_empty() && !input.peek(Token![,]) {
                input.parse::<TokenTree>()?;
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
