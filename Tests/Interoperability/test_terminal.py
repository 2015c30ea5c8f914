"""What a person sees of `homeport` on terminals of several widths, and in a pipe."""

import os
import unittest

from interop.controller_cases import WithBroker
from interop.processes import binary, is_built, scratch
from interop.terminal import on_terminal, width, without_colours

HOSTILE = {"plain-1": "Lamp", "wide-1": "客厅的扫地机器人一号", "long-1": "long " * 10_000,
           "bidi-1": "\u202eevil\u2066\u200f\u061c", "steering-1": "\x1b[2J\u009b1m\n\x07"}
FORBIDDEN = {*range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F),
             *range(0x2066, 0x206A)} - {ord("\n")}
BASIC = {"0", "1", "2", *map(str, range(30, 38))}


class Screens(WithBroker, unittest.TestCase):
    """Hostile names, one rejected command, four widths."""

    def setUp(self):
        super().setUp()
        for device_id, name in HOSTILE.items():
            self.device(device_id, name=name)
        self.homeport.send("plain-1", "locate")

    def seen(self, columns, *arguments, **variables):
        """The text on a terminal, and the colours in it."""
        environment = {**self.homeport.environment, "TERM": "xterm", **variables}
        status, text = on_terminal(
            [binary("homeport"), *arguments, *self.homeport.options], environment, columns)
        self.assertEqual(status, 0, text)
        return without_colours(text)

    def test_no_line_is_wider_than_the_terminal(self):
        for columns in (60, 80, 100, 160):
            for arguments in (["devices"], ["history"], ["channels"], ["show", "long-1"],
                              ["show", "wide-1"]):
                text, colours = self.seen(columns, *arguments)
                widest = max(text.splitlines(), key=width)
                self.assertLessEqual(width(widest), columns, (arguments, widest))
                self.assertEqual(FORBIDDEN & {ord(c) for c in text}, set(), arguments)
                self.assertLessEqual(colours, BASIC)

    def test_columns_stay_in_line_behind_wide_names(self):
        lines = self.seen(100, "devices")[0].splitlines()
        self.assertEqual(len(lines), 1 + len(HOSTILE))
        place = lines[0].index("PRESENCE")
        for line in lines[1:]:
            self.assertEqual(width(line[:line.index("online")]), place, line)

    def test_colours_are_for_terminals_that_want_them(self):
        self.assertIn("32", self.seen(80, "devices")[1])
        self.assertEqual(self.seen(80, "devices", NO_COLOR="1")[1], set())
        self.assertEqual(self.seen(80, "devices", TERM="dumb")[1], set())
        self.assertEqual(self.seen(80, "devices", "--json")[1], set())
        self.assertEqual(without_colours(self.homeport.run("devices").stdout)[1], set())

    def test_in_a_pipe_nothing_is_cut(self):
        text = self.homeport.run("devices").stdout
        self.assertIn(HOSTILE["long-1"], text)
        self.assertNotIn("…", text)
        self.assertEqual(FORBIDDEN & {ord(c) for c in text}, set())
        # One long name does not pad the other rows.
        self.assertLess(len(text), 60_000)

    def test_json_escapes_what_a_terminal_obeys_and_means_the_same(self):
        result = self.homeport.json("devices")
        self.assertEqual({o["device"]: o["name"] for o in result.objects}, HOSTILE)
        self.assertEqual(FORBIDDEN & {ord(c) for c in result.stdout}, set())


class Fleet(unittest.TestCase):
    """What a person sees of a running fleet."""

    def setUp(self):
        if not is_built("homeport-sim"):
            self.skipTest("homeport-sim is not built")

    def seen(self, columns, terminal):
        """The text on a terminal; what is said on stderr goes elsewhere."""
        status, text = on_terminal(
            [binary("homeport-sim"), "run", "--duration", "4s"],
            {**os.environ, "TERM": terminal, "XDG_RUNTIME_DIR": str(scratch())}, columns)
        self.assertEqual(status, 0, text)
        return without_colours(text)[0]

    def test_devices_rates_and_states_are_redrawn_in_place(self):
        for columns in (60, 120):
            text = self.seen(columns, "xterm")
            for words in ("all 7 ready", "energy-store: 2 self-consumption", "received per second"):
                self.assertIn(words, text)
            widest = max(text.replace("\r", "\n").splitlines(), key=width)
            self.assertLessEqual(width(widest), columns, widest)

    def test_where_nothing_can_be_redrawn_there_are_lines_alone(self):
        self.assertEqual(self.seen(80, "dumb"), "")


if __name__ == "__main__":
    unittest.main()
