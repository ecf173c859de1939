//! A program: its modules, the loop in two forms, and how both are called.

use std::fmt::Write as _;

use super::world::World;
use crate::choices::Choices;

/// A random program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its number, which is its seed too.
    pub number: usize,
    /// What stands in its module; each attribute of accrue's on a line of its own.
    pub source: String,
    /// The arguments of the calls.
    call: String,
    /// What explains the offloaded function.
    explain: String,
}

impl Program {
    /// Draws a program.
    pub fn draw(seed: u64, number: usize) -> Program {
        let mut choices = Choices::seeded(seed.wrapping_mul(1_000_003).wrapping_add(number as u64));
        let mut world = World::new(number, &mut choices);
        world.declare();
        let (call, explain) = world.loops();
        Program {
            number,
            source: world.text(0),
            call,
            explain,
        }
    }

    /// Its module in a crate of programs; without accrue's attributes if it shall be `plain`.
    pub fn text(&self, plain: bool) -> String {
        let number = self.number;
        let mut text = format!("pub mod p{number} {{\npub mod user {{\n");
        for line in self.source.lines() {
            let ours = ["#[::accrue::offload", "#[derive(::accrue::DeviceType"];
            if !(plain && ours.iter().any(|o| line.trim_start().starts_with(o))) {
                text.push_str(line);
            }
            text.push('\n');
        }
        text.push_str("}\n");
        let form = |name: &str| {
            let call = self.call.replace("FORM", name);
            format!("|data: &[u32], h: &mut Vec<user::BinT>| {{ {call} }}")
        };
        let (offloaded, explain) = match plain {
            true => (form("plain"), "String::new()"),
            false => (form("offloaded"), self.explain.as_str()),
        };
        let _ = write!(
            text,
            "pub fn check(judge: &mut ::accrue_tests::collide::judge::Judge) {{\n\
             judge.program({number}, |x| x as user::BinT, {}, {offloaded}, || {explain});\n}}\n}}\n",
            form("plain")
        );
        text
    }
}
