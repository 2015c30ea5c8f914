internal import Glibc

/// An IPv4 or IPv6 address.
struct NumericAddress: Sendable {
    /// 4 or 16 bytes, the most significant first.
    let bytes: [UInt8]

    /// Reads an address; `nil` for a name.
    init?(_ text: String) {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            guard inet_pton(family, text, &bytes) == 1 else { continue }
            self.bytes = bytes
            return
        }
        return nil
    }

    /// Whether it stands for every address of the machine.
    var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }
}
