import DeviceDomain

// What one second on a wall brings.
extension PoolDrive {
    /// The heading at a wall.
    func heading(towardWall wall: Int, in site: PoolSite) -> Double {
        site.basin.walls[wall].normal.heading
    }

    /// Climbs a wall for a second.
    /// - Returns: the area that it has driven over, in m².
    mutating func climb(
        _ wall: Int, _ task: Task, with push: Push, at second: Int, in site: PoolSite
    ) -> Double {
        face(wall, in: site)
        guard tiltDeg >= 75 else { return 0 }
        let numbers = site.ratings.drive
        let line = numbers.lineDepth.value
        let step = max(0, min(depthM - line, site.unit.climbSpeed * min(1, push.suction)))
        depthM -= step
        if depthM <= line { phase = atTheTop(of: wall, task, second, in: site) }
        return step * numbers.brushWidth.value
    }

    private func atTheTop(
        of wall: Int, _ task: Task, _ second: Int, in site: PoolSite
    ) -> Phase {
        let (numbers, unit) = (site.ratings.drive, site.unit)
        let side = unit.roll(.side, at: second) < 0.5 ? -1.0 : 1
        let isForTheLine =
            switch task {
            case .surface: false
            case .clean(.waterline): true
            case .clean(.walls), .clean(.floor): false
            case .clean(.full): unit.roll(.line, at: second) < numbers.lineInFull.value
            }
        guard task != .surface else { return .holding(wall) }
        let stretch = unit.draw(
            isForTheLine ? numbers.lineStretch : numbers.sideStep, .stretch, at: second)
        return .following(wall, left: stretch * side)
    }

    /// Moves along the waterline for a second.
    /// - Returns: the area that it has driven over, in m².
    mutating func follow(
        _ wall: Int, left: Double, with push: Push, at second: Int, in site: PoolSite
    ) -> Double {
        let (basin, numbers) = (site.basin, site.ratings.drive)
        let hasSlipped = slip(with: push, at: second, in: site)
        let side: Double = left < 0 ? -1 : 1
        let normal = basin.walls[wall].normal
        let along = PoolVector(x: -normal.y * side, y: normal.x * side)
        let corner = basin.ray(from: place, along: along, except: wall)
        let speed = hasSlipped ? 0 : numbers.lineSpeed.value * push.speed
        let step = min(left.magnitude, speed, corner.distance)
        place = place.moved(step, along: along)
        face(wall, in: site)
        let rest = left.magnitude - step
        // Beside a beach the wall ends in shallow water.
        if rest <= 0 || place.x < basin.shoreX {
            phase = .descending(wall)
        } else {
            phase = .following(step < corner.distance ? wall : corner.wall, left: rest * side)
        }
        return step * numbers.brushWidth.value
    }

    /// Comes down a wall for a second.
    /// - Returns: the area that it has driven over, in m².
    mutating func descend(
        _ wall: Int, _ task: Task, at second: Int, in site: PoolSite
    ) -> Double {
        face(wall, in: site)
        let numbers = site.ratings.drive
        let floor = Self.floor(at: place.x, in: site)
        let step = max(0, min(floor - depthM, site.unit.climbSpeed))
        depthM += step
        if depthM >= floor {
            let climbsAgain =
                task == .clean(.walls)
                && site.unit.roll(.again, at: second) < numbers.climbAgain.value
            if climbsAgain {
                phase = .climbing(wall)
            } else {
                turnAway(from: site.basin.walls[wall].normal, at: second, in: site)
            }
        }
        return step * numbers.brushWidth.value
    }

    /// Slips down from the waterline, or comes up to it again.
    /// - Returns: whether it slipped.
    @discardableResult
    mutating func slip(
        with push: Push, at second: Int, in site: PoolSite
    ) -> Bool {
        let (numbers, unit) = (site.ratings.drive, site.unit)
        let chance = numbers.slipChance.value * max(0, 3 - 2 * push.suction)
        guard unit.roll(.slip, at: second) < chance else {
            depthM = Self.approach(
                depthM, numbers.lineDepth.value, by: unit.climbSpeed * min(1, push.suction))
            return false
        }
        let floor = Self.floor(at: place.x, in: site)
        depthM = min(floor, depthM + unit.draw(numbers.slip, .slipDepth, at: second))
        return true
    }

    /// Turns its nose to a wall and up it.
    mutating func face(_ wall: Int, in site: PoolSite) {
        let numbers = site.ratings.drive
        var angle = (heading(towardWall: wall, in: site) - headingDeg)
            .truncatingRemainder(dividingBy: 360)
        if angle > 180 { angle -= 360 }
        if angle < -180 { angle += 360 }
        rotate(by: min(max(angle, -numbers.turnSpeed.value), numbers.turnSpeed.value))
        tiltDeg = Self.approach(tiltDeg, 90, by: numbers.tiltSpeed.value)
    }
}
