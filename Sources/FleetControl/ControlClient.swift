import FlyingSocks
import FoundationEssentials
import Glibc

/// Asks running fleets over their control sockets.
package enum ControlClient {
    /// How long a fleet may take for a part of its answer, in seconds.
    private static let patience = 10

    /// Whether a fleet listens at a path.
    package static func isAnswered(at path: String) throws(ControlError) -> Bool {
        let socket = try connection(to: path)
        try? socket?.close()
        return socket != nil
    }

    /// Asks a fleet.
    /// - Returns: what it says of devices; `nil` if nobody listens at the path.
    /// - Throws: ``ControlError`` if it refuses, or its answer does not come whole.
    package static func ask(
        _ request: ControlRequest, at path: String
    ) throws(ControlError) -> [ControlReply]? {
        guard let socket = try connection(to: path) else { return nil }
        defer { try? socket.close() }
        do {
            try write(request.line + [UInt8(ascii: "\n")], to: socket)
            return try answer(from: socket)
        } catch let error as ControlError {
            throw error
        } catch {
            throw unanswered(path, "\(error)")
        }
    }

    private static func connection(to path: String) throws(ControlError) -> Socket? {
        do {
            let socket = try Socket(domain: AF_UNIX)
            var limit = timeval(tv_sec: patience, tv_usec: 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                setsockopt(
                    socket.file.rawValue, SOL_SOCKET, option, &limit,
                    socklen_t(MemoryLayout<timeval>.size))
            }
            do {
                try socket.connect(to: .unix(path: path))
                return socket
            } catch {
                try? socket.close()
                return nil
            }
        } catch { throw ControlError("cannot make a socket: \(error)") }
    }

    private static func write(_ bytes: [UInt8], to socket: Socket) throws {
        let data = Data(bytes)
        var sent = data.startIndex
        while sent < data.endIndex { sent = try socket.write(data, from: sent) }
    }

    private static func answer(from socket: Socket) throws -> [ControlReply] {
        var answer = ControlAnswer()
        while true {
            if let replies = try answer.receive(socket.read(atMost: 16_384)) { return replies }
        }
    }
}
