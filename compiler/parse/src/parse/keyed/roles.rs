//! What a loop does with a map, of all its statements together, and whether what entries begin with counts once.

use quote::ToTokens;
use syn::{Expr, Member, parse_quote};

use super::statements::bare;
use super::{Finder, Found, Step, When, same};
use crate::parse::known::READING_METHODS;
use crate::parse::{names, sites};
use crate::parsed::keyed::{Does, Keyed, Role, counts_once};
use crate::syntax::{only_computes, without_parens};

impl<'a> Finder<'a> {
    /// What was found of maps that have nothing else done with them.
    pub(super) fn found(self) -> Found<'a> {
        let mut roles: Vec<Result<Role, String>> = Vec::new();
        for (n, (key, _)) in self.maps.iter().enumerate() {
            let other = self.others.iter().any(|other| other.overlaps(key));
            roles.push(match self.refused.iter().find(|(map, _)| *map == n) {
                _ if other => Err("the loop looks at it in other ways, too".to_owned()),
                Some((_, why)) => Err(why.clone()),
                None => self.role(n),
            });
        }
        let statements = self.statements.into_iter();
        let statements = statements.filter(|(.., map)| roles[*map].is_ok());
        let statements = statements.map(|(address, operands, _)| (address, operands));
        let times = |of: &[String], name: &String| of.iter().filter(|n| *n == name).count();
        let (all, bound) = (self.all_names.clone(), self.varying);
        let names = self.all_names.into_iter();
        let names = names.filter(|name| times(&all, name) == times(&bound, name));
        let asked = self.asked.into_iter();
        let asked = asked.map(|key| (key, "what comes of that is used".to_owned()));
        let mut found = Found {
            maps: Vec::new(),
            statements: statements.collect(),
            names: names.collect(),
            refused: asked.collect(),
        };
        for (role, (key, place)) in roles.into_iter().zip(self.maps) {
            match role {
                Ok(role) => found.maps.push(Keyed { place, role }),
                Err(why) => found.refused.push((key, why)),
            }
        }
        found
    }

    /// What the loop does with a map.
    fn role(&self, map: usize) -> Result<Role, String> {
        let mut role = Role::default();
        for touch in self.touches.iter().filter(|touch| touch.map == map) {
            let node = node(&mut role, &touch.path).ok_or_else(differs)?;
            match (&node.does, &touch.does) {
                (_, Does::Fields(_)) => {}
                (Does::Fields(fields), does) if fields.is_empty() => node.does = does.clone(),
                (known, does) if is_same(known, does) => {}
                _ => return Err(differs()),
            }
        }
        for (n, begin) in self.begins.iter().enumerate() {
            if begin.map == map {
                let node = node(&mut role, &begin.path).ok_or_else(differs)?;
                self.settle(node, &begin.path, Some(&begin.value), n)?;
            }
        }
        match begin_alike(&role, 0) {
            true => Ok(role),
            false => Err(
                "entries begin with different things, and the first is compared with what comes"
                    .to_owned(),
            ),
        }
    }

    /// Sees to it that what a value begins with does not count twice; `value`: where it is written.
    fn settle(
        &self,
        role: &mut Role,
        path: &[Step<'a>],
        value: Option<&Expr>,
        begin: usize,
    ) -> Result<(), String> {
        let here = self.touches.iter().filter(|touch| {
            touch.begin == Some(begin)
                && touch.path.len() == path.len()
                && touch.path.iter().zip(path).all(|(a, b)| a.is(b))
        });
        let is_begin = |item: &Expr| value.is_some_and(|value| same(bare(item), bare(value)));
        let of_item = here.filter_map(|touch| Some((touch, touch.item?))).any(
            |(touch, (item, when))| match (&touch.does, when) {
                (Does::Appends, When::Else) => is_begin(&parse_quote!(vec![#item])),
                (_, When::Else) => is_begin(item),
                (Does::Combines(of), When::Always) => {
                    counts_once(of.op) && is_begin(item) && self.is_steady(item)
                }
                (Does::Compares { .. }, When::Always) => is_begin(item) && self.is_steady(item),
                // The key is what is compared; the rest stays what it began with.
                (Does::Keeps { .. }, When::Always) => is_begin(item) && self.stays(item),
                (Does::Replaces, When::Always) => true,
                _ => false,
            },
        );
        role.of_items |= of_item;
        match &mut role.does {
            Does::Combines(_) | Does::Appends | Does::Replaces if of_item => return Ok(()),
            Does::Compares { varies, .. } | Does::Keeps { varies, .. } if of_item => {
                *varies = true;
                return Ok(());
            }
            Does::Replaces => {
                return Err("an entry's value is assigned anew in some iterations only".to_owned());
            }
            Does::Fields(fields) if fields.is_empty() => return Ok(()),
            Does::Fields(fields) => {
                let mut whole = false;
                for (member, field) in fields {
                    let mut path = path.to_vec();
                    let Some(step) = self.step(&path, member) else {
                        return Err(differs());
                    };
                    path.push(step);
                    let part = value.and_then(|value| part_of(value, member));
                    whole |= part.is_none();
                    self.settle(field, &path, part, begin)?;
                }
                if !whole {
                    return Ok(());
                }
            }
            _ => {}
        }
        match value {
            // It is asked for with what it is a part of.
            None => Ok(()),
            Some(value) if self.is_fixed(value) => {
                role.begins.push(value.clone());
                Ok(())
            }
            Some(_) => Err(
                "what an entry begins with differs from one iteration to the next, and is combined with other values"
                    .to_owned(),
            ),
        }
    }

    /// The step to a field, as some statement takes it.
    fn step(&self, path: &[Step<'a>], member: &Member) -> Option<Step<'a>> {
        self.touches.iter().find_map(|touch| {
            let step = touch.path.get(path.len())?;
            let below = touch.path.iter().zip(path).all(|(a, b)| a.is(b));
            (below && step.member().as_ref() == Some(member)).then_some(*step)
        })
    }

    /// Whether an expression is the same in all iterations.
    fn is_fixed(&self, e: &Expr) -> bool {
        let all = |parts: Vec<&Expr>| parts.into_iter().all(|part| self.is_fixed(part));
        match e {
            Expr::Lit(_) => true,
            Expr::Path(path) => match path.path.get_ident() {
                Some(name) => !self.varying.contains(&name.to_string()),
                None => true,
            },
            Expr::Paren(e) => self.is_fixed(&e.expr),
            Expr::Group(e) => self.is_fixed(&e.expr),
            Expr::Unary(e) => self.is_fixed(&e.expr),
            Expr::Cast(e) => self.is_fixed(&e.expr),
            Expr::Field(e) => self.is_fixed(&e.base),
            Expr::Binary(e) => {
                !sites::is_compound(&e.op) && self.is_fixed(&e.left) && self.is_fixed(&e.right)
            }
            Expr::Tuple(e) => all(e.elems.iter().collect()),
            Expr::Array(e) => all(e.elems.iter().collect()),
            Expr::Repeat(e) => self.is_fixed(&e.expr) && self.is_fixed(&e.len),
            Expr::Struct(e) => {
                all(e.fields.iter().map(|field| &field.expr).collect())
                    && e.rest.iter().all(|rest| self.is_fixed(rest))
            }
            Expr::Call(e) => {
                matches!(&*e.func, Expr::Path(_))
                    && self.is_fixed(&e.func)
                    && all(e.args.iter().collect())
            }
            Expr::MethodCall(e) => {
                READING_METHODS.contains(&e.method.to_string().as_str())
                    && self.is_fixed(&e.receiver)
                    && all(e.args.iter().collect())
            }
            Expr::Macro(e) => {
                let mut used = Vec::new();
                names::identifiers(e.mac.tokens.clone(), &mut used);
                names::macro_name(&e.mac.path).is_some_and(|name| name == "vec")
                    && !used
                        .iter()
                        .any(|name| self.varying.contains(&name.to_string()))
            }
            _ => false,
        }
    }

    /// Whether an expression is the same wherever it stands in an iteration.
    fn is_steady(&self, e: &Expr) -> bool {
        only_computes(e) && self.stays(e)
    }

    /// Whether what an expression mentions is the same wherever it stands in an iteration.
    fn stays(&self, e: &Expr) -> bool {
        let mut used = Vec::new();
        names::identifiers(e.to_token_stream(), &mut used);
        let changes = |name: &proc_macro2::Ident| self.changing.contains(&name.to_string());
        !used.iter().any(changes)
    }
}

/// The role of a part of a value; none where another part has another.
fn node<'r>(role: &'r mut Role, path: &[Step<'_>]) -> Option<&'r mut Role> {
    let Some((step, rest)) = path.split_first() else {
        return Some(role);
    };
    let nothing = matches!(&role.does, Does::Fields(fields) if fields.is_empty());
    let part = match step.member() {
        Some(member) => {
            let Does::Fields(fields) = &mut role.does else {
                return None;
            };
            let known = fields.iter().position(|(known, _)| *known == member);
            let n = known.unwrap_or_else(|| {
                fields.push((member, Role::default()));
                fields.len() - 1
            });
            &mut fields[n].1
        }
        None => {
            let entry = matches!(step, Step::Entry);
            if nothing {
                let inner = Box::default();
                role.does = match entry {
                    true => Does::Entries(inner),
                    false => Does::Elements(inner),
                };
            }
            match (&mut role.does, entry) {
                (Does::Entries(inner), true) | (Does::Elements(inner), false) => inner,
                _ => return None,
            }
        }
    };
    node(part, rest)
}

/// Whether values of which what they begin with stays where it is the greatest, say, begin in one way, whoever comes first: parts have others who do. `above`: in how
/// many ways begins what they are parts of.
fn begin_alike(role: &Role, above: usize) -> bool {
    let own = match role.begins.split_first() {
        None => 0,
        Some((first, others)) if others.iter().all(|other| same(first, other)) => 1,
        Some(_) => 2,
    };
    let below = above + own;
    match &role.does {
        Does::Fields(fields) => fields.iter().all(|(_, field)| begin_alike(field, below)),
        Does::Elements(element) => begin_alike(element, below),
        Does::Entries(entry) => begin_alike(entry, 0),
        Does::Combines(of) if !counts_once(of.op) => true,
        Does::Combines(_) | Does::Compares { .. } | Does::Keeps { .. } => {
            below + usize::from(role.of_items) <= 1
        }
        Does::Appends | Does::Replaces => true,
    }
}

fn is_same(a: &Does, b: &Does) -> bool {
    match (a, b) {
        (Does::Combines(a), Does::Combines(b)) => a == b,
        (
            Does::Compares {
                less: a, last: c, ..
            },
            Does::Compares {
                less: b, last: d, ..
            },
        ) => a == b && c == d,
        (
            Does::Keeps {
                key: a,
                less: c,
                last: e,
                ..
            },
            Does::Keeps {
                key: b,
                less: d,
                last: f,
                ..
            },
        ) => a == b && c == d && e == f,
        (Does::Appends, Does::Appends) | (Does::Replaces, Does::Replaces) => true,
        _ => false,
    }
}

fn differs() -> String {
    "the loop does different things with its values".to_owned()
}

/// A field of what is written as a struct or a tuple.
pub(super) fn part_of<'e>(value: &'e Expr, member: &Member) -> Option<&'e Expr> {
    match (without_parens(value), member) {
        (Expr::Struct(of), member) => {
            let mut fields = of.fields.iter();
            let field = fields.find(|field| field.member == *member)?;
            Some(&field.expr)
        }
        (Expr::Tuple(of), Member::Unnamed(n)) => of.elems.get(n.index as usize),
        (Expr::Call(of), Member::Unnamed(n)) if is_tuple_struct(&of.func) => {
            of.args.get(n.index as usize)
        }
        _ => None,
    }
}

fn is_tuple_struct(f: &Expr) -> bool {
    matches!(f, Expr::Path(path) if path.path.segments.last().is_some_and(|s| names::is_constant_like(&s.ident)))
}
