//! Loops that carry scalars along and fill arrays at cursors.

use std::fmt::Write as _;

use super::Program;
use crate::choices::Choices;

const TYPES: [&str; 10] = [
    "u32", "u64", "i32", "usize", "u8", "i16", "i64", "u16", "f32", "f64",
];

/// Draws a function that carries scalars along or fills arrays at cursors.
pub fn carried_program(name: &str, choices: &mut Choices) -> Program {
    let item = choices.pick(&TYPES[..]);
    let mut params = vec![format!("a0: &[{item}]")];
    let (mut before, mut body) = (String::new(), String::new());
    let x = format!("(a0[i] as {})", choices.pick(&["u32", "i64", "u64"]));
    let condition = |choices: &mut Choices| match choices.below(3) {
        0 => format!("{x} % 3 == 1"),
        1 => format!("{x} & 4 != 0 || i % 7 == 2"),
        _ => "i % 2 == 0".to_owned(),
    };
    if choices.chance(1, 6) {
        let _ = writeln!(body, "if {} {{ continue; }}", condition(choices));
    }
    let mut table = "";
    if choices.chance(1, 5) {
        params.push("t0: &[u32; 16]".to_owned());
        // Now and then out of range, in the terms.
        let most = choices.pick(&["16", "16", "16", "17"]);
        let _ = writeln!(body, "let looked = t0[{x} as u32 as usize % {most}];");
        table = " + looked % 3";
    }
    let mut carried = Vec::new();
    let mut updates = Vec::new();
    for n in 0..choices.pick(&[0, 1, 1, 1, 2, 3]) {
        let ty = choices.pick(&TYPES[..]);
        let float = ty.starts_with('f');
        // What sums of floats begin with are sixteenths.
        let scalar = match float {
            true => format!("r{n}_add"),
            false => format!("r{n}"),
        };
        params.push(format!("{scalar}: &mut {ty}"));
        // Sums of floats are exact: small whole numbers.
        let value = match float {
            true => format!("(({x} as u32 % 4{table}) as {ty})"),
            false => format!(
                "({x} as {ty} ^ (i as {ty}{}))",
                table
                    .replace("looked", "looked as {ty}")
                    .replace("{ty}", ty)
            ),
        };
        let ops: &[&str] = match ty.as_bytes()[0] {
            b'f' => &["+=", "min", "max", "-="],
            b'u' => &[
                "wrapping_add",
                "wrapping_sub",
                "wrapping_mul",
                "^=",
                "|=",
                "&=",
                "min",
                "max",
                "saturating_add",
            ],
            _ => &[
                "wrapping_add",
                "wrapping_sub",
                "wrapping_mul",
                "^=",
                "|=",
                "&=",
                "min",
                "max",
            ],
        };
        let op = choices.pick(ops);
        let update = match op.strip_suffix('=') {
            Some(_) => format!("*{scalar} {op} {value};"),
            None => format!("*{scalar} = (*{scalar}).{op}({value});"),
        };
        let update = match choices.below(4) {
            0 => format!("if {} {{ {update} }}", condition(choices)),
            1 => format!("for k in 0..{x} as usize % 3 {{ if k != 1 {{ {update} }} }}"),
            _ => update,
        };
        carried.push((format!("*{scalar}"), ty));
        updates.push(update);
    }
    let cursors = match carried.is_empty() {
        true => 1 + choices.below(2),
        false => choices.below(2),
    };
    let mut fills = Vec::new();
    for n in 0..cursors {
        let ty = choices.pick(&TYPES[..]);
        let kind = choices.pick(&["usize", "usize", "u32", "i32"]);
        params.push(format!("g{n}_own: &mut [{ty}]"));
        let _ = writeln!(before, "let mut n{n}: {kind} = 0;");
        let at = match kind {
            "usize" => format!("n{n}"),
            _ => format!("n{n} as usize"),
        };
        let value = format!("(a0[i] as {ty})");
        let once = format!("g{n}_own[{at}] = {value}; n{n} += 1;");
        let condition = condition(choices);
        fills.push(match choices.below(5) {
            0 => once,
            1 => format!("if {condition} {{ g{n}_own[{at}] = {value}; g{n}_own[{at} + 1] = i as {ty}; n{n} += 2; }}"),
            2 => format!("if {condition} {{ {once} }} else if i % 5 == 0 {{ {once} }}"),
            3 => format!("for _ in 0..{x} as usize % 3 {{ {once} }}"),
            _ => format!("if {condition} {{ {once} }}"),
        });
        carried.push((format!("n{n}"), kind));
    }
    let mut own = Vec::new();
    for n in 0..choices.below(3) {
        let ty = choices.pick(&TYPES[..]);
        let form = choices.pick(&["[i]", "[i]", "[i]", "[2 * i + 1]"]);
        let prefix = if form == "[i]" { "e" } else { "g" };
        let array = format!("{prefix}{}_own", n + 4);
        params.push(format!("{array}: &mut [{ty}]"));
        let (from, _) = carried[choices.below(carried.len())].clone();
        let write = format!("{array}{form} = ({from}) as {ty};");
        own.push(match choices.below(4) {
            0 => format!("if {} {{ {write} }}", condition(choices)),
            _ => write,
        });
    }
    for part in [
        &own[..own.len() / 2],
        &updates,
        &fills,
        &own[own.len() / 2..],
    ] {
        part.iter().for_each(|line| {
            let _ = writeln!(body, "{line}");
        });
    }
    if choices.chance(1, 4) {
        params.push("r7: &mut u64".to_owned());
        let _ = writeln!(body, "*r7 = (*r7).max({x} as u64);");
    }
    if choices.chance(1, 8) {
        params.push("h0_add: &mut [u32]".to_owned());
        let _ = writeln!(body, "h0_add[i % 16] = h0_add[i % 16].wrapping_add(1);");
    }
    // A carried scalar is read, or it is only combined.
    let source = format!(
        "fn {name}({}) {{ {before} for i in 0..a0.len() {{ {body} }} }}\n",
        params.join(", ")
    );
    Program {
        name: name.to_owned(),
        source,
    }
}
