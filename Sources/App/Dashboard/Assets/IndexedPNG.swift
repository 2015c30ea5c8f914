/// A bitmap of at most 16 colours as a file (PNG, W3C Recommendation, third edition). Its pixels are not compressed.
struct IndexedPNG: Sendable {
    /// A colour of sRGB.
    struct Colour: Hashable, Sendable {
        let bytes: [UInt8]

        init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) { bytes = [red, green, blue] }
    }

    private let width: Int
    private let height: Int
    private let palette: [Colour]
    /// A line after the other: a byte for the filter, which is none, then two pixels in a byte.
    private let lines: [UInt8]

    /// - Parameters:
    ///   - width: an even number of pixels.
    ///   - palette: 1 to 16 colours.
    ///   - colour: the number of the colour of a pixel, from the left and from above.
    init(width: Int, height: Int, palette: [Colour], colour: (_ x: Int, _ y: Int) -> UInt8) {
        self.width = width
        self.height = height
        self.palette = palette
        var lines: [UInt8] = []
        lines.reserveCapacity((width / 2 + 1) * height)
        for y in 0..<height {
            lines.append(0)
            for x in stride(from: 0, to: width, by: 2) {
                lines.append(colour(x, y) << 4 | colour(x + 1, y))
            }
        }
        self.lines = lines
    }

    /// The file.
    func file() -> [UInt8] {
        let header = Self.bigEndian(width) + Self.bigEndian(height) + [4, 3, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
            + Self.chunk("PLTE", palette.flatMap(\.bytes)) + Self.chunk("IDAT", stream)
            + Self.chunk("IEND", [])
    }

    /// The lines in blocks as they are (RFC 1950 and RFC 1951, section 3.2.4).
    private var stream: [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = lines[...]
        while !rest.isEmpty {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high]
            stream += block
        }
        var (a, b) = (1, 0)
        for byte in lines {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return stream + Self.bigEndian(b << 16 | a)
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + data
        return bigEndian(data.count) + content + bigEndian(Int(checksum(content)))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) }
    }

    /// The CRC of annex D of the recommendation.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
        }
        return ~crc
    }
}
