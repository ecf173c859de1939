//! Every PTX text that ships parses in the simulator.

mod support;

use ptx_sim::Module;
use std::path::Path;

#[test]
fn every_strategy_parses() {
    for (op, elem, at) in support::matrix() {
        let module = support::scatter(op, elem, at);
        let parsed =
            Module::parse(&module.text()).unwrap_or_else(|e| panic!("{e}\n{}", module.text()));
        assert!(parsed.kernels().any(|k| k == module.abi.entry));
    }
}

#[test]
fn the_device_library_parses() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx");
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "ptx") {
            let text = std::fs::read_to_string(&path).unwrap();
            Module::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            files += 1;
        }
    }
    assert!(files > 0);
}
