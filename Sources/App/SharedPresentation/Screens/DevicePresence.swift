public import DeviceDomain
public import HomeModel

/// Whether a device can be reached, as far as that is known at this moment.
public enum DevicePresence: Hashable, Sendable {
    /// It said that it is online, and nothing has been lost since.
    case online
    /// It or its broker said that it is offline.
    case offline
    /// The link to it is lost; this is what held before.
    case doubtful(wasOnline: Bool)
    /// It has never said anything.
    case unknown

    /// The presence of a device by what is known of it.
    public init(_ device: KnownDevice) {
        switch (device.connection, device.presence?.status) {
        case (.online, _): self = .online
        case (.offline, _): self = .offline
        case (.unknown, let last?): self = .doubtful(wasOnline: last == .online)
        case (.unknown, nil): self = .unknown
        }
    }
}

/// How old what is shown of a device is.
public enum Freshness: Hashable, Sendable {
    /// It is known from an earlier run only, which received its last message at this moment (wire clock);
    /// `nil` where that is not known. Its values are not known.
    case remembered(since: Timestamp?)
    /// Its last message came at this moment (wire clock), over a link that still works.
    case live(since: Timestamp)
    /// Its last message came at this moment (wire clock), and the link to it was lost since.
    case stale(since: Timestamp)

    /// The freshness of what is known of a device.
    public init(_ device: KnownDevice) {
        switch (device.heardAt, DevicePresence(device)) {
        case (nil, _): self = .remembered(since: device.formerlyHeardAt)
        case (let moment?, .doubtful): self = .stale(since: moment)
        case (let moment?, .online), (let moment?, .offline), (let moment?, .unknown):
            self = .live(since: moment)
        }
    }

    /// How old it is at a moment, never below zero; `nil` where that is not known.
    public func age(at now: Timestamp) -> Duration? {
        switch self {
        case .remembered(since: nil): nil
        case .remembered(let since?), .live(let since), .stale(let since):
            max(now.since(since), .zero)
        }
    }
}
