//! A program: a random function, what the attribute makes of it, and how both are called.

use std::fmt::{self, Write as _};

use accrue_compiler::Outputs;
use proc_macro2::TokenStream;
use syn::{FnArg, ItemFn, Pat};

use super::forms;
use crate::choices::Choices;
use crate::data::params;
use crate::generate::{
    Nests, carried_program, grouped_program, kept_program, ordered_program, owned_program, program,
    searched_program, stepped_program,
};
use crate::rustc::{Judged, Verdict};

/// What a function's loop does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It fills bins.
    Bins,
    /// Its iterations write elements of their own.
    Own,
    /// It keeps the best item.
    Kept,
    /// It carries scalars along and fills arrays at cursors.
    Carried,
    /// It hands something on in order, appends, or writes at distinct indices.
    Ordered,
    /// It groups by keys, appends, and carries a number along by a recurrence.
    Grouped,
    /// It ends with the first iteration of a kind, or goes over what closures give.
    Searched,
    /// It writes elements by indices of many forms, perhaps nested, perhaps in steps.
    Nest,
    /// It goes in order, with loops inside.
    Steps,
    /// Two loops of the first four kinds, one behind the other.
    Pair,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 10] = [
        Kind::Bins,
        Kind::Own,
        Kind::Kept,
        Kind::Carried,
        Kind::Ordered,
        Kind::Grouped,
        Kind::Searched,
        Kind::Nest,
        Kind::Steps,
        Kind::Pair,
    ];

    /// Whether functions of the kind return a number.
    fn returns(self) -> bool {
        matches!(
            self,
            Kind::Ordered | Kind::Grouped | Kind::Searched | Kind::Steps
        )
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Bins => "bins",
            Kind::Own => "own elements",
            Kind::Kept => "best items",
            Kind::Carried => "carried",
            Kind::Ordered => "in order",
            Kind::Grouped => "groups",
            Kind::Searched => "searches",
            Kind::Nest => "nests",
            Kind::Steps => "steps",
            Kind::Pair => "pairs",
        })
    }
}

/// A random program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its number.
    pub number: usize,
    /// What its loop does.
    pub kind: Kind,
    /// The attribute's arguments.
    pub attribute: &'static str,
    /// The function, without the attribute.
    pub source: String,
    /// The same without marks within.
    plain: String,
    /// What the attribute makes of it, or the code and the message by which it is refused.
    pub expanded: Result<String, (String, String)>,
    /// The function as it was drawn, by whose parameters data are drawn.
    drawn: String,
    /// Scalars that are handed over and returned as values.
    values: Vec<String>,
    /// The struct whose fields the parameters are.
    fields: Option<String>,
    /// Whether the function is a method of it.
    is_method: bool,
}

impl Program {
    /// Draws a program.
    ///
    /// # Panics
    ///
    /// If what is drawn cannot be parsed.
    pub fn draw(seed: u64, number: usize) -> Program {
        let mut choices = Choices::seeded(seed.wrapping_mul(1_000_003).wrapping_add(number as u64));
        let kind = choices.pick(&Kind::ALL);
        let any = "";
        let (drawn, mut attribute) = match kind {
            Kind::Bins => {
                let attribute = choices.pick(&[
                    "histogram",
                    "histogram",
                    any,
                    "histogram, deterministic",
                    "deterministic",
                ]);
                (program("f", &mut choices).source, attribute)
            }
            Kind::Own => (owned_program("f", &mut choices).source, any),
            Kind::Kept => (kept_program("f", &mut choices).source, any),
            Kind::Carried => (carried_program("f", &mut choices).source, any),
            Kind::Ordered => {
                let source = ordered_program("f", &mut choices).source;
                match source.strip_prefix("#[offload(distinct(out))]") {
                    Some(rest) => (rest.to_owned(), "distinct(out)"),
                    None => (source.replace("#[offload]", ""), any),
                }
            }
            Kind::Grouped => {
                let source = grouped_program("f", &mut choices).source;
                (source.replace("#[offload]", ""), any)
            }
            Kind::Searched => (searched_program("f", &mut choices).source, any),
            Kind::Nest => {
                let mut nests = Nests::new(u64::from(choices.bits()) << 8 | 1);
                (nests.function(), any)
            }
            Kind::Steps => (stepped_program("f", &mut choices).source, any),
            Kind::Pair => {
                let mut one = || {
                    let draw = choices.pick(&[
                        program as fn(&str, &mut Choices) -> _,
                        owned_program,
                        kept_program,
                        carried_program,
                    ]);
                    draw("f", &mut choices).source
                };
                (forms::pair(&one(), &one()), any)
            }
        };
        let function: ItemFn = syn::parse_str(&drawn).expect("a function");
        let (mut values, mut fields, mut is_method) = (Vec::new(), None, false);
        let mut source = drawn.trim().to_owned();
        match choices.below(6) {
            0 | 1 if !kind.returns() && kind != Kind::Nest => {
                values = forms::scalars(&params(&function));
                source = forms::by_value(&source, &function, &values);
            }
            n @ (2 | 3) => {
                is_method = n == 3;
                let (text, holder) = forms::fields(&function, is_method);
                (source, fields) = (text, Some(holder));
                if attribute == "distinct(out)" {
                    attribute = match is_method {
                        true => "distinct(self.out)",
                        false => "distinct(held.out)",
                    };
                }
            }
            _ => {}
        }
        let plain = source
            .replace("#[sequential]", "")
            .replace("# [sequential]", "");
        let kernels = has_kernels(number) && !rounds(&source);
        let expanded = expand(attribute, &source, kernels);
        Program {
            number,
            kind,
            attribute,
            source,
            plain,
            expanded,
            drawn,
            values,
            fields,
            is_method,
        }
    }

    /// Whether the function says of itself how it has run.
    pub fn explains(&self) -> bool {
        !self.is_method
    }

    /// Whether only what is accepted is drawn so.
    pub fn is_accepted(&self) -> bool {
        matches!(self.kind, Kind::Bins | Kind::Ordered) && self.fields.is_none()
    }

    /// A function that calls a form.
    fn call(&self, form: &str) -> String {
        let function: ItemFn = syn::parse_str(&self.drawn).expect("a function");
        let (mut owns, mut lends, mut puts, mut returned) = Default::default();
        let text: [&mut String; 4] = [&mut owns, &mut lends, &mut puts, &mut returned];
        let [owns, lends, puts, returned] = text;
        for (arg, param) in function.sig.inputs.iter().zip(params(&function)) {
            let FnArg::Typed(arg) = arg else { continue };
            let Pat::Ident(name) = &*arg.pat else {
                continue;
            };
            let (name, ty) = (&name.ident, &arg.ty);
            let ty = format!("<{} as Argument<'_>>", quote::quote!(#ty));
            let _ = writeln!(owns, "let mut {name} = {ty}::own(&data.0[\"{name}\"]);");
            if self.values.contains(&param.name) {
                let _ = write!(lends, "{name}, ");
                let _ = writeln!(
                    returned,
                    "put(data, \"{name}\", {ty}::bytes(&returned.{}));",
                    returned.lines().count()
                );
                continue;
            }
            if let Some(fields) = &self.fields {
                if !fields.contains(&format!("pub {name}:")) {
                    continue;
                }
                let _ = write!(lends, "{name}: ");
            }
            let _ = write!(lends, "{ty}::lend(&mut {name}), ");
            if param.mutable {
                let _ = writeln!(puts, "put(data, \"{name}\", {ty}::bytes(&{name}));");
            }
        }
        let mut callee = format!("{form}::f({lends})");
        if self.fields.is_some() {
            let held = format!("{form}::Held {{ {lends} less: [] }}");
            callee = match self.is_method {
                true => format!("({held}).f()"),
                false => format!("{form}::f(&mut {held})"),
            };
        }
        if self.kind == Kind::Searched {
            returned.push_str("let returned = returned.unwrap_or(u64::MAX);\n");
        }
        if self.kind.returns() {
            returned.push_str("put(data, \"\", <u64 as Argument<'_>>::bytes(&returned));\n");
        }
        format!(
            "fn call_{form}(data: &mut Data) -> Result<(), String> {{\n{owns}\
             let result = expected(|| {callee});\n{puts}let returned = result?;\n{returned}Ok(())\n}}\n"
        )
    }
}

impl Judged for Program {
    const JUDGE: &'static str = "::accrue_tests::loops::judge::Judge";
    // As in `generate::CONSTANTS`.
    const PRELUDE: &'static str = "pub const WIDTH: usize = 12; pub const MASK: u32 = 15;";

    fn number(&self) -> usize {
        self.number
    }

    fn module(&self, plain: bool) -> String {
        let (number, kind) = (self.number, self.kind);
        let own = format!("pub(super) {}", self.plain);
        let expanded = match (&self.expanded, plain) {
            (Ok(text), false) => text,
            _ => &own,
        };
        let (explain, off) = match plain {
            false if !self.is_method => ("off::f::explain().to_string()", "off"),
            true => ("String::new()", "plain"),
            // A method has no companion that says anything.
            false => ("String::new()", "off"),
        };
        let fields = self.fields.as_deref().unwrap_or_default();
        let item = |text: &str| match self.is_method {
            true => format!("{fields}\nimpl Held<'_> {{\n{text}\n}}"),
            false => format!("{fields}\n{text}"),
        };
        let (own, expanded) = (item(&own), item(expanded));
        let steps = self.kind == Kind::Pair || self.is_method;
        format!(
            "pub mod p{number} {{\nuse ::accrue_tests::loops::glue::*;\n\
             mod plain {{\nuse super::*;\nuse super::super::*;\n{own}\n}}\n\
             mod off {{\nuse super::*;\nuse super::super::*;\n{expanded}\n}}\n\
             {call_plain}{call_off}\
             pub fn check(judge: &mut Judge) {{\n\
             judge.run(&Loop {{ number: {number}, kind: Kind::{kind:?}, steps: {steps}, drawn: {drawn:?}, plain: call_plain, \
             offloaded: call_{off}, explain: || {explain} }});\n}}\n}}\n",
            call_plain = self.call("plain"),
            call_off = self.call("off"),
            drawn = self.drawn,
        )
    }

    fn refused(&self, errors: &[String]) -> Verdict {
        let all = errors.join("\n");
        match all.find("accrue::H").map(|at| &all[at..]) {
            Some(code) if !code.starts_with("accrue::H099") => {
                Verdict::Refused(code.chars().take(12).collect(), all)
            }
            _ => Verdict::Broken(all),
        }
    }
}

/// Programs of a crate.
pub const BATCH: usize = 60;

/// Whether the crate of a program checks overflow: every other one does.
pub fn is_checked(number: usize) -> bool {
    (number / BATCH).is_multiple_of(2)
}

/// Whether a program gets kernels: every third, for they take long to print, and where overflow is checked, as they are printed here.
fn has_kernels(number: usize) -> bool {
    is_checked(number) && number.is_multiple_of(3)
}

/// Whether a program has functions whose last bits are others on a device.
fn rounds(source: &str) -> bool {
    let text: String = source.split_whitespace().collect();
    [".exp()", ".sin()"].iter().any(|f| text.contains(f))
}

/// Expands the attribute on a function: the text, or the code of the first refusal and all of them.
fn expand(attribute: &str, source: &str, gpu: bool) -> Result<String, (String, String)> {
    let tokens = |text: &str| text.parse::<TokenStream>().expect("tokens");
    let public = format!("pub(super) {source}");
    let outputs = Outputs {
        gpu,
        ..Outputs::default()
    };
    let expanded = accrue_compiler::expand(tokens(attribute), tokens(&public), outputs);
    expanded.map(|tokens| tokens.to_string()).map_err(|errors| {
        let first = errors.iter().next().map(|d| d.code.to_string());
        let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
        (first.unwrap_or_default(), all.join("\n"))
    })
}
