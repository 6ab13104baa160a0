//! Names, and one table for all that is looked up by name.

use std::borrow::Cow;

use crate::source::Span;

/// A name as it is spelled: a piece of the script's text, or of what [`Names`] has made. Names compare without the case of
/// ASCII letters, as the engine compares them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    hash: u32,
    start: u32,
    len: u32,
}

/// Begins the place of a name that does not stand in the script's text as it is.
const MADE: u32 = 1 << 31;

impl Name {
    /// A key that is no name: it equals itself alone.
    pub(super) const fn number(number: u32) -> Self {
        Self {
            hash: number,
            start: 0,
            len: 0,
        }
    }

    /// Where it stands in the script's text, when it is a piece of that.
    pub(super) fn place(self) -> Option<Span> {
        let (start, len) = (self.start as usize, self.len as usize);
        (self.start < MADE && self.len > 0).then(|| Span::new(start, start + len))
    }
}

/// What a name means in a space of names.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) space: u32,
    pub(super) value: u32,
    /// For whoever wants to know whether it was here before.
    pub(super) stamp: u32,
    pub(super) name: Name,
}

/// Names of many spaces (the columns of one table, the tables of one scope) in one hash table.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    text: &'a str,
    made: String,
    pub(super) entries: Vec<Entry>,
    /// Places in `entries` plus one; 0 is free. Their number is a power of two.
    slots: Vec<u32>,
}

impl<'a> Names<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// The name that stands in the script's text from `start` to before `end`.
    pub(super) fn at(&self, start: usize, end: usize) -> Name {
        Self::named(self.text.get(start..end).unwrap_or_default(), start as u32)
    }

    /// The name that is spelled so.
    pub(super) fn make(&mut self, text: &str) -> Name {
        let start = self.made.len() as u32 | MADE;
        self.made.push_str(text);
        Self::named(text, start)
    }

    fn named(text: &str, start: u32) -> Name {
        let hash = text.bytes().fold(0x811C_9DC5u32, |hash, byte| {
            (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
        });
        Name {
            hash,
            start,
            len: text.len() as u32,
        }
    }

    /// How a name is spelled.
    pub(super) fn text(&self, name: Name) -> &str {
        let start = (name.start & !MADE) as usize;
        let source = if name.start < MADE {
            self.text
        } else {
            &self.made
        };
        source
            .get(start..start + name.len as usize)
            .unwrap_or_default()
    }

    /// The same, for longer.
    pub(super) fn spelled(&self, name: Name) -> Cow<'a, str> {
        let (start, end) = (name.start as usize, (name.start + name.len) as usize);
        if name.start < MADE {
            Cow::Borrowed(self.text.get(start..end).unwrap_or_default())
        } else {
            Cow::Owned(self.text(name).to_owned())
        }
    }

    pub(super) fn is(&self, name: Name, other: Name) -> bool {
        name.hash == other.hash && self.text(name).eq_ignore_ascii_case(self.text(other))
    }

    /// The place of a name among the entries.
    pub(super) fn find(&self, space: u32, name: Name) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        (self.slots[self.slot(space, name)] as usize).checked_sub(1)
    }

    pub(super) fn get(&self, space: u32, name: Name) -> Option<u32> {
        self.find(space, name).map(|at| self.entries[at].value)
    }

    /// The place of a name among the entries; a new one gets this value.
    pub(super) fn place(&mut self, space: u32, name: Name, value: u32) -> usize {
        if self.slots.len() <= self.entries.len() * 2 {
            let len = (self.slots.len() * 2).max(64);
            self.slots.clear();
            self.slots.resize(len, 0);
            for at in 0..self.entries.len() {
                let Entry { space, name, .. } = self.entries[at];
                let slot = self.slot(space, name);
                self.slots[slot] = at as u32 + 1;
            }
        }
        let slot = self.slot(space, name);
        if let Some(found) = (self.slots[slot] as usize).checked_sub(1) {
            return found;
        }
        self.entries.push(Entry {
            space,
            value,
            stamp: 0,
            name,
        });
        self.slots[slot] = self.entries.len() as u32;
        self.entries.len() - 1
    }

    /// Sets what a name means.
    pub(super) fn set(&mut self, space: u32, name: Name, value: u32) {
        let at = self.place(space, name, value);
        self.entries[at].value = value;
    }

    /// The slot of a name, or the one where it would be.
    fn slot(&self, space: u32, name: Name) -> usize {
        let mask = self.slots.len() - 1;
        let hash = (name.hash ^ space.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B);
        let mut slot = (hash ^ (hash >> 15)) as usize & mask;
        loop {
            let Some(at) = (self.slots[slot] as usize).checked_sub(1) else {
                return slot;
            };
            let entry = &self.entries[at];
            if entry.space == space && self.is(entry.name, name) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }
}
