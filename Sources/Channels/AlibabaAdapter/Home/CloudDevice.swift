internal import Alink
internal import Connectivity
internal import DeviceDomain

/// A device as a page of `QueryDevice` lists it, without its secret.
struct ListedDevice: Hashable, Sendable {
    /// Its state in the platform.
    enum Status: String, Hashable, Sendable, CaseIterable {
        case online = "ONLINE"
        case offline = "OFFLINE"
        /// It has never connected.
        case unactive = "UNACTIVE"
        /// It may not connect.
        case disabled = "DISABLE"

        /// `nil` for a text that is none, in upper or lower case.
        init?(_ text: String) { self.init(rawValue: text.uppercased()) }

        /// Its presence in Homeport.
        var presence: PresenceReport.Status { self == .online ? .online : .offline }
    }

    let name: ThingName
    /// What people call it; empty without a name.
    let nickname: String
    /// `nil` where the platform did not say.
    let status: Status?

    /// `nil` for an entry that is no device of the product.
    init?(_ entry: JSONValue, of product: ProductKey) {
        guard let entry = entry.object, let device = entry["DeviceName"]?.string,
            let name = ThingName(product: product, device: device)
        else { return nil }
        self.name = name
        nickname = entry["Nickname"]?.string ?? ""
        status = entry["DeviceStatus"]?.string.flatMap { Status($0) }
    }

    init(name: ThingName, nickname: String = "", status: Status? = nil) {
        self.name = name
        self.nickname = nickname
        self.status = status
    }
}

/// What is known of a device.
struct CloudDevice: Hashable, Sendable {
    /// A value and when the device reported it, by the platform's clock.
    struct Reported: Hashable, Sendable {
        let value: JSONValue
        let at: Timestamp
    }

    let name: ThingName
    let product: ThingProduct
    private(set) var profile: DeviceProfile
    private(set) var presence: PresenceReport.Status?
    /// Of the presence, by the platform's clock.
    private(set) var presenceAt: Timestamp?
    private(set) var values: [String: Reported] = [:]

    init(_ listing: ListedDevice, _ product: ThingProduct, in home: HomeID) {
        name = listing.name
        self.product = product
        profile = product.profile(of: listing.name, in: home, nickname: listing.nickname)
    }

    /// Its state; `nil` before it reported anything.
    var state: StateReport? {
        guard !values.isEmpty else { return nil }
        return StateReport(values.mapValues(\.value), at: values.values.map(\.at).max())
    }

    /// Takes in what a list says.
    /// - Returns: what is new.
    mutating func apply(
        _ listing: ListedDevice, at time: Timestamp
    ) -> [DeviceObservation.Content] {
        var contents: [DeviceObservation.Content] = []
        let renamed = product.profile(of: name, in: profile.home, nickname: listing.nickname)
        if renamed != profile {
            profile = renamed
            contents.append(.description(profile))
        }
        guard let status = listing.status else { return contents }
        return contents + apply(status.presence, at: time)
    }

    /// Takes in its presence, unless a newer one is known.
    /// - Returns: what is new.
    mutating func apply(
        _ status: PresenceReport.Status, at time: Timestamp
    ) -> [DeviceObservation.Content] {
        if let presenceAt, time < presenceAt { return [] }
        presenceAt = time
        guard presence != status else { return [] }
        presence = status
        return [.presence(Presence(status, at: time))]
    }

    /// Takes in values, each unless a newer one is known.
    /// - Returns: those that were taken, as Homeport has them.
    mutating func apply(
        _ wire: [String: SubscribedMessage.TimedValue]
    ) -> [String: Reported] {
        var taken: [String: Reported] = [:]
        for (identifier, value) in wire {
            if let known = values[identifier], value.at <= known.at { continue }
            guard let read = product.value(of: identifier, wire: value.value) else { continue }
            taken[identifier] = Reported(value: read, at: value.at)
        }
        values.merge(taken) { _, new in new }
        return taken
    }
}
