"""A terminal of our own, to see what a person would see of `homeport`."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import unicodedata

SEQUENCE = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])")


def on_terminal(arguments, environment, columns, rows=40, timeout=60):
    """Runs a program with a terminal as its stdout. Returns the status and what it wrote there."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    child = subprocess.Popen(arguments, env=environment, stdin=subprocess.DEVNULL, stdout=slave,
                             stderr=subprocess.DEVNULL)
    os.close(slave)
    written = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # nobody holds the other end any more
            break
        if not part:
            break
        written += part
    os.close(master)
    return child.wait(timeout), written.decode().replace("\r\n", "\n")


def width(text):
    """The columns of a text without control sequences, one code point after the other."""
    return sum(0 if unicodedata.category(c) in ("Mn", "Me", "Cf")
               else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def without_colours(text):
    """The text, and the set of parameters of the colours in it."""
    return (SEQUENCE.sub("", text),
            {m.group(1) for m in SEQUENCE.finditer(text) if m.group(2) == "m"})
