"""Part of a day of two stores and one cleaning, recomputed from the messages alone."""

import itertools
import unittest

from interop.caller import Caller
from interop.identifiers import topic
from interop.link import Link
from interop.processes import Broker, Simulator, is_built

EPOCH = 1782036000000
"""2026-06-21T10:00:00Z, ms since 1970."""
SPEED, HOURS = 120, 1
STORES, ROBOT, HOME = ("store-1", "store-2"), "sweeper-1", "home-1"


def area(corners):
    """The area of a polygon, m² (shoelace formula)."""
    turns = zip(corners, corners[1:] + corners[:1])
    return abs(sum(a["x"] * b["y"] - b["x"] * a["y"] for a, b in turns)) / 2


def room_area(room):
    """The area of a room of a description, m²."""
    if "polygon" in room:
        return area(room["polygon"])
    low, high = room["rectangle"]["southWest"], room["rectangle"]["northEast"]
    return (high["x"] - low["x"]) * (high["y"] - low["y"])


class World(unittest.TestCase):
    """One run, heard from its first message on; each test recomputes one thing."""

    @classmethod
    def setUpClass(cls):
        if not is_built("homeport-sim"):
            raise unittest.SkipTest("homeport-sim is not built")
        cls.broker = Broker()
        cls.addClassCleanup(cls.broker.stop)
        cls.link = Link(cls.broker.port)
        cls.addClassCleanup(cls.link.close)
        cls.link.subscribe(f"homeport/v1/{HOME}/#", 1)
        simulator = Simulator(
            "--sweepers", "1", "--stores", "2", "--telemetry-interval", "1s", "--epoch",
            "2026-06-21T10:00:00Z", "--speed", str(SPEED), broker=cls.broker)
        caller = Caller(cls.link, HOME)
        cls.acks = caller.call(ROBOT, "start-cleaning", {"rooms": [1]}, timeout=120)
        cls.cleaned = cls.samples(ROBOT)
        end = EPOCH + HOURS * 3_600_000
        cls.link.wait(
            timeout=180, topic=topic(HOME, STORES[0], "telemetry"),
            where=lambda m: m.json["at"] >= end, what="end of the day")
        cls.status = simulator.stop()

    @classmethod
    def samples(cls, device):
        """The samples of a device, in the order in which they were taken."""
        messages = [m.json for m in cls.link.since(topic=topic(HOME, device, "telemetry"))]
        return sorted(messages, key=lambda m: m["n"])

    def test_the_run_ended_well(self):
        self.assertEqual(self.status, 0)

    def test_no_sample_is_missing(self):
        for device in (*STORES, ROBOT):
            samples = self.samples(device)
            self.assertGreaterEqual(len(samples), 3600)
            for one, next_one in itertools.pairwise(samples):
                self.assertEqual(next_one["n"], one["n"] + 1)
                self.assertEqual(next_one["at"], one["at"] + 1000)

    def test_what_comes_in_is_what_is_used_and_stored(self):
        by_instant = {}
        for store in STORES:
            for sample in self.samples(store):
                by_instant.setdefault(sample["at"], []).append(sample["values"])
        whole = {at: values for at, values in by_instant.items() if len(values) == len(STORES)}
        self.assertGreater(len(whole), 3000)
        for at, values in whole.items():
            grid, load, roof = (
                {value[name] for value in values} for name in ("gridPowerW", "loadPowerW", "pvPowerW"))
            # All stores of a home see one meter.
            self.assertEqual((len(grid), len(load), len(roof)), (1, 1, 1), at)
            stored = sum(value["batteryPowerW"] for value in values)
            # Powers are whole watts: each may be half a watt off.
            self.assertAlmostEqual(
                grid.pop() + roof.pop(), load.pop() + stored, delta=0.5 * (2 + len(STORES)), msg=str(at))

    def test_counters_add_up_the_powers(self):
        whole = 0
        for store in STORES:
            samples = self.samples(store)
            first, last = samples[0]["values"], samples[-1]["values"]
            powers = [sample["values"]["batteryPowerW"] for sample in samples[1:]]
            peak = max(map(abs, powers), default=0)
            for name, sign in (("chargedKWh", 1), ("dischargedKWh", -1)):
                energy = sum(max(sign * power, 0) for power in powers) / 3.6e6
                # Rounding: half a watt in each second, the last digit of two counters, one second at an end.
                delta = 0.5 * len(powers) / 3.6e6 + 0.001 + peak / 3.6e6
                self.assertAlmostEqual(
                    last[name] - first[name], energy, delta=delta, msg=f"{store} {name}")
                whole += energy
                values = [sample["values"][name] for sample in samples]
                self.assertEqual(values, sorted(values))
        self.assertGreater(whole, 0.1, "nothing was stored: nothing was checked")

    def test_charge_follows_the_powers(self):
        for store in STORES:
            for one, next_one in itertools.pairwise(self.samples(store)):
                step = next_one["values"]["stateOfChargePercent"] - one["values"]["stateOfChargePercent"]
                # 10 kW into 5 kWh are 0.06 % a second; a tenth is the last digit.
                self.assertLessEqual(abs(step), 0.1 + 1e-9, store)

    def test_the_cleaning_was_carried_out_once(self):
        final = self.acks[-1]
        self.assertEqual((final["stage"], final["executions"]), ("succeeded", 1))
        self.assertEqual([ack["executions"] for ack in self.acks], sorted(
            ack["executions"] for ack in self.acks))

    def test_the_robot_cleaned_no_more_than_its_room(self):
        description = self.link.since(topic=topic(HOME, ROBOT, "description"))[0].json
        room = next(r for r in description["floorPlan"]["rooms"] if r["id"] == 1)
        areas = [sample["values"]["cleanedAreaM2"] for sample in self.cleaned]
        self.assertGreater(max(areas), 0.3 * room_area(room))
        self.assertLessEqual(max(areas), room_area(room))
        for one, next_one in itertools.pairwise(self.cleaned):
            moved = [next_one["values"][axis] - one["values"][axis] for axis in "xy"]
            self.assertLess(sum(part * part for part in moved) ** 0.5, 1, next_one["at"])

    def test_a_robot_away_from_its_dock_gains_no_charge(self):
        description = self.link.since(topic=topic(HOME, ROBOT, "description"))[0].json
        dock = description["floorPlan"]["dock"]
        for one, next_one in itertools.pairwise(self.samples(ROBOT)):
            away = [next_one["values"][axis] - dock[axis] for axis in "xy"]
            if sum(part * part for part in away) ** 0.5 > 0.5:
                self.assertLessEqual(
                    next_one["values"]["batteryPercent"], one["values"]["batteryPercent"])


if __name__ == "__main__":
    unittest.main()
