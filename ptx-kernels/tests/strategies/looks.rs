//! The entry that writes a sample of the bins: what the lanes of a warp tell of each other.

use accrue_ptx::abi::{Elem, ErrorRecord, Op, ParamKind, Placement, Strategy};
use accrue_ptx::plan::Work;
use accrue_ptx::sample::{BLOCK, GRID, MOST_INDICES, looks};
use ptx_sim::{Limits, Machine, Module as Text};

use crate::gpu::{Bits, pack, unpack};
use crate::harness::limits;
use crate::support;

#[test]
fn what_lanes_tell_is_what_the_host_sees() {
    for (elem, bins) in [(Elem::U8, 40u32), (Elem::U32, 300), (Elem::F64, 3000)] {
        let module = support::scatter(Op::Add, elem, Placement::Strategy(Strategy::AtomicGlobal));
        let mut random = Bits(u64::from(bins));
        let mut key = 0u64;
        // Runs, and bins that come again.
        let keys: Vec<u64> = (0..9000)
            .map(|_| {
                let bits = random.next();
                key = match bits % 3 {
                    0 => key,
                    _ => (bits >> 32) % u64::from(bins),
                };
                key
            })
            .collect();
        let mut machine = Machine::new(Limits::default(), 4);
        let mut memory = |bytes: &[u8]| {
            let at = machine.alloc(bytes.len() as u64).expect("room");
            machine.write(at, bytes).expect("as large");
            at
        };
        let keys_at = memory(&pack(&keys, 4));
        let values_at = memory(&vec![0; keys.len() * 8]);
        let bins_at = memory(&vec![0; bins as usize * 8]);
        let record_at = memory(&ErrorRecord::CLEAN.to_bytes());
        let looks_at = memory(&vec![0; MOST_INDICES * 8]);
        let work = Work {
            items: keys.len() as u64,
            bins: vec![u64::from(bins)],
            ..Work::default()
        };
        let plan = module.abi.plan(&limits(&Limits::default()), &work);
        let plan = plan.expect("it needs nothing");
        let params: Vec<[u8; 8]> = module
            .abi
            .params
            .iter()
            .map(|param| match param.kind {
                ParamKind::Begin => 0,
                ParamKind::End => keys.len() as u64,
                ParamKind::Pointer(0) => keys_at,
                ParamKind::Pointer(_) => values_at,
                ParamKind::Bins(_) | ParamKind::Scratch(_) => bins_at,
                ParamKind::BinsLength(_) => u64::from(bins),
                ParamKind::Ticket => looks_at,
                ParamKind::Error => record_at,
                kind => plan.value(kind).expect("the plan decides the others"),
            })
            .map(u64::to_le_bytes)
            .collect();
        let params: Vec<&[u8]> = params.iter().map(|p| &p[..]).collect();
        let text = Text::parse(&module.text()).expect("a module");
        let entry = module.abi.sample.as_ref().expect("an entry for samples");
        machine
            .launch(&text, entry, [GRID, 1, 1], [BLOCK, 1, 1], 0, &params)
            .unwrap_or_else(|fault| panic!("{entry}: {fault}"));
        let mut found = vec![0; MOST_INDICES * 8];
        machine.read(looks_at, &mut found).expect("all is written");
        let found = unpack(&found, 8);
        let sampled: Vec<u32> = found.iter().map(|look| *look as u32).collect();
        // Each warp has neighbours, of somewhere in the loop.
        for warp in sampled.chunks(32) {
            let warp: Vec<u64> = warp.iter().map(|bin| u64::from(*bin)).collect();
            assert!(keys.windows(32).any(|keys| keys == warp), "{entry}");
        }
        assert_eq!(found, looks(&sampled, elem.size()), "{entry}");
    }
}
