"""What a device remembers: duplicates, reused ids, answers to query-commands."""

import unittest

from interop.cases import SharedSimulator, on_both_versions
from interop.identifiers import now_ms, raw_bytes, topic, uuid7


@on_both_versions
class Duplicates(SharedSimulator):
    """Rule 3."""

    def setUp(self):
        super().setUp()
        self.device = self.rig.device("energy-store")

    def test_five_times_the_same_bytes_run_once_and_are_answered_five_times(self):
        command = self.caller.command(self.device, "set-reserve", {"percent": 37})
        mark = self.caller.send(command)
        final = self.caller.until(command, mark=mark)[-1]
        payload = self.caller.raw_acks(command, mark)[-1].payload
        revision = self.rig.state(self.device)["revision"]
        for _ in range(4):
            mark = self.caller.send(command)
            self.rig.link.until(lambda: self.caller.acks(command, mark), what="replay")
            message = self.caller.raw_acks(command, mark)[0]
            self.assertEqual(message.json, {**final, "replay": True})
            self.assertEqual(message.payload, payload.replace(b'"replay":false', b'"replay":true'))
        self.rig.after(self.device)
        self.assertEqual(self.rig.state(self.device)["revision"], revision)

    def test_replays_copy_the_correlation_data(self):
        if self.version != "5":
            self.skipTest("3.1.1 has no Correlation Data")
        command = self.caller.command(self.device, "identify")
        self.caller.until(command, mark=self.caller.send(command))
        mark = self.caller.send(command)
        self.rig.link.until(lambda: self.caller.acks(command, mark), what="replay")
        self.assertEqual(self.caller.raw_acks(command, mark)[0].property("CorrelationData"),
                         raw_bytes(command.id))

    def test_a_duplicate_while_running_gets_the_latest_ack(self):
        device = self.rig.device("sweeping-robot")
        self.rig.quiet(device)
        self.addCleanup(self.rig.quiet, device)
        command = self.caller.command(device, "start-cleaning")
        self.caller.until(command, "accepted", self.caller.send(command))
        ack = self.caller.again(command)
        self.assertTrue(ack["replay"])
        self.assertIn(ack["stage"], ("accepted", "progress"))

    def test_a_duplicate_is_recognised_after_its_expiry_and_on_the_other_lane(self):
        command = self.caller.command(self.device, "identify", life=1200)
        final = self.caller.until(command, mark=self.caller.send(command))[-1]
        self.rig.link.until(lambda: now_ms() > command.members["expiresAt"] + 50, what="expiry")
        self.assertEqual(self.caller.again(command), {**final, "replay": True})
        command.topic += "/urgent"
        self.assertEqual(self.caller.again(command), {**final, "replay": True})

    def test_refusals_are_replayed_too(self):
        for name, arguments in (("nonsense", {}), ("set-reserve", {"percent": 101})):
            command = self.caller.command(self.device, name, arguments)
            first = self.caller.again(command)
            self.assertEqual(self.caller.again(command), {**first, "replay": True})

    def test_other_bytes_under_the_same_id_are_refused_and_harm_nothing(self):
        command = self.caller.command(self.device, "set-reserve", {"percent": 40})
        final = self.caller.until(command, mark=self.caller.send(command))[-1]
        other = self.caller.command(self.device, "set-reserve", {"percent": 41}, id=command.id)
        for _ in range(2):
            ack = self.caller.again(other)
            self.assert_alone(ack, "rejected", "ID_REUSED")
            self.assertFalse(ack["replay"])
        self.assertEqual(self.rig.state(self.device)["state"]["reservePercent"], 40)
        self.assertEqual(self.caller.again(command), {**final, "replay": True})

    def test_one_blank_more_is_other_bytes(self):
        command = self.caller.command(self.device, "identify")
        self.caller.until(command, mark=self.caller.send(command))
        command.payload += b" "
        self.assertEqual(self.caller.again(command)["code"], "ID_REUSED")

    def test_two_controllers_may_use_the_same_id(self):
        other = self.rig.caller()
        first = self.caller.command(self.device, "set-reserve", {"percent": 23})
        second = other.command(self.device, "set-reserve", {"percent": 24}, id=first.id)
        self.assert_succeeds(self.caller.until(first, mark=self.caller.send(first)))
        self.assert_succeeds(other.until(second, mark=other.send(second)))
        self.assertEqual(self.rig.state(self.device)["state"]["reservePercent"], 24)
        self.assertTrue(self.caller.again(first)["replay"])


@on_both_versions
class Queries(SharedSimulator):
    """query-commands."""

    def setUp(self):
        super().setUp()
        self.device = self.rig.device("pool-robot")

    def test_known_gives_the_stored_ack(self):
        commands = [self.caller.command(self.device, name) for name in ("identify", "nonsense")]
        finals = [self.caller.until(c, mark=self.caller.send(c))[-1] for c in commands]
        answers = self.caller.query(self.device, *[c.id for c in commands])
        self.assertEqual([a["outcome"] for a in answers], ["known"] * 2)
        for command, answer, final in zip(commands, answers, finals):
            self.assertEqual(answer["id"], command.id)
            self.assertEqual({**answer["ack"], "replay": False}, final)

    def test_never_is_a_promise_kept_against_a_late_arrival(self):
        command = self.caller.command(self.device, "set-power-level", {"level": "boost"})
        self.assertEqual(self.caller.query(self.device, command.id),
                         [{"id": command.id, "outcome": "never"}])
        ack = self.caller.again(command)
        self.assert_alone(ack, "rejected", "STALE_SESSION")
        self.assertEqual(self.caller.again(command)["code"], "STALE_SESSION")

    def test_a_command_of_another_controller_is_not_known(self):
        command = self.caller.command(self.device, "identify")
        self.caller.until(command, mark=self.caller.send(command))
        other = self.rig.caller()
        self.assertEqual(other.query(self.device, command.id)[0]["outcome"], "never")
        self.assertEqual(self.caller.query(self.device, command.id)[0]["outcome"], "known")

    def test_a_running_action_is_known_with_its_latest_ack(self):
        device = self.rig.device("sweeping-robot", 1)
        self.rig.quiet(device)
        self.addCleanup(self.rig.quiet, device)
        command = self.caller.command(device, "start-cleaning")
        self.caller.until(command, "accepted", self.caller.send(command))
        answer = self.caller.query(device, command.id)[0]
        self.assertEqual(answer["outcome"], "known")
        self.assertIn(answer["ack"]["stage"], ("accepted", "progress"))

    def test_a_query_itself_is_known_with_an_empty_result(self):
        ack = self.caller.final(self.device, "query-commands", {"ids": [uuid7()]})
        answer = self.caller.query(self.device, ack["id"])[0]
        self.assertEqual((answer["outcome"], answer["ack"]["result"]), ("known", {}))

    def test_at_most_two_hundred_promises_are_made(self):
        outcomes = []
        for _ in range(3):
            answers = self.caller.query(self.device, *[uuid7() for _ in range(100)])
            outcomes += [a["outcome"] for a in answers]
        self.assertEqual(outcomes, ["never"] * 200 + ["forgotten"] * 100)

    def test_a_query_answers_at_once_beside_a_full_lane(self):
        device = self.rig.device("sweeping-robot", 1)
        self.rig.quiet(device)
        self.addCleanup(self.rig.quiet, device)
        for _ in range(3):
            self.caller.send(self.caller.command(device, "start-cleaning"))
        self.assert_succeeds(self.caller.call(device, "query-commands", {"ids": [uuid7()]}))

    def test_a_long_answer_is_cut_at_sixty_kibibytes_and_can_be_continued(self):
        entries = [{"weekday": 1, "at": "09:30", "program": "waterline"}] * 14
        commands = [self.caller.command(self.device, "set-schedule", {"entries": entries})
                    for _ in range(100)]
        for command in commands:
            self.caller.send(command, wait=False)
        self.caller.until(commands[-1], timeout=60)
        left, rounds = [c.id for c in commands], 0
        while left and rounds < 5:
            query = self.caller.command(self.device, "query-commands", {"ids": left})
            mark = self.caller.send(query)
            answers = self.caller.until(query, mark=mark)[-1]["result"]["commands"]
            self.assertLessEqual(len(self.caller.raw_acks(query, mark)[-1].payload), 61_440)
            self.assertEqual([a["id"] for a in answers], left[:len(answers)])
            self.assertTrue(answers)
            left, rounds = left[len(answers):], rounds + 1
        self.assertEqual(left, [])
        self.assertGreater(rounds, 1)


@on_both_versions
class Flood(SharedSimulator):
    """Half of 10,000 entries belong to one controller at most."""

    def test_the_entry_that_does_not_fit_is_throttled_without_a_verdict(self):
        device = self.rig.device("sweeping-robot", 2)
        mark = self.rig.link.mark()
        for start in range(0, 5000, 250):
            batch = [self.caller.command(device, "identify") for _ in range(250)]
            for command in batch:
                self.caller.send(command, wait=False)
            ack = self.caller.until(batch[-1], mark=mark, timeout=60)[-1]
            self.assertEqual(ack["stage"], "succeeded", f"command {start + 250}")
            mark = self.rig.link.mark()
        extra = self.caller.command(device, "identify")
        for _ in range(2):
            ack = self.caller.again(extra)
            self.assertEqual((ack["stage"], ack["code"], ack["n"], ack["final"], ack["replay"]),
                             ("rejected", "THROTTLED", 0, False, False), ack)
        self.assert_succeeds(self.rig.caller().call(device, "identify"))


if __name__ == "__main__":
    unittest.main()
