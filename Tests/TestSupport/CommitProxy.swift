internal import Basics
private import Glibc

/// Stands between a program and a PostgreSQL server, and cuts the connection between a commit and its answer.
package final class CommitProxy: Sendable {
    private enum Plan {
        case pass, lose, lost
    }

    package var port: UInt16 { listener.port }
    private let listener: LoopbackListener
    private let server: UInt16
    private let plan = Guarded(Plan.pass)

    package init(to server: UInt16) throws(TestSupportError) {
        self.server = server
        listener = try LoopbackListener()
        detachThread { [self] in accept() }
    }

    /// Lets the next transaction be committed and nobody know.
    package func loseNextCommit() { plan.withLock { $0 = .lose } }

    /// Whether that has happened.
    package var hasLost: Bool { plan.withLock { $0 == .lost } }

    package func close() { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }

    private func accept() {
        while case let client = Glibc.accept(listener.descriptor, nil, nil), client >= 0 {
            guard let other = connected() else { continue }
            detachThread { [self] in relay(from: client, to: other, isAnswer: false) }
            detachThread { [self] in relay(from: other, to: client, isAnswer: true) }
        }
    }

    private func connected() -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = server.bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return code == 0 ? descriptor : nil
    }

    private func relay(from source: Int32, to sink: Int32, isAnswer: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(source, &buffer, buffer.count), count > 0 {
            // The server names what it has done.
            if isAnswer, isCommit(buffer[..<count]) { break }
            _ = send(sink, buffer, count, Int32(MSG_NOSIGNAL))
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(sink, Int32(SHUT_RDWR))
    }

    private func isCommit(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.firstRange(of: Array("COMMIT\0".utf8)) != nil else { return false }
        return plan.withLock { plan in
            guard plan == .lose else { return false }
            plan = .lost
            return true
        }
    }
}
