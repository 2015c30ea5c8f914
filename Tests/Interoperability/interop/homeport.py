"""The built `homeport`, run as a script would run it."""

import json
import os
import subprocess
import threading
from dataclasses import dataclass

from .link import Missing
from .processes import Child, _die_with_parent, binary, scratch

LIMIT = float(os.environ.get("INTEROP_COMMAND_LIMIT", "60"))
"""Seconds after which a run of the controller counts as hanging."""

MEMBERS = {"id", "home", "device", "name", "arguments", "state", "code", "message", "result",
           "sends", "timings"}


@dataclass
class Result:
    """How a run ended."""

    status: int
    stdout: str
    stderr: str

    @property
    def objects(self):
        """The NDJSON on stdout."""
        return [json.loads(line) for line in self.stdout.splitlines()]

    @property
    def one(self):
        """The only object."""
        objects = self.objects
        if len(objects) != 1:
            raise AssertionError(f"{len(objects)} objects instead of one: {self}")
        return objects[0]


class Homeport:
    """Runs verbs against one broker with one ledger."""

    def __init__(self, port, version="5", ledger=None, controller=None):
        self.ledger = ledger or scratch() / "ledger.sqlite"
        self.options = ["--broker", f"mqtt://127.0.0.1:{port}", "--mqtt-version", version]
        if controller:
            self.options += ["--controller", controller]
        home = scratch()
        home.chmod(0o700)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("HOMEPORT_", "XDG_"))}
        self.environment = {**kept, "HOMEPORT_DATABASE": str(self.ledger), "HOME": str(home),
                            "XDG_RUNTIME_DIR": str(home)}

    def _arguments(self, arguments):
        return [binary("homeport"), *arguments, *self.options]

    def run(self, *arguments, timeout=None, typed=None):
        """Runs a verb to its end; `typed` is its standard input."""
        source = {"stdin": subprocess.DEVNULL} if typed is None else {"input": typed}
        done = subprocess.run(self._arguments(arguments), capture_output=True, text=True,
                              timeout=timeout or LIMIT, env=self.environment,
                              preexec_fn=_die_with_parent, **source)
        return Result(done.returncode, done.stdout, done.stderr)

    def json(self, *arguments, timeout=None):
        """Runs a verb with --json."""
        return self.run(*arguments, "--json", timeout=timeout)

    def send(self, device, name, *options, **arguments):
        """Sends a command with --json."""
        pairs = [part for key, value in arguments.items() for part in ("--set", f"{key}={value}")]
        return self.json("send", device, name, *pairs, *options)

    def start(self, *arguments):
        """Starts a verb with --json and leaves it running."""
        return Running(self._arguments([*arguments, "--json"]), self.environment)

    def history(self):
        """The commands of the ledger, newest first."""
        result = self.json("history")
        if result.status:
            raise AssertionError(f"history: {result}")
        return result.objects


class Running(Child):
    """A verb that runs, with its stdout as objects."""

    def __init__(self, arguments, environment):
        self.objects, self._more, self.bad = [], threading.Condition(), []
        super().__init__(arguments, environment, subprocess.PIPE)
        self._output = threading.Thread(target=self._read, daemon=True)
        self._output.start()

    def _read(self):
        for line in self.process.stdout:
            with self._more:
                try:
                    self.objects.append(json.loads(line))
                except ValueError:
                    self.bad.append(line)
                self._more.notify_all()

    def until(self, condition, timeout=20, what="an object"):
        """Waits for the first object that fits."""
        def found():
            return next((o for o in self.objects if condition(o)), None)
        with self._more:
            if not self._more.wait_for(lambda: found() is not None, timeout):
                raise Missing(f"no {what}: {self.objects[-5:]} {self.bad[:3]} {self.lines[-5:]}")
            return found()

    def result(self, timeout=LIMIT):
        """Waits for the end; (status, objects)."""
        status = self.wait(timeout)
        self._output.join(5)
        return status, self.objects
