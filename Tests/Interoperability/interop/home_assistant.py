"""A Home Assistant, unmodified, driven over its REST API."""

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

from .link import Missing
from .processes import Child, free_port, scratch

PROGRAM = os.environ.get("HOME_ASSISTANT", "")
"""The program `hass`; without it there is nothing to test against."""
START = float(os.environ.get("INTEROP_HOME_ASSISTANT_START", "300"))
"""Seconds that it may take to start: the first time it installs what its integrations need."""
REACTION = 30
"""Seconds after which an awaited state counts as missing."""

CONFIGURATION = """
homeassistant:
  name: Villa
http:
  server_host: 127.0.0.1
  server_port: {port}
api:
config:
onboarding:
"""


class HomeAssistant:
    """A Home Assistant with one user and the MQTT integration."""

    def __init__(self, broker_port):
        self.port, self._token = free_port(), None
        folder = scratch()
        (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=self.port))
        self.log = folder / "home-assistant.log"
        self._process = Child([PROGRAM, "-c", str(folder), "--log-no-color"])
        try:
            self._await(self._is_up, "Home Assistant on its port", START)
            self._onboard()
            self._add_mqtt(broker_port)
        except BaseException:
            self.stop()
            raise

    def stop(self):
        """Ends it."""
        self._process.stop()

    # Requests

    def request(self, method, path, body=None, form=None):
        """The answer as JSON, or as text where it is none; `None` for 404."""
        data, kind = None, "application/json"
        if form is not None:
            data, kind = urllib.parse.urlencode(form).encode(), "application/x-www-form-urlencoded"
        elif body is not None:
            data = json.dumps(body).encode()
        headers = {"Content-Type": kind}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read().decode()
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise AssertionError(f"{method} {path}: {error.code} {error.read()[:500]}") from error
        try:
            return json.loads(text)
        except ValueError:
            return text

    def _is_up(self):
        try:
            return self.request("GET", "/api/onboarding")
        except OSError:
            return None

    def _onboard(self):
        client = f"http://127.0.0.1:{self.port}/"
        user = {"client_id": client, "name": "Test", "username": "test", "password": "test-only",
                "language": "en"}
        code = self.request("POST", "/api/onboarding/users", user)["auth_code"]
        answer = self.request("POST", "/auth/token", form={
            "grant_type": "authorization_code", "code": code, "client_id": client})
        self._token = answer["access_token"]

    def _add_mqtt(self, broker_port):
        flows = "/api/config/config_entries/flow"
        flow = self.request("POST", flows, {"handler": "mqtt", "show_advanced_options": False})
        done = self.request("POST", f"{flows}/{flow['flow_id']}",
                            {"broker": "127.0.0.1", "port": broker_port})
        if done["type"] != "create_entry":
            raise AssertionError(f"the MQTT integration was not added: {done}")

    # What it shows

    def states(self):
        """All states by entity."""
        return {state["entity_id"]: state for state in self.request("GET", "/api/states")}

    def state(self, entity):
        """The state of an entity; `None` where it has none."""
        found = self.request("GET", f"/api/states/{entity}")
        return found and found["state"]

    def attribute(self, entity, name):
        """An attribute of an entity."""
        return self.request("GET", f"/api/states/{entity}")["attributes"].get(name)

    def template(self, text):
        """What Home Assistant makes of a template."""
        return self.request("POST", "/api/template", {"template": text})

    def call(self, service, entity, **data):
        """Calls a service, such as `vacuum.start`, on an entity."""
        self.request("POST", "/api/services/" + service.replace(".", "/"),
                     {"entity_id": entity, **data})

    def until(self, entity, expected, timeout=REACTION):
        """Waits until an entity has a state; `None`: until it is gone."""
        self._await(lambda: self.state(entity) == expected,
                    lambda: f"{entity} {expected!r}, it is {self.state(entity)!r}", timeout)

    def _await(self, condition, what, timeout):
        deadline = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > deadline:
                raise Missing(f"no {what() if callable(what) else what}; "
                              f"{self._process.lines[-5:]}")
            time.sleep(0.2)

    def complaints(self):
        """What its log says of MQTT and of templates at level warning or above."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [line for line in lines if (" WARNING " in line or " ERROR " in line)
                and ("components.mqtt" in line or "helpers.template" in line)]
