internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// As `start-cleaning to sweeper-1: accepted`, with the reason where there is one.
extension CommandRecord: CustomStringConvertible {
    public var description: String {
        let reason = progress.message.isEmpty ? "" : " (\(progress.message))"
        return "\(intent.name.rawValue) to \(intent.device): \(state.rawValue)\(reason)"
    }
}

/// As `2025-11-24T16:00:00.123Z evidence: accepted by the device`, with the state that followed.
extension LedgerEvent: CustomStringConvertible {
    public var description: String {
        let reason = cause.isEmpty ? "" : ": \(cause)"
        let change = state.map { " -> \($0.rawValue)" } ?? ""
        return "\(at) \(kind)\(reason)\(change)"
    }
}

extension LedgerEvent.Kind: CustomStringConvertible {
    public var description: String { rawValue }
}
