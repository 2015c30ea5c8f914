public import DeviceDomain
internal import History
internal import SharedPresentation

/// Something that has happened to a device.
public struct HomeEvent: Hashable, Sendable {
    /// What kinds there are.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A device could be reached from then on, or no longer.
        case presence
        /// A device has reported an event.
        case event
    }

    /// What has happened.
    public enum Content: Hashable, Sendable {
        /// The device could be reached from then on.
        case online
        /// The device could not be reached any more.
        case offline
        /// The device has reported an event of this name, with more about it.
        case event(String, detail: JSONObject)
    }

    /// When (world clock for events, wire clock for presence).
    public let at: Timestamp
    /// The device.
    public let device: DeviceID
    /// What the device is called.
    public let deviceName: String
    /// What has happened.
    public let content: Content

    @MainActor
    init(_ fact: RecordedFact, of device: DeviceMemory) {
        at = fact.at
        self.device = device.id
        deviceName = device.name
        content =
            switch fact.kind {
            case .presence: fact.name == "online" ? .online : .offline
            case .event: .event(fact.name, detail: fact.detail)
            }
    }
}

extension HomeEvent.Kind {
    /// What it is called where it is kept.
    var kept: RecordedFact.Kind {
        switch self {
        case .presence: .presence
        case .event: .event
        }
    }
}
