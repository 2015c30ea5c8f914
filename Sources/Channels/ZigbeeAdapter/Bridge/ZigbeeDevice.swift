internal import DeviceDomain

/// What is known of one device of the bridge.
struct ZigbeeDevice: Sendable {
    /// The most members of a stored state. Real devices have up to about 100.
    static let memberLimit = 500

    /// Its entry in the bridge's list.
    var listing: ListedDevice
    /// The last value of its availability topic; `nil` if availability is not in use.
    var availability: PresenceReport.Status?
    /// Whether it has published since the bridge runs and the link is up.
    var isSeen = false
    /// Whether observers were told of it on the present connection.
    var isTold = false
    /// The newest value of every received member of its state.
    private(set) var state: JSONObject?

    init(_ listing: ListedDevice) { self.listing = listing }

    /// Its presence while the bridge is online: its availability or, if that is not in use, whether it has
    /// published.
    var presence: PresenceReport.Status? { availability ?? (isSeen ? .online : nil) }

    /// Applies a state, which may be incomplete.
    ///
    /// A charge in `battery` is also stored as `batteryPercent`, the name in Homeport's own states. Of
    /// members beyond the limit only those of the newest message are kept.
    mutating func merge(_ members: JSONObject) {
        var members = members
        if let battery = members["battery"], battery.number != nil {
            members[.batteryPercent] = battery
        }
        let merged = (state ?? [:]).merging(members) { _, newer in newer }
        state = merged.count <= Self.memberLimit ? merged : members
    }
}
