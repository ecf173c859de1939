//! PTX text to a [`ModuleData`]: the directives of a module, in the order of the PTX ISA's
//! "Directives" chapter. Function bodies are read by [`body`], instructions by the files of
//! [`ops`].

mod body;
mod cursor;
mod decl;
mod lexer;
mod operand;
mod ops;

use super::fault::ParseError;
use super::isa::{Const, Instr, Space};
use super::module::{Function, ModuleData, Param, Variable};
use cursor::{Cursor, PResult};
use decl::Decl;
use lexer::Kind;
use std::collections::HashMap;

/// The newest `.version` whose text is known here.
const NEWEST_VERSION: (u32, u32) = (9, 0);

/// A module being built.
pub(super) struct Builder {
    version: (u32, u32),
    target: u32,
    code: Vec<Instr>,
    functions: Vec<Function>,
    function_index: HashMap<String, u32>,
    variables: Vec<Variable>,
    variable_index: HashMap<String, u32>,
    /// Initialisers that name variables: resolved when all are known.
    relocs: Vec<(u32, decl::Reloc, u32)>,
    constants: Vec<Const>,
    constant_index: HashMap<Const, usize>,
}

impl Builder {
    fn constant(&mut self, c: Const) -> usize {
        *self.constant_index.entry(c).or_insert_with(|| {
            self.constants.push(c);
            self.constants.len() - 1
        })
    }

    /// Adds a variable outside functions, or a static one inside; `visible` names can be found
    /// from every function.
    fn variable(&mut self, d: Decl, space: Space, visible: bool) -> PResult<u32> {
        let index = self.variables.len() as u32;
        if visible && self.variable_index.insert(d.name.clone(), index).is_some() {
            return Err(ParseError::new(
                d.line,
                format!("`{}` is declared twice", d.name),
            ));
        }
        if d.open && space != Space::Shared {
            return Err(ParseError::new(
                d.line,
                format!("`{}` needs a size", d.name),
            ));
        }
        self.relocs
            .extend(d.relocs.into_iter().map(|r| (index, r, d.line)));
        let zeroes = if space == Space::Shared {
            0
        } else {
            d.size as usize
        };
        self.variables.push(Variable {
            name: d.name,
            space,
            size: d.size,
            align: d.align,
            open: d.open,
            init: d.init.unwrap_or_else(|| vec![0; zeroes]),
            relocs: vec![],
        });
        Ok(index)
    }
}

/// Reads a module. The errors' lines have no text yet.
pub(super) fn parse(text: &str) -> PResult<ModuleData> {
    let mut c = Cursor::new(text)?;
    let (version, target) = header(&mut c)?;
    let mut b = Builder {
        version,
        target,
        code: vec![],
        functions: vec![],
        function_index: HashMap::new(),
        variables: vec![],
        variable_index: HashMap::new(),
        relocs: vec![],
        constants: vec![],
        constant_index: HashMap::new(),
    };
    while c.peek() != Kind::End {
        top_level(&mut c, &mut b)?;
    }
    for (variable, (offset, symbol, addend, _), line) in std::mem::take(&mut b.relocs) {
        let Some(&of) = b.variable_index.get(&symbol) else {
            return Err(ParseError::new(
                line,
                format!("no variable is called `{symbol}`"),
            ));
        };
        if !matches!(b.variables[of as usize].space, Space::Global | Space::Const) {
            return Err(ParseError::new(
                line,
                format!("the address of `{symbol}` is not constant"),
            ));
        }
        b.variables[variable as usize]
            .relocs
            .push((offset, of, addend));
    }
    Ok(ModuleData {
        id: 0,
        source: text.to_string(),
        version: b.version,
        target: b.target,
        code: b.code,
        functions: b.functions,
        variables: b.variables,
        constants: b.constants,
        mistaken: Vec::new(),
    })
}

/// `.version`, `.target` and `.address_size`, which come first.
fn header(c: &mut Cursor<'_>) -> PResult<((u32, u32), u32)> {
    if !c.eat_dot("version") {
        return c.error(format!(
            "a module starts with `.version`, found {}",
            c.peek()
        ));
    }
    let Kind::F64(bits) = c.peek() else {
        return c.error("expected a version like `7.0`");
    };
    // `7.0` was read as a number; a version has one digit after its point.
    let tenths = (f64::from_bits(bits) * 10.0).round() as u32;
    let version = (tenths / 10, tenths % 10);
    if version < (1, 0) || version > NEWEST_VERSION {
        return c.error(format!(
            "PTX {}.{} is not known to the simulator, which knows up to {}.{}",
            version.0, version.1, NEWEST_VERSION.0, NEWEST_VERSION.1
        ));
    }
    c.bump();
    if !c.eat_dot("target") {
        return c.error(format!("`.target` follows `.version`, found {}", c.peek()));
    }
    let mut target = None;
    loop {
        let word = c.ident()?;
        match word
            .strip_prefix("sm_")
            .map(|n| n.trim_end_matches(['a', 'f']).parse::<u32>())
        {
            Some(Ok(n)) if target.is_none() => target = Some(n),
            None if matches!(word, "debug" | "texmode_independent" | "texmode_unified") => {}
            _ => return c.error(format!("`{word}` is not a target")),
        }
        if !c.eat(',') {
            break;
        }
    }
    let Some(target) = target else {
        return c.error("`.target` needs an `sm_N`");
    };
    if c.eat_dot("address_size") {
        match c.const_int()? {
            64 => {}
            n => {
                return c.error(format!(
                    "only 64-bit addresses are modelled, not {n}-bit ones"
                ));
            }
        }
    } else {
        return c.error("`.address_size 64` must follow `.target`: the default is 32 bits");
    }
    Ok((version, target))
}

fn top_level(c: &mut Cursor<'_>, b: &mut Builder) -> PResult<()> {
    let mut external = false;
    loop {
        let word = match c.peek() {
            Kind::Dot(word) => word,
            other => return c.error(format!("expected a directive, found {other}")),
        };
        match word {
            "visible" | "weak" | "common" => {
                c.bump();
            }
            "extern" => {
                c.bump();
                external = true;
            }
            "entry" | "func" => {
                c.bump();
                return function(c, b, word == "entry", external);
            }
            "global" | "const" | "shared" => {
                c.bump();
                let space = match word {
                    "global" => Space::Global,
                    "const" => Space::Const,
                    _ => Space::Shared,
                };
                let line = c.line();
                for d in decl::variables(c, space)? {
                    if external && !(d.open && space == Space::Shared) {
                        return Err(ParseError::new(
                            line,
                            format!(
                                "`{}` is defined in another module, and modules are not linked here",
                                d.name
                            ),
                        ));
                    }
                    b.variable(d, space, true)?;
                }
                return Ok(());
            }
            "file" => {
                c.bump();
                c.const_int()?;
                if !matches!(c.bump(), Kind::Str(_)) {
                    return c.error("expected the file's name");
                }
                while c.eat(',') {
                    c.const_int()?;
                }
                return Ok(());
            }
            "section" => {
                // DWARF: says nothing about execution.
                c.bump();
                c.dot()?;
                while c.peek() != Kind::End && !c.eat('}') {
                    c.bump();
                }
                return Ok(());
            }
            "pragma" => {
                c.bump();
                return pragma(c);
            }
            _ => {
                return c.error(format!(
                    "`.{word}` is not a directive that the simulator knows"
                ));
            }
        }
    }
}

/// `"text", "text";` after `.pragma`.
fn pragma(c: &mut Cursor<'_>) -> PResult<()> {
    loop {
        match c.bump() {
            Kind::Str("nounroll") => {}
            Kind::Str(s)
                if s.starts_with("used_bytes_mask") || s.starts_with("enable_smem_spilling") => {}
            other => return c.error(format!("{other} is not a pragma that the simulator knows")),
        }
        if !c.eat(',') {
            return c.expect(';');
        }
    }
}

/// A list of parameters in parentheses; nothing without the parentheses.
fn parameters(c: &mut Cursor<'_>, entry: bool) -> PResult<Vec<(Decl, bool)>> {
    let mut list = Vec::new();
    if !c.eat('(') || c.eat(')') {
        return Ok(list);
    }
    loop {
        let word = c.dot()?;
        match word {
            "param" => list.push((decl::parameter(c)?, false)),
            "reg" if !entry => list.push((decl::parameter(c)?, true)),
            _ => return c.error(format!("expected `.param`, found `.{word}`")),
        }
        if !c.eat(',') {
            c.expect(')')?;
            return Ok(list);
        }
    }
}

fn function(c: &mut Cursor<'_>, b: &mut Builder, entry: bool, external: bool) -> PResult<()> {
    let results = if entry { vec![] } else { parameters(c, false)? };
    let line = c.line();
    let name = c.ident()?.to_string();
    let params = parameters(c, entry)?;
    let mut f = Function {
        name: name.clone(),
        entry,
        ..Function::default()
    };
    let mut offset = 0u32;
    let mut place = |d: &Decl| {
        let at = offset.next_multiple_of(d.align.max(1));
        offset = at + d.size as u32;
        Param {
            name: d.name.clone(),
            offset: at,
            size: d.size as u32,
        }
    };
    f.params = params
        .iter()
        .filter(|p| !p.1)
        .map(|p| place(&p.0))
        .collect();
    f.results = results
        .iter()
        .filter(|p| !p.1)
        .map(|p| place(&p.0))
        .collect();
    f.frame = offset;
    f.reg_params = params.iter().filter(|p| p.1).map(|p| p.0.ty).collect();
    f.reg_results = results.iter().filter(|p| p.1).map(|p| p.0.ty).collect();
    attributes(c, &mut f)?;
    let index = match b.function_index.get(&name) {
        None => {
            let index = b.functions.len() as u32;
            b.function_index.insert(name.clone(), index);
            b.functions.push(f);
            index
        }
        Some(&index) => {
            let old = &b.functions[index as usize];
            let sizes = |p: &[Param]| p.iter().map(|p| p.size).collect::<Vec<_>>();
            if old.entry != entry
                || sizes(&old.params) != sizes(&f.params)
                || sizes(&old.results) != sizes(&f.results)
                || old.reg_params != f.reg_params
                || old.reg_results != f.reg_results
            {
                return Err(ParseError::new(
                    line,
                    format!("`{name}` was declared differently before"),
                ));
            }
            if old.defined {
                return Err(ParseError::new(line, format!("`{name}` is defined twice")));
            }
            b.functions[index as usize] = f;
            index
        }
    };
    if c.eat(';') {
        // A prototype, its body here or in a module that is never linked: an error where called.
        return Ok(());
    }
    if external {
        return Err(ParseError::new(
            line,
            format!("`{name}` is `.extern` and has a body"),
        ));
    }
    body::function(c, b, index, &params, &results)
}

/// Performance directives between a function's parameters and its body.
fn attributes(c: &mut Cursor<'_>, f: &mut Function) -> PResult<()> {
    let dims = |c: &mut Cursor<'_>| -> PResult<[u32; 3]> {
        let mut d = [1; 3];
        for (i, n) in d.iter_mut().enumerate() {
            if i > 0 && !c.eat(',') {
                break;
            }
            *n = c.const_int()? as u32;
        }
        Ok(d)
    };
    while let Kind::Dot(word) = c.peek() {
        c.bump();
        match word {
            "maxntid" => f.max_threads = Some(dims(c)?),
            "reqntid" => f.required_threads = Some(dims(c)?),
            // Hints to the register allocator and the occupancy calculation.
            "minnctapersm" | "maxnctapersm" | "maxnreg" => {
                c.const_int()?;
            }
            "noreturn" => {}
            "pragma" => pragma(c)?,
            _ => return c.error(format!("`.{word}` is not modelled by the simulator")),
        }
    }
    Ok(())
}
