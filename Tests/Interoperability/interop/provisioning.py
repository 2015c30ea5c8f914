"""A client of Espressif's unified provisioning over HTTP, written from the description of its bytes alone."""

import hashlib
import hmac
import http.client
import json
import os

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from .wire import first, message, parse

N = int("".join("""
ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd
ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed
ee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf0598da48361c55d39a69163fa8fd24cf5f
83655d23dca3ad961c62f356208552bb9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3b
e39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf6955817183995497cea956ae515d2261898fa0510
15728e5a8aaac42dad33170d04507a33a85521abdf1cba64ecfb850458dbef0a8aea71575d060c7db3970f85a6e1e4c7
abf5ae8cdb0933d71e8c94e04a25619dcee3d2261ad2ee6bf12ffa06d98a0864d87602733ec86a64521f2b18177b200c
bbe117577a615d6c770988c0bad946e208e24fa074e5ab3143db5bfce0fd108e4b82d120a93ad2caffffffffffffffff
""".split()), 16)
"""The 3072-bit group of RFC 5054."""
G, SIZE = 5, 384
CONNECTED, CONNECTING, DISCONNECTED, FAILED = range(4)
AUTH_ERROR, NETWORK_NOT_FOUND = range(2)


class Refused(Exception):
    """The device answered with another status than 200."""

    def __init__(self, status, reason):
        super().__init__(f"{status} {reason}")
        self.status, self.reason = status, reason


class AccessPoint:
    """One HTTP connection to a device, with its cookie."""

    def __init__(self, url, timeout=10):
        self._host = url.removeprefix("http://")
        self._connection = http.client.HTTPConnection(self._host, timeout=timeout)
        self.cookie = None

    def post(self, endpoint, body):
        """The body of the answer."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        self._connection.request("POST", f"/{endpoint}", body, headers)
        answer = self._connection.getresponse()
        data = answer.read()
        self.cookie = answer.headers.get("Set-Cookie", self.cookie)
        if answer.status != 200:
            raise Refused(answer.status, data.decode(errors="replace").strip())
        return data

    def close(self):
        """Hangs up."""
        self._connection.close()


class Session:
    """A protected session with the device of a label `qr`."""

    def __init__(self, url, qr, proof=None):
        self.access_point = AccessPoint(url)
        try:
            self._begin(qr, (qr["pop"] if proof is None else proof).encode())
        except BaseException:
            self.close()
            raise

    def _begin(self, qr, proof):
        self.version = json.loads(self.access_point.post("proto-ver", b"---"))
        assert self.version["prov"]["sec_ver"] == qr["security"]
        if qr["security"] == 1:
            self._begin_security1(proof)
        else:
            self._begin_security2(qr["username"].encode(), proof)

    def _shake(self, security, field, body):
        data = self.access_point.post(
            "prov-session", message((2, security), (10 + security, body)))
        fields = parse(data)
        assert first(fields, 2) == security
        answer = parse(first(fields, 10 + security))
        return parse(first(answer, field))

    def _begin_security1(self, proof):
        private = X25519PrivateKey.generate()
        public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        answer = self._shake(1, 21, message((20, message((1, public)))))
        device, random = first(answer, 2), first(answer, 3)
        key = private.exchange(X25519PublicKey.from_public_bytes(device))
        if proof:
            key = bytes(a ^ b for a, b in zip(key, hashlib.sha256(proof).digest()))
        stream = Cipher(algorithms.AES(key), modes.CTR(random)).encryptor()
        check = stream.update(device)
        answer = self._shake(1, 23, message((1, 2), (22, message((2, check)))))
        if not hmac.compare_digest(stream.update(first(answer, 3)), public):
            raise Refused(0, "the device does not know the proof of possession")
        self._seal = self._open = stream.update
        self._key = key

    def _begin_security2(self, user, password):
        a = int.from_bytes(os.urandom(32), "big") | 1 << 255
        public = pow(G, a, N).to_bytes(SIZE, "big")
        answer = self._shake(2, 21, message((20, message((1, user), (2, public)))))
        device, salt = first(answer, 2), first(answer, 3)
        b = int.from_bytes(device, "big")
        k = _number(N.to_bytes(SIZE, "big"), G.to_bytes(SIZE, "big"))
        u = _number(public, b.to_bytes(SIZE, "big"))
        x = _number(salt, _hash(user + b":" + password))
        shared = pow(b - k * pow(G, x, N), a + u * x, N)
        key = _hash(shared.to_bytes((shared.bit_length() + 7) // 8, "big"))
        group = bytes(p ^ q for p, q in zip(_hash(N.to_bytes(SIZE, "big")),
                                            _hash(G.to_bytes(SIZE, "big"))))
        proof = _hash(group, _hash(user), salt, public, device, key)
        answer = self._shake(2, 23, message((1, 2), (22, message((1, proof)))))
        if not hmac.compare_digest(first(answer, 2), _hash(public, proof, key)):
            raise Refused(0, "the device does not know the password")
        cipher, nonce = AESGCM(key[:32]), bytearray(first(answer, 3))

        def counted(work):
            def apply(data):
                done = work(bytes(nonce), data, None)
                nonce[8:] = (int.from_bytes(nonce[8:], "big") + 1).to_bytes(4, "big")
                return done
            return apply
        self._seal, self._open = counted(cipher.encrypt), counted(cipher.decrypt)
        self._key = key

    def post(self, endpoint, body):
        """Posts within the session."""
        return self._open(self.access_point.post(endpoint, self._seal(body)))

    def scan(self):
        """The networks in reach: name -> (signal in dBm, protection)."""
        self.post("prov-scan", message((10, message((1, 1), (4, 120)))))
        status = parse(first(parse(self.post("prov-scan", message((1, 2), (12, b"")))), 13))
        assert first(status, 1) == 1
        found = {}
        for start in range(0, first(status, 2), 4):
            count = min(4, first(status, 2) - start)
            answer = parse(self.post("prov-scan", message(
                (1, 4), (14, message((1, start), (2, count))))))
            for entry in parse(first(answer, 15, b"")).get(1, []):
                fields = parse(entry)
                signal = first(fields, 3)
                found[first(fields, 1).decode()] = (
                    signal - (1 << 64) if signal >> 63 else signal, first(fields, 5))
        return found

    def set_network(self, ssid, passphrase):
        """The status of the device."""
        body = message((1, 2), (12, message((1, ssid.encode()), (2, passphrase.encode()))))
        return first(parse(first(parse(self.post("prov-config", body)), 13, b"")), 1)

    def apply(self):
        """Has the device join; its status."""
        answer = parse(self.post("prov-config", message((1, 4), (14, b""))))
        return first(parse(first(answer, 15, b"")), 1)

    def state(self):
        """The state of the station, and why it failed."""
        answer = parse(first(parse(self.post("prov-config", message((10, b"")))), 11))
        return first(answer, 2), first(answer, 10)

    def reset(self):
        """Asks for another try; the status."""
        return first(parse(self.post("prov-ctrl", message((1, 1), (11, b"")))), 2)

    def claim(self, members, sign=None):
        """Posts one message of a claim; the members of the answer, whose mac must be right."""
        body = json.dumps({"v": 1, **members}, separators=(",", ":"), ensure_ascii=False).encode()
        nonce = members.get("nonce", "")
        answer = self.post("claim", (sign or self.sign)(body, nonce))
        answered = json.loads(answer)
        code = answered.pop("mac")
        mark = answer.rindex(b',"mac":"')
        assert answer[mark:] == b',"mac":"%s"}' % code.encode(), "mac is not the last member"
        assert hmac.compare_digest(code, self.mac(answer[:mark] + b"}", nonce)), "mac is wrong"
        return answered

    def sign(self, body, nonce):
        """A message with its member mac, the last one."""
        return body[:-1] + b',"mac":"%s"}' % self.mac(body, nonce).encode()

    def mac(self, body, nonce):
        """The code of a message in this session."""
        return claim_mac(body, nonce, self._key)

    def close(self):
        """Hangs up."""
        self.access_point.close()


def claim_mac(body, nonce, session_key):
    """HMAC-SHA256 of a message of a claim, keyed by HKDF-SHA256 from a session's key."""
    key = HKDF(SHA256(), 32, nonce.encode(), b"homeport-claim").derive(session_key)
    return hmac.new(key, body, hashlib.sha256).hexdigest()


def _hash(*parts):
    return hashlib.sha512(b"".join(parts)).digest()


def _number(*parts):
    return int.from_bytes(_hash(*parts), "big")
