//! A typed writer of PTX text: functions with named registers, labels, comments and code out of line.
//!
//! Instructions are given by their full opcode and their operands; the class of a result follows from
//! the opcode, so a register can never be declared with another width than it is used with. The text
//! is made to be read: a register carries the name of what it holds.

mod operand;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Write};

pub use self::operand::{Class, Label, Operand, Reg};

/// Emits an instruction without a result: `emit!(f, "st.shared.u32", at, value)`.
#[macro_export]
macro_rules! emit {
    ($f:expr, $opcode:expr $(, $operand:expr)* $(,)?) => {
        $f.op(&$opcode, &[$($crate::writer::Operand::from($operand)),*])
    };
}

/// Emits an instruction and returns the register of its result: `value!(f, "sum", "add.u32", a, b)`.
#[macro_export]
macro_rules! value {
    ($f:expr, $name:expr, $opcode:expr $(, $operand:expr)* $(,)?) => {
        $f.value(&$name, &$opcode, &[$($crate::writer::Operand::from($operand)),*])
    };
}

/// Slots of the parameter of a [series](Function::series): the 4 KiB that every driver takes.
pub const SERIES_SLOTS: usize = 512;

/// The name of that parameter.
const CALLS: &str = "calls";

/// A function being written.
#[derive(Clone, Debug)]
pub struct Function {
    name: String,
    params: Vec<String>,
    directives: Vec<String>,
    declarations: Vec<String>,
    registers: HashMap<Class, Vec<String>>,
    names: HashMap<String, u32>,
    labels: Vec<String>,
    // The body, and the blocks out of line that are being written, innermost last.
    open: Vec<String>,
    // The finished blocks out of line.
    cold: String,
    // Where the calls are, if it runs several.
    calls: Option<Calls>,
}

/// Where the call is that a series has come to, how many are left, and where the next one begins.
#[derive(Clone, Copy, Debug)]
struct Calls {
    at: Reg,
    left: Reg,
    next: Label,
}

impl Function {
    /// A kernel whose parameters are 64-bit slots.
    pub fn entry(name: impl Into<String>, params: impl IntoIterator<Item = String>) -> Function {
        Function {
            name: name.into(),
            params: params.into_iter().collect(),
            directives: Vec::new(),
            declarations: Vec::new(),
            registers: HashMap::new(),
            names: HashMap::new(),
            labels: Vec::new(),
            open: vec![String::new()],
            cold: String::new(),
            calls: None,
        }
    }

    /// A kernel of one gang that runs calls of an entry with these parameters one after the other. Its only parameter is made of 64-bit slots:
    /// how many calls, then those of each, [`SERIES_SLOTS`] at most. What is written next is run for each call, until
    /// [`end_call`](Function::end_call). A call finds what those before it have written: loads that go around the
    /// coherent cache become ordinary ones.
    pub fn series(name: impl Into<String>, params: impl IntoIterator<Item = String>) -> Function {
        let mut f = Function::entry(name, params);
        let block = f.param_name(CALLS);
        let at = f.reg(Class::B64, CALLS);
        let line = format!("    mov.u64 {}, {block};\n", f.text(&at.into()));
        f.out().push_str(&line);
        let left = value!(f, "left", "ld.param.u64", Operand::At(at, 0));
        emit!(f, "add.u64", at, at, 8);
        let next = f.label("call");
        f.place(next);
        f.keep_rolled();
        f.calls = Some(Calls { at, left, next });
        f
    }

    /// Ends a call of a series: the next one begins when all threads have come here. Does nothing in another kernel.
    pub fn end_call(&mut self) {
        let Some(Calls { at, left, next }) = self.calls else {
            return;
        };
        let bytes = 8 * self.params.len() as u32;
        emit!(self, "bar.sync", 0);
        emit!(self, "add.u64", at, at, bytes);
        emit!(self, "sub.u64", left, left, 1);
        let more = value!(self, "more", "setp.ne.u64", left, 0);
        self.branch_if(more, true, next);
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds a directive between the parameters and the body: `.maxntid 1024, 1, 1`.
    pub fn directive(&mut self, text: impl Into<String>) {
        self.directives.push(text.into());
    }

    /// Adds a declaration to the body: `.shared .align 4 .b8 last[4];`.
    pub fn declare(&mut self, text: impl Into<String>) {
        self.declarations.push(text.into());
    }

    /// A name that nothing else in this function has, from a wish.
    pub fn unique(&mut self, wish: &str) -> String {
        let mut name: String = wish
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '_' {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        if name.is_empty() {
            name.push('v');
        }
        let count = self.names.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 {
            return name;
        }
        // `x_2` may itself have been wished for: ask again with the longer name.
        let next = format!("{name}_{count}");
        self.unique(&next)
    }

    /// A new register.
    pub fn reg(&mut self, class: Class, name: &str) -> Reg {
        let unique = self.unique(&format!("{}_{name}", class.prefix()));
        let list = self.registers.entry(class).or_default();
        list.push(unique);
        Reg {
            class,
            number: list.len() as u32 - 1,
        }
    }

    /// A new label, to be placed once.
    pub fn label(&mut self, name: &str) -> Label {
        let unique = self.unique(&name.to_ascii_uppercase());
        self.labels.push(unique);
        Label(self.labels.len() as u32 - 1)
    }

    fn out(&mut self) -> &mut String {
        self.open.last_mut().expect("the body is always open")
    }

    /// Places a label here.
    pub fn place(&mut self, label: Label) {
        let line = format!("{}:\n", self.labels[label.0 as usize]);
        self.out().push_str(&line);
    }

    /// Keeps the assembler from unrolling the loop whose label was just placed.
    pub fn keep_rolled(&mut self) {
        self.out().push_str("    .pragma \"nounroll\";\n");
    }

    /// A comment line. Line breaks in the text become spaces.
    pub fn comment(&mut self, text: &str) {
        let text = ascii(text);
        let line = format!("    // {text}\n");
        self.out().push_str(&line);
    }

    /// Begins code that belongs out of the line of the others, behind the function's end: what seldom runs. It must
    /// end with a branch.
    pub fn open_out_of_line(&mut self) {
        self.open.push(String::new());
    }

    /// Ends it.
    pub fn close_out_of_line(&mut self) {
        if self.open.len() > 1 {
            let block = self.open.pop().unwrap_or_default();
            self.cold.push_str(&block);
        }
    }

    /// An instruction without a result, or with its result as the first operand.
    pub fn op(&mut self, opcode: &str, operands: &[Operand]) {
        let text = self.instruction("", opcode, operands);
        self.out().push_str(&text);
    }

    /// The same under a predicate, or its negation.
    pub fn op_if(&mut self, predicate: Reg, holds: bool, opcode: &str, operands: &[Operand]) {
        let guard = self.guard(predicate, holds);
        let text = self.instruction(&guard, opcode, operands);
        self.out().push_str(&text);
    }

    /// An instruction whose result goes into a new register.
    pub fn value(&mut self, name: &str, opcode: &str, operands: &[Operand]) -> Reg {
        let reg = self.reg(Class::of_result(opcode), name);
        let mut all = Vec::with_capacity(operands.len() + 1);
        all.push(Operand::Reg(reg));
        all.extend_from_slice(operands);
        self.op(opcode, &all);
        reg
    }

    /// A move into a register.
    pub fn assign(&mut self, to: Reg, from: impl Into<Operand>) {
        let opcode = format!("mov.{}", to.class.suffix());
        self.op(&opcode, &[to.into(), from.into()]);
    }

    /// A vector load: `ld.global.v4.u32 {a, b, c, d}, [at]`.
    pub fn load_vector(&mut self, opcode: &str, into: &[Reg], at: Operand) {
        self.load_vector_behind("", opcode, into, at);
    }

    /// The same where a predicate holds.
    pub fn load_vector_if(&mut self, when: Reg, opcode: &str, into: &[Reg], at: Operand) {
        let guard = self.guard(when, true);
        self.load_vector_behind(&guard, opcode, into, at);
    }

    fn load_vector_behind(&mut self, guard: &str, opcode: &str, into: &[Reg], at: Operand) {
        let opcode = self.coherent(opcode);
        let list: Vec<String> = into.iter().map(|r| self.text(&Operand::Reg(*r))).collect();
        let line = format!(
            "    {guard}{opcode} {{{}}}, {};\n",
            list.join(", "),
            self.text(&at)
        );
        self.out().push_str(&line);
    }

    /// A vector store: `st.shared.v4.u32 [at], {a, b, c, d}`.
    pub fn store_vector(&mut self, opcode: &str, at: Operand, from: &[Operand]) {
        self.store_vector_behind("", opcode, at, from);
    }

    /// The same where a predicate holds.
    pub fn store_vector_if(&mut self, when: Reg, opcode: &str, at: Operand, from: &[Operand]) {
        let guard = self.guard(when, true);
        self.store_vector_behind(&guard, opcode, at, from);
    }

    fn store_vector_behind(&mut self, guard: &str, opcode: &str, at: Operand, from: &[Operand]) {
        let list: Vec<String> = from.iter().map(|r| self.text(r)).collect();
        let line = format!(
            "    {guard}{opcode} {}, {{{}}};\n",
            self.text(&at),
            list.join(", ")
        );
        self.out().push_str(&line);
    }

    /// Products at several positions, added to 16 x 8 sums of a warp by the tensor cores: `mma.m16n8k8` and its like, with the thread's sums, its
    /// elements of both rows for four positions after the other, and of its column.
    pub fn mma_f64(&mut self, sums: [Reg; 4], a: &[Reg], b: &[Reg]) {
        let list = |regs: &[Reg]| {
            let names: Vec<String> = regs.iter().map(|r| self.text(&(*r).into())).collect();
            names.join(", ")
        };
        let (positions, sums) = (4 * b.len(), list(&sums));
        let line = format!(
            "    mma.sync.aligned.m16n8k{positions}.row.col.f64.f64.f64.f64 {{{sums}}}, {{{}}}, {{{}}}, {{{sums}}};\n",
            list(a),
            list(b)
        );
        self.out().push_str(&line);
    }

    /// Splits 64 bits into two words.
    pub fn unpack(&mut self, low: Reg, high: Reg, from: Reg) {
        let line = format!(
            "    mov.b64 {{{}, {}}}, {};\n",
            self.text(&low.into()),
            self.text(&high.into()),
            self.text(&from.into())
        );
        self.out().push_str(&line);
    }

    /// Joins two words to 64 bits.
    pub fn pack(&mut self, low: Reg, high: Reg) -> Reg {
        let reg = self.reg(Class::B64, "both");
        let line = format!(
            "    mov.b64 {}, {{{}, {}}};\n",
            self.text(&reg.into()),
            self.text(&low.into()),
            self.text(&high.into())
        );
        self.out().push_str(&line);
        reg
    }

    /// A branch; `uniform` where all threads of a warp that come here take it together.
    pub fn branch(&mut self, to: Label, uniform: bool) {
        let line = format!(
            "    bra{} {};\n",
            if uniform { ".uni" } else { "" },
            self.labels[to.0 as usize]
        );
        self.out().push_str(&line);
    }

    /// A branch where a predicate holds, or where it does not.
    pub fn branch_if(&mut self, predicate: Reg, holds: bool, to: Label) {
        let line = format!(
            "    {}bra {};\n",
            self.guard(predicate, holds),
            self.labels[to.0 as usize]
        );
        self.out().push_str(&line);
    }

    /// Loads a parameter of an entry, or of the call that a series has come to.
    pub fn load_param(&mut self, param: &str) -> Reg {
        if let Some(Calls { at, .. }) = self.calls {
            let slot = self.params.iter().position(|known| known == param);
            let slot = slot.expect("a kernel loads parameters that it has");
            return value!(
                self,
                param,
                "ld.param.u64",
                Operand::At(at, 8 * slot as i64)
            );
        }
        let reg = self.reg(Class::B64, param);
        let line = format!(
            "    ld.param.u64 {}, [{}];\n",
            self.text(&reg.into()),
            self.param_name(param)
        );
        self.out().push_str(&line);
        reg
    }

    /// The address of a variable of the module or the function, in its own space.
    pub fn address_of(&mut self, class: Class, symbol: &str) -> Reg {
        let reg = self.reg(class, symbol);
        let suffix = if class == Class::B32 { "u32" } else { "u64" };
        let line = format!("    mov.{suffix} {}, {symbol};\n", self.text(&reg.into()));
        self.out().push_str(&line);
        reg
    }

    /// Reads a special register: `%tid.x`.
    pub fn special(&mut self, name: &str, special: &str) -> Reg {
        let reg = self.reg(Class::B32, name);
        let line = format!("    mov.u32 {}, {special};\n", self.text(&reg.into()));
        self.out().push_str(&line);
        reg
    }

    /// Calls a function of the module with values in registers and returns its result.
    pub fn call(
        &mut self,
        function: &str,
        arguments: &[Operand],
        classes: &[Class],
        result: Class,
    ) -> Reg {
        let to = self.reg(result, "result");
        let mut text = String::from("    {\n");
        let mut names = Vec::new();
        for (n, (argument, class)) in arguments.iter().zip(classes).enumerate() {
            let suffix = class.suffix();
            let _ = writeln!(text, "        .param .{suffix} argument_{n};");
            let _ = writeln!(
                text,
                "        st.param.{suffix} [argument_{n}], {};",
                self.text(argument)
            );
            names.push(format!("argument_{n}"));
        }
        let suffix = result.suffix();
        let _ = writeln!(text, "        .param .{suffix} returned;");
        let _ = writeln!(
            text,
            "        call.uni (returned), {function}, ({});",
            names.join(", ")
        );
        let _ = writeln!(
            text,
            "        ld.param.{suffix} {}, [returned];",
            self.text(&to.into())
        );
        text.push_str("    }\n");
        self.out().push_str(&text);
        to
    }

    fn guard(&self, predicate: Reg, holds: bool) -> String {
        format!(
            "@{}{} ",
            if holds { "" } else { "!" },
            self.text(&predicate.into())
        )
    }

    /// The opcode of a load as this kernel may have it.
    fn coherent<'o>(&self, opcode: &'o str) -> Cow<'o, str> {
        match self.calls {
            Some(_) if opcode.starts_with("ld.global.nc.") => opcode.replacen(".nc", "", 1).into(),
            _ => opcode.into(),
        }
    }

    fn instruction(&self, guard: &str, opcode: &str, operands: &[Operand]) -> String {
        let opcode = self.coherent(opcode);
        let mut text = format!("    {guard}{opcode}");
        for (n, operand) in operands.iter().enumerate() {
            text.push_str(if n == 0 { " " } else { ", " });
            text.push_str(&self.text(operand));
        }
        text.push_str(";\n");
        text
    }

    fn text(&self, operand: &Operand) -> String {
        let name = |reg: &Reg| format!("%{}", self.registers[&reg.class][reg.number as usize]);
        match operand {
            Operand::Reg(reg) => name(reg),
            Operand::Int(value) => value.to_string(),
            Operand::F32(bits) => format!("0f{bits:08X}"),
            Operand::F64(bits) => format!("0d{bits:016X}"),
            Operand::At(reg, 0) => format!("[{}]", name(reg)),
            Operand::At(reg, offset) => format!("[{}+{offset}]", name(reg)),
        }
    }

    fn param_name(&self, param: &str) -> String {
        format!("{}_{param}", self.name)
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".visible .entry {}(", self.name)?;
        let params: Vec<String> = match self.calls {
            Some(_) => vec![format!(
                ".align 8 .b8 {}[{}]",
                self.param_name(CALLS),
                8 * SERIES_SLOTS
            )],
            None => {
                let single = self.params.iter();
                single
                    .map(|p| format!(".u64 {}", self.param_name(p)))
                    .collect()
            }
        };
        for (n, param) in params.iter().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            write!(f, "{comma}\n    .param {param}")?;
        }
        writeln!(f, "\n)")?;
        for directive in &self.directives {
            writeln!(f, "{directive}")?;
        }
        writeln!(f, "{{")?;
        for class in Class::ALL {
            for names in self.registers.get(&class).map_or(&[][..], |n| n).chunks(8) {
                let list: Vec<String> = names.iter().map(|n| format!("%{n}")).collect();
                writeln!(f, "    .reg {} {};", class.declaration(), list.join(", "))?;
            }
        }
        for declaration in &self.declarations {
            writeln!(f, "    {declaration}")?;
        }
        write!(f, "\n{}", self.open.concat())?;
        if !self.cold.is_empty() {
            write!(f, "\n    // Out of line.\n{}", self.cold)?;
        }
        writeln!(f, "}}")
    }
}

/// A module being written.
#[derive(Debug)]
pub struct ModuleText {
    header: Vec<String>,
    version: (u32, u32),
    sm: u32,
    declarations: Vec<String>,
    functions: Vec<String>,
}

impl ModuleText {
    /// A module for devices of compute capability `sm / 10` and newer, with comment lines at its top.
    pub fn new(sm: u32, header: Vec<String>) -> ModuleText {
        ModuleText {
            header,
            // What knows of a device as new is as old as its first driver.
            version: if sm < 90 { (7, 0) } else { (7, 8) },
            sm,
            declarations: Vec::new(),
            functions: Vec::new(),
        }
    }

    /// Adds a declaration: a variable of the module.
    pub fn declare(&mut self, text: impl Into<String>) {
        self.declarations.push(text.into());
    }

    /// Adds text that stands before the entries: functions that they call.
    pub fn library(&mut self, text: impl Into<String>) {
        self.functions.push(text.into());
    }

    /// Adds a function.
    pub fn function(&mut self, function: &Function) {
        self.functions.push(function.to_string());
    }
}

impl fmt::Display for ModuleText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.header {
            writeln!(f, "// {}", ascii(line))?;
        }
        writeln!(
            f,
            ".version {}.{}\n.target sm_{}\n.address_size 64",
            self.version.0, self.version.1, self.sm
        )?;
        if !self.declarations.is_empty() {
            writeln!(f)?;
        }
        for declaration in &self.declarations {
            writeln!(f, "{declaration}")?;
        }
        for function in &self.functions {
            write!(f, "\n{function}")?;
        }
        Ok(())
    }
}

/// The text of a comment: ptxas takes ASCII only, there too.
fn ascii(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            ' '..='~' => c,
            c if c.is_control() => ' ',
            _ => '?',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_of_a_result_follows_from_the_opcode() {
        for (opcode, class) in [
            ("add.u32", Class::B32),
            ("mul.wide.u32", Class::B64),
            ("mad.wide.s32", Class::B64),
            ("setp.lt.f64", Class::Pred),
            ("cvt.rzi.s32.f64", Class::B32),
            ("cvt.rn.f64.u64", Class::F64),
            ("popc.b64", Class::B32),
            ("selp.f32", Class::F32),
            ("ld.global.nc.s8", Class::B32),
            ("atom.shared.cas.b64", Class::B64),
            ("shfl.sync.bfly.b32", Class::B32),
        ] {
            assert_eq!(Class::of_result(opcode), class, "{opcode}");
        }
    }

    #[test]
    fn comments_are_ascii() {
        let mut module = ModuleText::new(70, vec!["over größe".to_owned()]);
        let mut f = Function::entry("f", []);
        f.comment("s += größe[i]");
        module.function(&f);
        assert!(module.to_string().is_ascii(), "{module}");
    }

    #[test]
    fn names_are_unique_and_blocks_out_of_line_stand_behind() {
        let mut f = Function::entry("f", ["n".to_owned()]);
        let n = f.load_param("n");
        let x = value!(f, "x", "add.u64", n, 1);
        let again = value!(f, "x", "add.u64", x, 2);
        let (cold, back) = (f.label("cold"), f.label("back"));
        f.open_out_of_line();
        f.place(cold);
        f.branch(back, true);
        f.close_out_of_line();
        f.place(back);
        f.op("st.global.u64", &[Operand::At(again, -8), x.into()]);
        let text = f.to_string();
        assert!(text.contains("add.u64 %rd_x_2, %rd_x, 2;"), "{text}");
        assert!(
            text.contains("st.global.u64 [%rd_x_2+-8], %rd_x;"),
            "{text}"
        );
        assert!(text.find("COLD:") > text.find("BACK:"), "{text}");
    }
}
