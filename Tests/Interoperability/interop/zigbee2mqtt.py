"""A zigbee2mqtt 2.x bridge with devices of our own, written from the documentation of zigbee2mqtt."""

import threading

from .link import Link
from .strict_json import Violation, encode, parse

STATE, SET, GET = 1, 2, 4
"""The bits of `access`: is published, can be set, can be read."""

ALL = STATE | SET | GET


def feature(kind, name, access=ALL, **more):
    """One feature of an expose."""
    return {"type": kind, "name": name, "label": name.replace("_", " ").capitalize(),
            "property": name, "access": access, **more}


def numeric(name, low=None, high=None, access=ALL, **more):
    """A number, within bounds where they are given."""
    bounds = {} if low is None else {"value_min": low, "value_max": high}
    return feature("numeric", name, access, **bounds, **more)


def choice(name, *values, access=ALL):
    """One of several words."""
    return feature("enum", name, access, values=list(values))


def switching(on="ON", off="OFF", toggle="TOGGLE"):
    """The feature `state` of lights, plugs and locks."""
    more = {"value_toggle": toggle} if toggle else {}
    return feature("binary", "state", ALL, value_on=on, value_off=off, **more)


def group(kind, *features):
    """A light, switch, cover, lock or climate with its features."""
    return {"type": kind, "features": list(features)}


LINK_QUALITY = numeric("linkquality", 0, 255, STATE, unit="lqi")

LIGHT = [group("light", switching(), numeric("brightness", 0, 254),
               numeric("color_temp", 153, 500, unit="mired")),
         choice("effect", "blink", "breathe", "okay", access=SET), LINK_QUALITY]
PLUG = [group("switch", switching()), numeric("power", access=STATE | GET, unit="W"), LINK_QUALITY]
COVER = [group("cover", choice("state", "OPEN", "CLOSE", "STOP", access=STATE | SET),
               numeric("position", 0, 100, unit="%")), LINK_QUALITY]
SENSOR = [numeric("battery", 0, 100, STATE, unit="%"), numeric("temperature", access=STATE, unit="°C"),
          numeric("humidity", access=STATE, unit="%"), LINK_QUALITY]
LOCK = [group("lock", switching("LOCK", "UNLOCK", None),
              choice("lock_state", "not_fully_locked", "locked", "unlocked", access=STATE)),
        LINK_QUALITY]
THERMOSTAT = [group("climate", numeric("occupied_heating_setpoint", 5, 30, value_step=0.5, unit="°C"),
                    numeric("local_temperature", access=STATE | GET, unit="°C"),
                    choice("system_mode", "off", "heat", "auto"),
                    choice("running_state", "idle", "heat", access=STATE | GET)), LINK_QUALITY]


def access_of(exposes):
    """`access` by property, through all groups."""
    found = {}
    for expose in exposes:
        for one in expose.get("features", [expose]):
            found[one["property"]] = one["access"]
    return found


class Zigbee:
    """A device behind the bridge: `shown` is what the bridge believes, `real` what the device has."""

    def __init__(self, address, name, exposes, model="LED1", **real):
        self.address, self.name, self.exposes, self.model = address, name, exposes, model
        self.access, self.real, self.shown = access_of(exposes), dict(real), dict(real)
        self.delayed, self.obeys, self.complaint, self.answers = [], True, None, True
        self.retained, self.supported, self.on_set, self.disabled = False, True, None, False
        self.sleeps, self.pending = 0, []

    @property
    def entry(self):
        """Its element in `bridge/devices`; without a definition where it is not supported."""
        entry = {"ieee_address": self.address, "type": "Router", "network_address": 4660,
                "friendly_name": self.name, "supported": self.supported, "disabled": self.disabled,
                "interview_state": "SUCCESSFUL", "interviewing": False, "interview_completed": True,
                "power_source": "Mains (single phase)", "model_id": self.model,
                "manufacturer": "Acme", "endpoints": {"1": {
                    "bindings": [], "clusters": {"input": ["genBasic"], "output": []},
                    "configured_reportings": [], "scenes": []}}}
        if self.supported:
            entry["definition"] = {"model": self.model, "vendor": "Acme", "supports_ota": False,
                                   "description": f"Acme {self.model}", "source": "native",
                                   "exposes": self.exposes, "options": []}
        return entry

    def take(self, wanted):
        """Carries out what was set, if it obeys, at once or where `delayed` with later reads."""
        if self.obeys:
            self.real.update(wanted)

    def read(self, names):
        """What a read finds; a delayed device shows its next value on the way."""
        if self.delayed:
            self.real.update(self.delayed.pop(0))
        return {name: self.real[name] for name in names if name in self.real}


COORDINATOR = {"ieee_address": "0x00124b0000000001", "type": "Coordinator", "network_address": 0,
               "friendly_name": "Coordinator", "supported": True, "disabled": False,
               "interview_state": "SUCCESSFUL", "interviewing": False, "interview_completed": True,
               "endpoints": {"1": {"bindings": [], "clusters": {"input": [], "output": []},
                                   "configured_reportings": [], "scenes": []}}}


class Bridge:
    """The program: connected, with everything retained that it retains."""

    def __init__(self, port, devices=(), version="5", base="zigbee2mqtt"):
        self.base, self.devices, self.received, self.broken = base, list(devices), [], []
        self.permits, self.refusal = 0, None
        will = (f"{base}/bridge/state", encode({"state": "offline"}), 1, True)
        self.link = Link(port, version, f"mqttjs_{base}", will, handler=self._take)
        self.link.subscribe(f"{base}/#", 1)

    def online(self):
        """Announces itself in the order in which the program starts."""
        self.say("bridge/state", {"state": "online"}, True)
        self.inform()
        self.list_devices()
        self.say("bridge/groups", [], True)
        self.say("bridge/extensions", [], True)
        for device in self.devices:
            self.available(device)
            self.show(device)
        self.log("info", "z2m: Zigbee2MQTT started!")
        return self

    def offline(self):
        """A clean end: offline, then a disconnect."""
        self.say("bridge/state", {"state": "offline"}, True)
        self.link.close()

    def say(self, leaf, value, retain=False, wait=True):
        """Publishes below the base topic."""
        self.link.publish(f"{self.base}/{leaf}", encode(value), 1 if retain else 0, retain, wait=wait)

    def inform(self, wait=True):
        """Publishes `bridge/info`."""
        self.say("bridge/info", {
            "version": "2.12.1", "commit": "abcdef", "zigbee_herdsman": {"version": "6.0.0"},
            "zigbee_herdsman_converters": {"version": "25.0.0"},
            "coordinator": {"ieee_address": COORDINATOR["ieee_address"], "type": "ZStack3x0", "meta": {}},
            "network": {"pan_id": 6754, "extended_pan_id": "0xdddddddddddddddd", "channel": 11},
            "log_level": "info", "permit_join": self.permits > 0, "restart_required": False,
            "config": {"availability": {"enabled": True}, "mqtt": {"base_topic": self.base}},
            "config_schema": {}}, True, wait)

    def list_devices(self, wait=True):
        """Publishes `bridge/devices`."""
        self.say("bridge/devices", [COORDINATOR] + [d.entry for d in self.devices], True, wait)

    def available(self, device, state="online"):
        """Publishes a device's availability."""
        self.say(f"{device.name}/availability", {"state": state}, True)

    def show(self, device, wait=True, **changes):
        """Publishes a device's state, retained only where an option of the device says so."""
        device.real.update(changes)
        device.shown.update(changes)
        self.say(device.name, device.shown, device.retained, wait)

    def log(self, level, message, wait=True):
        """Publishes a line of the log."""
        self.say("bridge/logging", {"level": level, "message": message}, wait=wait)

    def named(self, name):
        """The device of a friendly name or address."""
        return next((d for d in self.devices if name in (d.name, d.address)), None)

    def rename(self, device, name):
        """A rename as by the frontend: the old name's availability goes, the list follows."""
        self.link.publish(f"{self.base}/{device.name}/availability", b"", 1, True)
        device.name = name
        self.list_devices()
        self.available(device)

    def remove(self, device):
        """A device leaves; its retained availability stays."""
        self.say("bridge/event", {"type": "device_leave", "data": {
            "ieee_address": device.address, "friendly_name": device.name}})
        self.devices.remove(device)
        self.list_devices()

    def asked(self, leaf):
        """The payloads that came on one topic."""
        with self.link.changed:
            return [value for topic, value in self.received if topic == leaf]

    def until_asked(self, leaf, count=1):
        """Waits for a number of messages on one topic."""
        return self.link.until(lambda: len(self.asked(leaf)) >= count and self.asked(leaf), None,
                               f"{count} messages on {leaf}")

    def _take(self, message):
        leaf = message.topic[len(self.base) + 1:]
        request = leaf.startswith("bridge/request/")
        verb = leaf.rsplit("/", 1)[-1]
        if not request and verb not in ("set", "get"):
            return
        try:
            self._handle(leaf, verb, request, parse(message.payload))
            if message.retain:
                self.broken.append(f"{message.topic} was retained")
        except (Violation, KeyError, TypeError) as error:
            self.broken.append(f"{message.topic}: {error!r}: {message.payload[:300]!r}")

    def _handle(self, leaf, verb, request, value):
        with self.link.changed:
            self.received.append((leaf, value))
            self.link.changed.notify_all()
        if request:
            return self._respond(leaf.removeprefix("bridge/request/"), value)
        name = leaf[:-len(verb) - 1]
        device = self.named(name)
        if device is None:
            return self.log("error", f"z2m: Entity '{name}' is unknown", wait=False)
        carry_out = self._set if verb == "set" else self._get
        if not device.sleeps:
            return carry_out(device, value)
        # It takes everything that came in the meantime when it wakes.
        if not device.pending:
            threading.Timer(device.sleeps, self._wake, (device,)).start()
        device.pending.append((carry_out, value))
        return None

    def _wake(self, device):
        pending, device.pending, device.sleeps = device.pending, [], 0
        for carry_out, value in pending:
            carry_out(device, value)

    def _set(self, device, wanted):
        for name in wanted:
            if not device.access.get(name, 0) & SET:
                return self.log("error", f"z2m: No converter available for 'set' '{name}' "
                                f"on '{device.name}'", wait=False)
        if device.complaint:
            name = next(iter(wanted))
            return self.log("error", f"z2m: Publish 'set' '{name}' to '{device.name}' failed: "
                            f"'Error: {device.complaint}'", wait=False)
        if device.on_set:
            device.on_set()
        device.take(wanted)
        published = {n: v for n, v in wanted.items() if device.access[n] & STATE}
        if published:
            device.shown.update(published)
            self.show(device, wait=False)
        return None

    def _get(self, device, names):
        for name in names:
            if not device.access.get(name, 0) & GET:
                return self.log("error", f"z2m: No converter available for 'get' '{name}' "
                                f"on '{device.name}'", wait=False)
        if device.answers:
            device.shown.update(device.read(names))
            self.show(device, wait=False)
        return None

    def _respond(self, request, value):
        transaction = {"transaction": value["transaction"]} if "transaction" in value else {}
        error = self.refusal or _wrong(request, value)
        if error:
            body = {"data": {}, "status": "error", "error": error, **transaction}
        else:
            self.permits = value["time"]
            self.inform(wait=False)
            body = {"data": {"time": value["time"]}, "status": "ok", **transaction}
        self.say(f"bridge/response/{request}", body, wait=False)


def _wrong(request, value):
    if request != "permit_join":
        return f"Unknown request '{request}'"
    return None if isinstance(value.get("time"), int) and 0 <= value["time"] <= 254 else "Invalid payload"
