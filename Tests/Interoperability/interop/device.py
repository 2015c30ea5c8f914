"""A device of our own, whose answers a test scripts."""

import os

from .identifiers import now_ms, topic
from .link import Link, Properties, PacketTypes
from .rules import COMMAND_PAYLOAD
from .strict_json import encode

LEVEL = {"type": "object", "required": ["level"], "additionalProperties": False,
         "properties": {"level": {"enum": ["quiet", "max"]}}}
NOTHING = {"type": "object", "additionalProperties": False, "properties": {}}
QUERY = {"type": "object", "required": ["ids"], "additionalProperties": False,
         "properties": {"ids": {"type": "array", "items": {"type": "string"}}}}


def entry(name, arguments=NOTHING, sort="instant", offline="fail-fast", lane="normal", **more):
    """One command of a description."""
    return {"name": name, "arguments": arguments, "lane": lane, "sort": sort, "offline": offline,
            "undo": "none", **more}


COMMANDS = [
    entry("query-commands", QUERY), entry("identify"), entry("locate"),
    entry("set-level", LEVEL, "setting", "latest"),
    entry("start-work", NOTHING, "action", "expire", expireAfterMs=600_000),
    entry("stop", NOTHING, "instant", "barrier", "urgent"),
    entry("set-isolated", {"type": "object", "required": ["enabled"], "additionalProperties": False,
                           "properties": {"enabled": {"type": "boolean"}}},
          "setting", "fail-fast", needsIfRevision=True),
]


class Received:
    """A command as it came: message, parsed members, and its number of arrival."""

    def __init__(self, message, urgent):
        self.message, self.urgent, self.members = message, urgent, message.json
        COMMAND_PAYLOAD(self.members, "command")
        self.id, self.name = self.members["id"], self.members["name"]


class Device:
    """A connected device; `script` is called with (device, received command)."""

    def __init__(self, port, device_id="thing-1", version="5", script=None, home="home-1",
                 **description):
        self.name, self.home, self.boot = device_id, home, "b" + os.urandom(3).hex()
        self.revision, self.received, self.broken = 5, [], []
        self.script, self.description = script or succeed, self.describe(description)
        will = (self.topic("presence"), self.presence("offline"), 1, True)
        self.link = Link(port, version, f"homeport-{home}-{device_id}", will)
        self.link.handlers.append(self._take)

    def topic(self, *rest):
        """A topic of its own."""
        return topic(self.home, self.name, *rest)

    def describe(self, changes):
        """The description; a change to None leaves the member out."""
        value = {"v": 1, "device": self.name, "model": "thing-x", "kind": "thing", "name": "Thing",
                 "firmware": "0.1", "capabilities": ["connectable", "controllable"],
                 "commands": COMMANDS, **changes}
        return {key: member for key, member in value.items() if member is not None}

    def presence(self, status):
        """A presence payload."""
        return encode({"v": 1, "device": self.name, "status": status, "boot": self.boot,
                       "at": now_ms()})

    def online(self):
        """Subscribes and announces itself, in the order of the page."""
        for lane in (("command",), ("command", "urgent")):
            self.link.subscribe(self.topic(*lane), 1)
        self.announce()
        return self

    def announce(self, status="online"):
        """Publishes description, presence and state."""
        self.link.publish(self.topic("description"), encode(self.description), 1, True)
        self.link.publish(self.topic("presence"), self.presence(status), 1, True)
        self.publish_state()
        return self

    def publish_state(self, by=None, wait=True, **members):
        """Publishes its state with the current revision."""
        state = {"activity": "idle", "batteryPercent": 71, **members}
        value = {"v": 1, "device": self.name, "boot": self.boot, "revision": self.revision,
                 "at": now_ms(), "by": by, "state": state}
        self.link.publish(self.topic("state"), encode(value), 1, True, wait=wait)

    def _take(self, message):
        if "/command" not in message.topic or not message.payload:
            return
        try:
            command = Received(message, message.topic.endswith("/urgent"))
            with self.link.changed:
                self.received.append(command)
                self.link.changed.notify_all()
            self.script(self, command)
        except Exception as error:
            self.broken.append(f"{type(error).__name__}: {error}: {message.payload[:300]!r}")

    def ack_body(self, command, stage, n=1, **changes):
        """An ack as the page wants it, with `changes`."""
        final = stage not in ("accepted", "progress")
        return {"v": 1, "id": command.id, "device": self.name, "boot": self.boot, "n": n,
                "stage": stage, "final": final, "code": "OK", "message": "", "result": {},
                "revision": self.revision, "executions": 1, "replay": False, "at": now_ms(), **changes}

    def ack(self, command, stage, n=1, **changes):
        """Sends an ack."""
        self.send_ack(command, encode(self.ack_body(command, stage, n, **changes)))

    def send_ack(self, command, payload, where=None):
        """Sends bytes as an ack of a command."""
        properties = None
        if self.link.is_v5:
            properties = Properties(PacketTypes.PUBLISH)
            properties.ContentType, properties.PayloadFormatIndicator = "application/json", 1
            correlation = command.message.property("CorrelationData")
            if correlation:
                properties.CorrelationData = correlation
        where = where or self.topic("ack", command.members["controller"])
        self.link.publish(where, payload, 1, properties=properties, wait=False)

    def named(self, name):
        """The commands of a name that came so far."""
        with self.link.changed:
            return [c for c in self.received if c.name == name]

    def until_received(self, name, count=1, timeout=None):
        """Waits for `count` arrivals of commands of a name."""
        return self.link.until(lambda: len(self.named(name)) >= count and self.named(name), timeout,
                               f"{count} arrivals of {name}")

    def close(self):
        """A clean end: offline, then a disconnect."""
        self.link.publish(self.topic("presence"), self.presence("offline"), 1, True)
        self.link.close()


def succeed(device, command):
    """accepted, then succeeded; queries are answered with `never`."""
    device.ack(command, "accepted", 1)
    device.ack(command, "succeeded", 2, result=answer(command, "never"))


def end_as(stage, code, **changes):
    """A script that ends every command with one ack alone."""
    def script(device, command):
        if command.name == "query-commands":
            return succeed(device, command)
        device.ack(command, stage, 1, code=code, executions=0, **changes)
    return script


def silent(device, command):
    """Never answers."""


def answer(command, outcome, acks=None):
    """The result of a query-commands: `acks` by id are known, the others have `outcome`."""
    if command.name != "query-commands":
        return {}
    known = acks or {}
    return {"commands": [{"id": i, "outcome": "known", "ack": known[i]} if i in known
                         else {"id": i, "outcome": outcome}
                         for i in command.members["arguments"]["ids"]]}
