import DeviceDomain

/// Where in the pool a robot is, and what it does next: it moves on floor, walls and waterline, and sinks with its
/// motors off.
///
/// It goes on in steps of one second. What it decides by chance belongs to the second, so that its way depends on
/// when it began what, and not on who asked for it in between.
struct PoolDrive: Hashable, Sendable {
    /// Where a straight way on the floor ends.
    enum End: Hashable, Sendable {
        /// At a wall.
        case wall(Int)
        /// Where a beach becomes too shallow.
        case shore
        /// At the drain, which catches the robot.
        case drain
        /// On a beach, out of the water.
        case land
    }

    /// What it does.
    enum Phase: Hashable, Sendable {
        /// Its motors are off; it sinks, if it has not yet come to rest.
        case off
        /// Its motors are off, and it has come to rest.
        case resting
        /// It turns by so many degrees, clockwise if positive, and then drives straight on.
        case turning(by: Double)
        /// It drives so many metres.
        case driving(left: Double, to: End)
        /// It climbs a wall.
        case climbing(Int)
        /// It moves along the waterline of a wall, so many metres, eastward seen from the middle if positive.
        case following(Int, left: Double)
        /// It comes down a wall.
        case descending(Int)
        /// It holds itself at the waterline of a wall.
        case holding(Int)
        /// It is caught at the drain for so many seconds of those after which it is free again.
        case caught(seconds: Int, free: Int, isStalled: Bool)
        /// It stands on a beach, out of the water.
        case stranded
    }

    /// What the robot shall do.
    enum Task: Hashable, Sendable {
        /// Clean.
        case clean(PoolRobot.Program)
        /// Come up at the nearest wall.
        case surface
    }

    /// How hard it works in one second.
    struct Push: Hashable, Sendable {
        /// The share of its speed.
        let speed: Double
        /// Its suction, which holds it at a wall; 1 at normal power with an open filter.
        let suction: Double
    }

    /// Where its centre is, seen from above.
    var place: PoolVector
    /// Where it looks, in degrees clockwise from north, 0 to less than 360.
    private(set) var headingDeg: Double
    /// How far it has turned clockwise, less what it turned back, since the tether was untwisted; in degrees.
    private(set) var turnedDeg = 0.0
    /// How deep its depth sensor is, in m; negative above the water.
    var depthM: Double
    /// How far it is tilted, in degrees: 0 on a level floor, 90 on a wall.
    var tiltDeg = 0.0
    /// What it does.
    var phase = Phase.resting

    /// A robot that stands on the floor of its pool, where chance put it.
    init(in site: PoolSite) {
        let basin = site.basin
        let direction = PoolVector(heading: 360 * site.unit.roll(.heading, at: 0))
        let middle = PoolVector(x: basin.length / 2, y: basin.width / 2)
        let share = 0.2 + 0.6 * site.unit.roll(.place, at: 0)
        let reach = basin.ray(from: middle, along: direction).distance
        place = middle.moved(reach * share, along: direction)
        // A beach is no place to wait on.
        if place.x < basin.shoreX { place.x = middle.x }
        headingDeg = 360 * site.unit.roll(.heading, at: 1)
        depthM = Self.floor(at: place.x, in: site)
        tiltDeg = Self.pitch(at: place.x, heading: headingDeg, in: site)
    }

    /// A robot at a place, with its motors off.
    init(at place: PoolVector, depthM: Double, in site: PoolSite) {
        self.init(in: site)
        self.place = place
        self.depthM = depthM
        phase = .off
    }

    /// Whether it is at the waterline, held by its pump.
    var isHolding: Bool {
        if case .holding = phase { true } else { false }
    }

    /// How many turns the tether has, clockwise if positive.
    var tetherTurns: Double { turnedDeg / 360 }

    /// Takes up what was recorded, if it is in the pool.
    mutating func restore(
        place: PoolVector, headingDeg: Double, turnedDeg: Double, depthM: Double, tiltDeg: Double,
        in site: PoolSite
    ) {
        guard site.basin.contains(place), (0..<360).contains(headingDeg) else { return }
        self.place = place
        self.headingDeg = headingDeg
        self.turnedDeg = turnedDeg
        self.depthM = min(depthM, Self.floor(at: place.x, in: site))
        self.tiltDeg = tiltDeg
        phase = .off
    }

    /// How deep the sensor is when the robot stands on the floor at `x`, in m.
    static func floor(at x: Double, in site: PoolSite) -> Double {
        let depth = site.basin.depth(atX: x)
        return max(depth - site.ratings.drive.sensorHeight.value, min(depth, 0))
    }

    /// How far the floor tilts the robot, in degrees.
    static func pitch(at x: Double, heading: Double, in site: PoolSite) -> Double {
        let rise = -site.basin.slope(atX: x) * PoolVector(heading: heading).x
        return Mathematics.angle(y: rise, x: 1) * 180 / .pi
    }
}

// What others do to it.
extension PoolDrive {
    /// Switches its motors off.
    mutating func switchOff() { phase = .off }

    /// Somebody lifts it out of the water.
    mutating func liftOut() {
        phase = .off
        depthM = 0
        tiltDeg = 0
    }

    /// Somebody puts it into the water, where it was or as near to it as the water is deep enough.
    mutating func putIn(in site: PoolSite) {
        place.x = max(place.x, site.basin.shoreX)
        phase = .off
        depthM = site.ratings.drive.lineDepth.value
        tiltDeg = 0
    }

    /// Somebody takes the twist out of the tether.
    mutating func untwist() { turnedDeg = 0 }

    /// Begins to work, or goes on after it was switched off.
    mutating func start(_ task: Task, at second: Int, in site: PoolSite) {
        switch (task, phase) {
        case (.surface, .following(let wall, _)), (.surface, .descending(let wall)):
            phase = .climbing(wall)
        case (.surface, .turning), (.surface, .driving), (.surface, .off), (.surface, .resting),
            (.surface, .stranded):
            turnToNearestWall(in: site)
        case (.clean, .off), (.clean, .resting):
            turn(toward: 360 * site.unit.roll(.heading, at: second), in: site)
        case (.surface, .climbing), (.surface, .holding), (.surface, .caught), (.clean, _): break
        }
    }
}

// What one second brings.
extension PoolDrive {
    /// Rests for a second: sinks to the floor and levels out there.
    mutating func rest(in site: PoolSite) {
        guard phase != .resting else { return }
        let before = (depthM, tiltDeg)
        settle(in: site)
        phase = before == (depthM, tiltDeg) ? .resting : .off
    }

    /// Floats for a second on the air inside it.
    mutating func float(in site: PoolSite) {
        depthM = Self.approach(
            depthM, site.ratings.drive.lineDepth.value, by: site.unit.sinkSpeed)
        tiltDeg = Self.approach(tiltDeg, 0, by: site.ratings.drive.tiltSpeed.value)
    }

    /// Holds itself at the waterline for a second.
    mutating func hold(with push: Push, at second: Int, in site: PoolSite) {
        guard case .holding(let wall) = phase else { return }
        face(wall, in: site)
        slip(with: push, at: second, in: site)
    }

    /// Works for a second.
    /// - Returns: the area that it has driven over, in m².
    mutating func work(
        _ task: Task, with push: Push, at second: Int, in site: PoolSite
    ) -> Double {
        switch phase {
        case .off, .resting:
            start(task, at: second, in: site)
            return 0
        case .turning(let angle):
            settle(in: site)
            turn(by: angle, task, at: second, in: site)
            return 0
        case .driving(let left, let end):
            let step = min(left, site.unit.speed * push.speed)
            place = place.moved(step, along: PoolVector(heading: headingDeg))
            settle(in: site)
            if left > step {
                phase = .driving(left: left - step, to: end)
            } else {
                arrive(at: end, task, second, in: site)
            }
            return step * site.ratings.drive.brushWidth.value
        case .climbing(let wall): return climb(wall, task, with: push, at: second, in: site)
        case .following(let wall, let left):
            return follow(wall, left: left, with: push, at: second, in: site)
        case .descending(let wall): return descend(wall, task, at: second, in: site)
        case .holding:
            hold(with: push, at: second, in: site)
            return 0
        case .caught(let seconds, let free, let isStalled):
            struggle(seconds, free, isStalled, at: second, in: site)
            return 0
        case .stranded: return 0
        }
    }

    // MARK: On the floor

    private mutating func turnToNearestWall(in site: PoolSite) {
        let wall = site.basin.nearestWall(to: place)
        turn(toward: heading(towardWall: wall, in: site), in: site)
    }

    private mutating func turn(toward heading: Double, in site: PoolSite) {
        var angle = (heading - headingDeg).truncatingRemainder(dividingBy: 360)
        if angle > 180 { angle -= 360 }
        if angle < -180 { angle += 360 }
        if let limit = site.ratings.supply?.turnLimit.value,
            tetherTurns.magnitude > limit, angle * turnedDeg > 0
        {
            angle -= angle > 0 ? 360 : -360
        }
        phase = .turning(by: angle)
    }

    private mutating func turn(
        by angle: Double, _ task: Task, at second: Int, in site: PoolSite
    ) {
        let speed = site.ratings.drive.turnSpeed.value
        let step = min(max(angle, -speed), speed)
        rotate(by: step)
        guard angle == step else {
            phase = .turning(by: angle - step)
            return
        }
        // A robot that sinks has nothing to drive on.
        guard depthM >= Self.floor(at: place.x, in: site) - 0.05 else {
            phase = .turning(by: 0)
            return
        }
        depart(task, at: second, in: site)
    }

    private mutating func depart(_ task: Task, at second: Int, in site: PoolSite) {
        let (basin, numbers, unit) = (site.basin, site.ratings.drive, site.unit)
        let direction = PoolVector(heading: headingDeg)
        let (distance, wall) = basin.ray(from: place, along: direction)
        var leg = Phase.driving(left: distance, to: .wall(wall))
        if basin.beach > 0, direction.x < -1e-6 {
            let shore = max(0, (place.x - basin.shoreX) / -direction.x)
            let isDry = basin.depth(atX: place.x + direction.x * distance) < -0.02
            if isDry, unit.roll(.beach, at: second) < numbers.beachChance.value {
                leg = .driving(left: distance, to: .land)
            } else if shore < distance {
                leg = .driving(left: shore, to: .shore)
            }
        }
        if let way = wayToDrain(along: direction, in: site), way < distance,
            unit.roll(.caught, at: second) < numbers.catchChance.value
        {
            leg = .driving(left: way, to: .drain)
        }
        phase = leg
    }

    /// How far the drain is, if the way leads over it.
    private func wayToDrain(along direction: PoolVector, in site: PoolSite) -> Double? {
        let offset = PoolVector(x: site.basin.drain.x - place.x, y: site.basin.drain.y - place.y)
        let ahead = offset.dot(direction)
        let aside = offset.dot(PoolVector(x: -direction.y, y: direction.x)).magnitude
        return ahead > 0.1 && aside < site.ratings.drive.drainRadius.value ? ahead : nil
    }

    private mutating func arrive(
        at end: End, _ task: Task, _ second: Int, in site: PoolSite
    ) {
        let (numbers, unit) = (site.ratings.drive, site.unit)
        switch end {
        case .wall(let wall):
            if climbs(task, at: second, in: site) {
                phase = .climbing(wall)
            } else {
                turnAway(from: site.basin.walls[wall].normal, at: second, in: site)
            }
        case .shore where task == .surface: turnToNearestWall(in: site)
        case .shore: turnAway(from: PoolVector(x: -1, y: 0), at: second, in: site)
        case .land: phase = .stranded
        case .drain:
            // The third power: most often it is free soon.
            let roll = unit.roll(.release, at: second)
            let range = numbers.catchTime.range ?? 0...numbers.catchTime.value
            let free = range.lowerBound + (range.upperBound - range.lowerBound) * roll * roll * roll
            phase = .caught(
                seconds: 0, free: Int(free),
                isStalled: unit.roll(.stall, at: second) < numbers.stallChance.value)
        }
    }

    private func climbs(_ task: Task, at second: Int, in site: PoolSite) -> Bool {
        switch task {
        case .surface, .clean(.walls), .clean(.waterline): true
        case .clean(.floor): false
        case .clean(.full):
            site.unit.roll(.again, at: second) < site.ratings.drive.climbInFull.value
        }
    }

    /// Turns away from a wall or shore, by chance to one side or the other.
    mutating func turnAway(
        from normal: PoolVector, at second: Int, in site: PoolSite
    ) {
        let spread = site.ratings.drive.turnSpread.value
        let inward = PoolVector(x: -normal.x, y: -normal.y).heading
        turn(
            toward: inward + spread * (2 * site.unit.roll(.heading, at: second) - 1), in: site)
    }

    private mutating func struggle(
        _ seconds: Int, _ free: Int, _ isStalled: Bool, at second: Int, in site: PoolSite
    ) {
        settle(in: site)
        guard seconds < free else {
            return turn(toward: 360 * site.unit.roll(.heading, at: second), in: site)
        }
        if !isStalled { rotate(by: seconds.isMultiple(of: 2) ? 8 : -8) }
        phase = .caught(seconds: seconds + 1, free: free, isStalled: isStalled)
    }

    // MARK: In the water

    /// Sinks toward the floor, and takes on its slope there.
    private mutating func settle(in site: PoolSite) {
        let floor = Self.floor(at: place.x, in: site)
        // Upward at once: it drives up the slope of the floor.
        depthM = min(floor, depthM + site.unit.sinkSpeed)
        let pitch = Self.pitch(at: place.x, heading: headingDeg, in: site)
        tiltDeg = Self.approach(tiltDeg, pitch, by: site.ratings.drive.tiltSpeed.value)
    }

    /// Turns, clockwise if positive.
    mutating func rotate(by degrees: Double) {
        turnedDeg += degrees
        headingDeg = (headingDeg + degrees).truncatingRemainder(dividingBy: 360)
        if headingDeg < 0 { headingDeg += 360 }
    }

    /// A value that comes nearer to a target, by one step at most.
    static func approach(_ value: Double, _ target: Double, by step: Double) -> Double {
        value < target ? min(target, value + step) : max(target, value - step)
    }
}
