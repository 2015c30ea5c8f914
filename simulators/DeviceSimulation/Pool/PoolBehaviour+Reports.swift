package import DeviceDomain
import DeviceMessages

extension PoolBehaviour {
    package var controlled: JSONObject {
        var members = JSONObject(reporting: [
            .activity: .string(activityName),
            .program: run.map { .string($0.program.rawValue) } ?? .null,
            .powerLevel: .string(settings.level.rawValue), .inWater: .boolean(isInWater),
            .error: fault.map(JSONValue.string) ?? .null,
        ])
        members["settings"] = ["schedule": settings.schedule.json]
        members["desiredRevision"] = .integer(settings.desiredRevision)
        return members
    }

    package var controlledDigest: Int {
        var hasher = Hasher()
        hasher.combine(activityName)
        hasher.combine(run?.program)
        hasher.combine(settings)
        hasher.combine(isInWater)
        hasher.combine(fault)
        return hasher.finalize()
    }

    package var measured: JSONObject {
        JSONObject(reporting: [
            .remainingMinutes: run.map { .number((($0.total - $0.elapsed) / 60).rounded(.up)) }
                ?? .null,
            .filterPercent: .number(filter.percent.rounded()),
        ])
    }

    package var telemetry: JSONObject {
        let instant = now.milliseconds
        let (sensors, unit) = (site.ratings.sensors, site.unit)
        // The sensors' own pressure range ends at the surface.
        let depth =
            isInWater
            ? max(0, drive.depthM + unit.depthOffset + noise(sensors.depthNoise, .depth, instant))
            : 0
        let tilt = drive.tiltDeg + noise(sensors.tiltNoise, .tilt, instant)
        let current = motorCurrentA * (1 + noise(sensors.currentNoise, .current, instant))
        var values = JSONObject(reporting: [
            .depthM: .number(depth.rounded(decimals: 2)),
            .waterTemperatureC: .number(thermometer.reading(at: now, in: site)),
            .motorCurrentA: .number(current.rounded(decimals: 2)),
            .filterPercent: .number(filter.percent.rounded(decimals: 1)),
            .tiltDeg: .number(tilt.rounded(decimals: 1)),
            .x: .number(drive.place.x.rounded(decimals: 2)),
            .y: .number(drive.place.y.rounded(decimals: 2)),
            .headingDeg: .number(
                drive.headingDeg.rounded(decimals: 1).truncatingRemainder(dividingBy: 360)),
        ])
        if let battery {
            values[.batteryPercent] = .number(battery.percent.rounded(.down))
        } else {
            values[.tetherTurns] = .number(drive.tetherTurns.rounded(decimals: 2))
        }
        return values
    }

    private func noise(_ most: Rating, _ chance: PoolUnit.Chance, _ instant: Int) -> Double {
        most.value * (2 * site.unit.roll(chance, at: instant) - 1)
    }

    package var activityName: String {
        (blockages.code == nil ? activity.reported : .error).rawValue
    }

    package var actionPercent: Double? { run?.percent }

    package var memory: JSONObject {
        var memory = JSONObject(reporting: [
            .filterPercent: .number(filter.percent), .depthM: .number(drive.depthM),
            .tiltDeg: .number(drive.tiltDeg), .x: .number(drive.place.x),
            .y: .number(drive.place.y), .headingDeg: .number(drive.headingDeg),
        ])
        memory["turnedDeg"] = .number(drive.turnedDeg)
        memory["trackSeconds"] = .number(trackSeconds)
        if let battery { memory["batteryWh"] = .number(battery.energyWh) }
        if let supply { memory["supplyC"] = .number(supply.celsius) }
        return memory
    }

    /// Takes up what survived. A restart is the end of what it did, and of an error, unless it is still out of the
    /// water.
    package mutating func restore(controlled: JSONObject, memory: JSONObject) {
        restoreSettings(controlled)
        if controlled[.inWater]?.boolean == false { restoreOutside(controlled) }
        if let percent = memory[.filterPercent]?.number {
            filter.restore(percent: percent, site.ratings.filter)
        }
        restorePlace(memory)
        trackSeconds = memory["trackSeconds"]?.number ?? trackSeconds
        if let energyWh = memory["batteryWh"]?.number { battery?.restore(energyWh: energyWh) }
        if let celsius = memory["supplyC"]?.number, supply != nil {
            supply = PoolSupply(celsius: celsius)
        }
    }

    private mutating func restoreSettings(_ controlled: JSONObject) {
        settings.level =
            controlled[.powerLevel]?.string.flatMap(PoolRobot.PowerLevel.init) ?? settings.level
        settings.desiredRevision =
            controlled["desiredRevision"]?.integer ?? settings.desiredRevision
        if let entries = controlled["settings"]?.object?["schedule"] {
            settings.schedule = (try? WeeklySchedule(json: entries)) ?? settings.schedule
        }
    }

    private mutating func restoreOutside(_ controlled: JSONObject) {
        place = outside
        thermometer = PoolThermometer(inWater: false, at: now)
        if controlled[.error]?.string == PoolFailure.outOfWater.rawValue {
            activity = .failed(.outOfWater)
        }
    }

    private mutating func restorePlace(_ memory: JSONObject) {
        guard let x = memory[.x]?.number, let y = memory[.y]?.number,
            let depth = memory[.depthM]?.number, let tilt = memory[.tiltDeg]?.number,
            let heading = memory[.headingDeg]?.number, let turned = memory["turnedDeg"]?.number
        else { return }
        drive.restore(
            place: PoolVector(x: x, y: y), headingDeg: heading, turnedDeg: turned, depthM: depth,
            tiltDeg: tilt, in: site)
    }
}
