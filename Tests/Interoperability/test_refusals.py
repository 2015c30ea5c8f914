"""Commands that a device must drop or refuse, and exactly how."""

import unittest

from interop import catalogue, malformed
from interop.cases import SharedSimulator, on_both_versions
from interop.identifiers import now_ms, topic, uuid7
from interop.rig import controlled

STALE = "another-boot"


@on_both_versions
class Malformed(SharedSimulator):
    """Rule 2: bytes that are no command."""

    def setUp(self):
        super().setUp()
        self.device = self.rig.device("sweeping-robot")

    def put(self, payload, command):
        """Sends `payload` in place of a command's own bytes; returns the position before."""
        command.payload = payload
        return self.caller.send(command)

    def each(self, make):
        """A fresh command per case of `make`."""
        count = len(make(self.caller.command(self.device, "locate").members))
        for index in range(count):
            command = self.caller.command(self.device, "locate", sequence=1)
            yield command, make(command.members)[index]

    def test_what_cannot_be_answered_is_dropped_in_silence(self):
        marks = []
        for command, (what, payload, _) in self.each(malformed.dropped):
            # On MQTT 5 the private broker refuses them itself, with a code that paho 1.6 does not know.
            if self.version == "5" and len(payload) > 65_536:
                continue
            marks.append((what, command.id, self.put(payload, command)))
        self.rig.after(self.device, self.caller)
        answered = {m.json["id"] for m in self.rig.link.since(
            marks[0][2], starting=topic("home-1", self.device, "ack") + "/")}
        for what, command_id, _ in marks:
            with self.subTest(what=what):
                self.assertFalse({command_id, command_id.upper()} & answered)
        self.assertEqual(len(answered), 1, "acks of ids that nobody sent")

    def test_dropped_commands_leave_their_id_free(self):
        command = self.caller.command(self.device, "locate")
        good = command.payload
        self.put(good + b"x", command)
        mark = self.put(good, command)
        self.assert_succeeds(self.caller.until(command, mark=mark))

    def test_what_can_be_answered_is_refused_with_its_code(self):
        for command, (what, payload, codes) in self.each(malformed.refused):
            with self.subTest(what=what):
                mark = self.put(payload, command)
                acks = self.caller.until(command, mark=mark, timeout=5)
                self.assertEqual(len(acks), 1, acks)
                self.assertIn(acks[0]["code"], codes, acks)
                self.assert_alone(acks[0], "rejected", acks[0]["code"])
                self.assertFalse(acks[0]["replay"])

    def test_verdicts_on_bytes_are_not_recorded(self):
        command = self.caller.command(self.device, "locate", v=2)
        for _ in range(2):
            ack = self.caller.again(command)
            self.assertEqual((ack["code"], ack["replay"], ack["n"]), ("UNSUPPORTED_VERSION", False, 1))
        self.assertEqual(self.caller.query(self.device, command.id)[0]["outcome"], "never")
        other = self.caller.command(self.device, "locate", sequence="x")
        self.assertEqual(self.caller.again(other)["code"], "BAD_REQUEST")
        good = self.caller.command(self.device, "locate", id=other.id)
        mark = self.caller.send(good)
        self.assert_succeeds([a for a in self.caller.until(good, mark=mark)])

    def test_payloads_at_the_edge_are_taken(self):
        for command, (what, payload) in self.each(malformed.taken):
            with self.subTest(what=what):
                mark = self.put(payload, command)
                self.assert_succeeds(self.caller.until(command, mark=mark, timeout=5))

    def test_an_empty_payload_is_ignored(self):
        for lane in ("normal", "urgent"):
            command = self.caller.command(self.device, "locate", lane=lane)
            mark = self.put(b"", command)
            self.assert_silent(self.device, mark)

    def test_sequence_zero_is_no_sequence(self):
        command = self.caller.command(self.device, "locate", sequence=0)
        self.assertEqual(self.caller.again(command)["code"], "BAD_REQUEST")


@on_both_versions
class Arguments(SharedSimulator):
    """Unknown commands and wrong arguments."""

    def test_an_unknown_command_is_refused(self):
        for device in self.rig.kinds:
            self.assert_rejected("UNKNOWN_COMMAND", device, "make-coffee")
        self.assert_rejected("UNKNOWN_COMMAND", self.rig.device("energy-store"), "start-cleaning")
        for name in ("", "Locate", "locate ", "lo/cate"):
            self.assert_rejected("UNKNOWN_COMMAND", self.rig.device("sweeping-robot"), name)

    def test_every_wrong_argument_is_refused_by_name(self):
        for kind, specs in catalogue.COMMANDS.items():
            for name, spec in {**specs, **catalogue.COMMON}.items():
                for arguments, culprit, _ in spec.bad:
                    with self.subTest(command=name, arguments=str(arguments)[:80]):
                        self.refuse(self.rig.device(kind), name, arguments, culprit, spec)

    def refuse(self, device, name, arguments, culprit, spec):
        """One wrong argument."""
        extra = {"ifRevision": self.rig.state(device)["revision"]} if spec.needs_if_revision else {}
        before = controlled(self.rig, device, self.rig.state(device))
        ack = self.assert_rejected("BAD_ARGUMENTS", device, name, arguments, **extra)
        self.assertIn(culprit, ack["message"])
        self.assertEqual(controlled(self.rig, device, self.rig.state(device)), before)

    def test_a_query_takes_one_to_a_hundred_ids(self):
        device = self.rig.device("pool-robot")
        self.assert_rejected("BAD_ARGUMENTS", device, "query-commands",
                             {"ids": [uuid7() for _ in range(101)]})
        self.assertEqual(len(self.caller.query(device, *[uuid7() for _ in range(100)])), 100)


@on_both_versions
class Conditions(SharedSimulator):
    """What a command may demand of the device, in the order of rule 5."""

    def setUp(self):
        super().setUp()
        self.device = self.rig.device("sweeping-robot")

    def test_a_past_expiry_is_answered_expired_and_recorded(self):
        now = now_ms()
        command = self.caller.command(self.device, "locate", issuedAt=now - 9000, expiresAt=now - 50)
        ack = self.caller.again(command)
        self.assert_alone(ack, "expired", "EXPIRED")
        self.assertFalse(ack["replay"])
        replayed = self.caller.again(command)
        self.assertEqual(replayed, {**ack, "replay": True})
        self.assertEqual(self.caller.query(self.device, command.id)[0]["ack"]["code"], "EXPIRED")

    def test_another_boot_is_a_stale_session(self):
        self.assert_rejected("STALE_SESSION", self.device, "locate", boot=STALE)

    def test_another_revision_fails_the_precondition(self):
        revision = self.rig.state(self.device)["revision"]
        for wrong in (revision + 1, max(revision - 1, 0) if revision else 7):
            self.assert_rejected("PRECONDITION", self.device, "locate", ifRevision=wrong)

    def test_islanding_without_a_revision_is_a_bad_request_and_recorded(self):
        store = self.rig.device("energy-store")
        command = self.caller.command(store, "set-islanding", {"enabled": True})
        ack = self.caller.again(command)
        self.assert_alone(ack, "rejected", "BAD_REQUEST")
        self.assertEqual(self.caller.again(command), {**ack, "replay": True})

    def test_expiry_goes_first_then_boot_name_revision_arguments(self):
        now, store = now_ms(), self.rig.device("energy-store")
        past = {"issuedAt": now - 9000, "expiresAt": now - 1}
        ack = self.caller.again(self.caller.command(store, "nonsense", boot=STALE, **past))
        self.assertEqual(ack["code"], "EXPIRED")
        self.assert_rejected("STALE_SESSION", store, "nonsense", boot=STALE, ifRevision=9999)
        self.assert_rejected("UNKNOWN_COMMAND", store, "nonsense", ifRevision=9999)
        self.assert_rejected("PRECONDITION", store, "set-reserve", {"percent": 999}, ifRevision=9999)
        self.assert_rejected("BAD_REQUEST", store, "set-islanding", {"enabled": 1})
        self.assert_rejected("BAD_ARGUMENTS", self.device, "resume", {"x": 1})

    def test_pause_and_resume_without_effect_are_a_wrong_state(self):
        for kind in ("sweeping-robot", "pool-robot"):
            device = self.rig.device(kind)
            self.rig.quiet(device)
            self.assert_rejected("WRONG_STATE", device, "pause")
            self.assert_rejected("WRONG_STATE", device, "resume")

    def test_a_live_retained_command_is_dropped(self):
        if self.version != "5":
            self.skipTest("a live retained command looks like any other on 3.1.1")
        for lane in ("normal", "urgent"):
            command = self.caller.command(self.device, "locate", lane=lane)
            mark = self.caller.send(command, retain=True)
            self.addCleanup(self.rig.link.publish, command.topic, b"", 1, True)
            self.assert_silent(self.device, mark)

    def test_a_foreign_response_topic_is_refused_on_the_built_one(self):
        if self.version != "5":
            self.skipTest("3.1.1 has no Response Topic")
        own = self.caller.ack_topic(self.device)
        wrong = [topic("home-1", "sweeper-2", "ack", self.caller.name), own + "/x", own[:-1],
                 topic("home-1", self.device, "ack", "somebody"), "homeport/v1/home-1/hello",
                 own.replace("home-1", "home-2"), topic("home-1", self.device, "state"),
                 "elsewhere", "$SYS/x"]
        for response in wrong:
            with self.subTest(response=response):
                command = self.caller.command(self.device, "locate")
                mark = self.caller.send(command, response_topic=response)
                ack = self.caller.until(command, mark=mark)[0]
                self.assert_alone(ack, "rejected", "BAD_RESPONSE_TOPIC")
                self.assert_nothing_on(response, mark)

    def assert_nothing_on(self, where, mark):
        """No message of the device came on a topic that only we named."""
        found = [m for m in self.rig.link.since(mark, topic=where) if b'"stage"' in m.payload]
        self.assertEqual(found, [])

    def test_a_foreign_response_topic_goes_before_a_stale_boot(self):
        if self.version != "5":
            self.skipTest("3.1.1 has no Response Topic")
        command = self.caller.command(self.device, "nonsense", boot=STALE)
        mark = self.caller.send(command, response_topic="elsewhere")
        self.assertEqual(self.caller.until(command, mark=mark)[0]["code"], "BAD_RESPONSE_TOPIC")
        self.assertTrue(self.caller.again(command)["replay"])


if __name__ == "__main__":
    unittest.main()
