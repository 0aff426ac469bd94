"""A program that does nothing useful, so that queries about Python have rows in its graph."""

# TODOs: a query looks for comments with such words.
import os
import subprocess
from functools import wraps


def logged(function):
    @wraps(function)
    def inner(*args, **kwargs):
        print("call", function.__name__)
        return function(*args, **kwargs)

    return inner


class Base:
    level = 1

    def __init__(self, name, size=3):
        self.name = name
        self.size = size

    def handle(self, request):
        raise NotImplementedError


class Runner(Base):
    @logged
    def handle(self, request):
        if not request or len(request) > 10:
            return None
        os.system("ls " + request)
        return subprocess.run(request, shell=True)

    @staticmethod
    def twice(value: int) -> int:
        return value * 2


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and is_even(n - 1)


def total(values):
    found = 0
    for value in values:
        if value < 0:
            continue
        found += Runner.twice(value)
    while found > 100:
        found -= 1
    return found


def source():
    return os.getenv("HOME")


def sink(text):
    eval(text)


def many(a, b, c, d, e, f):
    try:
        with open("/tmp/password.txt") as file:
            text = file.read()
    except OSError as error:
        text = str(error)
    return [x + 1 for x in (a, b, c) if x] + [d, e, f, text]


def main(argv):
    runner = Runner("run")
    runner.handle(argv[1])
    clean = source()
    sink(clean)
    names = {"a": 1, "b": total([1, 2, 3])}
    print(f"see https://example.org/ {names['a']}", factorial(5), is_even(4))
    many(1, 2, 3, 4, 5, 6)
    upper = lambda text: text.upper()
    return upper("x")


if __name__ == "__main__":
    main(["asked", "x"])
