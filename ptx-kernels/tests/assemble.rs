//! `ptxas` on every strategy with every operator and type of bin.
//!
//! `ACCRUE_PTXAS` names the assembler and `ACCRUE_PTXAS_TARGETS` the devices (`sm_75 sm_90`). Without the first,
//! what is looked at is only that the text is well-formed as far as one can tell without an assembler.

mod support;

use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn every_strategy_is_assembled() {
    let modules: Vec<_> = support::matrix()
        .into_iter()
        .map(|(op, elem, at)| support::scatter(op, elem, at))
        .collect();
    assert!(modules.len() > 300, "{} modules", modules.len());
    for module in &modules {
        // Each parameter of the ABI is one of the entry, in the same order.
        let entry = module.abi.entry.as_ref();
        let declared: Vec<&str> = module
            .ptx
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
    let Some(ptxas) = std::env::var_os("ACCRUE_PTXAS") else {
        return;
    };
    let targets = std::env::var("ACCRUE_PTXAS_TARGETS").unwrap_or_else(|_| "sm_90".into());
    for target in targets.split_whitespace() {
        for module in &modules {
            let mut child = Command::new(&ptxas)
                .args(["-arch", target, "-v", "-o", "/dev/null", "/dev/stdin"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("ACCRUE_PTXAS runs");
            let mut stdin = child.stdin.take().expect("stdin is a pipe");
            stdin.write_all(module.ptx.as_bytes()).expect("ptxas reads");
            drop(stdin);
            let output = child.wait_with_output().expect("ptxas ends");
            let log =
                String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{target}: {log}\n{}", module.ptx);
            assert!(!log.contains("warning"), "{target}: {log}\n{}", module.ptx);
            assert!(
                !log.contains("bytes stack frame") || log.contains("0 bytes stack frame"),
                "{target}: {log}"
            );
        }
    }
}
