//! Every strategy with every operator and type of bin: what the ABI says of a module is what its text declares.
//!
//! With `ACCRUE_DUMP=DIR` the modules are written there, and `.ci/ptxas DIR` assembles them.

mod support;

use std::path::Path;

#[test]
fn every_strategy_declares_what_its_abi_says() {
    let modules: Vec<_> = support::matrix()
        .into_iter()
        .map(|(op, elem, at)| support::scatter(op, elem, at))
        .collect();
    assert!(modules.len() > 300, "{} modules", modules.len());
    for module in &modules {
        // Each parameter of the ABI is one of the entry, in the same order.
        let entry = module.abi.entry.as_ref();
        let text = module.text();
        let declared: Vec<&str> = text
            .lines()
            .skip_while(|line| !line.contains(&format!(".entry {entry}(")))
            .skip(1)
            .take_while(|line| *line != ")")
            .map(|line| {
                line.trim()
                    .trim_start_matches(".param .u64 ")
                    .trim_end_matches(',')
            })
            .collect();
        let expected: Vec<String> = module
            .abi
            .params
            .iter()
            .map(|p| format!("{entry}_{}", p.name))
            .collect();
        assert_eq!(declared, expected);
    }
    let Some(folder) = std::env::var_os("ACCRUE_DUMP").filter(|folder| !folder.is_empty()) else {
        return;
    };
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder).expect("ACCRUE_DUMP names a folder");
    for (number, module) in modules.iter().enumerate() {
        let file = folder.join(format!("{}.matrix{number}.ptx", module.abi.entry));
        std::fs::write(file, module.text().as_bytes()).expect("ACCRUE_DUMP is writable");
    }
}
