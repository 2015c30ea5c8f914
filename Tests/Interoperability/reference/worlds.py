"""Three kinds of devices with the least behaviour that the protocol allows."""

import time

from interop import catalogue
from interop.schema import accepts

_NUMBER, _WHOLE = {"type": "number"}, {"type": "integer"}


def _object(required=(), **properties):
    return {"type": "object", "required": list(required), "additionalProperties": False,
            "properties": properties}


def _range(low, high, kind="integer"):
    return {"type": kind, "minimum": low, "maximum": high}


_POINT = _object(("x", "y"), x=_NUMBER, y=_NUMBER)
_POWER = _object(("powerW",), powerW=_range(0, 5000, "number"), untilPercent=_range(0, 100))
_ENTRY = _object(("weekday", "at", "program"), weekday=_range(1, 7), at={"type": "string"},
                 program={"enum": list(catalogue.PROGRAMS)})
SCHEMAS = {
    "query-commands": _object(("ids",), ids={"type": "array", "items": {"type": "string"}}),
    "cancel-command": _object(("id",), id={"type": "string"}),
    "start-cleaning": _object((), rooms={"type": "array", "items": _range(1, 20)},
                              passes=_range(1, 3)),
    "clean-spot": _POINT, "move-to": _POINT, "charge": _POWER, "discharge": _POWER,
    "set-suction-level": _object(("level",), level={"enum": list(catalogue.SUCTION)}),
    "set-power-level": _object(("level",), level={"enum": ["eco", "normal", "boost"]}),
    "start-program": _object(("program",), program={"enum": list(catalogue.PROGRAMS)}),
    "set-schedule": _object(("entries",), entries={"type": "array", "items": _ENTRY}),
    "set-mode": _object(("mode",), mode={"enum": ["self-consumption", "backup", "time-of-use",
                                                  "idle"]}),
    "set-charge-limit": _object(("percent",), percent=_range(50, 100)),
    "set-reserve": _object(("percent",), percent=_range(0, 100)),
    "set-islanding": _object(("enabled",), enabled={"type": "boolean"}),
}
SETTINGS = {"set-suction-level": ("level", "fanSpeed"), "set-power-level": ("level", "powerLevel"),
            "set-mode": ("mode", "mode"), "set-charge-limit": ("percent", "chargeLimitPercent"),
            "set-reserve": ("percent", "reservePercent"), "set-schedule": ("entries", "settings"),
            "set-islanding": ("enabled", "gridConnected")}
STATES = {
    "sweeping-robot": {"activity": "docked", "fanSpeed": "balanced", "isCharging": True,
                       "error": None, "batteryPercent": 90},
    "pool-robot": {"activity": "idle", "program": None, "powerLevel": "normal", "inWater": True,
                   "error": None, "remainingMinutes": None, "filterPercent": 5,
                   "settings": {"schedule": []}, "desiredRevision": 0},
    "energy-store": {"mode": "idle", "chargeLimitPercent": 100, "reservePercent": 10,
                     "gridConnected": True, "alarms": [], "stateOfHealthPercent": 99.5},
}
MODEL = {"sweeping-robot": "sweeper-s1", "pool-robot": "pool-p1", "energy-store": "store-e5"}
ABILITIES = {"sweeping-robot": ["battery-powered", "movable"], "pool-robot": ["schedulable"],
             "energy-store": ["battery-powered", "energy-storage"]}
SECONDS = {"move-to": 2, "return-to-dock": 3, "surface": 3}
INTERRUPTING = {"return-to-dock", "surface", "charge", "discharge"}


class World:
    """State, arguments and samples of one device."""

    def __init__(self, kind):
        self.kind, self.state = kind, dict(STATES[kind])
        self.specs = {**catalogue.COMMON, **catalogue.COMMANDS[kind]}
        self.x = self.y = 1.0
        self.power = 0

    def describe(self):
        """The commands of the description."""
        return [{"name": name, "arguments": SCHEMAS.get(name, _object()), "lane": spec.lane,
                 "sort": spec.sort, "offline": spec.offline or "fail-fast", "undo": spec.undo,
                 **({"expireAfterMs": spec.expire_after_ms} if spec.expire_after_ms else {}),
                 **({"needsIfRevision": True} if spec.needs_if_revision else {})}
                for name, spec in self.specs.items()]

    def culprit(self, name, arguments):
        """The name of the first wrong argument, or None."""
        schema = SCHEMAS.get(name, _object())
        for required in schema["required"]:
            if required not in arguments:
                return required
        for key, value in arguments.items():
            wanted = schema["properties"].get(key)
            if wanted is None or not accepts(wanted, value) or self._breaks(key, value):
                return self._inside(wanted, value) or key
        return None

    def _inside(self, wanted, value):
        if not isinstance(value, list) or not wanted or "properties" not in wanted.get("items", {}):
            return None
        for entry in value:
            for key in {**entry, **dict.fromkeys(wanted["items"]["required"])}:
                inner = wanted["items"]["properties"].get(key)
                if inner is None or key not in entry or not accepts(inner, entry[key]) \
                        or self._breaks(key, entry[key]):
                    return f"entries.{key}"
        return None

    def _breaks(self, key, value):
        import re
        if key in ("x", "y"):
            return not 0 <= value <= 8
        if key == "powerW":
            return value <= 0
        if key == "at":
            return not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value)
        if key in ("entries", "rooms", "ids"):
            low, high = {"entries": (0, 14), "rooms": (1, 20), "ids": (1, 100)}[key]
            from interop.identifiers import UUID7
            return not low <= len(value) <= high or any(
                self._breaks(k, v) for e in value if isinstance(e, dict) for k, v in e.items()) or (
                key == "ids" and not all(re.fullmatch(UUID7, i) for i in value))
        return False

    def set(self, name, arguments):
        """Applies a setting; what it replaced."""
        argument, member = SETTINGS[name]
        value = arguments[argument]
        if name == "set-schedule":
            old, self.state[member] = self.state[member]["schedule"], {"schedule": value}
            return old
        if name == "set-islanding":
            old, self.state[member] = not self.state[member], not value
            return old
        old, self.state[member] = self.state[member], value
        return old

    def begin(self, name, arguments):
        """The state while an action runs; seconds that it takes."""
        if self.kind == "energy-store":
            self.power = arguments["powerW"] * (1 if name == "charge" else -1)
            return 0.2 if arguments.get("untilPercent") == 0 and name == "charge" else 600
        if self.kind == "pool-robot":
            self.state["activity"] = "surfacing" if name == "surface" else "cleaning"
            self.state["program"] = arguments.get("program")
        else:
            self.state["activity"] = {"return-to-dock": "returning", "move-to": "idle"}.get(
                name, "cleaning")
            self.state["isCharging"] = False
        self.target = (arguments.get("x"), arguments.get("y"))
        return SECONDS.get(name, 600)

    def end(self, name, done):
        """The state after an action."""
        self.power = 0
        if name == "move-to" and done:
            self.x, self.y = self.target
        if self.kind == "pool-robot":
            self.state["program"] = None
        if "activity" in self.state:
            self.state["activity"] = "docked" if name == "return-to-dock" and done else "idle"

    def sample(self, batteries):
        """The values of one telemetry message; `batteries` is the power of all stores together."""
        if self.kind == "sweeping-robot":
            return {"batteryPercent": 90.0, "x": self.x, "y": self.y, "headingDeg": 0,
                    "cleanedAreaM2": 0, "cleaningSeconds": 0, "dustbinPercent": 3}
        if self.kind == "pool-robot":
            return {"depthM": 1.2, "waterTemperatureC": 24.5, "motorCurrentA": 0.1,
                    "filterPercent": 5, "tiltDeg": 0}
        return {"stateOfChargePercent": 55.5, "batteryPowerW": self.power,
                "gridPowerW": 300 + batteries, "loadPowerW": 300, "pvPowerW": 0,
                "temperatureC": 22, "voltageV": 51.2, "chargedKWh": 1.5, "dischargedKWh": 1.25}


def now():
    """Monotonic seconds."""
    return time.monotonic()
