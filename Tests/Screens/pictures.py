"""Writes the pictures of the README: the dashboard of a home, and a terminal beside it."""

import sys
import time
from pathlib import Path

from screens.browser import Browser
from screens.house import House

PAGES = {
    "dashboard": ("/", 1200, "light"),
    "dashboard-device": ("/devices/sweeper-1", 1200, "dark"),
}


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    browser = Browser()
    house = House()
    try:
        visitor = browser.visitor()
        house.base = visitor.sign_in(house.link())
        house.homeport("send", "sweeper-1", "start-cleaning", "--wait", "accepted")
        house.homeport("send", "pool-2", "start-program", "--set", "program=full", "--wait", "accepted")
        house.homeport("send", "sweeper-1", "set-suction-level", "--set", "level=max")
        time.sleep(40)  # enough samples for a line and a trail
        for name, (path, width, theme) in PAGES.items():
            visitor.look(width, theme, "en")
            visitor.open(house.base + path)
            visitor.picture(folder / f"{name}.png", whole=False)
        terminal(visitor, house, folder / "terminal.png")
    finally:
        house.close()
        browser.close()


def terminal(visitor, house, path):
    """What the command line prints, in the browser's own fixed-width font."""
    words = ["devices"]
    text = f"$ homeport {' '.join(words)}\n{house.text(*words)}"
    words = ["send", "sweeper-2", "locate"]
    text += f"\n$ homeport {' '.join(words)}\n{house.text(*words)}"
    visitor.call("Page.navigate", url="about:blank")
    visitor.until("location.href === 'about:blank'")
    visitor.call("Emulation.setDeviceMetricsOverride", width=900, height=360, deviceScaleFactor=1,
                 mobile=False)
    visitor.value(
        "document.body.style.cssText = 'margin:0;background:#101513;color:#e7edea';"
        "const block = document.createElement('pre');"
        "block.style.cssText = 'font:14px/1.5 monospace;padding:20px;margin:0';"
        f"block.textContent = {text!r}; document.body.replaceChildren(block); true")
    visitor.picture(path, whole=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
