"""Reads and writes a keychain's file. Written from docs/keychain.md alone."""

import hashlib
import hmac
import struct

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

HEADER = 130


class Damaged(Exception):
    """The file is not as it was written."""


class WrongKey(Exception):
    """The master key is another one."""


def _hmac(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def _hkdf(master, info):
    return _hmac(_hmac(bytes(32), master), info + b"\x01")


def _text(text):
    return struct.pack(">H", len(text.encode())) + text.encode()


def _associated(service, account, generation):
    return b"\x01" + _text(service) + _text(account) + struct.pack(">Q", generation)


def master_key(data, *, keys=b"", passphrase=None):
    """The master key that fits a file: one of a key file's, or that of a passphrase."""
    if hashlib.sha256(data[:98]).digest() != data[98:HEADER]:
        raise Damaged("header")
    if data[:8] != b"DCVAULT\x01":
        raise Damaged("magic or version")
    derivation, log_n, r, p, salt = struct.unpack(">BBII32s", data[8:50])
    if derivation == 1:
        candidates = [hashlib.scrypt(passphrase, salt=salt, n=1 << log_n, r=r, p=p, dklen=32,
                                     maxmem=1 << 30)]
    else:
        candidates = [keys[start:start + 32] for start in range(0, len(keys), 32)]
    for master in candidates:
        check = _hmac(_hkdf(master, b"check" + data[50:66]), data[:66])
        if hmac.compare_digest(check, data[66:98]):
            return master
    raise WrongKey


def read(data, **source):
    """The secrets of a file by service and account."""
    master = master_key(data, **source)
    key_id = data[50:66]
    if _hmac(_hkdf(master, b"mac" + key_id), data[:-32]) != data[-32:]:
        raise Damaged("authentication code")
    wrapping = AESGCM(_hkdf(master, b"kek" + key_id))
    rest = data[HEADER + 8:-32]

    def take(count):
        nonlocal rest
        if len(rest) < count:
            raise Damaged("too short")
        part, rest = rest[:count], rest[count:]
        return part

    def text():
        return take(struct.unpack(">H", take(2))[0]).decode()

    secrets = {}
    for _ in range(struct.unpack(">I", take(4))[0]):
        service, account = text(), text()
        generation, = struct.unpack(">Q", take(8))
        associated = _associated(service, account, generation)
        try:
            key = wrapping.decrypt(take(12), take(48), associated)
            size, = struct.unpack(">I", take(4))
            secret = AESGCM(key).decrypt(take(12), take(size + 16), associated)
        except InvalidTag:
            raise Damaged(account) from None
        if (service, account) in secrets:
            raise Damaged("doubled")
        secrets[service, account] = secret
    if rest:
        raise Damaged("too long")
    return secrets


def write(secrets, master, *, random, counter=1, derivation=bytes(42)):
    """A file with secrets by service and account; `random` gives bytes, for vectors the same each time."""
    key_id = random(16)
    start = b"DCVAULT\x01" + derivation + key_id
    start += _hmac(_hkdf(master, b"check" + key_id), start)
    data = start + hashlib.sha256(start).digest() + struct.pack(">QI", counter, len(secrets))
    for (service, account), secret in secrets.items():
        associated, key = _associated(service, account, 1), random(32)
        data += _text(service) + _text(account) + struct.pack(">Q", 1)
        nonce = random(12)
        data += nonce + AESGCM(_hkdf(master, b"kek" + key_id)).encrypt(nonce, key, associated)
        nonce = random(12)
        data += struct.pack(">I", len(secret)) + nonce + AESGCM(key).encrypt(
            nonce, secret, associated)
    return data + _hmac(_hkdf(master, b"mac" + key_id), data)
