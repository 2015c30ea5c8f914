internal import Keychain

/// AES-256 in counter mode as one stream, which every message of a session continues.
struct CounterStream: Sendable {
    /// Bytes of a block of AES, and of the counter's start.
    static let blockSize = 16

    /// 32 bytes.
    let key: Secret
    private let start: [UInt8]
    /// How many bytes of the stream were used.
    private var position = 0

    /// A stream from its beginning.
    /// - Precondition: the key has 32 bytes, the counter's start 16.
    init(key: Secret, start: [UInt8]) {
        precondition(key.count == Cryptography.keySize, "AES-256 has keys of 32 bytes")
        precondition(start.count == Self.blockSize, "the counter has 16 bytes")
        self.key = key
        self.start = start
    }

    /// Encrypts or decrypts the next bytes of the stream in place.
    mutating func apply(to bytes: inout [UInt8]) {
        Cryptography.applyCounterMode(
            &bytes, key: key, counter: counter(position / Self.blockSize),
            skipped: position % Self.blockSize)
        position += bytes.count
    }

    /// The counter of a block: a big-endian number of 128 bits that wraps.
    private func counter(_ block: Int) -> [UInt8] {
        var counter = start
        var carry = block
        for index in counter.indices.reversed() where carry > 0 {
            carry += Int(counter[index])
            counter[index] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
        }
        return counter
    }
}
