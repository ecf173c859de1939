//! Branches, calls, exits, block barriers.

use super::{Mods, count, count_in};
use crate::isa::{Barrier, BarrierKind, Call, Op, Type};
use crate::parse::body::{Body, Name};
use crate::parse::operand::{Operand, Res};

pub(super) fn flow(
    x: &mut Body<'_, '_>,
    opcode: &str,
    m: &mut Mods<'_>,
    ops: &[Operand],
) -> Res<Op> {
    match opcode {
        "bra" => {
            m.take("uni");
            count(ops, 1)?;
            let Operand::Name(label) = &ops[0] else {
                return Err("`bra` takes a label".into());
            };
            x.branch_to = Some((label.clone(), false));
            Ok(Op::Bra { target: 0 })
        }
        "brx" => {
            x.needs("`brx.idx`", (6, 0), 30)?;
            if !m.take("idx") {
                return Err("`brx` is followed by `.idx`".into());
            }
            m.take("uni");
            count(ops, 2)?;
            let index = x.src(&ops[0], Type::U32)?;
            let Operand::Name(table) = &ops[1] else {
                return Err("`brx.idx` takes the label of a `.branchtargets`".into());
            };
            x.branch_to = Some((table.clone(), true));
            Ok(Op::BrxIdx {
                index,
                targets: vec![],
            })
        }
        "call" => {
            m.take("uni");
            call(x, ops)
        }
        "ret" => {
            m.take("uni");
            count(ops, 0)?;
            Ok(Op::Ret)
        }
        "exit" => count(ops, 0).map(|()| Op::Exit),
        "trap" | "brkpt" => count(ops, 0).map(|()| Op::Trap),
        "pmevent" => {
            m.take("mask");
            count(ops, 1)?;
            Ok(Op::Event)
        }
        _ => {
            x.needs("`nanosleep`", (6, 3), 70)?;
            m.expect("`.u32`", |w| (w == "u32").then_some(()))?;
            count(ops, 1)?;
            x.src(&ops[0], Type::U32)?;
            Ok(Op::Nanosleep)
        }
    }
}

fn call(x: &mut Body<'_, '_>, ops: &[Operand]) -> Res<Op> {
    let (results, name, params): (&[Operand], _, &[Operand]) = match ops {
        [Operand::Name(f)] => (&[], f, &[]),
        [Operand::Name(f), Operand::List(p)] => (&[], f, p),
        [Operand::List(r), Operand::Name(f)] => (r, f, &[]),
        [Operand::List(r), Operand::Name(f), Operand::List(p)] => (r, f, p),
        _ => return Err(
            "a call is `call (results), function, (parameters)`; indirect calls are not modelled"
                .into(),
        ),
    };
    let Some(&func) = x.b.function_index.get(name) else {
        return match x.lookup(name) {
            Some(_) => Err("indirect calls are not modelled by the simulator".into()),
            None => Err(format!("no function is called `{name}`")),
        };
    };
    let f = x.b.functions[func as usize].clone();
    if f.entry {
        return Err(format!("`{name}` is a kernel"));
    }
    let mut call = Call {
        func,
        params: vec![],
        results: vec![],
        reg_params: vec![],
        reg_results: vec![],
    };
    let wrong = |what: &str, want: usize, have: usize| {
        Err(format!(
            "`{name}` has {want} {what}, and the call gives {have}"
        ))
    };
    // A function's parameters are all `.param` or all `.reg`.
    if f.reg_params.is_empty() {
        if params.len() != f.params.len() {
            return wrong("parameters", f.params.len(), params.len());
        }
        for (o, p) in params.iter().zip(&f.params) {
            call.params.push((frame(x, o, p.size)?, p.offset, p.size));
        }
    } else {
        if params.len() != f.reg_params.len() {
            return wrong("parameters", f.reg_params.len(), params.len());
        }
        for (i, (o, &ty)) in params.iter().zip(&f.reg_params).enumerate() {
            call.reg_params
                .push((x.src(o, ty)?, crate::isa::Reg(i as u32)));
        }
    }
    if f.reg_results.is_empty() {
        if results.len() != f.results.len() {
            return wrong("results", f.results.len(), results.len());
        }
        for (o, p) in results.iter().zip(&f.results) {
            call.results.push((p.offset, frame(x, o, p.size)?, p.size));
        }
    } else {
        if results.len() != f.reg_results.len() {
            return wrong("results", f.reg_results.len(), results.len());
        }
        for (i, (o, &ty)) in results.iter().zip(&f.reg_results).enumerate() {
            let from = crate::isa::Reg((f.reg_params.len() + i) as u32);
            call.reg_results.push((from, x.dst(o, ty)?));
        }
    }
    if !x.f.calls.contains(&func) {
        x.f.calls.push(func);
    }
    Ok(Op::Call(Box::new(call)))
}

/// The frame offset of a `.param` variable of the caller.
fn frame(x: &Body<'_, '_>, o: &Operand, size: u32) -> Res<u32> {
    let Operand::Name(name) = o else {
        return Err("parameters of a call are `.param` variables".into());
    };
    match x.lookup(name) {
        Some(Name::Frame(at, have)) if have == size => Ok(at),
        Some(Name::Frame(_, have)) => Err(format!(
            "`{name}` has {have} bytes, and the function wants {size}"
        )),
        _ => Err(format!("`{name}` is not a `.param` variable")),
    }
}

/// `bar{.cta}.sync` and its family; `bar` is `barrier` with `.aligned`.
pub(super) fn barrier(
    x: &mut Body<'_, '_>,
    opcode: &str,
    m: &mut Mods<'_>,
    ops: &[Operand],
) -> Res<Op> {
    if opcode == "barrier" {
        x.needs("`barrier`", (6, 0), 30)?;
    }
    if m.take("cta") {
        x.needs("`.cta`", (7, 8), 30)?;
    }
    let word = m.expect("`.sync`, `.arrive` or `.red`", |w| {
        matches!(w, "sync" | "arrive" | "red").then(|| w.to_string())
    })?;
    let red = match word.as_str() {
        "red" => Some(m.expect("`.popc`, `.and` or `.or`", |w| {
            matches!(w, "popc" | "and" | "or").then(|| w.to_string())
        })?),
        _ => None,
    };
    let aligned = m.take("aligned") || opcode == "bar";
    // [d,] id [, count] [, predicate]
    let (id, count) = match (&red, ops) {
        (None, [id]) => (id, None),
        (None, [id, n]) => (id, Some(n)),
        (Some(_), [_, id, _]) => (id, None),
        (Some(_), [_, id, n, _]) => (id, Some(n)),
        _ => {
            count_in(ops, 1, 4)?;
            return Err("these are not the operands of a barrier".into());
        }
    };
    let id = x.src(id, Type::U32)?;
    let count = match count {
        Some(n) => Some(x.src(n, Type::U32)?),
        None if word == "arrive" => return Err("`bar.arrive` needs a thread count".into()),
        None => None,
    };
    let kind = match red.as_deref() {
        None if word == "sync" => BarrierKind::Sync,
        None => BarrierKind::Arrive,
        Some("popc") => {
            m.expect("`.u32`", |w| (w == "u32").then_some(()))?;
            let a = x.pred_src(&ops[ops.len() - 1])?;
            BarrierKind::RedPopc {
                d: x.dst(&ops[0], Type::U32)?,
                a,
            }
        }
        Some(op) => {
            m.expect("`.pred`", |w| (w == "pred").then_some(()))?;
            let a = x.pred_src(&ops[ops.len() - 1])?;
            let p = x.pred_dst(&ops[0])?.ok_or("`_` is no destination here")?;
            BarrierKind::RedPred {
                all: op == "and",
                p,
                a,
            }
        }
    };
    Ok(Op::Bar(Box::new(Barrier {
        id,
        count,
        aligned,
        kind,
    })))
}
