//! Methods and macros of the standard library whose effects are known.

use super::names;

/// Methods of the standard library that leave what they are called on as it is, whatever it is.
pub(super) const READING_METHODS: &[&str] = &[
    "as_bytes",
    "as_deref",
    "as_ref",
    "as_slice",
    "as_str",
    "binary_search",
    "binary_search_by",
    "binary_search_by_key",
    "bytes",
    "chars",
    "chunks",
    "chunks_exact",
    "clone",
    "cloned",
    "cmp",
    "contains",
    "contains_key",
    "copied",
    "ends_with",
    "eq",
    "first",
    "get",
    "into",
    "is_empty",
    "is_err",
    "is_none",
    "is_ok",
    "is_some",
    "iter",
    "keys",
    "last",
    "len",
    "lines",
    "parse",
    "partial_cmp",
    "partition_point",
    "split",
    "split_whitespace",
    "starts_with",
    "to_lowercase",
    "to_owned",
    "to_string",
    "to_uppercase",
    "to_vec",
    "total_cmp",
    "trim",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "values",
    "windows",
];

/// Methods of the standard library that only compute, though they may use up an iterator.
pub(super) const PURE_METHODS: &[&str] = &[
    "abs",
    "all",
    "and_then",
    "any",
    "checked_add",
    "checked_div",
    "checked_mul",
    "checked_rem",
    "checked_sub",
    "collect",
    "count",
    "enumerate",
    "expect",
    "filter",
    "filter_map",
    "find",
    "flat_map",
    "fold",
    "into_iter",
    "map",
    "map_or",
    "max",
    "max_by_key",
    "min",
    "min_by_key",
    "nth",
    "ok",
    "position",
    "product",
    "rev",
    "skip",
    "step_by",
    "sum",
    "take",
    "take_while",
    "then",
    "then_some",
    "try_from",
    "try_into",
    "unwrap_or_else",
    "zip",
];

/// Methods that change what they are called on.
pub(super) const MUTATING_METHODS: &[&str] = &[
    "append",
    "as_mut",
    "as_mut_slice",
    "chunks_exact_mut",
    "chunks_mut",
    "clear",
    "copy_from_slice",
    "copy_within",
    "dedup",
    "drain",
    "entry",
    "extend",
    "extend_from_slice",
    "fill",
    "first_mut",
    "get_mut",
    "get_or_insert_with",
    "get_unchecked_mut",
    "insert",
    "iter_mut",
    "last_mut",
    "pop",
    "push",
    "push_back",
    "push_str",
    "remove",
    "resize",
    "retain",
    "reverse",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "split_at_mut",
    "swap",
    "swap_remove",
    "swap_with_slice",
    "truncate",
    "values_mut",
];

/// Methods that change what they are called on although it is shared.
pub(super) const SHARED_STATE_METHODS: &[&str] = &[
    "borrow_mut",
    "compare_exchange",
    "compare_exchange_weak",
    "fetch_add",
    "fetch_and",
    "fetch_max",
    "fetch_min",
    "fetch_nand",
    "fetch_or",
    "fetch_sub",
    "fetch_update",
    "fetch_xor",
    "lock",
    "store",
    "try_lock",
    "with_borrow",
    "with_borrow_mut",
];

/// Macros that only compute, or only write text.
pub(super) const PURE_MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "concat",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "format",
    "format_args",
    "include_bytes",
    "include_str",
    "line",
    "matches",
    "panic",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
];

/// Whether a macro is one of those, so that it neither ends a loop nor binds a name.
pub(super) fn is_known_macro(mac: &syn::Macro) -> bool {
    let name = mac.path.segments.last().map(|s| s.ident.to_string());
    name.is_some_and(|name| {
        PURE_MACROS.contains(&name.as_str()) || PRINTING_MACROS.contains(&name.as_str())
    })
}

/// Whether a method changes what it is called on although it is shared. `KEY.with(..)` is about a thread's own variable,
/// which other threads have another of.
pub(super) fn is_shared_state(root: &syn::Ident, method: &syn::Ident) -> bool {
    let name = method.to_string();
    SHARED_STATE_METHODS.contains(&name.as_str())
        || (name == "with" && names::is_constant_like(root))
}

/// Macros that write text somewhere.
pub(super) const PRINTING_MACROS: &[&str] = &[
    "dbg", "eprint", "eprintln", "print", "println", "write", "writeln",
];
