"""A sender over AMQP 1.0 with TLS and SASL PLAIN, of the few frames that one receiver needs (OASIS AMQP 1.0, parts 1, 2
and 5): no library has a server's side of PLAIN without Cyrus SASL."""

import socket
import ssl
import struct
import threading
import time

OPEN, BEGIN, ATTACH, FLOW, TRANSFER, DISPOSITION, DETACH, END, CLOSE = range(0x10, 0x19)
MECHANISMS, INIT, _CHALLENGE, _RESPONSE, OUTCOME = range(0x40, 0x45)
ACCEPTED = 0x24


class Described:
    """A described value."""

    def __init__(self, code, value):
        self.code, self.value = code, value

    def __eq__(self, other):
        return isinstance(other, Described) and (self.code, self.value) == (other.code, other.value)


class Symbol(str):
    """A symbol."""


class Long(int):
    """A long; plain integers are uints."""


class Ulong(int):
    """An ulong."""


class Ubyte(int):
    """An ubyte."""


class Ushort(int):
    """An ushort."""


def encode(value):
    """The bytes of a value."""
    if value is None:
        return b"\x40"
    if value is True or value is False:
        return b"\x41" if value else b"\x42"
    if isinstance(value, Described):
        return b"\x00" + encode(Ulong(value.code)) + encode(value.value)
    if isinstance(value, Long):
        return b"\x81" + struct.pack(">q", value)
    if isinstance(value, Ulong):
        return b"\x80" + struct.pack(">Q", value)
    if isinstance(value, Ushort):
        return b"\x60" + struct.pack(">H", value)
    if isinstance(value, Ubyte):
        return b"\x50" + bytes([value])
    if isinstance(value, int):
        return b"\x70" + struct.pack(">I", value)
    if isinstance(value, bytes):
        return b"\xb0" + struct.pack(">I", len(value)) + value
    if isinstance(value, str):
        code = b"\xb3" if isinstance(value, Symbol) else b"\xb1"
        data = value.encode()
        return code + struct.pack(">I", len(data)) + data
    if isinstance(value, dict):
        items = [x for pair in value.items() for x in pair]
        content = b"".join(map(encode, items))
        return b"\xd1" + struct.pack(">II", len(content) + 4, len(items)) + content
    content = b"".join(map(encode, value))
    return b"\xd0" + struct.pack(">II", len(content) + 4, len(value)) + content


def decode(data, at=0):
    """A value, and the place behind it."""
    code, at = data[at], at + 1
    if code == 0:
        descriptor, at = decode(data, at)
        value, at = decode(data, at)
        return Described(descriptor, value), at
    if code in (0x40, 0x41, 0x42, 0x43, 0x44, 0x45):
        return {0x40: None, 0x41: True, 0x42: False, 0x43: 0, 0x44: 0, 0x45: []}[code], at
    width = code >> 4
    if width in (5, 6, 7, 8, 9):
        size = {5: 1, 6: 2, 7: 4, 8: 8, 9: 16}[width]
        raw = data[at:at + size]
        if code == 0x56:
            return raw == b"\x01", at + size
        return int.from_bytes(raw, "big", signed=code in (0x51, 0x54, 0x55, 0x61, 0x71, 0x81)), at + size
    size_width = 1 if width in (0xA, 0xC, 0xE) else 4
    size = int.from_bytes(data[at:at + size_width], "big")
    at += size_width
    raw, end = data[at:at + size], at + size
    if width in (0xA, 0xB):
        return (raw if code & 0xF == 0 else raw.decode()), end
    count, place = int.from_bytes(raw[:size_width], "big"), size_width
    items = []
    if width in (0xE, 0xF):
        constructor = raw[place:place + 1]
        place += 1
        for _ in range(count):
            item, taken = decode(constructor + raw[place:])
            items.append(item)
            place += taken - 1
        return items, end
    for _ in range(count):
        item, place = decode(raw, place)
        items.append(item)
    if code in (0xC1, 0xD1):
        return dict(zip(items[::2], items[1::2])), end
    return items, end


class Peer:
    """One client's connection."""

    def __init__(self, server, connection):
        self.server, self.connection = server, connection
        self.credit, self.sent, self.handle, self.user = 0, 0, 0, ""
        self.lock = threading.Lock()
        self.is_attached = False

    def read(self, count):
        """So many bytes."""
        data = b""
        while len(data) < count:
            part = self.connection.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def frame(self):
        """The performative of the next frame; None for a heartbeat."""
        size, offset, _kind, _channel = struct.unpack(">IBBH", self.read(8))
        data = self.read(size - 8)[offset * 4 - 8:]
        return decode(data)[0] if data else None

    def write(self, code, fields, kind=0, payload=b""):
        """Sends a frame."""
        data = encode(Described(code, fields)) + payload
        with self.lock:
            self.connection.sendall(struct.pack(">IBBH", len(data) + 8, 2, kind, 0) + data)

    def run(self):
        """Serves the client to its end."""
        assert self.read(8) == b"AMQP\x03\x01\x00\x00"
        self.connection.sendall(b"AMQP\x03\x01\x00\x00")
        self.write(MECHANISMS, [Symbol("PLAIN")], 1)
        init = self.frame()
        assert init.code == INIT and init.value[0] == "PLAIN", init.value
        _, user, password = init.value[1].decode().split("\0")
        self.user = user
        self.server.logins.append((time.monotonic(), user))
        is_good = self.server.check(user, password)
        self.write(OUTCOME, [Ubyte(0 if is_good else 1)], 1)
        if not is_good:
            return
        assert self.read(8) == b"AMQP\x00\x01\x00\x00"
        self.connection.sendall(b"AMQP\x00\x01\x00\x00")
        while True:
            frame = self.frame()
            if frame is not None and not self.handle_frame(frame):
                return

    def handle_frame(self, frame):
        """Answers a frame; whether the connection goes on."""
        fields = frame.value + [None] * 12
        if frame.code == OPEN:
            self.server.idle_timeout = fields[4]
            self.write(OPEN, ["cloud", None, 1 << 20, Ushort(10), 120000])
        elif frame.code == BEGIN:
            self.write(BEGIN, [Ushort(0), 0, 1 << 16, 1 << 16])
        elif frame.code == ATTACH:
            assert fields[2] is True, "a receiver attaches"
            self.handle = fields[1]
            source = fields[5] or Described(0x28, [None])
            self.write(ATTACH, [fields[0], self.handle, False, None, None, source, fields[6], None, None,
                                0])
            self.is_attached = True
            self.server.attach(self)
        elif frame.code == FLOW:
            if fields[6] is not None:
                self.credit = (fields[5] or 0) + fields[6] - self.sent
                self.server.flush()
        elif frame.code == DISPOSITION:
            first, last = fields[1], fields[2] if fields[2] is not None else fields[1]
            if fields[4] is not None:
                self.server.settle(fields[4].code, last - first + 1)
        elif frame.code in (DETACH, END, CLOSE):
            self.write(frame.code, [] if frame.code != DETACH else [self.handle, True])
            return frame.code != CLOSE
        return True

    def transfer(self, topic, body, message_id, generated):
        """Sends a message."""
        payload = encode(Described(0x74, {"topic": topic, "messageId": message_id,
                                          "generateTime": Long(generated)}))
        payload += encode(Described(0x75, body))
        number, self.sent, self.credit = self.sent, self.sent + 1, self.credit - 1
        # In two frames, as a large message comes.
        half = len(payload) // 2
        self.write(TRANSFER, [self.handle, number, struct.pack(">I", number), 0, False, True],
                   payload=payload[:half])
        self.write(TRANSFER, [self.handle, None, None, None, None, False], payload=payload[half:])


class Server:
    """Accepts clients; a message goes to one of them."""

    def __init__(self, certificate, key, check):
        self.check, self.logins, self.peers, self.waiting = check, [], [], []
        self.accepted, self.settled, self.idle_timeout = 0, 0, None
        self.lock = threading.RLock()
        self.attached = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=[connection], daemon=True).start()

    def _serve(self, connection):
        peer = None
        try:
            with self.context.wrap_socket(connection, server_side=True) as secured:
                peer = Peer(self, secured)
                peer.run()
        except (EOFError, OSError, ssl.SSLError):
            pass
        with self.lock:
            if peer in self.peers:
                self.peers.remove(peer)

    def attach(self, peer):
        """A client receives from now on."""
        with self.lock:
            self.peers.append(peer)
        self.attached.set()

    def settle(self, outcome, count):
        """A client has settled messages."""
        with self.lock:
            self.settled += count
            if outcome == ACCEPTED:
                self.accepted += count

    def send(self, *message):
        """Sends a message to a client, now or once there is one."""
        with self.lock:
            self.waiting.append(message)
            self.flush()

    def flush(self):
        """Sends what can be sent."""
        with self.lock:
            while self.waiting:
                peer = next((p for p in self.peers if p.credit > 0), None)
                if peer is None:
                    return
                peer.transfer(*self.waiting.pop(0))

    def drop(self):
        """Breaks every connection."""
        with self.lock:
            for peer in self.peers:
                peer.connection.shutdown(socket.SHUT_RDWR)

    def close(self):
        """Ends everything."""
        self.listener.close()
        self.drop()
