"""`homeport` with a channel of kind matter, on a stand-in for the server."""

import json
import time
import unittest

from interop.homeport import Homeport
from interop.processes import free_port, is_built, scratch

try:
    from interop.matter import LAMP_PRODUCT, MAKER, MatterServer, light, robot
except ImportError as missing:
    raise unittest.SkipTest(f"python3-websockets is not installed: {missing}") from missing

CODE = "34970112332"
QR = "MT:-24J0AFN00KA0648G00"
PASSCODE = "20202021"


class OnServer(unittest.TestCase):
    """A server, a configuration file, and a controller."""

    def setUp(self):
        if not is_built("homeport"):
            self.skipTest("homeport is not built")
        self.server = MatterServer([light(7), robot(8), light(2**64 - 1, available=False)])
        self.addCleanup(self.server.close)
        self.homeport = self.controller(self.server.url)

    def controller(self, url, **members):
        """A controller whose file names the server."""
        path = scratch() / "homeport.yaml"
        line = {"id": "house", "kind": "matter", "url": url, "connect-timeout": "2s", **members}
        path.write_text("home: villa\nchannels:\n  - " + json.dumps(line) + "\n")
        homeport = Homeport(1)
        homeport.options = ["--config", str(path)]
        return homeport

    def run_verb(self, *arguments, status=0):
        """Runs a verb with --json, and checks how it ends."""
        result = self.homeport.json(*arguments)
        self.assertEqual(result.status, status, result)
        return result

    def send(self, device, name, *options, status=0, state="succeeded", **arguments):
        """Sends a command, and checks how it ends."""
        result = self.homeport.send(device, name, *options, **arguments)
        self.assertEqual((result.status, result.one["state"]), (status, state), result)
        return result.one


class Commands(OnServer):
    """Listing and sending."""

    def test_devices_are_listed_without_a_command(self):
        found = {o["device"]: (o["kind"], o["presence"]) for o in self.run_verb("devices").objects}
        self.assertEqual(found, {"house-7": ("light", "online"),
                                 "house-8": ("sweeping-robot", "online"),
                                 f"house-{2**64 - 1}": ("light", "offline")})
        self.assertEqual([name for name, _ in self.server.requests], ["start_listening"])

    def test_a_setting_succeeds_once_it_was_reported(self):
        self.send("house-7", "turn-on")
        self.assertEqual(len(self.server.named("device_command")), 1)

    def test_an_answer_without_an_effect_is_unknown_and_not_sent_again(self):
        self.server.obeys = False
        self.send("house-7", "turn-on", "--expires", "2s", status=3, state="unknown")
        self.assertEqual(len(self.server.named("device_command")), 1)
        self.assertTrue(self.server.named("read_attribute"))

    def test_cleaning_starts_with_and_without_rooms(self):
        select, start = ("SelectAreas", {"newAreas": [1]}), ("ChangeToMode", {"newMode": 1})
        for rooms, expected in [({}, [start]), ({"rooms": '["Kitchen"]'}, [select, start])]:
            self.assertEqual(self.cleaning(**rooms), expected)

    def test_without_rooms_a_former_selection_is_dropped(self):
        self.server.nodes[8]["attributes"]["1/336/2"] = [2]
        self.assertEqual(self.cleaning(), [("SelectAreas", {"newAreas": []}),
                                           ("ChangeToMode", {"newMode": 1})])

    def cleaning(self, **rooms):
        """Starts to clean, and returns the commands that the robot gets."""
        before = len(self.server.named("device_command"))
        # The report comes before the answer here, so the start has succeeded already.
        self.send("house-8", "start-cleaning", **rooms)
        return [(a["command_name"], a["payload"])
                for a in self.server.named("device_command")[before:]]

    def test_a_lost_answer_with_an_effect_is_a_success(self):
        self.server.hangs_up_at = "device_command"
        self.send("house-7", "turn-on")
        self.assertEqual(len(self.server.named("device_command")), 1)

    def test_of_a_lost_answer_nothing_is_said_to_be_confirmed(self):
        self.server.obeys, self.server.hangs_up_at = False, "device_command"
        sent = self.send("house-7", "turn-on", "--expires", "3s", status=3, state="unknown")
        told = self.homeport.run("explain", sent["id"]).stdout
        self.assertNotIn("confirmed that it has it", told)
        self.assertIn("was lost before it answered", told)
        self.assertEqual(len(self.server.named("device_command")), 1)

    def test_the_rooms_are_named_where_another_is_asked_for(self):
        for rooms in ("[9]", '["Attic"]', "Attic"):
            refused = self.homeport.send("house-8", "start-cleaning", rooms=rooms)
            self.assertEqual(refused.status, 65, refused)
            self.assertIn("Kitchen", refused.stderr)

    def test_undo_says_why_it_cannot(self):
        self.send("house-7", "turn-on")
        refused = self.homeport.run("undo", "house-7")
        self.assertEqual(refused.status, 1, refused)
        self.assertIn("turn-on (", refused.stderr)

    def test_a_server_that_is_away_is_status_five_in_time(self):
        self.homeport = self.controller(f"ws://127.0.0.1:{free_port()}/ws")
        for verb in (["devices"], ["send", "house-7", "turn-on"],
                     ["provision", "--matter", CODE, "--channel", "house"]):
            begin = time.monotonic()
            result = self.homeport.run(*verb)
            self.assertEqual(result.status, 5, result)
            self.assertIn("127.0.0.1", result.stderr + result.stdout)
            self.assertLess(time.monotonic() - begin, 8)


class Provisioning(OnServer):
    """`provision --matter`."""

    STATES = ["scanning", "connecting-to-device-ap", "sending-wifi-credentials",
              "confirming-cloud-connection", "finalizing"]

    def provision(self, *options, code=CODE, status=0, state="provisioned"):
        """Brings a device in, and checks how that ends."""
        result = self.run_verb("provision", "--matter", code, "--channel", "house", *options,
                               status=status)
        for text in (result.stdout, result.stderr):
            self.assertNotIn(PASSCODE, text)
            self.assertNotIn(CODE, text)
        for file in self.homeport.ledger.parent.glob(self.homeport.ledger.name + "*"):
            if file.is_file():
                self.assertNotIn(PASSCODE.encode(), file.read_bytes())
        self.assertEqual(result.objects[-1]["state"], state, result)
        return result.objects

    def test_a_device_comes_in_once(self):
        objects = self.provision()
        self.assertEqual([o["to"] for o in objects[:-1]], self.STATES)
        self.assertEqual(objects[-1]["device"], "house-100")
        self.assertEqual(self.provision(code=QR)[-1]["device"], "house-100")
        self.assertEqual(self.server.named("commission_with_code"),
                         [{"code": CODE, "network_only": True}])

    def test_wrong_and_absent_devices_are_told_apart(self):
        self.server.failure = (1, f"Commission with code failed for node 9 ({PASSCODE})")
        last = self.provision(status=1, state="failed")[-1]
        self.assertEqual((last["code"], last["userAction"]), ("DEVICE_NOT_FOUND", "pressReset"))
        self.server.shown = [3840]
        last = self.provision(status=1, state="failed")[-1]
        self.assertEqual((last["code"], last["userAction"]), ("WRONG_PROOF", "checkLabel"))

    def test_a_lost_connection_does_not_commission_twice(self):
        self.server.hangs_up_at = "commission_with_code"
        self.assertEqual(self.provision()[-1]["device"], "house-100")
        self.assertEqual(self.server.commissioned, 1)

    def test_what_cannot_be_a_code_is_never_sent(self):
        for code in ("34970112333", "3497", "MT:-24J0AFN00KA0648G0", "x"):
            result = self.homeport.run("provision", "--matter", code, "--channel", "house")
            self.assertEqual(result.status, 65, result)
        self.assertEqual(self.server.requests, [])

    def test_the_password_comes_from_stdin_and_goes_to_the_server_alone(self):
        result = self.homeport.run("provision", "--matter", CODE, "--channel", "house", "--ssid",
                                   "attic", "--password", "-", typed="correct horse\n")
        self.assertEqual(result.status, 0, result)
        self.assertNotIn("correct horse", result.stdout + result.stderr)
        self.assertEqual(self.server.named("set_wifi_credentials"),
                         [{"ssid": "attic", "credentials": "correct horse"}])

    def test_the_new_device_is_commanded(self):
        self.provision()
        self.send("house-100", "turn-on")
        attributes = self.server.nodes[100]["attributes"]
        self.assertEqual((attributes["0/40/2"], attributes["0/40/4"]), (MAKER, LAMP_PRODUCT))

    def test_every_form_of_the_code_is_hidden(self):
        for form in (CODE, "3497-011-2332", QR, QR.lower(), PASSCODE, "2020-2021"):
            self.server.failure = (7, f"could not set up '{form}'")
            last = self.provision(code=QR, status=1, state="failed")[-1]
            self.assertIn("could not set up '<redacted>'", last["message"])

    def test_a_file_is_told_from_a_code(self):
        folder = scratch()
        (folder / "text.txt").write_text("no code at all\n")
        (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
        for name, words in (("missing.png", "No such file"), ("text.txt", "Matter code cannot be used"),
                            ("picture.png", "not a picture that can be read")):
            path = str(folder / name)
            result = self.homeport.run("provision", "--matter", path, "--channel", "house")
            self.assertEqual(result.status, 65, result)
            self.assertIn(words, result.stderr)
            self.assertIn(path, result.stderr)


class TwoServers(OnServer):
    """A home with two servers."""

    def setUp(self):
        super().setUp()
        self.other = MatterServer([light(7), light(9)])
        self.addCleanup(self.other.close)
        self.write()

    def write(self, rule=None, urls=None):
        """The configuration file."""
        lines = [{"id": name, "kind": "matter", "url": url, "connect-timeout": "2s"}
                 for name, url in zip(("house", "attic"), urls or (self.server.url, self.other.url))]
        text = "home: villa\nchannels:\n" + "".join(f"  - {json.dumps(line)}\n" for line in lines)
        if rule:
            text += f"rules:\n  - {json.dumps(rule)}\n"
        path = scratch() / "homeport.yaml"
        path.write_text(text)
        self.homeport.options = ["--config", str(path)]

    def test_a_device_comes_onto_the_server_that_is_named(self):
        result = self.run_verb("provision", "--matter", CODE, "--channel", "attic")
        self.assertEqual(result.objects[-1]["device"], "attic-100")
        self.assertEqual((self.server.commissioned, self.other.commissioned), (0, 1))

    def test_a_serial_number_joins_a_device_for_show_too(self):
        for server in (self.server, self.other):
            server.nodes[7]["attributes"]["0/40/15"] = "SN-4711"
        shown = self.run_verb("show", "house-7").one
        self.assertEqual([c["channel"] for c in shown["channels"]], ["house", "attic"], shown)
        self.assertNotIn("unknown", [p["presence"] for p in shown.get("presenceHistory", [])])

    def test_a_rule_that_joins_two_devices_of_one_channel_is_not_applied(self):
        self.write({"device": "house-7", "same-as": "house-8"})
        found = self.run_verb("devices")
        self.assertEqual({o["device"] for o in found.objects} & {"house-7", "house-8"},
                         {"house-7", "house-8"})
        self.assertIn("house-7 and house-8, which are two devices of the channel house", found.stderr)
        self.send("house-7", "turn-on")
        self.assertTrue(self.server.nodes[7]["attributes"]["1/6/0"])
        checked = self.homeport.run("doctor")
        self.assertIn("same-as", checked.stdout)
        self.assertIn("which are two devices of the channel house", checked.stdout)

    def test_where_both_are_down_both_are_named(self):
        ports = (free_port(), free_port())
        self.write(urls=[f"ws://127.0.0.1:{port}/ws" for port in ports])
        result = self.homeport.run("devices")
        self.assertEqual(result.status, 5, result)
        for port in ports:
            self.assertIn(str(port), result.stderr)


if __name__ == "__main__":
    unittest.main()
