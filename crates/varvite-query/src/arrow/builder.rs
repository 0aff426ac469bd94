//! [`Builder`]: turns the rows of a column into an array.
//!
//! Rows come from batches of a run. These batches hold only numbers, such as codes of texts; the builder
//! looks up the texts, or makes a dictionary of them ([`Codes`]). If a value cannot be read because the file
//! is damaged, the builder appends null, and the run reports the damage at its end.

use std::mem::take;
use std::sync::Arc;

use super::array::{Array, Buffer};
use super::codes::Codes;
use super::field::{DataType, Field, TextForm};
use crate::pipeline::{Cell, Column, ColumnSpec, Edge, Meaning};
use varvite_graph::{Value, ValueType};

/// Collects the values of one column.
#[derive(Debug)]
pub(super) struct Builder {
    validity: Validity,
    values: Values,
}

#[derive(Debug)]
enum Values {
    Numbers {
        data_type: DataType,
        numbers: Vec<i64>,
        is_ref: bool,
    },
    Texts {
        ends: Vec<i64>,
        bytes: Vec<u8>,
    },
    /// Texts of a property, as codes into a dictionary of the texts in the batch.
    Codes(Box<Codes>),
    Names {
        codes: Vec<i64>,
        names: Arc<Array>,
    },
    Lists {
        ends: Vec<i64>,
        items: Box<Builder>,
    },
    /// Builders of an edge's label, source, target and rank.
    Edges(Box<[Builder; 4]>),
    /// Builders of a path element: one for a node, one for an edge.
    Elements(Box<[Builder; 2]>),
}

impl Builder {
    /// Makes the field and the builder of a column. `labels` has the names of all edge labels.
    pub(super) fn of(column: &ColumnSpec, labels: &Arc<Array>, form: TextForm) -> (Field, Self) {
        let (data_type, items) = Self::of_values(&column.meaning, labels, form);
        let may_be_null = column.may_be_null;
        if !column.is_list {
            let field = Field { is_nullable: may_be_null, ..Field::new(&column.name, data_type) };
            return (field, items);
        }
        let item = Field { is_nullable: may_be_null, ..Field::new("item", data_type) };
        let lists = Self::new(Values::Lists { ends: Vec::new(), items: Box::new(items) });
        (Field::new(&column.name, DataType::LargeList(Box::new(item))), lists)
    }

    fn of_values(meaning: &Meaning, labels: &Arc<Array>, form: TextForm) -> (DataType, Self) {
        match meaning {
            Meaning::Of(property) if form == TextForm::Dictionary && property.strings().is_some() => {
                let data_type = DataType::Dictionary(Box::new(DataType::of(property.value_type())));
                (data_type, Self::new(Values::Codes(Box::new(Codes::of(property)))))
            }
            Meaning::Node => numbers(DataType::UInt32),
            Meaning::Edge => edges(labels),
            Meaning::Element => {
                let ((node, nodes), (edge, edges)) = (numbers(DataType::UInt32), edges(labels));
                let fields = [Field::nullable("node", node), Field::nullable("edge", edge)];
                let values = Values::Elements(Box::new([nodes, edges]));
                (DataType::Struct(fields.into()), Self::new(values))
            }
            Meaning::Name(names) => {
                let names = Arc::new(Array::names(names.iter().map(String::as_str)));
                (DataType::dictionary_of_texts(), Self::new(Values::Names { codes: Vec::new(), names }))
            }
            Meaning::Plain(value_type) => numbers(DataType::of(*value_type)),
            Meaning::Text => {
                let values = Values::Texts { ends: Vec::new(), bytes: Vec::new() };
                (DataType::LargeUtf8, Self::new(values))
            }
            Meaning::Of(property) if property.value_type().is_text() => {
                let values = Values::Texts { ends: Vec::new(), bytes: Vec::new() };
                (DataType::of(property.value_type()), Self::new(values))
            }
            Meaning::Of(property) => {
                let is_ref = property.value_type() == ValueType::Ref;
                let data_type = DataType::of(property.value_type());
                let values = Values::Numbers { data_type: data_type.clone(), numbers: Vec::new(), is_ref };
                (data_type, Self::new(values))
            }
        }
    }

    fn new(values: Values) -> Self {
        Self { validity: Validity::default(), values }
    }

    /// The number of rows so far.
    pub(super) fn len(&self) -> usize {
        self.validity.len
    }

    /// The approximate size in bytes of the texts and lists so far.
    pub(super) fn bytes(&self) -> usize {
        match &self.values {
            Values::Texts { bytes, .. } => bytes.len(),
            Values::Codes(codes) => codes.bytes(),
            Values::Lists { items, .. } => 16 * items.len() + items.bytes(),
            _ => 0,
        }
    }

    /// Removes all rows.
    pub(super) fn clear(&mut self) {
        self.finish();
    }

    /// Appends a row of a column.
    pub(super) fn push_row(&mut self, column: &Column<'_>, row: usize) {
        let range = column.numbers_of(row);
        let Values::Lists { ends, items } = &mut self.values else {
            return if range.is_empty() { self.push_null() } else { self.push(column, range.start) };
        };
        range.for_each(|index| items.push(column, index));
        ends.push(items.len() as i64);
        self.validity.push(true);
    }

    /// Appends the value at an index of a column.
    fn push(&mut self, column: &Column<'_>, index: usize) {
        let pushed = match &mut self.values {
            Values::Numbers { numbers, is_ref, .. } => column
                .number_at(index)
                .filter(|number| !*is_ref || *number != i64::from(u32::MAX))
                .map(|number| numbers.push(number)),
            Values::Names { codes, names } => column
                .number_at(index)
                .filter(|code| usize::try_from(*code).is_ok_and(|code| code < names.len()))
                .map(|code| codes.push(code)),
            Values::Texts { ends, bytes } => push_text(column.cell_at(index), ends, bytes),
            Values::Codes(codes) => column.number_at(index).and_then(|code| codes.push(code)),
            Values::Edges(parts) => match column.cell_at(index) {
                Some(Cell::Edge(edge)) => {
                    push_edge(parts, edge);
                    Some(())
                }
                _ => None,
            },
            Values::Elements(parts) => push_element(parts, column.cell_at(index)),
            Values::Lists { .. } => None,
        };
        match pushed {
            Some(()) => self.validity.push(true),
            None => self.push_null(),
        }
    }

    fn push_number(&mut self, number: i64) {
        match &mut self.values {
            Values::Numbers { numbers, .. } | Values::Names { codes: numbers, .. } => numbers.push(number),
            _ => return self.push_null(),
        }
        self.validity.push(true);
    }

    fn push_null(&mut self) {
        self.validity.push(false);
        match &mut self.values {
            Values::Numbers { numbers, .. } | Values::Names { codes: numbers, .. } => numbers.push(0),
            Values::Texts { ends, bytes } => ends.push(bytes.len() as i64),
            Values::Codes(codes) => codes.push_null(),
            Values::Lists { ends, items } => ends.push(items.len() as i64),
            Values::Edges(parts) => parts.iter_mut().for_each(Self::push_null),
            Values::Elements(parts) => parts.iter_mut().for_each(Self::push_null),
        }
    }

    /// Returns an array of all rows since the last call of `finish` or `clear`.
    pub(super) fn finish(&mut self) -> Array {
        let len = self.validity.len;
        let array = match &mut self.values {
            Values::Numbers { data_type, numbers, .. } => Array::narrowed(data_type, &take_all(numbers)),
            Values::Texts { ends, bytes } => Array::texts(offsets(ends), take(bytes)),
            Values::Codes(codes) => codes.finish(),
            Values::Names { codes, names } => {
                let codes = Array::narrowed(&DataType::UInt32, &take_all(codes));
                codes.with_dictionary(names.clone())
            }
            Values::Lists { ends, items } => Array::lists(offsets(ends), items.finish()),
            Values::Edges(parts) => Array::structs(len, parts.iter_mut().map(Self::finish).collect()),
            Values::Elements(parts) => Array::structs(len, parts.iter_mut().map(Self::finish).collect()),
        };
        match take(&mut self.validity).bits() {
            Some((nulls, bits)) => array.with_validity(nulls, bits),
            None => array,
        }
    }
}

fn numbers(data_type: DataType) -> (DataType, Builder) {
    let values = Values::Numbers { data_type: data_type.clone(), numbers: Vec::new(), is_ref: false };
    (data_type, Builder::new(values))
}

fn edges(labels: &Arc<Array>) -> (DataType, Builder) {
    let label = Builder::new(Values::Names { codes: Vec::new(), names: labels.clone() });
    let [source, target, rank] = [(); 3].map(|()| numbers(DataType::UInt32).1);
    let fields = [
        Field::nullable("label", DataType::dictionary_of_texts()),
        Field::nullable("source", DataType::UInt32),
        Field::nullable("target", DataType::UInt32),
        Field::nullable("rank", DataType::UInt32),
    ];
    (DataType::Struct(fields.into()), Builder::new(Values::Edges(Box::new([label, source, target, rank]))))
}

fn push_text(cell: Option<Cell<'_>>, ends: &mut Vec<i64>, bytes: &mut Vec<u8>) -> Option<()> {
    match cell? {
        Cell::Value(Value::Str(text)) => bytes.extend_from_slice(text.as_bytes()),
        Cell::Value(Value::Bytes(text)) => bytes.extend_from_slice(&text),
        _ => return None,
    }
    ends.push(bytes.len() as i64);
    Some(())
}

fn push_edge([label, source, target, rank]: &mut [Builder; 4], edge: Edge) {
    label.push_number(edge.label.0.into());
    source.push_number(edge.source.into());
    target.push_number(edge.target.into());
    match edge.rank {
        u32::MAX => rank.push_null(),
        known => rank.push_number(known.into()),
    }
}

fn push_element([node, edge]: &mut [Builder; 2], cell: Option<Cell<'_>>) -> Option<()> {
    match cell? {
        Cell::Node(number) => {
            node.push_number(number.into());
            edge.push_null();
        }
        Cell::Edge(found) => {
            node.push_null();
            let Values::Edges(parts) = &mut edge.values else { return None };
            push_edge(parts, found);
            edge.validity.push(true);
        }
        _ => return None,
    }
    Some(())
}

/// The offsets of texts or lists: the start of the first one, then the end of each one.
fn offsets(ends: &mut Vec<i64>) -> Vec<i64> {
    std::iter::once(0).chain(ends.drain(..)).collect()
}

fn take_all(numbers: &mut Vec<i64>) -> Vec<i64> {
    let capacity = numbers.capacity();
    std::mem::replace(numbers, Vec::with_capacity(capacity))
}

/// A bitmap with a bit for each row, set if the row has a value.
#[derive(Debug, Default)]
struct Validity {
    bytes: Vec<u8>,
    len: usize,
    nulls: usize,
}

impl Validity {
    fn push(&mut self, is_valid: bool) {
        if self.len.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(is_valid) << (self.len % 8);
        }
        self.len += 1;
        self.nulls += usize::from(!is_valid);
    }

    /// The number of null rows and the bitmap; `None` if no row is null.
    fn bits(self) -> Option<(usize, Buffer)> {
        (self.nulls > 0).then(|| (self.nulls, Buffer::of(self.bytes)))
    }
}
