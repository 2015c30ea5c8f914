"""Small checkers for JSON values: each takes a value and where it stands, and raises `Violation`."""

import re

from .strict_json import Violation


def _fail(where, value, wanted):
    raise Violation(f"{where}: {value!r} is not {wanted}")


def integer(low=-(2**53) + 1, high=2**53 - 1):
    """A whole number between `low` and `high`; a boolean is not a number."""
    def check(value, where):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            _fail(where, value, f"an integer from {low} to {high}")
    return check


def number(low=float("-inf"), high=float("inf"), decimals=None):
    """A finite number, rounded to at most `decimals` places where given."""
    def check(value, where):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            _fail(where, value, "a number")
        if not low <= value <= high:
            _fail(where, value, f"from {low} to {high}")
        if decimals is not None and abs(round(value, decimals) - value) > 1e-9:
            _fail(where, value, f"rounded to {decimals} decimals")
    return check


def text(pattern=".*"):
    """A string that matches all of `pattern`."""
    def check(value, where):
        if not isinstance(value, str) or not re.fullmatch(pattern, value, re.DOTALL):
            _fail(where, value, f"a string like {pattern}")
    return check


def boolean(value, where):
    """`true` or `false`."""
    if not isinstance(value, bool):
        _fail(where, value, "a boolean")


def one_of(*choices):
    """Exactly one of `choices`, type included."""
    def check(value, where):
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            _fail(where, value, f"one of {choices}")
    return check


def nullable(inner):
    """`null` or what `inner` takes."""
    def check(value, where):
        if value is not None:
            inner(value, where)
    return check


def array(inner, low=0, high=10**6):
    """A list of `low` to `high` values that `inner` takes."""
    def check(value, where):
        if not isinstance(value, list) or not low <= len(value) <= high:
            _fail(where, value, f"an array of {low} to {high}")
        for index, item in enumerate(value):
            inner(item, f"{where}[{index}]")
    return check


def anything(value, where):
    """Every value."""


def record(required, optional=None, closed=True):
    """An object with all `required` members, perhaps `optional` ones, and no other if `closed`."""
    known = {**required, **(optional or {})}

    def check(value, where):
        if not isinstance(value, dict):
            _fail(where, value, "an object")
        for name in required:
            if name not in value:
                raise Violation(f"{where}: member {name} is missing in {value}")
        for name, member in value.items():
            if name in known:
                known[name](member, f"{where}.{name}")
            elif closed:
                raise Violation(f"{where}: member {name} is not on the page")
    return check
