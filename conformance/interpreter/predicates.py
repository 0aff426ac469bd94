"""The predicates of docs/plan.md: a function for each, and the types of values to which it applies."""

import re

from .graph import NULL

TEXT, NUMBER, TRUTH = "text", "number", "truth"
CLASS_OF_TYPE = {"string": TEXT, "bool": TRUTH}


def class_of_literal(literal):
    if isinstance(literal, bool):
        return TRUTH
    return TEXT if isinstance(literal, str) else NUMBER


def prefix(value, wanted):
    return value.startswith(wanted)


def suffix(value, wanted):
    return value.endswith(wanted)


def contains(value, wanted):
    return wanted in value


def regex(value, pattern):
    return re.fullmatch(pattern, value, re.DOTALL) is not None


def lt(value, high):
    return value < high


def lte(value, high):
    return value <= high


def gt(value, low):
    return value > low


def gte(value, low):
    return value >= low


def between(value, ends):
    return ends[0] <= value < ends[1]


def inside(value, ends):
    return ends[0] < value < ends[1]


def outside(value, ends):
    return value < ends[0] or value > ends[1]


def eq(value, wanted):
    return value is not NULL and value == wanted


def ne(value, wanted):
    return not eq(value, wanted)


def one_of(value, wanted):
    return any(eq(value, one) for one in wanted)


def none_of(value, wanted):
    return not one_of(value, wanted)


ON_TEXTS = {"prefix": prefix, "suffix": suffix, "contains": contains, "regex": regex}
ON_NUMBERS = {"lt": lt, "lte": lte, "gt": gt, "gte": gte, "between": between, "inside": inside, "outside": outside}
ON_ALL = {"eq": eq, "ne": ne, "one_of": one_of, "none_of": none_of}
PREDICATES = {**ON_ALL, **ON_NUMBERS, **ON_TEXTS}


def passes(value, predicate):
    (word, operand), = predicate.items()
    if value is NULL and word not in ON_ALL:
        return False
    return PREDICATES[word](value, operand)


def fits(predicate, value_type):
    """Whether a predicate may be applied to values of a type."""
    (word, operand), = predicate.items()
    wanted = CLASS_OF_TYPE.get(value_type, NUMBER)
    literals = operand if isinstance(operand, list) else [operand]
    allowed = {TEXT: ON_TEXTS, NUMBER: ON_NUMBERS}.get(wanted, {})
    return (word in ON_ALL or word in allowed) and all(class_of_literal(one) == wanted for one in literals)
