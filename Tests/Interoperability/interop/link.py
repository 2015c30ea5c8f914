"""One MQTT connection with an inbox that can be waited on."""

import os
import socket
import threading
import time
from dataclasses import dataclass
from functools import cached_property

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from .strict_json import parse

DEADLINE = float(os.environ.get("INTEROP_DEADLINE", "15"))
"""Seconds after which an awaited message counts as missing."""
CREDENTIALS = {}
"""User and password of the private brokers, by port, as their meeting files say."""


@dataclass
class Message:
    """One received message."""

    topic: str
    payload: bytes
    qos: int
    retain: bool
    properties: object
    arrived: float

    @cached_property
    def json(self):
        """The payload, strictly parsed."""
        return parse(self.payload)

    def property(self, name, default=None):
        """An MQTT 5 property by paho's name, or `default`."""
        return getattr(self.properties, name, default) if self.properties else default


class Missing(AssertionError):
    """A message that did not come before its deadline."""


class Link:
    """A connection on `version` "5" or "3.1.1"; every message is kept in `inbox`."""

    def __init__(self, port, version="5", client_id=None, will=None, session=False,
                 handler=None, reconnect=True):
        self.version, self.port, self.inbox, self.sent = version, port, [], set()
        self.changed, self.handlers = threading.Condition(), [handler] if handler else []
        self.reconnected, self.lost, self._reconnect = None, False, reconnect
        self._dropped = False
        self._connected, self._suback = threading.Event(), {}
        self._client = self._make(client_id or f"interop-{os.urandom(4).hex()}", session)
        if will:
            self._client.will_set(*will)
        self._open(session)

    @property
    def is_v5(self):
        """Whether this link speaks MQTT 5."""
        return self.version == "5"

    def _make(self, client_id, session):
        if self.is_v5:
            client = mqtt.Client(client_id, protocol=mqtt.MQTTv5)
        else:
            client = mqtt.Client(client_id, protocol=mqtt.MQTTv311, clean_session=not session)
        client.on_connect = self._connect_done
        client.on_disconnect = self._disconnected
        client.on_message = self._receive
        client.on_subscribe = self._subscribed
        client.max_inflight_messages_set(500)
        if self.port in CREDENTIALS:
            client.username_pw_set(*CREDENTIALS[self.port])
        return client

    def _connect_done(self, *_):
        if self._connected.is_set() and self.reconnected:
            self.reconnected()
        self._connected.set()

    def _disconnected(self, client, *_):
        with self.changed:
            self.lost = True
            self.changed.notify_all()
        if not self._reconnect:
            client.disconnect()

    def _open(self, session):
        arguments = {}
        if self.is_v5:
            properties = Properties(PacketTypes.CONNECT)
            properties.SessionExpiryInterval = 3600 if session else 0
            arguments = {"clean_start": not session, "properties": properties}
        self._client.connect("127.0.0.1", self.port, 60, **arguments)
        self._client.loop_start()
        if not self._connected.wait(DEADLINE):
            raise Missing("no CONNACK")

    def _receive(self, client, userdata, message):
        properties = getattr(message, "properties", None) if self.is_v5 else None
        received = Message(message.topic, message.payload, message.qos, bool(message.retain),
                           properties, time.monotonic())
        with self.changed:
            self.inbox.append(received)
            self.changed.notify_all()
        for handler in list(self.handlers):
            handler(received)

    def _subscribed(self, client, userdata, mid, *rest):
        with self.changed:
            self._suback[mid] = True
            self.changed.notify_all()

    def subscribe(self, topic_filter, qos=1, own=False, retained_as_published=True,
                  wait=True):
        """Subscribes and waits for the SUBACK, unless told otherwise; on MQTT 5 without own messages unless `own`."""
        if self.is_v5:
            options = SubscribeOptions(qos, noLocal=not own,
                                       retainAsPublished=retained_as_published)
            _, mid = self._client.subscribe(topic_filter, options=options)
        else:
            _, mid = self._client.subscribe(topic_filter, qos)
        if wait:
            self.until(lambda: mid in self._suback, what=f"SUBACK of {topic_filter}")

    def publish(self, topic, payload, qos=1, retain=False, properties=None, wait=True):
        """Publishes and, unless told otherwise, waits until the broker has confirmed it."""
        self.sent.add((topic, bytes(payload)))
        extra = {"properties": properties} if self.is_v5 and properties else {}
        info = self._client.publish(topic, payload, qos, retain, **extra)
        if wait and qos:
            info.wait_for_publish(DEADLINE)
            if not info.is_published():
                raise Missing(f"PUBACK of {topic}")
        return info

    def until(self, condition, timeout=None, what="something"):
        """The first true value of `condition()`, asked after every message; `Missing` if none."""
        deadline = time.monotonic() + (timeout or DEADLINE)
        with self.changed:
            while True:
                value = condition()
                if value:
                    return value
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Missing(f"no {what} within {timeout or DEADLINE} s")
                self.changed.wait(min(left, 0.2))

    def mark(self):
        """A position in the inbox, for `since`."""
        with self.changed:
            return len(self.inbox)

    def since(self, mark=0, **criteria):
        """The messages after `mark` whose topic equals, ends or starts as asked."""
        with self.changed:
            return [m for m in self.inbox[mark:] if _fits(m, **criteria)]

    def wait(self, mark=0, timeout=None, where=None, what="message", **criteria):
        """The first message after `mark` that fits."""
        def found():
            return next((m for m in self.inbox[mark:]
                         if _fits(m, **criteria) and (where is None or where(m))), None)
        return self.until(found, timeout, f"{what} {criteria}")

    def fence(self, home):
        """A round trip through the broker: what was retained or sent before has come."""
        nonce, topic = os.urandom(8).hex().encode(), f"homeport/v1/{home}/fence"
        self.subscribe(topic, 0, own=True)
        self.publish(topic, nonce, qos=0)
        self.wait(topic=topic, where=lambda m: m.payload == nonce, what="fence")

    def close(self):
        """Disconnects cleanly."""
        if not self._dropped:
            self._client.disconnect()
            self._client.loop_stop()

    def drop(self):
        """Cuts the connection without a DISCONNECT, so that the broker sends the will."""
        self._dropped, self._reconnect = True, False
        self._client.on_disconnect = None
        self._client._thread_terminate = True
        self._client.socket().shutdown(socket.SHUT_RDWR)
        self._client.loop_stop()


def _fits(message, topic=None, ending=None, starting=None):
    return ((topic is None or message.topic == topic)
            and (ending is None or message.topic.endswith(ending))
            and (starting is None or message.topic.startswith(starting)))


def command_properties(response_topic=None, correlation=None, expiry=None):
    """The properties of a command, or those of them that are given."""
    properties = Properties(PacketTypes.PUBLISH)
    properties.ContentType, properties.PayloadFormatIndicator = "application/json", 1
    if response_topic is not None:
        properties.ResponseTopic = response_topic
    if correlation is not None:
        properties.CorrelationData = correlation
    if expiry is not None:
        properties.MessageExpiryInterval = expiry
    return properties
