"""The command line of homeport-sim: options and exit statuses."""

import shutil
import subprocess
import unittest
import urllib.request

from interop.link import Link
from interop.processes import Broker, Simulator, free_port, is_built, run_simulator


class Program(unittest.TestCase):
    """One process each."""

    def setUp(self):
        if not is_built("homeport-sim"):
            self.skipTest("homeport-sim is not built")

    def test_a_duration_ends_it_with_zero(self):
        result = run_simulator("run", "--sweepers", "1", "--duration", "500ms")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"(?m)^broker mqtt://127\.0\.0\.1:\d+$")
        self.assertRegex(result.stderr, r"(?m)^ready 1 devices$")

    def test_an_unreachable_broker_is_five(self):
        result = run_simulator("run", "--broker", f"mqtt://127.0.0.1:{free_port()}")
        self.assertEqual(result.returncode, 5, result.stderr)
        self.assertTrue(result.stderr.strip())

    def test_wrong_usage_is_sixty_four(self):
        for options in (["--colour"], ["--sweepers", "many"], ["--sweepers", "-1"],
                        ["--mqtt-version", "4"], ["--telemetry-interval", "5"],
                        ["--broker", "http://x"], ["--broker", "mqtt://user:secret@127.0.0.1"],
                        ["--home", "Home/1"]):
            with self.subTest(options=options):
                result = run_simulator("run", *options, "--duration", "1s")
                self.assertEqual(result.returncode, 64, result.stderr)
                self.assertTrue(result.stderr.strip())

    def test_password_in_the_url_is_not_repeated(self):
        result = run_simulator("run", "--broker", "mqtt://user:hushhush@127.0.0.1")
        self.assertNotIn("hushhush", result.stderr + result.stdout)

    def test_help_and_version_are_zero(self):
        for arguments in (["--help"], ["--version"], ["run", "--help"]):
            result = run_simulator(*arguments)
            self.assertEqual(result.returncode, 0, arguments)
            self.assertTrue(result.stdout.strip())

    def test_named_home_and_counts(self):
        broker = Broker()
        self.addCleanup(broker.stop)
        simulator = Simulator("--home", "villa", "--sweepers", "2", "--stores", "1", broker=broker)
        self.addCleanup(simulator.stop)
        self.assertEqual(simulator.device_count, 3)
        link = Link(broker.port)
        self.addCleanup(link.close)
        link.subscribe("homeport/v1/+/+/presence", 0)
        link.fence("villa")
        found = {tuple(m.topic.split("/")[2:4]) for m in link.since(ending="/presence")}
        self.assertEqual(found, {("villa", d) for d in ("sweeper-1", "sweeper-2", "store-1")})

    def test_several_homes(self):
        broker = Broker()
        self.addCleanup(broker.stop)
        simulator = Simulator("--homes", "2", "--pools", "1", broker=broker)
        self.addCleanup(simulator.stop)
        link = Link(broker.port)
        self.addCleanup(link.close)
        link.subscribe("homeport/v1/+/+/presence", 0)
        link.fence("home-1")
        found = {tuple(m.topic.split("/")[2:4]) for m in link.since(ending="/presence")}
        self.assertEqual(found, {("home-1", "pool-1"), ("home-2", "pool-1")})

    def test_the_reader_of_prometheus_finds_nothing_to_say(self):
        if not shutil.which("promtool"):
            self.skipTest("promtool is not installed (Debian: prometheus)")
        port = free_port()
        simulator = Simulator("--sweepers", "1", "--stores", "1", "--metrics", f"127.0.0.1:{port}")
        self.addCleanup(simulator.stop)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            page = answer.read()
        for name in (b"command_latency_seconds_bucket", b"lateness_seconds_bucket", b"faults_active",
                     b"world_seconds_total", b"speed_ratio", b"invariant_violations_total{name="):
            self.assertIn(b"homeport_" + name, page)
        result = subprocess.run(
            ["promtool", "check", "metrics"], input=page, capture_output=True, timeout=30)
        self.assertEqual((result.returncode, result.stdout + result.stderr), (0, b""))

    def test_four_hundred_devices_are_all_there(self):
        broker = Broker()
        self.addCleanup(broker.stop)
        simulator = Simulator("--sweepers", "200", "--pools", "100", "--stores", "100", broker=broker)
        self.addCleanup(simulator.stop)
        self.assertEqual(simulator.device_count, 400)
        link = Link(broker.port)
        self.addCleanup(link.close)
        for leaf in ("description", "presence", "state"):
            link.subscribe(f"homeport/v1/home-1/+/{leaf}", 0)
        link.fence("home-1")
        for leaf in ("description", "presence", "state"):
            self.assertEqual(len({m.topic for m in link.since(ending="/" + leaf)}), 400, leaf)


if __name__ == "__main__":
    unittest.main()
