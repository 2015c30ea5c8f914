"""Rough treatment: random bytes, a kill in the middle of a burst, a second device of the same id."""

import random
import time
import unittest

from interop.cases import SharedSimulator, on_both_versions
from interop.identifiers import home_topic, now_ms, topic
from interop.link import Link
from interop.strict_json import encode
from interop.survivors import OwnBroker


def mutations(payload, count, seed):
    """`count` payloads made from one by cutting, flipping, doubling and inserting bytes."""
    source = random.Random(seed)
    for _ in range(count):
        data = bytearray(payload)
        for _ in range(source.randint(1, 4)):
            place = source.randrange(len(data) or 1)
            kind = source.randrange(5)
            if kind == 0 and data:
                data[place] = source.randrange(256)
            elif kind == 1:
                data[place:place] = source.choice((b'"', b"{", b"[", b",", b"null", b"1e999", b"\\u0000",
                                                   b"\xff", b"-", b"9" * 40, b"[" * 50, b'"v":1,'))
            elif kind == 2:
                del data[place:place + source.randrange(1, 20)]
            elif kind == 3:
                data[place:place] = data[place:place + source.randrange(1, 60)]
            else:
                data = data[:place]
        yield bytes(data)


@on_both_versions
class RandomBytes(SharedSimulator):
    """1,000 mutated payloads per topic: no crash, no invalid answer."""

    def test_a_device_survives_mutated_payloads_on_every_topic(self):
        pool = self.rig.device("pool-robot")
        command = self.caller.command(pool, "identify").payload
        desired = encode({"v": 1, "device": pool, "revision": 1, "at": now_ms(),
                          "settings": {"schedule": [{"weekday": 1, "at": "09:30", "program": "floor"}]}})
        presence = encode({"v": 1, "device": pool, "status": "offline", "boot": "b", "at": now_ms()})
        hello = encode({"v": 1, "nonce": "n", "spreadMs": 60_000})
        targets = [(topic("home-1", pool, "command"), command), (topic("home-1", pool, "desired"), desired),
                   (topic("home-1", pool, "command", "urgent"), command),
                   (topic("home-1", pool, "presence"), presence), (home_topic("home-1", "hello"), hello)]
        for seed, (where, good) in enumerate(targets):
            with self.subTest(topic=where):
                for payload in mutations(good, 1000, seed):
                    self.rig.link.publish(where, payload, 1, wait=False)
                self.assert_succeeds(self.rig.caller().call(pool, "identify", timeout=30))
        self.assertIsNone(self.rig.simulator.process.poll())


@on_both_versions
class KilledInABurst(OwnBroker):
    """SIGKILL while settings stream in; every one happens exactly once."""

    def test_every_setting_of_a_burst_runs_exactly_once(self):
        before = self.rig.state(self.store)["revision"]
        commands = [self.caller.command(self.store, "set-reserve", {"percent": 20 + i % 2},
                                        sequence=i + 1) for i in range(300)]
        mark = self.rig.link.mark()
        for command in commands:
            self.caller.send(command, wait=False)
        self.caller.until(commands[40], mark=mark, timeout=30)
        self.kill_and_restart()
        finals = {}
        for command in commands:
            finals[command.id] = self.caller.until(command, mark=mark, timeout=30)[-1]
        self.rig.after(self.store)
        self.assertEqual({a["stage"] for a in finals.values()}, {"succeeded"})
        self.assertEqual({a["executions"] for a in finals.values()}, {1})
        self.assertEqual(self.rig.state(self.store)["revision"], before + len(commands))
        for command in commands[::29]:
            ack = self.caller.again(command)
            # The broker brings a command again whose PUBACK died with the device: the first final ack
            # that is heard may be the answer to that.
            self.assertEqual({**ack, "replay": False}, {**finals[command.id], "replay": False})

    def test_kills_at_random_moments_lose_and_double_nothing(self):
        source = random.Random(7)
        before, sent = self.rig.state(self.store)["revision"], []
        for _ in range(4):
            batch = [self.caller.command(self.store, "set-reserve", {"percent": 30 + (len(sent) + i) % 2},
                                         life=120_000) for i in range(25)]
            sent += batch
            mark = self.rig.link.mark()
            for command in batch:
                self.caller.send(command, wait=False)
            self.caller.until(batch[source.randrange(20)], "accepted", mark, timeout=30)
            self.kill_and_restart()
        for command in sent:
            self.assertEqual(self.caller.until(command, timeout=30)[-1]["stage"], "succeeded")
        self.rig.after(self.store)
        self.assertEqual(self.rig.state(self.store)["revision"], before + len(sent))
        self.judge()


@on_both_versions
class SameIdentity(OwnBroker):
    """Two devices with one client id."""

    def test_neither_fights_for_the_connection_for_ever_and_it_is_reported(self):
        identity, until, takeovers = "homeport-home-1-sweeper-1", time.monotonic() + 20, 0
        while time.monotonic() < until:
            rival = Link(self.broker.port, self.version, identity, reconnect=False)
            takeovers += 1
            try:
                rival.until(lambda: rival.lost, until - time.monotonic() + 0.1, "takeover")
            except AssertionError:
                pass
            rival.close()
        self.assertLessEqual(takeovers, 8, "reconnected without growing pauses")
        self.assertTrue([line for line in self.rig.simulator.lines if "sweeper-1" in line],
                        self.rig.simulator.lines[-10:])
        self.assertEqual(self.caller.final(self.store, "identify")["stage"], "succeeded")


if __name__ == "__main__":
    unittest.main()
