"""Base cases: every test class runs on both protocol versions against a shared simulator."""

import sys
import unittest

from .processes import is_built
from .rig import Rig

VERSIONS = {"5": "OnMQTT5", "3.1.1": "OnMQTT311"}
_shared = {}
_FLEET = ("--telemetry-interval", "1s")


def shared_rig(version):
    """The simulator of one version that all tests share while nothing kills it."""
    rig = _shared.get(version)
    if rig is None or rig.simulator.process.poll() is not None:
        rig = _shared[version] = Rig(version, *_FLEET)
    return rig


def on_both_versions(case):
    """Puts one subclass per protocol version beside `case`, which itself is not run."""
    module = sys.modules[case.__module__]
    for version, suffix in VERSIONS.items():
        name = case.__name__ + suffix
        kind = type(name, (case, unittest.TestCase), {"version": version, "__doc__": case.__doc__,
                                                      "__module__": case.__module__})
        setattr(module, name, kind)
    return case


class SharedSimulator:
    """Mixed into tests of the shared simulator; every message seen is judged afterwards."""

    version = None

    def setUp(self):
        if not is_built("homeport-sim"):
            self.skipTest("homeport-sim is not built")
        self.rig = shared_rig(self.version)
        self.caller = self.rig.caller()
        self.addCleanup(self._judge)

    def _judge(self):
        wrong = self.rig.judge()
        if wrong:
            self.fail("messages that break the protocol:\n" + "\n".join(wrong[:10]))

    def assert_acks(self, acks, *expected):
        """`expected` are (stage, code) in order; progress is left out; `n` rises by one from 1."""
        seen = [(a["stage"], a["code"]) for a in acks if a["stage"] != "progress"]
        self.assertEqual(seen, list(expected), acks)
        self.assertEqual([a["n"] for a in acks], list(range(1, len(acks) + 1)), acks)

    def assert_succeeds(self, acks):
        """accepted, then succeeded, with one execution."""
        self.assert_acks(acks, ("accepted", "OK"), ("succeeded", "OK"))
        self.assertEqual(acks[-1]["executions"], 1)

    def assert_alone(self, ack, stage, code):
        """A final ack that comes alone and without effect."""
        self.assertEqual((ack["stage"], ack["code"]), (stage, code), ack)
        self.assertEqual((ack["n"], ack["final"], ack["executions"]), (1, True, 0), ack)

    def assert_rejected(self, code, device, name, arguments=None, **options):
        """Sends a command that must be rejected, alone; returns the ack."""
        acks = self.caller.call(device, name, arguments, **options)
        self.assertEqual(len(acks), 1, acks)
        self.assert_alone(acks[0], "rejected", code)
        return acks[0]

    def assert_silent(self, device, mark, allowed=()):
        """Nothing but acks of `allowed` ids and of a fencing query came from a device since."""
        fence = self.rig.caller()
        self.rig.after(device, fence)
        seen = [m for m in self.rig.link.since(mark, starting=f"homeport/v1/{self.rig.home}/{device}/ack/")
                if not m.topic.endswith("/" + fence.name) and m.json["id"] not in allowed]
        self.assertEqual([m.payload for m in seen], [])
