"""What every payload must look like, member by member (section 2 and the tables of section 5)."""

from . import catalogue
from .identifiers import BOOT, PART, UUID7
from .shapes import (anything, array, boolean, integer, nullable, number, one_of, record, text)
from .strict_json import Violation, parse

CODES = set("""OK BUSY THROTTLED NOT_READY INTERNAL BAD_REQUEST UNKNOWN_COMMAND BAD_ARGUMENTS
UNSUPPORTED_VERSION FORBIDDEN PRECONDITION STALE_SESSION WRONG_STATE ID_REUSED UNSAFE
BAD_RESPONSE_TOPIC EXPIRED CANCELLED SUPERSEDED INTERRUPTED STUCK LOW_BATTERY HARDWARE_FAULT""".split())
CAPABILITIES = ("connectable", "battery-powered", "controllable", "movable", "energy-storage",
                "schedulable")
EVENTS = ("stuck", "cleaning-finished", "docked", "program-finished", "low-battery", "filter-full",
          "out-of-water", "grid-lost", "grid-restored", "over-temperature", "fault")
FINAL = {"succeeded", "failed", "rejected", "expired", "cancelled", "superseded"}

_time = integer(1_500_000_000_000, 4_000_000_000_000)
_percent = integer(0, 100)
_head = {"v": one_of(1), "device": text(PART)}
_schedule = array(record({"weekday": integer(1, 7), "at": text(r"([01]\d|2[0-3]):[0-5]\d"),
                          "program": one_of(*catalogue.PROGRAMS)}), 0, 14)

PRESENCE = record({**_head, "status": one_of("online", "offline"), "boot": text(BOOT), "at": _time})
STATE = record({**_head, "boot": text(BOOT), "revision": integer(0), "at": _time,
                "by": nullable(text(UUID7)), "state": anything})
TELEMETRY = record({**_head, "boot": text(BOOT), "at": _time, "n": integer(1), "values": anything})
EVENT = record({**_head, "boot": text(BOOT), "id": text(UUID7), "at": _time,
                "event": one_of(*EVENTS), "detail": record({}, closed=False)})
COMMAND = record({"name": text(r"[a-z][a-z0-9-]*"), "arguments": record({"type": one_of("object")},
                                                                      closed=False),
                  "lane": one_of("normal", "urgent"), "sort": one_of("setting", "action", "instant"),
                  "offline": one_of("fail-fast", "expire", "latest", "barrier", "desired"),
                  "undo": one_of("none", "restore", "inverse")},
                 {"expireAfterMs": integer(1), "needsIfRevision": boolean,
                  "undoWith": text(r"[a-z][a-z0-9-]*")})
DESCRIPTION = record({**_head, "model": text(".+"), "kind": one_of(*catalogue.COMMANDS),
                      "name": text(".+"), "firmware": text(".+"),
                      "capabilities": array(one_of(*CAPABILITIES), 1), "commands": array(COMMAND, 1)},
                     {"floorPlan": record({"rooms": array(record({}, closed=False), 1)}, closed=False)})
ACK = record({"v": one_of(1), "id": text(UUID7), "device": text(PART), "boot": text(BOOT),
              "n": integer(0), "stage": one_of("accepted", "progress", *FINAL), "final": boolean,
              "code": one_of(*CODES), "message": text(), "result": record({}, closed=False),
              "revision": integer(0), "executions": integer(0), "replay": boolean, "at": _time},
             {"percent": number(0, 100)})

COMMAND_PAYLOAD = record({
    "v": one_of(1), "id": text(UUID7), "controller": text(PART), "name": text(r"[a-z][a-z0-9-]*"),
    "arguments": record({}, closed=False), "issuedAt": _time, "expiresAt": _time,
    "sequence": integer(1)},
    {"ifRevision": integer(0), "boot": text(BOOT), "cause": text(".+"), "dryRun": boolean})

_pool_extra = {"settings": record({}, {"schedule": _schedule}), "desiredRevision": integer(0)}
STATES = {
    "sweeping-robot": record({
        "activity": one_of("docked", "idle", "moving", "cleaning", "paused", "returning", "error"),
        "fanSpeed": one_of(*catalogue.SUCTION), "isCharging": boolean, "error": nullable(text(".+")),
        "batteryPercent": _percent}, _pool_extra),
    "pool-robot": record({
        "activity": one_of("idle", "cleaning", "surfacing", "paused", "error"),
        "program": nullable(one_of(*catalogue.PROGRAMS)), "powerLevel": one_of("eco", "normal", "boost"),
        "inWater": boolean, "error": nullable(text(".+")), "remainingMinutes": nullable(integer(0)),
        "filterPercent": _percent}, _pool_extra),
    "energy-store": record({
        "mode": one_of("self-consumption", "backup", "time-of-use", "idle"),
        "chargeLimitPercent": integer(50, 100), "reservePercent": _percent, "gridConnected": boolean,
        "alarms": array(text(".+")), "stateOfHealthPercent": number(0, 100, 1)}, _pool_extra),
}
CONTROLLED = {
    "sweeping-robot": ("activity", "fanSpeed", "isCharging", "error"),
    "pool-robot": ("activity", "program", "powerLevel", "inWater", "error"),
    "energy-store": ("mode", "chargeLimitPercent", "reservePercent", "gridConnected", "alarms"),
}

_pool_values = {"depthM": number(0), "waterTemperatureC": number(-5, 60), "motorCurrentA": number(0),
                "filterPercent": number(0, 100), "tiltDeg": number(-180, 180)}
_place = {"x": number(), "y": number(), "headingDeg": number(-360, 360)}
_part_minutes = {f"{part}Minutes": number(0) for part in ("mainBrush", "sideBrush", "filter", "sensor")}
TELEMETRIES = {
    "sweeping-robot": record({
        "batteryPercent": number(0, 100), "x": number(), "y": number(),
        "headingDeg": number(-360, 360), "cleanedAreaM2": number(0), "cleaningSeconds": number(0),
        "dustbinPercent": number(0, 100)}, _part_minutes),
    "pool-p1": record(_pool_values, {**_place, "tetherTurns": number()}),
    "pool-c1": record({**_pool_values, "batteryPercent": number(0, 100)}, _place),
    "energy-store": record({
        "stateOfChargePercent": number(0, 100), "batteryPowerW": number(), "gridPowerW": number(),
        "loadPowerW": number(0), "pvPowerW": number(0), "temperatureC": number(-40, 90),
        "voltageV": number(0), "chargedKWh": number(0), "dischargedKWh": number(0)},
        {"equivalentCycles": number(0), "cellMinV": number(2, 4), "cellMaxV": number(2, 4)}),
}


def check_ack(ack):
    """An ack whose stage, `final`, code and `executions` agree."""
    ACK(ack, "ack")
    if ack["final"] != (ack["stage"] in FINAL) and ack["code"] != "THROTTLED":
        raise Violation(f"final and stage disagree in {ack}")
    if (ack["code"] == "OK") != (ack["stage"] in ("accepted", "progress", "succeeded")):
        raise Violation(f"code and stage disagree in {ack}")
    if ack["stage"] == "rejected" and ack["executions"]:
        raise Violation(f"a rejected command has run: {ack}")
    if ack["n"] == 0 and (ack["code"], ack["final"]) != ("THROTTLED", False):
        raise Violation(f"n is 0 in {ack}")
    return ack


def check_device_message(message, kinds):
    """Checks any message of a device; `kinds` maps devices to (kind, model) and is filled here."""
    parts = message.topic.split("/")
    device, leaf = parts[3], parts[4]
    value = parse(message.payload)
    if value.get("device") != device:
        raise Violation(f"device {value.get('device')!r} on {message.topic}")
    if leaf == "description":
        DESCRIPTION(value, "description")
        kinds[device] = (value["kind"], value["model"])
    elif leaf == "presence":
        PRESENCE(value, "presence")
    elif leaf == "ack":
        check_ack(value)
    elif leaf == "event":
        EVENT(value, "event")
        if parts[5] != value["event"]:
            raise Violation(f"event {value['event']} on {message.topic}")
    elif leaf == "state":
        STATE(value, "state")
        STATES[kinds[device][0]](value["state"], "state.state")
    elif leaf == "telemetry":
        TELEMETRY(value, "telemetry")
        kind, model = kinds[device]
        TELEMETRIES.get(model, TELEMETRIES.get(kind))(value["values"], "telemetry.values")
    return value


QOS = {"description": 1, "presence": 1, "state": 1, "telemetry": 0, "event": 1, "ack": 1}
RETAINED = {"description", "presence", "state"}


def check_delivery(message, is_v5):
    """QoS of every device message, and on MQTT 5 (Retain As Published) its retain flag."""
    leaf = message.topic.split("/")[4]
    if message.qos != QOS[leaf]:
        raise Violation(f"QoS {message.qos} on {message.topic}")
    if is_v5 and message.retain != (leaf in RETAINED):
        raise Violation(f"retain {message.retain} on {message.topic}")
    if not is_v5 and leaf not in RETAINED and message.retain:
        raise Violation(f"retained message on {message.topic}")


def check_ack_properties(message):
    """On MQTT 5 an ack copies the Correlation Data and says what it is, without an expiry."""
    if message.property("ContentType") != "application/json":
        raise Violation(f"Content Type {message.property('ContentType')!r} on an ack")
    if message.property("PayloadFormatIndicator") != 1:
        raise Violation("no Payload Format Indicator 1 on an ack")
    if message.property("MessageExpiryInterval") is not None:
        raise Violation("an ack has a Message Expiry Interval")
