"""Compares Varvite with the interpreter by random plans: see python3 -m interpreter --help."""

import argparse
import gc
import json
import random
import re
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .check import MAKES_NO_SENSE, UNKNOWN, Refused, Unpromised
from .engine import TIMED_OUT, agree, Engine, narrowed, shown
from .generate import Generator, names_in
from .graph import Graph
from .predicates import PREDICATES
from .steps import STEPS, Interpreter, Stopped

PROFILES = ["direct", "compact", "archive"]
# The time limit for finding a smaller plan that fails, so that a failed run reports soon.
SHRINK_SECONDS = 20


class Expected:
    """The result of a plan that docs/plan.md requires: the rows and their kind, or an exit code."""

    def __init__(self, graph, steps):
        run = Interpreter(graph)
        self.code, self.kind, self.rows, self.is_ordered = 0, None, [], True
        self.is_stopped = False
        try:
            self.kind, self.rows = run.run(with_last_sample(steps))
            self.is_ordered = run.is_ordered
        except (Refused, Stopped) as error:
            self.code, self.is_stopped = error.code, isinstance(error, Stopped)
        self.sides = run.sides


def with_last_sample(steps):
    """Marks a `sample` step if it is the last step of the plan, where any choice of that many rows is correct."""
    if steps and steps[-1]["step"] == "sample":
        return steps[:-1] + [{**steps[-1], "last": True}]
    return steps


class Trial:
    """Compares the results of plans on one graph, which Varvite reads from files of several profiles."""

    def __init__(self, program, name, dump, files):
        self.name, self.graph = name, Graph(dump)
        self.engine = Engine(program, self.graph, files)

    def difference(self, steps, variants):
        """A text about the first difference of the results, or None. Raises Unpromised if nothing can be compared."""
        expected = Expected(self.graph, steps)
        for profile, threads in variants:
            code, said, rows = self.engine.run(steps, profile, threads)
            if code == TIMED_OUT and expected.is_stopped:
                raise Unpromised("how soon a walk without an end is refused, with all that it gives until then")
            what = self.compare(expected, steps, code, said, rows)
            if what:
                return f"{profile}, {threads} threads: {what}"
        return self.difference_aside(expected, steps, variants[0])

    def compare(self, expected, steps, code, said, rows):
        if {code, expected.code} == {MAKES_NO_SENSE, UNKNOWN}:
            return None  # If a plan has several faults, either may be reported.
        if code != expected.code:
            return f"exit code {code} and not {expected.code}: {said}"
        if code:
            return None
        wanted = [shown(self.graph, expected.kind, row.item) for row in expected.rows]
        rows = narrowed(rows, wanted)
        if steps[-1]["step"] == "sample":
            return drawn(wanted, rows, steps[-1]["count"])
        return first_difference(wanted, rows, expected.is_ordered)

    def difference_aside(self, expected, steps, variant):
        """A text about a difference in the rows of a `side` step, or None. A later limit may stop rows early."""
        for name, (kind, rows, is_ordered) in () if expected.code else expected.sides.items():
            code, said, found = self.engine.run(steps, *variant, side=name)
            wanted = [shown(self.graph, kind, row.item) for row in rows]
            place = next(place for place, step in enumerate(steps) if step.get("name") == name)
            if any(step["step"] == "limit" for step in steps[place:]):
                wanted = wanted[:len(found)]
            found = narrowed(found, wanted)
            what = f"exit code {code}: {said}" if code else first_difference(wanted, found, is_ordered)
            if what:
                return f"{variant}, --side {name!r}: {what}"
        return None


def first_difference(wanted, found, is_ordered):
    if not is_ordered:
        wanted, found = sorted(wanted, key=short), sorted(found, key=short)
    for place, (one, other) in enumerate(zip(wanted, found)):
        if not agree(one, other):
            return f"row {place} of {len(found)} is {short(other)} and not {short(one)}"
    if len(wanted) == len(found):
        return None
    longer = (wanted if len(wanted) > len(found) else found)[min(len(wanted), len(found))]
    return f"{len(found)} rows and not {len(wanted)}; the first too {'many' if len(found) > len(wanted) else 'few'} is {short(longer)}"


def drawn(wanted, found, count):
    """Checks that a sample has the right number of rows, taken from all rows in their order."""
    if len(found) != min(count, len(wanted)):
        return f"{len(found)} rows drawn and not {min(count, len(wanted))}"
    rest = iter(wanted)
    return None if all(any(agree(one, row) for one in rest) for row in found) else "drawn rows are not in their order"


def short(row):
    return json.dumps(row, ensure_ascii=False)[:300]


def smaller(steps):
    """Yields all plans that have one step, branch or field less than the given plan."""
    for place, step in enumerate(steps):
        yield steps[:place] + steps[place + 1:]
        for field, value in step.items():
            for less in smaller_field(value):
                yield steps[:place] + [{**step, field: less}] + steps[place + 1:]
            if field not in ("step", "property", "count", "seed", "body", "pipeline", "branches"):
                yield steps[:place] + [{key: value for key, value in step.items() if key != field}] + steps[place + 1:]


def smaller_field(value):
    if isinstance(value, list) and value and isinstance(value[0], dict) and "step" in value[0]:
        yield from smaller(value)
    elif isinstance(value, list) and len(value) > 1:
        yield from (value[:place] + value[place + 1:] for place in range(len(value)))
    elif isinstance(value, list):
        yield from ([less] for one in value for less in smaller_field(one))
    elif isinstance(value, dict) and "where" in value:
        yield from ({**value, "where": less} for less in smaller_field(value["where"]))


def shrink(trial, steps, what, variants):
    """The smallest plan found, within a time limit, whose results still differ, and its difference."""
    end = time.monotonic() + SHRINK_SECONDS
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for less in smaller(steps):
            if time.monotonic() > end:
                return steps, what
            try:
                found = trial.difference(less, variants)
            except (Unpromised, KeyError, TypeError, ValueError):
                continue
            if found and ("exit code" in found) == ("exit code" in what):
                steps, what, is_smaller = less, found, True
                break
    return steps, what


def document_names(path):
    """The steps and predicates that docs/plan.md describes."""
    text = Path(path).read_text(encoding="utf-8")
    _, predicates = text.split("## Predicates")
    return set(re.findall(r"^### `(\w+)`", text, re.M)), set(re.findall(r"^\| `\{\"(\w+)\"", predicates, re.M))


def check_names(path):
    steps, predicates = document_names(path)
    if set(STEPS) != steps:
        sys.exit(f"varvite: {path} and the interpreter differ in steps: {sorted(steps ^ set(STEPS))}")
    if predicates != set(PREDICATES):
        sys.exit(f"varvite: {path} and the interpreter differ in predicates: {sorted(predicates ^ set(PREDICATES))}")


def variants_of(number):
    """Each profile with one or two threads. For the next number, each profile has the other number of threads."""
    return [(profile, 1 + (number + place) % 2) for place, profile in enumerate(PROFILES)]


def plans(trials, seed, count):
    """Yields each plan's number, its graph, and the generator of its steps."""
    for number in range(count):
        trial = trials[number % len(trials)]
        yield number, trial, Generator(trial.graph, f"{seed} {number}")


def try_one(number, trial, generator):
    """Makes random plans until one can be compared."""
    discarded = 0
    while True:
        steps = generator.plan()
        try:
            what = trial.difference(steps, variants_of(number))
            return number, trial, steps, what, discarded
        except Unpromised:
            discarded += 1
        except Exception as error:
            raise RuntimeError(f"plan {number} on {trial.name}: {json.dumps(steps)}") from error


def report(number, trial, steps, what, seed):
    small, less = shrink(trial, steps, what, variants_of(number))
    print(f"plan {number} of seed {seed} on {trial.name} differs: {what}")
    print("  " + json.dumps({"version": 1, "steps": steps}, ensure_ascii=False))
    print(f"the smallest that differs: {less}")
    print("  " + json.dumps({"version": 1, "steps": small}, ensure_ascii=False), flush=True)


def arguments():
    parser = argparse.ArgumentParser(prog="interpreter", description="Compares Varvite with a plain interpreter.")
    parser.add_argument("--varvite", required=True, help="the command")
    parser.add_argument("--document", required=True, help="docs/plan.md")
    parser.add_argument("--graph", nargs=2, action="append", metavar=("NAME", "FOLDER"), required=True,
                        help="a graph: FOLDER holds NAME.jsonl, flatgraph's dump, and NAME.PROFILE.varvite")
    parser.add_argument("--plans", type=int, default=500)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--failures", type=int, default=5, help="differences to report before the run stops")
    parser.add_argument("--only", type=int, default=None, help="only the plan of this number")
    return parser.parse_args()


def main():
    words = arguments()
    check_names(words.document)
    # No objects here form a cycle, and the collector would scan millions of tuples again and again.
    gc.disable()
    seed = random.SystemRandom().randrange(10**9) if words.seed is None else words.seed
    print(f"seed {seed}", flush=True)
    trials = [Trial(words.varvite, name, Path(folder, f"{name}.jsonl"),
                    {profile: str(Path(folder, f"{name}.{profile}.varvite")) for profile in PROFILES})
              for name, folder in words.graph]
    began, names, counts, failures = time.monotonic(), set(), Counter(), 0
    todo = (plan for plan in plans(trials, seed, words.plans) if words.only in (None, plan[0]))
    with ThreadPoolExecutor(words.workers) as pool:
        for number, trial, steps, what, discarded in pool.map(lambda plan: try_one(*plan), todo):
            names |= names_in(steps)
            counts["compared"] += 1
            counts["discarded"] += discarded
            if what:
                failures += 1
                report(number, trial, steps, what, seed)
            if failures >= words.failures:
                break
        pool.shutdown(cancel_futures=True)
    seconds = time.monotonic() - began
    missing = set(STEPS) - names
    print(f"{counts['compared']} plans compared in {seconds:.0f} s, {counts['discarded']} put aside, {failures} differ")
    if missing and words.plans >= 500 and not failures:
        sys.exit(f"varvite: no plan had {sorted(missing)}: give them more weight in generate.py")
    sys.exit(1 if failures else 0)


main()
