/// What a device said of its presence, itself or through its will.
public struct PresenceReport: Hashable, Sendable {
    /// Whether the device is there.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        case online, offline
    }

    /// Whether the device is there.
    public let status: Status
    /// The start of the device that the report speaks of.
    public let boot: BootID
    /// When it was written (wire clock). A will was written at its CONNECT, so this is never the
    /// time of loss.
    public let at: Timestamp

    public init(status: Status, boot: BootID, at: Timestamp) {
        self.status = status
        self.boot = boot
        self.at = at
    }
}

/// Whether a device can be reached, as far as its presence messages tell.
public enum ConnectionState: Hashable, Sendable {
    /// No presence message has come.
    case unknown
    /// The device is there, in this boot.
    case online(boot: BootID)
    /// The device is gone; the boot is the last one that is known.
    case offline(boot: BootID)

    /// The last known start of the device.
    public var boot: BootID? {
        switch self {
        case .unknown: nil
        case .online(let boot), .offline(let boot): boot
        }
    }

    /// Whether the device is known to be there.
    public var isOnline: Bool { if case .online = self { true } else { false } }

    /// Takes in a presence message.
    ///
    /// An `offline` of another boot than the newest online one is an old will and is ignored;
    /// otherwise the last message holds (PROTOCOL section 2).
    /// - Returns: whether the message was heeded.
    @discardableResult
    public mutating func apply(_ report: PresenceReport) -> Bool {
        switch (report.status, self) {
        case (.online, _):
            self = .online(boot: report.boot)
        case (.offline, .online(let boot)) where boot != report.boot:
            return false
        case (.offline, _):
            self = .offline(boot: report.boot)
        }
        return true
    }
}
