//! The arguments of a program's calls.

use super::program::Kind;
use crate::choices::Choices;
use crate::data::{Data, Param, Policy, draw};
use crate::generate::{Nests, stepped_data};

/// Items of a call, whether values are wild, and whether bins are few: nothing, one, fewer and more than parts, and each size again with other values, since
/// what earlier calls of a size have shown counts.
const SIZES: [(usize, bool, bool); 12] = [
    (0, false, false),
    (1, false, false),
    (7, false, false),
    (64, true, false),
    (150, false, false),
    (143, true, false),
    (90, false, true),
    (150, false, false),
    (7, true, false),
    (150, true, false),
    (31, false, false),
    (150, false, false),
];

/// Draws the arguments of all calls of a program.
pub(super) fn all(kind: Kind, drawn: &str, params: &[Param], choices: &mut Choices) -> Vec<Data> {
    if kind == Kind::Nest {
        let mut nests = Nests::new(u64::from(choices.bits()) << 8 | 1);
        let data = std::iter::repeat_with(|| nests.data(drawn));
        // Where overflow is not checked, `1..n - 1` of nothing has no end.
        let endless = |data: &Data| {
            let mut ends = ["n", "w"].into_iter();
            ends.any(|n| drawn.contains(&format!("..{n} - 1")) && data.0[n] == 0usize.to_ne_bytes())
        };
        return data
            .filter(|data| !endless(data))
            .take(2 * SIZES.len())
            .collect();
    }
    // The product of thousands of powers of two leaves the range.
    let products = params.iter().any(|p| p.operator() == "mul");
    let many = match products {
        true => 160,
        false => 1500 + choices.below(3000),
    };
    let mut sizes = SIZES.repeat(2);
    sizes.push((many, choices.chance(1, 4), false));
    let data = sizes.into_iter().map(|(items, wild, tiny)| match kind {
        Kind::Ordered | Kind::Grouped | Kind::Searched => ordered(items, items == 31, choices),
        Kind::Steps => stepped_data(choices),
        _ => draw(params, Policy { items, wild, tiny }, choices),
    });
    data.collect()
}

/// What data hold by which iterations may meet of which `distinct(..)` says that they do not.
pub(super) const CLASH: &str = "#clash";

/// Of loops in order: items, a permutation of their indices, and room for one more; indices of which two are the same where they shall `clash`.
fn ordered(items: usize, clash: bool, choices: &mut Choices) -> Data {
    let most = choices.pick(&[1009, 5, u32::MAX]);
    let x: Vec<u32> = (0..items).map(|_| choices.bits() % most).collect();
    let mut at: Vec<usize> = (0..items).collect();
    for i in (1..items).rev() {
        at.swap(i, choices.below(i + 1));
    }
    let mut data = Data::default();
    if clash {
        at[items / 2] = at[items / 3];
        data.0.insert(CLASH.into(), Vec::new());
    }
    let bytes = |x: &[u32]| x.iter().flat_map(|v| v.to_ne_bytes()).collect::<Vec<u8>>();
    data.0.insert("x".into(), bytes(&x));
    data.0.insert(
        "at".into(),
        at.iter().flat_map(|v| v.to_ne_bytes()).collect(),
    );
    data.0.insert("out".into(), bytes(&vec![500; items + 1]));
    data
}
