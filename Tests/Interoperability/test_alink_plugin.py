"""The plugin for mosquitto, with clients written from the vendor's documents and with its own device SDK."""

import signal
import threading
import unittest

from interop.alink import (CONTROLLER, AlinkBroker, Client, Controller, Device, plugin,
                           registration)
from interop.link import DEADLINE
from interop.processes import Child, free_port

PRODUCT = "a1B2c3D4e5F"
LAMP = (PRODUCT, "lamp-1", "ga7XA6KdlEeiPXQPpRbAjOZXwG8ydgSe")
PUMP = (PRODUCT, "pump_2", "3Ck0bnXr1Mq7Yt5ZxA9wVu2Lh8Ds4Fg6")
PRODUCT_SECRET = "7jluWm1zql7bt8qK"
STATUS = f"/as/mqtt/status/{PRODUCT}/lamp-1"


class PluginCase(unittest.TestCase):
    """A broker of two devices."""

    options = ""

    def setUp(self):
        self.broker = AlinkBroker([LAMP, PUMP], [(PRODUCT, PRODUCT_SECRET)], self.options)
        self.addCleanup(self.broker.stop)

    def kept(self, client):
        self.addCleanup(client.close)
        return client

    def device(self, triple=LAMP, **options):
        return self.kept(Device(self.broker.port, triple, **options))

    def controller(self, *filters):
        return self.kept(Controller(self.broker.port, *filters))


class Signatures(PluginCase):
    """Who is let in."""

    def test_every_method_and_case_of_digits_is_taken(self):
        for method in ("hmacmd5", "hmacsha1", "hmacsha256", None):
            for upper in (False, True):
                for timestamp in (True, False):
                    with self.subTest(method=method, upper=upper, timestamp=timestamp):
                        device = Device(self.broker.port, LAMP, method=method, upper=upper,
                                        timestamp=timestamp)
                        self.assertEqual(device.code, 0)
                        device.close()

    def test_what_is_wrong_is_refused_and_named_in_the_log(self):
        self.assertEqual(self.device(secret="x" * 32).code, 5)
        self.broker.says(f"alink: refused {PRODUCT}/lamp-1: its signature is wrong")
        self.assertEqual(self.device((PRODUCT, "ghost", "secret")).code, 5)
        self.broker.says(f"alink: refused {PRODUCT}/ghost: the file of triples does not have it")
        self.assertEqual(self.device(method="hmacsha1", parameters="signmethod=hmacsha512").code, 5)
        self.broker.says(f"alink: refused {PRODUCT}/lamp-1: its signmethod is not .*")

    def test_garbage_is_refused_and_ends_nothing(self):
        for client_id, user, password in (
                ("x|securemode=3|", "lamp-1&", "00"), ("|", f"lamp-1&{PRODUCT}", ""),
                ("x|=,=,,|", f"lamp-1&{PRODUCT}", "zz"), ("x|" + "y" * 5000, f"+&{PRODUCT}", "00"),
                ("x|timestamp=" + "9" * 900 + "|", f"lamp-1&{PRODUCT}", "00"),
                ("x" * 700 + "|a=b|", f"lamp-1&{PRODUCT}", "0" * 64)):
            with self.subTest(client_id=client_id[:20]):
                self.assertEqual(self.kept(
                    Client(self.broker.port, client_id, user, password)).code, 5)
        self.assertEqual(self.device().code, 0)

    def test_controllers_log_in_with_their_password_and_nobody_else_does(self):
        self.assertEqual(self.controller().code, 0)
        self.assertEqual(self.kept(
            Client(self.broker.port, "c", CONTROLLER[0], "wrong")).code, 5)
        self.assertEqual(self.kept(Client(self.broker.port, "c", "lamp-1&x", "wrong")).code, 5)


class Rights(PluginCase):
    """What devices may do."""

    def test_a_device_subscribes_to_its_own_topics_alone(self):
        device = self.device()
        own = [device.topic("thing/service/property/set"), device.topic("#"),
               f"/{PRODUCT}/lamp-1/user/get", f"/ota/device/upgrade/{PRODUCT}/lamp-1",
               f"/shadow/get/{PRODUCT}/lamp-1", f"/ext/rrpc/+/sys/{PRODUCT}/lamp-1/thing/service/x",
               f"/ext/session/{PRODUCT}/lamp-1/combine/login_reply"]
        self.assertEqual(device.subscribe(*own), [1] * len(own))
        others = ["#", "/sys/#", f"/sys/{PRODUCT}/+/thing/#", f"/sys/{PRODUCT}/pump_2/thing/#",
                  "/as/mqtt/status/+/+", "/+/lamp-1/user/get", "/ext/register",
                  f"/ext/rrpc/1/sys/{PRODUCT}/pump_2/thing/service/x", "$SYS/#"]
        self.assertEqual(device.subscribe(*others), [128] * len(others))

    def test_a_device_publishes_to_its_own_topics_alone_and_retains_nothing(self):
        controller = self.controller("/sys/#", "/as/#")
        device = self.device()
        self.assertEqual(controller.next()[0], STATUS)
        device.publish(f"/sys/{PRODUCT}/pump_2/thing/event/property/post", {"id": "1"})
        device.publish(STATUS, {"status": "offline"})
        device.publish(device.topic("thing/event/property/post"), {"id": "2"}, retain=True)
        self.assertEqual(controller.next()[1], {"id": "2"})
        self.assertTrue(self.controller("/sys/#").quiet())

    def test_a_controller_removes_a_presence_and_forges_none(self):
        controller = self.controller("/as/#")
        self.device()
        self.assertEqual(controller.next()[1]["status"], "online")
        controller.publish(STATUS, {"status": "offline"}, retain=True)
        controller.publish(STATUS, "", retain=True)
        self.assertEqual(controller.next(), (STATUS, None, 0))


class RightsOfControllers(PluginCase):
    """Controllers with an access control file."""

    options = "plugin_opt_controllers acl_file\n"

    def setUp(self):
        super().setUp()
        self.broker.stop()
        path = self.broker.folder / "acl"
        path.write_text(f"user {CONTROLLER[0]}\ntopic read /as/mqtt/status/#\n")
        self.options = f"plugin_opt_controllers acl_file\nacl_file {path}\n"
        self.broker = AlinkBroker([LAMP], options=self.options)
        self.addCleanup(self.broker.stop)

    def test_a_controller_has_the_rights_of_the_file(self):
        controller, other = self.controller("/as/#"), self.controller("/sys/#")
        device = self.device()
        self.assertEqual(controller.next()[1]["status"], "online")
        device.publish(device.topic("thing/event/property/post"), {"id": "1"})
        self.assertTrue(other.quiet())


class Presence(PluginCase):
    """The retained status."""

    def test_it_follows_the_connection(self):
        controller = self.controller("/as/#")
        device = Device(self.broker.port, LAMP)
        topic, status, _ = controller.next()
        self.assertEqual(topic, STATUS)
        self.assertEqual({k: status[k] for k in ("status", "productKey", "deviceName", "clientIp")},
                         {"status": "online", "productKey": PRODUCT, "deviceName": "lamp-1",
                          "clientIp": "127.0.0.1"})
        self.assertRegex(status["utcLastTime"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertRegex(status["lastTime"], r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$")
        device.close()
        self.assertEqual(controller.next()[1]["status"], "offline")
        topic, status, retained = self.controller("/as/#").next()
        self.assertEqual((status["status"], retained), ("offline", 1))

    def test_a_second_login_ends_the_first_and_the_device_stays_online(self):
        controller = self.controller("/as/#")
        first, second = self.device(), self.device()
        first.lost.get(timeout=DEADLINE)
        self.broker.says("alink: .* ended its former connection: .*")
        self.assertEqual([controller.next()[1]["status"] for _ in range(2)], ["online"] * 2)
        self.assertTrue(controller.quiet())
        second.close()
        self.assertEqual(controller.next()[1]["status"], "offline")


class ServerSideSubscription(PluginCase):
    """`_ss=1`: a device gets its messages without asking."""

    def test_a_silent_device_gets_what_is_for_it_once(self):
        controller, device, other = self.controller(), self.device(), self.device(PUMP)
        for rest in ("thing/event/property/post_reply", "thing/service/property/set",
                     "thing/service/clean"):
            controller.publish(device.topic(rest), {"id": rest})
            self.assertEqual(device.next()[:2], (device.topic(rest), {"id": rest}))
        call = f"/ext/rrpc/7{device.topic('thing/service/clean')}"
        controller.publish(call, {"id": "rrpc"})
        self.assertEqual(device.next()[0], call)
        device.publish(device.topic("thing/event/property/post"), {"id": "own"})
        self.assertTrue(device.quiet() and other.quiet(0.1))

    def test_a_device_that_subscribes_itself_gets_each_message_once(self):
        controller, device = self.controller(), self.device()
        device.subscribe(device.topic("thing/service/property/set"))
        topic = device.topic("thing/service/property/set")
        controller.publish(topic, {"id": "1"})
        self.assertEqual(device.next()[1], {"id": "1"})
        self.assertTrue(device.quiet())
        device.unsubscribe(topic)
        self.assertTrue(device.quiet(0.2))
        controller.publish(topic, {"id": "2"})
        self.assertEqual(device.next()[1], {"id": "2"})
        self.assertTrue(device.quiet())

    def test_a_session_that_the_broker_has_kept_still_counts(self):
        controller = self.controller()
        options = {"clean": False, "timestamp": False}
        device = Device(self.broker.port, LAMP, **options)
        topic = device.topic("thing/service/clean")
        device.subscribe(topic)
        device.close()
        device = self.device(**options)
        controller.publish(topic, {"id": "1"})
        self.assertEqual(device.next()[1], {"id": "1"})
        self.assertTrue(device.quiet())

    def test_without_it_a_device_gets_only_what_it_asks_for(self):
        controller, device = self.controller(), self.device(parameters="")
        controller.publish(device.topic("thing/service/clean"), {"id": "1"})
        self.assertTrue(device.quiet())


class Files(PluginCase):
    """Triples that change while the broker runs."""

    def test_new_triples_count_at_once(self):
        new = (PRODUCT, "new", "s" * 32)
        self.assertEqual(self.device(new).code, 5)
        self.broker.write([LAMP, PUMP, new])
        self.assertEqual(self.device(new).code, 0)

    def test_a_device_that_is_taken_out_is_disconnected(self):
        lamp, pump = self.device(), self.device(PUMP)
        self.broker.write([PUMP])
        lamp.lost.get(timeout=DEADLINE)
        self.broker.says("alink: .*/lamp-1 has another secret or none; .*")
        self.assertEqual(self.device().code, 5)
        self.assertTrue(pump.lost.empty())

    def test_a_wrong_line_changes_nothing(self):
        self.broker.write([LAMP, ("one-word",)])
        self.broker.says(r"alink: .*triples:4: write PRODUCTKEY DEVICENAME DEVICESECRET; what .*")
        self.assertEqual(self.device(PUMP).code, 0)

    def test_a_hangup_reads_them_and_keeps_the_others_online(self):
        controller, lamp = self.controller("/as/#"), self.device()
        kept = Device(self.broker.port, PUMP, clean=False)
        kept.close()
        for status in ("online", "online", "offline"):
            self.assertEqual(controller.next()[1]["status"], status)
        self.broker.signal(signal.SIGHUP)
        self.broker.says("Reloading config.")
        controller.publish(lamp.topic("thing/service/clean"), {"id": "1"})
        self.assertEqual(lamp.next()[1], {"id": "1"})
        self.assertTrue(controller.quiet())

    def test_a_broker_without_triples_does_not_start(self):
        path = self.broker.folder / "wrong.conf"
        for options in ("", "plugin_opt_triples /nowhere\n", "plugin_opt_tripels x\n"):
            with self.subTest(options=options):
                path.write_text(f"listener {free_port()} 127.0.0.1\nplugin {plugin()}\n{options}")
                broker = Child(["mosquitto", "-c", str(path)])
                self.assertNotEqual(broker.wait(), 0)


class Registration(PluginCase):
    """Dynamic registration over MQTT."""

    def test_a_known_device_gets_its_secret_and_no_rights(self):
        client = self.kept(registration(self.broker.port, PRODUCT, PRODUCT_SECRET, "lamp-1",
                                        "register"))
        topic, grant, _ = client.next()
        self.assertEqual(topic, "/ext/register")
        self.assertEqual(grant["deviceSecret"], LAMP[2])
        self.assertEqual(client.subscribe(f"/sys/{PRODUCT}/lamp-1/#"), [128])
        self.assertEqual(self.device((PRODUCT, "lamp-1", grant["deviceSecret"])).code, 0)

    def test_an_unknown_device_or_a_wrong_secret_is_refused(self):
        for secret, name in ((PRODUCT_SECRET, "ghost"), ("x" * 16, "lamp-1")):
            self.assertEqual(self.kept(registration(
                self.broker.port, PRODUCT, secret, name, "register")).code, 5)

    def test_a_device_that_nobody_has_registered_gets_a_token_that_stays(self):
        client = registration(self.broker.port, PRODUCT, PRODUCT_SECRET, "stray", "regnwl")
        topic, grant, _ = client.next()
        client.close()
        self.assertEqual((topic, grant["deviceName"]), ("/ext/regnwl", "stray"))

        def connect(token=grant["deviceToken"], name=grant["clientId"]):
            return self.kept(Client(
                self.broker.port, f"{name}|authType=connwl,securemode=-2,_ss=1,ext=3|",
                f"stray&{PRODUCT}", token))
        self.assertEqual([connect().code, connect("0" * 48).code, connect(name="x").code], [0, 5, 5])
        self.assertEqual((self.broker.folder / "tokens").stat().st_mode & 0o777, 0o600)


class VendorSDK(PluginCase):
    """The vendor's own device SDK for Python, where it is installed (aliyun-iot-linkkit, paho-mqtt 1.6)."""

    def setUp(self):
        try:
            from linkkit import linkkit
        except ImportError:
            self.skipTest("aliyun-iot-linkkit is not installed")
        self.linkkit = linkkit
        super().setUp()

    def test_it_logs_in_and_is_commanded_without_subscribing(self):
        connected, commanded = threading.Event(), threading.Event()
        kit = self.linkkit.LinkKit(
            host_name="cn-shanghai", product_key=PRODUCT, device_name="lamp-1",
            device_secret=LAMP[2])
        kit.config_mqtt(endpoint="127.0.0.1", port=self.broker.port, secure="")
        kit.on_connect = lambda *_: connected.set()
        kit.on_thing_prop_changed = lambda *_: commanded.set()
        kit.on_thing_enable = lambda *_: None
        kit.thing_setup()
        controller = self.controller("/as/#", "/sys/#")
        kit.connect_async()
        self.addCleanup(kit.destruct)
        self.assertTrue(connected.wait(DEADLINE))
        self.assertEqual(controller.next()[1]["status"], "online")
        controller.publish(f"/sys/{PRODUCT}/lamp-1/thing/service/property/set", {
            "id": "1", "version": "1.0", "params": {"power": 1},
            "method": "thing.service.property.set"})
        self.assertTrue(commanded.wait(DEADLINE))


if __name__ == "__main__":
    unittest.main()
