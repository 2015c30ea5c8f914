import Glibc
import TestSupport

/// The memory of another process of this user that it can write, as Linux shows it.
struct ProcessMemory {
    /// Where it can be read: from the first address to the one behind the last.
    private struct Region {
        let range: Range<Int>
        let name: String
    }

    private static let largestPart = 16 << 20

    private let processID: Int32
    private let regions: [Region]

    /// A process, which should not run meanwhile.
    init(of processID: Int32) throws {
        self.processID = processID
        let maps = try Self.text(of: "/proc/\(processID)/maps")
        regions = maps.split(separator: "\n").compactMap { line in
            // `FROM-TO PERMISSIONS OFFSET DEVICE INODE NAME`
            let parts = line.split(separator: " ", maxSplits: 5)
            let ends = parts[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            let name = parts.count == 6 ? parts[5].drop { $0 == " " } : "anonymous"
            guard parts[1].hasPrefix("rw"), ends.count == 2, !name.hasPrefix("[v") else {
                return nil
            }
            return Region(range: ends[0]..<ends[1], name: String(name))
        }
    }

    /// The places of a text: region and address of each.
    func places(of text: String) throws -> [String] {
        let descriptor = open("/proc/\(processID)/mem", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TestSupportError("the memory of \(processID) cannot be read: errno \(errno)")
        }
        defer { close(descriptor) }
        return regions.flatMap { region in
            stride(from: region.range.lowerBound, to: region.range.upperBound, by: Self.largestPart)
                .flatMap { start in
                    // An overlap finds what lies across two parts.
                    let end = min(
                        start + Self.largestPart + text.utf8.count, region.range.upperBound)
                    return Self.places(of: text, in: start..<end, descriptor).map {
                        "\(region.name) \(String($0, radix: 16))"
                    }
                }
        }
    }

    private static func places(
        of text: String, in range: Range<Int>, _ descriptor: Int32
    ) -> [Int] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        let count = pread(descriptor, &bytes, bytes.count, range.lowerBound)
        guard count > 0 else { return [] }
        let wanted = Array(text.utf8)
        var (places, next): ([Int], Int) = ([], 0)
        // By the C library: a debug build takes long to look at each byte.
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress, let first = wanted.first else { return }
            while next + wanted.count <= count,
                let found = memchr(start + next, Int32(first), count - wanted.count + 1 - next)
            {
                let offset = UnsafeRawPointer(found) - start
                if memcmp(found, wanted, wanted.count) == 0 {
                    places.append(range.lowerBound + offset)
                }
                next = offset + 1
            }
        }
        return places
    }

    private static func text(of path: String) throws -> String {
        guard let file = fopen(path, "re") else {
            throw TestSupportError("cannot read \(path): errno \(errno)")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&part, 1, part.count, file), count > 0 {
            bytes += part.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
