"""Base case of the tests that command a device of our own with the built `homeport`."""

from .device import Device
from .homeport import Homeport
from .link import Link
from .processes import Broker, is_built


class WithBroker:
    """A broker in its default configuration, one device, one controller."""

    version = "5"
    configuration = None

    def setUp(self):
        if not is_built("homeport"):
            self.skipTest("homeport is not built")
        self.broker = Broker(self.configuration)
        self.addCleanup(self.broker.stop)
        self.homeport = Homeport(self.broker.port, self.version)

    def device(self, device_id="thing-1", online=True, script=None, **description):
        """A device that is closed at the end."""
        device = Device(self.broker.port, device_id, self.version, script, **description)
        self.addCleanup(device.link.close)
        self.addCleanup(lambda: self.assertEqual(device.broken, []))
        return device.online() if online else device

    def link(self):
        """A connection to publish what no device would."""
        link = Link(self.broker.port, self.version)
        self.addCleanup(link.close)
        return link


class Sending(WithBroker):
    """Help for tests that send one command."""

    def check(self, result, status, state, code=None):
        """Exit status and the one object; returns it."""
        self.assertEqual(result.status, status, result)
        found = result.one
        self.assertEqual(found["state"], state, found)
        if code:
            self.assertEqual(found["code"], code, found)
        return found

    def stored(self, command_id):
        """The state of a command in the ledger."""
        found = [c for c in self.homeport.history() if c["id"] == command_id]
        self.assertEqual(len(found), 1)
        return found[0]
