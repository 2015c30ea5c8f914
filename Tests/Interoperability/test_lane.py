"""The normal lane runs one action at a time; urgent commands go before all others."""

import unittest

from interop.cases import SharedSimulator, on_both_versions
from interop.identifiers import topic, uuid7


class Lane(SharedSimulator):
    """Help for tests that fill a lane."""

    def setUp(self):
        super().setUp()
        self.device = self.rig.device("sweeping-robot")
        self.rig.quiet(self.device)
        self.addCleanup(self.rig.quiet, self.device)

    def start(self, name="start-cleaning", arguments=None, device=None, **options):
        """Sends an action and waits until it is accepted."""
        command = self.caller.command(device or self.device, name, arguments, **options)
        self.caller.send(command)
        self.caller.until(command, "accepted")
        return command

    def ended(self, command, stage, code, executions):
        """Waits for the end of a command and checks it."""
        ack = self.caller.until(command)[-1]
        self.assertEqual((ack["stage"], ack["code"], ack["executions"]), (stage, code, executions))
        return ack

    def activity(self, wanted, device=None):
        """Waits until the state shows an activity."""
        device = device or self.device
        self.rig.link.until(lambda: self.rig.state(device)["state"]["activity"] == wanted, 10,
                            f"activity {wanted} of {device}")


@on_both_versions
class StopAndPause(Lane):
    """Urgent commands against what runs and waits."""

    def test_stop_ends_the_running_action_and_the_waiting_ones_in_order(self):
        running = self.start()
        waiting = [self.start() for _ in range(3)]
        stop = self.caller.command(self.device, "stop")
        mark = self.caller.send(stop)
        self.caller.until(stop)
        self.ended(running, "cancelled", "CANCELLED", 1)
        for command in waiting:
            self.ended(command, "superseded", "SUPERSEDED", 0)
        self.assertEqual(self.story(mark, stop, running, waiting),
                         ["accepted", "state", "cancelled", "superseded", "succeeded"])

    def story(self, mark, stop, running, waiting):
        """What came after a stop, in order, repeats left out."""
        words, roles = [], {stop.id: "stop", running.id: "run", **{w.id: "wait" for w in waiting}}
        for message in self.rig.link.since(mark, starting=topic("home-1", self.device) + "/"):
            leaf = message.topic.split("/")[4]
            if leaf == "state":
                words.append("state")
            elif leaf == "ack" and message.json["id"] in roles:
                words.append(message.json["stage"])
        return [w for i, w in enumerate(words) if i == 0 or words[i - 1] != w and w != "progress"]

    def test_pause_and_resume_keep_the_action(self):
        for kind, name, arguments in (("sweeping-robot", "start-cleaning", {}),
                                      ("pool-robot", "start-program", {"program": "walls"})):
            with self.subTest(kind=kind):
                device = self.rig.device(kind)
                self.rig.quiet(device)
                running = self.start(name, arguments, device)
                self.activity("cleaning", device)
                self.assert_succeeds(self.caller.call(device, "pause"))
                self.activity("paused", device)
                self.assert_rejected("WRONG_STATE", device, "pause")
                self.assert_succeeds(self.caller.call(device, "resume"))
                self.activity("cleaning", device)
                self.assert_rejected("WRONG_STATE", device, "resume")
                self.assertFalse([a for a in self.caller.acks(running) if a["final"]])
                self.rig.quiet(device)
                self.ended(running, "cancelled", "CANCELLED", 1)

    def test_the_end_state_of_a_stopped_action_has_the_revision_of_its_ack(self):
        running = self.start()
        self.activity("cleaning")
        self.rig.quiet(self.device)
        ack = self.ended(running, "cancelled", "CANCELLED", 1)
        states = [m.json for m in self.rig.link.since(ending=f"/{self.device}/state")]
        end = [s for s in states if s["revision"] == ack["revision"]]
        self.assertTrue(end, ack)
        self.assertNotEqual(end[0]["state"]["activity"], "cleaning")


@on_both_versions
class WaitingActions(Lane):
    """Actions behind a running one."""

    def test_a_waiting_action_is_accepted_with_no_execution(self):
        self.start()
        second = self.start()
        self.assertEqual([a["executions"] for a in self.caller.acks(second)], [0])

    def test_settings_and_instants_run_at_once_beside_an_action(self):
        self.start()
        self.start()
        self.assert_succeeds(self.caller.call(self.device, "locate"))
        self.assert_succeeds(self.caller.call(self.device, "set-suction-level", {"level": "turbo"}))

    def test_the_seventeenth_waiting_action_is_throttled(self):
        self.start()
        waiting = [self.start() for _ in range(16)]
        ack = self.assert_rejected("THROTTLED", self.device, "start-cleaning")
        self.assertIn("THROTTLED", ack["code"])
        self.rig.quiet(self.device)
        for command in waiting:
            self.ended(command, "superseded", "SUPERSEDED", 0)

    def test_a_waiting_action_expires_when_its_start_time_passes(self):
        self.start()
        late = self.start(life=1500)
        ack = self.ended(late, "expired", "EXPIRED", 0)
        self.assertEqual(ack["n"], len(self.caller.acks(late)))

    def test_a_waiting_action_starts_when_the_running_one_is_cancelled(self):
        running, second = self.start(), self.start()
        self.caller.final(self.device, "cancel-command", {"id": running.id})
        self.ended(running, "cancelled", "CANCELLED", 1)
        self.activity("cleaning")
        self.rig.link.until(lambda: self.rig.state(self.device)["by"] == second.id, 10,
                            "a state of the second action")

    def test_return_to_dock_supersedes_the_running_action(self):
        running = self.start()
        self.activity("cleaning")
        home = self.start("return-to-dock")
        self.ended(running, "superseded", "SUPERSEDED", 1)
        self.rig.quiet(self.device)
        self.assertIn(self.caller.until(home)[-1]["stage"], ("succeeded", "cancelled"))

    def test_surface_supersedes_the_running_program(self):
        pool = self.rig.device("pool-robot")
        self.rig.quiet(pool)
        running = self.start("start-program", {"program": "full"}, pool)
        surface = self.start("surface", None, pool)
        self.ended(running, "superseded", "SUPERSEDED", 1)
        acks = self.caller.until(surface, timeout=90)
        self.assertEqual(acks[-1]["stage"], "succeeded", acks)

    def test_charge_and_discharge_end_each_other_and_are_busy_for_their_like(self):
        store = self.rig.device("energy-store")
        self.rig.quiet(store)
        charge = self.start("charge", {"powerW": 300}, store)
        self.assert_rejected("BUSY", store, "charge", {"powerW": 400})
        discharge = self.start("discharge", {"powerW": 300}, store)
        self.ended(charge, "superseded", "SUPERSEDED", 1)
        self.assert_rejected("BUSY", store, "discharge", {"powerW": 200})
        again = self.start("charge", {"powerW": 300}, store)
        self.ended(discharge, "superseded", "SUPERSEDED", 1)
        self.rig.quiet(store)
        self.ended(again, "cancelled", "CANCELLED", 1)


@on_both_versions
class Cancelling(Lane):
    """cancel-command."""

    def cancel(self, command_id, caller=None):
        """Its final ack."""
        return (caller or self.caller).final(self.device, "cancel-command", {"id": command_id})

    def test_a_running_and_a_waiting_action_can_be_cancelled(self):
        running, waiting = self.start(), self.start()
        self.assertEqual(self.cancel(waiting.id)["stage"], "succeeded")
        self.ended(waiting, "cancelled", "CANCELLED", 0)
        self.assertEqual(self.cancel(running.id)["stage"], "succeeded")
        self.ended(running, "cancelled", "CANCELLED", 1)

    def test_what_is_unknown_finished_or_of_another_controller_cannot(self):
        running = self.start()
        done = self.caller.call(self.device, "locate")[-1]["id"]
        other = self.rig.caller()
        for caller, target in ((None, uuid7()), (None, done), (other, running.id)):
            ack = self.cancel(target, caller)
            self.assertEqual((ack["stage"], ack["code"]), ("failed", "WRONG_STATE"), ack)
        self.assertFalse([a for a in self.caller.acks(running) if a["final"]])


@on_both_versions
class Sequences(Lane):
    """An older setting does not overtake a newer one of the same controller."""

    def test_a_setting_with_a_lower_sequence_is_superseded_alone(self):
        first = self.caller.call(self.device, "set-suction-level", {"level": "max"}, sequence=10)
        self.assert_succeeds(first)
        late = self.caller.call(self.device, "set-suction-level", {"level": "quiet"}, sequence=5)
        self.assert_alone(late[0], "superseded", "SUPERSEDED")
        self.assertEqual(len(late), 1)
        self.assertEqual(self.rig.state(self.device)["state"]["fanSpeed"], "max")

    def test_other_settings_and_other_controllers_are_not_concerned(self):
        store = self.rig.device("energy-store")
        self.caller.call(store, "set-reserve", {"percent": 20}, sequence=50)
        self.assert_succeeds(self.caller.call(store, "set-charge-limit", {"percent": 90}, sequence=3))
        self.assert_succeeds(self.rig.caller().call(store, "set-reserve", {"percent": 21}, sequence=1))
        self.assert_succeeds(self.caller.call(store, "identify", sequence=2))


if __name__ == "__main__":
    unittest.main()
