"""Chromium without a window, over its DevTools protocol."""

import base64
import itertools
import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import websocket

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


class BrowserError(AssertionError):
    """The browser refused a call, or something that was awaited did not come."""


class Browser:
    """One process; each `visitor()` has cookies and a cache of its own."""

    def __init__(self):
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            raise BrowserError("no Chromium is installed; run scripts/setup screens")
        self._folder = tempfile.mkdtemp(prefix="homeport-screens-")
        self._process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
             f"--user-data-dir={self._folder}", "--remote-allow-origins=*", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--use-fake-device-for-media-stream",
             "--use-fake-ui-for-media-stream", "--force-color-profile=srgb", "--hide-scrollbars", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._socket = websocket.create_connection(self._address(), timeout=30)
        self._numbers = itertools.count(1)
        self.events = []

    def _address(self):
        port = Path(self._folder, "DevToolsActivePort")
        end = time.monotonic() + 30
        while time.monotonic() < end:
            lines = port.read_text().splitlines() if port.exists() else []
            if len(lines) == 2:
                return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
            time.sleep(0.05)
        raise BrowserError("Chromium has opened no DevTools port")

    def close(self):
        self._socket.close()
        self._process.terminate()
        self._process.wait(20)
        shutil.rmtree(self._folder, ignore_errors=True)

    def call(self, method, session=None, **parameters):
        """Calls a method and returns its result; events that come meanwhile are kept."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self._socket.send(json.dumps(message))
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("id") != number:
                self.events.append(answer)
            elif "error" in answer:
                raise BrowserError(f"{method}: {answer['error']['message']}")
            else:
                return answer.get("result", {})

    def take_events(self, session):
        """The events of a session that have not been taken yet."""
        self.call("Browser.getVersion")
        taken = [e for e in self.events if e.get("sessionId") == session]
        self.events = [e for e in self.events if e.get("sessionId") != session]
        return taken

    def visitor(self, **options):
        """Somebody with cookies of their own."""
        return Visitor(self, **options)


class Visitor:
    """A browser of one person, with one open page."""

    def __init__(self, browser, width=1280, theme="light", language="en"):
        self._browser = browser
        self._context = browser.call("Target.createBrowserContext")["browserContextId"]
        target = browser.call(
            "Target.createTarget", url="about:blank", browserContextId=self._context)
        self._session = browser.call(
            "Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.complaints, self.requests = [], []
        self.look(width, theme, language)

    def call(self, method, **parameters):
        return self._browser.call(method, self._session, **parameters)

    def close(self):
        self._browser.call("Target.disposeBrowserContext", browserContextId=self._context)

    def look(self, width, theme, language):
        """Sets the width of the screen, what the system prefers, and which language is read."""
        height = {375: 812, 820: 1180}.get(width, 900)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": theme}])
        self.call("Network.setExtraHTTPHeaders", headers={"Accept-Language": language})

    def open(self, url):
        """Opens a page and waits until it is there."""
        self.call("Page.navigate", url=url)
        self.until("location.href !== 'about:blank'")
        self.collect()

    def sign_in(self, link):
        """Opens a link, which leads to the dashboard's own host.

        Returns scheme and host."""
        self.open(link)
        self.until("location.hostname.endsWith('.localhost') && !location.search")
        return self.value("location.origin")

    def collect(self):
        """Takes up what the console said and what was requested."""
        for event in self._browser.take_events(self._session):
            method, values = event["method"], event.get("params", {})
            if method == "Log.entryAdded" and values["entry"]["level"] == "error":
                self.complaints.append(values["entry"].get("url", "") + " " + values["entry"]["text"])
            elif method == "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(values["exceptionDetails"]))
            elif method == "Runtime.consoleAPICalled" and values["type"] == "error":
                self.complaints.append(json.dumps(values["args"]))
            elif method == "Network.requestWillBeSent":
                self.requests.append(values["request"]["url"])

    def value(self, expression):
        """The value of an expression in the page."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression[:120]}: {json.dumps(answer['exceptionDetails'])[:800]}")
        return answer["result"].get("value")

    def until(self, expression, seconds=15):
        """Waits until an expression is true in a page that is there as a whole, also across pages.

        A page whose script has not run yet is not back at its place.
        """
        end = time.monotonic() + seconds
        last = None
        while time.monotonic() < end:
            try:
                last = self.value(f"document.readyState === 'complete' && ({expression})")
                if last:
                    return last
            except BrowserError as error:  # the page is just being replaced
                last = error
            time.sleep(0.05)
        raise BrowserError(f"not within {seconds} s: {expression}; last: {last}")

    def click(self, selector):
        """Clicks an element where a person would."""
        self.until(f"!!document.querySelector({json.dumps(selector)})")
        box = self.value(f"""(() => {{
            const part = document.querySelector({json.dumps(selector)});
            part.scrollIntoView({{block: "center", behavior: "instant"}});
            const box = part.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left",
                      clickCount=1)

    def touch(self, selector):
        """Touches an element with a finger."""
        self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        self.until(f"!!document.querySelector({json.dumps(selector)})")
        box = self.value(f"""(() => {{
            const part = document.querySelector({json.dumps(selector)});
            part.scrollIntoView({{block: "center", behavior: "instant"}});
            const box = part.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": box[0], "y": box[1]}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def press(self, key, code=0):
        """Presses a key."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=code, text="\r" if key == "Enter" else "")

    def picture(self, path, whole=True):
        """Writes a picture of the page."""
        image = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(image["data"]))

    def accessible(self):
        """What an assistive program sees: role and name of every node that is not left out."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [(n["role"]["value"], (n.get("name") or {}).get("value", ""))
                for n in nodes if not n.get("ignored") and "role" in n]
