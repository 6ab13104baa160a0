//! What callers hand over, before it is known what it should be.
//!
//! Two steps, because serde's own way through every type of the options is a good part of what the browser would have to
//! load: one visitor makes a [`Value`] of whatever comes, natively as in the browser, and the types read themselves from it
//! with the same few functions. So an option that is refused is refused in the same words everywhere.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number. Those that the wire form takes are offsets and lines, which a float holds exactly.
    Number(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// An object, its members in order.
    Object(Vec<(String, Self)>),
}

/// Why a value is not what it should be: one sentence that says where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Misread(Box<str>);

/// A type that callers hand over.
pub trait Read: Sized {
    /// Reads `value`, which stands at `path`.
    ///
    /// # Errors
    /// When it is something else.
    fn read(value: Value, path: &Path<'_>) -> Result<Self, Misread>;
}

impl Value {
    /// As what it should be.
    ///
    /// # Errors
    /// When it is something else.
    pub fn into<T: Read>(self) -> Result<T, Misread> {
        T::read(self, &Path::Root)
    }

    const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// Where a value stands: a chain up to what was handed over, which costs nothing as long as nothing is wrong.
#[derive(Clone, Copy, Debug)]
pub enum Path<'a> {
    /// What was handed over.
    Root,
    /// A member of an object.
    Member(&'a Self, &'a str),
    /// An element of a list.
    Element(&'a Self, usize),
}

impl Path<'_> {
    fn write(&self, text: &mut String) {
        match self {
            Self::Root => {}
            Self::Member(parent, name) => {
                parent.write(text);
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
            }
            Self::Element(parent, at) => {
                parent.write(text);
                text.push('[');
                text.push_str(&at.to_string());
                text.push(']');
            }
        }
    }

    fn misread(&self, what: &[&str]) -> Misread {
        let mut text = String::new();
        self.write(&mut text);
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.extend(what.iter().copied());
        Misread(text.into_boxed_str())
    }

    #[cold]
    pub(super) fn expected(&self, expected: &str, found: &Value) -> Misread {
        self.misread(&["invalid type: ", found.kind(), ", expected ", expected])
    }
}

/// The members of an object, in the order in which its type names them.
pub(super) struct Members<'a> {
    path: &'a Path<'a>,
    names: &'static [&'static str],
    values: std::vec::IntoIter<Option<Value>>,
}

impl<'a> Members<'a> {
    /// The members of `value`. One that is not among `names` is an error when they are `all` that there may be.
    pub(super) fn of(
        value: Value,
        path: &'a Path<'a>,
        names: &'static [&'static str],
        all: bool,
    ) -> Result<Self, Misread> {
        let members = object(value, path)?;
        let mut values: Vec<Option<Value>> = names.iter().map(|_| None).collect();
        for (name, value) in members {
            match names.iter().position(|known| *known == name) {
                Some(at) => values[at] = Some(value),
                None if all => return Err(unknown(path, "field", &name, names)),
                None => {}
            }
        }
        Ok(Self {
            path,
            names,
            values: values.into_iter(),
        })
    }

    /// The next name, and the member that has it.
    fn next(&mut self) -> (&'static str, Option<Value>) {
        let at = self.names.len() - self.values.len();
        (self.names[at], self.values.next().flatten())
    }

    /// The next member.
    pub(super) fn required<T: Read>(&mut self) -> Result<T, Misread> {
        match self.next() {
            (name, Some(value)) => T::read(value, &Path::Member(self.path, name)),
            (name, None) => Err(self.path.misread(&["missing field `", name, "`"])),
        }
    }

    /// The next member, or the default in its absence.
    pub(super) fn optional<T: Read + Default>(&mut self) -> Result<T, Misread> {
        match self.next() {
            (name, Some(value)) => T::read(value, &Path::Member(self.path, name)),
            (_, None) => Ok(T::default()),
        }
    }
}

/// The place of a word among `words`.
pub(super) fn word(
    value: &Value,
    path: &Path<'_>,
    words: &'static [&'static str],
) -> Result<usize, Misread> {
    let Value::Text(text) = value else {
        return Err(path.expected("a string", value));
    };
    words
        .iter()
        .position(|word| word == text)
        .ok_or_else(|| unknown(path, "variant", text, words))
}

#[cold]
fn unknown(path: &Path<'_>, what: &str, name: &str, known: &[&str]) -> Misread {
    let list = known.join("`, `");
    let of = if known.len() > 1 { "one of " } else { "" };
    path.misread(&[
        "unknown ",
        what,
        " `",
        name,
        "`, expected ",
        of,
        "`",
        &list,
        "`",
    ])
}

impl Read for String {
    fn read(value: Value, path: &Path<'_>) -> Result<Self, Misread> {
        match value {
            Value::Text(text) => Ok(text),
            other => Err(path.expected("a string", &other)),
        }
    }
}

impl Read for bool {
    fn read(value: Value, path: &Path<'_>) -> Result<Self, Misread> {
        match value {
            Value::Bool(flag) => Ok(flag),
            other => Err(path.expected("a boolean", &other)),
        }
    }
}

impl Read for usize {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss
    )] // compared afterwards
    fn read(value: Value, path: &Path<'_>) -> Result<Self, Misread> {
        match value {
            Value::Number(number) if number as Self as f64 == number => Ok(number as Self),
            other => Err(path.expected("a whole number", &other)),
        }
    }
}

impl<T: Read> Read for Option<T> {
    fn read(value: Value, path: &Path<'_>) -> Result<Self, Misread> {
        match value {
            Value::Null => Ok(None),
            other => T::read(other, path).map(Some),
        }
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: Value, path: &Path<'_>) -> Result<Self, Misread> {
        let mut list = Self::new();
        elements(value, path, &mut |element, path| {
            list.push(T::read(element, path)?);
            Ok(())
        })?;
        Ok(list)
    }
}

/// An object of any names.
impl<T: Read> Read for Vec<(String, T)> {
    fn read(value: Value, path: &Path<'_>) -> Result<Self, Misread> {
        let mut list = Self::new();
        for (name, member) in object(value, path)? {
            let member = T::read(member, &Path::Member(path, &name))?;
            list.push((name, member));
        }
        Ok(list)
    }
}

/// Hands the elements of a list to `each`: what is not about their type stands once.
fn elements(
    value: Value,
    path: &Path<'_>,
    each: &mut dyn FnMut(Value, &Path<'_>) -> Result<(), Misread>,
) -> Result<(), Misread> {
    let Value::List(elements) = value else {
        return Err(path.expected("a list", &value));
    };
    for (at, element) in elements.into_iter().enumerate() {
        each(element, &Path::Element(path, at))?;
    }
    Ok(())
}

fn object(value: Value, path: &Path<'_>) -> Result<Vec<(String, Value)>, Misread> {
    match value {
        Value::Object(members) => Ok(members),
        other => Err(path.expected("an object", &other)),
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

/// Also refuses in its own words what no JSON has: serde's would bring the formatting of floats into the browser.
macro_rules! refuse {
    ($( $method:ident($type:ty) )*) => { $(
        fn $method<E: Error>(self, _: $type) -> Result<Value, E> {
            Err(E::custom("not a plain value"))
        }
    )* };
}

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a plain value")
    }

    refuse!(visit_i128(i128) visit_u128(u128) visit_bytes(&[u8]) visit_byte_buf(Vec<u8>));

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    #[allow(clippy::cast_precision_loss)] // nothing that is read is that large
    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    #[allow(clippy::cast_precision_loss)] // nothing that is read is that large
    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Vec::new();
        // A name is read as a value: a visitor of its own would be another one to load.
        while let Some((name, value)) = members.next_entry()? {
            let Value::Text(name) = name else {
                return Err(A::Error::custom("not a plain value"));
            };
            object.push((name, value));
        }
        Ok(Value::Object(object))
    }
}
