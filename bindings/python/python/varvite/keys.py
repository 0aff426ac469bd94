"""Predicates, keys and summaries: the values that steps of pipelines take.

Each is a part of a plan, as `docs/plan.md` describes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from varvite.pipeline import Pipeline

Literal = Union[str, int, float, bool]
"""A constant in a plan."""


class Form:
    """A part of a plan, which never changes."""

    __slots__ = ("form",)

    form: Any

    def __init__(self, form: Any) -> None:
        self.form = form

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and type(other) is type(self) and self.form == other.form

    def __hash__(self) -> int:
        return hash(repr(self.form))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.form!r})"


class Predicate(Form):
    """A condition on a value. The functions `eq`, `lt`, `regex` and others make it."""

    __slots__ = ()


PredicateLike = Union[Predicate, Literal]
"""A predicate, or a constant, which stands for `eq`."""


def predicate_form(is_: PredicateLike) -> Mapping[str, Any]:
    """The form of a predicate in a plan."""
    form: Mapping[str, Any] = is_.form if isinstance(is_, Predicate) else {"eq": is_}
    return form


def eq(value: Literal) -> Predicate:
    """Passes values equal to `value`."""
    return Predicate({"eq": value})


def ne(value: Literal) -> Predicate:
    """Passes values not equal to `value`."""
    return Predicate({"ne": value})


def one_of(*values: Literal) -> Predicate:
    """Passes values equal to any of `values`."""
    return Predicate({"one_of": list(values)})


def none_of(*values: Literal) -> Predicate:
    """Passes values equal to none of `values`."""
    return Predicate({"none_of": list(values)})


def lt(value: float) -> Predicate:
    """Passes numbers less than `value`."""
    return Predicate({"lt": value})


def lte(value: float) -> Predicate:
    """Passes numbers that are at most `value`."""
    return Predicate({"lte": value})


def gt(value: float) -> Predicate:
    """Passes numbers greater than `value`."""
    return Predicate({"gt": value})


def gte(value: float) -> Predicate:
    """Passes numbers that are at least `value`."""
    return Predicate({"gte": value})


def between(low: float, high: float) -> Predicate:
    """Passes numbers that are at least `low` and less than `high`."""
    return Predicate({"between": [low, high]})


def inside(low: float, high: float) -> Predicate:
    """Passes numbers greater than `low` and less than `high`."""
    return Predicate({"inside": [low, high]})


def outside(low: float, high: float) -> Predicate:
    """Passes numbers less than `low` or greater than `high`."""
    return Predicate({"outside": [low, high]})


def prefix(text: str) -> Predicate:
    """Passes texts that begin with `text`."""
    return Predicate({"prefix": text})


def suffix(text: str) -> Predicate:
    """Passes texts that end with `text`."""
    return Predicate({"suffix": text})


def contains(text: str) -> Predicate:
    """Passes texts that contain `text`."""
    return Predicate({"contains": text})


def regex(text: str) -> Predicate:
    """Passes texts that the regular expression matches as a whole."""
    return Predicate({"regex": text})


class Key(Form):
    """A value of each row, by which steps sort, group, filter and map.

    A text in place of a key stands for the property of that name.
    """

    __slots__ = ()

    @staticmethod
    def itself() -> Key:
        """The row itself."""
        return Key("itself")

    @staticmethod
    def label() -> Key:
        """The labels of a node, joined by `&`, or the label of an edge."""
        return Key("label")

    @staticmethod
    def depth() -> Key:
        """The depth in the last `repeat`."""
        return Key("depth")

    @staticmethod
    def property(name: str) -> Key:
        """The first value of a property."""
        return Key({"property": name})

    @staticmethod
    def column(name: str) -> Key:
        """The cell in the first column of this name, for rows of columns."""
        return Key({"column": name})

    @staticmethod
    def first(pipeline: Pipeline) -> Key:
        """The first result of a pipeline that begins with the row."""
        return Key({"first": list(pipeline.steps)})

    @staticmethod
    def exists(pipeline: Pipeline) -> Key:
        """Whether a pipeline that begins with the row gives a result."""
        return Key({"exists": list(pipeline.steps)})

    @staticmethod
    def list(pipeline: Pipeline) -> Key:
        """All results of a pipeline that begins with the row; only in `columns`."""
        return Key({"list": [*pipeline.steps]})

    @staticmethod
    def constant(value: Literal) -> Key:
        """The same value for every row."""
        return Key({"constant": value})

    @staticmethod
    def test(key: KeyLike, is_: PredicateLike) -> Key:
        """Whether the key passes a predicate."""
        return Key({"test": key_form(key), "is": predicate_form(is_)})

    @staticmethod
    def split(key: KeyLike, on: str, part: int) -> Key:
        """The part with this number, from 0, of a text that is divided at each `on`."""
        return Key({"split": key_form(key), "on": on, "part": part})

    @staticmethod
    def match(key: KeyLike, regex: str, group: int) -> Key:
        """The text that this group of the regular expression matches first."""
        return Key({"match": key_form(key), "regex": regex, "group": group})

    @staticmethod
    def of(function: str, *keys: KeyLike) -> Key:
        """A function of keys by its name in plans, such as `add`, `concat`, `not` or `length`."""
        forms = [key_form(key) for key in keys]
        is_of_one = function in ("not", "length", "lower", "upper", "trim")
        return Key({function: forms[0] if is_of_one and len(forms) == 1 else forms})

    def named(self, name: str) -> Key:
        """The same key, as a column of this name."""
        fields = {"key": self.form} if isinstance(self.form, str) else self.form
        return Key({"as": name, **fields})


KeyLike = Union[Key, str]
"""A key, or the name of a property."""


def key_form(key: KeyLike) -> Any:
    """The form of a key in a plan."""
    return key.form if isinstance(key, Key) else {"property": key}


class Summary(Form):
    """A column of the step `summarize`: an aggregate over the rows of a group."""

    __slots__ = ()

    @staticmethod
    def count() -> Summary:
        """The number of rows."""
        return Summary("count")

    @staticmethod
    def sum(property: str) -> Summary:
        """The sum of a property's values, 0 if there are none."""
        return Summary({"sum": property})

    @staticmethod
    def min(property: str) -> Summary:
        """The least of a property's values."""
        return Summary({"min": property})

    @staticmethod
    def max(property: str) -> Summary:
        """The greatest of a property's values."""
        return Summary({"max": property})

    @staticmethod
    def mean(property: str) -> Summary:
        """The mean of a property's values."""
        return Summary({"mean": property})
