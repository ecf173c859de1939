#[derive(Clone, Copy, accrue::DeviceType)]
struct Particle {
    position: [f32; 3],
}

#[derive(Clone, Copy, accrue::DeviceType)]
#[repr(C)]
struct Named {
    name: &'static str,
}

fn main() {}
