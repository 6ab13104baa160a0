//! JSON text of the wire form, byte for byte as `serde_json` writes it.
//!
//! A serializer of its own because of its size in the browser: it knows the few shapes that the wire form has, and since
//! nothing can go wrong in it, no branch for an error stays behind in the code of every field.

use std::fmt::Display;

use serde::Serialize;
use serde::ser::{Impossible, SerializeMap, SerializeSeq, SerializeStruct, Serializer};

/// `value` as compact JSON.
#[must_use]
pub fn text(value: &impl Serialize) -> String {
    let mut json = Json::default();
    json.value(value);
    json.finish()
}

/// The text so far.
#[derive(Debug, Default)]
pub(super) struct Json(String);

/// The error that no value of the wire form gives.
#[derive(Debug)]
pub(super) enum Never {}

impl Display for Never {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {}
    }
}

impl std::error::Error for Never {}

impl serde::ser::Error for Never {
    fn custom<T: Display>(message: T) -> Self {
        unreachable!("the wire form refuses nothing: {message}")
    }
}

/// What the wire form does not have; a new shape of it shows in the first case of the corpus that uses it.
#[cold]
fn foreign<T>() -> Result<T, Never> {
    unreachable!("not a shape of the wire form")
}

// Not inlined: each stands once in the module, and is called for every field of every object.
impl Json {
    pub(super) fn finish(self) -> String {
        self.0
    }

    pub(super) fn value(&mut self, value: &impl Serialize) {
        match value.serialize(self) {
            Ok(()) => {}
            Err(never) => match never {},
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    #[inline(never)]
    pub(super) fn open(&mut self, bracket: char) {
        self.0.push(bracket);
    }

    pub(super) fn close(&mut self, bracket: char) {
        self.open(bracket);
    }

    /// Behind another value, which never ends in an opening bracket outside of its quotes.
    #[inline(never)]
    pub(super) fn separate(&mut self) {
        if !self.0.ends_with(['{', '[']) {
            self.0.push(',');
        }
    }

    #[inline(never)]
    pub(super) fn key(&mut self, name: &'static str) {
        self.separate();
        self.0.push('"');
        self.0.push_str(name);
        self.0.push_str("\":");
    }

    #[inline(never)]
    pub(super) fn text(&mut self, text: &str) {
        self.0.push('"');
        let mut plain = 0;
        for (at, byte) in text.bytes().enumerate() {
            if byte >= b' ' && byte != b'"' && byte != b'\\' {
                continue;
            }
            self.0.push_str(&text[plain..at]);
            plain = at + 1;
            self.0.push('\\');
            let letter = match byte {
                b'\n' => 'n',
                b'\r' => 'r',
                b'\t' => 't',
                0x08 => 'b',
                0x0c => 'f',
                b'"' | b'\\' => char::from(byte),
                _ => {
                    self.0.push_str(if byte < 0x10 { "u000" } else { "u001" });
                    char::from(b"0123456789abcdef"[usize::from(byte % 16)])
                }
            };
            self.0.push(letter);
        }
        self.0.push_str(&text[plain..]);
        self.0.push('"');
    }

    #[inline(never)]
    fn number(&mut self, number: u64) {
        if number >= 10 {
            self.number(number / 10);
        }
        #[allow(clippy::cast_possible_truncation)] // below ten
        self.0.push(char::from(b'0' + (number % 10) as u8));
    }

    #[inline(never)]
    fn word(&mut self, word: &'static str) -> Result<(), Never> {
        self.0.push_str(word);
        Ok(())
    }
}

/// Methods for what the wire form does not have.
macro_rules! foreign {
    ($( $method:ident($( $type:ty ),*) )*) => { $(
        fn $method(self, $( _: $type ),*) -> Result<Self::Ok, Never> {
            foreign()
        }
    )* };
}

/// Methods for numbers.
macro_rules! numbers {
    ($( $method:ident($type:ty) )*) => { $(
        fn $method(self, number: $type) -> Result<(), Never> {
            self.number(u64::from(number));
            Ok(())
        }
    )* };
}

impl Serializer for &mut Json {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = Self;
    type SerializeTuple = Impossible<(), Never>;
    type SerializeTupleStruct = Impossible<(), Never>;
    type SerializeTupleVariant = Impossible<(), Never>;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Impossible<(), Never>;

    numbers!(serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64));
    foreign!(
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_f32(f32)
        serialize_f64(f64) serialize_char(char) serialize_bytes(&[u8]) serialize_unit_struct(&'static str)
    );

    fn serialize_bool(self, flag: bool) -> Result<(), Never> {
        self.word(if flag { "true" } else { "false" })
    }

    fn serialize_str(self, text: &str) -> Result<(), Never> {
        self.text(text);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Never> {
        self.word("null")
    }

    fn serialize_unit(self) -> Result<(), Never> {
        self.word("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Never> {
        value.serialize(self)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Never> {
        self.serialize_str(variant)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Never> {
        self.word("[")?;
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Never> {
        self.word("{")?;
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Never> {
        self.word("{")?;
        Ok(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Never> {
        foreign()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Never> {
        foreign()
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Never> {
        foreign()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Never> {
        foreign()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Never> {
        foreign()
    }
}

impl SerializeSeq for &mut Json {
    type Ok = ();
    type Error = Never;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
        self.separate();
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), Never> {
        self.word("]")
    }
}

impl SerializeMap for &mut Json {
    type Ok = ();
    type Error = Never;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Never> {
        self.separate();
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
        self.word(":")?;
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), Never> {
        self.word("}")
    }
}

impl SerializeStruct for &mut Json {
    type Ok = ();
    type Error = Never;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        self.key(name);
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), Never> {
        self.word("}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::text;

    #[derive(serde::Serialize)]
    struct Sample {
        none: Option<bool>,
        flags: Vec<bool>,
        texts: BTreeMap<String, Vec<String>>,
        empty: Vec<u32>,
        number: u64,
    }

    #[test]
    fn is_what_serde_json_writes() {
        let every: String = (0..0x300)
            .filter_map(char::from_u32)
            .chain(['🦆', '\u{2028}'])
            .collect();
        let sample = Sample {
            none: None,
            flags: vec![true, false],
            texts: BTreeMap::from([
                (String::new(), vec![]),
                (every.clone(), vec![every, "[".to_owned(), "{".to_owned()]),
            ]),
            empty: vec![],
            number: u64::MAX,
        };
        assert_eq!(
            text(&sample),
            serde_json::to_string(&sample).expect("it serialises")
        );
        for number in [0, 9, 10, 99, 100, 4_294_967_295_u64] {
            assert_eq!(text(&number), number.to_string());
        }
    }
}
