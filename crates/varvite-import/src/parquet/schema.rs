//! The schema of a file: Arrow's types in the terms of Parquet.

use std::sync::Arc;

use ::parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use ::parquet::errors::Result;
use ::parquet::schema::types::{Type, TypePtr};
use varvite::arrow::{DataType, Field};

/// The schema of a file with these columns.
pub(super) fn schema_of<'a>(fields: impl Iterator<Item = &'a Field>) -> Result<TypePtr> {
    let fields = fields.map(type_of).collect::<Result<Vec<_>>>()?;
    Ok(Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?))
}

/// A column. A list is a group of three levels, as Parquet's specification of lists wants it.
fn type_of(field: &Field) -> Result<TypePtr> {
    let repetition = if field.is_nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let DataType::LargeList(item) = &field.data_type else {
        return primitive(&field.name, &field.data_type, repetition);
    };
    let element = primitive("element", &item.data_type, Repetition::OPTIONAL)?;
    let list =
        Type::group_type_builder("list").with_repetition(Repetition::REPEATED).with_fields(vec![element]);
    let group = Type::group_type_builder(&field.name)
        .with_repetition(repetition)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(list.build()?)]);
    Ok(Arc::new(group.build()?))
}

fn primitive(name: &str, data_type: &DataType, repetition: Repetition) -> Result<TypePtr> {
    let integer = |bits, is_signed| Some(LogicalType::integer(bits, is_signed));
    let (physical, logical) = match data_type {
        DataType::Boolean => (PhysicalType::BOOLEAN, None),
        DataType::Int8 => (PhysicalType::INT32, integer(8, true)),
        DataType::Int16 => (PhysicalType::INT32, integer(16, true)),
        DataType::Int32 => (PhysicalType::INT32, None),
        DataType::UInt8 => (PhysicalType::INT32, integer(8, false)),
        DataType::UInt16 => (PhysicalType::INT32, integer(16, false)),
        DataType::UInt32 => (PhysicalType::INT32, integer(32, false)),
        DataType::Int64 => (PhysicalType::INT64, None),
        DataType::UInt64 => (PhysicalType::INT64, integer(64, false)),
        DataType::Float32 => (PhysicalType::FLOAT, None),
        DataType::Float64 => (PhysicalType::DOUBLE, None),
        DataType::Dictionary(texts) if **texts == DataType::LargeUtf8 => {
            (PhysicalType::BYTE_ARRAY, Some(LogicalType::String))
        }
        _ => (PhysicalType::BYTE_ARRAY, None),
    };
    let builder = Type::primitive_type_builder(name, physical).with_repetition(repetition);
    Ok(Arc::new(builder.with_logical_type(logical).build()?))
}
