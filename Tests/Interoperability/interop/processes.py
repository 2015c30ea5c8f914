"""Child processes: broker, simulator, controller. Each dies with the test run and is ended by pid."""

import atexit
import ctypes
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from .link import CREDENTIALS, DEADLINE, Missing

ROOT = Path(__file__).resolve().parents[3]
BINARIES = Path(os.environ.get("HOMEPORT_BIN", ".build/debug"))
START = float(os.environ.get("INTEROP_START", "30"))
"""Seconds that a simulator may take to be ready on a loaded machine."""

_libc = ctypes.CDLL(None, use_errno=True)
_alive = []


def _die_with_parent():
    _libc.prctl(1, signal.SIGKILL)


def binary(name):
    """The path of a built program."""
    folder = BINARIES if BINARIES.is_absolute() else ROOT / BINARIES
    return str(folder / name)


def is_built(name):
    """Whether a program was built."""
    return os.access(binary(name), os.X_OK)


def free_port():
    """A loopback port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def scratch():
    """A directory that goes away with the run."""
    path = tempfile.mkdtemp(prefix="interop-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return Path(path)


class Child:
    """A process with its stderr collected line by line."""

    def __init__(self, arguments, environment=None, stdout=subprocess.DEVNULL):
        self.lines, self._changed = [], threading.Condition()
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})}, preexec_fn=_die_with_parent)
        _alive.append(self)
        self._reader = threading.Thread(target=self._collect, daemon=True)
        self._reader.start()

    def _collect(self):
        for line in self.process.stderr:
            with self._changed:
                self.lines.append(line.decode(errors="replace").rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    def line(self, pattern, timeout=START):
        """The match of the first line on stderr that fits `pattern`."""
        deadline = time.monotonic() + timeout
        with self._changed:
            while True:
                for line in self.lines:
                    match = re.fullmatch(pattern, line)
                    if match:
                        return match
                if time.monotonic() > deadline or self._ended():
                    raise Missing(f"no line {pattern!r} on stderr: {self.lines[-20:]}")
                self._changed.wait(0.2)

    def _ended(self):
        return self.process.poll() is not None and not self._reader.is_alive()

    def signal(self, number):
        """Sends a signal to this process alone."""
        if self.process.poll() is None:
            self.process.send_signal(number)

    def wait(self, timeout=DEADLINE):
        """The exit status."""
        return self.process.wait(timeout)

    def kill(self):
        """SIGKILL, and the end of it."""
        self.signal(signal.SIGKILL)
        return self.wait()

    def stop(self):
        """A polite end, then a hard one."""
        self.signal(signal.SIGTERM)
        try:
            return self.wait(10)
        except subprocess.TimeoutExpired:
            return self.kill()


@atexit.register
def _stop_all():
    for child in _alive:
        if child.process.poll() is None:
            child.kill()


class Broker(Child):
    """A mosquitto of our own; without `configuration` in its default configuration."""

    def __init__(self, configuration=None, port=None):
        self.port = port or free_port()
        arguments = [shutil.which("mosquitto") or "/usr/sbin/mosquitto"]
        if configuration is None:
            arguments += ["-p", str(self.port)]
        else:
            path = scratch() / "mosquitto.conf"
            path.write_text(f"listener {self.port} 127.0.0.1\nuser {_user()}\n" + configuration)
            arguments += ["-c", str(path)]
        super().__init__(arguments)
        wait_for_port(self.port)

    @property
    def url(self):
        """Where it listens."""
        return f"mqtt://127.0.0.1:{self.port}"


def _user():
    import pwd
    return pwd.getpwuid(os.getuid()).pw_name


def wait_for_port(port, is_open=True, timeout=DEADLINE):
    """Waits until a connection to `port` is taken, or refused; seconds that it took."""
    begun = time.monotonic()
    while time.monotonic() - begun < timeout:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            if is_open:
                return time.monotonic() - begun
        except OSError:
            if not is_open:
                return time.monotonic() - begun
        time.sleep(0.02)
    raise Missing(f"port {port} is not {'open' if is_open else 'closed'}")


class Simulator(Child):
    """`homeport-sim run`, ready."""

    def __init__(self, *options, broker=None, version="5", environment=None):
        arguments = [binary("homeport-sim"), "run", "--mqtt-version", version, *options]
        if broker:
            arguments += ["--broker", broker.url]
        runtime = scratch()
        runtime.chmod(0o700)
        super().__init__(arguments, {"XDG_RUNTIME_DIR": str(runtime), **(environment or {})})
        self.port = broker.port if broker else int(
            self.line(r"broker mqtt://127\.0\.0\.1:(\d+)").group(1))
        self.meeting_files = list(runtime.glob("homeport/brokers/*.json"))
        for file in self.meeting_files:
            told = json.loads(file.read_text())
            CREDENTIALS[self.port] = told["username"], told["password"]
        self.device_count = int(self.line(r"ready (\d+) devices").group(1))

    def stop(self):
        """An interrupt, and the exit status of a clean end."""
        self.signal(signal.SIGINT)
        return self.wait(20)


def run_simulator(*arguments, timeout=START):
    """Runs `homeport-sim` to its end: a completed process with text on both streams."""
    runtime = scratch()
    return subprocess.run([binary("homeport-sim"), *arguments], capture_output=True, text=True,
                          timeout=timeout, stdin=subprocess.DEVNULL, preexec_fn=_die_with_parent,
                          env={**os.environ, "XDG_RUNTIME_DIR": str(runtime)})
