"""`homeport` with python-matter-server itself: imported nodes, and a virtual light."""

import asyncio
import json
import os
import re
import socket
import time
import unittest
from pathlib import Path

from interop.homeport import Homeport
from interop.processes import ROOT, Child, free_port, is_built, scratch, wait_for_port

try:
    import websockets
    from interop.matter import light, robot
except ImportError as missing:
    raise unittest.SkipTest(f"python3-websockets is not installed: {missing}") from missing

PYTHON = os.environ.get("MATTER_SERVER")
"""A Python that has python-matter-server 8, such as that of a virtual environment."""

START = 60
"""Seconds that the server may take to listen."""

SEARCH = 120
"""Seconds that it may look for a device that is not there; it gives up after 30."""


DUMPS = os.environ.get("MATTER_DUMPS")
"""A folder with dumps of real nodes, a JSON file each, such as those of Home Assistant's tests."""

LIGHT_ADDRESS = "10.55.0.1"
"""Where the virtual light is, on an interface that `make interop-matter` gives it."""

FIRST = 900_000
"""The number of the first imported node."""

LOSS = 180
"""Seconds within which the server must say that a light is gone; it looks for it twice, for 45 s each."""

MEMBERS = ("node_id", "date_commissioned", "last_interview", "interview_version", "available", "is_bridge",
           "attributes", "attribute_subscriptions")
"""The members of a node that the server takes; it refuses others."""

KINDS = {256: "light", 257: "light", 268: "light", 269: "light", 266: "plug", 267: "plug", 10: "lock",
         514: "cover", 769: "climate", 116: "sweeping-robot", 1292: "evse", 24: "energy-store", 23: "solar",
         43: "fan", 21: "sensor", 263: "sensor", 770: "sensor", 775: "sensor", 262: "sensor", 773: "sensor",
         774: "sensor", 44: "sensor", 118: "sensor", 67: "sensor", 15: "sensor"}
"""The kinds of device types, as `docs/matter.md` has them."""

UNTRUE = re.compile(r"Optional\(|\bnull\b|\bnil\b|\bNone\b|\bnan\b|TLVValue|\*\*REDACTED")
"""What no text for people has."""


class RealServer(Child):
    """python-matter-server with a new fabric; `paa` holds the authorities that it believes."""

    def __init__(self, paa):
        # With it the server takes its certificates as fetched, and asks nobody for them.
        paa.mkdir(exist_ok=True)
        (paa / ".version").write_text("1")
        port = free_port()
        super().__init__([PYTHON, "-m", "matter_server.server", "--storage-path", str(scratch()),
                          "--port", str(port), "--listen-address", "127.0.0.1",
                          "--paa-root-cert-dir", str(paa), "--disable-server-interactions"])
        self.url = f"ws://127.0.0.1:{port}/ws"
        wait_for_port(port, timeout=START)

    def import_nodes(self, nodes):
        """Gives the server nodes; their numbers count from `FIRST`."""
        asyncio.run(self._import(nodes))

    async def _import(self, nodes):
        async with websockets.connect(self.url, max_size=None) as peer:
            await peer.recv()
            for number, one in enumerate(nodes):
                dump = json.dumps({"data": {"node": one}})
                await peer.send(json.dumps({"message_id": str(number), "command": "import_test_node",
                                            "args": {"dump": dump}}))
                answer = json.loads(await peer.recv())
                if "error_code" in answer:
                    raise AssertionError((one["node_id"], answer))

    def controller(self):
        """`homeport` with the server as its only channel."""
        path = scratch() / "homeport.yaml"
        path.write_text(f'home: villa\nchannels:\n  - {{id: house, kind: matter, url: "{self.url}"}}\n')
        homeport = Homeport(1)
        homeport.options = ["--config", str(path)]
        return homeport


@unittest.skipUnless(PYTHON, "MATTER_SERVER names no Python with python-matter-server[server]")
class WithServer(unittest.TestCase):
    """Tests with a server of their own."""

    @classmethod
    def setUpClass(cls):
        if not is_built("homeport"):
            raise unittest.SkipTest("homeport is not built")
        if not os.path.isdir("/data"):
            raise unittest.SkipTest("the Matter SDK needs a folder /data, and there is none")

    @classmethod
    def begin(cls, paa=None):
        """Starts the server."""
        cls.server = RealServer(paa or scratch() / "paa")
        cls.addClassCleanup(cls.server.stop)
        cls.homeport = cls.server.controller()


class ImportedNodes(WithServer):
    """A robot and a light, which accept everything and change nothing."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.begin()
        cls.server.import_nodes([robot(8), light(7)])
        cls.listed = {o["kind"]: o for o in cls.homeport.json("devices").objects}

    def test_devices_are_listed(self):
        self.assertEqual({o["presence"] for o in self.listed.values()}, {"online"})
        self.assertEqual(set(self.listed), {"sweeping-robot", "light"})

    def test_a_robot_accepts_a_start_with_and_without_rooms(self):
        robby = self.listed["sweeping-robot"]["device"]
        for rooms in ({}, {"rooms": '["Kitchen"]'}):
            result = self.homeport.send(robby, "start-cleaning", "--wait", "accepted", **rooms)
            self.assertEqual((result.status, result.one["state"]), (0, "accepted"), result)

    def test_an_answer_without_an_effect_is_unknown(self):
        lamp = self.listed["light"]["device"]
        result = self.homeport.send(lamp, "turn-on", "--expires", "2s")
        self.assertEqual((result.status, result.one["state"]), (3, "unknown"), result)

    def test_a_device_that_is_not_there_is_not_brought_in(self):
        result = self.homeport.json("provision", "--matter", "34970112332", "--channel", "house",
                                    timeout=SEARCH)
        self.assertEqual(result.status, 1, result)
        self.assertEqual(result.objects[-1]["code"], "DEVICE_NOT_FOUND", result)


class VirtualLight(WithServer):
    """A light (CircuitMatter) in the network of the server."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with socket.socket() as probe:
            try:
                probe.bind((LIGHT_ADDRESS, 0))
            except OSError as missing:
                raise unittest.SkipTest(f"no interface for a light: {missing}") from missing
        cls.folder = scratch()
        cls.start_light()
        cls.begin(cls.folder / "paa")

    @classmethod
    def start_light(cls):
        """Starts the light, which keeps its state."""
        cls.light = Child([PYTHON, str(ROOT / "Tests/Interoperability/interop/virtual_light.py"),
                           str(cls.folder), LIGHT_ADDRESS])
        cls.addClassCleanup(cls.light.kill)
        cls.code, cls.wrong_code = cls.light.line(r"codes (\S+) (\S+)").groups()

    def bring_in(self, code):
        """Asks for the light."""
        return self.homeport.json("provision", "--matter", code, "--channel", "house", timeout=SEARCH)

    def listed(self):
        """The only device."""
        return self.homeport.json("devices").one

    def until_presence(self, presence, timeout):
        """Waits until the light counts as there, or as away."""
        until = time.monotonic() + timeout
        while (seen := self.listed()["presence"]) != presence:
            self.assertLess(time.monotonic(), until, f"the light is still {seen}")
            time.sleep(1)

    def switch(self, name, heard, state):
        """Sends a command, and looks at the light."""
        result = self.homeport.send(self.device, name)
        self.assertEqual((result.status, result.one["state"]), (0, "succeeded"), result)
        self.light.line(heard)
        self.assertEqual(self.listed()["state"]["state"], state)

    def test_a_light_from_its_code_to_its_loss_and_return(self):
        with self.subTest("a wrong code does not bring it in"):
            result = self.bring_in(self.wrong_code)
            self.assertEqual((result.status, result.objects[-1]["code"]), (1, "WRONG_PROOF"), result)
            self.assertEqual(self.homeport.json("devices").objects, [])
        result = self.bring_in(self.code)
        self.assertEqual((result.status, result.objects[-1]["state"]), (0, "provisioned"), result)
        self.__class__.device = result.objects[-1]["device"]
        found = self.listed()
        self.assertEqual((found["device"], found["kind"], found["presence"], found["state"]),
                         (self.device, "light", "online", {"state": "OFF"}))
        with self.subTest("the same code changes nothing"):
            again = self.bring_in(self.code)
            self.assertEqual((again.status, again.objects[-1]["device"]), (0, self.device), again)
            self.assertEqual(self.listed()["device"], self.device)
        with self.subTest("it is switched"):
            self.switch("turn-on", "on", "ON")
            self.switch("turn-off", "off", "OFF")
        with self.subTest("it is lost"):
            self.light.kill()
            self.until_presence("offline", LOSS)
            result = self.homeport.send(self.device, "turn-on")
            self.assertEqual((result.status, result.one["code"], result.one["sends"]),
                             (1, "NOT_READY", 0), result)
        with self.subTest("it returns"):
            self.start_light()
            self.until_presence("online", 60)
            self.switch("turn-on", "on", "ON")


@unittest.skipUnless(DUMPS, "MATTER_DUMPS names no folder with dumps of nodes")
class RealDumps(WithServer):
    """Nodes that others have, imported from their dumps."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.nodes = {}
        for path in sorted(Path(DUMPS).glob("*.json")):
            told = json.loads(path.read_text())
            told = told.get("data", {}).get("node", told)
            cls.nodes[path.name] = {key: told[key] for key in MEMBERS if key in told}
        cls.begin()
        cls.server.import_nodes(cls.nodes.values())
        listed = cls.homeport.json("devices")
        if listed.status or listed.stderr:
            raise AssertionError(listed)
        cls.listed = {o["device"]: o for o in listed.objects}

    def each(self):
        """Every dump: its name, its attributes and the id of its device."""
        return [(name, one["attributes"], f"house-{FIRST + number}")
                for number, (name, one) in enumerate(self.nodes.items())]

    def types(self, attributes):
        """The device types on the endpoints other than the root and the bridged ones."""
        lists = [{one["0"] for one in told} for path, told in attributes.items()
                 if re.fullmatch(r"[1-9]\d*/29/0", path)]
        return {one for each in lists if 19 not in each for one in each}

    def test_every_node_has_its_name_and_kind(self):
        for name, attributes, device in self.each():
            with self.subTest(name):
                found = self.listed[device]
                label = attributes.get("0/40/5") or attributes.get("0/40/3")
                self.assertEqual(found["name"], label.strip() if label else device)
                types = self.types(attributes)
                kinds = {KINDS[t] for t in types if t in KINDS} | ({"matter-bridge"} if 14 in types else set())
                self.assertIn(found["kind"], kinds or {"matter-device"}, types)

    def test_every_bridged_endpoint_is_a_device(self):
        for name, attributes, device in self.each():
            with self.subTest(name):
                ends = {path.split("/")[0] for path, told in attributes.items()
                        if path.endswith("/29/0") and any(one["0"] == 19 for one in told)}
                behind = {other for other in self.listed if other.startswith(f"{device}-")}
                self.assertEqual(behind, {f"{device}-{end}" for end in ends})

    def test_every_device_is_shown_in_words_that_are_true(self):
        for name, device in self.listed.items():
            with self.subTest(name):
                shown = self.homeport.run("show", name)
                self.assertEqual((shown.status, shown.stderr), (0, ""), shown)
                self.assertIn(device["name"], shown.stdout)
                self.assertIsNone(UNTRUE.search(shown.stdout), shown.stdout)


if __name__ == "__main__":
    unittest.main()
