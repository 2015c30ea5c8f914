"""What must hold between messages: revisions, sample numbers, acks of one command."""

from .rules import CONTROLLED
from .strict_json import Violation

SHARED = ("settings", "desiredRevision")
QUIET_MS = 29_500


class Consistency:
    """Fed with every message of the devices in order; raises `Violation` at a contradiction."""

    def __init__(self, kinds):
        self.kinds, self.states, self.samples, self.measured = kinds, {}, {}, {}
        self.finals, self.numbers = {}, {}

    def see(self, leaf, device, value):
        """One more message."""
        if leaf == "state":
            self._state(device, value)
        elif leaf == "telemetry":
            self._sample(device, value)
        elif leaf == "ack":
            self._ack(device, value)

    def _controlled(self, device, value):
        names = CONTROLLED[self.kinds[device][0]] + SHARED
        return {name: value["state"].get(name) for name in names}

    def _state(self, device, value):
        last, self.states[device] = self.states.get(device), value
        if last is None or last["boot"] != value["boot"]:
            return self._after_a_start(last, value)
        step = value["revision"] - last["revision"]
        changed = self._controlled(device, last) != self._controlled(device, value)
        if step < 0 or changed != (step > 0):
            raise Violation(f"revision moved by {step} from {last} to {value}")
        if step > 1:
            raise Violation(f"a revision was never published between {last} and {value}")
        if not step and value["state"] != last["state"]:
            self._measured_alone(device, value)

    def _after_a_start(self, last, value):
        if last and value["revision"] < last["revision"]:
            raise Violation(f"revision fell from {last['revision']} to {value['revision']}")

    def _measured_alone(self, device, value):
        last = self.measured.get(device)
        self.measured[device] = value["at"]
        if last and value["at"] - last < QUIET_MS:
            raise Violation(f"measured members alone: {value['at'] - last} ms apart, {value}")

    def _sample(self, device, value):
        key, n = (device, value["boot"]), value["n"]
        if n != self.samples.get(key, n - 1) + 1:
            raise Violation(f"sample {n} after {self.samples[key]} of {key}")
        self.samples[key] = n

    def _ack(self, device, ack):
        key = (device, ack["id"])
        if ack["replay"] or ack["code"] in ("ID_REUSED", "BAD_REQUEST", "UNSUPPORTED_VERSION"):
            return
        if ack["executions"] > 1:
            raise Violation(f"executed {ack['executions']} times: {ack}")
        known = self.states.get(device)
        if known and known["boot"] == ack["boot"] and ack["revision"] > known["revision"]:
            raise Violation(f"revision {ack['revision']} of an ack before its state: {ack}")
