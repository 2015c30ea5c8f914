"""`homeport` with a channel of kind alibaba-cloud, on a stand-in for the platform."""

import json
import signal
import time
import unittest

from interop.amqp import Server
from interop.alibaba import KEY, PRODUCT, SECRET, Cloud, CloudDevice, now
from interop.homeport import Homeport
from interop.processes import free_port, is_built, scratch

SECRETS = [SECRET, "device-s3cret"]


class OnCloud(unittest.TestCase):
    """A platform, a configuration file, and a controller; no output may contain a secret."""

    broker = None
    """The class of what serves the subscription, if there is one."""

    def setUp(self):
        if not is_built("homeport"):
            self.skipTest("homeport is not built")
        self.cloud = Cloud(self.devices(), broker=self.broker)
        self.addCleanup(self.cloud.close)
        self.robot = next(iter(self.cloud.devices.values()))
        self.homeport = self.controller()

    def devices(self):
        """The devices of the platform."""
        return [CloudDevice("vac-000001", nickname="Robbie", power=0, WorkMode=1, target=21.0,
                            battery=80),
                CloudDevice("Vac_000002", "OFFLINE", power=1), CloudDevice("vac-000003", "UNACTIVE"),
                CloudDevice("vac-000004", "DISABLE")]

    def controller(self, key=KEY, secret=SECRET, **members):
        """A controller whose file names the platform."""
        folder = scratch()
        (folder / "key").write_text(f"username={key}\npassword={secret}\n")
        (folder / "key").chmod(0o600)
        line = {"id": "cloud", "kind": "alibaba-cloud", "region": "cn-shanghai",
                "products": [PRODUCT], "endpoint": f"https://localhost:{self.cloud.port}",
                "ca-file": str(self.cloud.authority), "credentials": "key"}
        if self.cloud.subscription:
            line["amqp"] = f"amqps://localhost:{self.cloud.subscription.port}"
        line.update(members)
        line = {k: v for k, v in line.items() if v is not None}
        path = folder / "homeport.yaml"
        path.write_text("home: villa\nchannels:\n  - " + json.dumps(line) + "\n")
        homeport = Homeport(1)
        homeport.options = ["--config", str(path)]
        self.addCleanup(self.check_ledger, homeport)
        return homeport

    def check_ledger(self, homeport):
        """No secret is in the ledger."""
        for file in homeport.ledger.parent.glob(homeport.ledger.name + "*"):
            content = file.read_bytes() if file.is_file() else b""
            for secret in SECRETS + self.cloud.signatures:
                self.assertNotIn(secret.encode(), content)

    def checked(self, result):
        """The result, if no secret is in it."""
        for secret in SECRETS + self.cloud.signatures:
            self.assertNotIn(secret, result.stdout + result.stderr)
        return result

    def run_verb(self, *arguments, status=0):
        """Runs a verb with --json, and checks how it ends."""
        result = self.checked(self.homeport.json(*arguments))
        self.assertEqual(result.status, status, result)
        return result

    def send(self, name, *options, status=0, state="succeeded", device=None, **arguments):
        """Sends a command, and checks how it ends."""
        result = self.checked(
            self.homeport.send(device or self.robot.id, name, *options, **arguments))
        self.assertEqual(result.status, status, result)
        if state:
            self.assertEqual(result.one["state"], state, result)
        return result


class Polling(OnCloud):
    """Without a subscription."""

    def test_devices_are_listed_with_presence_and_state(self):
        found = {o["device"]: o for o in self.run_verb("devices").objects}
        self.assertEqual(set(found), {d.id for d in self.cloud.devices.values()})
        robot = found[self.robot.id]
        self.assertEqual((robot["name"], robot["kind"], robot["model"], robot["channel"]),
                         ("Robbie", "alink-device", PRODUCT, "cloud"))
        shown = json.dumps(self.run_verb("show", "Robbie").one)
        self.assertIn('"WorkMode": "normal"', shown)
        self.assertIn('"target": 21', shown)
        self.assertIn('"power": false', shown)
        self.assertIn("set-work-mode", shown)
        self.assertIn("start-clean", shown)
        self.assertEqual(self.cloud.named("SetDeviceProperty"), [])

    def test_channels_tells_link_devices_and_traits(self):
        channel = self.run_verb("channels").one
        self.assertEqual(channel["devices"], 4, channel)
        self.assertEqual(sorted(channel["traits"]), ["acceptance", "delivery", "effect"])

    def test_a_setting_succeeds_once_it_is_read_back(self):
        self.send("set-work-mode", WorkMode="turbo")
        self.assertEqual(json.loads(self.cloud.named("SetDeviceProperty")[0]["Items"]),
                         {"WorkMode": 2})

    def test_a_float_has_a_decimal_point_on_the_wire(self):
        self.send("set-target", target=22)
        self.assertEqual(self.cloud.named("SetDeviceProperty")[0]["Items"], '{"target":22.0}')

    def test_without_effect_it_stays_unknown_and_is_not_sent_again(self):
        self.cloud.obeys = False
        self.send("set-work-mode", "--expires", "6s", status=3, state="unknown", WorkMode="turbo")
        self.assertEqual(len(self.cloud.named("SetDeviceProperty")), 1)

    def test_the_value_that_was_there_before_proves_nothing(self):
        self.cloud.obeys = False
        self.send("set-work-mode", "--expires", "5s", status=3, state="unknown", WorkMode="normal")

    def test_a_synchronous_service_ends_with_its_result(self):
        self.assertEqual(self.send("locate").one["result"], {"loud": True})

    def test_an_asynchronous_service_ends_with_the_recorded_answer(self):
        self.send("start-clean", "--expires", "20s", room=4)
        self.assertEqual(self.cloud.named("InvokeThingService")[0]["Args"], '{"room":4}')

    def test_arguments_beyond_the_model_are_not_sent(self):
        for name, arguments in [("set-work-mode", {"WorkMode": "fast"}), ("set-target", {"target": 36}),
                                ("start-clean", {"room": 0}), ("start-clean", {}),
                                ("set-power", {"power": 1})]:
            self.send(name, status=65, state=None, **arguments)
        self.assertEqual(self.cloud.named("SetDeviceProperty"), [])
        self.assertEqual(self.cloud.named("InvokeThingService"), [])

    def test_nothing_is_sent_to_a_device_that_is_offline(self):
        self.send("set-power", status=1, state="refused", power="true",
                  device=self.cloud.devices["Vac_000002"].id)
        self.assertEqual(self.cloud.named("SetDeviceProperty"), [])

    def test_what_was_throttled_is_tried_again_and_done_once(self):
        left = [2]

        def throttle(_form):
            left[0] -= 1
            return (400, {"Code": "Throttling.User", "Message": "Request was denied.",
                          "RequestId": "r"}) if left[0] >= 0 else None
        self.cloud.script["SetDeviceProperty"] = throttle
        self.send("set-power", "--expires", "30s", power="true")
        self.assertEqual(len(self.cloud.named("SetDeviceProperty")), 3)

    def test_a_refusal_ends_with_the_words_of_the_platform(self):
        self.cloud.script["SetDeviceProperty"] = lambda _form: (200, {
            "Success": False, "Code": "iot.device.InvalidFormattedDevicePropertiesString",
            "ErrorMessage": "the properties are odd", "RequestId": "r"})
        found = self.send("set-power", status=1, state="rejected", power="true").one
        self.assertIn("the properties are odd", found["message"])
        self.assertEqual(found["code"], "BAD_ARGUMENTS")

    def test_a_lost_answer_with_an_effect_is_a_success(self):
        def lose(form):
            self.cloud.report(self.robot, json.loads(form["Items"]))
            return None, None
        self.cloud.script["SetDeviceProperty"] = lose
        self.send("set-power", "--expires", "20s", power="true")
        self.assertEqual(len(self.cloud.named("SetDeviceProperty")), 1)

    def test_a_lost_answer_without_an_effect_is_unknown(self):
        for answer in [(None, None), (502, "<html>bad gateway</html>"),
                       (200, {"Success": False, "Code": "iot.messagebroker.TIMEOUT"})]:
            self.cloud.calls.clear()
            self.cloud.script["SetDeviceProperty"] = lambda _form, answer=answer: answer
            self.send("set-power", "--expires", "4s", status=3, state="unknown", power="true")
            self.assertEqual(len(self.cloud.named("SetDeviceProperty")), 1)

    def test_a_wrong_key_ends_with_status_5(self):
        for key, secret, code in [("LTAIwrong", SECRET, "InvalidAccessKeyId.NotFound"),
                                  (KEY, "wr0ng", "SignatureDoesNotMatch")]:
            self.cloud.calls.clear()
            self.homeport = self.controller(key, secret)
            result = self.run_verb("devices", status=5)
            self.assertIn(code, result.stderr)
            self.assertLessEqual(len(self.cloud.calls), 3)
            self.assertNotIn("wr0ng", result.stderr)

    def test_another_authority_or_port_ends_with_status_5(self):
        self.homeport = self.controller(**{"ca-file": None})
        self.run_verb("devices", status=5)
        self.homeport = self.controller(endpoint=f"https://localhost:{free_port()}")
        self.run_verb("devices", status=5)

    def test_watch_shows_what_changes(self):
        watch = self.homeport.start("watch")
        watch.until(lambda o: o.get("device") == self.robot.id and "turbo" not in json.dumps(o))
        self.robot.values["WorkMode"] = (2, now())
        watch.until(lambda o: "turbo" in json.dumps(o), timeout=25, what="state with turbo")
        watch.signal(signal.SIGINT)
        watch.wait()

    def test_after_an_outage_watch_shows_what_changed(self):
        watch = self.homeport.start("watch")
        watch.until(lambda o: o.get("type") == "state" and o["device"] == self.robot.id)
        self.cloud.is_down = True
        self.robot.values["WorkMode"] = (2, now())
        watch.line(r".*trying again.*", timeout=40)
        self.cloud.is_down = False
        watch.until(lambda o: "turbo" in json.dumps(o), timeout=30, what="state with turbo")
        watch.line(r".*connected again", timeout=10)
        watch.signal(signal.SIGINT)
        watch.wait()

    def test_watch_waits_for_a_platform_that_is_not_there_yet(self):
        self.cloud.is_down = True
        watch = self.homeport.start("watch")
        watch.line(r".*trying again.*", timeout=20)
        self.cloud.is_down = False
        watch.until(lambda o: o.get("type") == "state" and "normal" in json.dumps(o), timeout=40)
        watch.signal(signal.SIGINT)
        watch.wait()

    def test_doctor_tells_what_works(self):
        result = self.checked(self.homeport.json("doctor"))
        found = {o["check"]: o for o in result.objects}
        self.assertEqual(found["platform"]["status"], "ok", result)
        self.assertIn("4 devices", found["platform"]["message"])
        self.assertEqual(found["clock"]["status"], "ok", result)


class Large(OnCloud):
    """59 devices."""

    def devices(self):
        return [CloudDevice(f"vac-{number:06}", power=0) for number in range(59)]

    def test_a_list_is_frugal(self):
        def slow(_form):
            time.sleep(0.05)
        self.cloud.script["QueryDevicePropertyStatus"] = slow
        self.assertEqual(len(self.run_verb("devices").objects), 59)
        self.assertLessEqual(len(self.cloud.calls), 130)
        self.assertLessEqual(self.cloud.most, 10)
        self.assertGreater(self.cloud.most, 2)


class Subscribed(OnCloud):
    """With a subscription."""

    broker = Server

    def test_a_post_is_evidence(self):
        self.cloud.script["QueryDevicePropertyStatus"] = self.frozen()
        self.send("set-work-mode", "--expires", "10s", WorkMode="turbo")
        user = self.cloud.subscription.server.logins[0][1]
        self.assertIn(f"authId={KEY},", user)
        self.assertIn("consumerGroupId=DEFAULT_GROUP|", user)

    def frozen(self):
        """Readings that never change."""
        values = dict(self.robot.values)

        def answer(form):
            if form["DeviceName"] != self.robot.name:
                return None
            entries = [{"Identifier": k, "Value": str(v), "Time": str(t)}
                       for k, (v, t) in values.items()]
            return 200, {"Success": True, "Data": {"List": {"PropertyStatusInfo": entries}}}
        return answer

    def test_a_refusal_of_the_device_is_one(self):
        self.cloud.obeys = False

        def refuse(_form):
            message = self.cloud.next_message()
            self.cloud.subscription.reply(self.robot, message, 460, "bad value")
            return 200, {"Success": True, "Data": {"MessageId": message}}
        self.cloud.script["SetDeviceProperty"] = refuse
        found = self.send("set-power", "--expires", "10s", status=1, state="rejected",
                          power="true").one
        self.assertIn("bad value", found["message"])

    def test_watch_shows_posts_events_and_presence_and_accepts_them(self):
        watch = self.homeport.start("watch")
        self.assertTrue(self.cloud.subscription.server.attached.wait(20))
        self.cloud.subscription.send("/nowhere", b"\xff")
        self.cloud.subscription.send(f"/{PRODUCT}/x/thing/event/property/post", b"{")
        self.cloud.subscription.send(f"/{PRODUCT}/nobody/thing/event/property/post",
                                     {"items": {"power": {"value": 1, "time": now()}}})
        self.cloud.subscription.post(self.robot, {"WorkMode": 0}, now() - 3_600_000)
        self.cloud.subscription.post(self.robot, {"WorkMode": 2}, now())
        watch.until(lambda o: "turbo" in json.dumps(o), what="state with turbo")
        self.assertFalse([o for o in watch.objects if "quiet" in json.dumps(o.get("state", {}))])
        self.cloud.subscription.send(
            f"/{PRODUCT}/{self.robot.name}/thing/event/BrushStuck/post",
            {"identifier": "BrushStuck", "name": "Stuck", "type": "alert", "iotId": "i",
             "productKey": PRODUCT, "deviceName": self.robot.name, "value": {"side": 1},
             "time": now()})
        event = watch.until(lambda o: o.get("type") == "event", what="an event")
        self.assertIn("brush-stuck", json.dumps(event))
        self.assertIn("right", json.dumps(event))
        self.cloud.subscription.status(self.robot, "offline", now() + 1500)
        watch.until(lambda o: o.get("type") == "presence" and "offline" in json.dumps(o)
                    and o["device"] == self.robot.id, what="offline")
        deadline = time.monotonic() + 10
        while self.cloud.subscription.server.accepted < 7 and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual(self.cloud.subscription.server.accepted, 7)
        watch.signal(signal.SIGINT)
        watch.wait()

    def test_without_amqp_all_else_works_and_stderr_names_it(self):
        self.homeport = self.controller(amqp=f"amqps://localhost:{free_port()}")
        watch = self.homeport.start("watch")
        watch.line(r".*AMQP.*", timeout=20)
        self.assertIn("AMQP", self.send("set-work-mode", WorkMode="turbo").stderr)
        watch.until(lambda o: "turbo" in json.dumps(o), timeout=25, what="state with turbo")
        watch.signal(signal.SIGINT)
        watch.wait()

    def test_each_login_is_new_and_they_are_rare(self):
        watch = self.homeport.start("watch")
        self.assertTrue(self.cloud.subscription.server.attached.wait(20))
        watch.signal(signal.SIGINT)
        watch.wait()
        watch = self.homeport.start("watch")
        deadline = time.monotonic() + 20
        while len(self.cloud.subscription.server.logins) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        users = [user for _, user in self.cloud.subscription.server.logins]
        self.assertEqual(len(set(users)), len(users))
        watch.signal(signal.SIGINT)
        watch.wait()

    def test_doctor_names_other_clients_of_the_group(self):
        result = self.checked(self.homeport.json("doctor"))
        found = [o for o in result.objects if o["check"] == "subscription"]
        self.assertEqual([o["status"] for o in found], ["ok", "warning"], result)


class Lines(OnCloud):
    """The line of the configuration file."""

    def refused(self, words, **members):
        """A line is refused with place and words."""
        self.homeport = self.controller(**members)
        result = self.checked(self.homeport.json("devices"))
        self.assertEqual(result.status, 65, result)
        self.assertRegex(result.stderr, r"homeport\.yaml:3:\d+")
        self.assertIn(words, result.stderr)

    def test_wrong_members_are_refused(self):
        self.refused("region", region=None)
        self.refused("products", products=None)
        self.refused("product", products=[])
        self.refused("product", products=["a b"])
        self.refused("https://", endpoint="http://localhost")
        self.refused("user name", endpoint="https://me:secret@localhost")
        self.refused("amqps://", amqp="amqp://localhost")
        self.refused("path", amqp="amqps://localhost/queue")
        self.refused("credentials", credentials=None)
        self.refused("nothere", **{"ca-file": "nothere.pem"})
        self.refused("nonsense", nonsense=1)
        self.assertEqual(self.cloud.calls, [])


if __name__ == "__main__":
    unittest.main()
