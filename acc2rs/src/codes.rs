//! The registry of diagnostics: every code once, with its severity, the effort of acting on it, and
//! one line of what it says. `docs/acc2rs-diagnostics.md` has a page for each; a test compares.

use crate::diag::{Effort, Severity};

/// A diagnostic's number, shown as `ACC2RS1001`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Code(pub u16);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ACC2RS{}", self.0)
    }
}

/// What is known about a code before it occurs.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The code.
    pub code: Code,
    /// How serious it is.
    pub severity: Severity,
    /// How much work it is to act on the help.
    pub effort: Effort,
    /// What it is about, as a heading.
    pub title: &'static str,
}

/// The codes of C that is correct and has no Rust: `acc2rs optimize`, which writes C, can pass it by.
pub const UNTRANSLATED: std::ops::RangeInclusive<u16> = 1203..=1213;

macro_rules! codes {
    ($($name:ident = $number:literal, $severity:ident, $effort:ident, $title:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($number);)*
        /// Every code, in order.
        pub const ALL: &[Info] = &[
            $(Info { code: $name, severity: Severity::$severity, effort: Effort::$effort, title: $title },)*
        ];
    };
}

codes! {
    NO_FILE = 1001, Error, Trivial, "a file cannot be read";
    PREPROCESSOR = 1002, Error, Small, "the C preprocessor failed";
    SYNTAX = 1003, Error, Medium, "not C that the parser knows";
    TOO_DEEP = 1004, Error, Medium, "nested too deeply";
    NO_COMPILER = 1005, Error, Trivial, "no C compiler to preprocess with";
    OUTPUT = 1006, Error, Trivial, "the output cannot be written";
    REDEFINED = 1007, Error, Small, "defined twice";
    UNKNOWN_DIRECTIVE = 1101, Error, Small, "not a directive of OpenACC 2.7";
    UNKNOWN_CLAUSE = 1102, Error, Small, "not a clause of this directive";
    CLAUSE_SYNTAX = 1103, Error, Small, "a clause is written wrongly";
    CLAUSE_EXPRESSION = 1104, Error, Small, "an expression in a clause is not C";
    MISPLACED_DIRECTIVE = 1105, Error, Small, "a directive stands before the wrong statement";
    UNKNOWN_NAME = 1106, Error, Small, "a clause names a variable that is not in scope";
    OTHER_PRAGMA = 1107, Warning, Trivial, "a pragma of another language is ignored";
    CLAUSE_REPEATED = 1108, Error, Trivial, "a clause that may stand once is repeated";
    ATOMIC_FORM = 1109, Error, Small, "not a statement that `atomic` allows";
    DEVICE_SELECTION = 1110, Note, Trivial, "device selection has no effect in the Rust";
    ASYNC = 1111, Note, Trivial, "asynchronous work runs in order in the Rust";
    UNDECLARED = 1201, Error, Small, "a name is not declared";
    TYPE_ERROR = 1202, Error, Small, "types do not fit";
    UNSUPPORTED_TYPE = 1203, Error, Medium, "a type that is not translated";
    UNSUPPORTED_EXPRESSION = 1204, Error, Medium, "an expression that is not translated";
    UNSUPPORTED_STATEMENT = 1205, Error, Medium, "a statement that is not translated";
    GOTO = 1206, Error, Medium, "`goto` is not translated";
    UNKNOWN_FUNCTION = 1207, Error, Medium, "a function without a definition is called";
    NOT_CONSTANT = 1208, Error, Small, "a constant expression is needed";
    UNION = 1209, Error, Medium, "unions are not translated";
    VARIADIC = 1210, Error, Medium, "variadic functions are not translated";
    FUNCTION_POINTER = 1211, Error, Medium, "pointers to functions are not translated";
    FILE_IO = 1212, Error, Medium, "what is done with a file is not translated";
    FORMAT = 1213, Error, Small, "a format string that is not translated";
    IMPLICIT_FUNCTION = 1214, Warning, Trivial, "a function is called without a declaration";
    LOST_POINTER = 1301, Error, Medium, "where a pointer points cannot be told";
    ALIASED = 1302, Error, Medium, "two pointers to the same data, one of them written through";
    POINTER_CAST = 1303, Error, Medium, "data read as another type";
    POINTER_ESCAPES = 1304, Error, Medium, "a pointer outlives what it points to";
    ALLOCATION_SIZE = 1305, Error, Small, "the size of an allocation is no whole number of elements";
    POINTER_COMPARE = 1306, Error, Small, "pointers into different data are compared";
    GLOBAL_BORROWED = 1307, Error, Medium, "a global is passed to a function that uses it";
    POINTER_ARITHMETIC = 1308, Error, Small, "pointer arithmetic that is not translated";
    UNION_OF_STORAGE = 1309, Error, Medium, "a pointer that owns its data at one time and borrows at another";
    ATOMIC_CAPTURE = 1401, Warning, Medium, "the captured value of an atomic is used";
    ATOMIC_ORDER = 1402, Warning, Small, "an operator that depends on the order of updates";
    BINS_READ = 1403, Warning, Medium, "bins are read in the loop that fills them";
    INJECTIVE = 1404, Note, Trivial, "an index that no two iterations share needs no atomic";
    COPYOUT_ACCUMULATOR = 1405, Warning, Trivial, "an accumulator in `copyout` starts uninitialised on the device";
    NARROW_COUNTER = 1406, Warning, Small, "a counter that the loop can overflow";
    NOT_OFFLOADED = 1407, Note, Small, "a loop stays in order";
    MISSING_ATOMIC = 1408, Warning, Trivial, "updates of shared bins without `atomic`";
    ATOMIC_RACE = 1409, Note, Small, "an atomic outside an offloaded loop becomes an ordinary statement";
    NOT_DUPLICATED = 1410, Note, Small, "bins are updated in place, without local copies";
    VERIFY_BUILD = 1501, Error, Medium, "a program does not build";
    VERIFY_DIFFERS = 1502, Error, Large, "the translation behaves differently";
    BUG = 1901, Error, Large, "a mistake of acc2rs";
}

/// What is known about a code.
pub fn info(code: Code) -> Info {
    let unknown = Info {
        code,
        severity: Severity::Error,
        effort: Effort::Medium,
        title: "unregistered",
    };
    ALL.iter()
        .find(|i| i.code == code)
        .copied()
        .unwrap_or(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_sorted() {
        assert!(ALL.windows(2).all(|w| w[0].code < w[1].code));
    }

    #[test]
    fn every_code_has_a_page() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/acc2rs-diagnostics.md");
        let pages = std::fs::read_to_string(path).expect("docs/acc2rs-diagnostics.md is there");
        for info in ALL {
            let heading = format!("## {}: {}\n", info.code, info.title);
            assert!(pages.contains(&heading), "no page {heading:?}");
        }
        let headings = pages.lines().filter(|l| l.starts_with("## ACC2RS")).count();
        assert_eq!(headings, ALL.len(), "a page for a code that does not exist");
    }
}
