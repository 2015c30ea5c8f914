import Homeport

/// The messages about a link on stderr: one for each change, none for repeated attempts.
struct LinkLog: Sendable {
    private var lastError: String?

    /// The message for a state of the link; `nil` if nothing has changed.
    /// - Parameter address: where the other end of the link is now.
    mutating func remark(on state: LinkState, at address: String) -> String? {
        switch state {
        case .connecting:
            return nil
        case .connected:
            defer { lastError = nil }
            return lastError == nil ? nil : "\(address): connected again"
        case .limited(let error):
            let message = located(error, at: address)
            defer { lastError = message }
            return message == lastError ? nil : message
        case .lost(let error, let retry):
            let message = located(error, at: address)
            defer { lastError = message }
            guard message != lastError else { return nil }
            let isTriedAgain = retry != nil || error.mayPass
            return isTriedAgain ? "\(message); trying again until interrupted" : message
        }
    }

    private func located(_ error: CommunicationError, at address: String) -> String {
        let message = "\(error)"
        return message.contains(address) ? message : "\(address): \(message)"
    }
}
