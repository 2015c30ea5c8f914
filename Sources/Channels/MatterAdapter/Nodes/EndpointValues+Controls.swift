internal import DeviceDomain

// What the clusters report that a device is controlled by.
extension EndpointValues {
    mutating func readControl(_ cluster: Int) {
        switch cluster {
        case Cluster.onOff:
            put("state", cluster, 0) { $0.boolean.map { $0 ? "ON" : "OFF" } }
        case Cluster.level: put("brightness", cluster, 0, times: 1)
        case Cluster.color: readColor()
        case Cluster.doorLock: readLock()
        case Cluster.windowCovering: readCover()
        case Cluster.thermostat: readThermostat()
        case Cluster.fanControl:
            put("fan_mode", cluster, 0) {
                $0.named(["off", "low", "medium", "high", "on", "auto", "smart"])
            }
            put("fan_percent", cluster, 3, times: 1)
        case Cluster.rvcRunMode: readMode(cluster, "run_mode")
        case Cluster.rvcCleanMode: readMode(cluster, "clean_mode")
        case Cluster.rvcOperationalState: readOperation()
        case Cluster.serviceArea: readAreas()
        case Cluster.evse: readEVSE()
        default: break
        }
    }

    private mutating func readColor() {
        put("color_temp", Cluster.color, 7, times: 1)
        put("hue", Cluster.color, 0, times: 360.0 / 254)
        put("saturation", Cluster.color, 1, times: 100.0 / 254)
        put("color_mode", Cluster.color, 8) { $0.named(["hs", "xy", "color_temp"]) }
    }

    private mutating func readLock() {
        put("state", Cluster.doorLock, 0) { $0.named(["UNLOCK", "LOCK", "UNLOCK", "UNLOCK"]) }
        put("lock_state", Cluster.doorLock, 0) {
            $0.named(["not_fully_locked", "locked", "unlocked", "unlatched"])
        }
        put("door_state", Cluster.doorLock, 3) {
            $0.named(["open", "closed", "jammed", "forced_open", "error", "ajar"])
        }
    }

    /// A cover counts what is closed, people what is open.
    private mutating func readCover() {
        let cluster = Cluster.windowCovering
        put("position", cluster, 8) { JSONValue.number(100 - ($0.number ?? .nan)).finite }
        // Finer, where the cover tells it.
        if value(cluster, 14) != nil || members["position"] == nil { putOpen("position", 14) }
        putOpen("tilt", 15)
        put("moving", cluster, 10) {
            $0.integer.flatMap {
                JSONValue.integer($0 & 3).named(["stopped", "opening", "closing"])
            }
        }
    }

    /// Adds what is open, from hundredths of what is closed.
    private mutating func putOpen(_ name: String, _ attribute: Int) {
        put(name, Cluster.windowCovering, attribute) { value in
            value.number.flatMap { JSONValue.number(10_000 - $0).scaled(by: 0.01) }
        }
    }

    private mutating func readThermostat() {
        let cluster = Cluster.thermostat
        put("local_temperature", cluster, 0, times: 0.01)
        put("outdoor_temperature", cluster, 1, times: 0.01)
        put("cooling_setpoint", cluster, 17, times: 0.01)
        put("heating_setpoint", cluster, 18, times: 0.01)
        put("mode", cluster, 28) { $0.integer.flatMap { ThermostatMode(rawValue: $0)?.name } }
        put("running", cluster, 30) { $0.named(["off", "", "", "cool", "heat"]) }
    }

    private mutating func readEVSE() {
        let cluster = Cluster.evse
        put("charge_state", cluster, 0) {
            $0.named([
                "unplugged", "no_demand", "demand", "charging", "discharging", "ending", "fault",
            ])
        }
        put("supply", cluster, 1) {
            $0.named([
                "disabled", "charging_enabled", "discharging_enabled", "disabled_error",
                "disabled_diagnostics", "enabled",
            ])
        }
        put("fault", cluster, 2) { $0.integer.map { $0 == 0 ? "none" : "fault-\($0)".json } }
        put("circuitCapacityA", cluster, 5, times: 0.001)
        put("minimumCurrentA", cluster, 6, times: 0.001)
        put("maximumCurrentA", cluster, 7, times: 0.001)
        put("sessionEnergyKWh", cluster, 66, times: 1e-6)
        put("vehicleBatteryPercent", cluster, 48, times: 1)
    }
}

/// A mode of a thermostat (Matter application cluster specification, `SystemMode`).
enum ThermostatMode: Int, CaseIterable {
    case off = 0
    case auto = 1
    case cool = 3
    case heat = 4
    case emergencyHeat = 5
    case precooling = 6
    case fanOnly = 7
    case dry = 8
    case sleep = 9

    var name: JSONValue { .string("\(self)".kebab) }
}

extension JSONValue {
    /// `nil` for a number that is not finite.
    var finite: JSONValue? { number.map(\.isFinite) == true ? self : nil }
}

extension String {
    /// The text as a value.
    var json: JSONValue { .string(self) }

    /// Small letters, digits and hyphens: `Deep Clean` and `deepClean` are `deep-clean`.
    var kebab: String {
        var text = ""
        var isAfterSmall = false
        for character in self {
            if character.isLetter || character.isNumber {
                if character.isUppercase, isAfterSmall { text += "-" }
                text += character.lowercased()
                isAfterSmall = character.isLowercase || character.isNumber
            } else {
                if !text.isEmpty, text.last != "-" { text += "-" }
                isAfterSmall = false
            }
        }
        while text.last == "-" { text.removeLast() }
        return text
    }
}
