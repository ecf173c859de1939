//! Functions and structs whose code the loop was given by `uses(..)`.

use quote::ToTokens;
use syn::spanned::Spanned;

use super::lower::Lower;
use super::names::Key;
use super::outer::OuterScope;
use crate::ir::{
    Body, DeviceFn, Expr, ExprKind, FuncId, SourceId, StructType, Type, VarId, VarKind,
};

/// A device function that was lowered, with what it needs from outside itself.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its name.
    pub name: String,
    /// Its id; `None` while it is being lowered.
    pub id: Option<FuncId>,
    /// The constants that it mentions: further parameters, behind its own.
    pub constants: Vec<(Key, syn::Expr, Type)>,
}

impl Lower<'_> {
    /// The struct of a path, where it is known.
    pub fn struct_type(&mut self, path: &syn::Path) -> Option<StructType> {
        let name = path.segments.last()?.ident.to_string();
        let item = self.definitions.structs.get(&name)?.clone();
        let fields = item
            .fields
            .iter()
            .enumerate()
            .map(|(n, field)| {
                let name = field
                    .ident
                    .as_ref()
                    .map_or_else(|| n.to_string(), |i| i.to_string());
                (name, self.written_type(&field.ty))
            })
            .collect();
        Some(StructType { name, fields })
    }

    /// A call of a function whose code is known.
    pub fn device_call(
        &mut self,
        path: &syn::ExprPath,
        call: &syn::ExprCall,
        source: SourceId,
    ) -> Option<Expr> {
        let name = path.path.segments.last()?.ident.to_string();
        if self.local(&name).is_some() {
            return None;
        }
        let function = self.definitions.functions.get(&name)?;
        let known = match self.device_functions.iter().find(|k| k.name == name) {
            Some(known) => known.clone(),
            None => self.device_function(&name, function),
        };
        let Some(id) = known.id else {
            let diagnostic = crate::device::recursion(&name, path.path.span());
            self.report_once(&name, diagnostic);
            return None;
        };
        let (params, output) = {
            let function = &self.functions[id.0 as usize];
            let own = function.params.len() - known.constants.len();
            let params: Vec<Type> = function.params[..own]
                .iter()
                .map(|p| function.body.vars[p.0 as usize].ty.clone())
                .collect();
            (params, function.output.clone())
        };
        let mut args: Vec<Expr> = call.args.iter().map(|a| self.expr(a)).collect();
        for (arg, ty) in args.iter().zip(&params) {
            self.infer.unify(&arg.ty, ty);
        }
        for (key, expr, ty) in &known.constants {
            let var = self.captured(key, expr);
            let own = self.vars[var.0 as usize].ty.clone();
            self.infer.unify(&own, ty);
            args.push(self.load(var, source));
        }
        Some(self.make(ExprKind::Call(id, args), output, source))
    }

    /// Lowers a device function, once for each loop.
    fn device_function(&mut self, name: &str, function: &syn::ItemFn) -> Known {
        let at = self.device_functions.len();
        self.device_functions.push(Known {
            name: name.to_string(),
            id: None,
            constants: Vec::new(),
        });
        let nothing = OuterScope::default();
        let mut lower = Lower::new(
            &nothing,
            self.definitions,
            Vec::new(),
            &mut *self.sources,
            &mut *self.errors,
        );
        lower.functions = std::mem::take(&mut self.functions);
        lower.device_functions = std::mem::take(&mut self.device_functions);
        lower.in_function = true;
        let source = lower.source(&function.sig.ident);
        let mut params = Vec::new();
        let mut patterns = Vec::new();
        for input in &function.sig.inputs {
            let syn::FnArg::Typed(param) = input else {
                continue;
            };
            let ty = lower.written_type(&param.ty);
            let source = lower.source(&*param.pat);
            let var = lower.var(
                param.pat.to_token_stream().to_string(),
                ty,
                VarKind::Param,
                source,
            );
            params.push(var);
            patterns.push((&*param.pat, var));
        }
        let output = match &function.sig.output {
            syn::ReturnType::Default => Type::Unit,
            syn::ReturnType::Type(_, ty) => lower.written_type(ty),
        };
        lower.output = Some(output.clone());
        let block = lower.block(|s| {
            for (pat, var) in patterns {
                match pat {
                    syn::Pat::Ident(p) if p.subpat.is_none() && p.mutability.is_none() => {
                        s.bind_var(p.ident.to_string(), var);
                    }
                    // A copy, so that what is assigned is a local.
                    _ => {
                        let value = s.load(var, source);
                        s.bind(pat, super::place::Val::Expr(value));
                    }
                }
            }
            let tail = s.stmts(&function.block);
            if let Some(tail) = &tail {
                s.infer.unify(&tail.ty, &output);
            }
            tail
        });
        // Constants come in as further parameters.
        let captures = std::mem::take(&mut lower.captures);
        let mut constants: Vec<(Key, syn::Expr, VarId)> = Vec::new();
        for capture in captures {
            let Ok(expr) = syn::parse2::<syn::Expr>(capture.tokens.clone()) else {
                continue;
            };
            lower.vars[capture.var.0 as usize].kind = VarKind::Param;
            params.push(capture.var);
            let key = Key::name(crate::source::text_of(&capture.tokens));
            constants.push((key, expr, capture.var));
        }
        let arrays: Vec<String> = lower.arrays.iter().map(|a| a.name.clone()).collect();
        let Lower {
            mut infer,
            vars,
            mut functions,
            mut device_functions,
            pure,
            ..
        } = lower;
        infer.finish();
        let mut body = Body { vars, block };
        infer.apply(&mut body);
        if !arrays.is_empty() {
            super::nest::without_arrays(&mut body, &arrays);
        }
        super::nest::exact(self.sources, &mut body);
        let id = FuncId(functions.len() as u32);
        let constants = constants
            .into_iter()
            .map(|(key, expr, var)| (key, expr, body.vars[var.0 as usize].ty.clone()))
            .collect();
        functions.push(DeviceFn {
            name: name.to_string(),
            params,
            output,
            body,
            source,
        });
        let known = Known {
            name: name.to_string(),
            id: Some(id),
            constants,
        };
        device_functions[at] = known.clone();
        self.functions = functions;
        self.device_functions = device_functions;
        self.pure &= pure;
        known
    }
}
