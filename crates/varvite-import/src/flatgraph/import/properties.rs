//! Reads one node property: merges the columns of all kinds into one column for the whole graph.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use varvite::change::ChangeError;
use varvite::columns::{PreparedProperty, PropertyInput, PropertySpec, TextsInput, ValuesInput};
use varvite::{Cardinality, ValueType};
use varvite_format::{EdgeLabelId, Owner, Quantity};

use super::ImportRun;
use super::cpg;
use super::error::ColumnError;
use super::ids::Ids;
use super::lists::{Places, offsets_of};
use crate::flatgraph::{FlatgraphError, FlatgraphFile, NodeRef, PropertyColumn, Scratch, StringPool, Values};

/// A property, ready to be written.
pub(super) struct PropertyColumns {
    pub(super) spec: PropertySpec,
    pub(super) columns: PreparedProperty,
}

/// The string pool of the source, and the texts that several properties share.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) pool: StringPool,
    /// The offset and length of each shared text in the pool, sorted by the bytes of the texts.
    shared: Vec<(u32, u32)>,
    /// For each text of the pool, its index among the shared texts.
    shared_codes: Vec<u32>,
}

/// The code of a text that is not shared, or not yet used.
const UNUSED: u32 = u32::MAX;

impl Texts {
    pub(super) fn read(file: &FlatgraphFile, scratch: &mut Scratch) -> Result<Self, FlatgraphError> {
        let pool = file.decode_string_pool(scratch)?;
        let mut is_shared = vec![false; pool.len()];
        let mut counts = Vec::new();
        for column in file.property_columns().iter().filter(|column| cpg::shares_texts(&column.name)) {
            let slots = file.decode_quantities(column, scratch, &mut counts)?;
            if let Values::String(indexes) = file.decode_property(column, slots, scratch)? {
                let indexes = indexes.iter().filter_map(|index| usize::try_from(*index).ok());
                indexes.for_each(|index| is_shared[index] = true);
            }
        }
        let mut order: Vec<usize> = (0..pool.len()).filter(|index| is_shared[*index]).collect();
        order.sort_unstable_by_key(|index| pool.get(*index));
        let (mut shared, mut shared_codes) = (Vec::new(), vec![UNUSED; pool.len()]);
        let mut last = None;
        for (index, range) in order.iter().filter_map(|index| Some((*index, pool.range(*index)?))) {
            // flatgraph writes each text once, but a file from another writer may have duplicates in its
            // pool.
            if last != pool.get(index) {
                shared.push((range.start as u32, range.len() as u32));
                last = pool.get(index);
            }
            shared_codes[index] = shared.len() as u32 - 1;
        }
        Ok(Self { shared, shared_codes, pool })
    }
}

/// Reads, sorts and encodes one property.
pub(super) fn read_property(
    import: &ImportRun<'_>,
    name: &str,
    layer: u32,
) -> Result<PropertyColumns, ColumnError> {
    let column = Column::read(import, name)?;
    let spec = column.spec(name, layer);
    let Column { offsets, values, .. } = column;
    let label_sets = import.indexes.label_sets_for(name);
    let columns = match cpg::shares_texts(name) && spec.value_type == ValueType::String {
        true => values.encode_shared(import, &offsets, label_sets)?,
        false => values.encode(import, &offsets, import.numbering.parents(), label_sets)?,
    };
    Ok(PropertyColumns { spec, columns })
}

/// The values of a property of nodes, in the order of ids.
pub(super) struct Column {
    cardinality: Cardinality,
    /// The position of each node's first value, and the number of all values.
    pub(super) offsets: Vec<u32>,
    pub(super) values: Gathered,
}

impl Column {
    /// Reads the values of all nodes.
    pub(super) fn read(import: &ImportRun<'_>, name: &str) -> Result<Self, ColumnError> {
        Self::gather(import, name, import.columns.of_property(name))
    }

    /// Reads the values of the nodes with one label.
    pub(super) fn read_of_label(
        import: &ImportRun<'_>,
        name: &str,
        label: &str,
    ) -> Result<Self, ColumnError> {
        let has_label = |kind: u32| &*import.file.kinds()[kind as usize].label == label;
        let columns = import.columns.of_property(name).iter().copied();
        Self::gather(import, name, &columns.filter(|column| has_label(column.kind)).collect::<Vec<_>>())
    }

    fn gather(import: &ImportRun<'_>, name: &str, columns: &[&PropertyColumn]) -> Result<Self, ColumnError> {
        let mut scratch = Scratch::new();
        let nodes = import.numbering.node_count() as usize;
        let mut lengths = vec![0u32; nodes];
        let (mut quantities, mut total) = (Vec::new(), 0u64);
        let (mut most, mut everywhere) = (0, true);
        for column in columns {
            let mut counts = Vec::new();
            let slots = import.file.decode_quantities(*column, &mut scratch, &mut counts)?;
            total += slots;
            for (seq, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let id = import.numbering.ids().id(column.kind, seq as u32).ok_or_else(|| {
                    ColumnError::Contradiction(format!("property {name}: a deleted node has a value"))
                })?;
                lengths[id as usize] = *count;
                most = most.max(*count);
            }
            let kind = &import.numbering.kinds()[column.kind as usize];
            let living = kind.node_count as usize - kind.deletions.len();
            everywhere &= counts.iter().filter(|count| **count > 0).count() == living;
            quantities.push((slots, counts));
        }
        if total > u64::from(u32::MAX) {
            let (what, limit) = (Quantity::Values, u64::from(u32::MAX));
            return Err(ChangeError::TooLarge { what, found: total, limit }.into());
        }
        let offsets = offsets_of(&lengths);
        drop(lengths);
        let mut values = Gathered::new(total as usize);
        for (column, (slots, counts)) in columns.iter().zip(&quantities) {
            let decoded = import.file.decode_property(column, *slots, &mut scratch)?;
            let mut places = Places::new(import.numbering.ids(), column.kind, counts);
            let positions = std::iter::from_fn(|| places.next(&offsets).map(|(_, at)| at));
            values
                .put(positions, &decoded, import.numbering.ids())
                .map_err(|what| ColumnError::Contradiction(format!("property {name}: {what}")))?;
        }
        let cardinality = match (most, everywhere) {
            (2.., _) => Cardinality::List,
            (_, true) => Cardinality::One,
            (_, false) => Cardinality::Optional,
        };
        Ok(Self { cardinality, offsets, values })
    }

    /// The schema's description of the property, adapted to the values that were found.
    pub(super) fn spec(&self, name: &str, layer: u32) -> PropertySpec {
        let (known, found) = (cpg::property(name), self.cardinality);
        PropertySpec {
            name: name.to_owned(),
            owner: Owner::Node,
            layer,
            value_type: self.values.value_type(),
            cardinality: known.map_or(found, |known| known.cardinality_with(found)),
            default: known.and_then(|known| known.default).map(str::to_owned),
        }
    }

    /// The nodes with a value, each with the position of its first value.
    pub(super) fn owners(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        let owners = (0u32..).zip(self.offsets.windows(2)).filter(|(_, ends)| ends[0] < ends[1]);
        owners.map(|(node, ends)| (node, ends[0] as usize))
    }
}

/// The description of an edge label's property. Edge properties have no name in flatgraph.
pub(super) fn edge_property_spec(label: &str, value_type: ValueType, everywhere: bool) -> PropertySpec {
    let known = (label == cpg::DATAFLOW).then_some(cpg::VARIABLE);
    PropertySpec {
        name: known.map_or("EDGE_PROPERTY", |known| known.name).to_owned(),
        owner: Owner::Edge(EdgeLabelId(0)),
        layer: 0,
        value_type,
        cardinality: if everywhere { Cardinality::One } else { Cardinality::Optional },
        default: known.and_then(|known| known.default).map(str::to_owned),
    }
}

/// Values of one property, merged from columns that may have different types.
pub(super) struct Gathered {
    value_type: Option<ValueType>,
    /// Integers, truth values, bits of floats, node ids, or indexes into the string pool, with -1 for null.
    numbers: Vec<i64>,
    refs_to_deleted: u64,
}

/// The null reference as stored in a graph.
const NULL_REF: i64 = u32::MAX as i64;

impl Gathered {
    pub(super) fn new(values: usize) -> Self {
        Self { value_type: None, numbers: vec![0; values], refs_to_deleted: 0 }
    }

    /// The type that can represent all values.
    pub(super) fn value_type(&self) -> ValueType {
        self.value_type.unwrap_or(ValueType::String)
    }

    /// The value at a position, as an integer.
    pub(super) fn number(&self, position: usize) -> i64 {
        self.numbers[position]
    }

    /// Stores the values of one column at their positions.
    pub(super) fn put(
        &mut self,
        positions: impl Iterator<Item = usize>,
        values: &Values,
        ids: &Ids,
    ) -> Result<(), String> {
        self.widen(type_of(values))?;
        let numbers = &mut self.numbers;
        let place = |numbers_of: &mut dyn Iterator<Item = i64>| {
            positions.zip(numbers_of).for_each(|(position, number)| numbers[position] = number);
        };
        match values {
            Values::Bool(values) => place(&mut values.iter().map(|value| i64::from(*value))),
            Values::Byte(values) => place(&mut values.iter().map(|value| i64::from(*value))),
            Values::Short(values) => place(&mut values.iter().map(|value| i64::from(*value))),
            Values::Int(values) | Values::String(values) => {
                place(&mut values.iter().map(|value| i64::from(*value)));
            }
            Values::Long(values) => place(&mut values.iter().copied()),
            Values::Float(values) => place(&mut values.iter().map(|value| i64::from(value.to_bits()))),
            Values::Double(values) => place(&mut values.iter().map(|value| value.to_bits() as i64)),
            Values::Ref(values) => {
                let mut deleted = 0;
                let mut id = |node: &NodeRef| {
                    let id = ids.id_of(*node);
                    deleted += u64::from(id.is_none() && !node.is_null());
                    id.map_or(NULL_REF, i64::from)
                };
                place(&mut values.iter().map(&mut id));
                self.refs_to_deleted += deleted;
            }
        }
        Ok(())
    }

    /// Merges the types of columns: integers get the widest type; other types must be equal.
    fn widen(&mut self, found: ValueType) -> Result<(), String> {
        let Some(known) = self.value_type else {
            self.value_type = Some(found);
            return Ok(());
        };
        let is_integer = |value_type: ValueType| {
            (ValueType::I8 as u8..=ValueType::I64 as u8).contains(&(value_type as u8))
        };
        if known != found && !(is_integer(known) && is_integer(found)) {
            return Err(format!("it is {} on one label and {} on another", known.name(), found.name()));
        }
        if found as u8 > known as u8 {
            self.value_type = Some(found);
        }
        Ok(())
    }

    /// Encodes the columns of the property. `parents` has the parent of each node, and is empty if owners are
    /// not nodes. If `label_sets` are given, the property gets an index.
    pub(super) fn encode(
        self,
        import: &ImportRun<'_>,
        offsets: &[u32],
        parents: &[u32],
        label_sets: Option<&[u32]>,
    ) -> Result<PreparedProperty, ColumnError> {
        import.refs_to_deleted.fetch_add(self.refs_to_deleted, Ordering::Relaxed);
        let values = match self.value_type() {
            ValueType::String => {
                let (texts, codes) = self.distinct_texts(&import.texts.pool);
                import.text_bytes.take(&texts)?;
                let bytes = import.texts.pool.text().as_bytes();
                let texts = TextsInput { bytes, texts: &texts, codes: &codes, sorted: false, parents };
                let input = PropertyInput { offsets, values: ValuesInput::Texts(texts) };
                return Ok(encode_texts(import, input, label_sets)?);
            }
            ValueType::Bool => ValuesInput::Truth(&self.numbers),
            _ => ValuesInput::Numbers(&self.numbers),
        };
        Ok(import.encoder.property(PropertyInput { offsets, values })?)
    }

    /// Encodes a property whose texts are in the shared table.
    fn encode_shared(
        self,
        import: &ImportRun<'_>,
        offsets: &[u32],
        label_sets: Option<&[u32]>,
    ) -> Result<PreparedProperty, ColumnError> {
        let texts = &import.texts;
        import.text_bytes.take(&texts.shared)?;
        let null = texts.shared.len() as u32;
        let code_of =
            |index: &i64| usize::try_from(*index).ok().and_then(|index| texts.shared_codes.get(index));
        let codes: Vec<u32> =
            self.numbers.iter().map(|index| code_of(index).copied().unwrap_or(null)).collect();
        let bytes = texts.pool.text().as_bytes();
        let input = TextsInput { bytes, texts: &texts.shared, codes: &codes, sorted: true, parents: &[] };
        let input = PropertyInput { offsets, values: ValuesInput::Texts(input) };
        Ok(encode_texts(import, input, label_sets)?)
    }

    /// The distinct strings in the order of first use, each by its range in the pool, and the code of each
    /// value.
    pub(super) fn distinct_texts(&self, pool: &StringPool) -> (Vec<(u32, u32)>, Vec<u32>) {
        let mut code_of = CodeOf::new(self.numbers.len(), pool.len());
        let mut texts = Vec::new();
        // flatgraph writes each text once, but a file from another writer may have duplicates in its pool.
        let mut known: HashMap<&str, u32> = HashMap::new();
        let mut codes = Vec::with_capacity(self.numbers.len());
        for index in &self.numbers {
            let index = usize::try_from(*index).ok();
            let code = index.and_then(|index| Some((pool.range(index)?, code_of.of(index)?)));
            let code = code.map(|(range, code)| (code, range));
            codes.push(match code {
                None => UNUSED,
                Some((code, range)) => {
                    if *code == UNUSED {
                        *code = *known.entry(&pool.text()[range.clone()]).or_insert_with(|| {
                            texts.push((range.start as u32, range.len() as u32));
                            texts.len() as u32 - 1
                        });
                    }
                    *code
                }
            });
        }
        let null = texts.len() as u32;
        codes.iter_mut().filter(|code| **code == UNUSED).for_each(|code| *code = null);
        (texts, codes)
    }
}

/// The codes of texts by their indexes in the pool: a table, or a map if few texts are used.
enum CodeOf {
    Table(Vec<u32>),
    Map(HashMap<usize, u32>),
}

impl CodeOf {
    fn new(values: usize, texts: usize) -> Self {
        match values < texts / 8 {
            true => Self::Map(HashMap::new()),
            false => Self::Table(vec![UNUSED; texts]),
        }
    }

    fn of(&mut self, index: usize) -> Option<&mut u32> {
        match self {
            Self::Table(codes) => codes.get_mut(index),
            Self::Map(codes) => Some(codes.entry(index).or_insert(UNUSED)),
        }
    }
}

/// The number of bytes of texts that the properties of an import may still store. A text that several
/// properties use is stored with each of them.
pub(super) struct TextRoom {
    left: AtomicU64,
    max: u64,
}

impl TextRoom {
    /// Allows as many bytes as the file may decode to.
    pub(super) fn of(file: &FlatgraphFile) -> Self {
        let max = file.plain_len_max();
        Self { left: AtomicU64::new(max), max }
    }

    pub(super) fn take(&self, texts: &[(u32, u32)]) -> Result<(), FlatgraphError> {
        let wanted: u64 = texts.iter().map(|(_, len)| u64::from(*len)).sum();
        let take = |left: u64| left.checked_sub(wanted);
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        let error = |left| FlatgraphError::Limit {
            what: "bytes of texts",
            found: self.max - left + wanted,
            max: self.max,
        };
        taken.map(drop).map_err(error)
    }
}

fn encode_texts(
    import: &ImportRun<'_>,
    input: PropertyInput<'_>,
    label_sets: Option<&[u32]>,
) -> varvite::Result<PreparedProperty, ChangeError> {
    match label_sets {
        Some(label_sets) => import.encoder.indexed_property(input, label_sets),
        None => import.encoder.property(input),
    }
}

fn type_of(values: &Values) -> ValueType {
    match values {
        Values::Bool(_) => ValueType::Bool,
        Values::Byte(_) => ValueType::I8,
        Values::Short(_) => ValueType::I16,
        Values::Int(_) => ValueType::I32,
        Values::Long(_) => ValueType::I64,
        Values::Float(_) => ValueType::F32,
        Values::Double(_) => ValueType::F64,
        Values::String(_) => ValueType::String,
        Values::Ref(_) => ValueType::Ref,
    }
}
