"""Filters of pyarrow as conditions.

pyarrow has no interface to the parts of an expression. Its pickled form holds them: an Arrow file with one batch, whose
schema has the calls, fields and constants of the expression in Polish notation as metadata, and whose columns are the
constants. Keys of this metadata repeat, which pyarrow shows as a `dict`, so the schema is read as Arrow's specification
describes it. An expression of another form is not pushed down.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import pyarrow
import pyarrow.ipc

from varvite.relational.conditions import (
    FLIPPED,
    ColumnTest,
    Condition,
    Missing,
    Unknown,
    all_of,
    any_of,
    compared,
    one_of,
)

COMPARISONS = {
    "equal": "eq",
    "not_equal": "ne",
    "less": "lt",
    "less_equal": "lte",
    "greater": "gt",
    "greater_equal": "gte",
}


class Filter(NamedTuple):
    """The condition of an expression, and the columns that it reads; `None` for columns that are not known."""

    condition: Condition
    columns: set[str] | None


class Field(NamedTuple):
    """A column in an expression."""

    name: str


class Constant(NamedTuple):
    """A constant in an expression."""

    value: Any


class Call(NamedTuple):
    """A function in an expression."""

    function: str
    arguments: list[Part]
    options: dict[str, Any]


Part = Field | Constant | Call


def read_filter(expression: Any) -> Filter:
    """The condition of an expression of pyarrow."""
    try:
        words, constants = pickled(expression)
        tree = read(words[::-1], constants)
    except (ValueError, LookupError, TypeError, struct.error, RecursionError, pyarrow.ArrowException):
        return Filter(Unknown(), None)
    return Filter(condition_of(tree), {value for key, value in words if key == "field_ref"})


def condition_of(part: Part) -> Condition:
    """The condition of a part of an expression."""
    if isinstance(part, Field):
        return compared(part.name, "eq", True)
    if not isinstance(part, Call):
        return Unknown()
    function, arguments = part.function, part.arguments
    if function in ("and", "and_kleene"):
        return all_of(*map(condition_of, arguments))
    if function in ("or", "or_kleene"):
        return any_of(*map(condition_of, arguments))
    # DuckDB's form of IN: the test if the column has a value, otherwise null.
    if function == "if_else" and arguments[2] == Constant(None):
        return all_of(*map(condition_of, arguments[:2]))
    return test_of(part)


def test_of(call: Call) -> Condition:
    """The condition of a call without conditions in it."""
    comparison = COMPARISONS.get(call.function)
    match call.arguments:
        case [Field(name), Constant(value)] if comparison:
            return compared(name, comparison, value)
        case [Constant(value), Field(name)] if comparison:
            return compared(name, FLIPPED[comparison], value)
        case [Field(name)] if call.function == "is_in":
            return one_of(name, call.options["value_set"])
        case [Field(name)] if call.function == "is_valid":
            return ColumnTest(name, None)
        case [Field(name)] if call.function == "is_null":
            return Missing(name)
        case [Field(name)] if call.function == "invert":
            return compared(name, "eq", False)
        case [Call("is_null", [Field(name)])] if call.function == "invert":
            return ColumnTest(name, None)
    return Unknown()


def read(words: list[tuple[str, str]], constants: Any) -> Part:
    """Takes the next part of an expression from its words, which are in reverse."""
    key, value = words.pop()
    if key == "field_ref":
        return Field(value)
    if key == "literal":
        return Constant(constants.column(int(value))[0].as_py())
    if key == "call":
        return read_call(value, words, constants)
    raise ValueError(f"an expression has {key!r}")


def read_call(function: str, words: list[tuple[str, str]], constants: Any) -> Call:
    """Takes a call, up to its end."""
    call = Call(function, [], {})
    while words[-1][0] != "end":
        if words[-1][0] == "options":
            call.options.update(constants.column(int(words.pop()[1]))[0].as_py())
        else:
            call.arguments.append(read(words, constants))
    words.pop()
    return call


def pickled(expression: Any) -> tuple[list[tuple[str, str]], Any]:
    """The words of an expression, and the batch of its constants."""
    _, (buffer,) = expression.__reduce__()
    with pyarrow.ipc.open_file(buffer) as file:
        constants = file.get_batch(0)
    return metadata_of(constants.schema.serialize().to_pybytes()), constants


def metadata_of(message: bytes) -> list[tuple[str, str]]:
    """The keys and values of a schema, from its message: https://arrow.apache.org/docs/format/Columnar.html.

    | offset | bytes | field |
    |---|---|---|
    | 0 | 4 | 0xFFFFFFFF |
    | 4 | 4 | the length of the flatbuffer |
    | 8 | | the flatbuffer: a `Message` of `Message.fbs`, whose header is a `Schema` of `Schema.fbs` |
    """
    buffer = FlatBuffer(message[8:])
    schema = buffer.pointed(buffer.field(buffer.pointed(0), 2))
    pairs = buffer.pointed(buffer.field(schema, 2))
    places = range(pairs + 4, pairs + 4 + 4 * buffer.number("<I", pairs), 4)
    tables = [buffer.pointed(place) for place in places]
    return [(buffer.text(buffer.field(table, 0)), buffer.text(buffer.field(table, 1))) for table in tables]


class FlatBuffer:
    """Reads tables of a flatbuffer: https://flatbuffers.dev/internals. Errors are `struct.error` or `ValueError`."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def number(self, form: str, place: int) -> int:
        """The number at a place."""
        if place < 0:
            raise ValueError("a place in a flatbuffer is negative")
        number: int = struct.unpack_from(form, self.data, place)[0]
        return number

    def pointed(self, place: int) -> int:
        """The place to which the offset at a place leads."""
        return place + self.number("<I", place)

    def field(self, table: int, slot: int) -> int:
        """The place of a field of a table."""
        row = table - self.number("<i", table)
        offset = self.number("<H", row + 4 + 2 * slot) if 4 + 2 * slot < self.number("<H", row) else 0
        if offset == 0:
            raise ValueError("a table of a flatbuffer lacks a field")
        return table + offset

    def text(self, place: int) -> str:
        """The text to which the offset at a place leads."""
        start = self.pointed(place) + 4
        return self.data[start : start + self.number("<I", start - 4)].decode()
