"""Alink on MQTT from the vendor's documents: a broker with the plugin, and a device with paho."""

import hashlib
import hmac
import itertools
import json
import queue
import subprocess
import time

import paho.mqtt.client as paho

from .link import DEADLINE, Missing
from .processes import ROOT, Broker, scratch

METHODS = {"hmacmd5": hashlib.md5, "hmacsha1": hashlib.sha1, "hmacsha256": hashlib.sha256}
CONTROLLER = ("controller", "of the home")
_plugin = None
_numbers = itertools.count(1)


def plugin():
    """The path of the plugin, built once for a run."""
    global _plugin
    if _plugin is None:
        _plugin = scratch() / "homeport-alink.so"
        subprocess.run([str(ROOT / "scripts" / "alink-plugin"), str(_plugin)], check=True)
    return _plugin


def digits(method, secret, text):
    """A signature in hexadecimal digits."""
    return hmac.new(secret.encode(), text.encode(), METHODS[method]).hexdigest()


class AlinkBroker(Broker):
    """mosquitto with the plugin, and a password for controllers."""

    def __init__(self, triples, products=None, options="", port=None):
        self.folder = scratch()
        self.folder.chmod(0o700)
        self.triples = self.folder / "triples"
        self.write(triples)
        passwords = self.folder / "passwords"
        passwords.touch()
        subprocess.run(["mosquitto_passwd", "-b", str(passwords), *CONTROLLER], check=True,
                       stderr=subprocess.DEVNULL)
        lines = [f"plugin {plugin()}", f"plugin_opt_triples {self.triples}",
                 f"plugin_opt_tokens {self.folder / 'tokens'}", f"password_file {passwords}",
                 "allow_anonymous false"]
        if products:
            path = self.folder / "products"
            path.write_text("".join(f"{' '.join(words)}\n" for words in products))
            lines.append(f"plugin_opt_products {path}")
        super().__init__("\n".join(lines) + "\n" + options, port)

    def write(self, triples):
        """Replaces the file of triples, as a careful program does."""
        new = self.triples.with_suffix(".new")
        new.write_text("# one device a line\n\n"
                       + "".join(f"{' '.join(words)}\n" for words in triples))
        new.chmod(0o600)
        new.rename(self.triples)

    def says(self, pattern):
        """Waits for a line of its log."""
        return self.line(r"(?:\d+: )?" + pattern, DEADLINE)


class Client:
    """A connection with what it has received."""

    def __init__(self, port, client_id, user, password, clean=True, start=True):
        self.received, self.granted, self.answers = queue.Queue(), queue.Queue(), queue.Queue()
        self.lost = queue.Queue()
        self.paho = paho.Client(client_id, clean_session=clean, reconnect_on_failure=False)
        self.paho.username_pw_set(user, password)
        self.paho.on_message = lambda _c, _u, message: self.received.put(message)
        self.paho.on_subscribe = lambda _c, _u, _mid, granted: self.granted.put(granted)
        self.paho.on_connect = lambda _c, _u, _flags, code: self.answers.put(code)
        self.paho.on_disconnect = lambda _c, _u, code: self.lost.put(code)
        self.paho.connect("127.0.0.1", port)
        self.paho.loop_start()
        self.code = self.answers.get(timeout=DEADLINE)

    def subscribe(self, *filters):
        """Subscribes; the codes that were granted."""
        self.paho.subscribe([(text, 1) for text in filters])
        return list(self.granted.get(timeout=DEADLINE))

    def unsubscribe(self, text):
        self.paho.unsubscribe(text)

    def publish(self, topic, payload, retain=False, qos=1):
        text = payload if isinstance(payload, (str, bytes)) else json.dumps(payload)
        self.paho.publish(topic, text, qos, retain).wait_for_publish(DEADLINE)

    def next(self, timeout=DEADLINE):
        """The next message: topic, decoded payload, retain flag."""
        try:
            message = self.received.get(timeout=timeout)
        except queue.Empty:
            raise Missing("no message came") from None
        text = message.payload.decode()
        return message.topic, json.loads(text) if text else None, message.retain

    def quiet(self, seconds=0.4):
        """Whether nothing came for a while."""
        try:
            self.received.get(timeout=seconds)
        except queue.Empty:
            return True
        return False

    def close(self):
        self.paho.disconnect()
        self.paho.loop_stop()


class Device(Client):
    """A device that signs its login."""

    def __init__(self, port, triple, method="hmacsha256", clean=True, upper=False, secret=None,
                 parameters="_ss=1", timestamp=True, client_id=None):
        self.product, self.name, own = triple
        name = client_id or f"{self.product}.{self.name}"
        stamp = str(int(time.time() * 1000) + next(_numbers)) if timestamp else ""
        parts = ["securemode=3"] + ([f"signmethod={method}"] if method else [])
        parts += [f"timestamp={stamp}"] if stamp else []
        parts += [parameters] if parameters else []
        text = f"clientId{name}deviceName{self.name}productKey{self.product}" + (
            f"timestamp{stamp}" if stamp else "")
        password = digits(method or "hmacmd5", secret or own, text)
        super().__init__(port, f"{name}|{','.join(parts)}|", f"{self.name}&{self.product}",
                         password.upper() if upper else password, clean)

    def topic(self, rest):
        return f"/sys/{self.product}/{self.name}/{rest}"


class Controller(Client):
    """A client that logs in with a password."""

    def __init__(self, port, *filters):
        super().__init__(port, f"controller-{next(_numbers)}", *CONTROLLER)
        if filters:
            self.subscribe(*filters)


def registration(port, product, secret, name, kind, random="8Ygb7ULYh53B6OA"):
    """A connection that registers a device, and keeps what it is told."""
    password = digits("hmacsha256", secret, f"deviceName{name}productKey{product}random{random}")
    client_id = (f"{name}.{product}|random={random},authType={kind},securemode=2,"
                 "signmethod=hmacsha256|")
    return Client(port, client_id, f"{name}&{product}", password)
