#[derive(Clone, Copy, accrue::Device)]
struct Particle {
    position: [f32; 3],
}

#[derive(Clone, Copy, accrue::Device)]
#[repr(C)]
struct Named {
    name: &'static str,
}

fn main() {}
