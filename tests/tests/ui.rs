//! What the user sees: every refusal on its token.
//!
//! The text around our messages is rustc's, so `.stderr` files are compared with the toolchain that wrote them only, and with
//! the feature `sim`, with which rustc has more to say of expansions; the messages themselves are compared with any, in
//! `compiler/tests/loops/refused.txt`. `TRYBUILD=overwrite` rewrites the files.

/// The toolchain that wrote the `.stderr` files.
const PINNED: &str = "rustc 1.95.";

#[test]
fn ui() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = std::process::Command::new(rustc)
        .arg("--version")
        .output()
        .expect("rustc says its version");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    if version.starts_with(PINNED) && cfg!(feature = "sim") {
        // Without a program that must run, cargo checks and links nothing.
        trybuild::TestCases::new().compile_fail("ui/fail/*.rs");
    }
}
