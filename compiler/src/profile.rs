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

fn is_on(value: &str) -> bool {
    !matches!(value, "off" | "no" | "n" | "false")
}

#[cfg(test)]
mod tests {
    use super::overflow_checks;

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
}
