internal import Keychain

extension Secret {
    /// A copy of the bytes, which is not overwritten when it goes.
    var copy: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Random bytes.
    convenience init(count: Int, using generator: inout some RandomNumberGenerator) {
        var bytes = [UInt8].random(count, using: &generator)
        self.init(bytes)
        bytes.overwrite()
    }
}

extension [UInt8] {
    /// Random bytes.
    static func random(
        _ count: Int, using generator: inout some RandomNumberGenerator
    ) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Sets every byte to zero.
    mutating func overwrite() {
        for index in indices { self[index] = 0 }
    }

    /// Compares in a time that depends on the number of bytes alone.
    func isSame(as other: [UInt8]) -> Bool {
        count == other.count && zip(self, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
