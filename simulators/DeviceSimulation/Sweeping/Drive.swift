/// How far a robot has come on a way.
///
/// Where it is follows from the time on the present leg alone, counted in whole milliseconds: it does not
/// depend on how the time was cut into steps.
struct Drive: Sendable {
    /// The way.
    let path: DrivePath
    /// The index of the present leg; the number of legs at the end.
    private(set) var leg = 0
    /// What was cleaned before the present leg, in cells.
    private var cellsBefore = 0.0
    /// What the present leg cleans, in cells.
    private var legCells = 0.0
    /// Where the present leg began, after a stop where it went on.
    private var origin: Pose
    /// Where the robot looks while it drives the present leg.
    private var course: Double
    private var milliseconds = 0
    private var turningMilliseconds = 0
    private var legMilliseconds = 0
    private let robot: SweeperChassis

    /// A drive from where the path begins.
    /// - Parameter headingDeg: where the robot looks before it.
    init(_ path: DrivePath, headingDeg: Double, robot: SweeperChassis) {
        self.path = path
        self.robot = robot
        origin = Pose(position: path.start, headingDeg: headingDeg)
        course = headingDeg
        beginLeg(cells: path.legs.first.map { Double($0.cells) } ?? 0)
    }

    /// Whether the end is reached.
    var isOver: Bool { leg >= path.legs.count }

    /// The present leg; `nil` at the end.
    var present: DriveLeg? { isOver ? nil : path.legs[leg] }

    /// How long the present leg still takes, in milliseconds.
    var restOfLeg: Int { legMilliseconds - milliseconds }

    /// Goes on for some time, to the end of the present leg at most.
    mutating func advance(milliseconds time: Int) {
        guard !isOver else { return }
        milliseconds += time
        guard milliseconds >= legMilliseconds else { return }
        origin = Pose(position: path.legs[leg].end, headingDeg: course)
        cellsBefore += legCells
        leg += 1
        beginLeg(cells: isOver ? 0 : Double(path.legs[leg].cells))
    }

    /// Goes on for some time, over as many legs as that takes.
    mutating func pass(milliseconds time: Int) {
        var rest = time
        while !isOver, rest > 0 || restOfLeg == 0 {
            let part = min(rest, restOfLeg)
            advance(milliseconds: part)
            rest -= part
        }
    }

    /// Leaves out all that is left of it; the robot is somewhere else.
    mutating func leaveOut(at pose: Pose) {
        cellsBefore = cells
        origin = pose
        leg = path.legs.count
        beginLeg(cells: 0)
    }

    /// How many places to go on are looked for where nothing is known to keep the robot from them.
    static let usualPlaces = 4

    /// Where the way can be taken up again beyond places that are not free: at the first point after each of them,
    /// and a metre after that; `nil` where all of it is free.
    /// - Parameter most: how many are looked for; usually those of the next few metres.
    func placesToGoOn(most: Int = usualPlaces, isFree: (PlanPoint) -> Bool) -> [Drive]? {
        var found: [Drive] = []
        var (isBehind, wasBlocked, wayM) = (false, false, 0.0)
        var from = pose.position
        for index in leg..<max(leg, path.legs.count) {
            let piece = PlanSegment(start: from, end: path.legs[index].end)
            let length = from.distance(to: piece.end)
            let count = max(1, Int((length / FloorGrid.cellM).rounded(.up)))
            for step in 1...count {
                let share = Double(step) / Double(count)
                let point = piece.point(at: share)
                wayM += length / Double(count)
                if !isFree(point) {
                    (isBehind, wasBlocked) = (true, true)
                } else if wasBlocked, isBehind || wayM >= 1 {
                    found.append(goingOn(at: point, leg: index, share: share))
                    if found.count == most { return found }
                    (isBehind, wayM) = (false, 0)
                }
            }
            from = piece.end
        }
        return wasBlocked ? found : nil
    }

    /// The same drive from a point on one of its legs on, what is before it left out.
    private func goingOn(at point: PlanPoint, leg index: Int, share: Double) -> Drive {
        var drive = self
        drive.cellsBefore = cells
        drive.origin = Pose(position: point.rounded, headingDeg: course)
        let rest = index == leg ? legCells * (1 - legShare) : Double(path.legs[index].cells)
        drive.leg = index
        drive.beginLeg(cells: rest * (1 - share))
        return drive
    }

    /// The same drive after a stop: the robot speeds up again, from where it stands and looks now.
    func resumed(from pose: Pose) -> Drive {
        guard let present else { return self }
        var drive = self
        let share = legShare
        drive.cellsBefore += legCells * share
        drive.origin = pose
        drive.beginLeg(cells: Double(present.cells) == 0 ? 0 : legCells * (1 - share))
        return drive
    }

    /// Where the robot is and where it looks.
    var pose: Pose {
        guard let present else { return origin }
        guard milliseconds >= turningMilliseconds else {
            let turn = Compass.turn(from: origin.headingDeg, to: course)
            let turned = robot.turning(by: turn.magnitude).travelled(
                after: Double(milliseconds) / 1000)
            return Pose(
                position: origin.position,
                headingDeg: Compass.normalized(origin.headingDeg + (turn < 0 ? -turned : turned)))
        }
        let (from, to) = (origin.position, present.end)
        let share = legShare
        return Pose(
            position: PlanPoint(
                x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share),
            headingDeg: course)
    }

    /// What it has cleaned, in cells.
    var cells: Double { cellsBefore + legCells * legShare }

    /// How many of its legs are driven, 0…1.
    var share: Double {
        guard !path.legs.isEmpty else { return 1 }
        return (Double(leg) + (isOver ? 0 : legShare)) / Double(path.legs.count)
    }

    /// How much of the present leg's length is driven, 0…1.
    private var legShare: Double {
        guard let present, milliseconds > turningMilliseconds else { return 0 }
        let ramp = ramp(of: present)
        guard ramp.length > 0 else { return 0 }
        return ramp.travelled(after: Double(milliseconds - turningMilliseconds) / 1000)
            / ramp.length
    }

    private func ramp(of leg: DriveLeg) -> Ramp {
        robot.driving(
            leg, origin.position.distance(to: leg.end), cleaningAt: path.cleaningSpeed)
    }

    private mutating func beginLeg(cells: Double) {
        legCells = cells
        milliseconds = 0
        guard let present else { return }
        course = present.heading(from: origin.position) ?? origin.headingDeg
        let turn = Compass.turn(from: origin.headingDeg, to: course).magnitude
        turningMilliseconds = Self.whole(robot.turning(by: turn).duration)
        legMilliseconds = turningMilliseconds + Self.whole(ramp(of: present).duration)
    }

    /// Rounded up, so that no movement is faster than planned.
    private static func whole(_ seconds: Double) -> Int { Int((seconds * 1000).rounded(.up)) }
}
