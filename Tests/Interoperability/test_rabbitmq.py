"""`homeport` with a channel of kind alibaba-cloud whose subscription a RabbitMQ node serves."""

import json
import signal
import unittest

from interop.alibaba import now
from test_alibaba_cloud import OnCloud

try:
    from interop.rabbitmq import RabbitMQ, is_installed
except ImportError as missing:
    raise unittest.SkipTest(f"python3-qpid-proton is not installed: {missing}") from missing


@unittest.skipUnless(is_installed(), "rabbitmq-server is not installed")
class OnRabbitMQ(OnCloud):
    """The AMQP of a broker that others have written."""

    broker = RabbitMQ

    def node(self):
        """The broker."""
        return self.cloud.subscription.server

    def test_messages_arrive_and_are_accepted(self):
        watch = self.homeport.start("watch")
        watch.until(lambda o: o.get("device") == self.robot.id, what="the robot")
        self.cloud.subscription.post(self.robot, {"WorkMode": 2}, now())
        watch.until(lambda o: "turbo" in json.dumps(o), what="a state with turbo")
        self.cloud.subscription.status(self.robot, "offline", now() + 1500)
        watch.until(lambda o: o.get("type") == "presence" and "offline" in json.dumps(o)
                    and o["device"] == self.robot.id, what="offline")
        watch.signal(signal.SIGINT)
        watch.wait()
        # What was not accepted is back in its queue after the end of the connection.
        self.assertIsNone(self.node().left())

    def test_a_reply_is_the_evidence_of_a_command(self):
        sent = self.send("start-clean", room=4).one
        self.assertIsNotNone(sent["timings"]["acceptedAt"])
        self.assertEqual(self.cloud.named("QueryDeviceServiceData"), [])

    def test_a_connection_that_broke_is_made_again_with_a_login_of_its_own(self):
        watch = self.homeport.start("watch")
        watch.until(lambda o: o.get("device") == self.robot.id, what="the robot")
        self.cloud.subscription.post(self.robot, {"WorkMode": 0}, now())
        watch.until(lambda o: "quiet" in json.dumps(o), what="a state with quiet")
        self.node().drop()
        self.cloud.subscription.post(self.robot, {"WorkMode": 2}, now())
        watch.until(lambda o: "turbo" in json.dumps(o), timeout=30, what="a state with turbo")
        self.assertGreaterEqual(len(set(self.node().users)), 2)
        watch.signal(signal.SIGINT)
        watch.wait()

    def test_a_wrong_secret_is_told_and_no_channel_needs_the_subscription(self):
        self.node().check = lambda _user, _password: False
        result = self.checked(self.homeport.json("doctor"))
        found = [o for o in result.objects if o["check"] == "subscription"]
        self.assertEqual([o["status"] for o in found], ["problem", "warning"], result)
        self.send("set-work-mode", WorkMode="turbo")


if __name__ == "__main__":
    unittest.main()
