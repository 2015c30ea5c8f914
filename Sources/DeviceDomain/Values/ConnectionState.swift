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

/// What is heard of a device's presence, on any channel.
public struct Presence: Hashable, Sendable {
    /// Whether the device is there.
    public let status: PresenceReport.Status
    /// The start of the device that this speaks of; `nil` where the channel does not tell starts
    /// apart.
    public let boot: BootID?
    /// When it was written, where the channel tells (wire clock).
    public let at: Timestamp?

    public init(_ status: PresenceReport.Status, boot: BootID? = nil, at: Timestamp? = nil) {
        self.status = status
        self.boot = boot
        self.at = at
    }

    public init(_ report: PresenceReport) {
        self.init(report.status, boot: report.boot, at: report.at)
    }
}

/// Whether a device can be reached, as far as its presence messages tell.
public enum ConnectionState: Hashable, Sendable {
    /// No presence message has come.
    case unknown
    /// The device is there, in this boot.
    case online(boot: BootID?)
    /// The device is gone; the boot is the last one that is known.
    case offline(boot: BootID?)

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
    /// An `offline` of another boot than the newest online one is a stale will and is ignored;
    /// otherwise the last message holds (PROTOCOL section 2).
    /// - Returns: whether the message was applied.
    @discardableResult
    public mutating func apply(_ presence: Presence) -> Bool {
        switch (presence.status, self) {
        case (.online, _):
            self = .online(boot: presence.boot)
        case (.offline, .online(let boot)) where boot != presence.boot:
            return false
        case (.offline, _):
            self = .offline(boot: presence.boot)
        }
        return true
    }
}

/// `unknown`, `online` or `offline`.
extension ConnectionState: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknown: "unknown"
        case .online: "online"
        case .offline: "offline"
        }
    }
}
