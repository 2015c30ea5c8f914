"""What devices say unasked: description, presence, state, telemetry, and the answer to hello."""

import time
import unittest

from interop import catalogue
from interop.cases import SharedSimulator, on_both_versions
from interop.identifiers import home_topic, now_ms, topic
from interop.link import Link
from interop.rig import controlled
from interop.rules import PRESENCE
from interop.schema import accepts, check_keywords
from interop.strict_json import encode


@on_both_versions
class Retained(SharedSimulator):
    """A reader that comes late finds every device."""

    def test_every_device_has_valid_retained_description_presence_and_state(self):
        reader = Link(self.rig.link.port, self.version)
        self.addCleanup(reader.close)
        for leaf in ("description", "presence", "state"):
            reader.subscribe(f"homeport/v1/home-1/+/{leaf}", 0)
        reader.fence("home-1")
        expected = {"sweeper-1", "sweeper-2", "sweeper-3", "pool-1", "pool-2", "store-1", "store-2"}
        for leaf in ("description", "presence", "state"):
            messages = reader.since(ending="/" + leaf)
            self.assertEqual({m.topic.split("/")[3] for m in messages}, expected)
            self.assertTrue(all(m.retain for m in messages), leaf)
        self.assertEqual(self.rig.simulator.device_count, 7)

    def test_presence_is_online_and_the_boot_is_the_one_of_the_state(self):
        for device in self.rig.kinds:
            presence, state = self.rig.last(device, "presence"), self.rig.state(device)
            self.assertEqual(presence["status"], "online")
            self.assertEqual(presence["boot"], state["boot"])
            self.assertLess(abs(now_ms() - presence["at"]), 3_600_000)


    def test_models_and_kinds_belong_together(self):
        for device, (kind, model) in self.rig.kinds.items():
            self.assertIn(model, catalogue.MODELS[kind], device)

    def test_capabilities_fit_the_kind(self):
        musts = {"sweeping-robot": {"battery-powered", "movable"}, "pool-robot": {"schedulable"},
                 "energy-store": {"energy-storage"}}
        for device, (kind, model) in self.rig.kinds.items():
            capabilities = self.rig.last(device, "description")["capabilities"]
            self.assertLessEqual(musts[kind] | {"connectable", "controllable"}, set(capabilities))
            self.assertEqual(len(capabilities), len(set(capabilities)))
            if model == "pool-p1":
                self.assertNotIn("battery-powered", capabilities)


@on_both_versions
class DescribedCommands(SharedSimulator):
    """The commands of a description are those of section 5."""

    def setUp(self):
        super().setUp()
        self.commands = {}
        for device, (kind, _) in self.rig.kinds.items():
            entries = self.rig.last(device, "description")["commands"]
            self.commands.setdefault(kind, {entry["name"]: entry for entry in entries})

    def each(self):
        """(kind, name, what the page says, what the device says) of every command."""
        for kind, specs in catalogue.COMMANDS.items():
            for name, spec in specs.items():
                with self.subTest(kind=kind, command=name):
                    self.assertIn(name, self.commands[kind])
                    yield spec, self.commands[kind][name]

    def test_every_kind_lists_exactly_its_commands_and_the_common_ones(self):
        for kind, specs in catalogue.COMMANDS.items():
            self.assertEqual(set(self.commands[kind]), set(specs) | set(catalogue.COMMON), kind)

    def test_lane_sort_offline_and_undo_are_those_of_the_page(self):
        for spec, entry in self.each():
            self.assertEqual((entry["lane"], entry["sort"], entry["offline"]),
                             (spec.lane, spec.sort, spec.offline))
            self.assertEqual(entry["undo"], spec.undo)
            self.assertEqual("undoWith" in entry, spec.undo == "inverse")
            self.assertEqual(entry.get("expireAfterMs"), spec.expire_after_ms)
            self.assertEqual(entry.get("needsIfRevision", False), spec.needs_if_revision)

    def test_cancel_command_is_urgent_and_query_commands_is_not(self):
        for kind, commands in self.commands.items():
            self.assertEqual(commands["cancel-command"]["lane"], "urgent", kind)
            self.assertEqual(commands["query-commands"]["lane"], "normal", kind)
            self.assertEqual(commands["identify"]["lane"], "normal", kind)

    def test_schemas_use_only_the_keywords_of_the_page(self):
        for _, entry in self.each():
            check_keywords(entry["arguments"])

    def test_schemas_accept_good_arguments(self):
        for spec, entry in self.each():
            for arguments in spec.good:
                self.assertTrue(accepts(entry["arguments"], arguments), (arguments, entry))

    def test_schemas_refuse_bad_arguments(self):
        for spec, entry in self.each():
            for arguments, _, expressible in spec.bad:
                if expressible:
                    self.assertFalse(accepts(entry["arguments"], arguments), (arguments, entry))


@on_both_versions
class Telemetry(SharedSimulator):
    """Samples come in order and their energy adds up."""

    def samples(self, device, count):
        """The next `count` samples of a device."""
        mark, where = self.rig.link.mark(), topic("home-1", device, "telemetry")
        self.rig.link.until(lambda: len(self.rig.link.since(mark, topic=where)) >= count,
                            20, f"{count} samples of {device}")
        return [m.json for m in self.rig.link.since(mark, topic=where)]

    def test_n_rises_by_one_and_world_time_with_it(self):
        for device in self.rig.kinds:
            samples = self.samples(device, 2)
            self.assertEqual([s["n"] - samples[0]["n"] for s in samples], list(range(len(samples))))
            self.assertTrue(all(a["at"] < b["at"] for a, b in zip(samples, samples[1:])))
            self.assertEqual({s["boot"] for s in samples}, {self.rig.state(device)["boot"]})

    def test_energy_balances_at_every_sample_of_a_store_at_rest_and_under_charge(self):
        store = self.rig.device("energy-store")
        samples = self.samples(store, 2)
        charge = self.caller.command(store, "charge", {"powerW": 700})
        self.caller.send(charge)
        self.caller.until(charge, "accepted")
        samples += self.samples(store, 3)
        self.rig.quiet(store)
        for sample in samples:
            stores = self.stores_at(sample["at"])
            for name in ("gridPowerW", "pvPowerW", "loadPowerW"):
                self.assertEqual(len({values[name] for values in stores}), 1, (name, stores))
            values = sample["values"]
            gap = (values["gridPowerW"] + values["pvPowerW"] - values["loadPowerW"]
                   - sum(store["batteryPowerW"] for store in stores))
            self.assertLessEqual(abs(gap), 2.0, stores)
        self.assertGreater(samples[-1]["values"]["batteryPowerW"], 0)

    def stores_at(self, at):
        """The values of all stores of the home at one sampling instant, which they share."""
        stores = self.rig.devices("energy-store")

        def found():
            messages = self.rig.link.since(ending="/telemetry")
            values = {m.topic.split("/")[3]: m.json["values"] for m in messages
                      if m.json["at"] == at}
            return [values[store] for store in stores if store in values]
        self.rig.link.until(lambda: len(found()) == len(stores), what=f"all stores at {at}")
        return found()

    def test_counters_of_energy_never_fall(self):
        store = self.rig.device("energy-store", 1)
        samples = [s["values"] for s in self.samples(store, 3)]
        for name in ("chargedKWh", "dischargedKWh"):
            values = [s[name] for s in samples]
            self.assertEqual(values, sorted(values), name)


@on_both_versions
class Hello(SharedSimulator):
    """`hello` makes every device announce itself once."""

    _last = {}

    def setUp(self):
        super().setUp()
        wait = Hello._last.get(self.version, 0) + 5.3 - time.monotonic()
        if wait > 0:
            self.rig.link.wait(self.rig.link.mark(), wait + 10, ending="/telemetry",
                               where=lambda m: time.monotonic() - Hello._last[self.version] > 5.3)

    def hello(self, spread=500, retain=False, note=True, **members):
        """Says hello; returns the inbox position from before."""
        mark = self.rig.link.mark()
        body = {"v": 1, "nonce": "abc", "spreadMs": spread, **members}
        self.rig.link.publish(home_topic("home-1", "hello"), encode(body), 1, retain)
        if note:
            Hello._last[self.version] = time.monotonic()
        return mark

    def announced(self, mark, leaf="description"):
        """The devices that published `leaf` since."""
        return {m.topic.split("/")[3] for m in self.rig.link.since(mark, ending="/" + leaf)}

    def await_all(self, mark, timeout):
        """Waits until every device has announced itself."""
        self.rig.link.until(lambda: all(self.announced(mark, leaf) == set(self.rig.kinds)
                                        for leaf in ("description", "presence", "state")),
                            timeout, "answers of all devices to hello")

    def test_every_device_answers_within_the_spread_and_repeats_its_state(self):
        before = {d: self.rig.state(d) for d in self.rig.kinds}
        begun = time.monotonic()
        mark = self.hello(500)
        self.await_all(mark, 5)
        last = max(m.arrived for m in self.rig.link.since(mark, ending="/state"))
        self.assertLess(last - begun, 1.5)
        for device, old in before.items():
            new = self.rig.state(device)
            self.assertEqual([new[k] for k in ("revision", "by", "at", "boot")],
                             [old[k] for k in ("revision", "by", "at", "boot")], device)

    def test_a_second_hello_within_five_seconds_is_ignored(self):
        mark = self.hello(0)
        self.await_all(mark, 5)
        mark = self.hello(0, note=False, nonce="second")
        for device in self.rig.kinds:
            self.rig.after(device)
        self.assertEqual(self.announced(mark), set())

    def test_a_wrong_hello_is_ignored_and_does_not_use_up_the_five_seconds(self):
        mark = self.rig.link.mark()
        where = home_topic("home-1", "hello")
        wrong = [b"", b"hello", b"[]", encode({"v": 1, "nonce": "x", "spreadMs": 60_001}),
                 encode({"v": 1, "nonce": "x", "spreadMs": -1}),
                 encode({"v": 1, "nonce": "x" * 65, "spreadMs": 0}),
                 encode({"v": 1, "nonce": "x", "spreadMs": "0"}),
                 encode({"v": 1, "spreadMs": 0}), encode({"v": 1, "nonce": "x"})]
        for payload in wrong:
            self.rig.link.publish(where, payload)
        for device in self.rig.kinds:
            self.rig.after(device)
        self.assertEqual(self.announced(mark), set())
        self.await_all(self.hello(0), 5)

    def test_a_retained_hello_is_ignored(self):
        if self.version != "5":
            self.skipTest("a live retained hello looks like any other on 3.1.1")
        mark = self.hello(0, retain=True, note=False)
        self.addCleanup(self.rig.link.publish, home_topic("home-1", "hello"), b"", 1, True)
        for device in self.rig.kinds:
            self.rig.after(device)
        self.assertEqual(self.announced(mark), set())


@on_both_versions
class PresenceRepair(SharedSimulator):
    """A device that is connected does not stay offline on paper."""

    def forge(self, device, boot):
        """Publishes an offline in the name of a device."""
        value = {"v": 1, "device": device, "status": "offline", "boot": boot, "at": now_ms()}
        PRESENCE(value, "forged")
        mark = self.rig.link.mark()
        self.rig.link.publish(topic("home-1", device, "presence"), encode(value), 1, True)
        return mark

    def repaired(self, mark, device):
        """The online that follows."""
        return self.rig.link.wait(mark, 9, topic=topic("home-1", device, "presence"),
                                  where=lambda m: m.json["status"] == "online", what="repair")

    def test_an_offline_with_its_own_boot_is_repaired_after_a_second(self):
        device = self.rig.device("sweeping-robot", 1)
        boot, begun = self.rig.state(device)["boot"], time.monotonic()
        online = self.repaired(self.forge(device, boot), device)
        self.assertEqual(online.json["boot"], boot)
        self.assertGreater(online.arrived - begun, 0.8)
        self.assertLess(online.arrived - begun, 3)

    def test_an_offline_of_an_older_boot_is_repaired_too(self):
        device = self.rig.device("pool-robot", 1)
        begun = time.monotonic()
        online = self.repaired(self.forge(device, "older-boot"), device)
        self.assertLess(online.arrived - begun, 3)

    def test_repairs_come_at_most_once_per_five_seconds(self):
        device = self.rig.device("energy-store", 1)
        first = self.repaired(self.forge(device, "x"), device)
        second = self.repaired(self.forge(device, "x"), device)
        self.assertGreater(second.arrived - first.arrived, 4.5)


@on_both_versions
class Desired(SharedSimulator):
    """The desired document of a pool robot is reconciled, newest revision first."""

    def setUp(self):
        super().setUp()
        self.pool = self.rig.device("pool-robot")
        self.where = topic("home-1", self.pool, "desired")
        self.addCleanup(self.rig.link.publish, self.where, b"", 1, True)

    def desire(self, revision, schedule, **members):
        """Writes the desired document; returns the inbox position from before."""
        mark = self.rig.link.mark()
        value = {"v": 1, "device": self.pool, "revision": revision, "at": now_ms(),
                 "settings": {"schedule": schedule}, **members}
        self.rig.link.publish(self.where, encode(value), 1, True)
        return mark

    def reported(self, revision):
        """Waits for the state that reports a desired revision."""
        return self.rig.link.until(
            lambda: next((m.json for m in reversed(self.rig.link.since(
                0, topic=topic("home-1", self.pool, "state")))
                if m.json["state"].get("desiredRevision") == revision), None),
            what=f"state with desiredRevision {revision}")

    def next_revision(self):
        """A desired revision above the reported one."""
        return self.rig.state(self.pool)["state"].get("desiredRevision", 0) + 10

    def test_a_newer_document_is_applied_and_reported_with_a_new_revision(self):
        before, revision = self.rig.state(self.pool), self.next_revision()
        schedule = [{"weekday": 2, "at": "07:15", "program": "walls"}]
        self.desire(revision, schedule)
        state = self.reported(revision)
        self.assertEqual(state["state"]["settings"], {"schedule": schedule})
        self.assertGreater(state["revision"], before["revision"])
        self.assertIsNone(state["by"])

    def test_a_wrong_and_an_empty_document_change_nothing(self):
        revision = self.next_revision()
        self.desire(revision, [{"weekday": 3, "at": "08:00", "program": "full"}])
        good = self.reported(revision)
        self.desire(revision + 5, [{"weekday": 9, "at": "08:00", "program": "full"}])
        self.desire(revision + 6, [], device="other")
        self.desire(revision + 7, [], v=2)
        for payload in (b"", b"{", encode({"v": 1})):
            self.rig.link.publish(self.where, payload, 1, True)
        self.rig.after(self.pool)
        self.assertEqual(controlled(self.rig, self.pool, self.rig.state(self.pool)),
                         controlled(self.rig, self.pool, good))

    def test_set_schedule_is_a_command_like_any_other(self):
        revision = self.next_revision()
        first = [{"weekday": 4, "at": "06:30", "program": "floor"}]
        self.desire(revision, first)
        self.reported(revision)
        acks = self.caller.call(self.pool, "set-schedule", {"entries": []})
        self.assert_succeeds(acks)
        self.assertEqual(acks[-1]["result"]["previous"], first)
        self.assertEqual(self.rig.state(self.pool)["state"]["settings"], {"schedule": []})


if __name__ == "__main__":
    unittest.main()
