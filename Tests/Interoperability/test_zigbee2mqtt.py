"""`homeport` with two channels: devices of its own protocol, and a zigbee2mqtt bridge."""

import signal
import unittest

from interop.cases import on_both_versions
from interop.controller_cases import Sending
from interop.homeport import Homeport
from interop.processes import free_port, scratch
from interop.zigbee2mqtt import (COVER, LIGHT, LOCK, PLUG, SENSOR, SET, STATE, THERMOSTAT, Bridge,
                                 Zigbee, choice, feature, group, numeric, switching)

LAMP = "0x0017880100000001"


def household():
    """One device of each sort."""
    return [
        Zigbee(LAMP, "Kitchen light", LIGHT, "LCT1", state="ON", brightness=10, color_temp=300),
        Zigbee("0x0017880100000002", "Plug", PLUG, "SP1", state="ON", power=3.5),
        Zigbee("0x0017880100000003", "attic/blind", COVER, "BL1", state="OPEN", position=100),
        Zigbee("0x0017880100000004", "Air", SENSOR, "TH1", battery=80, temperature=20.5, humidity=40),
        Zigbee("0x0017880100000005", "Tür", LOCK, "DL1", state="LOCK", lock_state="locked"),
        Zigbee("0x0017880100000006", "Radiator", THERMOSTAT, "TV1", occupied_heating_setpoint=20,
               local_temperature=19.5, system_mode="heat", running_state="heat")]


class TwoChannels(Sending):
    """A private broker, a configuration file with two channels on it, and the bridge."""

    def setUp(self):
        super().setUp()
        self.homeport = self.controller(self.broker.port)
        self.bridge = Bridge(self.broker.port, household(), self.version)
        self.addCleanup(self.bridge.link.close)
        self.addCleanup(lambda: self.assertEqual(self.bridge.broken, []))
        self.bridge.online()
        self.lamp = self.bridge.named(LAMP)

    def controller(self, bridge_port):
        """A controller whose file names the broker's own channel, and the bridge at a port."""
        path = scratch() / "homeport.yaml"
        path.write_text("\n".join(["home: home-1", "channels:"] + [
            f'  - {{id: {name}, kind: {kind}, broker: "mqtt://127.0.0.1:{port}", '
            f'mqtt-version: "{self.version}"}}'
            for name, kind, port in (("mqtt", "homeport-mqtt", self.broker.port),
                                     ("attic", "zigbee2mqtt", bridge_port))]) + "\n")
        homeport = Homeport(self.broker.port, self.version)
        homeport.options = ["--config", str(path)]
        return homeport

    def listed(self):
        """The objects of `devices` by device."""
        result = self.homeport.json("devices")
        self.assertEqual(result.status, 0, result.stderr)
        return {o["device"]: o for o in result.objects}

    def commands(self, device):
        """The commands that `show` offers, by name."""
        result = self.homeport.json("show", device)
        self.assertEqual(result.status, 0, result.stderr)
        return {c["name"]: c for c in result.one["description"]["commands"]}

    def dim(self, *options, device="Kitchen light", brightness=120):
        """Sets a brightness."""
        return self.homeport.send(device, "set-brightness", *options, brightness=brightness)

    def assert_untouched(self):
        """Nothing was asked of the bridge."""
        self.assertEqual(self.bridge.received, [])


@on_both_versions
class Listing(TwoChannels):
    """`devices`, `channels` and `show`."""

    def test_devices_of_both_channels_stand_side_by_side(self):
        self.device()
        found = self.listed()
        seen = {name: (o["channel"], o["kind"], o["name"]) for name, o in found.items()}
        self.assertEqual(seen, {
            "thing-1": ("mqtt", "thing", "Thing"), "attic": ("attic", "zigbee-bridge", "attic"),
            LAMP: ("attic", "light", "Kitchen light"),
            "0x0017880100000002": ("attic", "plug", "Plug"),
            "0x0017880100000003": ("attic", "cover", "attic/blind"),
            "0x0017880100000004": ("attic", "sensor", "Air"),
            "0x0017880100000005": ("attic", "lock", "Tür"),
            "0x0017880100000006": ("attic", "climate", "Radiator")})
        self.assertEqual({o["presence"] for o in found.values()}, {"online"})
        self.assertEqual((found[LAMP]["model"], found[LAMP]["state"]), ("LCT1", None))
        self.assert_untouched()

    def test_people_get_one_table(self):
        self.device()
        result = self.homeport.run("devices")
        self.assertEqual(result.status, 0, result.stderr)
        for word in ("thing-1", LAMP, "Kitchen light", "attic/blind", "zigbee-bridge"):
            self.assertIn(word, result.stdout)

    def test_a_state_that_is_retained_is_listed(self):
        self.lamp.retained = True
        self.bridge.show(self.lamp)
        self.assertEqual(self.listed()[LAMP]["state"],
                         {"state": "ON", "brightness": 10, "color_temp": 300})

    def test_availability_is_presence(self):
        self.bridge.available(self.lamp, "offline")
        self.assertEqual(self.listed()[LAMP]["presence"], "offline")

    def test_both_channels_are_shown_with_what_they_can_report(self):
        self.device()
        result = self.homeport.json("channels")
        self.assertEqual(result.status, 0, result.stderr)
        found = {o["id"]: o for o in result.objects}
        self.assertEqual({i: (o["kind"], o["link"], o["devices"]) for i, o in found.items()},
                         {"mqtt": ("homeport-mqtt", "connected", 1),
                          "attic": ("zigbee2mqtt", "connected", 7)})
        self.assertEqual(set(found["attic"]["traits"]), {"delivery", "effect", "order"})
        self.assertLess(set(found["attic"]["traits"]), set(found["mqtt"]["traits"]))
        self.assertEqual(found["attic"]["broker"], self.broker.url)

    def test_a_device_is_shown_by_its_name_with_what_can_be_set(self):
        result = self.homeport.json("show", "Kitchen light")
        self.assertEqual((result.status, result.one["device"]), (0, LAMP), result.stderr)
        commands = self.commands("kitchen LIGHT")
        self.assertLessEqual({"turn-on", "turn-off", "set-brightness", "set-color-temp"}, set(commands))
        bounds = commands["set-color-temp"]["arguments"]["properties"]["color-temp"]
        self.assertEqual((bounds["minimum"], bounds["maximum"]), (153, 500))

    def test_people_read_of_telemetry_only_where_there_is_some(self):
        shown = self.homeport.run("show", "Kitchen light", "--wait")
        self.assertEqual(shown.status, 0, shown.stderr)
        self.assertNotIn("Telemetry", shown.stdout)
        self.assertIn("sends no telemetry", shown.stderr)
        self.device()
        shown = self.homeport.run("show", "thing-1")
        self.assertIn("no sample yet (one every few seconds)", shown.stdout)

    def test_a_sensor_offers_no_command_and_a_plug_no_power(self):
        self.assertEqual(self.commands("Air"), {})
        self.assertEqual(set(self.commands("Plug")), {"turn-on", "turn-off", "toggle"})

    def test_a_device_that_the_bridge_does_not_support_harms_no_other(self):
        strange = Zigbee("0x0017880100000009", "0x0017880100000009", [])
        strange.supported = False
        self.bridge.devices.append(strange)
        self.bridge.list_devices()
        found = self.listed()
        self.assertEqual(len(found), 8)
        self.assertEqual(found[strange.address]["name"], strange.address)

    def test_garbage_of_the_bridge_is_not_taken_for_devices(self):
        for payload in (b"x", b"{}", b"[{}]", b'[{"ieee_address":"+/#"}]', b"\xff"):
            self.bridge.link.publish("zigbee2mqtt/bridge/devices", payload, 1, True)
            self.device()
            result = self.homeport.json("devices")
            self.assertEqual(result.status, 0, (payload, result.stderr))
            self.assertLessEqual({o["device"] for o in result.objects}, {"thing-1", "attic"}, payload)


@on_both_versions
class Obeying(TwoChannels):
    """Commands whose effect is read back."""

    def test_success_comes_after_the_value_was_read_back(self):
        found = self.check(self.dim(), 0, "succeeded", "OK")
        self.assertEqual(found["device"], LAMP)
        self.assertEqual(self.bridge.asked("Kitchen light/set"), [{"brightness": 120}])
        self.assertTrue(all(set(g) == {"brightness"} for g in self.bridge.asked("Kitchen light/get")))
        self.assertTrue(self.bridge.asked("Kitchen light/get"))
        self.assertEqual(self.lamp.real["brightness"], 120)

    def test_a_slow_device_succeeds_only_when_it_is_there(self):
        self.lamp.obeys = False
        self.lamp.delayed = [{}, {"brightness": 60}, {"brightness": 120}]
        self.check(self.dim("--expires", "20s"), 0, "succeeded")
        self.assertEqual(self.lamp.delayed, [])

    def test_each_sort_of_device_is_commanded(self):
        for device, name, arguments, leaf, wanted in (
                ("Plug", "turn-off", {}, "Plug/set", {"state": "OFF"}),
                ("attic/blind", "set-position", {"position": 30}, "attic/blind/set", {"position": 30}),
                ("tür", "unlock", {}, "Tür/set", {"state": "UNLOCK"}),
                ("Radiator", "set-occupied-heating-setpoint", {"value": 21.5}, "Radiator/set",
                 {"occupied_heating_setpoint": 21.5}),
                ("0x0017880100000006", "set-system-mode", {"value": "off"}, "Radiator/set",
                 {"system_mode": "off"}),
                (LAMP, "set-color-temp", {"color-temp": 200}, "Kitchen light/set", {"color_temp": 200})):
            with self.subTest(device=device, name=name):
                self.check(self.homeport.send(device, name, **arguments), 0, "succeeded")
                self.assertEqual(self.bridge.asked(leaf)[-1], wanted)

    def test_a_rename_between_two_commands_keeps_the_device_and_changes_the_topic(self):
        self.check(self.dim(), 0, "succeeded")
        self.bridge.rename(self.lamp, "Hall")
        self.assertEqual(self.listed()[LAMP]["name"], "Hall")
        found = self.check(self.dim(device="Hall", brightness=130), 0, "succeeded")
        self.assertEqual(found["device"], LAMP)
        self.assertEqual(self.bridge.asked("Hall/set"), [{"brightness": 130}])
        self.assertEqual(len(self.bridge.asked("Kitchen light/set")), 1)
        self.assertEqual(self.dim().status, 65)
        self.check(self.dim(device=LAMP, brightness=140), 0, "succeeded")

    def test_two_devices_of_two_channels_are_commanded_with_one_ledger(self):
        self.device()
        self.check(self.homeport.send("thing-1", "locate"), 0, "succeeded")
        self.check(self.dim(), 0, "succeeded")
        self.assertEqual([c["device"] for c in self.homeport.history()], [LAMP, "thing-1"])


@on_both_versions
class Failing(TwoChannels):
    """What must never be called success."""

    def test_a_device_that_does_not_obey_has_failed(self):
        self.lamp.obeys = False
        found = self.check(self.dim("--expires", "20s"), 1, "failed")
        self.assertTrue(found["message"])
        self.assertEqual(self.lamp.real["brightness"], 10)
        self.assertEqual(len(self.bridge.asked("Kitchen light/set")), 1, "sent again")

    def test_a_complaint_of_the_bridge_is_the_reason(self):
        self.lamp.complaint = "ZCL command genLevelCtrl.moveToLevelWithOnOff failed (Timeout - 4660)"
        found = self.check(self.dim("--expires", "20s"), 1, "failed")
        self.assertIn(self.lamp.complaint, found["message"])

    def test_a_complaint_about_another_device_is_not_the_reason(self):
        self.lamp.on_set = lambda: self.bridge.log(
            "error", "z2m: Publish 'set' 'brightness' to 'Plug' failed: 'Error: Timeout'", wait=False)
        self.check(self.dim(), 0, "succeeded")

    def test_a_brightness_out_of_range_is_not_published(self):
        for value in (255, 300, -1, "bright"):
            self.assertEqual(self.dim(brightness=value).status, 65, value)
        self.assert_untouched()
        self.assertEqual(self.homeport.history(), [])

    def test_nothing_is_sent_while_the_bridge_is_offline(self):
        self.bridge.say("bridge/state", {"state": "offline"}, True)
        result = self.dim("--expires", "2s", "--wait-timeout", "6s")
        self.assertIn(result.status, (1, 3, 4), result)
        self.assertNotIn(result.one["state"], ("succeeded", "sent", "accepted"), result)
        self.assertEqual(result.one["sends"], 0, result)
        self.assert_untouched()
        self.assertEqual(self.listed()["attic"]["presence"], "offline")

    def test_nothing_is_sent_to_a_device_that_is_offline(self):
        self.bridge.available(self.lamp, "offline")
        result = self.dim("--expires", "2s", "--wait-timeout", "6s")
        self.assertIn(result.status, (1, 4), result)
        self.assert_untouched()

    def test_a_command_without_a_readable_property_ends_sent(self):
        found = self.check(self.homeport.send("Kitchen light", "set-effect", value="blink"), 0, "sent")
        self.assertIn("cannot be read", found["message"])
        self.assertEqual(self.bridge.asked("Kitchen light/set"), [{"effect": "blink"}])
        self.assertEqual(self.bridge.asked("Kitchen light/get"), [])
        self.assertEqual(self.stored(found["id"])["state"], "sent")

    def test_a_device_that_never_answers_the_read_stays_unknown(self):
        self.lamp.answers = False
        self.check(self.dim("--expires", "2s"), 3, "unknown")
        self.assertEqual(len(self.bridge.asked("Kitchen light/set")), 1, "sent again")

    def test_an_unknown_device_or_command_is_sixty_five(self):
        self.assertEqual(self.dim(device="Cellar light").status, 65)
        self.assertEqual(self.homeport.send("Air", "set-temperature", value=20).status, 65)
        self.assert_untouched()

    def test_two_devices_of_one_name_are_not_guessed(self):
        self.device("thing-1", name="Plug")
        self.assertEqual(self.homeport.send("Plug", "turn-off").status, 65)
        self.assert_untouched()


@on_both_versions
class Joining(TwoChannels):
    """`permit-join` of the bridge."""

    def test_the_response_of_the_bridge_is_success(self):
        self.check(self.homeport.send("attic", "permit-join", seconds=60), 0, "succeeded")
        request, = self.bridge.asked("bridge/request/permit_join")
        self.assertEqual(request["time"], 60)
        self.assertTrue(self.listed()["attic"]["state"]["permit_join"])

    def test_an_error_of_the_bridge_is_the_reason(self):
        self.bridge.refusal = "Coordinator does not allow it now"
        found = self.check(self.homeport.send("attic", "permit-join", seconds=60), 1, "failed")
        self.assertIn(self.bridge.refusal, found["message"])

    def test_more_than_the_bridge_takes_is_not_asked(self):
        self.assertEqual(self.homeport.send("attic", "permit-join", seconds=255).status, 65)
        self.assert_untouched()


@on_both_versions
class Following(TwoChannels):
    """`watch --json`."""

    def watch(self, *devices):
        """A watch that has seen the bridge."""
        running = self.homeport.start("watch", *devices)
        self.addCleanup(running.stop)
        running.until(lambda o: o["type"] == "presence", what="presence")
        return running

    def test_a_change_and_a_removal_are_shown(self):
        running = self.watch(LAMP)
        self.bridge.show(self.lamp, brightness=77)
        shown = running.until(lambda o: o["type"] == "state", what="state")
        self.assertEqual((shown["device"], shown["state"]["brightness"]), (LAMP, 77))
        self.bridge.show(self.bridge.named("Plug"), power=60)
        self.bridge.remove(self.lamp)
        shown = running.until(lambda o: o["type"] == "removed", what="removal")
        self.assertEqual(shown["device"], LAMP)
        running.signal(signal.SIGINT)
        status, objects = running.result(20)
        self.assertEqual((status, {o["device"] for o in objects}, running.bad), (0, {LAMP}, []))

    def test_both_channels_are_watched(self):
        device = self.device()
        running = self.watch()
        self.bridge.show(self.bridge.named("Plug"), power=60)
        running.until(lambda o: o["device"] == "0x0017880100000002" and o["type"] == "state")
        device.revision += 1
        device.publish_state(activity="working")
        running.until(lambda o: o["device"] == "thing-1" and o["type"] == "state"
                      and o["state"]["activity"] == "working")

    def test_a_removed_device_is_no_longer_listed_nor_commanded(self):
        self.assertIn(LAMP, self.listed())
        self.bridge.remove(self.lamp)
        self.assertNotIn(LAMP, self.listed())
        result = self.dim()
        self.assertEqual(result.status, 65, result)
        self.assert_untouched()

    def test_a_bridge_that_dies_is_shown_as_offline(self):
        running = self.watch()
        self.bridge.link.drop()
        running.until(lambda o: o["type"] == "presence" and o["device"] == "attic"
                      and o["status"] == "offline", what="the will")


@on_both_versions
class OneChannelDown(TwoChannels):
    """The bridge's broker does not answer."""

    def setUp(self):
        super().setUp()
        self.homeport = self.controller(free_port())
        self.homeport.options += ["--connect-timeout", "1s"]
        self.thing = self.device()

    def test_the_devices_of_the_other_are_served(self):
        result = self.homeport.json("devices")
        self.assertEqual((result.status, [o["device"] for o in result.objects]), (0, ["thing-1"]))
        self.assertIn("attic", result.stderr)
        self.check(self.homeport.send("thing-1", "locate"), 0, "succeeded")
        self.assertEqual(self.homeport.json("show", "Thing").status, 0)
        missing = self.homeport.send("Plug", "turn-off")
        self.assertEqual(missing.status, 65, missing)
        self.assertIn("attic", missing.stderr)

    def test_the_channel_is_shown_as_not_connected(self):
        result = self.homeport.json("channels")
        found = {o["id"]: o["link"] for o in result.objects}
        self.assertEqual((result.status, found["mqtt"]), (0, "connected"))
        self.assertIn(found["attic"], ("down", "connecting"))

    def remember(self):
        """Lets a run with both channels up write the devices into the ledger."""
        whole = self.controller(self.broker.port)
        whole.environment = self.homeport.environment
        self.assertEqual(whole.json("devices").status, 0)

    def test_known_devices_are_listed_with_presence_unknown(self):
        self.remember()
        found = {o: d["presence"] for o, d in self.listed().items()}
        self.assertEqual((found["thing-1"], found.get(LAMP)), ("online", "unknown"))

    def test_a_known_device_is_shown_by_name_and_by_id(self):
        self.remember()
        for reference in ("Kitchen light", LAMP):
            result = self.homeport.json("show", reference)
            self.assertEqual(result.status, 0, result)
            self.assertEqual((result.one["device"], result.one["presence"]), (LAMP, "unknown"))
            self.assertIn("attic", result.stderr)

    def test_a_command_to_a_known_device_says_that_there_is_no_connection(self):
        self.remember()
        for reference in ("Kitchen light", LAMP):
            result = self.dim("--expires", "2s", "--wait-timeout", "5s", device=reference)
            self.assertEqual(result.status, 5, result)
        self.assert_untouched()

    def test_with_no_channel_left_it_is_five(self):
        self.broker.kill()
        for arguments in (("devices",), ("show", "thing-1"), ("channels",)):
            self.assertEqual(self.homeport.json(*arguments).status, 5, arguments)


@on_both_versions
class Groups(TwoChannels):
    """Features under names that clash, and a device with endpoints."""

    def test_a_device_with_two_endpoints_is_commanded_by_property(self):
        left, right = ({**switching(), "property": f"state_{side}", "endpoint": side}
                       for side in ("left", "right"))
        double = Zigbee("0x001788010000000a", "Double", [group("switch", left), group("switch", right)],
                        state_left="OFF", state_right="OFF")
        self.bridge.devices.append(double)
        self.bridge.list_devices()
        self.bridge.available(double)
        names = [n for n in self.commands("Double") if "on" in n.split("-") and "right" in n]
        self.assertEqual(len(names), 1, self.commands("Double").keys())
        self.check(self.homeport.send("Double", names[0]), 0, "succeeded")
        self.assertEqual(self.bridge.asked("Double/set"), [{"state_right": "ON"}])

    def add(self, name, exposes, **state):
        """A further device of the bridge."""
        device = Zigbee(f"0x00178801000001{len(self.bridge.devices):02x}", name, exposes, **state)
        self.bridge.devices.append(device)
        self.bridge.list_devices()
        self.bridge.available(device)
        return device

    def switches(self, kind, name, on="ON", off="OFF"):
        """A switch or lock of a property that is not the state of the device."""
        return group(kind, {**switching(on, off, None), "property": name, "access": STATE | SET})

    def test_what_is_not_the_state_of_a_device_has_no_verb(self):
        child = self.switches("lock", "child_lock", "LOCK", "UNLOCK")
        self.add("Radiator 2", [child, self.switches("switch", "away_mode"),
                                self.switches("switch", "anti_scaling"),
                                group("climate", numeric("current_heating_setpoint", 5, 35))])
        self.add("Socket", [child, group("switch", switching())], state="ON", child_lock="UNLOCK")
        self.assertEqual({o["name"]: o["kind"] for o in self.listed().values()
                          if o["name"] in ("Radiator 2", "Socket")},
                         {"Radiator 2": "climate", "Socket": "switch"})
        self.assertEqual(set(self.commands("Radiator 2")), {
            "set-child-lock", "set-away-mode", "set-anti-scaling", "set-current-heating-setpoint"})
        result = self.homeport.json("send", "--all", "turn-off")
        self.assertEqual(result.status, 0, result)
        self.assertEqual(self.bridge.asked("Radiator 2/set"), [])
        self.assertEqual(self.bridge.asked("Socket/set"), [{"state": "OFF"}])
        self.assertEqual(self.homeport.json("send", "--kind", "lock", "lock").status, 0)
        self.assertEqual(self.bridge.asked("Radiator 2/set"), [])
        self.assertEqual(len(self.bridge.asked("Socket/set")), 1)
        found = self.homeport.send("Radiator 2", "set-away-mode", value="ON").one
        self.assertEqual(found["state"], "sent")
        self.assertEqual(self.bridge.asked("Radiator 2/set"), [{"away_mode": "ON"}])

    def test_values_are_what_people_type(self):
        startup = numeric("color_temp_startup", 153, 500, presets=[{"name": "previous", "value": 65535}])
        self.add("Lobby", [feature("text", "pin"), choice("keep_time", "10", "30"), startup],
                 pin="", keep_time="10", color_temp_startup=200)
        for name, typed, wanted in (
                ("pin", "1234", "1234"), ("pin", "true", "true"), ("pin", "007", "007"),
                ("pin", '"30"', "30"), ("keep_time", "30", "30"),
                ("color_temp_startup", "previous", 65535), ("color_temp_startup", "65535", 65535),
                ("color_temp_startup", "300", 300)):
            with self.subTest(name=name, typed=typed):
                command = "set-" + name.replace("_", "-")
                self.check(self.homeport.send("Lobby", command, value=typed), 0, "succeeded")
                self.assertEqual(self.bridge.asked("Lobby/set")[-1], {name: wanted})
        self.assertEqual(self.homeport.send("Lobby", "set-color-temp-startup", value=501).status, 65)
        added = self.homeport.json("schedule", "add", "--at", "08:30", "Lobby", "set-pin", "value=1234")
        self.assertEqual(added.one["arguments"], {"value": "1234"}, added)

    def test_a_device_that_takes_no_commands_says_why(self):
        self.bridge.named("Plug").disabled = True
        self.bridge.list_devices()
        result = self.homeport.send("Plug", "turn-on")
        self.assertEqual(result.status, 65, result)
        self.assertIn("disabled in zigbee2mqtt", result.stderr)
        self.assertEqual(result.stderr.count("0x0017880100000002"), 1, result.stderr)
        self.assertIn("takes no commands", self.homeport.send("Air", "turn-on").stderr)

    def test_a_device_that_wakes_late_is_believed(self):
        sleeper = self.add("Sleeper", [numeric("setpoint", 5, 30), numeric("battery", 0, 100, STATE)],
                           setpoint=20, battery=80)
        sleeper.sleeps = 7
        self.check(self.homeport.send("Sleeper", "set-setpoint", value=21), 0, "succeeded")

    def test_a_number_that_the_device_rounds_is_still_done(self):
        valve = Zigbee("0x001788010000000b", "Valve", [numeric("opening", 0, 100, value_step=1),
                                                      choice("mode", "a", "b")], opening=0, mode="a")
        self.bridge.devices.append(valve)
        self.bridge.list_devices()
        self.bridge.available(valve)
        name, = [n for n in self.commands("Valve") if "opening" in n]
        argument, = self.commands("Valve")[name]["arguments"]["properties"]
        self.check(self.homeport.send("Valve", name, **{argument: 30}), 0, "succeeded")


if __name__ == "__main__":
    unittest.main()
