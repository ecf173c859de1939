//! Loops that end early beside `&mut` items with other names: what says whether an iteration leaves the loop is asked of iterations behind the first as well.

#[offload]
fn by_another_name(x: &[u32], out: &mut [Vec<u32>]) {
    for (o, v) in out.iter_mut().zip(x) {
        let p = o;
        if *v == 3 {
            break;
        }
        p.push(*v);
    }
}

#[offload]
fn in_a_condition(x: &[u32], out: &mut [u32]) {
    for (o, v) in out.iter_mut().zip(x) {
        if keep(o) {
            break;
        }
    }
}

// What is handed on behind the conditions is no matter of theirs, nor is what is only read.

#[offload]
fn behind_conditions(x: &[u32], out: &mut [u32]) {
    for (o, v) in out.iter_mut().zip(x) {
        let w = v;
        if known(w) {
            break;
        }
        keep(o);
    }
}
