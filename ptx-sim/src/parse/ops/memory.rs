//! Loads, stores, atomics, fences, prefetches, asynchronous copies.

use super::{Mods, count, count_in, known};
use crate::alu::atomic::{self, shared_f32_add};
use crate::isa::{Access, Addr, AtomOp, Atomic, Base, CpAsync, Op, Order, Scope, Space, Src, Type};
use crate::parse::body::Body;
use crate::parse::operand::{Operand, Res};

fn scope(x: &Body<'_, '_>, m: &mut Mods<'_>) -> Res<Option<Scope>> {
    let scope = m.take_if(|w| {
        Some(match w {
            "cta" => (Scope::Cta, 30),
            "cluster" => (Scope::Gpu, 90),
            "gpu" | "sys" => (Scope::Gpu, 60),
            _ => return None,
        })
    });
    match scope {
        None => Ok(None),
        Some((s, target)) => {
            x.needs("a memory scope", (5, 0), target)?;
            Ok(Some(s))
        }
    }
}

/// `.weak`, `.volatile`, `.relaxed.scope`, `.acquire.scope`, `.release.scope`.
fn order(x: &Body<'_, '_>, m: &mut Mods<'_>, store: bool) -> Res<Order> {
    if m.take("weak") {
        x.needs("`.weak`", (6, 0), 30)?;
        return Ok(Order::WEAK);
    }
    if m.take("volatile") {
        return Ok(Order {
            strong: Some(Scope::Gpu),
            ..Order::WEAK
        });
    }
    let mmio = m.take("mmio");
    let word = match m.peek() {
        Some(w @ "relaxed") => w,
        Some(w @ "acquire") if !store && !mmio => w,
        Some(w @ "release") if store && !mmio => w,
        _ if mmio => return Err("`.mmio` goes with `.relaxed.sys`".into()),
        _ => return Ok(Order::WEAK),
    };
    m.at += 1;
    x.needs(&format!("`.{word}`"), (6, 0), 70)?;
    let Some(scope) = scope(x, m)? else {
        return Err(format!("`.{word}` needs a scope"));
    };
    Ok(Order {
        strong: Some(scope),
        acquire: word == "acquire",
        release: word == "release",
    })
}

/// Cache hints: they change no result.
fn hints(x: &Body<'_, '_>, m: &mut Mods<'_>) -> Res<bool> {
    if m.take_if(|w| w.starts_with("L1::evict_").then_some(()))
        .is_some()
        || m.take("L1::no_allocate")
    {
        x.needs("an L1 eviction priority", (7, 4), 70)?;
    }
    if m.take_if(|w| w.starts_with("L2::evict_").then_some(()))
        .is_some()
    {
        x.needs("an L2 eviction priority", (8, 8), 100)?;
    }
    let policy = m.take("L2::cache_hint");
    if policy {
        x.needs("`.L2::cache_hint`", (7, 4), 80)?;
    }
    if m.take("L2::64B") || m.take("L2::128B") {
        x.needs("an L2 prefetch size", (7, 4), 75)?;
    } else if m.take("L2::256B") {
        x.needs("`.L2::256B`", (7, 4), 80)?;
    }
    Ok(policy)
}

fn vector(x: &Body<'_, '_>, m: &mut Mods<'_>) -> Res<usize> {
    let n = m.take_if(|w| match w {
        "v2" => Some(2),
        "v4" => Some(4),
        "v8" => Some(8),
        _ => None,
    });
    if n == Some(8) {
        x.needs("`.v8`", (8, 8), 100)?;
    }
    Ok(n.unwrap_or(1))
}

fn element(m: &mut Mods<'_>, n: usize) -> Res<Type> {
    let ty = m.ty()?;
    let limit = if n == 8 { 32 } else { 16 };
    if matches!(
        ty,
        Type::Pred | Type::B128 | Type::F16x2 | Type::Bf16x2 | Type::F16 | Type::Bf16
    ) {
        return Err(format!(
            "{ty} is no type of a load or store; use .b16, .b32 or .b64"
        ));
    }
    if ty.size() * n as u32 > limit || n == 8 && ty.size() != 4 {
        return Err(format!("a vector of {n} {ty} elements is too large"));
    }
    Ok(ty)
}

/// Parameters of device functions lie on the stack, those of kernels in their own memory.
fn resolve(x: &Body<'_, '_>, space: Space, addr: &Addr) -> Space {
    match space {
        Space::Param if matches!(addr.base, Base::Frame) || !x.f.entry => Space::Local,
        s => s,
    }
}

fn elements(o: &Operand, n: usize) -> Res<&[Operand]> {
    match o {
        Operand::Vector(list) if n > 1 && list.len() == n => Ok(list),
        Operand::Vector(_) => Err(format!("expected a list of {n} registers")),
        o if n == 1 => Ok(std::slice::from_ref(o)),
        _ => Err(format!("expected a list of {n} registers in braces")),
    }
}

pub(super) fn load(
    x: &mut Body<'_, '_>,
    opcode: &str,
    m: &mut Mods<'_>,
    ops: &[Operand],
) -> Res<Op> {
    let order = if opcode == "ld" {
        order(x, m, false)?
    } else {
        Order::WEAK
    };
    let space = m.space().unwrap_or(Space::Generic);
    let cop = m.take_if(|w| matches!(w, "ca" | "cg" | "cs" | "lu" | "cv").then_some(()));
    let nc = opcode == "ld" && space == Space::Global && m.take("nc");
    if order.strong.is_some() && (nc || cop.is_some()) {
        return Err("a strong load takes no cache operator".into());
    }
    let policy = hints(x, m)?;
    let n = vector(x, m)?;
    let ty = element(m, n)?;
    count(ops, 2 + usize::from(policy))?;
    if policy {
        x.src(&ops[2], Type::B64)?;
    }
    let mut dst = Vec::new();
    for o in elements(&ops[0], n)? {
        dst.push(match o {
            Operand::Name(name) if name == "_" => None,
            o => Some(x.dst_wide(o, ty)?),
        });
    }
    let addr = x.addr(&ops[1], space)?;
    let space = resolve(x, space, &addr);
    Ok(Op::Load(Box::new(Access {
        space,
        ty,
        addr,
        order,
        dst,
        src: vec![],
    })))
}

pub(super) fn store(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    let order = order(x, m, true)?;
    let space = m.space().unwrap_or(Space::Generic);
    if space == Space::Const {
        return Err("constant memory cannot be written".into());
    }
    let cop = m.take_if(|w| matches!(w, "wb" | "cg" | "cs" | "wt").then_some(()));
    if order.strong.is_some() && cop.is_some() {
        return Err("a strong store takes no cache operator".into());
    }
    let policy = hints(x, m)?;
    let n = vector(x, m)?;
    let ty = element(m, n)?;
    count(ops, 2 + usize::from(policy))?;
    if policy {
        x.src(&ops[2], Type::B64)?;
    }
    let addr = x.addr(&ops[0], space)?;
    let src = elements(&ops[1], n)?
        .iter()
        .map(|o| x.src_wide(o, ty))
        .collect::<Res<Vec<Src>>>()?;
    let space = resolve(x, space, &addr);
    if space == Space::Param {
        return Err("a kernel's parameters cannot be written".into());
    }
    Ok(Op::Store(Box::new(Access {
        space,
        ty,
        addr,
        order,
        dst: vec![],
        src,
    })))
}

pub(super) fn atomic(
    x: &mut Body<'_, '_>,
    red: bool,
    m: &mut Mods<'_>,
    ops: &[Operand],
) -> Res<Op> {
    let name = if red { "red" } else { "atom" };
    let sem = m.take_if(|w| {
        Some(match w {
            "relaxed" => (false, false),
            "acquire" if !red => (true, false),
            "release" => (false, true),
            "acq_rel" if !red => (true, true),
            _ => return None,
        })
    });
    if sem.is_some() {
        x.needs("a memory order", (6, 0), 70)?;
    }
    let strong = Some(scope(x, m)?.unwrap_or(Scope::Gpu));
    let (acquire, release) = sem.unwrap_or((false, false));
    let space = m.space().unwrap_or(Space::Generic);
    if !matches!(space, Space::Generic | Space::Global | Space::Shared) {
        return Err(format!("`{name}` works on global and shared memory"));
    }
    let op = m.expect("an atomic operation", |w| {
        Some(match w {
            "add" => AtomOp::Add,
            "min" => AtomOp::Min,
            "max" => AtomOp::Max,
            "and" => AtomOp::And,
            "or" => AtomOp::Or,
            "xor" => AtomOp::Xor,
            "inc" => AtomOp::Inc,
            "dec" => AtomOp::Dec,
            "exch" if !red => AtomOp::Exch,
            "cas" if !red => AtomOp::Cas,
            _ => return None,
        })
    })?;
    let noftz = m.take("noftz");
    let policy = m.take("L2::cache_hint");
    if policy {
        x.needs("`.L2::cache_hint`", (7, 4), 80)?;
    }
    let n = vector(x, m)?;
    if n > 1 {
        x.needs("a vector atomic", (8, 1), 90)?;
    }
    let ty = m.ty()?;
    let half = matches!(ty, Type::F16 | Type::Bf16 | Type::F16x2 | Type::Bf16x2);
    if half != noftz {
        return Err(format!(
            "`.noftz` goes with 16-bit floats, and `{name}.{op:?}{ty}` has it wrong"
        )
        .to_lowercase());
    }
    match (op, ty) {
        (AtomOp::Add, Type::F64) => x.needs("an atomic add of .f64", (5, 0), 60)?,
        (AtomOp::Add, Type::F16) => x.needs("an atomic add of .f16", (6, 3), 70)?,
        (AtomOp::Add, Type::F16x2) => x.needs("an atomic add of .f16x2", (6, 2), 60)?,
        (AtomOp::Add, Type::Bf16 | Type::Bf16x2) => {
            x.needs("an atomic add of .bf16", (7, 8), 90)?
        }
        (AtomOp::Cas, Type::B16) => x.needs("`atom.cas.b16`", (6, 3), 70)?,
        _ => {}
    }
    let vectorial = match ty {
        Type::F32 => n <= 4,
        Type::F16x2 | Type::Bf16x2 => n <= 4,
        Type::F16 | Type::Bf16 => n <= 8,
        _ => n == 1,
    };
    if !vectorial || n > 1 && (op != AtomOp::Add || space == Space::Shared) {
        return Err(format!(
            "PTX has no vector atomic of {n} {ty} elements here"
        ));
    }
    let mut f = known(atomic::update(op, ty), name, ty)?;
    if op == AtomOp::Add && ty == Type::F32 && space == Space::Shared {
        f = shared_f32_add;
    }
    let cas = usize::from(op == AtomOp::Cas);
    let first = usize::from(!red);
    count(ops, first + 2 + cas + usize::from(policy))?;
    let mut dst = vec![None; n];
    if !red {
        for (d, o) in dst.iter_mut().zip(elements(&ops[0], n)?) {
            if !matches!(o, Operand::Name(name) if name == "_") {
                *d = Some(x.dst(o, ty)?);
            }
        }
    }
    let addr = x.addr(&ops[first], space)?;
    let b = elements(&ops[first + 1], n)?
        .iter()
        .map(|o| x.src(o, ty))
        .collect::<Res<Vec<Src>>>()?;
    let c = if cas == 1 {
        Some(x.src(&ops[first + 2], ty)?)
    } else {
        None
    };
    if policy {
        x.src(&ops[first + 2 + cas], Type::B64)?;
    }
    let order = Order {
        strong,
        acquire,
        release,
    };
    Ok(Op::Atom(Box::new(Atomic {
        space,
        op,
        ty,
        addr,
        order,
        f,
        dst,
        b,
        c,
    })))
}

/// `prefetch`, `prefetchu`, `discard`, `applypriority`: no effect that the model shows. `discard`
/// would let memory forget, which nothing here needs.
pub(super) fn prefetch(
    x: &mut Body<'_, '_>,
    opcode: &str,
    m: &mut Mods<'_>,
    ops: &[Operand],
) -> Res<Op> {
    let space = m.space().unwrap_or(Space::Generic);
    match opcode {
        "prefetch" | "prefetchu" => {
            m.expect("a cache level", |w| {
                matches!(w, "L1" | "L2" | "L2::evict_last" | "L2::evict_normal").then_some(())
            })?;
            count(ops, 1)?;
        }
        _ => return Err(format!("`{opcode}` is not modelled by the simulator")),
    }
    x.addr(&ops[0], space)?;
    Ok(Op::Nop)
}

pub(super) fn cp_async(x: &mut Body<'_, '_>, m: &mut Mods<'_>, ops: &[Operand]) -> Res<Op> {
    if !m.take("async") {
        return Err("`cp` is followed by `.async`".into());
    }
    x.needs("`cp.async`", (7, 0), 80)?;
    if m.take("commit_group") {
        count(ops, 0)?;
        return Ok(Op::CpCommit);
    }
    if m.take("wait_all") {
        count(ops, 0)?;
        return Ok(Op::CpWait {
            pending: 0,
            all: true,
        });
    }
    if m.take("wait_group") {
        return match ops {
            [Operand::Int(n)] => Ok(Op::CpWait {
                pending: *n,
                all: false,
            }),
            _ => Err("`cp.async.wait_group` takes a constant".into()),
        };
    }
    let bypass = m.expect("`.ca` or `.cg`", |w| match w {
        "ca" => Some(false),
        "cg" => Some(true),
        _ => None,
    })?;
    if m.space() != Some(Space::Shared) || m.space() != Some(Space::Global) {
        return Err("`cp.async` copies `.shared.global`".into());
    }
    let policy = hints(x, m)?;
    count_in(ops, 3 + usize::from(policy), 4 + usize::from(policy))?;
    let Operand::Int(size @ (4 | 8 | 16)) = ops[2] else {
        return Err("`cp.async` copies 4, 8 or 16 bytes".into());
    };
    if bypass && size != 16 {
        return Err("`cp.async.cg` copies 16 bytes".into());
    }
    let src_size = match ops.len() - usize::from(policy) {
        4 => Some(x.src(&ops[3], Type::U32)?),
        _ => None,
    };
    Ok(Op::CpAsync(Box::new(CpAsync {
        dst: x.addr(&ops[0], Space::Shared)?,
        src: x.addr(&ops[1], Space::Global)?,
        size: size as u32,
        src_size,
    })))
}

pub(super) fn fence(
    x: &mut Body<'_, '_>,
    opcode: &str,
    m: &mut Mods<'_>,
    ops: &[Operand],
) -> Res<Op> {
    count(ops, 0)?;
    if opcode == "membar" {
        let scope = m.expect("`.cta`, `.gl` or `.sys`", |w| match w {
            "cta" => Some(Scope::Cta),
            "gl" | "sys" => Some(Scope::Gpu),
            _ => None,
        })?;
        return Ok(Op::Fence { scope });
    }
    x.needs("`fence`", (6, 0), 70)?;
    if m.take("proxy") {
        x.needs("`fence.proxy`", (7, 5), 70)?;
        m.expect("a proxy", |w| {
            (w == "alias" || w.starts_with("async")).then_some(())
        })?;
        return Ok(Op::Nop);
    }
    if !(m.take("sc") || m.take("acq_rel")) {
        return Err("`fence` is followed by `.sc` or `.acq_rel`".into());
    }
    match scope(x, m)? {
        Some(scope) => Ok(Op::Fence { scope }),
        None => Err("`fence` needs a scope".into()),
    }
}
