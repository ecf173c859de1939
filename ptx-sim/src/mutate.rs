//! Kernels with a mistake in them, for showing that tests notice.
//!
//! `PTX_SIM_MUTANT` puts a mistake into every module that it fits as the module is parsed; the text that ships is never
//! touched. It is `barriers`, which deletes every barrier of a block, or one [`Mutant`] as it prints itself:
//!
//! ```text
//! gang_shared drop 0 5f3a9c01 bar.sync 0;
//! ```
//!
//! A strategy, a rule, and where: the first instruction of that text, registers' and labels' numbers left out, whose two
//! instructions before and one behind have that fingerprint. So a mutant stands for a mistake of whoever prints the
//! strategy, and is in every kernel that is printed so.
//!
//! `none` is no mistake. With any of them launches end after fewer instructions, since many mistakes are endless loops.
//! With `PTX_SIM_MUTANT_LOG=FILE` each launch of a kernel with a mistake appends a line to the file: `reached` if a
//! thread came to the mistake, else `launched`, and the kernel's name. So does a module, with `loaded`.

use std::fmt;
use std::io::Write;
use std::str::FromStr;
use std::sync::OnceLock;

/// A kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A guarded instruction is executed always.
    Unguard,
    /// A guard is the other way round.
    Negate,
    /// A barrier or fence is gone.
    Drop,
    /// An atomic is a load, the operation and a store.
    Plain,
    /// A comparison includes its bound, or no longer does.
    Edge,
    /// A constant is one more.
    More,
    /// A constant is one less.
    Less,
    /// A load or store is half as wide, or a shift by one less.
    Halve,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 8] = [
        Rule::Unguard,
        Rule::Negate,
        Rule::Drop,
        Rule::Plain,
        Rule::Edge,
        Rule::More,
        Rule::Less,
        Rule::Halve,
    ];

    /// Its name in a list of mutants.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Unguard => "unguard",
            Rule::Negate => "negate",
            Rule::Drop => "drop",
            Rule::Plain => "plain",
            Rule::Edge => "edge",
            Rule::More => "more",
            Rule::Less => "less",
            Rule::Halve => "halve",
        }
    }

    /// What becomes of an instruction, if the rule is for it: nothing, or other instructions.
    pub fn apply(self, line: &str) -> Option<String> {
        let (guard, rest) = split_guard(line);
        let (opcode, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let operands = operands.trim().trim_end_matches(';').trim_end();
        let parts: Vec<&str> = opcode.trim_end_matches(';').split('.').collect();
        let again = |rest: String| Some(format!("{guard}{rest}"));
        match self {
            Rule::Unguard => (!guard.is_empty()).then(|| rest.to_owned()),
            Rule::Negate => match guard.strip_prefix("@!") {
                Some(pred) => Some(format!("@{pred}{rest}")),
                None => Some(format!("@!{}{rest}", guard.strip_prefix('@')?)),
            },
            Rule::Drop => {
                matches!(parts[0], "bar" | "barrier" | "membar" | "fence").then(String::new)
            }
            Rule::Plain => plain(guard, &parts, operands),
            Rule::Edge => {
                let swapped = match parts[..] {
                    ["setp", "ge", ..] => opcode.replacen(".ge", ".gt", 1),
                    ["setp", "gt", ..] => opcode.replacen(".gt", ".ge", 1),
                    ["setp", "le", ..] => opcode.replacen(".le", ".lt", 1),
                    ["setp", "lt", ..] => opcode.replacen(".lt", ".le", 1),
                    _ => return None,
                };
                again(format!("{swapped} {operands};"))
            }
            Rule::More | Rule::Less => {
                if !matches!(parts[0], "setp" | "add" | "sub" | "mov" | "min" | "max") {
                    return None;
                }
                // Whether it is a number of the program, not the bits of a float.
                let (head, last) = operands.rsplit_once(", ")?;
                let number: i64 = last.parse().ok()?;
                let by = if self == Rule::More { 1 } else { -1 };
                let unsigned = parts.last().is_some_and(|t| t.starts_with('u'));
                let number = number.checked_add(by)?;
                let negative = unsigned && number < 0;
                let wide = last.parse::<i64>().ok()? == i64::from(u32::MAX) && by > 0;
                (!negative && !wide).then(|| format!("{guard}{opcode} {head}, {number};"))
            }
            Rule::Halve => halve(guard, &parts, operands),
        }
    }
}

/// `@%p ` and the rest.
fn split_guard(line: &str) -> (&str, &str) {
    match line.split_once(' ') {
        Some((guard, rest)) if guard.starts_with('@') => {
            (&line[..guard.len() + 1], rest.trim_start())
        }
        _ => ("", line),
    }
}

fn plain(guard: &str, parts: &[&str], operands: &str) -> Option<String> {
    let (kind, ty) = (parts[0], *parts.last()?);
    if !matches!(kind, "red" | "atom") {
        return None;
    }
    let space = parts.iter().find(|p| matches!(**p, "shared" | "global"))?;
    let op = parts.iter().find(|p| {
        matches!(
            **p,
            "add" | "min" | "max" | "and" | "or" | "xor" | "exch" | "cas"
        )
    })?;
    let (result, operands) = match kind {
        "atom" => operands.split_once(", ")?,
        _ => ("%mutant_old", operands),
    };
    let close = operands.find(']')? + 1;
    let at = &operands[..close];
    let values = operands[close..].trim_start_matches(',').trim();
    let register = match ty {
        "f32" => ".f32",
        "f64" => ".f64",
        _ if ty.ends_with("64") => ".b64",
        _ => ".b32",
    };
    let bits = format!("b{}", &ty[1..]);
    let store = match *op {
        "exch" => format!("{guard}st.{space}.{ty} {at}, {values};"),
        "cas" => {
            let (expected, new) = values.split_once(", ")?;
            format!(
                "setp.eq.{bits} %mutant_same, %mutant_old, {expected}; \
                 selp.{bits} %mutant_new, {new}, %mutant_old, %mutant_same; \
                 {guard}st.{space}.{ty} {at}, %mutant_new;"
            )
        }
        _ => {
            let op = match (*op, ty) {
                ("add", "f32" | "f64") => format!("add.rn.{ty}"),
                ("add" | "min" | "max", _) => format!("{op}.{ty}"),
                _ => format!("{op}.{bits}"),
            };
            format!(
                "{op} %mutant_new, %mutant_old, {values}; {guard}st.{space}.{ty} {at}, %mutant_new;"
            )
        }
    };
    let keep = match kind {
        "atom" => format!(" {guard}mov.{bits} {result}, %mutant_old;"),
        _ => String::new(),
    };
    // The old value is something where the guard does not hold.
    let zero = match ty {
        "f32" => "0f00000000",
        "f64" => "0d0000000000000000",
        _ => "0",
    };
    let mov = if register.starts_with(".f") {
        ty
    } else {
        &bits
    };
    let keep = match register.starts_with(".f") {
        true => keep.replace(&format!("mov.{bits}"), &format!("mov.{ty}")),
        false => keep,
    };
    Some(format!(
        "{{ .reg {register} %mutant_old, %mutant_new; .reg .pred %mutant_same; mov.{mov} %mutant_old, {zero}; \
         {guard}ld.{space}.{ty} %mutant_old, {at}; {store}{keep} }}"
    ))
}

fn halve(guard: &str, parts: &[&str], operands: &str) -> Option<String> {
    let ty = *parts.last()?;
    match parts[0] {
        "ld" | "st"
            if !parts.contains(&"param") && !parts.iter().any(|p| *p == "v2" || *p == "v4") =>
        {
            let half = match ty {
                "u16" => "u8",
                "s16" => "s8",
                "b16" => "b8",
                "u32" => "u16",
                "s32" => "s16",
                "b32" => "b16",
                "u64" => "u32",
                "s64" => "s32",
                "b64" => "b32",
                _ => return None,
            };
            let opcode = parts[..parts.len() - 1].join(".");
            Some(format!("{guard}{opcode}.{half} {operands};"))
        }
        "shl" | "shr" => {
            let (head, last) = operands.rsplit_once(", ")?;
            let by: u32 = last.parse().ok().filter(|n| *n > 0)?;
            Some(format!("{guard}{} {head}, {};", parts.join("."), by - 1))
        }
        _ => None,
    }
}

/// One mistake, in the kernels of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mutant {
    /// What the names of the kernels end in.
    pub strategy: String,
    /// The kind of mistake.
    pub rule: Rule,
    /// How many instructions like it, in the same surroundings, come before.
    pub before: usize,
    /// Fingerprint of what is around it.
    pub around: u32,
    /// The instruction, without the numbers of registers and labels.
    pub line: String,
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mutant {
            strategy,
            rule,
            before,
            around,
            line,
        } = self;
        write!(f, "{strategy} {} {before} {around:08x} {line}", rule.name())
    }
}

impl FromStr for Mutant {
    type Err = String;

    fn from_str(text: &str) -> Result<Mutant, String> {
        let no = || format!("`{text}` is no mutant: STRATEGY RULE BEFORE AROUND INSTRUCTION");
        let mut words = text.splitn(5, ' ');
        let mut word = || words.next().ok_or_else(no);
        let strategy = word()?.to_owned();
        let rule = word()?;
        let rule = Rule::ALL.into_iter().find(|r| r.name() == rule);
        Ok(Mutant {
            strategy,
            rule: rule.ok_or_else(no)?,
            before: word()?.parse().map_err(|_| no())?,
            around: u32::from_str_radix(word()?, 16).map_err(|_| no())?,
            line: word()?.to_owned(),
        })
    }
}

/// An instruction of a module.
struct Site<'a> {
    /// Its line, from 0.
    line: usize,
    /// The kernel or function that it stands in.
    function: &'a str,
    text: &'a str,
    plain: String,
}

/// Every instruction of a module, in order.
fn sites(ptx: &str) -> Vec<Site<'_>> {
    let mut function = "";
    let mut all = Vec::new();
    for (line, text) in ptx.lines().enumerate() {
        let text = text.trim();
        if text.contains(".entry ") || text.contains(".func ") {
            let name = text.split('(').next().unwrap_or(text);
            function = name.split_whitespace().last().unwrap_or("");
            continue;
        }
        let starts = text.starts_with(|c: char| c.is_ascii_lowercase() || c == '@');
        if starts && text.ends_with(';') {
            let plain = without_numbers(&text.replace("\t", " ").replace("  ", " "));
            all.push(Site {
                line,
                function,
                text,
                plain,
            });
        }
    }
    all
}

/// The text without the numbers that tell registers, labels and parameters of one name apart.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) =
        rest.find(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '%' || c == '$')
    {
        out.push_str(&rest[..at]);
        let word = &rest[at..];
        let end = word
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '%' | '$' | '.')))
            .unwrap_or(word.len());
        let name = &word[..end];
        // Opcodes have their types' widths, and constants of hexadecimal digits are numbers.
        let keep = name.contains('.') && !name.starts_with(['%', '$']);
        match keep {
            true => out.push_str(name),
            false => out.push_str(name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_')),
        }
        rest = &word[end..];
    }
    out + rest
}

fn fingerprint(sites: &[Site<'_>], at: usize) -> u32 {
    let near = at.saturating_sub(2)..(at + 2).min(sites.len());
    let texts = sites[near].iter().flat_map(|s| s.plain.bytes().chain([0]));
    // FNV-1a (Fowler, Noll, Vo).
    texts.fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// What is called a strategy in mutants of what kernels share: merging, filling, maths.
pub const LIBRARY: &str = "library";

impl Site<'_> {
    /// Whether it is of a strategy, whose kernels have its name somewhere in theirs.
    fn is_of(&self, strategy: &str) -> bool {
        match self.function.starts_with("accrue_") {
            true => strategy == LIBRARY,
            false => self.function.contains(strategy),
        }
    }
}

/// Every mutant of a module by a rule.
pub fn mutants(ptx: &str, strategy: &str, rule: Rule) -> Vec<Mutant> {
    let sites = sites(ptx);
    let around: Vec<u32> = (0..sites.len()).map(|at| fingerprint(&sites, at)).collect();
    let fits = |at: &usize| {
        sites[*at].is_of(strategy)
            && rule
                .apply(sites[*at].text)
                .is_some_and(|new| new != sites[*at].text)
    };
    (0..sites.len())
        .filter(fits)
        .map(|at| {
            let same = |i: &usize| {
                sites[*i].is_of(strategy)
                    && around[*i] == around[at]
                    && sites[*i].plain == sites[at].plain
            };
            Mutant {
                strategy: strategy.to_owned(),
                rule,
                before: (0..at).filter(same).count(),
                around: around[at],
                line: sites[at].plain.clone(),
            }
        })
        .collect()
}

impl Mutant {
    /// Where it is in a module: the line, from 0.
    pub fn line_in(&self, ptx: &str) -> Option<usize> {
        let sites = sites(ptx);
        self.site(&sites).map(|at| sites[at].line)
    }

    fn site(&self, sites: &[Site<'_>]) -> Option<usize> {
        let fits = |at: &usize| {
            sites[*at].is_of(&self.strategy)
                && sites[*at].plain == self.line
                && fingerprint(sites, *at) == self.around
        };
        (0..sites.len()).filter(fits).nth(self.before)
    }
}

/// What is to be made of modules.
#[derive(Clone, Debug)]
enum Wanted {
    Nothing,
    Barriers,
    One(Mutant),
}

/// Thread-instructions of a launch when there are mistakes: several times what a test needs.
pub(super) const BUDGET: u64 = 1 << 27;

fn wanted() -> Option<&'static Wanted> {
    static WANTED: OnceLock<Option<Wanted>> = OnceLock::new();
    let wanted = WANTED.get_or_init(|| match std::env::var("PTX_SIM_MUTANT").ok()?.as_str() {
        "none" => Some(Wanted::Nothing),
        "barriers" => Some(Wanted::Barriers),
        text => match text.parse() {
            Ok(mutant) => Some(Wanted::One(mutant)),
            Err(e) => panic!("PTX_SIM_MUTANT: {e}"),
        },
    });
    wanted.as_ref()
}

/// Whether the environment asks for mistakes.
pub(super) fn is_on() -> bool {
    wanted().is_some()
}

/// A module's text with the mistake that the environment asks for, and the kernels and functions that it is in.
pub(super) fn mutated(ptx: &str) -> Option<(String, Vec<String>)> {
    let sites = sites(ptx);
    let changes: Vec<(&Site<'_>, String)> = match wanted()? {
        Wanted::Nothing => return None,
        Wanted::Barriers => {
            let of_a_block = |s: &&Site<'_>| {
                let (_, text) = split_guard(s.text);
                (text.starts_with("bar.") && !text.starts_with("bar.warp"))
                    || text.starts_with("barrier.")
            };
            // Those that count votes give a value.
            let silent = |s: &&Site<'_>| !s.text.contains(".red.");
            let gone = sites.iter().filter(of_a_block).filter(silent);
            gone.map(|s| (s, String::new())).collect()
        }
        Wanted::One(mutant) => {
            let site = mutant.site(&sites).map(|at| &sites[at]);
            let changed = site.and_then(|s| Some((s, mutant.rule.apply(s.text)?)));
            changed.into_iter().collect()
        }
    };
    if changes.is_empty() {
        return None;
    }
    let mut lines: Vec<String> = ptx.lines().map(str::to_owned).collect();
    for (site, new) in &changes {
        lines[site.line] = format!("pmevent 0; {new}");
    }
    note("loaded", changes[0].0.function);
    let functions = changes.iter().map(|(s, _)| s.function.to_owned()).collect();
    Some((lines.join("\n"), functions))
}

/// Notes that a kernel with a mistake was launched, and whether a thread came to it.
pub(super) fn launched(kernel: &str, reached: bool) {
    note(if reached { "reached" } else { "launched" }, kernel);
}

fn note(what: &str, kernel: &str) {
    let Some(path) = std::env::var_os("PTX_SIM_MUTANT_LOG") else {
        return;
    };
    let file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path);
    let written = file.and_then(|mut f| writeln!(f, "{what} {kernel}"));
    written.expect("PTX_SIM_MUTANT_LOG is a file to write to");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_changes_what_it_is_for() {
        let cases = [
            (Rule::Unguard, "@%p bra X;", Some("bra X;")),
            (Rule::Unguard, "bra X;", None),
            (Rule::Negate, "@%p bra X;", Some("@!%p bra X;")),
            (Rule::Negate, "@!%p bra X;", Some("@%p bra X;")),
            (Rule::Drop, "bar.sync 0;", Some("")),
            (Rule::Drop, "membar.gl;", Some("")),
            (Rule::Drop, "st.u32 [%a], 0;", None),
            (
                Rule::Edge,
                "setp.ge.u32 %p, %a, %b;",
                Some("setp.gt.u32 %p, %a, %b;"),
            ),
            (Rule::Edge, "setp.eq.u32 %p, %a, %b;", None),
            (Rule::More, "add.u32 %a, %a, 4;", Some("add.u32 %a, %a, 5;")),
            (
                Rule::Less,
                "setp.lt.u32 %a, %b, 1;",
                Some("setp.lt.u32 %a, %b, 0;"),
            ),
            (Rule::Less, "mov.u32 %a, 0;", None),
            (
                Rule::Halve,
                "ld.global.nc.u32 %a, [%b];",
                Some("ld.global.nc.u16 %a, [%b];"),
            ),
            (
                Rule::Halve,
                "shl.b32 %a, %b, 2;",
                Some("shl.b32 %a, %b, 1;"),
            ),
            (Rule::Halve, "ld.shared.v2.u32 {%a, %b}, [%c];", None),
        ];
        for (rule, line, expected) in cases {
            assert_eq!(rule.apply(line).as_deref(), expected, "{rule:?} {line}");
        }
    }

    #[test]
    fn a_mutant_is_what_it_prints() {
        let ptx = ".entry x_gang_hot(\n)\n{\nbar.sync 0;\nadd.u32 %r_2, %r_3, 1;\n}\n";
        let of = |rule| mutants(ptx, "gang_hot", rule);
        assert_eq!(
            (
                of(Rule::Drop).len(),
                of(Rule::Less).len(),
                of(Rule::Plain).len()
            ),
            (1, 1, 0)
        );
        let mutant = &of(Rule::Less)[0];
        assert_eq!(mutant.line, "add.u32 %r, %r, 1;");
        assert_eq!(mutant.to_string().parse().as_ref(), Ok(mutant));
        assert!("gang_hot drop bar.sync".parse::<Mutant>().is_err());
    }
}
