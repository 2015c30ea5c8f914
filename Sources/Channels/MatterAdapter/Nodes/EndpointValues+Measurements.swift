internal import DeviceDomain
private import Glibc

// What the clusters report that only measure.
extension EndpointValues {
    mutating func readMeasurement(_ cluster: Int) {
        switch cluster {
        case Cluster.powerSource: readPowerSource()
        case Cluster.electricalPower:
            put("voltage", cluster, 4, times: 0.001)
            put("current", cluster, 5, times: 0.001)
            put("power", cluster, 8, times: 0.001)
        case Cluster.electricalEnergy:
            putEnergy("energy", 1)
            putEnergy("produced_energy", 2)
        case Cluster.booleanState: readBoolean()
        case Cluster.occupancy:
            put("occupancy", cluster, 0) { $0.integer.map { .boolean($0 & 1 == 1) } }
        case Cluster.temperature: put("temperature", cluster, 0, times: 0.01)
        case Cluster.humidity: put("humidity", cluster, 0, times: 0.01)
        case Cluster.pressure: put("pressure", cluster, 0, times: 1)
        case Cluster.flow: put("flow", cluster, 0, times: 0.1)
        case Cluster.illuminance: put("illuminance", cluster, 0, Self.lux)
        case Cluster.airQuality:
            put("air_quality", cluster, 0) {
                $0.named([
                    "unknown", "good", "fair", "moderate", "poor", "very_poor", "extremely_poor",
                ])
            }
        case Cluster.smokeAlarm:
            put("smoke", cluster, 1) { $0.integer.map { .boolean($0 > 0) } }
            put("carbon_monoxide", cluster, 2) { $0.integer.map { .boolean($0 > 0) } }
            put("battery_alert", cluster, 3) { $0.named(["normal", "warning", "critical"]) }
        default:
            if let name = Self.concentrations[cluster] { readConcentration(cluster, name) }
        }
    }

    private mutating func readPowerSource() {
        let cluster = Cluster.powerSource
        put("battery", cluster, 12, times: 0.5)
        put(Signal.batteryPercent.rawValue, cluster, 12, times: 0.5)
        put("battery_voltage", cluster, 11, times: 0.001)
        put("battery_level", cluster, 14) { $0.named(["ok", "warning", "critical"]) }
        put("battery_charge", cluster, 26) {
            $0.named(["unknown", "charging", "full", "not_charging"])
        }
        put("batteryRemainingSeconds", cluster, 13, times: 1)
        put("batteryFullInSeconds", cluster, 27, times: 1)
    }

    /// Counted in mWh.
    private mutating func putEnergy(_ name: String, _ attribute: Int) {
        put(name, Cluster.electricalEnergy, attribute) {
            $0.field(0, "energy")?.scaled(by: 1e-6)
        }
    }

    private mutating func readBoolean() {
        let types = endpoint.types
        let name =
            types.contains(.leakDetector)
            ? "water_leak" : types.contains(.contactSensor) ? "contact" : "active"
        put(name, Cluster.booleanState, 0) { $0.boolean.map { .boolean($0) } }
    }

    /// Illuminance is measured in steps of 10,000 log₁₀ of lux, plus 1; 0 is too dark to measure.
    private static func lux(_ value: JSONValue) -> JSONValue? {
        value.number.flatMap { step in
            step < 1 ? 0 : JSONValue.number(pow(10, (step - 1) / 10_000)).finite?.scaled(by: 1)
        }
    }

    private static let concentrations = [
        1036: "co", 1037: "co2", 1043: "no2", 1066: "pm25", 1068: "pm1", 1069: "pm10",
        1070: "voc",
    ]

    /// The number, and its unit where the device tells it. A device without numbers has a level.
    private mutating func readConcentration(_ cluster: Int, _ name: String) {
        put(name, cluster, 0) { $0.number.map { .number(($0 * 1000).rounded() / 1000) } }
        put("\(name)_unit", cluster, 8) {
            $0.named(["ppm", "ppb", "ppt", "mg/m³", "µg/m³", "ng/m³", "pm³", "Bq/m³"])
        }
        put("\(name)_level", cluster, 10) {
            $0.named(["unknown", "low", "medium", "high", "critical"])
        }
    }
}
