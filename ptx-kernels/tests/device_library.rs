//! The device library at work: maths against its source compiled for the host, merges against the sequential loop,
//! initialisation and sampling against what they should write.

#[path = "device_library/calls.rs"]
mod calls;
#[cfg(target_os = "linux")]
#[path = "device_library/cuda.rs"]
mod cuda;
#[path = "device_library/fills.rs"]
mod fills;
#[path = "device_library/gpu.rs"]
mod gpu;
#[path = "device_library/maths.rs"]
mod maths;
#[path = "device_library/merges.rs"]
mod merges;
#[path = "device_library/simulator.rs"]
mod simulator;

#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs an NVIDIA GPU: cargo test -p accrue-ptx --test device_library -- --ignored"]
fn on_a_gpu() {
    let mut gpu = cuda::Cuda::open();
    calls::maths_is_the_hosts(&mut gpu, 2_000_000);
    merges::merges_are_sequential(&mut gpu);
    merges::untouched_bins_keep_their_bits(&mut gpu);
    fills::initialisations_fill(&mut gpu);
    fills::samples_are_the_hosts(&mut gpu);
}

mod simulated {
    use accrue_ptx::abi::{AUXILIARY_BLOCK, Elem, ErrorRecord, Op};
    use accrue_ptx::library::merge_entry;

    use super::gpu::{Arg, Gpu, module};
    use super::{calls, fills, merges, simulator::Simulator};

    #[test]
    fn maths_has_the_hosts_bits() {
        calls::maths_is_the_hosts(&mut Simulator::new(1), 256);
    }

    #[test]
    fn merges_are_sequential() {
        merges::merges_are_sequential(&mut Simulator::new(2));
    }

    #[test]
    fn untouched_bins_keep_their_bits() {
        merges::untouched_bins_keep_their_bits(&mut Simulator::new(3));
    }

    #[test]
    fn initialisations_fill() {
        fills::initialisations_fill(&mut Simulator::new(4));
    }

    #[test]
    fn samples_are_the_hosts() {
        fills::samples_are_the_hosts(&mut Simulator::new(5));
    }

    /// A merge of 16 copies, without the barrier of this number.
    fn merge_without_barrier(number: usize) {
        let entry = merge_entry(Op::Add, Elem::U32);
        let ptx = module(&[&entry], "");
        let (at, barrier) = ptx
            .match_indices("\tbar.sync 0;\n")
            .nth(number)
            .expect("there is a barrier to take away");
        let wrong = [&ptx[..at], &ptx[at + barrier.len()..]].concat();
        let args = [
            Arg::Memory(vec![0; 64 * 4]),
            Arg::Value(64),
            Arg::Memory(vec![0; 64 * 16 * 4]),
            Arg::Value(16),
            Arg::Memory(ErrorRecord::CLEAN.to_bytes().to_vec()),
        ];
        Simulator::new(6).run(&wrong, &entry, 4, AUXILIARY_BLOCK, args);
    }

    #[test]
    #[should_panic(expected = "which nothing has written")]
    fn reading_a_sum_before_it_is_there_is_found() {
        merge_without_barrier(0);
    }

    #[test]
    #[should_panic(expected = "race")]
    fn reading_a_sum_while_it_is_written_is_found() {
        merge_without_barrier(1);
    }
}
