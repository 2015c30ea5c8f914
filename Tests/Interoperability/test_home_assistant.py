"""`homeport serve --home-assistant` with a Home Assistant on the same broker."""

import json
import signal
import unittest

from interop.home_assistant import PROGRAM, HomeAssistant
from interop.homeport import Homeport
from interop.link import Link
from interop.processes import Broker, Child, Simulator

BASE = "homeport/home-assistant/home-1"


@unittest.skipUnless(PROGRAM, "HOME_ASSISTANT does not name the program hass")
class AHomeInHomeAssistant(unittest.TestCase):
    """One Home Assistant for all of it: its start takes longest."""

    @classmethod
    def setUpClass(cls):
        cls.broker = Broker()
        cls.addClassCleanup(cls.broker.stop)
        cls.simulator = Simulator(
            "--sweepers", "2", "--pools", "1", "--stores", "1", broker=cls.broker)
        cls.addClassCleanup(cls.simulator.stop)
        cls.homeport = Homeport(cls.broker.port)
        cls.serve()
        cls.assistant = HomeAssistant(cls.broker.port)
        cls.addClassCleanup(cls.assistant.stop)
        cls.link = Link(cls.broker.port)
        cls.addClassCleanup(cls.link.close)
        cls.assistant.until("vacuum.sweeper_1", "docked")

    @classmethod
    def serve(cls):
        """Starts the server, ready."""
        arguments = cls.homeport._arguments(["serve", "--home-assistant"])
        cls.server = Child(arguments, cls.homeport.environment)
        cls.addClassCleanup(cls.server.stop)
        cls.server.line("ready")

    def commands(self):
        """The commands in the ledger, newest first: device, name, state."""
        return [(c["device"], c["name"], c["state"]) for c in self.homeport.history()]

    def test_1_devices_and_entities_appear(self):
        expected = {
            "vacuum.sweeper_1": "docked", "vacuum.sweeper_2": "docked",
            "vacuum.pool_robot_1": "idle", "select.energy_store_1_mode": "self-consumption",
            "switch.energy_store_1_islanding": "off", "number.energy_store_1_reserve": "10",
            "select.pool_robot_1_start_program_program": "floor"}
        states = self.assistant.states()
        for entity, state in expected.items():
            self.assertIn(entity, sorted(states))
            self.assertEqual(states[entity]["state"], state, entity)
        self.assertEqual(
            self.assistant.template("{{ device_attr('vacuum.sweeper_1', 'model') }}"),
            "sweeper-s1")
        self.assertEqual(self.assistant.attribute("vacuum.sweeper_1", "fan_speed_list"),
                         ["quiet", "balanced", "turbo", "max"])

    def test_2_energy_dashboard_has_its_sensors(self):
        classes = {
            "charged_energy": ("energy", "kWh", "total_increasing"),
            "discharged_energy": ("energy", "kWh", "total_increasing"),
            "battery_power": ("power", "W", "measurement"),
            "state_of_charge": ("battery", "%", "measurement")}
        for name, expected in classes.items():
            entity = f"sensor.energy_store_1_{name}"
            names = ("device_class", "unit_of_measurement", "state_class")
            self.assertEqual(
                tuple(self.assistant.attribute(entity, n) for n in names), expected, entity)
            float(self.assistant.state(entity))

    def test_3_commands_are_tracked(self):
        self.assistant.call("vacuum.set_fan_speed", "vacuum.sweeper_1", fan_speed="turbo")
        self.assistant.call("vacuum.start", "vacuum.sweeper_1")
        self.assistant.until("vacuum.sweeper_1", "cleaning")
        self.assertEqual(self.assistant.attribute("vacuum.sweeper_1", "fan_speed"), "turbo")
        self.assistant.call("vacuum.pause", "vacuum.sweeper_1")
        self.assistant.until("vacuum.sweeper_1", "paused")
        self.assistant.call("vacuum.start", "vacuum.sweeper_1")
        self.assistant.until("vacuum.sweeper_1", "cleaning")
        self.assistant.call("button.press", "button.sweeper_2_start_cleaning_room_2")
        self.assistant.until("vacuum.sweeper_2", "cleaning")
        self.assistant.call("vacuum.send_command", "vacuum.sweeper_2", command="stop")
        self.assistant.until("vacuum.sweeper_2", "idle")
        self.assistant.call("select.select_option", "select.pool_robot_1_start_program_program",
                            option="waterline")
        self.assistant.call("vacuum.start", "vacuum.pool_robot_1")
        self.assistant.until("sensor.pool_robot_1_program", "waterline")
        self.assistant.call("number.set_value", "number.energy_store_1_reserve", value=30)
        self.assistant.until("number.energy_store_1_reserve", "30")
        self.assistant.call("switch.turn_on", "switch.energy_store_1_islanding")
        self.assistant.until("switch.energy_store_1_islanding", "on")
        commands = self.commands()
        for expected in [("sweeper-1", "set-suction-level", "succeeded"),
                         ("sweeper-1", "pause", "succeeded"), ("sweeper-1", "resume", "succeeded"),
                         ("store-1", "set-reserve", "succeeded"),
                         ("store-1", "set-islanding", "succeeded")]:
            self.assertIn(expected, commands)
        rooms = [c["arguments"] for c in self.homeport.history()
                 if c["name"] == "start-cleaning" and c["device"] == "sweeper-2"]
        self.assertEqual(rooms, [{"rooms": [2]}])

    def test_4_failed_command_snaps_back(self):
        # As if Home Assistant had believed what it asked for.
        shown = {"select": {"set-mode": "backup"}}
        self.link.publish(f"{BASE}/store-1/state", json.dumps(shown).encode(), retain=True)
        self.assistant.until("select.energy_store_1_mode", "backup")
        self.assistant.call("number.set_value", "number.energy_store_1_charge_power", value=0)
        self.assistant.until("select.energy_store_1_mode", "self-consumption")
        self.link.publish(f"{BASE}/store-1/state", json.dumps(shown).encode(), retain=True)
        self.assistant.until("select.energy_store_1_mode", "backup")
        self.assistant.call("button.press", "button.energy_store_1_charge")
        self.assistant.until("select.energy_store_1_mode", "self-consumption")
        self.assertIn(("store-1", "charge", "rejected"), self.commands())

    def test_5_server_that_dies_makes_all_unavailable(self):
        self.server.signal(signal.SIGKILL)
        self.assistant.until("vacuum.sweeper_2", "unavailable")
        self.serve()
        self.assistant.until("vacuum.sweeper_2", "idle")

    def test_6_removed_device_is_removed(self):
        self.assertEqual(self.simulator.stop(), 0)
        self.assistant.until("vacuum.sweeper_1", "unavailable")
        self.remove("sweeper-1")
        self.assistant.until("vacuum.sweeper_1", None)
        self.assertEqual(
            [e for e in self.assistant.states() if "sweeper_1" in e], [])
        self.assertEqual(
            self.assistant.template("{{ device_id('vacuum.sweeper_1') }}"), "None")

    def test_7_device_that_went_away_meanwhile_is_removed_by_the_next_server(self):
        self.server.stop()
        self.remove("sweeper-2")
        self.assertEqual(self.assistant.state("vacuum.sweeper_2"), "unavailable")
        self.serve()
        self.assistant.until("vacuum.sweeper_2", None)
        self.assertEqual(self.assistant.state("vacuum.pool_robot_1"), "unavailable")

    def test_8_home_assistant_has_nothing_to_complain_about(self):
        self.assertEqual(self.assistant.complaints(), [])

    def remove(self, device):
        """Takes what a broker keeps of a device."""
        for part in ("description", "presence", "state"):
            self.link.publish(f"homeport/v1/home-1/{device}/{part}", b"", retain=True)


if __name__ == "__main__":
    unittest.main()
