package import DeviceDomain
package import DeviceMessages

extension SweepingBehaviour {
    /// Where it is and where it looks.
    var pose: Pose { activity.drive?.pose ?? standing }

    /// What the present or last cleaning has cleaned, in cells.
    var cleanedCells: Double {
        switch activity {
        // Without a copy of the job: this is asked for once a second.
        case .cleaning(let job): tally.cells + job.coverage.cells
        case .docked(nil), .idle, .moving, .off: tally.cells
        case .docked, .returning, .paused: tally.cells + (activity.job?.coverage.cells ?? 0)
        }
    }

    /// What the present or last cleaning has cleaned, in m².
    var cleanedAreaM2: Double { cleanedCells * FloorGrid.cellAreaM2 }

    /// How long the present or last cleaning has worked, in seconds.
    var cleaningSeconds: Double { Double(tally.milliseconds) / 1000 }

    /// Whether the dock charges it.
    var isCharging: Bool {
        activity.isDocked && supply.hasPower && !battery.isFull && wear?.isTooHot != true
    }

    package var mainsW: Double { isCharging ? battery.chargingW : 0 }

    package var isPoweredOff: Bool { if case .off = activity { true } else { false } }

    private var reported: SweepingState {
        SweepingState(
            activity: reportedActivity, level: level, isCharging: isCharging,
            error: blockages.code)
    }

    package mutating func takeControlledChange() -> Bool { compared.takeChange(to: reported) }

    package var controlled: JSONObject { reported.members }

    package var measured: JSONObject {
        JSONObject(reporting: [.batteryPercent: .number(wholeBatteryPercent)])
    }

    package mutating func writeTelemetry(at instant: Timestamp, to json: inout JSONWriter) {
        let (pose, charge, area, seconds, dust) = (
            pose, wholeBatteryPercent, cleanedAreaM2, cleaningSeconds, dustbinPercent
        )
        let (mainBrush, sideBrush, filter, sensor) = (
            minutes(leftOf: robot.mainBrushLife), minutes(leftOf: robot.sideBrushLife),
            minutes(leftOf: robot.filterLife), minutes(leftOf: robot.sensorLife)
        )
        // Of plain numbers: a robot that is looked at within the closure is copied.
        json.writeObject { json in
            json.write(charge, as: .batteryPercent)
            json.write(area, decimals: 3, as: .cleanedAreaM2)
            json.write(seconds, decimals: 0, as: .cleaningSeconds)
            json.write(dust, decimals: 1, as: .dustbinPercent)
            json.write(filter, decimals: 1, as: .filterMinutes)
            json.write(pose.reportedDeg, as: .headingDeg)
            json.write(mainBrush, decimals: 1, as: .mainBrushMinutes)
            json.write(sensor, decimals: 1, as: .sensorMinutes)
            json.write(sideBrush, decimals: 1, as: .sideBrushMinutes)
            json.write(pose.position.x, decimals: 3, as: .x)
            json.write(pose.position.y, decimals: 3, as: .y)
        }
    }

    package var activityName: String { reportedActivity.rawValue }

    /// What it is doing, as the state reports it. Also with a full bin a robot can drive to its dock.
    var reportedActivity: SweepingRobot.Activity {
        if case .returning = activity { return .returning }
        return blockages.code == nil ? activity.reported : .error
    }

    package var stepInterval: Duration? { activity.isMoving ? .seconds(1) : nil }

    package var actionPercent: Double? {
        switch activity {
        case .moving(let drive), .returning(let drive, .commanded):
            (drive.share * 100).rounded()
        case .returning, .docked, .idle, .cleaning, .paused, .off:
            activity.job.map { min(100, cleanedCells / Double(max($0.cells, 1)) * 100).rounded() }
        }
    }

    package var memory: [UInt8] {
        let (pose, energyWh, dust) = (pose, battery.energyWh, dustbinPercent)
        let (area, seconds, jobs) = (cleanedAreaM2, cleaningSeconds, tally.jobs)
        let (worked, isOff) = (Double(workedMilliseconds) / 1000, isPoweredOff)
        return JSONWriter.members { json in
            json.write(energyWh, as: "batteryWh")
            json.write(area.keptCount(decimals: 3), as: .cleanedAreaM2)
            json.write(seconds, as: .cleaningSeconds)
            json.write(dust.keptCount(decimals: 2), as: .dustbinPercent)
            json.write(pose.reportedDeg, as: .headingDeg)
            if isOff { json.write(true, as: "isOff") }
            json.write(Double(jobs), as: "jobs")
            json.write(worked, as: "workedSeconds")
            json.write(pose.position.x.rounded(decimals: 3), as: .x)
            json.write(pose.position.y.rounded(decimals: 3), as: .y)
        }
    }

    package mutating func restore(controlled: JSONObject, memory: JSONObject) {
        level = controlled[.fanSpeed]?.string.flatMap(SweepingRobot.SuctionLevel.init) ?? level
        if let energyWh = memory["batteryWh"]?.number { battery.restore(energyWh: energyWh) }
        dustbinPercent = memory[.dustbinPercent]?.number ?? dustbinPercent
        tally.restore(memory)
        if let worked = memory["workedSeconds"]?.number, (0...1e12).contains(worked) {
            workedMilliseconds = Int((worked * 1000).rounded())
        }
        restorePlace(memory)
    }

    /// A robot that was on its way stands where it was; one that was on its dock, or where no robot can be, is
    /// on its dock and charges.
    private mutating func restorePlace(_ memory: JSONObject) {
        guard let x = memory[.x]?.number, let y = memory[.y]?.number else { return }
        let place = PlanPoint(x: x, y: y)
        guard place.distance(to: dock.pose.position) > 0.01,
            floor.grid.entryCell(from: place) != nil
        else { return }
        standing = Pose(position: place, headingDeg: memory[.headingDeg]?.number ?? 0)
        activity = memory["isOff"]?.boolean == true ? .off(milliseconds: 0) : .idle
    }

    /// Down to whole percents, so that 100 means full.
    private var wholeBatteryPercent: Double { battery.percent.rounded(.down) }

    /// What is left of a part, in minutes.
    private func minutes(leftOf life: Rating) -> Double {
        max(0, life.value * 60 - Double(workedMilliseconds) / 60_000)
    }
}

extension CleaningTally {
    /// Takes up what survived.
    fileprivate mutating func restore(_ memory: JSONObject) {
        if let area = memory[.cleanedAreaM2]?.number {
            cells = area / FloorGrid.cellAreaM2
            binnedCells = cells
        }
        if let seconds = memory[.cleaningSeconds]?.number, (0...1e9).contains(seconds) {
            milliseconds = Int((seconds * 1000).rounded())
        }
        jobs = memory["jobs"]?.integer ?? jobs
    }
}

extension Pose {
    /// Where it looks, as it is reported: from 0 to below 360.
    fileprivate var reportedDeg: Double {
        let degrees = headingDeg.rounded(decimals: 1)
        return degrees >= 360 ? 0 : degrees
    }
}
