"""Identifiers, clocks and topics."""

import itertools
import os
import threading
import time

PART = r"[a-z0-9][a-z0-9-]{0,62}"
BOOT = r"[A-Za-z0-9_-]{1,32}"
UUID7 = r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"

_lock = threading.Lock()
_last = [0]
_names = itertools.count(1)


def now_ms():
    """Wall time in milliseconds since the Unix epoch."""
    return int(time.time() * 1000)


def uuid7(at=None):
    """A UUID version 7, newer than every earlier one of this process unless `at` is given."""
    with _lock:
        ticks = (at if at is not None else now_ms()) << 12
        if at is None:
            ticks = _last[0] = max(ticks, _last[0] + 1)
    raw = bytearray((ticks >> 12).to_bytes(6, "big") + os.urandom(10))
    raw[6], raw[7] = 0x70 | (ticks >> 8 & 0x0F), ticks & 0xFF
    raw[8] = 0x80 | raw[8] & 0x3F
    digits = raw.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def raw_bytes(command_id):
    """The 16 bytes of a UUID, as in the Correlation Data."""
    return bytes.fromhex(command_id.replace("-", ""))


def fresh_controller(prefix="ctl"):
    """A controller id that no other test uses."""
    return f"{prefix}-{os.getpid()}-{next(_names)}"


def topic(home, device, *rest):
    """A topic in the subtree of a device."""
    return "/".join(("homeport/v1", home, device) + rest)


def home_topic(home, leaf):
    """A topic of the whole home: `hello` or `fence`."""
    return f"homeport/v1/{home}/{leaf}"
