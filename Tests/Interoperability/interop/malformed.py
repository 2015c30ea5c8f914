"""Payloads that break rule 2, made from one good command, and what each must bring.

A case is (what is wrong, bytes, codes): no codes means silence, else the code of the one ack.
"""

import json

from .identifiers import uuid7
from .strict_json import encode

DROPPED = ()
BAD_REQUEST = ("BAD_REQUEST",)
EITHER_VERSION = ("UNSUPPORTED_VERSION", "BAD_REQUEST")
"""The page does not say which of the two a version of a wrong type is."""


def _nested(levels):
    """A value that, as a member of the command, makes it `levels` deep."""
    value = 0
    for _ in range(levels - 1):
        value = [value]
    return value


def _edit(body, **changes):
    return encode({**body, **changes})


def _without(body, name):
    return encode({key: value for key, value in body.items() if key != name})


def _doubled(body, name, value=None):
    good = encode(body)
    extra = encode({name: body[name] if value is None else value})[1:-1]
    return good[:-1] + b"," + extra + b"}"


def _padded(body, size):
    empty = encode({**body, "padding": ""})
    return encode({**body, "padding": "x" * (size - len(empty))})


def dropped(body):
    """Cases that stay silent: not JSON as the page wants it, or nobody to answer to."""
    good = encode(body)
    four = body["id"][:14] + "4" + body["id"][15:]
    cases = [
        ("not JSON", b"locate"), ("cut short", good[:-1]), ("text after the object", good + b"x"),
        ("two objects", good + good), ("byte order mark", b"\xef\xbb\xbf" + good),
        ("invalid UTF-8", good.replace(b"locate", b"loc\xff\xfete")),
        ("UTF-16", good.decode().encode("utf-16")), ("an array", b"[" + good + b"]"),
        ("null", b"null"), ("a string", b'"locate"'), ("a number", b"7"), ("one NUL", b"\x00"),
        ("NUL inside", good.replace(b"locate", b"loc\x00ate")), ("blanks", b"   "),
        ("single quotes", good.replace(b'"', b"'")), ("trailing comma", good[:-1] + b",}"),
        ("NaN", good.replace(b'"sequence":1', b'"sequence":NaN')),
        ("leading zero", good.replace(b'"sequence":1', b'"sequence":01')),
        ("comment", good[:-1] + b"/* */}"), ("unpaired surrogate byte", good[:-1] + b',"x":"\xed\xa0\x80"}'),
        ("65,537 bytes", _padded(body, 65_537)), ("1 MB", _padded(body, 1_000_000)),
        ("17 deep", _edit(body, deep=_nested(17))), ("60,000 deep", b"[" * 60_000),
        ("17 deep inside arguments", _edit(body, arguments={"a": _nested(16)})),
        ("id missing", _without(body, "id")), ("id null", _edit(body, id=None)),
        ("id a number", _edit(body, id=7)), ("id doubled", _doubled(body, "id")),
        ("id doubled with another", _doubled(body, "id", uuid7())),
        ("id of version 4", _edit(body, id=four)), ("id in upper case", _edit(body, id=body["id"].upper() + "")),
        ("id without hyphens", _edit(body, id=body["id"].replace("-", ""))),
        ("id with a wrong variant", _edit(body, id=body["id"][:19] + "0" + body["id"][20:])),
        ("id empty", _edit(body, id="")), ("id too long", _edit(body, id=body["id"] + "0")),
        ("controller missing", _without(body, "controller")),
        ("controller null", _edit(body, controller=None)),
        ("controller doubled", _doubled(body, "controller")),
        ("controller empty", _edit(body, controller="")),
        ("controller with a slash", _edit(body, controller="a/b")),
        ("controller with a wildcard", _edit(body, controller="a+")),
        ("controller in upper case", _edit(body, controller="Ctl")),
        ("controller of 64 characters", _edit(body, controller="c" * 64)),
        ("controller not ASCII", _edit(body, controller="ctl-é")),
        ("controller with a NUL", _edit(body, controller="ctl\x00")),
        ("controller that begins with a hyphen", _edit(body, controller="-ctl")),
    ]
    return [(what, payload, DROPPED) for what, payload in cases]


def refused(body):
    """Cases that are answered, with the code."""
    issued = body["issuedAt"]
    wrong = {
        "name": (None, 7, True, [], {}), "arguments": (None, [], "x", 1), "issuedAt": (None, "1", 1.5, True),
        "expiresAt": (None, "x", issued + 0.5, issued - 1, issued + 86_400_001, 2**60),
        "sequence": (None, "1", 1.5, False, [], 2**54), "ifRevision": (None, "1", 1.5, True),
        "boot": (None, 7, True), "cause": (None, 7), "dryRun": (None, 1, "true"),
    }
    cases = [(f"{name} {value!r}", _edit(body, **{name: value}), BAD_REQUEST)
             for name, values in wrong.items() for value in values]
    cases += [(f"{name} missing", _without(body, name), BAD_REQUEST)
              for name in ("name", "arguments", "issuedAt", "expiresAt", "sequence")]
    cases += [(f"{name} doubled", _doubled(body, name), BAD_REQUEST)
              for name in ("name", "arguments", "sequence", "v")]
    cases += [
        ("unknown member doubled", _doubled({**body, "colour": 1}, "colour"), BAD_REQUEST),
        ("argument doubled", encode(body).replace(b'"arguments":{', b'"arguments":{"a":1,"a":2'),
         BAD_REQUEST),
        ("sequence 1e999", encode(body).replace(b'"sequence":1', b'"sequence":1e999'), BAD_REQUEST),
        ("version missing", _without(body, "v"), BAD_REQUEST),
        ("version 0", _edit(body, v=0), ("UNSUPPORTED_VERSION",)),
        ("version 2", _edit(body, v=2), ("UNSUPPORTED_VERSION",)),
        ("version 2 with nothing else that is known",
         encode({"v": 2, "id": body["id"], "controller": body["controller"], "do": "it"}),
         ("UNSUPPORTED_VERSION",)),
        ("version a string", _edit(body, v="1"), EITHER_VERSION),
        ("version null", _edit(body, v=None), EITHER_VERSION),
    ]
    return cases


def taken(body):
    """Cases at the edge that are good."""
    return [("65,536 bytes", _padded(body, 65_536)), ("16 deep", _edit(body, deep=_nested(16))),
            ("blanks between", json.dumps(body, indent=2).encode()),
            ("escapes", encode(body).replace(b"locate", b"\\u006cocate")),
            ("24 hours to go", _edit(body, expiresAt=body["issuedAt"] + 86_400_000))]
