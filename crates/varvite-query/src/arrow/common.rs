//! [`CommonFields`]: the columns of a table whose batches come from several graphs.
//!
//! Two graphs may store a property as numbers of different widths, or lack it. The first batch decides the
//! names and types of the columns; the batches of other graphs are converted to them.

use std::sync::Arc;

use thiserror::Error;

use super::array::{Array, Buffer};
use super::batches::RecordBatch;
use super::field::{DataType, Field};
use super::value::ArrayValue;
use crate::pipeline::Literal;

/// The columns of a table whose batches come from several graphs: a first column with a text for each graph,
/// and the columns of the batches. Whole numbers have 64 bits, apart from `UInt32`, the type of nodes, and
/// every value may be null.
#[derive(Clone, Debug)]
pub struct CommonFields {
    fields: Arc<[Field]>,
}

/// The reason why a batch is not one of a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the column {column:?} has values of type {found:?} that do not fit {expected:?}, its type in the first graph"
)]
pub struct Misfit {
    /// The name of the column.
    pub column: String,
    /// The type of the column in the table.
    pub expected: DataType,
    /// The type of the column in the batch.
    pub found: DataType,
}

impl CommonFields {
    /// The columns of a table with a first column of this name, and the columns of batches that have
    /// `fields`.
    pub fn new(first: &str, fields: &[Field]) -> Self {
        let first = Field::new(first, DataType::dictionary_of_texts());
        Self { fields: std::iter::once(first).chain(fields.iter().map(Field::common)).collect() }
    }

    /// The names and types of the columns.
    pub fn fields(&self) -> &Arc<[Field]> {
        &self.fields
    }

    /// The names of columns that a batch with `fields` has, and the table lacks.
    pub fn lacking<'f>(&self, fields: &'f [Field]) -> impl Iterator<Item = &'f str> {
        let is_known = |name: &str| self.fields.iter().skip(1).any(|field| field.name == name);
        fields.iter().map(|field| field.name.as_str()).filter(move |name| !is_known(name))
    }

    /// A batch as one of the table, with `first` in each row of the first column. Columns that the batch
    /// lacks are null, and those that the table lacks are left out.
    ///
    /// **Cost**: columns of equal type are shared, others are copied.
    ///
    /// # Errors
    /// [`Misfit`] if a value has no equal one of the column's type.
    pub fn fit(&self, first: &str, batch: &RecordBatch) -> Result<RecordBatch, Misfit> {
        let codes = Array::narrowed(&DataType::UInt32, &vec![0; batch.len()]);
        let mut columns = vec![codes.with_dictionary(Arc::new(Array::names([first])))];
        for field in self.fields.iter().skip(1) {
            columns.push(field.column_of(batch)?);
        }
        Ok(RecordBatch::new(Arc::clone(&self.fields), columns))
    }
}

impl Field {
    /// The field of a table of several graphs.
    fn common(&self) -> Self {
        Self::nullable(&self.name, self.data_type.common())
    }

    /// The column of this name of a batch, in the type of this field.
    fn column_of(&self, batch: &RecordBatch) -> Result<Array, Misfit> {
        let place = batch.fields().iter().position(|field| field.name == self.name);
        let found = place.and_then(|place| Some((batch.fields().get(place)?, batch.columns().get(place)?)));
        let Some((field, array)) = found else { return Ok(nulls(&self.data_type, batch.len())) };
        converted(array, &field.data_type, &self.data_type).ok_or_else(|| Misfit {
            column: self.name.clone(),
            expected: self.data_type.clone(),
            found: field.data_type.clone(),
        })
    }
}

impl DataType {
    /// The type of a table of several graphs.
    fn common(&self) -> Self {
        match self {
            Self::Int8 | Self::Int16 | Self::Int32 | Self::UInt8 | Self::UInt16 => Self::Int64,
            Self::Float32 => Self::Float64,
            Self::LargeList(item) => Self::LargeList(Box::new(item.common())),
            other => other.clone(),
        }
    }
}

impl RecordBatch {
    /// A batch of one row with one column, which has a constant.
    pub fn of_value(name: &str, value: &Literal) -> Self {
        let (data_type, array) = match value {
            Literal::Bool(value) => {
                (DataType::Boolean, Array::narrowed(&DataType::Boolean, &[i64::from(*value)]))
            }
            Literal::Int(number) => (DataType::Int64, Array::numbers(vec![*number])),
            Literal::Uint(number) => (DataType::UInt64, Array::numbers(vec![*number])),
            Literal::Float(number) => (DataType::Float64, Array::numbers(vec![*number])),
            Literal::Text(text) => (DataType::LargeUtf8, Array::names([text.as_str()])),
        };
        Self::new([Field::new(name, data_type)].into(), vec![array])
    }
}

/// An array in another type. `None` if a value does not fit.
fn converted(array: &Array, from: &DataType, to: &DataType) -> Option<Array> {
    match (from, to) {
        (from, to) if from == to => Some(array.clone()),
        (DataType::LargeList(from), DataType::LargeList(to)) => {
            let items = converted(array.children().first()?, &from.data_type, &to.data_type)?;
            Some(array.clone().with_items(items))
        }
        (DataType::Dictionary(_), DataType::LargeUtf8) => Some(texts(array, from)),
        _ => numbers(array, from, to),
    }
}

/// The texts of codes, in full.
fn texts(array: &Array, from: &DataType) -> Array {
    let (mut offsets, mut bytes) = (vec![0i64], Vec::new());
    for index in 0..array.len() {
        if let ArrayValue::Text(text) = array.value(from, index) {
            bytes.extend_from_slice(text.as_bytes());
        }
        offsets.push(bytes.len() as i64);
    }
    Array::texts(offsets, bytes).with_validity_of(array)
}

fn numbers(array: &Array, from: &DataType, to: &DataType) -> Option<Array> {
    let bits = (0..array.len()).map(|index| match array.value(from, index) {
        ArrayValue::Null => Some(0),
        value => bits_of(&value, to),
    });
    let bits: Vec<i64> = bits.collect::<Option<_>>()?;
    Some(Array::narrowed(to, &bits).with_validity_of(array))
}

/// The bits of a number in another type, if that type has an equal number.
fn bits_of(value: &ArrayValue<'_>, to: &DataType) -> Option<i64> {
    let whole: Option<i128> = match value {
        ArrayValue::Int(number) => Some((*number).into()),
        ArrayValue::Uint(number) => Some((*number).into()),
        _ => None,
    };
    match to {
        DataType::Int64 => i64::try_from(whole?).ok(),
        DataType::UInt32 => u32::try_from(whole?).ok().map(i64::from),
        DataType::UInt64 => u64::try_from(whole?).ok().map(u64::cast_signed),
        DataType::Float64 => {
            let float = match (value, whole) {
                (ArrayValue::F32(number), _) => f64::from(*number),
                (ArrayValue::F64(number), _) => *number,
                (_, Some(number)) if number.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS => number as f64,
                _ => return None,
            };
            Some(float.to_bits().cast_signed())
        }
        _ => None,
    }
}

/// An array of nulls.
fn nulls(data_type: &DataType, len: usize) -> Array {
    let array = match data_type {
        DataType::LargeUtf8 | DataType::LargeBinary => Array::texts(vec![0; len + 1], Vec::new()),
        DataType::LargeList(item) => Array::lists(vec![0; len + 1], nulls(&item.data_type, 0)),
        DataType::Struct(fields) => {
            Array::structs(len, fields.iter().map(|field| nulls(&field.data_type, len)).collect())
        }
        DataType::Dictionary(_) => {
            Array::narrowed(&DataType::UInt32, &vec![0; len]).with_dictionary(Arc::new(Array::names([])))
        }
        other => Array::narrowed(other, &vec![0; len]),
    };
    array.with_validity(len, Buffer::of(vec![0u8; len.div_ceil(8)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(name: &str, data_type: DataType, bits: &[i64]) -> RecordBatch {
        let array = Array::narrowed(&data_type, bits);
        RecordBatch::new([Field::new(name, data_type)].into(), vec![array])
    }

    fn row(batch: &RecordBatch, row: usize) -> Vec<ArrayValue<'_>> {
        batch
            .fields()
            .iter()
            .zip(batch.columns())
            .map(|(field, array)| array.value(&field.data_type, row))
            .collect()
    }

    #[test]
    fn numbers_of_other_widths_become_those_of_the_first_graph() {
        let first = batch("LINE", DataType::Int32, &[-7]);
        let common = CommonFields::new("graph", first.fields());
        let types: Vec<_> = common.fields().iter().map(|field| field.data_type.clone()).collect();
        assert_eq!(types, [DataType::dictionary_of_texts(), DataType::Int64]);
        let wide = batch("LINE", DataType::UInt64, &[1 << 40]);
        let (one, other) = (common.fit("a", &first).unwrap(), common.fit("b", &wide).unwrap());
        assert_eq!(row(&one, 0), [ArrayValue::Text("a"), ArrayValue::Int(-7)]);
        assert_eq!(row(&other, 0), [ArrayValue::Text("b"), ArrayValue::Int(1 << 40)]);
        let misfit = common.fit("c", &batch("LINE", DataType::UInt64, &[-1])).unwrap_err();
        assert!(misfit.to_string().contains("\"LINE\""), "{misfit}");
        assert!(common.fit("d", &RecordBatch::of_value("LINE", &Literal::Text("7".to_owned()))).is_err());
    }

    #[test]
    fn columns_that_a_graph_lacks_are_null_and_its_own_are_left_out() {
        let item = Field::nullable("item", DataType::Float32);
        let fields = [
            Field::new("LINE", DataType::Int8),
            Field::new("NAME", DataType::LargeUtf8),
            Field::new("KIND", DataType::dictionary_of_texts()),
            Field::new("EDGE", DataType::Struct([Field::nullable("rank", DataType::UInt32)].into())),
            Field::new("HEAT", DataType::LargeList(Box::new(item))),
        ];
        let (common, other) = (CommonFields::new("graph", &fields), batch("SIZE", DataType::Int64, &[3, 4]));
        assert_eq!(common.lacking(other.fields()).collect::<Vec<_>>(), ["SIZE"]);
        let fitted = common.fit("b", &other).unwrap();
        assert_eq!((fitted.len(), fitted.columns().len()), (2, 6));
        for number in 0..2 {
            let values = row(&fitted, number);
            assert_eq!(values.first(), Some(&ArrayValue::Text("b")));
            assert!(values.iter().skip(1).all(|value| *value == ArrayValue::Null), "{values:?}");
        }
    }

    #[test]
    fn floats_are_widened_and_large_whole_numbers_are_no_floats() {
        let common = CommonFields::new("graph", &[Field::new("HEAT", DataType::Float32)]);
        let heat = |data_type, bits| common.fit("a", &batch("HEAT", data_type, &[bits]));
        let float = heat(DataType::Float32, i64::from(1.5f32.to_bits())).unwrap();
        assert_eq!(row(&float, 0).pop(), Some(ArrayValue::F64(1.5)));
        assert_eq!(row(&heat(DataType::Int16, -3).unwrap(), 0).pop(), Some(ArrayValue::F64(-3.0)));
        assert!(heat(DataType::Int64, (1 << 53) + 1).is_err());
    }

    #[test]
    fn lists_are_converted_item_by_item_and_codes_become_texts() {
        let list = |data_type, items: &[i64]| {
            let item = Field::nullable("item", data_type);
            let items = Array::narrowed(&item.data_type, items);
            let field = Field::new("AT", DataType::LargeList(Box::new(item)));
            RecordBatch::new([field].into(), vec![Array::lists(vec![0, 2, 2], items)])
        };
        let common = CommonFields::new("graph", list(DataType::Int16, &[1, 2]).fields());
        let fitted = common.fit("a", &list(DataType::UInt8, &[3, 4])).unwrap();
        let items = ArrayValue::List(vec![ArrayValue::Int(3), ArrayValue::Int(4)]);
        assert_eq!(
            (row(&fitted, 0).pop(), row(&fitted, 1).pop()),
            (Some(items), Some(ArrayValue::List(vec![])))
        );
        let names =
            Array::narrowed(&DataType::UInt32, &[1, 0]).with_dictionary(Arc::new(Array::names(["x", "y"])));
        let named = RecordBatch::new([Field::new("N", DataType::dictionary_of_texts())].into(), vec![names]);
        let common = CommonFields::new("graph", &[Field::new("N", DataType::LargeUtf8)]);
        let fitted = common.fit("a", &named).unwrap();
        assert_eq!(row(&fitted, 0).pop(), Some(ArrayValue::Text("y")));
    }
}
