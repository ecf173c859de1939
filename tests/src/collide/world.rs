//! Modules, what is declared in them, and how one place spells what another declares.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::choices::Choices;

/// What a name means, as far as one of it can stand for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// `fn(u32) -> u32`, of which kernels may know the body.
    Function { device: bool },
    /// A `u32`; a `const` may stand in patterns.
    Constant { pattern: bool },
    /// A type of numbers.
    Alias,
    /// A struct of two `u32`, `x` and `y`, with a function and a constant of its own.
    Struct { device: bool },
    /// An enum with the variants `A`, `B`, `C`.
    Enum,
}

impl What {
    /// Whether it is in the namespace of values.
    pub(super) fn value(self) -> bool {
        matches!(self, What::Function { .. } | What::Constant { .. })
    }
}

/// Something that is declared.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    pub(super) module: usize,
    pub(super) name: String,
    pub(super) what: What,
}

/// A module of the program; the first is its root.
#[derive(Clone, Debug)]
pub(super) struct Module {
    pub(super) name: String,
    pub(super) parent: usize,
    /// Names that are taken: in values, types or macros.
    taken: BTreeSet<(char, String)>,
    /// What names in scope mean: by declaration or import.
    pub(super) names: Vec<(String, usize)>,
    /// What globs bring.
    pub(super) globs: Vec<(String, usize)>,
    /// Names of modules in scope that are others'.
    pub(super) renamed: Vec<(String, usize)>,
    pub(super) items: String,
}

/// A program under construction.
pub(super) struct World<'a> {
    pub(super) number: usize,
    pub(super) choices: &'a mut Choices,
    pub(super) modules: Vec<Module>,
    pub(super) entities: Vec<Entity>,
    /// Numbers that are told apart.
    salt: u32,
    /// The function and the constant of each struct.
    pub(super) members: BTreeMap<usize, (&'static str, &'static str)>,
    /// What a module has of traits, macros and modules with names of the standard library.
    pub(super) has: BTreeSet<(usize, &'static str)>,
    /// Whether little is drawn of what has no form in kernels.
    pub(super) calm: bool,
}

/// Where an expression stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) module: usize,
    /// Variables of type `u32`.
    pub(super) locals: Vec<String>,
    /// Variables of type `&u32`.
    pub(super) refs: Vec<String>,
    /// Names that are variables or functions of the body here, and mean no item of the module's.
    pub(super) hidden: Vec<String>,
    /// Whether this is the loop, or a function that others call.
    pub(super) body: bool,
    /// Device functions that were mentioned, by how they can be named from this module.
    pub(super) used: Vec<usize>,
}

impl<'a> World<'a> {
    pub(super) fn new(number: usize, choices: &'a mut Choices) -> World<'a> {
        let mut world = World {
            number,
            choices,
            modules: Vec::new(),
            entities: Vec::new(),
            salt: 0,
            members: BTreeMap::new(),
            has: BTreeSet::new(),
            calm: false,
        };
        world.module("user", 0);
        world.calm = world.choices.chance(2, 3);
        world
    }

    pub(super) fn module(&mut self, name: &str, parent: usize) -> usize {
        self.modules.push(Module {
            name: name.to_string(),
            parent,
            taken: BTreeSet::new(),
            names: Vec::new(),
            globs: Vec::new(),
            renamed: Vec::new(),
            items: String::new(),
        });
        self.modules.len() - 1
    }

    /// Takes a name in a namespace of a module, if it is free.
    pub(super) fn claim(&mut self, module: usize, space: char, name: &str) -> bool {
        self.modules[module].taken.insert((space, name.to_string()))
    }

    /// A number that no other has.
    pub(super) fn salt(&mut self) -> u32 {
        self.salt += 1;
        self.salt * 2 + 1 + (self.choices.bits() % 7) * 64
    }

    pub(super) fn item(&mut self, module: usize, text: &str) {
        self.modules[module].items.push_str(text);
        self.modules[module].items.push('\n');
    }

    pub(super) fn entity(&mut self, module: usize, name: &str, what: What) -> usize {
        self.entities.push(Entity {
            module,
            name: name.to_string(),
            what,
        });
        let id = self.entities.len() - 1;
        self.modules[module].names.push((name.to_string(), id));
        id
    }

    /// Draws what is declared: children first, so that what they call is there.
    pub(super) fn declare(&mut self) {
        let names = [
            "a", "b", "c", "image", "cmp", "mem", "f32", "r#mod", "accrue", "core",
        ];
        let count = 1 + self.choices.below(3);
        let mut children = Vec::new();
        for _ in 0..count {
            let wide = if self.choices.chance(1, 4) {
                names.len()
            } else {
                4
            };
            let name = self.choices.pick(&names[..wide]);
            let parent = match children.last() {
                Some(last) if self.choices.chance(1, 4) => *last,
                _ => 0,
            };
            if self.claim(parent, 't', name) {
                children.push(self.module(name, parent));
            }
        }
        for module in children.into_iter().rev().chain([0]) {
            self.imports(module);
            self.declare_types(module);
            self.declare_constants(module);
            self.declare_structs(module);
            self.declare_methods(module);
            self.declare_macros(module);
            self.declare_modules(module);
            self.declare_functions(module);
        }
    }

    /// Imports of what is declared already.
    fn imports(&mut self, module: usize) {
        for _ in 0..self.choices.below(4) {
            let Some(id) = self.any(|_, _| true) else {
                return;
            };
            let Entity {
                module: from,
                name,
                what,
            } = self.entities[id].clone();
            let space = if what.value() { 'v' } else { 't' };
            if from == module {
                continue;
            }
            let path = self.path(from);
            let visible = self.choices.pick(&["", "pub ", "pub(crate) "]);
            match self.choices.below(4) {
                0 | 1 => {
                    if self.claim(module, space, &name) && self.claim(module, 'm', &name) {
                        self.item(module, &format!("{visible}use {path}::{name};"));
                        self.modules[module].names.push((name, id));
                    }
                }
                2 => {
                    let pool = match what {
                        What::Function { .. } => &super::functions::NAMES[..],
                        What::Constant { .. } => &super::constants::NAMES[..],
                        What::Alias => &super::types::NAMES[..],
                        What::Struct { .. } | What::Enum => &super::structs::NAMES[..],
                    };
                    let other = self.choices.pick(pool);
                    if what == (What::Constant { pattern: false })
                        && ["A", "B", "K"].contains(&other)
                    {
                        continue;
                    }
                    if self.claim(module, space, other) && self.claim(module, 'm', other) {
                        self.item(module, &format!("{visible}use {path}::{name} as {other};"));
                        self.modules[module].names.push((other.to_string(), id));
                    }
                }
                _ if self.modules[module].globs.is_empty() => {
                    self.item(module, &format!("{visible}use {path}::*;"));
                    let all = self
                        .entities
                        .iter()
                        .enumerate()
                        .filter(|(_, e)| e.module == from);
                    self.modules[module].globs = all.map(|(i, e)| (e.name.clone(), i)).collect();
                }
                _ => {
                    let other = self.choices.pick(&["m", "a", "b", "image"]);
                    if self.claim(module, 't', other) {
                        self.item(module, &format!("{visible}use {path} as {other};"));
                        self.modules[module].renamed.push((other.to_string(), from));
                    }
                }
            }
        }
    }

    /// Some entity, of those that fit.
    pub(super) fn any(&mut self, fits: impl Fn(usize, &Entity) -> bool) -> Option<usize> {
        let list: Vec<usize> = self
            .entities
            .iter()
            .enumerate()
            .filter(|(i, e)| fits(*i, e))
            .map(|(i, _)| i)
            .collect();
        if list.is_empty() {
            None
        } else {
            Some(self.choices.pick(&list))
        }
    }

    /// The path of a module from the crate.
    pub(super) fn path(&self, module: usize) -> String {
        match module {
            0 => format!("crate::p{}::user", self.number),
            m => format!(
                "{}::{}",
                self.path(self.modules[m].parent),
                self.modules[m].name
            ),
        }
    }

    /// A spelling of an entity where an expression stands.
    pub(super) fn spell(&mut self, id: usize, scope: &Scope) -> String {
        let Entity { module, name, what } = self.entities[id].clone();
        let here = &self.modules[scope.module];
        let mut ways = vec![format!("{}::{name}", self.path(module))];
        let bare = |name: &String| !what.value() || !scope.hidden.contains(name);
        for (alias, other) in &here.names {
            if *other == id && bare(alias) {
                ways.extend([alias.clone(), alias.clone(), format!("self::{alias}")]);
                if !alias.starts_with("r#") && !scope.body {
                    ways.push(format!("r#{alias}"));
                }
            }
        }
        for (alias, other) in &here.globs {
            if *other == id && bare(alias) && scope.body {
                ways.extend([alias.clone(), alias.clone()]);
            }
        }
        for (alias, of) in &here.renamed {
            if *of == module {
                ways.push(format!("{alias}::{name}"));
            }
        }
        if module != 0 && self.modules[module].parent == scope.module {
            let child = &self.modules[module].name;
            ways.extend([
                format!("{child}::{name}"),
                format!("{child}::{name}"),
                format!("{child}::{name}"),
                format!("self::{child}::{name}"),
            ]);
        }
        if scope.module != 0 && here.parent == module {
            ways.extend([format!("super::{name}"), format!("super::{name}")]);
        }
        if scope.module != 0 && module != 0 && here.parent == self.modules[module].parent {
            ways.push(format!("super::{}::{name}", self.modules[module].name));
        }
        // The one that always holds is the dullest.
        let at = if ways.len() > 1 && !self.choices.chance(1, 6) {
            1 + self.choices.below(ways.len() - 1)
        } else {
            0
        };
        ways[at].clone()
    }

    /// The text of a module and those in it.
    pub(super) fn text(&self, module: usize) -> String {
        let mut text = String::new();
        // A macro is in scope for what stands below it, and in the modules there.
        text.push_str(&self.modules[module].items);
        for (i, child) in self.modules.iter().enumerate() {
            if i != 0 && child.parent == module {
                let _ = write!(text, "pub mod {} {{\n{}}}\n", child.name, self.text(i));
            }
        }
        text
    }
}
