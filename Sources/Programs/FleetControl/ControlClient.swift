import FlyingSocks
import FoundationEssentials

/// Asks running fleets over their control sockets; no thread is blocked meanwhile.
package enum ControlClient {
    /// Whether a fleet listens at a path.
    package static func isAnswered(at path: String) async -> Bool {
        guard let socket = await connection(to: path) else { return false }
        try? socket.close()
        return true
    }

    /// Asks a fleet.
    /// - Parameter limit: how long the whole answer may take.
    /// - Returns: what it says; `nil` if nobody listens at the path.
    /// - Throws: ``ControlError`` if it refuses, or its answer does not come whole and in time.
    package static func ask(
        _ request: ControlRequest, at path: String, within limit: Duration
    ) async throws(ControlError) -> [ControlReply]? {
        let result = await withTaskGroup(of: Result<[ControlReply]?, ControlError>.self) { group in
            group.addTask { await converse(request, at: path) }
            group.addTask {
                try? await Task.sleep(for: limit)
                return .failure(unanswered(path, "it took more than \(limit)"))
            }
            defer { group.cancelAll() }
            return await group.next()
        }
        return try result?.get()
    }

    private static func converse(
        _ request: ControlRequest, at path: String
    ) async -> Result<[ControlReply]?, ControlError> {
        guard let socket = await connection(to: path) else { return .success(nil) }
        defer { try? socket.close() }
        do {
            try await socket.write(Data(request.line + [UInt8(ascii: "\n")]))
            var answer = ControlAnswer()
            while true {
                let bytes = try await socket.read(atMost: 16_384)
                if let replies = try answer.receive(bytes) { return .success(replies) }
            }
        } catch let error as ControlError {
            return .failure(error)
        } catch {
            return .failure(unanswered(path, "\(error)"))
        }
    }

    private static func connection(to path: String) async -> AsyncSocket? {
        try? await AsyncSocket.connected(to: .unix(path: path))
    }

    /// A fleet that is there, but does not answer.
    private static func unanswered(_ path: String, _ reason: String) -> ControlError {
        ControlError("the fleet at \(path) does not answer (\(reason)); try again, or restart it")
    }
}
