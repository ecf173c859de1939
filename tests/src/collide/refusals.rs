//! What rustc says of programs in which names collide: whether it is a refusal, and of which class.

use super::program::Program;
use crate::rustc::{Judged, Verdict};

impl Judged for Program {
    const JUDGE: &'static str = "::accrue_tests::collide::judge::Judge";

    fn number(&self) -> usize {
        self.number
    }

    fn module(&self, plain: bool) -> String {
        self.text(plain)
    }

    fn refused(&self, errors: &[String]) -> Verdict {
        classify(self, errors)
    }
}

/// Whether rustc's errors are a refusal, and of which class.
fn classify(program: &Program, errors: &[String]) -> Verdict {
    let all = errors.join("\n");
    for error in errors {
        if let Some(at) = error.find("accrue::H") {
            let code: String = error[at..].chars().take(12).collect();
            // That one says that the compiler is wrong.
            if code != "accrue::H099" {
                return Verdict::Refused(code, all);
            }
            return Verdict::Broken(all);
        }
    }
    let mut class = None;
    for error in errors {
        // What a macro that is not found would have emitted is missed elsewhere.
        if error.contains("`offloaded`")
            && !error.contains("is ambiguous")
            && !error.contains("resolution for the macro")
        {
            continue;
        }
        match RUSTC.iter().find(|(_, is)| is(program, error)) {
            Some((known, _)) => class = Some(*known),
            None => return Verdict::Broken(all),
        }
    }
    match class {
        Some(class) => Verdict::Refused(class.to_string(), all),
        None => Verdict::Broken(all),
    }
}

/// A question about one of rustc's messages.
type Is = fn(&Program, &str) -> bool;

/// Errors of rustc's own that the attribute cannot turn into one of ours: all that is taken for a refusal without a code.
const RUSTC: &[(&str, Is)] = &[
    // A device function or struct hides another one that a glob import brings. Beside each stand a macro and a type of its name, which the
    // attribute emits, and rustc lets no name that a macro emitted hide one from a glob import. A macro cannot see imports.
    (
        "E0659, a device item hides one from a glob import",
        |_, error| {
            error.starts_with("error[E0659]")
            && [
                "ambiguous because of multiple glob imports of a name in the same module",
                "ambiguous because of a conflict between a name from a glob import and a macro-expanded name in the same module",
                "ambiguous because of a conflict between a macro-expanded name and a less macro-expanded name from outer scope",
            ]
            .iter()
            .any(|why| error.contains(why))
            && (error.contains("could refer to the macro imported here")
                || error.contains("could refer to the enum imported here"))
        },
    ),
    // A macro of the program's own has the name of one of the standard library's, which kernels are printed for: rustc shows both.
    (
        "E0659, a macro named as one of the standard library's",
        |_, error| {
            let name = error
                .strip_prefix("error[E0659]: `")
                .and_then(|rest| rest.split('`').next());
            name.is_some_and(|name| super::macros::STANDARD.contains(&name))
        },
    ),
    // Several modules import each other's names in circles, and rustc finds no end to it where a macro is among them.
    (
        "a device item that rustc cannot find through the imports",
        |_, error| error.starts_with("error: cannot determine resolution for the macro"),
    ),
    // Two traits have a method for references that numbers have as well. For a value of unknown type rustc is asked which it is.
    ("E0034, a method of two traits", |_, error| {
        error.starts_with("error[E0034]")
            && error.matches("defined in an impl of the trait").count() == 2
    }),
    // A parameter in capitals, which a glob import in the function hides: a constant where the parts of the loop are handed it.
    ("E0005, a parameter in capitals", |program, error| {
        error.starts_with("error[E0005]")
            && ["N", "K", "MASK", "WIDTH"]
                .iter()
                .any(|name| program.source.contains(&format!(", {name}: u32")))
    }),
    // A name in capitals in a pattern is taken for a constant, whose value the kernel is given. Where there is none it binds, and only
    // rustc knows.
    ("E0425, a binding in capitals", |program, error| {
        let name = error
            .strip_prefix("error[E0425]: cannot find value `")
            .and_then(|rest| rest.split('`').next());
        name.is_some_and(|name| {
            name.starts_with(char::is_uppercase)
                && program.source.contains(&format!("{{ {name} => "))
        })
    }),
];
