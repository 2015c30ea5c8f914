"""JSON as section 2 of the protocol wants it: no duplicate members, no non-finite numbers, no BOM."""

import json
import math


class Violation(AssertionError):
    """A payload that breaks the protocol."""


def _object(pairs):
    members = {}
    for name, value in pairs:
        if name in members:
            raise Violation(f"duplicate member {name!r}")
        members[name] = value
    return members


def _constant(text):
    raise Violation(f"non-finite number {text}")


def _number(text):
    value = float(text)
    if not math.isfinite(value):
        raise Violation(f"non-finite number {text}")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _depth(value):
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(_depth, value), default=0)
    return 0


def parse(payload):
    """The object in `payload`, or a `Violation` that says what is wrong with it."""
    if len(payload) > 65536:
        raise Violation(f"{len(payload)} bytes are more than 64 KiB")
    try:
        text = payload.decode("utf-8", "strict")
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant,
                           parse_float=_number)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise Violation(f"not JSON: {error}: {payload[:200]!r}") from None
    if not isinstance(value, dict):
        raise Violation("not an object")
    if _depth(value) > 16:
        raise Violation("deeper than 16")
    return value


def encode(value):
    """Compact JSON bytes; members keep the order in which they were given."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
