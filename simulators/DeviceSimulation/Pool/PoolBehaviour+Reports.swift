package import DeviceDomain
package import DeviceMessages

extension PoolBehaviour {
    private var presentControlled: PoolState {
        PoolState(
            activity: reportedActivity, program: run?.program, settings: settings,
            isInWater: isInWater, error: fault)
    }

    package mutating func takeControlledChange() -> Bool {
        compared.takeChange(to: presentControlled)
    }

    package var controlled: JSONObject { presentControlled.members }

    package var measured: JSONObject {
        JSONObject(reporting: [
            .remainingMinutes: run.map { .number((($0.total - $0.elapsed) / 60).rounded(.up)) }
                ?? .null,
            .filterPercent: .number(filter.percent.rounded()),
        ])
    }

    package mutating func writeTelemetry(at _: Timestamp, to json: inout JSONWriter) {
        let instant = now.milliseconds
        let (sensors, unit) = (site.ratings.sensors, site.unit)
        // The sensors' own pressure range ends at the surface.
        let depth =
            isInWater
            ? max(0, drive.depthM + unit.depthOffset + noise(sensors.depthNoise, .depth, instant))
            : 0
        let tilt = drive.tiltDeg + noise(sensors.tiltNoise, .tilt, instant)
        let current = motorCurrentA * (1 + noise(sensors.currentNoise, .current, instant))
        let heading = drive.headingDeg.rounded(decimals: 1).truncatingRemainder(dividingBy: 360)
        let (charge, clogged, turns) = (
            battery?.percent.rounded(.down), filter.percent, drive.tetherTurns
        )
        let (place, celsius) = (drive.place, thermometer.reading(at: now, in: site))
        // Of plain numbers: a robot that is looked at within the closure is copied.
        json.writeObject { json in
            if let charge { json.write(charge, as: .batteryPercent) }
            json.write(depth, decimals: 2, as: .depthM)
            json.write(clogged, decimals: 1, as: .filterPercent)
            json.write(heading, as: .headingDeg)
            json.write(current, decimals: 2, as: .motorCurrentA)
            if charge == nil { json.write(turns, decimals: 2, as: .tetherTurns) }
            json.write(tilt, decimals: 1, as: .tiltDeg)
            json.write(celsius, as: .waterTemperatureC)
            json.write(place.x, decimals: 2, as: .x)
            json.write(place.y, decimals: 2, as: .y)
        }
    }

    private func noise(_ most: Rating, _ chance: PoolUnit.Chance, _ instant: Int) -> Double {
        most.value * (2 * site.unit.roll(chance, at: instant) - 1)
    }

    package var activityName: String { reportedActivity.rawValue }

    /// What it is doing, as the state reports it.
    private var reportedActivity: PoolRobot.Activity {
        blockages.code == nil ? activity.reported : .error
    }

    package var actionPercent: Double? { run?.percent }

    package var memory: [UInt8] {
        let (depth, tilt, place) = (drive.depthM, drive.tiltDeg, drive.place)
        let (heading, turned, track) = (drive.headingDeg, drive.turnedDeg, trackSeconds)
        let (clogged, energyWh, celsius) = (filter.percent, battery?.energyWh, supply?.celsius)
        return JSONWriter.members { json in
            if let energyWh { json.write(energyWh, as: "batteryWh") }
            json.write(depth, as: .depthM)
            json.write(clogged, as: .filterPercent)
            json.write(heading, as: .headingDeg)
            if let celsius { json.write(celsius, as: "supplyC") }
            json.write(tilt, as: .tiltDeg)
            json.write(track, as: "trackSeconds")
            json.write(turned, as: "turnedDeg")
            json.write(place.x, as: .x)
            json.write(place.y, as: .y)
        }
    }

    /// Takes up what survived. A restart is the end of what it did, and of an error, unless it is still out of the
    /// water.
    package mutating func restore(controlled: JSONObject, memory: JSONObject) {
        settings.restore(controlled)
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

extension PoolSettings {
    /// Takes up what survived.
    fileprivate mutating func restore(_ controlled: JSONObject) {
        level = controlled[.powerLevel]?.string.flatMap(PoolRobot.PowerLevel.init) ?? level
        desiredRevision = controlled["desiredRevision"]?.integer ?? desiredRevision
        if let entries = controlled["settings"]?.object?["schedule"] {
            schedule = (try? WeeklySchedule(json: entries)) ?? schedule
        }
    }
}
