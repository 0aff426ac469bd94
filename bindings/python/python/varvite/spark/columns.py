"""The types of columns: from the engine's batches to Arrow's types that Spark reads, and to Spark's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow
from pyspark.sql import types

FILE = "_file"
DIGEST = "_digest"
CORRUPT = "_corrupt"

RESERVED = frozenset((FILE, DIGEST, CORRUPT))
"""The columns of a read itself. A graph cannot give them."""

INTEGERS = [pyarrow.int8(), pyarrow.int16(), pyarrow.int32(), pyarrow.int64(), pyarrow.decimal128(20, 0)]
"""Integers, each with all values of those before it."""

UNSIGNED = {
    pyarrow.uint8(): pyarrow.int16(),
    pyarrow.uint16(): pyarrow.int32(),
    pyarrow.uint32(): pyarrow.int64(),
    pyarrow.uint64(): pyarrow.decimal128(20, 0),
}
"""Spark has no unsigned integers."""

SPARK = {
    pyarrow.bool_(): types.BooleanType(),
    pyarrow.int8(): types.ByteType(),
    pyarrow.int16(): types.ShortType(),
    pyarrow.int32(): types.IntegerType(),
    pyarrow.int64(): types.LongType(),
    pyarrow.decimal128(20, 0): types.DecimalType(20, 0),
    pyarrow.float32(): types.FloatType(),
    pyarrow.float64(): types.DoubleType(),
    pyarrow.string(): types.StringType(),
    pyarrow.binary(): types.BinaryType(),
}

Columns = dict[str, pyarrow.DataType]


class SchemaError(ValueError):
    """Files of one read have columns that cannot be in one table."""


def is_reserved(name: str) -> bool:
    """Whether a column of the read itself has this name, in any case: Spark does not tell cases apart."""
    return name.lower() in RESERVED


def plain(data_type: pyarrow.DataType) -> pyarrow.DataType:
    """The type that Spark reads in place of a type of the engine."""
    if pyarrow.types.is_dictionary(data_type):
        return plain(data_type.value_type)
    if pyarrow.types.is_list(data_type) or pyarrow.types.is_large_list(data_type):
        return pyarrow.list_(plain(data_type.value_type))
    if pyarrow.types.is_large_string(data_type) or pyarrow.types.is_null(data_type):
        return pyarrow.string()
    if pyarrow.types.is_large_binary(data_type):
        return pyarrow.binary()
    return UNSIGNED.get(data_type, data_type)


def widest(name: str, one: pyarrow.DataType, other: pyarrow.DataType) -> pyarrow.DataType:
    """The type that has the values of both."""
    if one == other:
        return one
    if one in INTEGERS and other in INTEGERS:
        return INTEGERS[max(INTEGERS.index(one), INTEGERS.index(other))]
    if {one, other} == {pyarrow.float32(), pyarrow.float64()}:
        return pyarrow.float64()
    raise SchemaError(f"the column {name} is {one} in some files and {other} in others: leave it out by columns")


def merge(columns: Columns, more: Mapping[str, pyarrow.DataType], chosen: Sequence[str] | None = None) -> None:
    """Adds the columns of another file. The types of those that are not chosen need not go together."""
    for name, data_type in more.items():
        known = columns.setdefault(name, data_type)
        if chosen is None or name in chosen:
            columns[name] = widest(name, known, data_type)


def spark_schema(columns: Columns) -> types.StructType:
    """The columns as Spark's schema."""
    return types.StructType([types.StructField(name, spark_type(kind)) for name, kind in columns.items()])


def spark_type(data_type: pyarrow.DataType) -> types.DataType:
    """A type as Spark's."""
    if pyarrow.types.is_list(data_type):
        return types.ArrayType(spark_type(data_type.value_type))
    return SPARK[data_type]


def arrow_columns(schema: types.StructType) -> Columns:
    """Spark's schema as columns: that of this module, or one that the user gave."""
    return {field.name: arrow_type(field.name, field.dataType) for field in schema.fields}


def arrow_type(name: str, kind: types.DataType) -> pyarrow.DataType:
    """A type of Spark as Arrow's."""
    if isinstance(kind, types.ArrayType):
        return pyarrow.list_(arrow_type(name, kind.elementType))
    for found, known in SPARK.items():
        if known == kind:
            return found
    raise SchemaError(f"the column {name} cannot be {kind.simpleString()}: leave out the schema, or cast the column")


def conform(array: Any, data_type: pyarrow.DataType, file_number: int | None) -> Any:
    """A column of a batch in the type of the read. The ids of nodes, for which a file number is given, become those of
    all files: the number of the file is their upper half."""
    import pyarrow.compute

    if pyarrow.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pyarrow.types.is_large_list(array.type):
        items = conform(array.values, data_type.value_type, file_number)
        offsets = array.offsets.cast(pyarrow.int32())
        return pyarrow.ListArray.from_arrays(offsets, items)
    if file_number is not None:
        first = pyarrow.scalar(file_number << 32, pyarrow.int64())
        array = pyarrow.compute.add(array.cast(pyarrow.int64()), first)
    return array if array.type == data_type else array.cast(data_type)
