"""A device with old firmware: Security 2 with one nonce for every message (`sec_patch_ver` 0).

It stands in front of a boxed device of `homeport-sim`, in a session of its own with it, and passes on what it is asked.
"""

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from .provisioning import G, N, SIZE, Refused, Session, _hash, _number, claim_mac
from .wire import first, message, parse


class OldFirmware:
    """Listens until it is stopped; `endpoints` are those that were asked, in order."""

    def __init__(self, url, qr):
        self._device, self._qr, self.endpoints = Session(url, qr), qr, []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def stop(self):
        """Hangs up."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._device.close()

    def answer(self, endpoint, body):
        """The answer to a request."""
        with self._lock:
            self.endpoints.append(endpoint)
            if endpoint == "proto-ver":
                version = json.loads(json.dumps(self._device.version))
                del version["prov"]["sec_patch_ver"]
                return json.dumps(version).encode()
            if endpoint == "prov-session":
                return self._shake(parse(first(parse(body), 12)))
            request = self._cipher.decrypt(self._nonce, body, None)
            if endpoint == "claim":
                answer = self._signed(self._device.post(endpoint, self._signed(
                    request, self._key, self._device._key)), self._device._key, self._key)
            else:
                answer = self._device.post(endpoint, request)
            return self._cipher.encrypt(self._nonce, answer, None)

    @staticmethod
    def _signed(body, former, key):
        """A message of a claim with the code of another session."""
        members, nonce = json.loads(body), json.loads(body)["nonce"]
        plain = body[:body.rindex(b',"mac":"')] + b"}"
        assert claim_mac(plain, nonce, former) == members["mac"]
        return plain[:-1] + b',"mac":"%s"}' % claim_mac(plain, nonce, key).encode()

    def _shake(self, request):
        """One step of SRP-6a, on the device's side."""
        if first(request, 1) == 0:
            hello = parse(first(request, 20))
            self._user, self._public = first(hello, 1), first(hello, 2)
            self._salt = os.urandom(16)
            x = _number(self._salt, _hash(self._user + b":" + self._qr["pop"].encode()))
            self._verifier, self._secret = pow(G, x, N), int.from_bytes(os.urandom(32), "big")
            k = _number(N.to_bytes(SIZE, "big"), G.to_bytes(SIZE, "big"))
            own = (k * self._verifier + pow(G, self._secret, N)) % N
            self._own = own.to_bytes(SIZE, "big")
            return message((2, 2), (12, message(
                (1, 1), (21, message((2, self._own), (3, self._salt))))))
        public = int.from_bytes(self._public, "big")
        u = _number(public.to_bytes(SIZE, "big"), self._own)
        shared = pow(public * pow(self._verifier, u, N), self._secret, N)
        self._key = _hash(shared.to_bytes((shared.bit_length() + 7) // 8, "big"))
        group = bytes(p ^ q for p, q in zip(_hash(N.to_bytes(SIZE, "big")),
                                            _hash(G.to_bytes(SIZE, "big"))))
        proof = _hash(group, _hash(self._user), self._salt, self._public, self._own, self._key)
        if first(parse(first(request, 22)), 1) != proof:
            raise Refused(500, "wrong password")
        self._cipher, self._nonce = AESGCM(self._key[:32]), os.urandom(12)
        return message((2, 2), (12, message((1, 3), (23, message(
            (2, _hash(self._public, proof, self._key)), (3, self._nonce))))))


def _handler(firmware):
    class Handler(BaseHTTPRequestHandler):
        """Passes each request on, and says nothing of it."""

        protocol_version = "HTTP/1.1"

        def do_POST(self):
            """Answers one request; hangs up where the device has gone."""
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                status, answer = 200, firmware.answer(self.path.strip("/"), body)
            except Refused as refused:
                status, answer = refused.status, refused.reason.encode()
            except OSError:
                self.close_connection = True
                return
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.send_header("Set-Cookie", "session=1")
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            """Nothing."""
    return Handler
