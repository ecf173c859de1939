//! Warp-wide operations: shuffles, votes, match, redux, elect, products of matrices, bar.warp.sync.

use super::{Mods, count, known};
use crate::alu::atomic;
use crate::isa::{Collective, CollectiveKind, Op, Shuffle, Type, Vote};
use crate::parse::body::Body;
use crate::parse::operand::{Operand, Res};

fn collective(x: &mut Body<'_, '_>, mask: &Operand, kind: CollectiveKind) -> Res<Op> {
    let mask = x.src(mask, Type::B32)?;
    Ok(Op::Collective(Box::new(Collective { mask, kind })))
}

fn expect_sync(m: &mut Mods<'_>, opcode: &str) -> Res<()> {
    if m.take("sync") {
        return Ok(());
    }
    Err(format!(
        "`{opcode}` without `.sync` does not exist on sm_70 and newer"
    ))
}

/// `bar.warp.sync mask`.
pub(super) fn sync(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    x.needs("`bar.warp.sync`", (6, 0), 30)?;
    m.take("warp");
    expect_sync(m, "bar.warp")?;
    count(ops, 1)?;
    collective(x, &ops[0], CollectiveKind::Sync)
}

/// `shfl.sync.mode.b32 d|p, a, b, c, mask`.
pub(super) fn shfl(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    expect_sync(m, "shfl")?;
    x.needs("`shfl.sync`", (6, 0), 30)?;
    let mode = m.expect("a shuffle mode", |w| {
        Some(match w {
            "up" => Shuffle::Up,
            "down" => Shuffle::Down,
            "bfly" => Shuffle::Bfly,
            "idx" => Shuffle::Idx,
            _ => return None,
        })
    })?;
    m.expect("`.b32`", |w| (w == "b32").then_some(()))?;
    count(ops, 5)?;
    let (d, p) = match &ops[0] {
        Operand::Pair(d, p) => (x.dst(d, Type::B32)?, x.pred_dst(p)?),
        d => (x.dst(d, Type::B32)?, None),
    };
    let a = x.src(&ops[1], Type::B32)?;
    let (b, c) = (x.src(&ops[2], Type::U32)?, x.src(&ops[3], Type::U32)?);
    collective(
        x,
        &ops[4],
        CollectiveKind::Shfl {
            mode,
            d,
            p,
            a,
            b,
            c,
        },
    )
}

/// `vote.sync.mode.pred p, a, mask` and `vote.sync.ballot.b32 d, a, mask`.
pub(super) fn vote(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    expect_sync(m, "vote")?;
    x.needs("`vote.sync`", (6, 0), 30)?;
    let vote = m.expect("a vote", |w| {
        Some(match w {
            "all" => Vote::All,
            "any" => Vote::Any,
            "uni" => Vote::Uni,
            "ballot" => Vote::Ballot,
            _ => return None,
        })
    })?;
    count(ops, 3)?;
    if vote == Vote::Ballot {
        m.expect("`.b32`", |w| (w == "b32").then_some(()))?;
        let (d, a) = (x.dst(&ops[0], Type::B32)?, x.pred_src(&ops[1])?);
        return collective(x, &ops[2], CollectiveKind::Ballot { d, a });
    }
    m.expect("`.pred`", |w| (w == "pred").then_some(()))?;
    let p = x.pred_dst(&ops[0])?.ok_or("`_` is no destination here")?;
    let a = x.pred_src(&ops[1])?;
    collective(x, &ops[2], CollectiveKind::VotePred { vote, p, a })
}

/// `match.any.sync.type d, a, mask` and `match.all.sync.type d|p, a, mask`.
pub(super) fn matching(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    x.needs("`match.sync`", (6, 0), 70)?;
    let any = m.expect("`.any` or `.all`", |w| match w {
        "any" => Some(true),
        "all" => Some(false),
        _ => None,
    })?;
    expect_sync(m, "match")?;
    let ty = m.ty()?;
    if !matches!(ty, Type::B32 | Type::B64) {
        return Err("`match` is for .b32 and .b64".into());
    }
    count(ops, 3)?;
    let (d, p) = match &ops[0] {
        Operand::Pair(d, p) if !any => (x.dst(d, Type::B32)?, x.pred_dst(p)?),
        d => (x.dst(d, Type::B32)?, None),
    };
    let a = x.src(&ops[1], ty)?;
    let kind = match any {
        true => CollectiveKind::MatchAny { d, a },
        false => CollectiveKind::MatchAll { d, p, a },
    };
    collective(x, &ops[2], kind)
}

/// `redux.sync.op.type d, a, mask`.
pub(super) fn redux(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    x.needs("`redux.sync`", (7, 0), 80)?;
    expect_sync(m, "redux")?;
    let op = m.expect("an operation", |w| Some(w.to_string()))?;
    let ty = m.ty()?;
    count(ops, 3)?;
    let f = known(atomic::redux(&op, ty), &format!("redux.sync.{op}"), ty)?;
    let (d, a) = (x.dst(&ops[0], ty)?, x.src(&ops[1], ty)?);
    collective(x, &ops[2], CollectiveKind::Redux { f, d, a })
}

/// `elect.sync d|p, mask`.
pub(super) fn elect(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    x.needs("`elect.sync`", (8, 0), 90)?;
    expect_sync(m, "elect")?;
    count(ops, 2)?;
    let Operand::Pair(d, p) = &ops[0] else {
        return Err("`elect.sync` has the destinations `d|p`".into());
    };
    let d = x.dst(d, Type::B32)?;
    let p = x.pred_dst(p)?.ok_or("`_` is no predicate here")?;
    collective(x, &ops[1], CollectiveKind::Elect { d, p })
}

/// `mma.sync.aligned.shape.row.col.f64.f64.f64.f64 {d, ..}, {a, ..}, {b, ..}, {c, ..}`: all of the warp, without a mask.
pub(super) fn mma(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    expect_sync(m, "mma")?;
    let word = |m: &mut Mods<'_>, word: &str| {
        m.expect(&format!("`.{word}`, as the simulator models `mma`"), |w| {
            (w == word).then_some(())
        })
    };
    word(m, "aligned")?;
    let (rows, positions) = m.expect("a shape of `mma` for `.f64`", |w| {
        Some(match w {
            "m8n8k4" => (8, 4),
            "m16n8k4" => (16, 4),
            "m16n8k8" => (16, 8),
            "m16n8k16" => (16, 16),
            _ => return None,
        })
    })?;
    for part in ["row", "col", "f64", "f64", "f64", "f64"] {
        word(m, part)?;
    }
    match rows {
        8 => x.needs("`mma.m8n8k4` of `.f64`", (7, 0), 80)?,
        _ => x.needs("`mma.m16n8` of `.f64`", (7, 8), 90)?,
    }
    count(ops, 4)?;
    let parts = |n: usize, many: usize| match &ops[n] {
        Operand::Vector(parts) if parts.len() == many => Ok(&parts[..]),
        _ => Err(format!("operand {} of `mma` is a vector of {many}", n + 1)),
    };
    let (groups, fours) = (rows / 8, positions / 4);
    let d = parts(0, 2 * groups)?.iter();
    let d = d.map(|d| x.dst(d, Type::F64)).collect::<Res<_>>()?;
    let mut sources = |n: usize, many: usize| {
        let parts = parts(n, many)?.iter();
        parts.map(|part| x.src(part, Type::F64)).collect::<Res<_>>()
    };
    let (a, b) = (sources(1, groups * fours)?, sources(2, fours)?);
    let c = sources(3, 2 * groups)?;
    let kind = CollectiveKind::MmaF64 { d, a, b, c };
    collective(x, &Operand::Int(u32::MAX.into()), kind)
}

/// `activemask.b32 d`.
pub(super) fn activemask(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    x.needs("`activemask`", (6, 2), 30)?;
    m.expect("`.b32`", |w| (w == "b32").then_some(()))?;
    count(ops, 1)?;
    Ok(Op::ActiveMask {
        d: x.dst(&ops[0], Type::B32)?,
    })
}
