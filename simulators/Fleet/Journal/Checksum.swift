/// CRC-32 of ISO 3309 (the one of Ethernet and gzip): finds what a torn write leaves behind.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1
        }
    }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        let table = table
        var value: UInt32 = 0xffff_ffff
        for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 0xff)] ^ (value >> 8) }
        return value ^ 0xffff_ffff
    }
}
