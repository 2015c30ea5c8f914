"""What survives: wills, duplicates, revisions and queued commands when the simulator is killed."""

import json
import unittest

from interop.cases import on_both_versions
from interop.identifiers import now_ms, topic
from interop.link import CREDENTIALS, Link
from interop.processes import Broker, Simulator, is_built, wait_for_port
from interop.rig import Rig
from interop.strict_json import encode
from interop.survivors import PERSISTENT, OwnBroker

@on_both_versions
class Killed(OwnBroker):
    """SIGKILL of the simulator."""

    def test_every_will_fires_with_the_boot_of_the_session(self):
        boots = {d: self.rig.last(d, "presence")["boot"] for d in self.rig.kinds}
        for device, message in self.kill().items():
            presence = message.json
            self.assertEqual((presence["status"], presence["boot"]), ("offline", boots[device]))
            self.assertEqual(message.qos, 1)
        reader = Link(self.broker.port, self.version)
        self.addCleanup(reader.close)
        reader.subscribe("homeport/v1/home-1/+/presence", 0)
        reader.fence("home-1")
        retained = reader.since(ending="/presence")
        self.assertEqual({m.json["status"] for m in retained}, {"offline"})
        self.assertEqual(len(retained), 3)
        self.judge()

    def test_a_restart_has_a_new_boot_no_lower_revision_and_the_right_order(self):
        self.caller.call(self.store, "set-reserve", {"percent": 31})
        before = {d: self.rig.state(d) for d in self.rig.kinds}
        mark = self.kill_and_restart()
        for device, old in before.items():
            new = self.rig.state(device)
            self.assertNotEqual(new["boot"], old["boot"])
            self.assertGreaterEqual(new["revision"], old["revision"])
            leaves = [m.topic.split("/")[4] for m in self.rig.link.since(mark)
                      if m.topic.split("/")[3] == device]
            order = [leaf for leaf in leaves if leaf in ("description", "presence", "state")]
            self.assertEqual(order[:3], ["description", "presence", "state"])
            self.assertEqual(self.rig.last(device, "presence")["status"], "online")
        self.assertEqual(self.rig.state(self.store)["state"]["reservePercent"], 31)
        self.judge()

    def test_duplicates_are_still_known_and_finals_identical_but_for_replay(self):
        commands = [self.caller.command(self.store, "set-reserve", {"percent": 32}),
                    self.caller.command(self.store, "nonsense"),
                    self.caller.command(self.store, "identify", expiresAt=now_ms() - 1,
                                        issuedAt=now_ms() - 2)]
        finals = []
        for command in commands:
            mark = self.caller.send(command)
            self.caller.until(command, mark=mark)
            finals.append(self.caller.raw_acks(command, mark)[-1].payload)
        revision = self.rig.state(self.store)["revision"]
        self.kill_and_restart()
        for command, final in zip(commands, finals):
            mark = self.caller.send(command)
            self.rig.link.until(lambda: [a for a in self.caller.acks(command, mark) if a["replay"]],
                                what="replay after a restart")
            replay = [m for m in self.caller.raw_acks(command, mark) if m.json["replay"]][0]
            self.assertEqual(replay.payload, final.replace(b'"replay":false', b'"replay":true'))
            self.assertEqual(self.caller.query(self.store, command.id)[0]["outcome"], "known")
        other = self.caller.command(self.store, "identify", id=commands[0].id)
        self.assertEqual(self.caller.again(other)["code"], "ID_REUSED")
        self.assertEqual(self.rig.state(self.store)["revision"], revision)
        self.judge()

    def test_a_kill_right_after_the_ack_loses_neither_duplicate_nor_setting(self):
        for percent in (41, 42, 43):
            command = self.caller.command(self.store, "set-reserve", {"percent": percent})
            final = self.caller.until(command, mark=self.caller.send(command))[-1]
            self.kill_and_restart()
            answer = self.caller.again(command)
            self.assertEqual({**answer, "replay": False}, final)
            self.assertEqual(self.rig.state(self.store)["state"]["reservePercent"], percent)

    def test_running_and_waiting_actions_end_as_interrupted(self):
        running = self.caller.command(self.sweeper, "start-cleaning")
        waiting = self.caller.command(self.sweeper, "start-cleaning", {"passes": 2})
        for command in (running, waiting):
            self.caller.until(command, "accepted", self.caller.send(command))
        boot = self.rig.last(self.sweeper, "presence")["boot"]
        mark = self.kill_and_restart()
        for command, executions in ((running, 1), (waiting, 0)):
            ack = self.final_after(mark, command)
            self.assertEqual((ack["stage"], ack["code"]), ("failed", "INTERRUPTED"), ack)
            self.assertEqual(ack["executions"], executions, ack)
            self.assertFalse(ack["replay"])
            self.assertNotEqual(ack["boot"], boot)
            numbers = [a["n"] for a in self.caller.acks(command)]
            self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
            answer = self.caller.query(self.sweeper, command.id)[0]
            self.assertEqual({**answer["ack"], "replay": False}, ack)
        self.assertNotEqual(self.rig.state(self.sweeper)["state"]["activity"], "cleaning")
        self.judge()

    def test_a_promise_never_survives_the_restart(self):
        promised = self.caller.command(self.store, "identify")
        self.assertEqual(self.caller.query(self.store, promised.id)[0]["outcome"], "never")
        self.kill_and_restart()
        self.assertEqual(self.caller.again(promised)["code"], "STALE_SESSION")

    def test_telemetry_numbers_begin_again_with_the_boot(self):
        self.kill()
        mark = self.restart()
        sample = self.rig.link.wait(mark, 10, topic=topic("home-1", self.store, "telemetry")).json
        self.assertEqual(sample["n"], 1)
        self.assertEqual(sample["boot"], self.rig.state(self.store)["boot"])


@on_both_versions
class WhileDown(OwnBroker):
    """What is sent while the simulator is not there."""

    def test_a_command_arrives_after_the_restart_if_it_has_not_expired(self):
        self.kill()
        good = self.caller.command(self.store, "set-reserve", {"percent": 55})
        late = self.caller.command(self.store, "set-charge-limit", {"percent": 66}, life=200)
        for command in (good, late):
            self.caller.send(command)
        self.rig.link.until(lambda: now_ms() > late.members["expiresAt"], what="expiry")
        mark = self.restart()
        self.assertEqual(self.final_after(mark, good)["stage"], "succeeded")
        expired = self.final_after(mark, late)
        self.assertEqual((expired["stage"], expired["code"]), ("expired", "EXPIRED"))
        state = self.rig.state(self.store)["state"]
        self.assertEqual(state["reservePercent"], 55)
        self.assertNotEqual(state["chargeLimitPercent"], 66)

    def test_a_command_for_the_old_boot_is_stale(self):
        boot = self.rig.last(self.store, "presence")["boot"]
        self.kill()
        command = self.caller.command(self.store, "identify", boot=boot)
        self.caller.send(command)
        mark = self.restart()
        self.assertEqual(self.final_after(mark, command)["code"], "STALE_SESSION")

    def test_a_retained_command_that_waits_at_subscription_is_dropped(self):
        self.kill()
        commands = [self.caller.command("pool-1", "identify", lane=lane)
                    for lane in ("normal", "urgent")]
        fresh = OtherHome(self.broker, self.version)
        self.addCleanup(fresh.close)
        for command in commands:
            command.topic = command.topic.replace("home-1", "home-9")
            self.rig.link.publish(command.topic, command.payload, 1, True)
        fresh.start()
        self.assertEqual(fresh.acks_after_round_trip("pool-1"), set())

    def test_a_desired_document_is_applied_after_the_restart(self):
        self.kill()
        schedule = [{"weekday": 5, "at": "10:00", "program": "full"}]
        value = {"v": 1, "device": "pool-1", "revision": 12, "at": now_ms(),
                 "settings": {"schedule": schedule}}
        self.rig.link.publish(topic("home-1", "pool-1", "desired"), encode(value), 1, True)
        self.restart()
        state = self.rig.link.until(
            lambda: self.rig.state("pool-1")["state"].get("desiredRevision") == 12
            and self.rig.state("pool-1"), what="the desired schedule")
        self.assertEqual(state["state"]["settings"]["schedule"], schedule)


class OtherHome:
    """A simulator of home-9, whose devices have no session yet."""

    def __init__(self, broker, version):
        self.broker, self.version, self.rig = broker, version, None

    def start(self):
        """Starts it, after what was retained for it."""
        self.rig = Rig(self.version, "--home", "home-9", "--pools", "1", broker=self.broker,
                       home="home-9")

    def acks_after_round_trip(self, device):
        """The ids that were acknowledged, the fencing query left out."""
        fence = self.rig.caller()
        self.rig.after(device, fence)
        return {m.json["id"] for m in self.rig.link.since(starting=f"homeport/v1/home-9/{device}/ack/")
                if not m.topic.endswith("/" + fence.name)}

    def close(self):
        """Ends it."""
        if self.rig:
            self.rig.close()


@on_both_versions
class CleanEnd(OwnBroker):
    """An interrupt and an end of time."""

    def test_an_interrupt_publishes_offline_and_exits_zero(self):
        mark = self.rig.link.mark()
        boots = {d: self.rig.last(d, "presence")["boot"] for d in self.rig.kinds}
        self.assertEqual(self.rig.simulator.stop(), 0)
        for device, boot in boots.items():
            presence = self.rig.link.wait(mark, topic=topic("home-1", device, "presence")).json
            self.assertEqual((presence["status"], presence["boot"]), ("offline", boot))

    def test_a_clean_restart_with_the_same_journal_knows_duplicates(self):
        command = self.caller.command(self.store, "set-reserve", {"percent": 18})
        final = self.caller.until(command, mark=self.caller.send(command))[-1]
        self.rig.simulator.stop()
        self.restart()
        self.assertEqual(self.caller.again(command), {**final, "replay": True})

    def test_a_broker_restart_is_survived(self):
        port = self.broker.port
        self.broker.kill()
        self.broker = Broker(PERSISTENT, port)
        self.addCleanup(self.broker.stop)
        boots = {d: self.rig.last(d, "presence")["boot"] for d in self.rig.kinds}
        self.rig.listen(port)
        self.rig.link.until(lambda: all(self.rig.last(d, "state") for d in boots), 40,
                            "states on the new broker")
        for device, boot in boots.items():
            self.assertEqual(self.rig.last(device, "presence")["boot"], boot)
            self.assertEqual(self.rig.last(device, "presence")["status"], "online")
        caller = self.rig.caller()
        self.assertEqual(caller.final(self.store, "identify")["stage"], "succeeded")


class WithoutJournal(unittest.TestCase):
    """Devices that forget everything between two runs."""

    def setUp(self):
        if not is_built("homeport-sim"):
            self.skipTest("homeport-sim is not built")

    def test_the_boot_is_new_all_the_same(self):
        broker = Broker(PERSISTENT)
        self.addCleanup(broker.stop)
        boots = []
        for _ in range(2):
            rig = Rig("5", "--pools", "1", broker=broker)
            boots.append(rig.last("pool-1", "presence")["boot"])
            rig.close()
        self.assertNotEqual(*boots)


class PrivateBroker(unittest.TestCase):
    """The broker that the simulator brings along."""

    def setUp(self):
        if not is_built("homeport-sim"):
            self.skipTest("homeport-sim is not built")

    def test_it_is_gone_within_a_second_of_a_sigkill(self):
        simulator = Simulator("--sweepers", "1")
        wait_for_port(simulator.port)
        simulator.kill()
        self.assertLess(wait_for_port(simulator.port, is_open=False), 1.2)

    def test_only_who_knows_the_password_of_its_file_gets_in(self):
        simulator = Simulator("--sweepers", "1")
        self.addCleanup(simulator.stop)
        file, = simulator.meeting_files
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        told = json.loads(file.read_text())
        self.assertEqual(set(told), {"url", "pid", "home", "username", "password"})
        self.assertEqual(told["url"], f"mqtt://127.0.0.1:{simulator.port}")
        Link(simulator.port).fence("home-1")
        user, password = CREDENTIALS[simulator.port]
        CREDENTIALS[simulator.port] = user, password[:-1]
        with self.assertRaises(AssertionError):
            Link(simulator.port, reconnect=False).fence("home-1")

    def test_it_ends_with_a_clean_end(self):
        simulator = Simulator("--sweepers", "1")
        self.assertEqual(simulator.stop(), 0)
        self.assertLess(wait_for_port(simulator.port, is_open=False), 1.2)


if __name__ == "__main__":
    unittest.main()
