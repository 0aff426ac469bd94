//! The texts of properties in a fold: the texts that are used, and the properties that share them.

use varvite_format::{ColumnRow, Encoding, Owner, PropertyId, Quantity};

use super::values::Values;
use crate::change_error::ChangeError;
use crate::cursor::property::Property;
use crate::cursor::texts::Texts;
use crate::error::Result;
use crate::graph::Graph;
use crate::write::TextsInput;

/// Groups of node properties that are written together.
pub(super) struct TextSharing {
    groups: Vec<(Shared, Vec<PropertyId>)>,
}

/// The data that the properties of a group share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shared {
    /// Nothing: the group has one property.
    Nothing,
    /// All properties share one sorted table of texts.
    Table,
    /// The texts of both properties are in one pool of bytes: the texts of `parts` are parts of those of
    /// `source`.
    Pool { source: PropertyId, parts: PropertyId },
}

impl TextSharing {
    /// Puts properties into one group if their columns in the graph share texts.
    pub(super) fn of(graph: &Graph) -> Self {
        let directory = graph.store().directory();
        let mut groups: Vec<(Shared, Vec<PropertyId>)> = Vec::new();
        let strings = |id: PropertyId| directory.properties[id.index()].strings;
        let row_of = |id| strings(id).and_then(|column| directory.columns.get(column.index()));
        for id in graph.property_ids() {
            if directory.properties[id.index()].owner != Owner::Node {
                continue;
            }
            // The old file stores equal tables once, even if one belongs to a property of bytes and the other
            // to a property of strings. The bytes may no longer be valid text, so in the new file only
            // properties of the same type share a table.
            let value_type = |id: PropertyId| directory.properties[id.index()].value_type;
            let shares_table = |other: &PropertyId| {
                strings(id).is_some()
                    && strings(*other) == strings(id)
                    && value_type(*other) == value_type(id)
            };
            let is_sorted = row_of(id).is_some_and(|row| row.sorted);
            let table = groups.iter_mut().find(|(_, group)| is_sorted && shares_table(&group[0]));
            if let Some((shared, group)) = table {
                *shared = Shared::Table;
                group.push(id);
                continue;
            }
            let shares_pool =
                |group: &[PropertyId]| group.len() == 1 && have_one_pool(row_of(group[0]), row_of(id));
            if let Some((shared, group)) = groups.iter_mut().find(|(_, group)| shares_pool(group))
                && let Some(pool) = pool_of(graph, group[0], id)
            {
                *shared = pool;
                group.push(id);
                continue;
            }
            groups.push((Shared::Nothing, vec![id]));
        }
        Self { groups }
    }

    /// The shared data of each group, and its properties.
    pub(super) fn into_groups(self) -> Vec<(Shared, Vec<PropertyId>)> {
        self.groups
    }
}

fn have_one_pool(a: Option<&ColumnRow>, b: Option<&ColumnRow>) -> bool {
    let pool = |row: &ColumnRow| row.segments[0].filter(|_| row.encoding == Encoding::Slices);
    a.and_then(pool).is_some_and(|a| b.and_then(pool) == Some(a))
}

/// The shared pool of two properties. The source is the property whose texts are concatenated from the start
/// of the pool.
fn pool_of(graph: &Graph, a: PropertyId, b: PropertyId) -> Option<Shared> {
    let is_source = |id| {
        let property = graph.property_at(id).ok()?;
        Some(slices_of(property.strings()?)?.windows(2).all(|pair| pair[0].1 == pair[1].0))
    };
    match (is_source(a), is_source(b)) {
        (Some(true), Some(false)) => Some(Shared::Pool { source: a, parts: b }),
        (Some(false), Some(true)) => Some(Shared::Pool { source: b, parts: a }),
        _ => None,
    }
}

/// The start and end in the pool of each text of the base, by its code; `None` if bytes of the table are
/// missing.
fn slices_of(texts: &Texts) -> Option<Vec<(i64, i64)>> {
    const AT_ONCE: u32 = 1024;
    let (count, mut slices) = (texts.base_len(), Vec::new());
    let (mut starts, mut ends) = ([0; AT_ONCE as usize], [0; AT_ONCE as usize]);
    for first in (0..count).step_by(AT_ONCE as usize) {
        let len = (count - first).min(AT_ONCE) as usize;
        if !texts.slices(first, &mut starts[..len], &mut ends[..len]) {
            return None;
        }
        slices.extend(starts.iter().copied().zip(ends).take(len));
    }
    Some(slices)
}

/// Stands for the index of a text that no value uses.
const UNUSED: u32 = u32::MAX;

/// The texts that the values of one property use, in the order of first use.
pub(super) struct UsedTexts {
    bytes: Vec<u8>,
    /// The start and length of each text.
    texts: Vec<(u32, u32)>,
    /// For each value, the index of its text; for null, the number of texts.
    codes: Vec<u32>,
    /// The index of each text of the graph, by its code.
    index_of_code: Vec<u32>,
}

impl UsedTexts {
    /// Collects the texts of the values `numbers`, which are codes.
    pub(super) fn by_first_use(
        graph: &Graph,
        id: PropertyId,
        property: &Property,
        numbers: &[i64],
    ) -> Result<Self, ChangeError> {
        let Some(strings) = property.strings() else {
            let codes = vec![0; numbers.len()];
            return Ok(Self { bytes: Vec::new(), texts: Vec::new(), codes, index_of_code: Vec::new() });
        };
        let mut used = Self {
            bytes: Vec::new(),
            texts: Vec::new(),
            codes: Vec::with_capacity(numbers.len()),
            index_of_code: vec![UNUSED; strings.len() as usize],
        };
        let mut reader = strings.reader();
        for number in numbers {
            let known = usize::try_from(*number).ok().and_then(|code| used.index_of_code.get_mut(code));
            let Some(index) = known else {
                used.codes.push(UNUSED);
                continue;
            };
            if *index == UNUSED {
                let text = reader.bytes(*number as u32).unwrap_or_default();
                if used.bytes.len() + text.len() > u32::MAX as usize {
                    let what = Quantity::TextsOf(graph.properties()[id.index()].name.clone());
                    let found = (used.bytes.len() + text.len()) as u64;
                    return Err(ChangeError::TooLarge { what, found, limit: u32::MAX.into() });
                }
                *index = used.texts.len() as u32;
                used.texts.push((used.bytes.len() as u32, text.len() as u32));
                used.bytes.extend_from_slice(text);
            }
            used.codes.push(*index);
        }
        let null = used.texts.len() as u32;
        used.codes.iter_mut().filter(|code| **code == UNUSED).for_each(|code| *code = null);
        Ok(used)
    }

    /// The input for the encoder. `parents` has the parent of each owner; the owner's text may be part of the
    /// parent's text.
    pub(super) fn input<'a>(&'a self, parents: &'a [u32]) -> TextsInput<'a> {
        TextsInput { bytes: &self.bytes, texts: &self.texts, codes: &self.codes, sorted: false, parents }
    }

    fn get(&self, index: u32) -> &[u8] {
        let (start, len) = self.texts[index as usize];
        &self.bytes[start as usize..start as usize + len as usize]
    }

    /// For each owner of `parts`, the offset at which its first text may start in the texts of `self`, which
    /// are those of `source`. The offset is computed from the ranges of the texts in the old file; it is
    /// `u32::MAX` if there is none.
    pub(super) fn places_of(&self, source: &Property, parts: &Property, values: &Values) -> Vec<u32> {
        let slices = |property: &Property| property.strings().and_then(slices_of).unwrap_or_default();
        let (whole, cut) = (slices(source), slices(parts));
        let place = |(start, end): (i64, i64)| {
            let code = whole.partition_point(|(first, _)| *first <= start).checked_sub(1)?;
            let (first, last) = whole[code];
            let index = *self.index_of_code.get(code).filter(|index| **index != UNUSED && end <= last)?;
            u32::try_from(i64::from(self.texts[index as usize].0) + start - first).ok()
        };
        let place_of_code = |code: i64| {
            let slice = usize::try_from(code).ok().and_then(|code| cut.get(code).copied());
            slice.and_then(place).unwrap_or(u32::MAX)
        };
        let of_owner = |ends: &[u32]| match ends[0] < ends[1] {
            true => place_of_code(values.numbers[ends[0] as usize]),
            false => u32::MAX,
        };
        values.offsets.windows(2).map(of_owner).collect()
    }
}

/// The texts of several properties as one sorted table.
pub(super) struct SortedTable {
    bytes: Vec<u8>,
    texts: Vec<(u32, u32)>,
    /// The codes of the values of each property.
    codes: Vec<Vec<u32>>,
}

impl SortedTable {
    pub(super) fn of(members: &[UsedTexts]) -> Result<Self, ChangeError> {
        let mut order: Vec<(u32, u32)> = Vec::new();
        for (member, used) in (0..).zip(members) {
            order.extend((0..used.texts.len() as u32).map(|index| (member, index)));
        }
        let text = |(member, index): (u32, u32)| members[member as usize].get(index);
        order.sort_by_key(|of| text(*of));
        let mut table = Self { bytes: Vec::new(), texts: Vec::new(), codes: Vec::new() };
        let mut code_of_index: Vec<Vec<u32>> =
            members.iter().map(|used| vec![0; used.texts.len() + 1]).collect();
        let mut last: Option<&[u8]> = None;
        for of in order {
            let bytes = text(of);
            if last != Some(bytes) {
                let found = (table.bytes.len() + bytes.len()) as u64;
                if found > u64::from(u32::MAX) {
                    return Err(ChangeError::TooLarge {
                        what: Quantity::Texts,
                        found,
                        limit: u32::MAX.into(),
                    });
                }
                table.texts.push((table.bytes.len() as u32, bytes.len() as u32));
                table.bytes.extend_from_slice(bytes);
                last = Some(bytes);
            }
            code_of_index[of.0 as usize][of.1 as usize] = table.texts.len() as u32 - 1;
        }
        let null = table.texts.len() as u32;
        for (used, code_of_index) in members.iter().zip(&mut code_of_index) {
            code_of_index[used.texts.len()] = null;
            table.codes.push(used.codes.iter().map(|index| code_of_index[*index as usize]).collect());
        }
        Ok(table)
    }

    /// The input for the encoder of one of the properties.
    pub(super) fn input(&self, member: usize) -> TextsInput<'_> {
        let codes = &self.codes[member];
        TextsInput { bytes: &self.bytes, texts: &self.texts, codes, sorted: true, parents: &[] }
    }
}
