/// Asks running fleets over their control sockets, with blocking calls.
package enum ControlClient {
    /// Asks a fleet.
    /// - Parameter limit: how long the whole answer may take.
    /// - Returns: what it says; `nil` if nobody listens at the path.
    /// - Throws: ``LocalServicesError`` `refused` if it refuses, else if its answer does not come whole and in
    ///   time.
    package static func ask(
        _ request: ControlRequest, at path: String, within limit: Duration
    ) throws(LocalServicesError) -> [ControlReply]? {
        guard var call = try? LocalCall(to: path, linesOf: ControlRequest.limit) else { return nil }
        let deadline = ContinuousClock.now + limit
        do throws(LocalServicesError) {
            try call.send(request.line)
            var replies: [ControlReply] = []
            while let line = try call.line(before: deadline) {
                let reply = try ControlReply(line: line)
                switch reply {
                case .done: return replies
                case .refused(let reason): throw LocalServicesError(.refused, reason)
                case .device, .boxed, .fault, .world: replies.append(reply)
                }
            }
            throw LocalServicesError(.unanswered, "it has closed the connection")
        } catch  where error.code == .unanswered {
            throw LocalServicesError(
                .unanswered,
                "the fleet at \(path) does not answer (\(error)); try again, or restart it",
                underlying: error)
        }
    }
}
