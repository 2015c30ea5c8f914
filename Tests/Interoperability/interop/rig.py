"""A running simulator with a link that hears all of its home, shared by the tests of one version."""

from .caller import Caller
from .consistency import Consistency
from .identifiers import topic
from .link import Link
from .processes import Simulator
from .rules import CONTROLLED, check_delivery, check_device_message

DEVICE_LEAVES = {"description", "presence", "state", "telemetry", "event", "ack"}


class Rig:
    """A simulator, a listening link and the devices that were found."""

    def __init__(self, version, *options, broker=None, home="home-1"):
        self.version, self.home, self.kinds = version, home, {}
        self.forged, self._judged = set(), 0
        self.broker, self.simulator, self.link = broker, None, None
        self.consistency = Consistency(self.kinds)
        self.options = options
        if broker:
            self.listen(broker.port)
        self.start()
        if not broker:
            self.listen(self.simulator.port)
        self.find_devices()

    def start(self):
        """Starts the simulator and waits until it is ready."""
        self.simulator = Simulator(*self.options, broker=self.broker, version=self.version)

    def listen(self, port):
        """Subscribes to everything of the home, at the QoS that was published."""
        self.link = Link(port, self.version)
        self.link.subscribe(f"homeport/v1/{self.home}/#", 1)

    def find_devices(self):
        """Waits for the retained messages of every device."""
        self.link.fence(self.home)
        for message in self.link.since(ending="/description"):
            check_device_message(message, self.kinds)

    def devices(self, kind):
        """The devices of one kind, sorted."""
        return sorted(name for name, (found, _) in self.kinds.items() if found == kind)

    def device(self, kind, index=0):
        """One device of a kind."""
        return self.devices(kind)[index]

    def caller(self, name=None):
        """A controller that nobody used before."""
        return Caller(self.link, self.home, name)

    def last(self, device, leaf, mark=0):
        """The newest description, presence, state or telemetry of a device, parsed, or None."""
        found = self.link.since(mark, topic=topic(self.home, device, leaf))
        return found[-1].json if found else None

    def state(self, device):
        """The newest state of a device."""
        return self.last(device, "state")

    def quiet(self, device, controller="janitor"):
        """Stops whatever a device does, so that the next test finds its lane empty."""
        janitor = Caller(self.link, self.home)
        janitor.call(device, "stop")

    def after(self, device, caller=None):
        """A round trip on the normal lane: what came before it has been judged by the device."""
        (caller or self.caller()).call(device, "query-commands", {"ids": [_NOBODY]})

    def judge(self):
        """Checks every message of the devices since the last call; returns what is wrong."""
        messages = self.link.since(self._judged)
        self._judged += len(messages)
        wrong = []
        for message in messages:
            wrong += self._judge_one(message)
        return wrong

    def _judge_one(self, message):
        parts = message.topic.split("/")
        if len(parts) < 5 or parts[4] not in DEVICE_LEAVES or self._is_ours(message):
            return []
        try:
            value = check_device_message(message, self.kinds)
            check_delivery(message, self.link.is_v5)
            self.consistency.see(parts[4], parts[3], value)
        except AssertionError as error:
            return [f"{message.topic}: {error}"]
        return []

    def _is_ours(self, message):
        return (not message.payload or (message.topic, message.payload) in self.link.sent
                or (message.topic, message.payload) in self.forged)

    def close(self):
        """Ends the simulator; its exit status."""
        status = self.simulator.stop() if self.simulator.process.poll() is None else None
        self.link.close()
        return status


_NOBODY = "018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11"


def controlled(rig, device, state):
    """The controlled members of a state message."""
    kind = rig.kinds[device][0]
    names = CONTROLLED[kind] + ("settings", "desiredRevision")
    return {name: state["state"].get(name) for name in names}
