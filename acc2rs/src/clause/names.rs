//! Which words are clauses, of which directive, and how often they may stand.

use super::DataAction;
use crate::directive::DirectiveKind;

/// A word that names a clause. Aliases are distinct words of the same meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Word {
    /// A clause with a list of variables.
    Data(DataAction),
    /// `self` means a condition on compute constructs and a list on `update`.
    SelfWord,
    /// `reduction`
    Reduction,
    /// `if`
    If,
    /// `async`
    Async,
    /// `wait`
    Wait,
    /// `num_gangs`
    NumGangs,
    /// `num_workers`
    NumWorkers,
    /// `vector_length`
    VectorLength,
    /// `gang`
    Gang,
    /// `worker`
    Worker,
    /// `vector`
    Vector,
    /// `seq`
    Seq,
    /// `auto`
    Auto,
    /// `independent`
    Independent,
    /// `collapse`
    Collapse,
    /// `tile`
    Tile,
    /// `device_type`, `dtype`
    DeviceType,
    /// `default`
    Default,
    /// `finalize`
    Finalize,
    /// `if_present`
    IfPresent,
    /// `nohost`
    NoHost,
    /// `bind`
    Bind,
    /// `device_num`
    DeviceNum,
    /// `default_async`
    DefaultAsync,
}

/// Every clause word with its spelling.
pub const WORDS: &[(&str, Word)] = &[
    ("copy", Word::Data(DataAction::Copy)),
    ("pcopy", Word::Data(DataAction::Copy)),
    ("present_or_copy", Word::Data(DataAction::Copy)),
    ("copyin", Word::Data(DataAction::CopyIn)),
    ("pcopyin", Word::Data(DataAction::CopyIn)),
    ("present_or_copyin", Word::Data(DataAction::CopyIn)),
    ("copyout", Word::Data(DataAction::CopyOut)),
    ("pcopyout", Word::Data(DataAction::CopyOut)),
    ("present_or_copyout", Word::Data(DataAction::CopyOut)),
    ("create", Word::Data(DataAction::Create)),
    ("pcreate", Word::Data(DataAction::Create)),
    ("present_or_create", Word::Data(DataAction::Create)),
    ("no_create", Word::Data(DataAction::NoCreate)),
    ("present", Word::Data(DataAction::Present)),
    ("deviceptr", Word::Data(DataAction::DevicePtr)),
    ("attach", Word::Data(DataAction::Attach)),
    ("detach", Word::Data(DataAction::Detach)),
    ("delete", Word::Data(DataAction::Delete)),
    ("device_resident", Word::Data(DataAction::DeviceResident)),
    ("link", Word::Data(DataAction::Link)),
    ("use_device", Word::Data(DataAction::UseDevice)),
    ("device", Word::Data(DataAction::UpdateDevice)),
    ("host", Word::Data(DataAction::UpdateSelf)),
    ("private", Word::Data(DataAction::Private)),
    ("firstprivate", Word::Data(DataAction::FirstPrivate)),
    ("self", Word::SelfWord),
    ("reduction", Word::Reduction),
    ("if", Word::If),
    ("async", Word::Async),
    ("wait", Word::Wait),
    ("num_gangs", Word::NumGangs),
    ("num_workers", Word::NumWorkers),
    ("vector_length", Word::VectorLength),
    ("gang", Word::Gang),
    ("worker", Word::Worker),
    ("vector", Word::Vector),
    ("seq", Word::Seq),
    ("auto", Word::Auto),
    ("independent", Word::Independent),
    ("collapse", Word::Collapse),
    ("tile", Word::Tile),
    ("device_type", Word::DeviceType),
    ("dtype", Word::DeviceType),
    ("default", Word::Default),
    ("finalize", Word::Finalize),
    ("if_present", Word::IfPresent),
    ("nohost", Word::NoHost),
    ("bind", Word::Bind),
    ("device_num", Word::DeviceNum),
    ("default_async", Word::DefaultAsync),
];

const COMPUTE: &str = "async wait num_gangs num_workers vector_length device_type if self reduction copy copyin copyout \
    create no_create present deviceptr attach private firstprivate default";
const LOOP: &str =
    "collapse gang worker vector seq auto tile device_type independent private reduction";

/// The canonical words that a directive takes.
fn allowed_words(kind: DirectiveKind) -> [&'static str; 2] {
    use DirectiveKind as D;
    match kind {
        D::Parallel | D::Serial | D::Kernels => [COMPUTE, ""],
        D::ParallelLoop | D::SerialLoop | D::KernelsLoop => [COMPUTE, LOOP],
        D::Loop => [LOOP, ""],
        D::Data => [
            "if copy copyin copyout create no_create present deviceptr attach default",
            "async wait",
        ],
        D::EnterData => ["if async wait copyin create attach", ""],
        D::ExitData => ["if async wait copyout delete detach finalize", ""],
        D::HostData => ["use_device if if_present", ""],
        D::Cache | D::Atomic(_) => ["", ""],
        D::Declare => [
            "copy copyin copyout create present deviceptr device_resident link",
            "",
        ],
        D::Init | D::Shutdown => ["device_type device_num if", ""],
        D::Set => ["default_async device_num device_type if", ""],
        D::Update => ["async wait device_type if if_present self host device", ""],
        D::Wait => ["async if", ""],
        D::Routine => ["gang worker vector seq bind device_type nohost", ""],
    }
}

/// The meaning of a clause word.
pub fn lookup(name: &str) -> Option<Word> {
    WORDS
        .iter()
        .find(|(text, _)| *text == name)
        .map(|(_, word)| *word)
}

/// Whether a directive takes a clause.
pub fn allows(kind: DirectiveKind, word: Word) -> bool {
    allowed(kind).iter().any(|name| lookup(name) == Some(word))
}

/// The clauses that a directive takes, for a help line.
pub fn allowed(kind: DirectiveKind) -> Vec<&'static str> {
    let mut out: Vec<_> = allowed_words(kind)
        .iter()
        .flat_map(|w| w.split_whitespace())
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// Whether the specification lets the clause stand once only (`device_type` starts over).
pub fn once(word: Word) -> bool {
    matches!(
        word,
        Word::If
            | Word::Default
            | Word::Collapse
            | Word::Tile
            | Word::Seq
            | Word::Auto
            | Word::Independent
            | Word::NumWorkers
            | Word::VectorLength
            | Word::NumGangs
            | Word::Finalize
            | Word::IfPresent
            | Word::NoHost
            | Word::DeviceNum
            | Word::DefaultAsync
            | Word::Bind
            | Word::Gang
            | Word::Worker
            | Word::Vector
            | Word::Async
    )
}

/// The nearest of `names` to a misspelt word, if one is near.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let far = (word.chars().count() / 3).max(1);
    names
        .into_iter()
        .map(|n| (distance(word, n), n))
        .filter(|(d, _)| *d <= far)
        .min()
        .map(|(_, n)| n)
}

fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings() {
        assert_eq!(nearest("copyn", WORDS.iter().map(|w| w.0)), Some("copy"));
        assert_eq!(
            nearest("vector_lenght", WORDS.iter().map(|w| w.0)),
            Some("vector_length")
        );
        assert_eq!(nearest("zzz", WORDS.iter().map(|w| w.0)), None);
    }

    #[test]
    fn every_allowed_word_is_known() {
        use DirectiveKind as D;
        for kind in [
            D::ParallelLoop,
            D::Data,
            D::EnterData,
            D::ExitData,
            D::HostData,
            D::Declare,
            D::Init,
            D::Set,
            D::Update,
            D::Wait,
            D::Routine,
        ] {
            assert!(
                allowed(kind).iter().all(|n| lookup(n).is_some()),
                "{kind:?}"
            );
        }
    }
}
