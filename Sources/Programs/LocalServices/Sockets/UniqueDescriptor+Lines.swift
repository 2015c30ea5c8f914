import Glibc
import SystemPackage

// Sockets with blocking calls.
extension UniqueDescriptor {
    /// Sends a line with its end.
    func send(line: [UInt8]) throws(Errno) {
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count >= 0 || errno == EINTR else { throw .last }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    /// Waits for bytes.
    /// - Returns: how many came; 0 at the end of the connection.
    func receive(into bytes: inout [UInt8]) throws(Errno) -> Int {
        do {
            return try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
        } catch { throw error as? Errno ?? .ioError }
    }
}
