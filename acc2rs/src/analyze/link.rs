//! Which of the files at hand make one program: those that define what others of the same folder, or of the same compilation
//! database, use and do not define themselves.

use std::collections::{BTreeMap, BTreeSet};

use crate::typed::{ExprKind, Program, Storage, walk};

/// What a file gives to other files, and what it needs from them.
#[derive(Clone, Debug, Default)]
pub struct Names {
    defines: BTreeSet<String>,
    needs: BTreeSet<String>,
    main: bool,
}

/// The names of a file that was read as a program of its own.
pub fn names(program: &Program) -> Names {
    let mut out = Names::default();
    let mut used = BTreeSet::new();
    for id in program.defined() {
        let function = program.function(id);
        if !function.internal {
            out.defines.insert(function.name.clone());
        }
        out.main |= function.name == "main";
        for stmt in function.body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, &mut |e| match &e.kind {
                ExprKind::Call { callee, .. } | ExprKind::Function(callee) => {
                    used.insert(Used::Function(*callee));
                }
                ExprKind::Var(id) => {
                    used.insert(Used::Variable(*id));
                }
                _ => {}
            });
        }
    }
    for var in &program.vars {
        if var.storage == (Storage::Global { internal: false }) && var.defined {
            out.defines.insert(var.name.clone());
        }
    }
    for one in used {
        let (name, missing) = match one {
            Used::Function(id) => {
                let function = program.function(id);
                (&function.name, function.body.is_none())
            }
            Used::Variable(id) => {
                let var = program.var(id);
                let global = matches!(var.storage, Storage::Global { .. });
                (&var.name, global && !var.defined)
            }
        };
        if missing {
            out.needs.insert(name.clone());
        }
    }
    out
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Used {
    Function(crate::typed::FnId),
    Variable(crate::typed::VarId),
}

/// The programs of several files, as indices of `files`, each with the file first that needs the others. What several files of a
/// group define is no one's: such files are programs of their own that look alike.
pub fn programs<G: Ord + Clone>(files: &[(G, Names)]) -> Vec<Vec<usize>> {
    let mut owners: BTreeMap<(G, &str), Vec<usize>> = BTreeMap::new();
    for (at, (group, names)) in files.iter().enumerate() {
        for name in &names.defines {
            owners.entry((group.clone(), name)).or_default().push(at);
        }
    }
    let needed = |at: usize| -> Vec<usize> {
        let (group, names) = &files[at];
        let mut out: Vec<usize> = names
            .needs
            .iter()
            .filter_map(|name| owners.get(&(group.clone(), &**name)))
            .filter_map(|owners| match owners[..] {
                [only] if !files[only].1.main => Some(only),
                _ => None,
            })
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    };
    let mut covered = vec![false; files.len()];
    let mut out = Vec::new();
    // Programs first, then what no program needs.
    for main in [true, false] {
        for at in (0..files.len()).filter(|at| files[*at].1.main == main) {
            if covered[at] {
                continue;
            }
            let mut whole = vec![at];
            let mut next = 0;
            while let Some(file) = whole.get(next).copied() {
                next += 1;
                for other in needed(file) {
                    if !whole.contains(&other) {
                        whole.push(other);
                    }
                }
            }
            if whole.len() > 1 {
                whole.iter().for_each(|file| covered[*file] = true);
                out.push(whole);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(group: &'static str, defines: &[&str], needs: &[&str]) -> (&'static str, Names) {
        let set = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let names = Names {
            defines: set(defines),
            needs: set(needs),
            main: defines.contains(&"main"),
        };
        (group, names)
    }

    #[test]
    fn what_is_used_leads_to_its_file() {
        let files = [
            file("a", &["f"], &["g", "printf"]),
            file("a", &["main"], &["f"]),
            file("a", &["g"], &[]),
            file("b", &["f"], &[]),
        ];
        assert_eq!(programs(&files), [vec![1, 0, 2]]);
    }

    #[test]
    fn what_several_files_define_is_no_ones() {
        let files = [
            file("a", &["main"], &["f"]),
            file("a", &["main", "f"], &[]),
            file("a", &["f"], &[]),
        ];
        assert!(programs(&files).is_empty());
    }
}
