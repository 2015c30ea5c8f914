"""Reports of homeport-sim, read by readers of Python's own library."""

import html.parser
import json
import unittest
import xml.etree.ElementTree as ElementTree

from interop.processes import is_built, run_simulator, scratch

VOID = {"meta"}
ELSEWHERE = {"src", "href", "srcset", "action", "data", "poster", "background"}


class Page(html.parser.HTMLParser):
    """Every element that begins must end; notes what a page would ask for elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.requests, self.seen = [], [], [], set()
        self.feed(text)
        self.close()
        if self.open:
            raise AssertionError(f"elements that do not end: {self.open}")

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        self.requests += [value for name, value in attributes if name in ELSEWHERE]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.add(tag)
        self.requests += [value for name, value in attributes if name in ELSEWHERE]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise AssertionError(f"</{tag}> ends nothing")

    def handle_data(self, data):
        self.texts.append(data)


class Reports(unittest.TestCase):
    """One run without a broker, reported in every way."""

    @classmethod
    def setUpClass(cls):
        if not is_built("homeport-sim"):
            raise unittest.SkipTest("homeport-sim is not built")
        cls.folder = scratch()
        files = [str(cls.folder / f"run.{kind}") for kind in ("json", "xml", "html")]
        cls.result = run_simulator(
            "run", "--speed", "max", "--duration", "20m", "--epoch", "2026-06-21T10:00:00Z",
            *(word for file in files for word in ("--report", file)), timeout=120)

    def test_the_run_passed(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr)

    def test_junit_has_a_testcase_for_each_invariant(self):
        root = ElementTree.parse(self.folder / "run.xml").getroot()
        self.assertEqual(root.tag, "testsuites")
        cases = list(root.iter("testcase"))
        self.assertEqual(int(root.get("tests")), len(cases))
        self.assertEqual(int(root.get("failures")), 0)
        report = json.loads((self.folder / "run.json").read_text())
        names = {case.get("name") for case in cases if case.get("classname") == "invariants"}
        self.assertEqual(names, {entry["name"] for entry in report["invariants"]})
        self.assertEqual(list(root.iter("failure")), [])

    def test_the_page_is_whole_and_asks_for_nothing(self):
        text = (self.folder / "run.html").read_text()
        page = Page(text)
        self.assertEqual(page.requests, [])
        self.assertNotIn("http", text)
        self.assertNotIn("url(", text)
        self.assertNotIn("script", page.seen)
        self.assertIn("Passed", page.texts)
        self.assertIn("svg", page.seen)
        # Without its first line it is XML, too.
        ElementTree.fromstring(text.split("\n", 1)[1])

    def test_percentiles_are_those_of_the_histograms(self):
        report = json.loads((self.folder / "run.json").read_text())
        lateness = report["measured"]["lateness"]
        self.assertEqual(sum(lateness["counts"]), 0)
        self.assertEqual(report["latenessMs"], {"p50": 0, "p99": 0, "max": 0})
        self.assertTrue(report["valid"])


if __name__ == "__main__":
    unittest.main()
