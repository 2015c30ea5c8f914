import MQTTClient

/// An attempt of a device to subscribe, on one of its connections.
struct SubscriptionAttempt: Hashable {
    /// How many times a broker that may only fail for a moment refuses it before people are told.
    static let doubtfulRefusals = 3

    /// Which device.
    let index: Int
    /// Which of its connections.
    let epoch: Int
    /// How many times the broker has refused it on this connection.
    var refusals = 0

    /// What the broker's answer comes to.
    enum Verdict: Hashable {
        /// The device hears what it has to.
        case granted
        /// It does not: what people are told, if they are, and what is tried after a pause.
        case refused(denial: String?, next: SubscriptionAttempt?)
    }

    /// - Parameter codes: the broker's answer to each subscription.
    func verdict(_ codes: [MQTTReasonCode]) -> Verdict {
        guard let refusal = codes.first(where: \.isError) else { return .granted }
        guard refusal.mayPass else { return .refused(denial: "\(refusal)", next: nil) }
        var next = self
        next.refusals += 1
        let denial = "\(refusal): the broker fails, or its access control forbids it; tried again"
        return .refused(
            denial: next.refusals == Self.doubtfulRefusals ? denial : nil, next: next)
    }
}
