//! `varvite_property`: the values of a property of nodes or edges, as numbers and as text.

use std::mem::MaybeUninit;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use varvite::{GraphError, Property, PropertyId, PropertyInfo, Texts, ValueType};
use varvite_format::{Fault, FormatError};

use crate::c_type::Char;
use crate::failure::Failure;
use crate::graph::{GraphObject, OpenGraph};
use crate::handle::{Counted, Handle, Kind};
use crate::pointer::{Byte, Items, Out, OutItems};
use crate::room::{Room, copy};
use crate::schema::property_at;
use crate::status::Status;

/// The number of owners whose values are read at once: a multiple of 64.
const FILLED: usize = 4096;

/// The number of owners that are selected at once: a multiple of 64. A selection stores one bit for each
/// owner, so this number may be larger than [`FILLED`].
const SELECTED: usize = 1 << 16;

/// The object behind a property handle: a property, with its graph.
pub(crate) struct PropertyObject {
    pub(crate) open: Arc<OpenGraph>,
    pub(crate) id: PropertyId,
    pub(crate) property: Property,
    /// The number of nodes of the graph, or of edges of the property's label. Every owner's number is below
    /// it.
    owners: u64,
}

impl Kind for PropertyObject {
    const NAME: &'static str = "property";
    const FOUND: &'static str = "it is one of a property";
    const C: &'static str = "varvite_property";
    const GRAPH: Option<fn(&Self) -> &varvite::Graph> = Some(|it| &it.open.graph);
}

exports! {
    /// Opens a property.
    fn varvite_property_open(
        graph: Handle<GraphObject>,
        property: u32,
        opened: Out<'_, Counted<PropertyObject>>,
    ) {
        opened.write(Counted::new(PropertyObject::open(graph.graph()?, property)?));
        Ok(Status::Ok)
    }

    /// The number of nodes or edges with a value, and the number of values.
    fn varvite_property_counts(
        property: Handle<PropertyObject>,
        owners: Out<'_, u64>,
        values: Out<'_, u64>,
    ) {
        property.read(|object| {
            owners.write(object.property.len().into());
            values.write(object.property.value_count() as u64);
            Ok(Status::Ok)
        })
    }

    /// The first value of an owner as a number.
    fn varvite_property_number(property: Handle<PropertyObject>, owner: u32, number: Out<'_, i64>) {
        property.read(|object| {
            object.check_owner(owner)?;
            let Some(value) = object.property.number(owner) else { return Ok(Status::Absent) };
            number.write(value);
            Ok(Status::Ok)
        })
    }

    /// The first value of an owner as a floating-point number.
    fn varvite_property_double(property: Handle<PropertyObject>, owner: u32, number: Out<'_, f64>) {
        property.read(|object| {
            object.check_owner(owner)?;
            let to_double = object.to_double()?;
            let Some(bits) = object.property.number(owner) else { return Ok(Status::Absent) };
            number.write(to_double(bits));
            Ok(Status::Ok)
        })
    }

    /// The first values of many owners as numbers, and for each owner whether it has a value.
    fn varvite_property_numbers(
        property: Handle<PropertyObject>,
        owners: Items<'_, u32>,
        numbers: OutItems<'_, i64>,
        present: OutItems<'_, u8>,
        count: u64,
    ) {
        let (owners, numbers, present) = (owners.slice(count)?, numbers.slice(count)?, present.slice(count)?);
        property.read(|object| {
            for ((owner, number), is_present) in owners.iter().zip(numbers).zip(present) {
                object.check_owner(*owner)?;
                let value = object.property.number(*owner);
                number.write(value.unwrap_or(0));
                is_present.write(value.is_some().into());
            }
            Ok(Status::Ok)
        })
    }

    /// The first values of consecutive owners as numbers, and a bit for each owner that has a value.
    fn varvite_property_fill(
        property: Handle<PropertyObject>,
        start: u32,
        count: u64,
        numbers: OutItems<'_, i64>,
        present: OutItems<'_, u64>,
    ) {
        let (numbers, present) = (numbers.slice(count)?, present.slice(count.div_ceil(64))?);
        property.read(|object| {
            object.check_owners(start, count)?;
            object.fill(start, numbers, present);
            Ok(Status::Ok)
        })
    }

    /// A bit for each of consecutive owners: whether its first value is in a range of numbers.
    fn varvite_property_select(
        property: Handle<PropertyObject>,
        least: i64,
        greatest: i64,
        start: u32,
        count: u64,
        bits: OutItems<'_, u64>,
    ) {
        let bits = bits.slice(count.div_ceil(64))?;
        property.read(|object| {
            object.check_owners(start, count)?;
            fill_bits(start, count, bits, |owners, words| object.property.select(least..=greatest, owners, words));
            Ok(Status::Ok)
        })
    }

    /// A bit for each of consecutive owners: whether it has a value.
    fn varvite_property_select_present(
        property: Handle<PropertyObject>,
        start: u32,
        count: u64,
        bits: OutItems<'_, u64>,
    ) {
        let bits = bits.slice(count.div_ceil(64))?;
        property.read(|object| {
            object.check_owners(start, count)?;
            fill_bits(start, count, bits, |owners, words| object.property.select_present(owners, words));
            Ok(Status::Ok)
        })
    }

    /// The number of values of consecutive owners in a range of numbers.
    fn varvite_property_count_in(
        property: Handle<PropertyObject>,
        least: i64,
        greatest: i64,
        start: u32,
        count: u64,
        values: Out<'_, u64>,
    ) {
        property.read(|object| {
            let owners = object.check_owners(start, count)?;
            values.write(object.property.count_in(least..=greatest, owners));
            Ok(Status::Ok)
        })
    }

    /// All values of an owner as numbers, in order.
    fn varvite_property_list(
        property: Handle<PropertyObject>,
        owner: u32,
        numbers: OutItems<'_, i64>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        property.read(|object| {
            object.check_owner(owner)?;
            Room { items: numbers, capacity, count }.fill_counting(object.property.numbers(owner))
        })
    }

    /// The owners with a value, from owner `start` on, as many as fit.
    fn varvite_property_owners(
        property: Handle<PropertyObject>,
        start: u32,
        owners: OutItems<'_, u32>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        property.read(|object| {
            Room { items: owners, capacity, count }.fill_up(object.property.owners_from(start))
        })
    }

    /// The owners that have a value equal to a number, in rising order.
    fn varvite_property_equal(
        property: Handle<PropertyObject>,
        number: i64,
        owners: OutItems<'_, u32>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        property.read(|object| {
            let mut found = Vec::new();
            object.property.find_number(number, |owner| {
                found.push(owner);
                ControlFlow::Continue(())
            });
            Room { items: owners, capacity, count }.fill(found.into_iter())
        })
    }

    /// The number of different texts of a property. The codes of texts are below this number.
    fn varvite_property_text_count(property: Handle<PropertyObject>, texts: Out<'_, u32>) {
        property.read(|object| {
            texts.write(object.strings()?.len());
            Ok(Status::Ok)
        })
    }

    /// The code of a text.
    fn varvite_property_text_find(
        property: Handle<PropertyObject>,
        text: Items<'_, Char>,
        length: u64,
        code: Out<'_, u32>,
    ) {
        let text = text.text(length)?;
        property.read(|object| {
            let Some(found) = object.strings()?.find(text) else { return Ok(Status::Absent) };
            code.write(found);
            Ok(Status::Ok)
        })
    }

    /// The text that a code stands for.
    fn varvite_property_text(
        property: Handle<PropertyObject>,
        code: u32,
        text: OutItems<'_, Byte>,
        capacity: u64,
        length: Out<'_, u64>,
    ) {
        property.read(|object| {
            let strings = object.strings()?;
            let Some(bytes) = strings.get(code) else {
                object.check_null(code)?;
                length.write(0);
                return Ok(Status::Absent);
            };
            Room { items: text, capacity, count: length }.fill(bytes.iter().copied().map(Byte))
        })
    }
}

impl PropertyObject {
    fn open(open: Arc<OpenGraph>, number: u32) -> Result<Self, Failure> {
        let graph = &open.graph;
        let id = property_at(graph, number)?;
        let property = graph.property_at(id)?;
        let owners = property.owner_limit().into();
        Ok(Self { id, property, owners, open })
    }

    /// The property's row in the schema.
    pub(crate) fn info(&self) -> &PropertyInfo {
        &self.open.graph.properties()[self.id.index()]
    }

    /// Fails if the node or edge does not exist.
    pub(crate) fn check_owner(&self, owner: u32) -> Result<(), Failure> {
        if u64::from(owner) < self.owners {
            return Ok(());
        }
        match &self.info().edge_label {
            None => Err(GraphError::NoSuchNode { node: owner.into(), nodes: self.owners as u32 }.into()),
            Some(_) => Err(Failure::Index { kind: "edge", index: owner.into(), count: self.owners as usize }),
        }
    }

    /// The range of `count` owners from `start` on. Fails if one of them does not exist.
    fn check_owners(&self, start: u32, count: u64) -> Result<Range<u32>, Failure> {
        let Some(more) = count.checked_sub(1) else { return Ok(start..start) };
        self.check_owner(start)?;
        let last = u32::try_from(more).ok().and_then(|more| start.checked_add(more)).unwrap_or(u32::MAX);
        self.check_owner(last)?;
        Ok(start..last.saturating_add(1))
    }

    /// Fills the caller's arrays for existing owners, [`FILLED`] owners at a time so that their values stay
    /// in the processor's caches.
    fn fill(&self, start: u32, numbers: &mut [MaybeUninit<i64>], present: &mut [MaybeUninit<u64>]) {
        let (mut values, mut bits, mut owner) = (Vec::new(), Vec::new(), start);
        for (numbers, present) in numbers.chunks_mut(FILLED).zip(present.chunks_mut(FILLED / 64)) {
            let end = owner + numbers.len() as u32;
            self.property.fill(owner..end, &mut values, &mut bits);
            copy(numbers, &values);
            copy(present, &bits);
            owner = end;
        }
    }

    /// The texts of the property. Fails if its type is neither string nor bytes.
    pub(crate) fn strings(&self) -> Result<&Texts, Failure> {
        self.property.strings().ok_or_else(|| self.wrong_type("string or bytes"))
    }

    /// The function that converts a value's bits to a floating-point number. Fails for other types.
    fn to_double(&self) -> Result<fn(i64) -> f64, Failure> {
        match self.property.value_type() {
            ValueType::F32 => Ok(|bits| f32::from_bits(bits as u32).into()),
            ValueType::F64 => Ok(|bits| f64::from_bits(bits as u64)),
            _ => Err(self.wrong_type("f32 or f64")),
        }
    }

    fn wrong_type(&self, expected: &'static str) -> Failure {
        let info = self.info();
        let (name, found) = (info.name.clone(), info.value_type.name());
        GraphError::WrongType { name, expected, found }.into()
    }

    /// Returns `Ok` if `code` is the code of null, which is one above the largest code of a text. Called for
    /// a code without a text: unless it is the code of null, it is damaged or does not exist.
    pub(crate) fn check_null(&self, code: u32) -> Result<(), Failure> {
        let count = self.strings()?.len();
        match code == count {
            true => Ok(()),
            false if code < count => Err(self.damaged_text(code)),
            false => Err(Failure::Index { kind: "text", index: code.into(), count: count as usize }),
        }
    }

    /// The failure for a code below the number of texts that has no text: the string table is damaged.
    fn damaged_text(&self, code: u32) -> Failure {
        let part = format!("string table of {}", self.info().name);
        let fault = Fault::Missing { what: "text", number: Some(code.into()) };
        let error = FormatError::damaged(part, fault);
        self.open.graph.store().damaged(error).into()
    }
}

/// Fills the caller's array with the bits of `count` owners from `start` on, [`SELECTED`] owners at a time.
fn fill_bits(
    start: u32,
    count: u64,
    bits: &mut [MaybeUninit<u64>],
    select: impl Fn(Range<u32>, &mut Vec<u64>),
) {
    let (mut words, mut owner, mut left) = (Vec::new(), start, count);
    for bits in bits.chunks_mut(SELECTED / 64) {
        let end = owner + left.min(SELECTED as u64) as u32;
        select(owner..end, &mut words);
        copy(bits, &words);
        left -= u64::from(end - owner);
        owner = end;
    }
}
