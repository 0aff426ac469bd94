"""The functions of keys in docs/plan.md: the kinds of operands that each takes, and its value for a row.

The values of operands are lists: one value, or an empty list if the operand has none. A stored null is no value here.
"""

import math
import re
from decimal import Decimal

from .graph import NULL
from .predicates import passes

TEXT, NUMBER, TRUTH, NODE = "text", "number", "truth", "node"
LEAST, GREATEST = -2**63, 2**63 - 1
# The characters that Unicode calls white space.
SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200b)))
WITH_FIELDS = ("test", "split", "match")
OF_ONE = ("not", "length", "lower", "upper", "trim", *WITH_FIELDS)


class NoNumber(Exception):
    """Raised if whole numbers have no result that fits into 64 bits."""


def quotient(a, b):
    """The quotient of two whole numbers, rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def float_quotient(a, b):
    if b != 0:
        return a / b
    return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)


def float_remainder(a, b):
    if b == 0 or math.isinf(a) or a != a or b != b:
        return math.nan
    return math.fmod(a, b)


def whole(operation):
    def computed(a, b):
        if operation in WHOLE_QUOTIENTS and b == 0:
            raise NoNumber
        result = operation(a, b)
        if not LEAST <= result <= GREATEST:
            raise NoNumber
        return result
    return computed


def remainder(a, b):
    return a - b * quotient(a, b)


WHOLE_QUOTIENTS = (quotient, remainder)
ARITHMETIC = {
    "add": (whole(lambda a, b: a + b), lambda a, b: a + b),
    "subtract": (whole(lambda a, b: a - b), lambda a, b: a - b),
    "multiply": (whole(lambda a, b: a * b), lambda a, b: a * b),
    "divide": (whole(quotient), float_quotient),
    "remainder": (whole(remainder), float_remainder),
}
COMPARISONS = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "lte": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "gte": lambda a, b: a >= b,
}
OF_TEXTS = {
    "contains": lambda text, part: part in text, "prefix": lambda text, part: text.startswith(part),
    "suffix": lambda text, part: text.endswith(part),
}
OF_TEXT = {
    "length": lambda key, text: [len(text)],
    "lower": lambda key, text: [text.lower()],
    "upper": lambda key, text: [text.upper()],
    "trim": lambda key, text: [text.strip(SPACE)],
    "split": lambda key, text: split(text, key["on"])[key["part"]:][:1],
    "match": lambda key, text: found(key["regex"], key["group"], text),
}
FUNCTIONS = {*ARITHMETIC, *COMPARISONS, *OF_TEXTS, *OF_TEXT, "and", "or", "not", "first_of", "test", "concat"}


def split(text, on):
    return text.split(on) if on else [text]


def found(pattern, group, text):
    match = re.search(pattern, text, re.DOTALL)
    part = match and match[group]
    return [] if part is None else [part]


def written(value):
    """A value as a part of a text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, float):
        return str(value)
    if value != value or math.isinf(value):
        return "NaN" if value != value else str(value)
    digits = format(Decimal(repr(value)), "f")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def operands_of(word, value):
    """The keys that are operands of a function, from the value of its word in a key, or from the whole key."""
    if word in WITH_FIELDS:
        return [value[word]]
    return [value] if word in OF_ONE else value


def are_taken(word, classes):
    """Whether a function takes operands of these classes."""
    if word in ARITHMETIC:
        return all(one == NUMBER for one in classes)
    if word in ("and", "or", "not"):
        return all(one == TRUTH for one in classes)
    if word in ("eq", "ne", "first_of"):
        return len(set(classes)) == 1
    if word in COMPARISONS:
        return set(classes) in ({NUMBER}, {TEXT})
    if word in OF_TEXTS:
        return set(classes) == {TEXT}
    if word == "concat":
        return NODE not in classes
    return word == "test" or classes == [TEXT]


def value_of(word, key, types, ask):
    """The value of a function for a row. `ask` gives the values of an operand, which has its type in `types`."""
    keys = operands_of(word, key)
    one = lambda place: [value for value in ask(keys[place])[:1] if value is not NULL]
    if word in ("and", "or"):
        return logic(word == "or", (one(place) for place in range(len(keys))))
    if word == "first_of":
        return first_of(types, (one(place) for place in range(len(keys))))
    operands = [one(place) for place in range(len(keys))]
    if not all(operands):
        return []
    values = [value for (value,) in operands]
    if word in ARITHMETIC:
        return [arithmetic(word, types, values)]
    if word in COMPARISONS:
        return [COMPARISONS[word](*values)]
    if word in OF_TEXTS:
        return [OF_TEXTS[word](*values)]
    if word == "not":
        return [not values[0]]
    if word == "test":
        return [passes(values[0], key["is"])]
    if word == "concat":
        return ["".join(map(written, values))]
    return OF_TEXT[word](key, values[0])


def logic(is_any, operands):
    """The rules of SQL: an operand that decides counts, even if another has no value."""
    is_open = False
    for operand in operands:
        if operand == [is_any]:
            return [is_any]
        is_open = is_open or not operand
    return [] if is_open else [not is_any]


def first_of(types, operands):
    value = next((operand for operand in operands if operand), [])
    if len(set(types)) == 1 or not value or isinstance(value[0], (str, bool)):
        return value
    if any(one[0] == "f" for one in types):
        return [float(value[0])]
    if not LEAST <= value[0] <= GREATEST:
        raise NoNumber
    return value


def arithmetic(word, types, values):
    of_wholes, of_floats = ARITHMETIC[word]
    if any(one[0] == "f" for one in types):
        result = of_floats(*map(float, values))
        # Adding 0.0 changes negative zero alone.
        return result + 0.0 if result == result else math.nan
    return of_wholes(*values)


def type_of_result(word, types):
    """The type of a function's values."""
    if word == "first_of" and len(set(map(wide, types))) == 1:
        return wide(types[0])
    if word in ARITHMETIC or word == "first_of":
        return "f64" if any(one[0] == "f" for one in types) else "i64"
    if word == "length":
        return "i64"
    return "string" if word in OF_TEXT or word == "concat" else "bool"


def wide(one):
    """The type in which functions compute with values of a type."""
    return {"f32": "f64", "u64": "u64"}.get(one, "i64" if one[0] in "iu" else one)
