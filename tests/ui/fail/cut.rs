use accrue::offload;

#[offload(strategy = "contract:tile=24")]
fn product(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}

#[offload(strategy = "contract:tile=16,per_thread=two")]
fn product_by_twos(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}

fn main() {
    product(0, &[], &[], &mut []);
    product_by_twos(0, &[], &[], &mut []);
}
