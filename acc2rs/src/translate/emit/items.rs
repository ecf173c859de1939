//! Top-level items, in the order of the source: constants, structs, globals, functions.

use super::state::{Emit, Emitted, Translation};
use super::stmt::comments;
use crate::codes;
use crate::ctypes::Type;
use crate::diag::Diagnostic;
use crate::typed::{Comment, FnId, ItemKind, StmtKind, Storage, VarId};

impl Emit<'_> {
    /// Everything that is called must be defined or known.
    pub(crate) fn check_definitions(&mut self, report: &mut Vec<Diagnostic>) {
        if self.program.items.is_empty() {
            report.push(
                Diagnostic::nowhere(
                    codes::SYNTAX,
                    "there is nothing to translate in these files",
                )
                .help("give at least one file with a function"),
            );
        }
    }

    /// The whole program; `None` after something was refused.
    pub(crate) fn program(&mut self, report: &mut Vec<Diagnostic>) -> Option<Translation> {
        let mut body = String::new();
        let mut failed = false;
        for item in &self.program.items {
            if let ItemKind::Function(id) = &item.kind {
                match self.function(*id, &item.comments) {
                    Ok(text) => body.push_str(&text),
                    Err(diagnostic) => {
                        failed = true;
                        report.push(*diagnostic);
                    }
                }
            }
        }
        let globals = match self.globals() {
            Ok(text) => text,
            Err(diagnostic) => {
                report.push(*diagnostic);
                return None;
            }
        };
        let mut head = String::new();
        // Structs may need structs: until no new one turns up.
        let mut structs = String::new();
        let mut done = std::collections::BTreeSet::new();
        while let Some(id) = self
            .out
            .structs
            .iter()
            .copied()
            .find(|id| !done.contains(id))
        {
            done.insert(id);
            match self.structure(id) {
                Ok(text) => structs.push_str(&text),
                Err(diagnostic) => {
                    failed = true;
                    report.push(*diagnostic);
                }
            }
        }
        if failed {
            return None;
        }
        let mut zeroed = String::new();
        let mut zero_done = std::collections::BTreeSet::new();
        // What was asked for is not always used in the end.
        while let Some(id) = self.out.zeroed.iter().copied().find(|id| {
            let call = format!("{}::zeroed()", self.struct_name(*id));
            let loops = self.out.loops.iter();
            !zero_done.contains(id)
                && [&structs, &zeroed, &globals, &body]
                    .into_iter()
                    .chain(loops)
                    .any(|text| text.contains(&call))
        }) {
            zero_done.insert(id);
            match self.zeroed_impl(id) {
                Ok(text) => zeroed.push_str(&text),
                Err(diagnostic) => {
                    report.push(*diagnostic);
                    return None;
                }
            }
        }
        let lower = self
            .out
            .enum_constants
            .iter()
            .any(|n| !crate::translate::base::names::is_upper(n));
        head.push_str(&self.constants_text());
        let binary = self.facts.has_main;
        let mut imports = String::new();
        if !self.out.offloaded.is_empty() {
            imports.push_str("use accrue::offload;\n");
        }
        if body.contains("ExitCode") {
            imports.push_str("use std::process::ExitCode;\n");
        }
        let helpers = if self.out.helpers.is_empty() {
            ""
        } else {
            "mod c;\n"
        };
        let main = format!(
            "{imports}{helpers}{head}{structs}{zeroed}{globals}{}{body}",
            self.out.loops.concat()
        );
        let mut lints = self.naming_lints(&main);
        if lower {
            lints.push("non_upper_case_globals");
        }
        if self.out.shadowed {
            lints.extend(["unused_mut", "unused_variables"]);
        }
        // Values that C sets and never reads, as it does without a word.
        let locals = (0..self.program.vars.len() as u32).map(VarId).filter(|id| {
            matches!(
                self.program.var(*id).storage,
                Storage::Local | Storage::Param
            )
        });
        let mut unread = false;
        let mut assigned = false;
        for id in locals {
            let facts = self.facts.var(id);
            assigned |= facts.assigned > 0;
            unread |= facts.assigned + facts.stored > 0
                && facts.uses == facts.assigned + facts.stored
                || facts.uses == 0 && self.program.var(id).init.is_some();
        }
        if assigned {
            lints.push("unused_assignments");
        }
        if unread {
            lints.push("unused_variables");
        }
        let mut allow = String::new();
        if !lints.is_empty() {
            lints.sort_unstable();
            lints.dedup();
            allow = format!("#![allow({})]\n", lints.join(", "));
        }
        let files: Vec<String> = self
            .sources
            .units
            .iter()
            .map(|u| {
                self.sources
                    .file(u.file)
                    .path
                    .file_name()
                    .map_or(String::new(), |n| n.to_string_lossy().into_owned())
            })
            .collect();
        let doc = format!(
            "//! Translated by acc2rs from {}.\n#![forbid(unsafe_code)]\n",
            files
                .iter()
                .map(|f| format!("`{f}`"))
                .collect::<Vec<_>>()
                .join(", ")
        );
        Some(Translation {
            main: format!("{doc}{allow}{main}"),
            binary,
            libm: self.out.libm,
            offloaded: self.out.offloaded.clone(),
            helpers: self.out.helpers.iter().copied().collect(),
        })
    }

    /// Lints that names and idioms of C would trip, as far as this program does.
    fn naming_lints(&self, text: &str) -> Vec<&'static str> {
        let mut out = Vec::new();
        let words: std::collections::HashSet<&str> = text
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .collect();
        let used = |name: &String| words.contains(name.as_str());
        let snake = self
            .naming
            .variables
            .iter()
            .enumerate()
            .filter(|(at, _)| !self.is_constant_item(VarId(*at as u32)))
            .map(|(_, n)| n);
        let functions: Vec<String> = self
            .program
            .defined()
            .map(|id| self.program.function(id).name.clone())
            .collect();
        let fields: Vec<String> = self
            .out
            .structs
            .iter()
            .flat_map(|id| {
                self.program
                    .structure(*id)
                    .fields
                    .iter()
                    .flatten()
                    .map(|f| f.name.clone())
            })
            .collect();
        if snake
            .chain(&functions)
            .chain(&fields)
            .any(|n| used(n) && !crate::translate::base::names::is_snake(n))
        {
            out.push("non_snake_case");
        }
        let constants = self.out.constants.keys();
        let items = self
            .naming
            .variables
            .iter()
            .enumerate()
            .filter(|(at, _)| self.is_constant_item(VarId(*at as u32)))
            .map(|(_, n)| n);
        if constants
            .chain(items)
            .any(|n| used(n) && !crate::translate::base::names::is_upper(n))
        {
            out.push("non_upper_case_globals");
        }
        if self
            .out
            .structs
            .iter()
            .any(|id| !crate::translate::base::names::is_camel(&self.struct_name(*id)))
        {
            out.push("non_camel_case_types");
        }
        out
    }

    /// A function with its comments.
    fn function(&mut self, id: FnId, before: &[Comment]) -> Emitted<String> {
        let function = self.program.function(id);
        let Some(body) = &function.body else {
            return Ok(String::new());
        };
        self.here.function = Some(id);
        self.here.is_main = function.name == "main";
        self.here.plan = crate::translate::memory::plan::Plan::new(self.program, &self.facts, body);
        self.here.swaps = crate::translate::base::swap::swaps(self.program, body);
        self.here.frames.clear();
        self.here.captures.clear();
        self.here.counters.clear();
        self.here.nonnegative.clear();
        self.naming.temporaries = 0;
        let mut out = comments(before);
        if !self.facts.reachable.contains(&id)
            || crate::translate::base::swap::within_arrays(self.program, id)
        {
            out.push_str("#[allow(dead_code)]\n");
        }
        let mut params = Vec::new();
        let mut prologue = String::new();
        let ret = if self.here.is_main {
            prologue = self.main_prologue(id);
            let plain = returns_zero(self.program, body);
            self.here.plain_main = plain;
            if plain {
                String::new()
            } else {
                " -> ExitCode".into()
            }
        } else {
            if self.needs_globals(id) {
                params.push("globals: &mut Globals".to_string());
            }
            for param in &function.params {
                self.here.in_item = self.shapes.keeps(*param);
                let ty = self.var_type(*param);
                self.here.in_item = false;
                let ty = ty?;
                let pointer = self.program.var(*param).ty.is_pointer();
                let assigned = self.facts.var(*param).assigned > 0
                    || !pointer
                        && (self.facts.var(*param).stored > 0 || self.shapes.mutable(*param));
                let unused = if self.facts.var(*param).uses == 0
                    && !self.naming.variables[crate::translate::base::names::at(*param)]
                        .starts_with('_')
                {
                    "_"
                } else {
                    ""
                };
                params.push(format!(
                    "{}{unused}{}: {ty}",
                    if assigned && !pointer { "mut " } else { "" },
                    self.naming.variables[crate::translate::base::names::at(*param)]
                ));
            }
            self.return_type(id)?
                .map_or(String::new(), |t| format!(" -> {t}"))
        };
        if params.len() > 7 {
            out.push_str("#[allow(clippy::too_many_arguments)]\n");
        }
        for param in &function.params {
            if self.moves(*param) {
                prologue.push_str(&format!(
                    "let mut {}: usize = 0;\n",
                    crate::translate::base::names::position(
                        &self.naming.variables[crate::translate::base::names::at(*param)]
                    )
                ));
            }
        }
        for param in &function.params {
            if self.changes_places(*param) {
                let name = &self.naming.variables[crate::translate::base::names::at(*param)];
                let word = if self.shapes.mutable(*param) {
                    "&mut"
                } else {
                    "&"
                };
                prologue.push_str(&format!("let mut {name} = {word} {name}[..];\n"));
            }
        }
        let text = self.function_body(id)?;
        // One of several that a pointer may hold may not need what the others do.
        if let Some(first) = params.first_mut()
            && first == "globals: &mut Globals"
            && !text.contains("globals")
        {
            first.insert(0, '_');
        }
        out.push_str(&format!(
            "{}fn {}({}){ret} {{\n{prologue}{text}}}\n\n",
            // What other C files could call, other Rust can.
            if self.facts.has_main || function.internal {
                ""
            } else {
                "pub "
            },
            if self.here.is_main {
                "main".into()
            } else {
                crate::translate::base::names::sanitized(&function.name)
            },
            params.join(", ")
        ));
        self.here.function = None;
        Ok(out)
    }

    fn main_prologue(&self, id: FnId) -> String {
        let mut out = String::new();
        let params = &self.program.function(id).params;
        let name = |at: usize| {
            params.get(at).map(|p| {
                (
                    self.naming.variables[crate::translate::base::names::at(*p)].clone(),
                    self.facts.var(*p),
                )
            })
        };
        let argv = name(1).filter(|(_, f)| f.uses > 0);
        let argc = name(0).filter(|(_, f)| f.uses > 0);
        if let Some((argv, _)) = &argv {
            out.push_str(&format!(
                "let {argv}: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();\n"
            ));
        }
        if let Some((argc, facts)) = argc {
            let count = argv.map_or("std::env::args().count()".to_string(), |(argv, _)| {
                format!("{argv}.len()")
            });
            out.push_str(&format!(
                "let {}{argc}: i32 = {count} as i32;\n",
                if facts.assigned > 0 { "mut " } else { "" }
            ));
        }
        if self.needs_globals(id) {
            let own = self.facts.function(id);
            let passed = own.calls.iter().any(|f| self.needs_globals(*f));
            let changed = own.globals.iter().any(|g| {
                let facts = self.facts.var(*g);
                facts.assigned + facts.stored + facts.address > 0 || self.shapes.mutable(*g)
            });
            let word = if passed || changed { "let mut" } else { "let" };
            out.push_str(&format!("{word} globals = Globals::new();\n"));
        }
        out
    }

    fn function_body(&mut self, id: FnId) -> Emitted<String> {
        let function = self.program.function(id);
        let Some(body) = &function.body else {
            return Ok(String::new());
        };
        let ret = function.ty.ret.clone();
        // The last `return` is the function's value.
        if let Some((last, rest)) = body.stmts.split_last()
            && let StmtKind::Return(value) = &last.kind
            && !rest.iter().any(|s| self.diverges(s))
            && last.directives.is_empty()
        {
            let mut out = self.stmts(rest)?;
            out.push_str(&comments(&last.comments));
            match value {
                Some(value) if self.here.is_main && !self.here.plain_main => {
                    out.push_str(&self.exit_code(value)?)
                }
                Some(value) if !self.here.is_main && ret != Type::Void => {
                    out.push_str(&self.returned(value)?.text)
                }
                _ => {}
            }
            out.push_str(&comments(&body.trailing));
            return Ok(out);
        }
        let mut out = self.block(body)?;
        if !body.stmts.iter().any(|s| self.diverges(s)) {
            if self.here.is_main && !self.here.plain_main {
                out.push_str("ExitCode::SUCCESS\n");
            } else if !self.here.is_main && ret != Type::Void {
                let zero = if ret.is_pointer() {
                    "Default::default()".into()
                } else {
                    self.zero(&ret, function.span)?
                };
                out.push_str(&zero);
            }
        }
        Ok(out)
    }
}

/// Whether `main` always returns zero.
fn returns_zero(program: &crate::typed::Program, body: &crate::typed::Block) -> bool {
    let mut zero = true;
    crate::typed::walk::stmts(program, body, &mut |s| {
        if let StmtKind::Return(Some(e)) = &s.kind {
            zero &= crate::typed::consts::int_value(e, program) == Some(0);
        }
    });
    zero
}
