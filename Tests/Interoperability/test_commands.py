"""Good commands of every kind and what their acks promise."""

import unittest

from interop import catalogue
from interop.cases import SharedSimulator, on_both_versions
from interop.identifiers import now_ms, raw_bytes, topic, uuid7
from interop.rig import controlled

SETTINGS = [("sweeping-robot", "set-suction-level", "level", "fanSpeed"),
            ("pool-robot", "set-power-level", "level", "powerLevel"),
            ("energy-store", "set-mode", "mode", "mode"),
            ("energy-store", "set-charge-limit", "percent", "chargeLimitPercent"),
            ("energy-store", "set-reserve", "percent", "reservePercent")]


def values_of(kind, name, argument):
    """All values of a setting that the catalogue holds."""
    return [arguments[argument] for arguments in catalogue.COMMANDS[kind][name].good]


@on_both_versions
class Settings(SharedSimulator):
    """A setting is applied at once, reported, and says what it replaced."""

    def test_every_value_is_applied_and_the_previous_one_is_named(self):
        for kind, name, argument, member in SETTINGS:
            device = self.rig.device(kind)
            for value in values_of(kind, name, argument):
                with self.subTest(command=name, value=value):
                    old = self.rig.state(device)["state"][member]
                    acks = self.caller.call(device, name, {argument: value})
                    self.assert_succeeds(acks)
                    self.assertEqual(acks[-1]["result"].get("previous"), old)
                    self.assertEqual(self.rig.state(device)["state"][member], value)

    def test_the_state_with_the_effect_comes_before_the_final_ack(self):
        for kind, name, argument, member in SETTINGS:
            device = self.rig.device(kind)
            with self.subTest(command=name):
                before = self.rig.state(device)
                value = next(v for v in values_of(kind, name, argument)
                             if v != before["state"][member])
                command = self.caller.command(device, name, {argument: value})
                mark = self.caller.send(command)
                final = self.caller.until(command, mark=mark)[-1]
                seen = [m.topic.split("/")[4] for m in self.rig.link.since(mark)
                        if m.topic.split("/")[3] == device]
                self.assertLess(seen.index("state"), len(seen) - 1 - seen[::-1].index("ack"))
                state = self.rig.last(device, "state", mark)
                self.assertEqual(state["revision"], final["revision"])
                self.assertEqual(state["revision"], before["revision"] + 1)
                self.assertEqual(state["by"], command.id)

    def test_the_same_value_again_raises_no_revision(self):
        device = self.rig.device("energy-store")
        self.caller.call(device, "set-reserve", {"percent": 33})
        before = self.rig.state(device)["revision"]
        final = self.caller.final(device, "set-reserve", {"percent": 33})
        self.assertEqual((final["stage"], final["revision"]), ("succeeded", before))
        self.assertEqual(final["result"]["previous"], 33)
        self.rig.after(device)
        self.assertEqual(self.rig.state(device)["revision"], before)

    def test_accepted_carries_the_current_revision(self):
        device = self.rig.device("sweeping-robot")
        old = self.rig.state(device)
        level = "max" if old["state"]["fanSpeed"] != "max" else "quiet"
        acks = self.caller.call(device, "set-suction-level", {"level": level})
        self.assertEqual([a["revision"] for a in acks], [old["revision"], old["revision"] + 1])

    def test_islanding_with_the_right_revision_is_applied_and_undone(self):
        device = self.rig.device("energy-store")
        for enabled in (True, False):
            revision = self.rig.state(device)["revision"]
            acks = self.caller.call(device, "set-islanding", {"enabled": enabled},
                                    ifRevision=revision)
            self.assert_succeeds(acks)
            self.assertEqual(acks[-1]["result"]["previous"], not enabled)
            self.assertEqual(self.rig.state(device)["state"]["gridConnected"], not enabled)

    def test_schedules_are_replaced_whole(self):
        device, name = self.rig.device("pool-robot"), "set-schedule"
        previous = None
        for arguments in catalogue.COMMANDS["pool-robot"][name].good:
            acks = self.caller.call(device, name, arguments)
            self.assert_succeeds(acks)
            if previous is not None:
                self.assertEqual(acks[-1]["result"]["previous"], previous)
            previous = arguments["entries"]
            self.assertEqual(self.rig.state(device)["state"]["settings"]["schedule"], previous)


@on_both_versions
class Instants(SharedSimulator):
    """Commands that are done as soon as they are accepted."""

    def test_identify_works_on_every_device(self):
        for device in self.rig.kinds:
            self.assert_succeeds(self.caller.call(device, "identify"))

    def test_locate_works_and_changes_no_controlled_member(self):
        device = self.rig.device("sweeping-robot")
        before = controlled(self.rig, device, self.rig.state(device))
        self.assert_succeeds(self.caller.call(device, "locate"))
        self.assertEqual(controlled(self.rig, device, self.rig.state(device)), before)

    def test_stop_succeeds_with_nothing_to_stop(self):
        for device in self.rig.kinds:
            self.rig.quiet(device)
            acks = self.caller.call(device, "stop")
            self.assertEqual([a["stage"] for a in acks], ["accepted", "succeeded"])

    def test_a_command_is_taken_on_either_lane(self):
        device = self.rig.device("sweeping-robot")
        self.assert_succeeds(self.caller.call(device, "locate", lane="urgent"))
        acks = self.caller.call(device, "stop", lane="normal")
        self.assertEqual(acks[-1]["stage"], "succeeded")


@on_both_versions
class Actions(SharedSimulator):
    """Actions are accepted, report progress and end when they are done."""

    def spot_near(self, device, distance=0.4):
        """A point close to a sweeper that it would take, found with dry runs."""
        sample = self.rig.link.wait(0, 20, topic=topic("home-1", device, "telemetry")).json
        sample = self.rig.last(device, "telemetry") or sample
        x, y = sample["values"]["x"], sample["values"]["y"]
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)):
            point = {"x": round(x + dx * distance, 2), "y": round(y + dy * distance, 2)}
            if self.caller.final(device, "move-to", point, dryRun=True)["stage"] == "succeeded":
                return point
        self.fail(f"{device} takes no point near ({x}, {y})")

    def test_move_to_ends_at_the_point(self):
        device = self.rig.device("sweeping-robot", 2)
        self.rig.quiet(device)
        point = self.spot_near(device)
        command = self.caller.command(device, "move-to", point)
        mark = self.caller.send(command)
        acks = self.caller.until(command, mark=mark, timeout=60)
        self.assert_acks(acks, ("accepted", "OK"), ("succeeded", "OK"))
        self.assertEqual(acks[-1]["executions"], 1)
        self.assertGreaterEqual(self.rig.state(device)["revision"], acks[-1]["revision"])
        mark = self.rig.link.mark()
        sample = self.rig.link.wait(mark, 20, topic=topic("home-1", device, "telemetry")).json
        for axis in ("x", "y"):
            self.assertAlmostEqual(sample["values"][axis], point[axis], delta=0.3)
        self.rig.quiet(device)

    def test_a_running_action_shows_in_the_state_and_reports_progress(self):
        cases = [("sweeping-robot", "start-cleaning", {}, "cleaning"),
                 ("pool-robot", "start-program", {"program": "floor"}, "cleaning")]
        for kind, name, arguments, activity in cases:
            with self.subTest(command=name):
                device = self.rig.device(kind)
                self.rig.quiet(device)
                command = self.caller.command(device, name, arguments)
                mark = self.caller.send(command)
                self.caller.until(command, "accepted", mark)
                self.rig.link.until(
                    lambda: self.rig.state(device)["state"]["activity"] == activity, 10, activity)
                self.assertEqual(self.rig.state(device)["by"], command.id)
                self.rig.quiet(device)
                self.caller.until(command, mark=mark)

    def test_progress_comes_within_thirty_seconds(self):
        pool, store = self.rig.device("pool-robot", 1), self.rig.device("energy-store", 1)
        commands = [self.caller.command(pool, "start-program", {"program": "full"}),
                    self.caller.command(store, "charge", {"powerW": 200})]
        for command in commands:
            self.rig.quiet(command.device)
            self.caller.send(command)
        for command in commands:
            acks = self.caller.until(command, "progress", timeout=36)
            self.assertTrue(all(a["executions"] == 1 for a in acks if a["stage"] == "progress"))
            self.rig.quiet(command.device)
            self.caller.until(command)

    def test_a_charge_that_is_already_reached_ends(self):
        store = self.rig.device("energy-store")
        self.rig.quiet(store)
        ack = self.caller.final(store, "charge", {"powerW": 100, "untilPercent": 0}, timeout=30)
        self.assertEqual(ack["stage"], "succeeded", ack)


@on_both_versions
class AckEnvelope(SharedSimulator):
    """What every ack carries besides its verdict."""

    def test_acks_copy_the_correlation_data(self):
        if self.version != "5":
            self.skipTest("3.1.1 has no Correlation Data")
        device = self.rig.device("sweeping-robot")
        for name in ("locate", "nonsense", "pause"):
            command = self.caller.command(device, name)
            mark = self.caller.send(command)
            self.caller.until(command, mark=mark)
            for message in self.caller.raw_acks(command, mark):
                self.assertEqual(message.property("CorrelationData"), raw_bytes(command.id))

    def test_a_response_topic_of_its_own_is_honoured_and_a_missing_one_built(self):
        device = self.rig.device("sweeping-robot")
        for response in (None, self.caller.ack_topic(device)):
            command = self.caller.command(device, "locate")
            mark = self.caller.send(command, response_topic=response)
            self.assert_succeeds(self.caller.until(command, mark=mark))

    def test_at_is_the_wall_clock_and_boot_the_current_one(self):
        device = self.rig.device("energy-store")
        boot = self.rig.last(device, "presence")["boot"]
        for ack in self.caller.call(device, "identify"):
            self.assertLess(abs(ack["at"] - now_ms()), 5000)
            self.assertEqual((ack["boot"], ack["device"]), (boot, device))

    def test_unknown_members_and_numbers_with_zero_fraction_are_taken(self):
        device = self.rig.device("energy-store")
        command = self.caller.command(device, "set-reserve", {"percent": 44}, colour={"a": [1]})
        command.payload = (command.payload.replace(b'"percent":44', b'"percent":44.0')
                           .replace(b'"sequence":1,', b'"sequence":1.0,')
                           .replace(b'{"v":1,', b'{"v":1.0,'))
        mark = self.caller.send(command)
        self.assert_succeeds(self.caller.until(command, mark=mark))
        self.assertEqual(self.rig.state(device)["state"]["reservePercent"], 44)

    def test_the_right_boot_and_revision_are_accepted(self):
        device = self.rig.device("sweeping-robot")
        state = self.rig.state(device)
        acks = self.caller.call(device, "locate", boot=state["boot"], ifRevision=state["revision"],
                                cause="undo:" + uuid7())
        self.assert_succeeds(acks)


@on_both_versions
class DryRuns(SharedSimulator):
    """A dry run checks everything and does nothing."""

    def test_a_good_dry_run_succeeds_alone_without_effect(self):
        device = self.rig.device("energy-store")
        before = self.rig.state(device)
        value = 61 if before["state"]["reservePercent"] != 61 else 62
        acks = self.caller.call(device, "set-reserve", {"percent": value}, dryRun=True)
        self.assertEqual(len(acks), 1, acks)
        self.assert_alone(acks[0], "succeeded", "OK")
        self.rig.after(device)
        self.assertEqual(controlled(self.rig, device, self.rig.state(device)),
                         controlled(self.rig, device, before))

    def test_a_dry_run_starts_no_action_and_says_what_would_be_refused(self):
        device = self.rig.device("sweeping-robot")
        self.rig.quiet(device)
        acks = self.caller.call(device, "start-cleaning", {}, dryRun=True)
        self.assert_alone(acks[0], "succeeded", "OK")
        self.assert_rejected("BAD_ARGUMENTS", device, "start-cleaning", {"passes": 9}, dryRun=True)
        self.assert_rejected("WRONG_STATE", device, "resume", {}, dryRun=True)
        self.assertNotEqual(self.rig.state(device)["state"]["activity"], "cleaning")

    def test_dry_run_false_runs(self):
        self.assert_succeeds(self.caller.call(self.rig.device("sweeping-robot"), "locate",
                                              dryRun=False))


if __name__ == "__main__":
    unittest.main()
