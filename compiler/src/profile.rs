//! The profile of the user's crate. A macro runs inside of rustc, whose arguments are those for the crate that
//! is being compiled; `cfg!(overflow_checks)` is not stable.

/// Whether the user's crate checks integer overflow, from rustc's command line.
pub(crate) fn overflow_checks(args: impl Iterator<Item = String>) -> bool {
    let mut optimised = false;
    let (mut assertions, mut overflow) = (None, None);
    let args: Vec<String> = args.collect();
    for (i, arg) in args.iter().enumerate() {
        let option = match arg
            .strip_prefix("-C")
            .or_else(|| arg.strip_prefix("--codegen="))
        {
            Some("") => args.get(i + 1).map(String::as_str),
            Some(option) => Some(option),
            None if arg == "--codegen" => args.get(i + 1).map(String::as_str),
            None if arg == "-O" => {
                optimised = true;
                None
            }
            None => None,
        };
        let Some(option) = option else { continue };
        let (name, value) = option.split_once('=').unwrap_or((option, "on"));
        match name {
            "opt-level" => optimised = value != "0",
            "debug-assertions" => assertions = Some(is_on(value)),
            "overflow-checks" => overflow = Some(is_on(value)),
            _ => {}
        }
    }
    overflow.or(assertions).unwrap_or(!optimised)
}

/// Whether rustc only checks the user's crate, as `cargo check` and clippy have it do: nothing of the crate is linked then, so
/// nobody reads what its kernels are.
pub(crate) fn only_checks(args: impl Iterator<Item = String>) -> bool {
    let args: Vec<String> = args.collect();
    let emitted = args
        .iter()
        .enumerate()
        .filter_map(|(i, arg)| match arg.strip_prefix("--emit") {
            Some("") => args.get(i + 1).map(String::as_str),
            Some(kinds) => kinds.strip_prefix('='),
            None => None,
        });
    let mut kinds = emitted.flat_map(|kinds| kinds.split(',')).peekable();
    let nothing_else =
        kinds.peek().is_some() && kinds.all(|k| matches!(k, "metadata" | "dep-info"));
    // Miri runs what was only checked.
    nothing_else && !args.iter().any(|arg| arg.ends_with("miri"))
}

fn is_on(value: &str) -> bool {
    !matches!(value, "off" | "no" | "n" | "false")
}

#[cfg(test)]
mod tests {
    use super::{only_checks, overflow_checks};

    fn checks(line: &str) -> bool {
        overflow_checks(line.split(' ').map(str::to_owned))
    }

    #[test]
    fn what_is_not_said_follows_from_the_rest() {
        assert!(checks("rustc --crate-name x"));
        assert!(!checks("rustc -C opt-level=3"));
        assert!(checks("rustc -C opt-level=1 -C debug-assertions=on"));
        assert!(checks("rustc -C opt-level=3 -Coverflow-checks"));
        assert!(!checks("rustc --codegen overflow-checks=no"));
        assert!(!checks(
            "rustc -C debug-assertions=on -C overflow-checks=off"
        ));
        assert!(!checks("rustc -O"));
    }

    #[test]
    fn a_build_that_only_checks_is_known() {
        let only = |args: &str| only_checks(args.split(' ').map(str::to_owned));
        assert!(only(
            "rustc --crate-name x --emit=dep-info,metadata -C opt-level=3"
        ));
        assert!(only("clippy-driver rustc --emit metadata src/lib.rs"));
        assert!(!only("rustc --emit=dep-info,metadata,link"));
        assert!(!only("rustc --emit=metadata --emit=link"));
        assert!(!only("rustc --emit=dep-info,obj"));
        assert!(!only("rustc --crate-type lib"));
        assert!(!only("rustdoc --crate-name x"));
        assert!(!only("miri --emit=dep-info,metadata --cfg=miri"));
    }
}
