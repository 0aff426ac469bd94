//! Properties: one column for the whole graph, whatever the labels of the nodes that have it.

use std::ops::{ControlFlow, Range};
use std::sync::{Arc, OnceLock};

use varvite_format::{Ints, IntsCursor, NodeSet, SetCursor};
use varvite_store::Pinned;

use crate::bounds::Bounds;
use crate::damage::Damage;
use crate::scan::for_each_entry;
use crate::texts::Texts;
use crate::value::{Cardinality, Str, Value, ValueType};

/// A property of nodes, or of the edges of one label. Cheap to clone, shared between threads.
///
/// Owners are node ids, or ranks of edges in the out direction.
#[derive(Clone, Debug)]
pub struct Property {
    pub(crate) value_type: ValueType,
    pub(crate) cardinality: Cardinality,
    pub(crate) present: NodeSet<Pinned>,
    /// None: each owner has one value.
    pub(crate) offsets: Option<Ints<Pinned>>,
    pub(crate) values: Ints<Pinned>,
    pub(crate) texts: Option<Texts>,
    /// The numbers that values can be.
    pub(crate) bounds: Bounds,
    pub(crate) damage: Damage,
    pub(crate) sound: Soundness,
}

/// Whether all values of a property were looked at, by anyone: searches pass over what they need not decode.
pub(crate) type Soundness = Arc<OnceLock<()>>;

/// Values that are looked at in one go.
const CHECKED: usize = 1 << 16;

impl Property {
    /// Type of the values.
    pub fn value_type(&self) -> ValueType {
        self.value_type
    }

    /// How many values an owner has.
    pub fn cardinality(&self) -> Cardinality {
        self.cardinality
    }

    /// Whether owners have lists: by the schema, or as values are stored.
    pub(crate) fn is_list(&self) -> bool {
        self.cardinality == Cardinality::List || self.offsets.is_some()
    }

    /// How many owners have a value.
    pub fn len(&self) -> u32 {
        self.present.len()
    }

    /// True if nothing has a value.
    pub fn is_empty(&self) -> bool {
        self.present.is_empty()
    }

    /// How many values there are, all lists together.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Whether `owner` has a value.
    #[inline]
    pub fn is_present(&self, owner: u32) -> bool {
        self.present.contains(owner)
    }

    /// Everything that has a value, rising.
    pub fn owners(&self) -> impl Iterator<Item = u32> + '_ {
        self.present.iter()
    }

    /// Everything from `start` on that has a value, rising.
    pub fn owners_from(&self, start: u32) -> impl Iterator<Item = u32> + '_ {
        self.present.iter_from(start)
    }

    /// The first value of `owner`, if it has one.
    #[inline]
    pub fn get(&self, owner: u32) -> Option<Value<'_>> {
        let range = self.range(owner);
        (!range.is_empty()).then(|| self.value_at(range.start, owner))
    }

    /// All values of `owner`, in order.
    pub fn all(&self, owner: u32) -> impl Iterator<Item = Value<'_>> {
        self.range(owner).map(move |position| self.value_at(position, owner))
    }

    /// The first value of `owner` as a number: an integer, a truth value, a string's code or a node's id.
    #[inline]
    pub fn number(&self, owner: u32) -> Option<i64> {
        let range = self.range(owner);
        if range.is_empty() {
            return None;
        }
        self.number_at(range.start, owner)
    }

    /// All values of `owner` as numbers, in order.
    #[inline]
    pub fn numbers(&self, owner: u32) -> impl Iterator<Item = i64> + '_ {
        self.range(owner).map_while(move |position| self.number_at(position, owner))
    }

    /// Calls `visit` with every owner and each of its values as a number: owners rising, values in order.
    ///
    /// The fastest way to read a whole property, at some five nanoseconds a value. Columns are decoded in blocks from front
    /// to back; allocates a block for each.
    pub fn for_each(&self, mut visit: impl FnMut(u32, i64)) {
        let visit = |owner, number| {
            let is_sound = self.bounds.allow(number);
            if is_sound {
                visit(owner, number);
            }
            is_sound
        };
        if let Err(owner) = for_each_entry(&self.present, self.offsets.as_ref(), &self.values, visit) {
            self.damage.note("property", owner);
        }
    }

    /// A reader for many owners, fastest where they rise: it keeps the last place of the column.
    pub fn cursor(&self) -> PropertyCursor<'_> {
        PropertyCursor { property: self, present: self.present.cursor(), values: self.values.cursor() }
    }

    /// The first value of `owner` as text. None for other types and for null.
    #[inline]
    pub fn str(&self, owner: u32) -> Option<Str<'_>> {
        if self.value_type != ValueType::String {
            return None;
        }
        match self.value_of(self.number(owner)?, owner) {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The texts that codes stand for, in a property of strings or bytes.
    pub fn strings(&self) -> Option<&Texts> {
        self.texts.as_ref()
    }

    /// Calls `visit` with every owner that has a value equal to `number`, rising, until it breaks; an owner once for each
    /// such value.
    ///
    /// Reads the values in blocks, and of packed blocks only those that can hold `number`: about a nanosecond for a
    /// value.
    pub fn find_number(&self, number: i64, mut visit: impl FnMut(u32) -> ControlFlow<()>) {
        let _ = self.check_values(|| Ok::<(), ()>(()));
        let mut owner_at = |position: usize| {
            let rank = match &self.offsets {
                Some(offsets) => list_of(offsets, position, self.present.len() as usize),
                None => Some(position),
            };
            match rank.and_then(|rank| self.present.select(rank)) {
                Some(owner) => visit(owner),
                None => {
                    self.damage.note("property", 0);
                    ControlFlow::Break(())
                }
            }
        };
        if self.values.find_equal(number, 0..self.values.len(), &mut owner_at).is_none() {
            self.damage.note("property", 0);
        }
    }

    /// Looks at all values once in the life of the open graph, and notes if one can't be: a search reads only what may match, and
    /// would pass over what a value was damaged to. `look` is called now and then and may end it.
    ///
    /// A pass over headers of blocks, and over the values of those that could hold more than there is.
    pub(crate) fn check_values<E>(
        &self,
        look: impl Fn() -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        if self.sound.get().is_some() {
            return Ok(());
        }
        let allowed = self.bounds.all();
        for first in (0..self.values.len()).step_by(CHECKED) {
            look()?;
            let range = first..first + CHECKED;
            let are_sound = match allowed.as_ref() {
                Some(allowed) => self.values.are_within(allowed, range),
                None => self.are_allowed(range),
            };
            if are_sound != Some(true) {
                self.damage.note("property", 0);
                break;
            }
        }
        let _ = self.sound.set(());
        Ok(())
    }

    /// Whether all values of a range can be, where null is apart from the others.
    fn are_allowed(&self, range: Range<usize>) -> Option<bool> {
        let mut are_allowed = true;
        let stop = &mut |_| {
            are_allowed = false;
            ControlFlow::Break(())
        };
        self.values.find_if(range, |number| !self.bounds.allow(number), stop)?;
        Some(are_allowed)
    }

    /// Positions of the values of `owner`.
    #[inline]
    pub(crate) fn range(&self, owner: u32) -> Range<usize> {
        let Some(position) = self.present.position(owner) else { return 0..0 };
        let Some(offsets) = &self.offsets else { return position..position + 1 };
        let ends = offsets.pair(position);
        let ends = ends.filter(|(start, end)| start <= end && *end <= self.values.len() as u64);
        match ends {
            Some((start, end)) => start as usize..end as usize,
            None => {
                self.damage.note("property", owner);
                0..0
            }
        }
    }

    /// The value at a position, which belongs to `owner`.
    #[inline]
    pub(crate) fn value_at(&self, position: usize, owner: u32) -> Value<'_> {
        self.number_at(position, owner).map_or(Value::Null, |number| self.value_of(number, owner))
    }

    /// The number at a position, which belongs to `owner`.
    #[inline]
    pub(crate) fn number_at(&self, position: usize, owner: u32) -> Option<i64> {
        let number = self.values.get(position, u64::from(owner)).filter(|number| self.bounds.allow(*number));
        if number.is_none() {
            self.damage.note("property", owner);
        }
        number
    }

    /// The value that a stored number stands for.
    pub(crate) fn value_of(&self, number: i64, owner: u32) -> Value<'_> {
        match self.value_type {
            ValueType::Bool => Value::Bool(number != 0),
            ValueType::I8 | ValueType::I16 | ValueType::I32 | ValueType::I64 => Value::Int(number),
            ValueType::U8 | ValueType::U16 | ValueType::U32 | ValueType::U64 => Value::Uint(number as u64),
            ValueType::F32 => Value::F32(f32::from_bits(number as u32)),
            ValueType::F64 => Value::F64(f64::from_bits(number as u64)),
            ValueType::Ref if self.bounds.is_null(number) => Value::Ref(None),
            ValueType::Ref => Value::Ref(u32::try_from(number).ok()),
            ValueType::String | ValueType::Bytes if self.bounds.is_null(number) => Value::Null,
            ValueType::String | ValueType::Bytes => self.text_of(number).unwrap_or_else(|| {
                self.damage.note("string table", owner);
                Value::Null
            }),
        }
    }

    /// The text of a code that is not null's; none if it can't be read.
    fn text_of(&self, number: i64) -> Option<Value<'_>> {
        let text = self.texts.as_ref()?.get(u32::try_from(number).ok()?)?;
        match self.value_type {
            ValueType::String => Str::new(text).map(Value::Str),
            _ => Some(Value::Bytes(text)),
        }
    }
}

/// Reads a property of many owners, one after another.
///
/// A pass over rising owners costs some two to four nanoseconds for each, where [`Property::number`] costs up to three cache
/// misses. Any other order is right as well, and no faster.
#[derive(Debug)]
pub struct PropertyCursor<'a> {
    property: &'a Property,
    present: SetCursor<'a, Pinned>,
    values: IntsCursor<'a, Pinned>,
}

impl PropertyCursor<'_> {
    /// What [`Property::number`] is.
    #[inline]
    pub fn number(&mut self, owner: u32) -> Option<i64> {
        let position = self.present.position(owner)?;
        if self.property.offsets.is_some() {
            return self.property.number(owner);
        }
        let number = self.values.get(position).filter(|number| self.property.bounds.allow(*number));
        if number.is_none() {
            self.property.damage.note("property", owner);
        }
        number
    }
}

/// Which of `lists` lists the value at `position` is in.
fn list_of(offsets: &Ints<Pinned>, position: usize, lists: usize) -> Option<usize> {
    let (mut low, mut high) = (0, lists);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if offsets.get(middle, middle as u64)? <= position as i64 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}
