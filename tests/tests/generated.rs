//! Functions drawn by proptest, through the compiler: every one is accepted, verified and understood, and
//! its loop runs over any data or faults as Rust does.

use accrue_compiler::ir::interpret::FaultKind;
use accrue_tests::choices::Choices;
use accrue_tests::data::{Policy, draw, params};
use accrue_tests::generate::program;
use accrue_tests::oracle;
use proptest::prelude::*;

/// How many functions are drawn; `ACCRUE_CASES` says otherwise.
fn cases() -> u32 {
    std::env::var("ACCRUE_CASES").map_or(2000, |text| text.parse().expect("a number"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn drawn_functions_are_accepted_and_run(
        list in prop::collection::vec(any::<u32>(), 0..300),
        items in 0usize..40,
        wild in any::<bool>(),
    ) {
        let program = program("drawn", &mut Choices::list(list));
        let analysis = match oracle::analyze(&program.source) {
            Ok(analysis) => analysis,
            Err(errors) => {
                let refused = format!("refused: {errors:?}\n{}", program.source);
                return Err(TestCaseError::fail(refused));
            }
        };
        prop_assert_eq!(analysis.loops.len(), 1, "{}", program.source);
        let plan = &analysis.loops[0];
        let verified = plan.ir.verify_detected(&plan.pattern);
        prop_assert!(verified.is_ok(), "{:?}\n{}", verified, program.source);
        prop_assert!(plan.obstacles.is_empty(), "{:?}\n{}", plan.obstacles, program.source);
        prop_assert_eq!(plan.ir.opaque_parts(), vec![], "{}", program.source);
        let params = params(&analysis.function);
        let policy = Policy { items, wild, tiny: false };
        let before = draw(&params, policy, &mut Choices::seeded(items as u64));
        let mut state = oracle::state(plan, &params, &before);
        state.overflow_checks = true;
        if let Err(fault) = state.interpret(&plan.pattern) {
            let message = fault.kind.to_string();
            let known = matches!(fault.kind, FaultKind::OutOfRange { .. })
                || message.starts_with("attempt to ");
            prop_assert!(known, "{message}\n{}", program.source);
        }
        // What wraps need not fault; what faulted all the same did so for another reason.
        let mut state = oracle::state(plan, &params, &before);
        state.overflow_checks = false;
        if let Err(fault) = state.interpret(&plan.pattern) {
            let message = fault.kind.to_string();
            let overflow = message.ends_with("with overflow") && !message.contains("divide");
            prop_assert!(!overflow || message.contains("remainder"), "{message}\n{}", program.source);
        }
    }
}
