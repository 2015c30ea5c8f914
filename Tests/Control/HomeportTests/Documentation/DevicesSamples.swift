import Homeport

/// The code of the page Devices.
enum DevicesSamples {
    static func levels(_ home: Home) async throws -> [String] {
        // sample: levels
        var lines: [String] = []
        for device in try await home.devices() {
            if let battery = (device as? any BatteryPowered)?.battery {
                lines.append("\(device.name): battery \(Int(battery.value)) %")
            } else if let charge = (device as? any EnergyStorage)?.stateOfCharge {
                lines.append("\(device.name): charged to \(Int(charge.value)) %")
            }
        }
        // end sample
        return lines
    }

    static func one(_ home: Home) async throws -> DeviceID {
        // sample: one device
        let device = try await home.device("sweeper-1")
        // end sample
        return device.id
    }

    static func low(_ home: Home) async throws -> [DeviceID] {
        // sample: low
        let filter = DeviceFilter(conditions: [try DeviceCondition("stateOfChargePercent<20")])
        let undecided = try await home.survey().devices.filter(filter.needsTelemetry)
        await home.waitForTelemetry(of: Set(undecided.map(\.id)), within: .seconds(10))
        let low = home.model.allDevices.filter(filter.contains)
        // end sample
        return low.map(\.id)
    }

    static func watch(_ home: Home, show: (String) -> Void) async {
        // sample: watch
        for await change in home.changes() {
            guard case .device(let change) = change else { continue }
            switch change.content {
            case .state(let state): show("\(change.device): \(state.members)")
            case .event(let event): show("\(change.device): \(event.name.rawValue)")
            case .removed: show("\(change.device) is gone")
            case .description, .presence, .doubt, .channel, .label, .telemetry, .evidence, .problem:
                continue
            }
        }
        // end sample
    }

    static func samples(_ home: Home, of store: EnergyStore, show: (String) -> Void) async {
        // sample: samples
        for await reading in home.samples(of: store) {
            show("\(store.name): \(reading.sample.gridPowerW ?? 0) W from the grid")
        }
        // end sample
    }
}

// sample: a kind of your own
struct Sprinkler: Device, Connectable, Stoppable {
    let profile: DeviceProfile
    var report: DeviceReport

    static let blueprint = DeviceBlueprint(
        model: DeviceModel("sprinkler-r1"),
        kind: DeviceKind("garden-sprinkler"),
        capabilities: [.connectable, .controllable],
        commands: CommandSpecification.ofEveryDevice + [
            CommandSpecification(
                name: .water, arguments: .members(["minutes": .integer(1...120)]),
                sort: .action, offline: .expire(after: .seconds(600)),
                undo: .inverse(with: .stop)),
            CommandSpecification(
                name: .stop, arguments: .nothing, lane: .urgent, sort: .instant, offline: .barrier),
        ]
    ) { Sprinkler(profile: $0, report: $1) }
}

extension CommandName {
    static let water: CommandName = "water"
}

extension CommandRequest where Receiver == Sprinkler {
    static func water(minutes: Int) throws(ArgumentViolation) -> Self {
        guard (1...120).contains(minutes) else {
            throw ArgumentViolation(path: "minutes", reason: "must be from 1 to 120")
        }
        return Self(.water, ["minutes": .integer(minutes)])
    }
}
// end sample
