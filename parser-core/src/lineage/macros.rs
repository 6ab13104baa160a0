//! Macros of the script: what their bodies name, and what a call of one adds.

use super::names::Name;
use super::scope::{Column, NONE, Rest};
use super::{MACROS, Tracer};
use crate::lex::Keyword;

/// A macro whose body has been read.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    arguments: Vec<Argument>,
    /// What its expression names beside its arguments.
    column: Column,
    /// What a table macro gives.
    relation: Option<u32>,
    /// It names a table that other statements can change or hide: a body is bound where it is called.
    is_late: bool,
}

/// An argument, and whether the body names it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    name: Name,
    is_used: bool,
}

impl Tracer<'_> {
    /// `(a, b := 1) AS …`, behind the name of a macro that is created.
    pub(super) fn create_macro(&mut self, name: Name) {
        let names = self.name_list();
        let argument = |name| Argument {
            name,
            is_used: false,
        };
        self.arguments = names.into_iter().map(argument).collect();
        self.is_late = false;
        let mut column = self.unknown_column();
        let mut relation = None;
        if self.eat_key(Keyword::As) {
            if self.eat_key(Keyword::Table) {
                let table = self.query(None);
                relation = Some(self.renamed(table, Vec::new()));
            } else {
                self.item_inputs(&mut column, Self::expression);
            }
        }
        let made = Macro {
            arguments: std::mem::take(&mut self.arguments),
            column,
            relation,
            is_late: self.is_late,
        };
        // One that has other bodies for other numbers of arguments is not known.
        let number = if self.is_end() {
            self.macros.push(made);
            self.macros.len() as u32 - 1
        } else {
            NONE
        };
        self.names.set(MACROS, name, number);
    }

    /// A macro of this name is gone.
    pub(super) fn forget_macro(&mut self, name: Name) {
        if self.names.get(MACROS, name).is_some() {
            self.names.set(MACROS, name, NONE);
        }
    }

    /// The tables that bodies name may be others from here on.
    pub(super) fn forget_macros(&mut self) {
        for known in &mut self.macros {
            if known.is_late {
                (known.column.known, known.relation) = (false, None);
            }
        }
    }

    /// Takes an argument of the macro whose body is read; a call's own names stand in its place.
    pub(super) fn take_argument(&mut self, name: Name) -> bool {
        if !self.burn(self.arguments.len()) {
            return false;
        }
        let names = &self.names;
        let found = self
            .arguments
            .iter_mut()
            .find(|argument| names.is(argument.name, name));
        if let Some(argument) = found {
            argument.is_used = true;
            // The engine names a column after what the call gives.
            self.spelled = None;
            return true;
        }
        false
    }

    /// Whether a macro's body with arguments is read: names that the engine makes up have those of a call in them.
    pub(super) fn has_arguments(&self) -> bool {
        !self.arguments.is_empty()
    }

    /// A call of the macro of this number: what its body names, and what those arguments name that it uses. Where the call is
    /// `x.f()`, what stands before the dot is read already.
    pub(super) fn macro_call(&mut self, number: u32, is_method: bool) {
        let known = self.macros.get(number as usize);
        let count = known.map_or(0, |known| known.arguments.len());
        // Its arguments are looked through for each of the call's.
        let known = if self.burn(count) {
            self.macros.get(number as usize).cloned()
        } else {
            None
        };
        let Some(known) = known else {
            self.is_unknown = true;
            return self.operand_group();
        };
        self.is_unknown |= known.relation.is_some();
        self.append(known.column, known.column.span);
        let Some(outer) = self.enter() else { return };
        let mut at = usize::from(is_method);
        if is_method && !known.arguments.first().is_some_and(|first| first.is_used) {
            self.is_unknown = true;
        }
        while !self.is_end() {
            let mut argument = known.arguments.get(at).copied();
            if self.is_name(0) && matches!(self.operator(1), ":=" | "=>") {
                let name = self.name_at(self.tokens.at);
                self.tokens.at += 2;
                let mut arguments = known.arguments.iter();
                argument = arguments
                    .find(|argument| self.names.is(argument.name, name))
                    .copied();
            } else {
                at += 1;
            }
            let (start, is_unknown) = (self.inputs.len(), self.is_unknown);
            self.expression();
            match argument {
                Some(Argument { is_used: true, .. }) => {}
                Some(_) => {
                    self.inputs.truncate(start);
                    self.is_unknown = is_unknown;
                }
                None => self.is_unknown = true,
            }
            while !self.is_end() && !self.eat_comma() {
                self.skip();
            }
        }
        self.leave(outer);
        self.spelled = None;
    }

    /// A call of a table macro in FROM.
    pub(super) fn macro_table(&mut self, number: u32) -> u32 {
        let mut given = self.unknown_column();
        self.item_inputs(&mut given, Self::operand_group);
        let Some(Macro {
            arguments,
            relation: Some(relation),
            ..
        }) = self.macros.get(number as usize)
        else {
            return self.new_relation(Rest::Unknown);
        };
        let relation = *relation;
        // Columns of other tables in its arguments may be inputs of any of its columns.
        let is_constant = given.known && given.inputs.1 == 0;
        if !is_constant && arguments.iter().any(|argument| argument.is_used) {
            self.lose_relation(relation);
            return self.new_relation(Rest::Unknown);
        }
        relation
    }
}
