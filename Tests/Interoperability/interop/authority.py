"""A home's certificate authority: takes a device's request, gives a certificate."""

import datetime
import ipaddress

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_BEGIN = datetime.datetime(2020, 1, 1)
_END = datetime.datetime(2090, 1, 1)


class Authority:
    """Signs requests; `signed` counts the different keys that it has signed for each name."""

    def __init__(self):
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name("interop authority")
        self.certificate = self._build(self._name, self._key.public_key()).add_extension(
            x509.BasicConstraints(ca=True, path_length=None), critical=True
        ).sign(self._key, hashes.SHA256())
        self.signed = {}

    @property
    def pem(self):
        """The authority's own certificate."""
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    def sign(self, request, expected):
        """The certificate, in PEM, for a request that names `expected` and proves its key."""
        request = x509.load_pem_x509_csr(request.encode())
        assert request.is_signature_valid
        assert isinstance(request.public_key(), ec.EllipticCurvePublicKey)
        names = [a.value for a in request.subject.get_attributes_for_oid(NameOID.COMMON_NAME)]
        assert names == [expected], names
        self.signed.setdefault(expected, set()).add(request.public_key().public_numbers())
        certificate = self._build(request.subject, request.public_key()).add_extension(
            x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False
        ).sign(self._key, hashes.SHA256())
        return certificate.public_bytes(serialization.Encoding.PEM).decode()

    def server(self, folder):
        """Writes ca.crt, server.crt and server.key for 127.0.0.1."""
        key = ec.generate_private_key(ec.SECP256R1())
        address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
        certificate = self._build(_name("broker"), key.public_key()).add_extension(
            x509.SubjectAlternativeName([address]), critical=False
        ).sign(self._key, hashes.SHA256())
        (folder / "ca.crt").write_text(self.pem)
        (folder / "server.crt").write_bytes(
            certificate.public_bytes(serialization.Encoding.PEM))
        (folder / "server.key").write_bytes(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))

    def _build(self, subject, key):
        return x509.CertificateBuilder(
            issuer_name=self._name, subject_name=subject, public_key=key,
            serial_number=x509.random_serial_number(), not_valid_before=_BEGIN,
            not_valid_after=_END)


def _name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
