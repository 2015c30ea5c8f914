"""A home to look at: a broker, a fleet and a controller, each a process of its own."""

import json
import os
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = Path(os.environ.get("HOMEPORT_BIN", ROOT / ".build/debug")).resolve()
MARKUP = "<img src=x onerror=alert(1)>\"'&amp;"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class House:
    """Everything runs in a folder of its own and ends with `close()`."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="homeport-house-")
        self.folder = Path(self._folder.name)
        (self.folder / "run").mkdir(mode=0o700)
        self._environment = dict(
            os.environ, XDG_RUNTIME_DIR=str(self.folder / "run"), TZ="UTC",
            XDG_STATE_HOME=str(self.folder / "state"), XDG_CONFIG_HOME=str(self.folder / "config"))
        for name in [n for n in self._environment if n.startswith("HOMEPORT_")]:
            del self._environment[name]
        self.port = free_port()
        self._processes = {}
        try:
            self.start_broker()
            self.start_fleet()
            self._unused = self.serve()
        except BaseException:
            self.close()
            raise
        self.shared_base = self._unused.split("/?")[0]
        # Browsers use a host name of its own, which the first one finds out.
        self.base = self.shared_base

    # Processes

    def start_broker(self):
        self._start_broker("broker", self.port)

    def _start_broker(self, name, port):
        configuration = self.folder / f"{name}.conf"
        configuration.write_text(
            f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence true\n"
            f"persistence_location {self.folder}/\npersistence_file {name}.db\n"
            "user root\nlog_type none\n")
        self._start(name, ["mosquitto", "-c", str(configuration)])
        self._await(lambda: self._is_open(port), f"the {name}")

    def _is_open(self, port):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def start_fleet(self):
        log = self._start("fleet", [
            str(PROGRAMS / "homeport-sim"), "run", "--broker", self.url, "--telemetry-interval", "1s",
            "--journal", str(self.folder / "journal")])
        self._await(lambda: "ready" in log.read_text(), "the fleet")

    def link(self):
        """A link that lets one browser in."""
        link, self._unused = self._unused, None
        return link or self.text("dashboard").strip()

    def serve_again(self):
        """The link of a second controller beside the first one."""
        return self.serve(name="second")

    def serve_namesake(self):
        """The link of a controller on another broker, where a robot has the id of one of the fleet."""
        port = free_port()
        self._start_broker("other-broker", port)
        self.publish("sweeper-1/description", {
            "v": 1, "device": "sweeper-1", "model": "sweeper-s1", "kind": "sweeping-robot",
            "commands": ["locate"]}, port)
        self.publish("sweeper-1/presence", {
            "v": 1, "device": "sweeper-1", "status": "online", "boot": "b1", "at": 1764000000000},
            port)
        return self.serve(
            "--broker", f"mqtt://127.0.0.1:{port}", "--database", str(self.folder / "other.sqlite"),
            name="other")

    def serve(self, *options, name="controller", http="127.0.0.1:0"):
        broker = [] if "--broker" in options else self.broker
        log = self._start(name, [
            str(PROGRAMS / "homeport"), "serve", *broker, "--http", http, *options])
        self._await(lambda: "\nready\n" in log.read_text(), "the controller")
        return next(line.split()[1] for line in log.read_text().splitlines()
                    if line.startswith("dashboard "))

    @property
    def url(self):
        return f"mqtt://127.0.0.1:{self.port}"

    @property
    def broker(self):
        """How a controller is told which broker it uses."""
        return ["--broker", self.url]

    def send_signal(self, name, number):
        """Sends a signal to a process that goes on."""
        self._processes[name].send_signal(number)

    def end(self, name, number=signal.SIGTERM):
        """Ends a process."""
        process = self._processes.pop(name)
        process.send_signal(number)
        process.wait(20)

    def homeport(self, *words):
        """The result of a verb, as JSON lines."""
        return [json.loads(line) for line in self.text(*words, "--json").splitlines()]

    def text(self, *words):
        """What a verb prints."""
        return subprocess.run(
            [str(PROGRAMS / "homeport"), *words, *self.broker], timeout=60,
            env=self._environment, capture_output=True, text=True).stdout

    def sim(self, *words):
        """Asks the fleet for something."""
        subprocess.run(
            [str(PROGRAMS / "homeport-sim"), *words], timeout=20, check=True,
            env=self._environment, capture_output=True)

    def publish(self, topic, payload, port=None):
        """Publishes a retained message, as a device of somebody else would."""
        subprocess.run(
            ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(port or self.port), "-r", "-q", "1", "-t",
             f"homeport/v1/home-1/{topic}", "-m", json.dumps(payload)], check=True, timeout=20)

    def add_stranger(self):
        """A device of an unknown kind whose texts try to become markup."""
        schema = {"type": "object", "required": ["level"], "additionalProperties": False,
                  "properties": {
                      "level": {"type": "integer", "minimum": 1, "maximum": 9},
                      "scene": {"enum": ["day", MARKUP]}, "fade": {"type": "boolean"},
                      "note": {"type": "string"}}}
        self.publish("stranger-1/description", {
            "v": 1, "device": "stranger-1", "model": "m-1", "kind": "lava-lamp", "name": MARKUP,
            "firmware": "<b>1</b>", "capabilities": ["connectable"], "commands": [
                {"name": "set-glow", "arguments": schema, "lane": "normal", "sort": "setting",
                 "offline": "fail-fast", "undo": "none"}]})
        self.publish("stranger-1/presence", {
            "v": 1, "device": "stranger-1", "status": "online", "boot": "b1", "at": 1764000000000})
        self.publish("stranger-1/state", {
            "v": 1, "device": "stranger-1", "boot": "b1", "revision": 1, "at": 1764000000000,
            "by": None, "state": {"colour": MARKUP, "<script>": "</script>"}})

    def close(self):
        for name in list(reversed(self._processes)):
            self.end(name)
        self._folder.cleanup()

    def _start(self, name, words):
        log = self.folder / f"{name}.log"
        with log.open("w") as file:
            self._processes[name] = subprocess.Popen(
                words, stdout=file, stderr=subprocess.STDOUT, env=self._environment)
        return log

    def _await(self, is_there, what):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if is_there():
                return
            time.sleep(0.05)
        logs = "\n".join(p.read_text()[-2000:] for p in self.folder.glob("*.log"))
        raise AssertionError(f"{what} did not start within 60 s:\n{logs}")


class BoxedHouse(House):
    """A fleet on a private broker, with one device that is still in its box."""

    NETWORK, PASSWORD = "attic", "its-passphrase"

    @property
    def broker(self):
        return []

    def start_broker(self):
        """The fleet brings its own, which controllers of the same user find."""

    def start_fleet(self):
        log = self._start("fleet", [
            str(PROGRAMS / "homeport-sim"), "run", "--sweepers", "1", "--unprovisioned", "1",
            "--wifi", f"{self.NETWORK}={self.PASSWORD}"])
        self._await(
            lambda: all(word in log.read_text() for word in ("\nready ", "\nboxed ")), "the fleet")
        line = next(l for l in log.read_text().splitlines() if l.startswith("boxed "))
        _, _, self.address, self.code = line.split(" ", 3)
