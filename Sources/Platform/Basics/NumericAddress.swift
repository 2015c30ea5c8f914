#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An IPv4 or IPv6 address in numbers.
package struct NumericAddress: Hashable, Sendable {
    /// 4 or 16 bytes, the most significant first.
    package let bytes: [UInt8]

    /// Reads an address without brackets and zone; `nil` for any other text.
    package init?(_ text: String) {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            guard inet_pton(family, text, &bytes) == 1 else { continue }
            self.bytes = bytes
            return
        }
        return nil
    }

    /// Whether it is one of IPv6.
    package var isIPv6: Bool { bytes.count == 16 }

    /// Whether it stands for every address of the machine: `0.0.0.0` or `::`.
    package var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Whether it is an address of this machine alone: one of `127.0.0.0/8`, also as an IPv6 address, or `::1`.
    package var isLoopback: Bool {
        if !isIPv6 { return bytes[0] == 127 }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11] == [0xFF, 0xFF]
        if isMapped { return bytes[12] == 127 }
        return bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
}
