/// A presence message of a device or of its will.
public struct PresenceReport: Hashable, Sendable {
    /// Whether the device is online.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        case online, offline
    }

    /// Whether the device is online.
    public let status: Status
    /// The boot of the device that the report is about.
    public let boot: BootID
    /// When it was written (wire clock). A will was written at its CONNECT, so this is never the
    /// time of loss.
    public let at: Timestamp
    /// The claim by which the device came into the home, until that is committed.
    public let claim: ClaimNonce?

    public init(status: Status, boot: BootID, at: Timestamp, claim: ClaimNonce? = nil) {
        self.status = status
        self.boot = boot
        self.at = at
        self.claim = claim
    }
}

/// A presence report on any channel.
public struct Presence: Hashable, Sendable {
    /// Whether the device is online.
    public let status: PresenceReport.Status
    /// The boot of the device that this is about; `nil` if the channel does not report boots.
    public let boot: BootID?
    /// When it was written, if the channel reports that (wire clock).
    public let at: Timestamp?
    /// The claim by which the device came into the home, until that is committed.
    public let claim: ClaimNonce?

    public init(
        _ status: PresenceReport.Status, boot: BootID? = nil, at: Timestamp? = nil,
        claim: ClaimNonce? = nil
    ) {
        self.status = status
        self.boot = boot
        self.at = at
        self.claim = claim
    }

    public init(_ report: PresenceReport) {
        self.init(report.status, boot: report.boot, at: report.at, claim: report.claim)
    }
}

/// Whether a device is reachable, according to its presence messages.
public enum ConnectionState: Hashable, Sendable {
    /// No presence message has come.
    case unknown
    /// The device is online, in this boot.
    case online(boot: BootID?)
    /// The device is offline; the boot is the last known one.
    case offline(boot: BootID?)

    /// The last known boot of the device.
    public var boot: BootID? {
        switch self {
        case .unknown: nil
        case .online(let boot), .offline(let boot): boot
        }
    }

    /// Whether the device is known to be online.
    public var isOnline: Bool { if case .online = self { true } else { false } }

    /// Applies a presence message.
    ///
    /// An `offline` of another boot than the newest online one is a stale will and is ignored;
    /// otherwise the last message applies (PROTOCOL section 2).
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
