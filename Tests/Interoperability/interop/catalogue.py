"""Section 5 of the protocol as data: commands of every kind, with good and bad arguments."""

from dataclasses import dataclass, field

PROGRAMS = ("floor", "walls", "waterline", "full")
SUCTION = ("quiet", "balanced", "turbo", "max")


@dataclass
class Spec:
    """What the page says about one command.

    `bad` holds (arguments, name that the message must contain, whether JSON Schema as the page
    allows it can express the refusal).
    """

    sort: str
    offline: str
    good: list
    bad: list = field(default_factory=list)
    lane: str = "normal"
    undo: str = "none"
    expire_after_ms: int = None
    needs_if_revision: bool = False
    action: str = ""


def _empty(sort, offline, lane="normal", undo="none", expire=None):
    return Spec(sort, offline, [{}], [({"surprise": 1}, "surprise", True)], lane, undo, expire)


def _choice(name, choices, offline="latest"):
    return Spec("setting", offline, [{name: choice} for choice in choices], [
        ({}, name, True), ({name: "nonsense"}, name, True), ({name: 1}, name, True),
        ({name: None}, name, True), ({name: choices[0].upper()}, name, True),
        ({name: choices[0], "surprise": 1}, "surprise", True)], undo="restore")


def _percent(low):
    return Spec("setting", "latest", [{"percent": low}, {"percent": 100}, {"percent": 80.0}], [
        ({}, "percent", True), ({"percent": low - 1}, "percent", True),
        ({"percent": 101}, "percent", True), ({"percent": 80.5}, "percent", True),
        ({"percent": "80"}, "percent", True), ({"percent": True}, "percent", True),
        ({"percent": None}, "percent", True)], undo="restore")


def _power():
    return Spec("action", "fail-fast", [{"powerW": 500}, {"powerW": 0.5, "untilPercent": 100}], [
        ({}, "powerW", True), ({"powerW": 0}, "powerW", False), ({"powerW": -1}, "powerW", True),
        ({"powerW": 10**6}, "powerW", True), ({"powerW": "500"}, "powerW", True),
        ({"powerW": 500, "untilPercent": 101}, "untilPercent", True),
        ({"powerW": 500, "untilPercent": -1}, "untilPercent", True),
        ({"powerW": 500, "untilPercent": 50.5}, "untilPercent", True)], undo="inverse")


def _point():
    return Spec("action", "fail-fast", [], [
        ({"x": 1}, "y", True), ({"y": 1}, "x", True), ({"x": "1", "y": 1}, "x", True),
        ({"x": 1, "y": None}, "y", True), ({"x": 1e6, "y": 0.5}, "x", False),
        ({"x": 1, "y": 1, "z": 1}, "z", True)])


def _schedule():
    entry = {"weekday": 1, "at": "09:30", "program": "floor"}
    def bad(**changes):
        return {"entries": [{**entry, **changes}]}
    return Spec("setting", "desired", [{"entries": []}, {"entries": [entry]},
                                       {"entries": [entry] * 14}], [
        ({}, "entries", True), ({"entries": [entry] * 15}, "entries", False),
        ({"entries": {}}, "entries", True), (bad(weekday=0), "weekday", True),
        (bad(weekday=8), "weekday", True), (bad(at="24:00"), "at", False),
        (bad(at="9:30"), "at", False), (bad(program="stairs"), "program", True),
        (bad(extra=1), "extra", True),
        ({"entries": [{"weekday": 1, "at": "09:30"}]}, "program", True)], undo="restore")


def _rooms():
    return Spec("action", "expire", [{}, {"passes": 3}], [
        ({"rooms": []}, "rooms", False), ({"rooms": [10**6]}, "rooms", False),
        ({"rooms": ["1"]}, "rooms", True), ({"rooms": [1.5]}, "rooms", True),
        ({"rooms": 1}, "rooms", True), ({"passes": 0}, "passes", True),
        ({"passes": 4}, "passes", True), ({"passes": "1"}, "passes", True),
        ({"surprise": 1}, "surprise", True)], undo="inverse", expire_after_ms=600_000)


def _program():
    spec = _choice("program", PROGRAMS, "expire")
    spec.sort, spec.undo, spec.expire_after_ms = "action", "inverse", 1_800_000
    return spec


def _islanding():
    return Spec("setting", "fail-fast", [{"enabled": True}, {"enabled": False}], [
        ({}, "enabled", True), ({"enabled": "true"}, "enabled", True),
        ({"enabled": 1}, "enabled", True)], undo="restore", needs_if_revision=True)


COMMON = {
    "query-commands": Spec("instant", "", [], [
        ({}, "ids", True), ({"ids": []}, "ids", False), ({"ids": ["x"]}, "ids", False),
        ({"ids": "x"}, "ids", True)]),
    "cancel-command": Spec("instant", "", [], [({}, "id", True), ({"id": 1}, "id", True)],
                           lane="urgent"),
    "identify": Spec("instant", "", [{}], [({"surprise": 1}, "surprise", True)]),
}

COMMANDS = {
    "sweeping-robot": {
        "start-cleaning": _rooms(),
        "clean-spot": _point(),
        "move-to": _point(),
        "return-to-dock": _empty("action", "expire", expire=600_000),
        "pause": _empty("instant", "barrier", "urgent"),
        "stop": _empty("instant", "barrier", "urgent"),
        "resume": _empty("instant", "fail-fast"),
        "locate": _empty("instant", "fail-fast"),
        "set-suction-level": _choice("level", SUCTION),
    },
    "pool-robot": {
        "start-program": _program(),
        "pause": _empty("instant", "barrier", "urgent"),
        "stop": _empty("instant", "barrier", "urgent"),
        "surface": _empty("action", "barrier", "urgent"),
        "resume": _empty("instant", "fail-fast"),
        "set-power-level": _choice("level", ("eco", "normal", "boost")),
        "set-schedule": _schedule(),
    },
    "energy-store": {
        "set-mode": _choice("mode", ("self-consumption", "backup", "time-of-use", "idle")),
        "set-charge-limit": _percent(50),
        "set-reserve": _percent(0),
        "charge": _power(),
        "discharge": _power(),
        "stop": _empty("instant", "barrier", "urgent"),
        "set-islanding": _islanding(),
    },
}

MODELS = {
    "sweeping-robot": ("sweeper-s1", "sweeper-pro"),
    "pool-robot": ("pool-p1", "pool-c1"),
    "energy-store": ("store-e5", "store-e10"),
}
