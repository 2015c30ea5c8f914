"""Offline devices, late truth, several processes, killed controllers, refusing brokers."""

import signal
import unittest

from interop.cases import on_both_versions
from interop.controller_cases import Sending
from interop.device import Device, answer, silent, succeed
from interop.homeport import Homeport
from interop.identifiers import now_ms, topic, uuid7
from interop.processes import Broker, scratch
from interop.strict_json import encode


@on_both_versions
class Offline(Sending):
    """A device that is not there."""

    def gone(self):
        """A device that announced itself and left."""
        device = self.device(online=False)
        device.announce("offline")
        watcher = self.link()
        for lane in ("command", "command/urgent"):
            watcher.subscribe(topic("home-1", "thing-1", lane), 1)
        self.watcher = watcher
        return device

    def published(self):
        """What was sent to the device."""
        self.watcher.fence("home-1")
        return [m.payload for m in self.watcher.since(starting=topic("home-1", "thing-1", "command"))]

    def test_fail_fast_is_refused_at_once(self):
        self.gone()
        found = self.check(self.homeport.send("thing-1", "locate"), 1, "refused")
        self.assertEqual(self.published(), [])
        self.assertEqual(self.stored(found["id"])["state"], "refused")
        self.assertEqual(found["sends"], 0)

    def test_what_may_wait_expires_without_having_been_sent(self):
        self.gone()
        for command, arguments in (("start-work", {}), ("set-level", {"level": "max"}), ("stop", {})):
            with self.subTest(command=command):
                found = self.check(self.homeport.send("thing-1", command, "--expires", "1s", **arguments),
                                   4, "expired")
                self.assertEqual(found["sends"], 0)
        self.assertEqual(self.published(), [])

    def test_what_waits_is_sent_when_the_device_comes(self):
        device = self.gone()
        running = self.homeport.start("send", "thing-1", "set-level", "--set", "level=max")
        watcher = Homeport(self.broker.port, self.version, self.homeport.ledger)
        waiting = any(c["state"] == "queued" for _ in range(60) for c in watcher.history())
        self.assertTrue(waiting, "never queued")
        device.online()
        status, objects = running.result()
        self.assertEqual((status, [o["state"] for o in objects]), (0, ["succeeded"]), running.lines)
        self.assertEqual(len(device.named("set-level")), 1)

    def test_a_retained_online_of_nobody_is_queued_again_on_mqtt_5(self):
        device = self.device(online=False)
        device.announce("online")
        result = self.homeport.send("thing-1", "set-level", "--expires", "2s", level="max")
        if self.version == "5":
            self.check(result, 4, "expired")
        else:
            self.check(result, 3, "unknown")

    def test_a_device_without_presence_can_be_tried(self):
        device = self.device(online=False)
        device.link.subscribe(device.topic("command"), 1)
        device.link.publish(device.topic("description"), encode(device.description), 1, True)
        device.publish_state()
        result = self.homeport.send("thing-1", "set-level", "--expires", "3s", level="max")
        self.assertIn(result.status, (0, 4), result)

    def test_a_reader_ignores_an_offline_of_an_older_boot_after_an_online(self):
        device = self.device()
        running = self.homeport.start("watch", "thing-1")
        self.addCleanup(running.stop)
        running.until(lambda o: o["type"] == "presence", what="presence")
        old = encode({"v": 1, "device": "thing-1", "status": "offline", "boot": "old", "at": now_ms()})
        self.link().publish(device.topic("presence"), old, 1, True)
        device.link.publish(device.topic("presence"), device.presence("online"), 1, True)
        self.assertEqual(self.homeport.send("thing-1", "locate").status, 0)


RESOLVING = "asking again about what is already unknown is left to the verb `resolve`"


@on_both_versions
class LateTruth(Sending):
    """An outcome that was unknown and becomes known."""

    def query_script(self, outcome, acks=None):
        """Silent to everything but queries, which it answers with `outcome` or `acks`."""
        def run(device, command):
            if command.name != "query-commands":
                return None
            known = {k: v for k, v in (acks or {}).items()}
            device.ack(command, "accepted", 1)
            return device.ack(command, "succeeded", 2, result=answer(command, outcome, known))
        return run

    def unknown(self, device, expires="1s"):
        """A command that nobody answered."""
        device.script = silent
        found = self.check(self.homeport.send("thing-1", "set-level", "--expires", expires, level="max"),
                           3, "unknown")
        return device.named("set-level")[0], found["id"]

    def follow_up(self, device):
        """Another process of the same ledger, which must ask first."""
        before = len(device.named("set-level"))
        def script(device, command, inner=device.script):
            if command.name == "query-commands":
                return inner(device, command)
            return succeed(device, command)
        device.script = script
        self.check(self.homeport.send("thing-1", "locate"), 0, "succeeded")
        device.until_received("query-commands", timeout=10)
        self.assertEqual(len(device.named("set-level")), before, "a blind resend")

    def assert_asked(self, device, command_id):
        """The command was asked for."""
        asked = [i for q in device.named("query-commands") for i in q.members["arguments"]["ids"]]
        self.assertIn(command_id, asked)

    def settles(self, command_id, state):
        """The ledger shows it."""
        self.assertEqual(self.stored(command_id)["state"], state)

    @unittest.skip(RESOLVING)
    def test_a_query_of_the_next_process_finds_the_final_ack(self):
        device = self.device()
        command, command_id = self.unknown(device)
        device.script = self.query_script("never", {command_id: device.ack_body(command, "succeeded", 2)})
        self.follow_up(device)
        self.assert_asked(device, command_id)
        self.settles(command_id, "succeeded")

    @unittest.skip(RESOLVING)
    def test_never_after_expiry_means_expired(self):
        device = self.device()
        _, command_id = self.unknown(device)
        device.script = self.query_script("never")
        self.follow_up(device)
        self.settles(command_id, "expired")

    @unittest.skip(RESOLVING)
    def test_forgotten_stays_unknown(self):
        device = self.device()
        _, command_id = self.unknown(device)
        device.script = self.query_script("forgotten")
        self.follow_up(device)
        self.settles(command_id, "unknown")

    def test_a_late_ack_that_another_process_hears_resolves_it(self):
        device = self.device()
        command, command_id = self.unknown(device)
        def late(device, received):
            device.ack(command, "succeeded", 1)
            if received.name == "query-commands":
                device.ack(received, "accepted")
                return device.ack(received, "succeeded", 2, result=answer(received, "forgotten"))
            return succeed(device, received)
        device.script = late
        self.check(self.homeport.send("thing-1", "locate"), 0, "succeeded")
        self.settles(command_id, "succeeded")

    def test_an_ack_after_expiry_within_the_wait_counts(self):
        device = self.device(script=silent)
        running = self.homeport.start("send", "thing-1", "set-level", "--set", "level=max",
                                      "--expires", "1s")
        command = device.until_received("set-level")[0]
        device.link.until(lambda: now_ms() > command.members["expiresAt"] + 30, what="expiry")
        device.ack(command, "succeeded", 2)
        status, objects = running.result()
        self.assertIn((status, objects[0]["state"]), ((3, "unknown"), (0, "succeeded")))

    def test_a_killed_controller_asks_and_never_sends_blindly(self):
        device = self.device(script=silent)
        running = self.homeport.start("send", "thing-1", "set-level", "--set", "level=max",
                                      "--expires", "60s")
        command = device.until_received("set-level")[0]
        running.kill()
        device.script = self.query_script("never", {command.id: device.ack_body(command, "succeeded", 2)})
        self.follow_up(device)
        self.assert_asked(device, command.id)
        self.settles(command.id, "succeeded")
        self.assertEqual(len({c.message.payload for c in device.named("set-level")}), 1)

    def test_a_killed_controller_is_in_the_ledger_at_once(self):
        device = self.device(script=silent)
        running = self.homeport.start("send", "thing-1", "set-level", "--set", "level=max")
        command = device.until_received("set-level")[0]
        running.kill()
        self.assertIn(self.stored(command.id)["state"], ("sending", "sent", "unknown"))


@on_both_versions
class SideBySide(Sending):
    """Several processes of one controller on one ledger."""

    def test_two_sends_at_once_both_succeed_with_their_own_sequences(self):
        device = self.device()
        runs = [self.homeport.start("send", "thing-1", "set-level", "--set", f"level={level}")
                for level in ("max", "quiet", "max", "quiet")]
        for run in runs:
            status, objects = run.result()
            self.assertEqual((status, objects[0]["state"]), (0, "succeeded"), run.lines)
        commands = device.named("set-level")
        self.assertEqual(len({c.id for c in commands}), 4)
        self.assertEqual(len({c.members["sequence"] for c in commands}), 4)
        history = self.homeport.history()
        self.assertEqual([c["state"] for c in history], ["succeeded"] * 4)
        created = [c["timings"]["createdAt"] for c in history]
        self.assertEqual(created, sorted(created, reverse=True))

    def test_a_waiting_process_is_not_disturbed_by_another(self):
        def script(device, command):
            if command.name != "start-work":
                succeed(device, command)
        device = self.device(script=script)
        running = self.homeport.start("send", "thing-1", "start-work", "--wait", "final")
        work = device.until_received("start-work")[0]
        device.ack(work, "accepted", 1)
        for _ in range(2):
            self.check(self.homeport.send("thing-1", "locate"), 0, "succeeded")
        device.ack(work, "succeeded", 2)
        status, objects = running.result()
        self.assertEqual((status, objects[0]["state"]), (0, "succeeded"))
        self.assertEqual(len({c.id for c in device.named("start-work")}), 1)

    def test_history_filters_and_limits(self):
        self.device("thing-1"), self.device("thing-2")
        for name in ("thing-1", "thing-2", "thing-1"):
            self.homeport.send(name, "locate")
        of_one = self.homeport.json("history", "--device", "thing-1").objects
        self.assertEqual([c["device"] for c in of_one], ["thing-1"] * 2)
        newest = self.homeport.json("history", "--limit", "1").objects
        self.assertEqual([c["id"] for c in newest], [of_one[0]["id"]])


@on_both_versions
class Watching(Sending):
    """`homeport watch --json`."""

    def watch(self, *devices):
        """A watch that has seen the retained state."""
        running = self.homeport.start("watch", *devices)
        self.addCleanup(running.stop)
        running.until(lambda o: o["type"] == "state", what="state")
        return running

    def sample(self, device, n):
        """Publishes one sample."""
        value = {"v": 1, "device": device.name, "boot": device.boot, "at": now_ms(), "n": n,
                 "values": {"depthM": 1.25}}
        device.link.publish(device.topic("telemetry"), encode(value), 0)

    def test_everything_of_a_device_is_shown_with_its_type(self):
        device = self.device()
        running = self.watch("thing-1")
        self.sample(device, 1)
        shown = running.until(lambda o: o["type"] == "telemetry", what="telemetry")
        self.assertEqual((shown["device"], shown["values"], shown["n"]), ("thing-1", {"depthM": 1.25}, 1))
        event = {"v": 1, "device": "thing-1", "boot": device.boot, "id": uuid7(),
                 "at": now_ms(), "event": "stuck", "detail": {"code": "WHEEL_BLOCKED"}}
        device.link.publish(device.topic("event", "stuck"), encode(event), 1)
        shown = running.until(lambda o: o["type"] == "event", what="event")
        self.assertEqual((shown["event"], shown["detail"]), ("stuck", {"code": "WHEEL_BLOCKED"}))
        self.homeport.send("thing-1", "locate")
        shown = running.until(lambda o: o["type"] == "ack" and o["stage"] == "succeeded", what="ack")
        self.assertEqual((shown["device"], shown["id"]), ("thing-1", device.named("locate")[0].id))
        presence = running.until(lambda o: o["type"] == "presence", what="presence")
        self.assertEqual((presence["status"], presence["boot"]), ("online", device.boot))
        self.assertEqual(running.bad, [])

    def test_only_the_named_devices_are_shown(self):
        first, second = self.device("thing-1"), self.device("thing-2")
        running = self.watch("thing-1")
        self.sample(second, 1)
        self.sample(first, 1)
        running.until(lambda o: o["type"] == "telemetry")
        self.assertEqual({o["device"] for o in running.objects}, {"thing-1"})

    def test_an_interrupt_ends_it_with_zero(self):
        self.device()
        running = self.watch()
        running.signal(signal.SIGINT)
        self.assertEqual(running.wait(10), 0)

    def test_it_comes_back_after_a_broker_restart(self):
        self.device()
        running = self.watch()
        port = self.broker.port
        self.broker.kill()
        again = Broker(self.configuration, port)
        self.addCleanup(again.stop)
        device = Device(port, "thing-3", self.version).online()
        self.addCleanup(device.link.close)
        running.until(lambda o: o["device"] == "thing-3", 60, "the new device")


ACCESS = """topic readwrite homeport/v1/#
topic deny homeport/v1/home-1/thing-1/command
"""


class Refusing(Sending):
    """A broker whose access list does not let commands through."""

    def setUp(self):
        path = scratch()
        path.chmod(0o755)
        (path / "acl").write_text(ACCESS)
        (path / "acl").chmod(0o644)
        self.configuration = f"allow_anonymous true\nacl_file {path / 'acl'}\n"
        super().setUp()


class RefusingOnMQTT5(Refusing, unittest.TestCase):
    """MQTT 5 says it in the PUBACK."""

    def test_a_puback_with_0x87_is_refused_and_forbidden_at_once(self):
        self.device()
        found = self.check(self.homeport.send("thing-1", "set-level", "--expires", "20s", level="max"),
                           1, "refused", "FORBIDDEN")
        self.assertEqual(found["timings"].get("acceptedAt"), None)


class RefusingOnMQTT311(Refusing, unittest.TestCase):
    """MQTT 3.1.1 cannot say it."""

    version = "3.1.1"

    def test_silence_is_unknown(self):
        self.device()
        self.check(self.homeport.send("thing-1", "set-level", "--expires", "2s", level="max"), 3, "unknown")


class MixedVersions(Sending, unittest.TestCase):
    """A device that speaks only 3.1.1 and a controller on MQTT 5, and the other way round."""

    def test_the_payload_is_enough(self):
        for theirs, ours in (("3.1.1", "5"), ("5", "3.1.1")):
            with self.subTest(device=theirs, controller=ours):
                name = "old-1" if theirs == "3.1.1" else "new-1"
                device = Device(self.broker.port, name, theirs).online()
                self.addCleanup(device.link.close)
                homeport = Homeport(self.broker.port, ours)
                self.check(homeport.send(name, "set-level", level="max"), 0, "succeeded")
                self.assertEqual(device.broken, [])


if __name__ == "__main__":
    unittest.main()
