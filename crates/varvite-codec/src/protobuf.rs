//! Encodes and decodes messages of protocol buffers; the decoder does not allocate. The value of a field is a
//! number, or bytes, which are a text, a list of numbers or a message.
//!
//! ```text
//! field    key (varint: number << 3 | type), then by its type
//!   0      a varint
//!   1      8 bytes
//!   2      a length (varint), and so many bytes
//!   5      4 bytes
//! varint   seven bits in a byte, the lowest first; the highest bit says that another byte follows; at most ten bytes
//! ```
//!
//! The types 3 and 4 (groups) are obsolete, and no program writes them.

/// Types of fields in the encoding.
const NUMBER: u64 = 0;
const FIXED_64: u64 = 1;
const BYTES: u64 = 2;
const FIXED_32: u64 = 5;

/// The error in a message, and its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The offset of the error in the message.
    pub at: usize,
    /// The error in words.
    pub what: &'static str,
    /// Whether the error is only that the message ends too early; the bytes before the end may be valid.
    is_end: bool,
}

impl Wrong {
    /// The error `what` at an offset.
    pub fn new(at: usize, what: &'static str) -> Self {
        Self { at, what, is_end: false }
    }

    /// The error in a message that has `offset` bytes before this one.
    #[must_use]
    pub fn after(self, offset: usize) -> Self {
        Self { at: self.at + offset, ..self }
    }
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'m> {
    /// A varint.
    Number(u64),
    /// Bytes: a text, a list of numbers or a message.
    Bytes(&'m [u8]),
    /// A fixed-size number, which the formats of this project do not have.
    Other,
}

impl<'m> Value<'m> {
    /// The number; 0 if the value is not a number.
    pub fn number(self) -> u64 {
        match self {
            Self::Number(number) => number,
            _ => 0,
        }
    }

    /// The bytes; empty if the value is not bytes.
    pub fn bytes(self) -> &'m [u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            _ => &[],
        }
    }
}

/// The fields of a message, front to back.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'m> {
    message: &'m [u8],
    /// The offset of the next byte in the message.
    pub at: usize,
}

impl<'m> Fields<'m> {
    /// The fields of `message`.
    pub fn of(message: &'m [u8]) -> Self {
        Self { message, at: 0 }
    }

    /// The number and the value of the next field. `None` at the end.
    ///
    /// # Errors
    /// [`Wrong`], if the bytes are not a message.
    pub fn next_field(&mut self) -> Result<Option<(u64, Value<'m>)>, Wrong> {
        if self.at == self.message.len() {
            return Ok(None);
        }
        let key = self.varint()?;
        let value = match key & 7 {
            NUMBER => Value::Number(self.varint()?),
            FIXED_64 => self.bytes(8).map(|_| Value::Other)?,
            BYTES => {
                let length = self.varint()?;
                Value::Bytes(self.bytes(usize::try_from(length).unwrap_or(usize::MAX))?)
            }
            FIXED_32 => self.bytes(4).map(|_| Value::Other)?,
            _ => return Err(self.wrong("a field of a type that no field has")),
        };
        Ok(Some((key >> 3, value)))
    }

    /// Reads a varint.
    ///
    /// # Errors
    /// [`Wrong`], if the number does not end within the message, or has more than 64 bits.
    pub fn varint(&mut self) -> Result<u64, Wrong> {
        let mut value = 0u64;
        for (place, byte) in self.message[self.at..].iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                self.at += place + 1;
                return Ok(value);
            }
        }
        Err(match self.message.len() - self.at {
            ..10 => self.ends_in("a number that runs past the end"),
            _ => self.wrong("a number of more than 64 bits"),
        })
    }

    /// Whether all fields were read.
    pub fn is_over(&self) -> bool {
        self.at == self.message.len()
    }

    fn bytes(&mut self, length: usize) -> Result<&'m [u8], Wrong> {
        let rest = &self.message[self.at..];
        let bytes = rest.get(..length).ok_or_else(|| self.ends_in("a field that is longer than the rest"))?;
        self.at += length;
        Ok(bytes)
    }

    fn ends_in(&self, what: &'static str) -> Wrong {
        Wrong { is_end: true, ..self.wrong(what) }
    }

    fn wrong(&self, what: &'static str) -> Wrong {
        Wrong { at: self.at, what, is_end: false }
    }
}

/// Whether `bytes` begin with at least one field, and `passes` returns true for all complete fields.
pub fn begins_with_fields(bytes: &[u8], passes: impl Fn(u64, Value<'_>) -> bool) -> bool {
    let (mut fields, mut is_any) = (Fields::of(bytes), false);
    loop {
        match fields.next_field() {
            Ok(Some((number, value))) if passes(number, value) => is_any = true,
            Ok(Some(_)) => return false,
            // The beginning of a file may end within a field.
            Ok(None) => return is_any,
            Err(wrong) => return is_any && wrong.is_end,
        }
    }
}

/// A message that is being written.
#[derive(Default)]
pub struct Message(pub Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Adds a number, unless it is 0.
    pub fn number(&mut self, field: u64, value: u64) -> &mut Self {
        if value != 0 {
            self.varint(field << 3 | NUMBER);
            self.varint(value);
        }
        self
    }

    /// Adds bytes, or a text.
    pub fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | BYTES);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Adds a message, which `fill` makes.
    pub fn message(&mut self, field: u64, fill: impl FnOnce(&mut Self) -> &mut Self) -> &mut Self {
        let mut inner = Self::default();
        fill(&mut inner);
        self.bytes(field, &inner.0);
        self
    }

    /// Adds a list of numbers.
    pub fn packed(&mut self, field: u64, values: impl Iterator<Item = u64>) -> &mut Self {
        let mut inner = Self::default();
        values.for_each(|value| inner.varint(value));
        self.bytes(field, &inner.0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_texts_and_lists_are_as_protocol_buffers_have_them() {
        let mut message = Message::default();
        message
            .number(1, 150)
            .number(2, 0)
            .message(3, |it| it.number(1, 1))
            .packed(4, [3, 270, 86_942].into_iter());
        message.bytes(6, b"hi");
        // Examples from the documentation of the encoding: 150 is encoded as 96 01; the list 3, 270, 86942 is
        // encoded as 03 8e 02 9e a7 05.
        let expected: &[&[u8]] = &[
            &[0x08, 0x96, 0x01],
            &[0x1a, 2, 0x08, 1],
            &[0x22, 6, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05],
            b"\x32\x02hi",
        ];
        assert_eq!(message.0, expected.concat());
        let mut fields = Fields::of(&message.0);
        assert_eq!(fields.next_field(), Ok(Some((1, Value::Number(150)))));
        assert_eq!(fields.next_field(), Ok(Some((3, Value::Bytes(&[0x08, 1])))));
        assert_eq!(fields.next_field(), Ok(Some((4, Value::Bytes(&expected[2][2..])))));
        assert_eq!(fields.next_field(), Ok(Some((6, Value::Bytes(b"hi")))));
        assert_eq!(fields.next_field(), Ok(None));
    }

    #[test]
    fn negative_values_take_ten_bytes() {
        let mut message = Message::default();
        message.varint(-2i64 as u64);
        assert_eq!(message.0, [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]);
        assert_eq!(Fields::of(&message.0).varint(), Ok(-2i64 as u64));
    }

    #[test]
    fn what_is_no_message_is_told_with_its_place() {
        for (bytes, at) in [
            (&[0x08][..], 1),
            (&[0x08, 0x80], 1),
            (&[0x08, 1, 0x0a, 3, 1, 2], 4),
            (&[0x0b], 1),
            (&[0x09, 1, 2, 3], 1),
            (&[0xff; 12], 0),
        ] {
            let mut fields = Fields::of(bytes);
            let wrong = std::iter::from_fn(|| fields.next_field().transpose()).find_map(Result::err);
            assert_eq!(wrong.map(|wrong| wrong.at), Some(at), "{bytes:x?}");
        }
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_they_are_written(values: Vec<u64>) {
            let mut message = Message::default();
            message.packed(7, values.iter().copied());
            let field = Fields::of(&message.0).next_field().expect("it is a message").expect("there is one");
            let mut list = Fields::of(field.1.bytes());
            let found: Vec<u64> = std::iter::from_fn(|| (!list.is_over()).then(|| list.varint().expect("a number"))).collect();
            prop_assert_eq!(found, values);
        }
    }
}
