//! What was asked of the CPU: `ACCRUE_STRATEGY=name[:key=value,..]`, the attribute's `strategy`, or a test.

use std::cell::RefCell;
use std::str::FromStr;
use std::sync::OnceLock;

use super::strategy::table::Strategy;
use super::strategy::template::Wishes;
use crate::base::error::Error;

/// A strategy that was asked for, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(super) strategy: Strategy,
    pub(super) wishes: Wishes,
}

impl Request {
    /// Whether the strategy writes updates down.
    pub(super) fn logs(&self) -> bool {
        self.strategy.template().logs(&self.wishes)
    }
}

impl FromStr for Request {
    type Err = String;

    fn from_str(text: &str) -> Result<Request, String> {
        let (name, keys) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        let strategy = Strategy::from_name(name).ok_or_else(|| {
            let names = Strategy::ALL.map(Strategy::name).join(", ");
            format!("`{name}` is not a strategy of the CPU, those are {names}")
        })?;
        let mut wishes = Wishes::default();
        let mut left = strategy.template().keys().to_vec();
        for pair in keys.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| format!("`{pair}` is not `key=value`"))?;
            let (key, value) = (key.trim(), value.trim());
            // Each of them once.
            let at = left.iter().position(|known| known.name() == key);
            let at = at.ok_or_else(|| format!("`{key}` is not a parameter of `{name}`"))?;
            let known = left.swap_remove(at);
            wishes
                .set(known, value)
                .ok_or_else(|| format!("`{key}={value}`: `{key}` is {}", known.expected()))?;
        }
        Ok(Request { strategy, wishes })
    }
}

/// Whether a text names a strategy that only a GPU has; the CPU chooses for itself then.
fn is_of_gpu(text: &str) -> bool {
    const OTHERS: [&str; 5] = ["grid", "contract", "reduce", "lookback", "steps"];
    let name = text.split(':').next().unwrap_or_default().trim();
    let of_bins = name.starts_with("gang_") || name.starts_with("atomic_");
    of_bins || OTHERS.contains(&name)
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
#[cfg(any(test, feature = "bench"))]
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

/// Whether the code around the call asks for something.
#[inline]
pub(super) fn is_scoped() -> bool {
    cfg!(any(test, feature = "bench")) && SCOPE.with_borrow(Option::is_some)
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
                instead: Strategy::ALL.map(|s| s.name().to_owned()).to_vec(),
            }),
        setting => setting.clone(),
    }
}

/// Whether a strategy is asked for, whatever the loop; a setting that names none counts as well, for whoever reads it to say so.
pub(super) fn is_asked() -> bool {
    !matches!(wanted(""), Ok(None))
}

#[cfg(test)]
mod tests {
    use super::super::strategy::template::{Lanes, Undo};
    use super::*;

    #[test]
    fn strategies_parse() {
        let parse = |text: &str| text.parse::<Request>();
        let request = |strategy, wishes| Ok(Request { strategy, wishes });
        let none = Wishes::default();
        assert_eq!(parse("sequential"), request(Strategy::Sequential, none));
        assert_eq!(
            parse("sequential:undo=journal"),
            request(
                Strategy::Sequential,
                Wishes {
                    undo: Some(Undo::Journal),
                    ..none
                }
            )
        );
        assert_eq!(
            parse("private: lanes=8, workers=3"),
            request(
                Strategy::Private,
                Wishes {
                    lanes: Some(Lanes::Always),
                    workers: Some(3),
                    ..none
                }
            )
        );
        assert_eq!(
            parse("partitioned:ranges=5"),
            request(
                Strategy::Partitioned,
                Wishes {
                    ranges: Some(5),
                    ..none
                }
            )
        );
    }

    #[test]
    fn what_is_tried_of_each_strategy_asks_for_it() {
        for strategy in Strategy::ALL {
            let trials = strategy.template().trials();
            assert!(!trials.is_empty());
            for text in trials {
                let request = text.parse::<Request>().expect(text);
                assert_eq!(request.strategy, strategy, "{text}");
                assert_ne!(request.wishes, Wishes::default(), "{text}");
            }
        }
    }

    #[test]
    fn what_means_nothing_is_said() {
        let why = |text: &str| text.parse::<Request>().unwrap_err();
        assert_eq!(
            why("privat"),
            "`privat` is not a strategy of the CPU, those are sequential, private, injective, partitioned, counted"
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
        assert_eq!(
            why("private:workers=1,workers=2"),
            "`workers` is not a parameter of `private`"
        );
        assert_eq!(why("private:lanes"), "`lanes` is not `key=value`");
        assert!(is_of_gpu("gang_shared:copies=2") && !is_of_gpu("private:lanes=8"));
    }

    #[test]
    fn scopes_nest() {
        with_strategy("private", || {
            with_strategy("sequential", || {
                let asked = wanted("private").expect("a strategy").expect("one");
                assert_eq!(asked.strategy, Strategy::Sequential);
            });
            let asked = wanted("").expect("a strategy").expect("one");
            assert_eq!(asked.strategy, Strategy::Private);
        });
    }
}
