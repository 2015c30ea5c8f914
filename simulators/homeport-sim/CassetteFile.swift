import Fleet
import Glibc

/// The file of a cassette, line by line.
final class CassetteFile {
    private let path: String
    private let stream: UnsafeMutablePointer<FILE>
    /// The line that was read last, from 1 on.
    private var line = 0

    /// Opens a file to write it anew.
    /// - Throws: ``CassetteFileFailed``.
    convenience init(writing path: String) throws(CassetteFileFailed) {
        try self.init(path, "we")
        // A recording that is killed has every message before that.
        setvbuf(stream, nil, _IOLBF, 1 << 16)
    }

    /// Opens a file to read it.
    /// - Throws: ``CassetteFileFailed``.
    convenience init(reading path: String) throws(CassetteFileFailed) {
        try self.init(path, "re")
    }

    private init(_ path: String, _ mode: String) throws(CassetteFileFailed) {
        guard let stream = fopen(path, mode) else {
            throw CassetteFileFailed(path: path, error: errno)
        }
        self.path = path
        self.stream = stream
    }

    deinit { fclose(stream) }

    /// Writes a line.
    /// - Throws: ``CassetteFileFailed``.
    func write(_ line: [UInt8]) throws(CassetteFileFailed) {
        let bytes = line + [UInt8(ascii: "\n")]
        guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else {
            throw CassetteFileFailed(path: path, error: errno)
        }
    }

    /// Makes sure that everything is written.
    /// - Throws: ``CassetteFileFailed``.
    func finish() throws(CassetteFileFailed) {
        guard fflush(stream) == 0 else { throw CassetteFileFailed(path: path, error: errno) }
    }

    /// Reads the first line.
    /// - Throws: `FleetError` for another one.
    func head() throws(FleetError) -> CassetteHead {
        do {
            return try CassetteHead(line: nextLine() ?? [])
        } catch { throw FleetError(.unusableFile, "\(path): \(error.message)") }
    }

    /// Reads the next message; `nil` at the end.
    /// - Throws: `FleetError` that names the line.
    func next() throws(FleetError) -> CassetteEntry? {
        guard let bytes = nextLine() else { return nil }
        do {
            return try CassetteEntry(line: bytes)
        } catch { throw FleetError(.unusableFile, "\(path):\(line): \(error.message)") }
    }

    private func nextLine() -> [UInt8]? {
        var text: UnsafeMutablePointer<CChar>?
        var size = 0
        defer { free(text) }
        let count = getline(&text, &size, stream)
        guard count > 0, let text else { return nil }
        line += 1
        let bytes = UnsafeRawBufferPointer(start: text, count: count)
        return Array(bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...])
    }
}

/// The file of a cassette cannot be used.
struct CassetteFileFailed: Error, CustomStringConvertible {
    let path: String
    /// As `errno` has it.
    let error: Int32

    var description: String {
        "cannot use the cassette \(path): \(String(cString: strerror(error)))"
    }
}
