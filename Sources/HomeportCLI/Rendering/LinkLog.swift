import Homeport

/// What is said of the link on stderr: changes only, not every vain attempt.
struct LinkLog: Sendable {
    private let address: String
    private var lastError: String?

    init(address: String) { self.address = address }

    /// What to say about a state of the link; `nil` for nothing new.
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
        let words = "\(error)"
        return words.contains(address) ? words : "\(address): \(words)"
    }
}
