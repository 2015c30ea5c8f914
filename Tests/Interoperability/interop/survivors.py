"""Base case of the tests that kill a simulator on a broker that outlives it."""

from .identifiers import topic
from .processes import Broker, is_built, scratch
from .rig import Rig

PERSISTENT = "allow_anonymous true\nmax_queued_messages 0\nmax_inflight_messages 200\n"


class OwnBroker:
    """A simulator with a journal on a broker that outlives it."""

    version = None

    def setUp(self):
        if not is_built("homeport-sim"):
            self.skipTest("homeport-sim is not built")
        self.broker = Broker(PERSISTENT)
        self.addCleanup(self.broker.stop)
        self.journal = scratch()
        self.rig = self.make_rig()
        self.addCleanup(self.rig.close)
        self.caller = self.rig.caller()
        self.sweeper, self.store = "sweeper-1", "store-1"

    def make_rig(self):
        """A rig of three devices."""
        return Rig(self.version, "--sweepers", "1", "--pools", "1", "--stores", "1",
                   "--telemetry-interval", "1s", "--journal", str(self.journal), broker=self.broker)

    def kill(self):
        """SIGKILL, and the wills of all devices; their presences."""
        mark = self.rig.link.mark()
        self.rig.simulator.kill()
        return {d: self.rig.link.wait(mark, 10, topic=topic("home-1", d, "presence"), what="will")
                for d in self.rig.kinds}

    def restart(self):
        """Starts it again; returns the inbox position from before."""
        mark = self.rig.link.mark()
        self.rig.start()
        self.rig.link.until(lambda: all(self.rig.last(d, "state", mark) for d in self.rig.kinds),
                            what="states after a restart")
        return mark

    def kill_and_restart(self):
        """Both."""
        self.kill()
        return self.restart()

    def judge(self):
        """Every message of the devices is valid."""
        self.assertEqual(self.rig.judge(), [])

    def final_after(self, mark, command):
        """The final ack that a device sends without being asked."""
        return self.caller.until(command, mark=mark)[-1]
