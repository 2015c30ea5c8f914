/// Gathers the answer of a fleet, however its bytes come.
struct ControlAnswer: Sendable {
    private var lines = ControlLines()
    private var replies: [ControlReply] = []

    /// Takes bytes in.
    /// - Returns: the whole answer; `nil` while more of it must come.
    /// - Throws: ``ControlError`` if the fleet refuses, or a line is wrong.
    mutating func receive(
        _ bytes: some Sequence<UInt8>
    ) throws(ControlError) -> [ControlReply]? {
        for line in try lines.receive(bytes) {
            let reply = try ControlReply(line: line)
            switch reply {
            case .done: return replies
            case .refused(let reason): throw ControlError(reason, isRefusal: true)
            case .device, .boxed, .fault: replies.append(reply)
            }
        }
        return nil
    }
}
