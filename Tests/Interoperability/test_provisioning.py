"""Boxed devices of `homeport-sim`, set up by a client that shares no code with them."""

import json
import os
import signal
import subprocess
import time
import unittest

from interop import provisioning
from interop.authority import Authority
from interop.caller import Caller
from interop.homeport import Homeport
from interop.link import DEADLINE, Link, Missing
from interop.old_firmware import OldFirmware
from interop.processes import (Broker, Simulator, _die_with_parent, binary, free_port, is_built,
                               scratch)
from interop.provisioning import Refused, Session

NETWORKS = ("--wifi", "home-net=secret12", "--wifi", "café=")
BOXED = r"boxed home-1/boxed-{} (http://127\.\d+\.\d+\.\d+:\d+) (\{{.*\}})"


def until(condition, what, timeout=DEADLINE):
    """Waits until something is so."""
    deadline = time.monotonic() + timeout
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise Missing(what)
        time.sleep(0.02)
    return found


class Boxes(unittest.TestCase):
    """What the tests of boxed devices share."""

    def setUp(self):
        if not is_built("homeport-sim"):
            self.skipTest("homeport-sim is not built")
        self.authority = Authority()

    def start(self, *options, broker=None, environment=None):
        """A simulator with two boxed devices."""
        simulator = Simulator("--sweepers", "1", "--unprovisioned", "2", *NETWORKS, *options,
                              broker=broker, environment=environment)
        self.addCleanup(simulator.stop)
        return simulator

    def boxed(self, simulator, number):
        """Address and label of a device whose access point listens."""
        match = simulator.line(BOXED.format(number))
        return match.group(1), json.loads(match.group(2))

    def session(self, box, proof=None):
        """A session with a device."""
        session = Session(*box, proof)
        self.addCleanup(session.close)
        return session

    def offer(self, broker, nonce="n-1", token="t-1", **members):
        """The first message of a claim of villa/robot."""
        return {"home": "villa", "device": "robot", "broker": broker, "nonce": nonce,
                "token": token, **members}

    def claim(self, session, offer):
        """Both messages of a claim; the device's request."""
        request = session.claim(offer)
        certificate = self.authority.sign(request["csr"], "villa/robot")
        self.assertEqual(session.claim({"nonce": offer["nonce"], "certificate": certificate}),
                         {"v": 1, "nonce": offer["nonce"]})
        return request

    def join(self, session, ssid="home-net", passphrase="secret12"):
        """Has a device join a network; the state that it ends in."""
        self.assertEqual(session.set_network(ssid, passphrase), 0)
        self.assertEqual(session.apply(), 0)
        return until(lambda: (state := session.state())[0] != provisioning.CONNECTING and state,
                     "the end of joining")

    def listen(self, broker, home="villa"):
        """A link that hears a home."""
        link = Link(broker.port)
        self.addCleanup(link.close)
        link.subscribe(f"homeport/v1/{home}/#", 1)
        return link

    def presence(self, link, status="online", mark=0, topic="homeport/v1/villa/robot/presence"):
        """The next presence with that status."""
        link.until(lambda: any(m.json["status"] == status for m in link.since(mark, topic=topic)
                               if m.payload), what=f"presence {status}")
        return [m.json for m in link.since(mark, topic=topic) if m.payload][-1]


class Transport(Boxes):
    """Sessions and Wi-Fi."""

    def test_both_securities_bring_a_device_to_the_broker_of_the_fleet(self):
        broker = Broker()
        self.addCleanup(broker.stop)
        simulator, link = self.start(broker=broker), self.listen(broker, "home-1")
        self.assertEqual(simulator.device_count, 1)
        for number, security in ((1, 1), (2, 2)):
            session = self.session(self.boxed(simulator, number))
            self.assertEqual(session.version["prov"]["sec_ver"], security)
            self.assertEqual(session.scan(), {"home-net": (-40, 3), "café": (-50, 0)})
            self.assertEqual(self.join(session), (provisioning.CONNECTED, 0))
            topic = f"homeport/v1/home-1/boxed-{number}/presence"
            self.assertNotIn("claim", self.presence(link, topic=topic))

    def test_wrong_networks_need_a_reset(self):
        session = self.session(self.boxed(self.start(), 2))
        for ssid, passphrase, reason in (("home-net", "guesswork", provisioning.AUTH_ERROR),
                                         ("elsewhere", "x", provisioning.NETWORK_NOT_FOUND)):
            self.assertEqual(self.join(session, ssid, passphrase), (provisioning.FAILED, reason))
            self.assertNotEqual(session.set_network("home-net", "secret12"), 0)
            self.assertEqual(session.reset(), 0)
        self.assertEqual(self.join(session, "café", ""), (provisioning.CONNECTED, 0))

    def test_a_wrong_proof_opens_no_session(self):
        simulator = self.start()
        for number in (1, 2):
            box = self.boxed(simulator, number)
            with self.assertRaises(Refused) as caught:
                self.session(box, proof="guesswork")
            self.assertEqual(caught.exception.status, 500)
            self.session(box).state()

    def test_there_is_one_session_at_a_time(self):
        box = self.boxed(self.start(), 1)
        first, second = self.session(box), self.session(box)
        second.state()
        with self.assertRaises(Refused):
            first.state()

    def test_what_is_no_request_is_refused(self):
        url, _ = self.boxed(self.start(), 1)
        access_point = provisioning.AccessPoint(url)
        self.addCleanup(access_point.close)
        for endpoint, body, status in (("prov-config", b"\x52\x00", 500), ("admin", b"", 404),
                                       ("prov-session", b"x" * 4097, 413)):
            with self.assertRaises(Refused) as caught:
                access_point.post(endpoint, body)
            self.assertEqual(caught.exception.status, status)

    def test_status_tells_what_the_lines_told(self):
        simulator = self.start()
        boxes = {f"home-1/boxed-{n}": self.boxed(simulator, n) for n in (1, 2)}
        environment = {"XDG_RUNTIME_DIR": str(simulator.meeting_files[0].parents[2])}
        done = subprocess.run([binary("homeport-sim"), "status", "--json"], capture_output=True,
                              env={**os.environ, **environment}, timeout=60,
                              preexec_fn=_die_with_parent)
        told = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual({t["device"]: (t["accessPoint"], t["qr"]) for t in told
                          if "qr" in t}, boxes)
        sockets = list((simulator.meeting_files[0].parents[1]).glob("control-*.sock"))
        self.assertEqual([s.stat().st_mode & 0o777 for s in sockets], [0o600])
        simulator.stop()
        self.assertFalse(sockets[0].exists())


class Claims(Boxes):
    """From box to home."""

    def test_a_claimed_device_stays_once_its_claim_is_committed(self):
        broker, journal = Broker(), scratch()
        self.addCleanup(broker.stop)
        options = ("--fail-safe", "2s", "--journal", str(journal))
        simulator, link = self.start(*options, broker=broker), self.listen(broker)
        session = self.session(self.boxed(simulator, 1))
        request = self.claim(session, self.offer(broker.url))
        self.assertEqual({k: request[k] for k in ("v", "nonce", "token", "kind", "model")},
                         {"v": 1, "nonce": "n-1", "token": "t-1", "kind": "sweeping-robot",
                          "model": "sweeper-s1"})
        self.assertEqual(self.join(session), (provisioning.CONNECTED, 0))
        self.assertEqual(self.presence(link)["claim"], "n-1")
        caller = Caller(link, "villa")
        self.assertEqual(caller.final("robot", "commit-claim", {"nonce": "n-2"})["code"],
                         "WRONG_STATE")
        mark = link.mark()
        self.assertEqual(caller.final("robot", "commit-claim", {"nonce": "n-1"})["stage"],
                         "succeeded")
        self.assertNotIn("claim", self.presence(link, mark=mark))
        simulator.kill()
        self.presence(link, "offline", mark)
        mark = link.mark()
        again = self.start(*options, broker=broker)
        self.assertNotIn("claim", self.presence(link, mark=mark))
        time.sleep(2.5)
        self.assertFalse([line for line in again.lines if "left" in line])
        self.assertEqual(caller.final("robot", "identify")["stage"], "succeeded")

    def test_without_a_commit_the_device_goes_back_into_its_box(self):
        broker = Broker()
        self.addCleanup(broker.stop)
        simulator, link = self.start("--fail-safe", "1s", broker=broker), self.listen(broker)
        box = self.boxed(simulator, 2)
        session = self.session(box)
        self.claim(session, self.offer(broker.url))
        self.join(session)
        self.presence(link)
        simulator.line(r"home-1/boxed-2 left villa/robot: .*")
        removed = {f"homeport/v1/villa/robot/{leaf}" for leaf in
                   ("description", "presence", "state")}
        link.until(lambda: removed <= {m.topic for m in link.since() if not m.payload},
                   what="the removal of what the broker retained")
        until(lambda: len([x for x in simulator.lines if x.startswith("boxed home-1/boxed-2")]) > 1,
              "the access point")
        session = self.session(box)
        self.assertEqual(session.state()[0], provisioning.DISCONNECTED)
        with self.assertRaises(Refused) as caught:
            session.claim(self.offer(broker.url, "n-2"))
        self.assertIn("token was used", caught.exception.reason)
        self.claim(session, self.offer(broker.url, "n-2", "t-2"))
        mark = link.mark()
        self.join(session)
        self.assertEqual(self.presence(link, mark=mark)["claim"], "n-2")

    def test_the_certificate_of_the_claim_opens_the_broker(self):
        folder, port = scratch(), free_port()
        self.authority.server(folder)
        folder.chmod(0o755)
        for file in folder.iterdir():
            file.chmod(0o644)
        broker = Broker(f"allow_anonymous true\nlistener {port} 127.0.0.1\n"
                        f"cafile {folder}/ca.crt\ncertfile {folder}/server.crt\n"
                        f"keyfile {folder}/server.key\nrequire_certificate true\n"
                        "use_identity_as_username true\n")
        self.addCleanup(broker.stop)
        simulator, link = self.start(broker=broker), self.listen(broker)
        session = self.session(self.boxed(simulator, 1))
        self.claim(session, self.offer(f"mqtts://127.0.0.1:{port}", ca=self.authority.pem))
        self.join(session)
        self.assertEqual(self.presence(link)["claim"], "n-1")
        broker.line(r".*homeport-villa-robot.*u'villa/robot'.*")

    def test_bad_claims_are_refused_with_a_reason(self):
        session = self.session(self.boxed(self.start(), 1))
        for members, reason in (
                ({}, "home"), (self.offer("http://x"), "mqtt"),
                (self.offer("mqtt://127.0.0.1", device="Robot"), "device"),
                (self.offer("mqtt://127.0.0.1", nonce=""), "nonce"),
                ({"nonce": "n-1", "certificate": "x"}, "nonce")):
            with self.assertRaises(Refused) as caught:
                session.claim(members)
            self.assertIn(reason, caught.exception.reason)
        session.claim(self.offer("mqtt://127.0.0.1"))
        with self.assertRaises(Refused) as caught:
            session.claim({"nonce": "n-1", "certificate": self.authority.pem})
        self.assertIn("not for the device's key", caught.exception.reason)
        self.assertNotEqual(session.set_network("home-net", "secret12") or session.apply(), 0)


class Changes(Boxes):
    """Somebody on the way changes what is sent."""

    def test_a_claim_without_its_mac_ends_the_session(self):
        simulator = self.start()
        for number in (1, 2):
            box = self.boxed(simulator, number)
            for sign in (lambda body, _: body, self.flip, self.doubled):
                session = self.session(box)
                with self.assertRaises(Refused) as caught:
                    session.claim(self.offer("mqtt://127.0.0.1"), sign)
                self.assertEqual(caught.exception.status, 500)
                self.assertIn("mac", caught.exception.reason)
                with self.assertRaises(Refused) as caught:
                    session.state()
                self.assertIn("no session", caught.exception.reason)
            session = self.session(box)
            session.claim(self.offer("mqtt://127.0.0.1"))

    @staticmethod
    def flip(body, _):
        """A code that fits no message."""
        return body[:-1] + b',"mac":"%s"}' % (b"0" * 64)

    @staticmethod
    def doubled(body, nonce):
        """A member behind the code."""
        return body[:-1] + b',"mac":"%s","x":1}' % (b"0" * 64)

    def test_a_listener_that_flips_bits_does_not_take_a_device_of_security_1(self):
        broker = Broker()
        self.addCleanup(broker.stop)
        session = self.session(self.boxed(self.start(broker=broker), 1))
        told = json.dumps({"v": 1, **self.offer("mqtt://broker.example")},
                          separators=(",", ":")).encode()
        wanted = told.replace(b"broker.example", b"127.0.0.1:1883")
        self.assertEqual(len(told), len(wanted))
        post, on_the_way = session.access_point.post, []

        def changing(endpoint, body):
            if endpoint == "claim":
                difference = bytes(a ^ b for a, b in zip(told, wanted))
                on_the_way.append(len(body))
                body = bytes(a ^ b for a, b in zip(body, difference)) + body[len(difference):]
            return post(endpoint, body)

        session.access_point.post = changing
        with self.assertRaises(Refused) as caught:
            session.claim(self.offer("mqtt://broker.example"))
        self.assertIn("changed on the way", caught.exception.reason)
        self.assertEqual(len(on_the_way), 1)
        session.access_point.post = post
        with self.assertRaises(Refused):
            session.set_network("home-net", "secret12")

    def test_a_broker_without_tls_is_refused_where_authorities_are_given(self):
        session = self.session(self.boxed(self.start(), 1))
        with self.assertRaises(Refused) as caught:
            session.claim(self.offer("mqtt://127.0.0.1", ca=self.authority.pem))
        self.assertIn("mqtts", caught.exception.reason)


class OldDevices(Boxes):
    """`homeport provision` and a device whose Security 2 repeats its nonce."""

    def test_a_weak_session_is_used_only_where_that_is_asked_for(self):
        if not is_built("homeport"):
            self.skipTest("homeport is not built")
        broker = Broker()
        self.addCleanup(broker.stop)
        url, label = self.boxed(self.start(broker=broker), 2)
        device = OldFirmware(url, label)
        self.addCleanup(device.stop)
        order = ("provision", "--qr", json.dumps(label), "--ssid", "home-net", "--password", "-",
                 "--address", device.url, "--device", "robot", "--json")
        homeport = Homeport(broker.port)
        refused = homeport.run(*order, typed="secret12\n")
        self.assertEqual(refused.status, 1, refused)
        self.assertEqual(refused.objects[-1]["code"], "WEAK_SESSION")
        self.assertEqual(set(device.endpoints), {"proto-ver"})
        done = homeport.run(*order, "--allow-weak-session", typed="secret12\n")
        self.assertEqual(done.status, 0, done)
        self.assertEqual(done.objects[-1]["state"], "provisioned")
        self.assertIn("sec_patch_ver 0", done.stderr)
        self.assertIn("claim", device.endpoints)


class Kills(Boxes):
    """SIGKILL of the simulator in every state, then the same steps again: one device, one identity."""

    # Where the simulator kills itself: received, saved, answered, entering; with how many passes. Each of the two
    # devices saves when it starts, perhaps before the simulator is ready, so saving counts from the third pass.
    POINTS = [f"{point}*{count}" for point in ("B0", "B2") for count in range(1, 10)] + [
        "B1*3", "B1*4", "B1*5", "B3*1"]

    def test_a_kill_in_any_state_leaves_one_identity(self):
        matrix = []
        for plan in self.POINTS + ["presence", "commit"]:
            with self.subTest(plan=plan):
                matrix.append(self.survive(plan))
        print("\n" + "\n".join(matrix))

    def survive(self, plan):
        """One kill, and what follows; a line of the matrix."""
        self.authority = Authority()
        broker, journal = Broker(), scratch()
        self.addCleanup(broker.stop)
        link = self.listen(broker)
        options = ("--journal", str(journal), "--fail-safe", "60s")
        point, _, count = plan.partition("*")
        environment = {"HOMEPORT_KILL_POINT": ",".join([point] * int(count))} if count else {}
        simulator = self.start(*options, broker=broker, environment=environment)
        state = self.provision(simulator, broker, link, stop=None if count else plan)
        if count:
            self.assertEqual(simulator.wait(), -signal.SIGKILL, plan)
        else:
            simulator.kill()
        mark = link.mark()
        simulator = self.start(*options, broker=broker)
        if not self.is_member(simulator):
            self.provision(simulator, broker, link)
        presence = self.presence(link, mark=mark)
        if "claim" in presence:
            self.assertEqual(presence["claim"], "n-1")
            done = Caller(link, "villa").final("robot", "commit-claim", {"nonce": "n-1"})
            self.assertEqual(done["stage"], "succeeded")
        self.assertEqual(len(self.authority.signed["villa/robot"]), 1, plan)
        devices = {m.topic.split("/")[3] for m in link.since(ending="/presence")}
        self.assertEqual(devices, {"robot"}, plan)
        simulator.stop()
        broker.stop()
        return f"{plan:10} killed while {state}: resumed, 1 device, 1 identity"

    def is_member(self, simulator):
        """Whether the first device is in a home, once its fate is known."""
        return until(lambda: next((kind for line in simulator.lines for kind, start in
                                   (("member", "home-1/boxed-1 joined"),
                                    ("box", "boxed home-1/boxed-1 ")) if line.startswith(start)),
                                  None), "the first device") == "member"

    def provision(self, simulator, broker, link, stop=None):
        """Goes as far as the device lets it; the step that it did not finish."""
        step = "waiting"
        try:
            box = self.boxed(simulator, 1)
            step = "opening the session"
            session = self.session(box)
            step = "claiming"
            self.claim(session, self.offer(broker.url))
            step = "joining"
            self.join(session)
            step = "entering the home"
            self.presence(link)
            if stop == "presence":
                return step
            step = "committing"
            Caller(link, "villa").final("robot", "commit-claim", {"nonce": "n-1"})
            return "in the home"
        except (OSError, Refused, Missing, provisioning.http.client.HTTPException) as error:
            if simulator.process.poll() is None and not isinstance(error, OSError):
                raise
            return step


if __name__ == "__main__":
    unittest.main()
