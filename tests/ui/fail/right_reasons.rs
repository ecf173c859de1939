use accrue::offload;

#[offload]
fn added(x: &[u32]) -> u32 {
    let mut n = 0;
    let mut add = |v: u32| n += v;
    for v in x {
        add(*v);
    }
    n
}

#[offload]
fn pushed(x: &[u32]) -> Vec<u32> {
    let mut all = vec![];
    let mut put = |k: u32| all.push(k);
    for x in x {
        put(*x);
    }
    all
}

#[offload]
fn drawn(x: &[u32], out: &mut [u32]) {
    let mut seed = 1u32;
    let mut next = || {
        seed = seed * 5 % 17;
        seed
    };
    for (o, x) in out.iter_mut().zip(x) {
        *o = *x + next();
    }
}

#[offload]
fn widest(x: &[u128]) -> u128 {
    let mut m = 0u128;
    for v in x {
        m = m.max(*v);
    }
    m
}

#[offload]
fn flat(x: &[Vec<u32>], h: &mut [u32]) {
    for v in x.iter().flatten() {
        h[0] = *v;
    }
}

fn main() {}
