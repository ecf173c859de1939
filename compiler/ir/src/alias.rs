//! The names of the slices that stand for arrays of other crates in their loops, and how they are shown.
//!
//! `a[[y, x]]` of an `ndarray::Array2` is `__accrue_of_a[::accrue::__rt::flat::at2(y, x, __accrue_dim0_a, __accrue_dim1_a)]` of its elements
//! where they lie one behind the other, and the pixel `img[(x, y)]` of an `image::RgbImage` that of a slice of arrays. `sums[c].x` is `__accrue_field_sums__x[c]` of
//! an array of fields. Messages and explanations say what the user has written.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use syn::{Expr, ExprForLoop};

const SLICE: &str = "__accrue_of_";
const SIDES: [(&str, &str); 2] = [
    ("__accrue_height_", ".height()"),
    ("__accrue_width_", ".width()"),
];
const PIXEL: &str = "__accrue_pixel_";
const ROW: &str = "__accrue_row_";
const DIMENSION: &str = "__accrue_dim";
const FIELD: &str = "__accrue_field_";
const INDEX: &str = "__accrue_at";
const DOT: &str = "__";
const EXIT: &str = "__accrue_exit_";
const ITEMS: &str = "__accrue_items_";
/// Whether a loop is left, of one that does more than being left.
const CHECKED: &str = "checked";

/// The name of the slice that stands for an array.
pub fn slice(array: &str, at: Span) -> Ident {
    Ident::new(&format!("{SLICE}{array}"), Span::call_site().located_at(at))
}

/// The name of the length of one of its dimensions.
pub fn dimension(array: &str, n: usize, at: Span) -> Ident {
    let name = format!("{DIMENSION}{n}_{array}");
    Ident::new(&name, Span::call_site().located_at(at))
}

/// The name of the height of a picture, or of its width, as the picture says it.
pub fn side(picture: &str, n: usize, at: Span) -> Ident {
    let name = format!("{}{picture}", SIDES[n].0);
    Ident::new(&name, Span::call_site().located_at(at))
}

/// The name of the numbers of a pixel that a name is bound to.
pub fn pixel(name: &str, at: Span) -> Ident {
    Ident::new(&format!("{PIXEL}{name}"), Span::call_site().located_at(at))
}

/// The name of a row of an array.
pub fn row(array: &str, at: Span) -> Ident {
    Ident::new(&format!("{ROW}{array}"), Span::call_site().located_at(at))
}

/// The name of the array that stands for a field, by the words that lead there: an array's, and those of the field. None where it would not be clear what it
/// stands for.
pub fn field(words: &[String], at: Span) -> Option<Ident> {
    if words.iter().any(|word| word.contains(DOT)) {
        return None;
    }
    let name = format!("{FIELD}{}", words.join(DOT));
    Some(Ident::new(&name, Span::call_site().located_at(at)))
}

/// Whether a name is that of an array that stands for a field.
pub fn is_field(name: &str) -> bool {
    name.starts_with(FIELD)
}

/// The name of an index of an element that a name was bound to.
pub fn index(element: &str, n: usize, at: Span) -> Ident {
    let name = format!("{INDEX}{n}_{element}");
    Ident::new(&name, Span::call_site().located_at(at))
}

/// Whether a name is that of an index of an element.
pub fn is_index(name: &str) -> bool {
    name.starts_with(INDEX)
}

/// The name of what items are collected in before a loop.
pub fn items(n: usize, span: Span) -> Ident {
    Ident::new(&format!("{ITEMS}{n}"), Span::call_site().located_at(span))
}

/// The names of an item of an iterator that is consumed, and of what becomes of all of them.
pub fn consumed(span: Span) -> (Ident, Ident) {
    let name = |what| Ident::new(&format!("{EXIT}{what}"), Span::call_site().located_at(span));
    (name("item"), name("result"))
}

/// The name of an item of an iterator of so many calls, before a closure makes another of it.
pub fn nth_item(calls: usize, span: Span) -> Ident {
    let name = format!("{EXIT}item{calls}");
    Ident::new(&name, Span::call_site().located_at(span))
}

/// Whether a name is that of such an item.
pub fn is_item(name: &Ident) -> bool {
    let name = name.to_string();
    let calls = name
        .strip_prefix(EXIT)
        .and_then(|of| of.strip_prefix("item"));
    calls.is_some_and(|calls| calls.bytes().all(|b| b.is_ascii_digit()) && !calls.is_empty())
}

/// The names of the items that make a pair.
pub fn of_pair(span: Span) -> [Ident; 2] {
    ["first", "second"].map(|which| {
        let name = format!("{EXIT}{which}");
        Ident::new(&name, Span::call_site().located_at(span))
    })
}

/// The name of what a flag was before it is set.
pub fn was(span: Span) -> Ident {
    Ident::new(&format!("{EXIT}was"), Span::call_site().located_at(span))
}

/// The name of what a `?` gives.
pub fn question(n: usize, span: Span) -> Ident {
    Ident::new(&format!("{EXIT}question{n}"), span)
}

/// Whether a name is that of the item which the closure of a chain makes.
pub fn is_made(name: &Ident) -> bool {
    name.to_string().strip_prefix(EXIT) == Some("item")
}

/// The name of an item's position.
pub fn place(span: Span) -> Ident {
    Ident::new(&format!("{EXIT}place"), Span::call_site().located_at(span))
}

/// The names of what is found out of the way out of a loop: whether it is left, by which name depends on whether it does more; the position of the iteration that leaves
/// it, and of any; and labels.
pub struct Exit {
    /// Whether it is left.
    pub left: Ident,
    /// The position of the iteration that leaves it.
    pub at: Ident,
    /// The position of any iteration.
    pub nth: Ident,
    /// The label of the body that asks.
    pub asked: syn::Lifetime,
    /// The label of the loop that does the rest.
    pub run: syn::Lifetime,
}

/// Those of a function's loop of that number.
pub fn exit(n: usize, does_more: bool, span: Span) -> Exit {
    let name = |what: &str| format!("{EXIT}{what}{n}");
    let ident = |what| Ident::new(&name(what), Span::call_site().located_at(span));
    let label = |what| syn::Lifetime::new(&format!("'{}", name(what)), span);
    Exit {
        left: ident(if does_more { CHECKED } else { "left" }),
        at: ident("at"),
        nth: ident("nth"),
        asked: label("asked"),
        run: label("run"),
    }
}

/// The name of the copies of a field of all elements.
pub fn part(n: usize, span: Span) -> Ident {
    Ident::new(
        &format!("{EXIT}part{n}"),
        Span::call_site().located_at(span),
    )
}

/// The names of what iterations add to elements behind a loop.
pub struct Later {
    /// All of it.
    pub later: Ident,
    /// Where one thing goes.
    pub at: Ident,
    /// What it is.
    pub item: Ident,
}

/// Those of a function's loop of that number.
pub fn later(n: usize, span: Span) -> Later {
    named("", n, span)
}

/// Those of a loop's elements that keep the best.
pub fn settled(n: usize, span: Span) -> Later {
    named("best_", n, span)
}

fn named(of: &str, n: usize, span: Span) -> Later {
    let name = |what| {
        Ident::new(
            &format!("{EXIT}{of}{what}{n}"),
            Span::call_site().located_at(span),
        )
    };
    Later {
        later: name("later"),
        at: name("where"),
        item: name("added"),
    }
}

/// The name of what a count is where its loop is left.
pub fn stop(count: &str) -> String {
    format!("{EXIT}{count}_")
}

/// The name of the position beside a name that says whether a loop is left, of one that does more.
pub fn at_of_checked(left: &Ident) -> Option<Ident> {
    let name = left.to_string();
    let n = name.strip_prefix(EXIT)?.strip_prefix(CHECKED)?;
    Some(Ident::new(&format!("{EXIT}at{n}"), left.span()))
}

/// Whether a loop is none of the user's, but that over the elements of a row of a loop that was written as one.
pub fn is_inner(of: &ExprForLoop) -> bool {
    let mut row = &*of.expr;
    while let Expr::MethodCall(call) = row {
        row = &call.receiver;
    }
    let Expr::Path(path) = row else { return false };
    let name = path.path.get_ident();
    name.is_some_and(|name| name.to_string().starts_with(ROW))
}

/// What a name stands for: the array, and what it is asked for.
fn meaning(name: &str) -> Option<(&str, String)> {
    let whole = |prefix: &&str| Some((name.strip_prefix(*prefix)?, String::new()));
    let side =
        |(prefix, asked): &(&str, &str)| Some((name.strip_prefix(prefix)?, (*asked).to_owned()));
    let dimension = || {
        let (n, array) = name.strip_prefix(DIMENSION)?.split_once('_')?;
        Some((array, format!(".shape()[{n}]")))
    };
    let field = || {
        let (array, path) = name.strip_prefix(FIELD)?.split_once(DOT)?;
        Some((array, format!(".{}", path.replace(DOT, "."))))
    };
    let index = || {
        let (_, element) = name.strip_prefix(INDEX)?.split_once('_')?;
        Some((element, String::new()))
    };
    let whole = [SLICE, PIXEL, ROW].iter().find_map(whole);
    let exit = || {
        let what = name.strip_prefix(EXIT)?;
        Some((
            what.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_'),
            String::new(),
        ))
    };
    let items = || name.strip_prefix(ITEMS).map(|_| ("items", String::new()));
    whole
        .or_else(exit)
        .or_else(items)
        .or_else(|| SIDES.iter().find_map(side))
        .or_else(dimension)
        .or_else(field)
        .or_else(index)
}

/// Whether a name is one of these.
pub fn is_alias(name: &str) -> bool {
    meaning(name).is_some()
}

/// A name as the user has written it.
pub fn shown(name: &str) -> String {
    match meaning(name) {
        None => name.to_owned(),
        Some((array, asked)) => format!("{array}{asked}"),
    }
}

/// Tokens as the user has written them; `None` where they are.
pub fn written(tokens: &TokenStream) -> Option<TokenStream> {
    has_alias(tokens.clone()).then(|| restored(tokens.clone()))
}

fn has_alias(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => is_alias(&name.to_string()),
        TokenTree::Group(group) => has_alias(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn restored(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out: Vec<TokenTree> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some((position, length)) = position(&tokens[at..]) {
            out.push(position);
            at += length;
            continue;
        }
        match &tokens[at] {
            TokenTree::Ident(name) => match meaning(&name.to_string()) {
                None => out.push(tokens[at].clone()),
                Some((array, asked)) => {
                    out.push(Ident::new(array, name.span()).into());
                    out.extend(asked.parse::<TokenStream>().unwrap_or_default());
                }
            },
            TokenTree::Group(group) => {
                let mut shown = Group::new(group.delimiter(), restored(group.stream()));
                shown.set_span(group.span());
                out.push(shown.into());
            }
            other => out.push(other.clone()),
        }
        at += 1;
    }
    out.into_iter().collect()
}

/// `[y, x]`, or the `(x, y)` of a pixel, where tokens begin with the call that is printed for it, and how many tokens that takes.
fn position(tokens: &[TokenTree]) -> Option<(TokenTree, usize)> {
    const PATH: [&str; 3] = ["accrue", "__rt", "flat"];
    let is_colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    let word = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(word)) => Some(word.to_string()),
        _ => None,
    };
    for (n, part) in PATH.iter().enumerate() {
        if !(is_colon(3 * n) && is_colon(3 * n + 1) && word(3 * n + 2).as_deref() == Some(part)) {
            return None;
        }
    }
    let (rank, delimiter) = match word(11)?.as_str() {
        "at1" | "in1" | "of1" => (1, Delimiter::None),
        "of2" => (2, Delimiter::None),
        "at2" | "in2" => (2, Delimiter::Bracket),
        "at3" | "in3" => (3, Delimiter::Bracket),
        "pixel" | "pixel_in" => (2, Delimiter::Parenthesis),
        _ => return None,
    };
    let Some(TokenTree::Group(arguments)) = tokens.get(12) else {
        return None;
    };
    let mut indices: Vec<TokenStream> = vec![TokenStream::new()];
    for token in restored(arguments.stream()) {
        match &token {
            TokenTree::Punct(p) if p.as_char() == ',' => indices.push(TokenStream::new()),
            _ => indices.last_mut()?.extend([token]),
        }
    }
    let mut shown = TokenStream::new();
    for (n, index) in indices.into_iter().take(rank).enumerate() {
        if n > 0 {
            shown.extend([TokenTree::from(Punct::new(',', Spacing::Alone))]);
        }
        shown.extend(index);
    }
    Some((Group::new(delimiter, shown).into(), 13))
}
