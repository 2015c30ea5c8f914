"""A controller of our own: makes command bytes, sends them, collects their acks."""

from dataclasses import dataclass, field

from .identifiers import fresh_controller, now_ms, raw_bytes, topic, uuid7
from .link import Link, command_properties
from .rules import check_ack, check_ack_properties
from .strict_json import encode

URGENT = {"stop", "pause", "surface", "cancel-command"}


@dataclass
class Command:
    """One command as it travels; sending it again sends the same bytes."""

    device: str
    id: str
    controller: str
    payload: bytes
    topic: str
    members: dict = field(default_factory=dict)


class Caller:
    """A controller `name` at a simulator whose messages `link` sees."""

    def __init__(self, link: Link, home, name=None):
        self.link, self.home, self.name = link, home, name or fresh_controller()
        self._sequences = {}

    def ack_topic(self, device):
        """Where this controller's acks come."""
        return topic(self.home, device, "ack", self.name)

    def command(self, device, name, arguments=None, lane=None, life=30_000, without=(), **members):
        """A command; `members` replace or add, `without` removes."""
        number = self._sequences[device] = self._sequences.get(device, 0) + 1
        now = now_ms()
        body = {"v": 1, "id": uuid7(), "controller": self.name, "name": name,
                "arguments": arguments if arguments is not None else {}, "issuedAt": now,
                "expiresAt": now + life, "sequence": number, **members}
        for member in without:
            del body[member]
        lane = lane or ("urgent" if name in URGENT else "normal")
        where = topic(self.home, device, "command", *(["urgent"] if lane == "urgent" else []))
        return Command(device, body.get("id"), body.get("controller"), encode(body), where, body)

    def send(self, command, retain=False, response_topic=None, correlate=True, wait=True):
        """Publishes a command; returns the inbox position from before."""
        mark = self.link.mark()
        correlation = raw_bytes(command.id) if correlate and isinstance(command.id, str) else None
        properties = command_properties(response_topic, correlation, 60) if self.link.is_v5 else None
        self.link.publish(command.topic, command.payload, 1, retain, properties, wait)
        return mark

    def acks(self, command, mark=0):
        """All acks of a command after `mark`, checked, as JSON."""
        return [self._checked(m) for m in self.raw_acks(command, mark)]

    def _checked(self, message):
        ack = check_ack(message.json)
        if self.link.is_v5:
            check_ack_properties(message)
        return ack

    def raw_acks(self, command, mark=0):
        """The messages that carry the acks of a command."""
        where, needle = topic(self.home, command.device, "ack", command.controller), command.id.encode()
        return [m for m in self.link.since(mark, topic=where)
                if needle in m.payload and m.json["id"] == command.id]

    def until(self, command, stage=None, mark=0, timeout=None, count=1):
        """Waits for `count` acks with `stage` (None: final); returns all acks after `mark`."""
        def done():
            acks = self.acks(command, mark)
            fits = [a for a in acks if (a["stage"] == stage if stage else a["final"])]
            return acks if len(fits) >= count else None
        what = f"{stage or 'final'} ack of {command.payload[:300]!r}"
        return self.link.until(done, timeout, what)

    def call(self, device, name, arguments=None, timeout=None, **options):
        """Sends a new command and returns all acks up to its final one."""
        command = self.command(device, name, arguments, **options)
        mark = self.send(command)
        return self.until(command, mark=mark, timeout=timeout)

    def final(self, device, name, arguments=None, **options):
        """Sends a new command and returns its final ack."""
        return self.call(device, name, arguments, **options)[-1]

    def again(self, command, timeout=None, **options):
        """Sends the same bytes again; returns the first ack that answers them."""
        mark = self.send(command, **options)
        return self.link.until(lambda: self.acks(command, mark), timeout, "answer to a resend")[0]

    def query(self, device, *ids):
        """Asks for ids; returns the list in the result."""
        ack = self.final(device, "query-commands", {"ids": list(ids)})
        if ack["stage"] != "succeeded":
            raise AssertionError(f"query-commands ended {ack}")
        return ack["result"]["commands"]
