//! Who imports whom in `src/translate/`: no import goes up a floor, and no two files import each other, however long the way.
//!
//! The floors, from the ground: `base`, `rewrite`, `memory`, `emit`, and the driver on top of them. A folder's `mod.rs` lists
//! its files and is imported by nobody.

#[path = "floors/imports.rs"]
mod imports;

use std::path::Path;

use imports::Room;

/// What translations carry with them, in `runtime`, is no part of acc2rs.
const TRANSLATION: Room = Room {
    within: &["translate"],
    floors: &["base", "rewrite", "memory", "emit"],
    without: &["runtime"],
};

#[test]
fn no_import_of_the_translation_goes_up_or_in_a_circle() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/translate");
    let imports = TRANSLATION.imports(&TRANSLATION.read(&folder));
    assert!(imports.len() > 60, "{} files", imports.len());
    // The test would be blind without these.
    assert!(imports["memory::shapes"].contains("base::flows"));
    assert!(imports["emit::args"].contains("rewrite::in_place"));
    assert_eq!(TRANSLATION.wrong(&imports), Vec::<String>::new());
}

#[test]
fn an_import_upwards_and_a_circle_are_found() {
    let text = |files: &[(&str, &str)]| {
        let files = files.iter().map(|(module, text)| {
            let module = module.split("::").map(String::from).collect();
            (module, text.parse().expect("Rust"))
        });
        TRANSLATION.wrong(&TRANSLATION.imports(&files.collect()))
    };
    let up = text(&[
        ("base::a", "fn f() { crate::translate::emit::b::g() }"),
        ("emit::b", ""),
    ]);
    assert_eq!(up, ["`base::a` imports `emit::b`, which is above it"]);
    let circle = text(&[
        ("emit::a", "use super::{b::{self, g}, c::h};"),
        ("emit::b", "fn g() { vec![super::c::h()]; }"),
        ("emit::c", "use crate::translate::emit::a;"),
        ("emit::d", "use super::a; mod tests { use super::*; }"),
    ]);
    assert_eq!(circle, ["a circle: emit::a, emit::b, emit::c"]);
    let tests = text(&[
        (
            "base::a",
            "#[cfg(all(test, unix))] mod tests { use crate::translate::emit::b; }",
        ),
        (
            "base::c",
            "#[cfg(test)] use super::super::emit::b; fn f() {}",
        ),
        ("emit::b", ""),
    ]);
    assert!(tests.is_empty(), "{tests:?}");
}
