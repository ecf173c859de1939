//! Every strategy run on the simulator, against the sequential loop; a file for what each is about.

mod all;
mod cells;
#[allow(dead_code, reason = "shared with the tests of the device library")]
#[path = "../device_library/gpu.rs"]
mod gpu;
mod harness;
mod hot;
mod looks;
#[allow(dead_code, reason = "shared with the tests of the device library")]
#[path = "../device_library/merges.rs"]
mod merges;
mod packed;
mod split;
mod straight;
#[path = "../support/mod.rs"]
mod support;
mod windows;
