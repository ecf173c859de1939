//! `--verify` finds a translation that behaves differently, and passes one that does not.

use std::path::Path;

use acc2rs::preprocess::Preprocessor;
use acc2rs::translate::{self, package};
use acc2rs::{codes, frontend, verify};

#[test]
fn verify_tells_the_difference() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/acc/private_clause.c");
    let files = [program];
    let folder = tempfile::tempdir().expect("a folder");
    let how = Preprocessor::default();
    let made = frontend::with_deep_stack(|| {
        let front = frontend::read(&files, &how);
        translate::translate(&front.program, &front.sources, &mut Vec::new())
    });
    let made = made.expect("it is translated");
    let accrue = Path::new(env!("CARGO_MANIFEST_DIR")).join("../accrue");
    let accrue = accrue.canonicalize().expect("the crate is there");
    package::write(folder.path(), "private-clause", &made, Some(&accrue)).expect("written");
    assert!(verify::verify(&files, &how, folder.path()).is_empty());
    let main = folder.path().join("src/main.rs");
    let text = std::fs::read_to_string(&main).expect("readable");
    let changed = text
        .replace("sum += a[i]", "sum -= a[i]")
        .replace("sum += a[i as usize]", "sum -= a[i as usize]");
    assert_ne!(text, changed);
    std::fs::write(&main, changed).expect("written");
    let found = verify::verify(&files, &how, folder.path());
    assert_eq!(
        found.iter().map(|d| d.code).collect::<Vec<_>>(),
        [codes::VERIFY_DIFFERS]
    );
    std::fs::write(&main, "fn main() { nonsense }").expect("written");
    let found = verify::verify(&files, &how, folder.path());
    assert_eq!(
        found.iter().map(|d| d.code).collect::<Vec<_>>(),
        [codes::VERIFY_BUILD]
    );
}
