/// How a robot makes way for others: around them, or back to where they can pass.
struct GivingWay {
    /// The floor.
    let floor: Floor
    /// Where its dock is.
    let dock: FloorDock
    /// Where it stands.
    let pose: Pose
    /// Where the others are.
    let others: [PlanPoint]

    /// What a robot does instead.
    enum Change {
        /// It takes another way.
        case around(SweepingActivity)
        /// It goes back first.
        case back(SweepingActivity)
        /// It leaves out what it does not get to, at least up to where it can go on.
        case leaveOut(SweepingActivity)
    }

    /// What a robot does instead of what it does; `nil` where it can only wait.
    /// - Parameter isTrapped: whether it has gone back too often.
    func change(of activity: SweepingActivity, isTrapped: Bool) -> Change? {
        switch activity {
        case .moving(let drive):
            guard let goal = drive.path.corners.last else { return nil }
            if let corners = around(to: goal) { return .around(.moving(self.drive(corners))) }
            return back(to: goal).map { .back(.moving(self.drive($0))) }
        case .returning(_, let homing):
            let front = floor.front(of: dock)
            if let corners = around(to: front) {
                return .around(.returning(drive(corners, onto: dock), homing))
            }
            return back(to: front).map { .back(.returning(drive($0, onto: dock), homing)) }
        case .cleaning(let job): return change(of: job, isTrapped: isTrapped)
        case .docked, .idle, .paused, .off: return nil
        }
    }

    private func change(of job: CleaningJob, isTrapped: Bool) -> Change? {
        var job = job
        // Where going back does not help, what lies behind all that it cannot reach is enough.
        guard
            let places = job.placesToGoOn(
                most: isTrapped ? .max : Drive.usualPlaces, keepingFrom: others)
        else { return nil }
        for coverage in places {
            guard let corners = around(to: coverage.pose.position) else { continue }
            job.coverage = coverage
            job.approach = drive(corners)
            return isTrapped ? .leaveOut(.cleaning(job)) : .around(.cleaning(job))
        }
        if places.isEmpty || isTrapped {
            job.leaveOut(at: pose)
            return .leaveOut(.cleaning(job))
        }
        guard let corners = back(to: job.place) else { return nil }
        job.approach = drive(corners)
        return .back(.cleaning(job))
    }

    private func around(to goal: PlanPoint) -> [PlanPoint]? {
        floor.detour(from: pose.position, to: goal, keepingFrom: others)
    }

    /// First away from others, then to the goal.
    private func back(to goal: PlanPoint) -> [PlanPoint]? {
        guard let away = floor.retreat(from: pose.position, keepingFrom: others),
            let place = away.last, let way = floor.corners(from: place, to: goal)
        else { return nil }
        return away + way
    }

    private func drive(_ corners: [PlanPoint], onto dock: FloorDock? = nil) -> Drive {
        var legs = corners.map { DriveLeg(to: $0, .travel) }
        if let dock { legs.append(DriveLeg(to: dock.pose.position, .backwards)) }
        return Drive(
            DrivePath(from: pose.position, legs: legs), headingDeg: pose.headingDeg,
            robot: floor.robot)
    }
}

extension CleaningJob {
    /// The places at which a cleaning can go on that others are in the way of, the nearest first; `nil` where they are
    /// not in its way any more.
    fileprivate func placesToGoOn(most: Int, keepingFrom others: [PlanPoint]) -> [Drive]? {
        let places = coverage.placesToGoOn(most: most) { Floor.isClear($0, of: others) }
        guard approach != nil else { return places }
        return Floor.isClear(place, of: others) ? [coverage] + (places ?? []) : places
    }

    /// Leaves out what is left of the present way.
    fileprivate mutating func leaveOut(at pose: Pose) {
        approach = nil
        coverage.leaveOut(at: pose)
    }
}

extension SweepingActivity {
    /// What keeps a robot that finds no way from where it has to go.
    var deadEnd: Blockage? {
        switch self {
        case .moving: .trapped
        case .returning: .dockNotFound
        case .cleaning, .docked, .idle, .paused, .off: nil
        }
    }
}
