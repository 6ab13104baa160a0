//! Lists by name.

use std::collections::HashMap;

/// Names, numbered from 0 in the order in which they came first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<String, usize>,
}

impl Names {
    /// The number of `name`, which it gets now if it is new.
    // Not inlined, as `find`: what hashes and compares stands once in the browser's module.
    #[inline(never)]
    pub(crate) fn number(&mut self, name: String) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(name).or_insert(next)
    }

    /// Whether `name` is new.
    pub(crate) fn add(&mut self, name: String) -> bool {
        let next = self.numbers.len();
        self.number(name) == next
    }

    /// The number of `name`, if it came.
    #[inline(never)]
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }
}

/// Things by name, in the order in which the names came first: one hash table of numbers for all types of things.
#[derive(Clone, Debug)]
pub(crate) struct Named<T> {
    names: Names,
    list: Vec<T>,
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self {
            names: Names::default(),
            list: Vec::new(),
        }
    }
}

impl<T> Named<T> {
    /// What has `name`; `new` if nothing had it.
    pub(crate) fn entry(&mut self, name: String, new: T) -> &mut T {
        let number = self.names.number(name);
        if number == self.list.len() {
            self.list.push(new);
        }
        &mut self.list[number]
    }

    /// What has `name`.
    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.names.find(name).map(|number| &self.list[number])
    }

    /// What has `name`, to be changed.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        let number = self.names.find(name)?;
        self.list.get_mut(number)
    }

    /// All, without the names.
    pub(crate) fn into_list(self) -> Vec<T> {
        self.list
    }
}
