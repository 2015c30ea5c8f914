"""`homeport` with a channel of kind `alink`: devices in Python, and those of `homeport-sim`, on mosquitto with the plugin."""

import json
import signal
import threading
import unittest

from interop.alink import CONTROLLER, AlinkBroker, Controller, Device
from interop.homeport import Homeport
from interop.link import DEADLINE
from interop.processes import Child, binary, scratch

PRODUCT, OTHER, THIRD = "a1B2c3D4e5F", "b2C3d4E5f6G", "c3D4e5F6g7H"
LAMP = (PRODUCT, "lamp-1", "ga7XA6KdlEeiPXQPpRbAjOZXwG8ydgSe")
PUMP = (PRODUCT, "Pump_2", "3Ck0bnXr1Mq7Yt5ZxA9wVu2Lh8Ds4Fg6")
ROBOT = (PRODUCT, "robot-1", "s" * 32)
POOL = (OTHER, "pool-1", "p" * 32)
STORE = (THIRD, "store-1", "t" * 32)


def number(kind, **specs):
    return {"type": kind, "specs": {k: str(v) for k, v in specs.items()}}


MODEL = {
    "properties": [
        {"identifier": "Power", "accessMode": "rw",
         "dataType": {"type": "bool", "specs": {"0": "off", "1": "on"}}},
        {"identifier": "Level", "accessMode": "rw", "dataType": number("float", min=0, max=100)},
        {"identifier": "Heat", "accessMode": "r", "dataType": number("double", min=-50, max=200)}],
    "services": [
        {"identifier": "StartClean", "method": "thing.service.StartClean", "callType": "async",
         "inputData": [{"identifier": "room", "dataType": number("int", min=1, max=9)}],
         "outputData": []}],
    "events": [
        {"identifier": "overHeat", "type": "alert", "method": "thing.event.overHeat.post",
         "outputData": [{"identifier": "Heat", "dataType": number("double")}]}]}


class Firmware:
    """A device that does what it is told, or what a test wants instead."""

    def __init__(self, port, triple, **options):
        self.device = Device(port, triple, **options)
        self.heard, self.answers = [], {}
        self.reply, self.obeys, self.code, self.message = True, True, 200, "success"
        self._number = 0
        self.changed = threading.Condition()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        while True:
            message = self.device.received.get()
            if message is None:
                return
            body = json.loads(message.payload)
            with self.changed:
                if message.topic.endswith("post_reply"):
                    self.answers[body["id"]] = body
                else:
                    self.heard.append((message.topic, body, message.qos, message.retain))
                self.changed.notify_all()
            if "/thing/service/" in message.topic:
                self._carry_out(message.topic, body)

    def _carry_out(self, topic, body):
        if self.reply:
            self.device.publish(f"{topic}_reply", {
                "id": body["id"], "code": self.code, "message": self.message, "data": {}})
        if self.obeys and topic.endswith("property/set"):
            self.post(**body["params"])

    def post(self, **values):
        self._number += 1
        self.device.publish(self.device.topic("thing/event/property/post"), {
            "id": str(self._number), "version": "1.0", "params": values,
            "method": "thing.event.property.post"})
        return str(self._number)

    def answer(self, number):
        with self.changed:
            self.changed.wait_for(lambda: number in self.answers, DEADLINE)
            return self.answers.get(number)

    def close(self):
        self.device.received.put(None)
        self._thread.join(DEADLINE)
        self.device.close()


class AlinkCase(unittest.TestCase):
    """A broker with the plugin, and a controller whose file names it."""

    triples = [LAMP, PUMP]

    def setUp(self):
        self.broker = AlinkBroker(self.triples)
        self.addCleanup(self.broker.stop)
        folder = scratch()
        self.models = folder / "models"
        self.models.mkdir()
        (self.models / f"{PRODUCT}.json").write_text(json.dumps(MODEL))
        credentials = folder / "credentials"
        credentials.write_text(f"username={CONTROLLER[0]}\npassword={CONTROLLER[1]}\n")
        credentials.chmod(0o600)
        self.file = folder / "homeport.yaml"
        self.write(models="models")
        self.homeport = Homeport(self.broker.port)
        self.homeport.options = ["--config", str(self.file)]

    def write(self, **members):
        more = "".join(f", {name}: {value}" for name, value in members.items())
        self.file.write_text(
            'home: home-1\nchannels:\n'
            f'  - {{id: alink, kind: alink, broker: "mqtt://127.0.0.1:{self.broker.port}", '
            f'credentials: credentials{more}}}\n')

    def restart_broker(self):
        """A broker that has forgotten what it retained."""
        self.broker.stop()
        self.broker = AlinkBroker(self.triples, port=self.broker.port)
        self.addCleanup(self.broker.stop)

    def firmware(self, triple=LAMP):
        firmware = Firmware(self.broker.port, triple)
        self.addCleanup(firmware.close)
        self.broker.says(f"alink: {triple[0]}/{triple[1]} is online")
        return firmware

    def listed(self):
        result = self.homeport.json("devices")
        self.assertEqual(result.status, 0, result.stderr)
        return {o["name"]: o for o in result.objects}


class Listing(AlinkCase):
    """`devices`, `show`, `channels`, `watch`."""

    def test_devices_are_listed_by_their_status(self):
        self.firmware()
        Firmware(self.broker.port, PUMP).close()
        self.broker.says(f"alink: {PRODUCT}/Pump_2 is offline")
        found = self.listed()
        self.assertEqual(
            {name: (o["presence"], o["kind"], o["model"], o["channel"]) for name, o in found.items()},
            {"lamp-1": ("online", "alink-device", PRODUCT, "alink"),
             "Pump_2": ("offline", "alink-device", PRODUCT, "alink")})
        self.assertRegex(found["Pump_2"]["device"], r"^pump-2-[0-9a-f]{6}$")
        channel = self.homeport.json("channels").one
        self.assertEqual((channel["kind"], channel["link"], channel["devices"]),
                         ("alink", "connected", 2))
        self.assertEqual(set(channel["traits"]), {"delivery", "acceptance", "effect"})

    def test_listing_sends_a_device_nothing(self):
        lamp = self.firmware()
        self.listed()
        self.homeport.json("show", "lamp-1")
        self.assertEqual(lamp.heard, [])

    def test_show_has_the_commands_of_the_model(self):
        self.firmware()
        shown = self.homeport.json("show", "lamp-1").one
        names = {c["name"] for c in shown["description"]["commands"]}
        self.assertEqual(names, {"set-power", "set-level", "start-clean"})

    def test_watch_shows_posts_events_and_presence_and_answers_them(self):
        lamp = self.firmware()
        watch = self.homeport.start("watch")
        self.addCleanup(watch.stop)
        watch.until(lambda o: o["type"] == "presence" and o.get("status", o.get("presence")))
        self.assertEqual(lamp.answer(lamp.post(Power=1, Heat=21.5))["code"], 200)
        watch.until(lambda o: o["type"] == "state" and o["state"].get("Power") is True)
        watch.until(lambda o: o["type"] == "telemetry" and o["values"] == {"Heat": 21.5})
        lamp.device.publish(lamp.device.topic("thing/event/overHeat/post"), {
            "id": "77", "params": {"value": {"Heat": 99.5}}})
        watch.until(lambda o: o["type"] == "event" and o["event"] == "over-heat")
        self.assertEqual({*lamp.answer("77")} >= {"id", "code", "data", "message"}, True)

    def test_garbage_changes_nothing_and_ends_nothing(self):
        lamp = self.firmware()
        watch = self.homeport.start("watch")
        self.addCleanup(watch.stop)
        watch.until(lambda o: o["type"] == "presence")
        for topic, payload in ((lamp.device.topic("thing/event/property/post"), b"\xff{"),
                               (lamp.device.topic("thing/event/property/post"), "[]"),
                               (lamp.device.topic("thing/event/ghost/post"), '{"id":"1","params":{}}'),
                               (lamp.device.topic("thing/service/set_reply"), '{"id":"1","code":200}')):
            lamp.device.publish(topic, payload)
        lamp.post(Power=1)
        watch.until(lambda o: o["type"] == "state" and o["state"].get("Power") is True)


class Sending(AlinkCase):
    """`send`, right and wrong."""

    def test_a_setting_succeeds_by_its_post(self):
        lamp = self.firmware()
        sent = self.homeport.send("lamp-1", "set-level", Level=21)
        self.assertEqual((sent.status, sent.one["state"]), (0, "succeeded"), sent)
        (topic, body, qos, retained), = lamp.heard
        self.assertEqual(topic, lamp.device.topic("thing/service/property/set"))
        self.assertEqual((body["method"], body["params"], qos, retained),
                         ("thing.service.property.set", {"Level": 21.0}, 1, 0))
        self.assertTrue(body["id"].isdecimal())

    def test_the_effect_counts_although_the_reply_is_lost(self):
        lamp = self.firmware()
        lamp.reply = False
        self.assertEqual(self.homeport.send("lamp-1", "set-power", Power="true").one["state"],
                         "succeeded")

    def test_a_reply_without_an_effect_is_unknown(self):
        lamp = self.firmware()
        lamp.obeys = False
        sent = self.homeport.send("lamp-1", "set-power", "--expires", "2s", Power="true")
        self.assertEqual((sent.status, sent.one["state"], sent.one["sends"]), (3, "unknown", 1), sent)
        self.assertEqual(len(lamp.heard), 1)

    def test_a_refusal_is_told_in_the_devices_words(self):
        lamp = self.firmware()
        lamp.code, lamp.message, lamp.obeys = 460, "out of reach", False
        sent = self.homeport.send("lamp-1", "set-power", Power="true")
        self.assertEqual((sent.status, sent.one["state"]), (1, "rejected"), sent)
        self.assertIn("out of reach", sent.one["message"])

    def test_a_service_succeeds_by_its_reply(self):
        lamp = self.firmware()
        sent = self.homeport.send("lamp-1", "start-clean", room=4)
        self.assertEqual((sent.status, sent.one["state"]), (0, "succeeded"), sent)
        self.assertEqual(lamp.heard[0][0], lamp.device.topic("thing/service/StartClean"))
        self.assertEqual(lamp.heard[0][1]["params"], {"room": 4})

    def test_wrong_arguments_and_commands_are_refused_before_anything_is_sent(self):
        lamp = self.firmware()
        for name, arguments in (("start-clean", {"room": 10}), ("start-clean", {}), ("fly", {})):
            self.assertEqual(self.homeport.send("lamp-1", name, **arguments).status, 65)
        self.assertEqual(lamp.heard, [])

    def test_a_device_that_is_not_back_after_the_broker_is_not_there(self):
        self.firmware()
        self.listed()
        server = self.homeport.start("serve")
        self.addCleanup(server.stop)
        server.line("ready", 20)
        self.restart_broker()
        observer = Controller(self.broker.port, "/sys/+/+/thing/service/#")
        self.addCleanup(observer.close)
        for options in (["--expires", "20s"], ["--expires", "2s"]):
            sent = self.homeport.send("lamp-1", "set-power", *options, Power="true")
            self.assertIn(sent.one["state"], ("refused", "expired"), sent)
            self.assertEqual((sent.status, sent.one["sends"]), (1, 0), sent)
        self.assertTrue(observer.quiet())
        self.firmware()
        sent = self.homeport.send("lamp-1", "set-power", "--expires", "20s", Power="true")
        self.assertEqual((sent.status, sent.one["state"]), (0, "succeeded"), sent)

    def test_to_an_offline_device_nothing_is_sent(self):
        Firmware(self.broker.port, LAMP).close()
        self.broker.says(f"alink: {PRODUCT}/lamp-1 is offline")
        observer = Controller(self.broker.port, "/sys/+/+/thing/service/#")
        self.addCleanup(observer.close)
        sent = self.homeport.send("lamp-1", "set-power", Power="true")
        self.assertEqual((sent.status, sent.one["state"], sent.one["sends"]), (1, "refused", 0), sent)
        self.assertTrue(observer.quiet())


class Configuration(AlinkCase):
    """The line of the configuration file, and `doctor`."""

    def test_a_line_without_models_or_with_wrong_ones_is_refused(self):
        self.write()
        missing = self.homeport.run("devices")
        self.assertEqual(missing.status, 65, missing)
        self.assertIn("models is missing", missing.stderr)
        (self.models / f"{PRODUCT}.json").write_text("{")
        self.write(models="models")
        wrong = self.homeport.run("devices")
        self.assertEqual(wrong.status, 65, wrong)
        self.assertIn(f"{PRODUCT}.json", wrong.stderr)

    def test_doctor_reads_the_models_and_counts_the_devices(self):
        self.firmware()
        Firmware(self.broker.port, PUMP).close()
        self.broker.says(f"alink: {PRODUCT}/Pump_2 is offline")
        found = self.homeport.run("doctor")
        self.assertIn("1 thing models in", found.stdout)
        self.assertIn("1 of 2 devices of mqtt://127.0.0.1", found.stdout)


class VendorSDK(AlinkCase):
    """The vendor's own device SDK for Python, where it is installed (aliyun-iot-linkkit, paho-mqtt 1.6)."""

    def test_it_is_answered_and_commanded(self):
        try:
            from linkkit import linkkit
        except ImportError:
            self.skipTest("aliyun-iot-linkkit is not installed")
        model = scratch() / "model.json"
        model.write_text(json.dumps({**MODEL, "profile": {"productKey": PRODUCT}}))
        kit = linkkit.LinkKit(host_name="cn-shanghai", product_key=PRODUCT, device_name=LAMP[1],
                              device_secret=LAMP[2])
        kit.config_mqtt(endpoint="127.0.0.1", port=self.broker.port, secure="")
        connected, answered, answers = threading.Event(), threading.Event(), []
        kit.on_connect = lambda *_: connected.set()
        kit.on_thing_enable = lambda *_: None
        kit.on_thing_prop_post = lambda *answer: (answers.append(answer[1:4]), answered.set())
        kit.on_thing_prop_changed = lambda params, _: kit.thing_post_property(params)
        kit.on_thing_call_service = lambda identifier, number, _params, _: kit.thing_answer_service(
            identifier, number, 200, {})
        self.assertEqual(kit.thing_setup(str(model)), 0)
        kit.connect_async()
        self.addCleanup(kit.destruct)
        self.assertTrue(connected.wait(DEADLINE))
        self.broker.says(f"alink: {PRODUCT}/lamp-1 is online")
        watch = self.homeport.start("watch")
        self.addCleanup(watch.stop)
        watch.until(lambda o: o["type"] == "presence")
        kit.thing_post_property({"Power": 0})
        self.assertTrue(answered.wait(DEADLINE))
        self.assertEqual(answers[0], (200, {}, "success"))
        for name, arguments in (("set-power", {"Power": "true"}), ("start-clean", {"room": 3})):
            sent = self.homeport.send("lamp-1", name, **arguments)
            self.assertEqual((sent.status, sent.one["state"]), (0, "succeeded"), sent)


class Simulated(AlinkCase):
    """The devices of `homeport-sim --dialect alink`."""

    triples = [ROBOT, POOL, STORE]

    def simulator(self, *options):
        return Child([binary("homeport-sim"), "run", "--broker", f"mqtt://127.0.0.1:{self.broker.port}",
                      "--dialect", "alink", "--models", str(self.models),
                      *(() if "--triples" in options else ("--triples", str(self.broker.triples))),
                      *options])

    def test_they_are_listed_shown_and_commanded(self):
        simulator = self.simulator("--telemetry-interval", "500ms")
        self.addCleanup(simulator.stop)
        simulator.line("ready 3 devices")
        found = self.listed()
        self.assertEqual({n: (o["kind"], o["presence"]) for n, o in found.items()},
                         {"robot-1": ("sweeping-robot", "online"),
                          "pool-1": ("pool-robot", "online"),
                          "store-1": ("energy-store", "online")})
        sent = self.homeport.send("robot-1", "set-fan-speed", fanSpeed="turbo")
        self.assertEqual((sent.status, sent.one["state"]), (0, "succeeded"), sent)
        sent = self.homeport.send("store-1", "set-reserve-percent", reservePercent=35)
        self.assertEqual((sent.status, sent.one["state"]), (0, "succeeded"), sent)
        sent = self.homeport.send("robot-1", "start-cleaning")
        self.assertEqual((sent.status, sent.one["state"]), (0, "succeeded"), sent)
        watch = self.homeport.start("watch")
        self.addCleanup(watch.stop)
        watch.until(lambda o: o["type"] == "telemetry" and "batteryPercent" in o["values"])
        simulator.signal(signal.SIGTERM)
        self.assertEqual(simulator.wait(), 0)
        watch.until(lambda o: o["type"] == "presence" and "offline" in json.dumps(o))

    def test_a_wrong_secret_is_told_with_the_triple_and_where_it_stands(self):
        wrong = scratch() / "triples"
        wrong.write_text(f"{ROBOT[0]} {ROBOT[1]} {'x' * 32}\n")
        simulator = self.simulator("--triples", str(wrong))
        self.assertNotEqual(simulator.wait(), 0)
        told = "\n".join(simulator.lines)
        self.assertIn(f"{ROBOT[0]}/{ROBOT[1]}", told)
        self.assertIn("plugin_opt_triples", told)
        self.assertNotIn("--credentials-file", told)

    def test_what_alink_cannot_express_is_refused(self):
        for options, word in ((["--unprovisioned", "1"], "--unprovisioned"),
                              (["--processes", "2"], "--processes"),
                              (["--speed", "max", "--duration", "1s"], "--speed max")):
            simulator = self.simulator(*options)
            self.assertEqual(simulator.wait(), 64)
            self.assertIn(word, "\n".join(simulator.lines))


if __name__ == "__main__":
    unittest.main()
