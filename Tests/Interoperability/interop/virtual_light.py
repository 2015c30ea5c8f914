"""A Matter light (CircuitMatter) as a program, for a Python that has it: virtual_light.py FOLDER ADDRESS

Keeps its state in FOLDER, and writes there `paa/paa.der`, the authority that its attestation goes back to.
ADDRESS is the IPv4 address that it announces. Says on stderr `codes 34970112332 34970112340`, its manual code
and one with a wrong passcode, and then what it does: `on`, `off`.
"""

import datetime
import json
import secrets
import sys
import time
from binascii import b2a_base64
from pathlib import Path

from circuitmatter import CircuitMatter, certificates, interaction_model
from circuitmatter.device_types.lighting.on_off import OnOffLight
from circuitmatter.device_types.utility import root_node
from circuitmatter.utility import random
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from zeroconf import IPVersion, ServiceInfo, Zeroconf

MAKER, PRODUCT = 0xFFF4, 0x1234
VENDOR_ID, PRODUCT_ID = (x509.ObjectIdentifier(f"1.3.6.1.4.1.37244.2.{n}") for n in (1, 2))
LONGEST = 5
"""Seconds between two reports."""


class Certified:
    """A key with its certificate. `depth` is how many authorities may stand below it; a device has none."""

    def __init__(self, name, issuer=None, depth=None, **numbers):
        self.key = ec.generate_private_key(ec.SECP256R1())
        issuer = issuer or self
        self.subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)] + [
            x509.NameAttribute(oid, f"{number:04X}")
            for oid, number in ((VENDOR_ID, numbers.get("maker")), (PRODUCT_ID, numbers.get("product")))
            if number])
        now, leaf = datetime.datetime.now(datetime.timezone.utc), depth is None
        usage = x509.KeyUsage(leaf, False, False, False, False, not leaf, not leaf, False, False)
        self.certificate = (
            x509.CertificateBuilder().subject_name(self.subject).issuer_name(issuer.subject)
            .public_key(self.key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=30))
            .add_extension(x509.BasicConstraints(not leaf, depth), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key()), critical=False)
            .sign(issuer.key, hashes.SHA256()))

    @property
    def der(self):
        """The certificate."""
        return self.certificate.public_bytes(serialization.Encoding.DER)


def write_state(path):
    """Writes the light's state, with an attestation chain of its own."""
    folder = path.parent
    root = Certified("Homeport PAA", depth=1)
    middle = Certified("Homeport PAI", root, 0, maker=MAKER)
    leaf = Certified("Homeport DAC", middle, maker=MAKER, product=PRODUCT)
    (folder / "paa").mkdir(exist_ok=True)
    (folder / "paa" / "paa.der").write_bytes(root.der)
    root_node.PAI_CERT_DER = middle.der
    state = certificates.generate_initial_state(MAKER, PRODUCT, "Light", random)
    key = leaf.key.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.TraditionalOpenSSL,
                                 serialization.NoEncryption())
    for name, value in (("dac_cert", leaf.der), ("dac_key", key)):
        state["devices"]["root"]["0x3e"][name] = b2a_base64(value, newline=False).decode()
    path.write_text(json.dumps(state))


class Announcer:
    """Announces the light by multicast DNS, with no daemon."""

    def __init__(self, address, discriminator):
        self._zeroconf = Zeroconf([address], ip_version=IPVersion.V4Only)
        self._address, self._discriminator = address, discriminator

    def advertise_service(self, service_type, protocol, port, txt_records=None, subtypes=(), instance_name=""):
        """What CircuitMatter asks for."""
        kind = f"{service_type}.{protocol}.local."
        self._register(kind, f"{instance_name}.{kind}", port, txt_records)
        if service_type == "_matterc":
            # A name can be registered once, so each subtype has an instance of its own.
            for subtype in [*subtypes, f"_S{self._discriminator >> 8}._sub._matterc._udp"]:
                self._register(f"{subtype}.local.", f"{secrets.token_hex(8).upper()}.{kind}", port, txt_records)

    def _register(self, kind, name, port, records):
        self._zeroconf.register_service(ServiceInfo(
            kind, name, port, properties=records or {}, server="light.local.", parsed_addresses=[self._address]))


class Report(interaction_model.ReportDataMessage):
    """A report that asks for an answer where more of it follows: without one the rest is never sent."""

    def encode_into(self, buffer, offset=0):
        if self.AttributeReports:
            del self.SuppressResponse
        return super().encode_into(buffer, offset)


class Subscribe(interaction_model.SubscribeRequestMessage):
    """A subscription whose reports come every few seconds, so that a light that is gone is missed soon."""

    @classmethod
    def decode(cls, buffer, offset=0):
        request = super().decode(buffer, offset)
        request.MaxIntervalCeiling = LONGEST
        return request


class Light(OnOffLight):
    """Says what it does."""

    def on(self):
        print("on", file=sys.stderr, flush=True)

    def off(self):
        print("off", file=sys.stderr, flush=True)


def main():
    folder, address = Path(sys.argv[1]), sys.argv[2]
    interaction_model.ReportDataMessage = Report
    interaction_model.SubscribeRequestMessage = Subscribe
    path = folder / "light.json"
    if not path.exists():
        write_state(path)
    state = json.loads(path.read_text())
    device = CircuitMatter(state_filename=str(path), mdns_server=Announcer(address, state["discriminator"]),
                           product_name="Light")
    device.add_device(Light("light"))
    wrong = certificates.compute_manual_code(state["discriminator"], state["passcode"] ^ 1)
    print("codes", state["manual_code"], wrong, file=sys.stderr, flush=True)
    while True:
        device.process_packets()
        time.sleep(0.01)


if __name__ == "__main__":
    main()
