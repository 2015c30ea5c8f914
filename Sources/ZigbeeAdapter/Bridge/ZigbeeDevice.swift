internal import DeviceDomain

/// What is known of one device of the bridge.
struct ZigbeeDevice: Sendable {
    /// How many members of a state are kept. Real devices have up to about 100.
    static let memberLimit = 500

    /// As the bridge lists it.
    var listing: ListedDevice
    /// What its availability topic said last; `nil` where availability is not in use.
    var availability: PresenceReport.Status?
    /// Whether it was heard since the bridge runs and the link is up.
    var wasHeard = false
    /// Every member of its state that was heard, the newest value of each.
    private(set) var state: JSONObject?

    init(_ listing: ListedDevice) { self.listing = listing }

    /// What vouches for its presence while the bridge is online: its availability, else that it was
    /// heard at all.
    var presence: PresenceReport.Status? { availability ?? (wasHeard ? .online : nil) }

    /// Takes in a state, which may be a part of it.
    ///
    /// A charge in `battery` is kept also as `batteryPercent`, by which the house knows it. Of
    /// members beyond the limit only those of the newest message are kept.
    mutating func merge(_ members: JSONObject) {
        var members = members
        if let battery = members["battery"], battery.number != nil {
            members["batteryPercent"] = battery
        }
        let merged = (state ?? [:]).merging(members) { _, newer in newer }
        state = merged.count <= Self.memberLimit ? merged : members
    }
}
