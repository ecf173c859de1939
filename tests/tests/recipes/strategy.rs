//! `gang_plain`, which is `atomic_global` under another name: a file, a row, and a row of the documentation.

use super::copy::{Edit, edit};

/// All steps.
pub(crate) fn edits() -> Vec<Edit> {
    let file = include_str!("../../../ptx-kernels/src/strategy/atomic_global.rs")
        .replace("atomic_global", "gang_plain")
        .replace("AtomicGlobal", "GangPlain");
    vec![
        edit("ptx-kernels/src/strategy/gang_plain.rs", "", &file),
        edit(
            "ptx-kernels/src/strategy/mod.rs",
            "mod gang_shared;\n",
            "mod gang_plain;\n",
        ),
        edit(
            "ptx-kernels/src/strategy/table.rs",
            "        /// `copies` copies per gang in shared memory.\n",
            "        /// Atomic updates of one copy in device memory, once more.\n        GangPlain = gang_plain;\n",
        ),
        edit(
            "ptx-kernels/src/strategy/table.rs",
            "};\nuse crate::abi::{Elem, Op, Placement};\n",
            "    gang_plain,\n",
        ),
        edit(
            "docs/choosing.md",
            "| `gang_shared` |",
            "| `gang_plain` | one, in device memory | few items |\n",
        ),
    ]
}
