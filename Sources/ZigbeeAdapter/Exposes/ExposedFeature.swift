internal import DeviceDomain

/// What may be done with a feature of a device (`access` of zigbee2mqtt's exposes).
struct FeatureAccess: OptionSet, Hashable, Sendable {
    let rawValue: Int

    /// The device's state has it.
    static let published = FeatureAccess(rawValue: 1)
    /// It can be set with `/set`.
    static let settable = FeatureAccess(rawValue: 2)
    /// The device itself can be asked for it with `/get`.
    static let readable = FeatureAccess(rawValue: 4)
}

/// One thing that a device measures or that can be set, as zigbee2mqtt describes it.
struct ExposedFeature: Hashable, Sendable {
    /// What kind of values it has.
    enum Form: Hashable, Sendable {
        /// One of two values; `toggle` asks for the other one.
        case binary(on: JSONValue, off: JSONValue, toggle: JSONValue?)
        /// A number.
        case numeric(minimum: Double?, maximum: Double?, step: Double?)
        /// One of these values.
        case choice([JSONValue])
        /// Text.
        case text
        /// Any number of values.
        case list
        /// An object with these members.
        case composite([ExposedFeature])
    }

    /// What it is, such as `brightness`.
    let name: String
    /// The member of the state and of `/set` that carries it, such as `brightness_l1`.
    let property: String
    /// The part of the device that it belongs to, such as `l1`.
    let endpoint: String?
    /// What may be done with it.
    let access: FeatureAccess
    /// What kind of values it has.
    let form: Form
    /// Whether it only adjusts the device or tells of its health.
    let isSecondary: Bool

    /// Reads an entry of `exposes` or `features`; `nil` for one that says too little.
    init?(_ entry: JSONObject) {
        guard let form = Form(entry),
            let property = entry["property"]?.string ?? entry["name"]?.string, !property.isEmpty
        else { return nil }
        self.form = form
        self.property = property
        name = entry["name"]?.string ?? property
        endpoint = entry["endpoint"]?.string
        access = FeatureAccess(rawValue: (entry["access"]?.integer ?? 0) & 7)
        isSecondary = ["config", "diagnostic"].contains(entry["category"]?.string)
    }

    /// Whether it can be set.
    var isSettable: Bool { access.contains(.settable) }
    /// Whether the device itself can be asked for it.
    var isReadable: Bool { access.contains(.readable) }
    /// Whether it is a number.
    var isNumeric: Bool { if case .numeric = form { true } else { false } }
}

extension ExposedFeature.Form {
    fileprivate init?(_ entry: JSONObject) {
        switch entry["type"]?.string {
        case "binary":
            guard let on = entry["value_on"], let off = entry["value_off"] else { return nil }
            self = .binary(on: on, off: off, toggle: entry["value_toggle"])
        case "numeric":
            self = .numeric(
                minimum: entry["value_min"]?.number, maximum: entry["value_max"]?.number,
                step: entry["value_step"]?.number)
        case "enum":
            guard let values = entry["values"]?.array else { return nil }
            self = .choice(values)
        case "text": self = .text
        case "list": self = .list
        case "composite":
            let features = entry["features"]?.array ?? []
            self = .composite(features.compactMap { $0.object.flatMap(ExposedFeature.init) })
        default: return nil
        }
    }
}
