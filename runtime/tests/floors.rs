//! Who imports whom in the runtime: no import goes up a floor, and no two files import each other, however long the way.
//!
//! The floors, from the ground: `base`, `device`, `cpu`, `across`, `gpu`, and the crate's root on top of them. The CPU's knows nothing of devices, which are there
//! without it.

#[path = "../../acc2rs/tests/floors/imports.rs"]
mod imports;

use std::path::Path;

use imports::{Imports, Room};

const RUNTIME: Room = Room {
    within: &[],
    floors: &[
        "base",
        "device",
        "cpu",
        "across",
        "gpu::load",
        "gpu::choose",
        "gpu::launch",
        "gpu",
    ],
    without: &["tests"],
};

fn runtime() -> Imports {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    RUNTIME.imports(&RUNTIME.read(&folder))
}

#[test]
fn no_import_goes_up_or_in_a_circle() {
    let imports = runtime();
    assert!(imports.len() > 80, "{} files", imports.len());
    // The test would be blind without these.
    assert!(imports["device::context"].contains("base::lock"));
    assert!(imports["gpu::call"].contains("gpu::choose::prepared"));
    assert!(imports[""].contains("cpu::run"));
    assert_eq!(RUNTIME.wrong(&imports), Vec::<String>::new());
}

#[test]
fn the_cpu_needs_no_device() {
    let imports = runtime();
    let cpu = imports.iter().filter(|(from, _)| from.starts_with("cpu"));
    for (from, named) in cpu {
        let device: Vec<_> = named.iter().filter(|to| to.starts_with("device")).collect();
        assert!(device.is_empty(), "`{from}` imports {device:?}");
    }
}

/// Names that emitters make of a stem and the number of dimensions, or of what is said of an array.
const COMPOSED: [&str; 5] = ["bins2", "bins3", "bins_array", "bins2_array", "bins3_array"];

/// `__rt` is what emitted code calls, and nothing else.
#[test]
fn what_is_exported_for_emitted_code_stands_in_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("src/lib.rs")).expect("the root");
    let start = text.find("pub mod __rt").expect("the module");
    let end = text.find("pub mod __bench").expect("the module behind it");
    let uses = text[start..end]
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join(" ");
    let mut emitters = String::new();
    for folder in ["ir/src", "parse/src", "plan/src", "src"] {
        read(&root.join("../compiler").join(folder), &mut emitters);
    }
    read(&root.join("../macros/src"), &mut emitters);
    let words: std::collections::HashSet<&str> = emitters
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect();
    let (mut count, mut idle) = (0, Vec::new());
    for item in uses.split("pub use ").skip(1) {
        let item = item.split(';').next().expect("a use");
        let (_, names) = item.rsplit_once("::").expect("a path");
        let names = item.split_once('{').map_or(names, |(_, names)| names);
        for name in names
            .split([',', '}'])
            .map(str::trim)
            .filter(|n| !n.is_empty())
        {
            count += 1;
            let known = words.contains(name) || COMPOSED.contains(&name);
            idle.extend((!known).then_some(name));
        }
    }
    assert!(idle.is_empty(), "no emitter names {idle:?}");
    assert!(count > 80, "{count} names");
}

/// The text of all files of a folder.
fn read(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        match path.is_dir() {
            true => read(&path, text),
            false => *text += &std::fs::read_to_string(&path).expect("text"),
        }
    }
}
