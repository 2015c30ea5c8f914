internal import Keychain

/// Writes one Protocol Buffers message (proto3): fields with the value 0 or no bytes are left out, messages
/// within messages are not.
///
/// The bytes are written once, into memory that does not grow, so that a secret among them is in no other place.
struct ProtobufWriter {
    /// How many bytes were put so far.
    private var count = 0
    /// Them; `nil` where they are only counted.
    private var bytes: [UInt8]?

    /// The bytes of a message whose fields `body` writes; it is called twice.
    static func message(_ body: (inout ProtobufWriter) -> Void) -> [UInt8] {
        var writer = ProtobufWriter(bytes: [])
        writer.bytes?.reserveCapacity(size(body) + Cryptography.tagSize)
        body(&writer)
        return writer.bytes ?? []
    }

    private static func size(_ body: (inout ProtobufWriter) -> Void) -> Int {
        var writer = ProtobufWriter()
        body(&writer)
        return writer.count
    }

    mutating func put(_ field: UInt64, _ number: UInt64) {
        guard number != 0 else { return }
        varint(field << 3)
        varint(number)
    }

    mutating func put(_ field: UInt64, _ number: Int) {
        put(field, UInt64(bitPattern: Int64(number)))
    }

    mutating func put(_ field: UInt64, _ flag: Bool) { put(field, flag ? 1 : 0) }

    mutating func put(_ field: UInt64, _ choice: some RawRepresentable<Int>) {
        put(field, choice.rawValue)
    }

    mutating func put(_ field: UInt64, _ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty else { return }
        varint(field << 3 | 2)
        varint(UInt64(bytes.count))
        append(bytes)
    }

    mutating func put(_ field: UInt64, _ secret: Secret) {
        secret.withUnsafeBytes { put(field, $0) }
    }

    /// Writes a message within this one.
    mutating func put(_ field: UInt64, message body: (inout ProtobufWriter) -> Void) {
        varint(field << 3 | 2)
        varint(UInt64(Self.size(body)))
        body(&self)
    }

    private mutating func varint(_ number: UInt64) {
        var rest = number
        repeat {
            let byte = UInt8(rest & 0x7F)
            rest >>= 7
            append(CollectionOfOne(rest == 0 ? byte : byte | 0x80))
        } while rest != 0
    }

    private mutating func append(_ more: some Collection<UInt8>) {
        count += more.count
        bytes?.append(contentsOf: more)
    }
}
