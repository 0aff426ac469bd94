//! [`Property`]: reads the values of a property. A property has one column for all owners, whatever their
//! labels.

use std::cell::Cell;
use std::iter::FusedIterator;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::sync::Arc;

use varvite_format::{Ints, IntsCursor, NodeSet, SetCursor};
use varvite_store::Pinned;

use crate::cursor::bounds::{ANY, Bounds};
use crate::cursor::damage::{Damage, SoundPart};
use crate::cursor::ids::Owners;
use crate::cursor::ints_scan::{IntsScan, for_each_entry};
use crate::cursor::member_change::MemberChange;
use crate::cursor::texts::Texts;
use crate::cursor::value::{Cardinality, Str, Value, ValueType};

/// A property of nodes, or of the edges of one label. Cheap to clone, shared between threads.
///
/// An owner is given by its node id, or for an edge by its rank in the out direction. Use [`Property::get`]
/// for the value of an owner ([`Property::number`] or [`Property::str`] if the type is known),
/// [`Property::all`] for a list of values, and [`Property::fill`] for the values of many owners at once.
#[derive(Clone, Debug)]
pub struct Property {
    pub(crate) value_type: ValueType,
    pub(crate) cardinality: Cardinality,
    /// The owners that have a value in the base. `offsets` and `values` also belong to the base.
    #[doc(hidden)]
    pub present: NodeSet<Pinned>,
    /// The starts of the owners' lists in `values`; `None` if each owner of the base has one value.
    #[doc(hidden)]
    pub offsets: Option<Ints<Pinned>>,
    #[doc(hidden)]
    pub values: Ints<Pinned>,
    pub(crate) texts: Option<Texts>,
    /// The numbers that are valid values, in the base and in the changes.
    #[doc(hidden)]
    pub bounds: Bounds,
    /// The numbers that are valid values in the columns of the base. Texts added later have codes above
    /// these.
    #[doc(hidden)]
    pub stored_bounds: Bounds,
    /// Whether the stored form allows several values for an owner, in the base or in the changes.
    #[doc(hidden)]
    pub has_lists: bool,
    /// The changes of values. Positions of changed values follow the positions of the base.
    #[doc(hidden)]
    pub change: Option<Arc<PropertyChange>>,
    /// The exclusive upper limit of the owners.
    pub(crate) owner_limit: u32,
    #[doc(hidden)]
    pub damage: Damage,
    /// The key under which [`Damage`] records which values of this property were found sound.
    pub(crate) sound: SoundPart,
}

/// The changes of a property since the base was written.
#[derive(Debug)]
pub struct PropertyChange {
    /// Owners whose values are read from the change, not from the base.
    pub(crate) owners: Option<NodeSet<Pinned>>,
    /// Removed nodes or edges, which have no values.
    pub(crate) removed: Option<NodeSet<Pinned>>,
    /// The values of `owners`, as a property without a change.
    #[doc(hidden)]
    pub values: Option<Property>,
    /// The owners that gained or lost values.
    #[doc(hidden)]
    pub members: MemberChange,
    /// The number of values in the base that the change removes or replaces.
    pub(crate) hidden_values: usize,
}

impl Property {
    /// Type of the values.
    pub fn value_type(&self) -> ValueType {
        self.value_type
    }

    /// The number of values that an owner may have.
    pub fn cardinality(&self) -> Cardinality {
        self.cardinality
    }

    /// The property in the base, without its changes.
    pub(crate) fn without_change(self) -> Self {
        Self { has_lists: self.offsets.is_some(), change: None, ..self }
    }

    /// The exclusive upper limit of the owners: the number of nodes, or the number of edge ranks. Removed
    /// nodes and edges are included.
    pub fn owner_limit(&self) -> u32 {
        self.owner_limit
    }

    /// Whether owners may have several values, according to the schema or to the stored form.
    #[doc(hidden)]
    #[inline]
    pub fn is_list(&self) -> bool {
        self.cardinality == Cardinality::List || self.has_lists
    }

    /// The number of owners that have a value.
    pub fn len(&self) -> u32 {
        match &self.change {
            None => self.present.len(),
            Some(change) => change.members.of(&self.present).len(),
        }
    }

    /// True if no owner has a value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of values of all owners together.
    pub fn value_count(&self) -> usize {
        self.change.as_ref().map_or(self.values.len(), |change| change.value_count(self.values.len()))
    }

    /// Whether `owner` has a value.
    #[inline]
    pub fn is_present(&self, owner: u32) -> bool {
        match &self.change {
            None => self.present.contains(owner),
            Some(change) => change.members.of(&self.present).contains(owner),
        }
    }

    /// The owners that have a value, ascending.
    #[inline]
    pub fn owners(&self) -> Owners<'_> {
        self.owners_from(0)
    }

    /// The owners from `start` on that have a value, ascending.
    #[inline]
    pub fn owners_from(&self, start: u32) -> Owners<'_> {
        Owners::new(&self.present, self.change.as_ref().map(|change| &change.members), start)
    }

    /// The first value of `owner`, if it has one.
    #[inline]
    pub fn get(&self, owner: u32) -> Option<Value<'_>> {
        let range = self.range(owner);
        (!range.is_empty()).then(|| self.value_at(range.start, owner))
    }

    /// All values of `owner`, in order.
    #[inline]
    pub fn all(&self, owner: u32) -> Values<'_> {
        Values { property: self, owner, positions: self.range(owner) }
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

    /// The truth value of `owner`, if the column stores a bit for every owner, so that the bit's index is the
    /// owner. Costs one bit test. `None` for other properties, and if the bit cannot be read.
    #[inline]
    #[doc(hidden)]
    pub fn bit(&self, owner: u32) -> Option<bool> {
        let is_plain = self.change.is_none() && self.offsets.is_none() && self.value_type == ValueType::Bool;
        if is_plain && self.present.is_whole() { self.values.bit(owner as usize) } else { None }
    }

    /// All values of `owner` as numbers, in order.
    #[inline]
    pub fn numbers(&self, owner: u32) -> Numbers<'_> {
        Numbers { property: self, owner, positions: self.range(owner) }
    }

    /// All values of `owner` in the base as numbers, in order.
    pub(crate) fn stored_numbers(&self, owner: u32) -> Numbers<'_> {
        Numbers { property: self, owner, positions: self.range_in_base(owner) }
    }

    /// Calls `visit` with every owner and each of its values as a number: owners ascending, values in order.
    ///
    /// This is the fastest way to read a whole property: about five nanoseconds for each value. Columns are
    /// decoded in blocks from front to back. Allocates a block for each column.
    pub fn for_each(&self, visit: impl FnMut(u32, i64)) {
        match &self.change {
            None => self.for_each_of_base(visit),
            Some(change) => change.for_each(self, visit),
        }
    }

    pub(crate) fn for_each_of_base(&self, mut visit: impl FnMut(u32, i64)) {
        let visit = |owner, number| {
            visit(owner, number);
            true
        };
        let values = IntsScan::within(&self.values, &self.stored_bounds);
        if let Err(owner) = for_each_entry(&self.present, self.offsets.as_ref(), values, visit) {
            self.damage.note("property", owner);
        }
    }

    /// A reader for many owners. It keeps the last block that it read, so it is fastest if owners are
    /// ascending.
    pub fn cursor(&self) -> PropertyCursor<'_> {
        PropertyCursor {
            property: self,
            bounds: self.stored_bounds,
            is_plain: !self.has_lists && self.change.is_none(),
            present: self.present.cursor(),
            values: self.values.cursor(),
        }
    }

    /// The first value of `owner` as text. `None` if it is null, or if the property has another type.
    #[inline]
    pub fn str(&self, owner: u32) -> Option<Str<'_>> {
        if self.value_type != ValueType::String {
            return None;
        }
        let number = self.number(owner).filter(|number| !self.bounds.is_null(*number))?;
        let code = self.texts.as_ref().zip(u32::try_from(number).ok());
        let text = code.and_then(|(texts, code)| Str::new(texts.get(code)?));
        if text.is_none() {
            self.damage.note("string table", owner);
        }
        text
    }

    /// The property with one more text, for owners without a value: a query gives this text the last code.
    /// `None` if the values are not strings, or if no code is left.
    #[doc(hidden)]
    pub fn with_extra_text(&self, extra: Arc<str>) -> Option<Self> {
        let texts = self.texts.clone().filter(|_| self.value_type == ValueType::String)?.with_extra(extra)?;
        let bounds = Bounds::of(self.value_type, 0, texts.len());
        Some(Self { texts: Some(texts), bounds, ..self.clone() })
    }

    /// The texts that codes stand for; `None` unless the property's type is strings or bytes.
    pub fn strings(&self) -> Option<&Texts> {
        self.texts.as_ref()
    }

    /// Calls `visit` with every owner that has a value equal to `number`, ascending, until `visit` returns
    /// `Break`. An owner is visited once for each of its values equal to `number`.
    ///
    /// Reads the values in blocks, and skips packed blocks that cannot hold `number`. Costs about a
    /// nanosecond for each value.
    pub fn find_number(&self, number: i64, visit: impl FnMut(u32) -> ControlFlow<()>) {
        match &self.change {
            None => self.find_in_base(number, visit),
            Some(change) => change.find_number(self, number, visit),
        }
    }

    pub(crate) fn find_in_base(&self, number: i64, mut visit: impl FnMut(u32) -> ControlFlow<()>) {
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
        let (all, mut is_whole) = (0..self.values.len(), true);
        let mut see = |position| {
            let flow = owner_at(position);
            is_whole &= flow.is_continue();
            flow
        };
        match self.find_equal(number, all.clone(), &mut see) {
            Some(()) if is_whole => self.note_checked(all),
            Some(()) => {}
            None => self.damage.note("property", 0),
        }
    }

    /// Visits those positions in `range`, ascending, whose values equal `number`. `None` if bytes are missing
    /// or a value is invalid.
    #[doc(hidden)]
    pub fn find_equal(
        &self,
        number: i64,
        range: Range<usize>,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        match self.bounds_of(&range) {
            Some(bounds) => self.values.find_equal(number, range, &bounds, visit),
            None => self.find_if(range, |found| found == number, visit),
        }
    }

    /// The same as [`Property::find_equal`], for values in a range of numbers. Returns the number of values
    /// that were read.
    #[doc(hidden)]
    pub fn find_range(
        &self,
        numbers: RangeInclusive<i64>,
        range: Range<usize>,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<usize> {
        match self.bounds_of(&range) {
            Some(bounds) => self.values.find_range(numbers, range, &bounds, visit),
            None => {
                let count = range.len();
                self.find_if(range, |number| numbers.contains(&number), visit).map(|()| count)
            }
        }
    }

    /// The same as [`Property::find_equal`], for values that pass a test.
    #[inline]
    #[doc(hidden)]
    pub fn find_if(
        &self,
        range: Range<usize>,
        passes: impl Fn(i64) -> bool,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        if let Some(bounds) = self.bounds_of(&range) {
            return self.values.find_if(range, &bounds, passes, visit);
        }
        // The number that stands for null is not adjacent to the numbers of values, so one range cannot check
        // both.
        let are_sound = Cell::new(true);
        let passes = |number| {
            are_sound.set(are_sound.get() && self.stored_bounds.allow(number));
            passes(number)
        };
        self.values.find_if(range, &ANY, passes, visit)?;
        are_sound.get().then_some(())
    }

    /// The bounds against which a search of `range` checks the stored numbers. They admit every number if the
    /// values were checked before. `None` if the number that stands for null is not adjacent to the numbers
    /// of values, so that one range cannot check both.
    pub(crate) fn bounds_of(&self, range: &Range<usize>) -> Option<RangeInclusive<i64>> {
        if self.is_checked(range) { Some(ANY) } else { self.stored_bounds.all() }
    }

    /// Whether all values in a range were already checked and found sound, by any reader of the open graph.
    pub(crate) fn is_checked(&self, range: &Range<usize>) -> bool {
        range.end.min(self.values.len()) <= self.damage.sound(self.sound)
    }

    /// Records that the values in a range were checked and found sound.
    #[doc(hidden)]
    pub fn note_checked(&self, range: Range<usize>) {
        self.damage.note_sound(self.sound, range.start, range.end.min(self.values.len()));
    }

    /// The positions of the values of `owner`.
    #[inline]
    #[doc(hidden)]
    pub fn range(&self, owner: u32) -> Range<usize> {
        match &self.change {
            None => self.range_in_base(owner),
            Some(change) => change.range(self, owner),
        }
    }

    #[inline]
    pub(crate) fn range_in_base(&self, owner: u32) -> Range<usize> {
        let Some(rank) = self.present.member_rank(owner) else { return 0..0 };
        let Some(offsets) = &self.offsets else { return rank..rank + 1 };
        let ends = offsets.pair(rank);
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
    #[doc(hidden)]
    pub fn number_at(&self, position: usize, owner: u32) -> Option<i64> {
        let number = self.values.get(position, u64::from(owner));
        let number = number.filter(|number| self.stored_bounds.allow(*number));
        if number.is_none() { self.changed_number_at(position, owner) } else { number }
    }

    #[cold]
    fn changed_number_at(&self, position: usize, owner: u32) -> Option<i64> {
        let values = self.change.as_ref().and_then(|change| change.values.as_ref());
        match values.zip(position.checked_sub(self.values.len())) {
            Some((values, position)) => values.number_at(position, owner),
            None => {
                self.damage.note("property", owner);
                None
            }
        }
    }

    /// The value that a stored number stands for.
    #[doc(hidden)]
    pub fn value_of(&self, number: i64, owner: u32) -> Value<'_> {
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

    /// The text of a code other than the code of null; `None` if the text cannot be read.
    fn text_of(&self, number: i64) -> Option<Value<'_>> {
        let text = self.texts.as_ref()?.get(u32::try_from(number).ok()?)?;
        match self.value_type {
            ValueType::String => Str::new(text).map(Value::Str),
            _ => Some(Value::Bytes(text)),
        }
    }
}

/// The values of one owner, in order.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    property: &'a Property,
    owner: u32,
    positions: Range<usize>,
}

impl<'a> Iterator for Values<'a> {
    type Item = Value<'a>;

    #[inline]
    fn next(&mut self) -> Option<Value<'a>> {
        self.positions.next().map(|position| self.property.value_at(position, self.owner))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.positions.size_hint()
    }

    #[inline]
    fn fold<A, F: FnMut(A, Value<'a>) -> A>(self, first: A, mut visit: F) -> A {
        let Self { property, owner, positions } = self;
        positions.fold(first, |folded, position| visit(folded, property.value_at(position, owner)))
    }
}

impl DoubleEndedIterator for Values<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        self.positions.next_back().map(|position| self.property.value_at(position, self.owner))
    }
}

impl ExactSizeIterator for Values<'_> {}

impl FusedIterator for Values<'_> {}

/// The values of one owner as numbers, in order, up to the first value that cannot be read.
#[derive(Clone, Debug)]
pub struct Numbers<'a> {
    property: &'a Property,
    owner: u32,
    positions: Range<usize>,
}

impl Iterator for Numbers<'_> {
    type Item = i64;

    #[inline]
    fn next(&mut self) -> Option<i64> {
        let number = self.property.number_at(self.positions.next()?, self.owner);
        if number.is_none() {
            self.positions = 0..0;
        }
        number
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.positions.len()))
    }
}

impl FusedIterator for Numbers<'_> {}

/// Reads a property of many owners, one after another.
///
/// If owners are ascending, a read costs two to four nanoseconds, while [`Property::number`] costs up to
/// three cache misses. Owners may come in any other order, but then reads are not faster than
/// [`Property::number`].
#[derive(Debug)]
pub struct PropertyCursor<'a> {
    property: &'a Property,
    bounds: Bounds,
    /// True if each owner has one value and all values are in the base.
    is_plain: bool,
    present: SetCursor<'a, Pinned>,
    values: IntsCursor<'a, Pinned>,
}

impl PropertyCursor<'_> {
    /// Returns the same as [`Property::number`].
    #[inline]
    pub fn number(&mut self, owner: u32) -> Option<i64> {
        if !self.is_plain && !self.is_in_base(owner) {
            return self.property.number(owner);
        }
        let rank = self.present.member_rank(owner)?;
        let number = self.values.get(rank).filter(|number| self.bounds.allow(*number));
        if number.is_none() {
            self.property.damage.note("property", owner);
        }
        number
    }

    /// Whether an owner's value is read from the base.
    #[inline(never)]
    fn is_in_base(&self, owner: u32) -> bool {
        let change = self.property.change.as_ref().filter(|_| !self.property.has_lists);
        change.is_some_and(|change| !change.is_of(owner))
    }
}

/// The index of the list, among `lists` lists, that contains the value at `position`.
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
