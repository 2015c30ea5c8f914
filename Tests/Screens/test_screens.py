"""Every page of the dashboard as a person sees it, and what a person does there."""

import os
import signal
import time
import unittest
from pathlib import Path

from screens.browser import Browser
from screens.house import MARKUP, ROOT, House

AUDIT = (Path(__file__).parent / "screens/audit.js").read_text()
PICTURES = ROOT / "Tests/Screens/pictures"
WIDTHS = (375, 820, 1440)
THEMES = ("light", "dark")
LANGUAGES = ("en", "zh")
# Every page, by the name of its pictures.
PAGES = {
    "home": "/",
    "sweeper": "/devices/sweeper-1",
    "pool": "/devices/pool-1",
    "store": "/devices/store-1",
    "stranger": "/devices/stranger-1",
    "energy": "/energy",
    "queue": "/queue",
    "schedules": "/schedules",
    "provisioning": "/provisioning",
    "channels": "/channels",
    "settings": "/settings",
    "missing": "/no/such/page",
}
# What assistive programs must be able to name.
NAMED = {"button", "link", "textbox", "combobox", "checkbox", "radio", "spinbutton", "image",
         "navigation", "heading", "img"}

house = browser = None


def setUpModule():
    global house, browser
    browser = Browser()
    try:
        house = House()
        house.add_stranger()
        PICTURES.mkdir(exist_ok=True)
    except BaseException:
        browser.close()
        raise


def tearDownModule():
    house.close()
    browser.close()


class ScreenTest(unittest.TestCase):
    def visitor(self, signed_in=True, **options):
        visitor = browser.visitor(**options)
        self.addCleanup(visitor.close)
        if signed_in:
            visitor.open(house.link)
        return visitor

    def check(self, visitor, allowed=()):
        """No complaint of the browser, and no request to anybody else."""
        visitor.collect()
        complaints = [c for c in visitor.complaints if not any(a in c for a in allowed)]
        self.assertEqual([], complaints)
        foreign = [r for r in visitor.requests if not r.startswith(house.base + "/")]
        self.assertEqual([], foreign)


class Looks(ScreenTest):
    """Each page at three widths, light and dark, in both languages."""

    def test_pages(self):
        for name, path in PAGES.items():
            visitor = self.visitor()
            for language in LANGUAGES:
                for theme in THEMES:
                    for width in WIDTHS:
                        with self.subTest(page=name, width=width, theme=theme, language=language):
                            visitor.look(width, theme, language)
                            visitor.open(house.base + path)
                            visitor.picture(PICTURES / f"{name}-{width}-{theme}-{language}.png")
                            self.assertEqual([], visitor.value(AUDIT))
                with self.subTest(page=name, language=language):
                    self.assertEqual(
                        [], [role for role, text in visitor.accessible()
                             if role in NAMED and not text.strip()])
                    self.check(visitor, ["404"] if name == "missing" else [])

    def test_the_way_in(self):
        visitor = self.visitor(signed_in=False)
        for width in WIDTHS:
            visitor.look(width, "light", "en")
            visitor.open(house.base + "/devices/sweeper-1")
            visitor.picture(PICTURES / f"sign-in-{width}-light-en.png")
            self.assertEqual([], visitor.value(AUDIT))
            self.assertTrue(visitor.value("!!document.querySelector('input[name=token]')"))
        self.check(visitor, ["401"])

    def test_texts_of_devices_stay_texts(self):
        visitor = self.visitor()
        for path in ("/", "/devices/stranger-1"):
            visitor.open(house.base + path)
            self.assertIn(MARKUP, visitor.value("document.body.textContent"))
            self.assertEqual(0, visitor.value("document.images.length"))
        self.check(visitor)
