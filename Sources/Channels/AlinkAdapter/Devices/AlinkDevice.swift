internal import Alink
internal import DeviceDomain

/// A property that a device has reported, as Homeport has it.
struct ReportedValue: Hashable, Sendable {
    let identifier: String
    let value: JSONValue
    /// When the device measured it, by its own clock; `nil` where it did not say.
    let time: Timestamp?
}

/// What is known of one device.
struct AlinkDevice: Sendable {
    /// Product and DeviceName.
    let name: ThingName
    /// Its product; `nil` where there is no model of it.
    let product: ThingProduct?
    /// Its description.
    let profile: DeviceProfile
    /// What the broker says of its connection; `nil` if nothing yet.
    var status: AlinkStatus?
    /// Whether the broker has told of it, or it has posted something, since the connection to the broker was made.
    var isHeard = false
    /// The newest value of each property.
    private var values: [String: ReportedValue] = [:]

    init(_ name: ThingName, _ product: ThingProduct?, in home: HomeID) {
        self.name = name
        self.product = product
        let described = product ?? ThingProduct(name.product, ThingModel())
        profile = described.profile(of: name, in: home)
    }

    /// Why it takes no commands; `nil` if it does.
    var problem: String? {
        product == nil
            ? "the folder of models has no \(name.product).json, so nothing of it can be read" : nil
    }

    /// Its presence, if it is known.
    var presence: PresenceReport.Status? { status.map { $0.isOnline ? .online : .offline } }

    /// Whether commands to it may be tried. A broker without the plugin tells no presences.
    var mayBeThere: Bool { isHeard && presence != .offline }

    /// The newest value of each property that it reports.
    var state: JSONObject {
        values.compactMapValues { value in
            product?.model.property(value.identifier)?.isReadable == true ? value.value : nil
        }
    }

    /// Takes properties over, except those that are older than what is known.
    /// - Returns: those that were taken over, and the names of those that are not of their types.
    mutating func merge(_ posted: [PostedProperty]) -> (taken: [ReportedValue], wrong: [String]) {
        var taken: [ReportedValue] = []
        var wrong: [String] = []
        for property in posted {
            guard product?.model.property(property.identifier) != nil else { continue }
            guard let value = product?.value(of: property.identifier, wire: property.value) else {
                wrong.append(property.identifier)
                continue
            }
            let former = values[property.identifier]?.time
            if let time = property.time, let former, time < former { continue }
            let report = ReportedValue(
                identifier: property.identifier, value: value, time: property.time ?? former)
            values[property.identifier] = report
            taken.append(
                ReportedValue(identifier: report.identifier, value: value, time: property.time))
        }
        return (taken, wrong)
    }

    /// Those of some values that no command sets.
    func measured(_ taken: [ReportedValue]) -> JSONObject {
        taken.reduce(into: [:]) { measured, value in
            guard product?.model.property(value.identifier)?.isSettable == false else { return }
            measured[value.identifier] = value.value
        }
    }
}
