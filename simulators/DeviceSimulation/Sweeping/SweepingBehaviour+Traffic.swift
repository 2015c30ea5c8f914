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
            if right.wait(rank: rank, isBehindStanding: isBehindStanding) { makeWay(for: others) }
        }
    }

    /// Plans another way, which is driven as soon as the traffic allows it.
    private mutating func makeWay(for others: [PlanPoint]) {
        let way = GivingWay(floor: floor, dock: dock, pose: pose, others: others)
        switch way.change(of: activity, isTrapped: right.isTrapped) {
        case .around(let next): activity = next
        case .back(let next):
            activity = next
            right.retreat()
        case .leaveOut(let next):
            activity = next
            right.beginAnew()
        case nil: break
        }
    }
}
