"""`homeport keychain` and its files, read by a program that was written from docs/keychain.md alone."""

import os
import pty
import stat
import subprocess
import unittest

from interop import keychain
from interop.processes import _die_with_parent, binary, is_built, scratch


class Keychain(unittest.TestCase):
    """The verbs, and what they leave on the disk."""

    def setUp(self):
        if not is_built("homeport"):
            self.skipTest("homeport is not built")
        self.home = scratch()
        self.home.chmod(0o700)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("HOMEPORT_", "XDG_"))}
        self.environment = {**kept, "HOME": str(self.home),
                            "XDG_STATE_HOME": str(self.home / "state")}
        self.file = self.home / "state/homeport/keychain"
        self.key = self.home / "state/homeport/keychain.key"

    def run_verb(self, *arguments, secret=b"", **variables):
        done = subprocess.run([binary("homeport"), "keychain", *arguments], input=secret,
                              capture_output=True, env={**self.environment, **variables},
                              preexec_fn=_die_with_parent, timeout=60)
        if secret:
            self.assertNotIn(secret.strip(), done.stdout + done.stderr)
        return done

    def test_secrets_are_read_by_another_program(self):
        secrets = {"broker": b"username=ann\npassword=secret", "umlaut-\u00fc": b"\x00\xff\x80"}
        for name, secret in secrets.items():
            self.assertEqual(self.run_verb("set", name, secret=secret + b"\n").returncode, 0)
        found = keychain.read(self.file.read_bytes(), keys=self.key.read_bytes())
        self.assertEqual(found, {("homeport", name): secret for name, secret in secrets.items()})
        for file in (self.file, self.key):
            self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        for secret in secrets.values():
            self.assertNotIn(secret, self.file.read_bytes())

    def test_a_new_master_key_keeps_the_secrets(self):
        self.run_verb("set", "a", secret=b"one")
        before = self.key.read_bytes()
        self.assertEqual(self.run_verb("rotate").returncode, 0)
        self.assertNotEqual(self.key.read_bytes(), before)
        self.assertEqual(len(self.key.read_bytes()), 32)
        self.assertEqual(keychain.read(self.file.read_bytes(), keys=self.key.read_bytes()),
                         {("homeport", "a"): b"one"})
        with self.assertRaises(keychain.WrongKey):
            keychain.read(self.file.read_bytes(), keys=before)

    def test_a_passphrase_is_enough(self):
        phrase = self.home / "phrase"
        phrase.write_text("correct horse\n")
        phrase.chmod(0o600)
        source = {"HOMEPORT_KEYCHAIN_KEY": f"passphrase:{phrase}"}
        self.assertEqual(self.run_verb("set", "a", secret=b"one", **source).returncode, 0)
        self.assertFalse(self.key.exists())
        self.assertEqual(
            keychain.read(self.file.read_bytes(), passphrase=b"correct horse"),
            {("homeport", "a"): b"one"})
        phrase.write_text("wrong horse\n")
        self.assertEqual(self.run_verb("list", **source).returncode, 78)

    def test_what_another_program_wrote_is_read(self):
        master = os.urandom(32)
        self.file.parent.mkdir(parents=True, mode=0o700)
        (self.home / "state").chmod(0o700)
        for path, data in [(self.key, master), (self.file, keychain.write(
                {("homeport", "a"): b"one", ("identity", "ca"): b"two"}, master,
                random=os.urandom))]:
            path.write_bytes(data)
            path.chmod(0o600)
        listed = self.run_verb("list", "--json")
        self.assertEqual(listed.stdout, b'{"name":"a"}\n', listed.stderr)
        self.assertEqual(self.run_verb("doctor").returncode, 0)

    def test_a_terminal_does_not_show_what_is_typed(self):
        ours, theirs = pty.openpty()
        child = subprocess.Popen([binary("homeport"), "keychain", "set", "a"], stdin=theirs,
                                 stdout=theirs, stderr=theirs, env=self.environment,
                                 preexec_fn=_die_with_parent)
        os.close(theirs)
        seen = b""
        while not seen.endswith(b"Secret: "):
            seen += os.read(ours, 1_000)
        os.write(ours, b"hidden-word\n")
        self.assertEqual(child.wait(60), 0)
        try:
            while part := os.read(ours, 1_000):
                seen += part
        except OSError:
            pass  # a terminal whose other side is closed
        os.close(ours)
        self.assertNotIn(b"hidden", seen)
        self.assertEqual(keychain.read(self.file.read_bytes(), keys=self.key.read_bytes()),
                         {("homeport", "a"): b"hidden-word"})

    def test_two_processes_lose_nothing(self):
        writers = [subprocess.Popen(
            [binary("homeport"), "keychain", "set", f"name-{number}"], stdin=subprocess.PIPE,
            env=self.environment, preexec_fn=_die_with_parent) for number in range(12)]
        for number, writer in enumerate(writers):
            writer.communicate(f"secret-{number}".encode(), timeout=60)
            self.assertEqual(writer.returncode, 0)
        found = keychain.read(self.file.read_bytes(), keys=self.key.read_bytes())
        self.assertEqual(found, {("homeport", f"name-{number}"): f"secret-{number}".encode()
                                 for number in range(12)})


if __name__ == "__main__":
    unittest.main()
