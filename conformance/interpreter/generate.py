"""Generates random plans from all steps, with names and values that occur in a graph. Equal seeds give equal plans.

Most plans are valid; one in twelve contains a deliberate mistake, and should be refused.
"""

import random
from itertools import chain, islice

from .check import COLUMNS, EDGE, EDGES, NODE, NODES, VALUES, Check, Refused, Unpromised, class_of
from .declared import DECLARED, ROWS, STARTS
from .functions import OF_TEXTS
from .graph import NULL, type_of
from .predicates import CLASS_OF_TYPE, NUMBER, ON_NUMBERS, TEXT, TRUTH

STEPS_MAX, INNER_MAX, NESTED_MAX = 7, 3, 3
TRIES = 30
# The relative frequency of steps; 1 for steps that are not listed.
WEIGHTS = {"out": 4, "in": 4, "has": 4, "out_edges": 2, "in_edges": 2, "repeat": 3, "order": 2, "dedup": 2,
           "descendants": 2, "values": 2, "source": 2, "target": 2, "is": 2, "columns": 2, "path": 2, "filter": 3, "map": 2, "select": 6}
FUNCTIONS_MAX = 3


class Generator:
    """Makes plans for one graph."""

    def __init__(self, graph, seed):
        self.graph, self.random = graph, random.Random(seed)
        self.is_large = graph.node_count > 5000
        self.edge_sample = [value for value in islice(graph.edge_values.values(), 3000) if value is not NULL]

    def plan(self):
        """A random plan, as a list of steps."""
        self.sides, self.is_wrong, self.names = 0, self.random.random() < 1 / 12, {}
        start = self.pick(["nodes", "nodes", "nodes", "ids", "edges"])
        steps = [made(self, start, None)]
        steps += self.cut() if self.is_large and start != "ids" else []
        if self.is_wrong and self.chance(0.2):
            self.spoil(steps[0])
        kind = EDGE if start == "edges" else NODE
        steps += self.steps(kind, self.random.randint(1, STEPS_MAX), 0, False)[0]
        return steps

    def steps(self, kind, count, nested, is_condition):
        """`count` steps that can follow rows of the kind `kind`, and the kind of the rows after the last step."""
        self.nested = nested
        steps, around = [], self.names
        if nested and kind.rows != COLUMNS and self.chance(0.25):
            steps.append({"step": "as", "name": self.pick(["m", "n"])})
            self.names = {**around, steps[0]["name"]: kind}
        for _ in range(count):
            step = self.step(kind, nested, is_condition)
            if step is None:
                break
            steps.append(step)
            try:
                kind = self.check().step(step, kind, nested == 0, is_condition)
            except (Refused, Unpromised):
                break
        self.names = around
        return steps, kind

    def check(self):
        return Check(self.graph, self.names)

    def step(self, kind, nested, is_condition):
        names = [name for name in DECLARED if name not in STARTS]
        weights = [WEIGHTS.get(name, 1) for name in names]
        for _ in range(TRIES):
            name, = self.random.choices(names, weights)
            if nested >= NESTED_MAX and name in NESTING:
                continue
            self.nested, self.is_condition = nested, is_condition
            if not self.fits(name, kind) and not (self.is_wrong and self.chance(0.1)):
                continue
            step = made(self, name, kind)
            if step is None:
                continue
            if self.is_wrong and self.chance(0.15):
                self.spoil(step)
                return step
            try:
                self.check().step(step, kind, nested == 0, is_condition)
                return step
            except (Refused, Unpromised):
                if self.is_wrong and self.chance(0.3):
                    return step
        return None

    @staticmethod
    def fits(name, kind):
        return kind.rows in ROWS[DECLARED[name].takes]

    def spoil(self, step):
        """Replaces a part of a step by a wrong name, value or pipeline."""
        field = self.pick(sorted(step))
        if field in ("labels", "property"):
            step[field] = ["NO_SUCH"] if field == "labels" else "NO_SUCH"
        elif field == "is":
            step["is"] = {"eq": self.pick(["a", 1, True, 0.5])}
        elif field == "ids":
            step["ids"] = [self.graph.node_count + self.random.randrange(3)]
        elif field in ("pipeline", "body", "on"):
            step[field] = [{"step": "count"}, {"step": "out"}]
        elif field == "branches":
            step[field] = [[{"step": "label"}], [{"step": "count"}], [{"step": "path"}]][:self.random.randint(0, 3)]
        elif field == "by":
            step[field] = self.pick([{"column": "count"}, {"property": "NO_SUCH"}, "label", "itself",
                                     {"add": ["itself", {"constant": "a"}]}, {"lower": {"constant": 1}}])

    # Choices

    def pick(self, some):
        return some[self.random.randrange(len(some))]

    def chance(self, part):
        return self.random.random() < part

    def some(self, all_of, most):
        """One to `most` items of a list, in random order; rarely, items may repeat."""
        if self.chance(0.1):
            return [self.pick(all_of) for _ in range(self.random.randint(1, most))]
        return self.random.sample(all_of, self.random.randint(1, min(most, len(all_of))))

    def labels(self, step, names, often=0.7):
        if self.chance(often):
            step["labels"] = self.some(names, self.pick([1, 1, 2, 3]))
        return step

    def node(self):
        return self.random.randrange(self.graph.node_count)

    def cut(self):
        count = self.pick([1, 10, 300, 2000])
        return [{"step": "skip", "count": self.random.randrange(5000)}, {"step": "limit", "count": count}]

    def property(self, kind):
        names = self.graph.edge_properties if kind.rows == EDGES else self.graph.properties
        return self.pick(sorted(names)) if names else None

    def property_type(self, name, kind):
        if kind.rows == EDGES:
            return self.pick(list(self.graph.edge_properties[name].values()))
        return self.graph.properties[name]

    def value(self, kind, name, value_type):
        """A random value of the property `name`. An edge property may have several types; the caller picks one."""
        if kind.rows == EDGES:
            values = [value for value in self.edge_sample if type_of(value) == value_type]
        else:
            values = self.pick(self.values_of(name))
        return self.pick([value for value in values if value is not NULL] or [self.literal(value_type)])

    def values_of(self, name):
        owners = self.graph.values[name]
        return [owners[self.pick(sorted(owners))]] if len(owners) < 3000 else [next(iter(owners.values()))]

    def value_of_type(self, kind):
        if kind.labels_of:
            return self.pick(self.graph.label_names + self.graph.edge_labels)
        if kind.texts_of in self.graph.properties:
            return self.value(NODE, kind.texts_of, self.property_type(kind.texts_of, NODE))
        return self.literal(kind.type)

    def literal(self, value_type):
        return {TEXT: "a", "truth": self.chance(0.5)}.get(CLASS_OF_TYPE.get(value_type), self.random.randint(-2, 9))

    def key(self, kind, for_groups=False):
        keys = ["itself"] if kind.rows != EDGES or not for_groups else []
        if kind.rows in (NODES, EDGES):
            keys += ["label"] + [{"property": self.property(kind)}] * (3 if self.property(kind) else 0)
        if not self.is_condition:
            keys.append("depth")
        if self.chance(0.3):
            return self.named(self.function(kind, self.pick([TEXT, NUMBER, TRUTH]), 0))
        if kind.rows != COLUMNS and self.nested < NESTED_MAX and self.chance(0.3):
            return self.computed_key(kind)
        return self.pick(keys)

    def named(self, key):
        if self.chance(0.3):
            key["as"] = self.pick(["first", "count", "node", "a b"])
        return key

    def computed_key(self, kind):
        """A key that is the result of an inner pipeline; sometimes a list, which only columns can show."""
        return self.named({self.pick(["first", "first", "exists", "list"]): self.condition(kind)})

    def operand(self, kind, wanted, deep):
        """A key whose values are of a class, for a function that `deep` functions enclose."""
        if deep < FUNCTIONS_MAX and self.chance(0.4):
            return self.function(kind, wanted, deep)
        for _ in range(TRIES if self.chance(0.8) else 0):
            key = self.plain_operand(kind)
            try:
                found = self.check_key(key, kind)
            except (Refused, Unpromised):
                continue
            if found.rows != EDGES and class_of(found) == wanted:
                return key
        return {"constant": self.constant(wanted)}

    def check_key(self, key, kind):
        check = self.check()
        check.is_condition = self.is_condition
        return check.key(key, kind)

    def plain_operand(self, kind):
        if kind.rows == COLUMNS:
            return {"column": self.pick(kind.columns)[0]}
        if self.nested < NESTED_MAX and self.chance(0.15):
            return {self.pick(["first", "first", "exists"]): self.condition(kind)}
        name = self.property(kind) if kind.rows in (NODES, EDGES) else None
        return self.pick(["itself", "label", "depth"] + [{"property": name}] * (6 if name else 0))

    def constant(self, wanted):
        return {TEXT: self.pick(["", "a", "Ab c", "m"]), NUMBER: self.pick([0, 1, 2, -3, 0.5, 7]),
                TRUTH: self.chance(0.5)}[wanted]

    def function(self, kind, wanted, deep):
        """A function whose values are of a class: a text, a number or a truth value."""
        operand = lambda one: self.operand(kind, one, deep + 1)
        if self.chance(0.1):
            return {"first_of": [operand(wanted) for _ in range(self.pick([2, 2, 3]))]}
        if wanted == TEXT:
            return self.text_function(operand)
        if wanted == NUMBER:
            return self.number_function(operand)
        return self.truth_function(kind, operand, deep)

    def text_function(self, operand):
        word = self.pick(["lower", "upper", "trim", "concat", "split", "match"])
        if word == "concat":
            return {word: [operand(self.pick([TEXT, TEXT, NUMBER])) for _ in range(self.pick([2, 2, 3]))]}
        key = {word: operand(TEXT)}
        if word == "split":
            key.update(on=self.pick(["", ".", "_", " ", "e", "a"]), part=self.pick([0, 0, 1, 2]))
        if word == "match":
            key.update(regex=self.pick(["[a-m]+", "(a|e)(.)?", "^.", "(x)|y", "[0-9]+"]), group=0)
            key["group"] = self.random.randint(0, key["regex"].count("("))
        return key

    def number_function(self, operand):
        word = self.pick(["add", "subtract", "multiply", "divide", "remainder", "length"])
        if word == "length":
            return {word: operand(TEXT)}
        second = {"constant": self.pick([2, -3, 0.5])} if word in ("divide", "remainder") else operand(NUMBER)
        return {word: [operand(NUMBER), operand(NUMBER) if self.chance(0.05) else second]}

    def truth_function(self, kind, operand, deep):
        word = self.pick(["eq", "ne", "lt", "lte", "gt", "gte", *OF_TEXTS, "and", "or", "not", "test"])
        if word in ("and", "or"):
            return {word: [operand(TRUTH) for _ in range(self.pick([1, 2, 2, 3]))]}
        if word == "not":
            return {word: operand(TRUTH)}
        if word == "test":
            key = operand(self.pick([TEXT, NUMBER, TRUTH]))
            found = self.check_key(key, kind)
            return {word: key, "is": self.predicate(found.type, self.value_of_type(found))}
        if word in OF_TEXTS:
            return {word: [operand(TEXT), operand(TEXT)]}
        of = self.pick([TEXT, NUMBER] if word not in ("eq", "ne") else [TEXT, NUMBER, TRUTH])
        if word in ("eq", "ne") and kind.rows == NODES and self.chance(0.2):
            return {word: ["itself", {"first": [{"step": self.pick(["out", "in", "both"])}]}]}
        return {word: [operand(of), operand(of)]}

    # Predicates

    def predicate(self, value_type, value):
        wanted = CLASS_OF_TYPE.get(value_type, NUMBER)
        word = self.pick({TEXT: ["eq", "ne", "one_of", "none_of", "prefix", "suffix", "contains", "regex"],
                          NUMBER: ["eq", "ne", "one_of", "none_of", *ON_NUMBERS]}.get(wanted, ["eq", "ne", "one_of"]))
        return {word: self.compared_with(word, value)}

    def compared_with(self, word, value):
        if word in ("one_of", "none_of"):
            return [value] + ([self.other(value)] if self.chance(0.6) else [])
        if word in ("between", "inside", "outside"):
            return sorted([value, self.other(value)]) if self.chance(0.8) else [value, self.other(value)]
        if word in ("prefix", "suffix", "contains"):
            return self.part(word, value)
        if word == "regex":
            return self.pattern(value)
        return self.other(value) if word in ON_NUMBERS and self.chance(0.5) else value

    def other(self, value):
        if isinstance(value, (str, bool)):
            return self.pick(["", "a", "x y", value]) if isinstance(value, str) else not value
        return value + self.pick([-2, -1, 1, 2, 0.5, -1.5, 0])

    def part(self, word, text):
        text = text[:40]
        start, end = sorted((self.random.randint(0, len(text)), self.random.randint(0, len(text))))
        return {"prefix": text[:end], "suffix": text[start:], "contains": text[start:end]}[word]

    def pattern(self, text):
        """A regular expression with the same meaning in Python and in Rust."""
        text = text[:20]
        start, end = sorted((self.random.randint(0, len(text)), self.random.randint(0, len(text))))
        head, middle, tail = map(quoted, (text[:start], text[start:end], text[end:]))
        return self.pick([head + ".*", ".*" + tail, f"{head}({middle}|x)?{tail}", f"({head}|{tail}).*", f"{head}.?{tail}",
                          f"[a-m].*{tail}", f"({middle})+"])

    # Steps

    def inner(self, kind, most=INNER_MAX, is_condition=None):
        nested, condition = self.nested, self.is_condition
        is_condition = condition if is_condition is None else is_condition
        steps = self.steps(kind, self.random.randint(0, most), nested + 1, is_condition)
        self.nested, self.is_condition = nested, condition
        return steps

    def condition(self, kind):
        return self.inner(kind, is_condition=True)[0]

    def branches(self, kind):
        """Branches that all end with rows of the same kind, which is that of the first branch."""
        first, wanted = self.inner(kind)
        found = [first]
        for _ in range(self.pick([0, 1, 1, 2])):
            branch, given = self.inner(kind)
            found.append(branch if alike(given, wanted) else self.pick([first, first[:]]))
        return found


def alike(one, other):
    return one._replace(columns=()) == other._replace(columns=()) and one.rows != COLUMNS


def quoted(text):
    return "".join("\\" + sign if sign in ".^$*+?()[]{}|\\" else sign for sign in text)


def hop(name):
    return lambda make, kind: make.labels({"step": name}, make.graph.edge_labels, 0.9 if make.is_large else 0.6)


def has(name):
    def has_step(make, kind):
        name_of_property = make.property(kind)
        if name_of_property is None:
            return None
        step = {"step": name, "property": name_of_property}
        if make.chance(0.8):
            value_type = make.property_type(name_of_property, kind)
            step["is"] = make.predicate(value_type, make.value(kind, name_of_property, value_type))
        return step
    return has_step


def has_label(make, kind):
    names = make.graph.edge_labels if kind.rows == EDGES else make.graph.label_names
    return {"step": "has_label", "labels": make.some(names, 4)}


def ids(name):
    return lambda make, kind: {"step": name, "ids": [make.node() for _ in range(make.pick([1, 2, 5, 30]))]}


def is_(make, kind):
    return {"step": "is", "is": make.predicate(kind.type, make.value_of_type(kind))} if kind.rows == VALUES else None


def conditions(name):
    return lambda make, kind: {"step": name, "branches": [make.condition(kind) for _ in range(make.pick([0, 1, 2, 2, 3]))]}


def nearest_ancestor(make, kind):
    step = make.labels({"step": "nearest_ancestor"}, make.graph.label_names)
    if make.chance(0.3):
        step["where"] = make.condition(kind)
    return step


def choose(make, kind):
    on, asked = make.inner(kind, is_condition=True)
    if asked.rows != VALUES:
        return None
    branches = make.branches(kind)
    cases = [{"is": make.predicate(asked.type, make.value_of_type(asked)), "then": then} for then in branches]
    step = {"step": "choose", "on": on, "cases": cases}
    if make.chance(0.5):
        step["otherwise"] = branches[0]
    return step


def repeat(make, kind):
    body, given = make.inner(kind, 2)
    if not body or given.rows != NODES:
        body = [made(make, make.pick(["out", "in", "both", "nearest_ancestor"]), kind)]
    step = {"step": "repeat", "body": body}
    if make.chance(0.4):
        step["times"] = make.random.randint(0, 4)
    if make.chance(0.5) or "times" not in step and (make.is_large or make.chance(0.8)):
        step["dedup"] = True
    for field in ("until", "whilst"):
        if make.chance(0.2):
            step[field] = make.condition(kind)
    if make.chance(0.7):
        step["emit"] = make.pick(["all", "all_but_first", {"where": make.condition(kind)}])
    if make.chance(0.5):
        step["order"] = make.pick(["depth", "breadth"])
    return step


def order(make, kind):
    step = {"step": "order"}
    if kind.rows == COLUMNS:
        word = make.pick([TEXT, NUMBER, TRUTH])
        step["by"] = make.function(kind, word, 0) if make.chance(0.2) else {"column": make.pick(kind.columns)[0]}
    elif make.chance(0.7):
        step["by"] = make.key(kind)
    if make.chance(0.5):
        step["descending"] = make.chance(0.8)
    return step


def sample(make, kind):
    return {"step": "sample", "count": make.pick([0, 1, 3, 10, 100_000]), "seed": make.random.randrange(1000)}


def select(make, kind):
    return {"step": "select", "name": make.pick(sorted(make.names))} if make.names else None


def filter_(make, kind):
    return {"step": "filter", "by": make.function(kind, TRUTH, 0)}


def map_(make, kind):
    if make.chance(0.3):
        return {"step": "map", "by": make.key(kind)}
    return {"step": "map", "by": make.function(kind, make.pick([TEXT, NUMBER, TRUTH]), 0)}


def side(make, kind):
    make.sides += 1
    return {"step": "side", "name": f"side {make.sides}"}


def summarize(make, kind):
    names = [name for name in (make.property(kind) for _ in range(12)) if name]
    numbers = [name for name in names if make.property_type(name, kind)[0] in "iuf"]
    chosen = numbers[:3] if make.chance(0.9) else names[:3]
    columns = [{make.pick(["sum", "min", "max", "mean"]): name} for name in chosen]
    return {"step": "summarize", "by": make.key(kind, True), "columns": columns + ["count"]}


def made(make, name, kind):
    """A random step with the name `name`, or None if it cannot follow rows of this kind."""
    if name in GENERATORS:
        return GENERATORS[name](make, kind)
    step = {"step": name}
    for field, holds in DECLARED[name].fields.items():
        if not holds.endswith("?") or make.chance(0.6):
            step[field] = FIELDS[holds.rstrip("?")](make, kind)
    return None if None in step.values() else step


# For each type of a field, the function that makes a random value.
FIELDS = {
    "u64": lambda make, kind: make.pick([0, 1, 2, 3, 5, 20, 100, 3000]),
    "bool": lambda make, kind: make.chance(0.5),
    "String": lambda make, kind: make.property(kind),
    "Key": lambda make, kind: make.key(kind),
    "Vec<Key>": lambda make, kind: [make.key(kind) for _ in range(make.random.randint(1, 4))],
    "Steps": lambda make, kind: make.condition(kind),
    "Vec<Steps>": lambda make, kind: make.branches(kind),
}
# The functions that make steps whose fields depend on more than their types.
GENERATORS = {
    "nodes": lambda make, kind: make.labels({"step": "nodes"}, make.graph.label_names),
    "ids": ids("ids"),
    "edges": lambda make, kind: make.labels({"step": "edges"}, make.graph.edge_labels),
    "has": has("has"), "has_not": has("has_not"), "has_label": has_label, "has_id": ids("has_id"), "is": is_,
    "and": conditions("and"), "or": conditions("or"), "out": hop("out"), "in": hop("in"), "both": hop("both"),
    "out_edges": hop("out_edges"), "in_edges": hop("in_edges"), "both_edges": hop("both_edges"),
    "nearest_ancestor": nearest_ancestor, "choose": choose, "repeat": repeat, "order": order, "sample": sample,
    "side": side, "summarize": summarize, "filter": filter_, "map": map_, "select": select,
    "as": lambda make, kind: None,
}
NESTING = {name for name, step in DECLARED.items()
           if any(part in holds for holds in step.fields.values() for part in ("Steps", "Case", "Repeat"))}


def names_in(plan):
    """The names of all steps and predicates in a plan, including those of inner pipelines."""
    if isinstance(plan, list):
        return set(chain.from_iterable(map(names_in, plan)))
    if isinstance(plan, dict):
        inner = set(chain.from_iterable(names_in(value) for value in plan.values()))
        predicate = set(plan["is"]) if isinstance(plan.get("is"), dict) else set()
        return inner | predicate | ({plan["step"]} if "step" in plan else set())
    return set()
