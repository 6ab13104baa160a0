//! Names, and one table for all that is looked up by name.

use std::borrow::Cow;

/// A name as it is spelled. Names compare without the case of ASCII letters, as the engine compares them.
#[derive(Clone, Debug)]
pub(super) struct Name<'a> {
    hash: u32,
    pub(super) text: Cow<'a, str>,
}

impl<'a> Name<'a> {
    pub(super) fn new(text: Cow<'a, str>) -> Self {
        let hash = text.bytes().fold(0x811C_9DC5u32, |hash, byte| {
            (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
        });
        Self { hash, text }
    }

    /// A key that is no name: it equals itself alone.
    pub(super) const fn number(number: u32) -> Self {
        Self {
            hash: number,
            text: Cow::Borrowed(""),
        }
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        self.hash == other.hash && self.text.eq_ignore_ascii_case(&other.text)
    }
}

/// What a name means in a space of names.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) space: u32,
    pub(super) value: u32,
    /// For whoever wants to know whether it was here before.
    pub(super) stamp: u32,
    pub(super) name: Name<'a>,
}

/// Names of many spaces (the columns of one table, the tables of one scope) in one hash table.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    /// Places in `entries` plus one; 0 is free. Their number is a power of two.
    slots: Vec<u32>,
}

impl<'a> Names<'a> {
    /// The place of a name among the entries.
    pub(super) fn find(&self, space: u32, name: &Name<'_>) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        self.probe(space, name).0
    }

    pub(super) fn get(&self, space: u32, name: &Name<'_>) -> Option<u32> {
        self.find(space, name).map(|at| self.entries[at].value)
    }

    /// The place of a name among the entries; a new one gets this value.
    pub(super) fn place(&mut self, space: u32, name: &Name<'a>, value: u32) -> usize {
        if self.slots.len() <= self.entries.len() * 2 {
            let len = (self.slots.len() * 2).max(64);
            self.slots.clear();
            self.slots.resize(len, 0);
            for at in 0..self.entries.len() {
                let entry = &self.entries[at];
                let slot = self.probe(entry.space, &Name::number(entry.name.hash)).1;
                self.slots[slot] = at as u32 + 1;
            }
        }
        let (found, slot) = self.probe(space, name);
        found.unwrap_or_else(|| {
            self.entries.push(Entry {
                space,
                value,
                stamp: 0,
                name: name.clone(),
            });
            self.slots[slot] = self.entries.len() as u32;
            self.entries.len() - 1
        })
    }

    /// Sets what a name means.
    pub(super) fn set(&mut self, space: u32, name: &Name<'a>, value: u32) {
        let at = self.place(space, name, value);
        self.entries[at].value = value;
    }

    /// Where a name is among the entries, or else the slot where it would be.
    fn probe(&self, space: u32, name: &Name<'_>) -> (Option<usize>, usize) {
        let mask = self.slots.len() - 1;
        let hash = (name.hash ^ space.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B);
        let mut slot = (hash ^ (hash >> 15)) as usize & mask;
        loop {
            let at = self.slots[slot] as usize;
            if at == 0 {
                return (None, slot);
            }
            let entry = &self.entries[at - 1];
            if entry.space == space && entry.name.is(name) {
                return (Some(at - 1), slot);
            }
            slot = (slot + 1) & mask;
        }
    }
}
