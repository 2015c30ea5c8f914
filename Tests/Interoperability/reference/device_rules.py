"""Section 3 of the protocol for one device."""

import copy
import os
import re
import threading

from interop import rules
from interop.identifiers import PART, UUID7, now_ms, raw_bytes, topic
from interop.link import Link, Properties, PacketTypes
from interop.strict_json import Violation, _depth, encode
from worlds import ABILITIES, INTERRUPTING, MODEL, SETTINGS, World, now
import json


class Refusal(Exception):
    """A verdict against a command."""

    def __init__(self, code, message="", stage="rejected"):
        super().__init__(code)
        self.code, self.message, self.stage = code, message, stage


class Job:
    """One command in hand."""

    def __init__(self, members, payload, message=None):
        self.members, self.payload, self.message = members, payload, message
        self.key = (members["controller"], members["id"])
        self.n = self.executions = 0
        self.until = None


class RuledDevice:
    """Connects, announces itself and judges what comes."""

    def __init__(self, port, version, home, name, kind, journal):
        self.name, self.home, self.world, self.journal = name, home, World(kind), journal
        self.world.state = journal.kept("state", self.world.state)
        self.revision = journal.kept("revision", 1)
        self.boot, self.lock = "b" + os.urandom(4).hex(), threading.RLock()
        self.running, self.waiting, self.n, self.paused = None, [], 0, None
        self.last_repair, self.last_hello, self.timers = -9.0, -9.0, []
        self.by, self.state_at = None, now_ms()
        will = (self.topic("presence"), self._presence("offline"), 1, True)
        with self.lock:
            self.link = Link(port, version, f"homeport-{home}-{name}", will, session=True,
                             handler=self._take)
            self._recover()
            self._subscribe(wait=False)
            self.announce()
            for job in self.interrupted:
                self._finish(job, "failed", "INTERRUPTED")
        self.link.reconnected = self._return

    def _subscribe(self, wait=True):
        for leaf in ("command", "command/urgent", "desired", "presence"):
            self.link.subscribe(self.topic(leaf), 1, own=False, wait=wait)
        self.link.subscribe(f"homeport/v1/{self.home}/hello", 1, wait=wait)

    def _return(self):
        self._subscribe(wait=False)
        self.announce()

    def topic(self, *rest):
        return topic(self.home, self.name, *rest)

    def _presence(self, status):
        return encode({"v": 1, "device": self.name, "status": status, "boot": self.boot,
                       "at": now_ms()})

    def _recover(self):
        self.interrupted = []
        for controller, command_id, payload, ack, name in self.journal.open_entries():
            job, last = Job(json.loads(payload), payload), json.loads(ack)
            job.n, job.executions = last["n"], self.journal.kept("x" + command_id, 0)
            self.interrupted.append(job)
            if "activity" in self.world.state and self.world.state["activity"] != "docked":
                self.world.state["activity"] = "idle"

    def announce(self):
        """Description, presence, state."""
        kind = self.world.kind
        self._send("description", encode({
            "v": 1, "device": self.name, "model": MODEL[kind], "kind": kind, "name": self.name,
            "firmware": "1.0", "capabilities": ["connectable", "controllable", *ABILITIES[kind]],
            "commands": self.world.describe()}), retain=True)
        self._send("presence", self._presence("online"), retain=True)
        self._publish_state()

    def _send(self, leaf, payload, retain=False, qos=1, properties=None):
        self.link.publish(self.topic(leaf), payload, qos, retain, properties, wait=False)

    def _publish_state(self):
        self._send("state", encode({"v": 1, "device": self.name, "boot": self.boot,
                                    "revision": self.revision, "at": self.state_at, "by": self.by,
                                    "state": self.world.state}), retain=True)

    def _changed(self, before, by):
        if self.world.state != before:
            self.revision, self.by, self.state_at = self.revision + 1, by, now_ms()
            self.journal.keep("revision", self.revision)
            self.journal.keep("state", self.world.state)
            self._publish_state()

    def tick(self):
        """Ends what is due, expires what waited too long."""
        with self.lock:
            due = [t for t in self.timers if t[0] <= now()]
            self.timers = [t for t in self.timers if t[0] > now()]
            for _, act in due:
                act()
            for job in [w for w in self.waiting if w.members["expiresAt"] < now_ms()]:
                self.waiting.remove(job)
                self._finish(job, "expired", "EXPIRED")
            if self.running and not self.paused and now() >= self.running.until:
                self._end_running("succeeded", "OK")
                self._next()
            for job in ([self.running] if self.running else []) + self.waiting:
                if now() - job.spoke > 25:
                    self._ack(job, "progress", "OK")

    def sample(self, at, batteries):
        """One telemetry message of an instant that all devices share."""
        with self.lock:
            self.n += 1
            self._send("telemetry", encode({"v": 1, "device": self.name, "boot": self.boot,
                                            "at": at, "n": self.n,
                                            "values": self.world.sample(batteries)}), qos=0)

    # Receiving

    def _take(self, message):
        with self.lock:
            if message.topic.endswith("/hello"):
                self._hello(message)
            elif message.topic.endswith("/presence"):
                self._repair(message)
            elif message.topic.endswith("/desired"):
                self._desired(message)
            elif message.payload and not message.retain:
                self._judge(message)

    def _hello(self, message):
        try:
            value = message.json
            good = (not message.retain and 0 <= value["spreadMs"] <= 60000
                    and 0 < len(value["nonce"]) <= 64 and now() - self.last_hello >= 5)
        except (Violation, KeyError, TypeError):
            return
        if good:
            self.last_hello = now()
            self.timers.append((now() + value["spreadMs"] / 2000, self.announce))

    def _repair(self, message):
        if b'"offline"' in message.payload:
            when = max(now() + 1, self.last_repair + 5)
            self.last_repair = when
            self.timers.append((when, lambda: self._send("presence", self._presence("online"),
                                                         retain=True)))

    def _desired(self, message):
        try:
            value = message.json
            entries = value["settings"]["schedule"]
            if (value["v"] != 1 or value["device"] != self.name
                    or self.world.culprit("set-schedule", {"entries": entries})
                    or value["revision"] <= self.world.state["desiredRevision"]):
                return
        except (Violation, KeyError, TypeError):
            return
        before = copy.deepcopy(self.world.state)
        self.world.state.update(settings={"schedule": entries}, desiredRevision=value["revision"])
        self._changed(before, None)

    def _parse(self, payload):
        """The members, or None where rule 2 drops; raises Refusal where it refuses."""
        try:
            pairs = []
            if len(payload) > 65536:
                return None
            value = json.loads(payload.decode("utf-8"), object_pairs_hook=lambda p: pairs.append(p)
                               or dict(p), parse_constant=lambda c: {}[c])
            if not isinstance(value, dict) or _depth(value) > 16:
                return None
        except (ValueError, KeyError, RecursionError):
            return None
        names = [key for key, _ in pairs[-1]]
        for key, pattern in (("id", UUID7), ("controller", PART)):
            if names.count(key) != 1 or not isinstance(value[key], str) \
                    or not re.fullmatch(pattern, value[key]):
                return None
        return value, any(len(p) != len(dict(p)) for p in pairs)

    def _judge(self, message):
        try:
            parsed = self._parse(message.payload)
        except RecursionError:
            return
        if parsed is None:
            return
        members, doubled = parsed
        job = Job(members, message.payload, message)
        try:
            self._check_bytes(members, doubled)
            if self._duplicate(job):
                return
        except Refusal as refusal:
            return self._answer(job, refusal, store=False)
        if self.journal.count(job.key[0]) >= 5000:
            return self._publish_ack(job, self._body(job, "rejected", "THROTTLED", final=False))
        try:
            if members["expiresAt"] < now_ms():
                raise Refusal("EXPIRED", stage="expired")
            self._check(job)
            if members.get("dryRun"):
                return self._ack(job, "succeeded", "OK")
        except Refusal as refusal:
            return self._answer(job, refusal)
        self._accept(job)

    def _check_bytes(self, members, doubled):
        version = members.get("v")
        if version is not None and version != 1:
            raise Refusal("UNSUPPORTED_VERSION")
        try:
            value = {k: int(m) if isinstance(m, float) and m.is_integer() else m
                     for k, m in members.items() if k in _KNOWN}
            _PAYLOAD(value, "command")
            life = value["expiresAt"] - value["issuedAt"]
            if doubled or not 0 <= life <= 86_400_000:
                raise Violation("doubled or too long")
        except Violation as error:
            raise Refusal("BAD_REQUEST", str(error)) from None

    def _duplicate(self, job):
        found = self.journal.find(*job.key)
        if not found:
            return False
        payload, ack = found
        if payload is None:
            if b'"promise"' in ack:
                refusal = Refusal("STALE_SESSION")
                self._answer(job, refusal)
                return True
        elif payload != job.payload:
            raise Refusal("ID_REUSED")
        body = json.loads(ack)
        self._publish_ack(job, {**body, "replay": True})
        return True

    def _check(self, job):
        members, state = job.members, self.world.state
        name, arguments = members["name"], members["arguments"]
        response = job.message.property("ResponseTopic")
        if response is not None and response != self.topic("ack", job.key[0]):
            raise Refusal("BAD_RESPONSE_TOPIC")
        if members.get("boot", self.boot) != self.boot:
            raise Refusal("STALE_SESSION")
        spec = self.world.specs.get(name)
        if spec is None:
            raise Refusal("UNKNOWN_COMMAND", f"no {name}")
        if members.get("ifRevision", self.revision) != self.revision:
            raise Refusal("PRECONDITION")
        if spec.needs_if_revision and "ifRevision" not in members:
            raise Refusal("BAD_REQUEST", "ifRevision")
        culprit = self.world.culprit(name, arguments)
        if culprit:
            raise Refusal("BAD_ARGUMENTS", f"argument {culprit}")
        if name == "pause" and (not self.running or self.paused):
            raise Refusal("WRONG_STATE")
        if name == "resume" and not self.paused:
            raise Refusal("WRONG_STATE")
        if spec.sort == "action":
            running = self.running.members["name"] if self.running else None
            if name in ("charge", "discharge") and running == name:
                raise Refusal("BUSY")
            if running and name not in INTERRUPTING and len(self.waiting) >= 16:
                raise Refusal("THROTTLED")
        if spec.sort == "setting":
            key = f"sequence {job.key[0]} {name}"
            if members["sequence"] < self.journal.kept(key, 0):
                raise Refusal("SUPERSEDED", stage="superseded")
            self.journal.keep(key, members["sequence"])

    # Acting

    def _accept(self, job):
        name = job.members["name"]
        sort = self.world.specs[name].sort
        if sort == "action":
            return self._take_action(job)
        if sort == "setting":
            self._ack(job, "accepted", "OK")
            before = copy.deepcopy(self.world.state)
            job.executions = 1
            previous = self.world.set(name, job.members["arguments"])
            self._changed(before, job.members["id"])
            return self._finish(job, "succeeded", "OK", {"previous": previous})
        self._ack(job, "accepted", "OK")
        job.executions = 1
        handler = {"stop": self._stop, "pause": self._pause, "resume": self._resume,
                   "cancel-command": self._cancel, "query-commands": self._query}.get(name)
        result = handler(job) if handler else {}
        if result is None:
            return self._finish(job, "failed", "WRONG_STATE")
        return self._finish(job, "succeeded", "OK", result)

    def _take_action(self, job):
        name = job.members["name"]
        if self.running and name not in INTERRUPTING:
            self.waiting.append(job)
            return self._ack(job, "accepted", "OK")
        self._ack(job, "accepted", "OK")
        if self.running:
            self._end_running("superseded", "SUPERSEDED")
        return self._begin(job)

    def _begin(self, job):
        before = copy.deepcopy(self.world.state)
        self.running, job.executions, self.paused = job, 1, None
        self.journal.keep("x" + job.key[1], 1)
        job.until = now() + self.world.begin(job.members["name"], job.members["arguments"])
        self._changed(before, job.members["id"])

    def _end_running(self, stage, code):
        job, self.running, self.paused = self.running, None, None
        before = copy.deepcopy(self.world.state)
        self.world.end(job.members["name"], stage == "succeeded")
        self._changed(before, job.members["id"])
        self._finish(job, stage, code)

    def _next(self):
        if self.waiting and not self.running:
            self._begin(self.waiting.pop(0))

    def _stop(self, job):
        if self.running:
            self._end_running("cancelled", "CANCELLED")
        waiting, self.waiting = self.waiting, []
        for other in waiting:
            self._finish(other, "superseded", "SUPERSEDED")
        return {}

    def _pause(self, job):
        before, self.paused = copy.deepcopy(self.world.state), self.world.state["activity"]
        self.world.state["activity"] = "paused"
        self._changed(before, job.members["id"])
        return {}

    def _resume(self, job):
        before = copy.deepcopy(self.world.state)
        self.world.state["activity"], self.paused = self.paused, None
        self._changed(before, job.members["id"])
        return {}

    def _cancel(self, job):
        key = (job.key[0], job.members["arguments"]["id"])
        if self.running and self.running.key == key:
            self._end_running("cancelled", "CANCELLED")
            self._next()
            return {}
        for other in self.waiting:
            if other.key == key:
                self.waiting.remove(other)
                self._finish(other, "cancelled", "CANCELLED")
                return {}
        return None

    def _query(self, job):
        found, size = [], 400
        for command_id in job.members["arguments"]["ids"]:
            item = self._outcome(job.key[0], command_id)
            size += len(encode(item)) + 1
            if size > 60_000:
                break
            found.append(item)
        return {"commands": found}

    def _outcome(self, controller, command_id):
        entry = self.journal.find(controller, command_id)
        if entry and b'"promise"' not in entry[1]:
            ack = json.loads(entry[1])
            if "commands" in ack["result"]:
                ack["result"] = {}
            return {"id": command_id, "outcome": "known", "ack": ack}
        if not entry and self.journal.promises(controller) >= 200:
            return {"id": command_id, "outcome": "forgotten"}
        self.journal.put(controller, command_id, None, b'"promise"', "", "promised")
        return {"id": command_id, "outcome": "never"}

    # Answering

    def _body(self, job, stage, code, result=None, message="", final=None):
        final = stage in rules.FINAL if final is None else final
        return {"v": 1, "id": job.key[1], "device": self.name, "boot": self.boot, "n": job.n,
                "stage": stage, "final": final, "code": code, "message": message,
                "result": result or {}, "revision": self.revision, "executions": job.executions,
                "replay": False, "at": now_ms()}

    def _ack(self, job, stage, code, result=None, message="", store=True):
        job.n, job.spoke = job.n + 1, now()
        body = self._body(job, stage, code, result, message)
        if store:
            self.journal.db.execute("DELETE FROM entry WHERE controller=? AND id=? AND payload IS NULL",
                                    job.key)
            self.journal.put(*job.key, job.payload, encode(body), job.members["name"], stage)
        self._publish_ack(job, body)

    def _finish(self, job, stage, code, result=None):
        self._ack(job, stage, code, result)

    def _answer(self, job, refusal, store=True):
        self._ack(job, refusal.stage, refusal.code, None, refusal.message, store)

    def _publish_ack(self, job, body):
        properties = None
        if self.link.is_v5:
            properties = Properties(PacketTypes.PUBLISH)
            properties.ContentType, properties.PayloadFormatIndicator = "application/json", 1
            properties.CorrelationData = raw_bytes(job.key[1])
        self._send(f"ack/{job.key[0]}", encode(body), properties=properties)

    def close(self):
        """Offline and gone."""
        self.link.publish(self.topic("presence"), self._presence("offline"), 1, True)
        self.link.close()


_KNOWN = {"v", "id", "controller", "name", "arguments", "issuedAt", "expiresAt", "sequence",
          "ifRevision", "boot", "cause", "dryRun"}
_PAYLOAD = rules.record({
    "v": rules.one_of(1), "id": rules.text(), "controller": rules.text(), "name": rules.text(),
    "arguments": rules.record({}, closed=False), "issuedAt": rules.integer(0),
    "expiresAt": rules.integer(0), "sequence": rules.integer(1)},
    {"ifRevision": rules.integer(0), "boot": rules.text(), "cause": rules.text(),
     "dryRun": rules.boolean})
