"""`homeport send` against a device of our own: what it publishes and how each answer ends."""

import unittest

from interop.cases import on_both_versions
from interop.controller_cases import Sending
from interop.device import end_as, entry, silent, succeed
from interop.homeport import MEMBERS
from interop.identifiers import now_ms, raw_bytes, topic, uuid7
from interop.strict_json import encode


@on_both_versions
class Published(Sending):
    """The bytes, topics and properties of a command."""

    def test_the_object_on_stdout_has_all_members(self):
        self.device()
        begun = now_ms()
        found = self.check(self.homeport.send("thing-1", "set-level", level="max"), 0, "succeeded", "OK")
        self.assertEqual(set(found), MEMBERS)
        self.assertEqual((found["home"], found["device"], found["name"], found["arguments"],
                          found["message"], found["result"], found["sends"]),
                         ("home-1", "thing-1", "set-level", {"level": "max"}, "", {}, 1))
        self.assertEqual(set(found["timings"]), {"createdAt", "sentAt", "acceptedAt", "finalAt"})
        times = [found["timings"][k] for k in ("createdAt", "sentAt", "acceptedAt", "finalAt")]
        self.assertEqual(times, sorted(times))
        self.assertTrue(begun - 50 <= times[0] and times[-1] <= now_ms() + 50, times)

    def test_the_command_is_as_the_page_wants_it(self):
        device = self.device()
        begun = now_ms()
        self.homeport.send("thing-1", "set-level", level="max")
        command = device.named("set-level")[0]
        members = command.members
        self.assertEqual((members["controller"], members["arguments"]), ("homeport", {"level": "max"}))
        self.assertTrue(begun - 50 <= members["sequence"] <= now_ms(), members)
        self.assertTrue(begun - 50 <= members["issuedAt"] <= now_ms())
        self.assertEqual(members["expiresAt"] - members["issuedAt"], 30_000)
        self.assertEqual((command.message.qos, command.message.retain), (1, False))
        self.assertFalse(command.urgent)
        self.assertNotIn("dryRun", {k for k, v in members.items() if v})
        stamp = int(members["id"].replace("-", "")[:12], 16)
        self.assertLess(abs(stamp - members["issuedAt"]), 2000)

    def test_properties_on_mqtt_5_only_repeat_the_payload(self):
        device = self.device()
        self.homeport.send("thing-1", "locate", "--expires", "20s")
        command = device.named("locate")[0]
        if self.version != "5":
            return self.assertIsNone(command.message.properties)
        get = command.message.property
        self.assertEqual(get("CorrelationData"), raw_bytes(command.id))
        self.assertEqual(get("ResponseTopic"), "homeport/v1/home-1/thing-1/ack/homeport")
        self.assertEqual((get("ContentType"), get("PayloadFormatIndicator")), ("application/json", 1))
        self.assertIn(get("MessageExpiryInterval"), (19, 20))
        users = dict(get("UserProperty", []))
        self.assertEqual(users.get("attempt"), "1")
        self.assertRegex(users.get("traceparent", ""), r"^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$")

    def test_sequences_rise_from_the_clock_per_device(self):
        first, second = self.device("thing-1"), self.device("thing-2")
        begun = now_ms()
        for _ in range(3):
            self.homeport.send("thing-1", "locate")
        self.homeport.send("thing-2", "locate")
        rising = [c.members["sequence"] for c in first.named("locate")]
        self.assertEqual((len(rising), rising), (3, sorted(set(rising))))
        only, = [c.members["sequence"] for c in second.named("locate")]
        self.assertTrue(begun - 50 <= min(rising[0], only) <= max(rising[-1], only) <= now_ms())

    def test_options_reach_the_payload(self):
        device = self.device()
        self.homeport.send("thing-1", "locate", "--expires", "5s", "--controller", "desk-1")
        self.homeport.send("thing-1", "identify", "--dry-run")
        self.homeport.send("thing-1", "set-isolated", enabled="true")
        locate, identify, isolated = (device.named(n)[0].members
                                      for n in ("locate", "identify", "set-isolated"))
        self.assertEqual(locate["expiresAt"] - locate["issuedAt"], 5000)
        self.assertEqual(locate["controller"], "desk-1")
        self.assertIs(identify.get("dryRun"), True)
        self.assertEqual(isolated["arguments"], {"enabled": True})
        self.assertEqual(isolated.get("ifRevision"), device.revision)

    def test_urgent_commands_take_the_urgent_lane(self):
        device = self.device()
        self.homeport.send("thing-1", "stop")
        self.assertTrue(device.named("stop")[0].urgent)

    def test_values_that_are_no_json_are_strings(self):
        device = self.device(commands=["say"])
        self.homeport.send("thing-1", "say", "--wait", "final", a="hello", b="7", c='"7"', d="[1,{}]",
                           e="null", f="tr ue")
        self.assertEqual(device.named("say")[0].members["arguments"],
                         {"a": "hello", "b": 7, "c": "7", "d": [1, {}], "e": None, "f": "tr ue"})

    def test_resends_carry_the_same_bytes_one_two_and_four_seconds_later(self):
        def third(device, command):
            if command.name != "set-level" or len(device.named("set-level")) >= 3:
                succeed(device, command)
        device = self.device(script=third)
        found = self.check(self.homeport.send("thing-1", "set-level", level="max"), 0, "succeeded")
        copies = device.named("set-level")
        self.assertEqual(found["sends"], len(copies))
        self.assertEqual(len({c.message.payload for c in copies}), 1)
        gaps = [b.message.arrived - a.message.arrived for a, b in zip(copies, copies[1:])]
        for gap, wanted in zip(gaps, (1, 2)):
            self.assertTrue(0.75 * wanted < gap < 1.25 * wanted + 0.3, gaps)
        if self.version == "5":
            self.assertEqual(len({c.message.property("CorrelationData") for c in copies}), 1)
            self.assertEqual(len({c.message.property("ResponseTopic") for c in copies}), 1)
            attempts = [dict(c.message.property("UserProperty")).get("attempt") for c in copies]
            self.assertEqual(attempts, [str(i + 1) for i in range(len(copies))])
            expiries = [c.message.property("MessageExpiryInterval") for c in copies]
            self.assertEqual(expiries, sorted(expiries, reverse=True))
            self.assertGreater(expiries[0], expiries[-1])

    def test_after_an_ack_nothing_is_sent_again(self):
        device = self.device(script=lambda d, c: d.ack(c, "accepted"))
        self.check(self.homeport.send("thing-1", "set-level", "--expires", "4s", level="max"),
                   3, "unknown")
        self.assertEqual(len(device.named("set-level")), 1)


@on_both_versions
class Answers(Sending):
    """Every way in which a device may answer."""

    def test_properly(self):
        self.device()
        found = self.check(self.homeport.send("thing-1", "locate"), 0, "succeeded", "OK")
        self.assertEqual(self.stored(found["id"])["state"], "succeeded")

    def test_message_and_result_are_passed_on(self):
        def script(device, command):
            device.ack(command, "accepted")
            device.ack(command, "succeeded", 2, message="well done", result={"previous": "quiet"})
        self.device(script=script)
        found = self.check(self.homeport.send("thing-1", "set-level", level="max"), 0, "succeeded")
        self.assertEqual((found["message"], found["result"]), ("well done", {"previous": "quiet"}))

    def test_finals_that_are_no_success_are_one(self):
        for stage, code in (("rejected", "WRONG_STATE"), ("failed", "STUCK"), ("cancelled", "CANCELLED"),
                            ("superseded", "SUPERSEDED"), ("rejected", "BUSY")):
            with self.subTest(stage=stage, code=code):
                device = self.device(f"thing-{code.lower().replace('_', '-')}",
                                     script=end_as(stage, code, message="because"))
                found = self.check(self.homeport.send(device.name, "locate"), 1, stage, code)
                self.assertEqual(found["message"], "because")

    def test_expired_by_the_device_is_four(self):
        self.device(script=end_as("expired", "EXPIRED"))
        self.check(self.homeport.send("thing-1", "locate"), 4, "expired", "EXPIRED")

    def test_an_action_is_done_when_accepted_or_when_asked_at_its_end(self):
        def script(device, command):
            device.ack(command, "accepted", 1, executions=0)
            device.ack(command, "progress", 2, percent=40)
            device.ack(command, "succeeded", 3)
        self.device(script=script)
        result = self.homeport.send("thing-1", "start-work")
        self.assertEqual(result.status, 0, result)
        self.assertIn(result.one["state"], ("accepted", "running", "succeeded"))
        self.check(self.homeport.send("thing-1", "start-work", "--wait", "final"), 0, "succeeded")

    def test_an_action_that_only_runs_is_accepted_and_a_wait_for_its_end_times_out(self):
        self.device(script=lambda d, c: succeed(d, c) if c.name == "query-commands"
                    else d.ack(c, "accepted"))
        result = self.homeport.send("thing-1", "start-work")
        self.assertEqual(result.status, 0, result)
        self.assertIn(result.one["state"], ("accepted", "running"))
        result = self.homeport.send("thing-1", "start-work", "--wait", "final", "--wait-timeout", "1s")
        self.assertEqual(result.status, 3, result)
        self.assertIn(result.one["state"], ("accepted", "running"))

    def test_twice_is_once(self):
        def script(device, command):
            for _ in range(2):
                device.ack(command, "accepted", 1)
            for replay in (False, True):
                device.ack(command, "succeeded", 2, replay=replay, at=1764000000000)
        self.device(script=script)
        found = self.check(self.homeport.send("thing-1", "locate"), 0, "succeeded")
        self.assertEqual(self.stored(found["id"])["state"], "succeeded")

    def test_of_two_different_finals_the_first_wins(self):
        def script(device, command):
            device.ack(command, "accepted", 1)
            device.ack(command, "failed", 2, code="STUCK")
            device.ack(command, "succeeded", 3)
        self.device(script=script)
        found = self.check(self.homeport.send("thing-1", "locate"), 1, "failed", "STUCK")
        self.assertEqual(self.stored(found["id"])["state"], "failed")

    def test_id_reused_never_changes_the_state(self):
        def script(device, command):
            device.ack(command, "rejected", 1, code="ID_REUSED", executions=0)
            device.ack(command, "accepted", 1)
            device.ack(command, "succeeded", 2)
        self.device(script=script)
        self.check(self.homeport.send("thing-1", "locate"), 0, "succeeded", "OK")

    def test_id_reused_alone_leaves_it_unknown(self):
        self.device(script=end_as("rejected", "ID_REUSED"))
        self.check(self.homeport.send("thing-1", "locate", "--expires", "1500ms"), 3, "unknown")

    def test_throttled_without_a_verdict_keeps_resending(self):
        def script(device, command):
            if command.name == "locate" and len(device.named("locate")) == 1:
                return device.ack(command, "rejected", 0, code="THROTTLED", final=False, executions=0)
            succeed(device, command)
        device = self.device(script=script)
        self.check(self.homeport.send("thing-1", "locate"), 0, "succeeded")
        self.assertEqual(len(device.named("locate")), 2)

    def wrong_acks(self, device, command):
        """(payload, topic) of acks that are all wrong."""
        body = device.ack_body(command, "succeeded", 1)
        yield b"", None
        yield b"{", None
        yield b"\xff\xfe", None
        yield b"[]", None
        for changes in ({"v": 2}, {"v": None}, {"id": command.id.upper()}, {"n": "1"}, {"stage": "done"},
                        {"final": 1}, {"final": None}, {"code": 7}, {"message": None}, {"result": []},
                        {"revision": "5"}, {"executions": None}, {"replay": "no"},
                        {"at": "now"}, {"boot": "not a boot"}, {"percent": "7"}):
            yield encode({**body, **changes}), None
        for name in body:
            yield encode({k: v for k, v in body.items() if k != name}), None
        yield encode(body)[:-1] + b',"stage":"succeeded"}', None
        yield encode({**body, "id": uuid7()}), None
        yield encode({**body, "device": "thing-2"}), None
        yield encode(body), topic("home-1", "thing-2", "ack", "homeport")
        yield encode({**body, "device": "thing-2"}), topic("home-1", "thing-2", "ack", "homeport")
        yield encode(body), topic("home-1", "thing-1", "ack", "somebody")
        yield encode(body), topic("home-2", "thing-1", "ack", "homeport")

    def test_wrong_acks_count_for_nothing(self):
        def script(device, command):
            if command.name != "locate":
                return succeed(device, command)
            for payload, where in self.wrong_acks(device, command):
                device.send_ack(command, payload, where)
        self.device("thing-2")
        self.device(script=script)
        found = self.check(self.homeport.send("thing-1", "locate", "--expires", "2s"), 3, "unknown")
        self.assertEqual(len(self.homeport.history()), 1)
        self.assertEqual(self.stored(found["id"])["state"], "unknown")

    def test_a_right_ack_after_wrong_ones_counts(self):
        def script(device, command):
            for payload, where in self.wrong_acks(device, command):
                device.send_ack(command, payload, where)
            device.ack(command, "accepted", 1)
            device.ack(command, "rejected" if command.name == "x" else "failed", 2, code="STUCK")
        self.device(script=script)
        self.check(self.homeport.send("thing-1", "locate"), 1, "failed", "STUCK")

    def test_unknown_members_of_an_ack_are_ignored(self):
        def script(device, command):
            device.ack(command, "accepted", 1, colour="blue")
            device.ack(command, "succeeded", 2, colour={"a": [1]}, percent=100)
        self.device(script=script)
        self.check(self.homeport.send("thing-1", "locate"), 0, "succeeded")

    def test_a_final_without_accepted_before_it_counts(self):
        self.device(script=lambda d, c: d.ack(c, "succeeded", 2))
        self.check(self.homeport.send("thing-1", "locate"), 0, "succeeded")

    def test_never_is_unknown(self):
        device = self.device(script=silent)
        found = self.check(self.homeport.send("thing-1", "locate", "--expires", "2s"), 3, "unknown")
        self.assertEqual(self.stored(found["id"])["state"], "unknown")
        self.assertGreaterEqual(len(device.named("locate")), 2)
        late = max(c.message.arrived for c in device.named("locate"))
        self.assertLess(late - device.named("locate")[0].message.arrived, 2.1)

    def test_a_wait_timeout_ends_the_wait_and_not_the_command(self):
        self.device(script=silent)
        result = self.homeport.send("thing-1", "locate", "--expires", "30s", "--wait-timeout", "500ms")
        self.assertEqual(result.status, 3, result)
        self.assertNotIn(result.one["state"], ("succeeded", "failed", "expired", "refused"))


@on_both_versions
class Observed(Sending):
    """`--wait observed`: the state has reached the revision of the final ack."""

    def script(self, publish):
        """Succeeds with the next revision and publishes that state, or does not."""
        def run(device, command):
            device.ack(command, "accepted", 1)
            device.ack(command, "succeeded", 2, revision=device.revision + 1)
            if publish:
                device.revision += 1
                device.publish_state(by=command.id, wait=False)
        return run

    def test_it_ends_when_the_state_has_come(self):
        self.device(script=self.script(True))
        result = self.homeport.send("thing-1", "set-level", "--wait", "observed", level="max")
        self.check(result, 0, "succeeded")

    def test_a_revision_that_is_there_already_is_enough(self):
        self.device()
        result = self.homeport.send("thing-1", "set-level", "--wait", "observed", level="max")
        self.check(result, 0, "succeeded")

    def test_without_the_state_it_times_out(self):
        self.device(script=self.script(False))
        result = self.homeport.send("thing-1", "set-level", "--wait", "observed", "--wait-timeout",
                                    "1s", level="max")
        self.assertEqual(result.status, 3, result)
        self.assertEqual(result.one["state"], "succeeded")

    def test_a_rejection_is_not_waited_on(self):
        self.device(script=end_as("rejected", "WRONG_STATE"))
        result = self.homeport.send("thing-1", "set-level", "--wait", "observed", level="max")
        self.check(result, 1, "rejected")


@on_both_versions
class WrongInput(Sending):
    """What the controller refuses itself: nothing is recorded or sent."""

    def refuse(self, *cases, **description):
        """Every case is 65; no command was published and nothing is in the ledger."""
        device = self.device(**description)
        for name, command, arguments in cases:
            with self.subTest(device=name, command=command, arguments=arguments):
                result = self.homeport.send(name, command, **arguments)
                self.assertEqual(result.status, 65, result)
                self.assertEqual(result.stdout, "")
                self.assertTrue(result.stderr.strip())
        self.homeport.send("thing-1", "identify")
        self.assertEqual([c.name for c in device.received], ["identify"])
        self.assertEqual([c["name"] for c in self.homeport.history()], ["identify"])

    def test_unknown_devices_commands_and_arguments_are_sixty_five(self):
        self.refuse(("thing-9", "locate", {}), ("thing-1", "fly", {}), ("thing-1", "locate", {"x": 1}),
                    ("thing-1", "set-level", {}), ("thing-1", "set-level", {"level": "loud"}),
                    ("thing-1", "set-level", {"level": 1}), ("thing-1", "set-level", {"level": "null"}),
                    ("thing-1", "set-level", {"level": "max", "x": 1}),
                    ("thing-1", "set-isolated", {"enabled": "yes"}))

    def test_every_keyword_of_the_schema_is_checked(self):
        schema = {"type": "object", "required": ["n"], "additionalProperties": False, "properties": {
            "n": {"type": "integer", "minimum": 1, "maximum": 3}, "x": {"type": "number"},
            "b": {"type": "boolean"}, "s": {"type": "string"}, "l": {"type": "array", "items": {
                "type": "object", "required": ["day"], "additionalProperties": False,
                "properties": {"day": {"type": "integer", "maximum": 7}}}}}}
        wrong = [{}, {"n": 0}, {"n": 4}, {"n": 1.5}, {"n": "true"}, {"n": '"1"'}, {"n": 1, "x": "true"},
                 {"n": 1, "x": '"1"'}, {"n": 1, "b": 1}, {"n": 1, "l": "{}"},
                 {"n": 1, "l": "[1]"}, {"n": 1, "l": "[{}]"}, {"n": 1, "l": '[{"day":8}]'},
                 {"n": 1, "l": '[{"day":1,"hour":2}]'}, {"n": 1, "y": 1}]
        commands = [entry("identify"), entry("work", schema, "setting", "latest")]
        self.refuse(*[("thing-1", "work", a) for a in wrong], commands=commands)

    def test_good_arguments_pass_the_same_schema(self):
        schema = {"type": "object", "required": ["n"], "additionalProperties": False,
                  "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 3}}}
        device = self.device(commands=[entry("work", schema, "setting", "latest")])
        for value in ("1", "3", "2.0"):
            self.check(self.homeport.send("thing-1", "work", n=value), 0, "succeeded")
        self.assertEqual([c.members["arguments"]["n"] for c in device.named("work")], [1, 3, 2])

    def test_a_device_with_bare_names_cannot_be_checked_but_knows_its_names(self):
        device = self.device(commands=["locate", "make-tea"])
        self.check(self.homeport.send("thing-1", "make-tea", "--wait", "final", sugar=2), 0, "succeeded")
        self.assertEqual(device.named("make-tea")[0].members["arguments"], {"sugar": 2})
        self.assertEqual(self.homeport.send("thing-1", "make-coffee").status, 65)

    def test_unknown_kinds_and_sparse_descriptions_can_be_commanded(self):
        for name, changes in (("mower-1", {"kind": "lawn-mower", "model": "m-3000"}),
                              ("sparse-1", {"commands": [{"name": "locate"}, "identify"]})):
            with self.subTest(device=name):
                self.device(name, **changes)
                result = self.homeport.send(name, "locate", "--wait", "final")
                self.check(result, 0, "succeeded")


if __name__ == "__main__":
    unittest.main()
