//! Assigns values: the operations set, append and clear determine the final values of each owner.
//!
//! The values are checked in the order of the operations. Then the properties are assigned one by one: all
//! new texts of a property are looked up together, and each owner's values are computed from its operations,
//! in their order.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use varvite_format::{EdgeLabelId, Owner, PropertyId};
use varvite_store::Task;

use super::addition::Numbers;
use super::base::{BaseValues, Reader};
use super::change_set::ChangeSet;
use super::chunk::Chunk;
use super::diff::Diff;
use super::new_ranks::LEFT_OUT;
use super::new_value::NewValue;
use super::operation::{Kind, Operation, StoredValue, ValueOwner, Values};
use super::patch::Patch;
use super::property_changes::{NULL, NewTexts, PropertyChanges};
use super::refusal::{ChangeResult, Checked};
use super::removal::{check_edge, check_node};
use super::schema::{PropertyKind, Schema};
use super::value_runs::{RunValue, ValueEdit};
use crate::change_error::ChangeError;
use crate::change_fault::ChangeFault;
use crate::cursor::bounds::NULL_REF;
use crate::cursor::value::{Cardinality, ValueType};
use crate::error::Result;

/// If a property has more than this many texts for each wanted text, each wanted text is looked up by itself.
/// Otherwise one scan finds all of them.
const MANY: usize = 16;

/// A set or append operation on the values of one owner.
struct Assignment {
    owner: u32,
    is_append: bool,
    /// The range of the values in the chunk.
    values: Range<u32>,
}

/// Assigns the values of a diff to their owners.
pub(super) fn assign(
    diff: &Diff,
    changes: &mut ChangeSet,
    schema: &Schema<'_>,
    numbers: &Numbers,
    reader: Reader<'_>,
    task: &Task<'_>,
) -> Result<(), ChangeError> {
    // Append operations of a chunk extend the values that their owners have after the previous chunk.
    diff.for_each_chunk(&Kind::VALUES, |first, chunk| {
        Assigning { diff, chunk, schema, numbers, reader }.assign(first, changes, task)
    })
}

/// A chunk whose values are being assigned to their owners.
#[derive(Clone, Copy)]
struct Assigning<'a> {
    diff: &'a Diff,
    chunk: &'a Chunk,
    schema: &'a Schema<'a>,
    numbers: &'a Numbers,
    reader: Reader<'a>,
}

impl Assigning<'_> {
    fn assign(self, first: u64, changes: &mut ChangeSet, task: &Task<'_>) -> Result<(), ChangeError> {
        let Self { diff, chunk, schema, numbers, reader } = self;
        let mut assignments: BTreeMap<PropertyId, Vec<Assignment>> = BTreeMap::new();
        let mut next = 0;
        for (number, operation) in (first..).zip(chunk.operations(diff)) {
            let Operation::Values(given) = operation else { continue };
            let values = next..next + given.values.len() as u32;
            next = values.end;
            let resolver = Resolver { chunk, changes, schema, numbers, reader };
            let (property, owner) = resolver.owner(&given).map_err(|refusal| refusal.at(number))?;
            let sound = resolver.check_values(&given, property);
            sound.map_err(|fault| ChangeError::Operation { operation: number, fault })?;
            if owner != LEFT_OUT {
                let assignment = Assignment { owner, is_append: given.is_append, values };
                assignments.entry(property).or_default().push(assignment);
            }
        }
        for (property, mut assignments) in assignments {
            task.check()?;
            // Texts are numbered in the order of owners, so that their numbers do not depend on the order of
            // operations.
            assignments.sort_by_key(|assignment| assignment.owner);
            Property { chunk, schema, numbers, reader, property, assignments }.assign(changes, task)?;
            changes.make_room()?;
        }
        Ok(())
    }
}

struct Resolver<'a> {
    chunk: &'a Chunk,
    changes: &'a ChangeSet,
    schema: &'a Schema<'a>,
    numbers: &'a Numbers,
    reader: Reader<'a>,
}

impl Resolver<'_> {
    /// The property that an operation changes, and the number of the owner.
    fn owner(&self, given: &Values<'_>) -> Checked<(PropertyId, u32)> {
        let (owner, number) = match given.owner {
            ValueOwner::Node(node) => {
                let node = self.numbers.node(node)?;
                check_node(node, self.changes)?;
                (Owner::Node, node)
            }
            ValueOwner::Edge(label, rank) => {
                let label = self.schema.edge_label(label)?;
                check_edge(label, rank, self.schema, self.changes, self.reader)?;
                (Owner::Edge(label), rank)
            }
            ValueOwner::NewEdge(edge) => {
                let label = self.new_edge_label(edge.0)?;
                (Owner::Edge(label), self.numbers.ranks.get(edge.index()))
            }
        };
        if let Owner::Edge(label) = owner
            && self.schema.is_forest(label)
        {
            let edge_label = self.schema.edge_label_name(label).to_owned();
            return Err(ChangeFault::WithoutRanks { edge_label }.into());
        }
        Ok((self.schema.property(owner, given.property)?, number))
    }

    fn new_edge_label(&self, number: u32) -> ChangeResult<EdgeLabelId> {
        let ranks = &self.numbers.ranks;
        ranks.label(number as usize).ok_or(ChangeFault::NoSuchNew { number, count: ranks.len() as u32 })
    }

    fn check_values(&self, given: &Values<'_>, property: PropertyId) -> ChangeResult<()> {
        let kind = self.schema.kind(property);
        let name = || self.schema.name(given.property).to_owned();
        if kind.cardinality != Cardinality::List && (given.is_append || given.values.len() > 1) {
            return Err(ChangeFault::NotAList { property: name() });
        }
        for value in given.values {
            let value = self.chunk.value(*value);
            if !self.fits(&value, kind)? {
                let expected = kind.value_type.map_or("values of a type that is not known", ValueType::name);
                return Err(ChangeFault::WrongType { property: name(), expected, found: shown(&value) });
            }
        }
        Ok(())
    }

    fn fits(&self, value: &NewValue<'_>, kind: PropertyKind) -> ChangeResult<bool> {
        let Some(value_type) = kind.value_type else { return Ok(false) };
        match (value, value_type) {
            (NewValue::Null, ValueType::String | ValueType::Bytes | ValueType::Ref)
            | (NewValue::Str(_), ValueType::String)
            | (NewValue::Bytes(_), ValueType::Bytes) => Ok(true),
            (NewValue::Ref(node), ValueType::Ref) => {
                check_node(self.numbers.node(*node)?, self.changes)?;
                Ok(true)
            }
            _ => Ok(value.number(value_type).is_some()),
        }
    }
}

/// A value as error messages show it.
fn shown(value: &NewValue<'_>) -> String {
    match value {
        NewValue::Int(value) => value.to_string(),
        NewValue::Uint(value) => value.to_string(),
        NewValue::F32(value) => value.to_string(),
        NewValue::F64(value) => value.to_string(),
        other => other.kind().to_owned(),
    }
}

/// A property, and the chunk's operations on the values of its owners.
struct Property<'a> {
    chunk: &'a Chunk,
    schema: &'a Schema<'a>,
    numbers: &'a Numbers,
    reader: Reader<'a>,
    property: PropertyId,
    assignments: Vec<Assignment>,
}

impl Property<'_> {
    fn assign(&self, changes: &mut ChangeSet, task: &Task<'_>) -> Result<(), ChangeError> {
        let reader = self.schema.is_of_graph(self.property).then_some(self.reader);
        let base = reader.map(|reader| reader.values(self.property)).transpose()?;
        let kind = self.schema.kind(self.property);
        let value_type = kind.value_type.expect("values of other types fit nowhere");
        if changes.runs.contains_key(&self.property) {
            return self.assign_to_runs(changes, value_type, reader, task);
        }
        let changed = changes.property_changes(self.property, value_type, reader)?;
        let codes = self.codes(changed, value_type, reader, task)?;
        let patch = self.patch(changed, base.as_ref(), value_type, &codes)?;
        Ok(changes.patch(self.property, &patch, base.as_ref(), self.reader)?)
    }

    /// The same as [`Self::assign`], for a property whose changes are on disk. A text that the base does not
    /// have gets its code later, when the changes are sorted.
    fn assign_to_runs(
        &self,
        changes: &mut ChangeSet,
        value_type: ValueType,
        reader: Option<Reader<'_>>,
        task: &Task<'_>,
    ) -> Result<(), ChangeError> {
        let mut codes = HashMap::new();
        if value_type.is_text() {
            self.texts().for_each(|text| _ = codes.insert(text, None));
            self.find_in_base(&mut codes, reader, task)?;
        }
        let runs = changes.runs.get_mut(&self.property).expect("it is there");
        let mut values = Vec::new();
        for of_owner in self.assignments.chunk_by(|one, other| one.owner == other.owner) {
            // A set operation overrides all earlier operations on its owner.
            let set = of_owner.iter().rposition(|assignment| !assignment.is_append);
            let deed = if set.is_some() { ValueEdit::Set } else { ValueEdit::Append };
            values.clear();
            for value in of_owner[set.unwrap_or(0)..].iter().flat_map(|assignment| assignment.values.clone())
            {
                values.push(match self.text(value) {
                    None => RunValue::Number(self.number(value, value_type)),
                    Some(text) => codes[text].map_or(RunValue::Text(text), RunValue::Number),
                });
            }
            runs.push(of_owner[0].owner, deed, values.iter().copied())?;
        }
        if let Some(texts) = &mut runs.texts {
            texts.has_new |= codes.values().any(Option::is_none);
        }
        Ok(())
    }

    /// For each text among the values, its code (its number in the tables of the base and of the changes).
    fn codes(
        &self,
        changed: &mut PropertyChanges,
        value_type: ValueType,
        reader: Option<Reader<'_>>,
        task: &Task<'_>,
    ) -> Result<HashMap<&[u8], Option<i64>>, ChangeError> {
        let mut wanted: HashMap<&[u8], Option<i64>> = HashMap::new();
        let Some(texts) = changed.texts.as_mut().filter(|_| value_type.is_text()) else { return Ok(wanted) };
        let mut order = Vec::new();
        for text in self.texts() {
            if wanted.insert(text, None).is_none() {
                order.push(text);
            }
        }
        texts.find(&mut wanted);
        self.find_in_base(&mut wanted, reader, task)?;
        for text in order {
            wanted.entry(text).and_modify(|code| _ = code.get_or_insert_with(|| texts.push(text)));
        }
        Ok(wanted)
    }

    /// For each wanted text that has no code yet, fills in its code in the base (its number in the property's
    /// table of texts), if the base has the text.
    fn find_in_base<'t>(
        &self,
        wanted: &mut HashMap<&'t [u8], Option<i64>>,
        reader: Option<Reader<'_>>,
        task: &Task<'_>,
    ) -> Result<(), ChangeError> {
        let Some(reader) = reader else { return Ok(()) };
        let mut missing: HashMap<&'t [u8], Option<i64>> = HashMap::new();
        missing.extend(wanted.iter().filter(|(_, code)| code.is_none()));
        reader.texts(self.property)?.find(&mut missing, self.schema.text_codes(), task)?;
        wanted.extend(missing);
        Ok(())
    }

    /// All texts among the values.
    fn texts(&self) -> impl Iterator<Item = &[u8]> {
        let values = self.assignments.iter().flat_map(|assignment| assignment.values.clone());
        values.filter_map(|value| self.text(value))
    }

    /// The bytes of a text or byte value; `None` for other values.
    fn text(&self, value: u32) -> Option<&[u8]> {
        self.chunk.text_of(self.chunk.values[value as usize])
    }

    /// The number that is stored for a value other than a text or bytes.
    fn number(&self, value: u32, value_type: ValueType) -> i64 {
        match self.chunk.value(self.chunk.values[value as usize]) {
            NewValue::Null if value_type == ValueType::Ref => NULL_REF,
            NewValue::Null => NULL,
            NewValue::Ref(node) => self.numbers.node(node).expect("it was looked at").into(),
            value => value.number(value_type).expect("it was looked at"),
        }
    }

    /// The final values of the owners.
    fn patch(
        &self,
        changed: &PropertyChanges,
        base: Option<&BaseValues>,
        value_type: ValueType,
        codes: &HashMap<&[u8], Option<i64>>,
    ) -> Result<Patch, ChangeError> {
        let (mut patch, mut values) = (Patch::default(), Vec::new());
        for of_owner in self.assignments.chunk_by(|one, other| one.owner == other.owner) {
            let owner = of_owner[0].owner;
            values.clear();
            // If the diff appends to an owner and does not set its values, the new values follow the owner's
            // present values.
            if of_owner[0].is_append {
                self.present_values(changed, base, owner, &mut values)?;
            }
            for assignment in of_owner {
                if !assignment.is_append {
                    values.clear();
                }
                let numbers = assignment.values.clone().map(|value| match self.text(value) {
                    None => self.number(value, value_type),
                    Some(text) => codes[text].expect("each text was given a code"),
                });
                values.extend(numbers);
            }
            patch.push(owner, &values);
        }
        Ok(patch)
    }

    /// Appends the values that an owner had before the diff.
    fn present_values(
        &self,
        changed: &PropertyChanges,
        base: Option<&BaseValues>,
        owner: u32,
        values: &mut Vec<i64>,
    ) -> Result<(), ChangeError> {
        if let Some(present) = changed.of(owner) {
            values.extend_from_slice(present);
            return Ok(());
        }
        let Some(base) = base else { return Ok(()) };
        let first = values.len();
        base.append(owner, values).ok_or_else(|| self.reader.impossible("property", owner))?;
        if let Some(texts) = &changed.texts {
            // In the base, the code of null is one more than that of the base's last text. In the changes, it
            // is `NULL`.
            let null = i64::from(texts.base);
            values[first..].iter_mut().filter(|value| **value == null).for_each(|value| *value = NULL);
        }
        Ok(())
    }
}

impl NewTexts {
    /// Fills in the code of each wanted text that this table contains.
    fn find(&mut self, wanted: &mut HashMap<&[u8], Option<i64>>) {
        if wanted.len() < self.len() as usize / MANY {
            for (text, code) in wanted {
                *code = self.find_one(text).map(|index| i64::from(self.base) + i64::from(index));
            }
            return;
        }
        for index in 0..self.len() {
            if let Some(code) = wanted.get_mut(self.get(index)) {
                *code = Some(i64::from(self.base) + i64::from(index));
            }
        }
    }

    /// Adds a text, and returns its code.
    fn push(&mut self, text: &[u8]) -> i64 {
        self.pool.extend_from_slice(text);
        self.ends.push(self.pool.len() as u32);
        i64::from(self.base) + i64::from(self.len()) - 1
    }
}

/// A stored value is small because it refers to its text by number.
const _: () = assert!(size_of::<StoredValue>() == 16);
