import DeviceDomain

// What a robot does about the other robots of its floor.
extension SweepingBehaviour {
    package var dockPlace: PlanPoint? { dock.pose.position }

    package var course: BodyCourse? {
        guard activity.isMoving else { return nil }
        let activity = right.isWaiting ? activity.resumed(from: pose) : activity
        return activity.drive.map(BodyCourse.init)
    }

    package mutating func join(_ others: [PlanPoint]) {
        right.join()
        let isFree = others.allSatisfy {
            $0.distance(to: standing.position) >= FloorTraffic.distance
        }
        guard !isFree, let place = floor.standingPoint(near: standing.position, clearOf: others)
        else { return }
        standing.position = place
        if activity.isDocked { activity = .idle }
    }

    package mutating func direct(_ order: TrafficOrder) {
        switch order {
        case .drive:
            if right.isWaiting { activity = activity.resumed(from: pose) }
            right.drive()
        case .wait(let others, let rank, let isBehindStanding):
            guard right.wait(rank: rank, isBehindStanding: isBehindStanding) else { return }
            makeWay(for: others)
        }
    }

    /// Plans a way around others, or back to where they can pass. It is driven as soon as the traffic allows it.
    private mutating func makeWay(for others: [PlanPoint]) {
        switch activity {
        case .moving(let drive):
            guard let goal = drive.path.corners.last,
                let corners = around(others, to: goal) ?? back(from: others, to: goal)
            else { return }
            activity = .moving(self.drive(path(corners)))
        case .returning(_, let homing):
            let front = floor.front(of: dock)
            guard let corners = around(others, to: front) ?? back(from: others, to: front) else {
                return
            }
            activity = .returning(drive(path(corners, onto: dock)), homing)
        case .cleaning(let job): clean(job, around: others)
        case .docked, .idle, .paused, .off: return
        }
    }

    /// Goes on with a cleaning beyond what others are in the way of.
    private mutating func clean(_ job: CleaningJob, around others: [PlanPoint]) {
        var job = job
        guard let places = job.placesToGoOn(keepingFrom: others) else { return }
        for coverage in places {
            guard let corners = around(others, to: coverage.pose.position) else { continue }
            job.coverage = coverage
            job.approach = drive(path(corners))
            activity = .cleaning(job)
            return
        }
        if places.isEmpty || right.isTrapped {
            job.leaveOut(at: pose)
            right.beginAnew()
        } else if let corners = back(from: others, to: job.place) {
            job.approach = drive(path(corners))
        }
        activity = .cleaning(job)
    }

    private func around(_ others: [PlanPoint], to goal: PlanPoint) -> [PlanPoint]? {
        floor.detour(from: pose.position, to: goal, keepingFrom: others)
    }

    /// First away from others, then to the goal.
    private mutating func back(from others: [PlanPoint], to goal: PlanPoint) -> [PlanPoint]? {
        guard let away = floor.retreat(from: pose.position, keepingFrom: others),
            let place = away.last, let way = floor.corners(from: place, to: goal)
        else { return nil }
        right.retreat()
        return away + way
    }

    private func path(_ corners: [PlanPoint], onto dock: FloorDock? = nil) -> DrivePath {
        var legs = corners.map { DriveLeg(to: $0, .travel) }
        if let dock { legs.append(DriveLeg(to: dock.pose.position, .backwards)) }
        return DrivePath(from: pose.position, legs: legs)
    }

    /// What keeps it from where it has to go once nothing is left to try.
    var dead: Blockage? {
        guard right.isTrapped else { return nil }
        switch activity {
        case .moving: return .trapped
        case .returning: return .dockNotFound
        case .cleaning, .docked, .idle, .paused, .off: return nil
        }
    }
}

extension CleaningJob {
    /// The places at which a cleaning can go on that others are in the way of, the nearest first; `nil` where they are
    /// not in its way any more.
    fileprivate func placesToGoOn(keepingFrom others: [PlanPoint]) -> [Drive]? {
        let places = coverage.placesToGoOn { Floor.isClear($0, of: others) }
        guard approach != nil else { return places }
        return Floor.isClear(place, of: others) ? [coverage] + (places ?? []) : places
    }

    /// Leaves out what is left of the present way.
    fileprivate mutating func leaveOut(at pose: Pose) {
        approach = nil
        coverage.leaveOut(at: pose)
    }
}
