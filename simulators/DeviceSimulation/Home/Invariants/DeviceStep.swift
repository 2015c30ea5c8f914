import DeviceDomain

/// A device at one instant, and what it was at the one before.
package struct DeviceStep {
    /// What it was; `nil` at the first look.
    let before: DeviceLook?
    /// What it is.
    let now: DeviceLook
    /// The instant before; without one, this instant.
    let start: Timestamp
    /// This instant.
    let end: Timestamp
    /// The device's behaviour at this instant.
    let behaviour: any DeviceBehaviour

    /// The time between both, in seconds.
    var seconds: Double { end.since(start).seconds }

    /// The whole seconds of the world clock that have passed.
    var wholeSeconds: Int { end.second - start.second }

    /// Both looks at its body, where nobody can have carried it in between.
    private var bodies: (before: DeviceLook.Body, now: DeviceLook.Body)? {
        guard let before = before?.body, let now = now.body, !before.isHeld, !now.isHeld else {
            return nil
        }
        return (before, now)
    }

    /// What is checked of each device.
    static let checks: [InvariantCheck<DeviceStep>] = [
        InvariantCheck(.countersNeverFall) { $0.fallenCounter },
        InvariantCheck(.noChargeOffDock) { $0.strangeCharge },
        InvariantCheck(.freeSpace) { $0.obstruction },
        InvariantCheck(.noJump) { $0.jump },
        InvariantCheck(.noContradiction) { $0.contradiction },
    ]

    /// What does not hold, mostly nothing.
    var findings: [InvariantFinding] { Self.checks.findings(in: self) }

    // MARK: The checks

    private var fallenCounter: String? {
        guard let before else { return nil }
        if before.period == now.period, now.partial < before.partial {
            return "its count fell from \(before.partial) to \(now.partial)"
        }
        guard any(now.totals .< before.totals) else { return nil }
        return "its totals fell from \(before.totals) to \(now.totals)"
    }

    private var strangeCharge: String? {
        guard let old = before?.charge, let new = now.charge, new.energyWh > old.energyWh,
            !old.mayRise, !new.mayRise
        else { return nil }
        return "its battery rose from \(old.energyWh) to \(new.energyWh) Wh where nothing charges"
    }

    private var obstruction: String? {
        guard let body = now.body, !body.isHeld, body != before?.body else { return nil }
        return behaviour.obstruction
    }

    private var jump: String? {
        guard let (before, now) = bodies, before != now else { return nil }
        let time = now.limits.isStepwise ? Double(wholeSeconds) : seconds
        let distance = before.position.distance(to: now.position)
        if distance > now.limits.speed * time + Self.slack {
            return "it moved \(distance) m in \(time) s"
        }
        let turn = Compass.turn(from: before.headingDeg, to: now.headingDeg).magnitude
        if turn > min(now.limits.turnRate * time, 180) + Self.headingSlack {
            return "it turned \(turn)° in \(time) s"
        }
        let depth = (now.depthM - before.depthM).magnitude
        if depth > now.limits.depthRate * time + Self.slack {
            return "its depth changed by \(depth) m in \(time) s"
        }
        let tilt = (now.tiltDeg - before.tiltDeg).magnitude
        guard tilt > now.limits.tiltRate * time + Self.headingSlack else { return nil }
        return "it tilted by \(tilt)° in \(time) s"
    }

    private var contradiction: String? {
        if let (before, now) = bodies, before.isAtRest, now.isAtRest,
            before.position != now.position || before.headingDeg != now.headingDeg
        {
            return "it stands still, and has moved to \(now.position)"
        }
        return behaviour.contradiction(after: self)
    }

    private static let slack = Invariant.noJump.tolerance.value
    /// A robot on its dock looks where the dock does; on the way there its heading is that of a way between two
    /// points that are kept to the millimetre, 0.4 m apart.
    private static let headingSlack = 0.2
}

extension Array {
    /// What does not hold in a step.
    func findings<Step>(in step: Step) -> [InvariantFinding]
    where Element == InvariantCheck<Step> {
        var findings: [InvariantFinding] = []
        // By index: a check is copied with all its texts otherwise, several times for each device and second.
        for index in indices {
            guard let text = self[index].finding(step) else { continue }
            findings.append(InvariantFinding(invariant: self[index].invariant, text: text))
        }
        return findings
    }
}
