//! Function bodies: scopes, declarations, labels, and the statements between them.

use super::Builder;
use super::cursor::{Cursor, PResult};
use super::decl::{self, Decl};
use super::lexer::Kind;
use super::operand::{self, Operand};
use super::ops;
use crate::fault::ParseError;
use crate::isa::{Instr, Op, Pred, Reg, Space, Type};
use crate::module::Function;
use std::collections::HashMap;

/// What a name in a function stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Name {
    Reg(Reg, Type),
    Pred(Pred),
    /// A local variable or a parameter of a device function, in the stack frame; and its size.
    Frame(u32, u32),
    /// A parameter of the kernel: an offset into the parameter block.
    KernelParam(u32),
    /// A module variable.
    Variable(u32),
}

/// Names and labels between two braces.
#[derive(Default)]
struct Scope {
    names: HashMap<String, Name>,
    /// `%r<n>`: prefix, how many, the first register, type.
    ranges: Vec<(String, u32, u32, Type)>,
    labels: HashMap<String, u32>,
    tables: HashMap<String, Vec<String>>,
    fixups: Vec<Fixup>,
}

/// A branch whose label is not known yet.
struct Fixup {
    pc: u32,
    label: String,
    target: Target,
    line: u32,
}

#[derive(Clone, Copy)]
enum Target {
    Branch,
    /// Entry of the table of a `brx.idx`.
    Entry(usize),
    /// A whole table, by name.
    Table,
}

/// A function while its body is read.
pub(super) struct Body<'c, 's> {
    pub(super) c: &'c mut Cursor<'s>,
    pub(super) b: &'c mut Builder,
    pub(super) f: Function,
    scopes: Vec<Scope>,
    /// Instructions that the current one needs before itself.
    pub(super) before: Vec<Op>,
    /// Label of the current branch, or table of the current `brx.idx`.
    pub(super) branch_to: Option<(String, bool)>,
}

/// Reads a body, from its `{` to its `}`.
pub(super) fn function(
    c: &mut Cursor<'_>,
    b: &mut Builder,
    index: u32,
    params: &[(Decl, bool)],
    results: &[(Decl, bool)],
) -> PResult<()> {
    let mut f = b.functions[index as usize].clone();
    f.start = b.code.len() as u32;
    let mut body = Body {
        c,
        b,
        f,
        scopes: vec![Scope::default()],
        before: vec![],
        branch_to: None,
    };
    body.parameters(params, results)?;
    body.c.expect('{')?;
    while !body.c.eat('}') {
        body.statement()?;
    }
    // Falling off the end returns.
    let line = body.c.line();
    body.b.code.push(Instr {
        op: Op::Ret,
        guard: None,
        line,
    });
    body.close_scope()?;
    let mut f = body.f;
    f.defined = true;
    f.frame = f.frame.next_multiple_of(FRAME_ALIGN);
    b.functions[index as usize] = f;
    Ok(())
}

/// Stack frames start at multiples of this, which bounds the alignment of local variables.
const FRAME_ALIGN: u32 = 64;

impl Body<'_, '_> {
    fn parameters(&mut self, params: &[(Decl, bool)], results: &[(Decl, bool)]) -> PResult<()> {
        for (d, _) in params.iter().chain(results).filter(|p| p.1) {
            self.declare_register(&d.name, d.ty, None)
                .map_err(|m| ParseError::new(d.line, m))?;
        }
        let places: Vec<_> = self
            .f
            .params
            .iter()
            .chain(&self.f.results)
            .cloned()
            .collect();
        let decls = params.iter().chain(results).filter(|p| !p.1);
        for (place, (d, _)) in places.into_iter().zip(decls) {
            let name = match self.f.entry {
                true => Name::KernelParam(place.offset),
                false => Name::Frame(place.offset, place.size),
            };
            self.declare(&d.name, name)
                .map_err(|m| ParseError::new(d.line, m))?;
        }
        Ok(())
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes
            .last_mut()
            .expect("a body has its outermost scope")
    }

    fn declare(&mut self, name: &str, what: Name) -> Result<(), String> {
        match self.scope().names.insert(name.to_string(), what) {
            None => Ok(()),
            Some(_) => Err(format!("`{name}` is declared twice")),
        }
    }

    fn declare_register(&mut self, name: &str, ty: Type, count: Option<u32>) -> Result<(), String> {
        if matches!(ty, Type::B8 | Type::U8 | Type::S8 | Type::B128) {
            return Err(format!("the simulator has no {ty} registers"));
        }
        let n = count.unwrap_or(1);
        let (next, names) = match ty {
            Type::Pred => (&mut self.f.predicates, &mut self.f.predicate_names),
            _ => (&mut self.f.registers, &mut self.f.register_names),
        };
        let first = *next;
        *next = match first.checked_add(n) {
            Some(sum) if sum <= 1 << 20 => sum,
            _ => return Err("more than a million registers".into()),
        };
        names.push((first, count, name.to_string()));
        if count.is_some() {
            if self.scope().ranges.iter().any(|r| r.0 == name) {
                return Err(format!("`{name}<..>` is declared twice"));
            }
            self.scope().ranges.push((name.to_string(), n, first, ty));
            return Ok(());
        }
        let what = match ty {
            Type::Pred => Name::Pred(Pred(first)),
            _ => Name::Reg(Reg(first), ty),
        };
        self.declare(name, what)
    }

    /// A register that the text does not name.
    pub(super) fn hidden_register(&mut self) -> Reg {
        self.f.registers += 1;
        Reg(self.f.registers - 1)
    }

    /// What `name` means here: inner scopes first, then the module.
    pub(super) fn lookup(&self, name: &str) -> Option<Name> {
        let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        for scope in self.scopes.iter().rev() {
            if let Some(&what) = scope.names.get(name) {
                return Some(what);
            }
            for split in name.len() - digits..name.len() {
                let (prefix, number) = name.split_at(split);
                if number.len() > 1 && number.starts_with('0') {
                    continue;
                }
                let Ok(n) = number.parse::<u32>() else {
                    continue;
                };
                if let Some(&(_, count, first, ty)) = scope.ranges.iter().find(|r| r.0 == prefix)
                    && n < count
                {
                    return Some(match ty {
                        Type::Pred => Name::Pred(Pred(first + n)),
                        _ => Name::Reg(Reg(first + n), ty),
                    });
                }
            }
        }
        self.b.variable_index.get(name).map(|&v| Name::Variable(v))
    }

    fn statement(&mut self) -> PResult<()> {
        let line = self.c.line();
        match (self.c.peek(), self.c.peek_next()) {
            (Kind::End, _) => self.c.error("the function is not closed"),
            (Kind::Punct(';'), _) => {
                self.c.bump();
                Ok(())
            }
            (Kind::Punct('{'), _) => {
                self.c.bump();
                self.scopes.push(Scope::default());
                while !self.c.eat('}') {
                    self.statement()?;
                }
                self.close_scope()
            }
            (Kind::Dot(word), _) => {
                self.c.bump();
                self.directive(word).map_err(|e| {
                    if e.line == 0 {
                        ParseError { line, ..e }
                    } else {
                        e
                    }
                })
            }
            (Kind::Ident(name), Kind::Punct(':')) => {
                self.c.bump();
                self.c.bump();
                if self.c.eat_dot("branchtargets") {
                    let mut labels = Vec::new();
                    loop {
                        labels.push(self.c.ident()?.to_string());
                        if !self.c.eat(',') {
                            break;
                        }
                    }
                    self.c.expect(';')?;
                    self.scope().tables.insert(name.to_string(), labels);
                    return Ok(());
                }
                if let Kind::Dot(word @ ("callprototype" | "calltargets")) = self.c.peek() {
                    return self.c.error(format!(
                        "`.{word}`: indirect calls are not modelled by the simulator"
                    ));
                }
                let pc = self.b.code.len() as u32;
                if self.scope().labels.insert(name.to_string(), pc).is_some() {
                    return Err(ParseError::new(
                        line,
                        format!("the label `{name}` is defined twice"),
                    ));
                }
                Ok(())
            }
            _ => self.instruction(),
        }
    }

    fn directive(&mut self, word: &str) -> PResult<()> {
        match word {
            "reg" => self.registers(),
            "local" | "param" => {
                for d in decl::variables(self.c, Space::Local)? {
                    if d.open {
                        return Err(ParseError::new(
                            d.line,
                            format!("`{}` needs a size", d.name),
                        ));
                    }
                    if d.align > FRAME_ALIGN {
                        return Err(ParseError::new(
                            d.line,
                            format!(
                                "local variables are aligned to at most {FRAME_ALIGN} bytes here"
                            ),
                        ));
                    }
                    let at = self.f.frame.next_multiple_of(d.align);
                    self.f.frame = at.saturating_add(d.size as u32);
                    self.declare(&d.name, Name::Frame(at, d.size as u32))
                        .map_err(|m| ParseError::new(d.line, m))?;
                }
                Ok(())
            }
            "shared" | "global" | "const" => {
                let space = match word {
                    "shared" => Space::Shared,
                    "global" => Space::Global,
                    _ => Space::Const,
                };
                for d in decl::variables(self.c, space)? {
                    let (line, name) = (d.line, d.name.clone());
                    let index = self.b.variable(d, space, false)?;
                    self.declare(&name, Name::Variable(index))
                        .map_err(|m| ParseError::new(line, m))?;
                }
                Ok(())
            }
            "pragma" => super::pragma(self.c),
            "loc" => {
                for _ in 0..3 {
                    self.c.const_int()?;
                }
                // `, function_name label, inlined_at file line column` of newer versions.
                while self.c.eat(',') {
                    if let Kind::Ident(_) = self.c.peek() {
                        self.c.bump();
                    }
                    while !matches!(self.c.peek(), Kind::Punct(',')) && self.loc_continues() {
                        self.c.bump();
                    }
                }
                Ok(())
            }
            _ => self.c.error(format!(
                "`.{word}` is not known to the simulator inside a function"
            )),
        }
    }

    /// Whether the next token still belongs to a `.loc` with inlining information.
    fn loc_continues(&self) -> bool {
        match self.c.peek() {
            Kind::Int(_) | Kind::Punct('+') => true,
            Kind::Ident(_) => matches!(self.c.peek_next(), Kind::Int(_) | Kind::Punct('+' | ',')),
            _ => false,
        }
    }

    /// `.reg .type name<n>, name, ..;`
    fn registers(&mut self) -> PResult<()> {
        let word = self.c.dot()?;
        let Some(ty) = Type::parse(word) else {
            return self
                .c
                .error(format!("the simulator has no `.{word}` registers"));
        };
        loop {
            let line = self.c.line();
            let name = self.c.ident()?;
            let count = if self.c.eat('<') {
                let n = self.c.const_int()?;
                self.c.expect('>')?;
                Some(n.min(u64::from(u32::MAX)) as u32)
            } else {
                None
            };
            self.declare_register(name, ty, count)
                .map_err(|m| ParseError::new(line, m))?;
            if !self.c.eat(',') {
                return self.c.expect(';');
            }
        }
    }

    fn instruction(&mut self) -> PResult<()> {
        let line = self.c.line();
        let at = |m: String| ParseError::new(line, m);
        let guard = if self.c.eat('@') {
            let negated = self.c.eat('!');
            let name = self.c.ident()?;
            match self.lookup(name) {
                Some(Name::Pred(p)) => Some((p, negated)),
                _ => return Err(at(format!("`{name}` is not a predicate register"))),
            }
        } else {
            None
        };
        let opcode = self.c.ident()?;
        let mut mods = Vec::new();
        while let Kind::Dot(word) = self.c.peek() {
            mods.push(word);
            self.c.bump();
        }
        let mut operands: Vec<Operand> = Vec::new();
        if opcode == "call" {
            operands = operand::call(self.c)?;
        } else if self.c.peek() != Kind::Punct(';') {
            loop {
                operands.push(operand::operand(self.c)?);
                if !self.c.eat(',') {
                    break;
                }
            }
        }
        self.c.expect(';')?;
        let op = ops::decode(self, opcode, &mods, &operands).map_err(at)?;
        for op in self.before.drain(..) {
            self.b.code.push(Instr { op, guard, line });
        }
        if let Some((label, table)) = self.branch_to.take() {
            let pc = self.b.code.len() as u32;
            let target = if table { Target::Table } else { Target::Branch };
            self.scope().fixups.push(Fixup {
                pc,
                label,
                target,
                line,
            });
        }
        self.b.code.push(Instr { op, guard, line });
        Ok(())
    }

    /// Ends the innermost scope: its labels now resolve branches; others go one scope out.
    fn close_scope(&mut self) -> PResult<()> {
        let mut scope = self.scopes.pop().expect("scopes are closed once");
        let mut open = Vec::new();
        while let Some(fixup) = scope.fixups.pop() {
            if let Target::Table = fixup.target {
                match scope.tables.get(&fixup.label) {
                    None => open.push(fixup),
                    Some(labels) => {
                        if let Op::BrxIdx { targets, .. } = &mut self.b.code[fixup.pc as usize].op {
                            *targets = vec![0; labels.len()];
                        }
                        scope
                            .fixups
                            .extend(labels.iter().enumerate().map(|(i, label)| Fixup {
                                pc: fixup.pc,
                                label: label.clone(),
                                target: Target::Entry(i),
                                line: fixup.line,
                            }));
                    }
                }
                continue;
            }
            let Some(&pc) = scope.labels.get(&fixup.label) else {
                open.push(fixup);
                continue;
            };
            match (&mut self.b.code[fixup.pc as usize].op, fixup.target) {
                (Op::Bra { target }, _) => *target = pc,
                (Op::BrxIdx { targets, .. }, Target::Entry(i)) => targets[i] = pc,
                _ => {}
            }
        }
        match self.scopes.last_mut() {
            Some(outer) => outer.fixups.extend(open),
            None => {
                if let Some(f) = open.first() {
                    return Err(ParseError::new(
                        f.line,
                        format!("no label is called `{}`", f.label),
                    ));
                }
            }
        }
        Ok(())
    }
}
