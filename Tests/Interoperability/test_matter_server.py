"""`homeport` with python-matter-server itself, whose fabric has nodes that are imported."""

import asyncio
import json
import os
import socket
import subprocess
import time
import unittest

from interop.homeport import Homeport
from interop.processes import _die_with_parent, free_port, is_built, scratch

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


@unittest.skipUnless(PYTHON, "MATTER_SERVER names no Python with python-matter-server[server]")
class RealServer(unittest.TestCase):
    """A server with a robot and a light, which accept everything and change nothing."""

    @classmethod
    def setUpClass(cls):
        if not is_built("homeport"):
            raise unittest.SkipTest("homeport is not built")
        if not os.path.isdir("/data"):
            raise unittest.SkipTest("the Matter SDK needs a folder /data, and there is none")
        folder = scratch()
        # With it the server takes its certificates as fetched, and asks nobody for them.
        (folder / "paa").mkdir()
        (folder / "paa" / ".version").write_text("1")
        port = free_port()
        cls.server = subprocess.Popen(
            [PYTHON, "-m", "matter_server.server", "--storage-path", str(folder), "--port", str(port),
             "--listen-address", "127.0.0.1", "--paa-root-cert-dir", str(folder / "paa"),
             "--disable-server-interactions"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=_die_with_parent)
        cls.addClassCleanup(cls.end)
        cls.await_port(port)
        cls.url = f"ws://127.0.0.1:{port}/ws"
        asyncio.run(cls.import_nodes())
        path = scratch() / "homeport.yaml"
        path.write_text(f'home: villa\nchannels:\n  - {{id: house, kind: matter, url: "{cls.url}"}}\n')
        cls.homeport = Homeport(1)
        cls.homeport.options = ["--config", str(path)]
        listed = cls.homeport.json("devices")
        cls.listed = {o["kind"]: o for o in listed.objects}

    @classmethod
    def end(cls):
        """Ends the server."""
        cls.server.terminate()
        cls.server.wait(20)

    @classmethod
    def await_port(cls, port):
        """Waits until the server listens."""
        until = time.monotonic() + START
        while time.monotonic() < until:
            if cls.server.poll() is not None:
                raise unittest.SkipTest(f"the Matter server ended with {cls.server.returncode}")
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.2)
        raise unittest.SkipTest("the Matter server did not listen in time")

    @classmethod
    async def import_nodes(cls):
        """Gives the server its nodes."""
        async with websockets.connect(cls.url) as peer:
            await peer.recv()
            for number, one in enumerate([robot(8), light(7)]):
                dump = json.dumps({"data": {"node": one}})
                await peer.send(json.dumps({"message_id": str(number), "command": "import_test_node",
                                            "args": {"dump": dump}}))
                answer = json.loads(await peer.recv())
                if "error_code" in answer:
                    raise AssertionError(answer)

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


if __name__ == "__main__":
    unittest.main()
