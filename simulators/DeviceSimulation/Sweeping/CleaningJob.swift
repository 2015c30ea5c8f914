/// A cleaning that a sweeping robot was asked for: one way after the other, with the ways to them in between.
struct CleaningJob: Sendable {
    /// The ways that clean, one for each pass over each room.
    private let paths: [DrivePath]
    /// The index of the present one.
    private var stage = 0
    /// How far the present one is.
    var coverage: Drive
    /// The way to where it begins or was left; `nil` on it.
    var approach: Drive?
    /// What all of them clean, in cells.
    let cells: Int

    /// - Returns: `nil` without a way.
    init?(_ paths: [DrivePath], robot: SweeperChassis) {
        guard let first = paths.first else { return nil }
        self.paths = paths
        coverage = Drive(first, headingDeg: 0, robot: robot)
        cells = paths.reduce(0) { $0 + $1.cells }
    }

    /// Where it goes on.
    var place: PlanPoint { coverage.pose.position }

    /// Whether there is another way after the present one.
    var hasNext: Bool { stage + 1 < paths.count }

    /// Cleans on from where the way to the present one ends.
    mutating func arrive(at pose: Pose) {
        approach = nil
        coverage = coverage.resumed(from: pose)
    }

    /// Goes on to the next way.
    mutating func beginNext(robot: SweeperChassis) {
        stage += 1
        coverage = Drive(paths[stage], headingDeg: 0, robot: robot)
    }
}

/// What the cleanings of a sweeping robot add up to.
struct CleaningTally: Sendable {
    /// What the finished ways of the present or last cleaning have cleaned, in cells.
    var cells = 0.0
    /// How long the present or last cleaning has worked, in milliseconds.
    var milliseconds = 0
    /// How much of it is in the dustbin already, in cells.
    var binnedCells = 0.0
    /// How many cleanings were begun.
    var jobs = 0

    /// Takes the dust of what was cleaned since the last time, in cells.
    mutating func takeDust(of cells: Double) -> Double {
        defer { binnedCells = max(cells, binnedCells) }
        return max(0, cells - binnedCells)
    }
}
