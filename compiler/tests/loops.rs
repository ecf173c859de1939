//! Goldens of the front half: every `loops/NAME.rs` holds a function with its attribute, `loops/NAME.txt`
//! what is found in it: the explanation, then the IR. `BLESS=1` rewrites them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use accrue_compiler::{Offload, Outputs, args, device, expand, stages};
use proc_macro2::TokenStream;
use quote::ToTokens;

/// What the compiler makes of the functions of a file.
fn describe(text: &str) -> String {
    let file = syn::parse_file(text).expect("the file parses");
    let mut out = String::new();
    // What `uses(..)` would collect: the device functions and structs of the file.
    let collected = file
        .items
        .iter()
        .filter(|item| match item {
            syn::Item::Fn(f) => f
                .attrs
                .iter()
                .any(|a| a.to_token_stream().to_string().contains("device")),
            syn::Item::Struct(_) => true,
            _ => false,
        })
        .map(|item| quote::quote!({ #item }))
        .collect();
    let definitions = device::definitions(collected);
    for item in file.items {
        let syn::Item::Fn(mut function) = item else {
            continue;
        };
        let Some(attribute) = function
            .attrs
            .iter()
            .position(|a| a.path().is_ident("offload"))
        else {
            continue;
        };
        let attribute = function.attrs.remove(attribute);
        let tokens: TokenStream = attribute.parse_args().unwrap_or_default();
        let found = match args(tokens.clone()) {
            Ok(Offload::Loops(args)) => stages(function.clone(), &args, &definitions, None)
                .and_then(|compiled| {
                    if args.uses.is_empty() {
                        expand(tokens, function.to_token_stream(), Outputs::default())?;
                    }
                    Ok(compiled)
                }),
            Ok(Offload::Device(_)) => continue,
            Err(errors) => Err(errors),
        };
        match found {
            Ok(compiled) => {
                out.push_str(&compiled.explain());
                for plan in &compiled.analysis.loops {
                    writeln!(out, "{}", plan.ir.text(&plan.pattern)).unwrap();
                }
            }
            Err(errors) => writeln!(out, "{errors}").unwrap(),
        }
        out.push('\n');
    }
    out
}

#[test]
fn goldens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops");
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    for path in files
        .iter()
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
    {
        count += 1;
        let found = describe(&fs::read_to_string(path).unwrap());
        let golden = path.with_extension("txt");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&golden, &found).unwrap();
        } else if fs::read_to_string(&golden).unwrap_or_default() != found {
            wrong.push(format!("{}\n{found}", path.display()));
        }
    }
    assert!(count > 0, "no loops to look at");
    assert!(
        wrong.is_empty(),
        "run with BLESS=1 if these are right:\n{}",
        wrong.join("\n")
    );
}
