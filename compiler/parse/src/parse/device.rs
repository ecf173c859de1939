//! Functions and structs whose code the loop was given by `uses(..)`.

use quote::ToTokens;
use syn::spanned::Spanned;

use super::lower::Lower;
use super::names::{Key, primitive_of};
use super::outer::OuterScope;
use crate::ir::{
    Body, DeviceFn, Expr, ExprKind, FuncId, Length, Scalar, SourceId, StructType, Type, VarId,
    VarKind,
};
use crate::syntax::taken;

/// A device function that was lowered, with what it needs from outside itself.
#[derive(Clone, Debug)]
pub struct Known {
    /// Which it is.
    pub definition: usize,
    /// Its id; `None` while it is being lowered.
    pub id: Option<FuncId>,
    /// The constants that it and what it calls mention: further parameters, behind its own.
    pub constants: Vec<(Constant, Type)>,
}

/// A device function, which of its calls, and the device function that this was taken for.
type Called = (usize, usize, usize);

/// A value that rustc knows where a device function is defined.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name among the captured values of the loop.
    key: Key,
    /// What the host evaluates for it.
    tokens: proc_macro2::TokenStream,
    /// The device function and its constant that it is.
    constant: Option<(usize, usize)>,
}

impl Lower<'_> {
    /// The struct of a path, where it is known.
    pub fn struct_type(&mut self, path: &syn::Path) -> Option<StructType> {
        if self.is_hidden(path) || self.outer.generics().iter().any(|g| path.is_ident(g)) {
            return None;
        }
        let known = match self.within {
            None => self.definitions.structure(path)?,
            function => self.definitions.structure_within(function, path)?,
        };
        match self.within {
            None => {
                let fingerprint = self.definitions.structs[known].fingerprint;
                let check = self.with_imports(taken::structure(path, fingerprint));
                self.names.structure(path, check);
            }
            Some(function) => {
                let text = path.to_token_stream().to_string();
                let definition = &self.definitions.functions[function];
                let types = crate::mentions::types(&definition.item, &definition.uses);
                let place = types
                    .iter()
                    .position(|t| t.to_token_stream().to_string() == text)?;
                self.names.types.insert((function, place, known));
            }
        }
        Some(self.known_struct(known))
    }

    /// A struct by its number.
    fn known_struct(&mut self, known: usize) -> StructType {
        let definition = &self.definitions.structs[known];
        let (item, path) = (&definition.item, &definition.path);
        let mut length = 0;
        let mut fields = Vec::new();
        for (n, field) in item.fields.iter().enumerate() {
            let name = field
                .ident
                .as_ref()
                .map_or_else(|| n.to_string(), |i| i.to_string());
            let ty = self.field_type(known, n, &field.ty, &mut length);
            fields.push((name, ty));
        }
        StructType {
            name: crate::source::text_of(&path.to_token_stream()),
            fields,
            align: crate::layout::Repr::of(&item.attrs).align.map(|(n, _)| n),
        }
    }

    /// The type of a field, as the scope of its struct has it.
    fn field_type(&mut self, of: usize, n: usize, ty: &syn::Type, length: &mut usize) -> Type {
        match ty {
            syn::Type::Paren(t) => self.field_type(of, n, &t.elem, length),
            syn::Type::Group(t) => self.field_type(of, n, &t.elem, length),
            syn::Type::Array(t) => {
                let elem = self.field_type(of, n, &t.elem, length);
                if self.within.is_some() && !matches!(t.len, syn::Expr::Lit(_)) {
                    *length += 1;
                    return Type::Opaque(Some(crate::source::text_of(&ty.to_token_stream())));
                }
                if matches!(t.len, syn::Expr::Lit(_)) {
                    return Type::Array(Box::new(elem), self.length(&t.len));
                }
                let which = (of, *length);
                *length += 1;
                self.names.lengths.insert(which);
                let tokens = taken::length(which);
                let key = Key::name(crate::source::text_of(&tokens));
                let known = self.value_keys.iter().find(|(k, _)| *k == key);
                let var = match known {
                    Some((_, var)) => *var,
                    None => {
                        let ty = Type::Scalar(Scalar::Usize);
                        let name = crate::source::text_of(&t.len.to_token_stream());
                        let var = self.capture_tokens(name, tokens, t.len.span(), ty);
                        self.value_keys.push((key, var));
                        var
                    }
                };
                Type::Array(Box::new(elem), Length::Captured(var))
            }
            syn::Type::Path(path) if path.qself.is_none() => {
                if let Some(scalar) = primitive_of(&path.path) {
                    return Type::Scalar(scalar);
                }
                match self.definitions.structure_within(None, &path.path) {
                    Some(inner) if inner != of => {
                        self.names.fields.insert((of, n, inner));
                        Type::Struct(Box::new(self.known_struct(inner)))
                    }
                    _ => Type::Opaque(Some(crate::source::text_of(&ty.to_token_stream()))),
                }
            }
            _ => Type::Opaque(Some(crate::source::text_of(&ty.to_token_stream()))),
        }
    }

    /// The device function that a call may be one of, and in a device function which of its calls this is.
    fn device_callee(&self, path: &syn::Path) -> Option<(usize, Option<Called>)> {
        if self.is_hidden(path) {
            return None;
        }
        if let Some(name) = path.get_ident() {
            let name = name.to_string();
            if self.local(&name).is_some() || self.outer.get(&name).is_some() {
                return None;
            }
        }
        let definition = self.definitions.function(self.within, path)?;
        let called = match self.within {
            None => None,
            Some(caller) => {
                let caller_definition = &self.definitions.functions[caller];
                let calls = crate::beside::calls(&caller_definition.item, &caller_definition.uses);
                let text = path.to_token_stream().to_string();
                let n = calls
                    .iter()
                    .position(|(_, p)| p.to_token_stream().to_string() == text)?;
                Some((caller, n, definition))
            }
        };
        Some((definition, called))
    }

    /// A call of a function whose code is known.
    pub fn device_call(
        &mut self,
        path: &syn::ExprPath,
        call: &syn::ExprCall,
        source: SourceId,
    ) -> Option<Expr> {
        if path.qself.is_some() {
            return None;
        }
        let (definition, called) = self.device_callee(&path.path)?;
        let function = &self.definitions.functions[definition].item;
        let name = function.sig.ident.to_string();
        let known = match self
            .device_functions
            .iter()
            .find(|k| k.definition == definition)
        {
            Some(known) => known.clone(),
            None => self.device_function(definition, function),
        };
        let Some(id) = known.id else {
            let diagnostic = crate::diag::messages::recursion(&name, path.path.span());
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
        if call.args.len() != params.len() {
            return None;
        }
        let mut args: Vec<Expr> = call.args.iter().map(|a| self.expr(a)).collect();
        let agree = |(arg, ty): (&Expr, &Type)| self.infer.unify(&arg.ty, ty);
        if !args
            .iter()
            .zip(&params)
            .map(agree)
            .fold(true, |all, one| all & one)
        {
            // Another function has that name.
            return Some(self.opaque(
                &syn::Expr::Call(call.clone()),
                &format!(
                    "a call of `{}` with arguments that the device function of that name does not take",
                    crate::source::text_of(&path.to_token_stream())
                ),
                None,
            ));
        }
        self.names.functions.insert(definition);
        self.names.calls.extend(called);
        if self.within.is_none() {
            let check = self.with_imports(taken::callee(&path.path, definition));
            self.names.callee(check);
        }
        for (constant, ty) in &known.constants {
            let var = self.constant(constant, ty);
            args.push(self.load(var, source));
        }
        Some(self.make(ExprKind::Call(id, args), output, source))
    }

    /// The captured value that a constant of a device function is.
    fn constant(&mut self, constant: &Constant, ty: &Type) -> VarId {
        let known = self.value_keys.iter().find(|(k, _)| *k == constant.key);
        if let Some((_, var)) = known {
            let (var, own) = (*var, self.vars[var.0 as usize].ty.clone());
            self.infer.unify(&own, ty);
            return var;
        }
        let span = proc_macro2::Span::call_site();
        let tokens = constant.tokens.clone();
        let var = self.capture_tokens(constant.key.root.clone(), tokens, span, ty.clone());
        if let Some(capture) = self.captures.last_mut() {
            capture.constant = constant.constant;
        }
        self.value_keys.push((constant.key.clone(), var));
        var
    }

    /// Lowers a device function, once for each loop.
    fn device_function(&mut self, definition: usize, function: &syn::ItemFn) -> Known {
        let name = &function.sig.ident;
        let at = self.device_functions.len();
        self.device_functions.push(Known {
            definition,
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
        lower.within = Some(definition);
        lower.names = std::mem::take(&mut self.names);
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
        // Constants come in as further parameters. Their values are those at the function's own place.
        let captures = std::mem::take(&mut lower.captures);
        let mut constants: Vec<(Constant, VarId)> = Vec::new();
        let mut unknown: Vec<(VarId, String)> = Vec::new();
        let own = crate::mentions::constants(function);
        for capture in captures {
            let text = capture.tokens.to_string();
            let place = own
                .iter()
                .position(|e| e.to_token_stream().to_string() == text);
            let is_macro = || syn::parse2::<syn::ExprMacro>(capture.tokens.clone()).is_ok();
            let constant = match place {
                Some(n) => {
                    lower.names.constants.insert((definition, n));
                    Constant {
                        key: Key::name(format!(
                            "{} of `{}`",
                            crate::source::text_of(&capture.tokens),
                            crate::source::text_of(
                                &lower.definitions.functions[definition]
                                    .path
                                    .to_token_stream()
                            )
                        )),
                        tokens: taken::constant((definition, n)),
                        constant: Some((definition, n)),
                    }
                }
                // `cfg!(..)`, a constant of what this function calls.
                None if capture.constant.is_some() || is_macro() => Constant {
                    key: Key::name(lower.vars[capture.var.0 as usize].name.clone()),
                    tokens: capture.tokens,
                    constant: capture.constant,
                },
                None => {
                    let text = crate::source::text_of(&capture.tokens);
                    unknown.push((capture.var, text));
                    lower.vars[capture.var.0 as usize].kind = VarKind::Local;
                    continue;
                }
            };
            lower.vars[capture.var.0 as usize].kind = VarKind::Param;
            params.push(capture.var);
            constants.push((constant, capture.var));
        }
        let arrays: Vec<String> = lower.arrays.iter().map(|a| a.name.clone()).collect();
        let known = std::mem::take(&mut lower.arrays);
        let Lower {
            mut infer,
            vars,
            mut functions,
            mut device_functions,
            unknown: called,
            names,
            ..
        } = lower;
        infer.finish();
        let mut body = Body { vars, block };
        infer.apply(&mut body);
        super::checked::settle(&mut body, &known);
        if !arrays.is_empty() {
            super::nest::without_arrays(&mut body, &arrays);
        }
        if !unknown.is_empty() {
            super::nest::without_vars(&mut body, &unknown);
        }
        super::nest::exact(self.sources, &mut body);
        let id = FuncId(functions.len() as u32);
        let constants = constants
            .into_iter()
            .map(|(constant, var)| (constant, body.vars[var.0 as usize].ty.clone()))
            .collect();
        functions.push(DeviceFn {
            name: name.to_string(),
            params,
            output,
            body,
            source,
        });
        let known = Known {
            definition,
            id: Some(id),
            constants,
        };
        device_functions[at] = known.clone();
        self.names = names;
        self.functions = functions;
        self.device_functions = device_functions;
        self.unknown.extend(called);
        known
    }
}
