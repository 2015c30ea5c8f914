"""A Matter server, written from python-matter-server's description of its interface (schema 11)."""

import asyncio
import json
import threading

import websockets

MAKER, LAMP_PRODUCT = 65521, 32769
LIGHT, ROBOT = 256, 116
IDLE, CLEANING = 0x4000, 0x4001


def node(number, device_type, available=True, **attributes):
    """A node with one endpoint; attributes are named like `a6_0` for cluster 6, attribute 0."""
    values = {"0/40/2": MAKER, "0/40/4": LAMP_PRODUCT, "0/40/3": "Product", "0/40/5": f"Node {number}",
              "1/29/0": [{"0": device_type, "1": 1}]}
    for name, value in attributes.items():
        cluster, attribute = name[1:].split("_")
        values[f"1/{cluster}/{attribute}"] = value
    return {"node_id": number, "date_commissioned": "2025-01-01T00:00:00",
            "last_interview": "2025-01-01T00:00:00", "interview_version": 6, "available": available,
            "is_bridge": False, "attributes": values, "attribute_subscriptions": []}


def light(number, **options):
    """A light that is off."""
    return node(number, LIGHT, a6_0=False, **options)


def robot(number):
    """A vacuum cleaner in its dock, with two rooms and two clean modes."""
    return node(
        number, ROBOT,
        a84_0=[{"0": "Idle", "1": 0, "2": [{"1": IDLE}]}, {"0": "Clean", "1": 1, "2": [{"1": CLEANING}]}],
        a84_1=0,
        a85_0=[{"0": "Vacuum", "1": 0, "2": [{"1": 0x4001}]}, {"0": "Deep Clean", "1": 1, "2": [{"1": 0x4000}]}],
        a85_1=0,
        a97_3=[{"0": 0}, {"0": 1}, {"0": 2}, {"0": 3}, {"0": 66}], a97_4=66, a97_65529=[0, 3, 128],
        a336_0=[{"0": 1, "1": None, "2": {"0": {"0": "Kitchen", "1": None, "2": None}, "1": None}},
                {"0": 2, "1": None, "2": {"0": {"0": "Hall", "1": None, "2": None}, "1": None}}],
        a336_1=[], a336_2=[], a336_3=None)


class MatterServer:
    """A server on a thread of its own. What differs from a good one is an attribute."""

    def __init__(self, nodes, schema=11, oldest=9, bluetooth=False, port=0):
        self.nodes = {n["node_id"]: n for n in nodes}
        self.greeting = {"fabric_id": 1, "compressed_fabric_id": 2**64 - 2, "schema_version": schema,
                         "min_supported_schema_version": oldest, "sdk_version": "2025.7.0",
                         "wifi_credentials_set": False, "thread_credentials_set": False,
                         "bluetooth_enabled": bluetooth}
        self.requests = []
        self.obeys = True
        """Whether devices do what they accept."""
        self.next_node = 100
        self.commissioned = 0
        self.hangs_up_at = None
        """The command at which it ends the connection without an answer, once."""
        self.failure = None
        """Error and words of the next commissioning."""
        self.shown = []
        """The discriminators of the devices in set-up mode."""
        self.port = port
        self._peers = set()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait(10)

    @property
    def url(self):
        """Where it is."""
        return f"ws://127.0.0.1:{self.port}/ws"

    def named(self, command):
        """The arguments of all requests of a name."""
        return [arguments for name, arguments in self.requests if name == command]

    def close(self):
        """Ends it."""
        async def end():
            self._server.close()
            await self._server.wait_closed()

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    def _run(self):
        asyncio.set_event_loop(self._loop)

        async def begin():
            self._server = await websockets.serve(self._serve, "127.0.0.1", self.port)
            self.port = self._server.sockets[0].getsockname()[1]

        self._loop.run_until_complete(begin())
        self._ready.set()
        self._loop.run_forever()

    async def _serve(self, peer):
        self._peers.add(peer)
        try:
            await peer.send(json.dumps(self.greeting))
            async for text in peer:
                request = json.loads(text)
                self.requests.append((request["command"], request["args"]))
                await self._answer(peer, request)
        except websockets.ConnectionClosed:
            pass
        finally:
            self._peers.discard(peer)

    async def _answer(self, peer, request):
        command, arguments = request["command"], request["args"]
        work = getattr(self, "_" + command, None)
        if self.hangs_up_at == command:
            self.hangs_up_at = None
            await peer.close()
            if work:
                await work(arguments)
            return
        if work is None:
            answer = {"error_code": 9, "details": f"Unknown command: {command}"}
        else:
            answer = await work(arguments)
        await peer.send(json.dumps({"message_id": request["message_id"], **answer}))

    async def _tell(self, event, data):
        for peer in list(self._peers):
            try:
                await peer.send(json.dumps({"event": event, "data": data}))
            except websockets.ConnectionClosed:
                pass

    async def _set(self, number, path, value):
        self.nodes[number]["attributes"][path] = value
        await self._tell("attribute_updated", [number, path, value])

    # Requests

    async def _start_listening(self, _):
        return {"result": list(self.nodes.values())}

    async def _read_attribute(self, arguments):
        path = arguments["attribute_path"]
        return {"result": {path: self.nodes[arguments["node_id"]]["attributes"].get(path)}}

    async def _device_command(self, arguments):
        number, name = arguments["node_id"], arguments["command_name"]
        if name in ("On", "Off"):
            if self.obeys:
                await self._set(number, "1/6/0", name == "On")
            return {"result": None}
        if name == "SelectAreas":
            if self.obeys:
                await self._set(number, "1/336/2", arguments["payload"]["newAreas"])
            return {"result": {"status": 0, "statusText": ""}}
        if name == "ChangeToMode":
            if self.obeys:
                await self._set(number, "1/84/1", arguments["payload"]["newMode"])
                await self._set(number, "1/97/4", 1)
            return {"result": {"status": 0, "statusText": ""}}
        return {"error_code": 0, "details": "InteractionModelError: UnsupportedCommand (0x81)"}

    async def _set_wifi_credentials(self, _):
        return {"result": None}

    async def _set_thread_dataset(self, _):
        return {"result": None}

    async def _discover(self, _):
        return {"result": [{"instance_name": "X", "long_discriminator": d} for d in self.shown]}

    async def _commission_with_code(self, arguments):
        self.commissioned += 1
        if not arguments["network_only"] and not self.greeting["bluetooth_enabled"]:
            return {"error_code": 1, "details": "Bluetooth commissioning is not available."}
        if self.failure:
            code, details = self.failure
            return {"error_code": code, "details": details}
        new = light(self.next_node)
        self.next_node += 1
        self.nodes[new["node_id"]] = new
        await self._tell("node_added", new)
        return {"result": new}

    async def _remove_node(self, arguments):
        if self.nodes.pop(arguments["node_id"], None) is None:
            return {"error_code": 5, "details": "no such node"}
        await self._tell("node_removed", arguments["node_id"])
        return {"result": None}
