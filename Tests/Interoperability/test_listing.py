"""`homeport devices` and `show` with devices that were written from the page alone."""

import unittest

from interop.cases import on_both_versions
from interop.controller_cases import WithBroker
from interop.device import COMMANDS, Device
from interop.homeport import Homeport
from interop.identifiers import now_ms, topic
from interop.processes import free_port
from interop.strict_json import encode


@on_both_versions
class Devices(WithBroker):
    """`devices --json` and `show --json`."""

    def listed(self):
        """The objects by device."""
        result = self.homeport.json("devices")
        self.assertEqual(result.status, 0, result.stderr)
        return {o["device"]: o for o in result.objects}

    def test_a_device_is_listed_with_everything_known(self):
        device = self.device()
        found = self.listed()["thing-1"]
        self.assertEqual(set(found), {"device", "home", "channel", "kind", "model", "name", "room",
                                      "presence", "boot", "revision", "state", "telemetry"})
        self.assertEqual((found["home"], found["model"], found["name"], found["presence"]),
                         ("home-1", "thing-x", "Thing", "online"))
        self.assertEqual((found["boot"], found["revision"]), (device.boot, 5))
        self.assertEqual(found["state"], {"activity": "idle", "batteryPercent": 71})
        self.assertIsNone(found["telemetry"])

    def test_people_get_a_table(self):
        self.device()
        result = self.homeport.run("devices")
        self.assertEqual(result.status, 0, result.stderr)
        self.assertIn("thing-1", result.stdout)
        self.assertIn("online", result.stdout)

    def test_unknown_kinds_and_models_are_not_hidden(self):
        self.device("mower-1", kind="lawn-mower", model="m-3000")
        self.device("sweeper-9", kind="sweeping-robot", model="never-heard-of")
        self.device("pool-9", kind="sweeping-robot", model="pool-p1")
        listed = self.listed()
        self.assertEqual(set(listed), {"mower-1", "sweeper-9", "pool-9"})
        self.assertEqual(listed["mower-1"]["model"], "m-3000")

    def test_a_description_with_bare_command_names_or_without_optional_members(self):
        self.device("bare-1", commands=["locate", "make-tea"])
        self.device("bare-2", name=None, firmware=None)
        self.device("bare-3", commands=[{"name": "locate"}])
        self.device("bare-4", commands=[])
        self.device("bare-5", colour="blue", commands=[{**COMMANDS[0], "price": {"a": 1}}])
        self.assertEqual(set(self.listed()), {f"bare-{i}" for i in range(1, 6)})

    def test_presence_is_offline_or_unknown_where_it_is(self):
        off, bare = self.device("off-1"), self.device("bare-1", online=False)
        off.close()
        bare.link.publish(bare.topic("description"), encode(bare.description), 1, True)
        listed = self.listed()
        self.assertEqual(listed["off-1"]["presence"], "offline")
        self.assertEqual(listed["bare-1"]["presence"], "unknown")

    def test_a_will_is_seen_as_offline(self):
        device = self.device()
        watcher = self.link()
        watcher.subscribe(device.topic("presence"), 1)
        device.link.drop()
        watcher.wait(topic=device.topic("presence"), where=lambda m: m.json["status"] == "offline")
        self.assertEqual(self.listed()["thing-1"]["presence"], "offline")

    def test_garbage_on_topics_harms_no_other_device(self):
        self.device()
        link = self.link()
        garbage = [b"x", b"{}", b"[]", b"\xff", b'{"v":1}', b"[" * 70_000,
                   encode({"v": 1, "device": "other", "status": "online", "boot": "b", "at": 1})]
        for index, payload in enumerate(garbage):
            for leaf in ("description", "presence", "state"):
                link.publish(topic("home-1", f"bad-{index}", leaf), payload, 1, True)
        for name in ("UPPER", "-x", "a" * 64, "ü"):
            link.publish(f"homeport/v1/home-1/{name}/description", b"{}", 1, True)
        self.assertIn("thing-1", self.listed())
        self.assertEqual(self.listed()["thing-1"]["presence"], "online")

    def test_show_adds_the_description(self):
        self.device()
        result = self.homeport.json("show", "thing-1")
        self.assertEqual(result.status, 0, result.stderr)
        names = {c if isinstance(c, str) else c["name"] for c in result.one["description"]["commands"]}
        self.assertEqual(names, {c["name"] for c in COMMANDS})
        self.assertEqual(result.one["device"], "thing-1")

    def test_show_of_an_unknown_device_is_sixty_five(self):
        self.device()
        self.assertEqual(self.homeport.json("show", "thing-2").status, 65)

    def test_another_home_is_not_mixed_in(self):
        self.device()
        other = Device(self.broker.port, "thing-7", self.version, home="home-2").online()
        self.addCleanup(other.link.close)
        self.assertEqual(set(self.listed()), {"thing-1"})
        result = self.homeport.json("devices", "--home", "home-2")
        self.assertEqual([o["device"] for o in result.objects], ["thing-7"])


@on_both_versions
class ManyDevices(WithBroker):
    """2,000 retained devices on a broker in its default configuration."""

    def test_two_thousand_devices_are_two_thousand_lines(self):
        link = self.link()
        names = [f"thing-{i}" for i in range(2000)]
        maker = Device.__new__(Device)
        maker.boot = "b1"
        for name in names:
            maker.name = name
            state = {"v": 1, "device": name, "boot": "b1", "revision": 1, "at": now_ms(),
                     "by": None, "state": {"activity": "idle"}}
            for leaf, payload in (("description", encode(maker.describe({}))),
                                  ("presence", maker.presence("online")), ("state", encode(state))):
                last = link.publish(topic("home-1", name, leaf), payload, 1, True, wait=False)
        last.wait_for_publish(60)
        result = self.homeport.json("devices")
        self.assertEqual(result.status, 0, result.stderr)
        found = result.objects
        self.assertEqual(len(found), 2000)
        self.assertEqual({o["device"] for o in found}, set(names))
        self.assertEqual({(o["presence"], o["revision"], o["model"]) for o in found},
                         {("online", 1, "thing-x")})


class Connections(WithBroker, unittest.TestCase):
    """Status 5 and 64."""

    def test_an_unreachable_broker_is_five(self):
        nowhere = Homeport(free_port())
        for arguments in (["devices"], ["show", "x"], ["send", "x", "locate"]):
            result = nowhere.json(*arguments, "--connect-timeout", "1s")
            self.assertEqual(result.status, 5, (arguments, result.stderr))
            self.assertTrue(result.stderr.strip())

    def test_wrong_usage_is_sixty_four(self):
        for arguments in (["devices", "--colour"], ["dance"], ["send"], ["send", "x"],
                          ["send", "thing-1", "locate", "--expires", "soon"],
                          ["send", "thing-1", "locate", "--expires", "-1s"],
                          ["send", "thing-1", "locate", "--expires", "0s"],
                          ["send", "thing-1", "locate", "--expires", "25h"],
                          ["send", "thing-1", "locate", "--wait", "forever"],
                          ["send", "thing-1", "locate", "--set", "novalue"],
                          ["devices", "--home", "Home+1"], ["devices", "--controller", "a/b"],
                          ["devices", "--mqtt-version", "6"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.homeport.run(*arguments).status, 64)

    def test_a_password_in_the_url_is_refused_and_not_repeated(self):
        bare = Homeport(self.broker.port)
        bare.options = []
        result = bare.run("devices", "--broker", f"mqtt://user:hushhush@127.0.0.1:{self.broker.port}")
        self.assertEqual(result.status, 64, result.stderr)
        self.assertNotIn("hushhush", result.stderr)

    def test_help_and_version_are_zero(self):
        for arguments in (["--help"], ["--version"], ["send", "--help"], ["history", "--help"]):
            bare = Homeport(self.broker.port)
            bare.options = []
            result = bare.run(*arguments)
            self.assertEqual(result.status, 0, arguments)
            self.assertTrue(result.stdout.strip())

    def test_an_unwritable_ledger_is_said_clearly(self):
        self.device()
        hopeless = Homeport(self.broker.port, ledger="/proc/nowhere/ledger.sqlite")
        result = hopeless.send("thing-1", "locate")
        self.assertNotIn(result.status, (0, 1, 3, 4, 5))
        self.assertIn("/proc/nowhere", result.stderr)


class Credentials(WithBroker, unittest.TestCase):
    """A broker that lets nobody in."""

    configuration = "allow_anonymous false\n"

    def test_refused_credentials_are_five(self):
        for version in ("5", "3.1.1"):
            result = Homeport(self.broker.port, version).json("devices", "--connect-timeout", "3s")
            self.assertEqual(result.status, 5, result.stderr)
            self.assertTrue(result.stderr.strip())


if __name__ == "__main__":
    unittest.main()
