use accrue::offload;

#[offload(device)]
fn generic<T>(x: T) -> T {
    x
}

#[offload(device)]
fn changes(x: &mut u32) {
    *x += 1;
}

#[offload(device)]
fn fibonacci(n: u32) -> u32 {
    if n < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

fn main() {}
