//! Encodes node properties, and converts the values of any property to flatgraph's form.

use varvite::{Cardinality, Property, PropertyId, PropertyInfo, ValueType};
use varvite_format::{Fault, FormatError};

use super::ExportRun;
use super::error::{ExportError, property_name};
use crate::flatgraph::{Direction, ElementType, EncodedColumn, NodeKind, NodeRef, PropertyData, Values};

/// The null reference as stored in a graph.
const NULL_REF: i64 = u32::MAX as i64;

/// Checks that flatgraph can express the properties of the schema.
pub(super) fn check_properties(properties: &[(PropertyId, PropertyInfo)]) -> Result<(), ExportError> {
    let infos: Vec<&PropertyInfo> = properties.iter().map(|(_, info)| info).collect();
    infos.iter().try_for_each(|info| element_of(info).map(drop))?;
    for (index, info) in infos.iter().enumerate() {
        let Some(edge_label) = &info.edge_label else { continue };
        if let Some(other) = infos[..index].iter().find(|other| other.edge_label.as_ref() == Some(edge_label))
        {
            let (first, second) = (other.name.clone(), info.name.clone());
            return Err(ExportError::EdgeProperties { edge_label: edge_label.clone(), first, second });
        }
    }
    Ok(())
}

/// The type of flatgraph that can represent all values of a property: the same type, or the next wider one.
fn element_of(info: &PropertyInfo) -> Result<ElementType, ExportError> {
    Ok(match info.value_type {
        ValueType::Bool => ElementType::Bool,
        ValueType::I8 => ElementType::Byte,
        ValueType::I16 | ValueType::U8 => ElementType::Short,
        ValueType::I32 | ValueType::U16 => ElementType::Int,
        ValueType::I64 | ValueType::U32 | ValueType::U64 => ElementType::Long,
        ValueType::F32 => ElementType::Float,
        ValueType::F64 => ElementType::Double,
        ValueType::String => ElementType::String,
        ValueType::Ref => ElementType::Ref,
        ValueType::Bytes => {
            let (property, found) = (property_name(info), info.value_type.name());
            return Err(ExportError::Type { property, found });
        }
    })
}

/// Reads and encodes one node property, with one column for each kind that has values of the property.
pub(super) fn encode_property(
    export: &ExportRun<'_>,
    id: PropertyId,
) -> Result<Vec<EncodedColumn>, ExportError> {
    let reader = ValueReader::open(export, id)?;
    let (mut quantities, mut numbers) = (Vec::new(), Vec::new());
    let (mut columns, mut kinds_without, mut nodes_without) = (Vec::new(), Vec::new(), 0);
    for (kind, nodes) in export.nodes.by_kind() {
        export.task.check()?;
        quantities.clear();
        numbers.clear();
        for node in nodes {
            let before = numbers.len();
            numbers.extend(node.into_iter().flat_map(|node| reader.property.numbers(node)));
            quantities.push((numbers.len() - before) as u32);
        }
        if numbers.is_empty() {
            kinds_without.push(kind);
            continue;
        }
        let nodes_with = quantities.iter().filter(|quantity| **quantity > 0).count();
        nodes_without += living(kind) - nodes_with;
        columns.push(reader.encode(kind, &quantities, &numbers)?);
    }
    if let Some(kind) = kind_to_tell(&reader.property, &kinds_without, columns.is_empty(), nodes_without > 0)
    {
        columns.push(reader.encode(kind, &[], &[])?);
    }
    Ok(columns)
}

/// The kind that gets a column without values, if such a column is needed. Such a column shows that a
/// property without any values exists, or that a property is optional although all nodes of the other columns
/// have values.
fn kind_to_tell<'k>(
    property: &Property,
    kinds_without: &[&'k NodeKind],
    has_no_columns: bool,
    has_gaps: bool,
) -> Option<&'k NodeKind> {
    let is_optional = property.cardinality() == Cardinality::Optional;
    if !has_no_columns && (has_gaps || !is_optional) {
        return None;
    }
    let fits = |kind: &&&NodeKind| is_optional == (living(kind) > 0);
    let any = kinds_without.first().filter(|_| has_no_columns);
    kinds_without.iter().find(fits).or(any).copied()
}

/// The number of nodes of a kind that are not deleted.
fn living(kind: &NodeKind) -> usize {
    kind.node_count as usize - kind.deletions.len()
}

/// Reads the values of one property in flatgraph's form.
pub(super) struct ValueReader<'e> {
    export: &'e ExportRun<'e>,
    id: PropertyId,
    info: &'e PropertyInfo,
    property: Property,
    element: ElementType,
}

impl<'e> ValueReader<'e> {
    pub(super) fn open(export: &'e ExportRun<'e>, id: PropertyId) -> Result<Self, ExportError> {
        let place = export.properties.binary_search_by_key(&id.index(), |(exported, _)| exported.index());
        let info = place.map_or(&export.graph.properties()[id.index()], |place| &export.properties[place].1);
        Ok(Self { export, id, info, property: export.graph.property_at(id)?, element: element_of(info)? })
    }

    fn encode(
        &self,
        kind: &NodeKind,
        quantities: &[u32],
        numbers: &[i64],
    ) -> Result<EncodedColumn, ExportError> {
        let values = self.values(numbers)?;
        Ok(EncodedColumn::property(&PropertyData {
            kind,
            name: &self.info().name,
            quantities,
            values: &values,
        })?)
    }

    /// The values of the edges with these ranks; `None` if no edge has a value.
    pub(super) fn edge_values(
        &self,
        ranks: &[u32],
        direction: Direction,
    ) -> Result<Option<Values>, ExportError> {
        let number = |rank: &u32| self.property.number(*rank);
        let present = ranks.iter().filter(|rank| self.property.is_present(**rank)).count();
        if present == 0 {
            return Ok(None);
        }
        if present == ranks.len() {
            return self.values(&ranks.iter().filter_map(number).collect::<Vec<_>>()).map(Some);
        }
        let absent = self.absent(direction)?;
        self.values(&ranks.iter().map(|rank| number(rank).unwrap_or(absent)).collect::<Vec<_>>()).map(Some)
    }

    /// An empty list of values.
    pub(super) fn no_values(&self) -> Result<Values, ExportError> {
        self.values(&[])
    }

    /// Checks that every edge has at most one value.
    pub(super) fn check_edge_lists(&self) -> Result<(), ExportError> {
        let (values, owners) = (self.property.value_count() as u64, u64::from(self.property.len()));
        if values != owners {
            return Err(ExportError::EdgeList { property: property_name(self.info()), values, owners });
        }
        Ok(())
    }

    /// The number that stands for a missing value in a column where other edges have values.
    fn absent(&self, direction: Direction) -> Result<i64, ExportError> {
        let absent = match self.info().value_type {
            ValueType::String => Some(self.export.strings.of_property(self.id).absent()),
            ValueType::Ref => Some(NULL_REF),
            _ => default_number(self.info()),
        };
        match (absent, direction) {
            (Some(absent), _) => Ok(absent),
            // The number is arbitrary: readers take values from the out direction, where the edges without a
            // value have a column of their own.
            (None, Direction::In) => Ok(0),
            (None, Direction::Out) => {
                Err(ExportError::EdgeWithoutValue { property: property_name(self.info()) })
            }
        }
    }

    fn values(&self, numbers: &[i64]) -> Result<Values, ExportError> {
        let bits = |number: &i64| *number as u32;
        Ok(match self.element {
            ElementType::Bool => Values::Bool(numbers.iter().map(|number| *number != 0).collect()),
            ElementType::Byte => Values::Byte(self.narrow(numbers)?),
            ElementType::Short => Values::Short(self.narrow(numbers)?),
            ElementType::Int => Values::Int(self.narrow(numbers)?),
            ElementType::Long => Values::Long(self.longs(numbers)?),
            ElementType::Float => Values::Float(numbers.iter().map(bits).map(f32::from_bits).collect()),
            ElementType::Double => {
                Values::Double(numbers.iter().map(|number| f64::from_bits(*number as u64)).collect())
            }
            ElementType::String => {
                let indexes = self.export.strings.of_property(self.id);
                Values::String(self.each(numbers, |code| indexes.get(code))?)
            }
            ElementType::Ref => Values::Ref(self.each(numbers, |id| self.node_ref(id))?),
        })
    }

    fn narrow<T: TryFrom<i64>>(&self, numbers: &[i64]) -> Result<Vec<T>, ExportError> {
        let narrow = |number: &i64| T::try_from(*number).map_err(|_| self.out_of_range((*number).into()));
        numbers.iter().map(narrow).collect()
    }

    fn longs(&self, numbers: &[i64]) -> Result<Vec<i64>, ExportError> {
        // Numbers of an unsigned type beyond the range of signed integers are negative in `numbers`.
        let is_beyond = |number: &&i64| self.info().value_type == ValueType::U64 && **number < 0;
        match numbers.iter().find(is_beyond) {
            Some(number) => Err(self.out_of_range((*number as u64).into())),
            None => Ok(numbers.to_vec()),
        }
    }

    fn node_ref(&self, id: i64) -> Option<NodeRef> {
        if id == NULL_REF { Some(NodeRef::NULL) } else { self.export.nodes.node_ref(u32::try_from(id).ok()?) }
    }

    fn each<T>(&self, numbers: &[i64], value: impl Fn(i64) -> Option<T>) -> Result<Vec<T>, ExportError> {
        let value = |number: &i64| value(*number).ok_or_else(|| self.damaged(*number));
        numbers.iter().map(value).collect()
    }

    fn info(&self) -> &PropertyInfo {
        self.info
    }

    fn out_of_range(&self, found: i128) -> ExportError {
        ExportError::ValueRange { property: property_name(self.info()), expected: self.element, found }
    }

    fn damaged(&self, found: i64) -> ExportError {
        let fault = Fault::Unknown { what: self.element.name(), found };
        let error = FormatError::damaged(property_name(self.info()), fault);
        self.export.graph.store().damaged(error).into()
    }
}

/// The default of a numeric property, in its stored form.
fn default_number(info: &PropertyInfo) -> Option<i64> {
    let text = info.default.as_deref()?;
    match info.value_type {
        ValueType::Bool => text.parse().ok().map(|value: bool| value.into()),
        ValueType::F32 => text.parse().ok().map(|value: f32| value.to_bits().into()),
        ValueType::F64 => text.parse().ok().map(|value: f64| value.to_bits().cast_signed()),
        ValueType::U64 => text.parse().ok().map(u64::cast_signed),
        _ => text.parse().ok(),
    }
}
