import Homeport

/// The messages about a link on stderr: one for each change, none for repeated attempts.
struct LinkLog: Sendable {
    private let address: String
    private var lastError: String?

    init(address: String) { self.address = address }

    /// The message for a state of the link; `nil` if nothing has changed.
    mutating func remark(on state: LinkState) -> String? {
        switch state {
        case .connecting:
            return nil
        case .connected:
            defer { lastError = nil }
            return lastError == nil ? nil : "\(address): connected again"
        case .limited(let error):
            let message = located(error)
            defer { lastError = message }
            return message == lastError ? nil : message
        case .lost(let error, _):
            let message = located(error)
            defer { lastError = message }
            return message == lastError ? nil : "\(message); trying again until interrupted"
        }
    }

    private func located(_ error: CommunicationError) -> String {
        let message = "\(error)"
        return message.contains(address) ? message : "\(address): \(message)"
    }
}
