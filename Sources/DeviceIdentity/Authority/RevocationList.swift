internal import Crypto
internal import DeviceDomain
internal import SwiftASN1
internal import X509

/// A list of revoked certificates (RFC 5280 section 5), which swift-certificates does not write.
struct RevocationList: Sendable {
    /// Rises with each list.
    let number: Int
    /// From when it is valid. Of several lists OpenSSL takes the one with the latest.
    let thisUpdate: Timestamp
    /// The serial numbers, and since when they are revoked.
    let entries: [(serial: SerialNumber, since: Timestamp)]

    /// The list in PEM, signed by the issuer of the certificates. It is valid as long as the issuer: a
    /// broker refuses every client once its list has expired.
    func pem(signedBy issuer: Issuer) throws -> String {
        let content = try DER.Serializer.serialized { try writeContent(to: &$0, issuer) }
        let signature = try issuer.key.signature(for: content).derRepresentation
        let list = try DER.Serializer.serialized { list in
            try list.appendConstructedNode(identifier: .sequence) { list in
                list.serializeRawBytes(content)
                try Self.writeAlgorithm(to: &list)
                try list.serialize(ASN1BitString(bytes: Array(signature)[...]))
            }
        }
        return PEMDocument(type: "X509 CRL", derBytes: list).text
    }

    private func writeContent(to list: inout DER.Serializer, _ issuer: Issuer) throws {
        try list.appendConstructedNode(identifier: .sequence) { list in
            try list.serialize(1)  // version 2
            try Self.writeAlgorithm(to: &list)
            try list.serialize(issuer.certificate.subject)
            try list.serialize(EncodedTime(thisUpdate))
            try list.serialize(EncodedTime(Timestamp(issuer.certificate.notValidAfter)))
            if !entries.isEmpty { try writeEntries(to: &list) }
            try list.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) {
                try writeExtensions(to: &$0, issuer)
            }
        }
    }

    private func writeEntries(to list: inout DER.Serializer) throws {
        try list.appendConstructedNode(identifier: .sequence) { list in
            for entry in entries {
                try list.appendConstructedNode(identifier: .sequence) { list in
                    list.appendPrimitiveNode(identifier: .integer) { $0 += entry.serial.bytes }
                    try list.serialize(EncodedTime(entry.since))
                }
            }
        }
    }

    private func writeExtensions(to list: inout DER.Serializer, _ issuer: Issuer) throws {
        let key = SubjectKeyIdentifier(hash: issuer.certificate.publicKey).keyIdentifier
        let authority = try Certificate.Extension(
            AuthorityKeyIdentifier(keyIdentifier: key), critical: false)
        let number = try DER.Serializer.serialized { try $0.serialize(self.number) }
        try list.appendConstructedNode(identifier: .sequence) { list in
            for (identifier, value) in [
                (authority.oid, authority.value), ([2, 5, 29, 20], number[...]),
            ] {
                try list.appendConstructedNode(identifier: .sequence) { list in
                    try list.serialize(identifier)
                    try list.serialize(ASN1OctetString(contentBytes: value))
                }
            }
        }
    }

    private static func writeAlgorithm(to list: inout DER.Serializer) throws {
        // ecdsa-with-SHA256 (RFC 5758), which has no parameters.
        let algorithm: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 2]
        try list.appendConstructedNode(identifier: .sequence) { try $0.serialize(algorithm) }
    }
}

/// A time of a certificate or a list: of two forms until 2049 and from 2050 (RFC 5280 section 4.1.2.5).
private struct EncodedTime: DERSerializable {
    let seconds: Int

    init(_ time: Timestamp) { seconds = time.milliseconds / 1000 }

    func serialize(into coder: inout DER.Serializer) throws {
        let (year, month, day) = CalendarDate(secondsSinceEpoch: seconds).parts
        let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60)
        if year < 2050 {
            try coder.serialize(
                UTCTime(
                    year: year, month: month, day: day, hours: hours, minutes: minutes,
                    seconds: seconds % 60))
        } else {
            try coder.serialize(
                GeneralizedTime(
                    year: year, month: month, day: day, hours: hours, minutes: minutes,
                    seconds: seconds % 60, fractionalSeconds: 0))
        }
    }
}

extension DER.Serializer {
    /// What `body` writes.
    fileprivate static func serialized(
        _ body: (inout DER.Serializer) throws -> Void
    ) rethrows -> [UInt8] {
        var serializer = DER.Serializer()
        try body(&serializer)
        return serializer.serializedBytes
    }
}
