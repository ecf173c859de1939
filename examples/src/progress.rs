//! Progress bars, which show where somebody looks at a terminal and are silent elsewhere.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of so many steps; what it is about stands before it.
pub fn bar(what: &'static str, steps: u64) -> ProgressBar {
    let style = "{prefix:<11} [{bar:40}] {pos} of {len}, {eta} left  {msg}";
    let style =
        ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(steps)
        .with_prefix(what)
        .with_style(style.progress_chars("=> "))
}

/// A line for work of unknown length; what it is about stands before the number of steps.
pub fn counter(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix:<11} {spinner} {pos}  {msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    ProgressBar::new_spinner()
        .with_prefix(what)
        .with_style(style)
}
