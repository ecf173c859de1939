use accrue::offload;

macro_rules! stop {
    () => {
        break
    };
}

macro_rules! leave {
    () => {
        return
    };
}

#[offload(histogram)]
fn hidden_break(data: &[u8], h: &mut [u32]) {
    for &x in data {
        if x == 9 {
            stop!()
        }
        h[x as usize] += 1;
    }
}

#[offload(histogram)]
fn hidden_return(data: &[u8], h: &mut [u32]) {
    for &x in data {
        if x == 9 {
            leave!()
        }
        h[x as usize] += 1;
    }
}

fn main() {}
