//! The messages of an index that the import uses: [`Metadata`], [`Document`], [`Occurrence`],
//! [`Information`] and [`Relationship`].
//!
//! ```text
//! Metadata      2 tool_info (1 name, 2 version), 3 project_root
//! Document      1 relative_path, 2 occurrences, 3 symbols, 4 language, 5 text, 6 position_encoding
//! Occurrence    1 range, 2 symbol, 3 symbol_roles, 7 enclosing_range,
//!               8, 9 range and 10, 11 enclosing_range as messages (of one line, of several lines)
//! Information   1 symbol, 4 relationships, 5 kind, 6 display_name
//! Relationship  1 symbol, 2 is_reference, 3 is_implementation, 4 is_type_definition, 5 is_definition
//! ```
//!
//! Texts are slices of the message. Other fields are skipped.

use varvite_codec::protobuf::{Fields, Value, Wrong};
use varvite_graph::Reserved;

use super::fault::ScipFault;
use super::range::Range;

/// A fault, and its offset in the message that was read.
pub(super) type Faulty<T> = Result<T, (usize, ScipFault)>;

/// The program that made an index, and the folder of its documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Metadata {
    pub(super) tool: String,
    pub(super) version: String,
    pub(super) root: String,
}

/// A source file.
#[derive(Debug, Default)]
pub(super) struct Document<'m> {
    pub(super) path: &'m str,
    pub(super) language: &'m str,
    pub(super) text: Option<&'m str>,
    /// SCIP's number of the unit of columns.
    pub(super) encoding: u64,
    pub(super) occurrences: Vec<Occurrence<'m>>,
    pub(super) symbols: Vec<Information<'m>>,
}

/// A range of a document that names a symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence<'m> {
    pub(super) range: Range,
    pub(super) symbol: &'m str,
    pub(super) roles: Roles,
    /// The whole definition or expression, of which `range` is the name.
    pub(super) enclosing: Option<Range>,
}

/// The roles of an occurrence: a set of SCIP's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Roles(pub(super) u64);

impl Roles {
    const DEFINITION: u64 = 1;
    const IMPORT: u64 = 2;
    const FORWARD_DEFINITION: u64 = 0x40;

    pub(super) fn is_definition(self) -> bool {
        self.0 & Self::DEFINITION != 0
    }

    pub(super) fn is_import(self) -> bool {
        self.0 & Self::IMPORT != 0
    }

    pub(super) fn is_forward(self) -> bool {
        self.0 & Self::FORWARD_DEFINITION != 0
    }
}

/// The description of a symbol. The bytes of its relationships are read later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Information<'m> {
    pub(super) symbol: &'m str,
    pub(super) kind: u64,
    pub(super) display_name: &'m str,
    message: &'m [u8],
}

/// A relation of a symbol to another one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Relationship<'m> {
    pub(super) symbol: &'m str,
    pub(super) is_reference: bool,
    pub(super) is_implementation: bool,
    pub(super) is_type_definition: bool,
    pub(super) is_definition: bool,
}

impl Metadata {
    pub(super) fn of(message: &[u8]) -> Result<Self, Wrong> {
        let mut found = Self::default();
        each(message, |number, value, at| {
            match number {
                2 => each(bytes(value, at)?, |number, value, at| {
                    match number {
                        1 => found.tool = text(value, at)?.to_owned(),
                        2 => found.version = text(value, at)?.to_owned(),
                        _ => {}
                    }
                    Ok(())
                })
                .map_err(|wrong| wrong.after(at))?,
                3 => found.root = text(value, at)?.to_owned(),
                _ => {}
            }
            Ok(())
        })?;
        Ok(found)
    }
}

impl<'m> Document<'m> {
    /// Reads a document; `room` pays for its lists.
    pub(super) fn of(message: &'m [u8], room: &mut Reserved) -> Faulty<Self> {
        let (mut found, mut fields) = (Self::default(), Fields::of(message));
        loop {
            let before = fields.at;
            let Some((number, value)) = fields.next_field().map_err(located)? else { return Ok(found) };
            let at = fields.at - value.bytes().len();
            match number {
                1 => found.path = text(value, at).map_err(located)?,
                2 => {
                    let message = bytes(value, at).map_err(located)?;
                    let occurrence =
                        Occurrence::of(message).map_err(|(within, fault)| (at + within, fault))?;
                    room.make_room(&mut found.occurrences, 1).map_err(|error| (before, error.into()))?;
                    found.occurrences.push(occurrence);
                }
                3 => {
                    let message = bytes(value, at).map_err(located)?;
                    let information = Information::of(message).map_err(|wrong| located(wrong.after(at)))?;
                    room.make_room(&mut found.symbols, 1).map_err(|error| (before, error.into()))?;
                    found.symbols.push(information);
                }
                4 => found.language = text(value, at).map_err(located)?,
                5 => found.text = Some(text(value, at).map_err(located)?),
                6 => found.encoding = self::number(value, at).map_err(located)?,
                _ => {}
            }
        }
    }
}

impl<'m> Occurrence<'m> {
    fn of(message: &'m [u8]) -> Faulty<Self> {
        let (mut range, mut enclosing) = (Numbers::default(), Numbers::default());
        let (mut typed, mut typed_enclosing) = (Numbers::default(), Numbers::default());
        let (mut symbol, mut roles) = ("", 0);
        each(message, |number, value, at| {
            match number {
                1 => range.extend(value, at)?,
                2 => symbol = text(value, at)?,
                3 => roles = self::number(value, at)?,
                7 => enclosing.extend(value, at)?,
                8 | 9 => typed = Numbers::of_message(value, at, number == 8)?,
                10 | 11 => typed_enclosing = Numbers::of_message(value, at, number == 10)?,
                _ => {}
            }
            Ok(())
        })
        .map_err(located)?;
        let range = typed.or(range).range().ok_or((0, ScipFault::Range))?;
        let enclosing = match typed_enclosing.or(enclosing) {
            Numbers { count: 0, .. } => None,
            numbers => Some(numbers.range().ok_or((0, ScipFault::Range))?),
        };
        Ok(Self { range, symbol, roles: Roles(roles), enclosing })
    }
}

impl<'m> Information<'m> {
    /// Reads the description of a symbol, and checks its relationships.
    pub(super) fn of(message: &'m [u8]) -> Result<Self, Wrong> {
        let mut found = Self { symbol: "", kind: 0, display_name: "", message };
        each(message, |number, value, at| {
            match number {
                1 => found.symbol = text(value, at)?,
                4 => drop(Relationship::of(bytes(value, at)?).map_err(|wrong| wrong.after(at))?),
                5 => found.kind = self::number(value, at)?,
                6 => found.display_name = text(value, at)?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// The relationships, in the order of the index.
    pub(super) fn relationships(&self) -> impl Iterator<Item = Relationship<'m>> + use<'m> {
        let mut fields = Fields::of(self.message);
        std::iter::from_fn(move || fields.next_field().ok().flatten())
            .filter(|(number, _)| *number == 4)
            .filter_map(|(_, value)| Relationship::of(value.bytes()).ok())
    }
}

impl<'m> Relationship<'m> {
    fn of(message: &'m [u8]) -> Result<Self, Wrong> {
        let mut found = Self::default();
        each(message, |number, value, at| {
            match number {
                1 => found.symbol = text(value, at)?,
                2 => found.is_reference = self::number(value, at)? != 0,
                3 => found.is_implementation = self::number(value, at)? != 0,
                4 => found.is_type_definition = self::number(value, at)? != 0,
                5 => found.is_definition = self::number(value, at)? != 0,
                _ => {}
            }
            Ok(())
        })?;
        Ok(found)
    }
}

/// The numbers of a range. A fifth number makes the range invalid, and further ones are not kept.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    values: [u64; 5],
    count: usize,
}

impl Numbers {
    fn push(&mut self, number: u64) {
        if let Some(value) = self.values.get_mut(self.count) {
            *value = number;
            self.count += 1;
        }
    }

    /// Adds the value of a list field: a packed list, or a single number.
    fn extend(&mut self, value: Value<'_>, at: usize) -> Result<(), Wrong> {
        match value {
            Value::Number(number) => self.push(number),
            Value::Bytes(bytes) => {
                let mut packed = Fields::of(bytes);
                while !packed.is_over() {
                    self.push(packed.varint().map_err(|wrong| wrong.after(at))?);
                }
            }
            Value::Other => return Err(Wrong::new(at, "a range whose numbers have a fixed size")),
        }
        Ok(())
    }

    /// The numbers of a range that is a message: `SingleLineRange` has the fields line, start and end column;
    /// `MultiLineRange` has the four fields of a range. A missing field is 0.
    fn of_message(value: Value<'_>, at: usize, is_one_line: bool) -> Result<Self, Wrong> {
        let mut found = Self { values: [0; 5], count: if is_one_line { 3 } else { 4 } };
        each(bytes(value, at)?, |number, value, at| {
            let place = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
            if place < found.count {
                found.values[place] = self::number(value, at)?;
            }
            Ok(())
        })
        .map_err(|wrong| wrong.after(at))?;
        Ok(found)
    }

    fn or(self, other: Self) -> Self {
        if self.count == 0 { other } else { self }
    }

    fn range(&self) -> Option<Range> {
        Range::of(&self.values[..self.count])
    }
}

/// Calls `take` with the number, the value and the offset of each field of a message.
fn each<'m>(
    message: &'m [u8],
    mut take: impl FnMut(u64, Value<'m>, usize) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    let mut fields = Fields::of(message);
    while let Some((number, value)) = fields.next_field()? {
        take(number, value, fields.at - value.bytes().len())?;
    }
    Ok(())
}

fn bytes(value: Value<'_>, at: usize) -> Result<&[u8], Wrong> {
    match value {
        Value::Bytes(bytes) => Ok(bytes),
        _ => Err(Wrong::new(at, "a number in place of a text or message")),
    }
}

fn text(value: Value<'_>, at: usize) -> Result<&str, Wrong> {
    std::str::from_utf8(bytes(value, at)?).map_err(|_| Wrong::new(at, "a text that is not UTF-8"))
}

fn number(value: Value<'_>, at: usize) -> Result<u64, Wrong> {
    match value {
        Value::Number(number) => Ok(number),
        _ => Err(Wrong::new(at, "a text or message in place of a number")),
    }
}

fn located(wrong: Wrong) -> (usize, ScipFault) {
    (wrong.at, wrong.into())
}
