//! A parsed module: decoded code, functions, variables, constants.

use super::fault::{ParseError, line_text};
use super::isa::{Const, Instr, Space, Type};
use super::mutate;
use super::parse;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A PTX module, decoded and ready to launch. Cloning is cheap and gives the same module: its
/// module-scope variables have one instance per [`super::Machine`].
#[derive(Clone)]
pub struct Module {
    pub(crate) data: Arc<ModuleData>,
}

/// What a module consists of.
pub(crate) struct ModuleData {
    pub id: u64,
    pub source: String,
    pub version: (u32, u32),
    pub target: u32,
    pub code: Vec<Instr>,
    pub functions: Vec<Function>,
    pub variables: Vec<Variable>,
    pub constants: Vec<Const>,
    /// Kernels and functions into which a mistake was put, see [`mutate`].
    pub mistaken: Vec<String>,
}

/// A kernel or device function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub name: String,
    pub entry: bool,
    /// Whether a body was seen; without one there is nothing to call.
    pub defined: bool,
    /// First instruction.
    pub start: u32,
    pub registers: u32,
    pub predicates: u32,
    /// Bytes of stack: parameters and results first, then local variables.
    pub frame: u32,
    pub params: Vec<Param>,
    pub results: Vec<Param>,
    /// `.reg` parameters and results: registers `0..` of the frame, parameters first.
    pub reg_params: Vec<Type>,
    pub reg_results: Vec<Type>,
    /// Functions called.
    pub calls: Vec<u32>,
    /// Shared variables named, as indices into the module's variables.
    pub shared: Vec<u32>,
    pub max_threads: Option<[u32; 3]>,
    pub required_threads: Option<[u32; 3]>,
    /// For messages: first register, count, name (a prefix where the count is given).
    pub register_names: Vec<(u32, Option<u32>, String)>,
    pub predicate_names: Vec<(u32, Option<u32>, String)>,
}

/// A parameter: its place in the parameter block (kernels) or frame (functions).
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub name: String,
    pub offset: u32,
    pub size: u32,
}

/// A variable in global, constant or shared memory.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: String,
    pub space: Space,
    pub size: u64,
    pub align: u32,
    /// `extern .shared name[]`: starts where the static shared memory ends.
    pub open: bool,
    pub init: Vec<u8>,
    /// `(offset, variable, addend)`.
    pub relocs: Vec<(u32, u32, i64)>,
}

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

impl Module {
    /// Parses and decodes PTX text.
    ///
    /// # Errors
    ///
    /// Anything that is not PTX, or PTX that the simulator does not model, or an instruction that
    /// the module's `.version` or `.target` does not have; with the line.
    ///
    /// ```
    /// use ptx_sim::Module;
    /// let e = Module::parse(".version 7.0\n.target sm_70\n.address_size 64\nfrob;").unwrap_err();
    /// assert_eq!(e.line, 4);
    /// ```
    pub fn parse(text: &str) -> Result<Module, ParseError> {
        let mutated = mutate::mutated(text);
        let text = mutated.as_ref().map_or(text, |(text, _)| text);
        let mut data = parse::parse(text).map_err(|e| e.with_text(text))?;
        data.mistaken = mutated.map_or_else(Vec::new, |(_, functions)| functions);
        data.id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        Ok(Module {
            data: Arc::new(data),
        })
    }

    /// Names of the module's kernels, in order.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.data
            .functions
            .iter()
            .filter(|f| f.entry && f.defined)
            .map(|f| f.name.as_str())
    }

    /// Sizes in bytes of a kernel's parameters, in order; `None` without such a kernel.
    pub fn parameters(&self, kernel: &str) -> Option<Vec<usize>> {
        let (_, f) = self.data.kernel(kernel)?;
        Some(f.params.iter().map(|p| p.size as usize).collect())
    }

    /// Static shared memory of a kernel in bytes; `None` without such a kernel.
    pub fn static_shared(&self, kernel: &str) -> Option<u32> {
        let (index, _) = self.data.kernel(kernel)?;
        Some(self.data.shared_layout(index).1)
    }

    /// `.version`, as (major, minor).
    pub fn version(&self) -> (u32, u32) {
        self.data.version
    }

    /// The number of `.target sm_N`.
    pub fn target(&self) -> u32 {
        self.data.target
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module")
            .field("kernels", &self.kernels().collect::<Vec<_>>())
            .field("instructions", &self.data.code.len())
            .finish()
    }
}

impl ModuleData {
    pub(crate) fn kernel(&self, name: &str) -> Option<(u32, &Function)> {
        let index = self
            .functions
            .iter()
            .position(|f| f.entry && f.defined && f.name == name)?;
        Some((index as u32, &self.functions[index]))
    }

    /// The function that holds an instruction: the last one that starts at or before it.
    pub(crate) fn function_at(&self, pc: u32) -> &Function {
        self.functions
            .iter()
            .filter(|f| f.defined && f.start <= pc)
            .max_by_key(|f| f.start)
            .expect("every instruction belongs to a function")
    }

    /// A kernel, and the functions that it calls.
    fn reached(&self, kernel: u32) -> Vec<&Function> {
        let mut seen = vec![false; self.functions.len()];
        let mut todo = vec![kernel];
        let mut reached = Vec::new();
        while let Some(f) = todo.pop() {
            if !std::mem::replace(&mut seen[f as usize], true) {
                let function = &self.functions[f as usize];
                todo.extend(&function.calls);
                reached.push(function);
            }
        }
        reached
    }

    /// Whether a mistake was put into a kernel or what it calls.
    pub(crate) fn is_mistaken(&self, kernel: u32) -> bool {
        let mistaken = |f: &&Function| self.mistaken.contains(&f.name);
        !self.mistaken.is_empty() && self.reached(kernel).iter().any(mistaken)
    }

    /// Offsets of the shared variables that a kernel and its callees name, and the static size.
    /// Open (`extern`) variables follow the static ones.
    pub(crate) fn shared_layout(&self, kernel: u32) -> (Vec<Option<u32>>, u32) {
        let mut offsets = vec![None; self.variables.len()];
        for function in self.reached(kernel) {
            for &v in &function.shared {
                offsets[v as usize] = Some(0);
            }
        }
        let mut size = 0u32;
        for open in [false, true] {
            for (variable, offset) in self.variables.iter().zip(&mut offsets) {
                if variable.open == open
                    && let Some(offset) = offset
                {
                    *offset = size.next_multiple_of(variable.align);
                    size = if open {
                        size
                    } else {
                        offset.saturating_add(variable.size as u32)
                    };
                }
            }
        }
        (offsets, size)
    }

    pub(crate) fn line_text(&self, line: u32) -> String {
        line_text(&self.source, line)
    }

    /// The source name of a register of the function at `pc`.
    pub(crate) fn register_name(&self, pc: u32, register: u32, predicate: bool) -> String {
        let f = self.function_at(pc);
        let names = if predicate {
            &f.predicate_names
        } else {
            &f.register_names
        };
        for (first, count, name) in names {
            match count {
                None if *first == register => return name.clone(),
                Some(n) if (*first..first + n).contains(&register) => {
                    return format!("{name}{}", register - first);
                }
                _ => {}
            }
        }
        "an operand".into()
    }
}
