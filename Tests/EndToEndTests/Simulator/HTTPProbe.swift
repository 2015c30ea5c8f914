import Glibc
import TestSupport

/// The answer of a local HTTP server to one request.
struct HTTPProbe {
    let status: Int
    let body: String

    /// Asks for a path.
    static func get(_ path: String, port: UInt16) async throws -> HTTPProbe {
        try HTTPProbe(try await onThread { try exchange("GET \(path)", port: port) })
    }

    private init(_ answer: String) throws {
        let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
        guard let status = answer.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw TestSupportError("no HTTP answer: \(answer)") }
        self.status = status
        body = parts.count > 1 ? String(parts[1]) : ""
    }

    private static func exchange(_ request: String, port: UInt16) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let text = Array("\(request) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n".utf8)
        guard code == 0, send(descriptor, text, text.count, Int32(MSG_NOSIGNAL)) == text.count
        else { throw TestSupportError("no HTTP server on port \(port): \(errno)") }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &part, part.count, 0), count > 0 {
            answer += part.prefix(count)
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
