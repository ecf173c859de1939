//! What was asked of the CPU: `ACCRUE_STRATEGY=name[:key=value,..]`, the attribute's `strategy`, or a test.

use std::cell::RefCell;
use std::str::FromStr;
use std::sync::OnceLock;

use super::private::Lanes;
use crate::Error;

/// The strategies of the CPU.
pub(super) const NAMES: [&str; 4] = ["sequential", "private", "partitioned", "injective"];

/// A strategy that was asked for, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// `sequential[:undo=count|rehearsal|snapshot|journal]`.
    Sequential(Option<Undo>),
    /// `private[:lanes=1|8,workers=n,parts=n]`.
    Private {
        /// Whether lanes are used.
        lanes: Lanes,
        /// How many workers there are.
        workers: Option<usize>,
        /// How many parts they take.
        parts: Option<usize>,
    },
    /// `partitioned[:workers=n,ranges=n]`.
    Partitioned {
        /// How many workers there are.
        workers: Option<usize>,
        /// How many ranges the bins are split into.
        ranges: Option<usize>,
    },
    /// `injective[:workers=n]`.
    Injective {
        /// How many workers there are.
        workers: Option<usize>,
    },
}

/// How the sequential loop is undone when it panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undo {
    /// Updates are counted, and that many are taken back by running the body again.
    Count,
    /// Nothing has to be undone: the body has run without its updates before, and did not panic.
    Rehearsal,
    /// The bins are copied before.
    Snapshot,
    /// What each bin held is written down.
    Journal,
}

impl Request {
    /// Whether the strategy writes updates down.
    pub(super) fn logs(&self) -> bool {
        match self {
            Request::Sequential(undo) => *undo == Some(Undo::Journal),
            Request::Partitioned { .. } => true,
            Request::Private { .. } | Request::Injective { .. } => false,
        }
    }
}

impl FromStr for Request {
    type Err = String;

    fn from_str(text: &str) -> Result<Request, String> {
        let (name, keys) = text.split_once(':').unwrap_or((text, ""));
        let mut pairs = Vec::new();
        for pair in keys.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| format!("`{pair}` is not `key=value`"))?;
            pairs.push((key.trim(), value.trim()));
        }
        let mut keys = Keys(pairs);
        let request = match name.trim() {
            "sequential" => Request::Sequential(keys.take(
                "undo",
                "count, rehearsal, snapshot or journal",
                |v| match v {
                    "count" => Some(Undo::Count),
                    "rehearsal" => Some(Undo::Rehearsal),
                    "snapshot" => Some(Undo::Snapshot),
                    "journal" => Some(Undo::Journal),
                    _ => None,
                },
            )?),
            "private" => Request::Private {
                lanes: keys
                    .take("lanes", "1 or 8", |v| match v {
                        "1" => Some(Lanes::Never),
                        "8" => Some(Lanes::Always),
                        _ => None,
                    })?
                    .unwrap_or(Lanes::Probe),
                workers: keys.number("workers")?,
                parts: keys.number("parts")?,
            },
            "partitioned" => Request::Partitioned {
                workers: keys.number("workers")?,
                ranges: keys.number("ranges")?,
            },
            "injective" => Request::Injective {
                workers: keys.number("workers")?,
            },
            other => {
                return Err(format!(
                    "`{other}` is not a strategy of the CPU, those are {}",
                    NAMES.join(", ")
                ));
            }
        };
        match keys.0.first() {
            None => Ok(request),
            Some((key, _)) => Err(format!("`{key}` is not a parameter of `{name}`")),
        }
    }
}

/// Parameters that have not been read yet.
struct Keys<'a>(Vec<(&'a str, &'a str)>);

impl Keys<'_> {
    fn take<T>(
        &mut self,
        key: &str,
        expected: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let Some(at) = self.0.iter().position(|(k, _)| *k == key) else {
            return Ok(None);
        };
        let (_, value) = self.0.remove(at);
        match read(value) {
            Some(value) => Ok(Some(value)),
            None => Err(format!("`{key}={value}`: `{key}` is {expected}")),
        }
    }

    fn number(&mut self, key: &str) -> Result<Option<usize>, String> {
        self.take(key, "a number from 1", |v| {
            v.parse().ok().filter(|n| *n > 0)
        })
    }
}

/// Whether a text names a strategy that only a GPU has; the CPU chooses for itself then.
fn is_of_gpu(text: &str) -> bool {
    text.starts_with("gang_") || text.starts_with("atomic_")
}

thread_local! {
    static SCOPE: RefCell<Option<Request>> = const { RefCell::new(None) };
}

/// Runs `f` with this thread's offloaded loops on the CPU by one strategy, as `ACCRUE_STRATEGY` would have
/// them. For tests.
///
/// # Panics
///
/// If the text is not a strategy of the CPU.
pub fn with_strategy<R>(text: &str, f: impl FnOnce() -> R) -> R {
    struct Restore(Option<Request>);
    impl Drop for Restore {
        fn drop(&mut self) {
            SCOPE.set(self.0.take());
        }
    }
    let request = text.parse().unwrap_or_else(|why: String| panic!("{why}"));
    let _restore = Restore(SCOPE.replace(Some(request)));
    f()
}

/// What is asked for: by the code around the call, the environment, or the attribute.
///
/// # Errors
///
/// [`Error::BadSetting`] where the environment names no strategy, [`Error::StrategyNotApplicable`] where the
/// attribute does not.
pub(super) fn wanted(attribute: &'static str) -> Result<Option<Request>, Error> {
    static SETTING: OnceLock<Result<Option<Request>, Error>> = OnceLock::new();
    let scope = SCOPE.with_borrow(Clone::clone);
    if scope.is_some() {
        return Ok(scope);
    }
    let setting = SETTING.get_or_init(|| {
        let value = std::env::var_os("ACCRUE_STRATEGY").unwrap_or_default();
        let text = value.to_string_lossy();
        if text.is_empty() || is_of_gpu(&text) {
            return Ok(None);
        }
        text.parse()
            .map(Some)
            .map_err(|expected| Error::BadSetting {
                variable: "ACCRUE_STRATEGY",
                value: text.to_string(),
                expected,
            })
    });
    match setting {
        Ok(None) if attribute.is_empty() || is_of_gpu(attribute) => Ok(None),
        Ok(None) => attribute
            .parse()
            .map(Some)
            .map_err(|reason| Error::StrategyNotApplicable {
                strategy: attribute.to_owned(),
                reason,
                instead: NAMES.iter().map(|n| (*n).to_owned()).collect(),
            }),
        setting => setting.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_parse() {
        let parse = |text: &str| text.parse::<Request>();
        assert_eq!(parse("sequential"), Ok(Request::Sequential(None)));
        assert_eq!(
            parse("sequential:undo=journal"),
            Ok(Request::Sequential(Some(Undo::Journal)))
        );
        assert_eq!(
            parse("private: lanes=8, workers=3"),
            Ok(Request::Private {
                lanes: Lanes::Always,
                workers: Some(3),
                parts: None
            })
        );
        assert_eq!(
            parse("partitioned:ranges=5"),
            Ok(Request::Partitioned {
                workers: None,
                ranges: Some(5)
            })
        );
    }

    #[test]
    fn what_means_nothing_is_said() {
        let why = |text: &str| text.parse::<Request>().unwrap_err();
        assert_eq!(
            why("privat"),
            "`privat` is not a strategy of the CPU, those are sequential, private, partitioned, injective"
        );
        assert_eq!(why("private:lanes=3"), "`lanes=3`: `lanes` is 1 or 8");
        assert_eq!(
            why("private:workers=0"),
            "`workers=0`: `workers` is a number from 1"
        );
        assert_eq!(
            why("private:depth=1"),
            "`depth` is not a parameter of `private`"
        );
        assert_eq!(why("private:lanes"), "`lanes` is not `key=value`");
        assert!(is_of_gpu("gang_shared:copies=2") && !is_of_gpu("private:lanes=8"));
    }

    #[test]
    fn scopes_nest() {
        with_strategy("private", || {
            with_strategy("sequential", || {
                assert_eq!(wanted("private"), Ok(Some(Request::Sequential(None))));
            });
            assert!(matches!(wanted(""), Ok(Some(Request::Private { .. }))));
        });
    }
}
