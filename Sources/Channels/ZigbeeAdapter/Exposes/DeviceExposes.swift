internal import DeviceDomain

/// The classes of devices in zigbee2mqtt's exposes.
enum ExposedClass: String, Hashable, Sendable, CaseIterable {
    // A device of several classes gets the kind of the first one.
    case lock, cover, climate, light, fan, `switch`
}

/// The features of a device: `definition.exposes` of zigbee2mqtt.
struct DeviceExposes: Hashable, Sendable {
    /// Features that belong together.
    struct Group: Hashable, Sendable {
        /// Their class; `nil` for a single feature.
        let `class`: ExposedClass?
        let features: [ExposedFeature]

        /// Whether a feature is what the class switches, locks or opens.
        ///
        /// zigbee2mqtt names the feature of a switch, lock or cover `state`, whatever it sets: also a
        /// child lock or an away mode. Only the property tells which one is the state of the device.
        func isState(_ feature: ExposedFeature) -> Bool {
            guard let `class` else { return false }
            let attribute = feature.attribute
            return attribute == "state" || (`class` == .fan && attribute == "fan_state")
        }

        /// Whether the group says what the device is: it has a state, a position or a setpoint.
        var isMain: Bool {
            features.contains {
                isState($0) || $0.name == "position" || $0.name.hasSuffix("setpoint")
            }
        }
    }

    /// The features in the order of the description.
    let groups: [Group]
    /// How many entries could not be read.
    let unreadable: Int

    /// The most features of a device, and of a group in it. Real ones have up to about 100.
    static let limit = 500

    init(_ exposes: [JSONValue]) {
        var groups: [Group] = []
        var unreadable = 0
        for entry in exposes.prefix(Self.limit) {
            guard let group = Group(entry) else {
                unreadable += 1
                continue
            }
            groups.append(group)
        }
        self.groups = groups
        self.unreadable = unreadable
    }

    /// Every feature, those of groups included.
    var features: [ExposedFeature] { groups.flatMap(\.features) }

    /// The kind of the device: its class, except that a switch that measures power is a plug. A class without
    /// a state, position or setpoint, such as the child lock of a plug, does not count. Without a class it
    /// is a sensor, unless something besides settings can be set.
    var kind: DeviceKind {
        guard let `class` = ExposedClass.allCases.first(where: has) else {
            let isSet = features.contains { $0.isSettable && !$0.isSecondary }
            return isSet ? .zigbeeDevice : .sensor
        }
        switch `class` {
        case .lock: return .lock
        case .cover: return .cover
        case .climate: return .climate
        case .light: return .light
        case .fan: return .fan
        case .switch:
            let measuresPower = features.contains {
                $0.isNumeric && ["power", "energy"].contains($0.name)
            }
            return measuresPower ? .plug : .switch
        }
    }

    /// Whether it reports the charge of a battery.
    var hasBattery: Bool { features.contains { $0.isNumeric && $0.property == "battery" } }

    /// The members of the states that it reports.
    var stateMembers: Set<String> {
        Set(features.map(\.property)).union(hasBattery ? [Signal.batteryPercent.rawValue] : [])
    }

    private func has(_ `class`: ExposedClass) -> Bool {
        groups.contains { $0.class == `class` && $0.isMain }
    }
}

extension DeviceExposes.Group {
    fileprivate init?(_ entry: JSONValue) {
        guard let entry = entry.object else { return nil }
        if let `class` = entry["type"]?.string.flatMap(ExposedClass.init(rawValue:)) {
            let features = (entry["features"]?.array ?? []).prefix(DeviceExposes.limit)
            let endpoint = entry["endpoint"]?.string
            self.init(
                class: `class`,
                features: features.compactMap {
                    $0.object.flatMap { ExposedFeature($0, of: endpoint) }
                })
        } else if let feature = ExposedFeature(entry, of: nil) {
            self.init(class: nil, features: [feature])
        } else {
            return nil
        }
    }
}
