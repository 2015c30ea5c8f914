import DeviceDomain
import DeviceMessages

/// What broken sensors show: measured members of states and samples. What the device does is not misled by them.
struct SensorFaults: Sendable {
    /// What stuck sensors show, by the place of the value.
    private var stuck: [Place: Double] = [:]

    /// A value of a message.
    private struct Place: Hashable {
        let isOfState: Bool
        let signal: Signal
    }

    /// What sensors measure directly: no counters, and nothing that is computed.
    static let signals: [Signal] = [
        .batteryPercent, .batteryPowerW, .cellMaxV, .cellMinV, .depthM, .dustbinPercent,
        .filterPercent, .gridPowerW, .headingDeg, .motorCurrentA, .pvPowerW,
        .stateOfChargePercent, .temperatureC, .tiltDeg, .voltageV, .waterTemperatureC, .x, .y,
    ]

    /// Takes the faults that there are from now on.
    mutating func follow(_ faults: ActiveFaults) {
        if faults[.sensorStuck] == nil { stuck = [:] }
    }

    /// A message as the sensors show it.
    mutating func shown(
        _ publication: DevicePublication, _ faults: ActiveFaults, at now: DeviceMoment,
        drawing draws: inout FaultDraws
    ) -> DevicePublication {
        guard faults.misleadSensors else { return publication }
        switch publication {
        case .state(var message):
            message.state = shown(message.state, ofState: true, faults, at: now, drawing: &draws)
            return .state(message)
        case .telemetry(let sample):
            return .telemetry(
                sample.rewritten {
                    $0.values = shown($0.values, ofState: false, faults, at: now, drawing: &draws)
                })
        case .description, .presence, .event, .ack, .altered: return publication
        }
    }

    private mutating func shown(
        _ values: JSONObject, ofState isOfState: Bool, _ faults: ActiveFaults,
        at now: DeviceMoment, drawing draws: inout FaultDraws
    ) -> JSONObject {
        var shown = values
        for signal in Self.signals {
            guard let value = values[signal]?.number else { continue }
            var reading = value
            if let active = faults.active(.sensorDrift) {
                let hours = now.world.since(active.begin.world).seconds / 3600
                let rate = active.fault.value(of: .percentPerHour) / 100
                reading += max(1, value.magnitude) * rate * hours
            }
            if let fault = faults[.sensorNoise] {
                let most = max(1, value.magnitude) * fault.value(of: .noisePercent) / 100
                reading += draws.number(in: -most...most, for: .sensorNoise)
            }
            if faults[.sensorStuck] != nil {
                let place = Place(isOfState: isOfState, signal: signal)
                reading = stuck[place] ?? reading
                stuck[place] = reading
            }
            shown[signal] = .number(signal.possible(reading, isOfState: isOfState))
        }
        balance(&shown, as: values)
        return shown
    }

    /// What a home uses is computed of what its meter shows, and so follows it (PROTOCOL section 2).
    private func balance(_ shown: inout JSONObject, as values: JSONObject) {
        guard let load = values[.loadPowerW]?.number else { return }
        func change(_ signal: Signal) -> Double {
            (shown[signal]?.number ?? 0) - (values[signal]?.number ?? 0)
        }
        let followed = load + change(.gridPowerW) + change(.pvPowerW) - change(.batteryPowerW)
        shown[.loadPowerW] = .number(followed.rounded(decimals: 3))
    }
}

extension ActiveFaults {
    /// Whether one of them is one of sensors.
    fileprivate var misleadSensors: Bool {
        self[.sensorStuck] != nil || self[.sensorNoise] != nil || self[.sensorDrift] != nil
    }
}

extension Signal {
    /// A number that can be a value of the signal, as near as possible, with as many decimals as states and samples
    /// have.
    fileprivate func possible(_ reading: Double, isOfState: Bool) -> Double {
        let isWhole = isOfState || self == .batteryPercent
        switch unit {
        case .percent:
            let percent = min(max(reading, 0), 100)
            return isWhole ? percent.rounded() : percent.rounded(decimals: 2)
        case .degrees where self == .headingDeg:
            let degrees = reading.truncatingRemainder(dividingBy: 360).rounded(decimals: 1)
            return degrees < 0 ? (degrees + 360).truncatingRemainder(dividingBy: 360) : degrees
        case .metres where self == .depthM, .amperes, .volts:
            return max(0, reading).rounded(decimals: 3)
        case .metres, .degrees, .degreesCelsius, .watts, .kilowattHours, .squareMetres, .seconds,
            .minutes, .lux, .hectopascals, nil:
            return reading.rounded(decimals: 3)
        }
    }
}
