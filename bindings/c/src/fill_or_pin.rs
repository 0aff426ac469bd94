//! `varvite_fill_or_pin`: returns a value as bytes in one call, either copied or lent, whichever is cheaper.
//!
//! Bytes of a segment that is mapped or held in memory as a whole are lent without a pin. Bytes of a decoded
//! block are copied if they are no longer than the caller's threshold, because copying then costs less than
//! releasing a pin; longer bytes are lent with a pin.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use varvite::ValueType;

use crate::failure::Failure;
use crate::handle::{Counted, Handle};
use crate::pin::PinObject;
use crate::pointer::{Byte, NamedOutItems, Out, OutAddress, OutItems};
use crate::property::PropertyObject;
use crate::status::Status;

exports! {
    /// The first value of an owner as bytes.
    fn varvite_fill_or_pin(
        property: Handle<PropertyObject>,
        owner: u32,
        buffer: OutItems<'_, Byte>,
        capacity: u64,
        threshold: u64,
        address: Out<'_, OutAddress<c_void>>,
        length: Out<'_, u64>,
        pin: Out<'_, Counted<PinObject>>,
    ) {
        let place = Place { buffer, capacity, threshold, address, length, pin };
        property.read(|object| {
            object.check_owner(owner)?;
            let Some(number) = object.property.number(owner) else { return Ok(place.absent()) };
            match object.property.value_type() {
                ValueType::String | ValueType::Bytes => place.text(object, code_of(number)),
                ValueType::Ref if code_of(number) == u32::MAX => Ok(place.absent()),
                value_type => place.fill(&number.to_le_bytes()[..width_of(value_type)]),
            }
        })
    }

    /// The text or bytes that a code stands for.
    fn varvite_text_fill_or_pin(
        property: Handle<PropertyObject>,
        code: u32,
        buffer: OutItems<'_, Byte>,
        capacity: u64,
        threshold: u64,
        address: Out<'_, OutAddress<c_void>>,
        length: Out<'_, u64>,
        pin: Out<'_, Counted<PinObject>>,
    ) {
        let place = Place { buffer, capacity, threshold, address, length, pin };
        property.read(|object| place.text(object, code))
    }
}

/// The caller's buffer for a value.
struct Place<'c> {
    buffer: NamedOutItems<'c, Byte>,
    capacity: u64,
    threshold: u64,
    address: &'c mut MaybeUninit<OutAddress<c_void>>,
    length: &'c mut MaybeUninit<u64>,
    pin: &'c mut MaybeUninit<Counted<PinObject>>,
}

impl Place<'_> {
    fn text(self, object: &PropertyObject, code: u32) -> Result<Status, Failure> {
        let Some(text) = object.strings()?.get(code) else {
            object.check_null(code)?;
            return Ok(self.absent());
        };
        match text.into_held() {
            Err(bytes) => Ok(self.lend(bytes)),
            Ok(held) if held.len() as u64 <= self.threshold => self.fill(&held),
            Ok(held) => Ok(PinObject::of_text(&object.open, held).give(self.address, self.length, self.pin)),
        }
    }

    fn absent(self) -> Status {
        self.lend(&[]);
        Status::Absent
    }

    fn lend(self, bytes: &[u8]) -> Status {
        self.address.write(OutAddress::bytes(bytes));
        self.length.write(bytes.len() as u64);
        self.pin.write(Counted::NULL);
        Status::Borrowed
    }

    fn fill(self, bytes: &[u8]) -> Result<Status, Failure> {
        let needed = bytes.len() as u64;
        self.length.write(needed);
        self.pin.write(Counted::NULL);
        self.address.write(self.buffer.address());
        if needed > self.capacity {
            return Err(Failure::TooSmall { argument: self.buffer.name(), capacity: self.capacity, needed });
        }
        for (place, byte) in self.buffer.slice(needed)?.iter_mut().zip(bytes) {
            place.write(Byte(*byte));
        }
        Ok(Status::Filled)
    }
}

/// Converts a stored number to a text code. A number outside of `u32` becomes `u32::MAX`, which is no text's
/// code.
fn code_of(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The size of a number of this type in bytes.
fn width_of(value_type: ValueType) -> usize {
    match value_type {
        ValueType::Bool | ValueType::I8 | ValueType::U8 => 1,
        ValueType::I16 | ValueType::U16 => 2,
        ValueType::I32 | ValueType::U32 | ValueType::F32 | ValueType::Ref => 4,
        ValueType::I64 | ValueType::U64 | ValueType::F64 | ValueType::String | ValueType::Bytes => 8,
    }
}
