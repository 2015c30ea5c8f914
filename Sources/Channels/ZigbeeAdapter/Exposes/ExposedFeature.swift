internal import DeviceDomain

/// The access to a feature of a device (`access` in zigbee2mqtt's exposes).
struct FeatureAccess: OptionSet, Hashable, Sendable {
    let rawValue: Int

    /// It is part of the device's state.
    static let published = FeatureAccess(rawValue: 1)
    /// It can be set with `/set`.
    static let settable = FeatureAccess(rawValue: 2)
    /// It can be queried from the device with `/get`.
    static let readable = FeatureAccess(rawValue: 4)
}

/// A feature of a device that can be measured or set, as zigbee2mqtt describes it.
struct ExposedFeature: Hashable, Sendable {
    /// What kind of values it has.
    enum Form: Hashable, Sendable {
        /// One of two values; `toggle` switches to the other one.
        case binary(on: JSONValue, off: JSONValue, toggle: JSONValue?)
        /// A number, or one of the values that have a name.
        case numeric(
            minimum: Double?, maximum: Double?, step: Double?,
            presets: [ArgumentSchema.Preset] = [])
        /// One of these values.
        case choice([JSONValue])
        /// Text.
        case text
        /// Any number of values.
        case list
        /// An object with these members.
        case composite([ExposedFeature])
    }

    /// Its name, such as `brightness`.
    let name: String
    /// Its member in the state and in `/set`, such as `brightness_l1`.
    let property: String
    /// The part of the device that it belongs to, such as `l1`.
    let endpoint: String?
    /// The access to it.
    let access: FeatureAccess
    /// What kind of values it has.
    let form: Form
    /// Whether it is a setting or a diagnostic value.
    let isSecondary: Bool

    /// Parses an entry of `exposes` or `features`; `nil` for an incomplete one.
    /// - Parameter endpoint: that of its group, which it belongs to if it names none of its own.
    init?(_ entry: JSONObject, of endpoint: String?) {
        guard let form = Form(entry),
            let property = entry["property"]?.string ?? entry["name"]?.string, !property.isEmpty
        else { return nil }
        self.form = form
        self.property = property
        name = entry["name"]?.string ?? property
        self.endpoint = entry["endpoint"]?.string ?? endpoint
        access = FeatureAccess(rawValue: (entry["access"]?.integer ?? 0) & 7)
        isSecondary = ["config", "diagnostic"].contains(entry["category"]?.string)
    }

    /// Whether it can be set.
    var isSettable: Bool { access.contains(.settable) }
    /// Whether its value is part of the published state or can be queried.
    var isReported: Bool { !access.isDisjoint(with: [.published, .readable]) }
    /// Whether it can be queried from the device.
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
                step: entry["value_step"]?.number, presets: Self.presets(entry))
        case "enum":
            guard let values = entry["values"]?.array else { return nil }
            self = .choice(values)
        case "text": self = .text
        case "list": self = .list
        case "composite":
            let features = entry["features"]?.array ?? []
            self = .composite(
                features.compactMap { $0.object.flatMap { ExposedFeature($0, of: nil) } })
        default: return nil
        }
    }

    /// Values that a numeric feature takes by name, such as `previous`. They may lie outside its range and need
    /// not be numbers.
    private static func presets(_ entry: JSONObject) -> [ArgumentSchema.Preset] {
        (entry["presets"]?.array ?? []).prefix(presetLimit).compactMap { preset in
            guard let name = preset.object?["name"]?.string, !name.isEmpty,
                let value = preset.object?["value"]
            else { return nil }
            return ArgumentSchema.Preset(name: name, value: value)
        }
    }

    /// The most presets of a feature. Real ones have up to about 10.
    private static let presetLimit = 50
}
